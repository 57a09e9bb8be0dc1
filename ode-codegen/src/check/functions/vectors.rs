//! Vectors and matrices.

use super::Call;
use crate::check::units::Unit;
use crate::check::value::{Quantity, Value};
use crate::check::{Checker, Length};
use crate::diagnostics::{Id, Message, text};
use crate::expr::{Function as F, Node};
use crate::model::Shape;

/// `vec2(x, y)`, `vec3(x, y, z)`
pub(super) fn build(c: &mut Checker<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    let Some((elements, unit)) = numbers(c, call, values) else { return Value::Poison };
    Quantity::vector(elements, unit).into()
}

/// Numbers of one unit.
fn numbers(c: &mut Checker<'_>, call: &Call<'_>, values: &[Value]) -> Option<(Vec<Node>, Unit)> {
    let found: Vec<_> = (0..values.len()).map(|i| c.scalar(call, values, i)).collect();
    let found: Vec<(Node, Unit)> = found.into_iter().collect::<Option<_>>()?;
    let mut unit = Unit::Any;
    for (_, next) in &found {
        unit = c.agree(call, unit, *next)?;
    }
    Some((found.into_iter().map(|(node, _)| node).collect(), unit))
}

/// `diag(a, b, c)` or `diag(v)`
pub(super) fn diag(c: &mut Checker<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    let (entries, unit) = match values {
        [Value::Quantity(q)] if matches!(q.shape, Shape::Vector(_)) => (q.elements.clone(), q.unit),
        _ => match numbers(c, call, values) {
            Some(found) => found,
            None => return Value::Poison,
        },
    };
    let n = entries.len();
    let zero = c.graph.constant(0.0);
    let mut elements = vec![zero; n * n];
    for (i, entry) in entries.into_iter().enumerate() {
        if let Some(slot) = elements.get_mut(i * n + i) {
            *slot = entry;
        }
    }
    Quantity { shape: Shape::Matrix(n, n), elements, unit }.into()
}

/// v·v
fn square(c: &mut Checker<'_>, elements: &[Node]) -> Node {
    let squares: Vec<Node> = elements.iter().map(|n| c.graph.square(*n)).collect();
    c.graph.sum(squares)
}

/// Remembers a length, for the warning where it vanishes at the start.
fn remember(c: &mut Checker<'_>, call: &Call<'_>, square: Node) {
    if !c.allowed("vanishing_norm") {
        let argument = call.args.first().map(text).unwrap_or_default();
        c.lengths.push(Length { square, span: call.name.span(), text: text(call.whole), argument });
    }
}

pub(super) fn norm(c: &mut Checker<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    let Some((elements, unit)) = c.vector(call, values, 0) else { return Value::Poison };
    let square = square(c, &elements);
    remember(c, call, square);
    Quantity::scalar(c.graph.apply(F::Root, &[square]), unit).into()
}

/// √(v·v + eps²), smooth everywhere
pub(super) fn norm_eps(c: &mut Checker<'_>, call: &Call<'_>) -> Value {
    let [vector, width] = call.args.as_slice() else { return Value::Poison };
    let values = [c.eval(vector), c.eval_adaptable(width)];
    let (v, eps) = (c.vector(call, &values, 0), c.scalar(call, &values, 1));
    let (Some((elements, unit)), Some((eps, width))) = (v, eps) else { return Value::Poison };
    let Some(unit) = c.agree(call, unit, width) else { return Value::Poison };
    let (square, eps) = (square(c, &elements), c.graph.square(eps));
    let sum = c.graph.add(square, eps);
    Quantity::scalar(c.graph.apply(F::Sqrt, &[sum]), unit).into()
}

pub(super) fn unit(c: &mut Checker<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    let Some((elements, _)) = c.vector(call, values, 0) else { return Value::Poison };
    let square = square(c, &elements);
    remember(c, call, square);
    let length = c.graph.apply(F::Root, &[square]);
    let inverse = c.graph.apply(F::RecipOrZero, &[length]);
    let elements = elements.into_iter().map(|n| c.graph.mul(n, inverse)).collect();
    Quantity::vector(elements, c.unit(crate::check::Dimension::ONE)).into()
}

/// Two vectors of one length.
fn pair(c: &mut Checker<'_>, call: &Call<'_>, values: &[Value]) -> Option<([Vec<Node>; 2], Unit)> {
    let (a, b) = (c.vector(call, values, 0), c.vector(call, values, 1));
    let ((a, a_unit), (b, b_unit)) = (a?, b?);
    if a.len() != b.len() {
        let what = format!(
            "`{}` needs two vectors of one length, found {} and {}",
            call.name,
            values[0].name(),
            values[1].name()
        );
        c.report(Message::new(Id::M0509, call.whole, what));
        return None;
    }
    Some(([a, b], a_unit.mul(b_unit)))
}

pub(super) fn dot(c: &mut Checker<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    let Some(([a, b], unit)) = pair(c, call, values) else { return Value::Poison };
    let terms: Vec<Node> = a.into_iter().zip(b).map(|(a, b)| c.graph.mul(a, b)).collect();
    Quantity::scalar(c.graph.sum(terms), unit).into()
}

/// In the plane, the number a.x b.y − a.y b.x.
pub(super) fn cross(c: &mut Checker<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    let Some(([a, b], unit)) = pair(c, call, values) else { return Value::Poison };
    let minor = |c: &mut Checker<'_>, i: usize, j: usize| {
        let (left, right) = (c.graph.mul(a[i], b[j]), c.graph.mul(a[j], b[i]));
        c.graph.sub(left, right)
    };
    match a.len() {
        2 => Quantity::scalar(minor(c, 0, 1), unit).into(),
        3 => {
            let elements = vec![minor(c, 1, 2), minor(c, 2, 0), minor(c, 0, 1)];
            Quantity::vector(elements, unit).into()
        }
        n => {
            let message =
                Message::new(Id::M0509, call.whole, format!("`cross` needs Vec2 or Vec3, found vectors of {n}"));
            c.wrong(message)
        }
    }
}

pub(super) fn transpose(c: &mut Checker<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    match values {
        [Value::Quantity(q)] => match q.shape {
            Shape::Matrix(rows, columns) => {
                let at = |i: usize, j: usize| q.elements[i * columns + j];
                let elements =
                    (0..columns).flat_map(|j| (0..rows).map(move |i| (i, j))).map(|(i, j)| at(i, j)).collect();
                Quantity { shape: Shape::Matrix(columns, rows), elements, unit: q.unit }.into()
            }
            _ => not_a_matrix(c, call, values),
        },
        _ => not_a_matrix(c, call, values),
    }
}

fn not_a_matrix(c: &mut Checker<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    let found = values.first().map(Value::name).unwrap_or_default();
    let message = Message::new(Id::M0509, call.whole, format!("`transpose` needs a matrix, found {found}"))
        .help("a product of vectors is `a.dot(b)`");
    c.wrong(message)
}
