//! The value of a name.

use proc_macro2::Ident;

use super::functions::find;
use super::reader::Reader;
use crate::check::names::Sort;
use crate::check::scope::Local;
use crate::check::values::Value;
use crate::diagnostics::{Id, Message};
use crate::parse::words;

impl Reader<'_> {
    /// Is it a name here?
    pub(super) fn is_declared(&self, name: &str) -> bool {
        self.here.local(name).is_some() || self.global(name).is_some()
    }

    /// Names in scope, innermost first.
    pub(super) fn in_scope(&self) -> impl Iterator<Item = &str> {
        self.here.locals.iter().rev().map(|(n, _)| n.as_str()).chain(self.names.all_below(&self.scope().prefix))
    }

    /// The value of a name.
    pub(crate) fn lookup(&mut self, ident: &Ident) -> Value {
        let name = ident.to_string();
        match self.here.local(&name) {
            Some(Local::Value(value)) => return value.clone(),
            Some(Local::Index(i)) => {
                let i = *i as f64;
                return self.number(i);
            }
            None => {}
        }
        let position = self.here.place.position;
        let Some(global) = self.global(&name) else { return self.constant_or_unknown(ident, &name) };
        let key = self.key(&name);
        let early = global.sort == Sort::Let && global.item >= position;
        let waits = global.value.is_none() && self.names.pending.contains_key(&key);
        match (&global.value, global.sort) {
            (_, Sort::Broken) => Value::Poison,
            (_, Sort::Output) if self.here.place.outputs => self.force(&key),
            (_, Sort::Output) => {
                let message =
                    Message::new(Id::M0127, ident, format!("`{name}` is an output and cannot be read by the model"))
                        .help("name the expression with `let` and use it in both places");
                self.wrong(message)
            }
            (_, Sort::List) => self.part_of_list(&key, ident, (&[], &[]), ident),
            (_, Sort::Function) => {
                let message = Message::new(Id::M0123, ident, format!("`{name}` is a function, not a value"))
                    .help(format!("call it: `{name}(..)`"));
                self.wrong(message)
            }
            _ if early => {
                let message = words::used_early(ident, global.ident.span());
                self.wrong(message)
            }
            (Some(value), _) => value.clone(),
            (None, Sort::Sub) => {
                let message = Message::new(Id::M0123, ident, format!("`{name}` is a sub-model, not a value"))
                    .help(format!("name what is meant: `{name}.x`"));
                self.wrong(message)
            }
            (None, _) if waits => self.force(&key),
            (None, _) => Value::Poison,
        }
    }

    /// `t`, `PI`, `TAU`, or M0101.
    fn constant_or_unknown(&mut self, ident: &Ident, name: &str) -> Value {
        match name {
            "t" => self.time(),
            "PI" => self.number(std::f64::consts::PI),
            "TAU" => self.number(std::f64::consts::TAU),
            _ if find(name).is_some() => {
                let message = Message::new(Id::M0123, ident, format!("`{name}` is a function, not a value"))
                    .help(format!("call it: `{name}(..)`"));
                self.wrong(message)
            }
            _ => {
                let message = self.unknown_name(ident, name);
                self.wrong(message)
            }
        }
    }
}
