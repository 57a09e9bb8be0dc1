//! The `model!` macro of `ode-model`: a thin shell over `ode-codegen`. Use it through `ode_model::model`.

use proc_macro::TokenStream;

/// Declares a mechanical model: checked, differentiated, and compiled to a plain struct.
#[proc_macro]
pub fn model(tokens: TokenStream) -> TokenStream {
    ode_codegen::expand(tokens.into()).into()
}
