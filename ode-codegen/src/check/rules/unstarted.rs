//! M0607: a coordinate that starts at zero because nobody said where.
//!
//! A model without any start leaves it to the program that runs it. One that says where some coordinates are, and not
//! where others are, has probably forgotten these: with constraints they decide how a mechanism is assembled.

use crate::check::reports::Reports;
use crate::check::whole::Whole;
use crate::diagnostics::{Id, Warning};
use crate::expr::{Graph, Node, Symbol};
use crate::identifier::bare;
use crate::model::{Level, Space};
use crate::parse::attributes::ZERO_START;

/// Coordinates of numbers that no `init`, `guess` or `fix` mentions, where others have a start. Velocities are zero,
/// and rotations unturned, unless they are said to be otherwise.
pub(super) fn coordinates(whole: &Whole<'_>, graph: &Graph, reports: &mut Reports<'_>) {
    let starts = whole.draft.starts.all.iter().filter(|s| s.level == Level::Position);
    let said: Vec<Node> = starts.flat_map(|s| s.on.iter().copied()).collect();
    let mut known: Vec<usize> = mentioned(graph, &said);
    if known.is_empty() || whole.allowed(ZERO_START) {
        return;
    }
    known.extend(whole.notes.grips.iter().map(|h| h.position as usize));
    let mut found = Vec::new();
    for q in whole.declared.coordinates.iter().filter(|q| q.space == Space::Flat) {
        let scalars = q.declared.first..q.declared.first + q.declared.shape.len();
        let missing: Vec<usize> = scalars.clone().filter(|i| !known.contains(i)).collect();
        let name_of_all = whole.declared.shown(&q.declared.ident);
        let name = match missing.len() {
            0 => continue,
            n if n == scalars.len() => name_of_all.clone(),
            _ => missing.iter().map(|i| whole.declared.position_name(*i)).collect::<Vec<_>>().join("`, `"),
        };
        let target = if missing.len() == 1 { name.clone() } else { name_of_all };
        if !whole.draft.silenced.unstarted.contains(&bare(&q.declared.ident)) {
            found.push((q.declared.ident.span(), name, target));
        }
    }
    for (span, name, target) in found {
        let what = format!("coordinate `{name}` has no start and begins at 0: others are told where to begin");
        let help = format!("help: write `guess {target} = ..;` or `init {target} = ..;`, or `#[allow({ZERO_START})]`");
        reports.warn(Warning::new(Id::M0607, span, what, &[&help]));
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
