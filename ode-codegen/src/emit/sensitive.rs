//! The role `Sensitive`: derivatives of all rows by everything.

use crate::chart::{Block, Chart};
use crate::derive::Changed;
use crate::lower::Call;

use super::Context;
use super::roles::arguments;

const CALLS: [Call; 7] = [
    Call::Partials,
    Call::PartialsByParameter,
    Call::MomentumPartials,
    Call::MomentumPartialsByParameter,
    Call::EventPartials,
    Call::StartPartials,
    Call::CostByParameter,
];

/// Whether every external function has the derivatives that the role needs.
pub(super) fn is_sensitive(cx: &Context<'_>) -> bool {
    if !cx.e.model.header.is_varied() {
        return false;
    }
    let has = |call| cx.e.program.get(call).is_some();
    CALLS.iter().all(|&call| has(call))
        && (cx.is_hidden() || has(Call::PullBack))
        && (cx.e.model.nc() == 0 || has(Call::LevelPartials))
}

/// The role, of a model that can have it.
pub(super) fn sensitive(cx: &Context<'_>) -> String {
    if !is_sensitive(cx) {
        return String::new();
    }
    let of = |call: Call, array| cx.array(cx.e.program[call].len(array));
    let (rt, module, m) = (&cx.rt, &cx.module, cx.e.model);
    let call = |call| cx.call(call, arguments(str::to_owned));
    let both = |call| {
        let (states, parameters) = (of(call, "states"), of(call, "parameters"));
        (states, parameters, cx.call(call, arguments(str::to_owned)))
    };
    let rows = m.nv() + m.nz() + 3 * m.nc();
    let columns = 3 * m.nv() + m.nz() + m.nc() + m.nu() + 1;
    let lanes = format!("{rt}::linalg::Lanes<{}>", cx.real());
    let (event_states, event_parameters, events) = both(Call::EventPartials);
    let (start_states, start_parameters, starts) = both(Call::StartPartials);
    format!(
        "impl{bound} {rt}::Sensitive for {ty} {{
            type Partials = {states};
            type PartialsByParameter = {parameters};
            type Rows = {rows};
            type RowLanes = {row_lanes};
            type ColumnLanes = {column_lanes};
            type Feedback = {feedback};
            type Columns = {columns};
            type MomentumPartials = {momenta};
            type MomentumPartialsByParameter = {momenta_by_parameter};
            type EventPartials = {event_states};
            type EventPartialsByParameter = {event_parameters};
            type StartPartials = {start_states};
            type StartPartialsByParameter = {start_parameters};
            type Costs = {costs};
            type CostByState = {cost_gradient};
            type CostByParameter = {cost_by_parameter};
            {turnings}
            {changes}
            fn cost_names(&self) -> &[&str] {{ &{cost_names:?} }}
            fn partial_patterns(&self) -> {rt}::PartialPatterns<'_> {{
                {rt}::PartialPatterns::new({module}::PARTIALS, {module}::PARTIALS_BY_PARAMETER)
                    .with_momenta({module}::MOMENTUM_PARTIALS, {module}::MOMENTUM_PARTIALS_BY_PARAMETER)
                    .with_events({module}::EVENT_PARTIALS, {module}::EVENT_PARTIALS_BY_PARAMETER)
                    .with_starts({module}::START_PARTIALS, {module}::START_PARTIALS_BY_PARAMETER)
                    .with_costs({module}::COST_GRADIENT, {module}::COST_BY_PARAMETER)
            }}
            #[inline]
            fn residual_partials(&self, at: {rt}::At<'_, Self>, rates: {rt}::Rates<'_, Self>,
                residual: &mut {rt}::Residual<Self>, out: &mut Self::Partials) {{ {by_states} }}
            {levels}
            #[inline]
            fn partials_by_parameter(&self, at: {rt}::At<'_, Self>, rates: {rt}::Rates<'_, Self>,
                out: &mut Self::PartialsByParameter) {{ {by_parameters} }}
            {pull_back}
            {curvature}
            #[inline]
            fn momentum_partials(&self, at: {rt}::At<'_, Self>, out: &mut Self::MomentumPartials) {{
                {rate_by_states} }}
            #[inline]
            fn momentum_partials_by_parameter(&self, at: {rt}::At<'_, Self>,
                out: &mut Self::MomentumPartialsByParameter) {{ {rate_by_parameters} }}
            fn event_partials(&self, at: {rt}::At<'_, Self>, states: &mut Self::EventPartials,
                parameters: &mut Self::EventPartialsByParameter) {{ {events} }}
            fn start_partials(&self, at: {rt}::At<'_, Self>, states: &mut Self::StartPartials,
                parameters: &mut Self::StartPartialsByParameter) {{ {starts} }}
            fn cost_partials(&self, at: {rt}::At<'_, Self>, costs: &mut Self::Costs, states: &mut Self::CostByState,
                parameters: &mut Self::CostByParameter) {{ {cost_values} {costs_by_parameter} }}
        }}\n",
        bound = cx.generics("Scalar"),
        ty = cx.ty(),
        rows = cx.array(rows),
        row_lanes = cx.array_of(&lanes, rows),
        columns = cx.array(columns),
        column_lanes = cx.array_of(&lanes, columns),
        feedback = cx.array(m.nu() * m.nu()),
        pull_back = pull_back(cx),
        curvature = curvature(cx),
        states = of(Call::Partials, "out"),
        parameters = of(Call::PartialsByParameter, "out"),
        turnings = turnings(cx),
        changes = changes(cx),
        costs = of(Call::Costs, "out"),
        cost_gradient = of(Call::Costs, "gradient"),
        cost_by_parameter = of(Call::CostByParameter, "out"),
        cost_names = cx.e.model.observed.costs.iter().map(|cost| cost.name.to_string()).collect::<Vec<_>>(),
        cost_values = cx.call(Call::Costs, arguments(|o| if o == "out" { "costs" } else { "states" }.to_owned())),
        costs_by_parameter = cx.call(Call::CostByParameter, arguments(|_| "parameters".to_owned())),
        by_states = cx.call(
            Call::Partials,
            arguments(|o| if o == "out" { o.to_owned() } else { format!("residual.{o}.array_mut()") })
        ),
        levels = level_partials(cx),
        by_parameters = call(Call::PartialsByParameter),
        momenta = of(Call::MomentumPartials, "out"),
        momenta_by_parameter = of(Call::MomentumPartialsByParameter, "out"),
        rate_by_states = call(Call::MomentumPartials),
        rate_by_parameters = call(Call::MomentumPartialsByParameter),
    )
}

/// Derivatives of the constraints' rates, of a model with constraints.
fn level_partials(cx: &Context<'_>) -> String {
    if cx.e.program.get(Call::LevelPartials).is_none() {
        return String::new();
    }
    let rt = &cx.rt;
    format!(
        "#[inline]
        fn level_partials(&self, at: {rt}::At<'_, Self>, rates: {rt}::Rates<'_, Self>, out: &mut Self::Partials) {{
            {} }}",
        cx.call(Call::LevelPartials, arguments(str::to_owned))
    )
}

/// Products with the transpose; those of an element are nobody's.
fn pull_back(cx: &Context<'_>) -> String {
    if !cx.has(Call::PullBack) {
        return String::new();
    }
    let rt = &cx.rt;
    format!(
        "#[inline]
        fn pull_back(&self, at: {rt}::At<'_, Self>, rates: {rt}::Rates<'_, Self>, covector: &Self::Rows,
            states: &mut Self::Columns, parameters: &mut Self::P) {{ {} }}",
        cx.call(Call::PullBack, arguments(str::to_owned))
    )
}

/// Second derivatives, of a model that has them.
fn curvature(cx: &Context<'_>) -> String {
    if cx.e.program.get(Call::Curvature).is_none() {
        return String::new();
    }
    let rt = &cx.rt;
    format!(
        "#[inline]
        fn curvature(&self, at: {rt}::At<'_, Self>, rates: {rt}::Rates<'_, Self>, covector: &Self::Rows,
            vector: &Self::Columns, states: &mut Self::Columns, parameters: &mut Self::P)
            -> ::core::result::Result<(), {rt}::Cause> {{ {} ::core::result::Result::Ok(()) }}",
        cx.call(Call::Curvature, arguments(str::to_owned))
    )
}

/// The velocities of rotations, where there are any.
fn turnings(cx: &Context<'_>) -> String {
    let all = turning_list(cx);
    if all.is_empty() {
        return all;
    }
    format!("fn turnings(&self) -> &[{rt}::Turning] {{ &[{all}] }}", rt = cx.rt)
}

/// The same as entries of a list.
pub(super) fn turning_list(cx: &Context<'_>) -> String {
    let rt = &cx.rt;
    let turning = |block: Block| match block.chart {
        Chart::Line | Chart::Circle => None,
        Chart::Rotation => Some(format!("{rt}::Turning::Body({})", block.v)),
        Chart::WorldRotation => Some(format!("{rt}::Turning::World({})", block.v)),
        Chart::Direction => Some(format!("{rt}::Turning::Sphere({})", block.v)),
    };
    let all: Vec<String> = cx.e.model.blocks().into_iter().filter_map(turning).collect();
    all.join(", ")
}

/// What events change, where there are any.
fn changes(cx: &Context<'_>) -> String {
    let rt = &cx.rt;
    let changed = |of| match of {
        Changed::Position(i) => format!("Position({i})"),
        Changed::Velocity(i) => format!("Velocity({i})"),
        Changed::State(i) => format!("State({i})"),
        Changed::Mode(i) => format!("Mode({i})"),
    };
    let mut all = Vec::new();
    for (event, of) in cx.e.program.events.iter().enumerate() {
        let change = |&of| format!("{rt}::Change {{ event: {event}, of: {rt}::Changed::{} }}", changed(of));
        all.extend(of.changes.iter().map(change));
    }
    if all.is_empty() {
        return String::new();
    }
    format!("fn changes(&self) -> &[{rt}::Change] {{ &[{}] }}", all.join(", "))
}
