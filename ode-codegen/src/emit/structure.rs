//! The struct itself: fields with the user's tokens, defaults, builder, parameters as an array.

use std::fmt::Write as _;

use proc_macro2::{Span, TokenStream};
use quote::quote;

use super::code::Flavour;
use super::shapes::{indices, parameter_fields, rust_type, rust_value, scalars};
use super::{Context, parse, prepared};
use crate::describe::{Description, Documentation};
use crate::identifier::{identifier, unraw};
use crate::lower::Call;
use crate::model::Param;

/// The struct with its documentation. Its tokens are the user's, so that an editor finds its way.
pub(super) fn structure(cx: &Context<'_>) -> TokenStream {
    let header = &cx.e.model.header;
    let (vis, attrs, attributes) = (&cx.vis, &header.attrs, &cx.attributes);
    let generics = cx.declared();
    let fields = cx.own().map(|p| {
        let (mut ident, ty) = (p.declared.ident.clone(), parse(&rust_type(&p.declared.shape, cx.real())));
        if cx.is_twin() {
            // an editor would show it beside the field of the model
            ident.set_span(Span::call_site());
        }
        let unit = match (p.declared.unit.as_str(), p.scale) {
            ("", _) => String::new(),
            (unit, 1.0) => format!("\\[{unit}\\]"),
            (unit, _) => format!("\\[SI; declared in {unit}\\]"),
        };
        let default = match p.default.as_deref() {
            Some([one]) => format!("default {one:?}"),
            _ => String::new(),
        };
        let docs = p.declared.docs.join("\n");
        let about = [docs.trim(), &unit].join(" ");
        let doc = [about.trim(), &default].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
        quote! { #[doc = #doc] pub #ident: #ty }
    });
    let subs = super::subs::fields(cx);
    let marker = cx.unused_scalar().then(|| {
        let t = identifier(cx.real(), Span::call_site());
        quote! { #[doc(hidden)] pub __scalar: ::core::marker::PhantomData<#t>, }
    });
    let description = cx.e.description.filter(|_| cx.is_model());
    let documentation = description.map(|description| documentation(cx, description));
    let (name, documentation, around) = if cx.is_prepared() {
        let (name, about) = (identifier(&cx.plain_name(), cx.ident.span()), prepared::about(cx));
        (name, Some(quote! { #[doc = #about] }), Some(prepared::structure(cx, documentation)))
    } else {
        (cx.ident.clone(), documentation, None)
    };
    let mut derives = vec![quote! { Clone }, quote! { Debug }];
    for path in &header.options.derives {
        if !path.is_ident("Clone") && !path.is_ident("Debug") {
            derives.push(quote! { #path });
        }
    }
    quote! {
        #attributes
        #documentation
        #(#attrs)*
        #[derive(#(#derives),*)]
        #vis struct #name #generics {
            #(#fields,)*
            #(#subs,)*
            #marker
        }
        #around
    }
}

/// The struct's page: browsers show the equations typeset, editors as text. The first are written only where rustdoc
/// asks the model's own macro for them.
fn documentation(cx: &Context<'_>, description: &Description) -> TokenStream {
    let Documentation { before, text, after } = &description.documentation;
    let header = &cx.e.model.header;
    let before = format!("{}\n\n{before}", header.docs.join("\n"));
    let typeset = super::carrier::page(&header.name, &header.options.facade);
    quote! {
        #[doc = #before]
        #[cfg_attr(doc, doc = #typeset)]
        #[cfg_attr(not(doc), doc = #text)]
        #[doc = #after]
    }
}

/// `Default`, `cast`, the builder and `check`.
pub(super) fn construction(cx: &Context<'_>) -> String {
    let model = cx.e.model;
    let (rt, ty, real) = (&cx.rt, cx.ty(), cx.real());
    let (scalar, reals) = (cx.generics("Scalar"), cx.generics("Real"));
    let mut out = String::new();
    let nested = !cx.subs().is_empty();
    if model.declared.params.iter().all(|p| p.default.is_some()) {
        let values = fields(cx, |p| {
            let numbers = p.default.clone().unwrap_or_default();
            rust_value(&p.declared.shape, &mut numbers.into_iter().map(|x| cx.number(x)))
        });
        let value = match nested {
            false => format!("Self {{ {values} }}"),
            true => {
                let all: Vec<String> = model
                    .declared
                    .params
                    .iter()
                    .flat_map(|p| p.default.clone().unwrap_or_default())
                    .map(|x| cx.number(x))
                    .collect();
                format!("Self::from_parameters(&[{}])", all.join(", "))
            }
        };
        let mut default = |ty: &str, value: &str| {
            let _ = writeln!(
                out,
                "impl{scalar} ::core::default::Default for {ty} {{ fn default() -> Self {{ {value} }} }}"
            );
        };
        default(&cx.plain(), &value);
        if cx.is_prepared() {
            default(&ty, &format!("<{}>::default().into()", cx.plain()));
        }
    }
    if let Flavour::Generic(t) = &cx.flavour {
        let (name, other) = (&cx.name, cx.applied(&cx.name, &format!("{t}2")));
        let _ = writeln!(
            out,
            "impl{reals} {ty} {{
                /// The same model over another scalar.
                pub fn cast<{t}2: {rt}::Scalar>(&self) -> {other} {{
                    let convert = |p| <{t}2 as {rt}::Scalar>::from_f64(<{real} as {rt}::Real>::to_f64(p));
                    {name}::from_parameters(&self.parameters().map(convert))
                }}
            }}"
        );
    }
    out.push_str(&builder(cx, &reals));
    out
}

/// Parameters as an array.
pub(super) fn parameters(cx: &Context<'_>) -> String {
    let (ty, real, np, scalar) = (cx.plain(), cx.real(), cx.e.model.np(), cx.generics("Scalar"));
    let from_array = fields(cx, |p| {
        let first = p.declared.first;
        let mut scalars = (first..).map(|i| format!("p[{i}]"));
        rust_value(&p.declared.shape, &mut scalars)
    });
    let (given, subs) = super::subs::construction(cx);
    let to_array = parameter_fields(cx.e.model, cx.flat).iter().flat_map(scalars).collect::<Vec<_>>().join(", ");
    let around = if cx.is_prepared() { prepared::construction(cx) } else { String::new() };
    format!(
        "impl{scalar} {ty} {{
            /// All parameters, scalar by scalar, in the order of their declaration.
            pub fn parameters(&self) -> [{real}; {np}] {{ [{to_array}] }}
            /// A model with these parameters, in the order of their declaration.
            pub fn from_parameters(p: &[{real}; {np}]) -> Self {{ {given} Self {{ {from_array} {subs} }} }}
        }}\n"
    ) + &around
}

/// The fields of the struct that are no subs, with their values.
fn fields(cx: &Context<'_>, value: impl Fn(&Param) -> String) -> String {
    cx.own().map(|p| format!("{}: {}, ", p.declared.ident, value(p))).collect::<String>() + marker(cx)
}

/// The field that holds the type parameter of a struct without parameters.
fn marker(cx: &Context<'_>) -> &'static str {
    if cx.unused_scalar() { "__scalar: ::core::marker::PhantomData" } else { "" }
}

fn builder(cx: &Context<'_>, reals: &str) -> String {
    let (rt, ty, real, module) = (&cx.rt, cx.ty(), cx.real(), &cx.module);
    let name = &cx.name;
    let mut out = String::new();
    let mut setters = String::new();
    let mut build = Vec::new();
    for p in cx.own() {
        let ident = &p.declared.ident;
        // a scaled unit is the setter's; the field is in SI
        let value = if p.scale == 1.0 {
            "value".to_owned()
        } else {
            let scale = cx.number(p.scale);
            let mut scalars = indices(&p.declared.shape).into_iter().map(|i| format!("value{i} * {scale}"));
            rust_value(&p.declared.shape, &mut scalars)
        };
        let _ = writeln!(
            setters,
            "#[doc = \"Sets `{ident}`{unit}.\"] #[must_use] pub fn {ident}(mut self, value: {}) -> Self {{ self.{ident} = ::core::option::Option::Some({value}); self }}",
            rust_type(&p.declared.shape, real),
            unit = if p.declared.unit.is_empty() { String::new() } else { format!(", in {}", p.declared.unit) },
        );
        let missing = match &p.default {
            Some(numbers) => {
                let value = rust_value(&p.declared.shape, &mut numbers.iter().map(|x| cx.number(*x)));
                format!("self.{ident}.unwrap_or({value})")
            }
            None => format!(
                "match self.{ident} {{ ::core::option::Option::Some(value) => value, _ => return ::core::result::Result::Err({rt}::BuildError::Missing {{ model: \"{name}\", param: \"{ident}\" }}) }}"
            ),
        };
        build.push(missing);
    }
    setters.push_str(&super::subs::setters(cx));
    let build = super::subs::build(cx, &build);
    let (checked, units) = (checked(cx), units(cx));
    let builder = format!("{module}::Builder");
    let single = cx.applied(name, &format!("<{real} as {rt}::Wide>::Lane"));
    let _ = writeln!(
        out,
        "impl{lengths} {f64_type} {{
            /// Starts from the defaults; `build` checks every `require`. This one is for f64;
            /// [`{module}::Builder::new`] is for any scalar.
            pub fn builder() -> {f64_builder} {{ {module}::Builder::new() }}
        }}
        {checked}
        impl{reals} {rt}::Parametric for {ty} {{
            fn parameter_units(&self) -> &[(&'static str, f64)] {{ &[{units}] }}
        }}
        {wide}
        impl{reals} {block} {{
            {setters}
            /// The model, checked.
            ///
            /// # Errors
            /// A parameter that is missing, is not finite or breaks a `require`.
            pub fn build(self) -> ::core::result::Result<{ty}, {rt}::BuildError> {{
                {build}
                model.check()?;
                ::core::result::Result::Ok(model)
            }}
        }}",
        wide = cx.with_feature(format!(
            "impl{} {rt}::WideModel for {ty} {{ type Single = {single}; }}",
            cx.generics("Wide")
        )),
        lengths = cx.lengths(),
        block = cx.applied(&builder, real),
        f64_builder = cx.applied(&builder, "f64"),
        f64_type = cx.applied(name, "f64"),
    );
    out
}

/// The method that refuses parameters.
pub(super) fn checked(cx: &Context<'_>) -> String {
    let (rt, ty, real, name) = (&cx.rt, cx.ty(), cx.real(), &cx.title);
    let names: String = cx.e.names.p.iter().map(|shown| format!("{shown:?}, ")).collect();
    format!(
        "impl{reals} {ty} {{
            /// Refuses parameters that are not finite or break a `require`.
            ///
            /// # Errors
            /// The error with the parameter, its value and the requirement.
            pub fn check(&self) -> ::core::result::Result<(), {rt}::BuildError> {{
                let names = [{names}];
                let values: [{real}; {np}] = self.parameters();
                {rt}::BuildError::finite(\"{name}\", &names, &values)?;
                {requires}
                ::core::result::Result::Ok(())
            }}
        }}",
        reals = cx.generics("Real"),
        np = cx.e.model.np(),
        requires = requires(cx),
    )
}

/// The declared unit of each parameter scalar, and its value in SI.
fn units(cx: &Context<'_>) -> String {
    let unit = |p: &Param| format!("({:?}, {:?}), ", p.declared.unit, p.scale).repeat(p.declared.shape.len());
    cx.e.model.declared.params.iter().map(unit).collect()
}

/// The statements of `check` for the `require` items.
fn requires(cx: &Context<'_>) -> String {
    let requires = &cx.e.model.requires;
    if requires.is_empty() {
        return String::new();
    }
    let (rt, name) = (&cx.rt, &cx.title);
    let call = cx.call(Call::Requires, |array| match array {
        "holds" => "&mut holds".to_owned(),
        other => other.to_owned(),
    });
    let mut out = format!("let mut holds = [{}; {}]; {call}\n", cx.number(0.0), requires.len());
    for (k, require) in requires.iter().enumerate() {
        let value = require.first.map_or_else(|| cx.number(0.0), |i| format!("values[{i}]"));
        let declared = require.first.and_then(|i| cx.e.model.declared.params.iter().find(|p| p.declared.holds(i)));
        let (unit, scale) = declared.map_or(("", 1.0), |p| (p.declared.unit.as_str(), p.scale));
        let _ = writeln!(
            out,
            "if holds[{k}] != {} {{ return ::core::result::Result::Err({rt}::BuildError::required(\"{name}\", ({:?}, {value}), ({unit:?}, {scale:?}), {:?})); }}",
            cx.number(1.0),
            require.first.and_then(|i| cx.e.names.p.get(i)).map_or("", String::as_str),
            require.message
        );
    }
    out
}

/// The module of a model: its name in snake case, made an identifier where that is a keyword (`Box`, `Loop`).
pub(crate) fn module_name(name: &str) -> String {
    let mut module = snake_case(name);
    // That is an error (M0106), but its shape must be valid Rust.
    if module == unraw(name) {
        module.push('_');
    }
    identifier(&module, Span::call_site()).to_string()
}

/// `CartPole` → `cart_pole`.
fn snake_case(name: &str) -> String {
    let chars: Vec<char> = unraw(name).chars().collect();
    let mut out = String::new();
    for (i, &c) in chars.iter().enumerate() {
        let after_lower = i > 0 && (chars[i - 1].is_lowercase() || chars[i - 1].is_numeric());
        let before_lower = i > 0 && chars[i - 1].is_uppercase() && chars.get(i + 1).is_some_and(|n| n.is_lowercase());
        if c.is_uppercase() && (after_lower || before_lower) {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}
