//! Subs as fields of the struct, of the child's own type; their parameters are among those of the whole model.

use std::fmt::Write as _;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};

use crate::identifier::identifier;
use crate::lower::Call;
use crate::model::{Model, Param, Shape, Sub, Supply};

use super::code::{Code, Flavour};
use super::shapes::{Field, indices};
use super::{Context, parse};

/// `pub motor: DcMotor<T>`, with the user's tokens.
pub(super) fn fields(cx: &Context<'_>) -> Vec<TokenStream> {
    let field = |sub: &Sub| {
        let (ident, ty, doc) = (&sub.ident, ty(sub), sub.docs.join("\n"));
        quote! { #[doc = #doc] pub #ident: #ty }
    };
    cx.subs().iter().map(field).collect()
}

fn ty(sub: &Sub) -> TokenStream {
    let ty = &sub.ty;
    match sub.count {
        Some(n) => {
            let n = proc_macro2::Literal::usize_unsuffixed(n);
            quote! { [#ty; #n] }
        }
        None => ty.to_token_stream(),
    }
}

/// Names for the children's types, which text can use.
pub(super) fn aliases(cx: &Context<'_>) -> TokenStream {
    let generics = match &cx.flavour {
        Flavour::Concrete => TokenStream::new(),
        Flavour::Generic(t) => parse(&format!("<{t}>")),
    };
    let alias = |(k, sub): (usize, &Sub)| {
        let (name, ty) = (identifier(&format!("__Sub{k}"), Span::call_site()), &sub.ty);
        quote! { type #name #generics = #ty; }
    };
    cx.subs().iter().enumerate().map(alias).collect()
}

fn alias(cx: &Context<'_>, k: usize) -> String {
    match &cx.flavour {
        Flavour::Concrete => format!("__Sub{k}"),
        Flavour::Generic(t) => format!("__Sub{k}<{t}>"),
    }
}

/// The place of a parameter in the struct: `m`, `motor.r`, `wheel[0].r`.
pub(super) fn place(model: &Model, ident: &Ident) -> String {
    let Some(shown) = model.declared.shown.get(&ident.to_string()) else { return ident.to_string() };
    let word = |word: &str| {
        let (name, index) = word.split_at(word.find('[').unwrap_or(word.len()));
        format!("{}{index}", identifier(name, Span::call_site()))
    };
    shown.split('.').map(word).collect::<Vec<_>>().join(".")
}

/// Number of scalars of a sub's element.
fn scalars(sub: &Sub) -> usize {
    sub.elements.as_ref().and_then(|e| e.first()).map_or(0, Vec::len)
}

/// The part of a sub that a builder holds: its parameters, since it cannot name its type.
pub(super) fn arrays<'a>(cx: &Context<'a>) -> Vec<(&'a Ident, String)> {
    let array = |sub: &'a Sub| {
        let one = format!("[{}; {}]", cx.real(), scalars(sub));
        (&sub.ident, sub.count.map_or(one.clone(), |n| format!("[{one}; {n}]")))
    };
    cx.subs().iter().map(array).collect()
}

/// A builder's method for each sub.
pub(super) fn setters(cx: &Context<'_>) -> String {
    let mut out = String::new();
    for (k, sub) in cx.subs().iter().enumerate() {
        let (name, ty) = (&sub.ident, alias(cx, k));
        let (ty, value) = match sub.count {
            Some(n) => (format!("[{ty}; {n}]"), "value.map(|one| one.parameters())"),
            None => (ty, "value.parameters()"),
        };
        let body = match sub.elements {
            Some(_) => format!("self.{name} = ::core::option::Option::Some({value}); self"),
            None => "self".to_owned(),
        };
        let _ = writeln!(
            out,
            "#[doc = \"Sets `{name}`; what this model gives it stays given.\"] #[must_use] pub fn {name}(mut self, value: {ty}) -> Self {{ {body} }}"
        );
    }
    out
}

/// Statements that leave the model in `model`, from the values of its own parameters in order.
pub(super) fn build(cx: &Context<'_>, own: &[String]) -> String {
    let model = cx.e.model;
    let mut out = String::new();
    for (k, value) in own.iter().enumerate() {
        let _ = writeln!(out, "let __p{k} = {value};");
    }
    let mut all: Vec<String> = vec![String::new(); model.np()];
    for (k, p) in cx.own().enumerate() {
        for (i, index) in indices(&p.declared.shape).into_iter().enumerate() {
            all[p.declared.first + i] = format!("__p{k}{index}");
        }
    }
    for (k, sub) in cx.subs().iter().enumerate() {
        let Some(elements) = &sub.elements else { continue };
        let _ = writeln!(out, "let __s{k} = {};", preset(cx, sub, elements));
        for (e, element) in elements.iter().enumerate() {
            let index = if sub.count.is_some() { format!("[{e}]") } else { String::new() };
            for (j, source) in element.iter().enumerate() {
                if let Supply::Parameter(i) = source {
                    all[*i] = format!("__s{k}{index}[{j}]");
                }
            }
        }
    }
    let _ = writeln!(out, "let model = {}::from_parameters(&[{}]);", cx.name, all.join(", "));
    out
}

/// The values of a sub, or its defaults.
fn preset(cx: &Context<'_>, sub: &Sub, elements: &[Vec<Supply>]) -> String {
    let (rt, name, model) = (&cx.rt, &cx.name, cx.e.model);
    let of = |i: usize| -> Option<&Param> {
        let holds = |p: &&Param| p.declared.holds(i);
        model.declared.params.iter().find(holds)
    };
    let mut missing = None;
    let mut one = |source: &Supply| match source {
        Supply::Given(_) => cx.number(0.0),
        Supply::Parameter(i) => match of(*i).map(|p| (p, p.default.as_ref())) {
            Some((p, Some(numbers))) => cx.number(numbers.get(i - p.declared.first).copied().unwrap_or(0.0)),
            Some((p, None)) => {
                missing.get_or_insert_with(|| model.shown(&p.declared.ident));
                String::new()
            }
            None => String::new(),
        },
    };
    let mut lists: Vec<String> = Vec::new();
    for element in elements {
        lists.push(format!("[{}]", element.iter().map(&mut one).collect::<Vec<_>>().join(", ")));
    }
    let preset = if sub.count.is_some() { format!("[{}]", lists.join(", ")) } else { lists.concat() };
    let otherwise = match missing {
        None => preset,
        Some(param) => format!(
            "return ::core::result::Result::Err({rt}::BuildError::Missing {{ model: \"{name}\", param: \"{param}\" }})"
        ),
    };
    format!("match self.{} {{ ::core::option::Option::Some(value) => value, _ => {otherwise} }}", sub.ident)
}

/// For `from_parameters`: the statements before the struct's expression, and its fields.
pub(super) fn construction(cx: &Context<'_>) -> (String, String) {
    let (rt, real) = (&cx.rt, cx.real());
    let (mut fields, mut next) = (String::new(), 0);
    for (k, sub) in cx.subs().iter().enumerate() {
        let ty = alias(cx, k);
        let mut values = Vec::new();
        for element in sub.elements.iter().flatten() {
            let mut list = Vec::new();
            for source in element {
                list.push(match source {
                    Supply::Parameter(i) => format!("p[{i}]"),
                    Supply::Given(_) => {
                        next += 1;
                        format!("given[{}]", next - 1)
                    }
                });
            }
            values.push(format!("<{ty}>::from_parameters(&[{}])", list.join(", ")));
        }
        if sub.elements.is_none() {
            let zeros = format!("<<{ty} as {rt}::Differentiable>::P as {rt}::Block<{real}>>::zeros(0)");
            let one = format!("<{ty} as {rt}::FromParameters>::from_parameters(&{zeros})");
            values = vec![one; sub.count.unwrap_or(1)];
        }
        let value = if sub.count.is_some() { format!("[{}]", values.join(", ")) } else { values.concat() };
        let _ = write!(fields, "{}: {value}, ", sub.ident);
    }
    (if next == 0 { String::new() } else { given(cx, next) }, fields)
}

/// The parameters that the model gives its subs, from the array `p` of its parameters.
fn given(cx: &Context<'_>, len: usize) -> String {
    let np = cx.e.model.np();
    let all = Field { place: "*p".to_owned(), shape: Shape::Vector(np), first: 0 };
    let code = Code { parameters: [all].into(), ..cx.code() };
    format!("let mut given = [{}; {len}];\n{}", cx.number(0.0), code.inline(&cx.e.program[Call::Given]))
}
