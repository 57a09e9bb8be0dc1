//! Texts of small models.

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenTree};
use quote::ToTokens;
use syn::Expr;

use super::pieces::Piece;
use crate::identifier::{bare, identifier};
use crate::parse::{self, ast};
use ast::{Item, Kind, Role, Type, TypeKind};

/// Declared units, which any text may read.
pub(super) fn units<'p>(pieces: &'p [Piece<'_>]) -> impl Iterator<Item = Item> + 'p {
    let items = pieces.iter().flat_map(|piece| piece.items);
    items.filter(|item| matches!(item.kind, Kind::Unit(_))).cloned()
}

/// `[X; n]`
pub(super) fn list(ty: &Type, count: usize) -> Type {
    Type { kind: TypeKind::Array(count, Box::new(ty.kind.clone())), tokens: ty.tokens.clone() }
}

/// `param N: Real;`
pub(super) fn number(name: &Ident, is_measured: bool) -> Item {
    let span = name.span();
    let one = || ast::Unit { tokens: TokenTree::from(Literal::usize_unsuffixed(1)).into(), span };
    let declare = ast::Declare {
        role: Role::Param,
        names: vec![ast::Name { ident: name.clone(), velocity: None, over: None }],
        ty: Type { kind: TypeKind::Real, tokens: identifier("Real", span).into_token_stream() },
        unit: is_measured.then(one),
        range: None,
        value: None,
    };
    let keyword = identifier("param", span);
    Item { docs: Vec::new(), allows: Vec::new(), keyword, port: false, tangent: None, kind: Kind::Declare(declare) }
}

/// `[value; count]`
pub(super) fn repeated(value: &Expr, count: usize) -> Option<Expr> {
    let count = TokenTree::from(Literal::usize_unsuffixed(count));
    let inside = value.to_token_stream().into_iter().chain([Punct::new(';', Spacing::Alone).into(), count]);
    syn::parse2(TokenTree::from(Group::new(Delimiter::Bracket, inside.collect())).into()).ok()
}

/// Another kind with the notes of an item.
pub(super) fn of(item: &Item, kind: Kind) -> Item {
    let keyword = item.keyword.clone();
    Item { docs: item.docs.clone(), allows: item.allows.clone(), keyword, port: false, tangent: None, kind }
}

/// A hidden model with the options of the whole.
pub(super) fn model(ast: &ast::Model, name: &str, items: Vec<Item>) -> ast::Model {
    let whole = ast.name.as_ref().map_or_else(String::new, bare);
    let span = ast.name.as_ref().map_or_else(Span::call_site, Ident::span);
    let mut options = ast.options.clone();
    options.derives.clear();
    options.storage = None;
    options.show = false;
    // names of no parameter are told where all parameters are read
    let params = items.iter().filter_map(|item| match &item.kind {
        Kind::Declare(d) if d.role == Role::Param => Some(&d.names),
        _ => None,
    });
    let params: Vec<Ident> = params.flatten().map(|name| name.ident.clone()).collect();
    if std::mem::take(&mut options.freeze.all) {
        // not what is added to the items later: a sum is a parameter where outputs read it
        options.freeze.names = params;
    } else {
        options.freeze.names.retain(|name| params.iter().any(|own| bare(own) == bare(name)));
    }
    let mut model = ast::Model {
        options,
        allows: ast.allows.clone(),
        vis: ast.vis.clone(),
        name: Some(identifier(&format!("__{whole}{name}"), span)),
        scalar: ast.scalar.clone(),
        items,
        element: true,
        measured: ast.is_measured(),
        ..ast::Model::default()
    };
    let children = model.parts().into_iter().filter_map(|sub| ast.child(sub)).map(parse::child_again);
    model.children = children.collect();
    model
}
