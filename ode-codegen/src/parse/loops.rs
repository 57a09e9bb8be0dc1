//! `for i in 0..4 { … }` over a literal range; loops over sets are in [`super::sets`].

use proc_macro2::{Ident, TokenStream};
use syn::parse::ParseStream;
use syn::{Expr, ExprRange, Lit, Pat, RangeLimits};

use super::ast::{Item, Kind};
use super::body::{self, Body, Text};
use super::input::{Parsed, braces, unexpected, unwrapped};
use super::{sets, types};
use crate::diagnostics::{Errors, Id, Message, text};

/// Most rounds of one loop: a literal range unrolls.
const MOST_ROUNDS: i64 = 1024;

/// What a loop is.
const UNROLLED: &str = "a literal range unrolls: `for i in 0..4 { .. }`";

/// Deepest nesting of loops.
const DEEPEST: usize = 6;

/// `for i in 0..4 { … }`
#[derive(Clone)]
pub struct For {
    /// the loop's name
    pub index: Ident,
    /// values of the index
    pub range: std::ops::Range<i64>,
    /// items of the body
    pub items: Vec<Item>,
    /// what they were read from; none where some were left out since
    pub texts: Vec<Text>,
}

impl For {
    /// Does it contain such an item, in a loop of its own perhaps?
    pub fn any(&self, is: fn(&Kind) -> bool) -> bool {
        self.items.iter().any(|item| match &item.kind {
            Kind::For(inner) => inner.any(is),
            kind => is(kind),
        })
    }
}

/// The text after `for`.
pub(super) fn read(input: ParseStream<'_>, level: usize, errors: &mut Errors) -> Parsed<Kind> {
    let pattern = input.call(Pat::parse_single)?;
    input.parse::<syn::Token![in]>().map_err(|_| unexpected(input, "`in`").help(UNROLLED))?;
    let over = unwrapped(input.call(Expr::parse_without_eager_brace)?);
    if !input.peek(syn::token::Brace) {
        return Err(unexpected(input, "`{ .. }`"));
    }
    let tokens: TokenStream = braces(input)?.parse()?;
    if let Expr::Path(path) = &over
        && let Some(set) = path.path.get_ident()
    {
        return sets::each(&pattern, set, tokens, level, errors).map(Kind::Each);
    }
    let range = range(&over)?;
    let index = index(&pattern)?;
    if level >= DEEPEST {
        return Err(
            Message::new(Id::M0008, over, "loops are nested too deeply").note(format!("at most {DEEPEST} deep"))
        );
    }
    let Body { items, texts } = body::read(tokens, level + 1, errors);
    Ok(Kind::For(For { index, range, items, texts }))
}

fn index(pattern: &Pat) -> Parsed<Ident> {
    match pattern {
        Pat::Ident(p) if p.subpat.is_none() && p.by_ref.is_none() && p.mutability.is_none() => Ok(p.ident.clone()),
        other => Err(Message::new(Id::M0007, other, "expected one name, as in `for i in 0..4`")),
    }
}

fn range(over: &Expr) -> Parsed<std::ops::Range<i64>> {
    let Expr::Range(ExprRange { start: Some(start), limits, end: Some(end), .. }) = over else {
        return Err(Message::new(Id::M0007, over, "expected a set, or a range such as `0..4`").help(UNROLLED));
    };
    let (start, end) = (bound(&unwrapped((**start).clone()))?, bound(&unwrapped((**end).clone()))?);
    let end = match limits {
        RangeLimits::HalfOpen(_) => end,
        RangeLimits::Closed(_) => end.saturating_add(1),
    };
    if end.saturating_sub(start) > MOST_ROUNDS {
        return Err(Message::new(Id::M0108, over, format!("`{}` has more than {MOST_ROUNDS} rounds", text(over)))
            .note("a literal range unrolls: every round is code"));
    }
    Ok(start..end)
}

fn bound(expr: &Expr) -> Parsed<i64> {
    match expr {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(n) if n.suffix().is_empty() => Ok(n.base10_parse()?),
            other => Err(Message::new(Id::M0007, other, "expected a whole number")),
        },
        Expr::Path(path) if path.path.get_ident().is_some() => Err(types::const_generic(path)),
        other => Err(Message::new(Id::M0007, other, "expected a whole number").help(UNROLLED)),
    }
}
