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
    /// what it moves the coordinates by against 1 + |q|, where constraints alone ask for it
    held: Option<T>,
    quantity: Quantity,
    name: Name,
}

impl<T: Real> Correction<T> {
    /// None, of constraints that are `off`.
    pub(crate) fn of(off: T) -> Self {
        Self { off, size: T::ZERO, whole: T::ZERO, held: None, quantity: Quantity::Velocity, name: Name::new("") }
    }

    /// With what it moves the coordinates by against 1 + |q|, if constraints alone ask for it.
    pub(crate) fn holding(self, held: Option<T>) -> Self {
        Self { held, ..self }
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
    /// sizes of the last correction, relative and whole, and of that before it
    last: [Option<(T, T)>; 2],
    /// what the constraints were off before each of them
    off: [T; 2],
    growth: Growth<T>,
    count: u32,
    name: Name,
}

impl<T: Real> Descent<T> {
    pub(crate) fn new() -> Self {
        Self { last: [None; 2], off: [T::ZERO; 2], growth: Growth::new(), count: 0, name: Name::new("") }
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
        let Correction { off, size, whole, held, quantity, name } = correction;
        if !size.is_finite() {
            return Err(Cause::NonFinite { quantity, name });
        }
        let (least, half) = (T::from_f64(16.0) * T::EPSILON, T::from_f64(0.5));
        // The error left is at most the next correction, and θ δ bounds that one for linear convergence and better. One
        // of the last two ratios may be small by chance: θ is their mean.
        let left = match self.last {
            [_, Some((_, before))] => size * (whole / before).sqrt().min(T::ONE),
            [Some((_, last)), None] => size * (whole / last).min(T::ONE),
            _ => size,
        };
        // The round-off of Φ over h is a velocity: a correction by it is round-off where q does not see it, however
        // large it is. Only Φ knows the scale of its terms; where that is not the scale of q, corrections end when
        // they, and Φ, no longer fall.
        let unseen = |most: T| held.is_some_and(|held| held <= most);
        let stalled = matches!(self.last[1], Some((before, _)) if size > half * before);
        let stalled =
            stalled && (size <= T::PIVOT_TOLERANCE || off >= half * self.off[1] && unseen(T::PIVOT_TOLERANCE));
        self.off = [off, self.off[0]];
        (self.last, self.name) = ([Some((size, whole)), self.last[0]], name);
        self.count += 1;
        if self.growth.gives_up(whole) {
            return Err(self.failure(work, limits));
        }
        Ok(size <= least || unseen(least) || stalled || left <= limits.tolerance && off <= limits.constraint)
    }

    /// The last correction as a multiple of the one before.
    pub(crate) fn ratio(&self) -> Option<T> {
        let [Some((last, _)), Some((before, _))] = self.last else { return None };
        Some(last / before)
    }

    /// They did not end.
    pub(crate) fn failure(&self, work: &mut Work, limits: &Newton<T>) -> Cause {
        work.convergence_failures += 1;
        let correction = (self.last[0].map_or(T::ZERO, |last| last.0) / limits.tolerance).to_f64();
        Cause::Newton { iterations: self.count, name: self.name, correction }
    }
}
