//! M0201: every coordinate has inertia.

use crate::check::Checker;
use crate::diagnostics::Message;
use crate::expr::{Node, Symbol};

/// Row i of M is structurally zero if ∂T/∂vᵢ has no velocity in it and no `mass` item names it.
pub(super) fn rows(c: &mut Checker<'_>) {
    let n = c.freedom();
    let velocities: Vec<Symbol> = (0..n as u32).map(Symbol::V).collect();
    let terms: Vec<Node> = c.draft.kinetic.iter().map(|k| k.value).collect();
    let energy = c.graph.sum(terms);
    let momenta = c.graph.gradient(energy, &velocities);
    for (i, momentum) in momenta.into_iter().enumerate() {
        let given = c.draft.mass.iter().any(|m| m.row == i);
        if given || c.depends(&[momentum], |s| matches!(s, Symbol::V(_))) {
            continue;
        }
        let holds =
            |q: &&crate::model::Coordinate| (q.declared.first..q.declared.first + q.declared.shape.len()).contains(&i);
        let Some(ident) = c.draft.coordinates.iter().find(holds).map(|q| q.declared.ident.clone()) else { continue };
        let (name, rate) = (c.position_name(i), c.velocity_name(i));
        let message = Message::new(
            "M0201",
            &ident,
            format!("coordinate `{name}` has no inertia: its row of M is structurally zero"),
        )
        .note(format!("kinetic energies do not depend on {rate}; no `mass {ident} = ...`"))
        .help(format!("add `kinetic = 0.5 * m * sq({rate});` or `mass {ident} = m;`, or make it a `let`"));
        c.errors.report(message);
    }
}
