//! Generalised-α for index 3, in the form of Arnold and Brüls.
//!
//! # Scheme
//! At tₙ₊₁ the equations hold as they are, M(q) v̇ = f + Gᵀ λ and Φ = 0, so that M(q) may vary; the averaging acts on an auxiliary a:
//!
//! ```text
//! (1 − αm) aₙ₊₁ + αm aₙ = (1 − αf) v̇ₙ₊₁ + αf v̇ₙ
//! qₙ₊₁ = qₙ ⊕ (h vₙ + h² (½ − β) aₙ + h² β aₙ₊₁)
//! vₙ₊₁ = vₙ + h (1 − γ) aₙ + h γ aₙ₊₁
//! ```
//!
//! The sum after ⊕ is a step in tangent coordinates: for a rotation, qₙ₊₁ = qₙ exp(…) with rates of the body, exp(…) qₙ with those of space.
//! It is affine in v̇ₙ₊₁, so Newton's method iterates on it, and asks for the tangent at it.
//!
//! First-order states take the same recursion with ż for v̇ and z for v. The unknowns are v̇ₙ₊₁, żₙ₊₁ and λₙ₊₁.
//!
//! First-order models, D(q) v = f, take it with v for v̇ and q for v: a is then an auxiliary velocity, the unknown is vₙ₊₁, and
//! qₙ₊₁ = qₙ ⊕ (h (1 − γ) aₙ + h γ aₙ₊₁). That is the form of Jansen, Whiting and Hulbert, of order 2 and A-stable for αm ≤ αf ≤ ½.
//!
//! # Properties
//! Order 2 in q, v, z and λ when γ = ½ + αf − αm, on manifolds too. With [`GeneralizedAlpha::with_spectral_radius`] oscillations far
//! above 1/h are multiplied by ρ each step: ρ = 1 is Newmark's (½, ¼) and damps nothing; ρ = 0 removes them in one step. Unconditionally
//! stable for 0 ≤ ρ ≤ 1. Without constraints, ρ = 1 and Newmark's (½, ¼) are symmetric: a motion that can be reversed finds its way back.
//! Round-off of q shows in λ as ε/h², which only ρ < 1 keeps from growing. Φ = 0 to the tolerance of Newton's method, Φ̇ = O(h²).
//!
//! **Starts.** A step leaves q off by O(h³), and where Φ = 0 takes that back, v has to be off by O(h²), which at first it is not: so λ, and
//! v̇ along Gᵀ, are off by O(h) in the first steps and after a change of the step. Two steps later that is gone with ρ = 0; it decays
//! as n ρⁿ, and with ρ = 1 it does not leave λ, which is then of no use.
//!
//! a stands for v̇ at t + (αm − αf) h, not at t: with v̇ = v̇(tₙ) + (t − tₙ) v⃛ put into the first line, a = v̇(tₙ + σ h) solves it to
//! O(h²) for σ = αm − αf, since (1 − αm)(1 + σ) + αm σ = 1 − αf. With `shifted` it is started there, from the continued
//! trajectory; started from v̇(t₀), as HHT was published, it leaves an error of order h in λ, damped by ρ a step.
//!
//! # Steps of changing size
//! So aₙ belongs to the step that made it. Before a step of another size h′, aₙ − v̇ₙ = σ h v⃛ + O(h²) is rescaled:
//!
//! ```text
//! aₙ′ = v̇ₙ + (aₙ − v̇ₙ) h′/h
//! ```
//!
//! which keeps order 2. Where h′ > 2 h, that would magnify the round-off of v̇ₙ, and aₙ′ is started afresh.
//!
//! # Needs
//! `Linearize`.
//!
//! # Reference
//! M. Arnold, O. Brüls, Convergence of the generalized-α scheme for constrained mechanical systems, Multibody System Dynamics 18
//! (2007) 185–202, eqs. (5)–(8); O. Brüls, A. Cardona, M. Arnold, Lie group generalized-α time integration of constrained flexible
//! multibody systems, Mechanism and Machine Theory 48 (2012) 121–137, for ⊕; M. Arnold, O. Brüls, A. Cardona, Error analysis of
//! generalized-α Lie group time integration methods for constrained mechanical systems, Numerische Mathematik 129 (2015) 149–179, for the
//! error of starts; J. Chung, G. M. Hulbert, J. Appl. Mech. 60 (1993) 371–375 for the parameters; K. E. Jansen, C. H. Whiting,
//! G. M. Hulbert, Comput. Methods Appl. Mech. Engrg. 190 (2000) 305–319 for first-order systems.

use crate::error::{Cause, Level};
use crate::history::{History, Parts};
use crate::input::Inputs;
use crate::method::{Context, Method};
use crate::scalar::{Real, Scalar};
use crate::solve::{Acceleration, Newton, Tangent, add};
use crate::state::{State, copy};
use crate::system::{Linearize, Solvable, Weights};

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
    /// whether a₀ is v̇ at t₀ + (αm − αf) h, for which it stands, rather than v̇(t₀)
    pub shifted: bool,
    /// limits of the iterations
    pub newton: Newton<T>,
}

impl<T: Real> GeneralizedAlpha<T> {
    /// The parameters of order 2 that multiply the highest frequencies by `rho` each step, 0 ≤ ρ ≤ 1.
    pub fn with_spectral_radius(rho: T) -> Self {
        let (one, two) = (T::ONE, T::from_f64(2.0));
        let alpha_m = (two * rho - one) / (rho + one);
        let alpha_f = rho / (rho + one);
        let gamma = T::from_f64(0.5) + alpha_f - alpha_m;
        let beta = T::from_f64(0.25) * (gamma + T::from_f64(0.5)) * (gamma + T::from_f64(0.5));
        Self { alpha_m, alpha_f, beta, gamma, shifted: true, newton: Newton::default() }
    }

    /// Newmark's family: αm = αf = 0, so that a is v̇. Order 2 for γ = ½ only.
    pub fn newmark(gamma: T, beta: T) -> Self {
        Self { alpha_m: T::ZERO, alpha_f: T::ZERO, beta, gamma, shifted: false, newton: Newton::default() }
    }

    /// The method of Hilber, Hughes and Taylor, −⅓ ≤ α ≤ 0, with its averages taken in the form above.
    pub fn hht(alpha: T) -> Self {
        let (one, half) = (T::ONE, T::from_f64(0.5));
        let beta = T::from_f64(0.25) * (one - alpha) * (one - alpha);
        Self { alpha_m: T::ZERO, alpha_f: -alpha, beta, gamma: half - alpha, shifted: false, newton: Newton::default() }
    }

    /// δaₙ₊₁ / δv̇ₙ₊₁.
    fn share(&self) -> T {
        (T::ONE - self.alpha_f) / (T::ONE - self.alpha_m)
    }

    /// aₙ₊₁ from v̇ₙ₊₁, v̇ₙ and aₙ.
    fn average(&self, new: &[T], old: &[T], auxiliary: &[T], out: &mut [T]) {
        let scale = (T::ONE - self.alpha_m).recip();
        for (((out, &new), &old), &a) in out.iter_mut().zip(new).zip(old).zip(auxiliary) {
            *out = ((T::ONE - self.alpha_f) * new + self.alpha_f * old - self.alpha_m * a) * scale;
        }
    }
}

/// The auxiliary a, its like for ż, and the step they belong to: none at a start, where they are v̇ and ż.
pub struct Auxiliary<S: Solvable> {
    a: S::V,
    zdot: S::Z,
    h: Option<S::Real>,
}

impl<S: Solvable> History<S::Real> for Auxiliary<S> {
    fn visit(&mut self, parts: &mut dyn Parts<S::Real>) {
        parts.numbers("auxiliary of v", self.a.as_mut());
        parts.numbers("auxiliary of z", self.zdot.as_mut());
        parts.optional("step of the auxiliaries", &mut self.h);
    }
}

impl<S: Solvable> Clone for Auxiliary<S> {
    fn clone(&self) -> Self {
        Self { a: self.a.clone(), zdot: self.zdot.clone(), h: self.h }
    }
}

impl<S: Solvable> core::fmt::Debug for Auxiliary<S> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Auxiliary").field("a", &self.a).field("zdot", &self.zdot).field("h", &self.h).finish()
    }
}

/// Scratch: the proposal and its auxiliary, and the auxiliary before it at the shift of this step.
pub struct Scratch<S: Solvable + Linearize> {
    x: State<S>,
    old: Auxiliary<S>,
    next: Auxiliary<S>,
    tangent: Tangent<S>,
    acceleration: Acceleration<S>,
}

impl<S: Solvable + Linearize> core::fmt::Debug for Scratch<S> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Scratch").field("x", &self.x).field("next", &self.next).finish_non_exhaustive()
    }
}

impl<S: Solvable + Linearize> Scratch<S> {
    /// Rates at x continued by `shift` with constant rates, into `next`.
    fn continued<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        x: &State<S>,
        shift: S::Real,
    ) -> Result<(), Cause> {
        self.x.copy_from(x);
        self.x.t += shift;
        self.tangent.step.as_mut().fill(S::Real::ZERO);
        add(self.tangent.step.as_mut(), shift, x.v.as_ref());
        add(self.tangent.step.as_mut(), S::Real::from_f64(0.5) * shift * shift, x.a.as_ref());
        cx.system.retract(&x.q, &self.tangent.step, &mut self.x.q);
        add(self.x.v.as_mut(), shift, x.a.as_ref());
        add(self.x.z.as_mut(), shift, x.zdot.as_ref());
        let (at, _, _, lambda) = self.x.split();
        self.acceleration.evaluate(cx, at, &mut self.next.a, &mut self.next.zdot, lambda)
    }
}

/// What the auxiliary a is an average of: v̇, or v where the model is of first order.
fn slope<'x, S: Solvable>(system: &S, x: &'x State<S>) -> &'x S::V {
    if system.layout().first_order() { &x.v } else { &x.a }
}

impl<T: Real> GeneralizedAlpha<T> {
    /// The auxiliary of `m` at the shift of a step `h`, into `w.old`.
    fn shift<S: Solvable<Real = T> + Linearize, U: Inputs<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        x: &State<S>,
        m: &Auxiliary<S>,
        h: T,
        w: &mut Scratch<S>,
    ) -> Result<(), Cause> {
        copy(&m.a, &mut w.old.a);
        copy(&m.zdot, &mut w.old.zdot);
        let (one, shift) = (T::ONE, (self.alpha_m - self.alpha_f) * h);
        let ratio = match m.h {
            None if !self.shifted => return Ok(()),
            None => None,
            Some(old) => Some(h / old).filter(|&ratio| ratio <= T::from_f64(2.0)),
        };
        if shift == T::ZERO || ratio == Some(one) {
            return Ok(());
        }
        if let Some(ratio) = ratio {
            let rescale = |a: &mut [T], rates: &[T]| {
                for (a, &rate) in a.iter_mut().zip(rates) {
                    *a = rate + (*a - rate) * ratio;
                }
            };
            rescale(w.old.a.as_mut(), slope(cx.system, x).as_ref());
            rescale(w.old.zdot.as_mut(), x.zdot.as_ref());
            return Ok(());
        }
        copy(slope(cx.system, x), &mut w.old.a);
        copy(&x.zdot, &mut w.old.zdot);
        // The difference of two evaluations, so that rates given by hand are kept.
        w.continued(cx, x, shift)?;
        add(w.old.a.as_mut(), one, w.next.a.as_ref());
        add(w.old.zdot.as_mut(), one, w.next.zdot.as_ref());
        w.continued(cx, x, T::ZERO)?;
        add(w.old.a.as_mut(), -one, w.next.a.as_ref());
        add(w.old.zdot.as_mut(), -one, w.next.zdot.as_ref());
        Ok(())
    }
}

impl<S: Solvable + Linearize> Method<S> for GeneralizedAlpha<S::Real> {
    type Memory = Auxiliary<S>;
    type Workspace = Scratch<S>;

    fn name(&self) -> &'static str {
        "generalised-α"
    }

    fn workspace(&self, system: &S) -> Scratch<S> {
        let x = State::zeros(system);
        Scratch {
            old: Auxiliary { a: x.a.clone(), zdot: x.zdot.clone(), h: None },
            next: Auxiliary { a: x.a.clone(), zdot: x.zdot.clone(), h: None },
            x,
            tangent: Tangent::new(system),
            acceleration: Acceleration::new(system),
        }
    }

    fn check(&self) -> Result<(), Cause> {
        let settings = [("αm", self.alpha_m), ("αf", self.alpha_f), ("β", self.beta), ("γ", self.gamma)];
        for (setting, value) in settings {
            if !value.is_finite() {
                return Err(Cause::Invalid { setting, value: value.to_f64() });
            }
        }
        // β = 0 would leave q, and so Φ, without an unknown; αm = 1 and αf = 1 leave a without one.
        let positive =
            [("β", self.beta), ("γ", self.gamma), ("1 − αm", S::Real::ONE - self.alpha_m), ("share", self.share())];
        for (setting, value) in positive {
            if !(value > S::Real::ZERO) {
                return Err(Cause::Invalid { setting, value: value.to_f64() });
            }
        }
        // Outside 0 ≤ αf ≤ ½, αm ≤ αf no step size is stable; the slack is for rounding of ρ = 1.
        let (slack, half) = (S::Real::from_f64(4.0) * S::Real::EPSILON, S::Real::from_f64(0.5));
        for (setting, value, low, high) in
            [("αf", self.alpha_f, S::Real::ZERO, half), ("αm", self.alpha_m, -S::Real::INFINITY, self.alpha_f)]
        {
            if value < low - slack || value > high + slack {
                return Err(Cause::Invalid { setting, value: value.to_f64() });
            }
        }
        self.newton.check()
    }

    fn restart<U: Inputs<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        x: &State<S>,
        _h: S::Real,
        _w: &mut Scratch<S>,
    ) -> Result<Auxiliary<S>, Cause> {
        // Shifted by the first attempt, which knows the step.
        Ok(Auxiliary { a: slope(cx.system, x).clone(), zdot: x.zdot.clone(), h: None })
    }

    fn attempt<U: Inputs<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        x: &State<S>,
        m: &Auxiliary<S>,
        h: S::Real,
        w: &mut Scratch<S>,
    ) -> Result<(), Cause> {
        let Self { beta, gamma, .. } = *self;
        let (half, one) = (S::Real::from_f64(0.5), S::Real::ONE);
        self.shift(cx, x, m, h, w)?;
        let Scratch { x: next, old: m, next: aux, tangent, .. } = w;
        aux.h = Some(h);
        // First guess: v̇ and ż as they were.
        next.copy_from(x);
        next.t += h;
        let first_order = cx.system.layout().first_order();
        let old = slope(cx.system, x).as_ref();
        self.average(slope(cx.system, next).as_ref(), old, m.a.as_ref(), aux.a.as_mut());
        self.average(next.zdot.as_ref(), x.zdot.as_ref(), m.zdot.as_ref(), aux.zdot.as_mut());

        tangent.step.as_mut().fill(S::Real::ZERO);
        if first_order {
            add(tangent.step.as_mut(), h * (one - gamma), m.a.as_ref());
            add(tangent.step.as_mut(), h * gamma, aux.a.as_ref());
        } else {
            add(tangent.step.as_mut(), h, x.v.as_ref());
            add(tangent.step.as_mut(), h * h * (half - beta), m.a.as_ref());
            add(tangent.step.as_mut(), h * h * beta, aux.a.as_ref());
            add(next.v.as_mut(), h * (one - gamma), m.a.as_ref());
            add(next.v.as_mut(), h * gamma, aux.a.as_ref());
        }
        cx.system.retract(&x.q, &tangent.step, &mut next.q);
        add(next.z.as_mut(), h * (one - gamma), m.zdot.as_ref());
        add(next.z.as_mut(), h * gamma, aux.zdot.as_ref());

        let share = self.share();
        let first = h * gamma * share;
        let weights = match first_order {
            false => Weights { rates: one, velocity: first, position: h * h * beta * share, state: first },
            true => Weights { rates: one, velocity: one, position: first, state: first },
        };
        tangent.solve(cx, &self.newton, Level::Position, weights, &x.q, next)?;
        if first_order {
            next.a.as_mut().fill(S::Real::ZERO);
        }
        self.average(slope(cx.system, next).as_ref(), old, m.a.as_ref(), aux.a.as_mut());
        self.average(next.zdot.as_ref(), x.zdot.as_ref(), m.zdot.as_ref(), aux.zdot.as_mut());
        Ok(())
    }

    fn proposal<'w>(&self, w: &'w mut Scratch<S>) -> &'w mut State<S> {
        &mut w.x
    }

    fn commit(&self, x: &mut State<S>, m: &mut Auxiliary<S>, w: &mut Scratch<S>) {
        x.copy_from(&w.x);
        copy(&w.next.a, &mut m.a);
        copy(&w.next.zdot, &mut m.zdot);
        m.h = w.next.h;
    }
}
