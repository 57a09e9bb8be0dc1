//! The struct of a model with prepared values: its parameters, which are a struct of plain data, and the values.

use proc_macro2::TokenStream;
use quote::quote;

use super::{Context, parse};
use crate::identifier::unraw;
use crate::lower::Call;

impl Context<'_> {
    /// Has the struct values that are computed when parameters are given?
    pub(super) fn is_prepared(&self) -> bool {
        self.e.model.header.options.prepared && !self.is_hidden()
    }

    /// The name of the struct whose fields are the parameters.
    pub(super) fn plain_name(&self) -> String {
        if self.is_prepared() { format!("{}Parameters", unraw(&self.name)) } else { self.name.clone() }
    }

    /// The same with its generics.
    pub(super) fn plain(&self) -> String {
        self.applied(&self.plain_name(), self.real())
    }

    /// The type of the values.
    fn values(&self) -> String {
        self.array(self.e.program[Call::Prepare].len("values"))
    }
}

/// The struct around its parameters. What the user derives is derived for these, and here too where it is of the
/// language and follows from them.
pub(super) fn structure(cx: &Context<'_>, documentation: Option<TokenStream>) -> TokenStream {
    let (vis, name, attributes, generics) = (&cx.vis, &cx.ident, &cx.attributes, cx.declared());
    let of_language =
        |path: &&syn::Path| path.segments.last().is_some_and(|last| last.ident == "Copy" || last.ident == "PartialEq");
    let derives = cx.e.model.header.options.derives.iter().filter(of_language);
    let inside = parse(&format!("{}::Prepared<{}, {}>", cx.rt, cx.plain(), cx.values()));
    quote! {
        #attributes
        #documentation
        #[derive(Clone, Debug, #(#derives),*)]
        #vis struct #name #generics (#inside);
    }
}

/// What stands on the page of the parameters' struct.
pub(super) fn about(cx: &Context<'_>) -> String {
    let name = &cx.name;
    format!(
        "Parameters of [`{name}`], in SI. A model is made of them by `{name}::from`, and changed by `{name}::change`."
    )
}

/// The values, and how parameters come in and out.
pub(super) fn construction(cx: &Context<'_>) -> String {
    let (rt, ty, plain, values, real) = (&cx.rt, cx.ty(), cx.plain(), cx.values(), cx.real());
    let (scalar, np, kernel) = (cx.generics("Scalar"), cx.e.model.np(), &cx.e.program[Call::Prepare]);
    let function = if kernel.len("values") > 0 { cx.code().functions(kernel, true) } else { String::new() };
    let call = cx.call(Call::Prepare, |_| "&mut values".to_owned());
    format!(
        "impl{scalar} {plain} {{ {function} }}
        impl{scalar} {rt}::Prepare for {plain} {{
            type Values = {values};
            fn prepare(&self) -> Self::Values {{
                let mut values = <{values} as {rt}::Block<{real}>>::zeros(0);
                {call}
                values
            }}
        }}
        impl{scalar} ::core::convert::From<{plain}> for {ty} {{
            fn from(parameters: {plain}) -> Self {{ Self({rt}::Prepared::new(parameters)) }}
        }}
        impl{scalar} ::core::ops::Deref for {ty} {{
            type Target = {plain};
            #[inline]
            fn deref(&self) -> &{plain} {{ &self.0 }}
        }}
        impl{scalar} {ty} {{
            /// Changes parameters, and computes again what depends on them alone. Nothing is checked before
            /// [`check`](Self::check), which runs do.
            pub fn change(&mut self, change: impl ::core::ops::FnOnce(&mut {plain})) {{ self.0.change(change); }}
            /// All parameters, scalar by scalar, in the order of their declaration.
            pub fn parameters(&self) -> [{real}; {np}] {{ self.0.parameters() }}
            /// A model with these parameters, in the order of their declaration.
            pub fn from_parameters(p: &[{real}; {np}]) -> Self {{ <{plain}>::from_parameters(p).into() }}
        }}\n"
    )
}
