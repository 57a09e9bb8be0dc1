//! Members of lists, `tip[2]`: their values, and who may read them.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::Expr;

use super::plain::mend;
use super::reader::Reader;
use crate::check::lists::spelled;
use crate::check::values::{Unit, Value};
use crate::diagnostics::{Id, Message, location};
use crate::parse::ast::Let;

impl Reader<'_> {
    /// The member of a list that an expression names, or a row of members; `None` if it names none.
    pub(super) fn listed(&mut self, expr: &Expr) -> Option<Value> {
        let mut written = Vec::new();
        let mut base = expr;
        while let Expr::Index(e) = base {
            written.push(&*e.index);
            base = &e.expr;
        }
        written.reverse();
        let Expr::Path(path) = base else { return None };
        let name = path.path.get_ident()?;
        if self.here.place.constant || self.here.local(&name.to_string()).is_some() {
            return None;
        }
        let key = self.key(&name.to_string());
        self.names.lists.get(&key).filter(|list| written.len() <= list.depth)?;
        let at: Option<Vec<i64>> = written.iter().map(|index| self.index(index)).collect();
        Some(at.map_or(Value::Poison, |at| self.part_of_list(&key, name, (&at, &written), expr)))
    }

    /// What a list has at these first indices, which are written so: a member, or all below them.
    pub(super) fn part_of_list(
        &mut self,
        key: &str,
        name: &Ident,
        (at, written): (&[i64], &[&Expr]),
        expr: &dyn ToTokens,
    ) -> Value {
        let Some(list) = self.names.lists.get(key) else { return Value::Poison };
        if list.broken {
            return Value::Poison;
        }
        let found = list.below(at);
        let Some(last) = found.iter().max().copied() else { return self.out_of_list(key, name, at, written) };
        if let Some(late) = found.iter().map(|&k| &list.members[k]).find(|m| !self.here.follows(&m.pending.here)) {
            let (of, place) = (spelled(&name.to_string(), &late.at), location(late.binding.name.span()));
            let same = late.pending.here.place.position == self.here.place.position;
            let message =
                Message::new(Id::M0104, expr.to_token_stream(), format!("`{of}` is used before it is defined"))
                    .note(format!("it is defined at {place}"))
                    .help(match same {
                        true => "a round may read what earlier rounds have defined",
                        false => "move what reads it down",
                    });
            return self.wrong(message);
        }
        // In the order of the text, so that a long recurrence is no deep recursion.
        let known = list.known;
        for k in known..=last {
            self.evaluated(key, k, found.contains(&k));
        }
        // Many members at once count as many expressions.
        if at.len() < self.names.lists.get(key).map_or(0, |list| list.depth) && !found.iter().all(|_| self.step(name)) {
            return Value::Poison;
        }
        self.gathered(key, at, &found)
    }

    /// The values below these indices, as nested lists.
    fn gathered(&self, key: &str, at: &[i64], found: &[usize]) -> Value {
        let Some(list) = self.names.lists.get(key).filter(|list| !list.broken) else { return Value::Poison };
        let level = at.len();
        match found {
            [one] if level == list.depth => list.members[*one].value.clone().unwrap_or(Value::Poison),
            all => {
                let rows = all.chunk_by(|a, b| list.members[*a].at[level] == list.members[*b].at[level]);
                let row = |row: &[usize]| self.gathered(key, &list.members[row[0]].at[..=level], row);
                Value::List(rows.map(row).collect())
            }
        }
    }

    /// M0510
    fn out_of_list(&mut self, key: &str, name: &Ident, at: &[i64], written: &[&Expr]) -> Value {
        let Some(list) = self.names.lists.get(key) else { return Value::Poison };
        let Some(level) = (0..at.len()).find(|&level| list.below(&at[..=level]).is_empty()) else {
            return Value::Poison;
        };
        let (of, n, i) = (spelled(&name.to_string(), &at[..level]), list.length(&at[..level]), at[level]);
        let own = list.members.iter().any(|m| m.pending.here.place.position == self.here.place.position);
        let message =
            Message::new(Id::M0510, written[level], format!("`{of}` has {n} members; index {i} is out of range"))
                .note("the first member has index 0");
        self.wrong(match own && i < 0 {
            true => message.help("begin by the index: `if i == 0 { .. } else { .. }`; only one branch is read"),
            false => message,
        })
    }

    /// A member is evaluated, unless it is already. One that is being evaluated is a mistake only where it is wanted.
    fn evaluated(&mut self, key: &str, k: usize, wanted: bool) {
        let Some(list) = self.names.lists.get(key).filter(|list| !list.broken) else { return };
        let Some(member) = list.members.get(k).filter(|member| member.value.is_none()) else { return };
        let asked = spelled(key, &member.at);
        if !wanted && self.asked.iter().any(|(waiting, _)| *waiting == asked) {
            return;
        }
        let (binding, pending) = (member.binding, member.pending.clone());
        let here = pending.here.clone();
        let value = self.demanded(&asked, pending);
        self.at(here, |r| r.keep(key, k, value, binding));
    }

    /// `let tip[i] = e;` where it stands.
    pub(crate) fn define(&mut self, binding: &Let) {
        let key = self.key(&binding.name.to_string());
        let at: Option<Vec<i64>> = binding.indices.iter().map(|index| self.known_index(index)).collect();
        let (Some(at), Some(list)) = (at, self.names.lists.get(&key).filter(|list| !list.broken)) else { return };
        let Some(&k) = list.below(&at).first().filter(|k| list.members[**k].value.is_none()) else { return };
        self.asked.push((spelled(&key, &at), None));
        let value = self.binding(binding);
        self.asked.pop();
        self.keep(&key, k, value, binding);
    }

    /// A member's value, if it has the shape and unit of the others.
    fn keep(&mut self, key: &str, k: usize, value: Value, binding: &Let) {
        let Some(list) = self.names.lists.get(key) else { return };
        let wrong = match &list.like {
            Some((other, like)) if !value.is_poison() => {
                let name = binding.name.to_string();
                let names = (spelled(&name, &list.members[k].at), spelled(&name, &list.members[*other].at));
                unlike(&names, &value, like, binding)
            }
            _ => None,
        };
        let value = wrong.map_or(value, |message| self.wrong(message));
        let Some(list) = self.names.lists.get_mut(key) else { return };
        list.broken |= value.is_poison();
        if list.like.as_ref().is_none_or(|(_, like)| like.unit() == Unit::Any) {
            list.like = Some((k, value.clone()));
        }
        list.members[k].value = Some(value);
        while list.members.get(list.known).is_some_and(|member| member.value.is_some()) {
            list.known += 1;
        }
    }
}

/// M0509, M0501: what a member has that another one has not.
fn unlike((own, other): &(String, String), value: &Value, like: &Value, binding: &Let) -> Option<Message> {
    if value.name() != like.name() || value.shape() != like.shape() {
        let what = format!("`{own}` is {}, and `{other}` is {}", value.name(), like.name());
        return Some(
            Message::new(Id::M0509, &binding.value, what).note("the members of a list have one shape and one unit"),
        );
    }
    let pairs = || value.measured().into_iter().zip(like.measured()).map(|((_, a), (_, b))| (a, b));
    let (has, wanted) = pairs().chain([(value.unit(), like.unit())]).find(|(a, b)| a.unify(*b).is_none())?;
    let what = format!("`{own}` has unit [{has}], and `{other}` has unit [{wanted}]");
    let message =
        Message::new(Id::M0501, &binding.value, what).note("the members of a list have one shape and one unit");
    Some(mend(message, &binding.value, has, wanted))
}
