//! Matrices of a model with families, as values.

use std::vec::Vec;

use sprs::CsMat;

use crate::families::composite::Composite;
use crate::families::evaluate::{constraint, forward};
use crate::families::owned::tangent;
use crate::linalg::{cut, mirrored};
use crate::model::layout::Block;
use crate::model::linearize::Weights;
use crate::model::system::{At, Constraint, Forward, Rates, Residual};
use crate::numbers::scalar::Scalar;

/// M, nv × nv.
pub fn mass<S: Composite>(system: &S, at: At<'_, S>) -> CsMat<S::Real> {
    mirrored(system.layout().mass, &evaluated(system, at).mass)
}

/// f, nv.
pub fn force<S: Composite>(system: &S, at: At<'_, S>) -> Vec<S::Real> {
    evaluated(system, at).force
}

fn evaluated<S: Composite>(system: &S, at: At<'_, S>) -> Forward<S> {
    let mut out = Forward::zeros(&system.layout());
    forward(system, at, &mut out);
    out
}

/// K = ∂r/∂q, nv × nv.
pub fn stiffness<S: Composite>(system: &S, at: At<'_, S>, rates: Rates<'_, S>) -> CsMat<S::Real> {
    weighted(system, at, rates, S::Real::ZERO, S::Real::ONE)
}

/// D = ∂r/∂v, nv × nv.
pub fn damping<S: Composite>(system: &S, at: At<'_, S>, rates: Rates<'_, S>) -> CsMat<S::Real> {
    weighted(system, at, rates, S::Real::ONE, S::Real::ZERO)
}

fn weighted<S: Composite>(
    system: &S,
    at: At<'_, S>,
    rates: Rates<'_, S>,
    velocity: S::Real,
    position: S::Real,
) -> CsMat<S::Real> {
    let (layout, zero) = (system.layout(), S::Real::ZERO);
    let weights = Weights { rates: zero, velocity, position, state: zero };
    let (mut residual, step) = (Residual::zeros(&layout), Block::zeros(layout.v.len()));
    let mut out = std::vec![zero; layout.tangent.nnz()];
    tangent(system, at, rates, weights, &step, &mut residual, &mut out);
    let all = 0..layout.v.len();
    cut(layout.tangent, &out, all.clone(), all, S::Real::ONE)
}

/// G, nc × nv.
pub fn constraint_jacobian<S: Composite>(system: &S, at: At<'_, S>) -> CsMat<S::Real> {
    let (layout, of) = (system.layout(), constrained(system, at));
    cut(layout.jacobian, &of.jacobian, 0..layout.constraints.len(), 0..layout.v.len(), S::Real::ONE)
}

/// Φ, nc.
pub fn constraint_values<S: Composite>(system: &S, at: At<'_, S>) -> Vec<S::Real> {
    constrained(system, at).phi
}

fn constrained<S: Composite>(system: &S, at: At<'_, S>) -> Constraint<S> {
    let mut out = Constraint::zeros(&system.layout());
    constraint(system, at, &mut out);
    out
}
