//! Fragments that a user's `macro_rules!` passes on, read as if written directly.
//!
//! A fragment (`$n:literal`, `$e:expr`, `$t:ty`) arrives in a group without brackets. Readers of tokens take it for one
//! token, readers of expressions for several. So before reading, each such group is replaced by its tokens, or by an
//! expression in parentheses if the surroundings could tear it apart. `r#x` becomes `x`, the same name to Rust.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use syn::Expr;

use super::depth;
use crate::identifier::{identifier, is_keyword, unraw};

/// Levels that are looked into; what is nested more deeply is refused when it is read.
const LEVELS: usize = 64;

/// The tokens without groups that have no brackets.
pub(super) fn dissolved(tokens: TokenStream) -> TokenStream {
    within(tokens, 0)
}

fn within(tokens: TokenStream, level: usize) -> TokenStream {
    let mut out: Vec<TokenTree> = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) if level < LEVELS => {
                let inner = within(group.stream(), level + 1);
                match group.delimiter() {
                    Delimiter::None if !falls_apart(&inner) => out.extend(inner),
                    Delimiter::None => out.push(around(Delimiter::Parenthesis, inner, &group)),
                    delimiter => out.push(around(delimiter, inner, &group)),
                }
            }
            TokenTree::Ident(ident) => out.push(TokenTree::Ident(plain(ident))),
            other => out.push(other),
        }
    }
    out.into_iter().collect()
}

fn around(delimiter: Delimiter, inner: TokenStream, old: &Group) -> TokenTree {
    let mut group = Group::new(delimiter, inner);
    group.set_span(old.span());
    TokenTree::Group(group)
}

/// Is it an expression whose parts its surroundings could tear apart, such as `a + b` in `$e * c`?
fn falls_apart(tokens: &TokenStream) -> bool {
    let single = tokens.clone().into_iter().nth(1).is_none();
    if single || depth::check(tokens).is_err() {
        return false;
    }
    match syn::parse2::<Expr>(tokens.clone()) {
        // `doc = "text"` is an attribute
        Ok(Expr::Assign(_)) => false,
        Ok(Expr::Path(_) | Expr::Field(_) | Expr::Index(_) | Expr::Call(_) | Expr::MethodCall(_)) => false,
        Ok(_) => true,
        // a type, a path with arguments, a visibility
        Err(_) => false,
    }
}

fn plain(ident: Ident) -> Ident {
    let name = ident.to_string();
    let bare = unraw(&name);
    if bare.len() == name.len() || is_keyword(bare) { ident } else { identifier(bare, ident.span()) }
}
