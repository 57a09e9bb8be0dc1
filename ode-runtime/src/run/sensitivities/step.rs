//! Steps with their sensitivities, across events and sample instants.

use std::vec::Vec;

use crate::error::{Cause, StepError};
use crate::events::Outcome;
use crate::integrators::{Attempted, Stepped, Vary, settle, vary_step};
use crate::keep::statistics::Statistics;
use crate::model::sensitive::Sensitive;
use crate::run::interruption::{Interruption, Located};
use crate::run::sensitivities::finite::finite;
use crate::run::sensitivities::inputs::Columned;
use crate::run::sensitivities::observed::{Observed, VariedPoint};
use crate::run::sensitivities::varied::Sensitivities;
use crate::run::simulation::Simulation;
use crate::solve::context::{Context, Work};
use crate::solve::solvable::Solvable;
use crate::variation::{AnyControls, Controls, RateVariation, StateVariation, Transition};

/// What varies at the end of a step: the state, its rates, the memory.
type Memory<S, M> = <M as Vary<S>>::Varied<Columned<S>>;
type EndRates<S> = RateVariation<S, Columned<S>>;

/// A step with its variations.
struct VariedStep<S: Solvable + Sensitive, M: Vary<S>> {
    h: S::Real,
    x: StateVariation<S, Columned<S>>,
    rates: EndRates<S>,
    memory: Memory<S, M>,
    /// costs at its end
    costs: Observed<S::Real>,
}

impl<S, M, U> Sensitivities<'_, S, M, U>
where
    S: Solvable + Sensitive,
    M: Vary<S>,
    U: Controls<S>,
{
    /// Steps until `time`, as [`Simulation::advance_to`].
    ///
    /// # Errors
    /// As [`Simulation::advance_to`], and why a step or an event has no derivative; state and sensitivities are those
    /// of the last step before.
    pub fn advance_to(&mut self, time: S::Real) -> Result<(), StepError> {
        Simulation::advance_by(self, |all| &all.run, time, |all| all.step_towards(time).map(drop))?;
        self.run.arrived(time)
    }

    /// Makes one step, as [`Simulation::step_towards`].
    ///
    /// After an event the sensitivities are those at the nominal time of the event, which varies too. So are those of a
    /// run that an event has ended.
    ///
    /// # Errors
    /// As [`Simulation::step_towards`], and why the step or its event has no derivative: [`Cause::Grazing`],
    /// [`Cause::Simultaneous`], [`Cause::EventAtSample`], [`Cause::VaryingMode`]; [`Cause::MovingInput`] for inputs
    /// that are not held as they say; [`Cause::NonFinite`] by what it is not finite. State and sensitivities are as
    /// before, also where a plain run would keep the step up to a sample instant.
    pub fn step_towards(&mut self, time: S::Real) -> Result<Outcome, StepError> {
        self.run.may_step(time)?;
        let before = self.run.checkpoint();
        let proposed = self.run.propose_held(time)?;
        let failed = match self.differentiate(proposed.h) {
            Err(cause) => Err(cause),
            Ok(stepped) => match self.run.accept(proposed) {
                Err(error) => {
                    self.run.rewind(before);
                    return Err(error);
                }
                Ok(outcome) => self.interrupt(&before.statistics, outcome, stepped).map(|()| outcome),
            },
        };
        failed.map_err(|cause| {
            self.run.rewind(before);
            self.run.failure(proposed.h, cause)
        })
    }

    /// The variations of the step `h` that is proposed, from what the attempt left.
    fn differentiate(&mut self, h: S::Real) -> Result<VariedStep<S, M>, Cause> {
        let Self { run, chain, numbers, at, memory, .. } = self;
        let Simulation { system, method, inputs, projection, projector, scratch, .. } = run;
        let (from, end) = ((&run.state, &run.memory), &run.proposal.x);
        let mut work = Work::default();
        let inputs = &numbers.of(inputs);
        let mut cx = Context { system: *system, inputs, work: &mut work };
        let (proposed, projection) = (run.unprojected.as_ref().unwrap_or(end), projector.told(projection.as_ref()));
        let made = Attempted { proposed, end, scratch, projection };
        let Stepped { mut x, rates, memory } = vary_step(method, &mut cx, (from, h), made, chain, (at, memory))?;
        let rates = match rates {
            Some(rates) => rates,
            None => settle(&mut cx, end, chain, &mut x)?,
        };
        let costs = VariedPoint { system: *system, inputs, x: end, chain, at: &x }.costs();
        Ok(VariedStep { h, x, rates, memory, costs })
    }

    /// Takes the variations of a step that was made, through what has happened at its end.
    fn interrupt(&mut self, before: &Statistics, outcome: Outcome, made: VariedStep<S, M>) -> Result<(), Cause> {
        let VariedStep { h, mut x, mut rates, mut memory, costs } = made;
        let interruption = self.run.interruption(before, outcome)?;
        let Self { run, chain, numbers, saltation, .. } = self;
        let Simulation { system, method, inputs, state, watch, proposal, .. } = run;
        let (mut work, mut happened, mut sampled) = (Work::default(), None, None);
        let jump = match interruption {
            Some(Interruption::Event(Located { event, within, size })) => {
                let of = Transition { event, within, size, before: &watch.kept.before, after: state };
                let inputs = &AnyControls(&numbers.of(inputs));
                let mut cx = Context { system: *system, inputs, work: &mut work };
                let delays = saltation.apply(&mut cx, &of, chain, &mut x)?;
                happened = Some((event, delays.clone()));
                Some(delays)
            }
            Some(Interruption::Sample) => {
                // The controller saw the proposal; a, λ and algebraic variables have changed with its output since.
                sampled = Some(numbers.sampled((*system, inputs), &proposal.x, &x));
                Some(Vec::new())
            }
            None => None,
        };
        let jumped = match jump {
            Some(delays) => {
                let inputs = &sampled.as_ref().unwrap_or(numbers).of(inputs);
                let mut cx = Context { system: *system, inputs, work: &mut work };
                rates = settle(&mut cx, state, chain, &mut x)?;
                memory = method.begin(&mut cx, state, chain, &mut x)?;
                Some((delays, VariedPoint { system: *system, inputs, x: state, chain, at: &x }.costs()))
            }
            None => None,
        };
        finite::<S>(&self.names, &x, &rates)?;
        self.integrals.step(h, costs);
        if let Some((delays, after)) = jumped {
            self.integrals.jump(&delays, after);
        }
        if let Some(sampled) = sampled {
            self.numbers = sampled;
        }
        (self.at, self.rates, self.memory) = (x, rates, memory);
        self.event = happened.or_else(|| self.event.take());
        Ok(())
    }
}
