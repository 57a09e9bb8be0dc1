//! The scheme in variations.

use super::{BackwardEuler, Implicit, linearized};
use crate::error::Cause;
use crate::integrators::end_equations::{EndEquations, EndVaried, Ended};
use crate::integrators::scheme::Scheme;
use crate::integrators::vary::{Stepped, Vary, settle};
use crate::model::sensitive::Sensitive;
use crate::model::state::State;
use crate::numbers::scalar::Scalar;
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;
use crate::variation::{Chain, Controls, RateVariation, Remembered, StateVariation, Varied};

impl<S: Solvable + Sensitive> Vary<S> for BackwardEuler<S::Real> {
    type Varied<C: Chain<S>> = RateVariation<S, C>;

    fn begin<C: Chain<S>, U: Controls<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        x: &State<S>,
        chain: &mut C,
        at: &mut StateVariation<S, C>,
    ) -> Result<RateVariation<S, C>, Cause> {
        match self.solve {
            // iterations begin at what is remembered, but do not end there
            Implicit::Newton(_) => Ok(Remembered::nothing(chain, cx.system, at)),
            Implicit::Linearized { .. } => {
                let mut own = settle(cx, x, chain, at)?;
                if cx.system.layout().first_order() {
                    own.a = at.v.clone();
                }
                Ok(own)
            }
        }
    }

    fn recall(&self, system: &S, from: &State<S>, to: (&State<S>, &Ended<S>), w: &mut EndEquations<S>) -> bool {
        // the increments of a linearised step are not in its ends
        matches!(self.solve, Implicit::Newton(_)) && w.recall(system, from, to)
    }

    fn vary<C: Chain<S>, U: Controls<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        from: (&State<S>, &Ended<S>),
        h: S::Real,
        (made, w): (&State<S>, &mut EndEquations<S>),
        chain: &mut C,
        (at, memory): (&StateVariation<S, C>, &RateVariation<S, C>),
    ) -> Result<Stepped<S, C, RateVariation<S, C>>, Cause> {
        let (system, zero, back) = (cx.system, S::Real::ZERO, -h.recip());
        let x = Varied { q: at.q.clone(), v: chain.scale(zero, &at.v), z: chain.scale_z(zero, &at.z) };
        let still = chain.scale(zero, &at.q);
        let mut end = EndVaried::begin(system, chain, x, still);
        end.rates = Some((chain.scale(back, &at.v), chain.scale_z(back, &at.z)));
        let weights = self.weights(system.layout().order, h);
        let shown = match self.solve {
            Implicit::Newton(_) => {
                w.vary(cx, made, weights, chain, &mut end)?;
                self.multipliers
            }
            Implicit::Linearized { recovery } => {
                linearized::vary(cx, w, (weights, recovery), from, chain, (at, memory), &mut end)?;
                w.reach(system, &w.end(system, made), weights, chain, &mut end);
                self.multipliers.linearized(system)
            }
        };
        w.slopes(system, weights, chain, &mut end);
        let rates = shown.own(system, chain, &end.found);
        Ok(Stepped { x: end.x, rates, memory: end.found })
    }
}
