//! Powers, roots and angles of numbers.

use syn::Expr;

use super::arguments::Call;
use crate::check::read::reader::Reader;
use crate::check::values::{Dimension, Exponent, Quantity, Unit, Value};
use crate::diagnostics::{Id, Message};
use crate::expr::Function as F;

/// Largest power with a whole exponent.
const LARGEST_POWER: i64 = 64;

/// A primitive of a dimensionless number.
pub(super) fn plain(r: &mut Reader<'_>, call: &Call<'_>, function: F) -> Value {
    let Some(written) = call.args.first() else { return Value::Poison };
    let value = r.eval(written);
    let Some((x, unit)) = r.expect_scalar(&value, written) else { return Value::Poison };
    if r.dimensionless(call.name, unit, written).is_none() {
        return Value::Poison;
    }
    let unit = r.unit(Dimension::ONE);
    Quantity::scalar(r.graph.apply(function, &[x]), unit).into()
}

pub(super) fn atan2(r: &mut Reader<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    let (y, x) = (r.scalar(call, values, 0), r.scalar(call, values, 1));
    let (Some((y, a)), Some((x, b))) = (y, x) else { return Value::Poison };
    if r.agree(call, a, b).is_none() {
        return Value::Poison;
    }
    let unit = r.unit(Dimension::ONE);
    Quantity::scalar(r.graph.apply(F::Atan2, &[y, x]), unit).into()
}

pub(super) fn sqrt(r: &mut Reader<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    let Some((x, unit)) = r.scalar(call, values, 0) else { return Value::Poison };
    Quantity::scalar(r.graph.apply(F::Sqrt, &[x]), unit.pow(1, 2)).into()
}

pub(super) fn sq(r: &mut Reader<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    if let Some(Value::Quantity(q)) = values.first()
        && q.as_scalar().is_none()
    {
        let name = crate::diagnostics::text(call.args[0]);
        let what = format!("`sq` needs a number, found {}", values[0].name());
        let message =
            Message::new(Id::M0509, call.args[0], what).help(format!("the square of a length is `{name}.dot({name})`"));
        return r.wrong(message);
    }
    let Some((x, unit)) = r.scalar(call, values, 0) else { return Value::Poison };
    Quantity::scalar(r.graph.square(x), unit.pow(2, 1)).into()
}

pub(super) fn recip(r: &mut Reader<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    let Some((x, unit)) = r.scalar(call, values, 0) else { return Value::Poison };
    if r.graph.is_zero(x) {
        let message = Message::new(Id::M0125, call.whole, "`recip(0.0)` has no finite value");
        return r.wrong(message);
    }
    Quantity::scalar(r.graph.recip(x), unit.pow(-1, 1)).into()
}

pub(super) fn hypot(r: &mut Reader<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    let (a, b) = (r.scalar(call, values, 0), r.scalar(call, values, 1));
    let (Some((a, a_unit)), Some((b, b_unit))) = (a, b) else { return Value::Poison };
    let Some(unit) = r.agree(call, a_unit, b_unit) else { return Value::Poison };
    Quantity::scalar(r.graph.apply(F::Hypot, &[a, b]), unit).into()
}

pub(super) fn powi(r: &mut Reader<'_>, call: &Call<'_>) -> Value {
    let [base, exponent] = call.args.as_slice() else { return Value::Poison };
    let value = r.eval(base);
    let Some(n) = r.known_index(exponent).filter(|n| n.abs() <= LARGEST_POWER) else {
        let message = Message::new(Id::M0120, exponent, "`powi` needs an integer literal exponent")
            .note(format!("of at most {LARGEST_POWER}"))
            .help("use `powf` for a real exponent");
        return r.wrong(message);
    };
    let Some((x, unit)) = r.expect_scalar(&value, base) else { return Value::Poison };
    whole_power(r, call, x, unit, n)
}

fn whole_power(r: &mut Reader<'_>, call: &Call<'_>, x: crate::expr::Node, unit: Unit, n: i64) -> Value {
    if n < 0 && r.graph.is_zero(x) {
        let message = Message::new(Id::M0125, call.whole, "a negative power of zero has no finite value");
        return r.wrong(message);
    }
    let unit = if n == 0 { r.unit(Dimension::ONE) } else { unit.pow(n, 1) };
    Quantity::scalar(r.graph.powi(x, n as i32), unit).into()
}

pub(super) fn powf(r: &mut Reader<'_>, call: &Call<'_>) -> Value {
    let [base, exponent] = call.args.as_slice() else { return Value::Poison };
    let (value, power) = (r.eval(base), r.eval(exponent));
    let (x, e) = (r.expect_scalar(&value, base), r.expect_scalar(&power, exponent));
    let (Some((x, unit)), Some((e, e_unit))) = (x, e) else { return Value::Poison };
    if r.dimensionless(call.name, e_unit, exponent).is_none() {
        return Value::Poison;
    }
    match r.graph.value(e) {
        Some(known) if known.fract() == 0.0 && known.abs() <= LARGEST_POWER as f64 => {
            whole_power(r, call, x, unit, known as i64)
        }
        Some(known) => {
            let unit = match Exponent::from_f64(known) {
                Some(e) => unit.pow(i64::from(e.num()), i64::from(e.den())),
                None => real_power(r, call, base, unit),
            };
            Quantity::scalar(r.graph.apply(F::Powf, &[x, e]), unit).into()
        }
        None => {
            let unit = real_power(r, call, base, unit);
            Quantity::scalar(r.graph.apply(F::Powf, &[x, e]), unit).into()
        }
    }
}

/// A power that is not a known fraction has a unit only of a dimensionless base.
fn real_power(r: &mut Reader<'_>, call: &Call<'_>, base: &Expr, unit: Unit) -> Unit {
    match r.dimensionless(call.name, unit, base) {
        Some(()) => r.unit(Dimension::ONE),
        None => Unit::Unknown,
    }
}
