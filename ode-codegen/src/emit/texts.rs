//! EQUATIONS, IR, OPS and `Display`.

use proc_macro2::TokenStream;
use quote::quote;

use crate::describe::Description;

use super::code::Flavour;
use super::shapes::{indices, rust_value};
use super::{Context, parse};

/// The associated texts. They cost a binary nothing if unused.
pub(super) fn texts(cx: &Context<'_>) -> TokenStream {
    let Some(Description { equations, listing, .. }) = cx.e.description else { return TokenStream::new() };
    let ops = cx.e.program.ops().total();
    let (generics, ty) = (parse(&cx.generics("Scalar")), parse(&cx.ty()));
    let title =
        format!("{}{}", cx.name, cx.e.model.header.docs.first().map_or(String::new(), |d| format!(": {}", d.trim())));
    let rt = parse(&cx.rt);
    let rows = cx.e.model.declared.params.iter().map(|p| {
        let place = super::subs::place(cx.e.model, &p.declared.ident);
        let ident = cx.e.model.shown(&p.declared.ident);
        let unit = if p.declared.unit.is_empty() { String::new() } else { format!(" [{}]", p.declared.unit) };
        let text = format!("\n  {ident} = {{:?}}{unit}");
        // fields are in SI, the text is in the unit the user declared
        let per_unit = if p.scale == 1.0 { String::new() } else { format!(" / {}", cx.number(p.scale)) };
        let mut scalars = indices(&p.declared.shape).into_iter().map(|i| format!("self.{place}{i}{per_unit}"));
        let value = parse(&rust_value(&p.declared.shape, &mut scalars));
        quote! { ::core::write!(f, #text, #value)?; }
    });
    // an f64 struct has its texts at the type, a generic one at any of its scalars
    let at_type = match cx.flavour {
        Flavour::Concrete => "",
        Flavour::Generic(_) => " (the same for every scalar)",
    };
    let doc = format!("The equations of motion as text{at_type}.");
    quote! {
        impl #generics #ty {
            #[doc = #doc]
            pub const EQUATIONS: &'static str = #equations;
            /// Every generated call as a listing: statements, operation counts and the model's lines they come from.
            pub const IR: &'static str = #listing;
            /// Operations of all generated calls together.
            pub const OPS: usize = #ops;
        }
        impl #generics ::core::fmt::Display for #ty
        {
            /// Name and parameters; `{:#}` adds the equations.
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                #[allow(unused_imports)]
                use #rt::Scalar as _;
                f.write_str(#title)?;
                #(#rows)*
                if f.alternate() {
                    f.write_str("\n\n")?;
                    f.write_str(Self::EQUATIONS)?;
                }
                ::core::result::Result::Ok(())
            }
        }
    }
}
