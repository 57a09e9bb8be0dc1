//! The point where Newton's matrix was evaluated. It is stored instead of the factors, which follow from it.

use crate::model::history::{History, Parts};
use crate::model::layout::Block;
use crate::model::linearize::Weights;
use crate::model::state::{State, copy};
use crate::model::system::System;
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::solvable::Solvable;

/// Everything that determines a weighted tangent. Evaluated again, it and its factors are the same to the bit.
#[derive(Clone, Debug)]
pub(crate) struct TangentPoint<S: System> {
    /// whether there is one
    pub(super) known: bool,
    pub(super) x: State<S>,
    pub(super) u: S::U,
    pub(super) step: S::V,
    pub(super) weights: Weights<S::Real>,
}

impl<S: Solvable> TangentPoint<S> {
    /// No matrix yet.
    pub(crate) fn none(system: &S) -> Self {
        let (layout, zero) = (system.layout(), S::Real::ZERO);
        Self {
            known: false,
            x: State::neutral(system),
            u: Block::zeros(layout.u.len()),
            step: Block::zeros(layout.v.len()),
            weights: Weights { rates: zero, velocity: zero, position: zero, state: zero },
        }
    }

    /// There are no factors of it any more.
    pub(super) fn forget(&mut self) {
        self.known = false;
    }

    /// Takes note of a matrix.
    pub(super) fn stand_at(&mut self, x: &State<S>, u: &S::U, step: &S::V, weights: Weights<S::Real>) {
        self.known = true;
        self.x.copy_from(x);
        copy(u, &mut self.u);
        copy(step, &mut self.step);
        self.weights = weights;
    }

    /// Takes the values of `other` without allocating.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        if other.known {
            self.stand_at(&other.x, &other.u, &other.step, other.weights);
        }
        self.known = other.known;
    }

    /// Whether its matrix is close enough to one with these weights: a change of the step by a tenth gives a
    /// convergence rate of about 0.2.
    pub(super) fn serves(&self, weights: &Weights<S::Real>) -> bool {
        let Weights { rates, velocity, position, state } = self.weights;
        let ratio = weights.rates / rates;
        let near = |old: S::Real, new: S::Real| (new - old * ratio).abs() <= S::Real::from_f64(0.1) * new.abs();
        self.known && near(velocity, weights.velocity) && near(position, weights.position) && near(state, weights.state)
    }
}

impl<S: Solvable> PartialEq for TangentPoint<S> {
    fn eq(&self, o: &Self) -> bool {
        self.known == o.known
            && (!self.known || self.weights == o.weights && self.x == o.x && self.u == o.u && self.step == o.step)
    }
}

impl<S: Solvable> History<S::Real> for TangentPoint<S> {
    fn visit(&mut self, parts: &mut dyn Parts<S::Real>) {
        let Self { known, x, u, step, weights } = self;
        let mut count = u64::from(*known);
        parts.count("whether a matrix is kept", &mut count);
        *known = count != 0;
        let State { t, q, v, z, a, zdot, lambda, modes } = x;
        let mut time = [*t];
        parts.numbers("time of the matrix", &mut time);
        [*t] = time;
        parts.numbers("coordinates of the matrix", q.as_mut());
        parts.numbers("velocities of the matrix", v.as_mut());
        parts.numbers("states of the matrix", z.as_mut());
        parts.numbers("accelerations of the matrix", a.as_mut());
        parts.numbers("rates of the matrix", zdot.as_mut());
        parts.numbers("multipliers of the matrix", lambda.as_mut());
        parts.numbers("modes of the matrix", modes.as_mut());
        parts.numbers("inputs of the matrix", u.as_mut());
        parts.numbers("step of the matrix", step.as_mut());
        let Weights { rates, velocity, position, state } = *weights;
        let mut numbers = [rates, velocity, position, state];
        parts.numbers("weights of the matrix", &mut numbers);
        let [rates, velocity, position, state] = numbers;
        *weights = Weights { rates, velocity, position, state };
    }
}
