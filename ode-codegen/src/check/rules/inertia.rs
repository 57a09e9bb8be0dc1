//! M0201: every coordinate has inertia (a coefficient of its velocity where the model is of first order), or a row that
//! ties it. M0242: numbers given as such are positive along every motion.

use proc_macro2::Ident;

use super::constraints::Structure;
use super::rank::matching;
use crate::check::reports::Reports;
use crate::check::whole::Whole;
use crate::diagnostics::{Id, Message, text};
use crate::expr::{Graph, Node, Symbol};
use crate::model::Space;

/// Row i of M is structurally zero if ∂T/∂vᵢ has no velocity in it and no `mass` item names it. Then a row of G of its
/// own has to give the coordinate: what moves freely has inertia, and [M Gᵀ; G 0] is regular.
pub(super) fn rows(whole: &Whole<'_>, graph: &mut Graph, reports: &mut Reports<'_>, structure: &Structure) {
    let n = whole.declared.nv();
    let velocities: Vec<Symbol> = (0..n as u32).map(Symbol::V).collect();
    let energies = if whole.first_order { &whole.draft.energies.dissipation } else { &whole.draft.energies.kinetic };
    let terms: Vec<Node> = energies.iter().map(|k| k.value).collect();
    let energy = graph.sum(terms);
    let momenta = graph.gradient(energy, &velocities);
    let has_inertia = |i: usize| {
        whole.draft.masses.entries.iter().any(|m| m.row == i)
            || graph.any_depends(&[momenta[i]], |s| matches!(s, Symbol::V(_)))
    };
    let without: Vec<usize> = (0..n).filter(|i| !has_inertia(*i)).collect();
    let tied = matching(&without.iter().map(|i| structure.rows_on(*i)).collect::<Vec<_>>(), structure.rows.len());
    let loose = without.iter().zip(&tied.column_of).filter(|(_, row)| row.is_none()).map(|(i, _)| *i);
    let mut turning = Vec::new();
    for i in loose {
        let Some(coordinate) = whole.declared.coordinate_of(i) else { continue };
        let ident = coordinate.declared.ident.clone();
        if coordinate.space != Space::Flat {
            let rate = coordinate.velocity.as_ref().map_or_else(|| "w".to_owned(), ToString::to_string);
            if !turning.contains(&ident) {
                match coordinate.space {
                    Space::S2 => sphere(reports, &ident, &coordinate.rate_name()),
                    _ => rotation(reports, &ident, &rate),
                }
                turning.push(ident);
            }
            continue;
        }
        let (name, rate) = (whole.declared.direction_name(i), whole.declared.velocity_name(i));
        let message = match whole.first_order {
            false => Message::new(
                Id::M0201,
                &ident,
                format!("coordinate `{name}` has no inertia: its row of M is structurally zero"),
            )
            .note(format!("kinetic energies do not depend on {rate}; no `mass {ident} = ...`"))
            .help(format!(
                "add `kinetic = 0.5 * m * sq({rate});` or `mass {ident} = m;`, give it a row of its own of a rigid `constraint`, or make it a `let`"
            )),
            true => Message::new(
                Id::M0201,
                &ident,
                format!("coordinate `{name}` has no coefficient: its row of D is structurally zero"),
            )
            .note(format!("dissipations do not depend on {rate}; no `mass {ident} = ...`"))
            .help(format!("add `dissipation = 0.5 * c * sq({rate});` or `mass {ident} = c;`, or give it a row of its own of a rigid `constraint`")),
        };
        reports.report(message);
    }
}

/// A rotation or motion of space, once for all its directions.
fn rotation(reports: &mut Reports<'_>, ident: &Ident, rate: &str) {
    let message = Message::new(
        Id::M0201,
        ident,
        format!("coordinate `{ident}` has no inertia: rows of M are structurally zero"),
    )
    .note(format!("no kinetic energy depends on every direction in which `{ident}` moves"))
    .help(format!(
        "put a body on its frame, `body b on frame(r, {ident}) {{ mass: m, inertia: j }}`, or add `kinetic = 0.5 * {rate}.dot(j * {rate});`"
    ));
    reports.report(message);
}

/// A point of the sphere, once for both its directions.
fn sphere(reports: &mut Reports<'_>, ident: &Ident, rate: &str) {
    let message =
        Message::new(Id::M0201, ident, format!("coordinate `{ident}` has no inertia: rows of M are structurally zero"))
            .note(format!("no kinetic energy depends on every direction in which `{ident}` moves"));
    reports.report(message.help(format!("add `kinetic = 0.5 * j * {rate}.dot({rate});`")));
}

/// A matrix of numbers that is negative along a motion. Other matrices, and those that energies add to or constraints
/// restrict, are checked when a run begins.
pub(super) fn signs(whole: &Whole<'_>, graph: &mut Graph, reports: &mut Reports<'_>) {
    if !whole.draft.constraints.is_empty() {
        return;
    }
    let energies = if whole.first_order { &whole.draft.energies.dissipation } else { &whole.draft.energies.kinetic };
    let terms: Vec<Node> = energies.iter().map(|k| k.value).collect();
    let energy = graph.sum(terms);
    for (rows, assign) in &whole.draft.masses.items {
        let symbols: Vec<Symbol> = rows.iter().map(|&i| Symbol::V(i as u32)).collect();
        let momenta = graph.gradient(energy, &symbols);
        let others = graph.any_depends(&momenta, |s| matches!(s, Symbol::V(_)));
        let Some(matrix) = numbers(whole, graph, rows).filter(|_| !others) else { continue };
        let Some((k, left)) = negative(matrix) else { continue };
        let name = whole.declared.direction_name(rows[k]);
        let (what, gain) = if whole.first_order {
            ("dissipation", "it would feed energy in")
        } else {
            ("inertia", "a force would accelerate it backwards")
        };
        let message = Message::new(
            Id::M0242,
            &assign.value,
            format!("`mass {}`: the given matrix is negative along a motion", text(&assign.target)),
        )
        .note(format!("if the others move freely, the {what} of `{name}` is {left}: {gain}"));
        reports.report(message);
    }
}

/// The entries of M or D that `mass` items give these velocities, if all are numbers.
fn numbers(whole: &Whole<'_>, graph: &Graph, rows: &[usize]) -> Option<Vec<Vec<f64>>> {
    let mut matrix = vec![vec![0.0; rows.len()]; rows.len()];
    for entry in &whole.draft.masses.entries {
        let place = |i: usize| rows.iter().position(|&row| row == i);
        if let (Some(r), Some(k)) = (place(entry.row), place(entry.col)) {
            matrix[r][k] += graph.value(entry.value)?;
        }
    }
    Some(matrix)
}

/// The unknown whose rest is negative after elimination (largest diagonal entries relative to their terms first), and
/// that rest.
fn negative(mut a: Vec<Vec<f64>>) -> Option<(usize, f64)> {
    let mut left: Vec<usize> = (0..a.len()).collect();
    let mut terms: Vec<f64> = left.iter().map(|&i| a[i][i].abs()).collect();
    while let Some(&best) = left.iter().rev().max_by(|&&i, &&k| (a[i][i] * terms[k]).total_cmp(&(a[k][k] * terms[i]))) {
        if a[best][best] <= 1e-12 * terms[best] {
            let lowest = left.iter().copied().find(|&i| a[i][i] < -1e-12 * terms[i]);
            let beside = |i: usize| left.iter().filter(move |&&k| k < i).map(move |&k| (i, k));
            let pair = left.iter().flat_map(|&i| beside(i));
            let rest = pair.map(|(i, k)| (i, a[i][k].abs(), (terms[i] * terms[k]).sqrt()));
            let flat =
                || rest.into_iter().find(|(_, entry, size)| *entry > 1e-12 * size).map(|(i, entry, _)| (i, -entry));
            return lowest.map(|i| (i, a[i][i])).or_else(flat);
        }
        left.retain(|&i| i != best);
        for &i in &left {
            let share = a[i][best] / a[best][best];
            terms[i] += (share * a[i][best]).abs();
            for &k in &left {
                a[i][k] -= share * a[best][k];
            }
        }
    }
    None
}
