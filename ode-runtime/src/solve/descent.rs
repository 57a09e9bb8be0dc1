//! Iterations that go on until round-off: what a symplectic step leaves unsolved is lost energy.

use crate::error::{Cause, Name, Quantity};
use crate::method::Work;
use crate::scalar::Real;
use crate::solve::growth::Growth;
use crate::solve::{Newton, largest, norm};

/// One of them.
pub(crate) struct Correction<T> {
    /// what the constraints were off before it
    off: T,
    /// the largest change of velocities and states against 1 + |value|
    size: T,
    /// the same, not relative to what it changes: that may grow with it
    whole: T,
    quantity: Quantity,
    name: Name,
}

impl<T: Real> Correction<T> {
    /// None, of constraints that are `off`.
    pub(crate) fn of(off: T) -> Self {
        Self { off, size: T::ZERO, whole: T::ZERO, quantity: Quantity::Velocity, name: Name::new("") }
    }

    /// With `changes` of the entries that are `values` now.
    pub(crate) fn with(self, quantity: Quantity, changes: &[T], values: &[T], names: &[&str]) -> Self {
        let (index, size) = largest(changes, values);
        let whole = self.whole.max(norm(changes));
        // written so that NaN is the largest
        if size <= self.size {
            Self { whole, ..self }
        } else {
            Self { size, whole, quantity, name: Name::of(names, index), ..self }
        }
    }
}

/// The corrections so far.
pub(crate) struct Descent<T> {
    /// the last correction, and that before it
    last: [Option<T>; 2],
    growth: Growth<T>,
    count: u32,
    name: Name,
}

impl<T: Real> Descent<T> {
    pub(crate) fn new() -> Self {
        Self { last: [None; 2], growth: Growth::new(), count: 0, name: Name::new("") }
    }

    /// Limits down to round-off.
    pub(crate) fn limits() -> Newton<T> {
        Newton { iterations: 60, tolerance: T::from_f64(16.0) * T::EPSILON, ..Newton::default() }
    }

    /// Is a correction the last?
    ///
    /// # Errors
    /// [`Cause::NonFinite`] naming the velocity or state; [`Cause::Newton`] where corrections grow.
    pub(crate) fn ends(
        &mut self,
        work: &mut Work,
        limits: &Newton<T>,
        correction: Correction<T>,
    ) -> Result<bool, Cause> {
        work.iterations += 1;
        let Correction { off, size, whole, quantity, name } = correction;
        if !size.is_finite() {
            return Err(Cause::NonFinite { quantity, name });
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
        self.count += 1;
        if self.growth.gives_up(whole) {
            return Err(self.failure(work, limits));
        }
        Ok(size <= least || stalled || left <= limits.tolerance && off <= limits.constraint)
    }

    /// The last correction as a multiple of the one before.
    pub(crate) fn ratio(&self) -> Option<T> {
        let [Some(last), Some(before)] = self.last else { return None };
        Some(last / before)
    }

    /// They did not end.
    pub(crate) fn failure(&self, work: &mut Work, limits: &Newton<T>) -> Cause {
        work.convergence_failures += 1;
        let correction = (self.last[0].unwrap_or(T::ZERO) / limits.tolerance).to_f64();
        Cause::Newton { iterations: self.count, name: self.name, correction }
    }
}
