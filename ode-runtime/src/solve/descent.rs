//! Iterations that go on until round-off: what a symplectic step leaves unsolved is lost energy.

use crate::error::{Cause, Name, Quantity};
use crate::scalar::Real;
use crate::solve::{Newton, largest};

/// One of them.
pub(crate) struct Correction<T> {
    /// what the constraints were off before it
    pub(crate) off: T,
    /// the largest change of velocities and states against 1 + |value|
    size: T,
    name: Name,
}

impl<T: Real> Correction<T> {
    /// None, of constraints that are `off`.
    pub(crate) fn of(off: T) -> Self {
        Self { off, size: T::ZERO, name: Name::new("") }
    }

    /// With `changes` of the entries that are `values` now.
    pub(crate) fn with(self, changes: &[T], values: &[T], names: &[&str]) -> Self {
        let (index, size) = largest(changes, values);
        // written so that NaN is the largest
        if size <= self.size { self } else { Self { size, name: Name::of(names, index), ..self } }
    }
}

/// The corrections so far.
pub(crate) struct Descent<T> {
    /// the last correction, and that before it
    last: [Option<T>; 2],
    name: Name,
}

impl<T: Real> Descent<T> {
    pub(crate) fn new() -> Self {
        Self { last: [None; 2], name: Name::new("") }
    }

    /// Limits down to round-off.
    pub(crate) fn limits() -> Newton<T> {
        Newton { iterations: 60, tolerance: T::from_f64(16.0) * T::EPSILON, ..Newton::default() }
    }

    /// Is a correction the last?
    ///
    /// # Errors
    /// [`Cause::NonFinite`] naming the velocity.
    pub(crate) fn ends(&mut self, limits: &Newton<T>, correction: Correction<T>) -> Result<bool, Cause> {
        let Correction { off, size, name } = correction;
        if !size.is_finite() {
            return Err(Cause::NonFinite { quantity: Quantity::Velocity, name });
        }
        let least = T::from_f64(16.0) * T::EPSILON;
        // The error left is at most the next correction, and θ δ bounds that one for linear convergence and better; of the last two ratios θ
        // the larger, as one may be small by chance.
        let left = match self.last {
            [Some(last), Some(before)] => size * (size / last).max(last / before).min(T::ONE),
            _ => size,
        };
        // Small corrections that no longer fall cannot be improved on.
        let stalled = matches!(self.last, [_, Some(before)] if size > T::from_f64(0.5) * before);
        let stalled = stalled && size <= T::PIVOT_TOLERANCE;
        (self.last, self.name) = ([Some(size), self.last[0]], name);
        Ok(size <= least || stalled || left <= limits.tolerance && off <= limits.constraint)
    }

    /// The last correction as a multiple of the one before.
    pub(crate) fn ratio(&self) -> Option<T> {
        let [Some(last), Some(before)] = self.last else { return None };
        Some(last / before)
    }

    /// They did not end.
    pub(crate) fn failure(&self, limits: &Newton<T>) -> Cause {
        let correction = (self.last[0].unwrap_or(T::ZERO) / limits.tolerance).to_f64();
        Cause::Newton { iterations: limits.iterations, name: self.name, correction }
    }
}
