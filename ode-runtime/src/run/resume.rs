//! Runs that stop at a checkpoint and resume.

use crate::error::{Cause, Name};
use crate::integrators::method::Method;
use crate::keep::checkpoint::{Checkpoint, take_up};
#[cfg(feature = "std")]
use crate::keep::saved::Saved;
use crate::model::input::Inputs;
use crate::run::simulation::Simulation;
use crate::solve::solvable::Solvable;

impl<S: Solvable, M: Method<S>, U: Inputs<S>> Simulation<'_, S, M, U> {
    /// Everything that determines how the run continues.
    pub fn checkpoint(&self) -> Checkpoint<S, M::Memory> {
        Checkpoint {
            model: Name::new(self.system.layout().name),
            method: self.method.name(),
            state: self.state.clone(),
            memory: self.memory.clone(),
            progress: self.stepper.progress,
            events: self.watch.kept.clone(),
            ended: self.ended,
            statistics: self.statistics,
            held: self.inputs.held(),
        }
    }

    /// Continues from `checkpoint`, taken from a run of this model and method.
    ///
    /// # Errors
    /// [`Cause::Checkpoint`] with the difference, [`Cause::NonFinite`], [`Cause::NotARotation`]; the run is unchanged.
    pub fn restore(&mut self, checkpoint: Checkpoint<S, M::Memory>) -> Result<(), Cause> {
        let checkpoint = checkpoint.admit(self.system, self.method.name())?;
        take_up(&mut self.inputs, &checkpoint.held)?;
        self.first = None;
        self.continue_from(checkpoint);
        Ok(())
    }

    /// The same from a checkpoint that this run has taken.
    #[cfg(feature = "std")]
    pub(crate) fn rewind(&mut self, checkpoint: Checkpoint<S, M::Memory>) {
        if let Some(held) = &checkpoint.held {
            self.inputs.resume(held.clone());
        }
        self.continue_from(checkpoint);
    }

    fn continue_from(&mut self, checkpoint: Checkpoint<S, M::Memory>) {
        self.state = checkpoint.state;
        self.memory = checkpoint.memory;
        self.stepper.progress = checkpoint.progress;
        self.watch.kept = checkpoint.events;
        self.ended = checkpoint.ended;
        self.statistics = checkpoint.statistics;
    }

    /// The checkpoint of here as plain numbers.
    #[cfg(feature = "std")]
    pub fn save(&self) -> Saved {
        let mut saved = Saved::new(&self.system.layout(), self.method.name());
        self.checkpoint().visit(self.system, &mut saved);
        saved
    }
}
