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
//! step size. States show those of the equations: see [`Multipliers`].
//!
//! **Estimate**, of order 2: the errors of q⁺, v⁺ and z⁺ are ½ h times the change of v, v̇ and ż over the step, with
//! the v̇ and λ of the states. Algebraic variables have no estimate.
//!
//! # Needs
//! `Linearize`.
//!
//! # Reference
//! E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, §IV.3 and §VII.1; D. Baraff, A. Witkin, Large
//! steps in cloth simulation, SIGGRAPH 1998, eq. (6), for the linearised form.

use crate::error::{Cause, Level, MethodName};
use crate::integrators::Multipliers;
use crate::integrators::end_equations::Known;
use crate::integrators::end_equations::{EndEquations, Ended};
use crate::integrators::method::{Estimates, Method, Proposal};
use crate::integrators::scheme::Scheme;
use crate::integrators::vary::{Stepped, Vary};
use crate::model::input::Inputs;
use crate::model::layout::Order;
use crate::model::linearize::{Linearize, Weights};
use crate::model::sensitive::Sensitive;
use crate::model::state::State;
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;
use crate::solve::{Acceleration, Newton, add};
use crate::variation::{Chain, Controls, StateVariation};

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
                let next = &mut next.x;
                add(next.v.as_mut(), h, next.a.as_ref());
                add(next.z.as_mut(), h, next.zdot.as_ref());
                w.step(cx.system, &x.q, &[(h, &next.v)], &mut next.q);
                w.solve(cx, limits, weights, (x, &m.kept), next)?;
            }
            Implicit::Linearized { recovery } => linearized(cx, w, weights, x, &mut next.x, *recovery)?,
        }
        w.finish(cx, self.multipliers, next)?;
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

/// One Newton step from (q, v, z) with rates zero, for the increment h v⁺ of q.
fn linearized<S: Solvable + Linearize, U: Inputs<S>>(
    cx: &mut Context<'_, S, U>,
    w: &mut EndEquations<S>,
    weights: Weights<S::Real>,
    x: &State<S>,
    next: &mut State<S>,
    recovery: S::Real,
) -> Result<(), Cause> {
    let (zero, tangent) = (S::Real::ZERO, &mut w.tangent);
    next.a.as_mut().fill(zero);
    next.zdot.as_mut().fill(zero);
    tangent.step.as_mut().fill(zero);
    let position = Weights { rates: zero, velocity: zero, position: weights.position, state: zero };
    // h [K; −∂g/∂q; G] v first, because the second call leaves the residual and the matrix to factorise.
    tangent.linearize(cx, Level::Position, position, next)?;
    tangent.drift(&cx.system.layout(), &next.v);
    tangent.linearize(cx, Level::Position, weights, next)?;
    tangent.add_drift();
    if recovery < S::Real::INFINITY {
        tangent.recover(cx, weights.position * recovery, x)?;
    }
    tangent.correct_once(cx, x)?;
    tangent.update(cx, weights, &x.q, next);
    w.step(cx.system, &x.q, &[(weights.position, &next.v)], &mut next.q);
    next.check(&cx.system.layout())
}

impl<S: Solvable + Sensitive> Vary<S> for BackwardEuler<S::Real> {
    type Varied<C: Chain<S>> = ();

    fn begin<C: Chain<S>, U: Controls<S>>(
        &self,
        _cx: &mut Context<'_, S, U>,
        _x: &State<S>,
        _chain: &mut C,
        _at: &mut StateVariation<S, C>,
    ) -> Result<(), Cause> {
        match self.solve {
            Implicit::Newton(_) => Ok(()),
            // its matrix varies with the state
            Implicit::Linearized { .. } => {
                Err(Cause::NotDifferentiable { what: "the linearised form of backward Euler" })
            }
        }
    }

    fn recall(&self, system: &S, from: &State<S>, to: (&State<S>, &Ended<S>), w: &mut EndEquations<S>) -> bool {
        w.recall(system, from, to)
    }

    fn vary<C: Chain<S>, U: Controls<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        _from: (&State<S>, &Ended<S>),
        h: S::Real,
        (made, w): (&State<S>, &mut EndEquations<S>),
        chain: &mut C,
        (at, ()): (&StateVariation<S, C>, &()),
    ) -> Result<Stepped<S, C, ()>, Cause> {
        let (zero, back) = (S::Real::ZERO, -h.recip());
        let known = Known {
            step: chain.scale(zero, &at.q),
            v: chain.scale(zero, &at.v),
            z: chain.scale_z(zero, &at.z),
            a: chain.scale(back, &at.v),
            zdot: chain.scale_z(back, &at.z),
        };
        let weights = self.weights(cx.system.layout().order, h);
        let end = w.vary(cx, made, weights, chain, (&at.q, known))?;
        Ok(Stepped { x: end.x, rates: self.multipliers.own(cx.system, chain, &end.own), memory: () })
    }
}
