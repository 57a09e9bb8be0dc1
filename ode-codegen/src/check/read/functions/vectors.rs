//! Vectors and matrices.

use super::arguments::Call;
use crate::check::notes::Length;
use crate::check::read::reader::Reader;
use crate::check::values::{Dimension, Quantity, Unit, Value};
use crate::diagnostics::{Id, Message, text};
use crate::expr::{Function as F, Node};
use crate::model::Shape;

/// `vec2(x, y)`, `vec3(x, y, z)`
pub(super) fn build(r: &mut Reader<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    let Some((elements, unit)) = numbers(r, call, values) else { return Value::Poison };
    Quantity::vector(elements, unit).into()
}

/// Numbers of one unit.
fn numbers(r: &mut Reader<'_>, call: &Call<'_>, values: &[Value]) -> Option<(Vec<Node>, Unit)> {
    let found: Vec<_> = (0..values.len()).map(|i| r.scalar(call, values, i)).collect();
    let found: Vec<(Node, Unit)> = found.into_iter().collect::<Option<_>>()?;
    let mut unit = Unit::Any;
    for (_, next) in &found {
        unit = r.agree(call, unit, *next)?;
    }
    Some((found.into_iter().map(|(node, _)| node).collect(), unit))
}

/// `diag(a, b, c)` or `diag(v)`
pub(super) fn diag(r: &mut Reader<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    let (entries, unit) = match values {
        [Value::Quantity(q)] if matches!(q.shape, Shape::Vector(_)) => (q.elements.clone(), q.unit),
        _ => match numbers(r, call, values) {
            Some(found) => found,
            None => return Value::Poison,
        },
    };
    let n = entries.len();
    let zero = r.graph.constant(0.0);
    let mut elements = vec![zero; n * n];
    for (i, entry) in entries.into_iter().enumerate() {
        if let Some(slot) = elements.get_mut(i * n + i) {
            *slot = entry;
        }
    }
    Quantity { shape: Shape::Matrix(n, n), elements, unit }.into()
}

/// v·v
fn square(r: &mut Reader<'_>, elements: &[Node]) -> Node {
    let squares: Vec<Node> = elements.iter().map(|n| r.graph.square(*n)).collect();
    r.graph.sum(squares)
}

/// Remembers a length, for the warning where it vanishes at the start.
fn remember(r: &mut Reader<'_>, call: &Call<'_>, square: Node) {
    if !r.allowed("vanishing_norm") {
        let argument = call.args.first().map(text).unwrap_or_default();
        r.notes.lengths.push(Length { square, span: call.name.span(), text: text(call.whole), argument });
    }
}

pub(super) fn norm(r: &mut Reader<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    let Some((elements, unit)) = r.vector(call, values, 0) else { return Value::Poison };
    let square = square(r, &elements);
    remember(r, call, square);
    Quantity::scalar(r.graph.apply(F::Root, &[square]), unit).into()
}

/// √(v·v + eps²), smooth everywhere
pub(super) fn norm_eps(r: &mut Reader<'_>, call: &Call<'_>) -> Value {
    let [vector, width] = call.args.as_slice() else { return Value::Poison };
    let values = [r.eval(vector), r.eval_adaptable(width)];
    let (v, eps) = (r.vector(call, &values, 0), r.scalar(call, &values, 1));
    let (Some((elements, unit)), Some((eps, width))) = (v, eps) else { return Value::Poison };
    let Some(unit) = r.agree(call, unit, width) else { return Value::Poison };
    let (square, eps) = (square(r, &elements), r.graph.square(eps));
    let sum = r.graph.add(square, eps);
    Quantity::scalar(r.graph.apply(F::Sqrt, &[sum]), unit).into()
}

pub(super) fn unit(r: &mut Reader<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    let Some((elements, _)) = r.vector(call, values, 0) else { return Value::Poison };
    let square = square(r, &elements);
    remember(r, call, square);
    let length = r.graph.apply(F::Root, &[square]);
    let inverse = r.graph.apply(F::RecipOrZero, &[length]);
    let elements = elements.into_iter().map(|n| r.graph.mul(n, inverse)).collect();
    Quantity::vector(elements, r.unit(Dimension::ONE)).into()
}

/// Two vectors of one length.
fn pair(r: &mut Reader<'_>, call: &Call<'_>, values: &[Value]) -> Option<([Vec<Node>; 2], Unit)> {
    let (a, b) = (r.vector(call, values, 0), r.vector(call, values, 1));
    let ((a, a_unit), (b, b_unit)) = (a?, b?);
    if a.len() != b.len() {
        let what = format!(
            "`{}` needs two vectors of one length, found {} and {}",
            call.name,
            values[0].name(),
            values[1].name()
        );
        r.report(Message::new(Id::M0509, call.whole, what));
        return None;
    }
    Some(([a, b], a_unit.mul(b_unit)))
}

pub(super) fn dot(r: &mut Reader<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    let Some(([a, b], unit)) = pair(r, call, values) else { return Value::Poison };
    let terms: Vec<Node> = a.into_iter().zip(b).map(|(a, b)| r.graph.mul(a, b)).collect();
    Quantity::scalar(r.graph.sum(terms), unit).into()
}

/// In the plane, the number a.x b.y − a.y b.x.
pub(super) fn cross(r: &mut Reader<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    let Some(([a, b], unit)) = pair(r, call, values) else { return Value::Poison };
    let minor = |r: &mut Reader<'_>, i: usize, j: usize| {
        let (left, right) = (r.graph.mul(a[i], b[j]), r.graph.mul(a[j], b[i]));
        r.graph.sub(left, right)
    };
    match a.len() {
        2 => Quantity::scalar(minor(r, 0, 1), unit).into(),
        3 => {
            let elements = vec![minor(r, 1, 2), minor(r, 2, 0), minor(r, 0, 1)];
            Quantity::vector(elements, unit).into()
        }
        n => {
            let message =
                Message::new(Id::M0509, call.whole, format!("`cross` needs Vec2 or Vec3, found vectors of {n}"));
            r.wrong(message)
        }
    }
}

pub(super) fn transpose(r: &mut Reader<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    match values {
        [Value::Quantity(q)] => match q.shape {
            Shape::Matrix(rows, columns) => {
                let at = |i: usize, j: usize| q.elements[i * columns + j];
                let elements =
                    (0..columns).flat_map(|j| (0..rows).map(move |i| (i, j))).map(|(i, j)| at(i, j)).collect();
                Quantity { shape: Shape::Matrix(columns, rows), elements, unit: q.unit }.into()
            }
            _ => not_a_matrix(r, call, values),
        },
        _ => not_a_matrix(r, call, values),
    }
}

fn not_a_matrix(r: &mut Reader<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    let found = values.first().map(Value::name).unwrap_or_default();
    let message = Message::new(Id::M0509, call.whole, format!("`transpose` needs a matrix, found {found}"))
        .help("a product of vectors is `a.dot(b)`");
    r.wrong(message)
}
