//! A run: a method driving a system with its inputs to a requested time.

use crate::error::{Cause, StepError, StepLimit};
use crate::events::{Outcome, Watch};
use crate::integrators::method::{Method, Proposal};
use crate::keep::statistics::Statistics;
use crate::model::input::{Inputs, Nominal};
use crate::model::seen::Seen;
use crate::model::state::State;
use crate::numbers::scalar::{Real, Scalar};
use crate::run::first::First;
use crate::solve::context::Estimate;
use crate::solve::solvable::Solvable;
use crate::solve::{Projection, Projector, drift};
use crate::step_size::{Stepper, Worst};

/// A method driving a system with its inputs.
pub struct Simulation<'a, S: Solvable, M: Method<S>, U: Inputs<S> = Nominal> {
    pub(crate) system: &'a S,
    pub(crate) method: M,
    pub(crate) inputs: U,
    pub(crate) projection: Option<Projection<S::Real>>,
    pub(crate) projector: Projector<S>,
    pub(crate) stepper: Stepper<S>,
    pub(crate) state: State<S>,
    pub(crate) memory: M::Memory,
    pub(crate) scratch: M::Scratch,
    /// the last attempt
    pub(crate) proposal: Proposal<S>,
    /// what it proposed before projection, where that is asked for
    #[cfg(feature = "std")]
    pub(crate) unprojected: Option<State<S>>,
    /// the state after a discontinuity, or an interpolated one
    pub(crate) fresh: State<S>,
    pub(crate) watch: Watch<S>,
    /// how an event has ended the run, if one has
    pub(crate) ended: Option<Outcome>,
    /// how the first state was found, if the run has begun with it and has not been changed
    pub(crate) first: Option<First<S>>,
    pub(crate) statistics: Statistics,
    /// the entry with the largest error in the last attempt
    pub(crate) worst: Option<Worst<S::Real>>,
    /// attempts allowed between two times asked for
    pub(crate) most_attempts: u64,
}

impl<S: Solvable, M: Method<S>, U: Inputs<S>> core::fmt::Debug for Simulation<'_, S, M, U> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Simulation")
            .field("state", &self.state)
            .field("statistics", &self.statistics)
            .finish_non_exhaustive()
    }
}

impl<'a, S: Solvable, M: Method<S>, U: Inputs<S>> Simulation<'a, S, M, U> {
    /// The system that is run.
    pub fn system(&self) -> &'a S {
        self.system
    }

    /// The state reached.
    pub fn state(&self) -> &State<S> {
        &self.state
    }

    /// What the run has done.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// The error estimate of the last attempt, for each entry; `None` for methods without an estimate.
    pub fn error(&self) -> Option<&Estimate<S>> {
        self.method.estimates().then_some(&self.proposal.error)
    }

    /// The entry whose error limited the last step, under error control.
    pub fn limit(&self) -> Option<StepLimit> {
        self.worst.map(|worst| worst.named(&self.system.layout()))
    }

    /// The size of the last step; 0 before the first.
    pub fn last_step(&self) -> S::Real {
        self.stepper.progress.last()
    }

    /// The step that will be tried next, unless something requires landing sooner.
    pub fn next_step(&self) -> S::Real {
        self.stepper.progress.planned()
    }

    /// The inputs, to read a controller's.
    pub fn inputs(&self) -> &U {
        &self.inputs
    }

    /// max |Φ| and max |Φ̇| of the state.
    ///
    /// # Errors
    /// [`Cause::NonFinite`] naming the constraint.
    pub fn drift(&self) -> Result<(S::Real, S::Real), Cause> {
        drift(self.system, &self.state)
    }

    /// The state just before the last event, with its accelerations and multipliers; the start before any event.
    pub fn before_event(&self) -> &State<S> {
        &self.watch.kept.before
    }

    /// How an event has ended the run, if one has.
    pub fn ended(&self) -> Option<Outcome> {
        self.ended
    }

    /// Steps until `time`, landing on it exactly and on each sample instant and event before it.
    ///
    /// # Errors
    /// The failure of a step; the state is that of the last successful step. [`Cause::Stopped`] and [`Cause::Zeno`] if
    /// an event has ended the run before `time`, now and on every further call; the state is that after the event. A
    /// run that ends exactly at `time` returns no error.
    pub fn advance_to(&mut self, time: S::Real) -> Result<(), StepError> {
        self.advance(time, |_| {})?;
        self.arrived(time)
    }

    /// An error if an event has ended the run before `time`.
    pub(crate) fn arrived(&self, time: S::Real) -> Result<(), StepError> {
        match self.ended.and_then(Outcome::end) {
            Some(end) if self.state.t < time => Err(self.failure(S::Real::ZERO, end)),
            _ => Ok(()),
        }
    }

    /// An error if `time`, which the caller names, is in the past or not a number.
    #[inline(never)]
    pub(crate) fn ahead(&self, setting: &'static str, time: S::Real) -> Result<(), StepError> {
        if time >= self.state.t && time.is_finite() {
            return Ok(());
        }
        let (asked, now) = (time.to_f64(), self.state.t.to_f64());
        let cause = match asked.is_finite() {
            true => Cause::Past { asked, now },
            false => Cause::Invalid { setting, value: asked },
        };
        Err(self.failure(S::Real::ZERO, cause))
    }

    /// Continues to `time`, or to the end of the run; `observer` sees the states before and after each event.
    pub(crate) fn advance(&mut self, time: S::Real, mut observer: impl FnMut(&Seen<'_, S>)) -> Result<(), StepError> {
        Self::advance_by(
            self,
            |run| run,
            time,
            |run| {
                if let Some(event) = run.step_towards(time)?.event() {
                    run.show(event, &mut observer);
                }
                Ok(())
            },
        )
    }

    /// Lets `all` make steps, of which there is a `run`, until that arrives at `time` or ends.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn advance_by<A>(
        all: &mut A,
        run: impl Fn(&A) -> &Self,
        time: S::Real,
        mut step: impl FnMut(&mut A) -> Result<(), StepError>,
    ) -> Result<(), StepError> {
        run(all).ahead("time to advance to", time)?;
        let before = run(all).statistics.attempted;
        while run(all).state.t < time && run(all).ended.is_none() {
            step(all)?;
            run(all).within_limit(before, S::Real::ZERO)?;
        }
        Ok(())
    }

    /// Gives up, in a step `h`, after too many attempts since there were `before`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn within_limit(&self, before: u64, h: S::Real) -> Result<(), StepError> {
        let attempts = self.statistics.attempted - before;
        if attempts > self.most_attempts {
            return Err(self.failure(h, Cause::TooMuchWork { attempts }));
        }
        Ok(())
    }

    pub(crate) fn failure(&self, h: S::Real, cause: Cause) -> StepError {
        let cause = crate::solve::explain::explain(self.system, &self.state, h, cause);
        StepError { time: self.state.t.to_f64(), step: h.to_f64(), cause }
    }
}
