//! What a word that begins no item was meant to be.

use proc_macro2::{Ident, Spacing, TokenTree};
use syn::parse::ParseStream;

use super::input::next;
use super::words;
use crate::diagnostics::{Id, Message, similar};

/// M0001, or M0900 for a word that is known and not supported.
pub(super) fn word(input: ParseStream<'_>, keyword: &Ident, word: &str) -> Message {
    if words::refused_item(word) {
        return words::not_yet(keyword, word);
    }
    let message = Message::new(Id::M0001, keyword, format!("unknown item keyword `{word}`"));
    if let Some(help) = words::meant(word) {
        return message.help(help);
    }
    if let Some(near) = similar(word, words::item_words()) {
        return message.help(format!("did you mean `{near}`?"));
    }
    match next(input) {
        Some(TokenTree::Ident(name)) if assigns(input) => {
            message.help(format!("to declare it write `param {name}: Real = ..;` or `coord {name}: Real;`"))
        }
        Some(TokenTree::Punct(p)) if p.as_char() == '=' && p.spacing() == Spacing::Joint => {
            message.help(format!("an equation has a name: `constraint c: {word} == ..;`"))
        }
        Some(TokenTree::Punct(p)) if p.as_char() == '=' => {
            message.help(format!("to name an expression write `let {word} = ..;`"))
        }
        Some(TokenTree::Punct(p)) if p.as_char() == ':' => {
            message.help(format!("to declare it write `param {word}: ..`, `coord {word}: ..` or `input {word}: ..`"))
        }
        Some(TokenTree::Punct(p)) if matches!(p.as_char(), '*' | '/' | '+' | '-') => message
            .help("motion follows from energies and forces: `kinetic = ..;`, `potential = ..;`, `force f on x = ..;`"),
        Some(TokenTree::Group(_)) if assigns(input) => {
            message.help(format!("a start is `init {word} = ..;`, the rate of a state `der(z) = ..;`"))
        }
        _ => message.help("items begin with a keyword such as `param`, `coord`, `let`, `kinetic` or `constraint`"),
    }
}

/// Does `=` come after the next token?
fn assigns(input: ParseStream<'_>) -> bool {
    let after = input.cursor().token_tree().and_then(|(_, rest)| rest.punct());
    after.is_some_and(|(sign, _)| sign.as_char() == '=')
}
