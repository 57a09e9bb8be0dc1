//! A step that ends with an event: it is repeated until it ends just after the crossing.

use crate::error::Cause;
use crate::events::Step;
use crate::integrators::method::Method;
use crate::model::input::{AnyInputs, Inputs};
use crate::numbers::scalar::{Real, Scalar};
use crate::run::simulation::Simulation;
use crate::run::step::Proposed;
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;

/// Attempts by interpolation and extrapolation before bisection.
const FAST: u32 = 12;

/// Where the first event of a step is: between `lower`, the end of a step that does not cross, and `upper`, that of a
/// longer one that does.
struct Bracket<T> {
    start: T,
    lower: T,
    upper: Option<T>,
    round: u32,
}

/// The end of the step that is tried next.
enum Trial<T> {
    /// the present step stays
    None,
    Next(T),
    /// it ends just after the event
    Last(T),
}

impl<T: Real> Bracket<T> {
    /// After a step up to `end` that crosses in its part `behind` the start, or does not and may cross after `wait`;
    /// `within` is the allowed error of the time.
    fn next(&mut self, end: T, behind: Option<T>, wait: Option<T>, within: T) -> Trial<T> {
        let (two, half) = (T::from_f64(2.0), T::from_f64(0.5));
        let mut next = match (behind, self.upper) {
            (Some(behind), upper) => {
                let back = end - self.start - behind;
                // Another event, which shorter steps did not notice, is before `lower`: the search begins anew.
                if self.lower - (self.start + behind) > end - self.lower && self.round < FAST {
                    self.lower = self.start;
                }
                self.upper = Some(end);
                end - if upper.is_some() { two * back } else { back }
            }
            (None, None) => return Trial::None,
            (None, Some(_)) => {
                self.lower = end;
                wait.map_or(end, |wait| end + two * wait)
            }
        };
        let (lower, last) = (self.lower, self.upper.unwrap_or(end));
        if last - lower <= within {
            return if lower == end { Trial::Last(last) } else { Trial::None };
        }
        if self.round >= FAST {
            next = lower + half * (last - lower);
        }
        self.round += 1;
        let margin = (T::from_f64(0.75) * within).min(half * (last - lower));
        Trial::Next(next.max(lower + margin).min(last - margin))
    }
}

impl<S: Solvable, M: Method<S>, U: Inputs<S>> Simulation<'_, S, M, U> {
    /// Ends the proposed step just after its first event, if there is one.
    ///
    /// Its time is predicted by the interpolant of a step that crosses, or by the rates at the end of one that does
    /// not. The next trial goes twice as far as predicted, so that the interval closes from both sides.
    pub(crate) fn land(&mut self, mut proposed: Proposed<S::Real>) -> Result<Proposed<S::Real>, Cause> {
        if self.watch.idle(self.system) {
            return Ok(proposed);
        }
        let mut bracket = Bracket { start: self.state.t, lower: self.state.t, upper: None, round: 0 };
        loop {
            let within = self.watch.settings.within(proposed.end);
            let width = S::Real::from_f64(0.5) * within;
            let behind = self.crossing(proposed.h, width)?;
            let wait = if behind.is_none() && bracket.upper.is_some() { self.watch.ahead(self.system) } else { None };
            match bracket.next(proposed.end, behind, wait, within) {
                Trial::None => break,
                Trial::Next(end) => proposed = self.shorten(proposed, end)?,
                Trial::Last(end) => {
                    proposed = self.shorten(proposed, end)?;
                    self.crossing(proposed.h, width)?;
                    break;
                }
            }
        }
        proposed.event = self.mark(proposed.h)?;
        Ok(proposed)
    }

    /// Proposes the same step up to `end` only.
    fn shorten(&mut self, proposed: Proposed<S::Real>, end: S::Real) -> Result<Proposed<S::Real>, Cause> {
        let h = end - self.state.t;
        self.statistics.attempted += 1;
        if self.try_step(end, h)? {
            Ok(Proposed { end, h, ..proposed })
        } else {
            Err(Cause::StepTooSmall { smallest: h.to_f64(), limit: self.limit() })
        }
    }

    /// The fraction of the proposed step `h` at which its interpolant first crosses, to `width`.
    fn crossing(&mut self, h: S::Real, width: S::Real) -> Result<Option<S::Real>, Cause> {
        let Self { system, method, inputs, state, scratch, proposal, statistics, watch, .. } = self;
        let cx = Context { system: *system, inputs: &AnyInputs(&*inputs), work: &mut statistics.work };
        let (from, to) = (&*state, &proposal.x);
        let inside = &mut |theta, out: &mut _| method.interpolate(*system, from, to, scratch, theta, out);
        let step = &mut Step { from, to, inside };
        let Some(part) = watch.scan(&cx, step)? else { return Ok(None) };
        watch.narrow(&cx, step, part, width / h).map(|fraction| Some(fraction * h))
    }

    /// Marks the events at the end of the proposed step `h`.
    fn mark(&mut self, h: S::Real) -> Result<bool, Cause> {
        let Self { system, inputs, proposal, statistics, watch, .. } = self;
        let cx = Context { system: *system, inputs: &AnyInputs(&*inputs), work: &mut statistics.work };
        watch.mark(&cx, &proposal.x, h)
    }
}
