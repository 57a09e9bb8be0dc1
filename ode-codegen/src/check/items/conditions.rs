//! What a start says, condition by condition.

use std::ops::Range;

use crate::check::read::Reader;
use crate::check::values::Value;
use crate::expr::{Node, Symbol};
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

/// One condition of a start: a number with its row, or the quaternion of a rotation with three.
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
