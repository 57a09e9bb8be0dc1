//! What one asks of a run before its steps are chosen, so that rustc answers with what is missing.

use crate::error::StepError;
use crate::events::Outcome;
use crate::integrators::method::Method;
use crate::model::seen::Seen;
use crate::model::state::State;
use crate::run::setup::Setup;
use crate::solve::solvable::Solvable;

/// A run whose steps are chosen. A [`Setup`] is none, and nothing implements this: it has the words of rustc's error.
#[diagnostic::on_unimplemented(
    message = "this is a `Setup`: a run begins when its steps are chosen",
    label = "before the steps are chosen",
    note = "steps of one size: `.fixed(1e-3)?`; error control: `.adaptive(1e-8)?`"
)]
pub trait StepsChosen<S: Solvable> {
    /// As [`Simulation::state`](crate::Simulation::state).
    fn state(&self) -> &State<S>;
    /// As [`Simulation::step_towards`](crate::Simulation::step_towards).
    fn step_towards(&mut self, time: S::Real) -> Result<Outcome, StepError>;
    /// As [`Simulation::advance_to`](crate::Simulation::advance_to).
    fn advance_to(&mut self, time: S::Real) -> Result<(), StepError>;
    /// As [`Simulation::run`](crate::Simulation::run).
    fn run(&mut self, end: S::Real, interval: S::Real, observer: impl FnMut(&Seen<'_, S>)) -> Result<(), StepError>;
    /// As [`Simulation::run_through`](crate::Simulation::run_through).
    fn run_through(&mut self, end: S::Real, interval: S::Real, see: impl FnMut(&Seen<'_, S>)) -> Result<(), StepError>;
}

#[doc(hidden)]
impl<S: Solvable, M: Method<S>, U> Setup<'_, S, M, U> {
    pub fn state(&self) -> &State<S>
    where
        Self: StepsChosen<S>,
    {
        StepsChosen::state(self)
    }

    pub fn step_towards(&mut self, time: S::Real) -> Result<Outcome, StepError>
    where
        Self: StepsChosen<S>,
    {
        StepsChosen::step_towards(self, time)
    }

    pub fn advance_to(&mut self, time: S::Real) -> Result<(), StepError>
    where
        Self: StepsChosen<S>,
    {
        StepsChosen::advance_to(self, time)
    }

    pub fn run(&mut self, end: S::Real, interval: S::Real, observer: impl FnMut(&Seen<'_, S>)) -> Result<(), StepError>
    where
        Self: StepsChosen<S>,
    {
        StepsChosen::run(self, end, interval, observer)
    }

    pub fn run_through(
        &mut self,
        end: S::Real,
        interval: S::Real,
        see: impl FnMut(&Seen<'_, S>),
    ) -> Result<(), StepError>
    where
        Self: StepsChosen<S>,
    {
        StepsChosen::run_through(self, end, interval, see)
    }
}
