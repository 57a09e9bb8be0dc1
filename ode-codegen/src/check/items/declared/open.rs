//! The scopes of a model's subs, each with the model that it is of.

use quote::ToTokens;

use super::unit::units;
use crate::check::names::Subs;
use crate::check::read::Reader;
use crate::check::scope::Scope;
use crate::diagnostics::{Anchor, Id, Message, text};
use crate::identifier::bare;
use crate::model::Order;
use crate::parse::ast::{self, Kind, Role, Sub};

/// Opens the scopes of a model's subs, and of theirs.
pub(crate) fn open<'a>(r: &mut Reader<'a>, ast: &'a ast::Model) {
    for item in &ast.items {
        let Kind::Sub(sub) = &item.kind else { continue };
        if r.names.subs.contains_key(&r.key(&sub.name.to_string())) {
            continue;
        }
        let Some(child) = sound(r, ast, sub) else { continue };
        let mut opened = Vec::new();
        for k in 0..sub.count.unwrap_or(1) {
            let index = sub.count.map_or(String::new(), |_| format!("[{k}]"));
            opened.push(open_one(r, child, sub, &index));
            if !r.step(&item.keyword) {
                break;
            }
        }
        let key = r.key(&sub.name.to_string());
        r.names.subs.insert(key, Subs { scopes: opened.clone(), array: sub.count.is_some() });
        for scope in opened {
            r.within(scope, |r| open(r, child));
        }
    }
}

fn open_one<'a>(r: &mut Reader<'a>, child: &'a ast::Model, sub: &'a ast::Sub, index: &str) -> usize {
    let (parent, own) = (r.here.scope, r.scopes.len());
    let prefix = format!("{}{}{index}.", r.scope().prefix, bare(&sub.name));
    // of members of a set there is one in the text, and here a list of them
    let shown = prefix.trim_end_matches('.');
    let shown = if sub.over.is_some() { shown.trim_end_matches(index) } else { shown }.to_owned();
    let anchor = r.scopes[parent].anchor.clone().unwrap_or_else(|| Anchor {
        tokens: sub.name.to_token_stream(),
        sub: String::new(),
        model: String::new(),
    });
    let anchor = Some(Anchor { sub: shown, model: sub.child(), ..anchor });
    let top = if parent == 0 { own } else { r.scopes[parent].top };
    let scope = Scope { prefix, parent, top, anchor, with: &sub.with, ..Scope::of(child) };
    r.scopes.push(scope);
    r.within(own, |r| units(r, child));
    own
}

/// The model of a sub, if nothing is wrong with it.
fn sound<'a>(r: &mut Reader<'_>, ast: &'a ast::Model, sub: &'a Sub) -> Option<&'a ast::Model> {
    let sound = known(r, ast, sub) && scalar(r, ast, sub) && order(r, ast, sub);
    ast.child(sub).and_then(|child| child.model.as_ref()).filter(|_| sound)
}

/// M0224: first-order and second-order models cannot be mixed.
fn order(r: &mut Reader<'_>, ast: &ast::Model, sub: &Sub) -> bool {
    let Some(child) = ast.child(sub).and_then(|r| r.model.as_ref()) else { return false };
    let moves = child.items.iter().any(|i| matches!(&i.kind, Kind::Declare(d) if d.role == Role::Coord));
    if !moves || (child.options.order == Order::First) == r.first_order {
        return true;
    }
    let (own, other) = if r.first_order { ("first", "second") } else { ("second", "first") };
    let what = format!("`{}` is a {other}-order model, but this one is {own}-order", sub.child());
    let message = Message::new(Id::M0224, &sub.ty, what).help("write `#[model(order = 1)]` on both or on none");
    r.report(message);
    false
}

/// Whether there is a model to read. A model with mistakes reports them where it is written.
fn known(r: &mut Reader<'_>, ast: &ast::Model, sub: &Sub) -> bool {
    match ast.known(sub) {
        Ok(_) => return true,
        Err(Some(message)) => r.report(message),
        Err(None) => r.reports.silent = true,
    }
    false
}

/// M0811: parent and child compute in one scalar.
fn scalar(r: &mut Reader<'_>, ast: &ast::Model, sub: &Sub) -> bool {
    let Some(child) = ast.child(sub).and_then(|r| r.model.as_ref()) else { return false };
    let (path, argument) = (text(&sub.path), sub.argument());
    let wanted = match (&ast.scalar, &child.scalar) {
        (Some(t), Some(_)) => Some(t.to_string()),
        (None, Some(_)) if argument.as_deref() == Some("f64") => return true,
        (Some(t), None) => {
            let what = format!("`{path}` computes in f64, and this model in `{t}`");
            let help = format!("declare it for any scalar: `struct {}<T>`", sub.child());
            r.report(Message::new(Id::M0811, &sub.ty, what).help(help));
            return false;
        }
        (None, _) => None,
    };
    if argument == wanted {
        return true;
    }
    let right = wanted.as_ref().map_or(path.clone(), |t| format!("{path}<{t}>"));
    let what = format!("sub `{}` computes in the scalar of this model", sub.name);
    r.report(Message::new(Id::M0811, &sub.ty, what).help(format!("write `{right}`")));
    false
}
