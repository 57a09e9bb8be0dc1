//! M0608: the start of an angle that looks like one in degrees.

use std::f64::consts::TAU;

use syn::Expr;

use super::energy::span;
use crate::check::read::{Reader, is_number};
use crate::check::values::Value;
use crate::diagnostics::{Id, Warning, text};
use crate::expr::{Node, Symbol};

/// A plain number of more than a turn as the start of an `Angle`.
pub(super) fn degrees(r: &mut Reader<'_>, on: &Value, value: &Value, target: &Expr, written: &Expr) {
    let is_angle = |node: &Node| match r.graph.as_symbol(*node) {
        Some(Symbol::Q(i)) => r.declared.coordinates.iter().any(|q| q.declared.angle && q.declared.holds(i as usize)),
        _ => false,
    };
    if r.allowed("many_turns") || !is_number(written) || !on.scalars().iter().all(is_angle) {
        return;
    }
    let number = value.scalars().first().and_then(|node| r.graph.value(*node));
    let Some(number) = number.filter(|n| n.abs() > TAU) else { return };
    let (target, written_as, turns) = (text(target), text(written), (number.abs() / TAU).floor());
    let turn = if turns == 1.0 { "a turn" } else { &format!("{turns} turns") };
    let what = format!("`{target}` starts at {written_as} rad, more than {turn}");
    let help = format!("help: in degrees write `{written_as}deg`; for turns meant, `#[allow(many_turns)]`");
    r.warn(Warning::new(Id::M0608, span(written), what, &[&help]));
}
