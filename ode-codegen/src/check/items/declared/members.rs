//! The members of lists: which `let`s with an index there are, before any of them is read.

use super::register::register;
use crate::check::lists::{List, Member, spelled};
use crate::check::names::Sort;
use crate::check::read::Reader;
use crate::check::reports::Doubts;
use crate::check::scope::{Here, Place};
use crate::check::waiting::{Pending, Wanted};
use crate::diagnostics::{Id, Message, location};
use crate::parse::ast::{self, Kind, Let};

/// The members that a loop defines; `lets` are the names of the loops around it.
pub(super) fn members<'a>(
    r: &mut Reader<'a>,
    each: &'a ast::For,
    position: usize,
    allows: &[String],
    lets: &[&'a Let],
) {
    if !each.any(|kind| matches!(kind, Kind::Let(binding) if !binding.indices.is_empty())) {
        return;
    }
    r.rounds(each, |r, item| match &item.kind {
        Kind::Let(binding) if !binding.indices.is_empty() => {
            let allows = allows.iter().chain(&item.allows).cloned().collect();
            member(r, binding, position, allows, &r.lets_above(each, lets));
        }
        Kind::For(inner) => members(r, inner, position, allows, &r.lets_above(each, lets)),
        _ => {}
    });
}

/// The member that one `let` defines where it stands.
pub(super) fn member<'a>(r: &mut Reader<'a>, binding: &'a Let, position: usize, allows: Vec<String>, lets: &[&'a Let]) {
    let name = binding.name.to_string();
    let key = r.key(&name);
    if !r.names.lists.contains_key(&key) {
        let is_broken = r.names.whole(&key).is_some_and(|global| global.sort == Sort::Broken);
        if is_broken || !register(r, &binding.name, Sort::List, position, None) {
            return;
        }
        r.names.lists.insert(key.clone(), List::of_depth(binding.indices.len()));
    }
    let Some(at) = indices(r, binding) else { return give_up(r, &key) };
    let place = Place { item: format!("let {name}"), position, accelerations: true, allows, ..Place::default() };
    let here = Here { place, ..r.here.clone() };
    let pending = Pending { kind: Some(Wanted::Let(binding)), here, lets: lets.to_vec() };
    let Some(list) = r.names.lists.get_mut(&key) else { return };
    if list.depth != at.len() {
        let other = list.members.first().map_or(String::new(), |m| location(m.binding.name.span()));
        let (wants, has) = (list.depth, at.len());
        let what = format!("a member of `{name}` has {wants} of these brackets, and {has} here");
        let message = Message::new(Id::M0510, &binding.name, what).note(format!("the first one is defined at {other}"));
        r.report(message);
        return give_up(r, &key);
    }
    let shown = spelled(&name, &at);
    if let Err(earlier) = list.add(Member { at, binding, pending, value: None }) {
        let place = location(earlier.binding.name.span());
        let same = std::ptr::eq(earlier.binding, binding);
        let message = Message::new(Id::M0102, binding.indices.last(), format!("`{shown}` is defined twice"));
        let message = match same {
            true => message.help(format!("each round defines a member of its own: `let {name}[i] = ..;`")),
            false => message.note(format!("previous definition at {place}")),
        };
        r.report(message);
        give_up(r, &key);
    }
}

/// Which member a `let` defines, as known numbers.
fn indices(r: &mut Reader<'_>, binding: &Let) -> Option<Vec<i64>> {
    let at: Vec<i64> = binding.indices.iter().map(|index| r.index(index)).collect::<Option<_>>()?;
    let Some(below) = at.iter().position(|i| *i < 0) else { return Some(at) };
    let message = Message::new(Id::M0510, &binding.indices[below], format!("index {} is out of range", at[below]))
        .note("the first member of a list has index 0");
    r.report(message);
    None
}

/// Members of a list with a mistake are not complete, so what is read of them is unknown.
fn give_up(r: &mut Reader<'_>, key: &str) {
    r.reports.doubts = Doubts::all();
    if let Some(list) = r.names.lists.get_mut(key) {
        list.broken = true;
    }
}

/// M0510: the members of each list of this scope are numbered without gaps.
pub(super) fn complete(r: &mut Reader<'_>) {
    let prefix = r.scope().prefix.clone();
    let own = |key: &str| key.strip_prefix(&prefix).is_some_and(|name| !name.contains('.'));
    let mut found = Vec::new();
    for (key, list) in r.names.lists.iter_mut().filter(|(key, list)| own(key) && !list.broken) {
        let Some((member, missing)) = list.gap() else { continue };
        let name = &member.binding.name;
        let (has, lacks) = (spelled(&name.to_string(), &member.at), spelled(&name.to_string(), &missing));
        let message = Message::new(Id::M0510, name, format!("`{name}` has a member `{has}`, but no `{lacks}`"))
            .note("the members of a list are numbered from 0, without gaps");
        found.push((key.clone(), message));
    }
    for (key, message) in found {
        r.report(message);
        give_up(r, &key);
    }
}
