//! The names in a text.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};

use crate::identifier::bare;

/// Every name in the tokens, those of fields and methods too.
pub(super) fn names(tokens: &TokenStream) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    collect(tokens, &mut found);
    found
}

fn collect(tokens: &TokenStream, found: &mut BTreeSet<String>) {
    for token in tokens.clone() {
        match token {
            TokenTree::Ident(ident) => {
                found.insert(bare(&ident));
            }
            TokenTree::Group(group) => collect(&group.stream(), found),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}
