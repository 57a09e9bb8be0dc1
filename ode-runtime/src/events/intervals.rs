//! Intervals between the events of each guard: those that shrink to nothing are distinguished from short regular ones.
//!
//! Two events of a guard are *close* if they cannot be separated: time does not resolve their interval, or the guard's
//! round-off hides its motion between them. Only a sequence of close events ends a run; frequent events that are
//! resolved never do. A reset may put its guard back, to cross again in the same direction, which shows the interval.
//! If these intervals do not shrink along the sequence, the events are regular and time is too coarse for them. All
//! other sequences accumulate.

use crate::events::sides::vanishes;
use crate::model::history::{History, Parts};
use crate::model::layout::Block;
use crate::model::state::copy;
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::solvable::Solvable;

/// The largest factor by which landings may hide an interval: [`Passed::hides`].
const HIDDEN: f64 = 4096.0;

/// The history of each guard's events. Blocks with a value for each event.
#[derive(Clone, Debug)]
pub(crate) struct Intervals<S: Solvable> {
    /// time of the last event; before the first, of the start
    last: S::Guards,
    /// the largest round-off in the guard when it crossed
    noise: S::Guards,
    /// close events in a row
    close: S::Guards,
    /// the times by which resets put their guards back: the sums over the first `most` / 2 of the sequence, and over
    /// the rest
    early: S::Guards,
    late: S::Guards,
}

/// A guard about an event of its own.
pub(crate) struct Passed<T> {
    /// its value and rate when the event happens
    pub(crate) before: (T, T),
    /// those after all resets of that time
    pub(crate) after: (T, T),
    /// the largest magnitude it had
    pub(crate) largest: T,
    /// what may have moved it besides the reset
    pub(crate) slack: T,
}

impl<T: Real> Passed<T> {
    /// Whether it continues in the direction in which it crossed.
    pub(crate) fn goes_on(&self) -> bool {
        let ((_, rate), (_, after)) = (self.before, self.after);
        rate * after > T::ZERO && after.abs() >= T::from_f64(0.5) * rate.abs()
    }

    /// Whether the reset has moved it.
    pub(crate) fn moved(&self) -> bool {
        (self.before.0 - self.after.0).abs() > self.slack
    }

    /// The error in the time of an event hides intervals of this many times its size. The factor is two if the next
    /// event is independent of it. Bounces that keep the share e of their speed also carry on the error of each
    /// landing, and all landings add up to e / (1 − e) of one.
    fn hides(&self) -> T {
        let ((_, rate), (_, after)) = (self.before, self.after);
        let (two, four) = (T::from_f64(2.0), T::from_f64(4.0));
        let lost = rate.abs() - after.abs();
        let returns = rate * after <= T::ZERO && lost > T::ZERO;
        if returns { (two + four * (after.abs() / lost)).min(T::from_f64(HIDDEN)) } else { two }
    }

    /// The factor by which the error in time grows if the rate has reversed while the guard has not moved, as in a
    /// relay that switches to and fro: the guard went on at the faster rate and returns at the slower one.
    fn slant(&self) -> T {
        let (before, after) = (self.before.1, self.after.1);
        if self.moved() || before * after >= T::ZERO {
            return T::ONE;
        }
        let (before, after) = (before.abs(), after.abs());
        (before.max(after) / before.min(after)).min(T::from_f64(HIDDEN))
    }

    /// The time by which the reset put it back, to cross again in the same direction; 0 if it did not.
    pub(crate) fn put_back(&self) -> T {
        let ((value, rate), (after, _)) = (self.before, self.after);
        let back = (value - after) / rate;
        if self.moved() && self.goes_on() && back > T::ZERO && back.is_finite() { back } else { T::ZERO }
    }
}

/// The place of an event in the sequence of its guard.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Row<T> {
    /// one of a row that may go on
    Open,
    /// one too many of a row whose intervals shrink to nothing, or are nothing
    Accumulates,
    /// one too many of a row with this period
    Regular(T),
}

impl<S: Solvable> Intervals<S> {
    /// The initial history of a run at `t`, with so many guards.
    pub(crate) fn new(guards: usize, t: S::Real) -> Self {
        let zeros = || S::Guards::zeros(guards);
        let mut last = zeros();
        last.as_mut().fill(t);
        Self { last, noise: zeros(), close: zeros(), early: zeros(), late: zeros() }
    }

    pub(crate) fn copy_from(&mut self, other: &Self) {
        copy(&other.last, &mut self.last);
        copy(&other.noise, &mut self.noise);
        copy(&other.close, &mut self.close);
        copy(&other.early, &mut self.early);
        copy(&other.late, &mut self.late);
    }

    /// Whether resets put guard `i` back within its present sequence.
    pub(crate) fn puts_back(&self, i: usize) -> bool {
        let at = |block: &S::Guards| block.as_ref().get(i).copied().unwrap_or(S::Real::ZERO);
        at(&self.close) * (at(&self.early) + at(&self.late)) > S::Real::ZERO
    }

    /// Rows begin anew.
    pub(crate) fn interrupt(&mut self) {
        self.close.as_mut().fill(S::Real::ZERO);
    }

    /// Records an event of guard `i` at `t`, where events `within` each other are simultaneous; more than `most` in a
    /// sequence end the run.
    pub(crate) fn note(
        &mut self,
        i: usize,
        t: S::Real,
        within: S::Real,
        most: u32,
        passed: &Passed<S::Real>,
    ) -> Row<S::Real> {
        let zero = S::Real::ZERO;
        let blocks = [&mut self.last, &mut self.noise, &mut self.close, &mut self.early, &mut self.late];
        let [Some(last), Some(noise), Some(close), Some(early), Some(late)] =
            blocks.map(|block| block.as_mut().get_mut(i))
        else {
            return Row::Open;
        };
        let (value, rate) = (passed.before.0.abs(), passed.before.1.abs());
        let interval = t - core::mem::replace(last, t);
        // The value of a guard that jumped says nothing about the error of the landing.
        let landed = vanishes(value, passed.largest);
        if landed {
            *noise = noise.max(value - rate * within);
        }
        // A flight as high as the round-off is a path of four times that.
        let hidden = landed && rate * interval < passed.hides() * S::Real::from_f64(4.0) * *noise;
        // If no reset moves it, a guard knows how far behind its crossing it was found: the next flight is longer by
        // that.
        let times = if passed.moved() { passed.hides() } else { S::Real::from_f64(2.0) * passed.slant() };
        if !(interval <= times * within || hidden) {
            *close = zero;
            return Row::Open;
        }
        if *close == zero {
            (*early, *late) = (zero, zero);
        }
        *close += S::Real::ONE;
        let (half, most) = (S::Real::from_f64(f64::from(most.div_ceil(2))), S::Real::from_f64(f64::from(most)));
        *(if *close <= half { &mut *early } else { &mut *late }) += passed.put_back();
        if *close <= most {
            Row::Open
        } else if *early > zero && *late >= S::Real::from_f64(0.95) * *early {
            Row::Regular((*early + *late) / *close)
        } else {
            Row::Accumulates
        }
    }
}

impl<S: Solvable> History<S::Real> for Intervals<S> {
    fn visit(&mut self, parts: &mut dyn Parts<S::Real>) {
        parts.numbers("times of the last events", self.last.as_mut());
        parts.numbers("round-off of guards", self.noise.as_mut());
        parts.numbers("close events in a row", self.close.as_mut());
        parts.numbers("first half of the row put back", self.early.as_mut());
        parts.numbers("second half of the row put back", self.late.as_mut());
    }
}
