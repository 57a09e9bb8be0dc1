//! A run that can be taken back: gradients of what it costs, by the discrete adjoint of its steps as they were made.

pub(crate) mod gradient;
mod inputs;
pub(crate) mod passed;
mod remade;

use std::string::String;
use std::vec::Vec;

use crate::error::{Cause, RunError, StepError};
use crate::events::Outcome;
use crate::integrators::Vary;
use crate::integrators::method::Method;
use crate::keep::spaced::Spaced;
use crate::model::input::{HeldInput, Inputs};
use crate::model::sensitive::Sensitive;
use crate::model::state::State;
use crate::run::interruption::{Interruption, Located};
use crate::run::sensitivities::by::{By, Chosen};
use crate::run::sensitivities::inputs::Columned;
use crate::run::simulation::Simulation;
use crate::run::step::Proposed;
use crate::solve::context::{Context, Work};
use crate::solve::solvable::Solvable;
use crate::variation::{Controls, ForwardMode, Several, StateVariation, Varied};

use inputs::Numbers;

/// A step of a run: its size, and the time at which it ended.
#[derive(Clone, Copy, Debug)]
struct Made<T> {
    h: T,
    end: T,
}

/// An event at the end of a step.
struct Jump<S: Solvable, H> {
    /// the number of the step that begins after it
    next: usize,
    event: Located<S::Real>,
    before: State<S>,
    after: (State<S>, H),
}

/// A sample instant at the end of a step. The states around it are made again, as others are.
struct Knot<S: Solvable> {
    /// the number of the step that begins after it
    next: usize,
    /// the size that was planned for that step
    planned: S::Real,
    /// what the inputs held before it
    held: Option<HeldInput<S>>,
}

/// A state, with what the method remembers there.
type Point<S, M> = (State<S>, <M as Method<S>>::Memory);

/// A run that remembers how to go back.
pub struct Reversible<'a, S, M, U>
where
    S: Solvable + Sensitive,
    M: Vary<S>,
    U: Controls<S>,
{
    run: Simulation<'a, S, M, U>,
    made: Vec<Made<S::Real>>,
    kept: Spaced<Point<S, M>>,
    jumps: Vec<Jump<S, M::Memory>>,
    knots: Vec<Knot<S>>,
    /// what the inputs hold where the run is
    held: Option<HeldInput<S>>,
    along: Vec<Chosen>,
    /// what the tape asks the inputs for
    numbers: Numbers,
    /// what the first state varies by, column by column
    start: StateVariation<S, Columned<S>>,
    names: Vec<String>,
    /// whether no step had been made before: then the method begins there
    fresh: bool,
    /// what a controller has sampled there
    sampled_first: Option<State<S>>,
}

impl<S, M, U> core::fmt::Debug for Reversible<'_, S, M, U>
where
    S: Solvable + Sensitive,
    M: Vary<S>,
    U: Controls<S>,
{
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Reversible").field("run", &self.run).field("by", &self.names).finish_non_exhaustive()
    }
}

impl<'a, S: Solvable, M: Method<S>, U: Inputs<S>> Simulation<'a, S, M, U> {
    /// The run from here on, which keeps at most `checkpoints` of its states, so that gradients of what it costs can be
    /// taken: [`Reversible::gradient`]. [`Simulation::vary`] says what varies at the first state.
    ///
    /// Beside these states each event keeps two states and a memory of the method, each sample instant or knot the
    /// output that was held before it, each step two numbers: its size and the time of its end.
    ///
    /// # Errors
    /// [`RunError::Name`] for something that does not exist in `by`; [`RunError::Evaluation`] with
    /// [`Cause::GivenInput`] for an input that a function gives, with [`Cause::Invalid`] for no checkpoints, with
    /// [`Cause::Checkpoints`] for more than fit into memory, with [`Cause::NotDifferentiable`] for inputs with instants
    /// that keep nothing for checkpoints, and if the start cannot be linearised.
    pub fn reversible(self, by: &By, checkpoints: usize) -> Result<Reversible<'a, S, M, U>, RunError>
    // of the method, so that rustc says which of them is missing
    where
        S: Sensitive,
        M: Vary<S>,
        U: Controls<S>,
    {
        let (along, names): (Vec<Chosen>, Vec<String>) = by.of(self.system, &self.inputs)?.into_iter().unzip();
        if self.inputs.next_sample().is_some() && self.inputs.held().is_none() {
            let what = "backwards, a run whose inputs have instants but keep nothing for checkpoints,";
            return Err(Cause::NotDifferentiable { what }.into());
        }
        let numbers = Numbers::new(self.system, &self.inputs, &along);
        let ((_, start), sampled_first) = (self.columns(&along)?, self.sampled_first()?);
        let fresh = self.statistics.taken == 0;
        // refuses methods that cannot be differentiated
        let (mut none, mut work) = (ForwardMode::new(self.system, Several(0), Vec::new()), Work::default());
        let mut cx = Context { system: self.system, inputs: &numbers.of(&self.inputs), work: &mut work };
        let mut at = Varied { q: Vec::new(), v: Vec::new(), z: Vec::new() };
        self.method.begin(&mut cx, &self.state, &mut none, &mut at)?;
        Ok(Reversible {
            run: self,
            made: Vec::new(),
            kept: Spaced::new(checkpoints)?,
            jumps: Vec::new(),
            knots: Vec::new(),
            held: None,
            along,
            numbers,
            start,
            names,
            fresh,
            sampled_first,
        })
    }
}

impl<'a, S, M, U> Reversible<'a, S, M, U>
where
    S: Solvable + Sensitive,
    M: Vary<S>,
    U: Controls<S>,
{
    /// The run.
    pub fn run(&self) -> &Simulation<'a, S, M, U> {
        &self.run
    }

    /// What gradients are by, entry by entry.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Steps until `time`, as [`Simulation::advance_to`].
    ///
    /// # Errors
    /// As [`Simulation::advance_to`]; [`Cause::Simultaneous`] for events at the same time, [`Cause::EventAtSample`] for
    /// one at a sample instant, and [`Cause::MovingInput`] for inputs that are not held as they say: the state is then
    /// that of the last step before them.
    pub fn advance_to(&mut self, time: S::Real) -> Result<(), StepError> {
        Simulation::advance_by(self, |all| &all.run, time, |all| all.step_towards(time).map(drop))?;
        self.run.arrived(time)
    }

    /// Makes one step, as [`Simulation::step_towards`].
    ///
    /// # Errors
    /// As [`Reversible::advance_to`].
    pub fn step_towards(&mut self, time: S::Real) -> Result<Outcome, StepError> {
        let Self { run, made, kept, .. } = self;
        run.may_step(time)?;
        let proposed = run.propose_held(time)?;
        if proposed.event || run.samples_at(proposed.end) {
            return self.happen(proposed);
        }
        kept.offer(made.len(), || (run.state.clone(), run.memory.clone()));
        let outcome = run.accept(proposed)?;
        made.push(Made { h: proposed.h, end: proposed.end });
        Ok(outcome)
    }

    /// Makes a step that ends with an event or a sample instant.
    fn happen(&mut self, proposed: Proposed<S::Real>) -> Result<Outcome, StepError> {
        let Self { run, made, kept, jumps, knots, .. } = self;
        let (before, mut end) = (run.checkpoint(), run.proposal.x.clone());
        end.t = proposed.end;
        let outcome = match run.accept(proposed) {
            Ok(outcome) => outcome,
            Err(error) => {
                run.rewind(before);
                return Err(error);
            }
        };
        let interruption = match run.interruption(&before.statistics, outcome) {
            Ok(interruption) => interruption,
            Err(cause) => {
                run.rewind(before);
                return Err(run.failure(proposed.h, cause));
            }
        };
        kept.offer(made.len(), || (before.state.clone(), before.memory.clone()));
        made.push(Made { h: proposed.h, end: proposed.end });
        let next = made.len();
        match interruption {
            Some(Interruption::Event(event)) => {
                let after = (run.state.clone(), run.memory.clone());
                jumps.push(Jump { next, event, before: end, after });
            }
            Some(Interruption::Sample) => knots.push(Knot { next, planned: run.next_step(), held: before.held }),
            None => {}
        }
        Ok(outcome)
    }
}
