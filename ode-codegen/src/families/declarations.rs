//! What a model with sets declares, without all else: its shape in spite of mistakes.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use super::bindings;
use crate::parse::{self, ast};
use ast::{Kind, Role};

/// The text of a model without all that is not declared: with its sets, families, subs and ordinary names.
pub(crate) fn declarations(ast: &ast::Model) -> TokenStream {
    let declares = |item: &ast::Item| match &item.kind {
        Kind::Declare(declared) => declared.role != Role::Output,
        Kind::Set(_) | Kind::Unit(_) | Kind::Sub(_) | Kind::Bind(_) => true,
        _ => false,
    };
    let kept = |piece: TokenStream| match parse::again(piece.clone()).as_slice() {
        [ast::Item { kind: Kind::Each(each), .. }] => bindings::only(&each.body).map(|body| with_body(&piece, &body)),
        items => items.iter().all(declares).then_some(piece),
    };
    let kept: TokenStream = parse::pieces(body(ast)).into_iter().filter_map(kept).collect();
    parse::composed::of(with_body(&ast.tokens, &kept), &ast.children)
}

/// A text with another body between its braces.
fn with_body(tokens: &TokenStream, body: &TokenStream) -> TokenStream {
    let of_body = |token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
            Group::new(Delimiter::Brace, body.clone()).into()
        }
        token => token,
    };
    tokens.clone().into_iter().map(of_body).collect()
}

/// Tokens of a model's body.
pub(super) fn body(ast: &ast::Model) -> TokenStream {
    let braces = ast.tokens.clone().into_iter().find_map(|token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => Some(group.stream()),
        _ => None,
    });
    braces.unwrap_or_default()
}
