//! Functions with a kink. The derivative is that of the branch taken, at the kink that of the right-hand one.

use super::Call;
use crate::check::Checker;
use crate::check::value::{Quantity, Value};
use crate::diagnostics::{Id, Warning};
use crate::expr::{Node, Symbol};

/// M0401, unless silenced or the argument is a parameter.
fn warn(c: &mut Checker<'_>, call: &Call<'_>, nodes: &[Node], kink: &str, instead: &str) {
    let moving = |s| matches!(s, Symbol::Q(_) | Symbol::V(_) | Symbol::A(_) | Symbol::Time);
    if c.allowed("nonsmooth") || !c.depends(nodes, moving) {
        return;
    }
    let what = format!("`{}` has a kink at {kink} and appears in `{}`", call.name, c.here.place.item);
    let lines = [
        "note: the generated derivative is that of the taken branch; Newton may chatter at the kink",
        &format!("help: `{instead}`, or `#[allow(nonsmooth)]`"),
    ];
    let warning = Warning::new(Id::M0401, call.name.span(), what, &lines);
    c.warn(warning);
}

/// Does the node change during a run?
fn varies(c: &Checker<'_>, node: Node) -> bool {
    c.depends(&[node], |s| !matches!(s, Symbol::P(_)))
}

pub(super) fn abs(c: &mut Checker<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    let Some((x, unit)) = c.scalar(call, values, 0) else { return Value::Poison };
    warn(c, call, &[x], "0", "smooth_abs(x, eps)");
    let (zero, minus) = (c.graph.constant(0.0), c.graph.neg(x));
    let negative = c.graph.less(x, zero);
    Quantity::scalar(c.graph.select(negative, minus, x), unit).into()
}

pub(super) fn signum(c: &mut Checker<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    let Some((x, _)) = c.scalar(call, values, 0) else { return Value::Poison };
    warn(c, call, &[x], "0", "smooth_sign(x, eps)");
    let (zero, one, minus) = (c.graph.constant(0.0), c.graph.constant(1.0), c.graph.constant(-1.0));
    let negative = c.graph.less(x, zero);
    let unit = c.unit(crate::check::Dimension::ONE);
    Quantity::scalar(c.graph.select(negative, minus, one), unit).into()
}

/// Above a tie of x and a constant, max is x.
pub(super) fn max(c: &mut Checker<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    let (a, b) = (c.scalar(call, values, 0), c.scalar(call, values, 1));
    let (Some((a, a_unit)), Some((b, b_unit))) = (a, b) else { return Value::Poison };
    let Some(unit) = c.agree(call, a_unit, b_unit) else { return Value::Poison };
    warn(c, call, &[a, b], "equal arguments", "smooth_max(a, b, eps)");
    let (at_tie, other) = if varies(c, b) && !varies(c, a) { (b, a) } else { (a, b) };
    let below = c.graph.less(at_tie, other);
    Quantity::scalar(c.graph.select(below, other, at_tie), unit).into()
}

/// Above a tie of x and a constant, min is the constant.
pub(super) fn min(c: &mut Checker<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    let (a, b) = (c.scalar(call, values, 0), c.scalar(call, values, 1));
    let (Some((a, a_unit)), Some((b, b_unit))) = (a, b) else { return Value::Poison };
    let Some(unit) = c.agree(call, a_unit, b_unit) else { return Value::Poison };
    warn(c, call, &[a, b], "equal arguments", "smooth_min(a, b, eps)");
    let (at_tie, other) = if varies(c, a) && !varies(c, b) { (b, a) } else { (a, b) };
    let below = c.graph.less(other, at_tie);
    Quantity::scalar(c.graph.select(below, other, at_tie), unit).into()
}

/// Slope 1 at `lo`, slope 0 at `hi`.
pub(super) fn clamp(c: &mut Checker<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    let all = [c.scalar(call, values, 0), c.scalar(call, values, 1), c.scalar(call, values, 2)];
    let [Some((x, x_unit)), Some((lo, lo_unit)), Some((hi, hi_unit))] = all else { return Value::Poison };
    let Some(unit) = c.agree(call, x_unit, lo_unit) else { return Value::Poison };
    let Some(unit) = c.agree(call, unit, hi_unit) else { return Value::Poison };
    warn(c, call, &[x, lo, hi], "its bounds", "smooth_max(lo, smooth_min(x, hi, eps), eps)");
    let below = c.graph.less(x, lo);
    let inside = c.graph.less(x, hi);
    let upper = c.graph.select(inside, x, hi);
    Quantity::scalar(c.graph.select(below, lo, upper), unit).into()
}
