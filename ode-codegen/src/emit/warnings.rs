//! Warnings on stable Rust: a deprecated macro whose use stands at the user's token. Of all items a macro alone is
//! called by its bare name in rustc's text, here the one that silences the doubt:
//!
//! ```text
//! warning: use of deprecated macro `zero_start`: coordinate `z` has no start and begins at 0 [M0607]
//! ```

use proc_macro2::TokenStream;
use quote::quote;

use crate::diagnostics::{Warning, lint};
use crate::identifier::identifier;

/// One deprecated macro for each warning, and one use of it. `#[allow(deprecated)]` silences them.
pub(crate) fn warnings(warnings: &[Warning]) -> TokenStream {
    warnings
        .iter()
        .map(|warning| {
            let name = identifier(lint(warning.id), warning.span);
            let note = &warning.text;
            quote! {
                const _: () = {
                    #[deprecated(note = #note)]
                    macro_rules! #name { () => {}; }
                    #name!();
                };
            }
        })
        .collect()
}
