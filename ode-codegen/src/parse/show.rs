//! `show rod = line(p, q) with { color: red };`

use proc_macro2::Ident;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::{Expr, Token};

use super::ast::Show;
use super::input::{Parsed, eat_word, parentheses, unexpected};
use super::item::{fields, named};
use crate::diagnostics::Message;

/// Reads the item after its keyword.
pub(super) fn read(input: ParseStream<'_>) -> Parsed<Show> {
    let form = "show rod = line(p, q);";
    let write = |message: Message| message.help(format!("write `{form}`"));
    let name = named(input, "show", form)?;
    input.parse::<Token![=]>().map_err(|_| write(unexpected(input, &format!("`=` after `show {name}`"))))?;
    // Any word: `box` is one of Rust.
    if !input.peek(Ident::peek_any) {
        return Err(write(unexpected(input, "what to draw, such as `line(p, q)`")));
    }
    let form = input.call(Ident::parse_any)?;
    if !input.peek(syn::token::Paren) {
        return Err(write(unexpected(input, &format!("`(` after `{form}`"))));
    }
    let content = parentheses(input)?;
    let arguments = Punctuated::<Expr, Token![,]>::parse_terminated(&content)?.into_iter().collect();
    let with = match eat_word(input, "with") {
        Some(_) if input.peek(syn::token::Brace) => fields(input)?,
        Some(_) => return Err(unexpected(input, "`{ color: red }` after `with`")),
        None => Vec::new(),
    };
    Ok(Show { name, form, arguments, with })
}
