//! The names in a text.

use std::collections::BTreeSet;

use proc_macro2::{Group, Ident, TokenStream, TokenTree};

use super::held::Lets;
use crate::identifier::bare;

/// What closures bind at a place of a text: `i` in the body of `|i| y[i]`, up to a comma.
#[derive(Default)]
pub(super) struct Scope {
    /// names that are bound around the brackets
    around: BTreeSet<String>,
    /// names of the closures in these brackets
    own: BTreeSet<String>,
    /// between the bars of a closure
    in_bars: bool,
    before: Before,
}

/// What stands before a token.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Before {
    /// nothing of its expression
    #[default]
    Nothing,
    Dot,
    Other,
}

impl Scope {
    /// Where these names are bound.
    pub(super) fn of(around: BTreeSet<String>) -> Self {
        Self { around, ..Self::default() }
    }

    /// In brackets that stand here.
    pub(super) fn inside(&self) -> Self {
        Self::of(self.around.union(&self.own).cloned().collect())
    }

    /// Goes over a token. Is it a name whose value is read, of no field or method, and bound by no closure?
    pub(super) fn reads(&mut self, token: &TokenTree) -> bool {
        let after = match token {
            TokenTree::Punct(p) if matches!(p.as_char(), ',' | ';' | '=') => Before::Nothing,
            TokenTree::Punct(p) if p.as_char() == '.' => Before::Dot,
            _ => Before::Other,
        };
        let before = std::mem::replace(&mut self.before, after);
        match token {
            TokenTree::Punct(p) if p.as_char() == '|' && self.in_bars => {
                (self.in_bars, self.before) = (false, Before::Nothing);
            }
            TokenTree::Punct(p) if p.as_char() == '|' => self.in_bars = before == Before::Nothing,
            TokenTree::Punct(p) if matches!(p.as_char(), ',' | ';') && !self.in_bars => self.own.clear(),
            TokenTree::Ident(name) if self.in_bars => self.own.extend([bare(name)]),
            TokenTree::Group(group) if self.in_bars => self.own.extend(names(&group.stream())),
            TokenTree::Ident(name) => {
                let name = bare(name);
                return before != Before::Dot && !self.around.contains(&name) && !self.own.contains(&name);
            }
            _ => {}
        }
        false
    }
}

/// A text without fields and names that are bound in it, and without constraints whose multipliers it reads, `c` of
/// `c.lambda`.
pub(super) fn free(tokens: &TokenStream, mut scope: Scope, constraints: &BTreeSet<String>) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let mut out = TokenStream::new();
    for (k, token) in tokens.iter().enumerate() {
        let is_read = scope.reads(token);
        out.extend(match token {
            TokenTree::Group(group) => {
                let inside = free(&group.stream(), scope.inside(), constraints);
                Some(TokenTree::from(Group::new(group.delimiter(), inside)))
            }
            TokenTree::Ident(_) if !is_read || multiplier_at(&tokens[k..], constraints).is_some() => None,
            _ => Some(token.clone()),
        });
    }
    out
}

/// The first of these constraints whose multiplier a text reads.
pub(super) fn multiplier(tokens: &TokenStream, constraints: &BTreeSet<String>) -> Option<Ident> {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    tokens.iter().enumerate().find_map(|(k, token)| match token {
        TokenTree::Group(group) => multiplier(&group.stream(), constraints),
        _ => multiplier_at(&tokens[k..], constraints).cloned(),
    })
}

/// `c` where a text begins with `c.lambda`, of these constraints.
fn multiplier_at<'t>(tokens: &'t [TokenTree], constraints: &BTreeSet<String>) -> Option<&'t Ident> {
    match tokens {
        [TokenTree::Ident(name), TokenTree::Punct(dot), TokenTree::Ident(lambda), ..]
            if dot.as_char() == '.' && lambda == "lambda" && constraints.contains(&bare(name)) =>
        {
            Some(name)
        }
        _ => None,
    }
}

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
