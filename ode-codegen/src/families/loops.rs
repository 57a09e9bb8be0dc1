//! Loops over sets: `for e @ (i, j) in edges { .. }`, and what is added in sums.

use proc_macro2::{Ident, Span, TokenStream};

use super::subs::Part;
use super::{Set, known};
use crate::diagnostics::{Errors, Id, Message};
use crate::identifier::identifier;
use crate::parse::{ast, sets};
use ast::{Body, Item, Kind, Text};

/// A loop over a set.
#[derive(Clone)]
pub(super) struct Loop {
    /// its set
    pub(super) set: usize,
    /// its set as the user named it
    pub(super) over: Ident,
    /// its names: each with the set it runs over, and its entry in the tuples
    pub(super) names: Vec<Name>,
    /// its items as tokens, as read, and each with its tokens
    pub(super) body: TokenStream,
    pub(super) items: Vec<Item>,
    pub(super) texts: Vec<Text>,
    /// what its members add up to, where it was written as a sum
    pub(super) sum: Option<Sum>,
    /// the sub whose items are its body
    pub(super) sub: Option<Ident>,
}

/// What the members of a sum add up to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sum {
    /// a hidden output
    Output,
    /// the rows of a constraint, by its number among those that add over sets
    Rows(usize),
}

/// A name of a loop.
#[derive(Clone)]
pub(super) struct Name {
    pub(super) ident: Ident,
    /// the set it runs over
    pub(super) set: usize,
    /// its entry in the tuples
    pub(super) end: usize,
}

impl Loop {
    /// The number of a name among those that run over the same set: its place in the lists of the element.
    pub(super) fn place(&self, name: &Ident) -> Option<usize> {
        let found = self.names.iter().position(|own| own.ident == *name)?;
        let (before, rest) = self.names.split_at(found);
        let set = rest.first()?.set;
        Some(before.iter().filter(|own| own.set == set).count())
    }

    /// The name of the member, if the loop runs over every one of its set.
    pub(super) fn over_all(&self) -> Option<&Name> {
        self.names.iter().find(|name| name.set == self.set)
    }

    /// The entries of the tuples that run over a set, in the order of the lists.
    pub(super) fn ends(&self, set: usize) -> Vec<usize> {
        self.names.iter().filter(|name| name.set == set).map(|name| name.end).collect()
    }
}

/// The loops of a model, in the order of the text.
pub(super) fn of<'i>(items: impl Iterator<Item = &'i Item>, sets: &[Set<'_>], errors: &mut Errors) -> Vec<Loop> {
    let mut loops = Vec::new();
    for item in items {
        let Kind::Each(each) = &item.kind else { continue };
        let pattern = sets::Pattern { member: each.member.clone(), ends: each.ends.clone() };
        let read = Body { items: each.items.clone(), texts: each.texts.clone() };
        loops.extend(over(&each.set, &pattern, (each.body.clone(), read), sets, errors));
    }
    loops
}

/// Loops with the items of subs, which stand before all others: what these say of starts is said later.
pub(super) fn of_subs(parts: &[Part<'_>]) -> Vec<Loop> {
    let one = |part: &Part<'_>| {
        let (set, over) = part.set.zip(part.sub.over.clone())?;
        let names = vec![Name { ident: identifier("__member", Span::call_site()), set, end: 0 }];
        let (body, items, texts) = (TokenStream::new(), Vec::new(), Vec::new());
        Some(Loop { set, over, names, body, items, texts, sum: None, sub: Some(part.sub.name.clone()) })
    };
    parts.iter().filter_map(one).collect()
}

/// The names of a loop, with the set that each runs over (M0702).
pub(super) fn over(
    set: &Ident,
    pattern: &sets::Pattern,
    (body, Body { items, texts }): (TokenStream, Body),
    sets: &[Set<'_>],
    errors: &mut Errors,
) -> Option<Loop> {
    let number = known(set, sets, errors)?;
    let of = &sets.get(number)?.of;
    // `for i in pinned` of `set pinned: nodes;`: i is the node
    let (member, ends) = match (&pattern.member, pattern.ends.as_slice()) {
        (Some(only), []) if of.len() == 1 => (None, vec![only]),
        (member, ends) => (member.as_ref(), ends.iter().collect()),
    };
    if !ends.is_empty() && ends.len() != of.len() {
        let (found, expected) = (ends.len(), of.len());
        let what = format!("`{set}` joins {expected} members, and here are {found} names");
        let message = Message::new(Id::M0702, ends.first()?, what);
        errors.report(match expected {
            0 => message.help(format!("its members join no others: `for i in {set}`")),
            _ => message,
        });
        return None;
    }
    let name = |ident: &Ident, set: usize, end: usize| Name { ident: ident.clone(), set, end };
    // the first entry of a tuple is the member's own number, where the set is one of tuples
    let own = member.map(|ident| name(ident, number, 0));
    let joined = ends.into_iter().zip(of).enumerate().map(|(k, (ident, &set))| name(ident, set, k + 1));
    let names: Vec<Name> = own.into_iter().chain(joined).collect();
    for (k, Name { ident, .. }) in names.iter().enumerate() {
        if names.iter().take(k).any(|other| other.ident == *ident) {
            errors.report(Message::new(Id::M0102, ident, format!("`{ident}` names two members of a loop")));
            return None;
        }
    }
    Some(Loop { set: number, over: set.clone(), names, body, items, texts, sum: None, sub: None })
}
