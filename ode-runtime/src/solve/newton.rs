//! Newton's method on the whole residual of an implicit step.
//!
//! A method's history formula is affine in its unknown ξ: δa = ρ δξ, δv = ν δξ, q = qₙ ⊕ s with δs = π δξ, and for
//! first-order states δż = ρ δζ, δz = σ δζ. So [`Weights`] determine both the tangent and the update, and one loop
//! serves all methods.

use crate::error::{Cause, Level, Quantity};
use crate::model::input::Inputs;
use crate::model::linearize::{Linearize, Weights};
use crate::model::state::{State, copy};
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::context::Context;
use crate::solve::growth::Growth;
use crate::solve::limits::{Newton, Reuse};
use crate::solve::norm;
use crate::solve::solvable::Solvable;
use crate::solve::tangent::Tangent;
use crate::solve::tangent_point::TangentPoint;

/// Sizes of the last three corrections.
struct Corrections<T> {
    /// latest first
    sizes: [T; 3],
    count: u32,
}

impl<T: Real> Corrections<T> {
    const fn new() -> Self {
        Self { sizes: [T::ZERO; 3], count: 0 }
    }

    /// Records a correction; returns its ratio to the one before, if there is one.
    fn push(&mut self, size: T) -> Option<T> {
        let [last, before, _] = self.sizes;
        self.sizes = [size, last, before];
        self.count += 1;
        (self.count > 1).then(|| size / last)
    }

    /// log(δ₂/δ₁)/log(δ₁/δ₀): the observed order of convergence.
    fn rate(&self) -> Option<f64> {
        if self.count < 3 {
            return None;
        }
        let [two, one, zero] = self.sizes;
        Some(((two / one).ln() / (one / zero).ln()).to_f64()).filter(|rate| rate.is_finite())
    }
}

impl<S: Solvable + Linearize> Tangent<S> {
    /// Iterates `x` until the residual at x.t vanishes; `x` and `self.step` contain the first guess, `from` is qₙ.
    ///
    /// With [`Level::Velocity`], holonomic rows are Φ̇ = 0 instead of Φ = 0.
    ///
    /// A method that remembers the origin of its last matrix passes it as `kept`, and finds the new one in
    /// `self.point`; without it, no matrix outlives a step.
    ///
    /// # Errors
    /// [`Cause::Newton`], [`Cause::Singular`], [`Cause::NonFinite`].
    #[expect(clippy::too_many_arguments, reason = "the equations of a step")]
    pub(crate) fn solve<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        limits: &Newton<S::Real>,
        level: Level,
        weights: Weights<S::Real>,
        from: &S::Q,
        kept: Option<&TangentPoint<S>>,
        x: &mut State<S>,
    ) -> Result<(), Cause> {
        self.keeps = kept.is_some() && limits.reuse.outlives();
        if limits.reuse != Reuse::EveryIteration {
            self.guess.0.copy_from(x);
            copy(&self.step, &mut self.guess.1);
            let kept = kept.filter(|kept| self.keeps && kept.serves(&weights));
            let ready = kept.is_some_and(|kept| self.recall(cx, level, kept).is_ok());
            if self.iterate(cx, limits, level, weights, from, ready, x).is_ok() {
                return Ok(());
            }
            cx.work.convergence_failures += 1;
            x.copy_from(&self.guess.0);
            copy(&self.guess.1, &mut self.step);
        }
        let exact = Newton { reuse: Reuse::EveryIteration, ..*limits };
        let outcome = self.iterate(cx, &exact, level, weights, from, false, x);
        if matches!(outcome, Err(Cause::Newton { .. })) {
            cx.work.convergence_failures += 1;
        }
        outcome
    }

    /// Iterations with the matrices that `limits` requires; the first may use factors that are `ready`.
    #[expect(clippy::too_many_arguments, reason = "the equations of a step")]
    fn iterate<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        limits: &Newton<S::Real>,
        level: Level,
        weights: Weights<S::Real>,
        from: &S::Q,
        ready: bool,
        x: &mut State<S>,
    ) -> Result<(), Cause> {
        let (mut corrections, mut growth) = (Corrections::new(), Growth::new());
        let mut stale = !ready;
        for _ in 0..limits.iterations {
            if stale {
                self.point.forget();
                self.approach(cx, level, weights, x)?;
                self.factorize_at(cx, x)?;
                if self.keeps {
                    self.point.stand_at(x, &self.u, &self.step, weights);
                }
            } else {
                self.evaluate(cx, level, x)?;
            }
            // Falling corrections reduce Φ further: if it is small before the last, it need not be evaluated again.
            let holds = norm(self.residual.phi.as_ref()) <= limits.constraint;
            self.solve_for(cx)?;
            let size = self.update(cx, weights, from, x);
            if !size.is_finite() {
                let name = self.furthest(weights, x).name(&cx.system.layout());
                return Err(Cause::NonFinite { quantity: Quantity::Coordinate, name });
            }
            cx.work.iterations += 1;
            let whole = norm(self.moved.as_ref()).max(weights.state * norm(self.residual.s.as_ref()));
            let (factor, away) = (corrections.push(size), growth.gives_up(whole));
            // The remaining error is at most the sum of the corrections to come. With exact matrices the next is at
            // most θ δ; with others they are θ δ, θ² δ, …
            let exact = S::NEWTON_IS_EXACT && limits.reuse == Reuse::EveryIteration;
            let left = match factor {
                Some(factor) if factor < S::Real::ONE && exact => size * factor,
                Some(factor) if factor < S::Real::ONE => size * factor / (S::Real::ONE - factor),
                Some(_) if exact => size,
                None => size,
                _ => S::Real::INFINITY,
            };
            // A correction of round-off size cannot be improved, whatever the units of Φ.
            let exhausted = size <= S::Real::from_f64(16.0) * S::Real::EPSILON && self.agrees(cx, limits, level, x)?;
            let known = holds && factor.is_some_and(|factor| factor < S::Real::ONE);
            if exhausted || left <= limits.tolerance && (known || self.holds(cx, limits, level, x)?) {
                if let Some(rate) = corrections.rate() {
                    cx.work.rate = rate;
                }
                self.prune(x);
                return Ok(());
            }
            if away {
                break;
            }
            stale = match limits.reuse {
                Reuse::EveryIteration => true,
                Reuse::EveryStep | Reuse::Never => false,
                Reuse::Automatic { slowest } => factor.is_some_and(|factor| factor > slowest),
            };
        }
        let ([last, ..], iterations) = (corrections.sizes, corrections.count);
        let name = self.furthest(weights, x).name(&cx.system.layout());
        Err(Cause::Newton { iterations, name, correction: (last / limits.tolerance).to_f64() })
    }
}
