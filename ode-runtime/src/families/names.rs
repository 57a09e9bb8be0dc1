//! Names of members: made when a model is built, and kept, because errors name what they are about for ever.

use std::boxed::Box;
use std::collections::HashSet;
use std::string::{String, ToString};
use std::sync::{LazyLock, Mutex, PoisonError};

/// Where a template has the number of the member, or `#1` that of the first which it joins.
const PLACE: char = '#';

/// Names that exist: no name is made twice, however many models have it.
static KNOWN: LazyLock<Mutex<HashSet<&'static str>>> = LazyLock::new(Mutex::default);

/// Adds the names of each of `members` members, all `templates` of one before those of the next: `x[#].y` becomes
/// `x[0].y`, `x[1].y`, …
pub(super) fn extend(names: &mut std::vec::Vec<&'static str>, templates: &[&str], members: usize) {
    extend_with(names, templates, 0..members, &|member, _| member);
}

/// As [`extend`], of members that join others: `#1` is the number of the first that one joins.
pub(super) fn extend_joined(
    names: &mut std::vec::Vec<&'static str>,
    templates: &[&str],
    members: usize,
    tuple: &dyn Fn(usize, usize) -> usize,
) {
    extend_with(names, templates, 0..members, tuple);
}

fn extend_with(
    names: &mut std::vec::Vec<&'static str>,
    templates: &[&str],
    members: core::ops::Range<usize>,
    number: &dyn Fn(usize, usize) -> usize,
) {
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    names.reserve(templates.len() * members.len());
    let mut name = String::new();
    for member in members {
        for template in templates {
            name.clear();
            match template.split_once(PLACE) {
                Some((before, after)) => {
                    let rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
                    let entry = after.strip_suffix(rest).and_then(|digits| digits.parse().ok()).unwrap_or(0);
                    [before, &number(member, entry).to_string(), rest].iter().for_each(|part| name.push_str(part));
                }
                None => name.push_str(template),
            }
            names.push(kept(&mut known, &name));
        }
    }
}

/// The name of one member.
pub(super) fn of(template: &str, member: usize) -> &'static str {
    let mut names = std::vec::Vec::new();
    extend_with(&mut names, &[template], member..member + 1, &|member, _| member);
    names.first().copied().unwrap_or_default()
}

fn kept(known: &mut HashSet<&'static str>, name: &str) -> &'static str {
    if let Some(&found) = known.get(name) {
        return found;
    }
    let name: &'static str = Box::leak(Box::from(name));
    known.insert(name);
    name
}
