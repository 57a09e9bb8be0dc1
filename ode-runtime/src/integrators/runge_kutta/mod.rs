//! Explicit Runge–Kutta methods: one mechanism, and a table of numbers each.
//!
//! # Scheme
//! The stages of a [`Tableau`] (A, b, c) on y = (θ, v, z), where q = qₙ ⊕ θ, accelerations from the constraints' second derivative:
//!
//! ```text
//! θ̇ = T(θ)⁻¹ v,   v̇ = a(t, qₙ ⊕ θ, v, z),   ż = g(t, qₙ ⊕ θ, v, z),   θ = 0 at tₙ
//!
//! kᵢ = ẏ(tₙ + cᵢ h, yₙ + h Σ aᵢⱼ kⱼ),   j < i
//! y⁺ = yₙ + h Σ bᵢ kᵢ,   estimate h Σ (bᵢ − b̂ᵢ) kᵢ with the embedded weights b̂
//! ```
//!
//! θ is in a vector space, in which Runge–Kutta's sums make sense: so the attitude of a rotation stays one, and order and estimate
//! are those of the tableau. Where N = 1, T = 1 and θ is q − qₙ. Rotations take steps of less than half a turn.
//!
//! The derivative at the end of an accepted, projected step is that of the next step's beginning. Where the last stage is that end
//! (c = 1, a = b) and no projection has moved it, it is not evaluated again.
//!
//! **Between steps** there is the cubic through both ends and their rates, which errs by O(h⁴); a tableau of higher order adds its own
//! quartic, θ²(1 − θ)² h Σ dᵢ kᵢ.
//!
//! First-order models, D v = f, have y = (q, z) and the velocities of each stage from the same solve.
//!
//! # Properties
//! Those of the tableau, on each method. λ has the order of the state. Constraints hold to the tolerance of the projection; without
//! projection they drift as the error does. Nonholonomic rows are rows of G like the others. Algebraic variables are solved for at each stage.
//!
//! # Needs
//! `Solvable`.
//!
//! # Reference
//! E. Hairer, S. P. Nørsett, G. Wanner, Solving Ordinary Differential Equations I, 2nd ed., §II.1–II.6; H. Munthe-Kaas, High order
//! Runge–Kutta methods on manifolds, Applied Numerical Mathematics 29 (1999) 115–127, for θ.

mod methods;
mod tableau;

pub use methods::{
    BogackiShampine, DormandPrince, ExplicitMidpoint, Fehlberg, ForwardEuler, Geodesic, Heun, RungeKutta4,
};
use tableau::Derived;
pub use tableau::{Stages, Tableau};

use crate::error::{Cause, Name, Quantity};
use crate::input::Inputs;
use crate::integrators::Slopes;
use crate::method::{Context, Estimate, Method, Work};
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

/// Scratch: the proposal, the rates of the stages, and what is summed from them.
pub struct Scratch<S: Solvable, T: Tableau> {
    x: State<S>,
    rates: T::Stages<Rate<S>>,
    step: S::V,
    /// where the last stage was evaluated, if that was the end
    end: State<S>,
    quartic: Rate<S>,
    error: Estimate<S>,
    acceleration: Acceleration<S>,
}

impl<S: Solvable, T: Tableau> core::fmt::Debug for Scratch<S, T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Scratch").field("x", &self.x).finish_non_exhaustive()
    }
}

/// `to` += h Σ wᵢ kᵢ over the weights that are not zero.
///
/// The weights are constants wherever this is called, and blocks mostly arrays: nothing of the loops or tests is left.
#[inline(always)]
fn sum<S: Solvable>(weights: &[f64], rates: &[Rate<S>], h: S::Real, (q, v, z): (&mut S::V, &mut S::V, &mut S::Z)) {
    for (&weight, k) in weights.iter().zip(rates) {
        if weight != 0.0 {
            let scale = h * S::Real::from_f64(weight);
            add(q.as_mut(), scale, k.q.as_ref());
            add(v.as_mut(), scale, k.v.as_ref());
            add(z.as_mut(), scale, k.z.as_ref());
        }
    }
}

impl<S: Solvable, T: Tableau> Scratch<S, T> {
    /// Puts `from` + h Σ wᵢ kᵢ at t + c h into the proposal.
    #[inline(always)]
    fn combine(&mut self, system: &S, from: &State<S>, h: S::Real, weights: &[f64], c: f64) {
        self.step.as_mut().fill(S::Real::ZERO);
        copy(&from.v, &mut self.x.v);
        copy(&from.z, &mut self.x.z);
        sum(weights, self.rates.as_ref(), h, (&mut self.step, &mut self.x.v, &mut self.x.z));
        system.retract(&from.q, &self.step, &mut self.x.q);
        self.x.t = from.t + h * S::Real::from_f64(c);
    }

    /// The stages after the first, the proposal and the estimate of its error; `QUICK` ones by the model's own function for accelerations,
    /// which does not say why it does not do.
    // Inlined, and with no way back into it, the numbers of a small model stay in registers from stage to stage.
    #[inline(always)]
    fn stages<U: Inputs<S>, const QUICK: bool>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        from: &State<S>,
        h: S::Real,
    ) -> Result<(), Option<Cause>> {
        let stages = T::B.len();
        // Written out, so that each of the first has its own constants.
        macro_rules! each {
            ($($i:literal)*) => { $(if $i < stages { self.stage::<U, QUICK>(cx, from, h, $i)?; })* };
        }
        each!(1 2 3 4 5 6);
        for i in 7..stages {
            self.stage::<U, QUICK>(cx, from, h, i)?;
        }
        if Derived::<T>::LAST_IS_END {
            if let Some(last) = self.rates.as_ref().last() {
                copy(&last.v, &mut self.x.a);
                copy(&last.z, &mut self.x.zdot);
            }
            self.acceleration.complete(cx.system, &mut self.x.z);
            self.end.copy_from(&self.x);
        } else {
            self.combine(cx.system, from, h, T::B, 1.0);
        }
        if !T::EMBEDDED.is_empty() {
            let Estimate { q, v, z } = &mut self.error;
            q.as_mut().fill(S::Real::ZERO);
            v.as_mut().fill(S::Real::ZERO);
            z.as_mut().fill(S::Real::ZERO);
            sum(Derived::<T>::ERROR.weights(), self.rates.as_ref(), h, (q, v, z));
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
        i: usize,
    ) -> Result<(), Option<Cause>> {
        self.combine(cx.system, from, h, T::A[i], T::C[i]);
        let (at, _, _, lambda) = self.x.split();
        let Some(Rate { q, v, z }) = self.rates.as_mut().get_mut(i) else { return Ok(()) };
        if QUICK {
            if !self.acceleration.quick(cx, at, v, z, lambda) {
                return Err(None);
            }
        } else {
            self.acceleration.evaluate(cx, at, v, z, lambda)?;
        }
        if cx.system.layout().first_order() {
            cx.system.step_rate(&self.step, v, q);
            copy(v, &mut self.x.v);
            v.as_mut().fill(S::Real::ZERO);
        } else {
            cx.system.step_rate(&self.step, at.v, q);
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

    /// The stages by the model's own function; false where that does not do.
    // As arguments, the compiler knows that system and scratch are apart: what depends on parameters alone is computed once.
    #[inline(never)]
    fn quick<U: Inputs<S>>(&mut self, system: &S, inputs: &U, from: &State<S>, h: S::Real) -> bool {
        let mut work = Work::default();
        let mut cx = Context { system, inputs, work: &mut work };
        self.stages::<U, true>(&mut cx, from, h).is_ok() && self.adds_up()
    }

    /// Whether the sum of all that the stages have given is finite; where it is not, they tell one by one why.
    #[inline(always)]
    fn adds_up(&self) -> bool {
        let State { q, v, z, lambda, .. } = &self.x;
        let end = total(q.as_ref()) + total(v.as_ref()) + total(z.as_ref()) + total(lambda.as_ref());
        let stages = self.rates.as_ref().get(1..).unwrap_or_default();
        stages.iter().fold(end, |sum, k| sum + (total(k.v.as_ref()) + total(k.z.as_ref()))).is_finite()
    }

    /// The stages one by one, each with its own causes of failure.
    #[inline(never)]
    fn solve<U: Inputs<S>>(&mut self, cx: &mut Context<'_, S, U>, from: &State<S>, h: S::Real) -> Result<(), Cause> {
        // What others have left there would be taken for that of a half turn.
        self.rates.as_mut().iter_mut().skip(1).for_each(|k| k.q.as_mut().fill(S::Real::ZERO));
        let failed = match self.stages::<U, false>(cx, from, h) {
            Ok(()) => self.check(cx.system).err(),
            Err(cause) => cause,
        };
        failed.map_or(Ok(()), |cause| Err(self.half_turn(&cx.system.layout()).unwrap_or(cause)))
    }

    /// The rate of a stage that has none, where steps end before they turn too far.
    #[cold]
    fn half_turn(&self, layout: &Layout<'_>) -> Option<Cause> {
        let none = |k: &Rate<S>| k.q.as_ref().iter().position(|rate| !(rate.abs() <= S::Real::INFINITY));
        let index = self.rates.as_ref().iter().find_map(none)?;
        Some(Cause::HalfTurn { name: Name::of(layout.v, index) })
    }
}

impl<S: Solvable, T: Tableau> Method<S> for T {
    type Memory = Slopes<S>;
    type Workspace = Scratch<S, T>;

    fn name(&self) -> &'static str {
        T::NAME
    }

    fn workspace(&self, system: &S) -> Scratch<S, T> {
        const { tableau::sound::<T>() };
        let x = State::zeros(system);
        Scratch {
            rates: T::Stages::fill(|| Rate::zeros(system)),
            step: x.v.clone(),
            end: x.clone(),
            quartic: Rate::zeros(system),
            error: Estimate::zeros(system),
            x,
            acceleration: Acceleration::new(system),
        }
    }

    fn restart<U: Inputs<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        x: &State<S>,
        _h: S::Real,
        w: &mut Scratch<S, T>,
    ) -> Result<Slopes<S>, Cause> {
        w.x.copy_from(x);
        w.acceleration.settle(cx, &mut w.x)?;
        let mut slopes = Slopes::zeros(cx.system);
        slopes.take(&w.x);
        Ok(slopes)
    }

    #[inline(always)]
    fn attempt<U: Inputs<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        x: &State<S>,
        m: &Slopes<S>,
        h: S::Real,
        w: &mut Scratch<S, T>,
    ) -> Result<(), Cause> {
        if let Some(first) = w.rates.as_mut().first_mut() {
            copy(&x.v, &mut first.q);
            copy(&m.a, &mut first.v);
            copy(&m.zdot, &mut first.z);
        }
        copy(&x.modes, &mut w.x.modes);
        if S::DIRECT && w.quick(cx.system, cx.inputs, x, h) {
            cx.work.evaluated(T::B.len() as u64 - 1);
        } else {
            w.solve(cx, x, h)?;
        }
        Ok(())
    }

    #[inline]
    fn estimate<'w>(&self, w: &'w mut Scratch<S, T>) -> Option<&'w mut Estimate<S>> {
        if T::EMBEDDED.is_empty() { None } else { Some(&mut w.error) }
    }

    #[inline]
    fn proposal<'w>(&self, w: &'w mut Scratch<S, T>) -> &'w mut State<S> {
        &mut w.x
    }

    #[inline(always)]
    fn finish<U: Inputs<S>>(&self, cx: &mut Context<'_, S, U>, w: &mut Scratch<S, T>) -> Result<(), Cause> {
        let Scratch { x, end, acceleration, .. } = w;
        if Derived::<T>::LAST_IS_END && x.q == end.q && x.v == end.v && x.z == end.z {
            return Ok(());
        }
        acceleration.settle(cx, x)
    }

    fn interpolate(&self, system: &S, x: &State<S>, w: &mut Scratch<S, T>, theta: S::Real, out: &mut State<S>) {
        if T::DENSE.is_empty() {
            return hermite(system, x, &w.x, None, theta, out);
        }
        let Rate { q, v, z } = &mut w.quartic;
        q.as_mut().fill(S::Real::ZERO);
        v.as_mut().fill(S::Real::ZERO);
        z.as_mut().fill(S::Real::ZERO);
        sum(T::DENSE, w.rates.as_ref(), w.x.t - x.t, (q, v, z));
        hermite(system, x, &w.x, Some(Quartic { q, v, z }), theta, out);
    }

    #[inline]
    fn commit(&self, x: &mut State<S>, m: &mut Slopes<S>, w: &mut Scratch<S, T>) {
        x.copy_from(&w.x);
        m.take(&w.x);
    }
}
