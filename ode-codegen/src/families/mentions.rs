//! The names in a text.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream, TokenTree};

use super::held::Lets;
use crate::identifier::bare;

/// Every name in the tokens, those of fields and methods too.
pub(super) fn names(tokens: &TokenStream) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    collect(tokens, true, &mut found);
    found
}

/// The same without those of fields and methods.
pub(super) fn values(tokens: &TokenStream) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    collect(tokens, false, &mut found);
    found
}

/// The first of these names in the tokens, where it is none of a field or a method.
pub(super) fn first(tokens: &TokenStream, names: &Lets) -> Option<Ident> {
    let mut after_dot = false;
    for token in tokens.clone() {
        let found = match &token {
            TokenTree::Ident(ident) => (!after_dot && names.contains_key(&bare(ident))).then(|| ident.clone()),
            TokenTree::Group(group) => first(&group.stream(), names),
            TokenTree::Punct(_) | TokenTree::Literal(_) => None,
        };
        if found.is_some() {
            return found;
        }
        after_dot = matches!(&token, TokenTree::Punct(p) if p.as_char() == '.');
    }
    None
}

fn collect(tokens: &TokenStream, fields: bool, found: &mut BTreeSet<String>) {
    let mut after_dot = false;
    for token in tokens.clone() {
        match &token {
            TokenTree::Ident(ident) => {
                if fields || !after_dot {
                    found.insert(bare(ident));
                }
            }
            TokenTree::Group(group) => collect(&group.stream(), fields, found),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
        after_dot = matches!(&token, TokenTree::Punct(p) if p.as_char() == '.');
    }
}
