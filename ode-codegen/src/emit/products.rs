//! What `#[model(emit(..))]` asks for: products with derivatives, second derivatives, and their test.

use std::fmt::Write as _;

use proc_macro2::TokenStream;
use quote::quote;

use super::methods::{at_rates, matrix};
use super::roles::arguments;
use super::{Context, parse};
use crate::identifier::{identifier, unraw};
use crate::lower::Kernel;
use crate::model::{Emit, Model};

/// Names and lengths of the groups of a block.
type Groups = Vec<(&'static str, usize)>;

/// Groups of rows.
pub(super) fn rows(model: &Model) -> Groups {
    vec![("r", model.nv()), ("s", model.nz()), ("phi", model.nc())]
}

/// Groups of columns.
pub(super) fn columns(model: &Model) -> Groups {
    let (nv, nz, nc) = (model.nv(), model.nz(), model.nc());
    let state = [("q", nv), ("v", nv), ("z", nz), ("a", nv), ("zdot", nz)];
    state.into_iter().chain([("lambda", nc), ("u", model.nu()), ("p", model.np())]).collect()
}

/// The blocks of the generated module: name, documentation and groups.
pub(super) fn blocks(model: &Model) -> [(&'static str, &'static str, Groups); 2] {
    [
        ("Rows", "A number for each row of (r, s, Φ): derivatives of them, or weights w on them.", rows(model)),
        (
            "Direction",
            "A direction of, or gradient by, (q, v, z, a, ż, λ, u, p); that of q has nv entries, as v has.",
            columns(model),
        ),
    ]
}

/// The methods.
pub(super) fn methods(out: &mut String, cx: &Context<'_>) {
    for kernel in &cx.e.program.products {
        method(out, cx, kernel);
    }
}

fn method(out: &mut String, cx: &Context<'_>, kernel: &Kernel) {
    let (rt, module, real, zero) = (&cx.rt, &cx.module, cx.real(), cx.number(0.0));
    let at_rates = at_rates(cx);
    let (given, direction) = (format!("w: &{module}::Rows<{real}>"), format!("d: &{module}::Direction<{real}>"));
    let call = |result: &'static str| {
        cx.code().call(
            kernel,
            arguments(move |o| match o {
                "w" | "d" => format!("{o}.array()"),
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
    let text = match kernel.name {
        "jvp" => block("jvp", "J d: the derivatives of (r, s, Φ) in the direction d.", &direction, "Rows"),
        "vjp" => block("vjp", "Jᵀ w: the gradient of w·(r, s, Φ).", &given, "Direction"),
        "hvp" => block(
            "hvp",
            "The derivative of the gradient of w·(r, s, Φ) in the direction d.",
            &format!("{given}, {direction}"),
            "Direction",
        ),
        _ => {
            let entries = cx.e.equations.products.hessian.as_ref().map_or(0, |h| h.entries.len());
            let n = cx.code().lengths.columns;
            format!(
                "/// Nonzeros of the lower triangle of the second derivatives of w·(r, s, Φ) by (q, v, z, a, ż, λ, u, p), in the order of
                /// [`{module}::HESSIAN`].
                pub fn hessian_values(&self, {at_rates}, {given}) -> [{real}; {entries}] {{
                    let mut out = [{zero}; {entries}]; {} out
                }}
                /// The second derivatives of w·(r, s, Φ) by (q, v, z, a, ż, λ, u, p), both triangles.
                pub fn hessian(&self, {at_rates}, {given}) -> {square} {{
                    {rt}::linalg::symmetric({module}::HESSIAN, &self.hessian_values(at, rates, w))
                }}\n",
                call("&mut out"),
                square = matrix(cx, n, n),
            )
        }
    };
    let _ = out.write_str(&text);
}

/// The emitted check of the products.
pub(super) fn selftest(cx: &Context<'_>, real: &str, second: &str) -> TokenStream {
    let emit = cx.e.model.header.options.emit;
    if emit == Emit::default() {
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
    let fields = [
        field("jvp", emit.jvp, &format!("|m, at, rates, d| *{}.array()", call("jvp", "&(*d).into()"))),
        field("vjp", emit.vjp, &format!("|m, at, rates, w| *{}.array()", call("vjp", "&(*w).into()"))),
        field("hvp", emit.hvp, &format!("|m, at, rates, w, d| *{}.array()", call("hvp", "&(*w).into(), &d.into()"))),
        field(
            "hessian",
            emit.hessian,
            &format!(
                "|m, at, rates, w, c| {{ let h = {}; ::core::array::from_fn(|r| h[(r, c)]) }}",
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
