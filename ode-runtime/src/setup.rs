//! A run in preparation: inputs, start, projection and step control, each with its default.

use crate::checkpoint::{Checkpoint, take_up};
use crate::context::{Context, Work};
use crate::control::{Adaptive, Control, Halving, Progress, Stepper, first_step};
use crate::error::{Cause, StartError};
use crate::events::{Events, Watch};
use crate::input::Inputs;
use crate::method::{Estimates, Method, Proposal};
use crate::rotations::enter;
#[cfg(feature = "std")]
use crate::saved::Saved;
use crate::scalar::{Real, Scalar};
use crate::simulation::Simulation;
use crate::solve::inertial;
use crate::solve::{Acceleration, Metric, Projection, Projector};
use crate::start::{Start, accelerate};
use crate::state::{State, copy};
use crate::system::{Block, Solvable};

/// A run in preparation: [`Simulation::of`].
pub struct Setup<'a, S: Solvable, M: Method<S>, U> {
    pub(crate) system: &'a S,
    pub(crate) method: M,
    pub(crate) inputs: U,
    pub(crate) projection: Option<Projection<S::Real>>,
    pub(crate) events: Events<S::Real>,
    pub(crate) attempts: u64,
    pub(crate) weights: Option<S::V>,
    pub(crate) begin: Begin<S, M::Memory>,
}

/// Where a run begins.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "there is one of it, for a moment, and perhaps no heap")]
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
        let Self { system, method, projection, events, attempts, weights, begin, .. } = self;
        Setup { system, method, inputs, projection, events, attempts, weights, begin }
    }

    /// Begins with this consistent start instead of one at t = 0.
    pub fn start(mut self, start: Start<S::Real>) -> Self {
        self.begin = Begin::Fresh(First::Consistent(start));
        self
    }

    /// Begins at time, q, v, z and modes of `state` as they are, consistent or not; rates and multipliers are evaluated
    /// there. Rotations have to be some, [`Cause::NotARotation`]; those that are but for round-off are normalised.
    pub fn given(mut self, state: State<S>) -> Self {
        self.begin = Begin::Fresh(First::Given(state));
        self
    }

    /// Begins at `state` with the rates and multipliers it has, which implicit methods trust; explicit ones evaluate
    /// their own.
    ///
    /// [`GeneralizedAlpha`](crate::integrators::GeneralizedAlpha) is of order 2 only if they are those of the motion.
    pub fn given_with_rates(mut self, state: State<S>) -> Self {
        self.begin = Begin::Fresh(First::GivenWithRates(state));
        self
    }

    /// Goes on where `checkpoint` was taken, by a run of this model and method. With the settings that run had, this
    /// one is to the bit what it would have been; a controller is not called before its next instant.
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

    /// What a correction of each velocity, or of the coordinates it moves, weighs in a projection by
    /// [`Metric::Weights`]; ones if it is not said.
    pub fn weights(mut self, weights: S::V) -> Self {
        self.weights = Some(weights);
        self
    }

    /// Finds events as `events` says.
    pub fn events(mut self, events: Events<S::Real>) -> Self {
        self.events = events;
        self
    }

    /// Gives up, [`Cause::TooMuchWork`], after this many attempts between two times asked for; a thousand million if it
    /// is not said.
    pub fn attempts(mut self, most: u64) -> Self {
        self.attempts = most;
        self
    }

    /// A run with steps of size `h`.
    ///
    /// # Errors
    /// Settings out of range, or no consistent start.
    pub fn fixed(self, h: S::Real) -> Result<Simulation<'a, S, M, U>, StartError> {
        self.build(Control::fixed(h), 1, f64::INFINITY)
    }

    /// A run with steps of one size, halved where they fail.
    ///
    /// # Errors
    /// Settings out of range, or no consistent start.
    pub fn halving(self, steps: Halving<S::Real>) -> Result<Simulation<'a, S, M, U>, StartError> {
        self.build(Control::Grid(steps), 1, f64::INFINITY)
    }

    /// A run that holds the estimated error of each step below `accuracy`, absolute and the largest of all entries,
    /// beginning with a step that the motion at the start suggests: [`Adaptive::to`].
    ///
    /// # Errors
    /// Settings out of range, or no consistent start.
    pub fn adaptive(self, accuracy: S::Real) -> Result<Simulation<'a, S, M, U>, StartError>
    where
        M: Estimates,
    {
        self.controlled(Adaptive::to(accuracy))
    }

    /// The same with a first step of `initial`.
    ///
    /// # Errors
    /// Settings out of range, or no consistent start.
    pub fn adaptive_from(self, accuracy: S::Real, initial: S::Real) -> Result<Simulation<'a, S, M, U>, StartError>
    where
        M: Estimates,
    {
        let mut control = Adaptive::to(accuracy);
        control.steps.first = Some(initial);
        self.controlled(control)
    }

    /// A run whose steps `control` chooses.
    ///
    /// # Errors
    /// Settings out of range, or no consistent start.
    pub fn controlled(self, control: Adaptive<S>) -> Result<Simulation<'a, S, M, U>, StartError>
    where
        M: Estimates,
    {
        let (order, growth) = (self.method.order(), self.method.growth());
        self.build(Control::Adaptive(control), order, growth)
    }

    fn build(self, control: Control<S>, order: u32, growth: f64) -> Result<Simulation<'a, S, M, U>, StartError> {
        let Self { system, method, mut inputs, projection, events, attempts, weights, begin } = self;
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
        let mut projector = Projector::new(system);
        if projection.is_some_and(|projection| projection.metric == Metric::Weights) {
            let ones = || {
                let mut ones = S::V::zeros(system.layout().v.len());
                ones.as_mut().fill(S::Real::ONE);
                ones
            };
            projector.weigh(system, weights.unwrap_or_else(ones)).map_err(fail)?;
        }
        let (mut scratch, mut proposal) = (method.scratch(system), Proposal::new(system));
        let mut watch = Watch::new(system, events);
        let point = match begin {
            Begin::Resumed(point) => {
                point.admit(system, &method).and_then(|point| take_up(&mut inputs, &point.held).map(|()| point))
            }
            #[cfg(feature = "std")]
            Begin::Saved(saved) => saved.checkpoint(system, &method, &mut inputs, &mut scratch),
            Begin::Fresh(first) => {
                let room = (&mut scratch, &mut proposal.acceleration, &mut watch);
                fresh(system, &method, &mut inputs, room, (first, &control, order))
            }
        };
        let Checkpoint { state, memory, progress, events, ended, statistics, .. } = point.map_err(fail)?;
        watch.kept = events;
        Ok(Simulation {
            system,
            method,
            inputs,
            projection,
            projector,
            stepper: Stepper::new(control, order, growth, progress),
            fresh: state.clone(),
            watch,
            ended,
            state,
            memory,
            scratch,
            proposal,
            statistics,
            worst: None,
            attempts,
        })
    }
}

/// The point at which a run begins that was not there before.
fn fresh<S: Solvable, M: Method<S>, U: Inputs<S>>(
    system: &S,
    method: &M,
    inputs: &mut U,
    (scratch, acceleration, watch): (&mut M::Scratch, &mut Acceleration<S>, &mut Watch<S>),
    (first, control, order): (First<S>, &Control<S>, u32),
) -> Result<Checkpoint<S, M::Memory>, Cause> {
    let rates = !matches!(first, First::GivenWithRates(_));
    let mut point = Checkpoint::blank(system, method);
    let state = &mut point.state;
    match first {
        First::Consistent(start) => {
            system.guess(&mut state.q, &mut state.v, &mut state.z);
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
    enter(system, state.q.as_mut())?;
    if inputs.next_sample().is_some() {
        inputs.sample(system, state);
    }
    let mut work = Work::default();
    let cx = Context { system, inputs: &*inputs, work: &mut work };
    if rates {
        accelerate(cx, state)?
    } else {
        inertial(cx, state)?
    }
    let mut cx = Context { system, inputs: &*inputs, work: &mut point.statistics.work };
    let next = match control {
        Control::Grid(grid) => grid.h,
        Control::Adaptive(adaptive) => match adaptive.steps.first {
            Some(first) => first,
            None => first_step(&mut cx, adaptive, order, state),
        },
    };
    point.progress = Progress::new(next, state.t);
    let memory = method.restart(&mut cx, state, point.progress.planned(), scratch, acceleration)?;
    watch.start(&cx, state)?;
    point.events = watch.kept.clone();
    Ok(point.with(memory))
}
