//! Iterations down to round-off: in a symplectic step any remaining error changes the energy.

use crate::error::{Cause, Name, Quantity};
use crate::numbers::scalar::Real;
use crate::solve::context::Work;
use crate::solve::growth::Growth;
use crate::solve::{Newton, norm};

/// What a change is beside its values.
#[derive(Clone, Copy)]
pub(crate) struct Size<T> {
    /// the largest relative to |value| + the largest |value|, or to 1 + |value| if that is more
    fine: T,
    /// the largest against 1 + |value|
    coarse: T,
}

impl<T: Real> Size<T> {
    /// With the index of the largest; NaN is the largest.
    fn of(changes: &[T], values: &[T]) -> (usize, Self) {
        // Lengths may be small in their unit. If all are zero, so is this.
        let unit = norm(values).min(T::ONE).max(T::EPSILON * T::EPSILON);
        let (mut index, mut largest) = (0, Self { fine: T::ZERO, coarse: T::ZERO });
        for (i, (&change, &value)) in changes.iter().zip(values).enumerate() {
            let [fine, coarse] = [unit, T::ONE].map(|unit| change.magnitude() / (unit + value.magnitude()));
            if !(coarse <= largest.coarse) {
                index = i;
            }
            (largest.fine, largest.coarse) = (largest.fine.max(fine), largest.coarse.max(coarse));
        }
        (index, largest)
    }

    /// Whether it is at most `most`, or of the size of round-off, if the values can have any.
    fn below(self, most: T) -> bool {
        self.fine <= most || self.coarse <= least()
    }
}

/// Consecutive corrections without progress, or without an effect, after which iterations end although they are above
/// round-off.
const PATIENCE: u32 = 4;

/// A correction after which another matrix saves more of them than it costs.
const COARSE: f64 = 5e-3;

/// A change by round-off.
fn least<T: Real>() -> T {
    T::from_f64(16.0) * T::EPSILON
}

/// One of them.
pub(crate) struct Correction<'a, T> {
    /// the residual of the constraints before it
    off: T,
    /// of velocities and states
    size: Size<T>,
    /// the largest of these, absolute: the value that it changes may grow with it
    whole: T,
    /// the change of the coordinates, if it is known
    moves: Option<Size<T>>,
    /// the largest of states
    states: T,
    /// whether constraints alone ask for it
    held: bool,
    /// the share of it that is due to a secant
    bent: T,
    quantity: Quantity,
    /// names of the entries, and the entry that changes most
    names: &'a [&'a str],
    index: usize,
}

impl<'a, T: Real> Correction<'a, T> {
    /// None, of constraints that are `off`.
    pub(crate) fn of(off: T) -> Self {
        let size = Size { fine: T::ZERO, coarse: T::ZERO };
        Self {
            off,
            size,
            whole: T::ZERO,
            moves: None,
            states: T::ZERO,
            held: false,
            bent: T::ZERO,
            quantity: Quantity::Velocity,
            names: &[],
            index: 0,
        }
    }

    /// With `moves` of coordinates that are `q` now, and whether constraints alone ask for them.
    pub(crate) fn moving(self, held: bool, moves: &[T], q: &[T]) -> Self {
        Self { held, moves: Some(Size::of(moves, q).1), ..self }
    }

    /// With the share of it that is due to a secant.
    pub(crate) fn bent(self, bent: T) -> Self {
        Self { bent, ..self }
    }

    /// With `changes` of the entries that are `values` now.
    pub(crate) fn with(self, quantity: Quantity, changes: &[T], values: &[T], names: &'a [&'a str]) -> Self {
        let (index, Size { fine, coarse }) = Size::of(changes, values);
        let whole = self.whole.max(norm(changes));
        let states = if quantity == Quantity::State { fine } else { self.states };
        let size = Size { fine: self.size.fine.max(fine), coarse: self.size.coarse.max(coarse) };
        // written so that NaN is the largest
        if coarse <= self.size.coarse {
            Self { whole, states, size, ..self }
        } else {
            Self { size, whole, states, quantity, names, index, ..self }
        }
    }
}

/// The corrections so far.
pub(crate) struct Descent<'a, T> {
    /// sizes of the last correction, relative and whole, and of that before it
    last: [Option<(T, T)>; 2],
    /// the residuals of the constraints before each of them
    off: [T; 2],
    /// the second as a multiple of the first: what is expected, and what was found
    first: [Option<T>; 2],
    growth: Growth<T>,
    count: u32,
    /// consecutive corrections above half of the second last
    idle: u32,
    /// consecutive corrections that neither coordinates nor states notice
    unnoticed: u32,
    /// of the entry that the last one changed most
    name: (&'a [&'a str], usize),
}

impl<'a, T: Real> Descent<'a, T> {
    /// With the expected ratio of the second correction to the first, if it is known.
    pub(crate) fn expecting(first: Option<T>) -> Self {
        let first = [first, None];
        Self {
            last: [None; 2],
            off: [T::ZERO; 2],
            first,
            growth: Growth::new(),
            count: 0,
            idle: 0,
            unnoticed: 0,
            name: (&[], 0),
        }
    }

    /// The second correction as a multiple of the first, if there was one.
    pub(crate) fn first(&self) -> Option<T> {
        self.first[1]
    }

    /// Whether another matrix is worth its price after the last correction: it was coarse, and yet so small that the
    /// iterate is near the solution that continues the motion. Farther away a better matrix finds other solutions.
    pub(crate) fn coarse(&self) -> bool {
        let near = T::from_f64(0.25);
        self.last[0].is_some_and(|(size, _)| size > T::from_f64(COARSE) && size < near)
    }

    /// Limits down to round-off.
    pub(crate) fn limits() -> Newton<T> {
        Newton { iterations: 60, tolerance: least(), ..Newton::default() }
    }

    /// Is a correction the last?
    ///
    /// # Errors
    /// [`Cause::NonFinite`] naming the velocity or state; [`Cause::Newton`] where corrections grow.
    pub(crate) fn ends(
        &mut self,
        work: &mut Work,
        limits: &Newton<T>,
        correction: Correction<'a, T>,
    ) -> Result<bool, Cause> {
        work.iterations += 1;
        let Correction { off, size, whole, moves, states, held, bent, quantity, names, index } = correction;
        if !size.coarse.is_finite() {
            return Err(Cause::NonFinite { quantity, name: Name::of(names, index) });
        }
        let half = T::from_f64(0.5);
        // The remaining error is at most the next correction, and for linear or better convergence that is at most θ δ.
        // One of the last two ratios may be small by chance, so θ is their mean.
        let ratio = match self.last {
            [_, Some((_, before))] => (whole / before).sqrt(),
            [Some((_, last)), None] => whole / last,
            _ => self.first[0].unwrap_or(T::ONE),
        };
        if self.count == 1 {
            self.first[1] = Some(ratio.min(T::ONE));
        }
        // A matrix also changes in proportion to the change of q, however good it was in a step with a better guess.
        // And what the last secant adds is right along its direction only.
        let moved = moves.map_or(T::ZERO, |moves| moves.fine);
        let ratio = ratio.max(moved).max(bent).min(T::ONE);
        // The round-off of Φ divided by h is a velocity: a correction by it is round-off if q does not notice it,
        // however large. Only Φ knows the scale of its terms. If that is not the scale of q, corrections end when they,
        // and Φ, no longer fall.
        let fine = size.fine;
        let idle = matches!(self.last[1], Some((before, _)) if fine > half * before);
        self.idle = if idle { self.idle + 1 } else { 0 };
        // Neither q nor a state notices it.
        let unnoticed = moves.is_some() && moved <= least() && states <= least();
        // Where velocities have no inertia, a correction that rows ask for has no energy, and `held` does not see it.
        self.unnoticed = if unnoticed && off > T::ZERO { self.unnoticed + 1 } else { 0 };
        // Secants may fail a few times in a row; round-off never falls again.
        let stalled = idle && size.below(T::from_f64(1e3) * T::EPSILON)
            || self.idle > PATIENCE && size.below(T::PIVOT_TOLERANCE)
            || self.unnoticed > PATIENCE
            || idle && off >= half * self.off[1] && held && moves.is_some_and(|moves| moves.below(T::PIVOT_TOLERANCE));
        self.off = [off, self.off[0]];
        (self.last, self.name) = ([Some((fine, whole)), self.last[0]], (names, index));
        self.count += 1;
        if self.growth.gives_up(whole) {
            return Err(self.failure(work, limits));
        }
        // States do not move with the rows.
        let unseen = held && unnoticed;
        let solved = fine * ratio <= limits.tolerance && off * ratio <= limits.constraint;
        Ok(fine <= least() || unseen || stalled || solved)
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
        Cause::Newton { iterations: self.count, name: Name::of(self.name.0, self.name.1), correction }
    }
}

#[cfg(all(test, feature = "wide"))]
mod tests {
    use super::Size;
    use crate::F64x4;

    /// Where lanes disagree on the largest entry, each has its own.
    #[test]
    fn sizes_are_those_of_each_lane() {
        let changes = [[1e-6, 0.0, 1e-16, 3e-9], [0.0, 2e-6, 1e-15, 1e-9]].map(F64x4::new);
        let (_, Size { fine, coarse }) = Size::of(&changes, &[F64x4::new([1.0; 4]); 2]);
        for size in [fine, coarse] {
            assert_eq!(size.to_array(), [1e-6, 2e-6, 1e-15, 3e-9].map(|largest: f64| largest / 2.0));
        }
    }
}
