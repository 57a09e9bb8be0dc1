//! [`ast::Model`] → [`Model`]: what was meant. Names, shapes, units, dynamics and constraints; every mistake of the
//! user that is not one of syntax is found here.

mod access;
mod collisions;
mod condition;
mod dimension;
mod expression;
mod functions;
mod items;
mod literal;
mod names;
mod operators;
mod reports;
mod rules;
mod sampling;
mod scope;
mod space;
mod suggest;
mod units;
mod value;

pub(crate) use items::{accessor, reserved};

use std::collections::BTreeMap;

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

use crate::diagnostics::{Errors, Id, Message, Warning};
use crate::expr::{Graph, Node, Origin, Symbol};
use crate::model::{self, Model};
use crate::parse::ast;
use dimension::Dimension;
use names::Names;
use reports::{Doubts, Reports};
use scope::{Here, Pending, Place, Scope};
use units::Unit;
use value::{Quantity, Value};

/// Most expressions that are read while a model is checked, inlined functions and unrolled loops included.
const MOST_STEPS: usize = 200_000;

/// Checks a model and says what it means. `None` if there is any mistake, those of `errors` before included.
pub fn check(ast: &ast::Model, graph: Graph, errors: &mut Errors) -> Option<(Model, Vec<Warning>)> {
    ast.name.as_ref()?;
    let mut checker = Checker::new(ast, graph, errors);
    if ast.options.units == ast::UnitRule::Strict {
        checker.suggested = suggest::units(ast);
    }
    checker.read(ast);
    rules::check(&mut checker, ast);
    checker.finish(ast)
}

/// What is understood of a model with mistakes: declarations and labels with their shapes, some of them twice, and
/// values that mean nothing.
pub(crate) fn understood(ast: &ast::Model) -> Option<Model> {
    let mut unheard = Errors::new();
    let mut checker = Checker::new(ast, Graph::new(), &mut unheard);
    checker.read(ast);
    // The parameters of a sub that was not read to its end are not known.
    if checker.scopes.iter().any(|scope| !scope.declared) {
        checker.draft.subs.iter_mut().for_each(|sub| sub.elements = None);
    }
    checker.model(ast)
}

/// A constraint's multiplier, for `rod.lambda`.
#[derive(Clone)]
pub(crate) struct Multiplier {
    /// index of its first row
    pub(crate) first: usize,
    /// layout of the equation
    pub(crate) shape: model::Shape,
    /// unit of the position it acts on: that of the equation, or of its integral where it is one of velocities
    pub(crate) unit: Unit,
    /// the equation has a mistake
    pub(crate) broken: bool,
    /// the equation determines algebraic variables, and gives no force
    pub(crate) algebraic: bool,
}

/// A length taken by the user, which has no direction where it vanishes.
pub(crate) struct Length {
    /// v·v
    pub(crate) square: Node,
    /// where
    pub(crate) span: Span,
    /// the user's words
    pub(crate) text: String,
    /// the argument's words
    pub(crate) argument: String,
}

/// The state of checking: the graph, the names, and the model as far as it is known.
pub(crate) struct Checker<'a> {
    pub(crate) graph: Graph,
    pub(crate) reports: Reports<'a>,
    /// where it is read
    pub(crate) here: Here,
    /// units that names without one should have
    pub(crate) suggested: BTreeMap<String, Dimension>,
    /// a unit on trial
    pub(crate) supposed: Option<suggest::Supposed>,
    /// D(q) v = f rather than M(q) a = f
    pub(crate) first_order: bool,
    pub(crate) names: Names,
    pub(crate) functions: BTreeMap<String, (usize, &'a ast::Function)>,
    /// functions from outside, and those of tables by their paths
    pub(crate) externals: BTreeMap<String, functions::Known<'a>>,
    pub(crate) tables: Vec<(String, crate::expr::External)>,
    pub(crate) constraints: BTreeMap<String, Multiplier>,
    /// functions being inlined, innermost last
    pub(crate) calls: Vec<String>,
    pub(crate) lengths: Vec<Length>,
    pub(crate) draft: Draft<'a>,
    /// the root and its subs, each with theirs
    pub(crate) scopes: Vec<Scope<'a>>,
    /// values that are known once they are asked for
    pub(crate) pending: BTreeMap<String, Pending<'a>>,
    /// values that are being asked for, outermost first, with what the root binds them to
    pub(crate) asked: Vec<(String, Option<TokenStream>)>,
    /// what inputs are bound to
    pub(in crate::check) bindings: BTreeMap<String, items::Binding<'a>>,
    origin: Option<Origin>,
    steps: usize,
}

/// The model as far as it is known.
#[derive(Default)]
pub(crate) struct Draft<'a> {
    pub(crate) params: Vec<model::Param>,
    pub(crate) coordinates: Vec<model::Coordinate>,
    pub(crate) states: Vec<model::State>,
    /// g of each state scalar, and where it was written
    pub(crate) rates: BTreeMap<usize, (Node, Span)>,
    pub(crate) modes: Vec<model::Mode>,
    pub(crate) events: Vec<model::Event>,
    /// rows of F with their constraints
    pub(crate) laws: Vec<(String, proc_macro2::Ident, Node)>,
    pub(crate) inputs: Vec<model::Input>,
    pub(crate) kinetic: Vec<model::Energy>,
    pub(crate) potential: Vec<model::Energy>,
    pub(crate) dissipation: Vec<model::Energy>,
    pub(crate) frames: Vec<model::Frame>,
    pub(crate) bodies: Vec<model::Body>,
    /// the field of gravity in space
    pub(crate) space: Option<crate::expr::Triple>,
    pub(crate) mass: Vec<model::MassEntry>,
    /// the velocities of each `mass` item, and its words
    pub(crate) masses: Vec<(Vec<usize>, &'a ast::Assign)>,
    pub(crate) forces: Vec<model::Force>,
    pub(crate) constraints: Vec<model::Constraint>,
    pub(crate) starts: Vec<model::Start>,
    pub(crate) outputs: Vec<model::Output>,
    pub(crate) limits: Vec<model::Limit>,
    pub(crate) costs: Vec<model::Energy>,
    pub(crate) fits: Vec<model::Fit>,
    pub(crate) requires: Vec<model::Require>,
    pub(crate) externals: Vec<model::External>,
    pub(crate) subs: Vec<model::Sub>,
    /// names of subs as they are shown, by their spelling
    pub(crate) shown: BTreeMap<String, String>,
    /// the scope of each start that is not the root's
    pub(crate) inherited: BTreeMap<usize, usize>,
    /// subs with a field of gravity of their own, which is the root's here
    pub(crate) fields: Vec<String>,
    /// target of each start as written
    pub(crate) targets: Vec<TokenStream>,
    /// declarations with `#[allow(unused)]`
    pub(crate) unused: Vec<String>,
    /// coordinates with `#[allow(zero_start)]`, as spelled
    pub(crate) unstarted: Vec<String>,
    /// forces by which coordinates are fixed
    pub(in crate::check) holds: Vec<items::Grip>,
    /// fixed coordinates, then outputs and limits, read last because of starts and multipliers
    pub(in crate::check) later: Vec<items::Later<'a>>,
    /// mass and centre of mass of each body
    pub(in crate::check) weights: Vec<items::Weight>,
    /// the field, where it was written, and its place
    pub(in crate::check) gravity: Option<items::Field>,
    /// labels of energies and forces by keyword, for duplicates
    pub(crate) labels: BTreeMap<(&'static str, String), Span>,
}

impl<'a> Checker<'a> {
    /// Every item, in the order in which they can be understood.
    fn read(&mut self, ast: &'a ast::Model) {
        items::units(self, ast);
        self.open(ast);
        items::declarations(self, ast);
        items::targets(self);
        items::body(self, ast);
        items::gravity(self);
        items::overridden(self);
        items::fixed(self);
        items::deferred(self);
        self.collisions();
        if let Some(name) = &ast.name {
            self.module(name);
        }
        items::fields(self, ast);
    }

    fn new(ast: &'a ast::Model, graph: Graph, errors: &'a mut Errors) -> Self {
        Checker {
            graph,
            reports: Reports::new(errors),
            here: Here::default(),
            suggested: BTreeMap::new(),
            supposed: None,
            first_order: ast.options.order == model::Order::First,
            names: Names::default(),
            functions: BTreeMap::new(),
            externals: BTreeMap::new(),
            tables: Vec::new(),
            constraints: BTreeMap::new(),
            calls: Vec::new(),
            lengths: Vec::new(),
            draft: Draft::default(),
            scopes: vec![Scope { declared: true, ..Scope::of(ast) }],
            pending: BTreeMap::new(),
            asked: Vec::new(),
            bindings: BTreeMap::new(),
            origin: None,
            steps: 0,
        }
    }

    /// The model, if nothing was wrong.
    fn finish(mut self, ast: &ast::Model) -> Option<(Model, Vec<Warning>)> {
        if !self.reports.is_clean() || self.reports.silent {
            return None;
        }
        items::order(&mut self.draft.constraints, &mut self.graph);
        items::algebraic_last(&mut self.draft.states, &mut self.draft.events, &mut self.graph);
        let warnings = self.reports.warnings().to_vec();
        Some((self.model(ast)?, warnings))
    }

    /// The draft as a model.
    fn model(self, ast: &ast::Model) -> Option<Model> {
        let (name, draft, graph) = (ast.name.clone()?, self.draft, self.graph);
        let facade = || syn::parse_quote!(::ode_model);
        Some(Model {
            header: model::Header {
                vis: ast.vis.clone(),
                name,
                scalar: ast.scalar.clone(),
                docs: ast.docs.clone(),
                attrs: ast.attrs.clone(),
                options: model::Options {
                    derives: ast.options.derives.clone(),
                    facade: ast.options.facade.clone().unwrap_or_else(facade),
                    max_ops: ast.options.max_ops.unwrap_or(MAX_OPS),
                    selftest: ast.options.selftest,
                    emit: ast.options.emit,
                    branch_free: ast.options.branch_free,
                    order: ast.options.order,
                },
            },
            graph,
            params: draft.params,
            coordinates: draft.coordinates,
            states: draft.states,
            rates: draft.rates.into_values().map(|(g, _)| g).chain(draft.laws.iter().map(|(_, _, law)| *law)).collect(),
            laws: draft.laws.into_iter().map(|(name, ..)| name).collect(),
            modes: draft.modes,
            events: draft.events,
            inputs: draft.inputs,
            kinetic: draft.kinetic,
            potential: draft.potential,
            dissipation: draft.dissipation,
            frames: draft.frames,
            bodies: draft.bodies,
            gravity: draft.space,
            mass: draft.mass,
            forces: draft.forces,
            constraints: draft.constraints,
            starts: draft.starts,
            outputs: draft.outputs,
            limits: draft.limits,
            costs: draft.costs,
            fits: draft.fits,
            requires: draft.requires,
            externals: draft.externals,
            subs: draft.subs,
            shown: draft.shown,
        })
    }

    /// Reports a mistake, that of a sub where the sub is named.
    pub(crate) fn report(&mut self, message: Message) {
        let message = match &self.scope().anchor {
            Some(anchor) => message.moved(anchor),
            None => message,
        };
        self.reports.report(message);
    }

    /// Reports a mistake; what it was found in has no value.
    pub(crate) fn wrong(&mut self, message: Message) -> Value {
        self.report(message);
        Value::Poison
    }

    /// Is a lint silenced here?
    pub(crate) fn allowed(&self, lint: &str) -> bool {
        self.here.place.allows.iter().any(|a| a == lint || a == "deprecated")
    }

    /// M0224: what only second-order models have.
    pub(crate) fn of_second_order(&mut self, at: &dyn ToTokens, what: impl Into<String>, help: &str) {
        let message = Message::new(Id::M0224, at.to_token_stream(), what)
            .note("`order = 1` asks for D(q) v = f(q, t, u): no inertia, and forces that know no velocities")
            .help(help);
        self.report(message);
    }

    /// One more expression was read; `false` once there are too many, which is reported.
    pub(crate) fn step(&mut self, at: &dyn ToTokens) -> bool {
        self.steps += 1;
        if self.steps == MOST_STEPS {
            let at: TokenStream = at.to_token_stream();
            let message =
                Message::new(Id::M0901, at, format!("this model expands to more than {MOST_STEPS} expressions"))
                    .note("functions are inlined and literal ranges are unrolled")
                    .help("name repeated parts with `let`, or shorten the ranges");
            self.report(message);
        }
        self.steps < MOST_STEPS
    }

    /// Were too many expressions read?
    pub(crate) fn exhausted(&self) -> bool {
        self.steps >= MOST_STEPS
    }

    /// New nodes come from `span`; returns what they came from before.
    pub(crate) fn enter(&mut self, span: Span) -> Option<Origin> {
        let start = span.start();
        let origin = Some(Origin { line: start.line, column: start.column + 1 });
        self.graph.set_origin(origin);
        std::mem::replace(&mut self.origin, origin)
    }

    /// New nodes come from where they came before.
    pub(crate) fn leave(&mut self, before: Option<Origin>) {
        self.graph.set_origin(before);
        self.origin = before;
    }

    /// A unit, unless units are off.
    pub(crate) fn unit(&self, dimension: Dimension) -> Unit {
        if self.scope().measured { Unit::Known(dimension) } else { Unit::Unknown }
    }

    /// A dimensionless number; zero has any unit.
    pub(crate) fn number(&mut self, value: f64) -> Value {
        let unit = if value == 0.0 && self.scope().measured { Unit::Any } else { self.unit(Dimension::ONE) };
        Quantity::scalar(self.graph.constant(value), unit).into()
    }

    /// The time.
    pub(crate) fn time(&mut self) -> Value {
        let unit = self.unit(Dimension::SECOND);
        Quantity::scalar(self.graph.symbol(Symbol::Time), unit).into()
    }

    /// Does any of the nodes depend on such a symbol?
    pub(crate) fn depends(&self, nodes: &[Node], on: impl Fn(Symbol) -> bool) -> bool {
        self.graph.reach(nodes).into_iter().any(|n| self.graph.as_symbol(n).is_some_and(&on))
    }
}

/// Most operations of a model unless it says otherwise.
const MAX_OPS: usize = 50_000;
