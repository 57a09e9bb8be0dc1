//! `extern fn mu(slip: Real [m/s]) -> Real { value: crate::tyre::mu, gradient: crate::tyre::mu_grad }`

use proc_macro2::Ident;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{ExprPath, Token};

use super::ast::External;
use super::input::{Parsed, braces, name, unexpected};
use super::item::arguments;
use super::types;
use crate::diagnostics::{Errors, Id, Message, similar};
use crate::model::Source;

/// The forms between the braces.
const KEYS: [&str; 5] = ["value", "gradient", "hessian", "dual", "table"];

/// The item after `extern`.
pub(super) fn read(input: ParseStream<'_>, errors: &mut Errors) -> Parsed<External> {
    input.parse::<Token![fn]>().map_err(|_| {
        unexpected(input, "`fn` after `extern`").help("write `extern fn f(x: Real) -> Real { dual: path::to::f }`")
    })?;
    let name = name(input, "fn")?;
    let args = arguments(input, &name, errors)?;
    input.parse::<Token![->]>().map_err(|_| unexpected(input, "`-> Real`, the type of the result"))?;
    let ty = types::ty(input, errors)?;
    let unit = types::unit(input)?;
    if !input.peek(syn::token::Brace) {
        return Err(unexpected(input, "`{ value: path, gradient: path }` or `{ dual: path }`"));
    }
    let content = braces(input)?;
    let mut found: Vec<(Ident, ExprPath)> = Vec::new();
    while !content.is_empty() {
        found.push(entry(&content, &found)?);
        if !content.is_empty() {
            content.parse::<Token![,]>().map_err(|_| unexpected(&content, "`,`"))?;
        }
    }
    let source = source(&name, &found)?;
    Ok(External { name, args, ty, unit, source })
}

/// `gradient: crate::tyre::mu_grad`
fn entry(input: ParseStream<'_>, before: &[(Ident, ExprPath)]) -> Parsed<(Ident, ExprPath)> {
    if !input.peek(Ident::peek_any) {
        return Err(unexpected(input, "`value`, `gradient`, `hessian`, `dual` or `table`"));
    }
    let key = input.call(Ident::parse_any)?;
    let word = key.to_string();
    if !KEYS.contains(&word.as_str()) {
        let help = similar(&word, KEYS).map(|k| format!("did you mean `{k}`?"));
        return Err(Message::new(Id::M0808, &key, format!("an `extern fn` has no `{word}`"))
            .maybe_help(help)
            .help("give `value`, `gradient` and `hessian`, or `dual` alone, or `table` alone"));
    }
    if before.iter().any(|(k, _)| *k == word) {
        return Err(Message::new(Id::M0808, &key, format!("`{word}` is given twice")));
    }
    input.parse::<Token![:]>().map_err(|_| unexpected(input, &format!("`:` after `{word}`")))?;
    let path: ExprPath = input.parse().map_err(|_| {
        unexpected(input, &format!("the path of a Rust item after `{word}:`"))
            .help("write `crate::tyre::mu`, without arguments")
    })?;
    Ok((key, path))
}

fn source(name: &Ident, found: &[(Ident, ExprPath)]) -> Parsed<Source> {
    let get = |word: &str| found.iter().find(|(k, _)| k == word).map(|(_, path)| path.clone());
    for (alone, from) in [("dual", Source::Dual as fn(ExprPath) -> Source), ("table", Source::Table)] {
        let Some(path) = get(alone) else { continue };
        return match found.iter().find(|(k, _)| k != alone) {
            None => Ok(from(path)),
            Some((other, _)) => {
                Err(Message::new(Id::M0808, other, format!("`{other}` cannot be combined with `{alone}`"))
                    .note(format!("value and all derivatives follow from `{alone}`")))
            }
        };
    }
    match get("value") {
        Some(value) => Ok(Source::Written { value, gradient: get("gradient"), hessian: get("hessian") }),
        None => Err(Message::new(Id::M0808, name, format!("extern fn `{name}` has no value"))
            .help("write `value: path::to::f, gradient: path::to::f_grad`, or `dual: path::to::f`")),
    }
}
