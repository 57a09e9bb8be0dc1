//! Smooth stand-ins for functions with a kink; the last argument is the width of the rounding.

use super::arguments::Call;
use crate::check::read::reader::Reader;
use crate::check::values::{Dimension, Quantity, Unit, Value};
use crate::diagnostics::{Id, Message};
use crate::expr::{Function as F, Node};

/// The arguments as numbers of one unit; a plain literal width takes the unit of the others.
fn numbers<const N: usize>(r: &mut Reader<'_>, call: &Call<'_>) -> Option<([Node; N], Unit)> {
    let last = call.args.len().saturating_sub(1);
    let values: Vec<Value> =
        call.args.iter().enumerate().map(|(i, a)| if i == last { r.eval_adaptable(a) } else { r.eval(a) }).collect();
    let found: Vec<_> = (0..values.len()).map(|i| r.scalar(call, &values, i)).collect();
    let found: Vec<(Node, Unit)> = found.into_iter().collect::<Option<_>>()?;
    let mut unit = Unit::Any;
    for (_, next) in &found {
        unit = r.agree(call, unit, *next)?;
    }
    let width = found.last().map(|(node, _)| *node)?;
    if r.graph.is_zero(width) {
        let message = Message::new(Id::M0125, call.whole, format!("`{}` needs a width above zero", call.name));
        r.report(message);
        return None;
    }
    let nodes: Vec<Node> = found.into_iter().map(|(node, _)| node).collect();
    Some((nodes.try_into().ok()?, unit))
}

fn root_of_squares(r: &mut Reader<'_>, x: Node, e: Node) -> Node {
    let (x, e) = (r.graph.square(x), r.graph.square(e));
    let sum = r.graph.add(x, e);
    r.graph.apply(F::Sqrt, &[sum])
}

/// √(x² + e²)
pub(super) fn abs(r: &mut Reader<'_>, call: &Call<'_>) -> Value {
    let Some(([x, e], unit)) = numbers(r, call) else { return Value::Poison };
    Quantity::scalar(root_of_squares(r, x, e), unit).into()
}

/// (a + b + √((a − b)² + e²)) / 2
pub(super) fn max(r: &mut Reader<'_>, call: &Call<'_>) -> Value {
    extreme(r, call, true)
}

/// (a + b − √((a − b)² + e²)) / 2
pub(super) fn min(r: &mut Reader<'_>, call: &Call<'_>) -> Value {
    extreme(r, call, false)
}

fn extreme(r: &mut Reader<'_>, call: &Call<'_>, upper: bool) -> Value {
    let Some(([a, b, e], unit)) = numbers(r, call) else { return Value::Poison };
    let (sum, difference) = (r.graph.add(a, b), r.graph.sub(a, b));
    let root = root_of_squares(r, difference, e);
    let twice = if upper { r.graph.add(sum, root) } else { r.graph.sub(sum, root) };
    Quantity::scalar(r.graph.scale(0.5, twice), unit).into()
}

/// tanh(x/e)
pub(super) fn sign(r: &mut Reader<'_>, call: &Call<'_>) -> Value {
    let Some(([x, e], _)) = numbers(r, call) else { return Value::Poison };
    let ratio = r.graph.div(x, e);
    let unit = r.unit(Dimension::ONE);
    Quantity::scalar(r.graph.apply(F::Tanh, &[ratio]), unit).into()
}

/// From 0 at x ≤ −e to 1 at x ≥ e by 6s⁵ − 15s⁴ + 10s³ of s = (x/e + 1)/2: two continuous derivatives.
pub(super) fn step(r: &mut Reader<'_>, call: &Call<'_>) -> Value {
    let Some(([x, e], _)) = numbers(r, call) else { return Value::Poison };
    let (zero, one) = (r.graph.constant(0.0), r.graph.constant(1.0));
    let ratio = r.graph.div(x, e);
    let shifted = r.graph.add(ratio, one);
    let s = r.graph.scale(0.5, shifted);
    let (ten, fifteen) = (r.graph.constant(10.0), r.graph.constant(15.0));
    let inner = r.graph.scale(6.0, s);
    let inner = r.graph.sub(inner, fifteen);
    let inner = r.graph.mul(s, inner);
    let inner = r.graph.add(inner, ten);
    let cube = r.graph.powi(s, 3);
    let rise = r.graph.mul(cube, inner);
    let inside = r.graph.less(s, one);
    let upper = r.graph.select(inside, rise, one);
    let below = r.graph.less_eq(s, zero);
    let unit = r.unit(Dimension::ONE);
    Quantity::scalar(r.graph.select(below, zero, upper), unit).into()
}

/// e ln(1 + exp(x/e)), in the form whose exponential is at most one
pub(super) fn softplus(r: &mut Reader<'_>, call: &Call<'_>) -> Value {
    let Some(([x, e], unit)) = numbers(r, call) else { return Value::Poison };
    let zero = r.graph.constant(0.0);
    let ratio = r.graph.div(x, e);
    let left = tail(r, ratio, e);
    let minus = r.graph.neg(ratio);
    let right = tail(r, minus, e);
    let right = r.graph.add(x, right);
    let positive = r.graph.less(zero, ratio);
    Quantity::scalar(r.graph.select(positive, right, left), unit).into()
}

/// e ln(1 + exp(exponent))
fn tail(r: &mut Reader<'_>, exponent: Node, e: Node) -> Node {
    let (one, exp) = (r.graph.constant(1.0), r.graph.apply(F::Exp, &[exponent]));
    let sum = r.graph.add(one, exp);
    let ln = r.graph.apply(F::Ln, &[sum]);
    r.graph.mul(e, ln)
}
