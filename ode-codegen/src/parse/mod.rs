//! Tokens → [`ast::Model`]: all syntax errors are reported at their tokens, and the rest is recovered.

pub mod ast;
mod attributes;
mod body;
pub(crate) mod composed;
mod declare;
mod depth;
mod external;
mod fragments;
mod generics;
mod input;
mod item;
mod items;
mod loops;
mod options;
mod rates;
pub(crate) mod sets;
mod show;
mod slips;
mod split;
pub(crate) mod sub;
mod types;
mod unknown;
pub(crate) mod words;
mod written;

pub use words::item_words;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::ParseStream;
use syn::{Attribute, Generics, Token};

use crate::diagnostics::{Errors, Id, Message, text};
use input::{Parsed, name, read_all, unexpected};

/// Reads a model. There is always an [`ast::Model`], so that the struct's shape can be emitted in spite of mistakes.
///
/// A model with subs comes as `@compose { model } { sub } …`, see [`ast::Child`].
pub fn parse(tokens: TokenStream) -> (ast::Model, Errors) {
    composed::read(tokens, 0)
}

/// A model with those of its subs that are among `models`, by name, as [`parse`] reads them.
pub fn with_parts(tokens: &TokenStream, models: &[TokenStream]) -> TokenStream {
    composed::gathered(tokens, models, 0)
}

/// Reads a model without those of its subs.
fn alone(tokens: TokenStream) -> (ast::Model, Errors) {
    let mut errors = Errors::new();
    let mut model = ast::Model::default();
    let tokens = fragments::dissolved(tokens);
    model.tokens = tokens.clone();
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_body = |t: &TokenTree| matches!(t, TokenTree::Group(g) if g.delimiter() == Delimiter::Brace);
    let split = tokens.iter().position(is_body).unwrap_or(tokens.len());
    let (head, rest) = tokens.split_at(split);
    let ends = |t: &&TokenTree| matches!(t, TokenTree::Punct(p) if p.as_char() == ';');
    let head = head.split_last().filter(|(last, _)| rest.is_empty() && ends(last)).map_or(head, |(_, head)| head);
    let head: TokenStream = head.iter().cloned().collect();
    let header =
        depth::check(&head).and_then(|()| read_all(head.clone(), |input| header(input, &mut model, &mut errors)));
    // Without a body, what follows the name was meant to be in it.
    if let Err(message) = header
        && (model.name.is_none() || !rest.is_empty())
    {
        errors.report(message);
    }
    match rest.split_first() {
        // Anything but a struct has no items.
        _ if model.name.is_none() => {}
        Some((TokenTree::Group(body), after)) => {
            let read = body::read(body.stream(), 0, &mut errors);
            (model.items, model.texts) = (read.items, read.texts);
            if let Some(token) = after.first() {
                let message = Message::new(Id::M0007, token, "unexpected tokens after the model");
                if words::is_item(&text(token)) {
                    errors.report(message.help("the `}` before it ends the struct: its items stand inside"));
                    model.items.extend(body::read(after.iter().cloned().collect(), 0, &mut errors).items);
                } else {
                    errors.report(message.help("one `model! { .. }` holds one struct"));
                }
            }
        }
        _ => {
            errors.report(
                Message::new(Id::M0007, &model.name, "this model has no body")
                    .help("write `pub struct Name<T> { param ..; coord ..; kinetic = ..; }`"),
            );
        }
    }
    generics::used(&model, &mut errors);
    (model, errors)
}

/// The items of a body as tokens, without a word about mistakes; those nested too deeply to read are left out.
pub(crate) fn pieces(body: TokenStream) -> Vec<TokenStream> {
    let mut items = split::items(body, &mut Errors::new());
    items.retain(|item| depth::brackets(item).is_ok());
    items
}

/// Are these nested so little that they can be read?
pub(crate) fn is_shallow(tokens: &TokenStream) -> bool {
    depth::check(tokens).is_ok()
}

/// The message for what is not.
pub(crate) fn too_deep(at: impl ToTokens) -> Message {
    depth::too_deep(at)
}

/// Reads a body without a word about mistakes, which have been reported where the whole was read.
pub(crate) fn again(body: TokenStream) -> ast::Body {
    body::read(body, 0, &mut Errors::new())
}

/// The model of a sub once more, which an element of a model with sets is composed with.
pub(crate) fn child_again(child: &ast::Child) -> ast::Child {
    composed::child(child.tokens.clone(), 1)
}

/// Attributes, visibility, `struct`, name and generics. What is read before a mistake is kept.
fn header(input: ParseStream<'_>, model: &mut ast::Model, errors: &mut Errors) -> Parsed<()> {
    let attrs = input.call(Attribute::parse_outer)?;
    attributes(attrs, model, errors);
    model.vis = input.parse()?;
    if !input.peek(Token![struct]) {
        return Err(unexpected(input, "`struct Name<T> { .. }`"));
    }
    input.parse::<Token![struct]>()?;
    model.name = Some(name(input, "model")?);
    let mut written: Generics = input.parse()?;
    written.where_clause = input.parse()?;
    generics::read(&written, model, errors);
    if input.is_empty() { Ok(()) } else { Err(unexpected(input, "the body `{ .. }`")) }
}

fn attributes(attrs: Vec<Attribute>, model: &mut ast::Model, errors: &mut Errors) {
    for mut attr in attrs {
        if let Some(line) = attributes::doc(&attr) {
            model.docs.push(line);
        } else if attr.path().is_ident("model") {
            options::read(&attr, &mut model.options, errors);
        } else if attr.path().is_ident("derive") {
            // The macro derives `Clone` and `Debug` itself, and each trait once.
            match attributes::paths(&attr) {
                Ok(paths) => model.options.derives.extend(paths),
                Err(message) => errors.report(message),
            }
        } else if attr.path().is_ident("allow") {
            let paths = match attributes::paths(&attr) {
                Ok(paths) => paths,
                Err(message) => {
                    errors.report(message);
                    continue;
                }
            };
            model.allows.extend(paths.iter().filter_map(attributes::lint_of).map(|lint| lint.name.to_owned()));
            // rustc would warn of a name that only the language knows.
            let foreign = |path: &syn::Path| attributes::lint_of(path).is_none_or(|lint| lint.of_rustc);
            let other: Vec<_> = paths.into_iter().filter(foreign).collect();
            if !other.is_empty() {
                attr.meta = syn::parse_quote!(allow(#(#other),*));
                model.attrs.push(attr);
            }
        } else {
            model.attrs.push(attr);
        }
    }
    let mut seen = Vec::new();
    model.options.derives.retain(|path| {
        let path = crate::diagnostics::text(path);
        let first = !seen.contains(&path);
        seen.push(path);
        first
    });
}
