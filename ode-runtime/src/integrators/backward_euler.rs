//! Backward Euler on the whole residual, index 3.
//!
//! # Scheme
//! v⁺ and λ solve, with a = (v⁺ − v)/h, q⁺ = q ⊕ h v⁺, ż = (z⁺ − z)/h, everything at t + h,
//!
//! ```text
//! M(q⁺) a = f(q⁺, v⁺, z⁺, u) + G(q⁺)ᵀ λ,    Φ(q⁺) = 0,    ż = g(q⁺, v⁺, z⁺, u).
//! ```
//!
//! On manifolds q ⊕ h v⁺ is q exp(h v⁺) for a body rate v⁺, and Newton's method iterates on the step h v⁺, with its
//! tangent map.
//!
//! [`Implicit::Newton`] iterates. [`Implicit::Linearized`] makes one step from (q, v) at t + h, consistently: the
//! increment of q is h v⁺, not h dv, so that the right-hand side carries the term h K v that belongs to it. For
//! constant M, no constraint, it is
//!
//! ```text
//! (M − h ∂f/∂v − h² ∂f/∂q) dv = h (f + h ∂f/∂q v),
//! ```
//!
//! in which damping acts once, as it must.
//!
//! Its holonomic rows are Φ(q, t + h) + h G v⁺ = 0, so that a violation Φ(q, t) is gone after one step, at a speed of
//! Φ/h. With a `recovery` speed s it is, in them, cut to ±h s; what time moves, Φ(q, t + h) − Φ(q, t), is not.
//!
//! First-order models have no a: D(q⁺) v⁺ = f(q⁺) + G(q⁺)ᵀ λ and Φ(q⁺) = 0, linearised (D − h ∂f/∂q) v⁺ = f.
//!
//! # Properties
//! Order 1 in q, v, z and λ, L-stable, dissipative. Φ = 0 to the tolerance of Newton's method; linearised, Φ is O(h²)
//! and does not accumulate. Φ̇ is not zero: it is O(h), for across the constraints v is that of half a step earlier.
//!
//! The scheme's own a and λ are difference quotients, off by O(1) in the first step and just after a change of its
//! size; states show those of their q and v: see [`Multipliers`].
//!
//! **Estimate**, of order 2: q⁺, v⁺ and z⁺ are off by ½ h times the change of v, v̇ and ż over the step, with v̇ and λ
//! of the states shown. Algebraic variables have none.
//!
//! # Needs
//! `Linearize`.
//!
//! # Reference
//! E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, §IV.3 and §VII.1; D. Baraff, A. Witkin, Large
//! steps in cloth simulation, SIGGRAPH 1998, eq. (6), for the linearised form.

use crate::context::Context;
use crate::error::{Cause, Level};
use crate::input::Inputs;
use crate::integrators::{Multipliers, Slopes};
use crate::method::{Estimates, Method, Proposal};
use crate::scalar::{Real, Scalar};
use crate::scheme::Scheme;
use crate::solve::{Acceleration, Newton, Tangent, TangentPoint, add};
use crate::state::{State, copy};
use crate::system::{Linearize, Order, Solvable, Weights};

/// How the equations of a step are solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Implicit<T> {
    /// until convergence
    Newton(Newton<T>),
    /// by one consistent linearisation
    Linearized {
        /// at most so fast are violations taken back, in the units of Φ a second: what Project Chrono calls
        /// `max_penetration_recovery_speed` (0.6 m/s). Infinite: at once
        recovery: T,
    },
}

/// Backward Euler.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BackwardEuler<T> {
    /// how the equations are solved
    pub solve: Implicit<T>,
    /// which a and λ its states show
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

/// Scratch: the equations of the end, and the scheme's own rates there.
#[derive(Debug)]
pub struct Scratch<S: Solvable + Linearize> {
    own: Slopes<S>,
    tangent: Tangent<S>,
}

impl<T: Real> Scheme<T> for BackwardEuler<T> {
    fn weights(&self, _order: Order, h: T) -> Weights<T> {
        Weights { rates: h.recip(), velocity: T::ONE, position: h, state: T::ONE }
    }
}

impl<S: Solvable + Linearize> Method<S> for BackwardEuler<S::Real> {
    /// v̇, ż and λ of the scheme, where iterations begin, and where their matrix comes from.
    type Memory = (Slopes<S>, TangentPoint<S>);
    type Scratch = Scratch<S>;

    fn name(&self) -> &'static str {
        "backward Euler"
    }

    fn scratch(&self, system: &S) -> Scratch<S> {
        Scratch { own: Slopes::zeros(system), tangent: Tangent::new(system) }
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
    ) -> Result<Self::Memory, Cause> {
        let mut own = Slopes::zeros(cx.system);
        own.take(cx.system, x);
        Ok((own, TangentPoint::none(cx.system)))
    }

    fn attempt<U: Inputs<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        x: &State<S>,
        (m, kept): &Self::Memory,
        h: S::Real,
        w: &mut Self::Scratch,
        next: &mut Proposal<S>,
    ) -> Result<(), Cause> {
        let Scratch { own, tangent } = w;
        let proposal = next;
        let next = &mut proposal.x;
        let first_order = cx.system.layout().first_order();
        next.copy_from(x);
        next.t += h;
        copy(&m.lambda, &mut next.lambda);
        copy(&m.a, if first_order { &mut next.v } else { &mut next.a });
        copy(&m.zdot, &mut next.zdot);
        let weights = self.weights(cx.system.layout().order, h);
        match &self.solve {
            Implicit::Newton(limits) => {
                // First guess: the state continued with the rates it has.
                add(next.v.as_mut(), h, next.a.as_ref());
                add(next.z.as_mut(), h, next.zdot.as_ref());
                tangent.step.as_mut().fill(S::Real::ZERO);
                add(tangent.step.as_mut(), h, next.v.as_ref());
                cx.system.retract(&x.q, &tangent.step, &mut next.q);
                tangent.solve(cx, limits, Level::Position, weights, &x.q, Some(kept), next)?;
            }
            Implicit::Linearized { recovery } => linearized(cx, tangent, weights, x, next, *recovery)?,
        }
        if first_order {
            next.a.as_mut().fill(S::Real::ZERO);
        }
        own.take(cx.system, next);
        self.multipliers.complete(cx, proposal)?;
        let Proposal { x: next, error, .. } = proposal;
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

    fn remember(&self, _x: &State<S>, _next: &State<S>, (m, kept): &mut Self::Memory, w: &mut Scratch<S>) {
        m.copy_from(&w.own);
        kept.copy_from(&w.tangent.point);
    }
}

impl<T> Estimates for BackwardEuler<T> {
    const ORDER: u32 = 2;
}

/// One Newton step from (q, v, z) with rates zero, for the increment h v⁺ of q.
fn linearized<S: Solvable + Linearize, U: Inputs<S>>(
    cx: &mut Context<'_, S, U>,
    tangent: &mut Tangent<S>,
    weights: Weights<S::Real>,
    x: &State<S>,
    next: &mut State<S>,
    recovery: S::Real,
) -> Result<(), Cause> {
    let zero = S::Real::ZERO;
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
    tangent.step.as_mut().fill(zero);
    add(tangent.step.as_mut(), weights.position, next.v.as_ref());
    cx.system.retract(&x.q, &tangent.step, &mut next.q);
    next.check(&cx.system.layout())
}
