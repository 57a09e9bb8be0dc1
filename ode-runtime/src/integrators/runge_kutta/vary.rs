//! The stages of a Runge–Kutta step in variations.

use super::stages::Rate;
use super::tableau::{Stages, Tableau};
use crate::error::Cause;
#[cfg(feature = "second-order")]
use crate::integrators::explicit_form::ExplicitForm;
use crate::integrators::vary::{Stepped, Vary, remembers_nothing};
use crate::model::sensitive::Sensitive;
use crate::model::state::{Moment, State, copy};
use crate::numbers::scalar::Scalar;
use crate::solve::add;
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;
use crate::variation::{Chain, Controls, Found, StateVariation, Varied};

/// A stage, and its variation: rates of the step, of v and of z.
struct Stage<S: Solvable + Sensitive, C: Chain<S>> {
    rate: Rate<S>,
    varied: StateVariation<S, C>,
}

/// A sum h Σ wᵢ kᵢ, added to (0, v, z), and its variation.
fn combine<S: Solvable + Sensitive, C: Chain<S>>(
    weights: &[f64],
    h: S::Real,
    stages: &[Option<Stage<S, C>>],
    (sum, varied): (&mut Rate<S>, &mut StateVariation<S, C>),
    chain: &mut C,
) {
    for (&weight, stage) in weights.iter().zip(stages) {
        let Some(Stage { rate, varied: by }) = stage.as_ref().filter(|_| weight != 0.0) else { continue };
        let s = h * S::Real::from_f64(weight);
        add(sum.q.as_mut(), s, rate.q.as_ref());
        add(sum.v.as_mut(), s, rate.v.as_ref());
        add(sum.z.as_mut(), s, rate.z.as_ref());
        chain.add(&mut varied.q, s, &by.q);
        chain.add(&mut varied.v, s, &by.v);
        chain.add_z(&mut varied.z, s, &by.z);
    }
}

impl<S: Solvable + Sensitive, T: Tableau> Vary<S> for T {
    remembers_nothing!();

    const MAKES_STAGES: bool = true;

    fn unremembering(&self) -> Option<()> {
        Some(())
    }

    #[cfg(feature = "second-order")]
    fn explicit_form(&self) -> Option<ExplicitForm> {
        Some(ExplicitForm::of_stages(T::A, T::B, T::C))
    }

    /// Stages are computed again in any case.
    fn recall(&self, _system: &S, _from: &State<S>, _to: (&State<S>, &()), _w: &mut Self::Scratch) -> bool {
        true
    }

    fn vary<C: Chain<S>, U: Controls<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        (x, ()): (&State<S>, &()),
        h: S::Real,
        _end: (&State<S>, &mut Self::Scratch),
        chain: &mut C,
        (at, ()): (&StateVariation<S, C>, &()),
    ) -> Result<Stepped<S, C, ()>, Cause> {
        let (system, one, zero) = (cx.system, S::Real::ONE, S::Real::ZERO);
        let first_order = system.layout().first_order();
        let mut stages = <T::Stages<Option<Stage<S, C>>>>::fill(|| None);
        let mut sum = Rate::zeros(system);
        let (mut q, mut lambda) = (x.q.clone(), x.lambda.clone());
        let begin = |sum: &mut Rate<S>, chain: &mut C| {
            sum.q.as_mut().fill(zero);
            copy(&x.v, &mut sum.v);
            copy(&x.z, &mut sum.z);
            Varied { q: chain.scale(zero, &at.q), v: chain.scale(one, &at.v), z: chain.scale_z(one, &at.z) }
        };
        for i in 0..T::B.len() {
            let mut point = begin(&mut sum, chain);
            combine(T::A[i], h, stages.as_ref(), (&mut sum, &mut point), chain);
            system.retract(&x.q, &sum.q, &mut q);
            let by = core::mem::replace(&mut point.q, at.q.clone());
            let moved = chain.retract(system, &sum.q, &at.q, &by);
            point.q = moved.q;
            let carried = point.v.clone();
            chain.align(system, one, &sum.v, &moved.spin, &mut point.v);
            let t = x.t + h * S::Real::from_f64(T::C[i]);
            let moment = Moment { t, q: &q, v: &sum.v, z: &sum.z, modes: &x.modes };
            let mut rate = Rate::zeros(system);
            let found = Found { a: &mut rate.v, zdot: &mut rate.z, lambda: &mut lambda };
            let solved = chain.motion(cx, moment, &mut point, found)?;
            let mut da = solved.a;
            chain.align(system, -one, &rate.v, &moved.spin, &mut da);
            let (velocity, dv) = if first_order { (&rate.v, &da) } else { (&sum.v, &carried) };
            system.step_rate(&sum.q, velocity, &mut rate.q);
            let dq = chain.step_rate(system, (&sum.q, velocity), &by, dv);
            if first_order {
                rate.v.as_mut().fill(zero);
                da = chain.scale(zero, &da);
            } else {
                da = chain.velocity_rate(system, (&sum.q, &sum.v, &rate.v), (&by, &carried), da);
                system.velocity_rate(&sum.q, &sum.v, &mut rate.v);
            }
            if let Some(stage) = stages.as_mut().get_mut(i) {
                *stage = Some(Stage { rate, varied: Varied { q: dq, v: da, z: solved.zdot } });
            }
        }
        let mut end = begin(&mut sum, chain);
        combine(T::B, h, stages.as_ref(), (&mut sum, &mut end), chain);
        let moved = chain.retract(system, &sum.q, &at.q, &end.q);
        end.q = moved.q;
        chain.align(system, one, &sum.v, &moved.spin, &mut end.v);
        Ok(Stepped { x: end, rates: None, memory: () })
    }
}
