//! The functions of the language: one row each, for the call and the method form and for "did you mean".

mod elementary;
mod frames;
mod kinks;
mod motion;
mod outside;
mod smooth;
mod space;
mod vectors;

pub(crate) use motion::seeds;
pub(crate) use outside::Known;
pub(super) use space::part;

use proc_macro2::Ident;
use quote::ToTokens;
use syn::{Expr, ExprCall, ExprMethodCall};

use super::Checker;
use super::names::Local;
use super::value::Value;
use crate::diagnostics::{Id, Message, similar, text};
use crate::expr::Function as F;
use crate::model::Shape;
use crate::parse::ast;
use crate::parse::words;

/// A call with its arguments as written; a method's receiver is the first.
pub(crate) struct Call<'a> {
    /// the function's name
    pub(crate) name: &'a Ident,
    /// arguments
    pub(crate) args: Vec<&'a Expr>,
    /// the whole call
    pub(crate) whole: &'a Expr,
}

/// What a function does with its arguments.
#[derive(Clone, Copy)]
enum Rule {
    /// a primitive of a dimensionless number
    Plain(F),
    /// a rule on values
    Values(fn(&mut Checker<'_>, &Call<'_>, &[Value]) -> Value),
    /// a rule that looks at the arguments itself
    Written(fn(&mut Checker<'_>, &Call<'_>) -> Value),
}

/// A function of the language.
pub(crate) struct Row {
    name: &'static str,
    /// fewest and most arguments
    arity: (usize, usize),
    /// how it is called, for messages
    form: &'static str,
    rule: Rule,
}

const fn plain(name: &'static str, form: &'static str, function: F) -> Row {
    Row { name, arity: (1, 1), form, rule: Rule::Plain(function) }
}

const fn row(
    name: &'static str,
    arity: (usize, usize),
    form: &'static str,
    rule: fn(&mut Checker<'_>, &Call<'_>, &[Value]) -> Value,
) -> Row {
    Row { name, arity, form, rule: Rule::Values(rule) }
}

/// All functions.
const ROWS: &[Row] = &[
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
    Row { name: "pchip", arity: (2, 2), form: "pchip(TABLE, x)", rule: Rule::Written(outside::pchip) },
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
    row("rotate", (2, 2), "r.rotate(v)", space::rotate),
];

/// What other languages call a function, and what to write here.
const ELSEWHERE: [(&str, &str); 20] = [
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
];

/// The row of a function.
pub(crate) fn find(name: &str) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.name == name)
}

impl Checker<'_> {
    /// `f(a, b)`
    pub(crate) fn call(&mut self, e: &ExprCall, whole: &Expr) -> Value {
        let Expr::Path(path) = &*e.func else {
            let message =
                Message::new(Id::M0124, &e.func, "only functions are called").help("call one by name: `sin(x)`");
            return self.wrong(message);
        };
        let Some(name) = path.path.get_ident() else {
            let last = path.path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
            let name = text(&path.path);
            let message = match find(&last) {
                Some(row) => {
                    Message::new(Id::M0112, &path.path, format!("unknown function `{name}` in a model expression"))
                        .help(format!("write `{}`", row.form))
                }
                None => unknown(&path.path, &name),
            };
            return self.wrong(message);
        };
        self.apply(&Call { name, args: e.args.iter().collect(), whole }, false)
    }

    /// `a.f(b)`
    pub(crate) fn method(&mut self, e: &ExprMethodCall, whole: &Expr) -> Value {
        let args = std::iter::once(&*e.receiver).chain(e.args.iter()).collect();
        self.apply(&Call { name: &e.method, args, whole }, true)
    }

    fn apply(&mut self, call: &Call<'_>, method: bool) -> Value {
        let name = call.name.to_string();
        if !method && let Some((item, function)) = self.functions.get(&self.key(&name)).copied() {
            return self.inline(call, item, function);
        }
        if !method && let Some(known) = self.externals.get(&self.key(&name)).copied() {
            return self.invoke(call, known);
        }
        let Some(row) = find(&name) else { return self.unknown_function(call, &name, method) };
        if !(row.arity.0..=row.arity.1).contains(&call.args.len()) {
            let (wants, has) = (row.arity.0, call.args.len());
            let message = Message::new(Id::M0122, call.whole, format!("`{name}` takes {}, found {has}", count(wants)))
                .help(format!("write `{}`", row.form));
            return self.wrong(message);
        }
        match row.rule {
            Rule::Written(rule) => rule(self, call),
            Rule::Values(rule) => {
                let values: Vec<Value> = call.args.iter().map(|a| self.eval(a)).collect();
                if values.iter().any(Value::is_poison) {
                    return Value::Poison;
                }
                rule(self, call, &values)
            }
            Rule::Plain(function) => elementary::plain(self, call, function),
        }
    }

    fn unknown_function(&mut self, call: &Call<'_>, name: &str, method: bool) -> Value {
        if name == "sum" {
            let message =
                words::refuse(call.name, name, "sums over sets", "write the terms, or items in a `for i in 0..4`");
            return self.wrong(message);
        }
        if self.global(name).is_some_and(|g| g.sort == super::names::Sort::Broken) {
            return Value::Poison;
        }
        // A mistake in the receiver explains the method better.
        if method && call.args.first().is_some_and(|receiver| self.eval(receiver).is_poison()) {
            return Value::Poison;
        }
        let own =
            self.functions.keys().chain(self.externals.keys()).filter_map(|k| k.strip_prefix(&self.scope().prefix));
        let known: Vec<&str> = ROWS.iter().map(|r| r.name).chain(own).collect();
        let elsewhere = ELSEWHERE.iter().find(|(n, _)| *n == name).map(|(_, here)| format!("use `{here}`"));
        let near = similar(name, known).map(|n| format!("did you mean `{n}`?"));
        let message = match (method, elsewhere.or(near)) {
            (true, help) => {
                Message::new(Id::M0113, call.name, format!("no method `{name}` in model expressions")).maybe_help(help)
            }
            (false, Some(help)) => {
                Message::new(Id::M0111, call.name, format!("unknown function `{name}` in a model expression"))
                    .help(help)
            }
            (false, None) => unknown(call.name, name),
        };
        self.wrong(message)
    }

    /// A function of the model: its body with the arguments in place of its names.
    fn inline(&mut self, call: &Call<'_>, item: usize, function: &ast::Function) -> Value {
        let values: Vec<Value> = call.args.iter().map(|a| self.eval_adaptable(a)).collect();
        let name = self.key(&function.name.to_string());
        if self.calls.contains(&name) {
            let message = Message::new(Id::M0126, call.whole, format!("function `{name}` calls itself"))
                .note("functions are inlined; a recursive one has no end");
            return self.wrong(message);
        }
        if values.len() != function.args.len() {
            let what = format!("`{name}` takes {}, found {}", count(function.args.len()), values.len());
            let message = Message::new(Id::M0122, call.whole, what);
            return self.wrong(message);
        }
        let mut locals = Vec::new();
        for ((argument, value), written) in function.args.iter().zip(values).zip(&call.args) {
            let value = self.argument(argument, value, written);
            locals.push((argument.name.to_string(), Local::Value(value)));
        }
        let outer = std::mem::replace(&mut self.here.locals, locals);
        let position = std::mem::replace(&mut self.here.place.position, item);
        self.calls.push(name);
        let value = self.block(&function.body);
        self.calls.pop();
        self.here.place.position = position;
        self.here.locals = outer;
        self.declared_value(value, Some(&function.ty), function.unit.as_ref(), &function.name, &function.body)
    }

    fn argument(&mut self, argument: &ast::Argument, value: Value, written: &Expr) -> Value {
        let Some(shape) = argument.ty.shape() else { return Value::Poison };
        let value = self.expect_shape(value, &shape, written);
        // Without a unit the argument may have any.
        let Some(unit) = &argument.unit else { return value };
        let unit = self.read_unit(unit);
        if value.is_poison() || value.unit().unify(unit).is_some() {
            return value;
        }
        let what = format!("argument `{}` has unit [{unit}], but this has unit [{}]", argument.name, value.unit());
        let message = Message::new(Id::M0507, written, what);
        self.wrong(message)
    }

    /// The value of an argument as one number with its unit.
    fn scalar(&mut self, call: &Call<'_>, values: &[Value], i: usize) -> Option<(crate::expr::Node, super::Unit)> {
        let (value, written) = (values.get(i)?, call.args.get(i)?);
        self.expect_scalar(value, written)
    }

    /// The elements of a vector argument with their unit.
    fn vector(&mut self, call: &Call<'_>, values: &[Value], i: usize) -> Option<(Vec<crate::expr::Node>, super::Unit)> {
        let (value, written) = (values.get(i)?, *call.args.get(i)?);
        match value {
            Value::Quantity(q) if matches!(q.shape, Shape::Vector(_)) => Some((q.elements.clone(), q.unit)),
            Value::Poison => None,
            other => {
                let what = format!("`{}` needs a vector, found {}", call.name, other.name());
                self.report(Message::new(Id::M0509, written, what));
                None
            }
        }
    }

    /// M0501 unless the units agree.
    fn agree(&mut self, call: &Call<'_>, a: super::Unit, b: super::Unit) -> Option<super::Unit> {
        let unit = a.unify(b);
        if unit.is_none() {
            let what = format!("arguments of `{}` have different units: `{a}` and `{b}`", call.name);
            self.report(
                Message::new(Id::M0501, call.whole, what).help(format!("they differ by a factor of [{}]", a.div(b))),
            );
        }
        unit
    }

    /// M0503 unless dimensionless.
    fn dimensionless(&mut self, name: &Ident, unit: super::Unit, at: &dyn ToTokens) -> Option<()> {
        if unit.is_one() {
            return Some(());
        }
        let what = format!("argument of `{name}` must be dimensionless, but has unit [{unit}]");
        self.report(Message::new(Id::M0503, at.to_token_stream(), what));
        None
    }
}

fn count(n: usize) -> String {
    if n == 1 { "1 argument".to_owned() } else { format!("{n} arguments") }
}

fn unknown(at: &dyn ToTokens, name: &str) -> Message {
    let last = name.rsplit("::").next().unwrap_or(name);
    Message::new(Id::M0112, at.to_token_stream(), format!("unknown function `{name}` in a model expression"))
        .help(format!("declare it in the model: `fn {last}(x: Real) -> Real {{ .. }}`"))
        .help(format!(
            "or call your own Rust function, generic over the scalar: `extern fn {last}(x: Real) -> Real {{ dual: path::to::{last} }}`"
        ))
}
