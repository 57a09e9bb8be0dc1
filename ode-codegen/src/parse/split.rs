//! A body's tokens → one token stream an item, so that one bad item never hides the mistakes of the others.

use proc_macro2::{Delimiter, Punct, Spacing, TokenStream, TokenTree};

use super::words;
use crate::diagnostics::{Errors, Id, Message};

const ENDS: &str = "every item without braces ends with `;`";

/// The items of a body, each with its closing `;` or `{ … }`. A missing `;` is reported and put in, also for a `,`.
pub(super) fn items(body: TokenStream, errors: &mut Errors) -> Vec<TokenStream> {
    let tokens: Vec<TokenTree> = body.into_iter().collect();
    let mut rest = tokens.as_slice();
    let mut items = Vec::new();
    while let Some(first) = rest.first() {
        if is_punct(first, ';') {
            rest = &rest[1..];
            continue;
        }
        if is_punct(first, ',') {
            errors.report(Message::new(Id::M0006, first, "`,` ends no item").help(ENDS));
            rest = &rest[1..];
            continue;
        }
        if let Some(length) = comment(rest) {
            let what = match is_punct(first, '#') {
                true => "`#` begins an attribute, `#[allow(..)]`".to_owned(),
                false => format!("`{first}` begins no item"),
            };
            errors.report(Message::new(Id::M0007, first, what).help("a comment begins with `//`"));
            rest = &rest[length..];
            continue;
        }
        let (length, ending) = item_end(rest);
        let (item, after) = rest.split_at(length.clamp(1, rest.len()));
        rest = after;
        let mut stream: TokenStream = item.iter().cloned().collect();
        if let Some(last) = item.last()
            && ending != Ending::Closed
        {
            match ending {
                Ending::MissingSemicolon => errors.report(missing_semicolon(item, last, rest.first())),
                Ending::Comma => {
                    if let Some((comma, after)) = rest.split_first() {
                        errors.report(comma_for_semicolon(item, comma));
                        rest = after;
                    }
                }
                Ending::Closed | Ending::MissingBraces => {}
            }
            let mut semicolon = Punct::new(';', Spacing::Alone);
            semicolon.set_span(last.span());
            stream.extend([TokenTree::Punct(semicolon)]);
        }
        items.push(stream);
    }
    items
}

/// Number of tokens of `# a comment`, `% a comment` or `-- a comment`, which ends with its line.
fn comment(tokens: &[TokenTree]) -> Option<usize> {
    let [first, second, ..] = tokens else { return None };
    let attribute = is_punct(second, '!') || matches!(second, TokenTree::Group(_));
    let dashes = is_punct(first, '-') && is_punct(second, '-');
    if !(is_punct(first, '%') || dashes || is_punct(first, '#') && !attribute) {
        return None;
    }
    let line = |token: &TokenTree| token.span().start().line;
    Some(tokens.iter().take_while(|token| line(token) == line(first)).count())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    /// ends as it should
    Closed,
    /// should end with `;` and does not
    MissingSemicolon,
    /// ends with `,`, which is the next token
    Comma,
    /// should end with `{ … }` and does not: its parser reports what the braces should contain
    MissingBraces,
}

/// Number of tokens of the first item and how it ends.
fn item_end(tokens: &[TokenTree]) -> (usize, Ending) {
    let head = after_attributes(tokens);
    let word = tokens.get(head).map(word_of).unwrap_or_default();
    let braces = words::ends_with_braces(&word);
    let group = words::declares(&word);
    let known = words::is_item(&word);
    let missing = if braces { Ending::MissingBraces } else { Ending::MissingSemicolon };
    // Names are separated by commas, and what is said about them is not.
    let (mut equals, mut named) = (false, !group);
    for (at, token) in tokens.iter().enumerate().skip(head) {
        match token {
            TokenTree::Punct(p) if p.as_char() == ';' => return (at + 1, Ending::Closed),
            TokenTree::Punct(p) if p.as_char() == '=' => (equals, named) = (true, true),
            TokenTree::Punct(p) if p.as_char() == ':' => named = true,
            // `init { .. }` is a mistake, but lacks no `;`.
            TokenTree::Group(g)
                if g.delimiter() == Delimiter::Brace && (braces || (group && !equals) || !known || at == head + 1) =>
            {
                return (at + 1, Ending::Closed);
            }
            _ => {}
        }
        let ahead = &tokens[at..];
        if at > head && is_punct(token, ',') && !braces && named && (ahead.len() == 1 || starts_item(ahead)) {
            return (at, Ending::Comma);
        }
        if at > head && is_operand(token) && starts_item(ahead) {
            return (at + 1, missing);
        }
    }
    (tokens.len(), missing)
}

/// Does a new item start after the first of these tokens, an operand or a `,`, so that a `;` is missing between? Two
/// operands side by side are never an expression, but a known word or a new line tells an item from a forgotten sign.
fn starts_item(tokens: &[TokenTree]) -> bool {
    let [before, here, rest @ ..] = tokens else { return false };
    let line = |token: &TokenTree| token.span().start().line;
    let ahead = rest.first();
    match here {
        TokenTree::Punct(p) => {
            p.as_char() == '#' && matches!(ahead, Some(TokenTree::Group(g)) if g.delimiter() == Delimiter::Bracket)
        }
        TokenTree::Ident(_) if words::is_item(&word_of(here)) => true,
        TokenTree::Ident(_) if !words::joins(&word_of(here)) && line(here) > line(before) => match ahead {
            Some(TokenTree::Ident(_)) => !words::joins(&word_of(&rest[0])),
            Some(TokenTree::Punct(p)) => matches!(p.as_char(), '=' | ':') && p.spacing() == Spacing::Alone,
            _ => false,
        },
        _ => false,
    }
}

/// Does an operand end with this token?
fn is_operand(token: &TokenTree) -> bool {
    match token {
        TokenTree::Ident(_) => !words::joins(&word_of(token)),
        TokenTree::Literal(_) | TokenTree::Group(_) => true,
        TokenTree::Punct(_) => false,
    }
}

fn missing_semicolon(item: &[TokenTree], last: &TokenTree, next: Option<&TokenTree>) -> Message {
    let word = item.get(after_attributes(item)).map(word_of).unwrap_or_default();
    let what = match next.map(word_of) {
        Some(next) if !next.is_empty() => format!("missing `;` between `{word}` and `{next}`"),
        _ => format!("missing `;` after `{word}`"),
    };
    Message::new(Id::M0006, last, what).help(ENDS)
}

fn comma_for_semicolon(item: &[TokenTree], comma: &TokenTree) -> Message {
    let word = item.get(after_attributes(item)).map(word_of).unwrap_or_default();
    Message::new(Id::M0006, comma, format!("expected `;` after `{word}`, found `,`")).help(ENDS)
}

/// Index of the item's keyword.
fn after_attributes(tokens: &[TokenTree]) -> usize {
    let mut at = 0;
    while tokens.get(at).is_some_and(|t| is_punct(t, '#')) {
        let group = if tokens.get(at + 1).is_some_and(|t| is_punct(t, '!')) { at + 2 } else { at + 1 };
        match tokens.get(group) {
            Some(TokenTree::Group(g)) if g.delimiter() == Delimiter::Bracket => at = group + 1,
            _ => break,
        }
    }
    at
}

fn is_punct(token: &TokenTree, ch: char) -> bool {
    matches!(token, TokenTree::Punct(p) if p.as_char() == ch)
}

fn word_of(token: &TokenTree) -> String {
    match token {
        TokenTree::Ident(ident) => ident.to_string(),
        _ => String::new(),
    }
}
