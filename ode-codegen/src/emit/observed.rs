//! What is asked of a motion: energies and powers, outputs, limits, costs and rows of squares, as methods and as the
//! role `Observable`.

use std::fmt::Write as _;

use crate::describe::Units;
use crate::lower::Call;

use super::Context;
use super::methods::{Cut, at, at_rates, matrix, whole};
use super::roles::arguments;

/// The inherent methods.
pub(super) fn methods(out: &mut String, cx: &Context<'_>) {
    energies(out, cx);
    outputs(out, cx);
    rows(out, cx);
    fits(out, cx);
}

/// The role by which any model is asked for energies and limits.
pub(super) fn observable(cx: &Context<'_>) -> String {
    let (rt, module, real, at) = (&cx.rt, &cx.module, cx.real(), at(cx));
    // the whole of a model with sets has units of its own; it asks `Beside` for the bounds of inputs, and elements with
    // limits for those of limits
    let bounds = |what: &str, names: &str, is_asked: bool| match is_asked {
        true => ranges(cx, what, names),
        false => format!(
            "{rt}::Ranges {{ what: {what:?}, names: &[], low: ::core::default::Default::default(), high: ::core::default::Default::default() }}"
        ),
    };
    let has_limits = cx.is_model() || cx.e.program.len("H") > 0;
    format!(
        "impl{bound} {rt}::Observable for {ty} {{
            type H = {module}::H<{real}>;
            fn energy(&self, {at}) -> {rt}::Energy<{real}> {{
                {energy}
                {rt}::Energy {{ kinetic: energy[0], potential: energy[1], dissipation: energy[2] }}
            }}
            fn input_bounds(&self) -> {rt}::Ranges<'static, {module}::U<{real}>> {{ {input_bounds} }}
            fn limits(&self, {at}) -> {module}::H<{real}> {{ {limits} out.into() }}
            fn limit_bounds(&self) -> {rt}::Ranges<'static, {module}::H<{real}>> {{ {bounds} }}
            fn units(&self) -> {rt}::Units<'_> {{ {units} }}
        }}\n",
        bound = cx.generics("Scalar"),
        ty = cx.ty(),
        energy = evaluated(cx, Call::Energy),
        input_bounds = bounds("input", &format!("{module}::LAYOUT.u"), cx.bounds_inputs()),
        limits = evaluated(cx, Call::Limits),
        bounds = bounds("limit", &format!("&{:?}", cx.e.names.limits), has_limits),
        units = if cx.is_model() { units(cx) } else { format!("{rt}::Units::default()") },
    )
}

/// The unit of every entry that a run shows.
pub(super) fn units(cx: &Context<'_>) -> String {
    let Units { time, energy, power, q, v, a, z, multipliers, modes, u, y } = Units::of(cx.e.model);
    let rt = &cx.rt;
    let lists =
        [("q", q), ("v", v), ("a", a), ("z", z), ("multipliers", multipliers), ("modes", modes), ("u", u), ("y", y)];
    let lists = lists.iter().filter(|(_, units)| !units.is_empty());
    let lists: String = lists.map(|(list, units)| format!("units.{list} = &{units:?}; ")).collect();
    format!(
        "let mut units = {rt}::Units::default();
            units.time = {time:?};
            units.energy = {energy:?};
            units.power = {power:?};
            {lists}
            units"
    )
}

/// Statements that leave each array of a call in a buffer of its name.
fn evaluated(cx: &Context<'_>, call: Call) -> String {
    let zero = cx.number(0.0);
    let buffers = cx.e.program[call].outputs.iter().map(|(name, len)| format!("let mut {name} = [{zero}; {len}]; "));
    let mut out: String = buffers.collect();
    out.push_str(&cx.call(call, arguments(|o| format!("&mut {o}"))));
    out
}

/// The bounds of the inputs or limits: statements and the value.
fn ranges(cx: &Context<'_>, what: &str, names: &str) -> String {
    let (rt, bounds) = (&cx.rt, evaluated(cx, Call::Bounds));
    format!(
        "{bounds} {rt}::Ranges {{
            what: {what:?}, names: {names}, low: {what}_lo.into(), high: {what}_hi.into() }}"
    )
}

fn energies(out: &mut String, cx: &Context<'_>) {
    let (rt, real, at) = (&cx.rt, cx.real(), at(cx));
    let forces = &cx.e.model.forces;
    if cx.e.model.nv() > 0 {
        let _ = writeln!(
            out,
            "/// Kinetic and potential energy, and twice the dissipation function.
            pub fn energy(&self, {at}) -> {rt}::Energy<{real}> {{ <Self as {rt}::Observable>::energy(self, at) }}"
        );
    }
    if !forces.is_empty() {
        let names: Vec<String> = forces.iter().map(|f| format!("`{}`", f.name)).collect();
        let _ = writeln!(
            out,
            "/// Power of each force: {names}.
            pub fn power(&self, {at}) -> [{real}; {n}] {{ {start} power }}",
            start = evaluated(cx, Call::Energy),
            names = names.join(", "),
            n = forces.len()
        );
    }
}

fn outputs(out: &mut String, cx: &Context<'_>) {
    let (module, model) = (&cx.module, cx.e.model);
    let ny = model.ny();
    if ny == 0 {
        return;
    }
    let (nv, nz, nc, nu, np) = (model.nv(), model.nz(), model.nc(), model.nu(), model.np());
    let (real, zero, at_rates) = (cx.real(), cx.number(0.0), at_rates(cx));
    let values = cx.call(Call::Outputs, arguments(|_| "out.array_mut()".to_owned()));
    let jacobian = cx.call(Call::OutputJacobian, arguments(|_| "&mut out".to_owned()));
    let n = cx.e.program[Call::OutputJacobian].len("out");
    let _ = writeln!(
        out,
        "/// y(t, q, v, z, a, ż, λ, u), ny.
        pub fn outputs(&self, {at_rates}) -> {module}::Y<{real}> {{
            let mut out = {module}::Y::default(); {values} out }}"
    );
    let columns = [
        ("position", "q", nv),
        ("velocity", "v", nv),
        ("state", "z", nz),
        ("acceleration", "a", nv),
        ("rate", "ż", nz),
        ("multiplier", "λ", nc),
        ("input", "u", nu),
        ("parameter", "p", np),
    ];
    let mut first = 0;
    for (name, symbol, width) in columns {
        if width > 0 {
            let _ = writeln!(
                out,
                "/// ∂y/∂{symbol}, ny × {width}.
                pub fn output_by_{name}(&self, {at_rates}) -> {m} {{
                    let mut out = [{zero}; {n}]; {jacobian}
                    {cut}
                }}",
                m = matrix(cx, ny, width),
                cut =
                    Cut { pattern: "OUTPUT_JACOBIAN", values: "&out", first: (0, first), shape: (ny, width), sign: "" }
                        .spelled(cx),
            );
        }
        first += width;
    }
}

/// Input bounds, path constraints and costs.
fn rows(out: &mut String, cx: &Context<'_>) {
    let (rt, module, real, at) = (&cx.rt, &cx.module, cx.real(), at(cx));
    let (model, program) = (cx.e.model, cx.e.program);
    let (nv, nu) = (model.nv(), model.nu());
    let (nh, nk) = (program[Call::Limits].len("out"), program[Call::Costs].len("out"));
    let width = 2 * nv + model.nz() + nu;
    if nu > 0 {
        let _ = writeln!(
            out,
            "/// Lowest and highest value of each input, with its name; infinite where the model gives none.
            pub fn input_bounds(&self) -> {rt}::Ranges<'static, {module}::U<{real}>> {{
                <Self as {rt}::Observable>::input_bounds(self) }}",
        );
    }
    if nh > 0 {
        let start = evaluated(cx, Call::Limits);
        let _ = writeln!(
            out,
            "/// Path constraints h(t, q, v, z, u).
            pub fn limits(&self, {at}) -> {module}::H<{real}> {{ <Self as {rt}::Observable>::limits(self, at) }}
            /// ∂h/∂(q, v, z, u), columns in this order.
            pub fn limit_jacobian(&self, {at}) -> {m} {{
                {start} {whole} }}
            /// Lowest and highest value of each path constraint, with its name.
            pub fn limit_bounds(&self) -> {rt}::Ranges<'static, {module}::H<{real}>> {{
                <Self as {rt}::Observable>::limit_bounds(self) }}",
            m = matrix(cx, nh, width),
            whole = whole(cx, "LIMIT_JACOBIAN", "&jacobian", nh, width),
        );
    }
    if nk > 0 {
        let start = evaluated(cx, Call::Costs);
        let names: Vec<String> = model.observed.costs.iter().map(|c| format!("`{}`", c.name)).collect();
        let _ = writeln!(
            out,
            "/// Costs: {names}.
            pub fn costs(&self, {at}) -> [{real}; {nk}] {{ {start} out }}
            /// ∂cost/∂(q, v, z, u), a row each, columns in this order.
            pub fn cost_gradient(&self, {at}) -> {m} {{
                {start} {whole} }}",
            whole = whole(cx, "COST_GRADIENT", "&gradient", nk, width),
            names = names.join(", "),
            m = matrix(cx, nk, width),
        );
    }
}

/// Rows of sums of squares.
fn fits(out: &mut String, cx: &Context<'_>) {
    let (rt, module) = (&cx.rt, &cx.module);
    let (n, width) = (cx.e.program[Call::Fits].len("out"), 2 * cx.e.model.nv() + cx.e.model.nz() + cx.e.model.nu());
    if n == 0 {
        return;
    }
    let (real, start) = (cx.real(), evaluated(cx, Call::Fits));
    let _ = writeln!(
        out,
        "/// Rows e of the sum of squares ½ Σ e².
        pub fn residuals(&self, {at}) -> {module}::E<{real}> {{ {start} out.into() }}
        /// J = ∂e/∂(q, v, z, u), columns in this order.
        pub fn residuals_jacobian(&self, {at}) -> {jacobian} {{
            {start} {whole} }}
        /// Jᵀ J by (q, v, z, u): the second derivatives of ½ Σ e² without those of e.
        pub fn residuals_gauss_newton(&self, {at}) -> {square} {{
            {start} {rt}::linalg::{gram}({module}::RESIDUALS_JACOBIAN, &jacobian) }}",
        whole = whole(cx, "RESIDUALS_JACOBIAN", "&jacobian", n, width),
        gram = if cx.is_sparse() { "squared" } else { "gram" },
        at = at(cx),
        jacobian = matrix(cx, n, width),
        square = matrix(cx, width, width),
    );
}
