//! Newton's method on the whole residual of an implicit step.
//!
//! A method's history formula is affine in its unknown ξ: δa = ρ δξ, δv = ν δξ, q = qₙ ⊕ s with δs = π δξ, and for
//! first-order states δż = ρ δζ, δz = σ δζ. So [`Weights`] say both which tangent to ask for and how to update, and one
//! loop serves all.

use crate::context::Context;
use crate::error::{Cause, Level, Quantity};
use crate::input::Inputs;
use crate::scalar::{Real, Scalar};
use crate::solve::growth::Growth;
use crate::solve::linearization::TangentPoint;
use crate::solve::norm;
use crate::solve::tangent::{Place, Tangent};
use crate::state::{State, copy};
use crate::system::{Linearize, Solvable, Weights};

/// When the matrix of Newton's iterations is evaluated and factorised.
///
/// The limit is the same; the fewer matrices, the more iterations. Quadratic convergence leaves far less than the
/// tolerance, linear convergence about as much: velocities are then good to [`Newton::tolerance`] / h, which asks for a
/// smaller one. Whatever the choice, a step whose iterations do not converge with a matrix from elsewhere is made again
/// with one at each iteration before it fails. Methods that remember no matrix (the form of semi-explicit Euler that is
/// implicit in v) begin each step with a new one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Reuse<T> {
    /// at each iteration: quadratic convergence
    #[default]
    EveryIteration,
    /// at the first guess of each step
    EveryStep,
    /// where a correction is more than `slowest` times the one before, or the step has changed by more than a tenth
    Automatic {
        /// between 0 and 1
        slowest: T,
    },
    /// where iterations fail, the step has changed by more than a tenth, or a run begins anew
    Never,
}

impl<T: Real> Reuse<T> {
    /// Where a correction is more than a fifth of the one before.
    pub fn automatic() -> Self {
        Self::Automatic { slowest: T::from_f64(0.2) }
    }

    /// Whether factors outlive a step.
    fn outlives(&self) -> bool {
        matches!(self, Self::Automatic { .. } | Self::Never)
    }
}

/// Limits of Newton's iterations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Newton<T> {
    /// iterations allowed
    pub iterations: u32,
    /// convergence when the error left in each coordinate and first-order state is below `tolerance` (1 + |value|).
    /// Corrections are measured in q, not in the unknown: a residual divided by β h² drowns in round-off as h shrinks.
    /// Where convergence is only linear (inputs that depend on the state), velocities are good to `tolerance` / h.
    pub tolerance: T,
    /// and when max |Φ| and max |A v + b|, unscaled, are below this, in the units of the constraints
    pub constraint: T,
    /// which matrix iterations use
    pub reuse: Reuse<T>,
}

impl<T: Real> Default for Newton<T> {
    fn default() -> Self {
        let tolerance = T::PIVOT_TOLERANCE;
        Self { iterations: 20, tolerance, constraint: T::from_f64(10.0) * tolerance, reuse: Reuse::EveryIteration }
    }
}

impl<T: Real> Newton<T> {
    /// Refuses limits that cannot be met.
    ///
    /// # Errors
    /// [`Cause::Invalid`] naming the limit.
    pub fn check(&self) -> Result<(), Cause> {
        if self.iterations == 0 {
            return Err(Cause::Invalid { setting: "Newton iterations", value: 0.0 });
        }
        if let Reuse::Automatic { slowest } = self.reuse
            && !(slowest > T::ZERO && slowest < T::ONE)
        {
            return Err(Cause::Invalid { setting: "slowest convergence", value: slowest.to_f64() });
        }
        for (setting, value) in [("Newton tolerance", self.tolerance), ("constraint tolerance", self.constraint)] {
            if !(value > T::ZERO && value.is_finite()) {
                return Err(Cause::Invalid { setting, value: value.to_f64() });
            }
        }
        Ok(())
    }
}

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

    /// Takes note of one; its size as a multiple of the one before, if there is one.
    fn push(&mut self, size: T) -> Option<T> {
        let [last, before, _] = self.sizes;
        self.sizes = [size, last, before];
        self.count += 1;
        (self.count > 1).then(|| size / last)
    }

    /// log(δ₂/δ₁)/log(δ₁/δ₀): the order at which corrections fall.
    fn rate(&self) -> Option<f64> {
        if self.count < 3 {
            return None;
        }
        let [two, one, zero] = self.sizes;
        Some(((two / one).ln() / (one / zero).ln()).to_f64()).filter(|rate| rate.is_finite())
    }
}

impl<S: Solvable + Linearize> Tangent<S> {
    /// Iterates `x` until the residual at x.t vanishes; `x` and `self.step` hold the first guess, `from` is qₙ.
    ///
    /// With [`Level::Velocity`] the rows of holonomic constraints are Φ̇ = 0 in place of Φ = 0.
    ///
    /// A method that remembers where the matrix of its last step comes from says so in `kept`, and finds the new place
    /// in `self.point`; of one that does not, no matrix outlives a step.
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

    /// Iterations with the matrices `limits` ask for; the first may do with factors that are `ready`.
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
        let (mut corrections, mut growth, mut place) = (Corrections::new(), Growth::new(), Place::Coordinate(0));
        let mut stale = !ready;
        for _ in 0..limits.iterations {
            if stale {
                self.point.forget();
                self.linearize(cx, level, weights, x)?;
                self.factorize_at(cx, x)?;
                if self.keeps {
                    self.point.stand_at(x, &self.u, &self.step, weights);
                }
            } else {
                self.evaluate(cx, level, x)?;
            }
            // Corrections that fall take Φ further down: where it is small before the last, it need not be evaluated
            // after it.
            let holds = norm(self.residual.phi.as_ref()) <= limits.constraint;
            self.solve_for(cx);
            let (size, at) = self.update(cx, weights, from, x);
            if !size.is_finite() {
                let name = at.name(&cx.system.layout());
                return Err(Cause::NonFinite { quantity: Quantity::Coordinate, name });
            }
            cx.work.iterations += 1;
            place = at;
            let whole = norm(self.moved.as_ref()).max(weights.state * norm(self.residual.s.as_ref()));
            let (factor, away) = (corrections.push(size), growth.gives_up(whole));
            // The error left is at most the corrections to come. With exact matrices the next is at most θ δ; with
            // others they are θ δ, θ² δ, …
            let left = match (limits.reuse, factor) {
                (Reuse::EveryIteration, Some(factor)) if factor < S::Real::ONE => size * factor,
                (Reuse::EveryIteration, _) | (_, None) => size,
                (_, Some(factor)) if factor < S::Real::ONE => size * factor / (S::Real::ONE - factor),
                _ => S::Real::INFINITY,
            };
            // A correction of round-off size cannot be improved on, whatever units Φ has.
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
        let name = place.name(&cx.system.layout());
        Err(Cause::Newton { iterations, name, correction: (last / limits.tolerance).to_f64() })
    }
}
