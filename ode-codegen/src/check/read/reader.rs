//! The reader: everything that reading an expression may look at or change.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

use crate::check::names::{Global, Names};
use crate::check::notes::Notes;
use crate::check::reports::{Doubts, Reports};
use crate::check::scope::{Here, Scope};
use crate::check::values::{Dimension, Quantity, Unit, Value};
use crate::diagnostics::{Id, Message, Warning, silence};
use crate::expr::{Graph, Origin, Symbol};
use crate::identifier::unraw;
use crate::model::{Declarations, Order};
use crate::parse::ast;

/// Limit on the expressions read while a model is checked, including inlined functions and unrolled loops.
const MOST_STEPS: usize = 200_000;

/// Reads expressions into one graph.
pub(crate) struct Reader<'a> {
    /// all expressions of the model
    pub(crate) graph: Graph,
    /// mistakes and doubts
    pub(crate) reports: Reports<'a>,
    /// declarations with scalars: parameters, coordinates, states, modes, inputs
    pub(crate) declared: Declarations,
    /// what names mean
    pub(crate) names: Names<'a>,
    /// the root and its subs
    pub(crate) scopes: Vec<Scope<'a>>,
    /// where it reads
    pub(crate) here: Here,
    /// records that expressions make beside their values
    pub(crate) notes: Notes,
    /// D(q) v = f rather than M(q) a = f
    pub(crate) first_order: bool,
    /// values under evaluation, outermost first, with the bindings of the root
    pub(super) asked: Vec<(String, Option<TokenStream>)>,
    /// functions being inlined, innermost last
    pub(super) calls: Vec<String>,
    origin: Option<Origin>,
    steps: usize,
}

impl<'a> Reader<'a> {
    /// A reader of a model whose names are not declared yet.
    pub(crate) fn new(ast: &'a ast::Model, graph: Graph, reports: Reports<'a>) -> Self {
        Reader {
            graph,
            reports,
            declared: Declarations::default(),
            names: Names::default(),
            scopes: vec![Scope { declared: true, ..Scope::of(ast) }],
            here: Here::default(),
            notes: Notes::default(),
            first_order: ast.options.order == Order::First,
            asked: Vec::new(),
            calls: Vec::new(),
            origin: None,
            steps: 0,
        }
    }

    /// The scope that is read.
    pub(crate) fn scope(&self) -> &Scope<'a> {
        &self.scopes[self.here.scope]
    }

    /// The whole name of a name of this scope: `leg.q`.
    pub(crate) fn key(&self, name: &str) -> String {
        format!("{}{}", self.scope().prefix, unraw(name))
    }

    /// A name of this scope.
    pub(crate) fn global(&self, name: &str) -> Option<&Global> {
        self.names.whole(&self.key(name))
    }

    /// Reads something in another place, then returns to the present one.
    pub(crate) fn at<R>(&mut self, here: Here, read: impl FnOnce(&mut Self) -> R) -> R {
        let outer = std::mem::replace(&mut self.here, here);
        let result = read(self);
        self.here = outer;
        result
    }

    /// Reads something in a scope, which sees nothing of the surroundings.
    pub(crate) fn within<R>(&mut self, scope: usize, read: impl FnOnce(&mut Self) -> R) -> R {
        let place = self.here.place.clone();
        self.at(Here { scope, place, ..Here::default() }, read)
    }

    /// Reports a mistake; a mistake inside a sub is reported where the sub is named.
    pub(crate) fn report(&mut self, message: Message) {
        let message = match &self.scope().anchor {
            Some(anchor) => message.moved(anchor),
            None => message,
        };
        self.reports.report(message);
    }

    /// Reports a mistake; the expression has no value.
    pub(crate) fn wrong(&mut self, message: Message) -> Value {
        self.report(message);
        Value::Poison
    }

    /// Adds a warning.
    pub(crate) fn warn(&mut self, warning: Warning) {
        // The mistakes of a sub are reported where its model is.
        if self.here.scope == 0 {
            self.reports.warn(warning);
        }
    }

    /// Is a lint silenced here?
    pub(crate) fn allowed(&self, lint: &str) -> bool {
        silence(&self.here.place.allows, lint)
    }

    /// M0224: features of second-order models only.
    pub(crate) fn of_second_order(&mut self, at: &dyn ToTokens, what: impl Into<String>, help: &str) {
        let message = Message::new(Id::M0224, at.to_token_stream(), what)
            .note("`order = 1` means D(q) v = f(q, t, u): no inertia, and no forces that depend on velocities")
            .help(help);
        self.report(message);
    }

    /// Counts an expression; `false`, after a report, if there are too many.
    pub(crate) fn step(&mut self, at: &dyn ToTokens) -> bool {
        self.steps += 1;
        if self.steps == MOST_STEPS {
            let at: TokenStream = at.to_token_stream();
            let message =
                Message::new(Id::M0901, at, format!("this model expands to more than {MOST_STEPS} expressions"))
                    .note("functions are inlined and literal ranges are unrolled")
                    .help("name repeated parts with `let`, or shorten the ranges");
            self.report(message);
            // Nothing is read from here on.
            self.reports.doubts = Doubts::all();
        }
        self.steps < MOST_STEPS
    }

    /// Were too many expressions read?
    pub(crate) fn exhausted(&self) -> bool {
        self.steps >= MOST_STEPS
    }

    /// New nodes have the origin `span`; returns the previous origin.
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

    /// Whether the model asks for the look of what it does not show: `#[model(show)]` of the root.
    pub(crate) fn is_drawn_plainly(&self) -> bool {
        self.scopes.first().is_some_and(|root| root.ast.options.show)
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
}
