//! Names of members: made when a model is built, and kept, because errors name what they are about for ever.

use std::boxed::Box;
use std::collections::HashSet;
use std::string::{String, ToString};
use std::sync::{LazyLock, Mutex, PoisonError};

/// What stands in a template before the number of an entry of the member's tuple.
const PLACE: char = '#';

/// Names that exist: no name is made twice, however many models have it.
static KNOWN: LazyLock<Mutex<HashSet<&'static str>>> = LazyLock::new(Mutex::default);

/// Is it of members?
pub(super) fn is_template(name: &str) -> bool {
    name.contains(PLACE)
}

/// Adds the names of each member, all `templates` of one before those of the next: `x[#0].y` becomes `x[0].y`,
/// `x[1].y`, … Members are given by their tuples.
pub(super) fn extend<T: AsRef<[u32]>>(
    names: &mut std::vec::Vec<&'static str>,
    templates: impl Iterator<Item = &'static str> + Clone,
    members: impl Iterator<Item = T>,
) {
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let mut name = String::new();
    for tuple in members {
        for template in templates.clone() {
            name.clear();
            spell(&mut name, template, tuple.as_ref());
            names.push(kept(&mut known, &name));
        }
    }
}

fn spell(name: &mut String, mut template: &str, tuple: &[u32]) {
    while let Some((before, after)) = template.split_once(PLACE) {
        let digits = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
        let (end, after) = after.split_at(digits);
        name.push_str(before);
        if let Some(number) = end.parse().ok().and_then(|end: usize| tuple.get(end)) {
            name.push_str(&number.to_string());
        }
        template = after;
    }
    name.push_str(template);
}

/// Tuples of members that join no others.
pub(super) fn alone(members: usize) -> impl Iterator<Item = [u32; 1]> {
    (0..members).map(|member| [u32::try_from(member).unwrap_or(u32::MAX)])
}

/// The name of one member.
pub(super) fn of(template: &'static str, member: usize) -> &'static str {
    let mut names = std::vec::Vec::new();
    extend(&mut names, core::iter::once(template), alone(member + 1).skip(member));
    names.first().copied().unwrap_or_default()
}

/// A list of names, kept as they are.
pub(super) fn list(names: std::vec::Vec<&'static str>) -> &'static [&'static str] {
    static LISTS: LazyLock<Mutex<HashSet<&'static [&'static str]>>> = LazyLock::new(Mutex::default);
    let mut known = LISTS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(&found) = known.get(names.as_slice()) {
        return found;
    }
    let names: &'static [&'static str] = names.leak();
    known.insert(names);
    names
}

fn kept(known: &mut HashSet<&'static str>, name: &str) -> &'static str {
    if let Some(&found) = known.get(name) {
        return found;
    }
    let name: &'static str = Box::leak(Box::from(name));
    known.insert(name);
    name
}
