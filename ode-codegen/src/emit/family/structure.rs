//! The struct of a model with sets, and its module: the builder's fields, and inputs by name.

use std::fmt::Write as _;

use proc_macro2::{Span, TokenStream};
use quote::quote;

use super::{Whole, field_of_set};
use crate::emit::shapes::rust_type;
use crate::emit::{blocks, parse};
use crate::identifier::identifier;

impl Whole<'_> {
    /// The struct with its documentation.
    pub(super) fn structure(&self) -> TokenStream {
        let ast = self.a.family.ast;
        let (vis, attrs, name, docs) = (&ast.vis, &ast.attrs, &ast.name, self.documentation());
        let real = self.cx.real();
        let rt = parse(&self.cx.rt);
        let generics = self.cx.declared();
        let fields = self.params().map(|(p, set)| {
            let (ident, ty) = (&p.declared.ident, parse(&rust_type(&p.declared.shape, real)));
            let unit = if p.declared.unit.is_empty() { String::new() } else { format!("\\[{}\\]", p.declared.unit) };
            let of = set.map_or_else(String::new, |set| format!(", of each member of `{set}`"));
            let doc = format!("{} {unit}{of}", p.declared.docs.join("\n"));
            let ty = if set.is_some() {
                quote! { #rt::families::PerMember<#ty> }
            } else {
                ty
            };
            quote! { #[doc = #doc] pub #ident: #ty }
        });
        let sets = self.a.family.sets.iter().enumerate().map(|(k, set)| {
            let (name, ty) = (field_of_set(set.name), self.members(k));
            let ty = ty.map_or_else(
                || quote! { usize },
                |ty| {
                    let ty = parse(&ty);
                    quote! { #rt::families::PerMember<#ty> }
                },
            );
            quote! { #[doc(hidden)] #name: #ty }
        });
        let derives = ast.options.derives.iter().filter(|path| !path.is_ident("Clone") && !path.is_ident("Debug"));
        let real = parse(real);
        quote! {
            #[doc = #docs]
            #(#attrs)*
            #[derive(Clone, Debug, #(#derives),*)]
            #vis struct #name #generics {
                #(#fields,)*
                #(#sets,)*
                #[doc(hidden)] __topology: ::std::sync::Arc<#rt::families::Topology>,
                #[doc(hidden)] __scalar: ::core::marker::PhantomData<#real>,
            }
        }
    }

    /// The user's words, and what the model says of its sets.
    fn documentation(&self) -> String {
        let said = self.a.family.sets.iter().filter_map(|set| set.said(&self.sets));
        let said: Vec<String> = said.collect();
        let docs = self.a.family.ast.docs.join("\n");
        if said.is_empty() { docs } else { format!("{docs}\n\n{}", said.join(" ")) }
    }

    /// The module: the builder, and inputs by name.
    pub(super) fn blocks(&self) -> TokenStream {
        let (vis, ident) = (&self.a.family.ast.vis, identifier(&self.module, Span::call_site()));
        let doc = format!("Builder and inputs of [`{}`].", self.name);
        let real = self.cx.real();
        let (bound, generic) = (self.cx.generics("Scalar"), self.cx.declared());
        let ty = self.cx.applied("Builder", real);
        let (mut fields, mut none) = (String::new(), String::new());
        for (p, set) in self.params() {
            let (ident, ty) = (&p.declared.ident, rust_type(&p.declared.shape, real));
            let ty = if set.is_some() { format!("::std::vec::Vec<{ty}>") } else { ty };
            let _ = write!(fields, "pub(super) {ident}: Option<{ty}>, ");
            let _ = write!(none, "{ident}: None, ");
        }
        for (k, set) in self.a.family.sets.iter().enumerate() {
            let (name, ty) = (field_of_set(set.name), self.members(k));
            let ty = ty.map_or_else(|| "usize".to_owned(), |ty| format!("::std::vec::Vec<{ty}>"));
            let _ = write!(fields, "pub(super) {name}: Option<{ty}>, ");
            let _ = write!(none, "{name}: None, ");
        }
        let out = parse(&format!(
            "{inputs}
            #[doc = \"Sets parameters and members of sets by name; a parameter that is not set keeps its default.\"]
            #[derive(Clone, Debug)]
            pub struct Builder{generic} {{ {fields} pub(super) __scalar: ::core::marker::PhantomData<{real}> }}
            impl{bound} {ty} {{
                #[doc = \"Nothing set yet.\"]
                pub fn new() -> Self {{ Self {{ {none} __scalar: ::core::marker::PhantomData }} }}
            }}",
            inputs = if self.has_input_families() { String::new() } else { blocks::inputs(&self.cx) },
        ));
        quote! {
            #[doc = #doc]
            #[allow(unused, clippy::all, clippy::pedantic, clippy::nursery, missing_docs, reason = "generated code")]
            #vis mod #ident { #out }
        }
    }
}
