//! The items of a model with sets, each as tokens and as read.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::Expr;

use super::loops::Loop;
use super::{mentions, sums};
use crate::diagnostics::Errors;
use crate::identifier::bare;
use crate::parse::{self, ast};
use ast::{Declare, Item, Kind, Role};

/// Items that gravity is read for.
pub(super) const PULLED: [&str; 2] = ["body", "spring"];

/// An item of the model as tokens and as read.
pub(super) struct Piece {
    pub(super) tokens: TokenStream,
    pub(super) items: Vec<Item>,
    /// the sums over sets that it reads
    pub(super) sums: Sums,
}

/// Where an item has sums over sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sums {
    /// nowhere that is known
    None,
    /// outputs and figures read them
    Shown,
    /// they are the rows of a constraint
    Rows,
}

impl Piece {
    /// Does it stand beside the loops, with nothing to add?
    pub(super) fn stands_beside(&self) -> bool {
        self.sums == Sums::None && !self.items.iter().any(|item| matches!(item.kind, Kind::Set(_) | Kind::Each(_)))
    }

    /// The names that it reads: of a declaration those of its bounds and value, not of its unit, where `m` is a metre.
    pub(super) fn reads(&self) -> BTreeSet<String> {
        let read = |item: &Item| match &item.kind {
            Kind::Declare(Declare { range, value, .. }) => {
                let bounds = range.iter().flat_map(|range| [&range.low, &range.high]);
                Some(bounds.chain(value).map(ToTokens::to_token_stream).collect::<TokenStream>())
            }
            _ => None,
        };
        // one declaration may be of several names
        let read: Option<TokenStream> = self.items.iter().map(read).collect();
        mentions::names(read.as_ref().filter(|_| !self.items.is_empty()).unwrap_or(&self.tokens))
    }

    /// The words that mean its items.
    pub(super) fn meant_by(&self) -> Vec<String> {
        self.items.iter().flat_map(Item::flat).flat_map(named).collect()
    }
}

/// The words that mean an item: the names that it declares, of gravity what it pulls.
pub(super) fn named(item: &Item) -> Vec<String> {
    match &item.kind {
        Kind::Declare(d) => {
            d.names.iter().flat_map(|n| [Some(&n.ident), n.velocity.as_ref()]).flatten().map(bare).collect()
        }
        Kind::Let(binding) => vec![bare(&binding.name)],
        Kind::Function(function) => vec![bare(&function.name)],
        Kind::External(function) => vec![bare(&function.name)],
        Kind::Gravity(_) => PULLED.map(str::to_owned).to_vec(),
        Kind::Sub(sub) => vec![bare(&sub.name)],
        Kind::Bind(bind) => root(&bind.target).iter().map(bare).collect(),
        _ => Vec::new(),
    }
}

/// `motor` of `motor.v` and `(motor[0]).v`.
pub(super) fn root(target: &Expr) -> Option<Ident> {
    match target {
        Expr::Paren(e) => root(&e.expr),
        Expr::Group(e) => root(&e.expr),
        Expr::Field(e) => root(&e.base),
        Expr::Index(e) => root(&e.expr),
        Expr::Path(e) => e.path.segments.first().map(|segment| segment.ident.clone()),
        _ => None,
    }
}

pub(super) fn pieces(ast: &ast::Model, declared: bool) -> Vec<Piece> {
    let piece = |tokens: TokenStream| {
        let items = parse::again(tokens.clone());
        let holds = matches!(items.as_slice(), [Item { kind: Kind::Constraint(_), .. }]);
        let sums = match sums::first(&tokens, declared) {
            Some(_) if holds => Sums::Rows,
            Some(_) if items.iter().flat_map(Item::flat).any(shows) => Sums::Shown,
            _ => Sums::None,
        };
        Piece { items, tokens, sums }
    };
    let mut pieces: Vec<Piece> = parse::pieces(super::declarations::body(ast)).into_iter().map(piece).collect();
    // figures may read such outputs
    let shown = |piece: &&Piece| piece.sums == Sums::Shown;
    let of_sums: Vec<String> = pieces.iter().filter(shown).flat_map(Piece::meant_by).collect();
    for piece in &mut pieces {
        let reads = |item: &Item| match &item.kind {
            Kind::Show(show) => {
                let read = mentions::values(&show.arguments.iter().map(ToTokens::to_token_stream).collect());
                of_sums.iter().any(|name| read.contains(name))
            }
            _ => false,
        };
        if piece.items.iter().flat_map(Item::flat).any(reads) {
            piece.sums = Sums::Shown;
        }
    }
    pieces
}

/// Beside sums in one `for` there is nothing that moves the model: sums are known to what is looked at.
pub(super) fn beside_sums(piece: &Piece, errors: &mut Errors) {
    let moves = |item: &&Item| !shows(item) && !matches!(item.kind, Kind::Let(_));
    for item in piece.items.iter().flat_map(Item::flat).filter(moves) {
        let word = item.keyword.to_string();
        let what = "items but outputs and figures in a `for` that reads sums over sets";
        errors.report(parse::words::refuse(&item.keyword, &word, what, "a `for` of their own"));
    }
}

/// Is it something to look at, an output or a figure?
fn shows(item: &Item) -> bool {
    match &item.kind {
        Kind::Declare(d) => d.role == Role::Output,
        Kind::Show(_) => true,
        _ => false,
    }
}

/// Sums over sets are read where something is looked at or held. Is there one in what else stands beside the loops?
pub(super) fn sums_elsewhere(piece: &Piece, declared: bool, errors: &mut Errors) -> bool {
    let sum = sums::first(&piece.tokens, declared);
    if let Some(sum) = &sum {
        let holds = |item: &Item| matches!(item.kind, Kind::Constraint(_));
        let (what, instead) = match piece.items.iter().flat_map(Item::flat).any(holds) {
            true => ("constraints over sums of sets in a `for`", "each of them by itself"),
            false => (
                "sums over sets outside of outputs, figures and constraints",
                "a loop adds the energies, forces and rates of its members, and what depends on parameters alone may \
                 be a parameter",
            ),
        };
        errors.report(parse::words::refuse(sum, "sum", what, instead));
    }
    sum.is_some()
}

/// What a loop over a set may not contain yet.
pub(super) fn refused(each: &Loop, declared: bool, errors: &mut Errors) {
    if let Some(sum) = sums::first(&each.body, declared) {
        let instead = "a sum over a set is read by outputs, figures and constraints beside the loops";
        errors.report(parse::words::refuse(&sum, "sum", "sums in loops over sets", instead));
    }
    for item in each.items.iter().flat_map(Item::flat) {
        let (what, instead) = match &item.kind {
            Kind::Declare(d) if d.role != Role::Output => (
                format!("{}s declared in loops over sets", d.role.word()),
                "families are declared outside: `coord x[nodes]: Vec3;`",
            ),
            Kind::Sub(_) => (
                "subs declared in loops over sets".to_owned(),
                "subs of members are declared outside: `sub leg[robots]: Leg;`",
            ),
            _ => continue,
        };
        errors.report(parse::words::refuse(&item.keyword, &item.keyword.to_string(), &what, instead));
    }
}
