//! `fix x[i];` in a loop: where the member starts is said in another loop, whose guess is read here too (M0311).
//!
//! A guess is known for every member if its loop runs over the set of the coordinate. One of another loop is that of
//! some members, which are not known before the program runs; so where such a member is held has to be written.

use std::collections::BTreeMap;

use proc_macro2::{Delimiter, Group, Ident, Punct, Spacing, TokenStream, TokenTree};
use quote::ToTokens;
use syn::Expr;

use super::loops::{Loop, Name};
use super::mentions::Scope;
use super::subs::{Part, rated};
use super::{Families, indices, mentions};
use crate::diagnostics::{Errors, Id, Message, text};
use crate::identifier::{bare, identifier};
use crate::parse::{self, ast};
use ast::{Item, Kind, Start};

/// What a loop reads of others: guesses of these that stand before it, and after it.
#[derive(Default)]
pub(super) struct Starts {
    pub(super) before: TokenStream,
    pub(super) after: TokenStream,
}

/// What the loops read of each other, loop by loop.
pub(super) fn starts(loops: &[Loop], families: &Families, parts: &[Part<'_>], errors: &mut Errors) -> Vec<Starts> {
    loops.iter().enumerate().map(|(own, _)| of_loop(own, loops, (families, parts), errors)).collect()
}

fn of_loop(own: usize, loops: &[Loop], (families, parts): (&Families, &[Part<'_>]), errors: &mut Errors) -> Starts {
    let (mut starts, mut known) = (Starts::default(), Vec::new());
    let Some(around) = loops.get(own) else { return starts };
    let part = around.sub.as_ref().and_then(|sub| parts.iter().find(|part| part.sub.name == *sub));
    if let Some((part, held)) = part.zip(around.names.first()) {
        let read = Held { name: &part.sub.name, member: held, around, part: Some(part) };
        if let Err(message) = read.read(own, loops, families, &mut starts) {
            errors.report(message);
        }
        return starts;
    }
    for item in around.items.iter().flat_map(Item::flat) {
        let Kind::Fix(fix) = &item.kind else { continue };
        let Some((name, index)) = member(&fix.target).filter(|_| fix.value.is_none()) else { continue };
        let held = around.names.iter().find(|own| own.ident == index);
        let Some((held, set)) = held.zip(families.get(&bare(&name))) else { continue };
        // parts of one member start where it does
        if held.set != *set || known.contains(&(bare(&name), bare(&index))) {
            continue;
        }
        if parts.iter().any(|part| part.name() == bare(&name)) {
            let what = format!("`fix {}`: where `{name}` starts is said in its own model", text(&fix.target));
            let message = Message::new(Id::M0311, &name, what);
            errors.report(message.help(format!("say where: `fix {} = ..;`", text(&fix.target))));
            continue;
        }
        known.push((bare(&name), bare(&index)));
        let read = Held { name: &name, member: held, around, part: None };
        if let Err(message) = read.read(own, loops, families, &mut starts) {
            errors.report(message);
        }
    }
    starts
}

/// A member that is held where it starts.
struct Held<'a> {
    /// its coordinate
    name: &'a Ident,
    /// its name in the loop
    member: &'a Name,
    around: &'a Loop,
    /// of a sub, whose own text holds what it holds
    part: Option<&'a Part<'a>>,
}

impl Held<'_> {
    /// Adds what other loops say of where it starts.
    fn read(&self, own: usize, loops: &[Loop], families: &Families, starts: &mut Starts) -> Result<(), Message> {
        // in its own text a sub says where it starts
        let (mut found, mut exact) = (self.part.is_some(), TokenStream::new());
        let is_read = |said: &Said| self.part.is_none_or(|part| part.reads(&said.target).is_some());
        for (number, each) in loops.iter().enumerate() {
            for said in starts_in(each, self.name, self.part.is_some()).into_iter().filter(is_read) {
                let of_all = each.over_all().is_some_and(|all| all.ident == said.index);
                if number == own && said.index == self.member.ident {
                    found = true;
                } else if number != own && of_all {
                    found = true;
                    let to = match (said.exact, number < own) {
                        (true, _) => &mut exact,
                        (false, true) => &mut starts.before,
                        (false, false) => &mut starts.after,
                    };
                    to.extend(self.read_here(each, &said, families)?);
                } else {
                    return Err(self.refused(Some(&said), "also starts where a loop over some members says"));
                }
            }
        }
        // it holds over guesses, and is a condition of the loop that says it
        starts.after.extend(exact);
        if found {
            Ok(())
        } else {
            Err(self.refused(None, "has no start, without which it has no value to hold it at"))
        }
    }

    /// What another loop says, in the words of this one.
    fn read_here(&self, each: &Loop, said: &Said, families: &Families) -> Result<TokenStream, Message> {
        let lets = lets(each);
        let text = said.tokens.as_ref().and_then(|tokens| inlined(tokens, &lets, lets.len(), &mut { LONGEST }));
        let text = text.filter(parse::is_shallow);
        let text = text.ok_or_else(|| {
            self.refused(Some(said), "starts where a loop, a list or a long text in another loop says")
        })?;
        let read = mentions::names(&text);
        if each.names.iter().any(|name| name.ident != said.index && read.contains(&bare(&name.ident))) {
            return Err(self.refused(Some(said), "starts where the members say that it joins"));
        }
        if let Some(name) = self::lets(self.around).keys().find(|name| read.contains(*name)) {
            let why = format!("starts where `{name}` says, which means something else in this loop");
            return Err(self.refused(Some(said), &why));
        }
        let place = self.around.place(&self.member.ident);
        Ok(indices::numbered(&text, &|name| place.filter(|_| *name == said.index), families))
    }

    fn refused(&self, said: Option<&Said>, why: &str) -> Message {
        if let Some((part, said)) = self.part.zip(said) {
            let (target, model) = (text(&said.target), part.sub.child());
            let asks = part.reads(&said.target).unwrap_or_default();
            let message =
                Message::new(Id::M0311, &said.target, format!("`{target}` {why}")).note(format!("`{model}` {asks}"));
            return message.help("guess it in a loop over all members, with what is known of each alone");
        }
        let held = format!("{}[{}]", self.name, self.member.ident);
        let message = Message::new(Id::M0311, self.name, format!("`fix {held}`: `{held}` {why}")).note(format!(
            "without a value a member is held at its `init` or `guess` in a loop over all members, as `{held}`"
        ));
        message.help(format!("say where: `fix {held} = ..;`"))
    }
}

/// `guess x[i] = e;` and `init x[i] = e;`
struct Said {
    exact: bool,
    /// the name in the brackets
    index: Ident,
    /// the coordinate
    target: Expr,
    /// as it stands in the text; `None` in a literal loop, whose index it may read
    tokens: Option<TokenStream>,
}

/// What a loop says of where a coordinate starts, or what a sub has, with rates.
fn starts_in(each: &Loop, name: &Ident, is_sub: bool) -> Vec<Said> {
    let of = |item: &Item, alone: bool| match &item.kind {
        Kind::Start(Start { assign, exact }) => {
            let target = if is_sub { below_rate(&assign.target) } else { &assign.target };
            let (_, index) = member(target).filter(|(of, _)| of == name)?;
            // an exact start is a condition of the loop that says it: others read its value
            let word = identifier("guess", item.keyword.span()).into_token_stream();
            let (target, value) = (assign.target.to_token_stream(), assign.value.to_token_stream());
            let text = [word, target, mark('='), value, mark(';')].into_iter();
            let target = assign.target.clone();
            Some(Said { exact: *exact, index, target, tokens: alone.then(|| text.collect()) })
        }
        _ => None,
    };
    let alone = each.items.iter().filter_map(|item| of(item, true));
    let looped = each.items.iter().filter(|item| matches!(item.kind, Kind::For(_))).flat_map(Item::flat);
    alone.chain(looped.filter_map(|item| of(item, false))).collect()
}

/// `x` of `der(x)` and of `der(x).z`.
fn below_rate(target: &Expr) -> &Expr {
    match target {
        Expr::Field(field) if matches!(&*field.base, Expr::Call(_)) => below_rate(&field.base),
        _ => rated(target).unwrap_or(target),
    }
}

/// One mark as tokens.
pub(super) fn mark(mark: char) -> TokenStream {
    TokenTree::from(Punct::new(mark, Spacing::Alone)).into()
}

/// `x` and `i` of `x[i]`, `x[i].z` and `x[i][2]`.
pub(super) fn member(target: &Expr) -> Option<(Ident, Ident)> {
    let name = |expr: &Expr| match expr {
        Expr::Path(path) => path.path.get_ident().cloned(),
        _ => None,
    };
    match target {
        Expr::Index(of) => name(&of.expr).zip(name(&of.index)).or_else(|| member(&of.expr)),
        Expr::Field(of) => member(&of.base),
        Expr::Paren(of) => member(&of.expr),
        _ => None,
    }
}

/// The values of the `let`s of a loop; `None` of those of a list.
pub(super) type Lets = BTreeMap<String, Option<TokenStream>>;

pub(super) fn lets(each: &Loop) -> Lets {
    let of = |item: &Item| match &item.kind {
        Kind::Let(own) => Some((bare(&own.name), own.indices.is_empty().then(|| own.value.to_token_stream()))),
        _ => None,
    };
    each.items.iter().flat_map(Item::flat).filter_map(of).collect()
}

/// Tokens of a guess that is read in another loop: `let`s that each read another twice double it.
pub(super) const LONGEST: usize = 10_000;

/// A text with the values of `let`s in place of their names; `None` where a list of them is read, or it has no `room`.
/// A `let` that reads itself is a mistake of its own loop, and what a closure binds is none.
pub(super) fn inlined(tokens: &TokenStream, lets: &Lets, depth: usize, room: &mut usize) -> Option<TokenStream> {
    within(tokens, Scope::default(), (lets, depth), room)
}

fn within(
    tokens: &TokenStream,
    mut scope: Scope,
    (lets, depth): (&Lets, usize),
    room: &mut usize,
) -> Option<TokenStream> {
    let mut out = TokenStream::new();
    for token in tokens.clone() {
        *room = room.checked_sub(1)?;
        let is_read = scope.reads(&token);
        out.extend([match &token {
            TokenTree::Group(group) => {
                let inside = within(&group.stream(), scope.inside(), (lets, depth), room)?;
                let mut inside = Group::new(group.delimiter(), inside);
                inside.set_span(group.span());
                TokenTree::from(inside)
            }
            TokenTree::Ident(name) if is_read => match lets.get(&bare(name)) {
                Some(value) if depth > 0 => {
                    Group::new(Delimiter::Parenthesis, inlined(value.as_ref()?, lets, depth - 1, room)?).into()
                }
                Some(_) => return None,
                None => token,
            },
            _ => token,
        }]);
    }
    Some(out)
}
