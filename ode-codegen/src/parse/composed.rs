//! `@compose { model } { sub } { sub } …`: a model with the models of its subs, each again such a text.
//!
//! This form is internal. The expansion of a model asks the macro of each sub for its text; each macro passes on
//! everything gathered before; see `emit::carrier`. `@page { .. }` around such a text asks for its equations instead,
//! and `@shadow { .. }` around a model's own for what editors get.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::ast::{Child, Model};
use crate::diagnostics::{Errors, Id, Message};
use crate::identifier::identifier;

/// Word of a model with its subs.
pub(crate) const COMPOSE: &str = "compose";

/// Word before a text whose equations are asked for.
pub(crate) const PAGE: &str = "page";

/// Word before a text whose shadow is asked for.
pub(crate) const SHADOW: &str = "shadow";

/// Word in the place of a model that has mistakes.
pub(crate) const BROKEN: &str = "broken";

/// Deepest nesting of subs.
const DEEPEST: usize = 16;

/// Reads a model and those it is composed of.
pub(super) fn read(tokens: TokenStream, depth: usize) -> (Model, Errors) {
    let (own, children) = taken_apart(tokens);
    let (mut model, mut errors) = super::alone(own);
    if depth > DEEPEST && !children.is_empty() {
        let what = format!("subs are nested more than {DEEPEST} deep");
        errors.report(Message::new(Id::M0008, &model.name, what));
        return (model, errors);
    }
    model.children = children.into_iter().map(|tokens| child(tokens, depth)).collect();
    (model, errors)
}

pub(super) fn child(tokens: TokenStream, depth: usize) -> Child {
    if marked(&tokens, BROKEN).is_some() {
        return Child { tokens, model: None, unread: None };
    }
    let (model, errors) = read(tokens.clone(), depth + 1);
    match errors.messages().first() {
        None => Child { tokens, model: Some(model), unread: None },
        Some(first) => Child { tokens, model: None, unread: Some(first.text()) },
    }
}

/// The model's own tokens, and those of its subs.
fn taken_apart(tokens: TokenStream) -> (TokenStream, Vec<TokenStream>) {
    let Some(rest) = marked(&tokens, COMPOSE) else { return (tokens, Vec::new()) };
    let mut groups = groups(rest);
    (groups.next().unwrap_or_default(), groups.collect())
}

/// The text for which `word` asks.
pub(crate) fn asked(tokens: &TokenStream, word: &str) -> Option<TokenStream> {
    groups(marked(tokens, word)?).next()
}

fn groups(tokens: Vec<TokenTree>) -> impl Iterator<Item = TokenStream> {
    tokens.into_iter().filter_map(|t| match t {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => Some(group.stream()),
        _ => None,
    })
}

/// What follows `@word`.
fn marked(tokens: &TokenStream, word: &str) -> Option<Vec<TokenTree>> {
    let mut tokens = tokens.clone().into_iter();
    let at = matches!(tokens.next(), Some(TokenTree::Punct(p)) if p.as_char() == '@');
    let named = matches!(tokens.next(), Some(TokenTree::Ident(ident)) if ident == word);
    (at && named).then(|| tokens.collect())
}

/// A model's text with those of its subs, found by name; without them where one is not there.
pub(super) fn gathered(own: &TokenStream, models: &[TokenStream], depth: usize) -> TokenStream {
    let (model, _) = super::alone(own.clone());
    let parts = model.parts();
    let find = |name: &str| models.iter().find(|m| super::alone((*m).clone()).0.name.is_some_and(|n| n == name));
    let found: Option<Vec<&TokenStream>> = parts.iter().map(|part| find(&part.child())).collect();
    let Some(found) = found.filter(|f| !f.is_empty() && depth <= DEEPEST) else { return own.clone() };
    composed(own.clone(), found.into_iter().map(|child| gathered(child, models, depth + 1)))
}

/// A model's text with those of the models it is composed of.
pub(crate) fn of(own: TokenStream, children: &[Child]) -> TokenStream {
    if children.is_empty() { own } else { composed(own, children.iter().map(|child| child.tokens.clone())) }
}

fn composed(own: TokenStream, children: impl Iterator<Item = TokenStream>) -> TokenStream {
    let group = |tokens: TokenStream| TokenTree::Group(proc_macro2::Group::new(Delimiter::Brace, tokens));
    let word = TokenTree::Ident(identifier(COMPOSE, proc_macro2::Span::call_site()));
    let at = TokenTree::Punct(proc_macro2::Punct::new('@', proc_macro2::Spacing::Alone));
    [at, word, group(own)].into_iter().chain(children.map(group)).collect()
}
