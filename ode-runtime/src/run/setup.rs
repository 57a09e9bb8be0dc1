//! The settings of a run: inputs, start, projection and step control, each with its default.

use crate::error::StartError;
use crate::events::Events;
use crate::integrators::method::{Estimates, Method};
use crate::keep::checkpoint::Checkpoint;
#[cfg(feature = "std")]
use crate::keep::saved::Saved;
use crate::model::history::History;
use crate::model::input::{InputFn, Inputs, Nominal, Sampled, input_fn};
use crate::model::state::{Moment, State};
use crate::run::begin::Begin;
use crate::run::first::First;
use crate::run::opening::{Opening, Steps};
use crate::run::simulation::Simulation;
use crate::solve::Projection;
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;
use crate::solve::start::Start;
use crate::step_size::{Adaptive, Control, Halving};
use crate::variation::{Differentiated, Direction};

/// A run in preparation: [`Simulation::of`].
///
/// It becomes a [`Simulation`], which has a state and makes steps, by the choice of its steps: [`Setup::fixed`],
/// [`Setup::halving`], [`Setup::adaptive`], [`Setup::adaptive_from`] or [`Setup::controlled`].
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

impl<S: Solvable, M: Method<S>, U> core::fmt::Debug for Setup<'_, S, M, U> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Setup")
            .field("projection", &self.projection)
            .field("events", &self.events)
            .field("begins at", &self.begin.time())
            .finish_non_exhaustive()
    }
}

impl<'a, S: Solvable, M: Method<S>> Simulation<'a, S, M, Nominal> {
    /// Prepares a run of `system` with `method`. Defaults: a consistent start at t = 0, the model's own inputs, no
    /// projection.
    pub fn of(system: &'a S, method: M) -> Setup<'a, S, M, Nominal> {
        let begin = Begin::Fresh(First::Consistent(Start::default()));
        let (events, attempts) = (Events::default(), MOST_ATTEMPTS);
        Setup { system, method, inputs: Nominal, projection: None, events, attempts, weights: None, begin }
    }
}

/// The default limit of attempts between two reports.
const MOST_ATTEMPTS: u64 = 1_000_000_000;

impl<'a, S: Solvable, M: Method<S>, U: Inputs<S>> Setup<'a, S, M, U> {
    /// Takes inputs from `inputs` instead of the model's nominal values.
    pub fn inputs<V: Inputs<S>>(self, inputs: V) -> Setup<'a, S, M, V> {
        let Self { system, method, projection, events, attempts, weights, begin, .. } = self;
        Setup { system, method, inputs, projection, events, attempts, weights, begin }
    }

    /// Takes inputs from a function of time and state; `u` holds the model's own values when it is called:
    /// `.input_fn(|at, u| u.set_f(at.t.sin()))`.
    pub fn input_fn<F: Fn(Moment<'_, S>, &mut S::U)>(self, function: F) -> Setup<'a, S, M, InputFn<F>> {
        self.inputs(input_fn(function))
    }

    /// Takes inputs from a controller that is called at the start and every `period` after it, its output held between:
    /// `.sampled(0.01, |now, u| u.set_f(-now.v.x()))`. As [`Sampled`], which has a place for it elsewhere.
    pub fn sampled<F>(self, period: S::Real, controller: F) -> Setup<'a, S, M, Sampled<S, F>>
    where
        F: FnMut(&State<S>, &mut S::U),
    {
        self.inputs(Sampled::new(period, controller))
    }

    /// Says how inputs from a closure vary with a state, for [`Simulation::vary`]: the closure reads δq, δv, δz and δt
    /// of the direction and writes its δu, which is zero before. That of a controller is asked at its instants. ∂u/∂p
    /// of a closure that reads parameters is not taken, and of one that reads a, ż or λ not what these change.
    ///
    /// `.sampled(0.01, |now, u| u.set_f(-now.v.x())).input_derivative(|_, d| d.u.set_f(-d.v.x()))`
    pub fn input_derivative<D>(self, derivative: D) -> Setup<'a, S, M, Differentiated<U, D>>
    where
        D: Fn(Moment<'_, S>, &mut Direction<S>),
    {
        let Self { system, method, inputs, projection, events, attempts, weights, begin } = self;
        let inputs = Differentiated { inputs, derivative };
        Setup { system, method, inputs, projection, events, attempts, weights, begin }
    }

    /// Begins with this consistent start; the default is at t = 0.
    pub fn start(mut self, start: Start<S::Real>) -> Self {
        self.begin = Begin::Fresh(First::Consistent(start));
        self
    }

    /// Begins at time, q, v, z and modes of `state` as they are, consistent or not; rates and multipliers are evaluated
    /// there. Rotations must be unit vectors, else
    /// [`Cause::NotARotation`](crate::Cause::NotARotation); small errors of their norms are corrected.
    pub fn given(mut self, state: State<S>) -> Self {
        self.begin = Begin::Fresh(First::Given(state));
        self
    }

    /// Begins at `state` with its rates and multipliers. Implicit methods trust them; explicit methods evaluate their
    /// own.
    ///
    /// [`GeneralizedAlpha`](crate::integrators::GeneralizedAlpha) has order 2 only if they are those of the motion.
    pub fn given_with_rates(mut self, state: State<S>) -> Self {
        self.begin = Begin::Fresh(First::GivenWithRates(state));
        self
    }

    /// Continues from `checkpoint`, taken from a run of the same model and method. With the same settings this run is
    /// the same to the bit; a controller is not called before its next instant.
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

    /// Projects after each step that exceeds the constraint tolerance.
    pub fn project(mut self, projection: Projection<S::Real>) -> Self {
        self.projection = Some(projection);
        self
    }

    /// The weight of a correction of each velocity, or of the coordinates it moves, in a projection by
    /// [`Metric::Weights`](crate::solve::Metric::Weights); the default is ones.
    pub fn weights(mut self, weights: S::V) -> Self {
        self.weights = Some(weights);
        self
    }

    /// Finds events as `events` says.
    pub fn events(mut self, events: Events<S::Real>) -> Self {
        self.events = events;
        self
    }

    /// Gives up with [`Cause::TooMuchWork`](crate::Cause::TooMuchWork) after this many attempts between two requested
    /// times; the default is 10⁹.
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

    /// A run with steps of one size, halved when they fail.
    ///
    /// # Errors
    /// Settings out of range, or no consistent start.
    pub fn halving(self, steps: Halving<S::Real>) -> Result<Simulation<'a, S, M, U>, StartError> {
        self.build(Control::Grid(steps), 1, f64::INFINITY)
    }

    /// A run that keeps the estimated error of each step below `accuracy`, absolute, for the largest entry. The first
    /// step follows from the motion at the start: [`Adaptive::to`].
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
        let (order, growth) = (self.method.error_order(), self.method.growth());
        self.build(Control::Adaptive(control), order, growth)
    }

    /// Moves are few and in place: without optimisation each is a copy, and a run of many unknowns is large.
    fn build(self, control: Control<S>, order: u32, growth: f64) -> Result<Simulation<'a, S, M, U>, StartError> {
        let Self { system, method, mut inputs, projection, events, attempts, weights, begin } = self;
        let time = begin.time();
        let fail = |cause| StartError { time, cause };
        let (name, checked, estimates) = (method.name(), method.check(), method.estimates());
        let steps = Steps { name, checked, estimates, order, growth, control };
        let (begin, memory) = begin.parted();
        let mut opening = match Opening::of(system, &mut inputs, steps, (projection.as_ref(), weights), events, begin) {
            Ok(opening) => opening,
            Err(cause) => return Err(fail(cause)),
        };
        let mut scratch = method.scratch(system);
        let mut memory = match memory {
            Some(memory) => memory,
            None => {
                let Opening { point: Checkpoint { state, progress, statistics, .. }, proposal, .. } = &mut opening;
                let mut cx = Context { system, inputs: &inputs, work: &mut statistics.work };
                let acceleration = &mut proposal.acceleration;
                method.restart(&mut cx, state, progress.planned(), &mut scratch, acceleration).map_err(fail)?
            }
        };
        opening.finish(system, &inputs, &mut |parts| memory.visit(parts)).map_err(fail)?;
        Ok(Simulation {
            system,
            method,
            inputs,
            projection,
            projector: opening.projector,
            stepper: opening.stepper,
            fresh: opening.point.state.clone(),
            watch: opening.watch,
            ended: opening.point.ended,
            first: opening.first,
            state: opening.point.state,
            memory,
            scratch,
            proposal: opening.proposal,
            #[cfg(feature = "std")]
            unprojected: None,
            statistics: opening.point.statistics,
            worst: None,
            most_attempts: attempts,
        })
    }
}
