//! `{ field: value, … }` of an item.

use proc_macro2::Ident;
use syn::Expr;

use super::energy::expect_unit;
use crate::check::read::Reader;
use crate::check::values::{Dimension, Quantity, Value};
use crate::diagnostics::{Id, Message, similar};
use crate::expr::Node;
use crate::model::Shape;
use crate::parse::ast::Bodied;

/// The fields between the braces: known, complete, once each.
pub(super) fn fields(
    r: &mut Reader<'_>,
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
                r.report(Message::new(Id::M0211, name, format!("field `{name}` is given twice")));
                complete = false;
            }
            Some((k, _)) => found.push((k, value.clone())),
            None => {
                unknown_field(r, name, word, known);
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
            r.report(message);
            complete = false;
        }
    }
    complete.then_some(found)
}

fn unknown_field(r: &mut Reader<'_>, name: &Ident, word: &str, known: &[(&'static str, bool)]) {
    let names: Vec<&str> = known.iter().map(|(k, _)| *k).collect();
    let near = similar(&name.to_string(), names.iter().copied()).map(|k| format!("did you mean `{k}`?"));
    let message = Message::new(Id::M0211, name, format!("a {word} has no field `{name}`"))
        .maybe_help(near)
        .help(format!("fields: {}", names.join(", ")));
    r.report(message);
}

/// A field as one number: `None` after a mistake, `Some(None)` if it is not given.
pub(super) fn number(
    r: &mut Reader<'_>,
    item: &Bodied,
    fields: &[(&'static str, Expr)],
    name: &str,
    wanted: Dimension,
) -> Option<Option<Node>> {
    let Some((_, written)) = fields.iter().find(|(f, _)| *f == name) else { return Some(None) };
    let value = r.eval_adaptable(written);
    if let (Value::Quantity(Quantity { shape: Shape::Matrix(..), .. }), "inertia") = (&value, name) {
        let message = Message::new(Id::M0509, written, format!("expected Real, found {}", value.name()))
            .note("a planar body turns about one axis")
            .help("a body in space sits on `frame(p, r)`");
        r.report(message);
        return None;
    }
    let (node, unit) = r.expect_scalar(&value, written)?;
    r.without_accelerations(&[node], written)?;
    expect_unit(r, &format!("`{name}` of `{}`", item.name), unit, wanted, written)?;
    Some(Some(node))
}
