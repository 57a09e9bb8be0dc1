//! The macro with a model's own name, which carries its text to the models that contain it.
//!
//! A parent's expansion cannot see the text of its subs. So it first expands to a call of the macro of its first sub,
//! with everything known so far; that macro calls `model!` again and adds its own text; and so on, until all subs are
//! known:
//!
//! ```text
//! model! { struct Robot { sub leg: lib::Leg; } }
//!  → lib::Leg! { { ::ode_model::model } @compose { struct Robot { .. } } }
//!  → ::ode_model::model! { @compose { struct Robot { .. } } { struct Leg { .. } } }
//! ```
//!
//! The struct's own documentation asks it for the equations, so that no build but rustdoc's writes them:
//!
//! ```text
//! Robot! { { ::ode_model::model } @page } → ::ode_model::model! { @page { struct Robot { .. } } } → ".."
//! ```
//!
//! Editors ask for the shadow in the same way, so that rustc, which would drop it, never waits for it:
//!
//! ```text
//! #[cfg(rust_analyzer)] ::ode_model::model! { @shadow { struct Robot { .. } } }
//! ```
//!
//! All tokens keep their places, so a mistake is shown where the user wrote it. A carried text contains those of its
//! own subs, since their paths mean nothing elsewhere.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};

use crate::identifier::{bare, identifier};
use crate::parse::ast;
use crate::parse::composed::{BROKEN, COMPOSE, PAGE, SHADOW};

/// The call of the macro of the first sub whose model is not known; `None` once all are.
pub(crate) fn ask(ast: &ast::Model) -> Option<TokenStream> {
    let next = *ast.parts().get(ast.children.len())?;
    let (path, facade) = (&next.path, facade(ast));
    let so_far = composed(ast);
    Some(quote! { #path ! { { #facade::model } #so_far } })
}

/// What expands to the equations of a model as HTML.
pub(super) fn page(name: &Ident, facade: &impl ToTokens) -> TokenStream {
    let word = identifier(PAGE, Span::call_site());
    quote! { #name ! { { #facade::model } @ #word } }
}

/// What expands to the shadow of a model, for editors only.
pub(crate) fn shadow(ast: &ast::Model) -> TokenStream {
    let (facade, own, word) = (facade(ast), &ast.tokens, identifier(SHADOW, Span::call_site()));
    // The lint is about a name of rust-analyzer that cargo does not know.
    quote! {
        #[allow(unexpected_cfgs)]
        const _: () = {
            #[cfg(rust_analyzer)]
            #facade::model! { @ #word { #own } }
        };
    }
}

/// The path `model!` is called by.
pub(super) fn facade(ast: &ast::Model) -> TokenStream {
    ast.options.facade.as_ref().map_or_else(|| quote! { ::ode_model }, ToTokens::to_token_stream)
}

/// `@compose { model } { sub } …`
fn composed(ast: &ast::Model) -> TokenStream {
    let (own, word) = (&ast.tokens, identifier(COMPOSE, Span::call_site()));
    let children = ast.children.iter().map(|c| &c.tokens);
    quote! { @ #word { #own } #({ #children })* }
}

/// The macro. For a model with mistakes it only says so, and nobody repeats the messages.
///
/// An exported macro is at the root of its crate. So it has a unique name there, and is re-exported under the struct's
/// name.
pub(crate) fn carrier(ast: &ast::Model, sound: bool) -> Option<TokenStream> {
    let name = ast.name.as_ref()?;
    let text = match sound && !has_dollar(ast.tokens.clone()) {
        true if ast.children.is_empty() => ast.tokens.clone(),
        true => composed(ast),
        false => {
            let word = identifier(BROKEN, Span::call_site());
            quote! { @ #word }
        }
    };
    let vis = &ast.vis;
    let export = matches!(vis, syn::Visibility::Public(_)).then(|| quote! { #[macro_export] });
    let hidden = identifier(&hidden(ast, name), Span::call_site());
    Some(quote! {
        #[doc(hidden)]
        #[allow(unused_macros, non_local_definitions, clippy::crate_in_macro_def)]
        #export
        macro_rules! #hidden {
            ({ $($model:tt)* } $($so_far:tt)*) => { $($model)* ! { $($so_far)* { #text } } };
        }
        #[doc(hidden)]
        #[allow(unused_imports)]
        #vis use #hidden as #name;
    })
}

/// A name for the macro: that of the model, and a number made of its text and place.
fn hidden(ast: &ast::Model, name: &Ident) -> String {
    let (start, file) = (name.span().start(), name.span().file());
    // a text without a file is counted by the lexer, and its macro would get another name each time
    let file = if file.starts_with('<') { "" } else { &file };
    let place = format!("{file}:{}:{} {}", start.line, start.column, ast.tokens);
    let number =
        place.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
    format!("__ode_model_{}_{number:016x}", bare(name))
}

/// `$` has a meaning of its own in a macro; no model has one.
fn has_dollar(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Punct(p) => p.as_char() == '$',
        TokenTree::Group(group) => has_dollar(group.stream()),
        _ => false,
    })
}
