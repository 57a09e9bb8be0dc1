//! Texts of small models.

use proc_macro2::{Ident, Span};

use super::pieces::Piece;
use crate::identifier::{bare, identifier};
use crate::parse::{self, ast};
use ast::{Item, Kind, Type, TypeKind};

/// Declared units, which any text may read.
pub(super) fn units(pieces: &[Piece]) -> impl Iterator<Item = Item> + '_ {
    let items = pieces.iter().flat_map(|piece| parse::again(piece.tokens.clone()));
    items.filter(|item| matches!(item.kind, Kind::Unit(_)))
}

/// `[X; n]`
pub(super) fn list(ty: &Type, count: usize) -> Type {
    Type { kind: TypeKind::Array(count, Box::new(ty.kind.clone())), tokens: ty.tokens.clone() }
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
