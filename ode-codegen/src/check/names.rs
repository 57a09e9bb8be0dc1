//! The declared names of a model and its subs, each found by its whole path: `leg.q`.

use std::collections::BTreeMap;

use proc_macro2::{Ident, Span};

use super::lists::List;
use super::values::{Unit, Value};
use super::waiting::Pending;
use crate::expr;
use crate::model::Shape;
use crate::parse::ast;

/// The meaning of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    Param,
    Coord,
    Velocity,
    State,
    Mode,
    Algebraic,
    Input,
    Output,
    Let,
    /// what `let`s with an index define, member by member
    List,
    Function,
    /// a sub-model
    Sub,
    /// declared with a mistake, already reported
    Broken,
}

impl Sort {
    /// The word for messages.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Sort::Param => "param",
            Sort::Coord => "coordinate",
            Sort::Velocity => "velocity",
            Sort::State => "state",
            Sort::Mode => "mode",
            Sort::Algebraic => "algebraic variable",
            Sort::Input => "input",
            Sort::Output => "output",
            Sort::Let => "`let`",
            Sort::List => "list",
            Sort::Function => "function",
            Sort::Sub => "sub",
            Sort::Broken => "name",
        }
    }
}

/// A name of the whole model.
pub(crate) struct Global {
    /// the user's token
    pub(crate) ident: Ident,
    /// its meaning
    pub(crate) sort: Sort,
    /// number of its item in the text
    pub(crate) item: usize,
    /// its value; `None` if it has none or is not known yet
    pub(crate) value: Option<Value>,
}

/// All names of the model, those of subs by their whole paths.
#[derive(Default)]
pub(crate) struct Names<'a> {
    globals: BTreeMap<String, Global>,
    /// names in the order of the text, for suggestions that do not depend on the alphabet
    order: Vec<String>,
    /// values that are known once they are asked for
    pub(crate) pending: BTreeMap<String, Pending<'a>>,
    /// lists whose members `let`s define
    pub(crate) lists: BTreeMap<String, List<'a>>,
    /// subs
    pub(crate) subs: BTreeMap<String, Subs>,
    /// functions, each with the number of its item in the text
    pub(crate) functions: BTreeMap<String, (usize, &'a ast::Function)>,
    /// external functions
    pub(crate) externals: BTreeMap<String, Known<'a>>,
    /// the multipliers of constraints that are read
    pub(crate) multipliers: BTreeMap<String, Multiplier>,
    /// labels of items by keyword, those of constraints before they are read
    pub(crate) labels: BTreeMap<(&'static str, String), Span>,
}

impl Names<'_> {
    /// Adds a name; `Err` with the earlier one if there is one.
    pub(crate) fn declare(&mut self, name: String, global: Global) -> Result<(), &Global> {
        if self.globals.contains_key(&name) {
            return self.globals.get(&name).map_or(Ok(()), Err);
        }
        self.order.push(name.clone());
        self.globals.insert(name, global);
        Ok(())
    }

    /// A name of any scope.
    pub(crate) fn whole(&self, key: &str) -> Option<&Global> {
        self.globals.get(key)
    }

    /// Gives a name of any scope its value.
    pub(crate) fn set_whole(&mut self, key: &str, value: Value) {
        if let Some(global) = self.globals.get_mut(key) {
            global.value = Some(value);
        }
    }

    /// Names of a scope, without their prefix.
    pub(crate) fn all_below(&self, prefix: &str) -> impl Iterator<Item = &str> {
        self.order.iter().filter_map(move |key| key.strip_prefix(prefix)).filter(|n| !n.contains('.'))
    }

    /// Names of a scope that are visible from outside, without their prefix.
    pub(crate) fn below(&self, prefix: &str) -> impl Iterator<Item = &str> {
        let seen = |key: &&String| {
            self.globals
                .get(*key)
                .is_some_and(|g| !matches!(g.sort, Sort::Let | Sort::List | Sort::Function | Sort::Broken))
        };
        let prefix = prefix.to_owned();
        self.order.iter().filter(seen).filter_map(move |key| key.strip_prefix(&prefix)).filter(|n| !n.contains('.'))
    }
}

/// An external function.
#[derive(Clone, Copy)]
pub(crate) struct Known<'a> {
    /// as it was written
    pub(crate) item: &'a ast::External,
    /// the function's number in the graph
    pub(crate) external: expr::External,
}

/// A constraint's multiplier, for `rod.lambda`.
#[derive(Clone)]
pub(crate) struct Multiplier {
    /// index of its first row
    pub(crate) first: usize,
    /// layout of the equation
    pub(crate) shape: Shape,
    /// unit of the position it acts on: that of the equation, or of its integral where it is one of velocities
    pub(crate) unit: Unit,
    /// the equation has a mistake
    pub(crate) broken: bool,
    /// the equation determines algebraic variables, and gives no force
    pub(crate) algebraic: bool,
}

/// Subs by name: their scopes in order.
#[derive(Clone)]
pub(crate) struct Subs {
    /// one for each element
    pub(crate) scopes: Vec<usize>,
    /// declared as an array
    pub(crate) array: bool,
}
