//! Where families are used: by a name of the loop that runs over their set.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, Group, Ident, Spacing, TokenStream, TokenTree};
use quote::ToTokens;
use syn::Expr;

use super::held::mark;
use super::loops::Loop;
use super::pieces::named;
use super::{Families, Set, mentions};
use crate::diagnostics::{Errors, Id, Message, similar, text};
use crate::identifier::bare;
use crate::model::SetLengths;
use crate::parse::{self, ast};
use ast::{Declare, Item, Kind, Role};

/// Beside the loops no family can be read (M0703), in the values that stand there. What subs are given is looked at by
/// `with`.
pub(super) fn outside(values: &TokenStream, families: &Families, sets: &[Set<'_>], errors: &mut Errors) {
    each(values, families, &mut |name, set, _| {
        let message = Message::new(Id::M0703, name, format!("`{name}` is a family, used outside a loop over its set"));
        let set = set_name(sets, set);
        errors.report(message.help(format!("one of its members is `{name}[i]`, in a loop `for i in {set} {{ .. }}`")));
    });
}

/// What `with` gives is one value for all members (M0703).
pub(super) fn with<'i>(items: impl Iterator<Item = &'i Item>, families: &Families, errors: &mut Errors) {
    for item in items {
        let Kind::Sub(sub) = &item.kind else { continue };
        for (param, value) in &sub.with {
            each(&value.to_token_stream(), families, &mut |name, _, _| {
                let what = format!("`{name}` is a family, and `{param}` is given one value for all");
                let message = Message::new(Id::M0703, name, what);
                let help = format!("leave `{param}` out of `with`: the builder takes one for each member");
                errors.report(if sub.over.is_some() { message.help(help) } else { message });
            });
        }
    }
}

/// In a loop each family has an index, which runs over its set (M0702, M0703, M0706), and its names are nothing but
/// that (M0707).
pub(super) fn inside(
    around: &Loop,
    families: &Families,
    others: &BTreeSet<String>,
    sets: &[Set<'_>],
    errors: &mut Errors,
) {
    let set_name = |set: usize| set_name(sets, set);
    let body: TokenStream = around.texts.iter().map(|text| read_in(text.read(&around.items), &text.tokens)).collect();
    let mut others = others.clone();
    others.extend(around.items.iter().flat_map(Item::flat).flat_map(named));
    alone(&body, &Names { around, families, others: &others, sets }, errors);
    each(&body, families, &mut |name, set, index| {
        let Some(index) = index else {
            let what = format!("family `{name}` is used without an index");
            let example = around.names.iter().find(|n| n.set == set).map_or("i".to_owned(), |n| n.ident.to_string());
            errors
                .report(Message::new(Id::M0703, name, what).help(format!("one of its members is `{name}[{example}]`")));
            return;
        };
        let index: Vec<TokenTree> = index.into_iter().collect();
        let used = match index.as_slice() {
            [TokenTree::Ident(one)] => around.names.iter().find(|n| n.ident == *one).map(|n| n.set),
            _ => None,
        };
        let shown = text(index.iter().cloned().collect::<TokenStream>());
        match used {
            Some(of) if of == set => {}
            Some(of) => {
                let what = format!(
                    "`{name}[{shown}]`: `{shown}` runs over `{}`, but `{name}` is over `{}`",
                    set_name(of),
                    set_name(set)
                );
                let joined = sets.get(of).is_some_and(|of| of.of.contains(&set));
                let message = Message::new(Id::M0702, name, what);
                let help = format!("name what it joins: `for {shown} @ (i, j) in {}`", around.over);
                errors.report(if joined { message.help(help) } else { message });
            }
            None => {
                let what = format!("`{name}[{shown}]`: the index of a family is a name of the loop");
                let names: Vec<String> = around.names.iter().map(|n| format!("`{}`", n.ident)).collect();
                let message = Message::new(Id::M0706, name, what)
                    .note(format!("the names of this loop are {}", names.join(", ")));
                errors
                    .report(message.help("another member is joined by a set of tuples, `set edges: (nodes, nodes);`"));
            }
        }
    });
}

/// A default is known to the macro, and the value of a const generic is not (M0704).
pub(super) fn lengths(item: &Item, lengths: &SetLengths, errors: &mut Errors) {
    let Kind::Declare(Declare { role, value: Some(value), .. }) = &item.kind else { return };
    let lengths = lengths.params.iter().map(|length| (bare(&length.ident), None)).collect();
    let found = mentions::first(&value.to_token_stream(), &lengths).filter(|_| *role != Role::Output);
    if let Some(name) = found {
        let what = format!("length `{name}` is no default; the macro cannot see its value");
        let help = format!("read `{name}` where it is needed, or leave the default out");
        errors.report(Message::new(Id::M0704, &name, what).help(help));
    }
}

/// What an item reads: no words and names of items, no types and units, and not what a function calls its arguments.
pub(super) fn read(item: &TokenStream) -> TokenStream {
    read_in(&parse::again(item.clone()).items, item)
}

/// As [`read`], of an item that is read.
pub(super) fn read_in(items: &[Item], item: &TokenStream) -> TokenStream {
    let mut values = TokenStream::new();
    for read in items {
        if let Kind::For(each) = &read.kind {
            return each.texts.iter().map(|text| read_in(text.read(&each.items), &text.tokens)).collect();
        }
        let Some(read) = values_of(&read.kind) else { return item.clone() };
        for value in read {
            value.to_tokens(&mut values);
            values.extend([mark(';')]);
        }
    }
    values
}

/// The expressions of an item; `None` of one that could not be read.
fn values_of(kind: &Kind) -> Option<Vec<&dyn ToTokens>> {
    let mut all: Vec<&dyn ToTokens> = Vec::new();
    match kind {
        Kind::Broken(_) => return None,
        Kind::Declare(declared) => {
            all.extend(declared.value.iter().map(|value| value as &dyn ToTokens));
            all.extend(declared.range.iter().flat_map(|range| [&range.low as &dyn ToTokens, &range.high]));
        }
        Kind::Event(event) => all.extend([&event.condition as &dyn ToTokens, &event.body]),
        Kind::Let(binding) => {
            all.extend(binding.indices.iter().map(|index| index as &dyn ToTokens));
            all.push(&binding.value);
        }
        Kind::Energy(energy) => all.push(&energy.value),
        Kind::Mass(assign) | Kind::Bind(assign) => all.extend([&assign.target as &dyn ToTokens, &assign.value]),
        Kind::Rate(rate) | Kind::Balance(rate) => all.extend([&rate.target as &dyn ToTokens, &rate.value]),
        Kind::Start(start) => all.extend([&start.assign.target as &dyn ToTokens, &start.assign.value]),
        Kind::Force(force) => all.extend([&force.on as &dyn ToTokens, &force.value]),
        Kind::Body(body) | Kind::Spring(body) => {
            all.push(&body.on);
            all.extend(given(&body.fields));
        }
        Kind::Gravity(value) => all.push(value),
        Kind::Constraint(constraint) => {
            all.push(&constraint.equation);
            all.extend(given(&constraint.with));
        }
        Kind::Fix(fix) => {
            all.push(&fix.target);
            all.extend(fix.along.iter().chain(&fix.value).map(|value| value as &dyn ToTokens));
        }
        Kind::Limit(limit) => {
            all.push(&limit.value);
            all.extend(limit.range.iter().flat_map(|range| [&range.low as &dyn ToTokens, &range.high]));
        }
        Kind::Show(show) => {
            all.extend(show.arguments.iter().map(|value| value as &dyn ToTokens));
            all.extend(given(&show.with));
        }
        Kind::Require(require) => all.push(&require.condition),
        Kind::Sub(sub) => all.extend(given(&sub.with)),
        Kind::Unit(_) | Kind::Function(_) | Kind::External(_) | Kind::Set(_) | Kind::Each(_) | Kind::For(_) => {}
    }
    Some(all)
}

/// The values of fields in braces.
fn given(fields: &[(Ident, Expr)]) -> impl Iterator<Item = &dyn ToTokens> {
    fields.iter().map(|(_, value)| value as &dyn ToTokens)
}

/// Is it the name of a field, `k: 2.0`?
fn labels(next: Option<&TokenTree>) -> bool {
    matches!(next, Some(TokenTree::Punct(p)) if p.as_char() == ':' && p.spacing() == Spacing::Alone)
}

/// What names mean in a loop.
struct Names<'a> {
    around: &'a Loop,
    families: &'a Families,
    /// names that are no families
    others: &'a BTreeSet<String>,
    sets: &'a [Set<'a>],
}

/// Names of the loop that stand anywhere but alone in the brackets of a family (M0707).
fn alone(tokens: &TokenStream, names: &Names<'_>, errors: &mut Errors) {
    let Names { around, families, others, sets } = *names;
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let follows = |k: usize, mark: char| {
        let before = k.checked_sub(1).and_then(|before| tokens.get(before));
        matches!(before, Some(TokenTree::Punct(p)) if p.as_char() == mark)
    };
    for (k, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => {
                let of_family = k.checked_sub(1).and_then(|before| match tokens.get(before)? {
                    TokenTree::Ident(name) if !follows(before, '.') => families.get(&bare(name)),
                    _ => None,
                });
                let misspelt = k
                    .checked_sub(1)
                    .filter(|&before| of_family.is_none() && !follows(before, '.') && is_name(group, around));
                if let Some(TokenTree::Ident(name)) = misspelt.and_then(|before| tokens.get(before)) {
                    let near = similar(&name.to_string(), families.keys().map(String::as_str));
                    if near.is_some() || !others.contains(&bare(name)) {
                        let what = format!("cannot find family `{name}` in this model");
                        let help = near.map(|near| format!("did you mean `{near}`?"));
                        errors.report(Message::new(Id::M0101, name, what).maybe_help(help));
                        continue;
                    }
                }
                // what stands in the brackets of a family is looked at by `inside`
                if of_family.is_none() || group.delimiter() != Delimiter::Bracket {
                    alone(&group.stream(), names, errors);
                }
            }
            TokenTree::Ident(name) if !follows(k, '.') && !labels(tokens.get(k + 1)) => {
                let Some(of) = around.names.iter().find(|own| own.ident == *name) else { continue };
                let set = set_name(sets, of.set);
                let message = Message::new(Id::M0707, name, format!("`{name}` is a member of `{set}`, not a number"));
                let help = format!("give each member its number as a parameter: `param number[{set}]: Real;`");
                errors.report(message.help(help));
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// Is it `[i]`, with a name of the loop?
fn is_name(group: &Group, around: &Loop) -> bool {
    let inside: Vec<TokenTree> = group.stream().into_iter().collect();
    let is_own = |name: &Ident| around.names.iter().any(|own| own.ident == *name);
    group.delimiter() == Delimiter::Bracket && matches!(inside.as_slice(), [TokenTree::Ident(name)] if is_own(name))
}

fn set_name(sets: &[Set<'_>], set: usize) -> String {
    sets.get(set).map_or_else(String::new, |set| set.name.to_string())
}

/// Calls `see` with each use of a family, its set, and what stands in the brackets after it.
fn each(tokens: &TokenStream, families: &Families, see: &mut dyn FnMut(&Ident, usize, Option<TokenStream>)) {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    for (k, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => each(&group.stream(), families, see),
            TokenTree::Ident(name) => {
                let field = k > 0 && matches!(&tokens[k - 1], TokenTree::Punct(p) if p.as_char() == '.');
                let passed = field || labels(tokens.get(k + 1));
                let Some(&set) = families.get(&bare(name)).filter(|_| !passed) else { continue };
                let index = tokens.get(k + 1).and_then(|next| match next {
                    TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => Some(group.stream()),
                    _ => None,
                });
                see(name, set, index);
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}
