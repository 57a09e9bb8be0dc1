//! Explicit Runge–Kutta methods: one scheme, and a table of coefficients for each method.
//!
//! # Scheme
//! The stages of a [`Tableau`] (A, b, c) on y = (θ, v, z), where q = qₙ ⊕ θ, with accelerations from the second
//! derivative of the constraints:
//!
//! ```text
//! θ̇ = T(θ)⁻¹ v,   v̇ = a(t, qₙ ⊕ θ, v, z),   ż = g(t, qₙ ⊕ θ, v, z),   θ = 0 at tₙ
//!
//! kᵢ = ẏ(tₙ + cᵢ h, yₙ + h Σ aᵢⱼ kⱼ),   j < i
//! y⁺ = yₙ + h Σ bᵢ kᵢ,   estimate h Σ (bᵢ − b̂ᵢ) kᵢ with the embedded weights b̂
//! ```
//!
//! θ is in a vector space, where Runge–Kutta sums are defined. So rotations stay rotations, and order and estimate are
//! those of the tableau. Where N = 1, T = 1 and θ is q − qₙ. A step turns rotations by less than half a turn.
//!
//! The derivative at the end of an accepted, projected step is the first of the next step. If the last stage is that
//! end (c = 1, a = b) and no projection has moved it, it is not evaluated again.
//!
//! **Between steps** a cubic interpolates both ends and their rates, with an error of O(h⁴); a tableau of higher order
//! adds its own quartic, θ²(1 − θ)² h Σ dᵢ kᵢ.
//!
//! First-order models, D v = f, have y = (q, z) and the velocities of each stage from the same solve.
//!
//! # Properties
//! Each tableau states its own. λ has the order of the state. Constraints hold to the tolerance of the projection;
//! without projection they drift with the error. Nonholonomic rows are treated like other rows of G. Algebraic
//! variables are solved for at each stage.
//!
//! # Needs
//! `Solvable`.
//!
//! # Reference
//! E. Hairer, S. P. Nørsett, G. Wanner, Solving Ordinary Differential Equations I, 2nd ed., §II.1–II.6; H. Munthe-Kaas,
//! High order Runge–Kutta methods on manifolds, Applied Numerical Mathematics 29 (1999) 115–127, for θ.

mod chebyshev;
mod high_order;
mod methods;
mod stages;
mod tableau;
mod vary;

pub use chebyshev::Chebyshev;
pub use high_order::{DormandPrince8, Verner9};
pub use methods::{
    BogackiShampine, DormandPrince, ExplicitMidpoint, Fehlberg, ForwardEuler, Geodesic, Heun, RungeKutta4,
};
use stages::{Attempt, Rate, sum};
use tableau::Derived;
pub use tableau::{Stages, Tableau};

use crate::error::{Cause, MethodName, Name};
use crate::integrators::method::{Method, Proposal};
use crate::model::input::Inputs;
use crate::model::layout::Layout;
use crate::model::state::{Quartic, State, hermite};
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::Acceleration;
use crate::solve::context::{Context, Work};
use crate::solve::solvable::Solvable;

/// Bytes of an attempt that is worth a place of its own on the stack; a larger one is not made new in each step.
const LOCAL: usize = 1024;

/// Scratch: an attempt and its results.
pub struct Scratch<S: Solvable, T: Tableau> {
    attempt: Attempt<S, T>,
    quartic: Rate<S>,
}

// By hand, because the stages of a tableau have no `Debug` bound.
impl<S: Solvable, T: Tableau> core::fmt::Debug for Scratch<S, T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Scratch").field("x", &self.attempt.x).finish_non_exhaustive()
    }
}

impl<S: Solvable, T: Tableau> Scratch<S, T> {
    /// The stages by the model's own function; false if it fails.
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
        // Blocks on the heap are not made new either.
        if const { size_of::<Attempt<S, T>>() > LOCAL || core::mem::needs_drop::<Attempt<S, T>>() } {
            let made = self.attempt.quick(&mut cx, from, h, &mut next.acceleration);
            if made {
                self.attempt.propose(next);
            }
            return made;
        }
        // A local value, not behind a reference, can be in registers.
        let mut attempt = Attempt::<S, T>::new(system);
        if !attempt.quick(&mut cx, from, h, &mut next.acceleration) {
            return false;
        }
        next.x.copy_from(&attempt.x);
        next.error = attempt.error;
        if !T::DENSE.is_empty() {
            self.attempt.rates = attempt.rates;
        }
        true
    }

    /// The stages one by one, each with its own error.
    #[inline(never)]
    fn solve<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        from: &State<S>,
        h: S::Real,
        next: &mut Proposal<S>,
    ) -> Result<(), Cause> {
        // An old NaN there would be taken for a half turn.
        self.attempt.rates.as_mut().iter_mut().skip(1).for_each(|k| k.q.as_mut().fill(S::Real::ZERO));
        let failed = match self.attempt.stages::<U, false>(cx, from, h, &mut next.acceleration) {
            Ok(()) => self.attempt.check(cx.system).err(),
            Err(cause) => cause,
        };
        if let Some(cause) = failed {
            return Err(self.half_turn(&cx.system.layout()).unwrap_or(cause));
        }
        self.attempt.propose(next);
        Ok(())
    }

    /// The rate of a stage that has none, so that steps end before they turn too far.
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

    const EVALUATES_START: bool = true;

    fn name(&self) -> MethodName {
        MethodName::new(T::NAME)
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

    #[cfg_attr(not(debug_assertions), inline(always))]
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

    #[cfg_attr(not(debug_assertions), inline(always))]
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
