//! Values that are evaluated on demand, whatever the order of the text.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::Expr;

use super::plain::mend;
use super::reader::Reader;
use crate::check::names::Sort;
use crate::check::scope::Local;
use crate::check::values::{Dimension, Unit, Value};
use crate::check::waiting::{Pending, Wanted};
use crate::diagnostics::{Id, Message, with_article};
use crate::expr::Symbol;
use crate::parse::ast::{self, Declare, Item, Role};

impl Reader<'_> {
    /// The value of a name that is evaluated on demand. A name that depends on itself is M0806.
    pub(crate) fn force(&mut self, key: &str) -> Value {
        if let Some(value) = self.names.whole(key).and_then(|g| g.value.clone()) {
            return value;
        }
        let Some(pending) = self.names.pending.get(key).cloned() else { return Value::Poison };
        let value = self.demanded(key, pending);
        self.names.set_whole(key, value.clone());
        value
    }

    /// The value of what waits under a key, which must not be under evaluation already.
    pub(super) fn demanded(&mut self, key: &str, pending: Pending<'_>) -> Value {
        if self.asked.iter().any(|(k, _)| k == key) {
            self.algebraic_loop(key);
            return Value::Poison;
        }
        let at = match &pending.kind {
            Some(Wanted::Given(expr, ..)) if pending.here.scope == 0 => Some((*expr).to_token_stream()),
            _ => None,
        };
        self.asked.push((key.to_owned(), at));
        let Pending { kind, here, lets } = pending;
        let value = self.at(here, |r| {
            for outer in lets {
                let value = r.binding(outer);
                r.here.locals.push((outer.name.to_string(), Local::Value(value)));
            }
            match kind {
                Some(Wanted::Let(wanted)) => r.binding(wanted),
                Some(Wanted::Output(declare, item, name)) => exported(r, declare, item, name),
                Some(Wanted::Given(expr, declare, scope)) => given(r, key, expr, declare, scope),
                None => Value::Poison,
            }
        });
        self.asked.pop();
        value
    }

    /// M0806
    fn algebraic_loop(&mut self, key: &str) {
        let from = self.asked.iter().position(|(k, _)| k == key).unwrap_or_default();
        let round = &self.asked[from..];
        let at = round.iter().find_map(|(_, at)| at.clone()).unwrap_or_default();
        // what is written in the models, their `let`s apart
        let seen = |k: &&str| self.names.whole(k).is_some_and(|g| g.sort != Sort::Let);
        let mut names: Vec<&str> = round.iter().map(|(k, _)| k.as_str()).filter(seen).collect();
        names.extend(names.first().copied());
        let message = Message::new(Id::M0806, at, format!("algebraic loop: {}", names.join(" -> ")))
            .note("outputs that depend on inputs directly cannot be bound in a cycle")
            .help("break it with a `state`, or solve for the value");
        self.reports.report(message);
    }

    /// The value of `let a = e;`.
    pub(crate) fn binding(&mut self, binding: &ast::Let) -> Value {
        // Its users must not use accelerations where they are not known.
        self.here.place.accelerations = true;
        let value = self.eval(&binding.value);
        self.declared_value(value, binding.ty.as_ref(), binding.unit.as_ref(), &binding.name, &binding.value)
    }
}

/// The value of an output.
fn exported(r: &mut Reader<'_>, d: &Declare, item: &Item, name: &Ident) -> Value {
    let Some(written) = &d.value else {
        let message = Message::new(Id::M0009, name, format!("output `{name}` has no value"))
            .help(format!("write `output {name}: Real = ..;`"));
        return r.wrong(message);
    };
    let value = r.eval(written);
    let value = r.declared_value(value, Some(&d.ty), d.unit.as_ref(), name, written);
    if value.is_poison() || value.shape().is_some() || item.port {
        return port(r, item, name, value, written);
    }
    let what = format!("{} cannot be an output", with_article(&value.name()));
    let help = match value {
        Value::Rotation(_) => "output its vector `log_so3(r)` or a direction `r.rotate(v)`",
        Value::Frame3(_) => "output its `.origin`, `.rate` or a direction `b.vec(v)`",
        _ => "output its `.origin` or `.angle`",
    };
    let message = Message::new(Id::M0509, written, what).help(help).help("a `#[port]` may be one, for parent models");
    r.wrong(message)
}

/// M0813: a port must be a position.
fn port(r: &mut Reader<'_>, item: &Item, name: &Ident, value: Value, written: &Expr) -> Value {
    let position = |s: Symbol| matches!(s, Symbol::Q(_) | Symbol::P(_) | Symbol::Time);
    if item.port && r.graph.any_depends(&value.nodes(), |s| !position(s)) {
        let message = Message::new(Id::M0813, written, format!("port `{name}` is not a position"))
            .note("constraints and forces attach to a port, so it may depend only on coordinates, parameters and time")
            .help("drop `#[port]`: any output can be read");
        return r.wrong(message);
    }
    value
}

/// The value of a bound input or given parameter: read in the scope that writes it, in the shape and unit of its
/// declaration.
fn given(r: &mut Reader<'_>, key: &str, expr: &Expr, d: &Declare, scope: usize) -> Value {
    let value = r.eval_adaptable(expr);
    let Some(shape) = d.ty.shape() else { return Value::Poison };
    let value = r.expect_shape(value, &shape, expr);
    if value.is_poison() {
        return value;
    }
    let unit = r.within(scope, |r| unit_of(r, d));
    if value.measured().iter().any(|(_, has)| has.unify(unit).is_none()) {
        let has = value.unit();
        let what = format!("`{key}` has unit [{unit}], but this has unit [{has}]");
        return r.wrong(mend(Message::new(Id::M0507, expr, what), expr, has, unit));
    }
    if d.role == Role::Param && r.graph.any_depends(&value.scalars(), |s| !matches!(s, Symbol::P(_))) {
        let message = Message::new(Id::M0809, expr, format!("`{key}` may depend only on parameters"))
            .note("a parameter does not change during a run")
            .help("make it an input of the sub, and `bind` it");
        return r.wrong(message);
    }
    value
}

/// The unit of a declaration, in SI.
fn unit_of(r: &mut Reader<'_>, d: &Declare) -> Unit {
    match &d.unit {
        Some(unit) => r.read_scaled(unit).0,
        None => r.unit(Dimension::ONE),
    }
}
