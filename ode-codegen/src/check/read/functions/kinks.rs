//! Functions with a kink. The derivative is that of the branch taken, at the kink that of the right-hand one.

use syn::Expr;

use super::arguments::Call;
use crate::check::read::reader::Reader;
use crate::check::values::{Dimension, Quantity, Value};
use crate::diagnostics::{Id, Message, Warning, text};
use crate::expr::{Node, Symbol};

/// M0401, unless silenced or the argument is a parameter.
fn warn(r: &mut Reader<'_>, call: &Call<'_>, nodes: &[Node], kink: &str, instead: &str) {
    let moving = |s| matches!(s, Symbol::Q(_) | Symbol::V(_) | Symbol::A(_) | Symbol::Time);
    if r.allowed("nonsmooth") || !r.graph.any_depends(nodes, moving) {
        return;
    }
    let what = format!("`{}` has a kink at {kink} and appears in `{}`", call.name, r.here.place.item);
    let lines = [
        "note: the generated derivative is that of the taken branch; Newton may chatter at the kink",
        &format!("help: `{instead}`, or `#[allow(nonsmooth)]`"),
    ];
    let warning = Warning::new(Id::M0401, call.name.span(), what, &lines);
    r.warn(warning);
}

/// Does the node change during a run?
fn varies(r: &Reader<'_>, node: Node) -> bool {
    r.graph.any_depends(&[node], |s| !matches!(s, Symbol::P(_)))
}

pub(super) fn abs(r: &mut Reader<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    let Some((x, unit)) = r.scalar(call, values, 0) else { return Value::Poison };
    warn(r, call, &[x], "0", "smooth_abs(x, eps)");
    let (zero, minus) = (r.graph.constant(0.0), r.graph.neg(x));
    let negative = r.graph.less(x, zero);
    Quantity::scalar(r.graph.select(negative, minus, x), unit).into()
}

pub(super) fn signum(r: &mut Reader<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    let Some((x, _)) = r.scalar(call, values, 0) else { return Value::Poison };
    warn(r, call, &[x], "0", "smooth_sign(x, eps)");
    let (zero, one, minus) = (r.graph.constant(0.0), r.graph.constant(1.0), r.graph.constant(-1.0));
    let negative = r.graph.less(x, zero);
    let unit = r.unit(Dimension::ONE);
    Quantity::scalar(r.graph.select(negative, minus, one), unit).into()
}

/// Above a tie of x and a constant, max is x.
pub(super) fn max(r: &mut Reader<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    let (a, b) = (r.scalar(call, values, 0), r.scalar(call, values, 1));
    let (Some((a, a_unit)), Some((b, b_unit))) = (a, b) else { return Value::Poison };
    let Some(unit) = r.agree(call, a_unit, b_unit) else { return Value::Poison };
    warn(r, call, &[a, b], "equal arguments", "smooth_max(a, b, eps)");
    let (at_tie, other) = if varies(r, b) && !varies(r, a) { (b, a) } else { (a, b) };
    let below = r.graph.less(at_tie, other);
    Quantity::scalar(r.graph.select(below, other, at_tie), unit).into()
}

/// Above a tie of x and a constant, min is the constant.
pub(super) fn min(r: &mut Reader<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    let (a, b) = (r.scalar(call, values, 0), r.scalar(call, values, 1));
    let (Some((a, a_unit)), Some((b, b_unit))) = (a, b) else { return Value::Poison };
    let Some(unit) = r.agree(call, a_unit, b_unit) else { return Value::Poison };
    warn(r, call, &[a, b], "equal arguments", "smooth_min(a, b, eps)");
    let (at_tie, other) = if varies(r, a) && !varies(r, b) { (b, a) } else { (a, b) };
    let below = r.graph.less(other, at_tie);
    Quantity::scalar(r.graph.select(below, other, at_tie), unit).into()
}

/// Slope 1 at `lo`, slope 0 at `hi`.
pub(super) fn clamp(r: &mut Reader<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    let all = [r.scalar(call, values, 0), r.scalar(call, values, 1), r.scalar(call, values, 2)];
    let [Some((x, x_unit)), Some((lo, lo_unit)), Some((hi, hi_unit))] = all else { return Value::Poison };
    let Some(unit) = r.agree(call, x_unit, lo_unit) else { return Value::Poison };
    let Some(unit) = r.agree(call, unit, hi_unit) else { return Value::Poison };
    if misordered(r, call, [x, lo, hi]) {
        return Value::Poison;
    }
    warn(r, call, &[x, lo, hi], "its bounds", "smooth_max(lo, smooth_min(x, hi, eps), eps)");
    let below = r.graph.less(x, lo);
    let inside = r.graph.less(x, hi);
    let upper = r.graph.select(inside, x, hi);
    Quantity::scalar(r.graph.select(below, lo, upper), unit).into()
}

/// M0512 for bounds that enclose nothing, and for a number between another number and what is not one: one of the two
/// numbers would have no effect.
fn misordered(r: &mut Reader<'_>, call: &Call<'_>, nodes: [Node; 3]) -> bool {
    let known = nodes.map(|node| r.graph.value(node));
    let [x, low, high] = [0, 1, 2].map(|i| call.args.get(i).map(text).unwrap_or_default());
    let message = match known {
        [_, Some(a), Some(b)] if a > b => {
            Message::new(Id::M0512, call.args[1], format!("range of `clamp` is empty: {low} is above {high}"))
                .help(format!("write `clamp({x}, {high}, {low})`"))
        }
        [Some(_), lo, hi] if lo.is_some() != hi.is_some() && is_written(call.args[0]) => {
            let meant = if lo.is_none() { [low, x.clone(), high] } else { [high, x.clone(), low] };
            Message::new(Id::M0512, call.args[0], format!("`clamp` bounds its first argument, here the number {x}"))
                .help(format!("the value comes first, then its bounds: `clamp({})`", meant.join(", ")))
        }
        _ => return false,
    };
    r.report(message);
    true
}

/// Is it a number in the text, rather than a name of one?
fn is_written(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(_) => true,
        Expr::Unary(e) => is_written(&e.expr),
        Expr::Paren(e) => is_written(&e.expr),
        _ => false,
    }
}
