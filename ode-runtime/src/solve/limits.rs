//! The limits of Newton's iterations, and their matrices.

use crate::error::Cause;
use crate::numbers::scalar::Real;

/// When the matrix of Newton's iterations is evaluated and factorised.
///
/// All choices converge to the same state; fewer matrices mean more iterations. Quadratic convergence leaves an error
/// far below the tolerance, linear convergence one of about the tolerance. Velocities then have an error of
/// [`Newton::tolerance`] / h, so choose a smaller tolerance. If a step does not converge with an old matrix, it is
/// repeated with one per iteration before it fails. Methods that keep no matrix (semi-explicit Euler implicit in v)
/// begin each step with a new one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Reuse<T> {
    /// at each iteration: quadratic convergence
    #[default]
    EveryIteration,
    /// at the first guess of each step
    EveryStep,
    /// when a correction is more than `slowest` times the one before, or the step has changed by more than a tenth
    Automatic {
        /// between 0 and 1
        slowest: T,
    },
    /// when iterations fail, the step has changed by more than a tenth, or a run restarts
    Never,
}

impl<T: Real> Reuse<T> {
    /// When a correction is more than a fifth of the one before.
    pub fn automatic() -> Self {
        Self::Automatic { slowest: T::from_f64(0.2) }
    }

    /// Whether factors outlive a step.
    pub(super) fn outlives(&self) -> bool {
        matches!(self, Self::Automatic { .. } | Self::Never)
    }
}

/// Limits of Newton's iterations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Newton<T> {
    /// iterations allowed
    pub iterations: u32,
    /// converged when the remaining error of each coordinate and first-order state is below `tolerance` (1 + |value|).
    /// Corrections are measured in q, not in the unknown: a residual divided by β h² is lost in round-off as h shrinks.
    /// With linear convergence (inputs that depend on the state), the error of velocities is `tolerance` / h
    pub tolerance: T,
    /// and when max |Φ| and max |A v + b|, unscaled, are below this, in the units of the constraints
    pub constraint: T,
    /// the matrix that iterations use
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
