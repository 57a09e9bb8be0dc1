//! Names of sums in constraints: `let all = sum(nodes, |i| y[i]); constraint c: all == x;` reads the sum itself.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;

use super::held::{LONGEST, Lets, inlined};
use super::mentions::{self, Scope};
use super::pieces::{Piece, Sums};
use crate::diagnostics::Errors;
use crate::identifier::bare;
use crate::parse::{self, ast};
use ast::{Item, Kind};

/// The constraints over sums, each with the values of names in place of these; `None` of a text that is too long. A
/// name is known below its `let` (M0104).
pub(super) fn in_place<'p>(pieces: &'p [Piece<'p>], errors: &mut Errors) -> Vec<(&'p Piece<'p>, Option<TokenStream>)> {
    let mut later: BTreeMap<String, Ident> = BTreeMap::new();
    for piece in pieces.iter().filter(|piece| piece.sums == Sums::Named) {
        later.extend(own(piece).map(|own| (bare(&own.name), own.name.clone())));
    }
    let (mut known, mut found) = (Lets::new(), Vec::new());
    for piece in pieces {
        if let (Sums::Named, Some(own)) = (piece.sums, own(piece)) {
            let value = own.value.to_token_stream();
            let is_early = early(&value, &later, errors);
            later.remove(&bare(&own.name));
            if !is_early {
                let value = inlined(&value, &known, 1, &mut { LONGEST });
                known.insert(bare(&own.name), value);
            }
        } else if piece.sums == Sums::Rows {
            let [before, equation, with] = parts(piece.tokens);
            if !early(&equation, &later, errors) {
                let equation = inlined(&equation, &known, 1, &mut { LONGEST });
                found.push((piece, equation.map(|equation| [before, equation, with].into_iter().collect())));
            }
        }
    }
    found
}

fn own<'p>(piece: &Piece<'p>) -> Option<&'p ast::Let> {
    match piece.items {
        [Item { kind: Kind::Let(own), .. }] => Some(own),
        _ => None,
    }
}

/// Does a text read a name that is declared below it, or its own?
fn early(tokens: &TokenStream, later: &BTreeMap<String, Ident>, errors: &mut Errors) -> bool {
    let names = later.keys().map(|name| (name.clone(), None)).collect();
    let read = mentions::first(&mentions::free(tokens, Scope::default(), &BTreeSet::new()), &names);
    let found = read.and_then(|read| Some((later.get(&bare(&read))?, read)));
    if let Some((declared, read)) = &found {
        errors.report(parse::words::used_early(read, declared.span()));
    }
    found.is_some()
}

/// A constraint: what stands before its equation, the equation, and `with { .. }` behind it.
fn parts(constraint: &TokenStream) -> [TokenStream; 3] {
    let tokens: Vec<TokenTree> = constraint.clone().into_iter().collect();
    let is_colon = |token: &TokenTree| matches!(token, TokenTree::Punct(p) if p.as_char() == ':');
    let is_with = |token: &TokenTree| matches!(token, TokenTree::Ident(word) if word == "with");
    let first = tokens.iter().position(is_colon).map_or(0, |colon| colon + 1);
    let last = tokens.iter().skip(first).position(is_with).map_or(tokens.len(), |with| first + with);
    [&tokens[..first], &tokens[first..last], &tokens[last..]].map(|part| part.iter().cloned().collect())
}
