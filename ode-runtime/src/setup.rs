//! A run in preparation: inputs, start, projection and step control, each with its default.

use crate::control::{Control, Stepper};
use crate::error::StartError;
use crate::events::{Events, Watch};
use crate::input::Inputs;
use crate::method::{Context, Estimates, Method, Work};
use crate::scalar::{Real, Scalar};
use crate::simulation::{Fresh, Simulation, Statistics};
use crate::solve::{Acceleration, Projection, Projector};
use crate::start::{Start, accelerate};
use crate::state::{State, copy};
use crate::system::Solvable;

/// A run in preparation: [`Simulation::of`].
#[derive(Debug)]
pub struct Setup<'a, S: Solvable, M, U> {
    pub(crate) system: &'a S,
    pub(crate) method: M,
    pub(crate) inputs: U,
    pub(crate) projection: Option<Projection<S::Real>>,
    pub(crate) events: Events<S::Real>,
    pub(crate) begin: Begin<S>,
}

/// How the first state is found.
#[derive(Debug)]
pub(crate) enum Begin<S: Solvable> {
    Consistent(Start<S::Real>),
    Given(State<S>),
    GivenWithRates(State<S>),
}

impl<'a, S: Solvable, M: Method<S>, U: Inputs<S>> Setup<'a, S, M, U> {
    /// Takes inputs from `inputs` instead of the model's own values.
    pub fn inputs<V: Inputs<S>>(self, inputs: V) -> Setup<'a, S, M, V> {
        let Self { system, method, projection, events, begin, .. } = self;
        Setup { system, method, inputs, projection, events, begin }
    }

    /// Begins with this consistent start instead of one at t = 0.
    pub fn start(mut self, start: Start<S::Real>) -> Self {
        self.begin = Begin::Consistent(start);
        self
    }

    /// Begins at time, q, v, z and modes of `state` as they are, consistent or not; rates and multipliers are evaluated there.
    pub fn given(mut self, state: State<S>) -> Self {
        self.begin = Begin::Given(state);
        self
    }

    /// Begins at `state` with the rates and multipliers it has, which implicit methods trust; explicit ones evaluate their own.
    ///
    /// [`GeneralizedAlpha`](crate::integrators::GeneralizedAlpha) is of order 2 only if they are those of the motion.
    pub fn given_with_rates(mut self, state: State<S>) -> Self {
        self.begin = Begin::GivenWithRates(state);
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
        let time = match &begin {
            Begin::Consistent(start) => start.time,
            Begin::Given(state) | Begin::GivenWithRates(state) => state.t,
        };
        let mut work = Work::default();
        let workspace = method.workspace(system);
        let prepare = || {
            control.check()?;
            method.check()?;
            inputs.check()?;
            events.check()?;
            if let Some(projection) = &projection {
                projection.check()?;
            }
            let rates = !matches!(begin, Begin::GivenWithRates(_));
            let mut state = State::zeros(system);
            match begin {
                Begin::Consistent(start) => {
                    system.guess(&mut state.q, &mut state.v, &mut state.z);
                    system.initial_modes(&mut state.modes);
                    start.assemble(system, &mut state)?;
                }
                Begin::Given(given) => {
                    state.t = given.t;
                    copy(&given.q, &mut state.q);
                    copy(&given.v, &mut state.v);
                    copy(&given.z, &mut state.z);
                    copy(&given.modes, &mut state.modes);
                }
                Begin::GivenWithRates(given) => state = given,
            }
            state.check(&system.layout())?;
            if inputs.next_sample().is_some() {
                inputs.sample(system, &state);
            }
            if rates {
                accelerate(Context { system, inputs: &inputs, work: &mut work }, &mut state)?;
            }
            Ok((state, workspace))
        };
        let fail = |cause| StartError { time: time.to_f64(), cause };
        let (state, mut workspace) = prepare().map_err(fail)?;
        let stepper = Stepper::new(control, order, state.t);
        let mut statistics = Statistics::default();
        let mut cx = Context { system, inputs: &inputs, work: &mut statistics.work };
        let memory = method.restart(&mut cx, &state, stepper.planned(), &mut workspace).map_err(fail)?;
        let watch = Watch::start(&cx, events, &state).map_err(fail)?;
        Ok(Simulation {
            system,
            method,
            inputs,
            projection,
            projector: Projector::new(system),
            stepper,
            fresh: Fresh { state: state.clone(), acceleration: Acceleration::new(system) },
            watch,
            ended: None,
            state,
            memory,
            workspace,
            statistics,
        })
    }
}
