//! Explicit Runge–Kutta methods: one mechanism, and a table of numbers each.
//!
//! # Scheme
//! The stages of a [`Tableau`] (A, b, c) on y = (θ, v, z), where q = qₙ ⊕ θ, accelerations from the constraints' second
//! derivative:
//!
//! ```text
//! θ̇ = T(θ)⁻¹ v,   v̇ = a(t, qₙ ⊕ θ, v, z),   ż = g(t, qₙ ⊕ θ, v, z),   θ = 0 at tₙ
//!
//! kᵢ = ẏ(tₙ + cᵢ h, yₙ + h Σ aᵢⱼ kⱼ),   j < i
//! y⁺ = yₙ + h Σ bᵢ kᵢ,   estimate h Σ (bᵢ − b̂ᵢ) kᵢ with the embedded weights b̂
//! ```
//!
//! θ is in a vector space, in which Runge–Kutta's sums make sense: so the attitude of a rotation stays one, and order
//! and estimate are those of the tableau. Where N = 1, T = 1 and θ is q − qₙ. Rotations take steps of less than half a
//! turn.
//!
//! The derivative at the end of an accepted, projected step is that of the next step's beginning. Where the last stage
//! is that end (c = 1, a = b) and no projection has moved it, it is not evaluated again.
//!
//! **Between steps** there is the cubic through both ends and their rates, which errs by O(h⁴); a tableau of higher
//! order adds its own quartic, θ²(1 − θ)² h Σ dᵢ kᵢ.
//!
//! First-order models, D v = f, have y = (q, z) and the velocities of each stage from the same solve.
//!
//! # Properties
//! Those of the tableau, on each method. λ has the order of the state. Constraints hold to the tolerance of the
//! projection; without projection they drift as the error does. Nonholonomic rows are rows of G like the others.
//! Algebraic variables are solved for at each stage.
//!
//! # Needs
//! `Solvable`.
//!
//! # Reference
//! E. Hairer, S. P. Nørsett, G. Wanner, Solving Ordinary Differential Equations I, 2nd ed., §II.1–II.6; H. Munthe-Kaas,
//! High order Runge–Kutta methods on manifolds, Applied Numerical Mathematics 29 (1999) 115–127, for θ.

mod high_order;
mod methods;
mod tableau;

pub use high_order::{DormandPrince8, Verner9};
pub use methods::{
    BogackiShampine, DormandPrince, ExplicitMidpoint, Fehlberg, ForwardEuler, Geodesic, Heun, RungeKutta4,
};
use tableau::Derived;
pub use tableau::{Stages, Tableau};

use crate::context::{Context, Estimate, Work};
use crate::error::{Cause, Name, Quantity};
use crate::input::Inputs;
use crate::method::{Method, Proposal};
use crate::scalar::{Real, Scalar};
use crate::solve::{Acceleration, add};
use crate::state::{Quartic, State, copy, finite, hermite, sum as total};
use crate::system::{Block, Layout, Solvable};

/// θ̇, v̇ and ż of a stage, or a sum of such.
pub(super) struct Rate<S: Solvable> {
    q: S::V,
    v: S::V,
    z: S::Z,
}

impl<S: Solvable> Rate<S> {
    fn zeros(system: &S) -> Self {
        let layout = system.layout();
        Self { q: Block::zeros(layout.v.len()), v: Block::zeros(layout.v.len()), z: Block::zeros(layout.z.len()) }
    }
}

/// What an attempt computes.
struct Attempt<S: Solvable, T: Tableau> {
    /// the point of each stage, and at last the proposal
    x: State<S>,
    rates: T::Stages<Rate<S>>,
    step: S::V,
    error: Estimate<S>,
    /// sum of the rates that are no part of the error, or of the proposal where none is estimated
    apart: S::Real,
}

/// Scratch: an attempt, and what is made of it.
pub struct Scratch<S: Solvable, T: Tableau> {
    attempt: Attempt<S, T>,
    quartic: Rate<S>,
}

// By hand, because a tableau says nothing of what is in its stages.
impl<S: Solvable, T: Tableau> core::fmt::Debug for Scratch<S, T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Scratch").field("x", &self.attempt.x).finish_non_exhaustive()
    }
}

/// h Σ wᵢ kᵢ over the weights that are not zero; that of v and of z is added where they are `begun` with something.
///
/// The weights are constants wherever this is called, and blocks mostly arrays: nothing of the loops or tests is left.
#[inline(always)]
fn sum<S: Solvable>(
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
#[inline(always)]
fn accumulate<T: Real>(y: &mut [T], begun: bool, s: T, x: &[T]) {
    if begun {
        return add(y, s, x);
    }
    for (y, &x) in y.iter_mut().zip(x) {
        *y = s * x;
    }
}

impl<S: Solvable, T: Tableau> Attempt<S, T> {
    fn new(system: &S) -> Self {
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
    #[inline(always)]
    fn begin(&mut self, from: &State<S>) {
        if let Some(first) = self.rates.as_mut().first_mut() {
            copy(&from.v, &mut first.q);
            copy(&from.a, &mut first.v);
            copy(&from.zdot, &mut first.z);
        }
        copy(&from.modes, &mut self.x.modes);
        self.apart = S::Real::ZERO;
    }

    /// Puts `from` + h Σ wᵢ kᵢ at t + c h into the proposal.
    #[inline(always)]
    fn combine(&mut self, system: &S, from: &State<S>, h: S::Real, weights: &[f64], c: f64) {
        let Self { x, rates, step, .. } = self;
        copy(&from.v, &mut x.v);
        copy(&from.z, &mut x.z);
        sum(weights, rates.as_ref(), h, (step, &mut x.v, &mut x.z), true);
        system.retract(&from.q, step, &mut x.q);
        x.t = from.t + h * S::Real::from_f64(c);
    }

    /// The stages after the first, the proposal and the estimate of its error; `QUICK` ones by the model's own function
    /// for accelerations, which does not say why it does not do.
    // Inlined, and with no way back into it, the numbers of a small model stay in registers from stage to stage.
    #[inline(always)]
    fn stages<U: Inputs<S>, const QUICK: bool>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        from: &State<S>,
        h: S::Real,
        acceleration: &mut Acceleration<S>,
    ) -> Result<(), Option<Cause>> {
        let stages = T::B.len();
        // Written out, so that each of the first has its own constants.
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
    #[inline(always)]
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

    /// Refuses a proposal that is not finite.
    #[inline]
    fn check(&self, system: &S) -> Result<(), Cause> {
        let layout = system.layout();
        finite(self.x.q.as_ref(), Quantity::Coordinate, layout.q)?;
        finite(self.x.v.as_ref(), Quantity::Velocity, layout.v)?;
        finite(self.x.z.as_ref(), Quantity::State, layout.z)
    }

    /// Whether what the stages have given is finite; where it is not, they tell one by one why.
    ///
    /// What is not finite makes a sum that it is part of not finite either. A proposal that overflows is seen where it
    /// is evaluated.
    #[inline(always)]
    fn adds_up(&self, system: &S) -> bool {
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
#[inline(always)]
fn own<S: Solvable>(system: &S, q: &[S::Real]) -> S::Real {
    let layout = system.layout();
    if layout.q.len() == layout.v.len() { S::Real::ZERO } else { total(q) }
}

impl<S: Solvable, T: Tableau> Scratch<S, T> {
    /// The stages by the model's own function; false where that does not do.
    // As arguments, the compiler knows that system and scratch are apart: what depends on parameters alone is computed
    // once.
    #[inline(never)]
    fn quick<U: Inputs<S>>(
        &mut self,
        system: &S,
        inputs: &U,
        from: &State<S>,
        h: S::Real,
        next: &mut Proposal<S>,
    ) -> bool {
        let mut work = Work::default();
        let mut cx = Context { system, inputs, work: &mut work };
        // Of its own, and not behind a reference, all of it can be in registers.
        let mut attempt = Attempt::<S, T>::new(system);
        attempt.begin(from);
        if attempt.stages::<U, true>(&mut cx, from, h, &mut next.acceleration).is_err() || !attempt.adds_up(system) {
            return false;
        }
        next.x.copy_from(&attempt.x);
        next.error = attempt.error;
        if !T::DENSE.is_empty() {
            self.attempt.rates = attempt.rates;
        }
        true
    }

    /// The stages one by one, each with its own causes of failure.
    #[inline(never)]
    fn solve<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        from: &State<S>,
        h: S::Real,
        next: &mut Proposal<S>,
    ) -> Result<(), Cause> {
        // What others have left there would be taken for that of a half turn.
        self.attempt.rates.as_mut().iter_mut().skip(1).for_each(|k| k.q.as_mut().fill(S::Real::ZERO));
        let failed = match self.attempt.stages::<U, false>(cx, from, h, &mut next.acceleration) {
            Ok(()) => self.attempt.check(cx.system).err(),
            Err(cause) => cause,
        };
        if let Some(cause) = failed {
            return Err(self.half_turn(&cx.system.layout()).unwrap_or(cause));
        }
        next.x.copy_from(&self.attempt.x);
        next.error.clone_from(&self.attempt.error);
        Ok(())
    }

    /// The rate of a stage that has none, where steps end before they turn too far.
    #[cold]
    fn half_turn(&self, layout: &Layout<'_>) -> Option<Cause> {
        let none = |k: &Rate<S>| k.q.as_ref().iter().position(|rate| !(rate.abs() <= S::Real::INFINITY));
        let index = self.attempt.rates.as_ref().iter().find_map(none)?;
        Some(Cause::HalfTurn { name: Name::of(layout.v, index) })
    }
}

impl<S: Solvable, T: Tableau> Method<S> for T {
    type Memory = ();
    type Scratch = Scratch<S, T>;

    fn name(&self) -> &'static str {
        T::NAME
    }

    fn scratch(&self, system: &S) -> Scratch<S, T> {
        const { tableau::sound::<T>() };
        Scratch { attempt: Attempt::new(system), quartic: Rate::zeros(system) }
    }

    fn restart<U: Inputs<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        x: &mut State<S>,
        _h: S::Real,
        _w: &mut Scratch<S, T>,
        acceleration: &mut Acceleration<S>,
    ) -> Result<(), Cause> {
        acceleration.settle(cx, x)
    }

    #[inline(always)]
    fn attempt<U: Inputs<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        x: &State<S>,
        (): &(),
        h: S::Real,
        w: &mut Scratch<S, T>,
        next: &mut Proposal<S>,
    ) -> Result<(), Cause> {
        if S::DIRECT && w.quick(cx.system, cx.inputs, x, h, next) {
            cx.work.evaluated(T::B.len() as u64 - 1);
        } else {
            w.attempt.begin(x);
            w.solve(cx, x, h, next)?;
        }
        if Derived::<T>::LAST_IS_END {
            next.mark_settled();
        }
        Ok(())
    }

    #[inline(always)]
    fn estimates(&self) -> bool {
        !T::EMBEDDED.is_empty()
    }

    fn interpolate(
        &self,
        system: &S,
        x: &State<S>,
        next: &State<S>,
        w: &mut Scratch<S, T>,
        theta: S::Real,
        out: &mut State<S>,
    ) {
        if T::DENSE.is_empty() {
            return hermite(system, x, next, None, theta, out);
        }
        let Rate { q, v, z } = &mut w.quartic;
        sum(T::DENSE, w.attempt.rates.as_ref(), next.t - x.t, (q, v, z), false);
        hermite(system, x, next, Some(Quartic { q, v, z }), theta, out);
    }
}
