//! A run: the one place where steps are attempted, projected, tested and committed.

use crate::context::{Context, Estimate};
use crate::control::{Control, Stepper, Worst};
use crate::error::{Cause, Quantity, StepError, StepLimit};
use crate::events::{Events, Outcome, Tools, Watch};
use crate::input::{Inputs, Nominal};
use crate::method::{Method, Proposal};
use crate::rotations::enter;
use crate::scalar::{Real, Scalar};
use crate::setup::{Begin, First, Setup};
use crate::solve::{Projected, Projection, Projector};
use crate::start::Start;
use crate::state::{State, finite};
use crate::statistics::Statistics;
use crate::system::Solvable;

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
    /// the state after a discontinuity, or an interpolated one
    pub(crate) fresh: State<S>,
    pub(crate) watch: Watch<S>,
    /// how the run has ended, if an event has ended it
    pub(crate) ended: Option<Outcome>,
    pub(crate) statistics: Statistics,
    /// where the error of the last attempt was largest
    pub(crate) worst: Option<Worst<S::Real>>,
    /// attempts allowed between two times asked for
    pub(crate) attempts: u64,
}

/// A step that passed every test and waits to be committed.
#[derive(Clone, Copy)]
pub(crate) struct Proposed<T> {
    pub(crate) end: T,
    pub(crate) h: T,
    pub(crate) stop: T,
    /// whether events happen at its end
    pub(crate) event: bool,
}

impl<S: Solvable, M: Method<S>, U: Inputs<S>> core::fmt::Debug for Simulation<'_, S, M, U> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Simulation")
            .field("state", &self.state)
            .field("statistics", &self.statistics)
            .finish_non_exhaustive()
    }
}

impl<'a, S: Solvable, M: Method<S>> Simulation<'a, S, M, Nominal> {
    /// Prepares a run of `system` with `method`: consistent start at t = 0, the model's own inputs, no projection.
    pub fn of(system: &'a S, method: M) -> Setup<'a, S, M, Nominal> {
        let begin = Begin::Fresh(First::Consistent(Start::default()));
        let (events, attempts) = (Events::default(), MOST_ATTEMPTS);
        Setup { system, method, inputs: Nominal, projection: None, events, attempts, weights: None, begin }
    }
}

/// Attempts between two reports after which a run gives up, unless it is told.
const MOST_ATTEMPTS: u64 = 1_000_000_000;

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

    /// The estimate of the error of the last attempt, entry by entry; none for methods that have none.
    pub fn error(&self) -> Option<&Estimate<S>> {
        self.method.estimates().then_some(&self.proposal.error)
    }

    /// The entry whose error limited the last step, where errors are tested.
    pub fn limit(&self) -> Option<StepLimit> {
        self.worst.map(|worst| worst.named(&self.system.layout()))
    }

    /// The size of the last step taken; 0 before it.
    pub fn last_step(&self) -> S::Real {
        self.stepper.progress.last()
    }

    /// The step to be tried next, where nothing is landed on.
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
    pub fn drift(&mut self) -> Result<(S::Real, S::Real), Cause> {
        let cx = Context { system: self.system, inputs: &self.inputs, work: &mut self.statistics.work };
        self.projector.drift(&cx, &self.state)
    }

    /// The state just before the last event, with its accelerations and multipliers; the start where there was none.
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
    /// The failure of the step that could not be made; the state is that of the last step made. [`Cause::Stopped`] and
    /// [`Cause::Zeno`] where an event has ended the run before `time`, now and whenever it is asked to go on; the state
    /// is that after the event. An end at `time` itself is an arrival.
    pub fn advance_to(&mut self, time: S::Real) -> Result<(), StepError> {
        self.advance(time, |_| {})?;
        self.arrived(time)
    }

    /// Refuses to call it an arrival where an event has ended the run before `time`.
    pub(crate) fn arrived(&self, time: S::Real) -> Result<(), StepError> {
        match self.ended.and_then(Outcome::end) {
            Some(end) if self.state.t < time => Err(self.failure(S::Real::ZERO, end)),
            _ => Ok(()),
        }
    }

    /// Refuses a time to advance to that is before the run, or none.
    #[inline(never)]
    pub(crate) fn ahead(&self, time: S::Real) -> Result<(), StepError> {
        if time >= self.state.t && time.is_finite() {
            return Ok(());
        }
        let (asked, now) = (time.to_f64(), self.state.t.to_f64());
        let cause = match asked.is_finite() {
            true => Cause::Past { asked, now },
            false => Cause::Invalid { setting: "time to advance to", value: asked },
        };
        Err(self.failure(S::Real::ZERO, cause))
    }

    /// Goes on to `time`, or to the end of the run; `observer` sees the states before and after each event.
    pub(crate) fn advance(&mut self, time: S::Real, mut observer: impl FnMut(&State<S>)) -> Result<(), StepError> {
        self.ahead(time)?;
        let mut attempts = 0;
        while self.state.t < time && self.ended.is_none() {
            let before = self.statistics.attempted;
            if self.step_towards(time)? != Outcome::Reached {
                observer(&self.watch.kept.before);
                observer(&self.state);
            }
            attempts += self.statistics.attempted - before;
            if attempts > self.attempts {
                return Err(self.failure(S::Real::ZERO, Cause::TooMuchWork { attempts }));
            }
        }
        Ok(())
    }

    /// Makes one step, not beyond `time`, the next sample instant, nor the next event.
    ///
    /// [`Outcome::Event`] where it ends with one, [`Outcome::Stopped`] or [`Outcome::Zeno`] where that ends the run.
    ///
    /// # Errors
    /// Why it could not be made; state and memory are as before. A run that an event has ended makes no step:
    /// [`Cause::Stopped`], [`Cause::Zeno`]. Where the controller's new output at a sample instant makes the
    /// model impossible to evaluate, the step onto that instant stays made.
    // What a call saves and restores is noticed in the step of a small model.
    #[inline(always)]
    pub fn step_towards(&mut self, time: S::Real) -> Result<Outcome, StepError> {
        if let Some(end) = self.ended.and_then(Outcome::end) {
            return Err(self.failure(S::Real::ZERO, end));
        }
        // Where NaN is, no step can end.
        if !(time <= S::Real::INFINITY) {
            let cause = Cause::Invalid { setting: "time to step towards", value: time.to_f64() };
            return Err(self.failure(S::Real::ZERO, cause));
        }
        let proposed = self.propose(time)?;
        self.accept(proposed)
    }

    /// Attempts until a proposal passes.
    #[inline(always)]
    pub(crate) fn propose(&mut self, time: S::Real) -> Result<Proposed<S::Real>, StepError> {
        let mark = self.stepper.mark();
        let proposed = self.try_steps(time);
        if let (Err(_), Some(mark)) = (&proposed, mark) {
            self.stepper.progress = mark;
        }
        proposed
    }

    #[inline(always)]
    fn try_steps(&mut self, time: S::Real) -> Result<Proposed<S::Real>, StepError> {
        // A sample instant within round-off of `time` is `time`.
        let smallest = self.smallest();
        let stop = match self.inputs.next_sample() {
            Some(sample) if sample < time - smallest => sample,
            _ => time,
        };
        let (mut end, mut h) = self.stepper.target(self.state.t, stop);
        // Steps or sampling periods that small would take for ever; the last step may be.
        let tiny = match self.stepper.control {
            Control::Grid(_) => h < smallest,
            Control::Adaptive(_) => stop - self.state.t < smallest,
        };
        if !(end > self.state.t) || tiny && end < time {
            if time < self.state.t {
                self.ahead(time)?;
            }
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
            // What failed for another cause says nothing of the error.
            let error = if cause.is_none() { self.worst } else { None };
            let attempts = self.statistics.attempted - before;
            if attempts > self.attempts {
                return Err(self.failure(h, Cause::TooMuchWork { attempts }));
            }
            match self.stepper.retry(self.state.t, stop, h, error) {
                Some(next) if h > smallest && next.0 > self.state.t => (end, h) = next,
                _ => return Err(self.failure(h, cause.unwrap_or_else(|| self.too_small(self.limit())))),
            }
        }
    }

    /// Steps as small as they may be, and still an error too large, where one was tested.
    fn too_small(&self, limit: Option<StepLimit>) -> Cause {
        Cause::StepTooSmall { smallest: self.smallest().max(self.stepper.least()).to_f64(), limit }
    }

    /// Keeps the largest estimate of the error of a proposal `h` up to `end`, where errors are not tested.
    #[inline(always)]
    fn keep_error(&mut self, h: S::Real, end: S::Real) {
        let Self { system, method, state, proposal, stepper, statistics, .. } = self;
        let error = method.estimates().then_some(&mut proposal.error);
        stepper.keep_largest(&mut statistics.largest_error, system, state, error, [h, end]);
    }

    /// Commits the proposal, and lets happen what happens at its end.
    #[inline(always)]
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
            // Known since the step began, it keeps nothing waiting for the state to be stored and loaded.
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
        let due = self.inputs.next_sample().is_some_and(|sample| end >= sample - self.smallest());
        if due && self.ended.is_none() {
            let sampled = self.begin_anew(h)?;
            if outcome == Outcome::Reached || self.ended.is_some() {
                outcome = sampled;
            }
        }
        Ok(outcome)
    }

    /// Attempt, error test, projection and completion: everything up to commit. Whether the error passes.
    #[inline(always)]
    pub(crate) fn try_step(&mut self, end: S::Real, h: S::Real) -> Result<bool, Cause> {
        self.worst = None;
        let Self { system, method, inputs, state, memory, scratch, proposal, statistics, .. } = self;
        let mut cx = Context { system: *system, inputs: &*inputs, work: &mut statistics.work };
        if let Err(cause) = proposal.attempt(method, &mut cx, (state, memory), h, scratch) {
            statistics.failed(&cause);
            return Err(cause);
        }
        proposal.x.t = end;
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
        // The layout, a large constant, is made for those that fail.
        if !proposal.x.adds_up()
            && let Err(cause) = proposal.x.check(&system.layout())
        {
            statistics.failed(&cause);
            return Err(cause);
        }
        Ok(true)
    }

    /// Takes from the estimate of the error what the projection of the proposal takes back, where errors are tested.
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

    /// The step below which time no longer moves reliably.
    pub(crate) fn smallest(&self) -> S::Real {
        S::Real::from_f64(100.0) * S::Real::EPSILON * S::Real::ONE.max(self.state.t.abs())
    }

    /// Lets the events at the end of the proposal happen; the state is that after them.
    fn happen(&mut self, h: S::Real) -> Result<Outcome, StepError> {
        let Self { proposal, watch, fresh, .. } = self;
        watch.before.copy_from(&proposal.x);
        fresh.copy_from(&proposal.x);
        match self.reset() {
            Ok(outcome) => Ok(outcome),
            Err(cause) => Err(self.failure(h, cause)),
        }
    }

    /// Samples the controller at the state reached and rebuilds accelerations and memory with its new output.
    ///
    /// The state's accelerations and multipliers jump with the inputs: those after the instant are kept. Guards may
    /// jump as well.
    fn begin_anew(&mut self, h: S::Real) -> Result<Outcome, StepError> {
        self.inputs.sample(self.system, &self.state);
        self.statistics.restarts += 1;
        self.fresh.copy_from(&self.state);
        self.adopt(false).map_err(|cause| self.failure(h, cause))
    }

    /// Makes the fresh state the state of the run after a discontinuity: with its velocities `back` on the constraints
    /// where they have changed, accelerations of its own, and the events whose guards have jumped.
    pub(crate) fn adopt(&mut self, back: bool) -> Result<Outcome, Cause> {
        let Self { system, inputs, statistics, fresh, proposal, watch, projector, projection, .. } = self;
        let mut cx = Context { system: *system, inputs: &*inputs, work: &mut statistics.work };
        if back {
            let layout = system.layout();
            enter(*system, fresh.q.as_mut())?;
            finite(fresh.v.as_ref(), Quantity::Velocity, layout.v)?;
            finite(fresh.z.as_ref(), Quantity::State, layout.z)?;
            finite(fresh.modes.as_ref(), Quantity::Mode, layout.modes)?;
            let (off, _) = projector.drift(&cx, &self.state)?;
            projector.land(&mut cx, projection.as_ref(), off, fresh)?;
        }
        proposal.acceleration.settle(&mut cx, fresh)?;
        fresh.check(&system.layout())?;
        if !watch.idle(cx.system) && watch.restart(&cx, fresh)? {
            watch.before.copy_from(fresh);
        }
        self.reset()
    }

    /// Lets the events marked happen to the fresh state, rebuilds the memory there, and makes it the state.
    fn reset(&mut self) -> Result<Outcome, Cause> {
        let Self { system, method, inputs, state, memory, scratch, proposal, statistics, .. } = self;
        let Self { stepper, fresh: x, watch, .. } = self;
        let mut cx = Context { system: *system, inputs: &*inputs, work: &mut statistics.work };
        let acceleration = &mut proposal.acceleration;
        let mut tools = Tools { projection: &self.projection, projector: &mut self.projector, acceleration };
        let happened = watch.happen(&mut cx, &mut tools, x)?;
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

    pub(crate) fn failure(&self, h: S::Real, cause: Cause) -> StepError {
        let cause = crate::start::explain(self.system, &self.state, h, cause);
        StepError { time: self.state.t.to_f64(), step: h.to_f64(), cause }
    }
}
