//! Generics of the struct: its scalar, and lengths of sets.

use proc_macro2::Ident;
use syn::{ConstParam, GenericParam, Generics, Type};

use super::ast::{self, Kind, Length};
use super::input::keyword;
use super::{sets, words};
use crate::diagnostics::{Errors, Id, Message, similar, text};
use crate::identifier::is_keyword;

/// The scalar and the const generics; others are refused by name.
pub(super) fn read(generics: &Generics, model: &mut ast::Model, errors: &mut Errors) {
    for param in &generics.params {
        match param {
            GenericParam::Type(ty) if is_keyword(&ty.ident.to_string()) => {
                errors.report(keyword(&ty.ident, "type parameter"));
            }
            GenericParam::Type(ty) if model.lengths.params.iter().any(|length| length.ident == ty.ident) => {
                errors.report(twice(&ty.ident));
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
                Err(message) => {
                    errors.report(message);
                    model.lengths.refused.push(length.ident.clone());
                }
            },
            GenericParam::Lifetime(l) => {
                errors.report(
                    Message::new(Id::M0007, l, "a model is plain data and borrows nothing").help("drop the lifetime"),
                );
            }
        }
    }
    if let Some(clause) = &generics.where_clause {
        errors.report(words::refuse(clause, "where", "bounds of one's own", "the macro adds `T: Scalar` itself"));
    }
}

/// A const generic: a length in upper case, which no local name of the generated code is.
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
    let mut earlier = model.lengths.params.iter().map(|length| &length.ident).chain(&model.scalar);
    if earlier.any(|earlier| earlier == name) { Err(twice(name)) } else { Ok(()) }
}

fn twice(name: &Ident) -> Message {
    Message::new(Id::M0102, name, format!("`{name}` is declared twice"))
}

/// Each length with a name is a const generic (M0704), and each const generic a length (M0900).
pub(super) fn used(model: &ast::Model, errors: &mut Errors) {
    let lengths = &model.lengths;
    let known = || lengths.params.iter().map(|length| &length.ident);
    let named = model.items.iter().filter_map(|item| match &item.kind {
        Kind::Set(sets::Set { name, length: Some(Length::Named(length)), .. }) => Some((name, length)),
        _ => None,
    });
    let unknown = named.clone().filter(|(_, length)| !known().chain(&lengths.refused).any(|known| known == *length));
    let before = errors.len();
    for (set, length) in unknown {
        let names: Vec<String> = known().map(Ident::to_string).collect();
        let near = similar(&length.to_string(), names.iter().map(String::as_str));
        let declared = || {
            let scalar = model.scalar.as_ref().map_or_else(String::new, |t| format!("{t}, "));
            format!(
                "declare it, `struct {}<{scalar}const N: usize>`, or write the number: `set {set}: const 4;`",
                text(&model.name)
            )
        };
        let help = near.map_or_else(declared, |near| format!("did you mean `{near}`?"));
        let what = format!("length `{length}` is no const generic of this struct");
        errors.report(Message::new(Id::M0704, length, what).help(help));
    }
    // a set with mistakes may have had it
    if errors.len() > before || model.items.iter().any(sets::is_broken) {
        return;
    }
    // one that stands where a set does is told there
    let mistaken = model.items.iter().filter_map(|item| match &item.kind {
        Kind::Set(set) => Some(&set.of),
        _ => None,
    });
    let read = named.map(|(_, length)| length).chain(mistaken.flatten());
    for ident in known().filter(|ident| !read.clone().any(|length| length == *ident)) {
        let instead = format!(
            "`set nodes: const {ident};` is a set of that length; or write the number: `[Real; 4]`, `for i in 0..4`"
        );
        let what = "const generics that are the length of no set";
        errors.report(words::refuse(ident, &ident.to_string(), what, &instead));
    }
}
