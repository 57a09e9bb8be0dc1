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
//! The first step after a start, and a step more than 2.4 times as long as the last, have δ = 0: they are backward
//! Euler's. Beyond 1 + √2 the formula would let errors grow.
//!
//! For first-order models, D(q) v = f, the formula for qₙ₊₁ determines vₙ₊₁.
//!
//! # Properties
//! Order 2 in q, v, z and λ, on manifolds too; L-stable, and so suited to strong damping: motions too stiff for the
//! step disappear within it. Resolved motions are damped by O(h⁴) per step. Φ = 0 to the tolerance of Newton's method,
//! Φ̇ = O(h²). The error of a step is h³ (1 + ω)²/(6 ω (1 + 2ω)) y⃛; the estimate, of order 3, takes y⃛ from
//! differences of the rates at three points.
//!
//! # Needs
//! `Linearize`.
//!
//! # Reference
//! E. Hairer, S. P. Nørsett, G. Wanner, Solving Ordinary Differential Equations I, §III.5, (5.11) and Exercise 1 for
//! the stability of varying steps; E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, §V.1 and §VII.3.

use crate::error::{Cause, MethodName};
use crate::integrators::Multipliers;
use crate::integrators::end_equations::EndVaried;
use crate::integrators::end_equations::{EndEquations, Ended};
use crate::integrators::method::{Estimates, Method, Proposal};
use crate::integrators::scheme::Scheme;
use crate::integrators::vary::{Stepped, Vary};
use crate::model::history::{History, Parts};
use crate::model::input::Inputs;
use crate::model::layout::{Block, Order};
use crate::model::linearize::{Linearize, Weights};
use crate::model::sensitive::Sensitive;
use crate::model::state::State;
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;
use crate::solve::{Acceleration, Newton, add};
use crate::variation::{Chain, Controls, StateVariation, Varied};

/// The largest ratio of steps.
const MOST: f64 = 2.4;

/// The backward differentiation formula of order 2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bdf2<T> {
    /// limits of the iterations
    pub newton: Newton<T>,
    /// the choice of a and λ in its states
    pub multipliers: Multipliers,
}

impl<T: Real> Default for Bdf2<T> {
    fn default() -> Self {
        Self { newton: Newton::default(), multipliers: Multipliers::AtState }
    }
}

/// The state before the last, its time difference, and the memory of the last step.
#[derive(Clone, Debug)]
pub struct Past<S: Solvable + Linearize> {
    before: State<S>,
    h: Option<S::Real>,
    last: Ended<S>,
}

impl<S: Solvable + Linearize> History<S::Real> for Past<S> {
    fn visit(&mut self, parts: &mut dyn Parts<S::Real>) {
        self.before.visit(parts);
        parts.optional("step before", &mut self.h);
        self.last.visit(parts);
    }
}

/// Scratch: the equations of the end of a step, and its size.
#[derive(Debug)]
pub struct Scratch<S: Solvable + Linearize> {
    end: EndEquations<S>,
    /// qₙ₋₁ ⊖ qₙ
    back: S::V,
    h: S::Real,
}

/// The formula of a step.
#[derive(Clone, Copy, Debug)]
struct Formula<T> {
    /// ω; `None` for a step of backward Euler
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

    /// The slopes of its rates, v, q and z by v, or by z.
    fn weights(&self, h: T) -> Weights<T> {
        let step = self.beta * h;
        Weights { rates: step.recip(), velocity: T::ONE, position: step, state: T::ONE }
    }

    /// The rates of `new` after `old` and `oldest`: (new − (1 + δ) old + δ oldest)/(β h).
    fn rates(&self, h: T, new: &[T], old: &[T], oldest: &[T], out: &mut [T]) {
        let scale = (self.beta * h).recip();
        for (((out, &new), &old), &oldest) in out.iter_mut().zip(new).zip(old).zip(oldest) {
            *out = ((new - old) - self.delta * (old - oldest)) * scale;
        }
    }

    /// The error of the step from the rates at its ends and one step earlier: h³ (1 + ω)²/(6 ω (1 + 2ω)) y⃛ is ⅓ β h
    /// times the last difference less ω times the one before; for backward Euler, ½ h times the last.
    fn error(&self, h: T, new: &[T], old: &[T], oldest: &[T], out: &mut [T]) {
        let share = T::from_f64(if self.ratio.is_some() { 1.0 / 3.0 } else { 0.5 }) * self.beta * h;
        let ratio = self.ratio.unwrap_or(T::ZERO);
        for (((out, &new), &old), &oldest) in out.iter_mut().zip(new).zip(old).zip(oldest) {
            *out = share * ((new - old) - ratio * (old - oldest));
        }
    }
}

impl<T: Real> Scheme<T> for Bdf2<T> {
    /// The coefficients for steps of one size.
    fn weights(&self, _order: Order, h: T) -> Weights<T> {
        Formula::of(h, Some(h)).weights(h)
    }
}

impl<S: Solvable + Linearize> Method<S> for Bdf2<S::Real> {
    type Memory = Past<S>;
    type Scratch = Scratch<S>;

    fn name(&self) -> MethodName {
        MethodName::new("Bdf2")
    }

    fn scratch(&self, system: &S) -> Scratch<S> {
        Scratch { end: EndEquations::new(system), back: S::V::zeros(system.layout().v.len()), h: S::Real::ZERO }
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
        Ok(Past { before: x.clone(), h: None, last: Ended::at(cx.system, x) })
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
        let Scratch { end, back, h: taken } = w;
        let (layout, formula) = (cx.system.layout(), Formula::of(h, m.h));
        *taken = h;
        EndEquations::begin(cx.system, x, &m.last.own, h, &mut next.x);
        // First guess: v and z extrapolated with their rates.
        let to = &mut next.x;
        if !layout.first_order() {
            add(to.v.as_mut(), h, to.a.as_ref());
            formula.rates(h, to.v.as_ref(), x.v.as_ref(), m.before.v.as_ref(), to.a.as_mut());
        }
        add(to.z.as_mut(), h, to.zdot.as_ref());
        formula.rates(h, to.z.as_ref(), x.z.as_ref(), m.before.z.as_ref(), to.zdot.as_mut());
        layout.still(to.zdot.as_mut());
        cx.system.local(&x.q, &m.before.q, back);
        end.step(cx.system, &x.q, &[(-formula.delta, back), (formula.beta * h, &to.v)], &mut to.q);
        end.solve(cx, &self.newton, formula.weights(h), (x, &m.last.kept), to)?;
        // Errors take the rates of states, because the scheme's own jump along Gᵀ when the step changes.
        end.finish(cx, self.multipliers, next)?;
        let Proposal { x: next, error, .. } = next;
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
        w.end.remember(&mut m.last);
    }
}

impl<T> Estimates for Bdf2<T> {
    const ERROR_ORDER: u32 = 3;
    fn growth(&self) -> f64 {
        2.0
    }
}

impl<S: Solvable + Sensitive> Vary<S> for Bdf2<S::Real> {
    /// of the state before the last
    type Varied<C: Chain<S>> = StateVariation<S, C>;

    fn begin<C: Chain<S>, U: Controls<S>>(
        &self,
        _cx: &mut Context<'_, S, U>,
        _x: &State<S>,
        _chain: &mut C,
        at: &mut StateVariation<S, C>,
    ) -> Result<StateVariation<S, C>, Cause> {
        Ok(at.clone())
    }

    fn vary<C: Chain<S>, U: Controls<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        (x, m): (&State<S>, &Past<S>),
        h: S::Real,
        (made, w): (&State<S>, &mut Scratch<S>),
        chain: &mut C,
        (at, before): (&StateVariation<S, C>, &StateVariation<S, C>),
    ) -> Result<Stepped<S, C, StateVariation<S, C>>, Cause> {
        let (system, zero, one) = (cx.system, S::Real::ZERO, S::Real::ONE);
        let formula = Formula::of(h, m.h);
        let (scale, delta) = ((formula.beta * h).recip(), formula.delta);
        let mut back = S::V::zeros(system.layout().v.len());
        system.local(&x.q, &m.before.q, &mut back);
        let back = chain.local(system, (&x.q, &m.before.q, &back), &at.q, &before.q);
        let shares = (-(one + delta) * scale, delta * scale);
        let a = chain.combine((shares.0, &at.v), [(shares.1, &before.v)]);
        let mut zdot = chain.scale_z(shares.0, &at.z);
        chain.add_z(&mut zdot, shares.1, &before.z);
        let known = Varied { q: at.q.clone(), v: chain.scale(zero, &at.v), z: chain.scale_z(zero, &at.z) };
        let step = chain.scale(-delta, &back);
        let mut end = EndVaried::begin(system, chain, known, step);
        end.rates = Some((a, zdot));
        let weights = formula.weights(h);
        w.end.vary(cx, made, weights, chain, &mut end)?;
        w.end.slopes(system, weights, chain, &mut end);
        let mut memory = Varied { q: at.q.clone(), v: chain.scale(one, &at.v), z: at.z.clone() };
        chain.align(system, one, &x.v, &end.spin, &mut memory.v);
        Ok(Stepped { x: end.x, rates: self.multipliers.own(cx.system, chain, &end.found), memory })
    }
}
