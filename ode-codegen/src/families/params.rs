//! The parameters of the whole.

use std::collections::BTreeMap;

use proc_macro2::Ident;

use super::Families;
use super::pieces::Piece;
use super::reading::placed;
use super::subs::Part;
use super::text::{model, units};
use crate::identifier::bare;
use crate::model::{Model, Param};
use crate::parse::ast;
use crate::parse::sub::is_constant;
use ast::{Item, Kind, Role};

/// The parameters of the whole, each as that of one member.
pub(super) fn params(ast: &ast::Model, pieces: &[Piece]) -> ast::Model {
    let (mut items, mut subs): (Vec<Item>, Vec<Item>) = (units(pieces).collect(), Vec::new());
    for mut item in pieces.iter().flat_map(|piece| piece.items.iter().cloned()) {
        match &mut item.kind {
            Kind::Declare(d) if d.role == Role::Param => {
                d.names.iter_mut().for_each(|name| name.over = None);
                items.push(item);
            }
            // a parameter that an expression gives is read without it here, and `named` leaves it out
            Kind::Sub(sub) => {
                sub.with.retain(|(_, value)| is_constant(value));
                placed(sub, 1, false);
                subs.push(item);
            }
            _ => {}
        }
    }
    items.extend(subs);
    let mut params = model(ast, "Params", items);
    params.options.freeze = ast.options.freeze.clone();
    let read = |kind: &Kind| match kind {
        Kind::Declare(d) => d.role == Role::Param,
        Kind::Let(_) | Kind::Function(_) | Kind::External(_) | Kind::Unit(_) | Kind::Sub(_) | Kind::Bind(_) => true,
        _ => false,
    };
    for child in params.children.iter_mut().filter_map(|child| child.model.as_mut()) {
        child.items.retain(|item| read(&item.kind));
    }
    params
}

/// Parameters under the names of the whole, with what is shown of them; their sets.
pub(super) fn named(params: &mut Model, families: &Families, parts: &[Part<'_>]) -> Vec<Option<usize>> {
    let mut known = BTreeMap::new();
    for part in parts {
        for inner in part.inner.iter().filter(|inner| inner.declare.role == Role::Param) {
            let own = part.placed(inner, part.set.map(|_| 0));
            let name = &inner.name.ident;
            known.insert(bare(&own), (part.spelled(inner, name), part.shown(inner, name), part.set));
        }
    }
    let given = |params: &Model, own: &Ident| params.nested(own) && !known.contains_key(&bare(own));
    let (mut all, mut over) = (std::mem::take(&mut params.declared.params), Vec::new());
    all.retain(|param| !given(params, &param.declared.ident));
    for Param { declared, .. } in &mut all {
        let (name, shown, set) = known.remove(&bare(&declared.ident)).unwrap_or_else(|| {
            let (name, set) = (declared.ident.clone(), families.get(&bare(&declared.ident)).copied());
            let shown = bare(&name) + if set.is_some() { "[#0]" } else { "" };
            (name, shown, set)
        });
        params.declared.shown.insert(bare(&name), shown);
        declared.ident = name;
        over.push(set);
    }
    params.declared.params = all;
    over
}
