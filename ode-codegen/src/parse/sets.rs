//! Sets: `set edges: (nodes, nodes);`, `x[nodes]`, `for e @ (i, j) in edges { … }`.

use proc_macro2::{Ident, Literal, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::ParseStream;
use syn::{LitInt, Pat, Token};

use super::ast::{Item, Kind, Role};
use super::body::{self, Body, Text};
use super::input::{Parsed, brackets, eat_word, name, next, parentheses, unexpected};
use super::words;
use crate::diagnostics::{Errors, Id, Message, text};

/// `set nodes;`, `set nodes: const 5;`, `set pinned: nodes;`, `set edges: (nodes, nodes) = chain;`
#[derive(Clone)]
pub struct Set {
    /// the name
    pub name: Ident,
    /// how many members there are; `None` where the builder says it
    pub length: Option<Length>,
    /// the sets whose members one of its members joins
    pub of: Vec<Ident>,
    /// its members where the builder gives no others
    pub members: Option<Members>,
}

/// What stands after `const`.
#[derive(Clone)]
pub enum Length {
    /// the number
    Literal(usize),
    /// a const generic of the struct
    Named(Ident),
}

/// What stands after `=`.
#[derive(Clone)]
pub enum Members {
    /// `chain`: neighbours in a row
    Chain(Ident),
    /// `[(0, 1), (1, 2)]`: each with its tokens, and the members that it joins with theirs
    List(Vec<(TokenStream, Vec<(usize, Literal)>)>),
}

/// `for e @ (i, j) in edges { … }`
#[derive(Clone)]
pub struct Each {
    /// the name of the member
    pub member: Option<Ident>,
    /// names of what it joins
    pub ends: Vec<Ident>,
    /// the set
    pub set: Ident,
    /// the body
    pub body: TokenStream,
    /// its items
    pub items: Vec<Item>,
    /// what they were read from; none where some were left out since
    pub texts: Vec<Text>,
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

/// The word for neighbours in a row.
const CHAIN: &str = "chain";

/// The text after `set`.
pub(super) fn set(input: ParseStream<'_>) -> Parsed<Set> {
    let form = "`set nodes;`, `set pinned: nodes;` or `set edges: (nodes, nodes);`";
    let set = name(input, "set")?;
    let (mut length, mut of, mut members) = (None, Vec::new(), None);
    if input.peek(Token![:]) {
        input.parse::<Token![:]>()?;
        if input.peek(Token![const]) {
            input.parse::<Token![const]>()?;
            length = Some(self::length(input)?);
        } else if input.peek(syn::token::Paren) {
            let inside = parentheses(input)?;
            of = separated(&inside, |inside| name(inside, "set"))?;
        } else if let Some(TokenTree::Literal(count)) = next(input) {
            let message = Message::new(Id::M0007, &count, format!("expected the name of a set, found `{count}`"));
            return Err(message.help(format!("a length has a word before it: `set {set}: const {count};`")));
        } else {
            of.push(name(input, "set")?);
        }
        if length.is_none() && (of.is_empty() || of.len() > MOST_ENDS) {
            let what = format!("set `{set}` joins {} members", of.len());
            return Err(Message::new(Id::M0007, set, what).help(format!("write {form}, with 1 to {MOST_ENDS} sets")));
        }
    }
    if input.peek(Token![=]) {
        let mark = input.parse::<Token![=]>()?;
        if of.is_empty() {
            let what = format!("the members of `{set}` join no others, and have nothing but their number");
            return Err(Message::new(Id::M0007, mark, what).help(format!("write `set {set}: const 4;`")));
        }
        members = Some(self::members(input)?);
    }
    Ok(Set { name: set, length, of, members })
}

/// `4`, or the name of a const generic.
fn length(input: ParseStream<'_>) -> Parsed<Length> {
    if matches!(next(input), Some(TokenTree::Ident(_))) {
        return Ok(Length::Named(name(input, "length")?));
    }
    match number(input, "a length", "a whole number, or a const generic of the struct")? {
        (0, zero) => Err(Message::new(Id::M0705, zero, "a set has at least one member")),
        (count, _) => Ok(Length::Literal(count)),
    }
}

/// `chain`, or `[(0, 1), (1, 2)]`.
fn members(input: ParseStream<'_>) -> Parsed<Members> {
    if let Some(chain) = eat_word(input, CHAIN) {
        return Ok(Members::Chain(chain));
    }
    if !input.peek(syn::token::Bracket) {
        return Err(unexpected(input, "`chain`, or a list of members, as in `[(0, 1), (1, 2)]`"));
    }
    let inside = brackets(input)?;
    let whole = "the number of a member, counted from 0, as in `[(0, 1), (1, 2)]`";
    let one = |input: ParseStream<'_>| number(input, "a member", whole);
    let list = separated(&inside, |inside| {
        let written = next(inside).map(TokenStream::from).unwrap_or_default();
        let joined = match inside.peek(syn::token::Paren) {
            true => separated(&parentheses(inside)?, one)?,
            false => vec![one(inside)?],
        };
        Ok((written, joined))
    });
    list.map(Members::List)
}

/// A whole number that 32 bits can hold (M0705).
fn number(input: ParseStream<'_>, what: &str, help: &str) -> Parsed<(usize, Literal)> {
    let negative = input.peek(Token![-]);
    let ahead = input.fork();
    let mark: Option<Token![-]> = if negative { ahead.parse().ok() } else { None };
    let Some(TokenTree::Literal(literal)) = next(&ahead) else {
        return Err(unexpected(input, help));
    };
    let written: Option<LitInt> = syn::parse2(TokenTree::from(literal.clone()).into()).ok();
    let plain = written.filter(|n| !negative && matches!(n.suffix(), "" | "usize"));
    let Some(count) = plain.as_ref().and_then(|n| n.base10_parse::<u32>().ok()) else {
        let mut tokens = mark.to_token_stream();
        tokens.extend([TokenTree::from(literal)]);
        let message = Message::new(Id::M0705, &tokens, format!("`{}` is not {what} of a set", text(&tokens)));
        return Err(match plain {
            Some(_) => message.note(format!("numbers of members are at most {}", u32::MAX)),
            None => message.help(format!("write {help}")),
        });
    };
    input.parse::<LitInt>()?;
    Ok((count as usize, literal))
}

/// What stands between commas.
fn separated<T>(inside: ParseStream<'_>, read: impl Fn(ParseStream<'_>) -> Parsed<T>) -> Parsed<Vec<T>> {
    let mut all = Vec::new();
    while !inside.is_empty() {
        all.push(read(inside)?);
        if !inside.is_empty() {
            inside.parse::<Token![,]>().map_err(|_| unexpected(inside, "`,`"))?;
        }
    }
    Ok(all)
}

/// Is it a set that could not be read?
pub(crate) fn is_broken(item: &Item) -> bool {
    matches!(item.kind, Kind::Broken(_)) && item.keyword == "set"
}

/// `[nodes]` after a name.
pub(super) fn of_members(input: ParseStream<'_>, declared: &Ident) -> Parsed<Ident> {
    let inside = brackets(input)?;
    let set = name(&inside, "set")?;
    if !inside.is_empty() {
        return Err(unexpected(&inside, &format!("`]`: `{declared}[{set}]` is over one set")));
    }
    Ok(set)
}

/// `[nodes]` after a declared name.
pub(super) fn over(input: ParseStream<'_>, role: Role, declared: &Ident) -> Parsed<Ident> {
    let set = of_members(input, declared)?;
    if role != Role::Output {
        return Ok(set);
    }
    let instead = "an output of each member stands in a loop: `for i in nodes { output height: Real = x[i].z; }`";
    Err(words::refuse(&set, &format!("{declared}[{set}]"), "families of outputs", instead))
}

/// A loop over a set; its body is read for the mistakes in it.
pub(super) fn each(pattern: &Pat, set: &Ident, tokens: TokenStream, level: usize, errors: &mut Errors) -> Parsed<Each> {
    if level > 0 {
        let instead = "a set of tuples, `set edges: (nodes, nodes);`, has a loop of its own";
        return Err(words::refuse(set, &format!("for .. in {set}"), "loops over sets inside loops", instead));
    }
    let Pattern { member, ends } = self::pattern(pattern)?;
    // the level forbids loops over sets in it
    let Body { items, texts } = body::read(tokens.clone(), level + 1, errors);
    Ok(Each { member, ends, set: set.clone(), body: tokens, items, texts })
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
