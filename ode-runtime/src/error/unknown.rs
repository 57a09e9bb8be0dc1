//! Unknown names, with the most similar known one.

use core::fmt;

use crate::error::Name;

/// A name that was asked for and does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownName {
    /// the kind of entry that was expected
    pub what: &'static str,
    /// the name
    pub name: Name,
    /// the most similar name, if any is similar
    pub near: Option<Name>,
}

impl UnknownName {
    /// No `what` of `names` is called `name`.
    ///
    /// The most similar name is found by the rule of the compiler's messages: one letter of a short name may be wrong,
    /// up to three of a long one, and capitals do not count. A name that is a part of another one, as `r` is of `r.x`
    /// or `th` of `arm.th`, is similar to it.
    pub fn new<'n>(what: &'static str, name: &str, names: impl IntoIterator<Item = &'n str>) -> Self {
        let most = match name.chars().count() {
            0 | 1 => 0,
            2..=3 => 1,
            4..=6 => 2,
            _ => 3,
        };
        let distances = names.into_iter().map(|other| (unlikeness(name, other), other));
        let near = distances.filter(|&(d, _)| d <= most).min_by_key(|&(d, _)| d).map(|(_, other)| Name::new(other));
        Self { what, name: Name::new(name), near }
    }

    /// The place of `name` among `names`.
    ///
    /// # Errors
    /// If it is not among them: with the most similar of them.
    pub fn place<N: AsRef<str>>(what: &'static str, name: &str, names: &[N]) -> Result<usize, Self> {
        let place = names.iter().position(|other| other.as_ref() == name);
        place.ok_or_else(|| Self::new(what, name, names.iter().map(AsRef::as_ref)))
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no {} `{}`", self.what, self.name)?;
        match self.near {
            Some(near) => write!(f, "; did you mean `{near}`?"),
            None => Ok(()),
        }
    }
}

impl core::error::Error for UnknownName {}

/// Letters to change to make `other` of `name`: none if they differ in capitals only, or if `name` is a part of it.
fn unlikeness(name: &str, other: &str) -> usize {
    let inner = other.strip_suffix(name).is_some_and(|rest| rest.ends_with('.'));
    let part = !name.is_empty() && (inner || asks_for(name, other));
    match other.chars().nth(1) {
        _ if part || name.eq_ignore_ascii_case(other) => 0,
        // Any letter is one change away from any other.
        None => usize::MAX,
        Some(_) => distance(name, other),
    }
}

/// Letters to insert, delete, exchange or swap with the next one to make `b` of `a`, of the first 47.
fn distance(a: &str, b: &str) -> usize {
    const MOST: usize = 47;
    // Rows of the table, for the letters of a read so far, one less and two less: to reach each beginning of b.
    let mut last: [usize; MOST + 1] = core::array::from_fn(|j| j);
    let mut before = last;
    let mut read = None;
    for (i, x) in a.chars().take(MOST).enumerate() {
        let mut row = [i + 1; MOST + 1];
        let mut left = None;
        for (j, y) in b.chars().take(MOST).enumerate() {
            row[j + 1] = (last[j] + usize::from(x != y)).min(last[j + 1] + 1).min(row[j] + 1);
            if read == Some(y) && left == Some(x) {
                row[j + 1] = row[j + 1].min(before[j - 1] + 1);
            }
            left = Some(y);
        }
        (before, last, read) = (last, row, Some(x));
    }
    last[b.chars().take(MOST).count()]
}

/// Whether `name` means the entry `entry`: by its name, or as the whole that contains it. `der(r)` means `der(r.x)`.
pub(crate) fn asks_for(name: &str, entry: &str) -> bool {
    match (bare(name), bare(entry)) {
        (Some(name), Some(entry)) => asks_for(name, entry),
        _ => entry.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '['])),
    }
}

/// What `der(…)` is the rate of.
fn bare(text: &str) -> Option<&str> {
    text.strip_prefix("der(")?.strip_suffix(')')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_levenshteins() {
        for (a, b, d) in [("kitten", "sitting", 3), ("", "abc", 3), ("abc", "", 3), ("flaw", "lawn", 2), ("x", "x", 0)]
        {
            assert_eq!(distance(a, b), d, "{a} {b}");
        }
    }

    #[test]
    fn a_swap_of_neighbours_is_one_change() {
        for (a, b, d) in [("ab", "ba", 1), ("mas", "ams", 1), ("abc", "cba", 2), ("tehta", "theta", 1)] {
            assert_eq!(distance(a, b), d, "{a} {b}");
        }
        let long = "l".repeat(100);
        assert_eq!(distance(&long, &long), 0);
    }

    #[test]
    fn a_whole_is_asked_for_by_its_name() {
        for (name, entry) in [("r", "r.x"), ("r", "r[1].y"), ("der(r)", "der(r.x)"), ("der(d)", "der(d.wx)")] {
            assert!(asks_for(name, entry) && asks_for(entry, entry), "{name} {entry}");
        }
        for (name, entry) in [("r", "rod"), ("der(r)", "r.x"), ("r", "der(r.x)"), ("der(r.x)", "der(r)"), ("", "r")] {
            assert!(!asks_for(name, entry), "{name} {entry}");
        }
    }

    #[test]
    fn the_nearest_name_is_told() {
        let near = |name| UnknownName::new("parameter", name, ["mass", "length"]).near;
        assert_eq!(near("masss"), Some(Name::new("mass")));
        assert_eq!(near("zzz"), None);
    }

    #[test]
    fn short_names_differ_in_capitals_and_parts_are_similar_to_the_whole() {
        let near = |name| UnknownName::new("column", name, ["K", "r.x", "arm.th", "f[0]", "rod.lambda"]).near;
        for (name, meant) in [("k", "K"), ("r", "r.x"), ("th", "arm.th"), ("f", "f[0]"), ("rod", "rod.lambda")] {
            assert_eq!(near(name), Some(Name::new(meant)), "{name}");
        }
        assert_eq!((near("z"), near("")), (None, None));
    }

    #[test]
    fn a_place_is_found_or_the_name_is_told() {
        assert_eq!(UnknownName::place("input", "u", &["f", "u"]), Ok(1));
        let error = UnknownName::place("input", "torqe", &["force", "torque"]).expect_err("misspelt");
        assert_eq!(std::format!("{error}"), "there is no input `torqe`; did you mean `torque`?");
    }
}
