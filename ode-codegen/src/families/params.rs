//! The parameters and modes of the whole.

use std::collections::BTreeMap;

use proc_macro2::Ident;

use super::Families;
use super::pieces::Piece;
use super::reading::placed;
use super::subs::Part;
use super::text::{model, units};
use crate::identifier::bare;
use crate::model::{Declarations, Declared, Model};
use crate::parse::ast;
use crate::parse::sub::is_constant;
use ast::{Item, Kind, Role};

/// The parameters and modes of the whole, each as that of one member.
pub(super) fn params(ast: &ast::Model, pieces: &[Piece<'_>]) -> ast::Model {
    let (mut items, mut subs): (Vec<Item>, Vec<Item>) = (units(pieces).collect(), Vec::new());
    for mut item in pieces.iter().flat_map(|piece| piece.items.iter().cloned()) {
        match &mut item.kind {
            Kind::Declare(d) if is_given(d.role) => {
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
        Kind::Declare(d) => is_given(d.role),
        Kind::Let(_) | Kind::Function(_) | Kind::External(_) | Kind::Unit(_) | Kind::Sub(_) | Kind::Bind(_) => true,
        _ => false,
    };
    for child in params.children.iter_mut().filter_map(|child| child.model.as_mut()) {
        child.items.retain(|item| read(&item.kind));
        child.texts.clear();
    }
    params
}

fn is_given(role: Role) -> bool {
    matches!(role, Role::Param | Role::Mode)
}

/// The sets of parameters and modes, in their order; `None` of ordinary ones.
#[derive(Default)]
pub(crate) struct Over {
    pub(crate) params: Vec<Option<usize>>,
    pub(crate) modes: Vec<Option<usize>>,
}

/// Parameters and modes under the names of the whole, with what is shown of them; their sets.
pub(super) fn named(params: &mut Model, families: &Families, parts: &[Part<'_>]) -> Over {
    let mut known = BTreeMap::new();
    for part in parts {
        for inner in part.inner.iter().filter(|inner| is_given(inner.declare.role)) {
            let own = part.placed(inner, part.set.map(|_| 0));
            let name = &inner.name.ident;
            known.insert(bare(&own), (part.spelled(inner, name), part.shown(inner, name), part.set));
        }
    }
    let given = |params: &Model, own: &Ident| params.nested(own) && !known.contains_key(&bare(own));
    let mut all = std::mem::take(&mut params.declared.params);
    all.retain(|param| !given(params, &param.declared.ident));
    params.declared.params = all;
    let Declarations { params, modes, shown, .. } = &mut params.declared;
    let mut name = |declared: &mut Declared| {
        let (name, text, set) = known.remove(&bare(&declared.ident)).unwrap_or_else(|| {
            let (name, set) = (declared.ident.clone(), families.get(&bare(&declared.ident)).copied());
            let text = bare(&name) + if set.is_some() { "[#0]" } else { "" };
            (name, text, set)
        });
        shown.insert(bare(&name), text);
        declared.ident = name;
        set
    };
    Over {
        params: params.iter_mut().map(|param| name(&mut param.declared)).collect(),
        modes: modes.iter_mut().map(|mode| name(&mut mode.declared)).collect(),
    }
}
