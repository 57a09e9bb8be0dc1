//! Generalised-α for index 3, in the form of Arnold and Brüls.
//!
//! # Scheme
//! At tₙ₊₁ the equations hold exactly, M(q) v̇ = f + Gᵀ λ and Φ = 0, so M(q) may vary; the averages act on an auxiliary
//! a:
//!
//! ```text
//! (1 − αm) aₙ₊₁ + αm aₙ = (1 − αf) v̇ₙ₊₁ + αf v̇ₙ
//! qₙ₊₁ = qₙ ⊕ (h vₙ + h² (½ − β) aₙ + h² β aₙ₊₁)
//! vₙ₊₁ = vₙ + h (1 − γ) aₙ + h γ aₙ₊₁
//! ```
//!
//! The sum after ⊕ is a step in tangent coordinates: for a rotation, qₙ₊₁ = qₙ exp(…) with body rates, exp(…) qₙ with
//! spatial rates. It is affine in v̇ₙ₊₁, so Newton's method iterates on it and uses the tangent at it.
//!
//! First-order states take the same recursion with ż for v̇ and z for v. The unknowns are v̇ₙ₊₁, żₙ₊₁ and λₙ₊₁.
//!
//! First-order models, D(q) v = f, use it with v for v̇ and q for v: a is then an auxiliary velocity, the unknown is
//! vₙ₊₁, and qₙ₊₁ = qₙ ⊕ (h (1 − γ) aₙ + h γ aₙ₊₁). This is the form of Jansen, Whiting and Hulbert, of order 2 and
//! A-stable for αm ≤ αf ≤ ½.
//!
//! # Properties
//! Order 2 in q, v, z and λ when γ = ½ + αf − αm, on manifolds too. [`GeneralizedAlpha::with_spectral_radius`]
//! multiplies oscillations far above 1/h by ρ in each step: ρ = 1 is Newmark's (½, ¼) and damps nothing; ρ = 0 removes
//! them in one step. Unconditionally stable for 0 ≤ ρ ≤ 1. Without constraints, ρ = 1 and Newmark's (½, ¼) are
//! symmetric: a reversible motion returns to its start. Round-off of q appears in the scheme's λ as ε/h². Φ = 0 to the
//! tolerance of Newton's method, Φ̇ = O(h²).
//!
//! **Constraints that turn.** Along G an error of v is multiplied by −ρ in each step, and so is one of a: a double
//! eigenvalue, which splits where G turns. For a point on a circle that moves by θ per step, ρ = 1 has the factors −(c
//! ± √(c² − 1)), c = 1 + cos θ − cos² θ, about −exp ±θ. Errors of λ then grow as exp Ω t with every step, beginning
//! with those of the start, until Newton's method fails. ρ < 1 prevents this for θ < ¾ (1 − ρ).
//!
//! **Multipliers.** The error of q in a step is O(h³). Φ = 0 corrects it across the constraints only if v has an error
//! of O(h²), which at first it has not. So the scheme's own λ, and its v̇ along Gᵀ, have errors of O(h) in the first
//! steps and after a change of the step. With ρ = 0 this ends after two steps; otherwise it decays as n ρⁿ, and with
//! ρ = 1 it stays in λ. States show the a and λ of the equations instead, of order 2 from the first step on for every
//! ρ, unless the scheme's are requested: see [`Multipliers`].
//!
//! The auxiliary a stands for v̇ at t + σ h, where σ = αm − αf. If v̇ = v̇(tₙ) + (t − tₙ) v̈ is put into the first
//! line, a = v̇(tₙ + σ h) solves it to O(h²), since (1 − αm)(1 + σ) + αm σ = 1 − αf. With [`First::Shifted`] the first
//! step takes a from the line through its own v̇₀ and v̇₁, a₀ = v̇₀ + σ (v̇₁ − v̇₀) and a₁ = v̇₁ + σ (v̇₁ − v̇₀). In
//! the second and third line these give Newmark's step, with β + σ/2 instead of β and with γ + σ, which is ½ if the
//! order is 2, instead of γ. It needs no v̇ from before the start, where stiff forces may be of any size. If the first
//! step takes a₀ = v̇(t₀) instead, as HHT was published, an error of order h remains in the scheme's λ, multiplied by ρ
//! in each step.
//!
//! # Steps of changing size
//! The shift σ h is a part of the step, so aₙ belongs to the step that made it. Before a step of another size h′, aₙ −
//! v̇ₙ = σ h v̈ + O(h²) is rescaled:
//!
//! ```text
//! aₙ′ = v̇ₙ + (aₙ − v̇ₙ) h′/h
//! ```
//!
//! which keeps order 2. For h′ > 2 h this would magnify the round-off of v̇ₙ, and the step is made like a first one.
//!
//! **Estimate**, of order 3, where γ = ½ + αf − αm: see `errors.rs`. If q(t) is smooth, the error of a step is (β + σ/2
//! − 1/6) h³ v̈ in q⁺, for σ = 0 that of Zienkiewicz and Xie, h² (β − 1/6)(aₙ₊₁ − aₙ). In v⁺ it is (1/12 − σ (½ − αf))
//! h³ d²v̇/dt², and in z⁺ likewise. The derivatives are taken from differences of the v̇ and ż of the states shown. The
//! first step after a start knows only one difference, and uses it for v and z. Algebraic variables have no estimate.
//!
//! # Needs
//! `Linearize`.
//!
//! # Reference
//! M. Arnold, O. Brüls, Convergence of the generalized-α scheme for constrained mechanical systems, Multibody System
//! Dynamics 18 (2007) 185–202, eqs. (5)–(8); O. Brüls, A. Cardona, M. Arnold, Lie group generalized-α time integration
//! of constrained flexible multibody systems, Mechanism and Machine Theory 48 (2012) 121–137, for ⊕; M. Arnold, O.
//! Brüls, A. Cardona, Error analysis of generalized-α Lie group time integration methods for constrained mechanical
//! systems, Numerische Mathematik 129 (2015) 149–179, for the error of starts; J. Chung, G. M. Hulbert, J. Appl. Mech.
//! 60 (1993) 371–375 for the parameters; K. E. Jansen, C. H. Whiting, G. M. Hulbert, Comput. Methods Appl. Mech. Engrg.
//! 190 (2000) 305–319 for first-order systems; O. C. Zienkiewicz, Y. M. Xie, Earthquake Engineering and Structural
//! Dynamics 20 (1991) 871–887 for the estimate.

mod errors;
mod memory;
mod parameters;
mod vary;

use self::memory::{Auxiliary, Past};

use crate::error::{Cause, MethodName};
use crate::integrators::end_equations::{EndEquations, Ended};
use crate::integrators::method::{Method, Proposal};
use crate::integrators::scheme::Scheme;
use crate::integrators::{Multipliers, Slopes, slope};
use crate::model::input::Inputs;
use crate::model::layout::Order;
use crate::model::linearize::{Linearize, Weights};
use crate::model::state::{State, copy};
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;
use crate::solve::{Acceleration, Newton, add};

/// Generalised-α.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GeneralizedAlpha<T> {
    /// weight of old auxiliary accelerations
    pub alpha_m: T,
    /// weight of old accelerations
    pub alpha_f: T,
    /// Newmark's weight of aₙ₊₁ in q
    pub beta: T,
    /// Newmark's weight of aₙ₊₁ in v
    pub gamma: T,
    /// what a is at a start
    pub first: First,
    /// the choice of a and λ in its states
    pub multipliers: Multipliers,
    /// limits of the iterations
    pub newton: Newton<T>,
}

/// Scratch: the equations of the end and its auxiliary, and the one before it at the shift of this step.
#[derive(Debug)]
pub struct Scratch<S: Solvable + Linearize> {
    end: EndEquations<S>,
    old: Auxiliary<S>,
    next: Auxiliary<S>,
}

/// What the auxiliary a is at a start, or after an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum First {
    /// v̇ at t₀ + (αm − αf) h, for which it stands, by the first step's own line through v̇
    Shifted,
    /// v̇(t₀), as HHT was published
    Same,
    /// zero, whatever v̇(t₀) is: Project Chrono begins so unless its assembly finds accelerations. The error of order h
    /// stays
    Zero,
}

impl<T: Real> GeneralizedAlpha<T> {
    /// The auxiliary of `m` at the shift of a step `h`, into `old`, and the rule of that step.
    fn begin<S: Solvable<Real = T>>(&self, m: &Auxiliary<S>, own: &Slopes<S>, h: T, old: &mut Auxiliary<S>) -> Self {
        copy(&m.a, &mut old.a);
        copy(&m.zdot, &mut old.zdot);
        let (rule, kept) = self.shared(m.h.map(|before| h / before));
        old.rescale(own, kept);
        rule
    }

    /// The rule of a step of this ratio to the one before, and the share of a − v̇ that it keeps.
    fn shared(&self, ratio: Option<T>) -> (Self, T) {
        match ratio {
            None if self.first != First::Shifted => (*self, T::ONE),
            Some(ratio) if ratio <= T::from_f64(2.0) => (*self, ratio),
            _ => (self.afresh(), T::ZERO),
        }
    }
}

impl<T: Real> Scheme<T> for GeneralizedAlpha<T> {
    fn weights(&self, order: Order, h: T) -> Weights<T> {
        let share = self.share();
        let first = h * self.gamma * share;
        match order {
            Order::Second => {
                Weights { rates: T::ONE, velocity: first, position: h * h * self.beta * share, state: first }
            }
            Order::First => Weights { rates: T::ONE, velocity: T::ONE, position: first, state: first },
        }
    }
}

impl<S: Solvable + Linearize> Method<S> for GeneralizedAlpha<S::Real> {
    type Memory = Past<S>;
    type Scratch = Scratch<S>;

    fn name(&self) -> MethodName {
        MethodName::new("GeneralizedAlpha")
    }

    fn scratch(&self, system: &S) -> Scratch<S> {
        Scratch { end: EndEquations::new(system), old: Auxiliary::zeros(system), next: Auxiliary::zeros(system) }
    }

    fn check(&self) -> Result<(), Cause> {
        self.check_parameters()?;
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
        let (last, mut auxiliary) = (Ended::at(cx.system, x), Auxiliary::zeros(cx.system));
        // Shifted by the first attempt, which knows the step.
        if self.first != First::Zero {
            copy(&last.own.a, &mut auxiliary.a);
            copy(&last.own.zdot, &mut auxiliary.zdot);
        }
        Ok(Past { auxiliary, last })
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
        let Scratch { end, old, next: new } = w;
        let Past { auxiliary: m, last } = m;
        let (rule, system) = (self.begin(m, &last.own, h, old), cx.system);
        let Self { beta, gamma, .. } = rule;
        let (one, half, order) = (S::Real::ONE, S::Real::from_f64(0.5), system.layout().order);
        new.h = Some(h);
        // First guess: v̇, ż and λ as they were.
        EndEquations::begin(system, x, &last.own, h, &mut next.x);
        rule.advance((&last.own, old), &last.own, new);
        let State { q, v, z, .. } = &mut next.x;
        let first = [h * (one - gamma), h * gamma];
        match order {
            Order::Second => {
                let second = [h * h * (half - beta), h * h * beta];
                end.step(system, &x.q, &[(h, &x.v), (second[0], &old.a), (second[1], &new.a)], q);
                add(v.as_mut(), first[0], old.a.as_ref());
                add(v.as_mut(), first[1], new.a.as_ref());
            }
            Order::First => end.step(system, &x.q, &[(first[0], &old.a), (first[1], &new.a)], q),
        }
        add(z.as_mut(), first[0], old.zdot.as_ref());
        add(z.as_mut(), first[1], new.zdot.as_ref());
        end.solve(cx, &self.newton, rule.weights(order, h), (x, &last.kept), &mut next.x)?;
        end.finish(cx, self.multipliers, next)?;
        rule.advance((&last.own, old), &end.own, new);
        new.rescale(&last.own, one + self.shift() - rule.shift());
        copy(slope(system, x), &mut new.before.0);
        copy(&x.zdot, &mut new.before.1);
        let Proposal { x: next, error, .. } = next;
        rule.errors(system, [(m.h, &m.before), (Some(h), &new.before)], next, error);
        Ok(())
    }

    fn estimates(&self) -> bool {
        true
    }

    fn settles(&self) -> bool {
        self.multipliers == Multipliers::AtState
    }

    fn remember(&self, _x: &State<S>, _next: &State<S>, m: &mut Past<S>, w: &mut Scratch<S>) {
        m.auxiliary.copy_from(&w.next);
        w.end.remember(&mut m.last);
    }
}

impl<T: Real> GeneralizedAlpha<T> {
    /// The auxiliaries of the end from its v̇ and ż, and from those and the auxiliaries before.
    fn advance<S: Solvable<Real = T>>(
        &self,
        (before, old): (&Slopes<S>, &Auxiliary<S>),
        own: &Slopes<S>,
        new: &mut Auxiliary<S>,
    ) {
        self.average(own.a.as_ref(), before.a.as_ref(), old.a.as_ref(), new.a.as_mut());
        self.average(own.zdot.as_ref(), before.zdot.as_ref(), old.zdot.as_ref(), new.zdot.as_mut());
    }

    /// aₙ₊₁ from v̇ₙ₊₁, v̇ₙ and aₙ.
    fn average(&self, new: &[T], old: &[T], auxiliary: &[T], out: &mut [T]) {
        let scale = (T::ONE - self.alpha_m).recip();
        for (((out, &new), &old), &a) in out.iter_mut().zip(new).zip(old).zip(auxiliary) {
            *out = ((T::ONE - self.alpha_f) * new + self.alpha_f * old - self.alpha_m * a) * scale;
        }
    }
}
