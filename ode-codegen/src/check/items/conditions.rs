//! What a start says, condition by condition.

use std::ops::Range;

use crate::check::read::{Reader, Sphere};
use crate::check::values::Value;
use crate::expr::{Node, Symbol, Triple};
use crate::model;

/// The scalars that store a value: for a rotation, those of its quaternion.
pub(super) fn points(value: &Value) -> Vec<Node> {
    match value {
        Value::Frame(frame) => vec![frame.cos, frame.sin],
        Value::Rotation(rotation) => rotation.quaternion.to_vec(),
        Value::Frame3(frame) => frame.origin.iter().chain(&frame.rotation.quaternion).copied().collect(),
        Value::List(items) => items.iter().flat_map(points).collect(),
        other => other.scalars(),
    }
}

/// The scalars that a vector is assigned to, and those that it gives them, where its target is on the sphere.
pub(super) type Aimed<'a> = dyn FnMut(&mut Reader<'_>, Sphere, Triple) -> Option<(Vec<Node>, Vec<Node>)> + 'a;

/// The scalars of a target, and those of a value for it. `aimed` gives them for a vector assigned to a point of the
/// sphere or to its velocity.
pub(super) fn stored(
    r: &mut Reader<'_>,
    (on, value): (&Value, &Value),
    aimed: &mut Aimed<'_>,
) -> (Vec<Node>, Vec<Node>) {
    if let (Value::List(on), Value::List(value)) = (on, value)
        && on.len() == value.len()
    {
        let pairs: Vec<_> = on.iter().zip(value).map(|pair| stored(r, pair, aimed)).collect();
        let (on, value): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
        return (on.concat(), value.concat());
    }
    if let (Value::Quantity(on), Value::Quantity(value)) = (on, value)
        && let Ok(target) = Triple::try_from(value.elements.as_slice())
        && let Some(sphere) = r.on_sphere(&on.elements)
        && let Some(found) = aimed(r, sphere, target)
    {
        return found;
    }
    (points(on), points(value))
}

/// One condition of a start: a number with its row, a rotation's quaternion with three rows, or that of a point of the
/// sphere with two.
#[derive(Clone)]
pub(super) struct Condition {
    pub(super) on: Range<usize>,
    pub(super) rows: Range<usize>,
}

/// What a start says, condition by condition; all at once where its target is no list of coordinates.
pub(super) fn conditions(r: &Reader<'_>, start: &model::Start) -> Vec<Condition> {
    let blocks = r.declared.blocks();
    let (mut on, mut row) = (0, 0);
    let mut all = Vec::new();
    while on < start.on.len() {
        let block = match r.graph.as_symbol(start.on[on]) {
            Some(Symbol::Q(i)) => blocks.iter().find(|b| b.q == i as usize),
            _ => None,
        };
        let (points, rows) = block.map_or((1, 1), |b| (b.chart.positions(), b.chart.velocities()));
        all.push(Condition { on: on..on + points, rows: row..row + rows });
        (on, row) = (on + points, row + rows);
    }
    match on == start.on.len() && row == start.rows.len() {
        true => all,
        false => vec![Condition { on: 0..start.on.len(), rows: 0..start.rows.len() }],
    }
}

/// Some conditions of a start.
pub(super) fn picked(start: &model::Start, kept: &[Condition]) -> model::Start {
    let of = |nodes: &[Node], range: &dyn Fn(&Condition) -> Range<usize>| -> Vec<Node> {
        kept.iter().flat_map(|one| nodes[range(one)].to_vec()).collect()
    };
    model::Start {
        exact: start.exact,
        level: start.level,
        label: start.label.clone(),
        rows: of(&start.rows, &|one| one.rows.clone()),
        on: of(&start.on, &|one| one.on.clone()),
        value: of(&start.value, &|one| one.on.clone()),
        span: start.span,
    }
}
