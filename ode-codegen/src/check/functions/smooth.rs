//! Smooth stand-ins for functions with a kink; the last argument is the width of the rounding.

use super::Call;
use crate::check::Checker;
use crate::check::units::Unit;
use crate::check::value::{Quantity, Value};
use crate::diagnostics::{Id, Message};
use crate::expr::{Function as F, Node};

/// The arguments as numbers of one unit; a plain literal width takes the unit of the others.
fn numbers<const N: usize>(c: &mut Checker<'_>, call: &Call<'_>) -> Option<([Node; N], Unit)> {
    let last = call.args.len().saturating_sub(1);
    let values: Vec<Value> =
        call.args.iter().enumerate().map(|(i, a)| if i == last { c.eval_adaptable(a) } else { c.eval(a) }).collect();
    let found: Vec<_> = (0..values.len()).map(|i| c.scalar(call, &values, i)).collect();
    let found: Vec<(Node, Unit)> = found.into_iter().collect::<Option<_>>()?;
    let mut unit = Unit::Any;
    for (_, next) in &found {
        unit = c.agree(call, unit, *next)?;
    }
    let width = found.last().map(|(node, _)| *node)?;
    if c.graph.is_zero(width) {
        let message = Message::new(Id::M0125, call.whole, format!("`{}` needs a width above zero", call.name));
        c.report(message);
        return None;
    }
    let nodes: Vec<Node> = found.into_iter().map(|(node, _)| node).collect();
    Some((nodes.try_into().ok()?, unit))
}

fn root_of_squares(c: &mut Checker<'_>, x: Node, e: Node) -> Node {
    let (x, e) = (c.graph.square(x), c.graph.square(e));
    let sum = c.graph.add(x, e);
    c.graph.apply(F::Sqrt, &[sum])
}

/// √(x² + e²)
pub(super) fn abs(c: &mut Checker<'_>, call: &Call<'_>) -> Value {
    let Some(([x, e], unit)) = numbers(c, call) else { return Value::Poison };
    Quantity::scalar(root_of_squares(c, x, e), unit).into()
}

/// (a + b + √((a − b)² + e²)) / 2
pub(super) fn max(c: &mut Checker<'_>, call: &Call<'_>) -> Value {
    extreme(c, call, true)
}

/// (a + b − √((a − b)² + e²)) / 2
pub(super) fn min(c: &mut Checker<'_>, call: &Call<'_>) -> Value {
    extreme(c, call, false)
}

fn extreme(c: &mut Checker<'_>, call: &Call<'_>, upper: bool) -> Value {
    let Some(([a, b, e], unit)) = numbers(c, call) else { return Value::Poison };
    let (sum, difference) = (c.graph.add(a, b), c.graph.sub(a, b));
    let root = root_of_squares(c, difference, e);
    let twice = if upper { c.graph.add(sum, root) } else { c.graph.sub(sum, root) };
    Quantity::scalar(c.graph.scale(0.5, twice), unit).into()
}

/// tanh(x/e)
pub(super) fn sign(c: &mut Checker<'_>, call: &Call<'_>) -> Value {
    let Some(([x, e], _)) = numbers(c, call) else { return Value::Poison };
    let ratio = c.graph.div(x, e);
    let unit = c.unit(crate::check::Dimension::ONE);
    Quantity::scalar(c.graph.apply(F::Tanh, &[ratio]), unit).into()
}

/// From 0 at x ≤ −e to 1 at x ≥ e by 6s⁵ − 15s⁴ + 10s³ of s = (x/e + 1)/2: two continuous derivatives.
pub(super) fn step(c: &mut Checker<'_>, call: &Call<'_>) -> Value {
    let Some(([x, e], _)) = numbers(c, call) else { return Value::Poison };
    let (zero, one) = (c.graph.constant(0.0), c.graph.constant(1.0));
    let ratio = c.graph.div(x, e);
    let shifted = c.graph.add(ratio, one);
    let s = c.graph.scale(0.5, shifted);
    let (ten, fifteen) = (c.graph.constant(10.0), c.graph.constant(15.0));
    let inner = c.graph.scale(6.0, s);
    let inner = c.graph.sub(inner, fifteen);
    let inner = c.graph.mul(s, inner);
    let inner = c.graph.add(inner, ten);
    let cube = c.graph.powi(s, 3);
    let rise = c.graph.mul(cube, inner);
    let inside = c.graph.less(s, one);
    let upper = c.graph.select(inside, rise, one);
    let below = c.graph.less_eq(s, zero);
    let unit = c.unit(crate::check::Dimension::ONE);
    Quantity::scalar(c.graph.select(below, zero, upper), unit).into()
}

/// e ln(1 + exp(x/e)), in the form whose exponential is at most one
pub(super) fn softplus(c: &mut Checker<'_>, call: &Call<'_>) -> Value {
    let Some(([x, e], unit)) = numbers(c, call) else { return Value::Poison };
    let zero = c.graph.constant(0.0);
    let ratio = c.graph.div(x, e);
    let left = tail(c, ratio, e);
    let minus = c.graph.neg(ratio);
    let right = tail(c, minus, e);
    let right = c.graph.add(x, right);
    let positive = c.graph.less(zero, ratio);
    Quantity::scalar(c.graph.select(positive, right, left), unit).into()
}

/// e ln(1 + exp(exponent))
fn tail(c: &mut Checker<'_>, exponent: Node, e: Node) -> Node {
    let (one, exp) = (c.graph.constant(1.0), c.graph.apply(F::Exp, &[exponent]));
    let sum = c.graph.add(one, exp);
    let ln = c.graph.apply(F::Ln, &[sum]);
    c.graph.mul(e, ln)
}
