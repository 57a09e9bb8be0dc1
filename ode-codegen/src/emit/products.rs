//! Code for `#[model(emit(..))]`: products with derivatives, second derivatives, and their test.

use std::fmt::Write as _;

use proc_macro2::TokenStream;
use quote::quote;

use super::methods::{at_rates, matrix, symmetric};
use super::roles::arguments;
use super::{Context, parse};
use crate::identifier::{identifier, unraw};
use crate::lower::Call;

/// The methods.
pub(super) fn methods(out: &mut String, cx: &Context<'_>) {
    for call in [Call::Jvp, Call::Vjp, Call::Hvp, Call::Hessian] {
        if cx.e.program.get(call).is_some() {
            method(out, cx, call);
        }
    }
}

fn method(out: &mut String, cx: &Context<'_>, product: Call) {
    let (module, real, zero) = (&cx.module, cx.real(), cx.number(0.0));
    let at_rates = at_rates(cx);
    let (given, direction) = (format!("w: &{module}::Rows<{real}>"), format!("d: &{module}::Direction<{real}>"));
    let call = |result: &'static str| {
        cx.call(
            product,
            arguments(move |o| match o {
                "adjoint" => "w.as_array()".to_owned(),
                "d" => "d.as_array()".to_owned(),
                _ => result.to_owned(),
            }),
        )
    };
    let block = |name: &str, doc: &str, list: &str, result: &str| {
        format!(
            "/// {doc}
            pub fn {name}(&self, {at_rates}, {list}) -> {module}::{result}<{real}> {{
                let mut out = {module}::{result}::default(); {} out
            }}\n",
            call("out.array_mut()")
        )
    };
    let text = match product {
        Call::Jvp => block("jvp", "J d: the derivatives of (r, s, Φ) in the direction d.", &direction, "Rows"),
        Call::Vjp => block("vjp", "Jᵀ w: the gradient of w·(r, s, Φ).", &given, "Direction"),
        Call::Hvp => block(
            "hvp",
            "The derivative of the gradient of w·(r, s, Φ) in the direction d.",
            &format!("{given}, {direction}"),
            "Direction",
        ),
        _ => {
            let entries = cx.e.program[Call::Hessian].len("out");
            let n = cx.code().lengths.columns;
            format!(
                "/// Nonzeros of the lower triangle of the second derivatives of w·(r, s, Φ) by (q, v, z, a, ż, λ, u, p), in the order of
                /// [`{module}::HESSIAN`].
                pub fn hessian_values(&self, {at_rates}, {given}) -> [{real}; {entries}] {{
                    let mut out = [{zero}; {entries}]; {} out
                }}
                /// The second derivatives of w·(r, s, Φ) by (q, v, z, a, ż, λ, u, p), both triangles.
                pub fn hessian(&self, {at_rates}, {given}) -> {square} {{
                    {whole}
                }}\n",
                call("&mut out"),
                square = matrix(cx, n, n),
                whole = symmetric(cx, "HESSIAN", "&self.hessian_values(at, rates, w)"),
            )
        }
    };
    let _ = out.write_str(&text);
}

/// The emitted check of the products.
pub(super) fn selftest(cx: &Context<'_>, real: &str, second: &str) -> TokenStream {
    let emit = cx.e.model.header.options.emit;
    if !emit.has_products() {
        return TokenStream::new();
    }
    let (rt, lengths) = (&cx.rt, cx.code().lengths);
    let (rows, columns) = (lengths.rows, lengths.columns);
    let field = |name: &str, wanted: bool, closure: &str| {
        let value = if wanted {
            format!("::core::option::Option::Some({closure})")
        } else {
            "::core::option::Option::None".to_owned()
        };
        format!("{name}: {value}, ")
    };
    // as paths: a call with a dot is calculus, which ends before
    let call = |name: &str, rest: &str| format!("<{real}>::{name}(m, at, rates, {rest})");
    let entry = if cx.is_sparse() { "h.get(r, c).copied().unwrap_or_default()" } else { "h[(r, c)]" };
    let fields = [
        field("jvp", emit.jvp, &format!("|m, at, rates, d| {}.array()", call("jvp", "&(*d).into()"))),
        field("vjp", emit.vjp, &format!("|m, at, rates, w| {}.array()", call("vjp", "&(*w).into()"))),
        field("hvp", emit.hvp, &format!("|m, at, rates, w, d| {}.array()", call("hvp", "&(*w).into(), &d.into()"))),
        field(
            "hessian",
            emit.hessian,
            &format!(
                "|m, at, rates, w, c| {{ let h = {}; ::core::array::from_fn(|r| {entry}) }}",
                call("hessian", "&(*w).into()")
            ),
        ),
    ];
    let products = parse(&format!("{rt}::selftest::Products::<{real}, {rows}, {columns}> {{ {} }}", fields.concat()));
    let check = parse(&format!("{rt}::selftest::check_products::<{real}, {second}, {rows}, {columns}>(&products)"));
    let test = identifier(&format!("__{}_products", unraw(&cx.module)), proc_macro2::Span::call_site());
    quote! {
        #[cfg(test)]
        #[test]
        #[allow(unnameable_test_items)]
        fn #test() {
            let products = #products;
            ::core::assert_eq!(#check, ::core::result::Result::Ok(()));
        }
    }
}
