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
    let kept = |text: &ast::Text| match text.read(&ast.items) {
        [ast::Item { kind: Kind::Each(each), .. }] => bindings::only(each).map(|body| with_body(&text.tokens, &body)),
        items => items.iter().all(declares).then(|| text.tokens.clone()),
    };
    let kept: TokenStream = ast.texts.iter().filter_map(kept).collect();
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
