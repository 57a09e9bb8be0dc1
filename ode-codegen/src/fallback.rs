//! The shape of an item whose model has mistakes: one mistake stays one message, because the names the rest of the user's
//! code holds on to are still there.

use std::fmt::Write as _;

use proc_macro2::TokenStream;
use quote::quote;

use crate::emit::{module_name, rust_type};
use crate::model::Shape;
use crate::parse::ast;

/// The struct with its fields, and the module with its blocks.
pub(crate) fn shape(ast: &ast::Model) -> TokenStream {
    let Some(name) = &ast.name else { return TokenStream::new() };
    let vis = &ast.vis;
    let real = ast.scalar.as_ref().map_or_else(|| "f64".to_owned(), ToString::to_string);
    let generics = ast.scalar.as_ref().map(|t| quote! { <#t = f64> });
    let mut seen = Vec::new();
    let fields = ast.params().filter(|f| {
        let new = !seen.contains(&f.ident.to_string());
        seen.push(f.ident.to_string());
        new
    });
    let fields = fields.map(|f| {
        let ident = f.ident;
        let ty: TokenStream = rust_type(&f.shape.unwrap_or(Shape::Scalar), &real).parse().unwrap_or_default();
        quote! { pub #ident: #ty }
    });
    let marker = ast.scalar.as_ref().map(|t| quote! { #[doc(hidden)] pub __scalar: ::core::marker::PhantomData<#t>, });
    let module = quote::format_ident!("{}", module_name(&name.to_string()));
    let mut blocks = String::new();
    for block in ["Q", "V", "U", "Y", "Lambda"] {
        let _ = writeln!(blocks, "#[derive(Clone, Copy, Debug, PartialEq)] pub struct {block}<T = f64>(pub T);");
    }
    let blocks: TokenStream = blocks.parse().unwrap_or_default();
    quote! {
        #[derive(Clone, Debug)]
        #[allow(dead_code, missing_docs)]
        #vis struct #name #generics { #(#fields,)* #marker }
        #[allow(dead_code, missing_docs)]
        #vis mod #module { #blocks }
    }
}
