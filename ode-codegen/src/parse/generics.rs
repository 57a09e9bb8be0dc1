//! Generics of the struct: its scalar, and lengths of sets.

use syn::{ConstParam, GenericParam, Generics, Type};

use super::ast::{self, Kind, Length};
use super::{sets, words};
use crate::diagnostics::{Errors, Id, Message, text};
use crate::identifier::is_keyword;

use super::input::keyword;

/// The scalar and the const generics; others are refused by name.
pub(super) fn read(generics: &Generics, model: &mut ast::Model, errors: &mut Errors) {
    for param in &generics.params {
        match param {
            GenericParam::Type(ty) if is_keyword(&ty.ident.to_string()) => {
                errors.report(keyword(&ty.ident, "type parameter"));
            }
            GenericParam::Type(ty) if model.scalar.is_none() => {
                model.scalar = Some(ty.ident.clone());
                model.lengths.before = model.lengths.params.len();
            }
            GenericParam::Type(ty) => {
                errors.report(words::refuse(&ty.ident, &ty.ident.to_string(), "second type parameters", ""));
            }
            GenericParam::Const(length) => match self::length(length, model) {
                Ok(()) => model.lengths.params.push(length.clone()),
                Err(message) => errors.report(message),
            },
            GenericParam::Lifetime(l) => {
                errors.report(
                    Message::new(Id::M0007, l, "a model is plain data and borrows nothing").help("drop the lifetime"),
                );
            }
        }
    }
    if let Some(scalar) = &model.scalar {
        // one that stands before it has been compared
        if let Some(twice) = model.lengths.params.iter().find(|length| length.ident == *scalar) {
            errors.report(twice_declared(twice));
            model.lengths.params.retain(|length| length.ident != *scalar);
            model.lengths.before = model.lengths.before.min(model.lengths.params.len());
        }
    }
    if let Some(clause) = &generics.where_clause {
        errors.report(words::refuse(clause, "where", "bounds of one's own", "the macro adds `T: Scalar` itself"));
    }
}

/// A const generic: a length in upper case, which no name of the generated code is.
fn length(param: &ConstParam, model: &ast::Model) -> Result<(), Message> {
    let (name, ty) = (&param.ident, text(&param.ty));
    let letters = name.to_string();
    if is_keyword(&letters) {
        return Err(keyword(name, "length"));
    }
    if !matches!(&param.ty, Type::Path(path) if path.path.is_ident("usize")) {
        let message = Message::new(Id::M0107, &param.ty, format!("`{name}` is a `{ty}`, and a length is a `usize`"));
        return Err(message.help(format!("write `const {name}: usize`")));
    }
    let upper = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    if !letters.starts_with(|c: char| c.is_ascii_uppercase()) || !letters.chars().all(upper) {
        let message =
            Message::new(Id::M0106, name, format!("length `{name}` may collide with a name of the generated API"));
        return Err(message.help("write it in upper case: `const N: usize`"));
    }
    match model.lengths.params.iter().any(|other| other.ident == *name) {
        true => Err(twice_declared(param)),
        false => Ok(()),
    }
}

fn twice_declared(length: &ConstParam) -> Message {
    Message::new(Id::M0102, &length.ident, format!("`{}` is declared twice", length.ident))
}

/// Each const generic is the length of a set (M0900); nothing is said beside a set with mistakes.
pub(super) fn used(model: &ast::Model, errors: &mut Errors) {
    let broken = |item: &ast::Item| matches!(item.kind, Kind::Broken(_)) && item.keyword == "set";
    if model.items.iter().any(broken) {
        return;
    }
    let is = |item: &ast::Item, name: &syn::Ident| match &item.kind {
        Kind::Set(sets::Set { length: Some(Length::Named(of)), .. }) => of == name,
        _ => false,
    };
    for ident in model.lengths.params.iter().map(|length| &length.ident) {
        if !model.items.iter().any(|item| is(item, ident)) {
            let instead = format!(
                "`set nodes: const {ident};` is a set of that length; or write the number: `[Real; 4]`, `for i in 0..4`"
            );
            let what = "const generics that are the length of no set";
            errors.report(words::refuse(ident, &ident.to_string(), what, &instead));
        }
    }
}
