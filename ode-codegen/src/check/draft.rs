//! The model while its items are read. Each item receives the groups that it writes, and no others.

use std::collections::BTreeMap;

use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::Expr;

use super::scope::Here;
use super::values::Unit;
use crate::expr::{Node, Triple};
use crate::model::{self, Body, Constraint, Energies, Event, Figure, Force, MassEntry, Observed, Require, Start};
use crate::parse::ast::{self, Item};

/// What the items of a model and of its subs say, in groups.
#[derive(Default)]
pub(crate) struct Draft<'a> {
    /// T, V and R
    pub(crate) energies: Energies,
    /// rigid bodies and the field they are in
    pub(crate) bodies: Bodies,
    /// `mass`
    pub(crate) masses: Masses<'a>,
    /// `force` and `torque`
    pub(crate) forces: Vec<Force>,
    /// `constraint` and `fix`
    pub(crate) constraints: Vec<Constraint>,
    /// the equations of states and algebraic variables
    pub(crate) flow: Flow,
    /// `event`
    pub(crate) events: Vec<Event>,
    /// `init` and `guess`
    pub(crate) starts: Starts,
    /// outputs, limits, costs, residuals and the picture
    pub(crate) observed: Observed,
    /// `require`, and requirements of items on parameters
    pub(crate) requires: Vec<Require>,
    /// lints that the user allows
    pub(crate) silenced: Silenced,
    /// springs as they look where nothing is shown
    pub(crate) springs: Vec<Figure>,
    /// `fix` items, read once every start is known
    pub(crate) fixes: Vec<Later<'a>>,
    /// outputs, limits and figures, read once every multiplier is known
    pub(crate) later: Vec<Later<'a>>,
}

/// Rigid bodies and the field of gravity.
#[derive(Default)]
pub(crate) struct Bodies {
    /// bodies in space
    pub(crate) solids: Vec<Body>,
    /// mass and centre of mass of each body
    pub(crate) weights: Vec<Weight>,
    /// the field, where it was written
    pub(crate) field: Option<Field>,
    /// subs with a field of their own, which is the root's here
    pub(crate) fields_of_subs: Vec<String>,
    /// the field in space
    pub(crate) gravity: Option<Triple>,
}

/// A body's mass and centre of mass, on which gravity acts.
pub(crate) struct Weight {
    /// the body
    pub(crate) name: String,
    /// its mass
    pub(crate) mass: Node,
    /// its centre of mass, two numbers in the plane and three in space
    pub(crate) at: Vec<Node>,
    /// the user's name token
    pub(crate) span: Span,
    /// number of the body in space
    pub(crate) solid: Option<usize>,
    /// how it looks where nothing is shown, if anyone asks
    pub(crate) figure: Option<Figure>,
}

/// The field of gravity.
pub(crate) struct Field {
    /// its components
    pub(crate) value: Vec<Node>,
    /// the user's words
    pub(crate) written: TokenStream,
}

/// Entries of M or D.
#[derive(Default)]
pub(crate) struct Masses<'a> {
    /// those that are not zero
    pub(crate) entries: Vec<MassEntry>,
    /// the velocities of each item, and its words
    pub(crate) items: Vec<(Vec<usize>, &'a ast::Assign)>,
}

/// ż = g and 0 = F.
#[derive(Default)]
pub(crate) struct Flow {
    /// g of each state scalar, with where it was given as a whole
    pub(crate) rates: BTreeMap<usize, (Node, Option<Span>)>,
    /// the sum that vanishes, of algebraic scalars that have shares
    pub(crate) balances: BTreeMap<usize, Balance>,
    /// rows of F with their constraints
    pub(crate) laws: Vec<(String, Ident, Node)>,
    /// in an element of a model with sets: the algebraic scalar that each row determines
    pub(crate) determined: Vec<usize>,
}

/// Shares of the equation of an algebraic scalar.
#[derive(Clone)]
pub(crate) struct Balance {
    /// their sum
    pub(crate) sum: Node,
    /// their unit
    pub(crate) unit: Unit,
    /// the variable as written
    pub(crate) at: Expr,
}

impl Flow {
    /// Those of an element of a model with sets, which has `nz` state scalars: `zero` where others have all of a rate,
    /// or the equation of an algebraic variable.
    pub(crate) fn of_element(self, nz: usize, zero: Node) -> model::Flow {
        let mut rates = vec![zero; nz];
        let given = self.rates.iter().map(|(&i, (rate, _))| (i, *rate));
        let given = given.chain(self.determined.iter().copied().zip(self.laws.iter().map(|(.., row)| *row)));
        let given: Vec<(usize, Node)> =
            given.chain(self.balances.iter().map(|(&i, balance)| (i, balance.sum))).collect();
        for &(i, node) in &given {
            rates.get_mut(i).into_iter().for_each(|rate| *rate = node);
        }
        let laws = self.laws.into_iter().map(|(name, ..)| name).collect();
        let of = |(i, Balance { unit, at, .. })| model::Balance {
            scalar: i,
            dimension: unit.dimension(),
            at: at.to_token_stream(),
        };
        let balances = self.balances.into_iter().map(of).collect();
        model::Flow { rates, laws, shares: Some(given.into_iter().map(|(i, _)| i).collect()), balances }
    }

    /// Rates in the order of their scalars, then the rows of F.
    pub(crate) fn of_model(self) -> model::Flow {
        let rates = self.rates.into_values().map(|(rate, _)| rate);
        let (laws, rows): (Vec<String>, Vec<Node>) = self.laws.into_iter().map(|(name, _, row)| (name, row)).unzip();
        model::Flow { rates: rates.chain(rows).collect(), laws, shares: None, balances: Vec::new() }
    }
}

/// Where a run starts.
#[derive(Default)]
pub(crate) struct Starts {
    /// `init` and `guess`
    pub(crate) all: Vec<Start>,
    /// the target of each as written
    pub(crate) targets: Vec<TokenStream>,
    /// the scope of each that is not the root's
    pub(crate) inherited: BTreeMap<usize, usize>,
}

/// Declarations that rules are silent about.
#[derive(Default)]
pub(crate) struct Silenced {
    /// with `#[allow(unused)]`
    pub(crate) unused: Vec<String>,
    /// coordinates with `#[allow(zero_start)]`, as spelled
    pub(crate) unstarted: Vec<String>,
}

/// An item that is read after all others, with its place.
pub(crate) struct Later<'a> {
    /// the item
    pub(crate) item: &'a Item,
    /// with the names of its loops
    pub(crate) here: Here,
}
