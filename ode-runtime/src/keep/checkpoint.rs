//! Checkpoints: everything that determines how a run continues.
//!
//! Settings are not included (the method and its parameters, step control, projection, events, inputs). Resumed with
//! the same settings, a run continues to the bit as if it had not stopped. Variables inside closures are not included
//! either: of a sampled controller the checkpoint has only the sample instants and the output held.

use crate::error::{Cause, Difference, MethodName, Name, Quantity};
use crate::events::{Kept, Outcome};
use crate::keep::statistics::Statistics;
use crate::model::history::{History, Parts};
use crate::model::input::{HeldInput, Inputs};
use crate::model::layout::Layout;
use crate::model::rotations::Door;
use crate::model::state::State;
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::solvable::Solvable;
use crate::step_size::LargestError;
use crate::step_size::Progress;

/// A point from which a run can continue: [`Simulation::checkpoint`](crate::Simulation::checkpoint),
/// [`Setup::resume`](crate::Setup::resume). `H` is the method's memory.
///
/// It needs no heap if the model needs none. [`Saved`](crate::Saved) has the same as plain numbers, for files.
#[derive(Clone, Debug)]
pub struct Checkpoint<S: Solvable, H> {
    pub(crate) model: Name,
    pub(crate) method: MethodName,
    pub(crate) state: State<S>,
    pub(crate) memory: H,
    pub(crate) progress: Progress<S::Real>,
    pub(crate) events: Kept<S>,
    pub(crate) ended: Option<Outcome>,
    pub(crate) statistics: Statistics,
    pub(crate) held: Option<HeldInput<S>>,
}

impl<S: Solvable, H> Checkpoint<S, H> {
    /// The state it was taken at.
    pub fn state(&self) -> &State<S> {
        &self.state
    }
}

impl<S: Solvable, H: History<S::Real>> Checkpoint<S, H> {
    /// Shows every number to `parts`, to be read or replaced: those of the run, then those of the memory. Targets
    /// without files use this.
    pub fn visit(&mut self, system: &S, parts: &mut dyn Parts<S::Real>) {
        self.visit_run(&system.layout(), parts);
        self.memory.visit(parts);
    }
}

impl<S: Solvable, H> Checkpoint<S, H> {
    /// All but the memory, and that.
    pub(crate) fn parted(self) -> (Checkpoint<S, ()>, H) {
        let Self { model, method, state, memory, progress, events, ended, statistics, held } = self;
        (Checkpoint { model, method, state, memory: (), progress, events, ended, statistics, held }, memory)
    }

    /// Shows `parts` all but the memory.
    pub(crate) fn visit_run(&mut self, layout: &Layout<'_>, parts: &mut dyn Parts<S::Real>) {
        self.state.visit(parts);
        self.progress.visit(parts);
        self.events.visit(parts);
        outcome(&mut self.ended, layout, parts);
        self.statistics.visit(parts);
        largest_error(&mut self.statistics.largest_error, layout, parts);
        let mut sampled = u64::from(self.held.is_some());
        parts.count("controller sampled", &mut sampled);
        if sampled != 0 {
            self.held.get_or_insert_with(|| HeldInput::new(layout)).visit(parts);
        }
    }
}

/// How a run ended: kind, event and time.
fn outcome<T: Real>(ended: &mut Option<Outcome>, layout: &Layout<'_>, parts: &mut dyn Parts<T>) {
    let (mut kind, event, time) = match ended {
        Some(Outcome::Stopped { event, time }) => (1, Some(*event), *time),
        Some(Outcome::Zeno { event, time }) => (2, Some(*event), *time),
        _ => (0, None, 0.0),
    };
    let index = event.and_then(|event| layout.events.iter().position(|other| Name::new(other.name) == event));
    let (mut index, mut time) = (index.map_or(0, |index| index as u64), [T::from_f64(time)]);
    parts.count("ended", &mut kind);
    parts.count("ended by event", &mut index);
    parts.numbers("ended at", &mut time);
    let name = usize::try_from(index).ok().and_then(|index| layout.events.get(index)).map_or("", |event| event.name);
    let (event, [time]) = (Name::new(name), time.map(Real::to_f64));
    *ended = match kind {
        1 => Some(Outcome::Stopped { event, time }),
        2 => Some(Outcome::Zeno { event, time }),
        _ => None,
    };
}

/// The largest error: whose, how large, and when.
fn largest_error<T: Real>(largest: &mut Option<LargestError>, layout: &Layout<'_>, parts: &mut dyn Parts<T>) {
    let kinds =
        [(Quantity::Coordinate, layout.directions), (Quantity::Velocity, layout.v), (Quantity::State, layout.z)];
    let place = |error: &LargestError| {
        let (k, (_, names)) = kinds.iter().enumerate().find(|(_, (kind, _))| *kind == error.quantity)?;
        let index = names.iter().position(|name| Name::new(name) == error.name)?;
        Some([k as u64 + 1, index as u64])
    };
    let [mut kind, mut index] = largest.as_ref().and_then(place).unwrap_or_default();
    let (relative, time, step) = largest.map_or((0.0, 0.0, 0.0), |error| (error.relative, error.time, error.step));
    // It may be infinite, which not every file format can express.
    let (mut bits, mut step) = (relative.to_bits(), [time, step].map(T::from_f64));
    parts.count("kind of the largest error", &mut kind);
    parts.count("entry of the largest error", &mut index);
    parts.count("bits of the largest error", &mut bits);
    parts.numbers("time and step of the largest error", &mut step);
    let [time, step] = step.map(Real::to_f64);
    let known = usize::try_from(kind).ok().and_then(|kind| kinds.get(kind.checked_sub(1)?));
    *largest = known.map(|&(quantity, names)| {
        let name = Name::of(names, usize::try_from(index).unwrap_or(usize::MAX));
        LargestError { quantity, name, relative: f64::from_bits(bits), time, step }
    });
}

impl<S: Solvable> Checkpoint<S, ()> {
    /// One of zeros, to be filled.
    pub(crate) fn blank(system: &S, method: MethodName) -> Self {
        Self {
            model: Name::new(system.layout().name),
            method,
            state: State::neutral(system),
            memory: (),
            progress: Progress::new(S::Real::ZERO, S::Real::ZERO),
            events: Kept::new(system),
            ended: None,
            statistics: Statistics::default(),
            held: None,
        }
    }
}

/// Refuses a state of another model, method or shape, or with numbers that are not finite.
fn belongs<S: Solvable>(
    (system, here): (&S, MethodName),
    (model, method): (Name, MethodName),
    x: &State<S>,
) -> Result<(), Cause> {
    let layout = system.layout();
    Difference::Model { saved: model }.unless(model == Name::new(layout.name))?;
    Difference::Method { here, saved: method.text() }.unless(method == here)?;
    let lengths = [
        ("coordinates", layout.q.len(), x.q.as_ref().len()),
        ("velocities", layout.v.len(), x.v.as_ref().len()),
        ("states", layout.z.len(), x.z.as_ref().len()),
        ("multipliers", layout.constraints.len(), x.lambda.as_ref().len()),
        ("modes", layout.modes.len(), x.modes.as_ref().len()),
    ];
    lengths.into_iter().try_for_each(|(part, here, saved)| Difference::lengths(part, here, saved))?;
    x.check(&layout)
}

impl<S: Solvable, H: History<S::Real>> Checkpoint<S, H> {
    /// The checkpoint, if it is of this model and method and its rotations are unit vectors.
    pub(crate) fn admit(mut self, system: &S, here: MethodName) -> Result<Self, Cause> {
        belongs((system, here), (self.model, self.method), &self.state)?;
        if !self.progress.sound() {
            return Err(Cause::Invalid { setting: "count of steps of a checkpoint", value: f64::NAN });
        }
        Door::open(system, |door| {
            self.state.visit(door);
            self.events.visit(door);
            self.memory.visit(door);
        })?;
        Ok(self)
    }
}

/// Restores the held outputs of inputs; inputs that hold nothing have none.
pub(crate) fn take_up<S: Solvable>(inputs: &mut dyn Inputs<S>, held: &Option<HeldInput<S>>) -> Result<(), Cause> {
    Difference::Sampled { saved: held.is_some() }.unless(inputs.next_sample().is_some() == held.is_some())?;
    if let Some(held) = held {
        inputs.resume(held.clone());
    }
    Ok(())
}
