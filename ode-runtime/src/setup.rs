//! A run in preparation: inputs, start, projection and step control, each with its default.

use crate::checkpoint::{Checkpoint, take_up};
use crate::control::{Control, Progress, Stepper};
use crate::error::{Cause, StartError};
use crate::events::{Events, Watch};
use crate::input::Inputs;
use crate::method::{Context, Estimates, Method, Work};
#[cfg(feature = "std")]
use crate::saved::Saved;
use crate::scalar::{Real, Scalar};
use crate::simulation::{Fresh, Simulation};
use crate::solve::{Acceleration, Projection, Projector};
use crate::start::{Start, accelerate};
use crate::state::{State, copy};
use crate::system::Solvable;

/// A run in preparation: [`Simulation::of`].
pub struct Setup<'a, S: Solvable, M: Method<S>, U> {
    pub(crate) system: &'a S,
    pub(crate) method: M,
    pub(crate) inputs: U,
    pub(crate) projection: Option<Projection<S::Real>>,
    pub(crate) events: Events<S::Real>,
    pub(crate) begin: Begin<S, M::Memory>,
}

/// Where a run begins.
#[derive(Debug)]
pub(crate) enum Begin<S: Solvable, H> {
    Fresh(First<S>),
    Resumed(Checkpoint<S, H>),
    #[cfg(feature = "std")]
    Saved(Saved),
}

impl<S: Solvable, H> Begin<S, H> {
    fn time(&self) -> f64 {
        match self {
            Self::Fresh(First::Consistent(start)) => start.time.to_f64(),
            Self::Fresh(First::Given(state) | First::GivenWithRates(state)) => state.t.to_f64(),
            Self::Resumed(point) => point.state.t.to_f64(),
            #[cfg(feature = "std")]
            Self::Saved(saved) => saved.time(),
        }
    }
}

/// How the first state is found.
#[derive(Debug)]
pub(crate) enum First<S: Solvable> {
    Consistent(Start<S::Real>),
    Given(State<S>),
    GivenWithRates(State<S>),
}

impl<S: Solvable, M: Method<S>, U> core::fmt::Debug for Setup<'_, S, M, U> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Setup")
            .field("projection", &self.projection)
            .field("events", &self.events)
            .field("begins at", &self.begin.time())
            .finish_non_exhaustive()
    }
}

impl<'a, S: Solvable, M: Method<S>, U: Inputs<S>> Setup<'a, S, M, U> {
    /// Takes inputs from `inputs` instead of the model's own values.
    pub fn inputs<V: Inputs<S>>(self, inputs: V) -> Setup<'a, S, M, V> {
        let Self { system, method, projection, events, begin, .. } = self;
        Setup { system, method, inputs, projection, events, begin }
    }

    /// Begins with this consistent start instead of one at t = 0.
    pub fn start(mut self, start: Start<S::Real>) -> Self {
        self.begin = Begin::Fresh(First::Consistent(start));
        self
    }

    /// Begins at time, q, v, z and modes of `state` as they are, consistent or not; rates and multipliers are evaluated there.
    pub fn given(mut self, state: State<S>) -> Self {
        self.begin = Begin::Fresh(First::Given(state));
        self
    }

    /// Begins at `state` with the rates and multipliers it has, which implicit methods trust; explicit ones evaluate their own.
    ///
    /// [`GeneralizedAlpha`](crate::integrators::GeneralizedAlpha) is of order 2 only if they are those of the motion.
    pub fn given_with_rates(mut self, state: State<S>) -> Self {
        self.begin = Begin::Fresh(First::GivenWithRates(state));
        self
    }

    /// Goes on where `checkpoint` was taken, by a run of this model and method. With the settings that run had, this one is to the bit what
    /// it would have been; a controller is not called before its next instant.
    pub fn resume(mut self, checkpoint: Checkpoint<S, M::Memory>) -> Self {
        self.begin = Begin::Resumed(checkpoint);
        self
    }

    /// The same from plain numbers.
    #[cfg(feature = "std")]
    pub fn resume_saved(mut self, saved: Saved) -> Self {
        self.begin = Begin::Saved(saved);
        self
    }

    /// Projects after each step that leaves the constraints by more than the tolerance.
    pub fn project(mut self, projection: Projection<S::Real>) -> Self {
        self.projection = Some(projection);
        self
    }

    /// Finds events as `events` says.
    pub fn events(mut self, events: Events<S::Real>) -> Self {
        self.events = events;
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
        let Self { system, method, mut inputs, projection, events, begin } = self;
        let time = begin.time();
        let fail = |cause| StartError { time, cause };
        let checked = || {
            control.check()?;
            method.check()?;
            inputs.check()?;
            events.check()?;
            projection.as_ref().map_or(Ok(()), Projection::check)
        };
        checked().map_err(fail)?;
        let mut workspace = method.workspace(system);
        let mut watch = Watch::new(system, events);
        let point = match begin {
            Begin::Resumed(point) => {
                point.belongs(system, &method).and_then(|()| take_up(&mut inputs, &point.held)).map(|()| point)
            }
            #[cfg(feature = "std")]
            Begin::Saved(saved) => saved.checkpoint(system, &method, &mut inputs, &mut workspace),
            Begin::Fresh(first) => {
                let stepper = |t| Stepper::new(control, order, t).progress;
                fresh(system, &method, &mut inputs, &mut workspace, &mut watch, first, stepper)
            }
        };
        let Checkpoint { state, memory, progress, events, ended, statistics, .. } = point.map_err(fail)?;
        watch.kept = events;
        Ok(Simulation {
            system,
            method,
            inputs,
            projection,
            projector: Projector::new(system),
            stepper: Stepper { progress, ..Stepper::new(control, order, state.t) },
            fresh: Fresh { state: state.clone(), acceleration: Acceleration::new(system) },
            watch,
            ended,
            state,
            memory,
            workspace,
            statistics,
        })
    }
}

/// The point at which a run begins that was not there before.
fn fresh<S: Solvable, M: Method<S>, U: Inputs<S>>(
    system: &S,
    method: &M,
    inputs: &mut U,
    workspace: &mut M::Workspace,
    watch: &mut Watch<S>,
    first: First<S>,
    progress: impl FnOnce(S::Real) -> Progress<S::Real>,
) -> Result<Checkpoint<S, M::Memory>, Cause> {
    let rates = !matches!(first, First::GivenWithRates(_));
    let mut point = Checkpoint::blank(system, method);
    let state = &mut point.state;
    match first {
        First::Consistent(start) => {
            system.guess(&mut state.q, &mut state.v, &mut state.z);
            system.initial_modes(&mut state.modes);
            start.assemble(system, state)?;
        }
        First::Given(given) => {
            state.t = given.t;
            copy(&given.q, &mut state.q);
            copy(&given.v, &mut state.v);
            copy(&given.z, &mut state.z);
            copy(&given.modes, &mut state.modes);
        }
        First::GivenWithRates(given) => *state = given,
    }
    state.check(&system.layout())?;
    if inputs.next_sample().is_some() {
        inputs.sample(system, state);
    }
    if rates {
        accelerate(Context { system, inputs: &*inputs, work: &mut Work::default() }, state)?;
    }
    point.progress = progress(state.t);
    let mut cx = Context { system, inputs: &*inputs, work: &mut point.statistics.work };
    let memory = method.restart(&mut cx, state, point.progress.planned(), workspace)?;
    watch.start(&cx, state)?;
    point.events = watch.kept.clone();
    Ok(point.with(memory))
}
