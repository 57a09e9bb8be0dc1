//! Names: what is declared, what is in scope, and what a wrong name was meant to be.

use std::collections::BTreeMap;

use proc_macro2::Ident;

use super::Checker;
use super::scope::Subs;
use super::value::Value;
use crate::diagnostics::{Id, Message, location, similar};

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    Param,
    Coord,
    Velocity,
    State,
    Mode,
    Algebraic,
    Input,
    Output,
    Let,
    Function,
    /// a sub-model
    Sub,
    /// declared with a mistake, already reported
    Broken,
}

impl Sort {
    /// The word for messages.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Sort::Param => "param",
            Sort::Coord => "coordinate",
            Sort::Velocity => "velocity",
            Sort::State => "state",
            Sort::Mode => "mode",
            Sort::Algebraic => "algebraic variable",
            Sort::Input => "input",
            Sort::Output => "output",
            Sort::Let => "`let`",
            Sort::Function => "function",
            Sort::Sub => "sub",
            Sort::Broken => "name",
        }
    }
}

/// A name of the whole model.
pub(crate) struct Global {
    /// the user's token
    pub(crate) ident: Ident,
    /// what it stands for
    pub(crate) sort: Sort,
    /// number of its item in the text
    pub(crate) item: usize,
    /// its value; `None` where it has none or is not known yet
    pub(crate) value: Option<Value>,
}

/// A name of a loop, block or function.
#[derive(Clone)]
pub(crate) enum Local {
    /// a `let` or an argument
    Value(Value),
    /// a loop's index
    Index(i64),
}

/// All names in scope.
#[derive(Default)]
pub(crate) struct Names {
    globals: BTreeMap<String, Global>,
    /// subs by whole name
    pub(crate) subs: BTreeMap<String, Subs>,
    /// names in the order of the text, for suggestions that do not depend on the alphabet
    order: Vec<String>,
}

impl Names {
    /// Adds a name; `Err` with the earlier one if there is one.
    pub(crate) fn declare(&mut self, name: String, global: Global) -> Result<(), &Global> {
        if self.globals.contains_key(&name) {
            return self.globals.get(&name).map_or(Ok(()), Err);
        }
        self.order.push(name.clone());
        self.globals.insert(name, global);
        Ok(())
    }

    /// A name of any scope.
    pub(crate) fn whole(&self, key: &str) -> Option<&Global> {
        self.globals.get(key)
    }

    /// Gives a name of any scope its value.
    pub(crate) fn set_whole(&mut self, key: &str, value: Value) {
        if let Some(global) = self.globals.get_mut(key) {
            global.value = Some(value);
        }
    }

    /// Names of a scope, without what stands before them.
    pub(crate) fn all_below(&self, prefix: &str) -> impl Iterator<Item = &str> {
        self.order.iter().filter_map(move |key| key.strip_prefix(prefix)).filter(|n| !n.contains('.'))
    }

    /// Names of a scope that others may see, without what stands before them.
    pub(crate) fn below(&self, prefix: &str) -> impl Iterator<Item = &str> {
        let seen = |key: &&String| {
            self.globals.get(*key).is_some_and(|g| !matches!(g.sort, Sort::Let | Sort::Function | Sort::Broken))
        };
        let prefix = prefix.to_owned();
        self.order.iter().filter(seen).filter_map(move |key| key.strip_prefix(&prefix)).filter(|n| !n.contains('.'))
    }
}

impl Checker<'_> {
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
        let waits = global.value.is_none() && self.pending.contains_key(&key);
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

    /// Is the name what an `init` or `guess` is for?
    fn starts(&self, name: &str) -> bool {
        let item = &self.here.place.item;
        item.strip_prefix("init ").or_else(|| item.strip_prefix("guess ")) == Some(name)
    }

    fn unknown_name(&self, ident: &Ident, name: &str) -> Message {
        let message = Message::new(Id::M0101, ident, format!("cannot find `{name}` in this model"));
        if self.constraints.contains_key(&self.key(name)) {
            return message.help(format!("`{name}` is a constraint; its multiplier is `{name}.lambda`"));
        }
        let Some(near) = similar(name, self.in_scope()) else {
            return match name {
                _ if self.starts(name) => match self.draft.coordinates.iter().find(|q| q.velocity.is_none()) {
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
