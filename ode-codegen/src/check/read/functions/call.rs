//! Calls: of the functions of the language, of those of the model, and of external ones.

use quote::ToTokens;
use syn::{Expr, ExprCall, ExprMethodCall};

use super::arguments::{Call, VECTORS, count};
use super::elementary;
use super::table::{LIBRARIES, ROWS, Rule, elsewhere, find};
use crate::check::names::Sort;
use crate::check::read::reader::Reader;
use crate::check::read::unknown::rate_behind;
use crate::check::scope::Local;
use crate::check::values::Value;
use crate::diagnostics::{Id, Message, similar, text};
use crate::model::Shape;
use crate::parse::{ast, words};

impl Reader<'_> {
    /// `f(a, b)`
    pub(crate) fn call(&mut self, e: &ExprCall, whole: &Expr) -> Value {
        let Expr::Path(path) = &*e.func else {
            let help = match &*e.func {
                Expr::Paren(inner) if matches!(&*inner.expr, Expr::Closure(_)) => {
                    "call one by name: `sin(x)`".to_owned()
                }
                Expr::Lit(_) | Expr::Paren(_) => format!("a product is `{} * (..)`", text(&e.func)),
                _ => "call one by name: `sin(x)`".to_owned(),
            };
            let message = Message::new(Id::M0124, &e.func, "only functions can be called").help(help);
            return self.wrong(message);
        };
        let Some(name) = path.path.get_ident() else {
            let last = path.path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
            let name = text(&path.path);
            let message = foreign(&path.path, &name, &last).unwrap_or_else(|| unknown(&path.path, &name));
            return self.wrong(message);
        };
        self.apply(&Call { name, args: e.args.iter().collect(), whole }, false)
    }

    /// `a.f(b)`
    pub(crate) fn method(&mut self, e: &ExprMethodCall, whole: &Expr) -> Value {
        if let Expr::Path(path) = &*e.receiver
            && path.path.get_ident().is_some_and(|i| LIBRARIES.iter().any(|l| i == l && self.global(l).is_none()))
            && let Some(message) = foreign(&e.receiver, &format!("{}.{}", text(path), e.method), &e.method.to_string())
        {
            return self.wrong(message);
        }
        let args = std::iter::once(&*e.receiver).chain(e.args.iter()).collect();
        self.apply(&Call { name: &e.method, args, whole }, true)
    }

    fn apply(&mut self, call: &Call<'_>, method: bool) -> Value {
        let name = call.name.to_string();
        if !method && let Some((item, function)) = self.names.functions.get(&self.key(&name)).copied() {
            return self.inline(call, item, function);
        }
        if !method && let Some(known) = self.names.externals.get(&self.key(&name)).copied() {
            return self.invoke(call, known);
        }
        let Some(row) = find(&name) else { return self.unknown_function(call, &name, method) };
        if !(row.arity.0..=row.arity.1).contains(&call.args.len()) {
            let (wants, has) = (row.arity.0, call.args.len());
            let message = Message::new(Id::M0122, call.whole, format!("`{name}` takes {}, found {has}", count(wants)))
                .help(format!("write `{}`", row.form));
            let message = if name == "vec" { message.help(VECTORS) } else { message };
            let alone = call.args.first().filter(|_| method && has == 1);
            return self.wrong(message.maybe_help(alone.and_then(|of| rate_behind(&text(of), &name))));
        }
        match row.rule {
            Rule::Written(rule) => rule(self, call),
            Rule::Values(rule) => {
                let values: Vec<Value> = call.args.iter().map(|a| self.eval(a)).collect();
                if values.iter().any(Value::is_poison) {
                    return Value::Poison;
                }
                rule(self, call, &values)
            }
            Rule::Plain(function) => elementary::plain(self, call, function),
        }
    }

    fn unknown_function(&mut self, call: &Call<'_>, name: &str, method: bool) -> Value {
        if name == "sum" {
            let sum = "`output all: Real = sum(nodes, |i| m[i]);`";
            let instead = format!(
                "outputs, figures and constraints beside the loops read sums over sets, {sum}, and an energy stands in \
                 a loop"
            );
            let message = words::refuse(call.name, name, "sums outside of outputs, figures and constraints", &instead);
            return self.wrong(message);
        }
        if self.global(name).is_some_and(|g| g.sort == Sort::Broken) {
            return Value::Poison;
        }
        if !method && self.is_declared(name) {
            let message = Message::new(Id::M0112, call.name, format!("`{name}` is a value, not a function"))
                .help(self.instead_of_call(call, name));
            return self.wrong(message);
        }
        // A mistake in the receiver explains the method better.
        if method && call.args.first().is_some_and(|receiver| self.eval(receiver).is_poison()) {
            return Value::Poison;
        }
        let own = self
            .names
            .functions
            .keys()
            .chain(self.names.externals.keys())
            .filter_map(|k| k.strip_prefix(&self.scope().prefix));
        let known: Vec<&str> = ROWS.iter().map(|r| r.name).chain(own).collect();
        let near = similar(name, known).map(|n| format!("did you mean `{n}`?"));
        let message = match (method, elsewhere(name).or(near)) {
            (true, help) => {
                Message::new(Id::M0113, call.name, format!("no method `{name}` in model expressions")).maybe_help(help)
            }
            (false, Some(help)) => {
                Message::new(Id::M0111, call.name, format!("unknown function `{name}` in a model expression"))
                    .help(help)
            }
            (false, None) => unknown(call.name, name),
        };
        self.wrong(message)
    }

    /// What a call of a value was meant to be: an element, `x(t)`, `x(0)`, or a product.
    fn instead_of_call(&self, call: &Call<'_>, name: &str) -> String {
        let value = match self.here.local(name) {
            Some(Local::Value(value)) => Some(value),
            _ => self.global(name).and_then(|global| global.value.as_ref()),
        };
        let written: Vec<String> = call.args.iter().map(text).collect();
        let is_list = self.here.local(name).is_none() && self.global(name).is_some_and(|g| g.sort == Sort::List);
        let scalar = match value {
            _ if is_list => false,
            Some(Value::List(_)) => false,
            Some(Value::Quantity(q)) => q.shape == Shape::Scalar,
            _ => true,
        };
        match written.as_slice() {
            [at] if at == "t" || (scalar && matches!(at.as_str(), "0" | "0.0")) => {
                format!("write `{name}`: it is the value at the time, and in an `init` at the start")
            }
            _ if !scalar => format!("an element is `{name}[{}]`", written.join("][")),
            _ => format!("a product is `{name} * (..)`"),
        }
    }

    /// A function of the model: its body with the arguments in place of its names.
    fn inline(&mut self, call: &Call<'_>, item: usize, function: &ast::Function) -> Value {
        let values: Vec<Value> = call.args.iter().map(|a| self.eval_adaptable(a)).collect();
        let name = self.key(&function.name.to_string());
        if self.calls.contains(&name) {
            let message = Message::new(Id::M0126, call.whole, format!("function `{name}` calls itself"))
                .note("functions are inlined; a recursive one has no end");
            return self.wrong(message);
        }
        if values.len() != function.args.len() {
            let what = format!("`{name}` takes {}, found {}", count(function.args.len()), values.len());
            let message = Message::new(Id::M0122, call.whole, what);
            return self.wrong(message);
        }
        let mut locals = Vec::new();
        for ((argument, value), written) in function.args.iter().zip(values).zip(&call.args) {
            let value = self.argument(argument, value, written);
            locals.push((argument.name.to_string(), Local::Value(value)));
        }
        let outer = std::mem::replace(&mut self.here.locals, locals);
        let position = std::mem::replace(&mut self.here.place.position, item);
        self.calls.push(name);
        let value = self.block(&function.body);
        self.calls.pop();
        self.here.place.position = position;
        self.here.locals = outer;
        self.declared_value(value, Some(&function.ty), function.unit.as_ref(), &function.name, &function.body)
    }

    fn argument(&mut self, argument: &ast::Argument, value: Value, written: &Expr) -> Value {
        let Some(shape) = argument.ty.shape() else { return Value::Poison };
        let value = self.expect_shape(value, &shape, written);
        // Without a unit the argument may have any.
        let Some(unit) = &argument.unit else { return value };
        let unit = self.read_unit(unit);
        if value.is_poison() || value.unit().unify(unit).is_some() {
            return value;
        }
        let what = format!("argument `{}` has unit [{unit}], but this has unit [{}]", argument.name, value.unit());
        let message = Message::new(Id::M0507, written, what);
        self.wrong(message)
    }
}

/// A known function behind the name of a library.
fn foreign(at: &dyn ToTokens, name: &str, last: &str) -> Option<Message> {
    let here = find(last).map(|row| format!("write `{}`", row.form)).or_else(|| elsewhere(name).or(elsewhere(last)))?;
    let what = format!("unknown function `{name}` in a model expression");
    Some(Message::new(Id::M0112, at.to_token_stream(), what).help(here))
}

fn unknown(at: &dyn ToTokens, name: &str) -> Message {
    let last = name.rsplit("::").next().unwrap_or(name);
    Message::new(Id::M0112, at.to_token_stream(), format!("unknown function `{name}` in a model expression"))
        .help(format!("declare it in the model: `fn {last}(x: Real) -> Real {{ .. }}`"))
        .help(format!(
            "or call your own Rust function, generic over the scalar: `extern fn {last}(x: Real) -> Real {{ dual: path::to::{last} }}`"
        ))
}
