//! M0201: every coordinate has inertia, or a coefficient of its velocity where the model is of first order.

use crate::check::Checker;
use crate::diagnostics::Message;
use crate::expr::{Node, Symbol};
use crate::model::Space;

/// Row i of M is structurally zero if ∂T/∂vᵢ has no velocity in it and no `mass` item names it.
pub(super) fn rows(c: &mut Checker<'_>) {
    let n = c.freedom();
    let velocities: Vec<Symbol> = (0..n as u32).map(Symbol::V).collect();
    let energies = if c.first_order { &c.draft.dissipation } else { &c.draft.kinetic };
    let terms: Vec<Node> = energies.iter().map(|k| k.value).collect();
    let energy = c.graph.sum(terms);
    let momenta = c.graph.gradient(energy, &velocities);
    let mut turning = Vec::new();
    for (i, momentum) in momenta.into_iter().enumerate() {
        let given = c.draft.mass.iter().any(|m| m.row == i) || c.fixed(i);
        if given || c.depends(&[momentum], |s| matches!(s, Symbol::V(_))) {
            continue;
        }
        let Some(coordinate) = c.coordinate_of(i) else { continue };
        let ident = coordinate.declared.ident.clone();
        if coordinate.space != Space::Flat {
            let rate = coordinate.velocity.as_ref().map_or_else(|| "w".to_owned(), ToString::to_string);
            if !turning.contains(&ident) {
                rotation(c, &ident, &rate);
                turning.push(ident);
            }
            continue;
        }
        let (name, rate) = (c.direction_name(i), c.velocity_name(i));
        let message = match c.first_order {
            false => Message::new(
                "M0201",
                &ident,
                format!("coordinate `{name}` has no inertia: its row of M is structurally zero"),
            )
            .note(format!("kinetic energies do not depend on {rate}; no `mass {ident} = ...`"))
            .help(format!(
                "add `kinetic = 0.5 * m * sq({rate});` or `mass {ident} = m;`, `fix` it, or make it a `let`"
            )),
            true => Message::new(
                "M0201",
                &ident,
                format!("coordinate `{name}` has no coefficient: its row of D is structurally zero"),
            )
            .note(format!("dissipations do not depend on {rate}; no `mass {ident} = ...`"))
            .help(format!("add `dissipation = 0.5 * c * sq({rate});` or `mass {ident} = c;`")),
        };
        c.errors.report(message);
    }
}

/// A rotation or motion of space, once for all its directions.
fn rotation(c: &mut Checker<'_>, ident: &proc_macro2::Ident, rate: &str) {
    let message = Message::new(
        "M0201",
        ident,
        format!("coordinate `{ident}` has no inertia: rows of M are structurally zero"),
    )
    .note(format!("no kinetic energy depends on every direction in which `{ident}` moves"))
    .help(format!(
        "put a body on its frame, `body b on frame(r, {ident}) {{ mass: m, inertia: j }}`, or add `kinetic = 0.5 * {rate}.dot(j * {rate});`"
    ));
    c.errors.report(message);
}
