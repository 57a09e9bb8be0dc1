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
use crate::model::sensitive::Sensitive;
use crate::model::state::{State, copy};
use crate::numbers::scalar::Scalar;
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;
use crate::solve::{Newton, Tangent, TangentPoint, add};
use crate::variation::{Chain, Controls, Ending, Moved, RateVariation, Solved, StateVariation, Varied};

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

/// What the end of a step varies by, apart from its unknown.
pub(super) struct Known<S: Solvable + Sensitive, C: Chain<S>> {
    /// the step from qₙ
    pub(super) step: C::V,
    pub(super) v: C::V,
    pub(super) z: C::Z,
    pub(super) a: C::V,
    pub(super) zdot: C::Z,
}

/// What the end of a step varies by.
pub(super) struct EndVaried<S: Solvable + Sensitive, C: Chain<S>> {
    pub(super) x: StateVariation<S, C>,
    /// the slopes of the scheme
    pub(super) own: RateVariation<S, C>,
    /// the unknown of the motion, in the frames that the step carries along
    pub(super) unknown: C::V,
    /// that of the states
    pub(super) unknown_z: C::Z,
    pub(super) spin: Option<C::V>,
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
        self.keep(cx.system, &mut next.x);
        multipliers.complete(cx, next)
    }

    /// Stores the rates of the scheme.
    pub(super) fn keep(&mut self, system: &S, next: &mut State<S>) {
        if system.layout().first_order() {
            next.a.as_mut().fill(S::Real::ZERO);
        }
        self.own.take(system, next);
    }

    /// What the end of a step varies by, from what is `known` apart from the unknown.
    pub(super) fn vary<C: Chain<S>, U: Controls<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        made: &State<S>,
        weights: Weights<S::Real>,
        chain: &mut C,
        (q, known): (&C::V, Known<S, C>),
    ) -> Result<EndVaried<S, C>, Cause>
    where
        S: Sensitive,
    {
        let (system, one) = (cx.system, S::Real::ONE);
        let (step, end) = (&self.tangent.step, self.end(system, made));
        let carried = chain.retract(system, step, q, &known.step);
        let (mut v, mut a) = (chain.scale(one, &known.v), chain.scale(one, &known.a));
        chain.align(system, one, &end.v, &carried.spin, &mut v);
        chain.align(system, one, &end.a, &carried.spin, &mut a);
        let at = Ending { x: &end, step, weights, level: Level::Position };
        let x = Varied { q: carried.q, v, z: chain.scale_z(one, &known.z) };
        let found = chain.ending(cx, at, &x, (&a, &known.zdot))?;
        Ok(self.reach(system, &end, weights, chain, (q, known), found))
    }

    /// The end, with the slopes of the scheme.
    pub(super) fn end(&self, system: &S, made: &State<S>) -> State<S> {
        let mut end = made.clone();
        copy(&self.own.a, if system.layout().first_order() { &mut end.v } else { &mut end.a });
        copy(&self.own.zdot, &mut end.zdot);
        copy(&self.own.lambda, &mut end.lambda);
        end
    }

    /// What an end varies by, from what is `known` and what its equations gave for the unknown.
    pub(super) fn reach<C: Chain<S>>(
        &self,
        system: &S,
        end: &State<S>,
        weights: Weights<S::Real>,
        chain: &mut C,
        (q, known): (&C::V, Known<S, C>),
        found: RateVariation<S, C>,
    ) -> EndVaried<S, C>
    where
        S: Sensitive,
    {
        let (one, step) = (S::Real::ONE, &self.tangent.step);
        let Known { step: mut by, v: mut velocity, z: mut state, a: mut acceleration, mut zdot } = known;
        chain.add(&mut by, weights.position, &found.a);
        let Moved { q, spin } = chain.retract(system, step, q, &by);
        chain.add(&mut velocity, weights.velocity, &found.a);
        chain.align(system, one, &end.v, &spin, &mut velocity);
        chain.add(&mut acceleration, weights.rates, &found.a);
        chain.align(system, one, &end.a, &spin, &mut acceleration);
        chain.add_z(&mut state, weights.state, &found.zdot);
        chain.add_z(&mut zdot, weights.rates, &found.zdot);
        chain.still(system, &mut zdot);
        let own = if system.layout().first_order() { chain.scale(one, &velocity) } else { acceleration };
        let own = Solved { a: own, zdot, lambda: found.lambda };
        EndVaried { x: Varied { q, v: velocity, z: state }, own, unknown: found.a, unknown_z: found.zdot, spin }
    }

    /// What a step left here, from its ends; false where a step may be longer than the shortest between them.
    pub(super) fn recall(&mut self, system: &S, from: &State<S>, (to, m): (&State<S>, &Ended<S>)) -> bool
    where
        S: Sensitive,
    {
        self.own.copy_from(&m.own);
        system.local(&from.q, &to.q, &mut self.tangent.step);
        system.turnings().is_empty()
    }

    /// Takes into the memory what the step leaves.
    pub(super) fn remember(&self, m: &mut Ended<S>) {
        m.own.copy_from(&self.own);
        m.kept.copy_from(&self.tangent.point);
    }
}
