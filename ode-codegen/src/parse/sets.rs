//! Sets of run-time size: `set edges: (nodes, nodes);`, `x[nodes]`, `for e @ (i, j) in edges { … }`.

use proc_macro2::{Ident, TokenStream};
use syn::parse::ParseStream;
use syn::{Pat, Token};

use super::ast::Role;
use super::body;
use super::input::{Parsed, brackets, name, parentheses, unexpected};
use super::words;
use crate::diagnostics::{Errors, Id, Message};

/// `set nodes;`, `set pinned: nodes;`, `set edges: (nodes, nodes);`
pub struct Set {
    /// the name
    pub name: Ident,
    /// the sets whose members one of its members joins
    pub of: Vec<Ident>,
}

/// `for e @ (i, j) in edges { … }`
pub struct Each {
    /// the name of the member
    pub member: Option<Ident>,
    /// names of what it joins
    pub ends: Vec<Ident>,
    /// the set
    pub set: Ident,
    /// the body
    pub body: TokenStream,
}

/// The names of a loop: `e @ (i, j)`.
pub(crate) struct Pattern {
    /// the name of the member
    pub(crate) member: Option<Ident>,
    /// names of what it joins
    pub(crate) ends: Vec<Ident>,
}

/// Most members that a tuple joins.
const MOST_ENDS: usize = 16;

/// The text after `set`.
pub(super) fn set(input: ParseStream<'_>) -> Parsed<Set> {
    let form = "`set nodes;`, `set pinned: nodes;` or `set edges: (nodes, nodes);`";
    let set = name(input, "set")?;
    let mut of = Vec::new();
    if input.peek(Token![:]) {
        input.parse::<Token![:]>()?;
        if input.peek(Token![const]) {
            let word = input.parse::<Token![const]>()?;
            return Err(words::refuse(
                word,
                "const",
                "sets of constant size",
                "`set links;` has its size from the builder",
            ));
        }
        if input.peek(syn::token::Paren) {
            let inside = parentheses(input)?;
            while !inside.is_empty() {
                of.push(name(&inside, "set")?);
                if !inside.is_empty() {
                    inside.parse::<Token![,]>().map_err(|_| unexpected(&inside, "`,`"))?;
                }
            }
        } else {
            of.push(name(input, "set")?);
        }
        if of.is_empty() || of.len() > MOST_ENDS {
            let what = format!("set `{set}` joins {} members", of.len());
            return Err(Message::new(Id::M0007, set, what).help(format!("write {form}, with 1 to {MOST_ENDS} sets")));
        }
    }
    Ok(Set { name: set, of })
}

/// `[nodes]` after a declared name.
pub(super) fn over(input: ParseStream<'_>, role: Role, declared: &Ident) -> Parsed<Ident> {
    let inside = brackets(input)?;
    let set = name(&inside, "set")?;
    if !inside.is_empty() {
        return Err(unexpected(&inside, &format!("`]`: `{declared}[{set}]` is over one set")));
    }
    if matches!(role, Role::Param | Role::Coord | Role::State) {
        return Ok(set);
    }
    let what = format!("families of {}s", role.word());
    let instead = match role {
        Role::Output => "an output of each member stands in a loop: `for i in nodes { output height: Real = x[i].z; }`",
        _ => "only params, coordinates and states may be over a set",
    };
    Err(words::refuse(&set, &format!("{declared}[{set}]"), &what, instead))
}

/// A loop over a set; its body is read for the mistakes in it.
pub(super) fn each(pattern: &Pat, set: &Ident, tokens: TokenStream, level: usize, errors: &mut Errors) -> Parsed<Each> {
    if level > 0 {
        let instead = "a set of tuples, `set edges: (nodes, nodes);`, has a loop of its own";
        return Err(words::refuse(set, &format!("for .. in {set}"), "loops over sets inside loops", instead));
    }
    let Pattern { member, ends } = self::pattern(pattern)?;
    // read again where the elements are made; the level forbids loops over sets in it
    body::items(tokens.clone(), level + 1, errors);
    Ok(Each { member, ends, set: set.clone(), body: tokens })
}

/// `e @ (i, j)`, `(i, j)` or `i`.
pub(crate) fn pattern(pattern: &Pat) -> Parsed<Pattern> {
    Ok(match pattern {
        Pat::Ident(p) if p.by_ref.is_none() && p.mutability.is_none() => {
            let ends = p.subpat.as_ref().map_or(Ok(Vec::new()), |(_, ends)| names(ends))?;
            Pattern { member: Some(p.ident.clone()), ends }
        }
        other => Pattern { member: None, ends: names(other)? },
    })
}

/// The names of a pattern: `(i, j)`, or `i`.
fn names(pattern: &Pat) -> Parsed<Vec<Ident>> {
    let one = |pattern: &Pat| match pattern {
        Pat::Ident(p) if p.subpat.is_none() && p.by_ref.is_none() && p.mutability.is_none() => Ok(p.ident.clone()),
        other => Err(Message::new(Id::M0007, other, "expected names, as in `for e @ (i, j) in edges`")),
    };
    match pattern {
        Pat::Tuple(tuple) => tuple.elems.iter().map(one).collect(),
        Pat::Paren(inner) => Ok(vec![one(&inner.pat)?]),
        other => Ok(vec![one(other)?]),
    }
}
