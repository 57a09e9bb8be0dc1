//! What the first guess of a symplectic step lacked: it changes with h², and little from step to step.

use crate::history::{History, Parts};
use crate::scalar::{Real, Scalar};
use crate::solve::Change;
use crate::system::Solvable;

/// The most by which a step may differ from the last for its guess to serve: round-off grows with the square.
const MOST: f64 = 12.0;

/// What the guess of the last step lacked, and that step.
pub struct Foresight<S: Solvable> {
    lack: Change<S>,
    /// none where it was round-off
    h: Option<S::Real>,
}

impl<S: Solvable> Foresight<S> {
    pub(crate) fn none(system: &S) -> Self {
        Self { lack: Change::zeros(&system.layout()), h: None }
    }

    /// Whether it says something of a step of `h`.
    pub(crate) fn serves(&self, h: S::Real) -> bool {
        self.h.is_some_and(|last| (h / last).abs() <= S::Real::from_f64(MOST))
    }

    /// Adds to the guess of a step of `h` what it is likely to lack.
    pub(crate) fn complete(&self, h: S::Real, guess: &mut Change<S>) {
        let Some(ratio) = self.h.map(|last| h / last).filter(|_| self.serves(h)) else { return };
        guess.add(ratio * ratio, &self.lack);
    }

    /// Learns from the end of a step of `h` that began at `guess` and took `corrections`.
    pub(crate) fn learn(&mut self, h: S::Real, corrections: u32, guess: &Change<S>, end: &Change<S>) {
        self.lack.copy_from(end);
        self.lack.add(-S::Real::ONE, guess);
        self.h = (corrections > 1).then_some(h);
    }

    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.lack.copy_from(&other.lack);
        self.h = other.h;
    }
}

impl<S: Solvable> Clone for Foresight<S> {
    fn clone(&self) -> Self {
        let Change { v, z, impulse } = &self.lack;
        Self { lack: Change { v: v.clone(), z: z.clone(), impulse: impulse.clone() }, h: self.h }
    }
}

impl<S: Solvable> core::fmt::Debug for Foresight<S> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Foresight").field("h", &self.h).finish_non_exhaustive()
    }
}

impl<S: Solvable> History<S::Real> for Foresight<S> {
    fn visit(&mut self, parts: &mut dyn Parts<S::Real>) {
        let Change { v: [first, last], z, impulse } = &mut self.lack;
        parts.numbers("first velocity, guess off by", first.as_mut());
        parts.numbers("last velocity, guess off by", last.as_mut());
        parts.numbers("states, guess off by", z.as_mut());
        parts.numbers("impulse, guess off by", impulse.as_mut());
        parts.optional("step before", &mut self.h);
    }
}
