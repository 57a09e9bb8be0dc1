//! The recursion in variations.

use super::{GeneralizedAlpha, Past, Scratch};
use crate::error::Cause;
use crate::integrators::First;
use crate::integrators::end_equations::EndVaried;
use crate::integrators::scheme::Scheme;
use crate::integrators::vary::{Stepped, Vary, settle};
use crate::model::layout::Order;
use crate::model::sensitive::Sensitive;
use crate::model::state::{State, copy};
use crate::numbers::scalar::Scalar;
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;
use crate::variation::{Chain, Controls, Part, Remembered, See, StateVariation, Varied};

/// δ of v̇ and ż, or of their auxiliaries.
struct Slope<S: Solvable + Sensitive, C: Chain<S>> {
    a: C::V,
    zdot: C::Z,
}

/// The slopes at the last state, and their auxiliaries.
pub struct PastVariation<S: Solvable + Sensitive, C: Chain<S>> {
    own: Slope<S, C>,
    auxiliary: Slope<S, C>,
}

/// Factors of the last slopes and of their auxiliaries: all that is known of a step is made of these two.
#[derive(Clone, Copy)]
struct Share<T>([T; 2]);

impl<T: Scalar> Share<T> {
    /// s x + t y
    fn of(s: T, Self([x, auxiliary]): Self, t: T, Self([y, other]): Self) -> Self {
        Self([s * x + t * y, s * auxiliary + t * other])
    }
}

impl<S: Solvable + Sensitive, C: Chain<S>> PastVariation<S, C> {
    /// s x, and a share of these
    fn add(&self, chain: &mut C, x: (S::Real, &C::V), Share([s, t]): Share<S::Real>) -> C::V {
        chain.combine(x, [(s, &self.own.a), (t, &self.auxiliary.a)])
    }

    fn add_z(&self, chain: &mut C, y: &mut C::Z, Share([s, t]): Share<S::Real>) {
        chain.add_z(y, s, &self.own.zdot);
        chain.add_z(y, t, &self.auxiliary.zdot);
    }
}

impl<S: Solvable + Sensitive, C: Chain<S>> Remembered<S, C> for PastVariation<S, C> {
    fn nothing(chain: &mut C, _system: &S, at: &StateVariation<S, C>) -> Self {
        let zero = S::Real::ZERO;
        let mut slope = || Slope { a: chain.scale(zero, &at.v), zdot: chain.scale_z(zero, &at.z) };
        Self { own: slope(), auxiliary: slope() }
    }

    fn visit(&self, see: See<'_, C::V, C::Z, C::L>) {
        for Slope { a, zdot } in [&self.own, &self.auxiliary] {
            see(Part::V(a));
            see(Part::Z(zdot));
        }
    }
}

impl<S: Solvable + Sensitive> Vary<S> for GeneralizedAlpha<S::Real> {
    type Varied<C: Chain<S>> = PastVariation<S, C>;

    fn begin<C: Chain<S>, U: Controls<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        x: &State<S>,
        chain: &mut C,
        at: &mut StateVariation<S, C>,
    ) -> Result<PastVariation<S, C>, Cause> {
        let rates = settle(cx, x, chain, at)?;
        let a = if cx.system.layout().first_order() { chain.scale(S::Real::ONE, &at.v) } else { rates.a };
        let own = Slope { a, zdot: rates.zdot };
        let share = if self.first == First::Zero { S::Real::ZERO } else { S::Real::ONE };
        let auxiliary = Slope { a: chain.scale(share, &own.a), zdot: chain.scale_z(share, &own.zdot) };
        Ok(PastVariation { own, auxiliary })
    }

    fn recall(&self, system: &S, from: &State<S>, (to, m): (&State<S>, &Past<S>), w: &mut Scratch<S>) -> bool {
        copy(&m.auxiliary.a, &mut w.next.a);
        w.end.recall(system, from, (to, &m.last))
    }

    fn vary<C: Chain<S>, U: Controls<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        (_x, m): (&State<S>, &Past<S>),
        h: S::Real,
        (made, w): (&State<S>, &mut Scratch<S>),
        chain: &mut C,
        (at, memory): (&StateVariation<S, C>, &PastVariation<S, C>),
    ) -> Result<Stepped<S, C, PastVariation<S, C>>, Cause> {
        let (system, one, zero, half) = (cx.system, S::Real::ONE, S::Real::ZERO, S::Real::from_f64(0.5));
        let (rule, kept) = self.shared(m.auxiliary.h.map(|before| h / before));
        let (scale, share) = ((one - rule.alpha_m).recip(), rule.share());
        let (own, old) = (Share([one, zero]), Share([one - kept, kept]));
        let fixed = Share::of(rule.alpha_f * scale, own, -rule.alpha_m * scale, old);
        let first = Share::of(h * (one - rule.gamma), old, h * rule.gamma, fixed);
        let order = system.layout().order;
        let mut z = chain.scale_z(one, &at.z);
        memory.add_z(chain, &mut z, first);
        let weights = rule.weights(order, h);
        let mut end = match order {
            Order::Second => {
                let second = Share::of(h * h * (half - rule.beta), old, h * h * rule.beta, fixed);
                let x = Varied { q: at.q.clone(), v: memory.add(chain, (one, &at.v), first), z };
                let step = memory.add(chain, (h, &at.v), second);
                EndVaried::begin(system, chain, x, step)
            }
            Order::First => {
                let x = Varied { q: at.q.clone(), v: chain.scale(zero, &at.v), z };
                let step = memory.add(chain, (zero, &at.v), first);
                EndVaried::begin(system, chain, x, step)
            }
        };
        w.end.vary(cx, made, weights, chain, &mut end)?;
        // rescaled to the shift of this rule, as the memory is
        let ratio = one + self.shift() - rule.shift();
        let new = Share::of(one - ratio, own, ratio, fixed);
        let mut a = memory.add(chain, (ratio * share, &end.found.a), new);
        chain.align(system, one, &w.next.a, &end.spin, &mut a);
        let mut zdot = chain.scale_z(ratio * share, &end.found.zdot);
        memory.add_z(chain, &mut zdot, new);
        let auxiliary = Slope { a, zdot };
        w.end.slopes(system, weights, chain, &mut end);
        let rates = self.multipliers.own(cx.system, chain, &end.found);
        let own = Slope { a: end.found.a, zdot: end.found.zdot };
        Ok(Stepped { x: end.x, rates, memory: PastVariation { own, auxiliary } })
    }
}
