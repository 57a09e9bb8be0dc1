//! Leapfrog, velocity Verlet: positions by two terms of their series, velocities by the mean of the accelerations at
//! both ends.
//!
//! # Scheme
//! ```text
//! q⁺ = q ⊕ (h v + ½ h² a)
//! a⁺ = a(t + h, q⁺, v + h a, z + h ż),   ż⁺ = g there
//! v⁺ = v + ½ h (a + a⁺),   z⁺ = z + ½ h (ż + ż⁺)
//! ```
//!
//! a⁺ is evaluated at the end time with velocities predicted by Euler's method. Their error is O(h²), so v⁺ keeps its
//! order. Project Chrono's leapfrog uses v and t of the beginning, which reduces the order to 1 for forces of v or t.
//!
//! The next step begins with the accelerations at (q⁺, v⁺), or with a⁺ in the form [`Leapfrog::once`], which then needs
//! one evaluation per step. If forces depend on positions and time only, both give the same numbers. If they depend on
//! velocities, the second form keeps order 2, also in the state's a and λ, but is stable for half the damping: h c/m up
//! to 1 instead of 2.
//!
//! **Error estimate.** In q, the next term of the series, h²/6 (a⁺ − a). In v and z, the error of the trapezoid, h³/12
//! a″, from divided differences over this step and the one before, and the error of the previous a⁺. The first step
//! uses ½ h (a⁺ − a), the difference to Euler's method, which is more than enough.
//!
//! # Properties
//! Order 2; the estimate behaves as h³. With forces of q only: symplectic and reversible, so energy does not drift;
//! stable to h ω = 2. Constraints are enforced at acceleration level, drift with the error, and should be projected;
//! nonholonomic rows are treated like other rows of G. First-order models have no accelerations and are refused.
//!
//! # Needs
//! `Solvable`.
//!
//! # Reference
//! E. Hairer, C. Lubich, G. Wanner, Geometric numerical integration illustrated by the Störmer–Verlet method, Acta
//! Numerica 12 (2003) 399–450; the leapfrogs of Project Chrono and SOFA. Simbody's `VerletIntegrator` iterates the
//! trapezoid to the end.

use crate::error::{Cause, MethodName, Quantity};
use crate::integrators::method::{Estimates, Method, Proposal};
use crate::integrators::vary::{Stepped, Vary, settle};
use crate::model::history::{History, Parts};
use crate::model::input::Inputs;
use crate::model::layout::Block;
use crate::model::sensitive::Sensitive;
use crate::model::state::{State, copy, finite};
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;
use crate::solve::{Acceleration, add, subtract};
use crate::variation::{Chain, Controls, Found, Moved, Part, Remembered, See, Solved, StateVariation, Varied};

/// Leapfrog, velocity Verlet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leapfrog {
    /// whether accelerations are evaluated again at the end of the step; otherwise forces see the velocities of Euler's
    /// method
    pub settle: bool,
}

impl Leapfrog {
    /// One evaluation a step.
    pub const fn once() -> Self {
        Self { settle: false }
    }
}

impl Default for Leapfrog {
    fn default() -> Self {
        Self { settle: true }
    }
}

impl Estimates for Leapfrog {
    const ERROR_ORDER: u32 = 3;
}

/// For the estimate: the data of the previous step.
#[derive(Debug)]
pub struct Past<S: Solvable> {
    /// slopes at its beginning
    before: (S::V, S::Z),
    /// the error at its end of slopes with Euler's velocities
    off: (S::V, S::Z),
    /// its size, if there is one
    h: Option<S::Real>,
}

impl<S: Solvable> Clone for Past<S> {
    fn clone(&self) -> Self {
        Self { before: self.before.clone(), off: self.off.clone(), h: self.h }
    }

    /// Without allocating.
    fn clone_from(&mut self, other: &Self) {
        copy(&other.before.0, &mut self.before.0);
        copy(&other.before.1, &mut self.before.1);
        copy(&other.off.0, &mut self.off.0);
        copy(&other.off.1, &mut self.off.1);
        self.h = other.h;
    }
}

impl<S: Solvable> History<S::Real> for Past<S> {
    fn visit(&mut self, parts: &mut dyn Parts<S::Real>) {
        parts.numbers("slope of v before", self.before.0.as_mut());
        parts.numbers("slope of z before", self.before.1.as_mut());
        parts.numbers("slope of v, off by", self.off.0.as_mut());
        parts.numbers("slope of z, off by", self.off.1.as_mut());
        parts.optional("step before", &mut self.h);
    }
}

/// Scratch: the slopes at the end of a step before it is accepted, and its size.
#[derive(Debug)]
pub struct Scratch<S: Solvable> {
    step: S::V,
    /// a⁺ and ż⁺
    end: (S::V, S::Z),
    h: S::Real,
}

/// The error estimate of the trapezoid with `now` and `end`.
fn trapezoid<T: Real>(h: T, past: Option<T>, (before, off): (&[T], &[T]), now: &[T], end: &[T], error: &mut [T]) {
    let (half, sixth) = (T::from_f64(0.5), T::from_f64(1.0 / 6.0));
    let slopes = now.iter().zip(end).zip(before).zip(off);
    for (error, (((&now, &end), &before), &off)) in error.iter_mut().zip(slopes) {
        *error = match past {
            None => half * h * (end - now),
            Some(past) => {
                let ratio = h / past;
                let second = ((end - now) - ratio * (now - before)) / (h + past);
                sixth * h * h * second + half * h * ratio * ratio * off
            }
        };
    }
}

impl<S: Solvable> Method<S> for Leapfrog {
    type Memory = Past<S>;
    type Scratch = Scratch<S>;

    const EVALUATES_START: bool = true;

    fn name(&self) -> MethodName {
        MethodName::new("Leapfrog")
    }

    fn scratch(&self, system: &S) -> Scratch<S> {
        let State { v, z, .. } = State::neutral(system);
        Scratch { step: v.clone(), end: (v, z), h: S::Real::ZERO }
    }

    fn restart<U: Inputs<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        x: &mut State<S>,
        _h: S::Real,
        _w: &mut Scratch<S>,
        acceleration: &mut Acceleration<S>,
    ) -> Result<Past<S>, Cause> {
        let layout = cx.system.layout();
        if layout.first_order() {
            return Err(Cause::Invalid { setting: "order of a model for leapfrog", value: 1.0 });
        }
        acceleration.settle(cx, x)?;
        let zeros = || (Block::zeros(layout.v.len()), Block::zeros(layout.z.len()));
        Ok(Past { before: zeros(), off: zeros(), h: None })
    }

    fn attempt<U: Inputs<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        x: &State<S>,
        m: &Past<S>,
        h: S::Real,
        w: &mut Scratch<S>,
        next: &mut Proposal<S>,
    ) -> Result<(), Cause> {
        let half = S::Real::from_f64(0.5) * h;
        let Scratch { step, end, h: taken } = w;
        let Proposal { x: next, error, acceleration, .. } = next;
        let differential = cx.system.layout().differential();
        *taken = h;
        step.as_mut().fill(S::Real::ZERO);
        add(step.as_mut(), h, x.v.as_ref());
        add(step.as_mut(), half * h, x.a.as_ref());
        next.copy_from(x);
        cx.system.retract(&x.q, step, &mut next.q);
        next.t = x.t + h;
        add(next.v.as_mut(), h, x.a.as_ref());
        add(next.z.as_mut(), h, x.zdot.as_ref());
        acceleration.settle(cx, next)?;
        copy(&next.a, &mut end.0);
        copy(&next.zdot, &mut end.1);
        copy(&x.v, &mut next.v);
        add(next.v.as_mut(), half, x.a.as_ref());
        add(next.v.as_mut(), half, end.0.as_ref());
        // algebraic variables, after those with a rate, keep their solved values
        for (to, &from) in next.z.as_mut().iter_mut().zip(x.z.as_ref()).take(differential) {
            *to = from;
        }
        add(next.z.as_mut(), half, x.zdot.as_ref());
        add(next.z.as_mut(), half, end.1.as_ref());
        let layout = cx.system.layout();
        finite(next.q.as_ref(), Quantity::Coordinate, layout.q)?;
        finite(next.v.as_ref(), Quantity::Velocity, layout.v)?;
        finite(next.z.as_ref(), Quantity::State, layout.z)?;
        error.q.as_mut().fill(S::Real::ZERO);
        let sixth = S::Real::from_f64(1.0 / 6.0) * h * h;
        add(error.q.as_mut(), sixth, end.0.as_ref());
        add(error.q.as_mut(), -sixth, x.a.as_ref());
        let past = (m.before.0.as_ref(), m.off.0.as_ref());
        trapezoid(h, m.h, past, x.a.as_ref(), end.0.as_ref(), error.v.as_mut());
        let past = (m.before.1.as_ref(), m.off.1.as_ref());
        trapezoid(h, m.h, past, x.zdot.as_ref(), end.1.as_ref(), error.z.as_mut());
        Ok(())
    }

    fn estimates(&self) -> bool {
        true
    }

    fn settles(&self) -> bool {
        self.settle
    }

    fn remember(&self, x: &State<S>, next: &State<S>, m: &mut Past<S>, w: &mut Scratch<S>) {
        copy(&x.a, &mut m.before.0);
        copy(&x.zdot, &mut m.before.1);
        subtract(m.off.0.as_mut(), next.a.as_ref(), w.end.0.as_ref());
        subtract(m.off.1.as_mut(), next.zdot.as_ref(), w.end.1.as_ref());
        m.h = Some(w.h);
    }
}

/// The variations of the slopes with which the next step begins, if they are not those of the equations.
pub struct SlopeVariation<V, Z>(Option<(V, Z)>);

impl<S: Solvable + Sensitive, C: Chain<S>> Remembered<S, C> for SlopeVariation<C::V, C::Z> {
    fn nothing(chain: &mut C, _system: &S, at: &StateVariation<S, C>) -> Self {
        Self(Some((chain.scale(S::Real::ZERO, &at.v), chain.scale_z(S::Real::ZERO, &at.z))))
    }

    fn visit(&self, see: See<'_, C::V, C::Z, C::L>) {
        if let Some((a, zdot)) = &self.0 {
            see(Part::V(a));
            see(Part::Z(zdot));
        }
    }
}

impl<S: Solvable + Sensitive> Vary<S> for Leapfrog {
    type Varied<C: Chain<S>> = SlopeVariation<C::V, C::Z>;

    fn begin<C: Chain<S>, U: Controls<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        x: &State<S>,
        chain: &mut C,
        at: &mut StateVariation<S, C>,
    ) -> Result<SlopeVariation<C::V, C::Z>, Cause> {
        if self.settle {
            return Ok(SlopeVariation(None));
        }
        let rates = settle(cx, x, chain, at)?;
        Ok(SlopeVariation(Some((rates.a, rates.zdot))))
    }

    fn vary<C: Chain<S>, U: Controls<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        (x, _): (&State<S>, &Past<S>),
        h: S::Real,
        (made, w): (&State<S>, &mut Scratch<S>),
        chain: &mut C,
        (at, SlopeVariation(memory)): (&StateVariation<S, C>, &SlopeVariation<C::V, C::Z>),
    ) -> Result<Stepped<S, C, SlopeVariation<C::V, C::Z>>, Cause> {
        let (system, one, half, mut at) = (cx.system, S::Real::ONE, S::Real::from_f64(0.5) * h, at.clone());
        let (a, zdot) = match memory {
            Some((a, zdot)) if !self.settle => (chain.scale(one, a), chain.scale_z(one, zdot)),
            _ => {
                let rates = settle(cx, x, chain, &mut at)?;
                (rates.a, rates.zdot)
            }
        };
        let (mut predicted, mut step) = (x.clone(), S::V::zeros(system.layout().v.len()));
        add(predicted.v.as_mut(), h, x.a.as_ref());
        add(predicted.z.as_mut(), h, x.zdot.as_ref());
        add(step.as_mut(), h, x.v.as_ref());
        add(step.as_mut(), half * h, x.a.as_ref());
        predicted.t += h;
        system.retract(&x.q, &step, &mut predicted.q);
        let mut by = chain.scale(h, &at.v);
        chain.add(&mut by, half * h, &a);
        let Moved { q, spin } = chain.retract(system, &step, &at.q, &by);
        let mut point = Varied { q, v: chain.scale(one, &at.v), z: chain.scale_z(one, &at.z) };
        chain.add(&mut point.v, h, &a);
        chain.align(system, one, &predicted.v, &spin, &mut point.v);
        chain.add_z(&mut point.z, h, &zdot);
        let State { a: end, zdot: rate, lambda, .. } = &mut x.clone();
        let Solved { a: at_end, zdot: rate_at_end, lambda } =
            chain.motion(cx, predicted.moment(), &mut point, Found { a: end, zdot: rate, lambda })?;
        let mut carried = chain.scale(one, &at_end);
        chain.align(system, -one, &w.end.0, &spin, &mut carried);
        let mut v = chain.scale(one, &at.v);
        chain.add(&mut v, half, &a);
        chain.add(&mut v, half, &carried);
        chain.align(system, one, &made.v, &spin, &mut v);
        // z⁺ of algebraic variables is that of the prediction, which the mean of their rates, zero, leaves
        let mut z = point.z;
        chain.add_z(&mut z, half - h, &zdot);
        chain.add_z(&mut z, half, &rate_at_end);
        let memory =
            SlopeVariation((!self.settle).then(|| (chain.scale(one, &at_end), chain.scale_z(one, &rate_at_end))));
        let rates = (!self.settle).then_some(Solved { a: at_end, zdot: rate_at_end, lambda });
        Ok(Stepped { x: Varied { q: point.q, v, z }, rates, memory })
    }
}
