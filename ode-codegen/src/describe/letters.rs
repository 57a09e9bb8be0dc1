//! Names as mathematics: a letter, often a Greek one, with dots above it and subscripts.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::Model;

use super::names::Names;
use super::shared::width_of_name;

/// Names that stand for Greek letters: the name, which LaTeX has too, and the letter.
const GREEK: [(&str, &str); 38] = [
    ("alpha", "α"),
    ("beta", "β"),
    ("gamma", "γ"),
    ("delta", "δ"),
    ("varepsilon", "ε"),
    ("zeta", "ζ"),
    ("eta", "η"),
    ("theta", "θ"),
    ("iota", "ι"),
    ("kappa", "κ"),
    ("lambda", "λ"),
    ("mu", "μ"),
    ("nu", "ν"),
    ("xi", "ξ"),
    ("pi", "π"),
    ("rho", "ρ"),
    ("sigma", "σ"),
    ("tau", "τ"),
    ("upsilon", "υ"),
    ("varphi", "φ"),
    ("chi", "χ"),
    ("psi", "ψ"),
    ("omega", "ω"),
    ("epsilon", "ϵ"),
    ("vartheta", "ϑ"),
    ("phi", "ϕ"),
    ("varrho", "ϱ"),
    ("Gamma", "Γ"),
    ("Delta", "Δ"),
    ("Theta", "Θ"),
    ("Lambda", "Λ"),
    ("Xi", "Ξ"),
    ("Pi", "Π"),
    ("Sigma", "Σ"),
    ("Upsilon", "Υ"),
    ("Phi", "Φ"),
    ("Psi", "Ψ"),
    ("Omega", "Ω"),
];

/// How models write some of them.
const SHORT: [(&str, &str); 6] = [
    ("th", "theta"),
    ("eps", "varepsilon"),
    ("epsilon", "varepsilon"),
    ("phi", "varphi"),
    ("ph", "varphi"),
    ("om", "omega"),
];

/// The LaTeX name of the Greek letter that a word stands for.
pub(super) fn greek(word: &str) -> Option<&'static str> {
    let word = SHORT.iter().find(|(short, _)| *short == word).map_or(word, |(_, long)| long);
    GREEK.iter().find(|(name, letter)| *name == word || *letter == word).map(|(name, _)| *name)
}

/// The Greek letter of a LaTeX name.
pub(super) fn letter(name: &str) -> Option<&'static str> {
    GREEK.iter().find(|(greek, _)| *greek == name).map(|(_, letter)| *letter)
}

/// A name as mathematics.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Name {
    /// derivatives by time
    pub dots: usize,
    /// a letter, the LaTeX name of a Greek one, or a word
    pub base: String,
    /// subscripts; Greek letters by their LaTeX names
    pub below: Vec<String>,
    /// the base is what is written in text
    pub verbatim: bool,
}

impl Name {
    /// Reads a name in text: `der(m_c)`, `r.x`, `hub[0].z`, `rod.lambda`. `subs` has names of the parts of a model, in
    /// which the last word is what is named: `leg.q`.
    pub(super) fn of(shown: &str, subs: &BTreeSet<&str>) -> Self {
        if let Some(inner) = shown.strip_prefix("der(").and_then(|rest| rest.strip_suffix(')')) {
            let inner = Self::of(inner, subs);
            return Self { dots: inner.dots + 1, ..inner };
        }
        let whole = |length: usize| matches!(shown.as_bytes().get(length), None | Some(b'.' | b'['));
        let within = subs.iter().filter(|sub| shown.starts_with(**sub) && whole(sub.len())).max_by_key(|sub| sub.len());
        let mut words = pieces(shown);
        let place = match words.iter().position(|word| word == "lambda") {
            Some(place) if place > 0 => place,
            _ => within.map_or(0, |sub| pieces(sub).len() - 1),
        };
        let word = words.remove(place);
        let (base, mut below) = split(&word);
        below.extend(words);
        let letter = |word: String| greek(&word).map_or(word, str::to_owned);
        Self { dots: 0, base: letter(base), below: below.into_iter().map(letter).collect(), verbatim: false }
    }

    /// How wide it is, in points.
    pub(super) fn width(&self) -> usize {
        let letters = |word: &String| if greek(word).is_some() { 1 } else { word.chars().count() };
        width_of_name(letters(&self.base), self.below.iter().map(letters).sum())
    }

    /// A name as it is written in text, with dots for its rates.
    fn word(shown: &str) -> Self {
        match shown.strip_prefix("der(").and_then(|rest| rest.strip_suffix(')')) {
            Some(inner) => Self { dots: 1 + Self::word(inner).dots, ..Self::word(inner) },
            None => Self { dots: 0, base: shown.to_owned(), below: Vec::new(), verbatim: true },
        }
    }
}

/// The words of a path and its indices: `hub[0].z` has three.
pub(super) fn pieces(path: &str) -> Vec<String> {
    let found = path.split(['.', '[', ']', ',', ' ']).filter(|word| !word.is_empty());
    let mut words: Vec<String> = found.map(str::to_owned).collect();
    if words.is_empty() {
        words.push(path.to_owned());
    }
    words
}

/// A letter or a word, and its subscripts: `m_c`, `l1`, `a_1_x`.
fn split(word: &str) -> (String, Vec<String>) {
    let mut parts = word.split('_').filter(|part| !part.is_empty()).map(str::to_owned);
    let first = parts.next().unwrap_or_else(|| word.to_owned());
    let letters = first.trim_end_matches(|c: char| c.is_ascii_digit());
    let (base, digits) = if letters.is_empty() { (&*first, "") } else { (letters, &first[letters.len()..]) };
    let digits = (!digits.is_empty()).then(|| digits.to_owned());
    (base.to_owned(), digits.into_iter().chain(parts).collect())
}

/// The names of a model as mathematics, no two the same.
pub(super) struct Letters {
    names: BTreeMap<String, Name>,
    part: &'static str,
}

impl Letters {
    /// Those of a model. Of names that would look the same (`th` and `theta`) the first is a letter; the others are
    /// written as they are in the text.
    pub(super) fn of(model: &Model, names: &Names) -> Self {
        let subs: BTreeSet<&str> = model.declared.shown.values().map(String::as_str).collect();
        let all: BTreeSet<&String> = names.symbols().map(|(_, name)| name).chain(&names.directions).collect();
        let mut shapes: BTreeMap<Name, Vec<&String>> = BTreeMap::new();
        for shown in all {
            shapes.entry(Name::of(shown, &subs)).or_default().push(shown);
        }
        let mut read = BTreeMap::new();
        for (name, same) in shapes {
            for (i, shown) in same.into_iter().enumerate() {
                read.insert(shown.clone(), if i == 0 { name.clone() } else { Name::word(shown) });
            }
        }
        let part = free(read.values());
        Self { names: read, part }
    }

    /// A scalar of the model, a symbol of the equations, or a shared term.
    pub(super) fn name(&self, shown: &str) -> Name {
        self.names.get(shown).cloned().unwrap_or_else(|| Name::of(shown, &BTreeSet::new()))
    }

    /// The letter of shared terms, which are numbered.
    pub(super) fn part(&self) -> &'static str {
        self.part
    }
}

/// A letter that no name has or, at least, none with a number behind it.
fn free<'a>(names: impl Iterator<Item = &'a Name>) -> &'static str {
    let digits = |word: &str| word.bytes().all(|c| c.is_ascii_digit());
    let (mut bases, mut numbered) = (BTreeSet::new(), BTreeSet::new());
    for name in names {
        bases.insert(name.base.as_str());
        numbered.insert(match name.below.as_slice() {
            [] => name.base.clone(),
            [number] if digits(number) => format!("{}{number}", name.base),
            _ => String::new(),
        });
    }
    let number = |text: &str| !text.is_empty() && digits(text);
    let unused = |letter: &&str| !numbered.iter().any(|name| name.strip_prefix(*letter).is_some_and(number));
    let all = ["s", "h", "w", "n", "e", "S", "H", "W", "N", "E"];
    let found = all.into_iter().find(|letter| unused(letter) && !bases.contains(letter));
    found.or_else(|| all.into_iter().find(unused)).unwrap_or("shared_")
}
