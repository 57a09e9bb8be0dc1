//! What interrupts a motion at the end of a step, for derivatives of it.

use crate::error::{Cause, Name, StepError};
use crate::events::Outcome;
use crate::integrators::method::Method;
use crate::keep::statistics::Statistics;
use crate::model::input::Inputs;
use crate::model::layout::Block;
use crate::model::state::State;
use crate::run::simulation::Simulation;
use crate::run::step::Proposed;
use crate::solve::solvable::Solvable;

/// An event, with what is known of it; or a sample instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Interruption<E> {
    Event(E),
    Sample,
}

/// An event as a run has located it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Located<T> {
    /// its number
    pub(crate) event: usize,
    /// the allowed error of its time
    pub(crate) within: T,
    /// the largest magnitude that its guard has had
    pub(crate) size: T,
}

impl<S: Solvable, M: Method<S>, U: Inputs<S>> Simulation<'_, S, M, U> {
    /// Attempts until a proposal passes, over which inputs hold their output if they say so.
    pub(crate) fn propose_held(&mut self, time: S::Real) -> Result<Proposed<S::Real>, StepError> {
        let mark = self.stepper.mark();
        let proposed = self.propose(time)?;
        self.held().map(|()| proposed).map_err(|cause| {
            if let Some(mark) = mark {
                self.stepper.progress = mark;
            }
            self.failure(proposed.h, cause)
        })
    }

    /// Refuses inputs that say they hold their output, if it differs at the two ends of the proposed step.
    fn held(&self) -> Result<(), Cause> {
        if !self.inputs.holds() {
            return Ok(());
        }
        let layout = self.system.layout();
        let at = |x: &State<S>| {
            let mut u = S::U::zeros(layout.u.len());
            self.inputs.evaluate(self.system, x.moment(), &mut u);
            u
        };
        let (from, to) = (at(&self.state), at(&self.proposal.x));
        match from.as_ref().iter().zip(to.as_ref()).position(|(from, to)| from != to) {
            None => Ok(()),
            Some(i) => Err(Cause::MovingInput { name: Name::of(layout.u, i) }),
        }
    }

    /// What has interrupted the motion in the step since these counts, which had this outcome.
    ///
    /// # Errors
    /// [`Cause::Simultaneous`] for several events, [`Cause::EventAtSample`] for one at a sample instant: their order
    /// would decide.
    pub(crate) fn interruption(
        &self,
        before: &Statistics,
        outcome: Outcome,
    ) -> Result<Option<Interruption<Located<S::Real>>>, Cause> {
        let happened = self.statistics.events != before.events;
        let sampled = self.statistics.restarts != before.restarts;
        let name = |i: usize| Name::new(self.system.layout().events.get(i).map_or("", |event| event.name));
        match self.watch.order {
            _ if !happened => Ok(sampled.then_some(Interruption::Sample)),
            _ if sampled => {
                let sample = self.inputs.held().map_or(0, |held| held.taken.saturating_sub(1));
                Err(Cause::EventAtSample { event: outcome.event().unwrap_or(Name::new("")), sample })
            }
            [Some(event), Some(other)] => Err(Cause::Simultaneous { event: name(event), other: name(other) }),
            [event, _] => Ok(event.map(|event| {
                let within = self.watch.settings.within(self.state.t);
                Interruption::Event(Located { event, within, size: self.watch.size(event) })
            })),
        }
    }
}
