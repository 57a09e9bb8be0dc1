//! A pair of semi-explicit Euler steps: two half steps that continue the motion, and a whole step that measures their
//! error.
//!
//! # Scheme
//! ```text
//! v′ = v + ½h a(t, q, v),           q′ = q ⊕ ½h v′,    z′ = z + ½h g(t, q, v, z)
//! v⁺ = v′ + ½h a(t + ½h, q′, v′),   q⁺ = q′ ⊕ ½h v⁺,   z⁺ = z′ + ½h g(t + ½h, q′, v′, z′)
//!
//! v° = v + h a(t, q, v),            q° = q ⊕ h v°,     z° = z + h g(t, q, v, z)
//! estimate (q⁺, v⁺, z⁺) − (q°, v°, z°)
//! ```
//!
//! **No extrapolation.** 2 (q⁺, v⁺, z⁺) − (q°, v°, z°) would be of order 2, but it is not a composition of symplectic
//! maps. Its determinant on an undamped oscillation is 1 − (h ω)⁴/8, so it loses energy steadily. It is stable only to
//! h ω = 2 and h c/m = 2, like the whole step. The two halves have determinant 1 and stay bounded to h ω = 4 and h
//! c/m = 4; the whole step is discarded.
//!
//! First-order models, D v = f, take two halves of Euler's method in q, and q alone is measured.
//!
//! # Properties
//! Order 1; the estimate behaves as h². In steps of one size symplectic on separable systems, with bounded energy
//! error; under error control, with varying steps, the energy may drift. Damping h c/m must stay below 4. Two
//! evaluations per step. Constraints are enforced at acceleration level, drift, and should be projected; nonholonomic
//! rows are treated like other rows of G.
//!
//! # Needs
//! `Solvable`.
//!
//! # Reference
//! Simbody's `SemiExplicitEuler2Integrator`; E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration, 2nd ed.,
//! §VI.3.

use crate::error::{Cause, MethodName, Quantity};
use crate::integrators::method::{Estimates, Method, Proposal};
use crate::integrators::vary::{Push, Stepped, Vary, remembers_nothing, settle};
use crate::model::input::Inputs;
use crate::model::sensitive::Sensitive;
use crate::model::state::{State, copy, finite};
use crate::numbers::scalar::Scalar;
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;
use crate::solve::{Acceleration, add, subtract};
use crate::variation::{Chain, Controls, StateVariation};

/// Semi-explicit Euler in two half steps, measured by a whole step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SemiExplicitPair;

impl Estimates for SemiExplicitPair {
    const ERROR_ORDER: u32 = 2;
}

/// Scratch: the whole step, and the middle of the two half steps.
#[derive(Debug)]
pub struct Scratch<S: Solvable> {
    whole: (S::Q, S::V, S::Z),
    middle: S::Q,
    step: S::V,
}

/// Semi-explicit Euler from `from`: v and z by their slopes, then q by the new v.
fn euler<S: Solvable>(
    system: &S,
    h: S::Real,
    (a, zdot): (&S::V, &S::Z),
    from: &S::Q,
    (q, v, z): (&mut S::Q, &mut S::V, &mut S::Z),
    step: &mut S::V,
) {
    add(v.as_mut(), h, a.as_ref());
    add(z.as_mut(), h, zdot.as_ref());
    step.as_mut().fill(S::Real::ZERO);
    add(step.as_mut(), h, v.as_ref());
    system.retract(from, step, q);
}

impl<S: Solvable> Method<S> for SemiExplicitPair {
    type Memory = ();
    type Scratch = Scratch<S>;

    const EVALUATES_START: bool = true;

    fn name(&self) -> MethodName {
        MethodName::new("SemiExplicitPair")
    }

    fn scratch(&self, system: &S) -> Scratch<S> {
        let State { q, v, z, .. } = State::neutral(system);
        Scratch { middle: q.clone(), step: v.clone(), whole: (q, v, z) }
    }

    fn restart<U: Inputs<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        x: &mut State<S>,
        _h: S::Real,
        _w: &mut Scratch<S>,
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
        w: &mut Scratch<S>,
        next: &mut Proposal<S>,
    ) -> Result<(), Cause> {
        let half = S::Real::from_f64(0.5) * h;
        let Scratch { whole: (q, v, z), middle, step } = w;
        let Proposal { x: next, error, acceleration, .. } = next;
        let system = cx.system;
        next.copy_from(x);
        euler(system, half, (&x.a, &x.zdot), &x.q, (middle, &mut next.v, &mut next.z), step);
        copy(middle, &mut next.q);
        next.t = x.t + half;
        acceleration.settle(cx, next)?;
        let State { q: end, v: velocities, z: states, a, zdot, .. } = &mut *next;
        euler(system, half, (a, zdot), middle, (end, velocities, states), step);
        next.t = x.t + h;
        let layout = system.layout();
        finite(next.q.as_ref(), Quantity::Coordinate, layout.q)?;
        finite(next.v.as_ref(), Quantity::Velocity, layout.v)?;
        finite(next.z.as_ref(), Quantity::State, layout.z)?;
        copy(&x.v, v);
        copy(&x.z, z);
        euler(system, h, (&x.a, &x.zdot), &x.q, (q, v, z), step);
        system.local(q, &next.q, &mut error.q);
        if layout.first_order() {
            // velocities follow from q
            copy(&next.v, v);
        }
        subtract(error.v.as_mut(), next.v.as_ref(), v.as_ref());
        subtract(error.z.as_mut(), next.z.as_ref(), z.as_ref());
        // nor do algebraic variables, solved for in the middle, have an error
        error.z.as_mut().iter_mut().skip(layout.differential()).for_each(|error| *error = S::Real::ZERO);
        Ok(())
    }

    fn estimates(&self) -> bool {
        true
    }
}

impl<S: Solvable + Sensitive> Vary<S> for SemiExplicitPair {
    remembers_nothing!();

    fn vary<C: Chain<S>, U: Controls<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        (x, ()): (&State<S>, &()),
        h: S::Real,
        _made: (&State<S>, &mut Scratch<S>),
        chain: &mut C,
        (at, ()): (&StateVariation<S, C>, &()),
    ) -> Result<Stepped<S, C, ()>, Cause> {
        let (half, mut at) = (S::Real::from_f64(0.5) * h, at.clone());
        let rates = settle(cx, x, chain, &mut at)?;
        let (mut push, mut middle) = (Push::from(x), x.clone());
        push.step(cx.system, half, (&x.a, &x.zdot), (&x.q, &mut middle.q));
        at = push.vary(cx.system, half, chain, &at, (&rates.a, &rates.zdot));
        push.reach(&mut middle);
        middle.t += half;
        Acceleration::new(cx.system).settle(cx, &mut middle)?;
        let rates = settle(cx, &middle, chain, &mut at)?;
        let mut push = Push::from(&middle);
        push.step(cx.system, half, (&middle.a, &middle.zdot), (&middle.q, &mut x.q.clone()));
        Ok(Stepped { x: push.vary(cx.system, half, chain, &at, (&rates.a, &rates.zdot)), rates: None, memory: () })
    }
}
