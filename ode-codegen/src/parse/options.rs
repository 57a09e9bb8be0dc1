//! `#[model(derive(..), crate = path, max_ops = n, no_selftest, units = off | check | strict, freeze(..), emit(..),
//! order = 1, storage = dense | sparse, …)]`

use proc_macro2::{Ident, TokenStream};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::{Attribute, LitInt, Meta, Path, Token};

use super::ast::{Freeze, Options, UnitRule};
use super::input::{Parsed, next, parentheses, parts, read_all, unexpected};
use super::words;
use crate::diagnostics::{Errors, Id, Message, similar};
use crate::model::{Emit, Order, Storage};

/// Options that are understood.
const OPTIONS: &[&str] = &[
    "derive",
    "crate",
    "max_ops",
    "no_selftest",
    "units",
    "freeze",
    "emit",
    "branch_free",
    "prepared",
    "platform_sines",
    "order",
    "show",
    "storage",
];

/// Options of the language that are not supported yet.
const NOT_YET: &[&str] = &["parallel"];

impl Default for Options {
    fn default() -> Self {
        Options {
            derives: Vec::new(),
            facade: None,
            max_ops: None,
            selftest: true,
            units: UnitRule::Check,
            freeze: Freeze::default(),
            emit: Emit::default(),
            branch_free: false,
            prepared: None,
            platform_sines: false,
            show: false,
            order: Order::Second,
            storage: None,
        }
    }
}

/// Reads one `#[model(..)]` into the options.
pub(super) fn read(attr: &Attribute, options: &mut Options, errors: &mut Errors) {
    let tokens = match &attr.meta {
        Meta::List(list) => list.tokens.clone(),
        Meta::Path(_) | Meta::NameValue(_) => {
            errors.report(
                Message::new(Id::M0904, attr, "expected options in parentheses")
                    .help("write `#[model(derive(Clone))]`"),
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
        "order" => {
            input.parse::<Token![=]>()?;
            options.order = order(input)?;
        }
        "storage" => {
            input.parse::<Token![=]>()?;
            options.storage = Some(storage(input)?);
        }
        "freeze" if input.peek(syn::token::Paren) => {
            let content = parentheses(input)?;
            options.freeze.names.extend(Punctuated::<Ident, Token![,]>::parse_terminated(&content)?);
        }
        "freeze" => options.freeze.all = true,
        "prepared" => options.prepared = Some(name),
        "branch_free" => options.branch_free = true,
        "platform_sines" => options.platform_sines = true,
        "show" => options.show = true,
        "emit" => {
            let content = parentheses(input)?;
            for word in Punctuated::<Ident, Token![,]>::parse_terminated(&content)? {
                emit(&word, &mut options.emit)?;
            }
        }
        word => return Err(refused(&name, word, input)),
    }
    Ok(())
}

/// The words of `emit(..)`.
const EMITTED: [&str; 6] = ["jvp", "vjp", "hvp", "hessian", "partials", "linearized"];

fn emit(word: &Ident, emit: &mut Emit) -> Parsed<()> {
    let wanted = match word.to_string().as_str() {
        "jvp" => &mut emit.jvp,
        "vjp" => &mut emit.vjp,
        "hvp" => &mut emit.hvp,
        "hessian" => &mut emit.hessian,
        "partials" => &mut emit.partials,
        "linearized" => &mut emit.linearized,
        other => {
            let help = similar(other, EMITTED).map(|p| format!("did you mean `{p}`?"));
            return Err(Message::new(Id::M0904, word, format!("unknown word `{other}` in emit(..)"))
                .maybe_help(help)
                .help(format!("words: {}", EMITTED.join(", "))));
        }
    };
    *wanted = true;
    Ok(())
}

fn units(input: ParseStream<'_>) -> Parsed<UnitRule> {
    let rule = match next(input) {
        Some(token) => match token.to_string().as_str() {
            "off" => UnitRule::Off,
            "check" => UnitRule::Check,
            "strict" => UnitRule::Strict,
            other => {
                return Err(Message::new(Id::M0904, &token, format!("unknown unit rule `{other}`"))
                    .help("write `units = off`, `units = check` or `units = strict`"));
            }
        },
        None => return Err(unexpected(input, "`off`, `check` or `strict`")),
    };
    input.parse::<proc_macro2::TokenTree>()?;
    Ok(rule)
}

fn order(input: ParseStream<'_>) -> Parsed<Order> {
    let literal: LitInt = input.parse()?;
    match literal.base10_digits() {
        "1" if literal.suffix().is_empty() => Ok(Order::First),
        "2" if literal.suffix().is_empty() => Ok(Order::Second),
        other => Err(Message::new(Id::M0904, &literal, format!("there are no models of order {other}"))
            .help("write `order = 1` for D(q) v = f, or `order = 2` for M(q) a = f, the default")),
    }
}

fn storage(input: ParseStream<'_>) -> Parsed<Storage> {
    let word = input.call(Ident::parse_any)?;
    match word.to_string().as_str() {
        "dense" => Ok(Storage::Dense),
        "sparse" => Ok(Storage::Sparse),
        other => Err(Message::new(Id::M0904, &word, format!("there is no storage `{other}`")).help(
            "write `storage = sparse` for matrices that are mostly zero, or `storage = dense`, the default up to 127 \
             unknowns",
        )),
    }
}

fn refused(name: &Ident, word: &str, input: ParseStream<'_>) -> Message {
    // The rest of the option says nothing more.
    let _ = input.parse::<TokenStream>();
    if NOT_YET.contains(&word) {
        return words::refuse(name, word, "options of this kind", "");
    }
    let help = similar(word, OPTIONS.iter().copied()).map(|o| format!("did you mean `{o}`?"));
    Message::new(Id::M0904, name, format!("unknown option `{word}` in #[model(..)]"))
        .maybe_help(help)
        .help(format!("options: {}", OPTIONS.join(", ")))
}
