//! A step: attempted, tested, projected and committed, once for every method.

use crate::error::{Cause, Quantity, StepError, StepLimit};
use crate::events::{Outcome, Tools};
use crate::integrators::method::{Method, Proposal};
use crate::model::input::{AnyInputs, Inputs};
use crate::model::rotations::enter;
use crate::model::state::finite;
use crate::numbers::scalar::{Real, Scalar};
use crate::run::simulation::Simulation;
use crate::solve::Projected;
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;
use crate::step_size::Control;

/// A step that passed every test and waits to be committed.
#[derive(Clone, Copy)]
pub(crate) struct Proposed<T> {
    pub(crate) end: T,
    pub(crate) h: T,
    pub(crate) stop: T,
    /// whether events happen at its end
    pub(crate) event: bool,
}

impl<S: Solvable, M: Method<S>, U: Inputs<S>> Simulation<'_, S, M, U> {
    /// Makes one step, which ends at the latest at `time`, the next sample instant or the next event.
    ///
    /// [`Outcome::Event`] if the step ends with one; [`Outcome::Stopped`] or [`Outcome::Zeno`] if that ends the run.
    ///
    /// # Errors
    /// Why the step failed; state and memory are as before. A run that an event has ended makes no further step:
    /// [`Cause::Stopped`], [`Cause::Zeno`]. If the controller's new output at a sample instant makes the model
    /// impossible to evaluate, the step up to that instant remains.
    // The registers that a call saves and restores are noticeable in the step of a small model.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn step_towards(&mut self, time: S::Real) -> Result<Outcome, StepError> {
        self.may_step(time)?;
        let proposed = self.propose(time)?;
        self.accept(proposed)
    }

    /// An error if an event has ended the run, or `time` is in the past.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn may_step(&self, time: S::Real) -> Result<(), StepError> {
        if let Some(end) = self.ended.and_then(Outcome::end) {
            return Err(self.failure(S::Real::ZERO, end));
        }
        // Written so that NaN is refused too.
        if time >= self.state.t { Ok(()) } else { self.ahead("time to step towards", time) }
    }

    /// Attempts until a proposal passes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn propose(&mut self, time: S::Real) -> Result<Proposed<S::Real>, StepError> {
        let mark = self.stepper.mark();
        let proposed = self.try_steps(time);
        if let (Err(_), Some(mark)) = (&proposed, mark) {
            self.stepper.progress = mark;
        }
        proposed
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn try_steps(&mut self, time: S::Real) -> Result<Proposed<S::Real>, StepError> {
        // A sample instant within round-off of `time` is `time`.
        let smallest = self.smallest();
        let stop = match self.inputs.next_sample() {
            Some(sample) if sample < time - smallest => sample,
            _ => time,
        };
        let (mut end, mut h) = self.stepper.target(self.state.t, stop);
        // Steps or sampling periods that small would never reach `time`; only the last step may be so small.
        let tiny = match self.stepper.control {
            Control::Grid(_) => h < smallest,
            Control::Adaptive(_) => stop - self.state.t < smallest,
        };
        if !(end > self.state.t) || tiny && end < time {
            return Err(self.failure(h, self.too_small(None)));
        }
        let before = self.statistics.attempted;
        loop {
            self.statistics.attempted += 1;
            let cause = match self.try_step(end, h) {
                Ok(true) => match self.land(Proposed { end, h, stop, event: false }) {
                    Ok(proposed) => return Ok(proposed),
                    Err(cause) => Some(cause),
                },
                Ok(false) => {
                    self.statistics.error_failures += 1;
                    None
                }
                Err(cause) => Some(cause),
            };
            // A failure for another cause says nothing about the error.
            let error = if cause.is_none() { self.worst } else { None };
            self.within_limit(before, h)?;
            match self.stepper.retry(self.state.t, stop, h, error) {
                Some(next) if h > smallest && next.0 > self.state.t => {
                    (end, h) = self.before_a_switch(h).unwrap_or(next);
                }
                _ => return Err(self.failure(h, cause.unwrap_or_else(|| self.too_small(self.limit())))),
            }
        }
    }

    /// The end and size of a step up to the next crossing, as the rates of guards at its start predict it, after one of
    /// size `failed` across it: where a crossing switches forces, no step across it is small enough. On a grid none.
    fn before_a_switch(&mut self, failed: S::Real) -> Option<(S::Real, S::Real)> {
        if self.watch.idle(self.system) || matches!(self.stepper.control, Control::Grid(_)) {
            return None;
        }
        let least = self.smallest().max(self.stepper.least());
        let Self { system, inputs, state, statistics, watch, .. } = self;
        let cx = Context { system: *system, inputs: &AnyInputs(&*inputs), work: &mut statistics.work };
        let end = state.t + watch.wait_at(&cx, state)?;
        let h = end - state.t;
        // one that has just been tried is not tried again
        (h > least && h < S::Real::from_f64(0.9) * failed).then_some((end, h))
    }

    /// The smallest step is reached and the error, if one is tested, is still too large.
    fn too_small(&self, limit: Option<StepLimit>) -> Cause {
        Cause::StepTooSmall { smallest: self.smallest().max(self.stepper.least()).to_f64(), limit }
    }

    /// Records the largest error estimate of a proposal `h` up to `end`, for runs without error control.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn keep_error(&mut self, h: S::Real, end: S::Real) {
        let Self { system, method, state, proposal, stepper, statistics, .. } = self;
        let error = method.estimates().then_some(&mut proposal.error);
        stepper.keep_largest(&mut statistics.largest_error, system, state, error, [h, end]);
    }

    /// Commits the proposal, and handles the events and samples at its end.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn accept(&mut self, proposed: Proposed<S::Real>) -> Result<Outcome, StepError> {
        let Proposed { end, h, stop, event } = proposed;
        let mut outcome = Outcome::Reached;
        if event {
            let before = self.statistics.largest_error;
            self.keep_error(h, end);
            outcome = match self.happen(h) {
                Ok(outcome) => outcome,
                Err(error) => {
                    self.statistics.largest_error = before;
                    return Err(error);
                }
            };
        } else {
            self.keep_error(h, end);
            let Self { method, state, memory, scratch, proposal, .. } = self;
            proposal.commit(method, (state, memory), scratch);
            // This is known since the step began, so nothing waits for the state to be stored and loaded.
            self.state.t = end;
            self.watch.commit();
        }
        self.statistics.taken += 1;
        if self.statistics.taken == 1 {
            self.statistics.first_step = h.to_f64();
        }
        self.stepper.accept(end, h, self.worst, if event { end } else { stop });
        if event {
            self.stepper.interrupt(end);
        }
        if self.samples_at(end) && self.ended.is_none() {
            let sampled = self.begin_anew(h, event)?;
            if outcome == Outcome::Reached || self.ended.is_some() {
                outcome = sampled;
            }
        }
        Ok(outcome)
    }

    /// Attempt, error test, projection and completion: everything before the commit. Returns whether the error passes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn try_step(&mut self, end: S::Real, h: S::Real) -> Result<bool, Cause> {
        self.worst = None;
        let Self { system, method, inputs, state, memory, scratch, proposal, statistics, .. } = self;
        let mut cx = Context { system: *system, inputs: &*inputs, work: &mut statistics.work };
        if let Err(cause) = proposal.attempt(method, &mut cx, (state, memory), h, scratch) {
            statistics.failed(&cause);
            return Err(cause);
        }
        proposal.x.t = end;
        #[cfg(feature = "std")]
        if let Some(unprojected) = &mut self.unprojected {
            unprojected.copy_from(&proposal.x);
        }
        if self.projection.as_ref().is_some_and(|how| how.estimate) {
            self.project_estimate()?;
        }
        let Self { system, method, inputs, projection, projector, stepper, proposal, statistics, .. } = self;
        if let (Some(tolerance), true) = (stepper.tolerance(), method.estimates()) {
            let largest = tolerance.measure(*system, &self.state, &proposal.error);
            self.worst = Some(largest);
            if !largest.passes() {
                return Ok(false);
            }
        }
        if let Some(projection) = projection {
            let mut cx = Context { system: *system, inputs: &*inputs, work: &mut statistics.work };
            let projected = projector.project(&mut cx, projection, &mut proposal.x);
            if !matches!(projected, Ok(Projected { positions: false, velocities: false })) {
                statistics.projected(&projected);
                projected?;
            }
        }
        let mut cx = Context { system: *system, inputs: &*inputs, work: &mut statistics.work };
        if let Err(cause) = proposal.finish(method, &mut cx) {
            statistics.failed(&cause);
            return Err(cause);
        }
        // The layout is a large constant; it is built only for failures.
        if !proposal.x.adds_up()
            && let Err(cause) = proposal.x.check(&system.layout())
        {
            statistics.failed(&cause);
            return Err(cause);
        }
        Ok(true)
    }

    /// Removes from the error estimate the part that the projection of the proposal corrects, under error control.
    #[inline(never)]
    fn project_estimate(&mut self) -> Result<(), Cause> {
        let Self { system, method, inputs, projector, stepper, proposal, statistics, .. } = self;
        if stepper.tolerance().is_none() || !method.estimates() {
            return Ok(());
        }
        let mut cx = Context { system: *system, inputs: &*inputs, work: &mut statistics.work };
        let Proposal { x, error, .. } = proposal;
        let prepared = projector.linearize(&mut cx, x);
        let projected = prepared.and_then(|()| projector.tangent(&mut cx, error));
        if let Err(cause) = projected {
            statistics.projected(&Err(cause));
        }
        projected
    }

    /// The smallest step by which time still advances reliably.
    pub(crate) fn smallest(&self) -> S::Real {
        Self::resolution(self.state.t)
    }

    fn resolution(t: S::Real) -> S::Real {
        S::Real::from_f64(100.0) * S::Real::EPSILON * S::Real::ONE.max(t.abs())
    }

    /// Whether a step that ends there ends at a sample instant.
    pub(crate) fn samples_at(&self, end: S::Real) -> bool {
        self.inputs.next_sample().is_some_and(|sample| end >= sample - Self::resolution(end))
    }

    /// Applies the events at the end of the proposal; the state is that after them.
    fn happen(&mut self, h: S::Real) -> Result<Outcome, StepError> {
        let Self { system, inputs, proposal, watch, fresh, .. } = self;
        watch.stand_before(*system, inputs, &proposal.x);
        fresh.copy_from(&proposal.x);
        match self.reset() {
            Ok(outcome) => Ok(outcome),
            Err(cause) => Err(self.failure(h, cause)),
        }
    }

    /// Samples the controller at the state reached and rebuilds accelerations and memory with its new output.
    ///
    /// Accelerations and multipliers jump with the inputs: the state keeps those after the instant. Guards may jump
    /// too. If the step has ended with an `event`, the state before that one stays the one before all of its time.
    pub(crate) fn begin_anew(&mut self, h: S::Real, event: bool) -> Result<Outcome, StepError> {
        self.inputs.sample(self.system, &self.state);
        self.statistics.restarts += 1;
        self.fresh.copy_from(&self.state);
        self.adopt(event).map_err(|cause| self.failure(h, cause))
    }

    /// Brings the fresh state, which the program has changed, back onto the constraints.
    pub(crate) fn bring_back(&mut self) -> Result<(), Cause> {
        let Self { system, inputs, statistics, fresh, projector, projection, .. } = self;
        let mut cx = Context { system: *system, inputs: &AnyInputs(&*inputs), work: &mut statistics.work };
        let layout = system.layout();
        enter(*system, fresh.q.as_mut())?;
        finite(fresh.v.as_ref(), Quantity::Velocity, layout.v)?;
        finite(fresh.z.as_ref(), Quantity::State, layout.z)?;
        finite(fresh.modes.as_ref(), Quantity::Mode, layout.modes)?;
        let (off, _) = projector.drift(&cx, &self.state)?;
        projector.land(&mut cx, projection.as_ref(), off, fresh)
    }

    /// Continues the run from the fresh state after a discontinuity: accelerations are evaluated, and guards that
    /// jumped have their events. An `event` of this time may have happened already.
    pub(crate) fn adopt(&mut self, event: bool) -> Result<Outcome, Cause> {
        let Self { system, inputs, statistics, fresh, proposal, watch, .. } = self;
        let mut cx = Context { system: *system, inputs: &AnyInputs(&*inputs), work: &mut statistics.work };
        proposal.acceleration.settle(&mut cx, fresh)?;
        fresh.check(&system.layout())?;
        if !watch.idle(cx.system) && watch.restart(&cx, fresh)? && !event {
            watch.stand_before(*system, inputs, fresh);
        }
        self.reset()
    }

    /// Applies the marked events to the fresh state, rebuilds the memory there, and continues the run from it.
    fn reset(&mut self) -> Result<Outcome, Cause> {
        let Self { system, method, inputs, state, memory, scratch, proposal, statistics, .. } = self;
        let Self { stepper, fresh: x, watch, .. } = self;
        let mut cx = Context { system: *system, inputs: &AnyInputs(&*inputs), work: &mut statistics.work };
        let acceleration = &mut proposal.acceleration;
        let mut tools = Tools { projection: &self.projection, projector: &mut self.projector, acceleration };
        let happened = watch.happen(&mut cx, &mut tools, x)?;
        let mut cx = Context { system: *system, inputs: &*inputs, work: &mut statistics.work };
        *memory = method.restart(&mut cx, x, stepper.progress.planned(), scratch, &mut proposal.acceleration)?;
        state.copy_from(x);
        watch.commit_events(happened.is_some());
        let Some(happened) = happened else { return Ok(Outcome::Reached) };
        statistics.events += happened.count;
        if happened.ends() {
            self.ended = Some(happened.outcome);
        }
        Ok(happened.outcome)
    }
}
