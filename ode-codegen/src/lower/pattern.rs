//! Where the nonzeros of a model's matrices are.

use crate::derive::{Equations, Sparse, pattern};
use crate::model::Model;

/// The structural nonzeros of a matrix, column by column.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// its name in generated code
    pub name: &'static str,
    /// its matrix
    pub about: &'static str,
    /// number of rows
    pub rows: usize,
    /// number of columns
    pub cols: usize,
    /// where each column starts among the nonzeros, and their number
    pub starts: Vec<usize>,
    /// the row of each nonzero
    pub indices: Vec<usize>,
}

/// All patterns of a model, in a fixed order.
pub(super) fn patterns(model: &Model, e: &Equations) -> Vec<Pattern> {
    let of = |name, about, m: &Sparse| {
        let (starts, indices) = m.pattern();
        Pattern { name, about, rows: m.rows, cols: m.cols, starts, indices }
    };
    let (s, o) = (&e.sensitivities, &e.observed);
    let by_parameter = &e.start_partials.parameters;
    let mut all = vec![
        of("MASS", "pattern of the lower triangle of M", &e.dynamics.mass),
        of("JACOBIAN", "pattern of G", &e.constraints.jacobian),
        of("TANGENT", "pattern of the bordered tangent", &e.tangent.matrix),
        of("FORCE_BY_INPUT", "pattern of B = −∂(r, s)/∂u, rows in the order (v, z)", &s.inputs),
        of("RESIDUAL_BY_PARAMETER", "pattern of P = ∂(r, s)/∂p, rows in the order (v, z)", &s.parameters),
        of("CONSTRAINT_BY_PARAMETER", "pattern of ∂Φ/∂p", &s.constraint_parameters),
        of("PARTIALS", "pattern of ∂(r, s, Φ, Φ̇, Φ̈)/∂(q, v, a, z, λ, u, t)", &e.partials.states),
        of("PARTIALS_BY_PARAMETER", "pattern of ∂(r, s, Φ, Φ̇, Φ̈)/∂p", &e.partials.parameters),
        of("MOMENTUM_PARTIALS", "pattern of ∂(Ṁ v)/∂(q, v, t)", &e.momenta.states),
        of("MOMENTUM_PARTIALS_BY_PARAMETER", "pattern of ∂(Ṁ v)/∂p", &e.momenta.parameters),
        of("EVENT_PARTIALS", "pattern of ∂(guards, changes)/∂(q, v, z, u, t)", &e.event_partials.states),
        of("EVENT_PARTIALS_BY_PARAMETER", "pattern of ∂(guards, changes)/∂p", &e.event_partials.parameters),
        of("START_PARTIALS", "pattern of ∂(conditions, their Jacobians)/∂(q, v, t)", &e.start_partials.states),
        of("START_PARTIALS_BY_PARAMETER", "pattern of ∂(conditions, their Jacobians, q, v, z)/∂p", by_parameter),
        of("ALGEBRAIC_JACOBIAN", "pattern of ∂F/∂y by algebraic variables", &e.states.law_jacobian),
        of("OUTPUT_JACOBIAN", "pattern of ∂y/∂(q, v, z, a, ż, λ, u, p)", &o.outputs.jacobian),
        of("LIMIT_JACOBIAN", "pattern of ∂h/∂(q, v, z, u)", &o.limits.jacobian),
        of("COST_GRADIENT", "pattern of ∂cost/∂(q, v, z, u)", &o.costs.jacobian),
        of("COST_BY_PARAMETER", "pattern of ∂cost/∂p", &o.costs_by_parameter),
    ];
    if !o.fits.values.is_empty() {
        all.push(of("RESIDUALS_JACOBIAN", "pattern of ∂e/∂(q, v, z, u)", &o.fits.jacobian));
    }
    if let Some(hessian) = &e.products.hessian {
        let about = "pattern of the lower triangle of ∂²(w·(r, s, Φ))/∂(q, v, z, a, ż, λ, u, p)²";
        all.push(of("HESSIAN", about, hessian));
    }
    if !e.kinematics.matrix.entries.is_empty() {
        all.push(of("KINEMATICS", "pattern of N", &e.kinematics.matrix));
        all.push(of("QDOT_BY_POSITION", "pattern of ∂(N v)/∂q", &e.kinematics.jacobian));
    }
    all.push(of("INIT_POSITION", "pattern of ∂(exact conditions on positions)/∂q", &e.starts.position.jacobian));
    all.push(of("INIT_VELOCITY", "pattern of ∂(exact conditions on velocities)/∂v", &e.starts.velocity.jacobian));
    let nv = model.nv();
    let square = |name, about, places: &[(usize, usize)]| {
        let (starts, indices) = pattern(nv, places.iter().copied());
        Pattern { name, about, rows: nv, cols: nv, starts, indices }
    };
    all.push(square("STIFFNESS", "pattern of K", &e.tangent.stiffness));
    all.push(square("DAMPING", "pattern of D", &e.tangent.damping));
    all
}
