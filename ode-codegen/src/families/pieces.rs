//! The items of a model with sets, each as tokens and as read.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::Expr;

use super::held::{self, Lets};
use super::loops::Loop;
use super::mentions::{self, Scope};
use super::{sums, uses};
use crate::diagnostics::Errors;
use crate::identifier::bare;
use crate::parse::{self, ast};
use ast::{Declare, Item, Kind, Role, Text};

/// Items that gravity is read for.
pub(super) const PULLED: [&str; 2] = ["body", "spring"];

/// An item of the model as tokens and as read.
pub(super) struct Piece<'a> {
    pub(super) tokens: &'a TokenStream,
    pub(super) items: &'a [Item],
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
    /// a `let` names them
    Named,
    /// they are the rows of a constraint
    Rows,
    /// outputs read the multiplier of such rows
    Multiplier,
}

impl<'a> Piece<'a> {
    fn of(text: &'a Text, items: &'a [Item]) -> Self {
        Self { tokens: &text.tokens, items: text.read(items), sums: Sums::None }
    }

    /// Does it stand beside the loops, with nothing to add?
    pub(super) fn stands_beside(&self) -> bool {
        self.sums == Sums::None && !self.items.iter().any(|item| matches!(item.kind, Kind::Set(_) | Kind::Each(_)))
    }

    /// Is it a constraint of this name?
    pub(super) fn is_called(&self, name: &str) -> bool {
        matches!(self.items, [Item { kind: Kind::Constraint(own), .. }] if bare(&own.name) == name)
    }

    /// What it is if it reads sums.
    fn with_sums(&self) -> Sums {
        match self.items {
            [Item { kind: Kind::Constraint(_), .. }] => Sums::Rows,
            [Item { kind: Kind::Let(own), .. }] if own.indices.is_empty() => Sums::Named,
            items if items.iter().flat_map(Item::flat).any(shows) => Sums::Shown,
            _ => Sums::None,
        }
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
        mentions::names(read.as_ref().filter(|_| !self.items.is_empty()).unwrap_or(self.tokens))
    }

    /// What it reads of names of sums: neither what its loops and closures bind, nor constraints of multipliers.
    fn free(&self, constraints: &BTreeSet<String>) -> TokenStream {
        let bound = self.items.iter().flat_map(counted).collect();
        mentions::free(&self.values(), Scope::of(bound), constraints)
    }

    /// What it reads, see [`uses::read`].
    pub(super) fn values(&self) -> TokenStream {
        uses::read_in(self.items, self.tokens)
    }

    /// Could it not be read?
    pub(super) fn is_broken(&self) -> bool {
        self.items.iter().flat_map(Item::flat).any(|item| matches!(item.kind, Kind::Broken(_)))
    }

    /// The words that mean its items.
    pub(super) fn meant_by(&self) -> Vec<String> {
        self.items.iter().flat_map(Item::flat).flat_map(named).collect()
    }
}

/// The indices of literal loops.
fn counted(item: &Item) -> Vec<String> {
    match &item.kind {
        Kind::For(each) => each.items.iter().flat_map(counted).chain([bare(&each.index)]).collect(),
        _ => Vec::new(),
    }
}

/// The names of the constraints beside the loops.
pub(super) fn constraints<'p>(pieces: impl IntoIterator<Item = &'p Piece<'p>>) -> BTreeSet<String> {
    let name = |item: &Item| match &item.kind {
        Kind::Constraint(constraint) => Some(bare(&constraint.name)),
        _ => None,
    };
    pieces.into_iter().flat_map(|piece| piece.items).flat_map(Item::flat).filter_map(name).collect()
}

/// Those whose rows members share.
pub(super) fn shared(pieces: &[Piece<'_>]) -> BTreeSet<String> {
    constraints(pieces.iter().filter(|piece| piece.sums == Sums::Rows))
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

pub(super) fn pieces(ast: &ast::Model, declared: bool) -> Vec<Piece<'_>> {
    let mut pieces: Vec<Piece<'_>> = ast.texts.iter().map(|text| Piece::of(text, &ast.items)).collect();
    let constraints = constraints(&pieces);
    for piece in pieces.iter_mut().filter(|piece| sums::first(piece.tokens, declared).is_some()) {
        piece.sums = piece.with_sums();
    }
    // what reads a name of sums reads sums, and figures read outputs of sums
    loop {
        let named = |sums: Sums| -> BTreeSet<String> {
            pieces.iter().filter(|piece| piece.sums == sums).flat_map(Piece::meant_by).collect()
        };
        let (names, shown) = (named(Sums::Named), named(Sums::Shown));
        if names.is_empty() && shown.is_empty() {
            break;
        }
        let is_next = |piece: &Piece<'_>| {
            let draws = piece.items.iter().flat_map(Item::flat).any(|item| matches!(item.kind, Kind::Show(_)));
            let read = mentions::values(&piece.free(&constraints));
            piece.with_sums() != Sums::None && (!read.is_disjoint(&names) || draws && !read.is_disjoint(&shown))
        };
        let Some(next) = pieces.iter().position(|piece| piece.sums == Sums::None && is_next(piece)) else { break };
        pieces[next].sums = pieces[next].with_sums();
    }
    let shared = shared(&pieces);
    let is_output = |item: &Item| matches!(&item.kind, Kind::Declare(d) if d.role == Role::Output);
    let reads =
        |piece: &Piece<'_>| piece.items.iter().all(is_output) && mentions::multiplier(piece.tokens, &shared).is_some();
    for piece in pieces.iter_mut().filter(|piece| piece.sums == Sums::None && reads(piece)) {
        piece.sums = Sums::Multiplier;
    }
    pieces
}

/// The pieces that are looked at and read sums, with the names of sums that they or nothing reads.
pub(super) fn looked_at<'p>(pieces: &'p [Piece<'p>]) -> Vec<&'p Piece<'p>> {
    let constraints = constraints(pieces);
    let read = |piece: &Piece<'_>| mentions::values(&piece.free(&constraints));
    let named = || pieces.iter().filter(|piece| piece.sums == Sums::Named);
    let mut needed: BTreeSet<String> =
        pieces.iter().filter(|piece| piece.sums == Sums::Shown).flat_map(&read).collect();
    loop {
        let before = needed.len();
        let reached = named().filter(|piece| piece.meant_by().iter().any(|name| needed.contains(name)));
        needed = reached.flat_map(&read).chain(needed.clone()).collect();
        if needed.len() == before {
            break;
        }
    }
    let held: BTreeSet<String> =
        pieces.iter().filter(|piece| matches!(piece.sums, Sums::Rows | Sums::Named)).flat_map(&read).collect();
    let is_seen = |piece: &&Piece<'_>| match piece.sums {
        Sums::Shown => true,
        Sums::Named => piece.meant_by().iter().any(|name| needed.contains(name) || !held.contains(name)),
        Sums::None | Sums::Rows | Sums::Multiplier => false,
    };
    pieces.iter().filter(is_seen).collect()
}

/// The names of sums, with their values.
pub(super) fn names_of_sums(pieces: &[Piece<'_>]) -> Lets {
    let of = |item: &Item| match &item.kind {
        Kind::Let(own) => Some((bare(&own.name), Some(own.value.to_token_stream()))),
        _ => None,
    };
    pieces.iter().filter(|piece| piece.sums == Sums::Named).flat_map(|piece| piece.items).filter_map(of).collect()
}

/// Beside sums in one `for` there is nothing that moves the model: sums are known to what is looked at.
pub(super) fn beside_sums(piece: &Piece<'_>, errors: &mut Errors) {
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

/// What names of sums mean in what stands beside them.
pub(super) struct Known {
    pub(super) names: Lets,
    /// constraints, whose multipliers are none of the names
    pub(super) constraints: BTreeSet<String>,
}

/// How what may not read a sum reads it.
const HELD: &str = "outputs, figures and constraints beside the loops read sums over sets, and a loop adds the \
                    energies, forces and rates of its members; what reads the sum itself reads a coordinate that is \
                    held at it, `constraint c: y == sum(..);`, and what depends on parameters alone may be a parameter";

/// Sums over sets are read where something is looked at or held. Is there one, or the name of one, in what else stands
/// beside the loops?
pub(super) fn sums_elsewhere(piece: &Piece<'_>, declared: bool, known: &Known, errors: &mut Errors) -> bool {
    let sum = read_in(piece, declared, &known.names, &known.constraints);
    if let Some(sum) = &sum {
        let holds = |item: &Item| matches!(item.kind, Kind::Constraint(_));
        let (what, instead) = match piece.items.iter().flat_map(Item::flat).any(holds) {
            true => ("constraints over sums of sets in a `for`", "each of them by itself"),
            false => ("sums over sets outside of outputs, figures and constraints", HELD),
        };
        errors.report(parse::words::refuse(sum, &sum.to_string(), what, instead));
    }
    sum.is_some()
}

/// The first sum of a piece, or name of one, if it could be read.
fn read_in(piece: &Piece<'_>, declared: bool, names: &Lets, constraints: &BTreeSet<String>) -> Option<Ident> {
    let read = || if names.is_empty() { None } else { mentions::first(&piece.free(constraints), names) };
    (!piece.is_broken()).then(|| sums::first(piece.tokens, declared).or_else(read)).flatten()
}

/// What a loop over a set may not contain yet.
pub(super) fn refused(each: &Loop, declared: bool, known: &Known, errors: &mut Errors) {
    let mut names = known.names.clone();
    let own = held::lets(each).into_keys().chain(each.names.iter().map(|name| bare(&name.ident)));
    own.for_each(|own| drop(names.remove(&own)));
    let body: Vec<Piece<'_>> = each.texts.iter().map(|text| Piece::of(text, &each.items)).collect();
    let mut constraints = constraints(&body);
    constraints.extend(known.constraints.clone());
    if let Some(sum) = body.iter().find_map(|piece| read_in(piece, declared, &names, &constraints)) {
        errors.report(parse::words::refuse(&sum, &sum.to_string(), "sums in loops over sets", HELD));
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
