//! Backward Euler on the whole residual, index 3.
//!
//! # Scheme
//! v⁺ and λ solve, with a = (v⁺ − v)/h, q⁺ = q ⊕ h v⁺, ż = (z⁺ − z)/h, all at t + h,
//!
//! ```text
//! M(q⁺) a = f(q⁺, v⁺, z⁺, u) + G(q⁺)ᵀ λ,    Φ(q⁺) = 0,    ż = g(q⁺, v⁺, z⁺, u).
//! ```
//!
//! On manifolds q ⊕ h v⁺ is q exp(h v⁺) for a body rate v⁺, and Newton's method iterates on the step h v⁺, with its
//! tangent map.
//!
//! [`Implicit::Newton`] iterates. [`Implicit::Linearized`] makes one Newton step from (q, v) at t + h. It is
//! consistent: the increment of q is h v⁺, not h dv, so the right-hand side has the term h K v. For constant M without
//! constraints it is
//!
//! ```text
//! (M − h ∂f/∂v − h² ∂f/∂q) dv = h (f + h ∂f/∂q v),
//! ```
//!
//! in which damping acts once, as it must.
//!
//! Its holonomic rows are Φ(q, t + h) + h G v⁺ = 0, so a violation Φ(q, t) vanishes in one step, at a speed of Φ/h. A
//! `recovery` speed s limits this to ±h s, but not the part that moves with time, Φ(q, t + h) − Φ(q, t).
//!
//! First-order models have no a: D(q⁺) v⁺ = f(q⁺) + G(q⁺)ᵀ λ and Φ(q⁺) = 0, linearised (D − h ∂f/∂q) v⁺ = f.
//!
//! # Properties
//! Order 1 in q, v, z and λ, L-stable, dissipative. Φ = 0 to the tolerance of Newton's method; linearised, Φ is O(h²)
//! and does not accumulate. Φ̇ is O(h), because across the constraints v is that of half a step earlier.
//!
//! The scheme's own a and λ are difference quotients, with an error of O(1) in the first step and after a change of the
//! step size. States of models with rigid rows show those of the equations: see [`Multipliers`]. Without rigid rows
//! they show the scheme's own, which satisfy the equations at the end of a step unless it is linearised.
//!
//! **Estimate**, of order 2: the errors of q⁺, v⁺ and z⁺ are ½ h times the change of v, v̇ and ż over the step, with
//! the v̇ and λ of the states. Algebraic variables have no estimate.
//!
//! # Needs
//! `Linearize`; for derivatives of linearised steps second derivatives, [`Sensitive::curvature`]. What a linearised
//! step evaluates is one call instead of two for models with `#[model(emit(linearized))]`.
//!
//! [`Sensitive::curvature`]: crate::Sensitive::curvature
//!
//! # Reference
//! E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, §IV.3 and §VII.1; D. Baraff, A. Witkin, Large
//! steps in cloth simulation, SIGGRAPH 1998, eq. (6), for the linearised form.

mod linearized;
mod vary;

use crate::error::{Cause, MethodName};
use crate::integrators::Multipliers;
use crate::integrators::end_equations::{EndEquations, Ended};
use crate::integrators::method::{Estimates, Method, Proposal};
use crate::integrators::scheme::Scheme;
use crate::model::input::Inputs;
use crate::model::layout::Order;
use crate::model::linearize::{Linearize, Weights};
use crate::model::state::State;
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;
use crate::solve::{Acceleration, Newton, add};

/// How the equations of a step are solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Implicit<T> {
    /// until convergence
    Newton(Newton<T>),
    /// by one consistent linearisation
    Linearized {
        /// the greatest speed at which violations are corrected, in units of Φ per second: Project Chrono's
        /// `max_penetration_recovery_speed` (0.6 m/s). Infinite: at once
        recovery: T,
    },
}

/// Backward Euler.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BackwardEuler<T> {
    /// how the equations are solved
    pub solve: Implicit<T>,
    /// the choice of a and λ in its states
    pub multipliers: Multipliers,
}

impl<T: Real> Default for BackwardEuler<T> {
    fn default() -> Self {
        Self { solve: Implicit::Newton(Newton::default()), multipliers: Multipliers::AtState }
    }
}

impl<T: Real> BackwardEuler<T> {
    /// With one linearisation a step.
    pub const fn linearized() -> Self {
        Self { solve: Implicit::Linearized { recovery: T::INFINITY }, multipliers: Multipliers::AtState }
    }
}

impl<T: Real> Scheme<T> for BackwardEuler<T> {
    fn weights(&self, _order: Order, h: T) -> Weights<T> {
        Weights { rates: h.recip(), velocity: T::ONE, position: h, state: T::ONE }
    }
}

impl<S: Solvable + Linearize> Method<S> for BackwardEuler<S::Real> {
    type Memory = Ended<S>;
    type Scratch = EndEquations<S>;

    fn name(&self) -> MethodName {
        MethodName::new("BackwardEuler")
    }

    fn scratch(&self, system: &S) -> EndEquations<S> {
        EndEquations::new(system)
    }

    fn check(&self) -> Result<(), Cause> {
        match &self.solve {
            Implicit::Newton(newton) => newton.check(),
            Implicit::Linearized { recovery } if *recovery > S::Real::ZERO => Ok(()),
            Implicit::Linearized { recovery } => {
                Err(Cause::Invalid { setting: "recovery speed", value: recovery.to_f64() })
            }
        }
    }

    fn restart<U: Inputs<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        x: &mut State<S>,
        _h: S::Real,
        _w: &mut Self::Scratch,
        _acceleration: &mut Acceleration<S>,
    ) -> Result<Ended<S>, Cause> {
        Ok(Ended::at(cx.system, x))
    }

    fn attempt<U: Inputs<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        x: &State<S>,
        m: &Ended<S>,
        h: S::Real,
        w: &mut EndEquations<S>,
        next: &mut Proposal<S>,
    ) -> Result<(), Cause> {
        EndEquations::begin(cx.system, x, &m.own, h, &mut next.x);
        let weights = self.weights(cx.system.layout().order, h);
        match &self.solve {
            Implicit::Newton(limits) => {
                // First guess: the state continued with the rates it has.
                let end = &mut next.x;
                add(end.v.as_mut(), h, end.a.as_ref());
                add(end.z.as_mut(), h, end.zdot.as_ref());
                w.step(cx.system, &x.q, &[(h, &end.v)], &mut end.q);
                w.solve(cx, limits, weights, (x, &m.kept), end)?;
                w.finish(cx, self.multipliers, next)?;
            }
            Implicit::Linearized { recovery } => {
                linearized::attempt(cx, w, weights, x, &mut next.x, *recovery)?;
                w.keep(cx.system, &mut next.x);
                self.multipliers.settle(cx, next)?;
            }
        }
        let Proposal { x: next, error, .. } = next;
        let half = S::Real::from_f64(0.5) * h;
        let difference = |new: &[S::Real], old: &[S::Real], out: &mut [S::Real]| {
            for ((out, &new), &old) in out.iter_mut().zip(new).zip(old) {
                *out = half * (new - old);
            }
        };
        difference(next.v.as_ref(), x.v.as_ref(), error.q.as_mut());
        difference(next.a.as_ref(), x.a.as_ref(), error.v.as_mut());
        difference(next.zdot.as_ref(), x.zdot.as_ref(), error.z.as_mut());
        Ok(())
    }

    fn estimates(&self) -> bool {
        true
    }

    fn settles(&self) -> bool {
        self.multipliers == Multipliers::AtState
    }

    fn remember(&self, _x: &State<S>, _next: &State<S>, m: &mut Ended<S>, w: &mut EndEquations<S>) {
        w.remember(m);
    }
}

impl<T> Estimates for BackwardEuler<T> {
    const ERROR_ORDER: u32 = 2;
}
