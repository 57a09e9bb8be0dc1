//! A model whose items are all read.

use super::draft::Draft;
use super::items;
use super::notes::Notes;
use super::read::Reader;
use super::reports::Reports;
use crate::diagnostics::silence;
use crate::expr::Graph;
use crate::model::{self, Declarations, Model};
use crate::parse::ast;

/// Most operations of a model unless it says otherwise.
const MAX_OPS: usize = 50_000;

/// All that rules look at.
pub(crate) struct Whole<'a> {
    /// what was written
    pub(crate) ast: &'a ast::Model,
    /// declarations with scalars
    pub(crate) declared: Declarations,
    /// records that expressions made beside their values
    pub(crate) notes: Notes,
    /// what items say
    pub(crate) draft: Draft<'a>,
    /// D(q) v = f rather than M(q) a = f
    pub(crate) first_order: bool,
    /// the parameters of each sub are known
    pub(crate) complete: bool,
}

impl<'a> Whole<'a> {
    /// Reads a model.
    pub(crate) fn read(
        ast: &'a ast::Model,
        graph: Graph,
        reports: Reports<'a>,
        hints: &items::Hints,
    ) -> (Self, Graph, Reports<'a>) {
        let mut reader = Reader::new(ast, graph, reports);
        let draft = items::read(&mut reader, ast, hints);
        let complete = reader.scopes.iter().all(|scope| scope.declared);
        reader.declared.measured = reader.scopes.iter().any(|scope| scope.measured);
        let Reader { graph, reports, declared, notes, first_order, .. } = reader;
        (Whole { ast, declared, notes, draft, first_order, complete }, graph, reports)
    }

    /// Does the whole model silence a lint?
    pub(crate) fn allowed(&self, lint: &str) -> bool {
        silence(&self.ast.allows, lint)
    }

    /// The model; `None` if it has no name.
    pub(crate) fn model(self, mut graph: Graph) -> Option<Model> {
        let Whole { ast, declared, notes, draft, .. } = self;
        let Draft { energies, bodies, masses, forces, constraints, flow, events, starts, observed, requires, .. } =
            draft;
        let flow = match ast.element {
            true => flow.of_element(declared.nz(), graph.constant(0.0)),
            false => flow.of_model(),
        };
        Some(Model {
            header: header(ast)?,
            graph,
            declared,
            energies,
            space: model::Bodies { frames: notes.frames, bodies: bodies.solids, gravity: bodies.gravity },
            mass: masses.entries,
            forces,
            constraints,
            flow,
            events,
            starts: starts.all,
            observed,
            requires,
            externals: notes.externals,
        })
    }
}

fn header(ast: &ast::Model) -> Option<model::Header> {
    let options = &ast.options;
    Some(model::Header {
        vis: ast.vis.clone(),
        name: ast.name.clone()?,
        scalar: ast.scalar.clone(),
        lengths: ast.lengths.clone(),
        docs: ast.docs.clone(),
        attrs: ast.attrs.clone(),
        options: model::Options {
            derives: options.derives.clone(),
            facade: options.facade.clone().unwrap_or_else(|| syn::parse_quote!(::ode_model)),
            max_ops: options.max_ops.unwrap_or(MAX_OPS),
            selftest: options.selftest,
            emit: options.emit,
            branch_free: options.branch_free,
            prepared: options.prepared.is_some(),
            platform_sines: options.platform_sines,
            order: options.order,
            storage: options.storage,
        },
        element: ast.element,
        repeated: ast.repeated,
        counts: ast.counts.clone(),
    })
}
