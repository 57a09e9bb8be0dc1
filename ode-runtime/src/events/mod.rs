//! Events: guards that cross zero within a step, the state after them, and the end of a run.
//!
//! Each guard has a *side* of zero, that of its last nonzero value. An event happens when its guard leaves its side in
//! the event's direction. A guard that begins at zero gets the side it moves to, or none, and has no event before it
//! has left zero.

mod intervals;
mod reset;
mod search;
mod sides;

use crate::error::{Cause, Name, Quantity, StepError};
use crate::events::sides::{crosses, lags, vanishes};
use crate::model::history::{History, Parts};
use crate::model::input::{AnyInputs, Inputs};
use crate::model::layout::Block;
use crate::model::rotations::enter;
use crate::model::state::{State, copy, finite};
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;

pub(crate) use reset::Tools;
pub(crate) use search::Step;

use intervals::Intervals;

/// How events are located, and how many may follow each other closely.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Events<T> {
    /// allowed error of the time of an event, as a multiple of max(1, |t|), 100 ε by default. Steps are repeated until
    /// they end that close after it, so its state is computed by the method, not interpolated.
    pub tolerance: T,
    /// number of parts of a step at whose ends guards are evaluated: two crossings within one part are missed
    pub samples: u32,
    /// number of events of one guard that may follow each other too closely to be separated: within twice the
    /// tolerance, or within the round-off of the guard. One more ends the run with [`Outcome::Zeno`], or is
    /// [`Cause::Unresolved`] if the sequence is regular. Separated events never end a run, whatever their number.
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

/// How a step, or an advance to a time, ended.
///
/// Advances to a time return `Ok(())` when they arrive. If an event ends the run before, that is an error, so an
/// incomplete table is not taken for a complete one. For models that are meant to end, [`Outcome::of`] turns it into an
/// outcome: `Outcome::of(run.advance_to(10.0))?`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Outcome {
    /// The step is made, the time is reached.
    Reached,
    /// The step ends with an event, the first at its time; the state is that after it. Only for single steps.
    Event {
        /// its name
        event: Name,
        /// its time
        time: f64,
    },
    /// An event with `stop;` ended the run, which makes no more steps.
    Stopped {
        /// its name
        event: Name,
        /// its time
        time: f64,
    },
    /// Events follow each other endlessly: more than [`Events::most`] intervals of one guard in sequence are zero or
    /// below the resolution. The run makes no more steps. Time is just before the point where the events accumulate, or
    /// where a reset did not move its guard.
    Zeno {
        /// the last of them
        event: Name,
        /// its time
        time: f64,
    },
}

impl Outcome {
    /// The outcome of an advance to a time: [`Cause::Stopped`] and [`Cause::Zeno`] become outcomes, arrival is
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

    /// The event, if there was one.
    pub(crate) fn event(self) -> Option<Name> {
        match self {
            Self::Reached => None,
            Self::Event { event, .. } | Self::Stopped { event, .. } | Self::Zeno { event, .. } => Some(event),
        }
    }

    /// The error it is for an advance, if it ended the run.
    pub(crate) fn end(self) -> Option<Cause> {
        match self {
            Self::Stopped { event, time } => Some(Cause::Stopped { event, time }),
            Self::Zeno { event, time } => Some(Cause::Zeno { event, time }),
            Self::Reached | Self::Event { .. } => None,
        }
    }
}

/// The sides of the guards of a run between steps. Blocks with a value for each event; sides are 1, −1, or 0 for none.
#[derive(Clone, Debug)]
pub(crate) struct Kept<S: Solvable> {
    /// the state before the last event
    pub(crate) before: State<S>,
    /// at the state of the run
    sides: S::Guards,
    /// the largest magnitude of each guard: values small relative to it count as zero
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

/// The guards of a run, at its state and at trial points.
pub(crate) struct Watch<S: Solvable> {
    pub(crate) settings: Events<S::Real>,
    pub(crate) kept: Kept<S>,
    /// the state before the events that are about to happen, and the inputs there: a sample of that time changes them
    before: State<S>,
    pub(crate) inputs_before: S::U,
    u: S::U,
    /// allowed error of the time of an event at the trial point
    within: S::Real,
    /// sides at the trial point, with the guards and their rates there
    trial: S::Guards,
    /// the largest magnitudes up to the trial point
    largest: S::Guards,
    values: S::Guards,
    rates: S::Guards,
    /// guards before and behind a crossing
    near: S::Guards,
    far: S::Guards,
    /// 1 for a guard that is about to leave its side
    leaves: S::Guards,
    /// 1 for an event that happens at the trial point
    fired: S::Guards,
    /// the first two events of the last discontinuity, in their order
    pub(crate) order: [Option<usize>; 2],
    /// room for interpolation
    sample: State<S>,
    /// with the events that happen at the trial point
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
            largest: guards(),
            values: guards(),
            rates: guards(),
            near: guards(),
            far: guards(),
            leaves: guards(),
            fired: guards(),
            order: [None; 2],
            sample: State::neutral(system),
            before: State::neutral(system),
            inputs_before: Block::zeros(layout.u.len()),
            intervals: kept.intervals.clone(),
            kept,
        }
    }

    /// Guards at the start of a run.
    ///
    /// # Errors
    /// [`Cause::NonFinite`] naming the event.
    pub(crate) fn start(&mut self, cx: &Context<'_, S, AnyInputs<'_, S>>, x: &State<S>) -> Result<(), Cause> {
        self.kept.before.copy_from(x);
        self.kept.intervals = Intervals::new(cx.system.layout().events.len(), x.t);
        if self.idle(cx.system) {
            return Ok(());
        }
        self.begin();
        self.evaluate(cx, x)?;
        let Self { trial, values, rates, .. } = self;
        for ((side, &value), &rate) in trial.as_mut().iter_mut().zip(values.as_ref()).zip(rates.as_ref()) {
            *side = if value == S::Real::ZERO { sign(rate) } else { sign(value) };
        }
        self.commit();
        Ok(())
    }

    /// Events are about to happen at `x`.
    pub(crate) fn stand_before(&mut self, system: &S, inputs: &dyn Inputs<S>, x: &State<S>) {
        self.before.copy_from(x);
        inputs.evaluate(system, x.moment(), &mut self.inputs_before);
    }

    /// The largest magnitude that a guard has had.
    #[cfg(feature = "std")]
    pub(crate) fn size(&self, event: usize) -> S::Real {
        self.kept.largest.as_ref().get(event).copied().unwrap_or(S::Real::ZERO)
    }

    /// Whether there are no events to watch for.
    pub(crate) fn idle(&self, system: &S) -> bool {
        system.layout().events.is_empty()
    }

    /// Guards at `x` and their rates.
    fn evaluate(&mut self, cx: &Context<'_, S, AnyInputs<'_, S>>, x: &State<S>) -> Result<(), Cause> {
        cx.input(x.moment(), &mut self.u)?;
        cx.system.guards(x.at(&self.u), &mut self.values);
        cx.system.guard_rates(x.at(&self.u), x.rates(), &mut self.rates);
        self.measured(cx.system, x.t)
    }

    /// Refuses guard values at `t` that are not finite, and records their magnitude.
    fn measured(&mut self, system: &S, t: S::Real) -> Result<(), Cause> {
        self.within = self.settings.within(t);
        named(system, &self.values)?;
        named(system, &self.rates)?;
        for (largest, &value) in self.largest.as_mut().iter_mut().zip(self.values.as_ref()) {
            *largest = largest.max(value.abs());
        }
        Ok(())
    }

    /// Marks the guards that crossed between their sides in `trial` and their values. Returns whether there are any.
    ///
    /// A guard beyond zero only by round-off that returns has not crossed: a bounce too small for its guard begins so.
    /// A lagging guard has not crossed either. One that was about to leave its side has: dry friction turns the rate of
    /// a velocity around where it crosses zero.
    fn cross(&mut self, system: &S) -> bool {
        let (zero, within, mut any) = (S::Real::ZERO, self.within, false);
        let events = system.layout().events.iter().zip(self.trial.as_ref()).zip(self.leaves.as_ref());
        let values = self.values.as_ref().iter().zip(self.largest.as_ref()).zip(self.rates.as_ref());
        for ((((event, &side), &leaves), ((&value, &largest), &rate)), fired) in
            events.zip(values).zip(self.fired.as_mut())
        {
            let returns = vanishes(value, largest) && side * rate > zero || lags(side, value, rate, within);
            let crossed = crosses(event.crossing, side, value) && (leaves != zero || !returns);
            *fired = if crossed { S::Real::ONE } else { zero };
            any |= crossed;
        }
        any
    }

    /// Records the sides in `values`, except for guards beyond zero in the direction of their event, and lagging ones.
    fn note(&mut self, system: &S) {
        let events = system.layout().events.iter().zip(self.trial.as_mut());
        for ((event, side), (&value, &rate)) in events.zip(self.values.as_ref().iter().zip(self.rates.as_ref())) {
            let keeps = crosses(event.crossing, *side, value) || lags(*side, value, rate, self.within);
            if value != S::Real::ZERO && !keeps {
                *side = sign(value);
            }
        }
    }

    /// Resets the trial point to the state of the run.
    fn begin(&mut self) {
        copy(&self.kept.sides, &mut self.trial);
        copy(&self.kept.largest, &mut self.largest);
        self.fired.as_mut().fill(S::Real::ZERO);
    }

    /// Moves the state of the run to the trial point.
    pub(crate) fn commit(&mut self) {
        copy(&self.trial, &mut self.kept.sides);
        copy(&self.largest, &mut self.kept.largest);
    }

    /// The same after a discontinuity, with or without events.
    pub(crate) fn commit_events(&mut self, happened: bool) {
        self.commit();
        self.kept.intervals.copy_from(&self.intervals);
        if happened {
            self.kept.before.copy_from(&self.before);
        }
    }

    /// The next change has a cause outside of the model.
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

/// Refuses a reset to a value that is not finite, by name.
fn assigned<S: Solvable>(system: &S, x: &mut State<S>) -> Result<(), Cause> {
    let layout = system.layout();
    enter(system, x.q.as_mut())?;
    finite(x.v.as_ref(), Quantity::Velocity, layout.v)?;
    finite(x.z.as_ref(), Quantity::State, layout.z)?;
    finite(x.modes.as_ref(), Quantity::Mode, layout.modes)
}
