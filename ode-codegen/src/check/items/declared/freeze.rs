//! `#[model(freeze(..))]`: parameters that are constants of the code.

use proc_macro2::Ident;

use super::default::constant;
use crate::check::read::Reader;
use crate::check::values::{Unit, Value, shaped};
use crate::diagnostics::{Id, Message, similar};
use crate::model::Declared;
use crate::parse::ast::{self, Declare, Item, Kind, Role};

/// The default of a frozen parameter, which is all there is of it; M0906 if it has none.
pub(super) fn frozen(r: &mut Reader<'_>, d: &Declare, declared: &Declared, unit: Unit, scale: f64) -> Value {
    let name = &declared.ident;
    let Some(written) = &d.value else {
        let message = Message::new(Id::M0906, name, format!("`{name}` is frozen and has no default"))
            .help("give it one, or take it out of `freeze`");
        return r.wrong(message);
    };
    match constant(r, written, declared, unit, scale) {
        Some(numbers) => {
            let mut nodes = numbers.into_iter().map(|x| r.graph.constant(x)).collect::<Vec<_>>().into_iter();
            shaped(&declared.shape, &mut nodes, unit)
        }
        None => Value::Poison,
    }
}

/// M0906: only parameters can be frozen.
pub(super) fn freezable(r: &mut Reader<'_>, ast: &ast::Model) {
    let declared = |item: &Item| match &item.kind {
        Kind::Declare(d) if d.role == Role::Param => d.names.iter().map(|n| n.ident.to_string()).collect(),
        Kind::Broken(names) => names.iter().map(Ident::to_string).collect(),
        _ => Vec::new(),
    };
    let known: Vec<String> = ast.items.iter().flat_map(declared).collect();
    for name in &ast.options.freeze.names {
        let word = name.to_string();
        if !known.contains(&word) {
            let near = similar(&word, known.iter().map(String::as_str)).map_or_else(
                || "params with a default can be frozen: `param k: Real = 2.0;`".to_owned(),
                |n| format!("did you mean `{n}`?"),
            );
            let message =
                Message::new(Id::M0906, name, format!("cannot freeze `{word}`: this model has no such param"));
            r.report(message.help(near));
        }
    }
}
