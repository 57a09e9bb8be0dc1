//! Scopes: the root model and the subs in it, each with names and units of its own in one graph.
//!
//! A name in a sub has a path, `leg.q` or `wheel[0].x`. The text of a sub is read with this prefix and sees nothing
//! else of its surroundings; what is bound to it is read in the binding scope.
//!
//! So a model is flattened, and later phases see only names. Separate kernels for each child, with chained Jacobians of
//! its ports, would need a second form of every derivative, assembled at run time. They would lose common terms and
//! exact sparsity across the border, and would fix an order of evaluation that may pass through a child several times.
//! Values that cross a border are evaluated on demand: the order of subs and bindings does not matter, and an algebraic
//! loop is a stack with the same name twice.

use std::ops::Range;

use proc_macro2::Ident;
use syn::Expr;

use super::values::{Units, Value};
use crate::diagnostics::Anchor;
use crate::parse::ast::{self, UnitRule};

/// A model of the composition.
pub(crate) struct Scope<'a> {
    /// its text
    pub(crate) ast: &'a ast::Model,
    /// the prefix of its names: empty at the root, `leg.`, `wheel[0].`
    pub(crate) prefix: String,
    /// the scope it is a sub of
    pub(crate) parent: usize,
    /// the sub of the root it is part of
    pub(crate) top: usize,
    /// the place of messages about it; `None` at the root
    pub(crate) anchor: Option<Anchor>,
    /// parameters given by the parent, in the order of the text
    pub(crate) with: &'a [(Ident, Expr)],
    /// its names are declared
    pub(crate) declared: bool,
    /// for a sub of the root: its parameters as its own type numbers them
    pub(crate) params: Vec<Own>,
    /// the units it knows
    pub(crate) units: Units,
    /// units are checked
    pub(crate) measured: bool,
}

/// A parameter of a sub as its own type counts them.
pub(crate) enum Own {
    /// scalars that are parameters of the whole model
    Parameter(Range<usize>),
    /// scalars of a name that the model gives
    Given(String),
}

impl<'a> Scope<'a> {
    /// The scope of a model that stands alone; its names are not declared yet.
    pub(crate) fn of(ast: &'a ast::Model) -> Self {
        let measured = ast.is_measured();
        Scope {
            ast,
            prefix: String::new(),
            parent: 0,
            top: 0,
            anchor: None,
            with: &[],
            declared: false,
            params: Vec::new(),
            units: Units::default(),
            measured,
        }
    }

    /// Are units only words?
    pub(crate) fn units_off(&self) -> bool {
        self.ast.options.units == UnitRule::Off
    }
}

/// The place of reading: everything that changes at the border of a scope.
#[derive(Clone, Default)]
pub(crate) struct Here {
    /// the scope that is read
    pub(crate) scope: usize,
    /// names of loops, blocks and functions, innermost last
    pub(crate) locals: Vec<(String, Local)>,
    /// suffix of labels inside unrolled loops: `_0_2`
    pub(crate) suffix: String,
    /// rounds of the loops around, outermost first, each with the number of the item that is read in it
    pub(crate) rounds: Vec<(i64, usize)>,
    /// the item that is read
    pub(crate) place: Place,
}

impl Here {
    /// A name of a loop, block or function, innermost first.
    pub(crate) fn local(&self, name: &str) -> Option<&Local> {
        self.locals.iter().rev().find(|(n, _)| n == name).map(|(_, local)| local)
    }

    /// Does this place follow another one of its scope, in a later item or a later round?
    pub(crate) fn follows(&self, other: &Here) -> bool {
        (other.place.position, &other.rounds) < (self.place.position, &self.rounds)
    }
}

/// What an expression may use at its place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Place {
    /// the item, for messages: `force drive`
    pub(crate) item: String,
    /// number of the item in the text: a `let` below it cannot be seen
    pub(crate) position: usize,
    /// accelerations and multipliers are allowed
    pub(crate) accelerations: bool,
    /// outputs are allowed
    pub(crate) outputs: bool,
    /// `#[allow(..)]` of the item and of the model
    pub(crate) allows: Vec<String>,
    /// a default: no names are known
    pub(crate) constant: bool,
}

/// A name of a loop, block or function.
#[derive(Clone)]
pub(crate) enum Local {
    /// a `let` or an argument
    Value(Value),
    /// a loop's index
    Index(i64),
}
