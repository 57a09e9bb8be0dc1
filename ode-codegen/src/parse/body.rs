//! A body's tokens → items; a bad item is reported and its names are kept.

use std::ops::Range;

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};

use super::ast::{Item, Kind};
use super::input::{Parsed, is_rust_keyword, read_all};
use super::{depth, item, split, words};
use crate::diagnostics::Errors;

/// A body as it was read.
#[derive(Clone, Default)]
pub struct Body {
    /// its items
    pub items: Vec<Item>,
    /// their texts, without those nested too deeply to read
    pub texts: Vec<Text>,
}

/// The text of one item, which as a line of declarations is several.
#[derive(Clone)]
pub struct Text {
    /// its tokens
    pub tokens: TokenStream,
    /// which items of the body it is
    pub items: Range<usize>,
}

impl Text {
    /// What was read of it, one or several of these items.
    pub fn read<'i>(&self, items: &'i [Item]) -> &'i [Item] {
        items.get(self.items.clone()).unwrap_or_default()
    }
}

/// Reads all of a body. `level` counts the loops around it.
pub(super) fn read(body: TokenStream, level: usize, errors: &mut Errors) -> Body {
    let Body { mut items, mut texts } = Body::default();
    for tokens in split::items(body, errors) {
        let first = items.len();
        let (is_shallow, checked) = shallow(&tokens);
        let read = checked.and_then(|()| read_all(tokens.clone(), |input| item::item(input, level, errors)));
        match read {
            Ok(read) => items.extend(read),
            Err(message) => {
                errors.report(message);
                items.extend(broken(tokens.clone()));
            }
        }
        if is_shallow {
            texts.push(Text { tokens, items: first..items.len() });
        }
    }
    Body { items, texts }
}

/// Can an item be looked through, and can it be read? What can be read is no deeper than what can be looked through,
/// but a loop.
fn shallow(item: &TokenStream) -> (bool, Parsed<()>) {
    let head = head_of_loop(item);
    let checked = depth::check(head.as_ref().unwrap_or(item));
    if head.is_none() && checked.is_ok() {
        return (true, checked);
    }
    match depth::brackets(item) {
        Ok(()) => (true, checked),
        Err(message) => (false, Err(message)),
    }
}

/// The tokens of a loop the parser will descend into at once: its body is split first. `None` of another item.
fn head_of_loop(item: &TokenStream) -> Option<TokenStream> {
    let mut tokens: Vec<TokenTree> = item.clone().into_iter().collect();
    let keyword = tokens.iter().find_map(|t| match t {
        TokenTree::Ident(ident) => Some(ident == "for"),
        _ => None,
    });
    let has_body = matches!(tokens.last(), Some(TokenTree::Group(g)) if g.delimiter() == Delimiter::Brace);
    (keyword == Some(true) && has_body).then(|| {
        tokens.pop();
        tokens.into_iter().collect()
    })
}

/// A bad item as the names it would have declared.
fn broken(tokens: TokenStream) -> Option<Item> {
    let is_keyword = |t: &TokenTree| matches!(t, TokenTree::Ident(_));
    let mut rest = tokens.into_iter().skip_while(|t| !is_keyword(t));
    let Some(TokenTree::Ident(keyword)) = rest.next() else { return None };
    let word = keyword.to_string();
    let mut names = Vec::new();
    if words::declares(&word) || words::declares_elsewhere(&word) {
        declared(rest, &mut names);
    } else if !matches!(
        word.as_str(),
        "mass" | "init" | "guess" | "require" | "gravity" | "for" | "bind" | "der" | "balance" | "fix"
    ) {
        let first = rest.find(|t| !matches!(t, TokenTree::Ident(ident) if ident == "fn"));
        names.extend(first.and_then(|t| match t {
            TokenTree::Ident(ident) => Some(ident),
            _ => None,
        }));
    }
    names.retain(|name| !is_rust_keyword(name));
    Some(Item { docs: Vec::new(), allows: Vec::new(), port: false, tangent: None, keyword, kind: Kind::Broken(names) })
}

/// Names before a type or value, in tuples and groups too.
fn declared(tokens: impl Iterator<Item = TokenTree>, names: &mut Vec<Ident>) {
    let mut naming = true;
    for token in tokens {
        match token {
            TokenTree::Ident(ident) if naming => names.push(ident),
            TokenTree::Punct(p) => match p.as_char() {
                ':' | '=' => naming = false,
                ';' => naming = true,
                _ => {}
            },
            TokenTree::Group(group) => match group.delimiter() {
                Delimiter::Parenthesis if naming => names.extend(group.stream().into_iter().filter_map(|t| match t {
                    TokenTree::Ident(ident) => Some(ident),
                    _ => None,
                })),
                // The lines of a group; one level, a group holds no groups.
                Delimiter::Brace => lines(group.stream(), names),
                _ => {}
            },
            _ => {}
        }
    }
}

fn lines(tokens: TokenStream, names: &mut Vec<Ident>) {
    let mut naming = true;
    for token in tokens {
        match token {
            TokenTree::Ident(ident) if naming => names.push(ident),
            TokenTree::Punct(p) => naming = p.as_char() == ';' || (naming && p.as_char() == ','),
            _ => {}
        }
    }
}
