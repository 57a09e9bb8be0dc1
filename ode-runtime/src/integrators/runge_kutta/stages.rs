//! The stages of a Runge–Kutta step, and their sums.

use super::tableau::{Derived, Stages, Tableau};
use crate::error::{Cause, Quantity};
use crate::integrators::method::Proposal;
use crate::model::input::Inputs;
use crate::model::layout::Block;
use crate::model::state::{State, copy, finite, sum as total};
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::context::{Context, Estimate};
use crate::solve::solvable::Solvable;
use crate::solve::{Acceleration, add};

/// θ̇, v̇ and ż of a stage, or a sum of such.
pub(super) struct Rate<S: Solvable> {
    pub(super) q: S::V,
    pub(super) v: S::V,
    pub(super) z: S::Z,
}

impl<S: Solvable> Rate<S> {
    pub(super) fn zeros(system: &S) -> Self {
        let layout = system.layout();
        Self { q: Block::zeros(layout.v.len()), v: Block::zeros(layout.v.len()), z: Block::zeros(layout.z.len()) }
    }
}

/// What an attempt computes.
pub(super) struct Attempt<S: Solvable, T: Tableau> {
    /// the point of each stage, and at last the proposal
    pub(super) x: State<S>,
    pub(super) rates: T::Stages<Rate<S>>,
    step: S::V,
    pub(super) error: Estimate<S>,
    /// sum of the rates that are not part of the error, or of the proposal if none is estimated
    apart: S::Real,
}

/// h Σ wᵢ kᵢ over the nonzero weights, added to v and z where these are `begun`.
///
/// The weights are constants in every call, and blocks are mostly arrays: the compiler removes all loops and tests.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn sum<S: Solvable>(
    weights: &[f64],
    rates: &[Rate<S>],
    h: S::Real,
    (q, v, z): (&mut S::V, &mut S::V, &mut S::Z),
    begun: bool,
) {
    let mut first = true;
    for (&weight, k) in weights.iter().zip(rates) {
        if weight != 0.0 {
            let scale = h * S::Real::from_f64(weight);
            accumulate(q.as_mut(), !first, scale, k.q.as_ref());
            accumulate(v.as_mut(), begun || !first, scale, k.v.as_ref());
            accumulate(z.as_mut(), begun || !first, scale, k.z.as_ref());
            first = false;
        }
    }
    if first {
        q.as_mut().fill(S::Real::ZERO);
        if !begun {
            v.as_mut().fill(S::Real::ZERO);
            z.as_mut().fill(S::Real::ZERO);
        }
    }
}

/// y + s x, or s x where the sum has not begun.
#[cfg_attr(not(debug_assertions), inline(always))]
fn accumulate<T: Real>(y: &mut [T], begun: bool, s: T, x: &[T]) {
    if begun {
        return add(y, s, x);
    }
    for (y, &x) in y.iter_mut().zip(x) {
        *y = s * x;
    }
}

impl<S: Solvable, T: Tableau> Attempt<S, T> {
    pub(super) fn new(system: &S) -> Self {
        let x = State::neutral(system);
        Self {
            rates: T::Stages::fill(|| Rate::zeros(system)),
            step: x.v.clone(),
            error: Estimate::zeros(system),
            apart: S::Real::ZERO,
            x,
        }
    }

    /// The rate of the first stage is that of the state.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn begin(&mut self, from: &State<S>) {
        if let Some(first) = self.rates.as_mut().first_mut() {
            copy(&from.v, &mut first.q);
            copy(&from.a, &mut first.v);
            copy(&from.zdot, &mut first.z);
        }
        copy(&from.modes, &mut self.x.modes);
        self.apart = S::Real::ZERO;
    }

    /// The stages by the model's own function, and whether they are finite.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn quick<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        from: &State<S>,
        h: S::Real,
        acceleration: &mut Acceleration<S>,
    ) -> bool {
        self.begin(from);
        self.stages::<U, true>(cx, from, h, acceleration).is_ok() && self.adds_up(cx.system)
    }

    /// Writes `from` + h Σ wᵢ kᵢ at t + c h to the proposal.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn combine(&mut self, system: &S, from: &State<S>, h: S::Real, weights: &[f64], c: f64) {
        let Self { x, rates, step, .. } = self;
        copy(&from.v, &mut x.v);
        copy(&from.z, &mut x.z);
        sum(weights, rates.as_ref(), h, (step, &mut x.v, &mut x.z), true);
        system.retract(&from.q, step, &mut x.q);
        x.t = from.t + h * S::Real::from_f64(c);
    }

    /// The stages after the first, the proposal and its error estimate. `QUICK` uses the model's own function for
    /// accelerations, which gives no reason for a failure.
    // Inlined and without a return path, the numbers of a small model stay in registers from stage to stage.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn stages<U: Inputs<S>, const QUICK: bool>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        from: &State<S>,
        h: S::Real,
        acceleration: &mut Acceleration<S>,
    ) -> Result<(), Option<Cause>> {
        let stages = T::B.len();
        // Written out, so that each of the first stages has its own constants.
        macro_rules! each {
            ($($i:literal)*) => { $(if $i < stages { self.stage::<U, QUICK>(cx, from, h, acceleration, $i)?; })* };
        }
        each!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
        for i in 16..stages {
            self.stage::<U, QUICK>(cx, from, h, acceleration, i)?;
        }
        if Derived::<T>::LAST_IS_END {
            if let Some(last) = self.rates.as_ref().last() {
                copy(&last.z, &mut self.x.zdot);
            }
            acceleration.complete(cx.system, &mut self.x.z);
        } else {
            self.combine(cx.system, from, h, T::B, 1.0);
        }
        if !T::EMBEDDED.is_empty() {
            let Estimate { q, v, z } = &mut self.error;
            sum(Derived::<T>::ERROR.weights(), self.rates.as_ref(), h, (q, v, z), false);
        }
        Ok(())
    }

    /// Stage `i`, from those before it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn stage<U: Inputs<S>, const QUICK: bool>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        from: &State<S>,
        h: S::Real,
        acceleration: &mut Acceleration<S>,
        i: usize,
    ) -> Result<(), Option<Cause>> {
        self.combine(cx.system, from, h, T::A[i], T::C[i]);
        let (at, _, _, lambda) = self.x.split();
        let Some(Rate { q, v, z }) = self.rates.as_mut().get_mut(i) else { return Ok(()) };
        if QUICK {
            if !acceleration.quick(cx, at, v, z, lambda) {
                return Err(None);
            }
        } else {
            acceleration.evaluate(cx, at, v, z, lambda)?;
        }
        if cx.system.layout().first_order() {
            cx.system.step_rate(&self.step, v, q);
            copy(v, &mut self.x.v);
            v.as_mut().fill(S::Real::ZERO);
        } else {
            cx.system.step_rate(&self.step, at.v, q);
        }
        if Derived::<T>::LAST_IS_END && i + 1 == T::B.len() {
            copy(v, &mut self.x.a);
        }
        if !cx.system.layout().first_order() {
            cx.system.velocity_rate(&self.step, &self.x.v, v);
        }
        if QUICK && !Derived::<T>::summed(i) {
            self.apart += own(cx.system, q.as_ref()) + total(v.as_ref()) + total(z.as_ref());
        }
        Ok(())
    }

    /// Writes the result to `next`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn propose(&self, next: &mut Proposal<S>) {
        next.x.copy_from(&self.x);
        if !T::EMBEDDED.is_empty() {
            next.error.copy_from(&self.error);
        }
    }

    /// Refuses a proposal that is not finite.
    #[inline]
    pub(super) fn check(&self, system: &S) -> Result<(), Cause> {
        let layout = system.layout();
        finite(self.x.q.as_ref(), Quantity::Coordinate, layout.q)?;
        finite(self.x.v.as_ref(), Quantity::Velocity, layout.v)?;
        finite(self.x.z.as_ref(), Quantity::State, layout.z)
    }

    /// Whether the result of the stages is finite; if not, the stages are repeated to find out why.
    ///
    /// A value that is not finite makes its sum not finite. A proposal that overflows is noticed when it is evaluated.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn adds_up(&self, system: &S) -> bool {
        let (Estimate { q, v, z }, x) = (&self.error, &self.x);
        let sum = if T::EMBEDDED.is_empty() {
            own(system, x.q.as_ref()) + total(x.v.as_ref()) + total(x.z.as_ref())
        } else {
            own(system, q.as_ref()) + total(v.as_ref()) + total(z.as_ref())
        };
        let lambda = if Derived::<T>::LAST_IS_END { total(x.lambda.as_ref()) } else { S::Real::ZERO };
        (sum + lambda + self.apart).is_finite()
    }
}

/// The sum of rates of q, or of what follows from them, where they are not the velocities and finite where those are.
#[cfg_attr(not(debug_assertions), inline(always))]
fn own<S: Solvable>(system: &S, q: &[S::Real]) -> S::Real {
    let layout = system.layout();
    if layout.q.len() == layout.v.len() { S::Real::ZERO } else { total(q) }
}
