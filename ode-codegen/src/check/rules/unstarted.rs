//! M0607: a coordinate that starts at zero by omission.
//!
//! A model without any start leaves it to the program that runs it. A model that gives a start to some coordinates and
//! not to others has probably forgotten these: with constraints they decide how a mechanism is assembled.

use crate::chart::Chart;
use crate::check::reports::Reports;
use crate::check::whole::Whole;
use crate::diagnostics::{Id, Warning, ZERO_START};
use crate::expr::{Graph, Node, Symbol};
use crate::identifier::bare;
use crate::model::{Level, Shape, Space};

/// Coordinates of numbers, and points of motions, without `init`, `guess` or `fix` where others have a start.
/// Velocities are zero and rotations the identity by default.
pub(super) fn coordinates(whole: &Whole<'_>, graph: &Graph, reports: &mut Reports<'_>) {
    let starts = whole.draft.starts.all.iter().filter(|s| s.level == Level::Position);
    let said: Vec<Node> = starts.flat_map(|s| s.on.iter().copied()).collect();
    let mut known: Vec<usize> = mentioned(graph, &said);
    if known.is_empty() || whole.allowed(ZERO_START) {
        return;
    }
    known.extend(whole.notes.grips.iter().map(|h| h.position as usize));
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
