//! Names that are added to those of the model.

use proc_macro2::Ident;

use crate::check::names::{Global, Sort};
use crate::check::read::Reader;
use crate::check::scope::{Here, Place};
use crate::check::values::Value;
use crate::check::waiting::{Pending, Wanted};
use crate::diagnostics::{Id, Message, location};
use crate::parse::ast::{self, Item};

/// Adds a name; M0102, M0103 if it cannot be added.
pub(super) fn register(r: &mut Reader<'_>, ident: &Ident, sort: Sort, item: usize, value: Option<Value>) -> bool {
    if ident == "t" {
        let message = Message::new(Id::M0103, ident, "`t` is reserved for time and cannot be declared")
            .help("rename it, e.g. `tau`, `th` or `temp`");
        r.report(message);
        return false;
    }
    let key = r.key(&ident.to_string());
    match r.names.declare(key, Global { ident: ident.clone(), sort, item, value }) {
        Ok(()) => true,
        Err(earlier) => {
            let place = location(earlier.ident.span());
            let message = Message::new(Id::M0102, ident, format!("`{ident}` is declared twice in this model"))
                .note(format!("previous declaration at {place}"));
            let help = || format!("an output has a name of its own: `output y = {ident};`");
            r.report(message.maybe_help((sort == Sort::Output).then(help)));
            false
        }
    }
}

/// A name without a value, unless it is known already.
pub(super) fn add_broken(r: &mut Reader<'_>, ident: Ident, item: usize) {
    let key = r.key(&ident.to_string());
    let _ = r.names.declare(key, Global { ident, sort: Sort::Broken, item, value: Some(Value::Poison) });
}

/// The value of a name is evaluated when it is asked for.
pub(super) fn waits<'a>(
    r: &mut Reader<'a>,
    name: &Ident,
    wanted: Wanted<'a>,
    position: usize,
    ast: &'a ast::Model,
    item: &'a Item,
) {
    let allows = ast.allows.iter().chain(&item.allows).cloned().collect();
    let item = match &wanted {
        Wanted::Let(_) => format!("let {name}"),
        Wanted::Output(..) => format!("output {name}"),
        Wanted::Given(..) => format!("bind {name}"),
    };
    let place = Place { item, position, accelerations: true, outputs: false, allows, constant: false };
    let here = Here { scope: r.here.scope, place, ..Here::default() };
    let pending = Pending { kind: Some(wanted), here, lets: Vec::new() };
    r.names.pending.insert(r.key(&name.to_string()), pending);
}
