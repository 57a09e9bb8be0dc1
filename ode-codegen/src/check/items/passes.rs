//! The passes over the items of a model.

use super::balance::settled;
use super::body::body;
use super::collisions::{collisions, module};
use super::declared::{Bindings, Declaring, Hints, declarations, fields, open, targets, units};
use super::fix::fixed;
use super::gravity::gravity;
use super::look::plain;
use super::outputs::deferred;
use super::start::overridden;
use crate::check::draft::Draft;
use crate::check::read::Reader;
use crate::parse::ast;

/// Every item, in an order in which each can be understood.
pub(crate) fn read<'a>(r: &mut Reader<'a>, ast: &'a ast::Model, hints: &Hints) -> Draft<'a> {
    let mut draft = Draft::default();
    units(r, ast);
    open(r, ast);
    let mut bindings = Bindings::default();
    declarations(r, &mut Declaring { hints, bindings: &mut bindings, silenced: &mut draft.silenced }, ast);
    targets(r, &bindings);
    body(r, &mut draft, ast);
    if !ast.element {
        settled(&mut draft, &r.declared);
    }
    gravity(r, &mut draft.bodies, &mut draft.energies.potential);
    overridden(r, &mut draft.starts);
    let (fixes, later) = (std::mem::take(&mut draft.fixes), std::mem::take(&mut draft.later));
    fixed(r, &mut draft.constraints, &mut draft.starts, fixes);
    deferred(r, &mut draft.observed, later);
    if ast.options.show {
        plain(r, &mut draft.observed.picture, &draft.bodies, &draft.springs);
    }
    collisions(r, &draft);
    if let Some(name) = &ast.name {
        module(r, name);
    }
    fields(r, ast);
    draft
}
