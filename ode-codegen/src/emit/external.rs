//! External functions: one private function for each value and derivative that is called.
//!
//! The user's paths are emitted with their spans, through a function pointer of the expected type, so that a type error
//! is reported at the path.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::ExprPath;
use syn::spanned::Spanned;

use super::{Context, parse};
use crate::expr::Partial;
use crate::identifier::identifier;
use crate::model::{External, Source};

/// The name of the private function of a value or derivative.
pub(super) fn wrapper(partial: &Partial) -> String {
    let orders: Vec<String> = partial.orders.iter().map(u8::to_string).collect();
    format!("__external{}_{}", partial.external.index(), orders.join("_"))
}

/// The items that kernels call.
pub(super) fn external(cx: &Context<'_>) -> TokenStream {
    let mut out = TokenStream::new();
    for (index, external) in cx.e.model.externals.iter().enumerate() {
        let calls: Vec<Partial> =
            cx.e.program.calls().into_iter().map(|c| c.partial).filter(|p| p.external.index() == index).collect();
        if calls.is_empty() {
            continue;
        }
        let spelling = Spelling { cx, external, index };
        out.extend(match &external.source {
            Source::Table(path) => spelling.table(path),
            Source::Written { .. } if cx.is_twin() => spelling.known(),
            Source::Written { .. } | Source::Dual(_) => TokenStream::new(),
        });
        out.extend(calls.iter().map(|partial| spelling.function(partial)));
    }
    out
}

/// Writes the functions of one callee.
struct Spelling<'a> {
    cx: &'a Context<'a>,
    external: &'a External,
    index: usize,
}

impl Spelling<'_> {
    /// `fn __external0_1<T: Scalar>(x0: T) -> T { .. }`
    fn function(&self, partial: &Partial) -> TokenStream {
        let name = identifier(&wrapper(partial), Span::call_site());
        let (generics, real) = (parse(&self.cx.generics("Scalar")), parse(self.cx.real()));
        let arguments = self.arguments();
        let body = match &self.external.source {
            Source::Table(_) => self.extended(partial),
            Source::Written { .. } if self.cx.is_twin() => self.extended(partial),
            Source::Written { value, gradient, hessian } => {
                let path =
                    [Some(value), gradient.as_ref(), hessian.as_ref()].into_iter().nth(partial.order()).flatten();
                path.map_or_else(TokenStream::new, |path| self.written(path, &real, partial))
            }
            Source::Dual(path) => self.nested(path, &real, partial),
        };
        quote! {
            #[inline]
            fn #name #generics(#(#arguments: #real),*) -> #real { #body }
        }
    }

    fn arguments(&self) -> Vec<syn::Ident> {
        (0..self.external.arguments.len()).map(|i| identifier(&format!("x{i}"), Span::call_site())).collect()
    }

    /// The given function, or the entry of a given gradient or Hessian.
    fn written(&self, path: &ExprPath, real: &TokenStream, partial: &Partial) -> TokenStream {
        let (rt, arguments) = (parse(&self.cx.rt), self.arguments());
        let (n, types) = (arguments.len(), vec![real; arguments.len()]);
        let span = place(path);
        let entries: Vec<usize> =
            partial.orders.iter().enumerate().flat_map(|(i, &k)| std::iter::repeat_n(i, usize::from(k))).collect();
        let (result, value) = match entries.as_slice() {
            [] => (quote! { #real }, quote! { given }),
            [i] => (quote! { _ }, quote_spanned! { span=> #rt::Gradient::<#real, #n>::entry(&given, #i) }),
            [i, j, ..] => (quote! { _ }, quote_spanned! { span=> #rt::Hessian::<#real, #n>::entry(&given, #i, #j) }),
        };
        let pointer = quote_spanned! { span=> let f: fn(#(#types),*) -> #result = #path; };
        quote! { #pointer let given = f(#(#arguments),*); #value }
    }

    /// The derivative by nested dual numbers.
    fn nested(&self, path: &ExprPath, real: &TokenStream, partial: &Partial) -> TokenStream {
        let rt = parse(&self.cx.rt);
        let mut ty = quote! { #real };
        let mut seeded: Vec<TokenStream> = self.arguments().iter().map(|x| quote! { #x }).collect();
        let mut part = TokenStream::new();
        for (i, &order) in partial.orders.iter().enumerate() {
            for _ in 0..order {
                for (k, x) in seeded.iter_mut().enumerate() {
                    let seed = if i == k {
                        quote! { ONE }
                    } else {
                        quote! { ZERO }
                    };
                    *x = quote! { #rt::Dual::new(#x, <#ty as #rt::Scalar>::#seed) };
                }
                ty = quote! { #rt::Dual<#ty> };
                part.extend(quote! { .eps });
            }
        }
        let types = vec![&ty; seeded.len()];
        let pointer = quote_spanned! { place(path)=> let f: fn(#(#types),*) -> #ty = #path; };
        quote! { #pointer f(#(#seeded),*) #part }
    }

    /// The derivative of a function known on f64 only, for any scalar.
    fn extended(&self, partial: &Partial) -> TokenStream {
        let (rt, arguments, function) = (parse(&self.cx.rt), self.arguments(), self.item());
        let orders = partial.orders.iter().map(|&n| usize::from(n));
        quote! { #rt::Scalar::extend([#(#arguments),*], &#function, [#(#orders),*]) }
    }

    fn item(&self) -> syn::Ident {
        identifier(&format!("__EXTERNAL{}", self.index), Span::call_site())
    }

    /// The curve of a table, computed and checked when the model is compiled.
    fn table(&self, path: &ExprPath) -> TokenStream {
        let (rt, item) = (parse(&self.cx.rt), self.item());
        let name = crate::diagnostics::text(path);
        let why = format!(
            "the table `{name}` needs two points or more, finite, with abscissae that increase from each to the next"
        );
        let span = place(path);
        let curve = quote_spanned! { span=> #rt::Pchip<{ #path.len() }> = #rt::Pchip::new(#path) };
        let check = quote_spanned! { span=> ::core::assert!(#rt::Pchip::increasing(&#path), #why) };
        quote! {
            static #item: #curve;
            const _: () = #check;
        }
    }

    /// A function over f64 for the twin of an f64 struct: its derivatives are those given, checked against differences.
    fn known(&self) -> TokenStream {
        let Source::Written { value, gradient, hessian } = &self.external.source else { return TokenStream::new() };
        let (rt, item, n) = (parse(&self.cx.rt), self.item(), self.external.arguments.len());
        let x: Vec<TokenStream> = (0..n).map(|i| quote! { x[#i] }).collect();
        let types = vec![quote! { f64 }; n];
        let mut arms = quote! { (::core::option::Option::None, _) => #value(#(#x),*), };
        if let Some(path) = gradient {
            arms.extend(quote! {
                (::core::option::Option::Some(i), ::core::option::Option::None) => {
                    let f: fn(#(#types),*) -> _ = #path;
                    #rt::Gradient::<f64, #n>::entry(&f(#(#x),*), i)
                }
            });
        }
        if let Some(path) = hessian {
            arms.extend(quote! {
                (::core::option::Option::Some(i), ::core::option::Option::Some(j)) if by.next().is_none() => {
                    let f: fn(#(#types),*) -> _ = #path;
                    #rt::Hessian::<f64, #n>::entry(&f(#(#x),*), i, j)
                }
            });
        }
        let ty = identifier(&format!("__External{}", self.index), Span::call_site());
        quote! {
            struct #ty;
            static #item: #rt::selftest::Differenced<#ty> = #rt::selftest::Differenced(#ty);
            impl #rt::External<#n> for #ty {
                fn partial(&self, x: [f64; #n], orders: [usize; #n]) -> f64 {
                    let mut by = orders.iter().enumerate().flat_map(|(i, &k)| ::core::iter::repeat_n(i, k));
                    match (by.next(), by.next()) {
                        #arms
                        _ => f64::NAN,
                    }
                }
            }
        }
    }
}

/// The place of a path, for names that are ours.
fn place(path: &ExprPath) -> Span {
    Span::call_site().located_at(path.span())
}
