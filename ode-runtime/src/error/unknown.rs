//! Unknown names, with what they may have meant.

use core::fmt;

use crate::error::{Name, Names};

/// What is known about a name that does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hint {
    /// the most similar name
    Near(Name),
    /// no name is similar: the names there are
    Known(Names<43>),
    /// this one is of the model, and the table does not record it
    Unrecorded(Name),
}

/// A name that was asked for and does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownName {
    /// the kind of entry that was expected
    pub what: &'static str,
    /// the name
    pub name: Name,
    /// what it may have meant
    pub hint: Hint,
}

impl UnknownName {
    /// No `what` of `names` is called `name`.
    ///
    /// The most similar name is found by the rule of the compiler's messages: one letter of a short name may be wrong,
    /// up to three of a long one, and capitals do not count. A name that is a part of another one, as `r` is of `r.x`
    /// or `th` of `arm.th`, is similar to it; so is another text's name of a rate, as `der2(th)` or `th_dot`. If no
    /// name is similar, those that there are follow in their order.
    pub fn new<'n>(what: &'static str, name: &str, names: impl IntoIterator<Item = &'n str>) -> Self {
        let most = match name.chars().count() {
            0 | 1 => 0,
            2..=3 => 1,
            4..=6 => 2,
            _ => 3,
        };
        let (mut known, mut nearest) = (Names::none(), None);
        for other in names {
            known.push(other);
            let distance = unlikeness(name, other);
            if distance <= most && nearest.is_none_or(|(least, _)| distance < least) {
                nearest = Some((distance, other));
            }
        }
        let hint = nearest.map_or(Hint::Known(known), |(_, near)| Hint::Near(Name::new(near)));
        Self { what, name: Name::new(name), hint }
    }

    /// The place of `name` among `names`.
    ///
    /// # Errors
    /// If it is not among them: with the most similar of them, or with those that there are.
    pub fn place<N: AsRef<str>>(what: &'static str, name: &str, names: &[N]) -> Result<usize, Self> {
        let place = names.iter().position(|other| other.as_ref() == name);
        place.ok_or_else(|| Self::new(what, name, names.iter().map(AsRef::as_ref)))
    }

    /// The places among `names` of those that are asked for, each by its name or by the whole that contains it.
    ///
    /// # Errors
    /// If there is none for one of them: see [`UnknownName::place`].
    pub(crate) fn places<'a>(
        what: &'static str,
        asked: &'a [&'a str],
        names: &'a [&'a str],
    ) -> Result<impl Iterator<Item = usize> + Clone + 'a, Self> {
        let of =
            move |name: &'a str| (0..names.len()).filter(move |&i| names.get(i).is_some_and(|x| asks_for(name, x)));
        match asked.iter().find(|name| of(name).next().is_none()) {
            None => Ok(asked.iter().flat_map(move |name| of(name))),
            Some(name) => Err(Self::new(what, name, names.iter().copied())),
        }
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no {} `{}`", self.what, self.name)?;
        match &self.hint {
            Hint::Near(near) => write!(f, "; did you mean `{near}`?"),
            Hint::Known(names) => match (names.as_str(), names.more()) {
                ("", 0) => f.write_str("; there is none at all"),
                ("", count) => write!(f, "; there are {count}, with long names"),
                (only, 0) if !only.contains(", ") => write!(f, "; there is only {names}"),
                _ => write!(f, "; there are {names}"),
            },
            Hint::Unrecorded(name) => {
                write!(f, ": `{name}` is of the model, but this table does not record it; `Table::of` records all")
            }
        }
    }
}

impl core::error::Error for UnknownName {}

/// What other texts write before and behind the name of what changes, for its rate of an order.
const RATES: [(&str, &str, usize); 17] = [
    ("", "_dot", 1),
    ("", "dot", 1),
    ("", "_d", 1),
    ("", "_rate", 1),
    ("", "_vel", 1),
    ("d", "", 1),
    ("d_", "", 1),
    ("v_", "", 1),
    ("v.", "", 1),
    ("der2(", ")", 2),
    ("", "_ddot", 2),
    ("", "ddot", 2),
    ("", "_dd", 2),
    ("", "_acc", 2),
    ("dd", "", 2),
    ("a_", "", 2),
    ("a.", "", 2),
];

/// Whether `name` is another text's name of the rate `other`: `th_ddot` of `der(der(th))`.
fn is_rate(name: &str, other: &str) -> bool {
    let (mut of, mut order) = (other, 0);
    while let Some(inner) = rate_of(of) {
        (of, order) = (inner, order + 1);
    }
    RATES.iter().filter(|rate| rate.2 == order).any(|(before, behind, _)| {
        let inner = name.strip_prefix(before).and_then(|rest| rest.strip_suffix(behind));
        inner.is_some_and(|inner| !inner.is_empty() && asks_for(inner, of))
    })
}

/// Letters to change to make `other` of `name`: none if they differ in capitals only, if `name` is a part of it, or if
/// it is another text's name for it.
fn unlikeness(name: &str, other: &str) -> usize {
    let inner = other.strip_suffix(name).is_some_and(|rest| rest.ends_with('.'));
    let part = !name.is_empty() && (inner || asks_for(name, other) || is_rate(name, other));
    match other.chars().nth(1) {
        _ if part || name.eq_ignore_ascii_case(other) => 0,
        // Any letter is one change away from any other.
        None => usize::MAX,
        Some(_) => distance(name, other),
    }
}

/// Letters to insert, delete, exchange or swap with the next one to make `b` of `a`, of the first 46.
fn distance(a: &str, b: &str) -> usize {
    const MOST: usize = 46;
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
    match (rate_of(name), rate_of(entry)) {
        (Some(name), Some(entry)) => asks_for(name, entry),
        _ => entry.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '['])),
    }
}

/// What `der(…)` is the rate of.
pub(crate) fn rate_of(text: &str) -> Option<&str> {
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

    /// The name that `name` may have meant among `names`.
    fn near<const N: usize>(name: &str, names: [&str; N]) -> Option<Name> {
        match UnknownName::new("column", name, names).hint {
            Hint::Near(near) => Some(near),
            Hint::Known(_) | Hint::Unrecorded(_) => None,
        }
    }

    #[test]
    fn the_nearest_name_is_told() {
        assert_eq!(near("masss", ["mass", "length"]), Some(Name::new("mass")));
        assert_eq!(near("zzz", ["mass", "length"]), None);
    }

    #[test]
    fn short_names_differ_in_capitals_and_parts_are_similar_to_the_whole() {
        let near = |name| near(name, ["K", "r.x", "arm.th", "f[0]", "rod.lambda"]);
        for (name, meant) in [("k", "K"), ("r", "r.x"), ("th", "arm.th"), ("f", "f[0]"), ("rod", "rod.lambda")] {
            assert_eq!(near(name), Some(Name::new(meant)), "{name}");
        }
        assert_eq!((near("z"), near("")), (None, None));
    }

    #[test]
    fn rates_of_other_texts_are_those_of_this_one() {
        let near = |name| near(name, ["x", "th", "der(x)", "der(th)", "der(der(x))", "der(der(th))", "der(r.x)"]);
        for (name, meant) in [
            ("der2(th)", "der(der(th))"),
            ("th_ddot", "der(der(th))"),
            ("a.th", "der(der(th))"),
            ("th_dot", "der(th)"),
            ("dx", "der(x)"),
            ("v.x", "der(x)"),
            ("der(r)", "der(r.x)"),
            ("r_dot", "der(r.x)"),
        ] {
            assert_eq!(near(name), Some(Name::new(meant)), "{name}");
        }
    }

    #[test]
    fn a_place_is_found_or_the_name_is_told() {
        assert_eq!(UnknownName::place("input", "u", &["f", "u"]), Ok(1));
        let error = UnknownName::place("input", "torqe", &["force", "torque"]).expect_err("misspelt");
        assert_eq!(std::format!("{error}"), "there is no input `torqe`; did you mean `torque`?");
    }

    #[test]
    fn names_are_listed_where_none_is_similar() {
        let text = |names: &[&str]| std::format!("{}", UnknownName::new("input", "v", names.iter().copied()));
        assert_eq!(text(&["x", "der(x)"]), "there is no input `v`; there are `x`, `der(x)`");
        assert_eq!(text(&["f"]), "there is no input `v`; there is only `f`");
        assert_eq!(text(&[]), "there is no input `v`; there is none at all");
        let (long, many) = ("l".repeat(60), ["force"; 9]);
        assert_eq!(text(&[&long]), "there is no input `v`; there are 1, with long names");
        let listed = "`force`, `force`, `force`, `force`, `force` and 4 more";
        assert_eq!(text(&many), std::format!("there is no input `v`; there are {listed}"));
    }

    #[test]
    fn an_error_stays_small() {
        assert!(size_of::<UnknownName>() <= 112);
    }
}
