//! What a user asks a model with sets: energies, matrices, members of coordinates and sets.

use std::fmt::Write as _;

use super::{Whole, field_of_set};
use crate::emit::shapes::rust_type;
use crate::identifier::unraw;
use crate::model::Shape;

impl Whole<'_> {
    /// What a user asks: energies, matrices, members of coordinates and sets.
    pub(super) fn methods(&self) -> String {
        let (rt, real, ty) = (&self.cx.rt, self.cx.real(), self.ty());
        let mut out = String::new();
        for (k, set) in self.a.family.sets.iter().enumerate() {
            let (ident, field, docs) = (set.name, field_of_set(set.name), set.docs.join(" "));
            let _ = match self.members(k) {
                None => writeln!(
                    out,
                    "#[doc = \"The number of members of `{ident}`. {docs}\"]
                    pub fn {ident}(&self) -> usize {{ self.{field} }}"
                ),
                Some(member) => writeln!(
                    out,
                    "#[doc = \"The members of `{ident}`: what each joins. {docs}\"]
                    pub fn {ident}(&self) -> &[{member}] {{ &self.{field} }}"
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
                pub fn constraint_values(&self, {at}) -> ::std::vec::Vec<{real}> {{
                    {rt}::families::constraint_values(self, at)
                }}
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
