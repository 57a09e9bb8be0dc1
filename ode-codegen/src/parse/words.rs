//! The words of the language: which start an item, how it ends, and which are known but not supported yet.

use quote::ToTokens;

use crate::diagnostics::{Id, Message};

/// Words that start an item.
pub(crate) const ITEMS: &[&str] = &[
    "param",
    "coord",
    "state",
    "mode",
    "algebraic",
    "input",
    "output",
    "let",
    "kinetic",
    "potential",
    "dissipation",
    "cost",
    "residual",
    "mass",
    "force",
    "torque",
    "body",
    "spring",
    "gravity",
    "constraint",
    "fix",
    "event",
    "init",
    "guess",
    "limit",
    "require",
    "sub",
    "bind",
];

/// Items that are read but only in part the language's own words.
const OTHER_ITEMS: &[&str] = &["fn", "extern", "unit", "for", "der"];

/// Items of the language that are not supported yet: word, what it is, what to do instead.
const ITEMS_NOT_YET: &[(&str, &str, &str)] =
    &[("set", "sets and families", "a literal array unrolls: `coord x: [Real; 4];`")];

/// Other words that are not supported yet.
const WORDS_NOT_YET: &[(&str, &str, &str)] = &[("match", "choices between modes", "use `if .. {} else {}`")];

/// Does the word start an item, supported or not?
pub(super) fn is_item(word: &str) -> bool {
    ITEMS.contains(&word) || OTHER_ITEMS.contains(&word) || refused_item(word)
}

/// Whether the word does not start an item.
pub(crate) fn is_unknown(word: &str) -> bool {
    !is_item(word)
}

/// Does the word start an item that is known but not supported?
pub(super) fn refused_item(word: &str) -> bool {
    ITEMS_NOT_YET.iter().any(|(w, ..)| *w == word)
}

/// All words that start a supported item, for "did you mean".
pub fn item_words() -> impl Iterator<Item = &'static str> {
    ITEMS.iter().chain(OTHER_ITEMS).copied()
}

/// Items that end with `{ … }`.
pub(super) fn ends_with_braces(word: &str) -> bool {
    matches!(word, "body" | "spring" | "for" | "fn" | "extern" | "event")
}

/// Items that declare names and have a group form.
pub(crate) fn declares(word: &str) -> bool {
    matches!(word, "param" | "coord" | "input" | "output" | "state" | "algebraic" | "mode")
}

/// Words after which an expression or a name comes.
pub(super) fn joins(word: &str) -> bool {
    matches!(
        word,
        "on" | "in"
            | "when"
            | "with"
            | "fn"
            | "along"
            | "as"
            | "if"
            | "else"
            | "match"
            | "return"
            | "let"
            | "mut"
            | "ref"
            | "move"
            | "for"
            | "while"
            | "break"
            | "loop"
            | "unsafe"
            | "async"
            | "const"
            | "static"
            | "dyn"
    )
}

/// The message for a part of the language that is known but not supported yet.
pub(crate) fn not_yet(at: impl ToTokens, word: &str) -> Message {
    let mut known = ITEMS_NOT_YET.iter().chain(WORDS_NOT_YET);
    let (what, instead) = known.find(|(w, ..)| *w == word).map_or(("this", ""), |(_, what, instead)| (*what, *instead));
    refuse(at, word, what, instead)
}

/// The message for an unsupported `word`, which is a piece of `what`.
pub(crate) fn refuse(at: impl ToTokens, word: &str, what: &str, instead: &str) -> Message {
    let message = Message::new(Id::M0900, at, format!("{what} (`{word}`) are not supported yet"));
    if instead.is_empty() { message } else { message.help(format!("instead: {instead}")) }
}
