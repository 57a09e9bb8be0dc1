//! `Sensitive` of a model with sets, where it is asked for: the derivatives of its elements, added.

use super::Whole;
use crate::emit::{Purpose, sensitive};

impl Whole<'_> {
    /// The role; nothing where an external function lacks a derivative for it.
    pub(super) fn varied(&self) -> String {
        let is_sensitive = |e| sensitive::is_sensitive(&self.of_part(e, Purpose::Element));
        if !self.a.elements.iter().all(is_sensitive) {
            return String::new();
        }
        let (rt, real, ty) = (&self.cx.rt, self.cx.real(), self.ty());
        let (bound, parts) = (self.cx.generics("Scalar"), self.parts_shown());
        let blocks = [
            "Partials",
            "PartialsByParameter",
            "MomentumPartials",
            "MomentumPartialsByParameter",
            "EventPartials",
            "EventPartialsByParameter",
            "StartPartials",
            "StartPartialsByParameter",
            "Rows",
            "Columns",
            "Feedback",
            "Costs",
            "CostByState",
            "CostByParameter",
        ];
        let numbers = blocks.map(|name| format!("type {name} = ::std::vec::Vec<{real}>;\n")).concat();
        let lanes = format!("::std::vec::Vec<{rt}::linalg::Lanes<{real}>>");
        let at = format!("at: {rt}::At<'_, Self>");
        let rates = format!("{at}, rates: {rt}::Rates<'_, Self>");
        format!(
            "impl{bound} {rt}::families::Varied for {ty} {{
                fn each_varied<__W: {rt}::families::OnVaried<Self>>(work: &mut __W) {{ {parts} }}
            }}
            impl{bound} {rt}::Sensitive for {ty} {{
                {numbers}
                type RowLanes = {lanes};
                type ColumnLanes = {lanes};
                fn turnings(&self) -> &[{rt}::Turning] {{ self.__topology.turnings() }}
                fn partial_patterns(&self) -> {rt}::PartialPatterns<'_> {{ {rt}::families::partial_patterns(self) }}
                fn residual_partials(&self, {rates}, residual: &mut {rt}::Residual<Self>, out: &mut Self::Partials) {{
                    {rt}::families::residual_partials(self, at, rates, residual, out)
                }}
                fn level_partials(&self, {rates}, out: &mut Self::Partials) {{
                    {rt}::families::level_partials(self, at, rates, out)
                }}
                fn partials_by_parameter(&self, {rates}, out: &mut Self::PartialsByParameter) {{
                    {rt}::families::partials_by_parameter(self, at, rates, out)
                }}
                fn curvature(&self, {rates}, covector: &Self::Rows, vector: &Self::Columns,
                    states: &mut Self::Columns, parameters: &mut Self::P)
                    -> ::core::result::Result<(), {rt}::Cause> {{
                    {rt}::families::curvature(self, at, rates, [covector, vector], states, parameters)
                }}
                fn momentum_partials(&self, {at}, out: &mut Self::MomentumPartials) {{
                    {rt}::families::momentum_partials(self, at, out)
                }}
                fn momentum_partials_by_parameter(&self, {at}, out: &mut Self::MomentumPartialsByParameter) {{
                    {rt}::families::momentum_partials_by_parameter(self, at, out)
                }}
                fn changes(&self) -> &[{rt}::Change] {{ {rt}::families::changes(self) }}
                fn event_partials(&self, {at}, states: &mut Self::EventPartials,
                    parameters: &mut Self::EventPartialsByParameter) {{
                    {rt}::families::event_partials(self, at, states, parameters)
                }}
                fn start_partials(&self, {at}, states: &mut Self::StartPartials,
                    parameters: &mut Self::StartPartialsByParameter) {{
                    {rt}::families::start_partials(self, at, states, parameters)
                }}
                fn cost_names(&self) -> &[&str] {{ self.__topology.costs() }}
                fn cost_partials(&self, {at}, costs: &mut Self::Costs, states: &mut Self::CostByState,
                    parameters: &mut Self::CostByParameter) {{
                    {rt}::families::cost_partials(self, at, costs, [states, parameters])
                }}
            }}
            impl{bound} {rt}::Optimizable for {ty} {{
                type LimitPartials = ::std::vec::Vec<{real}>;
                type Squares = ::std::vec::Vec<{real}>;
                type SquarePartials = ::std::vec::Vec<{real}>;
                fn limit_pattern(&self) -> {rt}::Pattern<'_> {{ {rt}::families::limit_pattern(self) }}
                fn limit_partials(&self, {at}, limits: &mut Self::H, by: &mut Self::LimitPartials) {{
                    {rt}::families::limit_partials(self, at, limits, by)
                }}
                fn square_names(&self) -> &[&str] {{ self.__topology.squares() }}
                fn square_pattern(&self) -> {rt}::Pattern<'_> {{ {rt}::families::square_pattern(self) }}
                fn square_partials(&self, {at}, rows: &mut Self::Squares, by: &mut Self::SquarePartials) {{
                    {rt}::families::square_partials(self, at, rows, by)
                }}
            }}\n"
        )
    }
}
