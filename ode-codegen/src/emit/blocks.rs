//! The generated module: typed blocks with named entries, sizes, patterns and the layout. It names nothing of its parent.

use std::collections::HashSet;
use std::fmt::Write as _;

use proc_macro2::TokenStream;
use quote::quote;

use crate::derive::Sparse;
use crate::describe::Names;
use crate::model::{Constraint, Declared, Hold, Shape};

use crate::identifier::{identifier, spelling, unraw};

use super::code::{Flavour, indices, rust_type, rust_value};
use super::{Context, parse};

/// An entry of a block: name, layout, first scalar.
struct Entry {
    name: String,
    shape: Shape,
    first: usize,
}

/// The module.
pub(super) fn module(cx: &Context<'_>) -> TokenStream {
    let model = cx.e.model;
    let vis = &cx.vis;
    let ident = identifier(&cx.module, proc_macro2::Span::call_site());
    let doc = format!("Typed blocks, indices and patterns of [`{}`].", cx.name);
    let mut out = format!("use {rt}::Scalar as _; use {rt}::Block as _;\n", rt = cx.rt);
    let entries = |list: Vec<&Declared>| -> Vec<Entry> {
        list.iter().map(|d| Entry { name: d.ident.to_string(), shape: d.shape.clone(), first: d.first }).collect()
    };
    let q = entries(model.coordinates.iter().map(|c| &c.declared).collect());
    let v = model
        .coordinates
        .iter()
        .map(|c| Entry {
            name: c.velocity.as_ref().unwrap_or(&c.declared.ident).to_string(),
            shape: c.rate.clone(),
            first: c.first_rate,
        })
        .collect::<Vec<_>>();
    let lambda: Vec<Entry> = model
        .constraints
        .iter()
        .map(|c| Entry { name: c.ident.to_string(), shape: c.shape.clone(), first: c.first })
        .collect();
    let mut first = 0;
    let mut limits = Vec::new();
    for limit in &model.limits {
        limits.push(Entry { name: limit.ident.to_string(), shape: limit.shape.clone(), first });
        first += limit.value.len();
    }
    block(&mut out, cx, "Q", "Coordinates, in the order of their declaration.", model.nq(), &q);
    block(&mut out, cx, "V", "Velocities (and accelerations), in the order of the coordinates.", model.nv(), &v);
    let z = entries(model.states.iter().map(|s| &s.declared).collect());
    let modes = entries(model.modes.iter().map(|m| &m.declared).collect());
    block(&mut out, cx, "Modes", "Modes, constant between events.", model.modes(), &modes);
    block(&mut out, cx, "Z", "First-order states (and their rates).", model.nz(), &z);
    block(&mut out, cx, "U", "Inputs.", model.nu(), &entries(model.inputs.iter().map(|i| &i.declared).collect()));
    let about = match model.is_redundant() {
        true => "Multipliers, M a = f + Gᵀ λ: of those that are not unique the least.",
        false => "Multipliers, M a = f + Gᵀ λ.",
    };
    block(&mut out, cx, "Lambda", about, model.nc(), &lambda);
    block(&mut out, cx, "Y", "Outputs.", model.ny(), &entries(model.outputs.iter().map(|o| &o.declared).collect()));
    block(&mut out, cx, "H", "Path constraints.", first, &limits);
    let mut rows = 0;
    let mut fits = Vec::new();
    for fit in &model.fits {
        fits.push(Entry { name: fit.ident.to_string(), shape: fit.shape.clone(), first: rows });
        rows += fit.value.len();
    }
    if rows > 0 {
        block(&mut out, cx, "E", "Rows of the sum of squares ½ Σ e².", rows, &fits);
    }
    if model.header.options.emit != crate::model::Emit::default() {
        for (name, doc, groups) in super::products::blocks(model) {
            let mut len = 0;
            let mut entries = Vec::new();
            for (group, n) in groups.into_iter().filter(|(_, n)| *n > 0) {
                let shape = Shape::Array(n, Box::new(Shape::Scalar));
                entries.push(Entry { name: group.to_owned(), shape, first: len });
                len += n;
            }
            block(&mut out, cx, name, doc, len, &entries);
        }
    }
    out.push_str(&builder(cx));
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

/// A block and its typed index.
fn block(out: &mut String, cx: &Context<'_>, name: &str, doc: &str, len: usize, entries: &[Entry]) {
    let rt = &cx.rt;
    let origin = origin(cx, name, len);
    let mut accessors = String::new();
    let mut constants = String::new();
    let mut named = HashSet::new();
    for entry in entries {
        let (n, ty) = (&entry.name, rust_type(&entry.shape, "T"));
        let bare = unraw(n);
        let mut scalars = (entry.first..).map(|i| format!("self.0[{i}]"));
        let value = rust_value(&entry.shape, &mut scalars);
        let mut writes = String::new();
        for (k, index) in indices(&entry.shape).into_iter().enumerate() {
            let _ = write!(writes, "self.0[{}] = value{index}; ", entry.first + k);
        }
        let _ = writeln!(
            accessors,
            "#[doc = \"`{bare}`\"] #[inline] pub fn {n}(&self) -> {ty} {{ {value} }}
            #[doc = \"Sets `{bare}`.\"] #[inline] pub fn set_{bare}(&mut self, value: {ty}) {{ {writes} }}"
        );
        for (k, suffix) in entry.shape.suffixes().into_iter().enumerate() {
            // ASCII only: rustc warns where both θ and Θ are names
            let mut constant = spelling(&format!("{bare}{suffix}")).to_ascii_uppercase();
            // `l` and `L`, `r.x` and `r_x`
            while !named.insert(constant.clone()) {
                constant.push('_');
            }
            let _ = writeln!(
                constants,
                "#[doc = \"`{bare}{suffix}`\"] pub const {constant}: Self = Self({});",
                entry.first + k
            );
        }
    }
    let _ = writeln!(
        out,
        "#[doc = {doc:?}]
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct {name}<T = f64>([T; {len}]);
        #[doc = \"Index of an entry of [`{name}`].\"]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct {name}Index(usize);
        impl {name}Index {{ {constants}
            #[doc = \"Position in the block.\"] pub const fn position(self) -> usize {{ self.0 }}
        }}
        impl<T: {rt}::Scalar> {name}<T> {{ {accessors} }}
        impl<T> {name}<T> {{
            #[doc = \"All entries.\"] #[inline] pub const fn array(&self) -> &[T; {len}] {{ &self.0 }}
            #[doc = \"All entries.\"] #[inline] pub const fn array_mut(&mut self) -> &mut [T; {len}] {{ &mut self.0 }}
        }}
        impl<T: {rt}::Scalar> Default for {name}<T> {{ fn default() -> Self {{ Self({origin}) }} }}
        impl<T> From<[T; {len}]> for {name}<T> {{ fn from(entries: [T; {len}]) -> Self {{ Self(entries) }} }}
        impl<T> AsRef<[T]> for {name}<T> {{ #[inline] fn as_ref(&self) -> &[T] {{ &self.0 }} }}
        impl<T> AsMut<[T]> for {name}<T> {{ #[inline] fn as_mut(&mut self) -> &mut [T] {{ &mut self.0 }} }}
        impl<T> ::core::ops::Index<{name}Index> for {name}<T> {{ type Output = T; fn index(&self, i: {name}Index) -> &T {{ &self.0[i.0] }} }}
        impl<T> ::core::ops::IndexMut<{name}Index> for {name}<T> {{ fn index_mut(&mut self, i: {name}Index) -> &mut T {{ &mut self.0[i.0] }} }}
        impl<T: {rt}::Scalar> {rt}::Block<T> for {name}<T> {{ #[inline] fn zeros(_len: usize) -> Self {{ Self([T::ZERO; {len}]) }} }}"
    );
}

/// A block where nothing is said: zeros, but for rotations by nothing, modes as they begin, and inputs that a run is
/// not given.
fn origin(cx: &Context<'_>, name: &str, len: usize) -> String {
    let model = cx.e.model;
    let values: Vec<f64> = match name {
        "Q" => model.blocks().iter().flat_map(|b| b.chart.origin()).copied().collect(),
        "Modes" => model.modes.iter().flat_map(|m| &m.start).copied().collect(),
        "U" => model.inputs.iter().flat_map(|i| &i.default).copied().collect(),
        _ => Vec::new(),
    };
    if values.iter().all(|x| *x == 0.0) {
        return format!("[T::ZERO; {len}]");
    }
    let number = |x: &f64| match *x {
        0.0 => "T::ZERO".to_owned(),
        1.0 => "T::ONE".to_owned(),
        x => format!("T::from_f64({x:?})"),
    };
    format!("[{}]", values.iter().map(number).collect::<Vec<_>>().join(", "))
}

/// The builder's struct; its methods stand outside, where the model's type can be named.
fn builder(cx: &Context<'_>) -> String {
    let rt = &cx.rt;
    let (ty, real, bound, generic) = match &cx.flavour {
        Flavour::Concrete => ("Builder".to_owned(), "f64", String::new(), String::new()),
        Flavour::Generic(t) => {
            (format!("Builder<{t}>"), t.as_str(), format!("<{t}: {rt}::Scalar>"), format!("<{t} = f64>"))
        }
    };
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

/// Sizes, patterns and the layout.
fn layout(cx: &Context<'_>) -> String {
    let (rt, model, e, names) = (&cx.rt, cx.e.model, cx.e.equations, cx.e.names);
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
        ("NH", "number of path constraints", e.limits.len()),
    ];
    for (name, doc, value) in sizes {
        let _ = writeln!(out, "#[doc = {doc:?}] pub const {name}: usize = {value};");
    }
    let mut pattern = |name: &str, doc: &str, rows: usize, cols: usize, (starts, indices): (Vec<usize>, Vec<usize>)| {
        let _ = writeln!(
            out,
            "#[doc = {doc:?}] pub const {name}: {rt}::Pattern<'static> = {rt}::Pattern {{ rows: {rows}, cols: {cols}, starts: &{starts:?}, indices: &{indices:?} }};"
        );
    };
    let mut sparse: Vec<(&str, &str, &Sparse)> = vec![
        ("MASS", "pattern of the lower triangle of M", &e.mass),
        ("JACOBIAN", "pattern of G", &e.jacobian),
        ("TANGENT", "pattern of the bordered tangent", &e.tangent),
        ("INPUT_JACOBIAN", "pattern of B = −∂(r, s)/∂u, rows in the order (v, z)", &e.inputs),
        ("PARAMETER_JACOBIAN", "pattern of P = ∂(r, s)/∂p, rows in the order (v, z)", &e.parameters),
        ("CONSTRAINT_PARAMETER_JACOBIAN", "pattern of ∂Φ/∂p", &e.constraint_parameters),
        ("OUTPUT_JACOBIAN", "pattern of ∂y/∂(q, v, z, a, ż, λ, u, p)", &e.output_jacobian),
        ("LIMIT_JACOBIAN", "pattern of ∂h/∂(q, v, z, u)", &e.limit_jacobian),
        ("COST_GRADIENT", "pattern of ∂cost/∂(q, v, z, u)", &e.cost_gradient),
    ];
    if !e.fits.is_empty() {
        sparse.push(("RESIDUALS_JACOBIAN", "pattern of ∂e/∂(q, v, z, u)", &e.fit_jacobian));
    }
    if let Some(hessian) = &e.products.hessian {
        sparse.push((
            "HESSIAN",
            "pattern of the lower triangle of ∂²(w·(r, s, Φ))/∂(q, v, z, a, ż, λ, u, p)²",
            hessian,
        ));
    }
    for (name, doc, s) in sparse {
        pattern(name, doc, s.rows, s.cols, s.pattern());
    }
    if !e.kinematics.entries.is_empty() {
        pattern("KINEMATICS", "pattern of N", model.nq(), nv, e.kinematics.pattern());
        pattern("KINEMATIC_JACOBIAN", "pattern of ∂(N v)/∂q", model.nq(), nv, e.kinematic_jacobian.pattern());
    }
    let conditions = [("INIT_POSITION", &e.position_conditions.1), ("INIT_VELOCITY", &e.velocity_conditions.1)];
    for (name, s) in conditions {
        pattern(name, "pattern of the exact initial conditions", s.rows, s.cols, s.pattern());
    }
    for (name, doc, places) in [("STIFFNESS", "pattern of K", &e.stiffness), ("DAMPING", "pattern of D", &e.damping)] {
        pattern(name, doc, nv, nv, crate::derive::pattern(nv, places.iter().copied()));
    }
    let list = |names: &[String]| format!("&{names:?}");
    let kind = |c: &Constraint| match c.level {
        _ if !c.soft.is_empty() => "Compliant",
        Hold::Position => "Holonomic",
        Hold::Velocity => "Nonholonomic",
    };
    let kinds =
        model.constraints.iter().flat_map(|c| c.rows.iter().map(move |_| format!("{rt}::RowKind::{}", kind(c))));
    let kinds = kinds.collect::<Vec<_>>().join(", ");
    let (order, constant, rheonomic) = (model.header.options.order, e.constant_mass, e.rheonomic);
    let algebraic = model.na();
    let Names { q, v, z, modes, constraints, u, init_position, init_velocity, .. } = names;
    let events = super::events::layout(cx);
    let _ = writeln!(
        out,
        "#[doc = \"Names, sizes and patterns.\"] pub const LAYOUT: {rt}::Layout<'static> = {rt}::Layout {{
            name: {:?}, q: {}, v: {}, z: {}, algebraic: {algebraic}, u: {}, modes: {}, events: &[{events}], constraints: {}, kinds: &[{kinds}],
            init_position: {}, init_velocity: {}, mass: MASS, jacobian: JACOBIAN, tangent: TANGENT,
            order: {rt}::Order::{order:?}, constant_mass: {constant}, rheonomic: {rheonomic},
        }};",
        cx.name,
        list(q),
        list(v),
        list(z),
        list(u),
        list(modes),
        list(constraints),
        list(init_position),
        list(init_velocity),
    );
    out
}
