//! Semi-explicit Euler: three first-order methods on (q, v). Each treats one half of the state as known.
//!
//! # Scheme
//! With h the step, a(t, q, v) the accelerations and u(t, x) the inputs:
//!
//! ```text
//! explicit             v⁺ = v + h a(t, q, v),     q⁺ = q ⊕ h v⁺,   z⁺ = z + h g(t, q, v, z)
//! implicit in q        q⁺ = q ⊕ h v,              v⁺ = v + h a(t + h, q⁺, v),   z⁺ = z + h g(t + h, q⁺, v, z)
//! implicit in v        M(q) (v⁺ − v)/h = f(t, q, v⁺, z⁺) + Gᵀ λ,   q⁺ = q ⊕ h v⁺,   z⁺ = z + h g(t, q, v⁺, z⁺)
//! ```
//!
//! The first is the "gamer" form: v on the right is the old one in both places. The second needs no iteration: constant
//! v moves q along q ⊕ t v, whether N(q) is taken at the beginning or at the end. The third solves for v⁺ by Newton's
//! method.
//!
//! Simbody's second form is q⁺ = q + h N(q⁺) v, solved with ∂(N v)/∂q. For a quaternion with a body rate N(q) v = ½ q
//! v, so q⁺ = q (1 − ½ h v)⁻¹, and normalised q (1 + ½ h v)/|1 + ½ h v|. It turns by 2 arctan(½ h |v|) where q exp(h v)
//! turns by h |v|, which differs by O(h³). This is Cayley's retraction: a model that uses it in
//! [`System::retract`](crate::System::retract) takes Simbody's steps.
//!
//! **Multipliers.** The first two solve G a + γ = 0 where they evaluate a. The third solves G(q, t) v⁺ + Φₜ(q, t) = 0.
//! The state's a and λ are those of its end. The form implicit in q keeps those that it has evaluated with the old v,
//! and algebraic variables too.
//!
//! **First-order models**, D v = f, have one half of this state only: all three are Euler's method q⁺ = q ⊕ h v(t, q)
//! for q.
//!
//! # Properties
//! Order 1, no error estimate. On separable systems (constant M, forces of q only) all are symplectic, with bounded
//! energy error; with M(q) none is. The explicit forms need damping h c/m below 2; the third is A-stable in it.
//! Constraints drift: Φ ~ t h without projection.
//!
//! # Needs
//! `Solvable`; the form implicit in v also `Linearize`.
//!
//! # Reference
//! E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration, 2nd ed., §I.1 (1.9) and §VI.3; §IV.8.3 for
//! Cayley's step.

mod vary;

use crate::error::{Cause, Level, MethodName};
use crate::integrators::method::{Method, Proposal};
use crate::integrators::scheme::{Factors, Scheme};
use crate::model::input::Inputs;
use crate::model::layout::{Block, Order};
use crate::model::linearize::{Linearize, Weights};
use crate::model::state::State;
use crate::model::system::System;
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;
use crate::solve::{Acceleration, Newton, Tangent, add};

/// v⁺ from old values, then q⁺ with v⁺.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explicit;
/// q⁺ with the old v, then v⁺ at q⁺.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImplicitPosition;
/// v⁺ by Newton's method with forces at v⁺, then q⁺ with v⁺.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImplicitVelocity<T> {
    /// limits of the iterations
    pub newton: Newton<T>,
}

/// Semi-explicit Euler in one of its forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SemiExplicitEuler<Form> {
    /// which half is known
    pub form: Form,
}

impl SemiExplicitEuler<Explicit> {
    /// The explicit form.
    pub const fn explicit() -> Self {
        Self { form: Explicit }
    }
}

impl SemiExplicitEuler<ImplicitPosition> {
    /// The form implicit in q.
    pub const fn implicit_position() -> Self {
        Self { form: ImplicitPosition }
    }
}

impl<T: Real> SemiExplicitEuler<ImplicitVelocity<T>> {
    /// The form implicit in v.
    pub fn implicit_velocity() -> Self {
        Self { form: ImplicitVelocity { newton: Newton::default() } }
    }
}

/// q⁺ = q ⊕ h v
fn advance<S: System>(system: &S, q: &S::Q, h: S::Real, v: &S::V, step: &mut S::V, out: &mut S::Q) {
    for (step, &v) in step.as_mut().iter_mut().zip(v.as_ref()) {
        *step = h * v;
    }
    system.retract(q, step, out);
}

/// Weights of M alone, or of D: the unknown is the result of one evaluation of the explicit path.
fn evaluation<T: Scalar>(order: Order) -> Weights<T> {
    let velocity = if order == Order::First { T::ONE } else { T::ZERO };
    Weights { rates: T::ONE, velocity, position: T::ZERO, state: T::ZERO }
}

/// q⁺ = q ⊕ h v with the v of an evaluation: models of first order in every form.
fn euler<T: Scalar>(h: T) -> Factors<T> {
    Factors { position: h, velocity: T::ONE, acceleration: T::ZERO }
}

impl<T: Real> Scheme<T> for SemiExplicitEuler<Explicit> {
    fn weights(&self, order: Order, _h: T) -> Weights<T> {
        evaluation(order)
    }

    /// v⁺ = v + h a and q⁺ = q ⊕ h v⁺, one after the other.
    fn factors(&self, order: Order, h: T) -> Factors<T> {
        match order {
            Order::Second => Factors { position: h * h, velocity: h, acceleration: T::ONE },
            Order::First => euler(h),
        }
    }
}

impl<T: Real> Scheme<T> for SemiExplicitEuler<ImplicitPosition> {
    fn weights(&self, order: Order, _h: T) -> Weights<T> {
        evaluation(order)
    }

    /// q⁺ is known before a is.
    fn factors(&self, order: Order, h: T) -> Factors<T> {
        match order {
            Order::Second => Factors { position: T::ZERO, velocity: h, acceleration: T::ONE },
            Order::First => euler(h),
        }
    }
}

impl<T: Real> Scheme<T> for SemiExplicitEuler<ImplicitVelocity<T>> {
    fn weights(&self, _order: Order, h: T) -> Weights<T> {
        Weights { rates: h.recip(), velocity: T::ONE, position: T::ZERO, state: T::ONE }
    }

    /// The unknown v⁺ moves q after it was found.
    fn factors(&self, order: Order, h: T) -> Factors<T> {
        Factors { position: h, ..Factors::of(order, self.weights(order, h)) }
    }
}

impl<S: Solvable> Method<S> for SemiExplicitEuler<Explicit> {
    type Memory = ();
    /// h v⁺
    type Scratch = S::V;

    const EVALUATES_START: bool = true;

    fn name(&self) -> MethodName {
        MethodName::new("SemiExplicitEuler::explicit")
    }

    fn scratch(&self, system: &S) -> S::V {
        S::V::zeros(system.layout().v.len())
    }

    fn restart<U: Inputs<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        x: &mut State<S>,
        _h: S::Real,
        _step: &mut S::V,
        acceleration: &mut Acceleration<S>,
    ) -> Result<(), Cause> {
        acceleration.settle(cx, x)
    }

    fn attempt<U: Inputs<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        x: &State<S>,
        (): &(),
        h: S::Real,
        step: &mut S::V,
        next: &mut Proposal<S>,
    ) -> Result<(), Cause> {
        let next = &mut next.x;
        next.copy_from(x);
        next.t += h;
        add(next.v.as_mut(), h, x.a.as_ref());
        add(next.z.as_mut(), h, x.zdot.as_ref());
        advance(cx.system, &x.q, h, &next.v, step, &mut next.q);
        Ok(())
    }
}

impl<S: Solvable> Method<S> for SemiExplicitEuler<ImplicitPosition> {
    type Memory = ();
    /// h v
    type Scratch = S::V;

    fn name(&self) -> MethodName {
        MethodName::new("SemiExplicitEuler::implicit_position")
    }

    fn scratch(&self, system: &S) -> S::V {
        S::V::zeros(system.layout().v.len())
    }

    fn restart<U: Inputs<S>>(
        &self,
        _cx: &mut Context<'_, S, U>,
        _x: &mut State<S>,
        _h: S::Real,
        _step: &mut S::V,
        _acceleration: &mut Acceleration<S>,
    ) -> Result<(), Cause> {
        Ok(())
    }

    fn attempt<U: Inputs<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        x: &State<S>,
        (): &(),
        h: S::Real,
        step: &mut S::V,
        next: &mut Proposal<S>,
    ) -> Result<(), Cause> {
        let Proposal { x: next, acceleration, .. } = next;
        next.copy_from(x);
        next.t += h;
        advance(cx.system, &x.q, h, &x.v, step, &mut next.q);
        acceleration.settle(cx, next)?;
        add(next.v.as_mut(), h, next.a.as_ref());
        add(next.z.as_mut(), h, next.zdot.as_ref());
        Ok(())
    }

    /// They belong to the new q and the old v, which the step uses.
    fn settles(&self) -> bool {
        false
    }
}

impl<S: Solvable + Linearize> Method<S> for SemiExplicitEuler<ImplicitVelocity<S::Real>> {
    type Memory = ();
    type Scratch = Tangent<S>;

    fn name(&self) -> MethodName {
        MethodName::new("SemiExplicitEuler::implicit_velocity")
    }

    fn scratch(&self, system: &S) -> Tangent<S> {
        Tangent::new(system)
    }

    fn check(&self) -> Result<(), Cause> {
        self.form.newton.check()
    }

    fn restart<U: Inputs<S>>(
        &self,
        _cx: &mut Context<'_, S, U>,
        _x: &mut State<S>,
        _h: S::Real,
        _tangent: &mut Tangent<S>,
        _acceleration: &mut Acceleration<S>,
    ) -> Result<(), Cause> {
        Ok(())
    }

    fn attempt<U: Inputs<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        x: &State<S>,
        (): &(),
        h: S::Real,
        tangent: &mut Tangent<S>,
        next: &mut Proposal<S>,
    ) -> Result<(), Cause> {
        let next = &mut next.x;
        next.copy_from(x);
        next.a.as_mut().fill(S::Real::ZERO);
        next.zdot.as_mut().fill(S::Real::ZERO);
        tangent.step.as_mut().fill(S::Real::ZERO);
        let weights = self.weights(cx.system.layout().order, h);
        tangent.solve(cx, &self.form.newton, Level::Velocity, weights, &x.q, None, next)?;
        advance(cx.system, &x.q, h, &next.v, &mut tangent.step, &mut next.q);
        next.t = x.t + h;
        Ok(())
    }
}
