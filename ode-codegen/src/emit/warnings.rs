//! Warnings on stable Rust: a deprecated constant that stands at the user's token.

use proc_macro2::TokenStream;
use quote::quote;

use crate::diagnostics::Warning;
use crate::identifier::identifier;

/// One deprecated constant for each warning, and one use of it. `#[allow(deprecated)]` silences them.
pub(crate) fn warnings(warnings: &[Warning]) -> TokenStream {
    warnings
        .iter()
        .map(|warning| {
            let name = identifier("model_warning", warning.span);
            let note = &warning.text;
            quote! {
                #[allow(dead_code, non_upper_case_globals)]
                const _: () = {
                    #[deprecated(note = #note)]
                    const #name: () = ();
                    #name
                };
            }
        })
        .collect()
}
