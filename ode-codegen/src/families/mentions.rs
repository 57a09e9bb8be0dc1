//! The names in a text.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};

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
