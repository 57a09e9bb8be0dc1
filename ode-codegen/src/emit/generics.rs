//! The generics of the struct as generated code spells them, in the order of the user: its scalar, and lengths of sets.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};

use super::Context;
use super::code::Flavour;
use crate::identifier::identifier;

impl Context<'_> {
    /// `<T: Bound, const N: usize>`, or nothing for an f64 struct without lengths.
    pub(super) fn generics(&self, bound: &str) -> String {
        let scalar = self.scalar().map(|t| format!("{t}: {}::{bound}", self.rt));
        brackets(&self.ordered(scalar, self.declared_lengths()))
    }

    /// The same without the scalar, for what is over f64.
    pub(super) fn lengths(&self) -> String {
        brackets(&self.ordered(None, self.declared_lengths()))
    }

    /// `<T = f64, const N: usize>` with the user's tokens. A default stands before none that has no default.
    pub(super) fn declared(&self) -> TokenStream {
        let required = |length: &syn::ConstParam| length.default.is_none();
        let default = !self.lengths.params.iter().skip(self.lengths.before).any(required);
        let scalar = self.scalar().map(|t| {
            let t = identifier(t, Span::call_site());
            if default {
                quote! { #t = f64 }
            } else {
                t.into_token_stream()
            }
        });
        let lengths = self.lengths.params.iter().map(ToTokens::to_token_stream);
        let generics = self.ordered(scalar, lengths);
        if generics.is_empty() {
            TokenStream::new()
        } else {
            quote! { <#(#generics),*> }
        }
    }

    /// The struct with its arguments.
    pub(super) fn ty(&self) -> String {
        self.applied(&self.name, self.real())
    }

    /// What has the generics of the struct, over a scalar: `Chain<f64, { N }>`.
    pub(super) fn applied(&self, name: &str, scalar: &str) -> String {
        let scalar = self.scalar().map(|_| scalar.to_owned());
        // in braces it is a value: a type may have the same name
        let lengths = self.lengths.params.iter().map(|length| format!("{{ {} }}", length.ident));
        format!("{name}{}", brackets(&self.ordered(scalar, lengths)))
    }

    /// The type parameter.
    fn scalar(&self) -> Option<&str> {
        match &self.flavour {
            Flavour::Concrete => None,
            Flavour::Generic(t) => Some(t),
        }
    }

    fn declared_lengths(&self) -> impl Iterator<Item = String> {
        self.lengths.params.iter().map(|length| format!("const {}: usize", length.ident))
    }

    /// The scalar among the lengths, where the user has put it.
    fn ordered<X>(&self, scalar: Option<X>, lengths: impl Iterator<Item = X>) -> Vec<X> {
        let mut all: Vec<X> = lengths.collect();
        if let Some(scalar) = scalar {
            all.insert(self.lengths.before.min(all.len()), scalar);
        }
        all
    }
}

fn brackets(generics: &[String]) -> String {
    if generics.is_empty() { String::new() } else { format!("<{}>", generics.join(", ")) }
}
