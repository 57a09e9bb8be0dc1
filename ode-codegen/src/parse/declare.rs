//! `param`, `coord`, `state`, `mode`, `input` and `output`, one at a time or as a group.

use proc_macro2::{Delimiter, Ident, TokenTree};
use syn::parse::ParseStream;
use syn::{Attribute, Token};

use super::ast::{Declare, Name, Role, Type, Unit};
use super::attributes::{Notes, notes};
use super::input::{Parsed, eat_word, expression, name, next, parts, read_all, semicolon, unexpected};
use super::{sets, types};
use crate::diagnostics::{Errors, Id, Message, compact, text, with_article};

/// Declarations after the keyword, each with its own notes in a group.
pub(super) fn declarations(
    input: ParseStream<'_>,
    role: Role,
    outer: &Notes,
    errors: &mut Errors,
) -> Parsed<Vec<(Notes, Declare)>> {
    if !(input.peek(Token![:]) || input.peek(syn::token::Brace)) {
        let declare = line(input, role, &shared(), errors)?;
        semicolon(input)?;
        return Ok(vec![(outer.clone(), declare)]);
    }
    let mut given = shared();
    if input.peek(Token![:]) {
        input.parse::<Token![:]>()?;
        given = (declared_type(input, role, errors)?, types::unit(input)?);
    }
    let Some(TokenTree::Group(group)) = next(input).filter(is_braces) else {
        return Err(unexpected(input, &format!("a name, or a group `{} {{ a = 1.0; b = 2.0; }}`", role.word())));
    };
    input.parse::<TokenTree>()?;
    let mut all = Vec::new();
    for tokens in parts(group.stream(), ';') {
        let read = read_all(tokens, |input| {
            let mut own = notes(&input.call(Attribute::parse_outer)?)?;
            let declare = line(input, role, &given, errors)?;
            semicolon(input)?;
            if own.docs.is_empty() {
                own.docs.clone_from(&outer.docs);
            }
            own.allows.extend(outer.allows.iter().cloned());
            Ok((own, declare))
        });
        match read {
            Ok(declared) => all.push(declared),
            Err(message) => errors.report(message),
        }
    }
    Ok(all)
}

/// The type of a declaration; that of an output is the type of its value.
fn declared_type(input: ParseStream<'_>, role: Role, errors: &mut Errors) -> Parsed<Type> {
    if role == Role::Output { types::of_value(input, errors) } else { types::ty(input, errors) }
}

fn shared() -> (Type, Option<Unit>) {
    (Type::real(), None)
}

fn is_braces(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(g) if g.delimiter() == Delimiter::Brace)
}

/// `a, b: Type [unit] in lo..=hi = default`
fn line(input: ParseStream<'_>, role: Role, given: &(Type, Option<Unit>), errors: &mut Errors) -> Parsed<Declare> {
    let mut names = vec![declared(input, role)?];
    while input.peek(Token![,]) {
        input.parse::<Token![,]>()?;
        names.push(declared(input, role)?);
    }
    if let (Some(TokenTree::Ident(after)), [name]) = (next(input), names.as_slice())
        && after != "in"
    {
        let help = format!("the type follows the name: `{} {after}: {}`", role.word(), name.ident);
        let what = format!("expected `:` after `{}`, found `{after}`", name.ident);
        return Err(Message::new(Id::M0007, after, what).help(help));
    }
    let (mut ty, mut unit) = given.clone();
    if input.peek(Token![:]) {
        input.parse::<Token![:]>()?;
        ty = declared_type(input, role, errors)?;
        unit = types::unit(input)?;
    }
    let (mut range, mut value) = (None, None);
    if let Some(word) = eat_word(input, "in") {
        if role != Role::Input {
            return Err(Message::new(Id::M0009, word, format!("{} has no range", with_article(role.word())))
                .help("only an `input` has one; bound a state by `limit`, a parameter by `require`"));
        }
        let (bounds, default) = types::range(expression(input, "as in `in lo..=hi`")?)?;
        range = Some(bounds);
        value = default;
    }
    if input.peek(Token![=]) {
        input.parse::<Token![=]>()?;
        value = Some(expression(input, "after `=`")?);
    }
    Ok(Declare { role, names, ty, unit, range, value })
}

/// `x` or `(r, v)`.
fn declared(input: ParseStream<'_>, role: Role) -> Parsed<Name> {
    let mut name = match next(input) {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis => {
            input.parse::<TokenTree>()?;
            let names = read_all(group.stream(), |input| pair(input, role))?;
            tuple(&group, &names, role)?
        }
        _ => Name { ident: name(input, role.word())?, velocity: None, over: None },
    };
    match next(input) {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Bracket => {
            let after = input.cursor().token_tree().and_then(|(_, rest)| rest.punct());
            if after.is_none_or(|(sign, _)| !matches!(sign.as_char(), ':' | ',')) {
                let what = format!("expected `:` and a type, found `{}`", text(&group));
                let help = format!("a unit follows the type: `{}: Real {}`", name.ident, compact(&group));
                return Err(Message::new(Id::M0007, group, what).help(help));
            }
            name.over = Some(sets::over(input, role, &name.ident)?);
            Ok(name)
        }
        _ => Ok(name),
    }
}

fn pair(input: ParseStream<'_>, role: Role) -> Parsed<Vec<Ident>> {
    let mut names = Vec::new();
    while !input.is_empty() {
        names.push(name(input, role.word())?);
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
    }
    Ok(names)
}

/// M0005: a tuple is a coordinate's position and velocity.
fn tuple(group: &proc_macro2::Group, names: &[Ident], role: Role) -> Parsed<Name> {
    match names {
        [ident, velocity] if role == Role::Coord => {
            Ok(Name { ident: ident.clone(), velocity: Some(velocity.clone()), over: None })
        }
        _ => {
            let word = if role == Role::Coord { "coord" } else { role.word() };
            let list: Vec<String> = names.iter().map(Ident::to_string).collect();
            let what = match role {
                Role::Coord => "a tuple declares (position, velocity)",
                _ => "a tuple declares (position, velocity) of a coordinate",
            };
            Err(Message::new(Id::M0005, group, format!("`{word} {}`: {what}", text(group)))
                .help(format!("for several names write `{word} {}: Real;`", list.join(", "))))
        }
    }
}
