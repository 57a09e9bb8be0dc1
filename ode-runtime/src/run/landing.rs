//! A step that ends with an event: it is repeated until it ends just after the crossing.

use crate::error::Cause;
use crate::integrators::method::Method;
use crate::model::input::Inputs;
use crate::numbers::scalar::{Real, Scalar};
use crate::run::simulation::Simulation;
use crate::run::step::Proposed;
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;

/// Attempts by interpolation and extrapolation before bisection.
const FAST: u32 = 12;

impl<S: Solvable, M: Method<S>, U: Inputs<S>> Simulation<'_, S, M, U> {
    /// Ends the proposed step just after its first event, if there is one.
    ///
    /// The event is between the end of a step that does not cross and the end of a longer one that does. Its time is
    /// predicted by the interpolant of the crossing step, or by the rates at the end of the other. The next trial goes
    /// twice as far as predicted, so that the interval closes from both sides.
    pub(crate) fn land(&mut self, mut proposed: Proposed<S::Real>) -> Result<Proposed<S::Real>, Cause> {
        if self.watch.idle(self.system) {
            return Ok(proposed);
        }
        let start = self.state.t;
        let (mut lower, mut upper, mut round) = (start, None, 0);
        let (two, half) = (S::Real::from_f64(2.0), S::Real::from_f64(0.5));
        loop {
            let end = proposed.end;
            let within = self.watch.settings.within(end);
            let mut next;
            match self.crossing(proposed.h, half * within)? {
                Some(behind) => {
                    let back = end - start - behind;
                    next = end - if upper.is_some() { two * back } else { back };
                    // Another event, which shorter steps did not notice, is before `lower`: the search begins anew.
                    if lower - (start + behind) > end - lower && round < FAST {
                        lower = start;
                    }
                    upper = Some(end);
                }
                None if upper.is_none() => break,
                None => {
                    next = self.watch.ahead(self.system).map_or(end, |wait| end + two * wait);
                    lower = end;
                }
            }
            let Some(last) = upper else { break };
            if last - lower <= within {
                if lower == end {
                    proposed = self.shorten(proposed, last)?;
                    self.crossing(proposed.h, half * within)?;
                }
                break;
            }
            if round >= FAST {
                next = lower + half * (last - lower);
            }
            let margin = (S::Real::from_f64(0.75) * within).min(half * (last - lower));
            next = next.max(lower + margin).min(last - margin);
            proposed = self.shorten(proposed, next)?;
            round += 1;
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
        let cx = Context { system: *system, inputs: &*inputs, work: &mut statistics.work };
        let step = &mut (&*state, &proposal.x, scratch);
        let Some(part) = watch.scan(&cx, method, step)? else { return Ok(None) };
        watch.narrow(&cx, method, step, part, width / h).map(|fraction| Some(fraction * h))
    }

    /// Marks the events at the end of the proposed step `h`.
    fn mark(&mut self, h: S::Real) -> Result<bool, Cause> {
        let Self { system, inputs, proposal, statistics, watch, .. } = self;
        let cx = Context { system: *system, inputs: &*inputs, work: &mut statistics.work };
        watch.mark(&cx, &proposal.x, h)
    }
}
