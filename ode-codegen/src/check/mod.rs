//! [`ast::Model`] → [`Model`]: the meaning of a model. Names, shapes, units, dynamics and constraints; every mistake of
//! the user other than syntax is found here.
//!
//! ```text
//! expressions   read::Reader      → values of one graph
//!   └ items     items             → draft::Draft, in groups
//!     └ rules   rules             whole::Whole → reports, and nothing else
//! ```
//!
//! The signature of a function says what it may touch. Imports between the files form no circle.

mod draft;
mod items;
mod lists;
mod motion;
mod names;
mod notes;
mod read;
mod reports;
mod rules;
mod sampling;
mod scope;
mod suggest;
mod values;
mod waiting;
mod whole;

pub(crate) use items::{accessor, holds_nothing, nothing, of_two_spaces, reserved};
pub(crate) use values::shape_name;

use crate::diagnostics::{Errors, Warning};
use crate::expr::Graph;
use crate::model::Model;
use crate::parse::ast;
use items::Hints;
use reports::Reports;
use whole::Whole;

/// Checks a model. `None` if there is any mistake, including earlier ones in `errors`.
pub fn check(ast: &ast::Model, graph: Graph, errors: &mut Errors) -> Option<(Model, Vec<Warning>)> {
    ast.name.as_ref()?;
    let hints = match ast.options.units {
        ast::UnitRule::Strict => Hints { suggested: suggest::units(ast), supposed: None },
        ast::UnitRule::Check | ast::UnitRule::Off => Hints::default(),
    };
    let (mut whole, mut graph, mut reports) = Whole::read(ast, graph, Reports::new(errors), &hints);
    rules::check(&whole, &graph, &mut reports);
    whole.draft.flow.determined = rules::determined(&whole, &graph, &mut reports);
    let warnings = reports.finish()?;
    items::order(&mut whole.draft.constraints, &mut graph);
    items::algebraic_last(&mut whole.declared.states, &mut whole.draft, &mut graph);
    Some((whole.model(graph)?, warnings))
}

/// The known part of a model with mistakes: declarations and labels with their shapes, possibly repeated, and values
/// without meaning.
pub(crate) fn understood(ast: &ast::Model) -> Option<Model> {
    let mut unheard = Errors::new();
    let (mut whole, graph, _) = Whole::read(ast, Graph::new(), Reports::new(&mut unheard), &Hints::default());
    // If a sub was not read completely, its parameters are not known.
    if !whole.complete {
        whole.declared.subs.iter_mut().for_each(|sub| sub.elements = None);
    }
    whole.model(graph)
}
