//! `{ field: value, … }` of an item.

use proc_macro2::Ident;
use syn::Expr;

use super::super::Checker;
use crate::diagnostics::{Id, Message, similar};

/// The fields between the braces: known, complete, once each.
pub(super) fn fields(
    c: &mut Checker<'_>,
    word: &str,
    item: &Ident,
    given: &[(Ident, Expr)],
    known: &[(&'static str, bool)],
) -> Option<Vec<(&'static str, Expr)>> {
    let mut found: Vec<(&'static str, Expr)> = Vec::new();
    let mut complete = true;
    for (name, value) in given {
        let spelling = name.to_string();
        match known.iter().find(|(k, _)| *k == spelling) {
            Some((k, _)) if found.iter().any(|(f, _)| f == k) => {
                c.report(Message::new(Id::M0211, name, format!("field `{name}` is given twice")));
                complete = false;
            }
            Some((k, _)) => found.push((k, value.clone())),
            None => {
                unknown_field(c, name, word, known);
                complete = false;
            }
        }
    }
    for (name, _) in known.iter().filter(|(_, needed)| *needed) {
        if complete && !found.iter().any(|(f, _)| f == name) {
            let message = Message::new(Id::M0211, item, format!("{word} `{item}` has no `{name}`"));
            let message = if *name == "inertia" {
                message.help("write `inertia: 0.0` for a point mass; in space it is a matrix, `diag(a, b, c)`")
            } else {
                message
            };
            c.report(message);
            complete = false;
        }
    }
    complete.then_some(found)
}

fn unknown_field(c: &mut Checker<'_>, name: &Ident, word: &str, known: &[(&'static str, bool)]) {
    let names: Vec<&str> = known.iter().map(|(k, _)| *k).collect();
    let near = similar(&name.to_string(), names.iter().copied()).map(|k| format!("did you mean `{k}`?"));
    let message = Message::new(Id::M0211, name, format!("a {word} has no field `{name}`"))
        .maybe_help(near)
        .help(format!("fields: {}", names.join(", ")));
    c.report(message);
}
