//! The methods that a user calls directly for the equations of motion: matrices and vectors as plain values.

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
    super::observed::methods(&mut out, cx);
    super::products::methods(&mut out, cx);
    out.push_str("}\n");
    out
}

/// `at: At<'_, Self>`
pub(super) fn at(cx: &Context<'_>) -> String {
    format!("at: {}::At<'_, Self>", cx.rt)
}

/// `at: At<'_, Self>, rates: Rates<'_, Self>`
pub(super) fn at_rates(cx: &Context<'_>) -> String {
    format!("at: {rt}::At<'_, Self>, rates: {rt}::Rates<'_, Self>", rt = cx.rt)
}

pub(super) fn matrix(cx: &Context<'_>, rows: usize, cols: usize) -> String {
    match cx.is_sparse() {
        true => format!("{}::linalg::sprs::CsMat<{}>", cx.rt, cx.real()),
        false => format!("{}::linalg::SMatrix<{}, {rows}, {cols}>", cx.rt, cx.real()),
    }
}

/// A rectangle of a pattern with values, as a matrix of the model's storage.
#[derive(Clone, Copy)]
pub(super) struct Cut<'a> {
    /// the pattern's constant, in the model's module
    pub(super) pattern: &'a str,
    /// a slice of its values
    pub(super) values: &'a str,
    /// the first row and column
    pub(super) first: (usize, usize),
    /// the number of rows and columns
    pub(super) shape: (usize, usize),
    /// `-`, or nothing
    pub(super) sign: &'a str,
}

impl Cut<'_> {
    /// The expression.
    pub(super) fn spelled(&self, cx: &Context<'_>) -> String {
        let Cut { pattern, values, first: (row, col), shape: (rows, cols), sign } = self;
        let (rt, module) = (&cx.rt, &cx.module);
        if cx.is_sparse() {
            let (to_row, to_col, one) = (row + rows, col + cols, cx.number(1.0));
            return format!(
                "{rt}::linalg::cut({module}::{pattern}, {values}[..], {row}..{to_row}, {col}..{to_col}, {sign}{one})"
            );
        }
        // where a sign hides the type of the result, it is said
        let shape = if sign.is_empty() { String::new() } else { format!("::<_, {rows}, {cols}>") };
        match (row, col) {
            (0, 0) => format!("{sign}{rt}::linalg::dense{shape}({module}::{pattern}, {values})"),
            _ => format!("{sign}{rt}::linalg::block{shape}({module}::{pattern}, {values}, {row}, {col})"),
        }
    }
}

/// A whole pattern with values as a matrix.
pub(super) fn whole(cx: &Context<'_>, pattern: &str, values: &str, rows: usize, cols: usize) -> String {
    Cut { pattern, values, first: (0, 0), shape: (rows, cols), sign: "" }.spelled(cx)
}

/// The symmetric matrix of a pattern of its lower triangle.
pub(super) fn symmetric(cx: &Context<'_>, pattern: &str, values: &str) -> String {
    let (function, all) = if cx.is_sparse() { ("mirrored", "[..]") } else { ("symmetric", "") };
    format!("{}::linalg::{function}({}::{pattern}, {values}{all})", cx.rt, cx.module)
}

/// N and its derivative, for velocities that are not rates of coordinates.
fn kinematics(out: &mut String, cx: &Context<'_>) {
    let model = cx.e.model;
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
        pub fn kinematic_matrix(&self, {at}) -> {m} {{ {arrays} {n} }}
        /// ∂(N(q) v)/∂q along the nv tangent directions of q, nq × nv: what a method implicit in q̇ = N(q) v needs.
        pub fn qdot_by_position(&self, {at}) -> {m} {{
            {arrays} {by_position} }}",
        at = at(cx),
        m = matrix(cx, model.nq(), model.nv()),
        n = whole(cx, "KINEMATICS", "&matrix", model.nq(), model.nv()),
        by_position = whole(cx, "QDOT_BY_POSITION", "&jacobian", model.nq(), model.nv()),
    );
}

fn dynamics(out: &mut String, cx: &Context<'_>) {
    let (rt, module, model) = (&cx.rt, &cx.module, cx.e.model);
    let (nv, nc) = (model.nv(), model.nc());
    let at = at(cx);
    let forward = format!("let out = {rt}::Forward::of(self, at);");
    let _ = writeln!(
        out,
        "/// {mass}, nv × nv.
        pub fn mass(&self, {at}) -> {m} {{ {forward} {whole} }}
        /// {f}, nv; with the forces of compliant constraints.
        pub fn force(&self, {at}) -> {module}::V<{real}> {{ {forward} out.force }}",
        mass = if first_order(cx) { "D(q, t), the coefficient of v" } else { "M(q, t)" },
        f = if first_order(cx) { "f(t, q, z, u)" } else { "f(t, q, v, z, u)" },
        m = matrix(cx, nv, nv),
        whole = symmetric(cx, "MASS", "&out.mass"),
        real = cx.real(),
    );
    if nc == 0 {
        return;
    }
    let constraint = format!("let out = {rt}::Constraint::of(self, at);");
    let phi_t = cx.call(Call::ConstraintByTime, arguments(|_| "out.array_mut()".to_owned()));
    let _ = writeln!(
        out,
        "/// Φ(q, t), nc; zero in the rows of velocities and of compliant constraints.
        pub fn constraint_values(&self, {at}) -> {module}::Lambda<{real}> {{ {constraint} out.phi }}
        /// Φ̇ = G v + Φₜ, nc; A v + b in the rows of velocities, zero in compliant ones.
        pub fn constraint_rates(&self, {at}) -> {module}::Lambda<{real}> {{ {constraint} out.rate }}
        /// G = ∂Φ/∂q, nc × nv (Chrono's Cq); A in the rows of velocities.
        pub fn constraint_jacobian(&self, {at}) -> {g} {{
            {constraint} {whole} }}
        /// Φₜ = ∂Φ/∂t, nc (Chrono's Ct); b in the rows of velocities.
        pub fn constraint_by_time(&self, {at}) -> {module}::Lambda<{real}> {{
            let mut out = {module}::Lambda::default(); {phi_t} out
        }}
        /// γ of G {a} + γ = 0, nc.
        pub fn constraint_bias(&self, {at}) -> {module}::Lambda<{real}> {{ {forward} out.gamma }}",
        real = cx.real(),
        g = matrix(cx, nc, nv),
        whole = whole(cx, "JACOBIAN", "&out.jacobian", nc, nv),
        a = if first_order(cx) { "v" } else { "a" },
    );
}

fn first_order(cx: &Context<'_>) -> bool {
    cx.e.program.layout.order == Order::First
}

fn tangents(out: &mut String, cx: &Context<'_>) {
    let (rt, module, nv) = (&cx.rt, &cx.module, cx.e.model.nv());
    let (at, at_rates, m) = (at(cx), at_rates(cx), matrix(cx, nv, nv));
    let whole = Cut { pattern: "TANGENT", values: "&out", first: (0, 0), shape: (nv, nv), sign: "" };
    let weighted =
        |weights: &str| format!("let out = {rt}::Weights::{weights}.tangent(self, at, rates); {}", whole.spelled(cx));
    // D v is no force
    let still = match first_order(cx) {
        true => format!("let v = {module}::V::default(); let at = {rt}::At {{ v: &v, ..at }};"),
        false => String::new(),
    };
    let of_force = |weights: &str| {
        let cut = Cut { sign: "-", ..whole }.spelled(cx);
        format!("{still} let out = {rt}::Weights::{weights}.tangent_without_rates(self, at); {cut}")
    };
    let _ = writeln!(
        out,
        "/// K = ∂r/∂q of the whole residual, nv × nv: it holds ∂(M a)/∂q and −∂(Gᵀλ)/∂q.
        pub fn stiffness(&self, {at_rates}) -> {m} {{ {} }}
        /// D = ∂r/∂v of the whole residual, nv × nv.
        pub fn damping(&self, {at_rates}) -> {m} {{ {} }}
        /// ∂f/∂q, nv × nv: the part of −K that the forces give, those of compliant constraints apart.
        pub fn force_by_position(&self, {at}) -> {m} {{ {} }}",
        weighted("POSITION"),
        weighted("VELOCITY"),
        of_force("POSITION"),
    );
    if !first_order(cx) {
        let _ = writeln!(
            out,
            "/// ∂f/∂v, nv × nv; without compliant constraints.
            pub fn force_by_velocity(&self, {at}) -> {m} {{ {} }}",
            of_force("VELOCITY"),
        );
    }
}

/// g of the first-order states and what depends on them.
fn states(out: &mut String, cx: &Context<'_>) {
    let (rt, module, nv, nz) = (&cx.rt, &cx.module, cx.e.model.nv(), cx.e.model.nz());
    if nz == 0 {
        return;
    }
    let (at, real) = (at(cx), cx.real());
    let _ = writeln!(
        out,
        "/// g(t, q, v, z, u) of ż = g, nz.
        pub fn state_rates(&self, {at}) -> {module}::Z<{real}> {{
            {rt}::Forward::of(self, at).zdot
        }}"
    );
    let mut block = |name: &str, doc: &str, weights: &str, (row, rows): (usize, usize), (col, cols): (usize, usize)| {
        if rows == 0 || cols == 0 {
            return;
        }
        let _ = writeln!(
            out,
            "/// {doc}, {rows} × {cols}.
            pub fn {name}(&self, {at}) -> {m} {{
                let out = {rt}::Weights::{weights}.tangent_without_rates(self, at); {cut} }}",
            cut = Cut { pattern: "TANGENT", values: "&out", first: (row, col), shape: (rows, cols), sign: "-" }
                .spelled(cx),
            m = matrix(cx, rows, cols),
        );
    };
    let (motion, states) = ((0, nv), (nv, nz));
    block("force_by_state", "∂f/∂z", "STATE", motion, states);
    block("rate_by_position", "∂g/∂q", "POSITION", states, motion);
    block("rate_by_velocity", "∂g/∂v", "VELOCITY", states, motion);
    block("rate_by_state", "∂g/∂z", "STATE", states, states);
}

fn sensitivities(out: &mut String, cx: &Context<'_>) {
    let model = cx.e.model;
    let (nv, nz, nu, np, nc) = (model.nv(), model.nz(), model.nu(), model.np(), model.nc());
    let (of, size) = if model.nz() == 0 { ("r", "nv") } else { ("(r, ż − g)", "(nv + nz)") };
    let (program, zero, at_rates) = (cx.e.program, cx.number(0.0), at_rates(cx));
    let by_parameters = &program[Call::ResidualByParameter];
    let inputs = cx.call(Call::ForceByInput, arguments(|_| "&mut out".to_owned()));
    let parameters = cx.call(Call::ResidualByParameter, arguments(|o| format!("&mut {o}")));
    let n = program[Call::ForceByInput].len("out");
    let mut by_input = |name: &str, doc: &str, row: usize, rows: usize| {
        if rows == 0 || nu == 0 {
            return;
        }
        let b = matrix(cx, rows, nu);
        let _ = writeln!(
            out,
            "/// {doc}
            pub fn {name}(&self, {at_rates}) -> {b} {{
                let mut out = [{zero}; {n}]; {inputs} {cut}
            }}",
            cut = Cut { pattern: "FORCE_BY_INPUT", values: "&out", first: (row, 0), shape: (rows, nu), sign: "" }
                .spelled(cx),
        );
    };
    by_input("force_by_input", "B = ∂f/∂u, nv × nu.", 0, nv);
    by_input("rate_by_input", "∂g/∂u, nz × nu: the rows of B below those of the forces.", nv, nz);
    if np == 0 {
        return;
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
            {arrays} {whole} }}",
        p = matrix(cx, nv + nz, np),
        whole = whole(cx, "RESIDUAL_BY_PARAMETER", "&r", nv + nz, np),
    );
    if nc > 0 {
        let _ = writeln!(
            out,
            "/// ∂Φ/∂p, nc × np.
            pub fn constraint_by_parameter(&self, {at_rates}) -> {c} {{
                {arrays} {whole} }}",
            c = matrix(cx, nc, np),
            whole = whole(cx, "CONSTRAINT_BY_PARAMETER", "&phi", nc, np),
        );
    }
}
