//! Identifiers of generated code: the only place that turns a text into one. It accepts any text.
//!
//! A name in a model is a token of the user, and an identifier already. Composed names are not: `leg.q`, `wheel[0].x`,
//! the module of a model. They keep their letters and get `_` for other characters.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};

/// Words of Rust in all its editions: names only with `r#`.
const KEYWORDS: [&str; 52] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn", "else",
    "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod",
    "move", "mut", "override", "priv", "pub", "ref", "return", "Self", "self", "static", "struct", "super", "trait",
    "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// Words that are no names, with `r#` or without.
const NEVER: [&str; 5] = ["_", "crate", "self", "super", "Self"];

/// Does Rust read the word as one of its own, in any edition?
pub(crate) fn is_keyword(word: &str) -> bool {
    word == "_" || KEYWORDS.contains(&word)
}

/// A name without `r#`.
pub(crate) fn bare(ident: &Ident) -> String {
    unraw(&ident.to_string()).to_owned()
}

/// A name's text without `r#`.
pub(crate) fn unraw(name: &str) -> &str {
    name.strip_prefix("r#").unwrap_or(name)
}

/// A shown name with `_` for characters that no identifier has: `wheel[0].x` becomes `wheel_0_x`.
pub(crate) fn spelling(shown: &str) -> String {
    let mut ident = String::new();
    for c in shown.chars() {
        match c {
            ']' => {}
            c if c.is_alphanumeric() || c == '_' => ident.push(c),
            _ => ident.push('_'),
        }
    }
    ident
}

/// Any text as an identifier: `leg.q` is `leg_q`, `type` is `r#type`, `crate` is `crate_`.
pub(crate) fn identifier(name: &str, span: Span) -> Ident {
    let name = unraw(name);
    let mut name = if lexes(name) { name.to_owned() } else { spelling(name) };
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        name.insert(0, '_');
    }
    if NEVER.contains(&name.as_str()) {
        name.push('_');
    }
    if !lexes(&name) {
        // letters that are numbers (`²`), or begin no word
        name = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        name.insert_str(0, "__");
    }
    if is_keyword(&name) { Ident::new_raw(&name, span) } else { Ident::new(&name, span) }
}

/// Is the text one word, a keyword or not?
fn lexes(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if name.chars().all(plain) {
        return !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit());
    }
    let Ok(tokens) = name.parse::<TokenStream>() else { return false };
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    matches!(tokens.as_slice(), [TokenTree::Ident(ident)] if ident == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_is_an_identifier() {
        for (text, wanted) in [
            ("q", "q"),
            ("leg.q", "leg_q"),
            ("wheel[0].x", "wheel_0_x"),
            ("type", "r#type"),
            ("r#type", "r#type"),
            ("gen", "r#gen"),
            ("r#x", "x"),
            ("crate", "crate_"),
            ("Self", "Self_"),
            ("_", "__"),
            ("", "__"),
            ("0", "_0"),
            ("größe", "größe"),
            ("x²", "__x_"),
            ("²", "___"),
            ("a /* b", "a____b"),
            ("\"", "__"),
            ("\u{200d}", "__"),
        ] {
            assert_eq!(identifier(text, Span::call_site()).to_string(), wanted, "{text}");
        }
    }

    #[test]
    fn keywords_are_sorted_and_refused_by_the_parser() {
        for word in KEYWORDS.iter().filter(|w| **w != "gen") {
            assert!(syn::parse_str::<Ident>(word).is_err(), "{word}");
        }
        assert!(syn::parse_str::<Ident>("union").is_ok() && !is_keyword("union"));
    }
}
