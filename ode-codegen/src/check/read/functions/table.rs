//! The functions of the language: one row each, for the call and the method form and for "did you mean".

use super::arguments::Call;
use super::{elementary, external, frames, kinks, motion, smooth, space, vectors};
use crate::check::read::reader::Reader;
use crate::check::values::Value;
use crate::expr::Function as F;

/// The rule of a function for its arguments.
#[derive(Clone, Copy)]
pub(super) enum Rule {
    /// a primitive of a dimensionless number
    Plain(F),
    /// a rule on values
    Values(fn(&mut Reader<'_>, &Call<'_>, &[Value]) -> Value),
    /// a rule that looks at the arguments itself
    Written(fn(&mut Reader<'_>, &Call<'_>) -> Value),
}

/// A function of the language.
pub(crate) struct Row {
    /// the name
    pub(super) name: &'static str,
    /// fewest and most arguments
    pub(super) arity: (usize, usize),
    /// how it is called, for messages
    pub(super) form: &'static str,
    /// what it does
    pub(super) rule: Rule,
}

const fn plain(name: &'static str, form: &'static str, function: F) -> Row {
    Row { name, arity: (1, 1), form, rule: Rule::Plain(function) }
}

const fn row(
    name: &'static str,
    arity: (usize, usize),
    form: &'static str,
    rule: fn(&mut Reader<'_>, &Call<'_>, &[Value]) -> Value,
) -> Row {
    Row { name, arity, form, rule: Rule::Values(rule) }
}

/// All functions.
pub(super) const ROWS: &[Row] = &[
    plain("sin", "sin(x)", F::Sin),
    plain("cos", "cos(x)", F::Cos),
    plain("tan", "tan(x)", F::Tan),
    plain("asin", "asin(x)", F::Asin),
    plain("acos", "acos(x)", F::Acos),
    plain("atan", "atan(x)", F::Atan),
    plain("sinh", "sinh(x)", F::Sinh),
    plain("cosh", "cosh(x)", F::Cosh),
    plain("tanh", "tanh(x)", F::Tanh),
    plain("exp", "exp(x)", F::Exp),
    plain("ln", "ln(x)", F::Ln),
    row("atan2", (2, 2), "atan2(y, x)", elementary::atan2),
    row("sqrt", (1, 1), "sqrt(x)", elementary::sqrt),
    row("sq", (1, 1), "sq(x)", elementary::sq),
    row("recip", (1, 1), "recip(x)", elementary::recip),
    row("hypot", (2, 2), "hypot(a, b)", elementary::hypot),
    Row { name: "powi", arity: (2, 2), form: "x.powi(2)", rule: Rule::Written(elementary::powi) },
    Row { name: "powf", arity: (2, 2), form: "x.powf(1.5)", rule: Rule::Written(elementary::powf) },
    row("vec2", (2, 2), "vec2(x, y)", vectors::build),
    row("vec3", (3, 3), "vec3(x, y, z)", vectors::build),
    row("diag", (1, 32), "diag(a, b, c)", vectors::diag),
    row("norm", (1, 1), "norm(v)", vectors::norm),
    Row { name: "norm_eps", arity: (2, 2), form: "norm_eps(v, 1.0e-9)", rule: Rule::Written(vectors::norm_eps) },
    row("unit", (1, 1), "unit(v)", vectors::unit),
    row("dot", (2, 2), "a.dot(b)", vectors::dot),
    row("cross", (2, 2), "a.cross(b)", vectors::cross),
    Row { name: "pchip", arity: (2, 2), form: "pchip(TABLE, x)", rule: Rule::Written(external::pchip) },
    row("transpose", (1, 1), "m.transpose()", vectors::transpose),
    Row { name: "der", arity: (1, 1), form: "der(x)", rule: Rule::Written(motion::der) },
    Row { name: "der2", arity: (1, 1), form: "der2(x)", rule: Rule::Written(motion::der2) },
    row("abs", (1, 1), "abs(x)", kinks::abs),
    row("signum", (1, 1), "signum(x)", kinks::signum),
    row("min", (2, 2), "min(a, b)", kinks::min),
    row("max", (2, 2), "max(a, b)", kinks::max),
    row("clamp", (3, 3), "clamp(x, lo, hi)", kinks::clamp),
    Row { name: "smooth_abs", arity: (2, 2), form: "smooth_abs(x, 0.01)", rule: Rule::Written(smooth::abs) },
    Row { name: "smooth_max", arity: (3, 3), form: "smooth_max(a, b, 0.01)", rule: Rule::Written(smooth::max) },
    Row { name: "smooth_min", arity: (3, 3), form: "smooth_min(a, b, 0.01)", rule: Rule::Written(smooth::min) },
    Row { name: "smooth_step", arity: (2, 2), form: "smooth_step(x, 0.1)", rule: Rule::Written(smooth::step) },
    Row { name: "smooth_sign", arity: (2, 2), form: "smooth_sign(x, 0.01)", rule: Rule::Written(smooth::sign) },
    Row { name: "softplus", arity: (2, 2), form: "softplus(x, 0.1)", rule: Rule::Written(smooth::softplus) },
    row("frame2", (2, 2), "frame2(p, th)", frames::frame2),
    row("at", (2, 2), "b.at(p)", frames::at),
    row("vec", (2, 2), "b.vec(v)", frames::vec),
    row("inv", (1, 1), "b.inv()", frames::inv),
    row("origin", (1, 1), "b.origin", frames::origin),
    row("angle", (1, 1), "b.angle", frames::angle),
    row("frame", (2, 2), "frame(p, rot_z(th))", space::frame),
    row("rotation", (1, 1), "b.rotation", frames::part),
    row("rate", (1, 1), "b.rate", frames::part),
    row("rot_x", (1, 1), "rot_x(th)", space::about),
    row("rot_y", (1, 1), "rot_y(th)", space::about),
    row("rot_z", (1, 1), "rot_z(th)", space::about),
    row("exp_so3", (1, 1), "exp_so3(v)", space::exp),
    row("log_so3", (1, 1), "log_so3(r)", space::log),
    row("rotate", (2, 2), "r.rotate(v)", frames::rotate),
];

/// Names of functions in other languages, and the name here.
const ELSEWHERE: [(&str, &str); 58] = [
    ("normalise", "unit(x)"),
    ("normalize", "unit(x)"),
    ("normalized", "unit(x)"),
    ("length", "norm(x)"),
    ("magnitude", "norm(x)"),
    ("len", "norm(x)"),
    ("norm_squared", "x.dot(x)"),
    ("length_squared", "x.dot(x)"),
    ("square", "sq(x)"),
    ("squared", "sq(x)"),
    ("pow", "x.powi(2)` or `x.powf(1.5)"),
    ("log", "ln(x)"),
    ("sign", "signum(x)"),
    ("sgn", "signum(x)"),
    ("ddt", "der(x)"),
    ("diff", "der(x)"),
    ("inverse", "inv()"),
    ("arctan2", "atan2(y, x)"),
    ("fabs", "abs(x)"),
    ("mul_add", "a * b + c"),
    ("sine", "sin(x)"),
    ("cosine", "cos(x)"),
    ("tangent", "tan(x)"),
    ("arcsin", "asin(x)"),
    ("arccos", "acos(x)"),
    ("arctan", "atan(x)"),
    ("cot", "1.0 / tan(x)"),
    ("sec", "1.0 / cos(x)"),
    ("csc", "1.0 / sin(x)"),
    ("cbrt", "x.powf(1.0 / 3.0)"),
    ("exp2", "2.0.powf(x)"),
    ("log2", "ln(x) / ln(2.0)"),
    ("log10", "ln(x) / ln(10.0)"),
    ("ln_1p", "ln(1.0 + x)"),
    ("log1p", "ln(1.0 + x)"),
    ("exp_m1", "exp(x) - 1.0"),
    ("expm1", "exp(x) - 1.0"),
    ("power", "x.powi(2)` or `x.powf(1.5)"),
    ("absolute", "abs(x)"),
    ("sin_cos", "sin(x)` and `cos(x)"),
    ("d", "der(x)"),
    ("dt", "der(x)"),
    ("dot_product", "a.dot(b)"),
    ("inner", "a.dot(b)"),
    ("cross_product", "a.cross(b)"),
    ("deriv", "der(x)"),
    ("derivative", "der(x)"),
    ("ddot", "der2(x)"),
    ("deg2rad", "30.0deg"),
    ("radians", "30.0deg"),
    ("to_radians", "30.0deg"),
    ("heaviside", "smooth_step(x, 0.1)"),
    ("smoothstep", "smooth_step(x, 0.1)"),
    ("vector", "vec2(x, y)` or `vec3(x, y, z)"),
    ("Vec2", "vec2(x, y)"),
    ("Vec2::new", "vec2(x, y)"),
    ("Vec3", "vec3(x, y, z)"),
    ("Vec3::new", "vec3(x, y, z)"),
];

/// What a function of another language is here.
pub(super) fn elsewhere(name: &str) -> Option<String> {
    ELSEWHERE.iter().find(|(n, _)| *n == name).map(|(_, here)| format!("use `{here}`"))
}

/// Libraries whose functions newcomers write: `Math.sin(x)`.
pub(super) const LIBRARIES: [&str; 10] =
    ["Math", "math", "Maths", "np", "numpy", "f64", "ca", "casadi", "sympy", "torch"];

/// The row of a function.
pub(crate) fn find(name: &str) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.name == name)
}
