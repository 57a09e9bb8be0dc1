//! `bind motor[j].v = e;` in a loop: what every element reads that asks a sub for its names.
//!
//! A binding stands in one loop, and is read in the words of others, as a guess is that holds a member.

use std::collections::BTreeSet;
use std::ops::Range;

use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::{Expr, Member};

use super::held::{LONGEST, Lets, inlined, lets, mark, member};
use super::loops::{Loop, Name};
use super::pieces::root;
use super::subs::Part;
use super::{Families, Set, indices, mentions};
use crate::diagnostics::{Errors, Id, Message, text};
use crate::identifier::{bare, identifier};
use crate::parse::{self, ast};
use ast::{Body, Each, Item, Kind, Text};

/// A binding of each member.
pub(super) struct Binding {
    /// the sub
    sub: String,
    /// the input
    input: String,
    /// where the input is named
    target: Ident,
    /// names of its loop, the member's first
    names: Vec<Name>,
    /// `bind motor[j].v = e;` with the values of the loop's `let`s
    text: TokenStream,
    /// the names in `e`
    read: BTreeSet<String>,
}

impl Binding {
    /// Is this input bound by it?
    pub(super) fn is_of(&self, sub: &str, input: &str) -> bool {
        self.sub == sub && self.input == input
    }
}

/// Takes the bindings out of the loops. A loop is dropped where nothing is left but `let`s that these read: a `let`
/// that none reads is checked in its loop.
pub(super) fn taken(loops: &mut Vec<Loop>, parts: &[Part<'_>], errors: &mut Errors) -> Vec<Binding> {
    let mut all = Vec::new();
    loops.retain_mut(|each| {
        let binds = |text: &&Text| text.read(&each.items).iter().flat_map(Item::flat).any(|item| is_bind(&item.kind));
        let (bindings, rest): (Vec<&Text>, Vec<&Text>) = each.texts.iter().partition(binds);
        if bindings.is_empty() {
            return true;
        }
        for item in bindings.iter().flat_map(|text| text.read(&each.items)) {
            match binding(item, each, parts) {
                Ok(binding) => all.push(binding),
                Err(message) => errors.report(message),
            }
        }
        let lets = lets(each);
        let taken = reached(bindings.iter().flat_map(|text| mentions::values(&text.tokens)).collect(), &lets);
        let keeps = |item: &Item| !matches!(&item.kind, Kind::Let(own) if taken.contains(&bare(&own.name)));
        let is_kept = rest.iter().flat_map(|text| text.read(&each.items)).any(keeps);
        each.body = rest.into_iter().map(|text| text.tokens.clone()).collect();
        let Body { items, texts } = parse::again(each.body.clone());
        (each.items, each.texts) = (items, texts);
        is_kept
    });
    all
}

/// Names, with those that the `let`s among them read.
fn reached(mut names: BTreeSet<String>, lets: &Lets) -> BTreeSet<String> {
    loop {
        let values = lets.iter().filter(|(name, _)| names.contains(*name)).filter_map(|(_, value)| value.as_ref());
        let read: BTreeSet<String> = values.flat_map(mentions::values).collect();
        if read.is_subset(&names) {
            return names;
        }
        names.extend(read);
    }
}

/// Leaves of the items of a literal loop beside the loops over sets the bindings of subs that are `needed`.
pub(super) fn alone(items: &mut Vec<Item>, needed: &BTreeSet<String>) {
    items.retain_mut(|item| match &mut item.kind {
        Kind::Bind(bind) => root(&bind.target).is_some_and(|name| needed.contains(&bare(&name))),
        Kind::For(inner) => {
            alone(&mut inner.items, needed);
            inner.texts.clear();
            true
        }
        kind => matches!(kind, Kind::Let(_)),
    });
}

fn is_bind(kind: &Kind) -> bool {
    matches!(kind, Kind::Bind(_))
}

/// The bindings in the body of a loop, with the `let`s that they may read; `None` without any.
pub(super) fn only(each: &Each) -> Option<TokenStream> {
    let read = |item: &Item| is_bind(&item.kind) || matches!(item.kind, Kind::Let(_));
    let kept = each.texts.iter().filter(|text| text.read(&each.items).iter().all(read));
    let binds = |text: &Text| text.read(&each.items).iter().any(|item| is_bind(&item.kind));
    kept.clone().any(binds).then(|| kept.map(|text| text.tokens.clone()).collect())
}

/// `bind motor[j].v = e;` of a loop over all members (M0804).
fn binding(item: &Item, each: &Loop, parts: &[Part<'_>]) -> Result<Binding, Message> {
    let Kind::Bind(assign) = &item.kind else {
        let instead = "a `bind` of its own for each: it names an input of a sub";
        return Err(parse::words::refuse(
            &item.keyword,
            "for",
            "bindings in literal loops of loops over sets",
            instead,
        ));
    };
    let named = match &assign.target {
        Expr::Field(field) => match &field.member {
            Member::Named(input) => member(&field.base).map(|(sub, index)| (sub, index, input.clone())),
            Member::Unnamed(_) => None,
        },
        _ => None,
    };
    let of = |sub: &Ident| parts.iter().find(|part| part.set.is_some() && part.name() == bare(sub));
    let found = named.and_then(|(sub, index, input)| Some((of(&sub)?, sub, index, input)));
    let Some((part, sub, index, input)) = found else {
        let what = format!("`{}` is not an input of a sub of members", text(&assign.target));
        let help = "write `bind motor[j].v = ..;` with the name of such a sub and of its input";
        return Err(Message::new(Id::M0804, &assign.target, what).help(help));
    };
    let Some(own) = each.over_all().filter(|own| own.ident == index && Some(own.set) == part.set) else {
        let over = part.sub.over.as_ref().map_or_else(String::new, Ident::to_string);
        let what = format!("`{sub}[{index}]` is bound in a loop over `{}`", each.over);
        let help =
            format!("each member is bound once: `for {index} in {over} {{ bind {sub}[{index}].{input} = ..; }}`");
        return Err(Message::new(Id::M0804, &sub, what).note(format!("`{sub}` is over `{over}`")).help(help));
    };
    let lets = lets(each);
    let value = inlined(&assign.value.to_token_stream(), &lets, lets.len(), &mut { LONGEST });
    let value = value.filter(parse::is_shallow).ok_or_else(|| {
        let what = format!("`{sub}[{index}].{input}` is bound to what a list or a long text in this loop says");
        Message::new(Id::M0804, &sub, what).help("write the value out")
    })?;
    let read = mentions::values(&value);
    let words = [item.keyword.clone().into_token_stream(), assign.target.to_token_stream(), mark('=')];
    let text = words.into_iter().chain([value, mark(';')]).collect();
    let mut names = vec![own.clone()];
    names.extend(each.names.iter().filter(|name| name.ident != index).cloned());
    Ok(Binding { sub: bare(&sub), input: bare(&input), target: sub, names, text, read })
}

/// The bindings of a sub at these places of its list, in the words of a loop, which learns names of what members join.
pub(super) fn read_in(
    around: &mut Loop,
    part: &Part<'_>,
    places: Range<usize>,
    bindings: &[Binding],
    (sets, families): (&[Set<'_>], &Families),
) -> Result<TokenStream, Message> {
    let (mut all, sub) = (TokenStream::new(), part.name());
    let own_lets = lets(around);
    let members: Vec<Name> = around.names.iter().filter(|name| Some(name.set) == part.set).cloned().collect();
    for Binding { target, names, text, read, input, .. } in bindings.iter().filter(|binding| binding.sub == sub) {
        let Some((own, joined)) = names.split_first() else { continue };
        // names of its loop stand in brackets alone, and are numbers here
        let is_member = |name: &str| names.iter().any(|own| bare(&own.ident) == name);
        if let Some(name) = own_lets.keys().find(|name| read.contains(*name) && !is_member(name)) {
            let what =
                format!("`{sub}[{}].{input}` is bound to `{name}`, which means something else in a loop", own.ident);
            let message = Message::new(Id::M0102, target, what);
            return Err(message.help(format!("call it something else in the loop over `{}`", around.over)));
        }
        for (place, member) in members.iter().enumerate().take(places.end).skip(places.start) {
            let mut places = vec![(own.ident.clone(), place)];
            for name in joined.iter().filter(|name| read.contains(&bare(&name.ident))) {
                if member.end != 0 {
                    let what = format!("`{sub}[{}].{input}` is bound to what the member joins", own.ident);
                    let why = format!("a loop over `{}` reads `{sub}`, and knows no more than its number", around.over);
                    let over = sets.get(own.set).map_or_else(String::new, |set| set.name.to_string());
                    let help = format!("read it in a loop over `{over}`");
                    return Err(Message::new(Id::M0804, target, what).note(why).help(help));
                }
                places.push((name.ident.clone(), end(around, name)));
            }
            let of = |name: &Ident| places.iter().find(|(own, _)| own == name).map(|(_, place)| *place);
            all.extend(indices::numbered(text, &of, families));
        }
    }
    Ok(all)
}

/// The place of what a member joins, which the loop gets a name for if it has none.
fn end(around: &mut Loop, joined: &Name) -> usize {
    let known = around.names.iter().position(|name| name.end == joined.end);
    let before = known.unwrap_or(around.names.len());
    let place = around.names.iter().take(before).filter(|name| name.set == joined.set).count();
    if known.is_none() {
        let ident = identifier(&format!("__end_{}", joined.end), Span::call_site());
        around.names.push(Name { ident, ..*joined });
    }
    place
}
