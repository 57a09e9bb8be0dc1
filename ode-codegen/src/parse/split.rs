//! A body's tokens → one token stream an item, so that one bad item never hides the mistakes of the others.

use proc_macro2::{Delimiter, Punct, Spacing, TokenStream, TokenTree};

use super::words;
use crate::diagnostics::{Errors, Id, Message};

/// The items of a body, each with its closing `;` or `{ … }`. A missing `;` is reported and put in.
pub(super) fn items(body: TokenStream, errors: &mut Errors) -> Vec<TokenStream> {
    let tokens: Vec<TokenTree> = body.into_iter().collect();
    let mut rest = tokens.as_slice();
    let mut items = Vec::new();
    while let Some(first) = rest.first() {
        if is_punct(first, ';') {
            rest = &rest[1..];
            continue;
        }
        if let Some(length) = comment(rest) {
            let message = Message::new(Id::M0007, first, "`#` begins an attribute, `#[allow(..)]`");
            errors.report(message.help("a comment begins with `//`"));
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
            if ending == Ending::MissingSemicolon {
                errors.report(missing_semicolon(item, last, rest.first()));
            }
            let mut semicolon = Punct::new(';', Spacing::Alone);
            semicolon.set_span(last.span());
            stream.extend([TokenTree::Punct(semicolon)]);
        }
        items.push(stream);
    }
    items
}

/// Number of tokens of `# a comment`, which ends with its line.
fn comment(tokens: &[TokenTree]) -> Option<usize> {
    let [first, second, ..] = tokens else { return None };
    if !is_punct(first, '#') || is_punct(second, '!') || matches!(second, TokenTree::Group(_)) {
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
    let mut equals = false;
    for (at, token) in tokens.iter().enumerate().skip(head) {
        match token {
            TokenTree::Punct(p) if p.as_char() == ';' => return (at + 1, Ending::Closed),
            TokenTree::Punct(p) if p.as_char() == '=' => equals = true,
            TokenTree::Group(g) if g.delimiter() == Delimiter::Brace && (braces || (group && !equals) || !known) => {
                return (at + 1, Ending::Closed);
            }
            _ => {}
        }
        if at >= head + 2 && starts_item(&tokens[at - 1], token, tokens.get(at + 1)) {
            return (at, if braces { Ending::MissingBraces } else { Ending::MissingSemicolon });
        }
    }
    (tokens.len(), if braces { Ending::MissingBraces } else { Ending::MissingSemicolon })
}

/// Does a new item start here, so that a `;` is missing before? Two operands side by side are never an expression.
fn starts_item(before: &TokenTree, here: &TokenTree, after: Option<&TokenTree>) -> bool {
    let operand = match before {
        TokenTree::Ident(_) => !words::joins(&word_of(before)),
        TokenTree::Literal(_) | TokenTree::Group(_) => true,
        TokenTree::Punct(_) => false,
    };
    let attribute =
        is_punct(here, '#') && matches!(after, Some(TokenTree::Group(g)) if g.delimiter() == Delimiter::Bracket);
    operand && (attribute || words::is_item(&word_of(here)))
}

fn missing_semicolon(item: &[TokenTree], last: &TokenTree, next: Option<&TokenTree>) -> Message {
    let word = item.get(after_attributes(item)).map(word_of).unwrap_or_default();
    let what = match next.map(word_of) {
        Some(next) if !next.is_empty() => format!("missing `;` between `{word}` and `{next}`"),
        _ => format!("missing `;` after `{word}`"),
    };
    Message::new(Id::M0006, last, what).help("every item without braces ends with `;`")
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
