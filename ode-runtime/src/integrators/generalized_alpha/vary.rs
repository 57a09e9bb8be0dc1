//! The recursion in variations.

use super::{GeneralizedAlpha, Past, Scratch};
use crate::error::Cause;
use crate::integrators::First;
use crate::integrators::end_equations::Known;
use crate::integrators::scheme::Scheme;
use crate::integrators::vary::{Stepped, Vary, settle};
use crate::model::layout::Order;
use crate::model::sensitive::Sensitive;
use crate::model::state::State;
use crate::numbers::scalar::Scalar;
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;
use crate::variation::{Chain, Controls, Part, Remembered, StateVariation};

/// δ of v̇ and ż, or of their auxiliaries.
struct Slope<S: Solvable + Sensitive, C: Chain<S>> {
    a: C::V,
    zdot: C::Z,
}

/// The slopes at the last state, and their auxiliaries.
pub struct Rates<S: Solvable + Sensitive, C: Chain<S>> {
    own: Slope<S, C>,
    auxiliary: Slope<S, C>,
}

/// Σ sᵢ xᵢ
fn sum<S: Solvable + Sensitive, C: Chain<S>>(chain: &mut C, terms: [(S::Real, &Slope<S, C>); 2]) -> Slope<S, C> {
    let [(s, x), (t, y)] = terms;
    let mut sum = Slope { a: chain.scale(s, &x.a), zdot: chain.scale_z(s, &x.zdot) };
    chain.add(&mut sum.a, t, &y.a);
    chain.add_z(&mut sum.zdot, t, &y.zdot);
    sum
}

impl<S: Solvable + Sensitive, C: Chain<S>> Remembered<S, C> for Rates<S, C> {
    fn nothing(chain: &mut C, at: &StateVariation<S, C>) -> Self {
        let zero = S::Real::ZERO;
        let mut slope = || Slope { a: chain.scale(zero, &at.v), zdot: chain.scale_z(zero, &at.z) };
        Self { own: slope(), auxiliary: slope() }
    }

    fn visit(&self, see: &mut dyn FnMut(Part<&C::V, &C::Z>)) {
        for Slope { a, zdot } in [&self.own, &self.auxiliary] {
            see(Part::V(a));
            see(Part::Z(zdot));
        }
    }
}

impl<S: Solvable + Sensitive> Vary<S> for GeneralizedAlpha<S::Real> {
    type Varied<C: Chain<S>> = Rates<S, C>;

    fn begin<C: Chain<S>, U: Controls<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        x: &State<S>,
        chain: &mut C,
        at: &mut StateVariation<S, C>,
    ) -> Result<Rates<S, C>, Cause> {
        let rates = settle(cx, x, chain, at)?;
        let a = if cx.system.layout().first_order() { chain.scale(S::Real::ONE, &at.v) } else { rates.a };
        let own = Slope { a, zdot: rates.zdot };
        let share = if self.first == First::Zero { S::Real::ZERO } else { S::Real::ONE };
        let auxiliary = sum(chain, [(share, &own), (S::Real::ZERO, &own)]);
        Ok(Rates { own, auxiliary })
    }

    fn vary<C: Chain<S>, U: Controls<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        (_x, m): (&State<S>, &Past<S>),
        h: S::Real,
        (made, w): (&State<S>, &mut Scratch<S>),
        chain: &mut C,
        (at, memory): (&StateVariation<S, C>, &Rates<S, C>),
    ) -> Result<Stepped<S, C, Rates<S, C>>, Cause> {
        let (system, one, zero, half) = (cx.system, S::Real::ONE, S::Real::ZERO, S::Real::from_f64(0.5));
        let Rates { own, auxiliary } = memory;
        let (rule, kept) = self.shared(m.auxiliary.h.map(|before| h / before));
        let old = sum(chain, [(one - kept, own), (kept, auxiliary)]);
        let (scale, share) = ((one - rule.alpha_m).recip(), rule.share());
        let fixed = sum(chain, [(rule.alpha_f * scale, own), (-rule.alpha_m * scale, &old)]);
        let order = system.layout().order;
        let first = sum(chain, [(h * (one - rule.gamma), &old), (h * rule.gamma, &fixed)]);
        let mut z = chain.scale_z(one, &at.z);
        chain.add_z(&mut z, one, &first.zdot);
        let known = match order {
            Order::Second => {
                let second = [(h * h * (half - rule.beta), &old), (h * h * rule.beta, &fixed)];
                let mut step = sum(chain, second).a;
                chain.add(&mut step, h, &at.v);
                let mut v = chain.scale(one, &at.v);
                chain.add(&mut v, one, &first.a);
                Known { step, v, z, a: chain.scale(zero, &at.v), zdot: chain.scale_z(zero, &at.z) }
            }
            Order::First => Known {
                step: first.a,
                v: chain.scale(zero, &at.v),
                z,
                a: chain.scale(zero, &at.v),
                zdot: chain.scale_z(zero, &at.z),
            },
        };
        let end = w.end.vary(cx, made, rule.weights(order, h), chain, (&at.q, known))?;
        let unknown = Slope { a: end.unknown, zdot: end.unknown_z };
        let new = sum(chain, [(one, &fixed), (share, &unknown)]);
        // rescaled to the shift of this rule, as the memory is
        let ratio = one + self.shift() - rule.shift();
        let mut auxiliary = sum(chain, [(one - ratio, own), (ratio, &new)]);
        chain.align(system, one, &w.next.a, &end.spin, &mut auxiliary.a);
        let own = Slope { a: chain.scale(one, &end.own.a), zdot: chain.scale_z(one, &end.own.zdot) };
        Ok(Stepped {
            x: end.x,
            rates: self.multipliers.own(cx.system, chain, end.own),
            memory: Rates { own, auxiliary },
        })
    }
}
