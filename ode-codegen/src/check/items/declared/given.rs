//! The values that a model gives its subs: parameters by `with`, inputs by `bind`.

use proc_macro2::Ident;
use syn::Expr;

use super::bind::Bindings;
use super::register::register;
use crate::check::names::Sort;
use crate::check::read::Reader;
use crate::check::scope::{Here, Own, Place};
use crate::check::values::Value;
use crate::check::waiting::{Pending, Wanted};
use crate::diagnostics::{Id, Message, compact, listed, similar, text};
use crate::identifier::bare;
use crate::parse::ast::{self, Declare, Kind, Role, Sub};
use crate::parse::sub;

/// M0809: fields of `with` are parameters, once each.
pub(super) fn given_twice(r: &mut Reader<'_>, sub: &Sub) {
    for (k, (name, _)) in sub.with.iter().enumerate() {
        if sub.with[..k].iter().any(|(n, _)| n == name) {
            r.report(Message::new(Id::M0809, name, format!("parameter `{name}` is given twice")));
        }
    }
}

/// M0809: fields of `with` are parameters of the sub.
pub(super) fn unknown_params(r: &mut Reader<'_>, sub: &Sub, scope: usize) {
    let model = r.scopes[scope].ast;
    let free = |p: &ast::Field<'_>| !model.options.freeze.holds(p.ident);
    let params: Vec<String> = model.params().filter(free).map(|p| bare(p.ident)).collect();
    for (name, _) in &sub.with {
        if params.contains(&bare(name)) {
            continue;
        }
        let near =
            similar(&name.to_string(), params.iter().map(String::as_str)).map(|p| format!("did you mean `{p}`?"));
        let mut message =
            Message::new(Id::M0809, name, format!("`{}` has no param `{name}`", sub.child())).maybe_help(near);
        if declared(model, &name.to_string()).is_some_and(|d| d.role == Role::Input) {
            message = message.help(format!("it is an input: `bind {}.{name} = ..;`", sub.name));
        } else {
            let listed = listed(&name.to_string(), params.iter().map(String::as_str));
            message = message.maybe_help(listed.map(|params| format!("its params are {params}")));
        }
        r.report(message);
    }
}

/// The declaration of a name in a model.
fn declared<'b>(model: &'b ast::Model, name: &str) -> Option<&'b Declare> {
    model.items.iter().find_map(|item| match &item.kind {
        Kind::Declare(d) if d.names.iter().any(|n| n.ident == name) => Some(d),
        _ => None,
    })
}

/// The input or parameter is given by the surrounding model: it is declared, but is not one of the whole model's own.
pub(super) fn supplied<'a>(
    r: &mut Reader<'a>,
    bindings: &mut Bindings<'a>,
    d: &'a Declare,
    name: &'a ast::Name,
    position: usize,
) -> bool {
    let frozen = d.role == Role::Param && r.scope().ast.options.freeze.holds(&name.ident);
    if r.here.scope == 0 || frozen {
        return false;
    }
    let key = r.key(&name.ident.to_string());
    let sort = match d.role {
        Role::Param => Sort::Param,
        Role::Input => Sort::Input,
        _ => return false,
    };
    let (scope, parent) = (r.here.scope, r.scope().parent);
    let pending = match d.role {
        Role::Param => match given(r, &name.ident) {
            Some(expr) if !sub::is_constant(expr) => {
                if parent == 0 {
                    let top = r.scopes[scope].top;
                    r.scopes[top].params.push(Own::Given(key.clone()));
                }
                let kind = Some(Wanted::Given(expr, d, scope));
                let all = r.scopes[parent].ast.items.len();
                let item = format!("bind {key}");
                let place = Place { item, position: all, accelerations: true, ..Place::default() };
                Pending { kind, here: Here { scope: parent, place, ..Here::default() }, lets: Vec::new() }
            }
            _ => return false,
        },
        _ => match bindings.bound(&key, d, scope) {
            Some(pending) => pending,
            None => {
                unbound(r, d, &name.ident, &key);
                register(r, &name.ident, Sort::Broken, position, Some(Value::Poison));
                return true;
            }
        },
    };
    if register(r, &name.ident, sort, position, None) {
        r.names.pending.insert(key, pending);
    }
    true
}

/// The expression `with` gives a parameter.
pub(super) fn given<'a>(r: &Reader<'a>, name: &Ident) -> Option<&'a Expr> {
    sub::given(r.scope().with, name)
}

/// M0805
fn unbound(r: &mut Reader<'_>, d: &Declare, name: &Ident, key: &str) {
    let sub = key.rsplit_once('.').map_or("", |(sub, _)| sub).to_owned();
    let unit = d.unit.as_ref().map_or(String::new(), |u| format!(" [{}]", compact(&u.tokens)));
    let ty = if d.ty.tokens.is_empty() { "Real".to_owned() } else { text(&d.ty.tokens) };
    let own = format!("input {name}: {ty}{unit}; bind {sub}.{name} = {name};");
    let at = r.scope().anchor.as_ref().map(|a| a.tokens.clone()).unwrap_or_default();
    let message = Message::new(Id::M0805, at, format!("input `{name}` of sub `{sub}` is not bound"));
    let message = match sub.rsplit_once('[') {
        Some((array, "0]")) => {
            let n = r.names.subs.get(array).map_or(0, |s| s.scopes.len());
            message.help(format!("bind it in each: `for i in 0..{n} {{ bind {array}[i].{name} = ..; }}`"))
        }
        _ => message.help(format!("`bind {sub}.{name} = ..;` or forward it: `{own}`")),
    };
    r.reports.report(message);
}
