//! The value of a name, and what a wrong name was meant to be.

use proc_macro2::Ident;

use super::reader::Reader;
use crate::check::names::Sort;
use crate::check::scope::Local;
use crate::check::values::Value;
use crate::diagnostics::{Id, Message, location, similar};

impl Reader<'_> {
    /// Names in scope, innermost first.
    fn in_scope(&self) -> impl Iterator<Item = &str> {
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
            (_, Sort::Output) => {
                let message =
                    Message::new(Id::M0127, ident, format!("`{name}` is an output and cannot be read by the model"))
                        .help("name the expression with `let` and use it in both places");
                self.wrong(message)
            }
            (_, Sort::Function) => {
                let message = Message::new(Id::M0123, ident, format!("`{name}` is a function, not a value"))
                    .help(format!("call it: `{name}(..)`"));
                self.wrong(message)
            }
            _ if early => {
                let place = location(global.ident.span());
                let message = Message::new(Id::M0104, ident, format!("`{name}` is used before it is declared"))
                    .note(format!("it is declared at {place}; move the `let` up"));
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
            _ => {
                let message = self.unknown_name(ident, name);
                self.wrong(message)
            }
        }
    }

    /// Whether an `init` or `guess` is for this name.
    fn starts(&self, name: &str) -> bool {
        let item = &self.here.place.item;
        item.strip_prefix("init ").or_else(|| item.strip_prefix("guess ")) == Some(name)
    }

    fn unknown_name(&self, ident: &Ident, name: &str) -> Message {
        let message = Message::new(Id::M0101, ident, format!("cannot find `{name}` in this model"));
        if self.names.multipliers.contains_key(&self.key(name)) {
            return message.help(format!("`{name}` is a constraint; its multiplier is `{name}.lambda`"));
        }
        let Some(near) = similar(name, self.in_scope()) else {
            return match name {
                _ if self.starts(name) => match self.declared.coordinates.iter().find(|q| q.velocity.is_none()) {
                    Some(q) => {
                        let q = &q.declared.ident;
                        message.help(format!("a velocity is `der({q})`; or name it: `coord ({q}, {name})`"))
                    }
                    None => message.help("only coordinates and their velocities start somewhere"),
                },
                "pi" | "Pi" => message.help("did you mean `PI`?"),
                "T" | "time" => message.help("did you mean `t`, the time?"),
                _ => message.help(format!("declare it: `param {name}: Real = 1.0;` or `let {name} = ..;`")),
            };
        };
        match self.global(near) {
            Some(global) => {
                let (sort, place) = (global.sort.word(), location(global.ident.span()));
                message.help(format!("a {sort} with a similar name exists: `{near}` (declared at {place})"))
            }
            None => message.help(format!("a name here is similar: `{near}`")),
        }
    }
}
