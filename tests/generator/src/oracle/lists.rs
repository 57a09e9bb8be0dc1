//! Lists whose members `let`s define.

use std::collections::BTreeMap;
use std::rc::Rc;

use ode_codegen::phases::parse::ast::{Item, Kind};
use syn::Expr;

use super::declare::{bare, is_local, with_index, with_let};
use super::{Entry, Env, Oracle, Point, Value, Written};

impl<'a> Oracle<'a> {
    /// Declares the members that items define, in loops too.
    pub(super) fn members(&mut self, items: &'a [Item], env: &Rc<Env<'a>>) {
        let mut env = env.clone();
        for item in items {
            match &item.kind {
                Kind::Let(binding) if is_local(&env, binding) => env = with_let(&env, binding),
                Kind::Let(binding) if !binding.indices.is_empty() => {
                    let at: Vec<i64> = binding.indices.iter().map(|index| self.index(index, &env)).collect();
                    let text = Entry::Text(Written { env: env.clone(), text: &binding.value });
                    let names = &mut self.scopes[env.scope].names;
                    let list = names.entry(bare(&binding.name)).or_insert_with(|| Entry::Members(BTreeMap::new()));
                    let Entry::Members(all) = list else { panic!("{} is no list", binding.name) };
                    all.insert(at, text);
                }
                Kind::For(each) => {
                    for i in each.range.clone() {
                        self.members(&each.items, &with_index(&env, &each.index, i));
                    }
                }
                _ => {}
            }
        }
    }

    /// The member that an expression names, or a row of them.
    pub(super) fn listed(&self, expr: &'a Expr, env: &Rc<Env<'a>>, at: &Point) -> Option<Value> {
        let (mut indices, mut base) = (Vec::new(), expr);
        while let Expr::Index(e) = base {
            indices.insert(0, self.index(&e.index, env));
            base = &e.expr;
        }
        match self.member(base, env)? {
            Entry::Members(all) if all.keys().next().is_some_and(|key| indices.len() <= key.len()) => {
                Some(self.gathered(all, &indices, at))
            }
            _ => None,
        }
    }

    /// All members whose indices begin like this, as nested lists.
    pub(super) fn gathered(&self, all: &BTreeMap<Vec<i64>, Entry<'a>>, first: &[i64], at: &Point) -> Value {
        if let Some(entry) = all.get(first) {
            return self.entry("a member", entry, at);
        }
        let mut next: Vec<i64> = all.keys().filter(|key| key.starts_with(first)).map(|key| key[first.len()]).collect();
        next.dedup();
        Value::List(next.into_iter().map(|i| self.gathered(all, &[first, &[i]].concat(), at)).collect())
    }
}
