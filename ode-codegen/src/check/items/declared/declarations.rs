//! The names of a model and of its subs, before anything is read.

use proc_macro2::Ident;

use super::bind::bindings;
use super::declare::declare;
use super::declaring::Declaring;
use super::external::external;
use super::freeze::freezable;
use super::given::{given_twice, unknown_params};
use super::members::{complete, member, members};
use super::register::{add_broken, register, waits};
use super::reserved;
use crate::check::names::{Multiplier, Sort};
use crate::check::read::Reader;
use crate::check::reports::Doubts;
use crate::check::values::{Unit, Value};
use crate::check::waiting::Wanted;
use crate::diagnostics::{Id, Message};
use crate::model::Shape;
use crate::parse::ast::{self, Declare, Item, Kind, Sub};
use crate::parse::words;

/// Adds every name of the model, in the order of the text, and gives coordinates, states, inputs and parameters
/// their symbols.
pub(crate) fn declarations<'a>(r: &mut Reader<'a>, at: &mut Declaring<'a, '_>, ast: &'a ast::Model) {
    freezable(r, ast);
    bindings(r, at.bindings, ast);
    for (position, item) in ast.items.iter().enumerate() {
        match &item.kind {
            Kind::Sub(part) => scopes(r, at, part, position),
            Kind::Declare(d) => {
                for name in &d.names {
                    declare(r, at, d, name, item, position, ast);
                }
            }
            Kind::Let(binding) if !binding.indices.is_empty() => {
                let allows: Vec<String> = ast.allows.iter().chain(&item.allows).cloned().collect();
                member(r, binding, position, allows, &[]);
            }
            Kind::Let(binding) => {
                let added = register(r, &binding.name, Sort::Let, position, None);
                if added {
                    waits(r, &binding.name, Wanted::Let(binding), position, ast, item);
                }
            }
            Kind::Function(function) => {
                let added = register(r, &function.name, Sort::Function, position, None);
                if added {
                    r.names.functions.insert(r.key(&function.name.to_string()), (position, function));
                }
            }
            Kind::External(item) => {
                let known = external(r, item);
                let sort = if known { Sort::Function } else { Sort::Broken };
                register(r, &item.name, sort, position, None);
            }
            Kind::Constraint(constraint) => {
                let key = ("constraint", r.key(&constraint.name.to_string()));
                r.names.labels.entry(key).or_insert(constraint.name.span());
            }
            Kind::For(each) => {
                nested(r, each, position);
                members(r, each, position, &ast.allows, &[]);
            }
            Kind::Broken(names) => broken(r, item, names, position),
            _ => {}
        }
    }
    complete(r);
}

/// The names of an item with a mistake, so that their uses are not reported too.
fn broken(r: &mut Reader<'_>, item: &Item, names: &[Ident], position: usize) {
    doubt(r, &item.keyword.to_string());
    for name in names {
        // The multiplier of a constraint with a mistake has an unknown shape.
        let broken = Multiplier { first: 0, shape: Shape::Scalar, unit: Unit::Unknown, broken: true, algebraic: false };
        if item.keyword == "constraint" {
            r.names.multipliers.insert(r.key(&name.to_string()), broken);
        } else {
            let ident = name.clone();
            add_broken(r, ident, position);
        }
    }
}

/// The possible content of an item with a mistake.
fn doubt(r: &mut Reader<'_>, keyword: &str) {
    let silent = matches!(keyword, "input" | "output" | "limit" | "require" | "cost" | "init" | "guess" | "gravity");
    r.reports.doubts.inertia |= !silent;
    r.reports.doubts.constraints |= !silent;
    r.reports.doubts.rates |=
        keyword == "der" || keyword == "balance" || keyword == "for" || words::is_unknown(keyword);
    r.reports.doubts.coordinates |= matches!(keyword, "coord" | "state") || words::is_unknown(keyword);
}

/// Declarations are not allowed in a loop: a literal array does the same.
fn nested(r: &mut Reader<'_>, each: &ast::For, position: usize) {
    for item in &each.items {
        match &item.kind {
            Kind::Declare(d) => {
                let word = item.keyword.to_string();
                let message =
                    Message::new(Id::M0128, &item.keyword, format!("a `{word}` cannot be declared in a loop")).help(
                        format!(
                            "declare an array outside: `{word} {}: [Real; {}];`",
                            names(d),
                            each.range.clone().count()
                        ),
                    );
                r.report(message);
                for name in &d.names {
                    let ident = name.ident.clone();
                    add_broken(r, ident, position);
                }
            }
            Kind::Function(_) | Kind::External(_) | Kind::Unit(_) | Kind::Sub(_) => {
                r.report(
                    Message::new(Id::M0128, &item.keyword, "this cannot be declared in a loop").help("move it out"),
                );
            }
            Kind::For(each) => nested(r, each, position),
            Kind::Broken(names) => broken(r, item, names, position),
            _ => {}
        }
    }
}

fn names(d: &Declare) -> String {
    let names: Vec<String> = d.names.iter().map(|n| n.ident.to_string()).collect();
    names.join(", ")
}

/// The names of a sub, below its own.
fn scopes<'a>(r: &mut Reader<'a>, at: &mut Declaring<'a, '_>, sub: &'a Sub, position: usize) {
    if r.here.scope == 0 {
        reserved::field(r, "sub", &sub.name);
    }
    let scopes = r.names.subs.get(&r.key(&sub.name.to_string())).map(|s| s.scopes.clone()).unwrap_or_default();
    let broken = scopes.is_empty();
    let sort = if broken { Sort::Broken } else { Sort::Sub };
    if !register(r, &sub.name, sort, position, broken.then_some(Value::Poison)) || broken {
        r.reports.doubts = Doubts::all();
        return;
    }
    given_twice(r, sub);
    for scope in scopes {
        let mistakes = r.reports.count();
        let child = r.scopes[scope].ast;
        r.scopes[scope].declared = true;
        r.within(scope, |r| declarations(r, at, child));
        unknown_params(r, sub, scope);
        // A mistake in one element is in all of them.
        if r.reports.count() > mistakes {
            r.reports.doubts = Doubts::all();
            return;
        }
    }
}
