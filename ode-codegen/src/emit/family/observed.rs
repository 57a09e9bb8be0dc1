//! `Differentiable`, `Observable` and `Parametric` of a model with sets, and its outputs by name.

use std::fmt::Write as _;

use proc_macro2::Span;

use super::Whole;
use super::methods::{Accessor, accessor, flat};
use crate::emit::observed;
use crate::emit::shapes::{indices, rust_value};
use crate::families::Outputs;
use crate::identifier::{identifier, spelling};

impl Whole<'_> {
    /// The roles.
    pub(super) fn observed(&self) -> String {
        let (rt, real, ty) = (&self.cx.rt, self.cx.real(), self.ty());
        let (to_block, from_block) = self.parameter_block();
        let [first, ..] = self.a.elements.as_slice() else { return String::new() };
        let [all, ..] = self.a.family.elements.as_slice() else { return String::new() };
        let beside = self.at(first, all, "self");
        let given = format!("at: {rt}::At<'_, Self>");
        let rates = format!("{given}, rates: {rt}::Rates<'_, Self>");
        format!(
            "impl{bound} {rt}::Differentiable for {ty} {{
                type P = ::std::vec::Vec<{real}>;
                type Y = ::std::vec::Vec<{real}>;
                type ForceByInput = ::std::vec::Vec<{real}>;
                type ResidualByParameter = ::std::vec::Vec<{real}>;
                type ConstraintByParameter = ::std::vec::Vec<{real}>;
                type OutputJacobian = ::std::vec::Vec<{real}>;
                fn derivatives(&self) -> {rt}::Derivatives<'_> {{ {rt}::families::derivatives(self) }}
                fn parameter_block(&self) -> Self::P {{
                    let mut p = ::std::vec::Vec::new();
                    {to_block}
                    p
                }}
                fn with_parameters(&self, p: &Self::P) -> Self {{
                    let mut p = p.iter().copied();
                    let mut next = || p.next().unwrap_or(<{real} as {rt}::Scalar>::ZERO);
                    let mut model = ::core::clone::Clone::clone(self);
                    {from_block}
                    model
                }}
                fn force_by_input(&self, {rates}, out: &mut Self::ForceByInput) {{
                    {rt}::families::force_by_input(self, at, rates, out)
                }}
                fn residual_by_parameter(&self, {rates}, r: &mut Self::ResidualByParameter,
                    phi: &mut Self::ConstraintByParameter) {{
                    {rt}::families::residual_by_parameter(self, at, rates, r, phi)
                }}
                fn outputs(&self, {rates}, out: &mut Self::Y) {{ {rt}::families::outputs(self, at, rates, out) }}
                fn output_jacobian(&self, {rates}, out: &mut Self::OutputJacobian) {{
                    {rt}::families::output_jacobian(self, at, rates, out)
                }}
            }}
            impl{bound} {rt}::Observable for {ty} {{
                type H = ::std::vec::Vec<{real}>;
                fn energy(&self, {given}) -> {rt}::Energy<{real}> {{ {rt}::families::energy(self, at) }}
                fn input_bounds(&self) -> {rt}::Ranges<'static, Self::U> {{
                    let n: &[u32] = &[];
                    {rt}::families::input_bounds(self, &{rt}::Observable::input_bounds(&{beside}))
                }}
                fn limits(&self, {given}) -> Self::H {{ {rt}::families::limits(self, at) }}
                fn limit_bounds(&self) -> {rt}::Ranges<'static, Self::H> {{ {rt}::families::limit_bounds(self) }}
                fn units(&self) -> {rt}::Units<'_> {{ self.__topology.units({{ {common} }}) }}
            }}
            {pictured}
            impl{reals} {rt}::Parametric for {ty} {{
                fn parameter_units(&self) -> &[(&'static str, f64)] {{ self.__topology.parameter_units() }}
            }}\n",
            bound = self.cx.generics("Scalar"),
            reals = self.cx.generics("Real"),
            common = observed::units(&self.cx),
            pictured = self.pictured(),
        )
    }

    /// The role of a model that shows something.
    fn pictured(&self) -> String {
        if self.a.elements.iter().all(|e| e.model.observed.picture.is_none()) {
            return String::new();
        }
        let (rt, real) = (&self.cx.rt, self.cx.real());
        format!(
            "impl{bound} {rt}::Pictured for {ty} {{
                type Picture = ::std::vec::Vec<{real}>;
                fn figures(&self) -> &[{rt}::Figure<&str>] {{ self.__topology.figures() }}
                fn picture(&self, at: {rt}::At<'_, Self>, rates: {rt}::Rates<'_, Self>, out: &mut Self::Picture) {{
                    {rt}::families::picture(self, at, rates, out)
                }}
            }}",
            bound = self.cx.generics("Scalar"),
            ty = self.ty(),
        )
    }

    /// The statements that write all parameters to `p`, and those that read them from `next()`.
    fn parameter_block(&self) -> (String, String) {
        let (mut to, mut from) = (String::new(), String::new());
        for (p, set) in self.params() {
            let (ident, shape) = (&p.declared.ident, &p.declared.shape);
            let entries = |of: &str| indices(shape).iter().map(|i| format!("{of}{i}, ")).collect::<String>();
            let read = rust_value(shape, &mut std::iter::repeat_with(|| "next()".to_owned()));
            let _ = match set {
                None => {
                    let _ = writeln!(from, "model.{ident} = {read};");
                    writeln!(to, "p.extend([{}]);", entries(&format!("self.{ident}")))
                }
                Some(_) => {
                    let _ = writeln!(from, "for one in model.{ident}.iter_mut() {{ *one = {read}; }}");
                    writeln!(to, "for one in self.{ident}.iter() {{ p.extend([{}]); }}", entries("(*one)"))
                }
            };
        }
        (to, from)
    }

    /// Outputs by name, in a block of them.
    pub(super) fn output_accessors(&self, out: &mut String) {
        let parts = self.a.elements.iter().zip(&self.a.family.elements).enumerate();
        for (part, (e, element)) in parts.filter(|(_, (_, element))| element.outputs != Outputs::Sum) {
            for (k, output) in e.model.observed.outputs.iter().enumerate() {
                let range = format!("{rt}::families::output_range(&self.__topology, {part}, {k})", rt = self.cx.rt);
                let many = element.set.is_some();
                let name = element.plain(&e.model.shown(&output.declared.ident));
                let (name, shape) =
                    (identifier(&spelling(&name), Span::call_site()).to_string(), flat(&output.declared.shape));
                accessor(
                    out,
                    self.cx.real(),
                    &Accessor { name, block: "y", range, shape, many, docs: &output.declared.docs },
                );
            }
        }
    }
}
