//! Inverse dynamics: the forces that a motion takes.
//!
//! ```text
//! τ = M a − f − Gᵀ λ
//! ```
//!
//! at any q, v and a, with given multipliers, or with those that minimise τ in the metric of M⁻¹ (the principle of
//! least constraint: G M⁻¹ τ = 0). If the constraints determine the motion, τ is zero and λ are the forces of drivers
//! and joints.
//!
//! Reference: R. Featherstone, Rigid Body Dynamics Algorithms, §5 and §8.

use crate::error::{Cause, Quantity};
use crate::linalg::{Motion, Saddle};
use crate::model::input::Inputs;
use crate::model::layout::{Block, RowKind};
use crate::model::rotations::enter;
use crate::model::state::{State, finite};
use crate::model::system::{Forward, Residual};
use crate::numbers::scalar::Scalar;
use crate::solve::context::{Context, Work};
use crate::solve::solvable::Solvable;
use crate::solve::{Refinement, factorize, tolerate};

/// τ = M a − f − Gᵀ λ with the a and λ of `x`: the generalised forces that must be added to produce this motion.
///
/// In a model of first order D v − f − Gᵀ λ. Compliant rows too act with the given λ.
///
/// # Errors
/// [`Cause::NonFinite`] naming the coordinate, input or force; [`Cause::NotARotation`].
pub fn inverse_dynamics<S: Solvable, U: Inputs<S>>(system: &S, inputs: &U, x: &State<S>) -> Result<S::V, Cause> {
    let (layout, x) = (system.layout(), x.entered(system)?);
    let (mut work, mut u) = (Work::default(), S::U::zeros(layout.u.len()));
    Context { system, inputs, work: &mut work }.input(x.moment(), &mut u)?;
    let mut residual = Residual::zeros(&layout);
    system.residual(x.at(&u), x.rates(), &mut residual);
    finite(residual.r.as_ref(), Quantity::Force, layout.directions)?;
    Ok(residual.r)
}

/// [`inverse_dynamics`] with the multipliers that minimise τ; they are written to `x`.
///
/// # Errors
/// As for [`inverse_dynamics`]; [`Cause::Dependent`] with the constraints that depend on each other,
/// [`Cause::Inertia`], [`Cause::Inaccurate`].
pub fn least_forces<S: Solvable, U: Inputs<S>>(system: &S, inputs: &U, x: &mut State<S>) -> Result<S::V, Cause> {
    let layout = system.layout();
    enter(system, x.q.as_mut())?;
    let (mut work, mut u) = (Work::default(), S::U::zeros(layout.u.len()));
    Context { system, inputs, work: &mut work }.input(x.moment(), &mut u)?;
    let mut forward = Forward::zeros(&layout);
    system.forward(x.at(&u), &mut forward);
    // Compliant rows have multipliers of their own: −γ.
    for (row, (lambda, &gamma)) in x.lambda.as_mut().iter_mut().zip(forward.gamma.as_ref()).enumerate() {
        *lambda = if layout.kind(row) == RowKind::Compliant { -gamma } else { S::Real::ZERO };
    }
    let force = inverse_dynamics(system, inputs, x)?;
    let mut saddle = S::Saddle::new(&layout);
    let _ = tolerate(system, x.at(&u), &mut saddle);
    factorize(system, &forward.mass, &forward.jacobian, &mut saddle)?;
    let (mass, jacobian) = (forward.mass.as_ref(), forward.jacobian.as_ref());
    let zero = S::L::zeros(layout.constraints.len());
    let (mut w, mut y) = (S::V::zeros(layout.v.len()), zero.clone());
    // M w − Gᵀ y = τ₀, G w = 0: τ₀ + Gᵀ y is least, and λ = −y.
    let motion = Motion { mass, jacobian, force: force.as_ref(), gamma: zero.as_ref() };
    Refinement::new(&layout).solve(system, &mut saddle, motion, &mut w, &mut y)?;
    for (lambda, &y) in x.lambda.as_mut().iter_mut().zip(y.as_ref()) {
        *lambda -= y;
    }
    finite(x.lambda.as_ref(), Quantity::Multiplier, layout.constraints)?;
    inverse_dynamics(system, inputs, x)
}
