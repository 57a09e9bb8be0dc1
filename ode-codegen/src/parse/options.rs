//! `#[model(derive(..), crate = path, max_ops = n, no_selftest, units = off | check | strict)]`

use proc_macro2::{Ident, TokenStream};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::{Attribute, LitInt, Meta, Path, Token};

use super::ast::{Options, UnitRule};
use super::input::{Parsed, next, parentheses, parts, read_all, unexpected};
use super::words;
use crate::diagnostics::{Errors, Message, similar};

/// Options that are understood.
const OPTIONS: [&str; 5] = ["derive", "crate", "max_ops", "no_selftest", "units"];

/// Options of the language that are not supported yet.
const NOT_YET: [&str; 7] = ["emit", "storage", "order", "freeze", "parallel", "unroll_solver", "branch_free"];

impl Default for Options {
    fn default() -> Self {
        Options { derives: Vec::new(), facade: None, max_ops: None, selftest: true, units: UnitRule::Check }
    }
}

/// Reads one `#[model(..)]` into the options.
pub(super) fn read(attr: &Attribute, options: &mut Options, errors: &mut Errors) {
    let tokens = match &attr.meta {
        Meta::List(list) => list.tokens.clone(),
        Meta::Path(_) | Meta::NameValue(_) => {
            errors.report(
                Message::new("M0904", attr, "expected options in parentheses").help("write `#[model(derive(Clone))]`"),
            );
            return;
        }
    };
    for option in parts(tokens, ',') {
        if let Err(message) = read_all(option, |input| {
            one(input, options)?;
            input.parse::<Token![,]>().map_err(|_| unexpected(input, "`,`"))?;
            Ok(())
        }) {
            errors.report(message);
        }
    }
}

fn one(input: ParseStream<'_>, options: &mut Options) -> Parsed<()> {
    if !input.peek(Ident::peek_any) {
        return Err(unexpected(input, "an option"));
    }
    let name = input.call(Ident::parse_any)?;
    match name.to_string().as_str() {
        "derive" => {
            let content = parentheses(input)?;
            let paths = Punctuated::<Path, Token![,]>::parse_terminated(&content)?;
            options.derives.extend(paths);
        }
        "crate" => {
            input.parse::<Token![=]>()?;
            options.facade = Some(input.call(Path::parse_mod_style)?);
        }
        "max_ops" => {
            input.parse::<Token![=]>()?;
            let literal: LitInt = input.parse()?;
            options.max_ops = Some(literal.base10_parse()?);
        }
        "no_selftest" => options.selftest = false,
        "units" => {
            input.parse::<Token![=]>()?;
            options.units = units(input)?;
        }
        word => return Err(refused(&name, word, input)),
    }
    Ok(())
}

fn units(input: ParseStream<'_>) -> Parsed<UnitRule> {
    let rule = match next(input) {
        Some(token) => match token.to_string().as_str() {
            "off" => UnitRule::Off,
            "check" => UnitRule::Check,
            "strict" => UnitRule::Strict,
            other => {
                return Err(Message::new("M0904", &token, format!("unknown unit rule `{other}`"))
                    .help("write `units = off`, `units = check` or `units = strict`"));
            }
        },
        None => return Err(unexpected(input, "`off`, `check` or `strict`")),
    };
    input.parse::<proc_macro2::TokenTree>()?;
    Ok(rule)
}

fn refused(name: &Ident, word: &str, input: ParseStream<'_>) -> Message {
    // The rest of the option says nothing more.
    let _ = input.parse::<TokenStream>();
    if NOT_YET.contains(&word) {
        return words::refuse(name, word, "options of this kind", "");
    }
    let help = similar(word, OPTIONS).map(|o| format!("did you mean `{o}`?"));
    Message::new("M0904", name, format!("unknown option `{word}` in #[model(..)]"))
        .maybe_help(help)
        .help(format!("options: {}", OPTIONS.join(", ")))
}
