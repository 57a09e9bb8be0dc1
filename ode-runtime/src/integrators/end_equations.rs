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
use crate::variation::{Chain, Controls, Ending, RateVariation, Solved, StateVariation};

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

/// What the end of a step varies by. Until its equations are solved, what is known of it, apart from their unknowns.
pub(super) struct EndVaried<S: Solvable + Sensitive, C: Chain<S>> {
    /// until then, q is that of the step's beginning
    pub(super) x: StateVariation<S, C>,
    /// the step from qₙ
    pub(super) step: C::V,
    /// what is known of a and ż, unless they are the unknowns alone
    pub(super) rates: Option<(C::V, C::Z)>,
    /// the unknowns, in the frames that the step carries along; after [`EndEquations::slopes`] those of the scheme
    pub(super) found: RateVariation<S, C>,
    pub(super) spin: Option<C::V>,
}

impl<S: Solvable + Sensitive, C: Chain<S>> EndVaried<S, C> {
    /// What is known: the state, apart from its unknowns, and the step from qₙ.
    pub(super) fn begin(system: &S, chain: &mut C, x: StateVariation<S, C>, step: C::V) -> Self {
        Self { x, step, rates: None, found: chain.unknown(system), spin: None }
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

    /// Adds what the unknowns of the end vary by.
    pub(super) fn vary<C: Chain<S>, U: Controls<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        made: &State<S>,
        weights: Weights<S::Real>,
        chain: &mut C,
        of: &mut EndVaried<S, C>,
    ) -> Result<(), Cause>
    where
        S: Sensitive,
    {
        let (system, one, zero) = (cx.system, S::Real::ONE, S::Real::ZERO);
        let (step, end) = (&self.tangent.step, self.end(system, made));
        let carried = chain.retract(system, step, &of.x.q, &of.step);
        let turned = carried.spin.is_some().then(|| {
            let mut v = of.x.v.clone();
            chain.align(system, one, &end.v, &carried.spin, &mut v);
            let (mut a, zdot) = match &of.rates {
                Some(rates) => rates.clone(),
                None => (chain.scale(zero, &of.x.v), chain.scale_z(zero, &of.x.z)),
            };
            chain.align(system, one, &end.a, &carried.spin, &mut a);
            (v, (a, zdot))
        });
        let (v, rates) = match &turned {
            Some((v, rates)) => (v, Some(rates)),
            None => (&of.x.v, of.rates.as_ref()),
        };
        let at = Ending { x: &end, step, weights, level: Level::Position };
        chain.ending(cx, at, (&carried.q, v, &of.x.z), rates, &mut of.found)?;
        self.reach(system, &end, weights, chain, of);
        Ok(())
    }

    /// The end, with the slopes of the scheme.
    pub(super) fn end(&self, system: &S, made: &State<S>) -> State<S> {
        let mut end = made.clone();
        copy(&self.own.a, if system.layout().first_order() { &mut end.v } else { &mut end.a });
        copy(&self.own.zdot, &mut end.zdot);
        copy(&self.own.lambda, &mut end.lambda);
        end
    }

    /// Adds to q, v and z what the unknowns vary by.
    pub(super) fn reach<C: Chain<S>>(
        &self,
        system: &S,
        end: &State<S>,
        weights: Weights<S::Real>,
        chain: &mut C,
        of: &mut EndVaried<S, C>,
    ) where
        S: Sensitive,
    {
        chain.add(&mut of.step, weights.position, &of.found.a);
        let moved = chain.retract(system, &self.tangent.step, &of.x.q, &of.step);
        of.x.q = moved.q;
        chain.add(&mut of.x.v, weights.velocity, &of.found.a);
        chain.add_z(&mut of.x.z, weights.state, &of.found.zdot);
        if moved.spin.is_some() {
            chain.align(system, S::Real::ONE, &end.v, &moved.spin, &mut of.x.v);
            of.spin = moved.spin;
        }
    }

    /// Makes of the unknowns the slopes of the scheme.
    pub(super) fn slopes<C: Chain<S>>(
        &self,
        system: &S,
        weights: Weights<S::Real>,
        chain: &mut C,
        EndVaried { x, rates, found, spin, .. }: &mut EndVaried<S, C>,
    ) where
        S: Sensitive,
    {
        let Solved { a, zdot, .. } = found;
        match rates.take() {
            Some((mut own, mut own_z)) => {
                chain.add(&mut own, weights.rates, a);
                chain.add_z(&mut own_z, weights.rates, zdot);
                (*a, *zdot) = (own, own_z);
            }
            None if weights.rates == S::Real::ONE => {}
            None => (*a, *zdot) = (chain.scale(weights.rates, a), chain.scale_z(weights.rates, zdot)),
        }
        if system.layout().first_order() {
            *a = x.v.clone();
        } else {
            chain.align(system, S::Real::ONE, &self.own.a, spin, a);
        }
        chain.still(system, zdot);
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
