//! The generated module: typed blocks with named entries, sizes, patterns and the layout. It refers to nothing in its
//! parent.

use std::collections::HashSet;
use std::fmt::Write as _;

use proc_macro2::TokenStream;
use quote::quote;

use crate::describe::Names;
use crate::lower::{Layout, Pattern, Record};

use crate::identifier::{identifier, spelling, unraw};

use super::code::Flavour;
use super::sensitive::is_sensitive;
use super::shapes::{indices, rust_type, rust_value};
use super::{Context, Purpose, parse};

/// The module.
pub(super) fn module(cx: &Context<'_>) -> TokenStream {
    let vis = &cx.vis;
    let ident = identifier(&cx.module, proc_macro2::Span::call_site());
    let doc = format!("Typed blocks, sizes and patterns of [`{}`].", cx.name);
    let mut out = format!("use {rt}::Scalar as _; use {rt}::Block as _;\n", rt = cx.rt);
    cx.e.program.records.iter().for_each(|r| record(&mut out, cx, r));
    if cx.is_model() {
        cx.e.program.records.iter().filter(|r| r.len > 0).for_each(|r| named(&mut out, cx, r));
        out.push_str(&builder(cx));
    }
    out.push_str(&layout(cx));
    let out = parse(&out);
    quote! {
        #[doc = #doc]
        #[allow(
            unused, clippy::all, clippy::pedantic, clippy::nursery, missing_docs, non_upper_case_globals,
            reason = "generated code"
        )]
        #vis mod #ident { #out }
    }
}

/// The inputs alone, for the module of a model with sets.
pub(super) fn inputs(cx: &Context<'_>) -> String {
    let mut out = format!("use {rt}::Scalar as _; use {rt}::Block as _;\n", rt = cx.rt);
    for inputs in cx.e.program.records.iter().filter(|record| record.name == "U") {
        record(&mut out, cx, inputs);
        if inputs.len > 0 {
            named(&mut out, cx, inputs);
        }
    }
    out
}

/// A typed array. Arrays without entries, or whose names nobody reads, are types of the runtime: a type of its own is a
/// dozen `impl`s for rustc to read.
fn record(out: &mut String, cx: &Context<'_>, record: &Record) {
    let (rt, Record { name, about: doc, len, .. }) = (&cx.rt, record);
    if *len == 0 {
        let _ = writeln!(out, "#[doc = {doc:?}] pub type {name}<T = f64> = {rt}::Empty<T>;");
        return;
    }
    if !cx.is_model() && !cx.is_sparse() {
        let _ = writeln!(out, "pub type {name}<T> = {rt}::Unnamed<T, {len}>;");
        return;
    }
    let origin = origin(cx, record);
    // on the heap, where there are many
    let (array, copy, constant) = match cx.is_sparse() {
        true => (format!("{rt}::Boxed<T, {len}>"), "", ""),
        false => (format!("[T; {len}]"), "Copy, ", "const "),
    };
    let _ = writeln!(
        out,
        "#[doc = {doc:?}]
        #[derive(Clone, {copy}Debug, PartialEq)]
        pub struct {name}<T = f64>({array});
        impl<T> {name}<T> {{
            #[doc = \"All entries.\"] #[inline] pub {constant}fn array(&self) -> [T; {len}] where T: Copy {{ {value} }}
            #[doc = \"All entries, by reference.\"] #[inline] pub {constant}fn as_array(&self) -> &[T; {len}] {{ &self.0 }}
            #[doc = \"All entries.\"] #[inline] pub {constant}fn array_mut(&mut self) -> &mut [T; {len}] {{ &mut self.0 }}
        }}
        impl<T: {rt}::Scalar> Default for {name}<T> {{ fn default() -> Self {{ Self({default}) }} }}
        impl<T> From<[T; {len}]> for {name}<T> {{ fn from(entries: [T; {len}]) -> Self {{ Self({entries}) }} }}
        impl<T> AsRef<[T]> for {name}<T> {{ #[inline] fn as_ref(&self) -> &[T] {{ &self.0{all} }} }}
        impl<T> AsMut<[T]> for {name}<T> {{ #[inline] fn as_mut(&mut self) -> &mut [T] {{ &mut self.0{all} }} }}
        impl<T: {rt}::Scalar> {rt}::Block<T> for {name}<T> {{
            #[inline] fn zeros(len: usize) -> Self {{ Self({rt}::Block::zeros(len)) }}
        }}",
        value = if cx.is_sparse() { "*self.0" } else { "self.0" },
        entries = if cx.is_sparse() { "entries.into()" } else { "entries" },
        all = if cx.is_sparse() { "[..]" } else { "" },
        default = match origin.starts_with('[') && cx.is_sparse() {
            true => format!("{origin}.into()"),
            false => origin,
        },
    );
}

/// What a user has beside the array: its fields, and places of its entries.
fn named(out: &mut String, cx: &Context<'_>, record: &Record) {
    let (rt, name, accessors, entries) = (&cx.rt, record.name, accessors(record), entries(cx, record));
    let _ = writeln!(
        out,
        "impl<T: {rt}::Scalar> {name}<T> {{ {accessors} }}
        impl {name} {{ {entries} }}
        impl<T> ::core::ops::Index<{rt}::Entry<{name}>> for {name}<T> {{
            type Output = T;
            fn index(&self, i: {rt}::Entry<{name}>) -> &T {{ &self.0[i.position()] }}
        }}
        impl<T> ::core::ops::IndexMut<{rt}::Entry<{name}>> for {name}<T> {{
            fn index_mut(&mut self, i: {rt}::Entry<{name}>) -> &mut T {{ &mut self.0[i.position()] }}
        }}"
    );
}

/// A method that reads and one that writes each field.
fn accessors(record: &Record) -> String {
    let mut out = String::new();
    for field in record.fields.iter().chain(&record.also) {
        let (n, bare, ty) = (&field.name, unraw(&field.name), rust_type(&field.shape, "T"));
        let mut scalars = (field.first..).map(|i| format!("self.0[{i}]"));
        let value = rust_value(&field.shape, &mut scalars);
        let mut writes = String::new();
        for (k, index) in indices(&field.shape).into_iter().enumerate() {
            let _ = write!(writes, "self.0[{}] = value{index}; ", field.first + k);
        }
        let _ = writeln!(
            out,
            "#[doc = \"`{bare}`\"] #[inline] pub fn {n}(&self) -> {ty} {{ {value} }}
            #[doc = \"Sets `{bare}`.\"] #[inline] pub fn set_{bare}(&mut self, value: {ty}) {{ {writes} }}"
        );
    }
    out
}

/// A constant for the place of each entry.
fn entries(cx: &Context<'_>, record: &Record) -> String {
    let (rt, block) = (&cx.rt, record.name);
    let mut out = String::new();
    // constants and accessors are names of the same type: `F()` of an input `F`
    let fields = || record.fields.iter().chain(&record.also);
    let mut taken: HashSet<String> = fields().map(|field| unraw(&field.name).to_owned()).collect();
    for field in fields() {
        let bare = unraw(&field.name);
        for (k, suffix) in field.shape.suffixes().into_iter().enumerate() {
            // ASCII only: rustc warns where both θ and Θ are names
            let mut constant = spelling(&format!("{bare}{suffix}")).to_ascii_uppercase();
            // `l` and `L`, `r.x` and `r_x`
            while !taken.insert(constant.clone()) {
                constant.push('_');
            }
            let position = field.first + k;
            let value = format!("{rt}::Entry<{block}> = {rt}::Entry::new({position})");
            let _ = writeln!(out, "#[doc = \"`{bare}{suffix}`\"] pub const {constant}: {value};");
        }
    }
    out
}

/// The default of a record: zeros, except identity rotations, initial modes, and nominal inputs.
fn origin(cx: &Context<'_>, record: &Record) -> String {
    if record.origin.iter().all(|x| *x == 0.0) {
        return format!("{}::Block::zeros(0)", cx.rt);
    }
    let number = |x: &f64| match *x {
        0.0 => "T::ZERO".to_owned(),
        1.0 => "T::ONE".to_owned(),
        x => format!("T::from_f64({x:?})"),
    };
    format!("[{}]", record.origin.iter().map(number).collect::<Vec<_>>().join(", "))
}

/// The builder's struct; its methods are outside, where the model's type can be named.
fn builder(cx: &Context<'_>) -> String {
    let real = cx.real();
    let (ty, bound, generic) = (cx.applied("Builder", real), cx.generics("Scalar"), cx.declared());
    let (mut fields, mut none) = (String::new(), String::new());
    for p in cx.own() {
        let ident = &p.declared.ident;
        let _ = write!(fields, "pub(super) {ident}: Option<{}>, ", rust_type(&p.declared.shape, real));
        let _ = write!(none, "{ident}: None, ");
    }
    for (sub, scalars) in super::subs::arrays(cx) {
        let _ = write!(fields, "pub(super) {sub}: Option<{scalars}>, ");
        let _ = write!(none, "{sub}: None, ");
    }
    if fields.is_empty() && cx.flavour != Flavour::Concrete {
        let _ = write!(fields, "pub(super) __scalar: ::core::marker::PhantomData<{real}>, ");
        none.push_str("__scalar: ::core::marker::PhantomData, ");
    }
    format!(
        "#[doc = \"Sets parameters by name; what is not set keeps its default.\"] #[derive(Clone, Debug)]
        pub struct Builder{generic} {{ {fields} }}
        impl{bound} {ty} {{ #[doc = \"Nothing set yet.\"] pub fn new() -> Self {{ Self {{ {none} }} }} }}\n"
    )
}

/// Patterns that a layout holds.
const OF_LAYOUTS: [&str; 6] = ["MASS", "JACOBIAN", "TANGENT", "ALGEBRAIC_JACOBIAN", "INIT_POSITION", "INIT_VELOCITY"];

/// Those of `Differentiable`.
const OF_DERIVATIVES: [&str; 4] =
    ["FORCE_BY_INPUT", "RESIDUAL_BY_PARAMETER", "CONSTRAINT_BY_PARAMETER", "OUTPUT_JACOBIAN"];

/// Those that only a user reads.
const OF_METHODS: [&str; 5] = ["HESSIAN", "KINEMATICS", "QDOT_BY_POSITION", "STIFFNESS", "DAMPING"];

/// Does anybody read this pattern?
fn is_read(cx: &Context<'_>, pattern: &str) -> bool {
    match cx.purpose {
        Purpose::Model => true,
        Purpose::Field => OF_LAYOUTS.contains(&pattern),
        _ if cx.is_element() && is_sensitive(cx) => !OF_METHODS.contains(&pattern),
        _ => OF_LAYOUTS.contains(&pattern) || OF_DERIVATIVES.contains(&pattern),
    }
}

/// Sizes, patterns and the layout.
fn layout(cx: &Context<'_>) -> String {
    let (rt, model, program, names) = (&cx.rt, cx.e.model, cx.e.program, cx.e.names);
    let (nv, nc) = (model.nv(), model.nc());
    let mut out = String::new();
    let sizes = [
        ("NQ", "number of coordinates", model.nq()),
        ("NV", "number of velocities", nv),
        ("NZ", "number of first-order states", model.nz()),
        ("NU", "number of inputs", model.nu()),
        ("NC", "number of constraint rows", nc),
        ("NP", "number of parameters", model.np()),
        ("NY", "number of outputs", model.ny()),
        ("NH", "number of path constraints", program.len("H")),
    ];
    for (name, doc, value) in sizes.iter().filter(|_| cx.is_model()) {
        let _ = writeln!(out, "#[doc = {doc:?}] pub const {name}: usize = {value};");
    }
    let patterns = cx.e.program.patterns.iter().filter(|pattern| is_read(cx, pattern.name));
    for Pattern { name, about, rows, cols, starts, indices } in patterns {
        if cx.is_model() {
            let _ = write!(out, "#[doc = {about:?}] ");
        }
        let _ = writeln!(
            out,
            "pub const {name}: {rt}::Pattern<'static> = {rt}::Pattern {{ rows: {rows}, cols: {cols}, starts: &{starts:?}, indices: &{indices:?} }};"
        );
    }
    let list = |names: &[String]| format!("&{names:?}");
    let Layout { order, algebraic, rows, constant_mass, rheonomic, .. } = &program.layout;
    let kinds: Vec<String> = rows.iter().map(|kind| format!("{rt}::RowKind::{kind:?}")).collect();
    let kinds = kinds.join(", ");
    let Names {
        q, v, directions, steps, z, modes, constraints, multipliers, u, y, init_position, init_velocity, ..
    } = names;
    let events = super::events::layout(cx);
    let _ = writeln!(
        out,
        "#[doc = \"Names, sizes and patterns.\"] pub const LAYOUT: {rt}::Layout<'static> = {rt}::Layout {{
            name: {:?}, q: {}, v: {}, directions: {}, steps: {}, z: {}, algebraic: {algebraic},
            algebraic_jacobian: ALGEBRAIC_JACOBIAN,
            u: {}, outputs: {}, modes: {}, events: &[{events}], constraints: {}, multipliers: {}, kinds: &[{kinds}],
            init_position: {}, init_velocity: {}, init_position_jacobian: INIT_POSITION,
            init_velocity_jacobian: INIT_VELOCITY, mass: MASS, jacobian: JACOBIAN, tangent: TANGENT,
            order: {rt}::Order::{order:?}, constant_mass: {constant_mass}, rheonomic: {rheonomic},
        }};",
        cx.name,
        list(q),
        list(v),
        list(directions),
        list(steps),
        list(z),
        list(u),
        list(y),
        list(modes),
        list(constraints),
        list(multipliers),
        list(init_position),
        list(init_velocity),
    );
    out
}
