//! A run: the one place where steps are attempted, projected, tested and committed.

use crate::control::{Control, Stepper};
use crate::error::{Cause, StartError, StepError};
use crate::input::{Inputs, Nominal};
use crate::method::{Context, Estimates, Method, Work};
use crate::scalar::{Real, Scalar};
use crate::solve::{Acceleration, Projection, Projector};
use crate::start::{Start, accelerate};
use crate::state::State;
use crate::system::Solvable;

/// What a run has done.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    /// steps taken
    pub taken: u64,
    /// steps attempted
    pub attempted: u64,
    /// attempts whose error was too large
    pub error_failures: u64,
    /// attempts whose proposal could not be projected
    pub projection_failures: u64,
    /// attempts that gave no proposal: Newton, a singular matrix, values that are not finite
    pub attempt_failures: u64,
    /// steps after which a projection was needed
    pub projections: u64,
    /// restarts at sample instants
    pub restarts: u64,
    /// size of the first step taken; 0 before it
    pub first_step: f64,
    /// evaluations, iterations, factorisations
    pub work: Work,
}

/// A run in preparation: [`Simulation::of`].
#[derive(Debug)]
pub struct Setup<'a, S: Solvable, M, U> {
    system: &'a S,
    method: M,
    inputs: U,
    projection: Option<Projection<S::Real>>,
    begin: Begin<S>,
}

#[derive(Debug)]
enum Begin<S: Solvable> {
    Consistent(Start<S::Real>),
    Given(State<S>),
}

impl<'a, S: Solvable, M: Method<S>, U: Inputs<S>> Setup<'a, S, M, U> {
    /// Takes inputs from `inputs` instead of the model's own values.
    pub fn inputs<V: Inputs<S>>(self, inputs: V) -> Setup<'a, S, M, V> {
        let Self { system, method, projection, begin, .. } = self;
        Setup { system, method, inputs, projection, begin }
    }

    /// Begins with this consistent start instead of one at t = 0.
    pub fn start(mut self, start: Start<S::Real>) -> Self {
        self.begin = Begin::Consistent(start);
        self
    }

    /// Begins at `state` as it is, consistent or not; explicit methods evaluate their accelerations themselves.
    pub fn given(mut self, state: State<S>) -> Self {
        self.begin = Begin::Given(state);
        self
    }

    /// Projects after each step that leaves the constraints by more than the tolerance.
    pub fn project(mut self, projection: Projection<S::Real>) -> Self {
        self.projection = Some(projection);
        self
    }

    /// A run with steps of size `h`.
    ///
    /// # Errors
    /// Settings out of range, or no consistent start.
    pub fn fixed(self, h: S::Real) -> Result<Simulation<'a, S, M, U>, StartError> {
        self.build(Control::Fixed { h }, 1)
    }

    /// A run that holds the estimated error of each step below `accuracy`, beginning with a step of 0.1.
    ///
    /// # Errors
    /// Settings out of range, or no consistent start.
    pub fn adaptive(self, accuracy: S::Real) -> Result<Simulation<'a, S, M, U>, StartError>
    where
        M: Estimates,
    {
        self.adaptive_from(accuracy, S::Real::from_f64(0.1))
    }

    /// The same with a first step of `initial`.
    ///
    /// # Errors
    /// Settings out of range, or no consistent start.
    pub fn adaptive_from(self, accuracy: S::Real, initial: S::Real) -> Result<Simulation<'a, S, M, U>, StartError>
    where
        M: Estimates,
    {
        self.build(Control::Adaptive { accuracy, initial }, M::ORDER)
    }

    fn build(self, control: Control<S::Real>, order: u32) -> Result<Simulation<'a, S, M, U>, StartError> {
        let Self { system, method, mut inputs, projection, begin } = self;
        let time = match &begin {
            Begin::Consistent(start) => start.time,
            Begin::Given(state) => state.t,
        };
        let mut work = Work::default();
        let workspace = method.workspace(system);
        let prepare = || {
            control.check()?;
            method.check()?;
            inputs.check()?;
            if let Some(projection) = &projection {
                projection.check()?;
            }
            let mut state = State::zeros(system);
            match begin {
                Begin::Given(given) => state = given,
                Begin::Consistent(start) => {
                    system.guess(&mut state.q, &mut state.v, &mut state.z);
                    start.assemble(system, &mut state)?;
                    if inputs.next_sample().is_some() {
                        inputs.sample(system, &state);
                    }
                    accelerate(Context { system, inputs: &inputs, work: &mut work }, &mut state)?;
                    return Ok((state, workspace));
                }
            }
            state.check(&system.layout())?;
            if inputs.next_sample().is_some() {
                inputs.sample(system, &state);
            }
            Ok((state, workspace))
        };
        let fail = |cause| StartError { time: time.to_f64(), cause };
        let (state, mut workspace) = prepare().map_err(fail)?;
        let stepper = Stepper::new(control, order, state.t);
        let mut statistics = Statistics::default();
        let mut cx = Context { system, inputs: &inputs, work: &mut statistics.work };
        let memory = method.restart(&mut cx, &state, stepper.planned(), &mut workspace).map_err(fail)?;
        Ok(Simulation {
            system,
            method,
            inputs,
            projection,
            projector: Projector::new(system),
            stepper,
            fresh: Fresh { state: state.clone(), acceleration: Acceleration::new(system) },
            state,
            memory,
            workspace,
            statistics,
        })
    }
}

/// A method driving a system with its inputs.
pub struct Simulation<'a, S: Solvable, M: Method<S>, U: Inputs<S> = Nominal> {
    system: &'a S,
    method: M,
    inputs: U,
    projection: Option<Projection<S::Real>>,
    projector: Projector<S>,
    stepper: Stepper<S::Real>,
    state: State<S>,
    memory: M::Memory,
    workspace: M::Workspace,
    fresh: Fresh<S>,
    statistics: Statistics,
}

/// Room for the state after a discontinuity.
struct Fresh<S: Solvable> {
    state: State<S>,
    acceleration: Acceleration<S>,
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
        Setup { system, method, inputs: Nominal, projection: None, begin: Begin::Consistent(Start::default()) }
    }
}

/// Attempts between two reports after which a run gives up.
const MOST_ATTEMPTS: u64 = 1_000_000_000;

impl<S: Solvable, M: Method<S>, U: Inputs<S>> Simulation<'_, S, M, U> {
    /// The state reached.
    pub fn state(&self) -> &State<S> {
        &self.state
    }

    /// What the run has done.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
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

    /// Steps until `time`, landing on it exactly and on each sample instant before it.
    ///
    /// # Errors
    /// The failure of the step that could not be made; the state is that of the last step made.
    pub fn advance_to(&mut self, time: S::Real) -> Result<(), StepError> {
        if !(time >= self.state.t && time.is_finite()) {
            let cause = Cause::Invalid { setting: "time to advance to", value: time.to_f64() };
            return Err(self.failure(S::Real::ZERO, cause));
        }
        let mut attempts = 0;
        while self.state.t < time {
            let before = self.statistics.attempted;
            self.step_towards(time)?;
            attempts += self.statistics.attempted - before;
            if attempts > MOST_ATTEMPTS {
                return Err(self.failure(S::Real::ZERO, Cause::TooMuchWork { attempts }));
            }
        }
        Ok(())
    }

    /// Makes one step, not beyond `time` nor the next sample instant.
    ///
    /// # Errors
    /// Why it could not be made; state and memory are as before.
    pub fn step_towards(&mut self, time: S::Real) -> Result<(), StepError> {
        let stop = match self.inputs.next_sample() {
            Some(sample) if sample < time => sample,
            _ => time,
        };
        let (mut end, mut h) = self.stepper.target(self.state.t, stop);
        if !(end > self.state.t) {
            return Err(self.failure(h, Cause::StepTooSmall { smallest: self.smallest().to_f64(), error: None }));
        }
        let error = loop {
            self.statistics.attempted += 1;
            match self.try_step(end, h) {
                Ok(error) if self.stepper.passes(error) => break error,
                Ok(error) => {
                    let error = error.unwrap_or(S::Real::ZERO);
                    self.statistics.error_failures += 1;
                    h = self.smaller(h, self.stepper.shrink(h, error), Some(error.to_f64()), None)?;
                }
                Err(cause) => h = self.smaller(h, self.stepper.retreat(h), None, Some(cause))?,
            }
            end = self.state.t + h;
            h = end - self.state.t;
        };
        self.method.commit(&mut self.state, &mut self.memory, &mut self.workspace);
        self.statistics.taken += 1;
        if self.statistics.taken == 1 {
            self.statistics.first_step = h.to_f64();
        }
        self.stepper.accept(end, h, error, stop);
        if self.inputs.next_sample().is_some_and(|sample| end >= sample) {
            self.begin_anew(h)?;
        }
        Ok(())
    }

    /// Attempt, error test, projection and completion: everything up to commit.
    fn try_step(&mut self, end: S::Real, h: S::Real) -> Result<Option<S::Real>, Cause> {
        let Self {
            system, method, inputs, projection, projector, stepper, state, memory, workspace, statistics, ..
        } = self;
        let mut cx = Context { system: *system, inputs: &*inputs, work: &mut statistics.work };
        let attempt = match method.attempt(&mut cx, state, memory, h, workspace) {
            Ok(attempt) => attempt,
            Err(cause) => {
                statistics.attempt_failures += 1;
                return Err(cause);
            }
        };
        method.proposal(workspace).t = end;
        if !stepper.passes(attempt.error) {
            return Ok(attempt.error);
        }
        if let Some(projection) = projection {
            match projector.project(&mut cx, projection, method.proposal(workspace)) {
                Ok(needed) => statistics.projections += u64::from(needed),
                Err(cause) => {
                    statistics.projection_failures += 1;
                    return Err(cause);
                }
            }
        }
        if let Err(cause) = method.finish(&mut cx, workspace) {
            statistics.attempt_failures += 1;
            return Err(cause);
        }
        method.proposal(workspace).check(&system.layout())?;
        Ok(attempt.error)
    }

    /// The size of the next attempt, or the failure when there is none.
    fn smaller(
        &self,
        h: S::Real,
        smaller: S::Real,
        error: Option<f64>,
        cause: Option<Cause>,
    ) -> Result<S::Real, StepError> {
        if let (Control::Fixed { .. }, Some(cause)) = (self.stepper.control, cause) {
            return Err(self.failure(h, cause));
        }
        let smallest = self.smallest();
        if h > smallest && smaller > S::Real::ZERO {
            return Ok(smaller);
        }
        Err(self.failure(h, cause.unwrap_or(Cause::StepTooSmall { smallest: smallest.to_f64(), error })))
    }

    /// The step below which time no longer moves reliably.
    fn smallest(&self) -> S::Real {
        S::Real::from_f64(100.0) * S::Real::EPSILON * S::Real::ONE.max(self.state.t.abs())
    }

    /// Samples the controller at the state reached and rebuilds accelerations and memory with its new output.
    ///
    /// The state's accelerations and multipliers jump with the inputs: those after the instant are kept.
    fn begin_anew(&mut self, h: S::Real) -> Result<(), StepError> {
        self.inputs.sample(self.system, &self.state);
        self.statistics.restarts += 1;
        let Self { system, method, inputs, state, memory, workspace, statistics, stepper, fresh, .. } = self;
        let mut cx = Context { system: *system, inputs: &*inputs, work: &mut statistics.work };
        fresh.state.copy_from(state);
        let mut restart = || {
            let State { t, q, v, z, a, zdot, lambda } = &mut fresh.state;
            fresh.acceleration.evaluate(&mut cx, *t, q, v, z, a, zdot, lambda)?;
            method.restart(&mut cx, &fresh.state, stepper.planned(), workspace)
        };
        match restart() {
            Ok(fresh_memory) => {
                *memory = fresh_memory;
                state.copy_from(&fresh.state);
                Ok(())
            }
            Err(cause) => Err(self.failure(h, cause)),
        }
    }

    /// Runs to `end`, showing `observer` the state now, every `interval`, and at the end.
    ///
    /// # Errors
    /// The failure of the step that could not be made; what was observed before stays.
    pub fn run(
        &mut self,
        end: S::Real,
        interval: S::Real,
        mut observer: impl FnMut(&State<S>),
    ) -> Result<(), StepError> {
        if !(interval > S::Real::ZERO && interval.is_finite()) {
            let cause = Cause::Invalid { setting: "report interval", value: interval.to_f64() };
            return Err(self.failure(S::Real::ZERO, cause));
        }
        observer(&self.state);
        let first = self.state.t;
        let mut count = 0_u64;
        while self.state.t < end {
            count += 1;
            let report = first + S::Real::from_f64(count as f64) * interval;
            // A last report within round-off of the end is the end.
            let last = report >= end - S::Real::from_f64(1e-9) * interval;
            self.advance_to(if last { end } else { report })?;
            observer(&self.state);
        }
        Ok(())
    }

    fn failure(&self, h: S::Real, cause: Cause) -> StepError {
        StepError { time: self.state.t.to_f64(), step: h.to_f64(), cause }
    }
}
