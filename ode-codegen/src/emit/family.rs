//! The struct of a model with sets: parameters of its members, its builder, and roles that its elements play.

use std::fmt::Write as _;

use proc_macro2::{Span, TokenStream};
use quote::quote;

use super::shapes::{indices, rust_type, rust_value};
use super::{Context, Emission, Flavour, element, flavour, module_name, parse};
use crate::families::{Element, Family, Slot};
use crate::identifier::{bare, identifier, unraw};
use crate::model::{Model, Param, Shape};

/// A model with sets, its elements compiled.
pub(crate) struct Assembled<'a> {
    /// its text, taken apart
    pub(crate) family: &'a Family<'a>,
    /// its parameters, each as that of one member
    pub(crate) params: &'a Model,
    /// its elements
    pub(crate) elements: Vec<Emission<'a>>,
    /// each coordinate alone
    pub(crate) fields: Vec<Emission<'a>>,
}

/// The spellings that the items share.
struct Whole<'a> {
    a: &'a Assembled<'a>,
    /// of what stands beside the loops
    cx: Context<'a>,
    name: String,
    module: String,
    /// names of the sets
    sets: Vec<String>,
}

/// The whole expansion.
pub(crate) fn family(a: &Assembled<'_>) -> TokenStream {
    let [beside, ..] = a.elements.as_slice() else { return TokenStream::new() };
    let name = a.family.ast.name.as_ref().map_or_else(String::new, ToString::to_string);
    let sets = a.family.sets.iter().map(|set| bare(set.name)).collect();
    let whole = Whole { a, cx: Context::new(beside, flavour(beside)), module: module_name(&name), name, sets };
    let parts = a.elements.iter().chain(&a.fields).map(|e| element(e, &whole.name));
    let (structure, module) = (whole.structure(), whole.blocks());
    let rt = parse(&whole.cx.rt);
    let items = parse(&whole.items());
    let needs =
        a.family.ast.name.as_ref().map(|name| super::needs_sparse_at(name, &beside.model.header.options.facade));
    quote! {
        #needs
        #(#parts)*
        #structure
        #module
        #[allow(
            unused, clippy::all, clippy::pedantic, clippy::nursery, missing_docs, non_snake_case,
            reason = "generated code"
        )]
        const _: () = {
            use #rt::Scalar as _;
            use #rt::Block as _;
            #items
        };
    }
}

impl Whole<'_> {
    /// `Cloth<T>`
    fn ty(&self) -> String {
        match &self.cx.flavour {
            Flavour::Concrete => self.name.clone(),
            Flavour::Generic(t) => format!("{}<{t}>", self.name),
        }
    }

    /// Parameters with the sets they are over.
    fn params(&self) -> impl Iterator<Item = (&Param, Option<&str>)> {
        self.a
            .params
            .declared
            .params
            .iter()
            .zip(&self.a.family.over)
            .map(|(p, set)| (p, set.and_then(|set| self.set_name(set))))
    }

    fn set_name(&self, set: usize) -> Option<&str> {
        self.sets.get(set).map(String::as_str)
    }

    /// The type of a set's members: a number of the first kind, tuples of others.
    fn members(&self, set: usize) -> Option<String> {
        let of = self.a.family.sets.get(set).map_or(0, |set| set.of.len());
        match of {
            0 => None,
            1 => Some("usize".to_owned()),
            of => Some(format!("[usize; {of}]")),
        }
    }

    /// The struct with its documentation.
    fn structure(&self) -> TokenStream {
        let ast = self.a.family.ast;
        let (vis, attrs, name, docs) = (&ast.vis, &ast.attrs, &ast.name, ast.docs.join("\n"));
        let real = self.cx.real();
        let rt = parse(&self.cx.rt);
        let generics = match &self.cx.flavour {
            Flavour::Concrete => TokenStream::new(),
            Flavour::Generic(t) => {
                let t = identifier(t, Span::call_site());
                quote! { <#t = f64> }
            }
        };
        let fields = self.params().map(|(p, set)| {
            let (ident, ty) = (&p.declared.ident, parse(&rust_type(&p.declared.shape, real)));
            let unit = if p.declared.unit.is_empty() { String::new() } else { format!("\\[{}\\]", p.declared.unit) };
            let of = set.map_or_else(String::new, |set| format!(", of each member of `{set}`"));
            let doc = format!("{} {unit}{of}", p.declared.docs.join("\n"));
            let ty = if set.is_some() {
                quote! { #rt::families::Members<#ty> }
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
                    quote! { #rt::families::Members<#ty> }
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

    /// The module: the builder, and inputs by name.
    fn blocks(&self) -> TokenStream {
        let (vis, ident) = (&self.a.family.ast.vis, identifier(&self.module, Span::call_site()));
        let doc = format!("Builder and inputs of [`{}`].", self.name);
        let real = self.cx.real();
        let (bound, generic, ty) = match &self.cx.flavour {
            Flavour::Concrete => (String::new(), String::new(), "Builder".to_owned()),
            Flavour::Generic(t) => {
                (format!("<{t}: {}::Scalar>", self.cx.rt), format!("<{t} = f64>"), format!("Builder<{t}>"))
            }
        };
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
            "pub use super::{beside}::U;
            #[doc = \"Sets parameters and the members of sets by name; parameters that are not set keep their default.\"]
            #[derive(Clone, Debug)]
            pub struct Builder{generic} {{ {fields} pub(super) __scalar: ::core::marker::PhantomData<{real}> }}
            impl{bound} {ty} {{
                #[doc = \"Nothing set yet.\"]
                pub fn new() -> Self {{ Self {{ {none} __scalar: ::core::marker::PhantomData }} }}
            }}",
            beside = self.cx.module,
        ));
        quote! {
            #[doc = #doc]
            #[allow(unused, clippy::all, clippy::pedantic, clippy::nursery, missing_docs, reason = "generated code")]
            #vis mod #ident { #out }
        }
    }

    /// Every implementation.
    fn items(&self) -> String {
        let mut out = self.construction();
        out.push_str(&self.methods());
        for (e, element) in self.a.elements.iter().zip(&self.a.family.elements) {
            self.element(&mut out, e, element);
        }
        out.push_str(&self.composite());
        out.push_str(&self.roles());
        out
    }

    /// `__ClothPart1<T>`
    fn element_type(&self, e: &Emission<'_>) -> String {
        match &self.cx.flavour {
            Flavour::Concrete => e.model.header.name.to_string(),
            Flavour::Generic(t) => format!("{}<{t}>", e.model.header.name),
        }
    }

    /// The coordinates of an element.
    fn element(&self, out: &mut String, e: &Emission<'_>, element: &Element) {
        let (rt, bound) = (&self.cx.rt, self.cx.generics("Scalar"));
        let slots = &element.slots;
        let spelled: String = slots
            .iter()
            .map(|slot| {
                let (q, v) = self.a.fields.get(slot.field).map_or((0, 0), |field| (field.model.nq(), field.model.nv()));
                let (field, end) = (slot.field, option(slot.end));
                format!("{rt}::families::Slot {{ field: {field}, end: {end}, q: {q}, v: {v} }}, ")
            })
            .collect();
        let ty = self.element_type(e);
        let [positions, velocities] = &e.program.guessed;
        let _ = writeln!(
            out,
            "impl{bound} {rt}::families::Element<{whole}> for {ty} {{
                const WIDTH: usize = {width};
                #[inline(always)]
                fn of(whole: &{whole}, n: &[u32]) -> Self {{ {at} }}
                const SLOTS: &'static [{rt}::families::Slot] = &[{spelled}];
                const GUESSED: [&'static [usize]; 2] = [&{positions:?}, &{velocities:?}];
                #[inline(always)]
                fn add_columns(block: usize, tangent: &Self::Tangent, rows: &[u32], height: usize, to: &mut [Self::Real]) {{
                    {columns}
                }}
            }}",
            columns = self.columns(e, slots),
            whole = self.ty(),
            at = self.at(e, element, "whole"),
            width = element.set.and_then(|set| self.a.family.sets.get(set)).map_or(0, |set| set.of.len() + 1),
        );
    }

    /// The statements that add an element's columns, block by block.
    fn columns(&self, e: &Emission<'_>, slots: &[Slot]) -> String {
        let Some(pattern) = e.program.pattern("TANGENT").filter(|_| !slots.is_empty()) else { return String::new() };
        let widths = slots.iter().map(|slot| self.a.fields.get(slot.field).map_or(0, |field| field.model.nv()));
        let widths: Vec<usize> = widths.chain([e.model.nc()]).collect();
        let starts: Vec<usize> =
            widths.iter().scan(0, |sum, width| Some(std::mem::replace(sum, *sum + width))).collect();
        let block = |own: usize| starts.iter().rposition(|&start| start <= own).unwrap_or(0);
        let mut out = format!("let &[{}] = rows else {{ return }}; match block {{\n", numbered("row", widths.len()));
        for (k, (&start, &width)) in starts.iter().zip(&widths).enumerate() {
            let _ = writeln!(out, "{k} => {{");
            for column in 0..width {
                let (from, to) = (pattern.starts[start + column], pattern.starts[start + column + 1]);
                for row in 0..widths.len() {
                    let entries: String = (from..to)
                        .filter(|&place| widths[row] > 0 && block(pattern.indices[place]) == row)
                        .map(|place| format!("to[{}] += tangent[{place}]; ", pattern.indices[place] - starts[row]))
                        .collect();
                    if !entries.is_empty() {
                        let _ = writeln!(
                            out,
                            "if let ::core::option::Option::Some(to) =
                                {rt}::families::entries::<_, {len}>(to, {column} * height + row{row} as usize) {{ {entries} }}",
                            rt = self.cx.rt,
                            len = widths[row],
                        );
                    }
                }
            }
            out.push_str("}\n");
        }
        out + "_ => {} }"
    }

    /// The struct literal of an element at a tuple `n`, with members of families in lists.
    fn at(&self, e: &Emission<'_>, element: &Element, whole: &str) -> String {
        let mut fields = String::new();
        for given in &element.given {
            let name = &given.name;
            let _ = match &given.ends {
                None => write!(fields, "{name}: {whole}.{name}, "),
                Some(ends) => {
                    let members: Vec<String> =
                        ends.iter().map(|end| format!("{whole}.{name}[n[{end}] as usize]")).collect();
                    write!(fields, "{name}: [{}], ", members.join(", "))
                }
            };
        }
        if element.given.is_empty() && self.cx.flavour != Flavour::Concrete {
            fields.push_str("__scalar: ::core::marker::PhantomData");
        }
        format!("{} {{ {fields} }}", e.model.header.name)
    }

    /// The parts and fields, shown to what works on them.
    fn composite(&self) -> String {
        let (rt, bound, ty) = (&self.cx.rt, self.cx.generics("Scalar"), self.ty());
        let (mut parts, mut fields) = (String::new(), String::new());
        for (k, e) in self.a.elements.iter().enumerate() {
            let _ = writeln!(parts, "work.part::<{}>({k});", self.element_type(e));
        }
        for (k, e) in self.a.fields.iter().enumerate() {
            let scalar =
                if self.cx.flavour == Flavour::Concrete { "" } else { "__scalar: ::core::marker::PhantomData" };
            let _ = writeln!(fields, "work.field({k}, &{} {{ {scalar} }});", e.model.header.name);
        }
        format!(
            "impl{bound} {rt}::families::Composite for {ty} {{
                fn topology(&self) -> &{rt}::families::Topology {{ &self.__topology }}
                fn each_part<W: {rt}::families::OnParts<Self>>(work: &mut W) {{ {parts} }}
                fn each_field<W: {rt}::families::OnFields<Self>>(&self, work: &mut W) {{ {fields} }}
            }}\n"
        )
    }

    /// `System`, `Linearize` and `Solvable`.
    fn roles(&self) -> String {
        let (rt, real, ty, beside) = (&self.cx.rt, self.cx.real(), self.ty(), &self.cx.module);
        let floats =
            if self.cx.flavour == Flavour::Concrete { String::new() } else { format!("where {real}: {rt}::Real") };
        let redundant = self.a.elements.iter().any(|e| e.program.layout.redundant);
        let [first] = [&self.a.elements[0]];
        let (beside_type, beside_value) =
            (self.element_type(first), self.at(first, &self.a.family.elements[0], "self"));
        let mut finite = String::new();
        for (p, set) in self.params().filter(|(_, set)| set.is_some()) {
            let _ = set;
            let ident = &p.declared.ident;
            for index in indices(&p.declared.shape) {
                let _ = writeln!(
                    finite,
                    "{rt}::families::finite(\"{name}\", \"{ident}[#]{index}\", self.{ident}.iter().map(|&p| p{index}))?;",
                    name = self.name,
                );
            }
        }
        format!(
            "impl{bound} {rt}::System for {ty} {{
                type Real = {real};
                type Q = ::std::vec::Vec<{real}>;
                type V = ::std::vec::Vec<{real}>;
                type Z = [{real}; 0];
                type U = {beside}::U<{real}>;
                type L = ::std::vec::Vec<{real}>;
                type Modes = [{real}; 0];
                type Guards = [{real}; 0];
                type Mass = ::std::vec::Vec<{real}>;
                type Jacobian = ::std::vec::Vec<{real}>;
                fn layout(&self) -> {rt}::Layout<'_> {{ self.__topology.layout() }}
                fn rotations(&self) -> &[(usize, usize)] {{ self.__topology.rotations() }}
                fn check(&self) -> ::core::result::Result<(), {rt}::BuildError> {floats} {{
                    let n: &[u32] = &[];
                    {beside_value}.check()?;
                    {finite}
                    ::core::result::Result::Ok(())
                }}
                fn nominal(&self, u: &mut Self::U) {{
                    let n: &[u32] = &[];
                    <{beside_type} as {rt}::System>::nominal(&{beside_value}, u);
                }}
                fn guess(&self, q: &mut Self::Q, v: &mut Self::V, _z: &mut Self::Z) {{ {rt}::families::guess(self, q, v) }}
                fn forward(&self, at: {rt}::At<'_, Self>, out: &mut {rt}::Forward<Self>) {{
                    {rt}::families::forward(self, at, out)
                }}
                fn residual(&self, at: {rt}::At<'_, Self>, rates: {rt}::Rates<'_, Self>, out: &mut {rt}::Residual<Self>) {{
                    {rt}::families::residual(self, at, rates, out)
                }}
                fn constraint(&self, at: {rt}::At<'_, Self>, out: &mut {rt}::Constraint<Self>) {{
                    {rt}::families::constraint(self, at, out)
                }}
                fn momentum_rate(&self, at: {rt}::At<'_, Self>, out: &mut Self::V) {{
                    {rt}::families::momentum_rate(self, at, out)
                }}
                fn qdot(&self, q: &Self::Q, v: &Self::V, out: &mut Self::Q) {{ {rt}::families::qdot(self, q, v, out) }}
                fn retract(&self, q: &Self::Q, step: &Self::V, out: &mut Self::Q) {{
                    {rt}::families::retract(self, q, step, out)
                }}
                fn local(&self, from: &Self::Q, to: &Self::Q, out: &mut Self::V) {{
                    {rt}::families::local(self, from, to, out)
                }}
                fn step_rate(&self, step: &Self::V, v: &Self::V, out: &mut Self::V) {{
                    {rt}::families::step_rate(self, step, v, out)
                }}
                fn velocity_rate(&self, step: &Self::V, v: &Self::V, out: &mut Self::V) {{
                    {rt}::families::velocity_rate(self, step, v, out)
                }}
            }}
            impl{bound} {rt}::Linearize for {ty} {{
                type Tangent = ::std::vec::Vec<{real}>;
                fn tangent(&self, at: {rt}::At<'_, Self>, rates: {rt}::Rates<'_, Self>, weights: {rt}::Weights<{real}>,
                    step: &Self::V, residual: &mut {rt}::Residual<Self>, out: &mut Self::Tangent) {{
                    {rt}::families::tangent(self, at, rates, weights, step, residual, out)
                }}
            }}
            {rt}::if_sparse! {{ impl{reals} {rt}::Solvable for {ty} {{
                type Saddle = {rt}::linalg::SparseSaddle<{real}, {redundant}>;
                type Kkt = {rt}::linalg::SparseKkt<{real}, {redundant}>;
                type Assembly = {rt}::linalg::SparseSquare<{real}>;
                type Algebra = {rt}::linalg::DenseSquare<{real}, 0>;
            }} }}\n",
            bound = self.cx.generics("Scalar"),
            reals = self.cx.generics("Real"),
        )
    }

    /// The builder's methods.
    fn construction(&self) -> String {
        let (rt, ty, real, module, name) = (&self.cx.rt, self.ty(), self.cx.real(), &self.module, &self.name);
        let generic = self.cx.flavour != Flavour::Concrete;
        let reals = self.cx.generics("Real");
        let block = if generic { format!("{module}::Builder<{real}>") } else { format!("{module}::Builder") };
        let (mut setters, mut values) = (String::new(), String::new());
        for (k, set) in self.a.family.sets.iter().enumerate() {
            let (ident, field) = (set.name, field_of_set(set.name));
            let docs = set.docs.join(" ");
            let _ = match self.members(k) {
                None => writeln!(
                    setters,
                    "#[doc = \"The number of members of `{ident}`. {docs}\"] #[must_use]
                    pub fn {ident}(mut self, count: usize) -> Self {{ self.{field} = ::core::option::Option::Some(count); self }}"
                ),
                Some(member) => writeln!(
                    setters,
                    "#[doc = \"The members of `{ident}`: what each joins, by number. {docs}\"] #[must_use]
                    pub fn {ident}(mut self, members: impl ::core::iter::IntoIterator<Item = {member}>) -> Self {{
                        self.{field} = ::core::option::Option::Some(members.into_iter().collect()); self
                    }}"
                ),
            };
            let _ = writeln!(
                values,
                "let ::core::option::Option::Some({field}) = self.{field} else {{
                    return ::core::result::Result::Err({rt}::families::FamilyError::NotGiven {{ model: \"{name}\", set: \"{ident}\" }});
                }};"
            );
        }
        for (k, set) in self.a.family.sets.iter().enumerate() {
            let field = field_of_set(set.name);
            let count = if self.members(k).is_some() { format!("{field}.len()") } else { field.to_string() };
            let _ = writeln!(values, "let {field}_count = {count};");
        }
        let (mut given, mut literal) = (String::new(), String::new());
        for (p, set) in self.params() {
            let (ident, shape) = (&p.declared.ident, &p.declared.shape);
            let one = rust_type(shape, real);
            let scaled = self.scaled(p);
            let unit = if p.declared.unit.is_empty() { String::new() } else { format!(", in {}", p.declared.unit) };
            let _ = match set {
                None => writeln!(
                    setters,
                    "#[doc = \"Sets `{ident}`{unit}.\"] #[must_use]
                    pub fn {ident}(mut self, value: {one}) -> Self {{ self.{ident} = ::core::option::Option::Some({scaled}); self }}"
                ),
                Some(set) => writeln!(
                    setters,
                    "#[doc = \"Sets `{ident}` of each member of `{set}`{unit}.\"] #[must_use]
                    pub fn {ident}(mut self, values: impl ::core::iter::IntoIterator<Item = {one}>) -> Self {{
                        self.{ident} = ::core::option::Option::Some(values.into_iter().map(|value| {scaled}).collect()); self
                    }}"
                ),
            };
            let default =
                p.default.as_ref().map(|numbers| rust_value(shape, &mut numbers.iter().map(|x| self.cx.number(*x))));
            let missing = format!(
                "return ::core::result::Result::Err({rt}::families::FamilyError::Parameter({rt}::BuildError::Missing {{ model: \"{name}\", param: \"{ident}\" }}))"
            );
            let _ = match set {
                None => writeln!(
                    given,
                    "let {ident} = match self.{ident} {{ ::core::option::Option::Some(value) => value, _ => {} }};",
                    default.unwrap_or(missing)
                ),
                Some(set) => {
                    let count = format!("{}_count", field_of_set_named(set));
                    let default = default.map_or(missing, |value| format!("::std::vec![{value}; {count}]"));
                    writeln!(
                        given,
                        "let {ident} = match self.{ident} {{ ::core::option::Option::Some(values) => values, _ => {default} }};
                        let {ident} = {rt}::families::Members::of(\"{name}\", \"{ident}\", {ident}, \"{set}\", {count})?;"
                    )
                }
            };
            let _ = write!(literal, "{ident}, ");
        }
        let mut sets = String::new();
        for (k, set) in self.a.family.sets.iter().enumerate() {
            let field = field_of_set(set.name);
            let _ = match self.members(k) {
                None => write!(sets, "{field}, "),
                Some(_) => write!(sets, "{field}: {field}.into(), "),
            };
        }
        format!(
            "impl {single} {{
                /// Starts from the defaults. This one is for f64; [`{module}::Builder::new`] is for any scalar.
                pub fn builder() -> {module}::Builder{f64_argument} {{ {module}::Builder::new() }}
            }}
            impl{reals} {block} {{
                {setters}
                /// The model, checked.
                ///
                /// # Errors
                /// A set or a parameter that is missing, a tuple that names a member which does not exist or the same
                /// one twice, a parameter with another number of members than its set, or one that is not finite or
                /// breaks a `require`.
                pub fn build(self) -> ::core::result::Result<{ty}, {rt}::families::FamilyError> {{
                    {values}
                    {given}
                    {topology}
                    let model = {name} {{ {literal} {sets} __topology: ::std::sync::Arc::new(topology), __scalar: ::core::marker::PhantomData }};
                    <{ty} as {rt}::System>::check(&model)?;
                    ::core::result::Result::Ok(model)
                }}
            }}\n",
            single = if generic { format!("{name}<f64>") } else { name.clone() },
            f64_argument = if generic { "<f64>" } else { "" },
            topology = self.topology(),
        )
    }

    /// A value of a setter in SI.
    fn scaled(&self, p: &Param) -> String {
        if p.scale == 1.0 {
            return "value".to_owned();
        }
        let scale = self.cx.number(p.scale);
        let mut scalars = indices(&p.declared.shape).into_iter().map(|i| format!("value{i} * {scale}"));
        rust_value(&p.declared.shape, &mut scalars)
    }

    /// The statement that makes the topology, from members and their numbers.
    fn topology(&self) -> String {
        let (rt, name) = (&self.cx.rt, &self.name);
        let (mut fields, mut parts) = (String::new(), String::new());
        for (field, e) in self.a.family.fields.iter().zip(&self.a.fields) {
            let members = field.set.and_then(|set| self.set_name(set));
            let count = members.map_or("1".to_owned(), |set| format!("{}_count", field_of_set_named(set)));
            let template = |names: &[String]| {
                let names: Vec<String> = names
                    .iter()
                    .map(|n| if field.set.is_some() { n.replacen("[0]", "[#]", 1) } else { n.clone() })
                    .collect();
                format!("&{names:?}")
            };
            let names = e.names;
            let rotations: Vec<(usize, usize)> = e.program.motions.iter().filter_map(|m| m.rotation).collect();
            let _ = writeln!(
                fields,
                "{rt}::families::FieldSpec {{ members: {count}, q: {}, v: {}, directions: {}, steps: {}, rotations: &{rotations:?} }},",
                template(&names.q),
                template(&names.v),
                template(&names.directions),
                template(&names.steps),
            );
        }
        for (e, element) in self.a.elements.iter().zip(&self.a.family.elements) {
            let set = element.set.and_then(|set| self.set_name(set)).unwrap_or_default();
            let module = module_name(&e.model.header.name.to_string());
            let template = |names: &[String]| {
                let names: Vec<String> = names
                    .iter()
                    .map(|n| if element.set.is_some() { n.replacen(&element.suffix, "[#]", 1) } else { n.clone() })
                    .collect();
                format!("&{names:?}")
            };
            let (members, width, tuples) = match element.set {
                None => ("1".to_owned(), 0, "::std::vec::Vec::new()".to_owned()),
                Some(k) => {
                    let of = self.a.family.sets.get(k).map_or(0, |set| set.of.len());
                    let field = field_of_set_named(set);
                    let count = format!("{field}_count");
                    let joined = match of {
                        0 => format!("{rt}::families::numbered({count})"),
                        1 => format!("{rt}::families::tuples({field}.iter().map(|&one| [one]))"),
                        _ => format!("{rt}::families::tuples({field}.iter().copied())"),
                    };
                    (count, of + 1, joined)
                }
            };
            let _ = writeln!(
                parts,
                "{rt}::families::PartSpec {{
                    set: \"{set}\", constraints: {}, multipliers: {}, layout: {module}::LAYOUT,
                    slots: <{ty} as {rt}::families::Element<{whole}>>::SLOTS, members: {members}, width: {width}, tuples: {tuples},
                }},",
                template(&e.names.constraints), template(&e.names.multipliers), ty = self.element_type(e),
                whole = self.ty(),
            );
        }
        format!(
            "let fields = [{fields}];
            let parts = ::std::vec![{parts}];
            let topology = {rt}::families::Topology::new(\"{name}\", {beside}::LAYOUT.u, &fields, parts)?;",
            beside = self.cx.module,
        )
    }

    /// What a user asks: energies, matrices, members of coordinates and sets.
    fn methods(&self) -> String {
        let (rt, real, ty) = (&self.cx.rt, self.cx.real(), self.ty());
        let mut out = String::new();
        for (k, set) in self.a.family.sets.iter().enumerate() {
            let (ident, field, docs) = (set.name, field_of_set(set.name), set.docs.join(" "));
            let _ = match self.members(k) {
                None => writeln!(
                    out,
                    "#[doc = \"The number of members of `{ident}`. {docs}\"] pub fn {ident}(&self) -> usize {{ self.{field} }}"
                ),
                Some(member) => writeln!(
                    out,
                    "#[doc = \"The members of `{ident}`: what each joins. {docs}\"] pub fn {ident}(&self) -> &[{member}] {{ &self.{field} }}"
                ),
            };
        }
        for (k, (field, e)) in self.a.family.fields.iter().zip(&self.a.fields).enumerate() {
            let coordinate = &e.model.declared.coordinates;
            let Some(coordinate) = coordinate.first() else { continue };
            let position = one(&coordinate.declared.shape, field.set.is_some());
            let velocity = rate_shape(coordinate.rate.len(), &position);
            let name = &field.name;
            accessor(
                &mut out,
                rt,
                real,
                &AccessorOf {
                    name: name.to_string(),
                    block: "q",
                    field: k,
                    shape: position,
                    family: field.set.is_some(),
                },
            );
            if let Some(name) = &field.velocity {
                accessor(
                    &mut out,
                    rt,
                    real,
                    &AccessorOf {
                        name: name.to_string(),
                        block: "v",
                        field: k,
                        shape: velocity,
                        family: field.set.is_some(),
                    },
                );
            }
        }
        let at = format!("at: {rt}::At<'_, Self>");
        let matrix = format!("{rt}::linalg::sprs::CsMat<{real}>");
        let rates = format!("rates: {rt}::Rates<'_, Self>");
        format!(
            "impl{bound} {ty} {{
                {out}
                /// Kinetic and potential energy, and twice the dissipation function.
                pub fn energy(&self, {at}) -> {rt}::Energy<{real}> {{ {rt}::families::energy(self, at) }}
                /// M, nv × nv.
                pub fn mass(&self, {at}) -> {matrix} {{ {rt}::families::mass(self, at) }}
                /// f, nv.
                pub fn force(&self, {at}) -> ::std::vec::Vec<{real}> {{ {rt}::families::force(self, at) }}
                /// K = ∂r/∂q of the whole residual, nv × nv.
                pub fn stiffness(&self, {at}, {rates}) -> {matrix} {{ {rt}::families::stiffness(self, at, rates) }}
                /// D = ∂r/∂v of the whole residual, nv × nv.
                pub fn damping(&self, {at}, {rates}) -> {matrix} {{ {rt}::families::damping(self, at, rates) }}
                /// G = ∂Φ/∂q, nc × nv.
                pub fn constraint_jacobian(&self, {at}) -> {matrix} {{ {rt}::families::constraint_jacobian(self, at) }}
                /// Φ(q, t), nc.
                pub fn constraint_values(&self, {at}) -> ::std::vec::Vec<{real}> {{ {rt}::families::constraint_values(self, at) }}
            }}\n",
            bound = self.cx.generics("Scalar"),
        )
    }
}

/// A method that reads members of a coordinate in a block.
struct AccessorOf<'a> {
    name: String,
    block: &'a str,
    field: usize,
    shape: Shape,
    family: bool,
}

fn accessor(out: &mut String, rt: &str, real: &str, of: &AccessorOf<'_>) {
    let AccessorOf { name, block, field, shape, family } = of;
    let (ty, bare) = (rust_type(shape, real), unraw(name));
    let len = shape.len();
    let part = if *block == "q" { 0 } else { 1 };
    let range = format!("{rt}::families::range(&self.__topology, {field}, {part}, {len})");
    let (result, as_members) = match (family, shape) {
        (true, Shape::Scalar) => (format!("[{real}]"), String::new()),
        (true, _) => (format!("[{ty}]"), "chunks".to_owned()),
        (false, _) => (format!("[{real}]"), String::new()),
    };
    let (read, write) = if as_members.is_empty() {
        (format!("&{block}[{range}]"), format!("&mut {block}[{range}]"))
    } else {
        (format!("{block}[{range}].as_chunks().0"), format!("{block}[{range}].as_chunks_mut().0"))
    };
    let _ = writeln!(
        out,
        "#[doc = \"`{bare}` of each member, in `{block}` of a state.\"]
        pub fn {name}<'a>(&self, {block}: &'a [{real}]) -> &'a {result} {{ {read} }}
        #[doc = \"`{bare}` of each member, to write, in `{block}` of a state.\"]
        pub fn {bare}_mut<'a>(&self, {block}: &'a mut [{real}]) -> &'a mut {result} {{ {write} }}"
    );
}

/// The shape of one member.
fn one(shape: &Shape, family: bool) -> Shape {
    match shape {
        Shape::Array(_, inner) if family => flat(inner),
        other => flat(other),
    }
}

/// Numbers in a row.
fn flat(shape: &Shape) -> Shape {
    match shape {
        Shape::Scalar => Shape::Scalar,
        other => Shape::Vector(other.len()),
    }
}

fn rate_shape(rate: usize, position: &Shape) -> Shape {
    if *position == Shape::Scalar { Shape::Scalar } else { Shape::Vector(rate) }
}

/// `row0, row1`
fn numbered(name: &str, count: usize) -> String {
    (0..count).map(|k| format!("{name}{k}")).collect::<Vec<_>>().join(", ")
}

/// `Some(2)` as it is spelled.
fn option(value: Option<usize>) -> String {
    value.map_or_else(|| "::core::option::Option::None".to_owned(), |v| format!("::core::option::Option::Some({v})"))
}

fn field_of_set(name: &proc_macro2::Ident) -> proc_macro2::Ident {
    field_of_set_named(&bare(name))
}

fn field_of_set_named(name: &str) -> proc_macro2::Ident {
    identifier(&format!("__set_{name}"), Span::call_site())
}
