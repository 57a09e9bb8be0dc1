//! The parser for the tokens of an item: messages instead of `syn::Error`.

use proc_macro2::{Ident, Punct, Spacing, TokenStream, TokenTree};
use quote::ToTokens;
use syn::Expr;
use syn::ext::IdentExt;
use syn::parse::{ParseBuffer, ParseStream, Parser};

use super::slips::slip;
use crate::diagnostics::{Id, Message, with_article};
use crate::identifier::is_keyword;

/// The result of a part of the parser.
pub(super) type Parsed<T> = Result<T, Message>;

/// Runs `read` on the tokens; all of them must be read.
pub(super) fn read_all<T>(tokens: TokenStream, read: impl FnOnce(ParseStream<'_>) -> Parsed<T>) -> Parsed<T> {
    let written = tokens.clone();
    let mut result = None;
    let parser = |input: ParseStream<'_>| {
        result = Some(read(input).and_then(|value| end(input).map(|()| value)));
        // What is left has been reported or follows a mistake.
        let _: TokenStream = input.parse()?;
        Ok(())
    };
    let parsed = parser.parse2(tokens);
    match (result, parsed) {
        (Some(Err(message)), _) if message.id() != Id::M0007 => Err(message),
        (Some(Err(message)), _) => Err(slip(&written).unwrap_or(message)),
        (_, Err(error)) => Err(slip(&written).unwrap_or_else(|| Message::from(error))),
        (Some(value), Ok(())) => value,
        (None, Ok(())) => Err(Message::new(Id::M0007, TokenStream::new(), "nothing to read")),
    }
}

/// Nothing may be left.
fn end(input: ParseStream<'_>) -> Parsed<()> {
    if input.is_empty() { Ok(()) } else { Err(unexpected(input, "the end of the item")) }
}

/// `expected …, found …` at the next token.
pub(super) fn unexpected(input: ParseStream<'_>, expected: &str) -> Message {
    match next(input) {
        Some(token) => {
            let found = crate::diagnostics::text(&token);
            Message::new(Id::M0007, token, format!("expected {expected}, found `{found}`"))
        }
        None => Message::from(input.error(format!("expected {expected}"))),
    }
}

/// The next token, not consumed.
pub(super) fn next(input: ParseStream<'_>) -> Option<TokenTree> {
    input.cursor().token_tree().map(|(token, _)| token)
}

/// A name; a Rust keyword is M0105.
pub(super) fn name(input: ParseStream<'_>, what: &str) -> Parsed<Ident> {
    if !input.peek(Ident::peek_any) {
        return Err(unexpected(input, &format!("the name of {}", with_article(what))));
    }
    let ident = input.call(Ident::parse_any)?;
    if is_rust_keyword(&ident) { Err(keyword(&ident, what)) } else { Ok(ident) }
}

/// M0105
pub(super) fn keyword(ident: &Ident, what: &str) -> Message {
    Message::new(Id::M0105, ident, format!("`{ident}` is a Rust keyword and cannot be a {what} name"))
        .help(format!("generated fields carry this name; rename it, e.g. `{ident}_`"))
}

/// Is the name one that Rust reads as a word of its own?
pub(super) fn is_rust_keyword(ident: &Ident) -> bool {
    is_keyword(&ident.to_string())
}

/// The word `word` if it comes next.
pub(super) fn eat_word(input: ParseStream<'_>, word: &str) -> Option<Ident> {
    let ahead = input.fork();
    match ahead.call(Ident::parse_any) {
        Ok(ident) if ident == word => input.call(Ident::parse_any).ok(),
        _ => None,
    }
}

/// The content of parentheses, if they enclose the whole expression.
pub(super) fn unwrapped(expr: Expr) -> Expr {
    match expr {
        Expr::Paren(inner) => unwrapped(*inner.expr),
        Expr::Group(inner) => unwrapped(*inner.expr),
        other => other,
    }
}

/// An expression; `before` says where, for the message when there is none.
pub(super) fn expression(input: ParseStream<'_>, before: &str) -> Parsed<Expr> {
    if input.is_empty() || input.peek(syn::Token![;]) {
        return Err(unexpected(input, &format!("an expression {before}")));
    }
    Ok(input.parse()?)
}

/// `left = right` in one expression.
pub(super) fn assignment(input: ParseStream<'_>, form: &str) -> Parsed<(Expr, Expr)> {
    if input.peek(syn::Token![=]) {
        return Err(unexpected(input, &format!("a target, as in `{form}`")));
    }
    match expression(input, &format!("as in `{form}`"))? {
        Expr::Assign(assign) => Ok((*assign.left, *assign.right)),
        other => Err(expected_form(&other, form)),
    }
}

/// The expression is not of the form the item wants.
pub(super) fn expected_form(found: &impl ToTokens, form: &str) -> Message {
    Message::new(Id::M0007, found, format!("expected `{form}`"))
}

/// The inside of `{ … }`.
pub(super) fn braces(input: ParseStream<'_>) -> Parsed<ParseBuffer<'_>> {
    fn read(input: ParseStream<'_>) -> syn::Result<ParseBuffer<'_>> {
        let content;
        syn::braced!(content in input);
        Ok(content)
    }
    Ok(read(input)?)
}

/// The inside of `( … )`.
pub(super) fn parentheses(input: ParseStream<'_>) -> Parsed<ParseBuffer<'_>> {
    fn read(input: ParseStream<'_>) -> syn::Result<ParseBuffer<'_>> {
        let content;
        syn::parenthesized!(content in input);
        Ok(content)
    }
    Ok(read(input)?)
}

/// The inside of `[ … ]`.
pub(super) fn brackets(input: ParseStream<'_>) -> Parsed<ParseBuffer<'_>> {
    fn read(input: ParseStream<'_>) -> syn::Result<ParseBuffer<'_>> {
        let content;
        syn::bracketed!(content in input);
        Ok(content)
    }
    Ok(read(input)?)
}

/// Tokens between separators. Each part keeps its separator, and the last gets one, so that a part that ends too early
/// has a token to point at.
pub(super) fn parts(tokens: TokenStream, separator: char) -> Vec<TokenStream> {
    let mut parts: Vec<Vec<TokenTree>> = vec![Vec::new()];
    for token in tokens {
        let ends = matches!(&token, TokenTree::Punct(p) if p.as_char() == separator);
        if let Some(part) = parts.last_mut() {
            part.push(token);
        }
        if ends {
            parts.push(Vec::new());
        }
    }
    if let Some(part) = parts.last_mut()
        && let Some(last) = part.last()
    {
        let mut end = Punct::new(separator, Spacing::Alone);
        end.set_span(last.span());
        part.push(TokenTree::Punct(end));
    }
    parts.into_iter().filter(|part| part.len() > 1).map(|part| part.into_iter().collect()).collect()
}

/// The closing `;`.
pub(super) fn semicolon(input: ParseStream<'_>) -> Parsed<()> {
    if input.peek(syn::Token![;]) {
        input.parse::<syn::Token![;]>()?;
        Ok(())
    } else {
        let message = unexpected(input, "`;`");
        Err(match next(input) {
            Some(TokenTree::Punct(p)) if p.as_char() == ',' => message.help(after_comma(input)),
            Some(TokenTree::Punct(_)) | None => message,
            Some(TokenTree::Literal(text)) if text.to_string().starts_with('"') => {
                message.help("the text of a `require` follows a `,`; `/// ..` above an item describes it")
            }
            Some(TokenTree::Literal(_)) => message.help("a value follows `=`, and a product is written with `*`"),
            Some(TokenTree::Ident(word)) if word == "if" => message.help("write `if c { a } else { b }`"),
            Some(_) => message.help("a product is written with `*`, a call as `f(x)`, and a unit in brackets, `[m]`"),
        })
    }
}

/// What a comma in place of `;` was meant to be.
fn after_comma(input: ParseStream<'_>) -> &'static str {
    match input.cursor().token_tree().and_then(|(_, rest)| rest.literal()) {
        Some(_) => "a decimal number has a point: `1.5`",
        None => "an item ends with `;`; names of one type stand together: `a, b: Real;`",
    }
}
