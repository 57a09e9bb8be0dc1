//! The implicit midpoint rule in (q, p), p = M(q, t) v, which follows from a discrete action.
//!
//! # Scheme
//! With F = f + Ṁ v, which is ∂L/∂q and what other forces add, and everything with index m at t + h/2:
//!
//! ```text
//! p′ = p + G(q, t)ᵀ λ
//! qₘ = q ⊕ ½ h vₘ,    M(qₘ) vₘ = p′ + ½ h F(qₘ, vₘ, zₘ),    zₘ = z + ½ h g(qₘ, vₘ, zₘ)
//! q⁺ = q ⊕ h vₘ,      p⁺ = p′ + h F(qₘ, vₘ, zₘ) + G(q⁺, t⁺)ᵀ μ,       z⁺ = z + h g(qₘ, vₘ, zₘ)
//! ```
//!
//! with the impulses λ and μ of Φ(q⁺, t⁺) = 0 and G v⁺ + Φₜ = 0; the state keeps v⁺ = M(q⁺, t⁺)⁻¹ p⁺. Without
//! constraints it makes h L(qₘ, (q⁺ − q)/h) summed over the steps stationary. A nonholonomic row holds at the middle,
//! A v + b = 0 of (t + h/2, qₘ, vₘ), by its λ, and at the end by its μ.
//!
//! Newton's method solves for (vₘ, zₘ, λ). Its matrix is the tangent of the model, bordered by G of both ends. The
//! tangent lacks the derivative of Ṁ v. So where M varies, the first one is evaluated at q, where M + ½ h Ṁ is M of the
//! middle; this leaves an error of O(h²). If the first correction is coarse, the next uses the whole matrix, from the
//! tangents at the middle and at the end. Otherwise the matrix is kept, and Broyden's method learns from the
//! corrections what it misses. Iterations go on down to round-off, because any error that is left is a drift of the
//! energy. What the first guesses of earlier steps lacked is added to that of this step.
//!
//! # Properties
//! Order 2 in q, v, z, a and λ; symmetric, so that reversible motions return to their start. Symplectic where T = ½ vᵀ
//! M v and N = 1, for forces with a potential, with holonomic constraints on their manifold. Quadratic invariants are
//! kept to round-off. A-stable: it neither damps nor amplifies at any step size; there is no limit 2/ω. Rotations
//! take q ⊕ s and momenta of the body: order 2 and symmetry hold. Φ = 0 and Φ̇ = 0 to round-off. a and λ are those of
//! the state, by its own equations.
//!
//! # Needs
//! `Linearize`, and momenta M v: models of first order, and inertia that depends on velocities, are refused. Variations
//! of its steps need the feature `std`.
//!
//! # Reference
//! E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration, 2nd ed., §VI.6.2, Example 6.3, and §VII.1.4 for
//! impulses at the ends; L. Kharevych, W. Yang, Y. Tong, E. Kanso, J. E. Marsden, P. Schröder, M. Desbrun, Geometric,
//! variational integrators for computer animation, SCA 2006.

#[cfg(feature = "std")]
mod vary;

use crate::error::{Cause, Level, MethodName, Quantity};
use crate::integrators::foresight::Foresight;
use crate::integrators::method::{Method, Proposal};
use crate::model::input::Inputs;
use crate::model::layout::{Block, Layout, RowKind};
use crate::model::linearize::{Linearize, Weights};
use crate::model::state::{State, copy, finite};
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;
use crate::solve::{
    Acceleration, Canonical, Change, Correction, Descent, Newton, Reuse, Secant, Tangent, add, dot, lever,
};

/// The implicit midpoint rule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImplicitMidpoint<T> {
    /// limits of the iterations; no matrix outlives a step
    pub newton: Newton<T>,
}

impl<T: Real> Default for ImplicitMidpoint<T> {
    fn default() -> Self {
        Self { newton: Newton { reuse: Reuse::automatic(), ..Descent::limits() } }
    }
}

/// Scratch: the proposal, the middle of the step, and its equations.
#[derive(Debug)]
pub struct Scratch<S: Solvable + Linearize> {
    next: State<S>,
    /// (t + h/2, qₘ, vₘ, zₘ), with 2 vₘ/h and 2 (zₘ − z)/h in the places of a and ż, and no λ but that of compliant
    /// rows
    middle: State<S>,
    start: Canonical<S>,
    end: Canonical<S>,
    tangent: Tangent<S>,
    /// right-hand sides, then their correction
    change: Change<S>,
    secant: Secant<S>,
    momentum: S::V,
    rate: S::V,
    /// 2 λ/h
    reaction: S::L,
    /// the first guess, and what it lacked
    begun: Change<S>,
    foresight: Foresight<S>,
    /// the point at which the matrix is evaluated, and what the end of the step adds to it
    at: State<S>,
    columns: S::Tangent,
}

impl<S: Solvable + Linearize> Scratch<S> {
    fn new(system: &S) -> Self {
        let next = State::neutral(system);
        Self {
            middle: next.clone(),
            start: Canonical::new(system),
            end: Canonical::new(system),
            tangent: Tangent::new(system),
            change: Change::zeros(&system.layout()),
            secant: Secant::new(&system.layout()),
            momentum: next.v.clone(),
            rate: next.v.clone(),
            reaction: next.lambda.clone(),
            begun: Change::zeros(&system.layout()),
            foresight: Foresight::none(system),
            at: next.clone(),
            columns: Block::zeros(system.layout().tangent.nnz()),
            next,
        }
    }

    /// The middle by the rates and multipliers of `x`, and by what the guesses of the steps before lacked.
    fn guess(&mut self, system: &S, x: &State<S>, m: Option<&Foresight<S>>, h: S::Real) {
        let half = S::Real::from_f64(0.5) * h;
        self.next.copy_from(x);
        self.next.t += h;
        self.middle.copy_from(x);
        self.middle.t += half;
        add(self.middle.v.as_mut(), half, x.a.as_ref());
        add(self.middle.z.as_mut(), half, x.zdot.as_ref());
        self.reaction.as_mut().fill(S::Real::ZERO);
        self.divide(&system.layout());
        self.gather();
        self.begun.copy_from(&self.change);
        if let Some(m) = m {
            m.complete(h, &mut self.change);
        }
        let Self { middle, tangent, reaction, change: Change { v: [v, _], z, impulse }, .. } = self;
        copy(v, &mut middle.v);
        copy(z, &mut middle.z);
        copy(impulse, reaction);
        middle.a.as_mut().fill(S::Real::ZERO);
        add(middle.a.as_mut(), half.recip(), middle.v.as_ref());
        middle.zdot.as_mut().fill(S::Real::ZERO);
        let rates = middle.zdot.as_mut().iter_mut().zip(middle.z.as_ref()).zip(x.z.as_ref());
        for (_, ((rate, &z), &old)) in (0..system.layout().differential()).zip(rates) {
            *rate = (z - old) / half;
        }
        tangent.step.as_mut().fill(S::Real::ZERO);
        add(tangent.step.as_mut(), half, middle.v.as_ref());
        system.retract(&x.q, &tangent.step, &mut middle.q);
    }

    /// The unknowns as they are into `change`.
    fn gather(&mut self) {
        self.change.v.iter_mut().for_each(|v| copy(&self.middle.v, v));
        copy(&self.middle.z, &mut self.change.z);
        copy(&self.reaction, &mut self.change.impulse);
    }

    /// Moves λ of the middle to where it acts, the beginning, but for compliant rows.
    fn divide(&mut self, layout: &Layout<'_>) {
        let rows = self.reaction.as_mut().iter_mut().zip(self.middle.lambda.as_mut()).enumerate();
        for (_, (reaction, lambda)) in rows.filter(|(row, _)| layout.kind(*row) != RowKind::Compliant) {
            *reaction += *lambda;
            *lambda = S::Real::ZERO;
        }
    }

    /// q⁺ = q ⊕ h vₘ
    fn place(&mut self, system: &S, x: &State<S>) {
        self.rate.as_mut().fill(S::Real::ZERO);
        add(self.rate.as_mut(), S::Real::from_f64(2.0), self.tangent.step.as_ref());
        system.retract(&x.q, &self.rate, &mut self.next.q);
    }

    /// The step with matrices as `limits` ask for.
    fn attempt<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        limits: &Newton<S::Real>,
        x: &State<S>,
        m: Option<&Foresight<S>>,
        h: S::Real,
    ) -> Result<(), Cause> {
        let m = m.filter(|m| m.serves(h));
        self.guess(cx.system, x, m, h);
        self.start.weigh(cx, x.moment())?;
        self.momentum.as_mut().fill(S::Real::ZERO);
        self.start.add_momentum(cx.system, S::Real::ONE, &x.v, &mut self.momentum);
        let (mut descent, mut stale) = (Descent::expecting(m.and_then(|m| m.ratio(h))), true);
        for count in 0..limits.iterations {
            let correction = self.iterate(cx, x, h, stale, count == 0)?;
            if descent.ends(cx.work, limits, correction)? {
                self.gather();
                self.foresight.learn(m, h, descent.first(), &self.begun, &self.change);
                self.tangent.agree(cx.system, &self.next)?;
                return self.arrive(cx, x, h);
            }
            self.secant.remember(cx.system, &self.start, &self.change);
            stale = match limits.reuse {
                Reuse::EveryIteration => true,
                Reuse::EveryStep | Reuse::Never => false,
                Reuse::Automatic { slowest } => {
                    descent.coarse() || descent.ratio().is_some_and(|ratio| ratio > slowest)
                }
            };
        }
        Err(descent.failure(cx.work, limits))
    }

    /// Corrects vₘ, zₘ and λ, with a new matrix where that is `stale`.
    fn iterate<'a, U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'a, S, U>,
        x: &State<S>,
        h: S::Real,
        stale: bool,
        first: bool,
    ) -> Result<Correction<'a, S::Real>, Cause> {
        let (layout, one, half) = (cx.system.layout(), S::Real::ONE, S::Real::from_f64(0.5) * h);
        let weights = Weights { rates: half.recip(), velocity: one, position: half, state: one };
        if stale && first && !layout.constant_mass {
            // At the beginning of the step, where ∂r/∂v contributes Ṁ: M + ½ h Ṁ there is M of the middle.
            self.at.copy_from(&self.middle);
            self.at.t = x.t;
            copy(&x.q, &mut self.at.q);
            self.at.a.as_mut().fill(S::Real::ZERO);
            self.tangent.approach(cx, Level::Position, weights, &self.at)?;
            self.tangent.evaluate(cx, Level::Position, &self.middle)?;
        } else if stale {
            self.tangent.approach(cx, Level::Position, weights, &self.middle)?;
            if !layout.constant_mass {
                self.complete(cx, x, h)?;
            }
        } else {
            self.tangent.evaluate(cx, Level::Position, &self.middle)?;
        }
        let mut off = S::Real::ZERO;
        if !layout.constraints.is_empty() {
            self.place(cx.system, x);
            self.tangent.hold(cx, &self.next)?;
            if stale {
                self.tangent.border(cx.system, h);
                self.tangent.react(cx.system, self.start.jacobian());
            }
            let rows = self.tangent.residual.phi.as_ref().iter().enumerate();
            off = rows
                .filter(|(row, _)| layout.kind(*row) != RowKind::Compliant)
                .fold(off, |off, (_, x)| off.max(x.abs()));
        }
        let Self { middle, tangent, momentum, rate, reaction, start, change, secant, .. } = self;
        if !layout.constant_mass {
            cx.system.momentum_rate(middle.at(&tangent.u), rate);
            finite(rate.as_ref(), Quantity::Mass, layout.directions)?;
            add(tangent.residual.r.as_mut(), -one, rate.as_ref());
        }
        add(tangent.residual.r.as_mut(), -half.recip(), momentum.as_ref());
        start.add_reaction(cx.system, -one, reaction, &mut tangent.residual.r);
        if stale {
            tangent.factorize(cx)?;
            secant.forget();
        }
        change.take(&tangent.residual);
        tangent.solve_for(cx)?;
        // The energy of a correction, by its forces and by what Φ/h asks for.
        let by_forces = dot(change.v[0].as_ref(), tangent.residual.r.as_ref()).abs();
        let rows = change.impulse.as_ref().iter().zip(tangent.residual.phi.as_ref()).enumerate();
        let rows = rows.filter(|(row, _)| layout.kind(*row) == RowKind::Holonomic);
        let by_rows = rows.fold(S::Real::ZERO, |sum, (_, (&phi, &lambda))| sum + phi * lambda).abs() / h.abs();
        change.take(&tangent.residual);
        let bent = secant.improve(change);
        change.give(&mut tangent.residual);
        tangent.update(cx, weights, &x.q, middle);
        let held = by_forces < S::Real::from_f64(0.25) * by_rows;
        let correction = Correction::of(off)
            .bent(bent)
            .moving(held, tangent.change.as_ref(), middle.q.as_ref())
            .with(Quantity::Velocity, tangent.residual.r.as_ref(), middle.v.as_ref(), layout.directions)
            .with(Quantity::State, tangent.residual.s.as_ref(), middle.z.as_ref(), layout.z);
        self.divide(&layout);
        Ok(correction)
    }

    /// Adds to the tangent of the middle, with 2 vₘ/h in the place of a, what it lacks of the whole matrix, up to h³:
    /// (M(q) − M(q⁺))/h − B(q⁺).
    fn complete<U: Inputs<S>>(&mut self, cx: &mut Context<'_, S, U>, x: &State<S>, h: S::Real) -> Result<(), Cause> {
        self.place(cx.system, x);
        let Self { next, middle, at, start, tangent, rate, columns, .. } = self;
        let zero = S::Real::ZERO;
        at.copy_from(next);
        copy(&middle.v, &mut at.v);
        copy(&middle.z, &mut at.z);
        let weights = Weights { rates: -h.recip(), velocity: zero, position: -lever(at, h), state: zero };
        tangent.beside(cx, weights, at, rate, columns)?;
        tangent.add_motion(cx.system, columns);
        tangent.add_mass(cx.system, h.recip(), start.mass());
        Ok(())
    }

    /// The end of the step from its middle.
    fn arrive<U: Inputs<S>>(&mut self, cx: &mut Context<'_, S, U>, x: &State<S>, h: S::Real) -> Result<(), Cause> {
        let (layout, two) = (cx.system.layout(), S::Real::from_f64(2.0));
        self.end.evaluate(cx, self.middle.moment())?;
        self.start.add_reaction(cx.system, h / two, &self.reaction, &mut self.momentum);
        add(self.momentum.as_mut(), h, self.end.force());
        for (z, &found) in self.next.z.as_mut().iter_mut().zip(self.end.states()).skip(layout.differential()) {
            *z = found;
        }
        add(self.next.z.as_mut(), h, self.end.rates(&layout));
        self.place(cx.system, x);
        for (v, &middle) in self.next.v.as_mut().iter_mut().zip(self.middle.v.as_ref()) {
            *v = two * middle - *v;
        }
        self.end.weigh(cx, self.next.moment())?;
        self.end.take_momentum(cx, &mut self.momentum, &mut self.next)
    }
}

impl<S: Solvable + Linearize> Method<S> for ImplicitMidpoint<S::Real> {
    type Memory = Foresight<S>;
    type Scratch = Scratch<S>;

    fn name(&self) -> MethodName {
        MethodName::new("ImplicitMidpoint")
    }

    fn scratch(&self, system: &S) -> Scratch<S> {
        Scratch::new(system)
    }

    fn check(&self) -> Result<(), Cause> {
        self.newton.check()
    }

    fn restart<U: Inputs<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        x: &mut State<S>,
        _h: S::Real,
        w: &mut Scratch<S>,
        _acceleration: &mut Acceleration<S>,
    ) -> Result<Foresight<S>, Cause> {
        w.start.has_momenta(cx, x, &mut w.end, &mut w.rate)?;
        Ok(Foresight::none(cx.system))
    }

    fn attempt<U: Inputs<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        x: &State<S>,
        m: &Foresight<S>,
        h: S::Real,
        w: &mut Scratch<S>,
        next: &mut Proposal<S>,
    ) -> Result<(), Cause> {
        let mut outcome = w.attempt(cx, &self.newton, x, Some(m), h);
        if outcome.is_err() && (self.newton.reuse != Reuse::EveryIteration || m.serves(h)) {
            let exact = Newton { reuse: Reuse::EveryIteration, ..self.newton };
            outcome = w.attempt(cx, &exact, x, None, h);
        }
        next.x.copy_from(&w.next);
        outcome
    }

    fn remember(&self, _x: &State<S>, _next: &State<S>, m: &mut Foresight<S>, w: &mut Scratch<S>) {
        m.copy_from(&w.foresight);
    }
}
