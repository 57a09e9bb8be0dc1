//! M0607: a coordinate that starts at zero because nobody said where.
//!
//! A model without any start leaves it to the program that runs it. One that says where some coordinates are, and not
//! where others are, has probably forgotten these: with constraints they decide how a mechanism is assembled.

use crate::chart::Chart;
use crate::check::Checker;
use crate::diagnostics::{Id, Warning};
use crate::expr::{Node, Symbol};
use crate::identifier::bare;
use crate::model::{Level, Shape, Space};
use crate::parse::attributes::ZERO_START;

/// Coordinates of numbers, and points of motions, that no `init`, `guess` or `fix` mentions, where others have a start.
/// Velocities are zero, and rotations unturned, unless they are said to be otherwise.
pub(super) fn coordinates(c: &mut Checker<'_>) {
    let starts = c.draft.starts.iter().filter(|s| s.level == Level::Position);
    let said: Vec<Node> = starts.flat_map(|s| s.on.iter().copied()).collect();
    let mut known: Vec<usize> = mentioned(c, &said);
    if known.is_empty() || c.allowed(ZERO_START) {
        return;
    }
    known.extend(c.draft.holds.iter().map(|h| h.position as usize));
    let mut found = Vec::new();
    for q in &c.draft.coordinates {
        let numbers = || q.blocks().into_iter().filter(|b| b.chart == Chart::Line).map(|b| b.q);
        let missing: Vec<usize> = numbers().filter(|i| !known.contains(i)).collect();
        let whole = match (q.space, &q.declared.shape) {
            (Space::SE3, Shape::Fields(_)) => format!("{}.origin", c.shown(&q.declared.ident)),
            _ => c.shown(&q.declared.ident),
        };
        let name = match missing.len() {
            0 => continue,
            n if n == numbers().count() => whole.clone(),
            _ => missing.iter().map(|i| number_name(c, q.space, *i)).collect::<Vec<_>>().join("`, `"),
        };
        let target = if missing.len() == 1 { name.clone() } else { whole };
        if !c.draft.unstarted.contains(&bare(&q.declared.ident)) {
            found.push((q.declared.ident.span(), name, target));
        }
    }
    for (span, name, target) in found {
        let what = format!("coordinate `{name}` has no start and begins at 0: others are told where to begin");
        let help = format!("help: write `guess {target} = ..;` or `init {target} = ..;`, or `#[allow({ZERO_START})]`");
        c.warn(Warning::new(Id::M0607, span, what, &[&help]));
    }
}

/// What a number is written as: `r.x`, and of the point of a motion `b.origin.x`.
fn number_name(c: &Checker<'_>, space: Space, i: usize) -> String {
    let name = c.position_name(i);
    match name.rsplit_once('.') {
        Some((frame, axis)) if space == Space::SE3 => format!("{frame}.origin.{axis}"),
        _ => name,
    }
}

/// Positions the nodes depend on.
fn mentioned(c: &Checker<'_>, nodes: &[Node]) -> Vec<usize> {
    let position = |n: Node| match c.graph.as_symbol(n) {
        Some(Symbol::Q(i)) => Some(i as usize),
        _ => None,
    };
    c.graph.reach(nodes).into_iter().filter_map(position).collect()
}
