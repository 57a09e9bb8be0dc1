//! The three forms in variations.

use super::{Explicit, ImplicitPosition, ImplicitVelocity, SemiExplicitEuler, advance};
use crate::error::{Cause, Level};
#[cfg(feature = "second-order")]
use crate::integrators::explicit_form::ExplicitForm;
use crate::integrators::scheme::Scheme;
use crate::integrators::vary::{Push, Stepped, Vary, remembers_nothing, settle, settle_to};
use crate::model::layout::Block;
use crate::model::sensitive::Sensitive;
use crate::model::state::{State, copy};
use crate::numbers::scalar::Scalar;
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;
use crate::solve::{Tangent, add};
use crate::variation::{Chain, Controls, Ending, Moved, StateVariation, Varied};

impl<S: Solvable + Sensitive> Vary<S> for SemiExplicitEuler<Explicit> {
    remembers_nothing!();

    const MAKES_STAGES: bool = true;

    fn unremembering(&self) -> Option<()> {
        Some(())
    }

    /// q⁺ = q + h v + h² a, v⁺ = v + h a
    #[cfg(feature = "second-order")]
    fn explicit_form(&self) -> Option<ExplicitForm> {
        Some(ExplicitForm::once(1.0, 1.0))
    }

    fn vary<C: Chain<S>, U: Controls<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        (x, ()): (&State<S>, &()),
        h: S::Real,
        _made: (&State<S>, &mut S::V),
        chain: &mut C,
        (at, ()): (&StateVariation<S, C>, &()),
    ) -> Result<Stepped<S, C, ()>, Cause> {
        let (mut at, mut a, mut zdot) = (at.clone(), x.a.clone(), x.zdot.clone());
        let rates = settle_to(cx, x, chain, &mut at, (&mut a, &mut zdot))?;
        let (mut push, mut q) = (Push::from(x), x.q.clone());
        push.step(cx.system, h, (&a, &zdot), (&x.q, &mut q));
        Ok(Stepped { x: push.vary(cx.system, h, chain, &at, (&rates.a, &rates.zdot)), rates: None, memory: () })
    }
}

impl<S: Solvable + Sensitive> Vary<S> for SemiExplicitEuler<ImplicitPosition> {
    type Varied<C: Chain<S>> = ();

    /// The velocities of a first-order model follow from its positions.
    fn begin<C: Chain<S>, U: Controls<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        x: &State<S>,
        chain: &mut C,
        at: &mut StateVariation<S, C>,
    ) -> Result<(), Cause> {
        if cx.system.layout().first_order() {
            settle(cx, x, chain, at)?;
        }
        Ok(())
    }

    fn vary<C: Chain<S>, U: Controls<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        (x, ()): (&State<S>, &()),
        h: S::Real,
        (_made, step): (&State<S>, &mut S::V),
        chain: &mut C,
        (at, ()): (&StateVariation<S, C>, &()),
    ) -> Result<Stepped<S, C, ()>, Cause> {
        let (system, one) = (cx.system, S::Real::ONE);
        let mut next = x.clone();
        next.t += h;
        advance(system, &x.q, h, &x.v, step, &mut next.q);
        let by = chain.scale(h, &at.v);
        let Moved { q, spin } = chain.retract(system, step, &at.q, &by);
        let mut end = Varied { q, v: chain.scale(one, &at.v), z: chain.scale_z(one, &at.z) };
        chain.align(system, one, &x.v, &spin, &mut end.v);
        let rates = settle(cx, &next, chain, &mut end)?;
        chain.add(&mut end.v, h, &rates.a);
        chain.add_z(&mut end.z, h, &rates.zdot);
        Ok(Stepped { x: end, rates: Some(rates), memory: () })
    }
}

impl<S: Solvable + Sensitive> Vary<S> for SemiExplicitEuler<ImplicitVelocity<S::Real>> {
    remembers_nothing!();

    fn vary<C: Chain<S>, U: Controls<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        (x, ()): (&State<S>, &()),
        h: S::Real,
        (made, _tangent): (&State<S>, &mut Tangent<S>),
        chain: &mut C,
        (at, ()): (&StateVariation<S, C>, &()),
    ) -> Result<Stepped<S, C, ()>, Cause> {
        let (system, one, zero, back) = (cx.system, S::Real::ONE, S::Real::ZERO, -h.recip());
        let layout = system.layout();
        // the equations hold where the step begins
        let mut point = made.clone();
        point.t = x.t;
        copy(&x.q, &mut point.q);
        let mut step = S::V::zeros(layout.v.len());
        let at_point =
            Ending { x: &point, step: &step, weights: self.weights(layout.order, h), level: Level::Velocity };
        let known = Varied { q: at.q.clone(), v: chain.scale(zero, &at.v), z: chain.scale_z(zero, &at.z) };
        let rates = (chain.scale(back, &at.v), chain.scale_z(back, &at.z));
        let mut found = chain.unknown(system);
        chain.ending(cx, at_point, (&known.q, &known.v, &known.z), Some(&rates), &mut found)?;
        add(step.as_mut(), h, made.v.as_ref());
        let by = chain.scale(h, &found.a);
        let Moved { q, spin } = chain.retract(system, &step, &at.q, &by);
        let mut v = found.a;
        chain.align(system, one, &made.v, &spin, &mut v);
        Ok(Stepped { x: Varied { q, v, z: found.zdot }, rates: None, memory: () })
    }
}
