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
    pub(crate) fn new<'n>(what: &'static str, name: &str, names: impl Iterator<Item = &'n str>) -> Self {
        // A name is similar if fewer than half of its letters have to change.
        let allowed = name.chars().count().div_ceil(2);
        let distances = names.map(|other| (distance(name, other), other));
        let near = distances.filter(|&(d, _)| d <= allowed).min_by_key(|&(d, _)| d).map(|(_, other)| Name::new(other));
        Self { what, name: Name::new(name), near }
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no {} `{}`", self.what, self.name)?;
        match self.near {
            Some(near) => write!(f, "; there is `{near}`"),
            None => Ok(()),
        }
    }
}

impl core::error::Error for UnknownName {}

/// Letters to insert, delete or exchange to make one of the other (Levenshtein's), of the first 47.
fn distance(a: &str, b: &str) -> usize {
    const MOST: usize = 47;
    // One row of the table: to reach each beginning of b from the letters of a read so far.
    let mut row: [usize; MOST + 1] = core::array::from_fn(|j| j);
    let mut length = 0;
    for (i, x) in a.chars().take(MOST).enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        length = 0;
        for (j, y) in b.chars().take(MOST).enumerate() {
            let exchanged = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = exchanged.min(row[j] + 1).min(diagonal + 1);
            length = j + 1;
        }
    }
    if a.is_empty() { b.chars().take(MOST).count() } else { row[length] }
}

/// Whether `name` means the entry `entry`: by its name, or as the whole that contains it.
pub(crate) fn asks_for(name: &str, entry: &str) -> bool {
    entry.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
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
    fn the_nearest_name_is_told() {
        let near = |name| UnknownName::new("parameter", name, ["mass", "length"].into_iter()).near;
        assert_eq!(near("masss"), Some(Name::new("mass")));
        assert_eq!(near("zzz"), None);
    }
}
