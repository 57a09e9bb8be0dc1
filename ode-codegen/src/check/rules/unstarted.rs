//! M0607: a coordinate that starts at zero by omission.
//!
//! A model without any start leaves it to the program that runs it. A model that gives a start to some coordinates and
//! not to others has probably forgotten these: with constraints they decide how a mechanism is assembled.

use super::constraints::Structure;
use crate::chart::Chart;
use crate::check::reports::Reports;
use crate::check::whole::Whole;
use crate::diagnostics::{Id, Warning, ZERO_START};
use crate::expr::{Graph, Node, Symbol};
use crate::identifier::bare;
use crate::model::{Hold, Level, Shape, Space};

/// Coordinates of numbers, and points of motions, without `init` or `guess` where others have a start, and that no row
/// gives. Velocities are zero and rotations the identity by default.
pub(super) fn coordinates(whole: &Whole<'_>, graph: &mut Graph, reports: &mut Reports<'_>, rows: &Structure) {
    let said = |exact: bool| -> Vec<usize> {
        let starts = whole.draft.starts.all.iter().filter(|s| s.level == Level::Position && (s.exact || !exact));
        mentioned(graph, &starts.flat_map(|s| s.on.iter().copied()).collect::<Vec<_>>())
    };
    let (mut known, mut exact) = (said(false), said(true));
    if known.is_empty() || whole.allowed(ZERO_START) {
        return;
    }
    given(graph, rows, &mut exact);
    known.append(&mut exact);
    let mut found = Vec::new();
    for q in &whole.declared.coordinates {
        let numbers = || q.blocks().into_iter().filter(|b| b.chart == Chart::Line).map(|b| b.q);
        let missing: Vec<usize> = numbers().filter(|i| !known.contains(i)).collect();
        let name_of_all = match (q.space, &q.declared.shape) {
            (Space::SE3, Shape::Fields(_)) => format!("{}.origin", whole.declared.shown(&q.declared.ident)),
            _ => whole.declared.shown(&q.declared.ident),
        };
        let name = match missing.len() {
            0 => continue,
            n if n == numbers().count() => name_of_all.clone(),
            _ => missing.iter().map(|i| number_name(whole, q.space, *i)).collect::<Vec<_>>().join("`, `"),
        };
        let target = if missing.len() == 1 { name.clone() } else { name_of_all };
        if !whole.draft.silenced.unstarted.contains(&bare(&q.declared.ident)) {
            found.push((q.declared.ident.span(), name, target));
        }
    }
    for (span, name, target) in found {
        let what = format!("coordinate `{name}` has no start and begins at 0, while others have one");
        let help = format!("help: write `guess {target} = ..;` or `init {target} = ..;`, or `#[allow({ZERO_START})]`");
        reports.warn(Warning::new(Id::M0607, span, what, &[&help]));
    }
}

/// Adds to what is known exactly what rows give then: the only unknown position of a row that is linear in it. Newton's
/// first step finds it, from anywhere.
fn given(graph: &mut Graph, rows: &Structure, known: &mut Vec<usize>) {
    let positions = rows.rows.iter().zip(&rows.levels).filter(|(_, level)| **level == Hold::Position);
    let mut waiting: Vec<(Node, Vec<usize>)> = positions.map(|(row, _)| (*row, mentioned(graph, &[*row]))).collect();
    loop {
        let before = known.len();
        waiting.retain_mut(|(row, unknown)| {
            unknown.retain(|i| !known.contains(i));
            let [one] = unknown[..] else { return !unknown.is_empty() };
            let slope = graph.gradient(*row, &[Symbol::Q(one as u32)]);
            if graph.value(slope[0]).is_some_and(|slope| slope != 0.0) {
                known.push(one);
            }
            false
        });
        if known.len() == before {
            return;
        }
    }
}

/// What a number is written as: `r.x`, and of the point of a motion `b.origin.x`.
fn number_name(whole: &Whole<'_>, space: Space, i: usize) -> String {
    let name = whole.declared.position_name(i);
    match name.rsplit_once('.') {
        Some((frame, axis)) if space == Space::SE3 => format!("{frame}.origin.{axis}"),
        _ => name,
    }
}

/// Positions the nodes depend on.
fn mentioned(graph: &Graph, nodes: &[Node]) -> Vec<usize> {
    let position = |n: Node| match graph.as_symbol(n) {
        Some(Symbol::Q(i)) => Some(i as usize),
        _ => None,
    };
    graph.reach(nodes).into_iter().filter_map(position).collect()
}
