//! Tokens as a person would write them.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;

/// Tokens as a person would type them: `0.5 * m * sq(der(x))`.
pub fn text(tokens: impl ToTokens) -> String {
    let mut out = String::new();
    write_tokens(tokens.into_token_stream(), &mut out);
    out
}

/// Tokens of a unit, without spaces: `kg*m^2`.
pub(crate) fn compact(tokens: impl ToTokens) -> String {
    text(tokens).replace(' ', "")
}

/// `a param`, `an input`
pub(crate) fn with_article(word: &str) -> String {
    let article = if word.trim_start_matches('`').starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" };
    if word.starts_with("an ") { word.to_owned() } else { format!("{article} {word}") }
}

fn write_tokens(tokens: TokenStream, out: &mut String) {
    // After an operand a sign is binary, and a name needs a space.
    let mut operand = false;
    let mut joint = false;
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                write_group(&group, operand, out);
                operand = true;
                joint = false;
            }
            TokenTree::Punct(punct) => {
                let ch = punct.as_char();
                write_punct(ch, operand || joint, joint, out);
                joint = punct.spacing() == proc_macro2::Spacing::Joint;
                operand = false;
                let binary = !matches!(ch, '.' | ':' | '#' | '!' | '?' | '\'' | '&') || out.ends_with("&&");
                if !joint && binary && !out.ends_with(' ') && out.chars().count() > 1 && !prefix(out) {
                    out.push(' ');
                }
            }
            TokenTree::Ident(_) | TokenTree::Literal(_) => {
                if operand {
                    out.push(' ');
                }
                let word = token.to_string();
                out.push_str(&word);
                operand = !matches!(word.as_str(), "if" | "else" | "let" | "in" | "on" | "match" | "return");
                if !operand {
                    out.push(' ');
                }
                joint = false;
            }
        }
    }
    out.truncate(out.trim_end().len());
}

/// Does the text end with a sign that belongs to what follows?
fn prefix(out: &str) -> bool {
    let Some(sign) = out.chars().last() else { return false };
    let before = out[..out.len() - sign.len_utf8()].trim_end();
    matches!(sign, '-' | '*')
        && (before.is_empty()
            || before.ends_with(['(', '[', '{', ',', '=', '+', '-', '*', '/', '<', '>', '&', '|', ';']))
}

fn write_punct(ch: char, spaced: bool, joint: bool, out: &mut String) {
    let tight = joint || matches!(ch, '.' | ',' | ';' | ':' | '?' | '#' | '!' | '\'');
    if spaced && !tight && !out.ends_with(' ') {
        out.push(' ');
    }
    out.push(ch);
}

fn write_group(group: &proc_macro2::Group, operand: bool, out: &mut String) {
    let (open, close) = match group.delimiter() {
        Delimiter::Parenthesis => ("(", ")"),
        Delimiter::Bracket => ("[", "]"),
        Delimiter::Brace => ("{ ", " }"),
        Delimiter::None => ("", ""),
    };
    if operand && group.delimiter() == Delimiter::Brace && !out.ends_with(' ') {
        out.push(' ');
    }
    out.push_str(open);
    let mut inner = String::new();
    write_tokens(group.stream(), &mut inner);
    out.push_str(&inner);
    out.push_str(close);
}
