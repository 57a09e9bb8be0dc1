//! The nearest point on the constraints, where redundant rows are exactly dependent.
//!
//! At an offset δ such rows differ in direction by κ δ, where G changes by κ per length. Solved there, they would
//! over-constrain the motion. A solver knows δ, but not κ. Stages of explicit methods are off by about the square of
//! the step. So the rank is decided at the nearest point with Φ = 0, with the factors of [M Gᵀ; G 0] there, and the
//! equations at the actual point are solved by corrections with these factors: P (G a + γ) = 0 with P onto the
//! independent rows, which keeps Φ̈ = 0. Evaluating everything at the nearest point would be a vector field of the same
//! order, but its drift grows exponentially.

use crate::linalg::Saddle;
use crate::model::layout::{Block, Layout};
use crate::model::state::copy;
use crate::model::system::{At, Constraint};
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::factors::{size, told};
use crate::solve::norm;
use crate::solve::solvable::Solvable;

/// Newton steps to the point. When Φ no longer falls by half in a step, the last point counts as the nearest.
const ROUNDS: u32 = 12;

/// Room to look for it.
#[derive(Debug)]
pub(crate) struct Nearest<S: Solvable> {
    q: S::Q,
    next: S::Q,
    step: S::V,
    y: S::L,
    constraint: Constraint<S>,
}

impl<S: Solvable> Nearest<S> {
    pub(crate) fn new(layout: &Layout<'_>) -> Self {
        let q = S::Q::zeros(layout.q.len());
        Self {
            next: q.clone(),
            q,
            step: Block::zeros(layout.v.len()),
            y: Block::zeros(layout.constraints.len()),
            constraint: Constraint::zeros(layout),
        }
    }

    /// Tells `saddle` how far `at` is off, and returns it: [`crate::solve::tolerate`].
    pub(crate) fn tolerate(&mut self, system: &S, at: At<'_, S>, saddle: &mut S::Saddle) -> S::Real {
        told(system, at, saddle, &mut self.constraint)
    }

    /// Leaves in `saddle` the factors of the point nearest to `at`, in the metric of `mass`. False if `at` itself is
    /// such a point, or if none was found.
    pub(crate) fn factorize(&mut self, system: &S, at: At<'_, S>, mass: &S::Mass, saddle: &mut S::Saddle) -> bool {
        let (layout, round_off) = (system.layout(), S::Real::from_f64(16.0) * S::Real::EPSILON);
        let (mut first, mut before) = (S::Real::INFINITY, S::Real::INFINITY);
        copy(at.q, &mut self.q);
        for round in 0..=ROUNDS {
            let Self { q, next, step, y, constraint } = self;
            system.constraint(At { q, ..at }, constraint);
            let phi = norm(constraint.phi.as_ref()) / size(q);
            if round == 0 {
                first = phi;
            }
            let arrived = phi <= round_off;
            let stays = !(phi < S::Real::from_f64(0.5) * before);
            if round == 0 && arrived || !phi.is_finite() {
                return false;
            }
            saddle.tolerate(constraint.phi.as_ref(), size(q));
            if saddle.factorize(&layout, mass.as_ref(), constraint.jacobian.as_ref()).is_err() {
                return false;
            }
            if arrived || stays {
                return phi <= S::Real::from_f64(1e-3) * first;
            }
            before = phi;
            step.as_mut().fill(S::Real::ZERO);
            y.as_mut().iter_mut().zip(constraint.phi.as_ref()).for_each(|(y, &phi)| *y = -phi);
            saddle.solve(step.as_mut(), y.as_mut());
            system.retract(q, step, next);
            copy(next, q);
        }
        false
    }
}
