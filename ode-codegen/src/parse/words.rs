//! The words of the language: which start an item, how it ends, and which are known but not supported yet.

use proc_macro2::{Ident, Span};
use quote::ToTokens;

use crate::diagnostics::{Id, Message, location};

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
    "balance",
    "fix",
    "event",
    "init",
    "guess",
    "limit",
    "show",
    "require",
    "sub",
    "bind",
    "set",
];

/// Items that are read but only in part the language's own words.
const OTHER_ITEMS: &[&str] = &["fn", "extern", "unit", "for", "der"];

/// What other texts call an item, and what is meant.
const ITEMS_ELSEWHERE: &[(&str, &str)] = &[
    ("parameter", "it is a `param`"),
    ("const", "it is a `param`, or a `let` of numbers"),
    ("static", "it is a `param`, or a `let` of numbers"),
    ("var", "what moves is a `coord`, what changes by a rate of its own a `state`"),
    ("variable", "what moves is a `coord`, what changes by a rate of its own a `state`"),
    ("coordinate", "it is a `coord`"),
    ("dof", "it is a `coord`"),
    ("velocity", "a velocity is the `der` of its coordinate, or named beside it: `coord (x, v): Real;`"),
    ("speed", "a velocity is the `der` of its coordinate, or named beside it: `coord (x, v): Real;`"),
    ("der2", "accelerations follow from energies and forces: `force f on x = ..;`"),
    ("ddt", "the rate of a state is given by `der(z) = ..;`"),
    ("energy", "it is `kinetic` or `potential`"),
    ("lagrangian", "give its parts: `kinetic = ..;` and `potential = ..;`"),
    ("inertia", "it is a `mass`, or a field of a `body`"),
    ("damping", "write `dissipation = 0.5 * c * sq(rate);`, or a `force`"),
    ("damper", "write `dissipation = 0.5 * c * sq(rate);`, or a `force`"),
    ("friction", "it is a `force`"),
    ("load", "it is a `force`"),
    ("joint", "it is a `constraint`, or a frame whose coordinates are those of the joint"),
    ("equation", "it is a `constraint`; motion follows from energies and forces"),
    ("assert", "it is a `require`"),
    ("draw", "it is a `show`: `show rod = line(p, q);`"),
    ("plot", "a curve is drawn from a recording; what moves is drawn by a `show`: `show rod = line(p, q);`"),
    ("shape", "it is a `show`: `show rod = line(p, q);`"),
    ("initial", "it is an `init`, or a `guess`"),
    ("start", "it is an `init`, or a `guess`"),
    ("control", "it is an `input`"),
    ("when", "an event has a name: `event hit when x < 0.0 { .. }`"),
    ("if", "an `if` is an expression: `force f on x = if .. { a } else { b };`"),
    ("def", "a function is `fn f(x: Real) -> Real { .. }`"),
    ("func", "a function is `fn f(x: Real) -> Real { .. }`"),
    ("function", "a function is `fn f(x: Real) -> Real { .. }`"),
    ("pub", "items are public: drop the `pub`"),
    ("use", "a model sees no Rust names: use `extern fn` or `sub`"),
    ("print", "a model has no statements; what it tells is an `output`"),
    ("println", "a model has no statements; what it tells is an `output`"),
    ("return", "a model has no statements; what it tells is an `output`"),
];

/// Words of other texts after which names are declared.
pub(super) fn declares_elsewhere(word: &str) -> bool {
    matches!(
        word,
        "parameter" | "const" | "static" | "var" | "variable" | "coordinate" | "dof" | "velocity" | "control"
    )
}

/// What an unknown word for an item was meant to be.
pub(super) fn meant(word: &str) -> Option<&'static str> {
    ITEMS_ELSEWHERE.iter().find(|(w, _)| *w == word).map(|(_, help)| *help)
}

/// Items of the language that are not supported yet: word, what it is, what to do instead.
const ITEMS_NOT_YET: &[(&str, &str, &str)] = &[];

/// Does the word start an item, supported or not?
pub(crate) fn is_item(word: &str) -> bool {
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

/// The message for an item of the language that is known but not supported yet.
pub(super) fn not_yet(at: impl ToTokens, word: &str) -> Message {
    let mut known = ITEMS_NOT_YET.iter();
    let (what, instead) = known.find(|(w, ..)| *w == word).map_or(("this", ""), |(_, what, instead)| (*what, *instead));
    refuse(at, word, what, instead)
}

/// The message for an unsupported `word`, which is a piece of `what`.
pub(crate) fn refuse(at: impl ToTokens, word: &str, what: &str, instead: &str) -> Message {
    let message = Message::new(Id::M0900, at, format!("{what} (`{word}`) are not supported yet"));
    if instead.is_empty() { message } else { message.help(format!("instead: {instead}")) }
}

/// M0104: a name that is declared below, at `declared`.
pub(crate) fn used_early(name: &Ident, declared: Span) -> Message {
    let message = Message::new(Id::M0104, name, format!("`{name}` is used before it is declared"));
    message.note(format!("it is declared at {}; move the `let` up", location(declared)))
}
