//! The columns of a recording: what there is to record of a run, in which order, with names and units.

use core::fmt;
use std::borrow::ToOwned;
use std::format;
use std::string::String;
use std::vec::Vec;

use crate::error::unknown::asks_for;
use crate::model::layout::Layout;
use crate::model::observable::{Observable, Units};
use crate::model::seen::Seen;
use crate::model::state::State;
use crate::model::system::System;
use crate::numbers::scalar::Real;

/// A column of a [`Table`](crate::Table).
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Column {
    /// its name: that of the model's text
    pub name: String,
    /// its unit in SI; empty where it has none
    pub unit: String,
    /// another name: `der(x)` where the velocity has a name of its own
    pub(super) also: Option<String>,
    /// the word for its kind; empty where it has none
    pub(super) group: String,
    /// its place among everything that there is to record; a column of the user's own has none
    pub(super) place: Option<usize>,
}

impl Column {
    pub(super) fn named(name: String, place: Option<usize>) -> Self {
        Self { name, unit: String::new(), also: None, group: String::new(), place }
    }

    /// Whether `name` is one of its names, or the name of the whole that it is an entry of.
    pub(super) fn is_meant_by(&self, name: &str) -> bool {
        asks_for(name, &self.name) || self.also.as_deref().is_some_and(|also| asks_for(name, also))
    }

    /// Whether it is called so.
    pub(super) fn is_called(&self, name: &str) -> bool {
        self.name == name || self.also.as_deref() == Some(name)
    }
}

impl fmt::Display for Column {
    /// `der(th) [rad/s]`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.unit.as_str() {
            "" => f.write_str(&self.name),
            unit => write!(f, "{} [{unit}]", self.name),
        }
    }
}

/// Columns that are made one after the other.
struct Columns(Vec<Column>);

impl Columns {
    fn add(&mut self, group: &str, names: impl IntoIterator<Item = String>, units: &[&str]) {
        for (i, name) in names.into_iter().enumerate() {
            let unit = units.get(i).map_or_else(String::new, |&unit| unit.to_owned());
            let place = Some(self.0.len());
            self.0.push(Column { unit, group: group.to_owned(), ..Column::named(name, place) });
        }
    }
}

fn owned(names: &[&str]) -> impl Iterator<Item = String> {
    names.iter().map(|&name| name.to_owned())
}

/// The columns of a state, in the order of [`numbers`].
pub(super) fn of_states(layout: &Layout<'_>, units: &Units<'_>) -> Vec<Column> {
    let mut all = Columns(Vec::new());
    all.add("", ["t".to_owned()], &[units.time]);
    all.add("states", owned(layout.q), units.q);
    all.add("states", owned(layout.v), units.v);
    all.add("states", owned(layout.z), units.z);
    all.add("accelerations", layout.v.iter().map(|name| format!("der({name})")), units.a);
    all.add("multipliers", owned(layout.multipliers), units.multipliers);
    all.add("modes", owned(layout.modes), units.modes);
    let (first, behind) = (1 + layout.q.len(), layout.v.len() + layout.z.len());
    for (i, (coordinate, velocity)) in layout.directions.iter().zip(layout.v).enumerate() {
        let rate = format!("der({coordinate})");
        if layout.q.contains(coordinate) && rate != *velocity {
            all.0[first + behind + i].also = Some(format!("der({rate})"));
            all.0[first + i].also = Some(rate);
        }
    }
    all.0
}

/// The columns of everything that a run shows, in the order of [`everything`].
pub(super) fn of_everything(layout: &Layout<'_>, units: &Units<'_>) -> Vec<Column> {
    let mut all = Columns(of_states(layout, units));
    all.add("inputs", owned(layout.u), units.u);
    all.add("outputs", owned(layout.outputs), units.y);
    let energies = ["energy.kinetic", "energy.potential", "energy.dissipation"];
    all.add("energies", owned(&energies), &[units.energy, units.energy, units.power]);
    all.add("steps", ["run.step".to_owned()], &[units.time]);
    all.0
}

/// The numbers of a state.
pub(super) fn numbers<S: System<Real: Real>>(x: &State<S>) -> Vec<f64> {
    let blocks = [x.q.as_ref(), x.v.as_ref(), x.z.as_ref(), x.a.as_ref(), x.lambda.as_ref(), x.modes.as_ref()];
    let mut all = std::vec![x.t.to_f64()];
    all.extend(blocks.into_iter().flatten().map(|value| value.to_f64()));
    all
}

/// The numbers of everything that a run shows.
pub(super) fn everything<S: Observable<Real: Real>>(seen: &Seen<'_, S>) -> Vec<f64> {
    let mut all = numbers(seen);
    all.extend(seen.inputs().as_ref().iter().map(|value| value.to_f64()));
    all.extend(seen.outputs().as_ref().iter().map(|value| value.to_f64()));
    let energy = seen.energy();
    all.extend([energy.kinetic, energy.potential, energy.dissipation, seen.step()].map(Real::to_f64));
    all
}
