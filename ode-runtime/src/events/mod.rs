//! Events: guards that cross zero within a step, the state after them, and how they end a run.
//!
//! Each guard has a *side* of zero, that of its last value other than zero; an event happens where its guard leaves its
//! side in the event's direction. A guard that begins at zero has the side it moves to, or none, and none happens
//! before it has left zero.

mod intervals;
mod reset;
mod search;
mod sides;

use crate::error::{Cause, Name, Quantity, StepError};
use crate::events::sides::{crosses, lags, vanishes};
use crate::model::history::{History, Parts};
use crate::model::input::Inputs;
use crate::model::layout::Block;
use crate::model::rotations::enter;
use crate::model::state::{State, copy, finite};
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;

pub(crate) use reset::Tools;

use intervals::Intervals;

/// How events are found, and when there are too many of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Events<T> {
    /// error allowed in the time of an event, as a multiple of max(1, |t|), 100 ε by default. Steps are repeated until
    /// they end that close behind it, so that its state is one of the method and not of an interpolation.
    pub tolerance: T,
    /// parts of a step at whose ends guards are looked at: what crosses zero twice between is not seen
    pub samples: u32,
    /// events of one guard that may follow each other too closely to be told apart: within twice the tolerance, or
    /// within what round-off hides of the guard. One more ends the run, [`Outcome::Zeno`], or is [`Cause::Unresolved`]
    /// where the row is regular. Events that are told apart never end a run, however many there are.
    pub most: u32,
}

impl<T: Real> Default for Events<T> {
    fn default() -> Self {
        let tolerance = T::from_f64(100.0) * T::EPSILON;
        Self { tolerance, samples: 4, most: 100 }
    }
}

impl<T: Real> Events<T> {
    pub(crate) fn check(&self) -> Result<(), Cause> {
        // Closer than that two times are the same.
        let least = T::from_f64(4.0) * T::EPSILON;
        if !(self.tolerance >= least && self.tolerance.is_finite()) {
            return Err(Cause::Invalid { setting: "event tolerance", value: self.tolerance.to_f64() });
        }
        for (setting, value) in [("samples of guards", self.samples), ("close events in a row", self.most)] {
            if value == 0 {
                return Err(Cause::Invalid { setting, value: 0.0 });
            }
        }
        Ok(())
    }

    /// The error allowed in a time near `t`.
    pub(crate) fn within(&self, t: T) -> T {
        self.tolerance * T::ONE.max(t.abs())
    }
}

/// How a step, or the way to a time, ended.
///
/// What goes on to a time returns `Ok(())` where it arrives, and where an event ends the run before it, that is an
/// error: a table that ends early does not look like a whole one. For models that are meant to end, [`Outcome::of`]
/// makes it an outcome again: `Outcome::of(run.advance_to(10.0))?`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Outcome {
    /// As asked for: the step is made, the time is reached.
    Reached,
    /// The step ends with an event, the first of its time; the state is that after it. Only single steps end so.
    Event {
        /// its name
        event: Name,
        /// its time
        time: f64,
    },
    /// An event with `stop;` has ended the run, which makes no more steps.
    Stopped {
        /// its name
        event: Name,
        /// its time
        time: f64,
    },
    /// Events follow each other without end: the intervals between those of one guard have shrunk until nothing
    /// resolves them, or are nothing, more than [`Events::most`] times in a row. The run makes no more steps. Time
    /// stands just before the point where they accumulate, or where a reset did not leave its guard.
    Zeno {
        /// the last of them
        event: Name,
        /// its time
        time: f64,
    },
}

impl Outcome {
    /// The outcome of what goes on to a time: [`Cause::Stopped`] and [`Cause::Zeno`] are outcomes, arrival is
    /// [`Outcome::Reached`].
    ///
    /// # Errors
    /// All others.
    pub fn of(way: Result<(), StepError>) -> Result<Self, StepError> {
        let Err(error) = way else { return Ok(Self::Reached) };
        match error.cause {
            Cause::Stopped { event, time } => Ok(Self::Stopped { event, time }),
            Cause::Zeno { event, time } => Ok(Self::Zeno { event, time }),
            _ => Err(error),
        }
    }

    /// What it is to a run that was to go on, if it has ended it.
    pub(crate) fn end(self) -> Option<Cause> {
        match self {
            Self::Stopped { event, time } => Some(Cause::Stopped { event, time }),
            Self::Zeno { event, time } => Some(Cause::Zeno { event, time }),
            Self::Reached | Self::Event { .. } => None,
        }
    }
}

/// Where the guards of a run stand from step to step. Blocks of a value for each event; sides are 1, −1, or 0 for none.
#[derive(Clone, Debug)]
pub(crate) struct Kept<S: Solvable> {
    /// the state before the last event
    pub(crate) before: State<S>,
    /// at the state of the run
    sides: S::Guards,
    /// the largest magnitude each guard had: zero is what is small against it
    largest: S::Guards,
    intervals: Intervals<S>,
}

impl<S: Solvable> Kept<S> {
    pub(crate) fn new(system: &S) -> Self {
        let count = system.layout().events.len();
        let guards = || S::Guards::zeros(count);
        let intervals = Intervals::new(count, S::Real::ZERO);
        Self { before: State::neutral(system), sides: guards(), largest: guards(), intervals }
    }
}

impl<S: Solvable> History<S::Real> for Kept<S> {
    fn visit(&mut self, parts: &mut dyn Parts<S::Real>) {
        self.before.visit(parts);
        parts.numbers("sides of guards", self.sides.as_mut());
        parts.numbers("largest guards", self.largest.as_mut());
        self.intervals.visit(parts);
    }
}

/// The guards of a run, at its state and at points looked at.
pub(crate) struct Watch<S: Solvable> {
    pub(crate) settings: Events<S::Real>,
    pub(crate) kept: Kept<S>,
    /// the state before the events that are about to happen
    pub(crate) before: State<S>,
    u: S::U,
    /// error allowed in the time of an event at the point looked at
    within: S::Real,
    /// sides at the point looked at, with the guards there and their rates
    trial: S::Guards,
    values: S::Guards,
    rates: S::Guards,
    /// guards before and behind a crossing
    near: S::Guards,
    far: S::Guards,
    /// 1 where an event happens at the point looked at
    fired: S::Guards,
    /// room for interpolation
    sample: State<S>,
    /// with the events that happen at the point looked at
    intervals: Intervals<S>,
}

impl<S: Solvable> Watch<S> {
    /// Storage in the shape of `system`.
    pub(crate) fn new(system: &S, settings: Events<S::Real>) -> Self {
        let layout = system.layout();
        let guards = || S::Guards::zeros(layout.events.len());
        let kept = Kept::new(system);
        Self {
            settings,
            u: Block::zeros(layout.u.len()),
            within: S::Real::ZERO,
            trial: guards(),
            values: guards(),
            rates: guards(),
            near: guards(),
            far: guards(),
            fired: guards(),
            sample: State::neutral(system),
            before: State::neutral(system),
            intervals: kept.intervals.clone(),
            kept,
        }
    }

    /// Guards at the start of a run.
    ///
    /// # Errors
    /// [`Cause::NonFinite`] naming the event.
    pub(crate) fn start<U: Inputs<S>>(&mut self, cx: &Context<'_, S, U>, x: &State<S>) -> Result<(), Cause> {
        self.kept.before.copy_from(x);
        self.kept.intervals = Intervals::new(cx.system.layout().events.len(), x.t);
        if self.idle(cx.system) {
            return Ok(());
        }
        self.evaluate(cx, x)?;
        let Self { kept, values, rates, .. } = self;
        for ((side, &value), &rate) in kept.sides.as_mut().iter_mut().zip(values.as_ref()).zip(rates.as_ref()) {
            *side = if value == S::Real::ZERO { sign(rate) } else { sign(value) };
        }
        Ok(())
    }

    /// Whether there are no events to watch for.
    pub(crate) fn idle(&self, system: &S) -> bool {
        system.layout().events.is_empty()
    }

    /// Guards at `x` and their rates.
    fn evaluate<U: Inputs<S>>(&mut self, cx: &Context<'_, S, U>, x: &State<S>) -> Result<(), Cause> {
        cx.input(x.moment(), &mut self.u)?;
        cx.system.guards(x.at(&self.u), &mut self.values);
        cx.system.guard_rates(x.at(&self.u), x.rates(), &mut self.rates);
        self.measured(cx.system, x.t)
    }

    /// Refuses values at `t` that are not finite, and keeps their magnitude.
    fn measured(&mut self, system: &S, t: S::Real) -> Result<(), Cause> {
        self.within = self.settings.within(t);
        named(system, &self.values)?;
        named(system, &self.rates)?;
        for (largest, &value) in self.kept.largest.as_mut().iter_mut().zip(self.values.as_ref()) {
            *largest = largest.max(value.abs());
        }
        Ok(())
    }

    /// Marks the guards that have crossed, from their sides in `trial` to their values. Whether there are any.
    ///
    /// What is beyond zero by round-off only, and returns, has not crossed: so a bounce too short for its guard to show
    /// begins. Nor has what lags.
    fn cross(&mut self, system: &S) -> bool {
        let (zero, within, mut any) = (S::Real::ZERO, self.within, false);
        let events = system.layout().events.iter().zip(self.trial.as_ref());
        let values = self.values.as_ref().iter().zip(self.kept.largest.as_ref()).zip(self.rates.as_ref());
        for (((event, &side), ((&value, &largest), &rate)), fired) in events.zip(values).zip(self.fired.as_mut()) {
            let returns = vanishes(value, largest) && side * rate > zero || lags(side, value, rate, within);
            let crossed = crosses(event.crossing, side, value) && !returns;
            *fired = if crossed { S::Real::ONE } else { zero };
            any |= crossed;
        }
        any
    }

    /// Takes note of the sides in `values`, but of guards that are beyond zero in the direction of their event, and of
    /// those that lag.
    fn note(&mut self, system: &S) {
        let events = system.layout().events.iter().zip(self.trial.as_mut());
        for ((event, side), (&value, &rate)) in events.zip(self.values.as_ref().iter().zip(self.rates.as_ref())) {
            let keeps = crosses(event.crossing, *side, value) || lags(*side, value, rate, self.within);
            if value != S::Real::ZERO && !keeps {
                *side = sign(value);
            }
        }
    }

    /// The point looked at is the state of the run again.
    fn begin(&mut self) {
        copy(&self.kept.sides, &mut self.trial);
        self.fired.as_mut().fill(S::Real::ZERO);
    }

    /// The state of the run is the point looked at.
    pub(crate) fn commit(&mut self) {
        copy(&self.trial, &mut self.kept.sides);
    }

    /// The same after a discontinuity, at which events have happened or not.
    pub(crate) fn commit_events(&mut self, happened: bool) {
        self.commit();
        self.kept.intervals.copy_from(&self.intervals);
        if happened {
            self.kept.before.copy_from(&self.before);
        }
    }

    /// What happens next has a cause outside of the model.
    pub(crate) fn interrupt(&mut self) {
        self.kept.intervals.interrupt();
    }
}

impl<S: Solvable> core::fmt::Debug for Watch<S> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Watch").field("sides", &self.kept.sides).finish_non_exhaustive()
    }
}

/// 1, −1 or 0.
fn sign<T: Real>(x: T) -> T {
    if x > T::ZERO {
        T::ONE
    } else if x < T::ZERO {
        -T::ONE
    } else {
        T::ZERO
    }
}

/// Refuses guards that are not finite.
fn named<S: Solvable>(system: &S, guards: &S::Guards) -> Result<(), Cause> {
    match guards.as_ref().iter().position(|x| !x.is_finite()) {
        None => Ok(()),
        Some(index) => {
            let name = system.layout().events.get(index).map_or(Name::new(""), |event| Name::new(event.name));
            Err(Cause::NonFinite { quantity: Quantity::Guard, name })
        }
    }
}

/// Refuses what a reset has assigned, by name.
fn assigned<S: Solvable>(system: &S, x: &mut State<S>) -> Result<(), Cause> {
    let layout = system.layout();
    enter(system, x.q.as_mut())?;
    finite(x.v.as_ref(), Quantity::Velocity, layout.v)?;
    finite(x.z.as_ref(), Quantity::State, layout.z)?;
    finite(x.modes.as_ref(), Quantity::Mode, layout.modes)
}
