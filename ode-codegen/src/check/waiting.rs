//! Values that wait to be asked for.

use proc_macro2::Ident;
use syn::Expr;

use super::scope::Here;
use crate::parse::ast::{self, Item};

/// A value that is evaluated on demand.
#[derive(Clone)]
pub(crate) struct Pending<'a> {
    /// what to evaluate
    pub(crate) kind: Option<Wanted<'a>>,
    /// where it is written
    pub(crate) here: Here,
    /// names of the loops around it, those above it
    pub(crate) lets: Vec<&'a ast::Let>,
}

/// The origin of a pending value.
#[derive(Clone)]
pub(crate) enum Wanted<'a> {
    /// a `let`
    Let(&'a ast::Let),
    /// an `output` of a sub
    Output(&'a ast::Declare, &'a Item, &'a Ident),
    /// the expression of a bound input or given parameter: the declaration and its scope
    Given(&'a Expr, &'a ast::Declare, usize),
}
