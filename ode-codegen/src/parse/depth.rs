//! A limit on nesting, checked before the recursive parser sees the tokens: a deep expression gives a message, never a
//! stack overflow.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;

use crate::diagnostics::{Id, Message};

/// Deepest nesting of brackets.
const BRACKETS: usize = 24;
/// Longest chain of operators, calls and branches along one path into the expression, brackets counted heavier.
const LINKS: usize = 320;
/// What a bracket costs, in links.
const BRACKET: usize = 8;

/// Deepest nesting of brackets with the bodies of loops around them.
const WITH_LOOPS: usize = BRACKETS + 8;

/// A message if brackets are nested too deeply to read at all.
pub(super) fn brackets(item: &TokenStream) -> Result<(), Message> {
    fn visit(tokens: TokenStream, level: usize) -> Result<(), TokenTree> {
        for token in tokens {
            if let TokenTree::Group(group) = &token {
                if level >= WITH_LOOPS {
                    return Err(token);
                }
                visit(group.stream(), level + 1)?;
            }
        }
        Ok(())
    }
    visit(item.clone(), 0).map_err(too_deep)
}

/// M0008
pub(super) fn too_deep(at: impl ToTokens) -> Message {
    Message::new(Id::M0008, at, "this expression is nested too deeply")
        .note(format!("at most {BRACKETS} nested brackets and {LINKS} nested operators"))
        .help("name its parts with `let`")
}

/// A message if an expression of the item is nested too deeply to read.
pub(super) fn check(item: &TokenStream) -> Result<(), Message> {
    weigh(item.clone(), 0).map(|_| ()).map_err(too_deep)
}

/// Longest chain of links from here inwards; the offending token if there are too many.
fn weigh(tokens: TokenStream, level: usize) -> Result<usize, TokenTree> {
    let (mut links, mut inner, mut deepest) = (0, 0, 0);
    for token in tokens {
        match &token {
            TokenTree::Punct(p) if matches!(p.as_char(), ',' | ';') => {
                deepest = deepest.max(links + inner);
                (links, inner) = (0, 0);
            }
            TokenTree::Group(group) => {
                if level >= BRACKETS {
                    return Err(token);
                }
                links += 1;
                inner = inner.max(BRACKET + weigh(group.stream(), level + 1)?);
            }
            TokenTree::Punct(_) => links += 1,
            TokenTree::Ident(ident) if is_link(&ident.to_string()) => links += 1,
            TokenTree::Ident(_) | TokenTree::Literal(_) => {}
        }
        if links + inner > LINKS {
            return Err(token);
        }
    }
    Ok(deepest.max(links + inner))
}

/// Words that open one more level in the parser.
fn is_link(word: &str) -> bool {
    matches!(
        word,
        "as" | "if"
            | "else"
            | "let"
            | "return"
            | "break"
            | "move"
            | "unsafe"
            | "async"
            | "static"
            | "const"
            | "loop"
            | "while"
            | "for"
            | "match"
            | "yield"
            | "mut"
            | "ref"
            | "box"
            | "dyn"
            | "impl"
            | "raw"
    )
}
