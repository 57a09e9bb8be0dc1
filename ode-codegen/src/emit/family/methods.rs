//! What a user asks a model with sets: energies, matrices, members of coordinates and sets.

use std::fmt::Write as _;

use proc_macro2::Ident;

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
            let (ident, field, docs) = (set.name, field_of_set(set.name), self.about(set));
            let _ = match self.members(k) {
                None => writeln!(
                    out,
                    "#[doc = {about:?}]
                    pub fn {ident}(&self) -> usize {{ self.{field} }}",
                    about = format!("The number of members of `{ident}`. {docs}")
                ),
                Some(member) => writeln!(
                    out,
                    "#[doc = {about:?}]
                    pub fn {ident}(&self) -> &[{member}] {{ &self.{field} }}",
                    about = format!("The members of `{ident}`: what each joins. {docs}")
                ),
            };
        }
        for (k, (field, e)) in self.a.family.fields.iter().zip(&self.a.fields).enumerate() {
            let many = field.set.is_some();
            let of = |name: &Ident, block: &'static str, shape: Shape| {
                let len = shape.len();
                let part = "qvz".find(block).unwrap_or(0);
                let range = format!("{rt}::families::range(&self.__topology, {k}, {part}, {len})");
                Accessor { name: name.to_string(), block, range, shape, many, docs: &[] }
            };
            if let Some(state) = e.model.declared.states.first() {
                accessor(&mut out, real, &of(&field.name, "z", one(&state.declared.shape, many)));
            }
            let Some(coordinate) = e.model.declared.coordinates.first() else { continue };
            let position = one(&coordinate.declared.shape, many);
            let velocity = rate_shape(coordinate.rate.len(), &position);
            accessor(&mut out, real, &of(&field.name, "q", position));
            if let Some(name) = &field.velocity {
                accessor(&mut out, real, &of(name, "v", velocity));
            }
        }
        self.output_accessors(&mut out);
        // without inputs of members, the block itself has a field for each
        let inputs = self.input_sets().map(|(input, set)| (&input.declared, set)).enumerate();
        let inputs = inputs.filter(|_| self.has_input_families()).map(|(k, of)| ("u", "input_range", k, of));
        let modes = self.mode_sets().map(|(mode, set)| (&mode.declared, set)).enumerate();
        for (block, range, k, (declared, set)) in inputs.chain(modes.map(|(k, of)| ("modes", "mode_range", k, of))) {
            let of = Accessor {
                name: declared.ident.to_string(),
                block,
                range: format!("{rt}::families::{range}(&self.__topology, {k})"),
                shape: flat(&declared.shape),
                many: set.is_some(),
                docs: &declared.docs,
            };
            accessor(&mut out, real, &of);
        }
        let at = format!("at: {rt}::At<'_, Self>");
        let matrix = format!("{rt}::linalg::sprs::CsMat<{real}>");
        let rates = format!("rates: {rt}::Rates<'_, Self>");
        format!(
            "impl{bound} {ty} {{
                {out}
                /// Kinetic and potential energy, and twice the dissipation function.
                pub fn energy(&self, {at}) -> {rt}::Energy<{real}> {{ {rt}::families::energy(self, at) }}
                /// y(t, q, v, a, λ, u), ny, which the methods of outputs take apart.
                pub fn outputs(&self, {at}, {rates}) -> ::std::vec::Vec<{real}> {{
                    let mut y = ::std::vec![<{real} as {rt}::Scalar>::ZERO; {rt}::System::layout(self).outputs.len()];
                    {rt}::families::outputs(self, at, rates, &mut y);
                    y
                }}
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

/// A method that reads members of a coordinate, a state or an output in a block.
pub(super) struct Accessor<'a> {
    pub(super) name: String,
    /// `q`, `v`, `z`, `u`, `modes` or `y`
    pub(super) block: &'static str,
    /// the expression of its numbers
    pub(super) range: String,
    /// of one member
    pub(super) shape: Shape,
    /// one for each member of a set
    pub(super) many: bool,
    pub(super) docs: &'a [String],
}

pub(super) fn accessor(out: &mut String, real: &str, of: &Accessor<'_>) {
    let Accessor { name, block, range, shape, many, docs } = of;
    let (bare, docs) = (unraw(name), docs.join(" "));
    let chunks = *many && *shape != Shape::Scalar;
    let result = if chunks { format!("[{}]", rust_type(shape, real)) } else { format!("[{real}]") };
    let (read, write) = match chunks {
        true => (format!("{block}[{range}].as_chunks().0"), format!("{block}[{range}].as_chunks_mut().0")),
        false => (format!("&{block}[{range}]"), format!("&mut {block}[{range}]")),
    };
    let each = if *many { ", one entry for each member" } else { "" };
    let what = match *block {
        "y" => "outputs",
        "u" => "inputs",
        _ => "state",
    };
    let _ = writeln!(
        out,
        "#[doc = {about:?}]
        pub fn {name}<'a>(&self, {block}: &'a [{real}]) -> &'a {result} {{ {read} }}",
        about = format!("`{bare}`{each}, in `{block}` of the {what}. {docs}"),
    );
    if *block != "y" {
        let _ = writeln!(
            out,
            "#[doc = \"`{bare}`{each}, to write, in `{block}` of the {what}.\"]
            pub fn {bare}_mut<'a>(&self, {block}: &'a mut [{real}]) -> &'a mut {result} {{ {write} }}"
        );
    }
}

/// The shape of one member.
fn one(shape: &Shape, family: bool) -> Shape {
    match shape {
        Shape::Array(_, inner) if family => flat(inner),
        other => flat(other),
    }
}

/// Numbers in a row.
pub(super) fn flat(shape: &Shape) -> Shape {
    match shape {
        Shape::Scalar => Shape::Scalar,
        other => Shape::Vector(other.len()),
    }
}

fn rate_shape(rate: usize, position: &Shape) -> Shape {
    if *position == Shape::Scalar { Shape::Scalar } else { Shape::Vector(rate) }
}
