//! A checkpoint as plain numbers with names and lengths, for files.

use std::borrow::ToOwned;
use std::format;
use std::string::String;
use std::vec::Vec;

use crate::error::{Cause, Difference, MethodName, Name};
use crate::keep::checkpoint::{Checkpoint, take_up};
use crate::model::history::Parts;
use crate::model::input::Inputs;
use crate::model::layout::Layout;
use crate::numbers::scalar::Real;
use crate::solve::solvable::Solvable;

/// A checkpoint as plain numbers: [`Simulation::save`](crate::Simulation::save). The feature `serde` reads and writes
/// it.
///
/// Numbers are restored to the bit if the format keeps them; `serde_json` does with its feature `float_roundtrip`.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Saved {
    /// the model's name
    pub model: String,
    /// the method's name
    pub method: String,
    /// names in the model: each coordinate, velocity, state, input, mode, event and constraint
    pub entries: Vec<String>,
    /// the numbers of each part
    pub numbers: Vec<(String, Vec<f64>)>,
    /// counts
    pub counts: Vec<(String, u64)>,
}

impl Saved {
    pub(crate) fn new(layout: &Layout<'_>, method: MethodName) -> Self {
        Self { model: layout.name.to_owned(), method: format!("{method}"), entries: entries(layout), ..Self::default() }
    }

    /// Refuses one of another model or method.
    fn belongs(&self, layout: &Layout<'_>, method: MethodName) -> Result<(), Cause> {
        Difference::Model { saved: Name::new(&self.model) }.unless(self.model == layout.name)?;
        let saved = Name::new(&self.method);
        Difference::Method { here: method, saved }.unless(saved == method.text())?;
        let here = entries(layout);
        for (index, (here, saved)) in here.iter().zip(&self.entries).enumerate() {
            Difference::Entry { index, saved: Name::new(saved) }.unless(here == saved)?;
        }
        Ok(Difference::lengths("entries", here.len(), self.entries.len())?)
    }

    /// The checkpoint but for the memory, whose numbers are left to be read; its held output goes to the inputs.
    pub(crate) fn run<S: Solvable>(
        self,
        system: &S,
        method: MethodName,
        inputs: &mut dyn Inputs<S>,
    ) -> Result<(Checkpoint<S, ()>, Reader), Cause> {
        let layout = system.layout();
        self.belongs(&layout, method)?;
        let mut run = Checkpoint::blank(system, method);
        let mut reader = Reader { numbers: self.numbers.into_iter(), counts: self.counts.into_iter(), off: Ok(()) };
        run.visit_run(&layout, &mut reader);
        reader.off?;
        let run = run.admit(system, method)?;
        take_up(inputs, &run.held)?;
        Ok((run, reader))
    }

    /// The time it was taken at.
    pub fn time(&self) -> f64 {
        let time = self.numbers.first().and_then(|(_, values)| values.first());
        time.copied().unwrap_or(f64::NAN)
    }
}

/// What a model has, by name.
fn entries(layout: &Layout<'_>) -> Vec<String> {
    let events: Vec<_> = layout.events.iter().map(|event| event.name).collect();
    let kinds = [
        ("coordinate", layout.q),
        ("velocity", layout.v),
        ("state", layout.z),
        ("input", layout.u),
        ("mode", layout.modes),
        ("event", &events),
        ("constraint", layout.constraints),
    ];
    kinds.iter().flat_map(|(kind, names)| names.iter().map(move |name| format!("{kind} {name}"))).collect()
}

impl<T: Real> Parts<T> for Saved {
    fn numbers(&mut self, name: &'static str, numbers: &mut [T]) {
        self.numbers.push((name.to_owned(), numbers.iter().map(|number| number.to_f64()).collect()));
    }

    fn count(&mut self, name: &'static str, count: &mut u64) {
        self.counts.push((name.to_owned(), *count));
    }
}

/// Restores saved numbers if names and lengths agree.
pub(crate) struct Reader {
    numbers: std::vec::IntoIter<(String, Vec<f64>)>,
    counts: std::vec::IntoIter<(String, u64)>,
    off: Result<(), Cause>,
}

impl Reader {
    /// All was read, and all was in order.
    pub(crate) fn end(self) -> Result<(), Cause> {
        self.off?;
        Ok(Difference::lengths("memory", 0, self.numbers.len() + self.counts.len())?)
    }

    /// Keeps the first failure.
    fn note(&mut self, found: Result<(), Cause>) -> bool {
        self.off = self.off.and(found);
        self.off.is_ok()
    }
}

impl<T: Real> Parts<T> for Reader {
    fn numbers(&mut self, name: &'static str, numbers: &mut [T]) {
        let (saved, values) = self.numbers.next().unwrap_or_default();
        let same = Difference::Part { here: name, saved: Name::new(&saved) }
            .unless(name == saved)
            .and_then(|()| Difference::lengths(name, numbers.len(), values.len()));
        if self.note(same.map_err(Cause::from)) {
            for (to, from) in numbers.iter_mut().zip(values) {
                *to = T::from_f64(from);
            }
        }
    }

    fn count(&mut self, name: &'static str, count: &mut u64) {
        let (saved, value) = self.counts.next().unwrap_or_default();
        // Counts continue from there; no run comes near the largest number.
        let sound = if value < u64::MAX - (1 << 40) {
            Ok(())
        } else {
            Err(Cause::Invalid { setting: name, value: value as f64 })
        };
        let same = Difference::Part { here: name, saved: Name::new(&saved) }.unless(name == saved);
        if self.note(same.map_err(Cause::from).and(sound)) {
            *count = value;
        }
    }
}
