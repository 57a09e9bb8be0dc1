//! Rules on the model as a whole: inertia, constraints, the start, what is unused.

mod constraints;
mod inertia;
mod rank;
mod solve;
mod start;
mod states;
mod unstarted;
mod usage;

use super::Checker;
use crate::diagnostics::{Id, Message};
use crate::parse::ast;

/// Every rule, each where the items it reads are free of mistakes.
pub(super) fn check(c: &mut Checker<'_>, ast: &ast::Model) {
    if ast.name.is_none() || (ast.items.is_empty() && !c.reports.is_clean()) {
        return;
    }
    // Rules differentiate on a copy: the model's graph holds what the user wrote.
    let graph = c.graph.clone();
    c.here.place.allows.clone_from(&ast.allows);
    if !c.reports.doubts.coordinates {
        // Without a coordinate there is nothing to move.
        coordinates(c, ast);
    }
    if !c.reports.doubts.coordinates && !c.reports.doubts.rates {
        // What has no inertia needs an equation.
        states::rates(c);
        states::laws(c);
    }
    if !c.reports.doubts.coordinates && !c.reports.doubts.inertia {
        // Every row of M needs an entry, or accelerations are not determined.
        inertia::rows(c);
        inertia::signs(c);
    }
    if !c.reports.doubts.coordinates && !c.reports.doubts.constraints {
        // As many multipliers as independent rows, and no more.
        let structure = constraints::structure(c);
        constraints::count(c, &structure);
        if c.reports.is_clean() {
            // What is known at the start is counted against what is free, and must agree with the constraints.
            let start = start::state(c);
            start::conditions(c, &structure, &start);
            start::lengths(c, &start);
            start::vanishing_rows(c, &structure, &start);
            unstarted::coordinates(c);
        }
    }
    if c.reports.is_clean() {
        usage::params(c);
        usage::inputs(c);
    }
    c.graph = graph;
}

/// M0213
fn coordinates(c: &mut Checker<'_>, ast: &ast::Model) {
    if c.draft.coordinates.is_empty() && c.draft.states.is_empty() {
        c.report(
            Message::new(Id::M0213, &ast.name, "this model has no coordinate and no state")
                .help("declare what moves: `coord x: Real;`, or what changes: `state z: Real;`"),
        );
        c.reports.doubts.coordinates = true;
    }
}
