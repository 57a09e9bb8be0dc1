//! Rules on the model as a whole: inertia, constraints, the start, what is unused.

mod constraints;
mod inertia;
mod rank;
mod solve;
mod start;
mod states;
mod unstarted;
mod usage;

use super::reports::Reports;
use super::whole::Whole;
use crate::diagnostics::{Id, Message};
use crate::expr::Graph;

/// Every rule, if the items it reads are free of mistakes.
pub(super) fn check(whole: &Whole<'_>, graph: &Graph, reports: &mut Reports<'_>) {
    if whole.ast.element || whole.ast.name.is_none() || (whole.ast.items.is_empty() && !reports.is_clean()) {
        return;
    }
    // Rules differentiate on a copy: the model's graph holds what the user wrote.
    let graph = &mut graph.clone();
    if !reports.doubts.coordinates {
        // Without a coordinate there is nothing to move.
        coordinates(whole, reports);
    }
    if !reports.doubts.coordinates && !reports.doubts.rates {
        // Coordinates without inertia need an equation.
        states::rates(whole, reports);
        states::laws(whole, graph, reports);
    }
    if !reports.doubts.coordinates && !reports.doubts.inertia {
        inertia::signs(whole, graph, reports);
    }
    if !reports.doubts.coordinates && !reports.doubts.constraints {
        let structure = constraints::structure(whole, graph);
        if !reports.doubts.inertia {
            // Every row of M needs an entry or a row of G, or accelerations are not determined.
            inertia::rows(whole, graph, reports, &structure);
        }
        // As many multipliers as independent rows, and no more.
        constraints::count(whole, graph, reports, &structure);
        if reports.is_clean() {
            // The initial conditions are counted against the degrees of freedom, and must agree with the constraints.
            let start = start::state(whole, graph);
            start::conditions(whole, graph, reports, &structure, &start);
            start::lengths(whole, graph, reports, &start);
            start::vanishing_rows(whole, graph, reports, &structure, &start);
            unstarted::coordinates(whole, graph, reports, &structure);
        }
    }
    if reports.is_clean() {
        usage::params(whole, graph, reports);
        usage::inputs(whole, graph, reports);
    }
}

/// In an element of a model with sets: the algebraic scalar that each row of F determines, by the rules for these.
pub(super) fn determined(whole: &Whole<'_>, graph: &Graph, reports: &mut Reports<'_>) -> Vec<usize> {
    match whole.ast.element && !whole.draft.flow.laws.is_empty() && reports.is_clean() {
        true => states::determined(whole, &mut graph.clone(), reports),
        false => Vec::new(),
    }
}

/// M0213
fn coordinates(whole: &Whole<'_>, reports: &mut Reports<'_>) {
    if whole.declared.coordinates.is_empty() && whole.declared.states.is_empty() {
        reports.report(
            Message::new(Id::M0213, &whole.ast.name, "this model has no coordinate and no state")
                .help("declare what moves: `coord x: Real;`, or what changes: `state z: Real;`"),
        );
        reports.doubts.coordinates = true;
    }
}
