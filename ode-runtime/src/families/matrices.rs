//! Matrices of a model with families, as values.

use std::vec::Vec;

use sprs::CsMat;

use crate::families::composite::Composite;
use crate::linalg::{cut, mirrored};
use crate::model::linearize::{Linearize, Weights};
use crate::model::system::{At, Constraint, Forward, Rates};
use crate::numbers::scalar::Scalar;

/// M, nv × nv.
pub fn mass<S: Composite>(system: &S, at: At<'_, S>) -> CsMat<S::Real> {
    mirrored(system.layout().mass, &Forward::of(system, at).mass)
}

/// f, nv.
pub fn force<S: Composite>(system: &S, at: At<'_, S>) -> Vec<S::Real> {
    Forward::of(system, at).force
}

/// K = ∂r/∂q, nv × nv.
pub fn stiffness<S: Composite + Linearize>(system: &S, at: At<'_, S>, rates: Rates<'_, S>) -> CsMat<S::Real> {
    weighted(system, at, rates, Weights::POSITION)
}

/// D = ∂r/∂v, nv × nv.
pub fn damping<S: Composite + Linearize>(system: &S, at: At<'_, S>, rates: Rates<'_, S>) -> CsMat<S::Real> {
    weighted(system, at, rates, Weights::VELOCITY)
}

fn weighted<S: Composite + Linearize>(
    system: &S,
    at: At<'_, S>,
    rates: Rates<'_, S>,
    weights: Weights<S::Real>,
) -> CsMat<S::Real> {
    let (layout, out) = (system.layout(), weights.tangent(system, at, rates));
    let all = 0..layout.v.len();
    cut(layout.tangent, out.as_ref(), all.clone(), all, S::Real::ONE)
}

/// G, nc × nv.
pub fn constraint_jacobian<S: Composite>(system: &S, at: At<'_, S>) -> CsMat<S::Real> {
    let (layout, of) = (system.layout(), Constraint::of(system, at));
    cut(layout.jacobian, &of.jacobian, 0..layout.constraints.len(), 0..layout.v.len(), S::Real::ONE)
}

/// Φ, nc.
pub fn constraint_values<S: Composite>(system: &S, at: At<'_, S>) -> Vec<S::Real> {
    Constraint::of(system, at).phi
}
