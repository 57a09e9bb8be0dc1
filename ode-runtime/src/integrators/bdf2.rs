//! The backward differentiation formula of order 2 on the whole residual, index 3, for steps of any size.
//!
//! # Scheme
//! With ω = h/h′ the ratio of the step to the one before it, β = (1 + ω)/(1 + 2ω) and δ = ω²/(1 + 2ω), everything at
//! tₙ₊₁:
//!
//! ```text
//! M(q) v̇ = f(q, v, z, u) + G(q)ᵀ λ,   Φ(q) = 0,   ż = g(q, v, z, u)
//! vₙ₊₁ = (1 + δ) vₙ − δ vₙ₋₁ + β h v̇,     z likewise,     qₙ₊₁ = qₙ ⊕ (β h vₙ₊₁ − δ (qₙ₋₁ ⊖ qₙ))
//! ```
//!
//! The first step after a start, and one more than 2.4 times as long as the last, has δ = 0: it is backward Euler's.
//! Beyond 1 + √2 the formula would let errors grow.
//!
//! First-order models, D(q) v = f, take the line of q for vₙ₊₁.
//!
//! # Properties
//! Order 2 in q, v, z and λ, on manifolds too; L-stable, and so made for strong damping: a motion too stiff for the
//! step is gone after it. What it resolves it damps by O(h⁴) a step. Φ = 0 to the tolerance of Newton's method, Φ̇ =
//! O(h²). A step leaves y off by h³ (1 + ω)²/(6 ω (1 + 2ω)) y⃛: the estimate, of order 3, has y⃛ from differences of
//! the rates of three points.
//!
//! # Needs
//! `Linearize`.
//!
//! # Reference
//! E. Hairer, S. P. Nørsett, G. Wanner, Solving Ordinary Differential Equations I, §III.5, (5.11) and Exercise 1 for
//! the stability of varying steps; E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, §V.1 and §VII.3.

use crate::context::Context;
use crate::error::{Cause, Level};
use crate::history::{History, Parts};
use crate::input::Inputs;
use crate::integrators::{Multipliers, Slopes};
use crate::method::{Estimates, Method, Proposal};
use crate::scalar::{Real, Scalar};
use crate::scheme::Scheme;
use crate::solve::{Acceleration, Linearization, Newton, Tangent, add};
use crate::state::{State, copy};
use crate::system::{Linearize, Order, Solvable, Weights};

/// The largest ratio of steps.
const MOST: f64 = 2.4;

/// The backward differentiation formula of order 2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bdf2<T> {
    /// limits of the iterations
    pub newton: Newton<T>,
    /// which a and λ its states show
    pub multipliers: Multipliers,
}

impl<T: Real> Default for Bdf2<T> {
    fn default() -> Self {
        Self { newton: Newton::default(), multipliers: Multipliers::AtState }
    }
}

/// The state before the last, and how long before; the scheme's own rates at the last.
#[derive(Clone, Debug)]
pub struct Past<S: Solvable + Linearize> {
    before: State<S>,
    h: Option<S::Real>,
    own: Slopes<S>,
    kept: Linearization<S>,
}

impl<S: Solvable + Linearize> History<S::Real> for Past<S> {
    fn visit(&mut self, parts: &mut dyn Parts<S::Real>) {
        self.before.visit(parts);
        parts.optional("step before", &mut self.h);
        self.own.visit(parts);
        self.kept.visit(parts);
    }
}

/// Scratch: the equations of the end, and the scheme's own rates there.
#[derive(Debug)]
pub struct Scratch<S: Solvable + Linearize> {
    own: Slopes<S>,
    /// qₙ₋₁ ⊖ qₙ
    back: S::V,
    tangent: Tangent<S>,
    h: S::Real,
}

/// The formula of a step.
#[derive(Clone, Copy, Debug)]
struct Formula<T> {
    /// ω; none where it is backward Euler's
    ratio: Option<T>,
    delta: T,
    beta: T,
}

impl<T: Real> Formula<T> {
    fn of(h: T, before: Option<T>) -> Self {
        let (one, two) = (T::ONE, T::from_f64(2.0));
        let ratio = before.map(|before| h / before).filter(|&ratio| ratio <= T::from_f64(MOST));
        let (delta, beta) = ratio.map_or((T::ZERO, one), |ratio| {
            let scale = (one + two * ratio).recip();
            (ratio * ratio * scale, (one + ratio) * scale)
        });
        Self { ratio, delta, beta }
    }

    /// The rates of `new` after `old` and `oldest`: (new − (1 + δ) old + δ oldest)/(β h).
    fn rates(&self, h: T, new: &[T], old: &[T], oldest: &[T], out: &mut [T]) {
        let scale = (self.beta * h).recip();
        for (((out, &new), &old), &oldest) in out.iter_mut().zip(new).zip(old).zip(oldest) {
            *out = ((new - old) - self.delta * (old - oldest)) * scale;
        }
    }

    /// The error of the step from the rates at its ends and one step earlier: h³ (1 + ω)²/(6 ω (1 + 2ω)) y⃛ is ⅓ β h of
    /// what the last difference exceeds ω times the one before by; of backward Euler's ½ h of the last.
    fn error(&self, h: T, new: &[T], old: &[T], oldest: &[T], out: &mut [T]) {
        let share = T::from_f64(if self.ratio.is_some() { 1.0 / 3.0 } else { 0.5 }) * self.beta * h;
        let ratio = self.ratio.unwrap_or(T::ZERO);
        for (((out, &new), &old), &oldest) in out.iter_mut().zip(new).zip(old).zip(oldest) {
            *out = share * ((new - old) - ratio * (old - oldest));
        }
    }
}

impl<T: Real> Scheme<T> for Bdf2<T> {
    /// Those of steps of one size.
    fn weights(&self, _order: Order, h: T) -> Weights<T> {
        let step = Formula::of(h, Some(h)).beta * h;
        Weights { rates: step.recip(), velocity: T::ONE, position: step, state: T::ONE }
    }
}

impl<S: Solvable + Linearize> Method<S> for Bdf2<S::Real> {
    type Memory = Past<S>;
    type Scratch = Scratch<S>;

    fn name(&self) -> &'static str {
        "BDF 2"
    }

    fn scratch(&self, system: &S) -> Scratch<S> {
        let own = Slopes::zeros(system);
        Scratch { back: own.a.clone(), own, tangent: Tangent::new(system), h: S::Real::ZERO }
    }

    fn check(&self) -> Result<(), Cause> {
        self.newton.check()
    }

    fn restart<U: Inputs<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        x: &mut State<S>,
        _h: S::Real,
        _w: &mut Self::Scratch,
        _acceleration: &mut Acceleration<S>,
    ) -> Result<Past<S>, Cause> {
        let mut own = Slopes::zeros(cx.system);
        own.take(cx.system, x);
        Ok(Past { before: x.clone(), h: None, own, kept: Linearization::none(cx.system) })
    }

    fn attempt<U: Inputs<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        x: &State<S>,
        m: &Past<S>,
        h: S::Real,
        w: &mut Self::Scratch,
        next: &mut Proposal<S>,
    ) -> Result<(), Cause> {
        let Scratch { own, back, tangent, h: taken } = w;
        let proposal = next;
        let next = &mut proposal.x;
        let (layout, formula) = (cx.system.layout(), Formula::of(h, m.h));
        let first_order = layout.first_order();
        let step = formula.beta * h;
        *taken = h;
        next.copy_from(x);
        next.t += h;
        copy(&m.own.lambda, &mut next.lambda);
        // First guess: v and z continued with the rates they have, and what belongs to them.
        if first_order {
            copy(&m.own.a, &mut next.v);
        } else {
            add(next.v.as_mut(), h, m.own.a.as_ref());
            formula.rates(h, next.v.as_ref(), x.v.as_ref(), m.before.v.as_ref(), next.a.as_mut());
        }
        add(next.z.as_mut(), h, m.own.zdot.as_ref());
        formula.rates(h, next.z.as_ref(), x.z.as_ref(), m.before.z.as_ref(), next.zdot.as_mut());
        layout.still(next.zdot.as_mut());
        cx.system.local(&x.q, &m.before.q, back);
        tangent.step.as_mut().fill(S::Real::ZERO);
        add(tangent.step.as_mut(), -formula.delta, back.as_ref());
        add(tangent.step.as_mut(), step, next.v.as_ref());
        cx.system.retract(&x.q, &tangent.step, &mut next.q);
        let weights = Weights { rates: step.recip(), velocity: S::Real::ONE, position: step, state: S::Real::ONE };
        tangent.solve(cx, &self.newton, Level::Position, weights, &x.q, Some(&m.kept), next)?;
        if first_order {
            next.a.as_mut().fill(S::Real::ZERO);
        }
        own.take(cx.system, next);
        // Rates of states rather than the scheme's, which jump along Gᵀ where the step changes.
        self.multipliers.complete(cx, proposal)?;
        let Proposal { x: next, error, .. } = proposal;
        formula.error(h, next.v.as_ref(), x.v.as_ref(), m.before.v.as_ref(), error.q.as_mut());
        formula.error(h, next.a.as_ref(), x.a.as_ref(), m.before.a.as_ref(), error.v.as_mut());
        formula.error(h, next.zdot.as_ref(), x.zdot.as_ref(), m.before.zdot.as_ref(), error.z.as_mut());
        Ok(())
    }

    fn estimates(&self) -> bool {
        true
    }

    fn settles(&self) -> bool {
        self.multipliers == Multipliers::AtState
    }

    fn remember(&self, x: &State<S>, _next: &State<S>, m: &mut Past<S>, w: &mut Scratch<S>) {
        m.before.copy_from(x);
        m.h = Some(w.h);
        m.own.copy_from(&w.own);
        m.kept.copy_from(&w.tangent.point);
    }
}

impl<T> Estimates for Bdf2<T> {
    const ORDER: u32 = 3;
    fn growth(&self) -> f64 {
        2.0
    }
}
