//! Semi-explicit Euler: three first-order methods on (q, v) that treat one half of the state as known.
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
//! The first is the "gamer" form: v on the right is the old one in both places. The second costs no iteration: a constant v moves q
//! along q ⊕ t v, whichever end N(q) is taken at. The third solves for v⁺ by Newton's method.
//!
//! Simbody states the second as q⁺ = q + h N(q⁺) v, to be solved with ∂(N v)/∂q. For a quaternion with a body rate N(q) v = ½ q v, so that
//! q⁺ = q (1 − ½ h v)⁻¹, and of norm 1 it is q (1 + ½ h v)/|1 + ½ h v|: it turns by 2 arctan(½ h |v|) where q exp(h v) turns by h |v|,
//! O(h³) less. That is a retraction as well, Cayley's: a model that has it in [`System::retract`](crate::System::retract) takes
//! Simbody's steps.
//!
//! **Multipliers.** The first two solve G a + γ = 0 where they evaluate a. The third takes G(q, t) v⁺ + Φₜ(q, t) = 0. The state's a and
//! λ are those of its end, but for the form implicit in q, which has evaluated them, and algebraic variables, with the old v.
//!
//! **First-order models**, D v = f, have one half of this state only: all three are Euler's method q⁺ = q ⊕ h v(t, q) for q.
//!
//! # Properties
//! Order 1, no error estimate. On separable systems (constant M, forces of q only) all are symplectic, with bounded energy error;
//! with M(q) none is. Damping h c/m must stay below 2 for the explicit forms; the third is A-stable in it. Constraints drift:
//! Φ ~ t h without projection.
//!
//! # Needs
//! `Solvable`; the form implicit in v also `Linearize`.
//!
//! # Reference
//! E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration, 2nd ed., §I.1 (1.9) and §VI.3; §IV.8.3 for Cayley's step.

use crate::error::{Cause, Level};
use crate::input::Inputs;
use crate::integrators::Slopes;
use crate::method::{Context, Method};
use crate::scalar::Scalar;
use crate::scheme::{Factors, Scheme};
use crate::solve::{Acceleration, Newton, Tangent, add};
use crate::state::{State, copy};
use crate::system::{Linearize, Order, Solvable, Weights};

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

impl<T: crate::Real> SemiExplicitEuler<ImplicitVelocity<T>> {
    /// The form implicit in v.
    pub fn implicit_velocity() -> Self {
        Self { form: ImplicitVelocity { newton: Newton::default() } }
    }
}

/// Scratch of the explicit forms.
pub struct Scratch<S: Solvable> {
    x: State<S>,
    step: S::V,
    acceleration: Acceleration<S>,
}

impl<S: Solvable> core::fmt::Debug for Scratch<S> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Scratch").field("x", &self.x).finish_non_exhaustive()
    }
}

impl<S: Solvable> Scratch<S> {
    fn new(system: &S) -> Self {
        let x = State::neutral(system);
        Self { step: x.v.clone(), x, acceleration: Acceleration::new(system) }
    }

    /// q of the proposal = `from` ⊕ h v.
    fn advance(&mut self, system: &S, from: &State<S>, h: S::Real, v: &S::V) {
        self.step.as_mut().fill(S::Real::ZERO);
        add(self.step.as_mut(), h, v.as_ref());
        system.retract(&from.q, &self.step, &mut self.x.q);
    }

    /// a, ż and λ of the proposal where it stands.
    fn evaluate<U: Inputs<S>>(&mut self, cx: &mut Context<'_, S, U>) -> Result<(), Cause> {
        self.acceleration.settle(cx, &mut self.x)
    }
}

/// Weights of M alone, or of D: the unknown is what one evaluation of the explicit path solves for.
fn evaluation<T: Scalar>(order: Order) -> Weights<T> {
    let velocity = if order == Order::First { T::ONE } else { T::ZERO };
    Weights { rates: T::ONE, velocity, position: T::ZERO, state: T::ZERO }
}

/// q⁺ = q ⊕ h v with the v of an evaluation: models of first order in every form.
fn euler<T: Scalar>(h: T) -> Factors<T> {
    Factors { position: h, velocity: T::ONE, acceleration: T::ZERO }
}

impl<T: crate::Real> Scheme<T> for SemiExplicitEuler<Explicit> {
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

impl<T: crate::Real> Scheme<T> for SemiExplicitEuler<ImplicitPosition> {
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

impl<T: crate::Real> Scheme<T> for SemiExplicitEuler<ImplicitVelocity<T>> {
    fn weights(&self, _order: Order, h: T) -> Weights<T> {
        Weights { rates: h.recip(), velocity: T::ONE, position: T::ZERO, state: T::ONE }
    }

    /// The unknown v⁺ moves q after it was found.
    fn factors(&self, order: Order, h: T) -> Factors<T> {
        Factors { position: h, ..Factors::of(order, self.weights(order, h)) }
    }
}

impl<S: Solvable> Method<S> for SemiExplicitEuler<Explicit> {
    type Memory = Slopes<S>;
    type Workspace = Scratch<S>;

    fn name(&self) -> &'static str {
        "Euler"
    }

    fn workspace(&self, system: &S) -> Scratch<S> {
        Scratch::new(system)
    }

    fn restart<U: Inputs<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        x: &State<S>,
        _h: S::Real,
        w: &mut Scratch<S>,
    ) -> Result<Slopes<S>, Cause> {
        w.x.copy_from(x);
        w.evaluate(cx)?;
        let mut slopes = Slopes::zeros(cx.system);
        slopes.take(&w.x);
        Ok(slopes)
    }

    fn attempt<U: Inputs<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        x: &State<S>,
        m: &Slopes<S>,
        h: S::Real,
        w: &mut Scratch<S>,
    ) -> Result<(), Cause> {
        w.x.copy_from(x);
        w.x.t += h;
        add(w.x.v.as_mut(), h, m.a.as_ref());
        add(w.x.z.as_mut(), h, m.zdot.as_ref());
        let Scratch { x: next, step, .. } = w;
        step.as_mut().fill(S::Real::ZERO);
        add(step.as_mut(), h, next.v.as_ref());
        cx.system.retract(&x.q, step, &mut next.q);
        Ok(())
    }

    fn proposal<'w>(&self, w: &'w mut Scratch<S>) -> &'w mut State<S> {
        &mut w.x
    }

    fn finish<U: Inputs<S>>(&self, cx: &mut Context<'_, S, U>, w: &mut Scratch<S>) -> Result<(), Cause> {
        w.evaluate(cx)
    }

    fn commit(&self, x: &mut State<S>, m: &mut Slopes<S>, w: &mut Scratch<S>) {
        x.copy_from(&w.x);
        m.take(&w.x);
    }
}

impl<S: Solvable> Method<S> for SemiExplicitEuler<ImplicitPosition> {
    type Memory = ();
    type Workspace = Scratch<S>;

    fn name(&self) -> &'static str {
        "Euler, implicit in q"
    }

    fn workspace(&self, system: &S) -> Scratch<S> {
        Scratch::new(system)
    }

    fn restart<U: Inputs<S>>(
        &self,
        _cx: &mut Context<'_, S, U>,
        _x: &State<S>,
        _h: S::Real,
        _w: &mut Scratch<S>,
    ) -> Result<(), Cause> {
        Ok(())
    }

    fn attempt<U: Inputs<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        x: &State<S>,
        (): &(),
        h: S::Real,
        w: &mut Scratch<S>,
    ) -> Result<(), Cause> {
        w.x.copy_from(x);
        w.x.t += h;
        w.advance(cx.system, x, h, &x.v);
        w.evaluate(cx)?;
        add(w.x.v.as_mut(), h, w.x.a.as_ref());
        add(w.x.z.as_mut(), h, w.x.zdot.as_ref());
        Ok(())
    }

    fn proposal<'w>(&self, w: &'w mut Scratch<S>) -> &'w mut State<S> {
        &mut w.x
    }

    fn commit(&self, x: &mut State<S>, (): &mut (), w: &mut Scratch<S>) {
        x.copy_from(&w.x);
    }
}

/// Scratch of the form implicit in v.
pub struct Iteration<S: Solvable + Linearize> {
    end: Scratch<S>,
    tangent: Tangent<S>,
}

impl<S: Solvable + Linearize> core::fmt::Debug for Iteration<S> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Iteration").field("end", &self.end).finish_non_exhaustive()
    }
}

impl<S: Solvable + Linearize> Method<S> for SemiExplicitEuler<ImplicitVelocity<S::Real>> {
    type Memory = ();
    type Workspace = Iteration<S>;

    fn name(&self) -> &'static str {
        "Euler, implicit in v"
    }

    fn workspace(&self, system: &S) -> Iteration<S> {
        Iteration { end: Scratch::new(system), tangent: Tangent::new(system) }
    }

    fn check(&self) -> Result<(), Cause> {
        self.form.newton.check()
    }

    fn restart<U: Inputs<S>>(
        &self,
        _cx: &mut Context<'_, S, U>,
        _x: &State<S>,
        _h: S::Real,
        _w: &mut Iteration<S>,
    ) -> Result<(), Cause> {
        Ok(())
    }

    fn attempt<U: Inputs<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        x: &State<S>,
        (): &(),
        h: S::Real,
        w: &mut Iteration<S>,
    ) -> Result<(), Cause> {
        let Iteration { end: Scratch { x: next, .. }, tangent } = w;
        next.copy_from(x);
        next.a.as_mut().fill(S::Real::ZERO);
        next.zdot.as_mut().fill(S::Real::ZERO);
        tangent.step.as_mut().fill(S::Real::ZERO);
        let weights = self.weights(cx.system.layout().order, h);
        tangent.solve(cx, &self.form.newton, Level::Velocity, weights, &x.q, None, next)?;
        copy(&next.v, &mut tangent.step);
        for step in tangent.step.as_mut() {
            *step *= h;
        }
        cx.system.retract(&x.q, &tangent.step, &mut next.q);
        next.t = x.t + h;
        Ok(())
    }

    fn proposal<'w>(&self, w: &'w mut Iteration<S>) -> &'w mut State<S> {
        &mut w.end.x
    }

    fn finish<U: Inputs<S>>(&self, cx: &mut Context<'_, S, U>, w: &mut Iteration<S>) -> Result<(), Cause> {
        w.end.evaluate(cx)
    }

    fn commit(&self, x: &mut State<S>, (): &mut (), w: &mut Iteration<S>) {
        x.copy_from(&w.end.x);
    }
}
