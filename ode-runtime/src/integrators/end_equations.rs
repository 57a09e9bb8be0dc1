//! The equations of the end of a step, index 3, shared by backward Euler, BDF 2 and generalised-α.
//!
//! Each method gives v, z and the step from qₙ as a formula affine in its unknown, with [`Weights`] as slopes. First
//! guess, iterations, the a and λ of states, and the memory are common.

use crate::error::{Cause, Level};
use crate::integrators::method::Proposal;
use crate::integrators::{Multipliers, Slopes};
use crate::model::history::{History, Parts};
use crate::model::input::Inputs;
use crate::model::linearize::{Linearize, Weights};
use crate::model::state::{State, copy};
use crate::numbers::scalar::Scalar;
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;
use crate::solve::{Newton, Tangent, TangentPoint, add};

/// v̇, ż and λ of the scheme at the last state, where iterations begin, and the origin of their matrix.
#[derive(Clone, Debug)]
pub struct Ended<S: Solvable> {
    pub(super) own: Slopes<S>,
    pub(super) kept: TangentPoint<S>,
}

impl<S: Solvable> Ended<S> {
    /// Those of a run that begins at `x`.
    pub(super) fn at(system: &S, x: &State<S>) -> Self {
        let mut own = Slopes::zeros(system);
        own.take(system, x);
        Self { own, kept: TangentPoint::none(system) }
    }
}

impl<S: Solvable> History<S::Real> for Ended<S> {
    fn visit(&mut self, parts: &mut dyn Parts<S::Real>) {
        self.own.visit(parts);
        self.kept.visit(parts);
    }
}

/// Scratch: the equations of the end, and the scheme's own rates there.
#[derive(Debug)]
pub struct EndEquations<S: Solvable + Linearize> {
    pub(super) own: Slopes<S>,
    pub(super) tangent: Tangent<S>,
}

impl<S: Solvable + Linearize> EndEquations<S> {
    pub(super) fn new(system: &S) -> Self {
        Self { own: Slopes::zeros(system), tangent: Tangent::new(system) }
    }

    /// Begins with `next` equal to `x`, except v̇ (in models of first order v), ż and λ: these are the scheme's.
    #[inline]
    pub(super) fn begin(system: &S, x: &State<S>, own: &Slopes<S>, h: S::Real, next: &mut State<S>) {
        next.copy_from(x);
        next.t += h;
        copy(&own.a, if system.layout().first_order() { &mut next.v } else { &mut next.a });
        copy(&own.zdot, &mut next.zdot);
        copy(&own.lambda, &mut next.lambda);
    }

    /// Moves `to` from `from` by the sum of `terms`, each a factor and a velocity.
    #[inline]
    pub(super) fn step(&mut self, system: &S, from: &S::Q, terms: &[(S::Real, &S::V)], to: &mut S::Q) {
        let step = &mut self.tangent.step;
        step.as_mut().fill(S::Real::ZERO);
        for (factor, velocity) in terms {
            add(step.as_mut(), *factor, velocity.as_ref());
        }
        system.retract(from, step, to);
    }

    /// Iterates from the first guess in the proposal.
    pub(super) fn solve<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        limits: &Newton<S::Real>,
        weights: Weights<S::Real>,
        (x, kept): (&State<S>, &TangentPoint<S>),
        next: &mut State<S>,
    ) -> Result<(), Cause> {
        self.tangent.solve(cx, limits, Level::Position, weights, &x.q, Some(kept), next)
    }

    /// Stores the rates of the scheme, and writes the chosen a and λ to the proposal.
    pub(super) fn finish<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        multipliers: Multipliers,
        next: &mut Proposal<S>,
    ) -> Result<(), Cause> {
        if cx.system.layout().first_order() {
            next.x.a.as_mut().fill(S::Real::ZERO);
        }
        self.own.take(cx.system, &next.x);
        multipliers.complete(cx, next)
    }

    /// Takes into the memory what the step leaves.
    pub(super) fn remember(&self, m: &mut Ended<S>) {
        m.own.copy_from(&self.own);
        m.kept.copy_from(&self.tangent.point);
    }
}
