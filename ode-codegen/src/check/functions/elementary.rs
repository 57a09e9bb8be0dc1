//! Powers, roots and angles of numbers.

use syn::Expr;

use super::Call;
use crate::check::Checker;
use crate::check::dimension::Exponent;
use crate::check::units::Unit;
use crate::check::value::{Quantity, Value};
use crate::diagnostics::{Id, Message};
use crate::expr::Function as F;

/// Largest power with a whole exponent.
const LARGEST_POWER: i64 = 64;

/// A primitive of a dimensionless number.
pub(super) fn plain(c: &mut Checker<'_>, call: &Call<'_>, function: F) -> Value {
    let Some(written) = call.args.first() else { return Value::Poison };
    let value = c.eval(written);
    let Some((x, unit)) = c.expect_scalar(&value, written) else { return Value::Poison };
    if c.dimensionless(call.name, unit, written).is_none() {
        return Value::Poison;
    }
    let unit = c.unit(crate::check::Dimension::ONE);
    Quantity::scalar(c.graph.apply(function, &[x]), unit).into()
}

pub(super) fn atan2(c: &mut Checker<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    let (y, x) = (c.scalar(call, values, 0), c.scalar(call, values, 1));
    let (Some((y, a)), Some((x, b))) = (y, x) else { return Value::Poison };
    if c.agree(call, a, b).is_none() {
        return Value::Poison;
    }
    let unit = c.unit(crate::check::Dimension::ONE);
    Quantity::scalar(c.graph.apply(F::Atan2, &[y, x]), unit).into()
}

pub(super) fn sqrt(c: &mut Checker<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    let Some((x, unit)) = c.scalar(call, values, 0) else { return Value::Poison };
    Quantity::scalar(c.graph.apply(F::Sqrt, &[x]), unit.pow(1, 2)).into()
}

pub(super) fn sq(c: &mut Checker<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    if let Some(Value::Quantity(q)) = values.first()
        && q.as_scalar().is_none()
    {
        let name = crate::diagnostics::text(call.args[0]);
        let what = format!("`sq` needs a number, found {}", values[0].name());
        let message =
            Message::new(Id::M0509, call.args[0], what).help(format!("the square of a length is `{name}.dot({name})`"));
        return c.wrong(message);
    }
    let Some((x, unit)) = c.scalar(call, values, 0) else { return Value::Poison };
    Quantity::scalar(c.graph.square(x), unit.pow(2, 1)).into()
}

pub(super) fn recip(c: &mut Checker<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    let Some((x, unit)) = c.scalar(call, values, 0) else { return Value::Poison };
    if c.graph.is_zero(x) {
        let message = Message::new(Id::M0125, call.whole, "`recip(0.0)` has no finite value");
        return c.wrong(message);
    }
    Quantity::scalar(c.graph.recip(x), unit.pow(-1, 1)).into()
}

pub(super) fn hypot(c: &mut Checker<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    let (a, b) = (c.scalar(call, values, 0), c.scalar(call, values, 1));
    let (Some((a, a_unit)), Some((b, b_unit))) = (a, b) else { return Value::Poison };
    let Some(unit) = c.agree(call, a_unit, b_unit) else { return Value::Poison };
    Quantity::scalar(c.graph.apply(F::Hypot, &[a, b]), unit).into()
}

pub(super) fn powi(c: &mut Checker<'_>, call: &Call<'_>) -> Value {
    let [base, exponent] = call.args.as_slice() else { return Value::Poison };
    let value = c.eval(base);
    let Some(n) = c.known_index(exponent).filter(|n| n.abs() <= LARGEST_POWER) else {
        let message = Message::new(Id::M0120, exponent, "`powi` needs an integer literal exponent")
            .note(format!("of at most {LARGEST_POWER}"))
            .help("use `powf` for a real exponent");
        return c.wrong(message);
    };
    let Some((x, unit)) = c.expect_scalar(&value, base) else { return Value::Poison };
    whole_power(c, call, x, unit, n)
}

fn whole_power(c: &mut Checker<'_>, call: &Call<'_>, x: crate::expr::Node, unit: Unit, n: i64) -> Value {
    if n < 0 && c.graph.is_zero(x) {
        let message = Message::new(Id::M0125, call.whole, "a negative power of zero has no finite value");
        return c.wrong(message);
    }
    let unit = if n == 0 { c.unit(crate::check::Dimension::ONE) } else { unit.pow(n, 1) };
    Quantity::scalar(c.graph.powi(x, n as i32), unit).into()
}

pub(super) fn powf(c: &mut Checker<'_>, call: &Call<'_>) -> Value {
    let [base, exponent] = call.args.as_slice() else { return Value::Poison };
    let (value, power) = (c.eval(base), c.eval(exponent));
    let (x, e) = (c.expect_scalar(&value, base), c.expect_scalar(&power, exponent));
    let (Some((x, unit)), Some((e, e_unit))) = (x, e) else { return Value::Poison };
    if c.dimensionless(call.name, e_unit, exponent).is_none() {
        return Value::Poison;
    }
    match c.graph.value(e) {
        Some(known) if known.fract() == 0.0 && known.abs() <= LARGEST_POWER as f64 => {
            whole_power(c, call, x, unit, known as i64)
        }
        Some(known) => {
            let unit = match Exponent::from_f64(known) {
                Some(e) => unit.pow(i64::from(e.num()), i64::from(e.den())),
                None => real_power(c, call, base, unit),
            };
            Quantity::scalar(c.graph.apply(F::Powf, &[x, e]), unit).into()
        }
        None => {
            let unit = real_power(c, call, base, unit);
            Quantity::scalar(c.graph.apply(F::Powf, &[x, e]), unit).into()
        }
    }
}

/// A power that is not a known fraction has a unit only of a dimensionless base.
fn real_power(c: &mut Checker<'_>, call: &Call<'_>, base: &Expr, unit: Unit) -> Unit {
    match c.dimensionless(call.name, unit, base) {
        Some(()) => c.unit(crate::check::Dimension::ONE),
        None => Unit::Unknown,
    }
}
