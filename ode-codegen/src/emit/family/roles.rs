//! `System`, `Linearize` and `Solvable` of a model with sets: those of its elements, added.

use std::fmt::Write as _;

use super::Whole;
use crate::emit::code::Flavour;
use crate::emit::shapes::indices;
use crate::lower::Call;

impl Whole<'_> {
    /// `System`, `Linearize` and `Solvable`.
    pub(super) fn roles(&self) -> String {
        let (rt, real, ty) = (&self.cx.rt, self.cx.real(), self.ty());
        let floats =
            if self.cx.flavour == Flavour::Concrete { String::new() } else { format!("where {real}: {rt}::Real") };
        let redundant = self.a.elements.iter().any(|e| e.program.layout.redundant);
        let [first, ..] = self.a.elements.as_slice() else { return String::new() };
        let [all, ..] = self.a.family.elements.as_slice() else { return String::new() };
        let beside = self.at(first, all, "self");
        let mut finite = String::new();
        for (p, _) in self.params().filter(|(_, set)| set.is_some()) {
            let (ident, name) = (&p.declared.ident, &self.name);
            let shown = self.a.params.shown(ident);
            for (index, suffix) in indices(&p.declared.shape).into_iter().zip(p.declared.shape.suffixes()) {
                let values = format!("self.{ident}.iter().map(|&p| p{index})");
                let _ = writeln!(finite, "{rt}::families::finite(\"{name}\", \"{shown}{suffix}\", {values})?;");
            }
        }
        format!(
            "impl{bound} {rt}::System for {ty} {{
                type Real = {real};
                type Q = ::std::vec::Vec<{real}>;
                type V = ::std::vec::Vec<{real}>;
                type Z = ::std::vec::Vec<{real}>;
                type U = {inputs};
                type L = ::std::vec::Vec<{real}>;
                type Modes = {modes};
                type Guards = {guards};
                type Mass = ::std::vec::Vec<{real}>;
                type Jacobian = ::std::vec::Vec<{real}>;
                fn layout(&self) -> {rt}::Layout<'_> {{ self.__topology.layout() }}
                fn rotations(&self) -> &[(usize, usize)] {{ self.__topology.rotations() }}
                fn check(&self) -> ::core::result::Result<(), {rt}::BuildError> {floats} {{
                    let n: &[u32] = &[];
                    let beside: {element} = {beside};
                    beside.check()?;
                    {finite}
                    {rt}::families::check(self)?;
                    ::core::result::Result::Ok(())
                }}
                fn nominal(&self, u: &mut Self::U) {{ *u = {nominal}; }}
                {events}
                fn guess(&self, q: &mut Self::Q, v: &mut Self::V, z: &mut Self::Z) {{
                    {rt}::families::guess(self, q, v, z)
                }}
                {conditions}
                {algebraic}
                fn forward(&self, at: {rt}::At<'_, Self>, out: &mut {rt}::Forward<Self>) {{
                    {rt}::families::forward(self, at, out)
                }}
                fn residual(&self, at: {rt}::At<'_, Self>, rates: {rt}::Rates<'_, Self>,
                    out: &mut {rt}::Residual<Self>) {{
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
                {newton}
            }}
            impl{reals} {rt}::Solvable for {ty} {{
                type Saddle = {rt}::linalg::SparseSaddle<{real}, {redundant}>;
                type Kkt = {rt}::linalg::SparseKkt<{real}, {redundant}>;
                type Assembly = {rt}::linalg::SparseSquare<{real}>;
                type Algebra = {algebra};
            }}\n",
            element = self.element_type(first),
            inputs = self.input_block(),
            modes = self.block_if(self.mode_sets().next().is_some()),
            guards = self.block_if(self.has_events()),
            events = self.events(),
            nominal = match self.has_input_families() {
                true => format!("{}::families::each_input(&self.__topology, &[{}])", rt, self.cx.origin("U")),
                false => "::core::default::Default::default()".to_owned(),
            },
            conditions = self.conditions(),
            algebraic = self.algebraic(),
            algebra = match self.has_algebraic() {
                true => format!("{rt}::linalg::SparseAlgebra<{real}>"),
                false => format!("{rt}::linalg::DenseSquare<{real}, 0>"),
            },
            newton = self.newton_stiffness(&floats),
            bound = self.cx.generics("Scalar"),
            reals = self.cx.generics("Real"),
        )
    }

    /// A block of numbers that are counted when the model is built, or of none.
    fn block_if(&self, any: bool) -> String {
        let real = self.cx.real();
        if any { format!("::std::vec::Vec<{real}>") } else { format!("[{real}; 0]") }
    }

    /// The method of exact starts, where there are any.
    fn conditions(&self) -> String {
        let (rt, real) = (&self.cx.rt, self.cx.real());
        if self.a.elements.iter().all(|e| e.names.init_position.is_empty() && e.names.init_velocity.is_empty()) {
            return String::new();
        }
        format!(
            "fn conditions(&self, at: {rt}::At<'_, Self>, out: {rt}::Conditions<'_, {real}>) {{
                {rt}::families::conditions(self, at, out)
            }}"
        )
    }

    /// Are there algebraic variables?
    fn has_algebraic(&self) -> bool {
        self.a.family.fields.iter().any(|field| field.is_algebraic)
    }

    /// The method of their equations, where there are any.
    fn algebraic(&self) -> String {
        if !self.has_algebraic() {
            return String::new();
        }
        let (rt, real) = (&self.cx.rt, self.cx.real());
        format!(
            "fn algebraic(&self, at: {rt}::At<'_, Self>, values: &mut [{real}], jacobian: &mut [{real}]) {{
                {rt}::families::algebraic(self, at, values, jacobian)
            }}"
        )
    }

    /// The methods of modes and events, where there are any.
    fn events(&self) -> String {
        let (rt, mut out) = (&self.cx.rt, String::new());
        if self.mode_sets().next().is_some() {
            let starts = self.mode_sets().flat_map(|(mode, _)| &mode.start).map(|start| self.cx.number(*start));
            let start = starts.collect::<Vec<_>>().join(", ");
            let _ = writeln!(
                out,
                "fn initial_modes(&self, modes: &mut Self::Modes) {{
                    *modes = {rt}::families::each_mode(&self.__topology, &[{start}]);
                }}"
            );
        }
        if self.has_events() {
            let _ = writeln!(
                out,
                "fn guards(&self, at: {rt}::At<'_, Self>, out: &mut Self::Guards) {{
                    {rt}::families::guards(self, at, out)
                }}
                fn guard_rates(&self, at: {rt}::At<'_, Self>, rates: {rt}::Rates<'_, Self>, out: &mut Self::Guards) {{
                    {rt}::families::guard_rates(self, at, rates, out)
                }}
                fn reset(&self, event: usize, at: {rt}::At<'_, Self>, out: {rt}::Reset<'_, Self>) {{
                    {rt}::families::reset(self, event, at, out)
                }}"
            );
        }
        out
    }

    /// The stiffness of Newton's iterations, where an energy chooses another one than its own.
    fn newton_stiffness(&self, floats: &str) -> String {
        let (rt, real) = (&self.cx.rt, self.cx.real());
        if self.a.elements.iter().all(|e| e.program.get(Call::NewtonStiffness).is_none()) {
            return String::new();
        }
        format!(
            "const NEWTON_IS_EXACT: bool = false;
            fn newton_stiffness(&self, at: {rt}::At<'_, Self>, weights: {rt}::Weights<{real}>, out: &mut Self::Tangent)
                {floats} {{
                {rt}::families::newton_stiffness(self, at, weights, out)
            }}"
        )
    }
}
