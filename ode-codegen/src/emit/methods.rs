//! The methods that a user calls directly: matrices as plain values, energies and powers, outputs, limits and costs.

use std::fmt::Write as _;

use crate::lower::Call;
use crate::model::Order;

use super::Context;
use super::roles::arguments;

/// The inherent methods.
pub(super) fn methods(cx: &Context<'_>) -> String {
    let mut out = format!("impl{} {} {{\n", cx.generics("Scalar"), cx.ty());
    if cx.e.model.nv() > 0 {
        dynamics(&mut out, cx);
        tangents(&mut out, cx);
    }
    kinematics(&mut out, cx);
    states(&mut out, cx);
    sensitivities(&mut out, cx);
    energies(&mut out, cx);
    outputs(&mut out, cx);
    rows(&mut out, cx);
    fits(&mut out, cx);
    super::products::methods(&mut out, cx);
    out.push_str("}\n");
    out
}

/// `at: At<'_, Self>`
fn at(cx: &Context<'_>) -> String {
    format!("at: {}::At<'_, Self>", cx.rt)
}

/// `at: At<'_, Self>, rates: Rates<'_, Self>`
pub(super) fn at_rates(cx: &Context<'_>) -> String {
    format!("at: {rt}::At<'_, Self>, rates: {rt}::Rates<'_, Self>", rt = cx.rt)
}

pub(super) fn matrix(cx: &Context<'_>, rows: usize, cols: usize) -> String {
    format!("{}::linalg::SMatrix<{}, {rows}, {cols}>", cx.rt, cx.real())
}

/// N and its derivative, for velocities that are not rates of coordinates.
fn kinematics(out: &mut String, cx: &Context<'_>) {
    let (rt, module, model) = (&cx.rt, &cx.module, cx.e.model);
    if cx.e.program.pattern("KINEMATICS").is_none() {
        return;
    }
    let kernel = &cx.e.program[Call::Kinematics];
    let call = cx.call(Call::Kinematics, arguments(|o| format!("&mut {o}")));
    let zero = cx.number(0.0);
    let arrays = format!(
        "let (mut matrix, mut jacobian) = ([{zero}; {}], [{zero}; {}]); {call}",
        kernel.len("matrix"),
        kernel.len("jacobian")
    );
    let _ = writeln!(
        out,
        "/// N(q) of q̇ = N(q) v, nq × nv.
        pub fn kinematic_matrix(&self, {at}) -> {m} {{ {arrays} {rt}::linalg::dense({module}::KINEMATICS, &matrix) }}
        /// ∂(N(q) v)/∂q along the nv tangent directions of q, nq × nv: what a method implicit in q̇ = N(q) v needs.
        pub fn qdot_by_position(&self, {at}) -> {m} {{
            {arrays} {rt}::linalg::dense({module}::QDOT_BY_POSITION, &jacobian) }}",
        at = at(cx),
        m = matrix(cx, model.nq(), model.nv()),
    );
}

fn dynamics(out: &mut String, cx: &Context<'_>) {
    let (rt, module, model) = (&cx.rt, &cx.module, cx.e.model);
    let (nv, nc) = (model.nv(), model.nc());
    let at = at(cx);
    let forward = format!(
        "let mut out = {rt}::Forward::zeros(&{module}::LAYOUT); <Self as {rt}::System>::forward(self, at, &mut out);"
    );
    let _ = writeln!(
        out,
        "/// {mass}, nv × nv.
        pub fn mass(&self, {at}) -> {m} {{ {forward} {rt}::linalg::symmetric({module}::MASS, &out.mass) }}
        /// {f}, nv; with the forces of compliant constraints.
        pub fn force(&self, {at}) -> {module}::V<{real}> {{ {forward} out.force }}",
        mass = if first_order(cx) { "D(q, t), the coefficient of v" } else { "M(q, t)" },
        f = if first_order(cx) { "f(t, q, z, u)" } else { "f(t, q, v, z, u)" },
        m = matrix(cx, nv, nv),
        real = cx.real(),
    );
    if nc == 0 {
        return;
    }
    let constraint = format!(
        "let mut out = {rt}::Constraint::zeros(&{module}::LAYOUT); <Self as {rt}::System>::constraint(self, at, &mut out);"
    );
    let phi_t = cx.call(Call::ConstraintByTime, arguments(|_| "out.array_mut()".to_owned()));
    let _ = writeln!(
        out,
        "/// Φ(q, t), nc; zero in the rows of velocities and of compliant constraints.
        pub fn constraint_values(&self, {at}) -> {module}::Lambda<{real}> {{ {constraint} out.phi }}
        /// Φ̇ = G v + Φₜ, nc; A v + b in the rows of velocities, zero in compliant ones.
        pub fn constraint_rates(&self, {at}) -> {module}::Lambda<{real}> {{ {constraint} out.rate }}
        /// G = ∂Φ/∂q, nc × nv (Chrono's Cq); A in the rows of velocities.
        pub fn constraint_jacobian(&self, {at}) -> {g} {{
            {constraint} {rt}::linalg::dense({module}::JACOBIAN, &out.jacobian) }}
        /// Φₜ = ∂Φ/∂t, nc (Chrono's Ct); b in the rows of velocities.
        pub fn constraint_by_time(&self, {at}) -> {module}::Lambda<{real}> {{
            let mut out = {module}::Lambda::default(); {phi_t} out
        }}
        /// γ of G {a} + γ = 0, nc.
        pub fn constraint_bias(&self, {at}) -> {module}::Lambda<{real}> {{ {forward} out.gamma }}",
        real = cx.real(),
        g = matrix(cx, nc, nv),
        a = if first_order(cx) { "v" } else { "a" },
    );
}

fn first_order(cx: &Context<'_>) -> bool {
    cx.e.program.layout.order == Order::First
}

fn tangents(out: &mut String, cx: &Context<'_>) {
    let (rt, module, nv) = (&cx.rt, &cx.module, cx.e.model.nv());
    let (at, at_rates, m) = (at(cx), at_rates(cx), matrix(cx, nv, nv));
    let (one, zero) = (cx.number(1.0), cx.number(0.0));
    let weighted = |velocity: &str, position: &str, rates: &str, sign: &str| {
        let body = tangent(cx, [velocity, position, &zero], rates);
        format!("{body} {sign}{rt}::linalg::dense::<_, {nv}, {nv}>({module}::TANGENT, &out)")
    };
    let mut at_rest = at_rest(cx);
    if first_order(cx) {
        // D v is no force
        let _ = write!(at_rest, " let v = {module}::V::default(); let at = {}::At {{ v: &v, ..at }};", cx.rt);
    }
    let _ = writeln!(
        out,
        "/// K = ∂r/∂q of the whole residual, nv × nv: it holds ∂(M a)/∂q and −∂(Gᵀλ)/∂q.
        pub fn stiffness(&self, {at_rates}) -> {m} {{ {} }}
        /// D = ∂r/∂v of the whole residual, nv × nv.
        pub fn damping(&self, {at_rates}) -> {m} {{ {} }}
        /// ∂f/∂q, nv × nv: the part of −K that the forces give, those of compliant constraints apart.
        pub fn force_by_position(&self, {at}) -> {m} {{ {} }}",
        weighted(&zero, &one, "", ""),
        weighted(&one, &zero, "", ""),
        weighted(&zero, &one, &at_rest, "-"),
    );
    if !first_order(cx) {
        let _ = writeln!(
            out,
            "/// ∂f/∂v, nv × nv; without compliant constraints.
            pub fn force_by_velocity(&self, {at}) -> {m} {{ {} }}",
            weighted(&one, &zero, &at_rest, "-"),
        );
    }
}

/// Statements that leave the nonzeros of a tangent, weighted by (velocity, position, state), in `out`.
fn tangent(cx: &Context<'_>, [velocity, position, state]: [&str; 3], rates: &str) -> String {
    let (rt, module, zero) = (&cx.rt, &cx.module, cx.number(0.0));
    format!(
        "let weights = {rt}::Weights {{ rates: {zero}, velocity: {velocity}, position: {position}, state: {state} }};
        let mut residual = {rt}::Residual::zeros(&{module}::LAYOUT);
        let mut out = [{zero}; {n}];
        {rates}
        <Self as {rt}::Linearize>::tangent(self, at, rates, weights, &::core::default::Default::default(),
            &mut residual, &mut out);",
        n = cx.e.program[Call::Tangent].len("tangent"),
    )
}

/// Zero rates and multipliers, when only f and g are needed.
fn at_rest(cx: &Context<'_>) -> String {
    let (rt, module) = (&cx.rt, &cx.module);
    format!(
        "let (a, zdot, lambda) = ({module}::V::default(), {module}::Z::default(), {module}::Lambda::default()); let rates = {rt}::Rates {{ a: &a, zdot: &zdot, lambda: &lambda }};"
    )
}

/// g of the first-order states and what depends on them.
fn states(out: &mut String, cx: &Context<'_>) {
    let (rt, module, nv, nz) = (&cx.rt, &cx.module, cx.e.model.nv(), cx.e.model.nz());
    if nz == 0 {
        return;
    }
    let (at, at_rest, real) = (at(cx), at_rest(cx), cx.real());
    let _ = writeln!(
        out,
        "/// g(t, q, v, z, u) of ż = g, nz.
        pub fn state_rates(&self, {at}) -> {module}::Z<{real}> {{
            let mut out = {rt}::Forward::zeros(&{module}::LAYOUT);
            <Self as {rt}::System>::forward(self, at, &mut out);
            out.zdot
        }}"
    );
    let (one, zero) = (cx.number(1.0), cx.number(0.0));
    let mut block =
        |name: &str, doc: &str, weights: [&str; 3], (row, rows): (usize, usize), (col, cols): (usize, usize)| {
            if rows == 0 || cols == 0 {
                return;
            }
            let _ = writeln!(
                out,
                "/// {doc}, {rows} × {cols}.
            pub fn {name}(&self, {at}) -> {m} {{ {body} -{rt}::linalg::block({module}::TANGENT, &out, {row}, {col}) }}",
                body = tangent(cx, weights, &at_rest),
                m = matrix(cx, rows, cols),
            );
        };
    let (motion, states) = ((0, nv), (nv, nz));
    block("force_by_state", "∂f/∂z", [&zero, &zero, &one], motion, states);
    block("rate_by_position", "∂g/∂q", [&zero, &one, &zero], states, motion);
    block("rate_by_velocity", "∂g/∂v", [&one, &zero, &zero], states, motion);
    block("rate_by_state", "∂g/∂z", [&zero, &zero, &one], states, states);
}

fn sensitivities(out: &mut String, cx: &Context<'_>) {
    let (rt, module, model) = (&cx.rt, &cx.module, cx.e.model);
    let (nv, nz, nu, np, nc) = (model.nv(), model.nz(), model.nu(), model.np(), model.nc());
    let (of, size) = if model.nz() == 0 { ("r", "nv") } else { ("(r, ż − g)", "(nv + nz)") };
    let (program, zero, at_rates) = (cx.e.program, cx.number(0.0), at_rates(cx));
    let by_parameters = &program[Call::ResidualByParameter];
    let inputs = cx.call(Call::ForceByInput, arguments(|_| "&mut out".to_owned()));
    let parameters = cx.call(Call::ResidualByParameter, arguments(|o| format!("&mut {o}")));
    let n = program[Call::ForceByInput].len("out");
    let mut by_input = |name: &str, doc: &str, row: usize, rows: usize| {
        let b = matrix(cx, rows, nu);
        let _ = writeln!(
            out,
            "/// {doc}
            pub fn {name}(&self, {at_rates}) -> {b} {{
                let mut out = [{zero}; {n}]; {inputs} {rt}::linalg::block({module}::FORCE_BY_INPUT, &out, {row}, 0)
            }}"
        );
    };
    by_input("force_by_input", "B = ∂f/∂u, nv × nu.", 0, nv);
    if nz > 0 {
        by_input("rate_by_input", "∂g/∂u, nz × nu: the rows of B below those of the forces.", nv, nz);
    }
    let arrays = format!(
        "let mut r = [{zero}; {}]; let mut phi = [{zero}; {}]; {parameters}",
        by_parameters.len("r"),
        by_parameters.len("phi")
    );
    let _ = writeln!(
        out,
        "/// P = ∂{of}/∂p, {size} × np; columns in the order of [`parameters`](Self::parameters).
        pub fn residual_by_parameter(&self, {at_rates}) -> {p} {{
            {arrays} {rt}::linalg::dense({module}::RESIDUAL_BY_PARAMETER, &r) }}",
        p = matrix(cx, nv + nz, np),
    );
    if nc > 0 {
        let _ = writeln!(
            out,
            "/// ∂Φ/∂p, nc × np.
            pub fn constraint_by_parameter(&self, {at_rates}) -> {c} {{
                {arrays} {rt}::linalg::dense({module}::CONSTRAINT_BY_PARAMETER, &phi) }}",
            c = matrix(cx, nc, np),
        );
    }
}

fn energies(out: &mut String, cx: &Context<'_>) {
    let (rt, real, zero, at) = (&cx.rt, cx.real(), cx.number(0.0), at(cx));
    let forces = &cx.e.model.forces;
    let call = cx.call(Call::Energy, arguments(|o| format!("&mut {o}")));
    let _ = writeln!(
        out,
        "/// Kinetic and potential energy, and twice the dissipation function.
        pub fn energy(&self, {at}) -> {rt}::Energy<{real}> {{
            let mut energy = [{zero}; 3]; let mut power = [{zero}; {n}]; {call}
            {rt}::Energy {{ kinetic: energy[0], potential: energy[1], dissipation: energy[2] }}
        }}",
        n = forces.len()
    );
    if !forces.is_empty() {
        let names: Vec<String> = forces.iter().map(|f| format!("`{}`", f.name)).collect();
        let _ = writeln!(
            out,
            "/// Power of each force: {names}.
            pub fn power(&self, {at}) -> [{real}; {n}] {{
                let mut energy = [{zero}; 3]; let mut power = [{zero}; {n}]; {call} power
            }}",
            names = names.join(", "),
            n = forces.len()
        );
    }
}

fn outputs(out: &mut String, cx: &Context<'_>) {
    let (rt, module, model) = (&cx.rt, &cx.module, cx.e.model);
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
                    {rt}::linalg::columns({module}::OUTPUT_JACOBIAN, &out, {first})
                }}",
                m = matrix(cx, ny, width),
            );
        }
        first += width;
    }
}

/// Input bounds, path constraints and costs.
fn rows(out: &mut String, cx: &Context<'_>) {
    let (rt, module, real, zero) = (&cx.rt, &cx.module, cx.real(), cx.number(0.0));
    let (model, program) = (cx.e.model, cx.e.program);
    let (limits, costs) = (&program[Call::Limits], &program[Call::Costs]);
    let at = at(cx);
    let (nv, nu, nh, nk) = (model.nv(), model.nu(), limits.len("out"), costs.len("out"));
    let width = 2 * nv + model.nz() + nu;
    let bounds = cx.call(Call::Bounds, |o| format!("&mut {o}"));
    let arrays = format!(
        "let mut input_lo = [{zero}; {nu}]; let mut input_hi = [{zero}; {nu}]; let mut limit_lo = [{zero}; {nh}]; let mut limit_hi = [{zero}; {nh}]; {bounds}"
    );
    if nu > 0 {
        let _ = writeln!(
            out,
            "/// Lowest and highest value of each input, with its name; infinite where the model gives none.
            pub fn input_bounds(&self) -> {rt}::Ranges<'static, {module}::U<{real}>> {{ {arrays}
                {rt}::Ranges {{
                    what: \"input\", names: {module}::LAYOUT.u, low: input_lo.into(), high: input_hi.into() }} }}"
        );
    }
    if nh > 0 {
        let call = cx.call(Call::Limits, arguments(|o| format!("&mut {o}")));
        let start =
            format!("let mut out = [{zero}; {nh}]; let mut jacobian = [{zero}; {}]; {call}", limits.len("jacobian"));
        let _ = writeln!(
            out,
            "/// Path constraints h(t, q, v, z, u).
            pub fn limits(&self, {at}) -> {module}::H<{real}> {{ {start} out.into() }}
            /// ∂h/∂(q, v, z, u), columns in this order.
            pub fn limit_jacobian(&self, {at}) -> {m} {{
                {start} {rt}::linalg::dense({module}::LIMIT_JACOBIAN, &jacobian) }}
            /// Lowest and highest value of each path constraint, with its name.
            pub fn limit_bounds(&self) -> {rt}::Ranges<'static, {module}::H<{real}>> {{ {arrays}
                {rt}::Ranges {{
                    what: \"limit\", names: &{names:?}, low: limit_lo.into(), high: limit_hi.into() }} }}",
            m = matrix(cx, nh, width),
            names = cx.e.names.h,
        );
    }
    if nk > 0 {
        let call = cx.call(Call::Costs, arguments(|o| format!("&mut {o}")));
        let start =
            format!("let mut out = [{zero}; {nk}]; let mut gradient = [{zero}; {}]; {call}", costs.len("gradient"));
        let names: Vec<String> = model.observed.costs.iter().map(|c| format!("`{}`", c.name)).collect();
        let _ = writeln!(
            out,
            "/// Costs: {names}.
            pub fn costs(&self, {at}) -> [{real}; {nk}] {{ {start} out }}
            /// ∂cost/∂(q, v, z, u), a row each, columns in this order.
            pub fn cost_gradient(&self, {at}) -> {m} {{
                {start} {rt}::linalg::dense({module}::COST_GRADIENT, &gradient) }}",
            names = names.join(", "),
            m = matrix(cx, nk, width),
        );
    }
}

/// Rows of sums of squares.
fn fits(out: &mut String, cx: &Context<'_>) {
    let (rt, module, real, zero) = (&cx.rt, &cx.module, cx.real(), cx.number(0.0));
    let (n, width) = (cx.e.program[Call::Fits].len("out"), 2 * cx.e.model.nv() + cx.e.model.nz() + cx.e.model.nu());
    if n == 0 {
        return;
    }
    let call = cx.call(Call::Fits, arguments(|o| format!("&mut {o}")));
    let entries = cx.e.program[Call::Fits].len("jacobian");
    let start = format!("let mut out = [{zero}; {n}]; let mut jacobian = [{zero}; {entries}]; {call}");
    let _ = writeln!(
        out,
        "/// Rows e of the sum of squares ½ Σ e².
        pub fn residuals(&self, {at}) -> {module}::E<{real}> {{ {start} out.into() }}
        /// J = ∂e/∂(q, v, z, u), columns in this order.
        pub fn residuals_jacobian(&self, {at}) -> {jacobian} {{
            {start} {rt}::linalg::dense({module}::RESIDUALS_JACOBIAN, &jacobian) }}
        /// Jᵀ J by (q, v, z, u): the second derivatives of ½ Σ e² without those of e.
        pub fn residuals_gauss_newton(&self, {at}) -> {square} {{
            {start} {rt}::linalg::gram({module}::RESIDUALS_JACOBIAN, &jacobian) }}",
        at = at(cx),
        jacobian = matrix(cx, n, width),
        square = matrix(cx, width, width),
    );
}
