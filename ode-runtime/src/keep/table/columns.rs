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

/// What there is to record, without its number.
pub(super) struct Source<'a> {
    group: &'static str,
    name: &'a str,
    /// it is the rate of what is called so
    rate: bool,
    unit: &'a str,
}

impl Source<'_> {
    /// Whether a column is for it: one of another model may not be.
    pub(super) fn fills(&self, column: &str) -> bool {
        let rate = |column: &str| column.strip_prefix("der(")?.strip_suffix(')').map(|name| name == self.name);
        if self.rate { rate(column) == Some(true) } else { column == self.name }
    }

    fn column(&self, place: usize) -> Column {
        let name = if self.rate { format!("der({})", self.name) } else { self.name.to_owned() };
        Column { unit: self.unit.to_owned(), group: self.group.to_owned(), ..Column::named(name, Some(place)) }
    }
}

/// Names of one kind, with the units that are known.
fn kind<'a>(group: &'static str, names: &[&'a str], units: &[&'a str]) -> impl Iterator<Item = Source<'a>> {
    let unit = |i: usize| units.get(i).copied().unwrap_or_default();
    names.iter().enumerate().map(move |(i, name)| Source { group, name, rate: false, unit: unit(i) })
}

/// What a state shows, in the order of [`numbers`].
pub(super) fn states<'a>(layout: &Layout<'a>, units: &Units<'a>) -> Vec<Source<'a>> {
    let rates = kind("accelerations", layout.v, units.a).map(|source| Source { rate: true, ..source });
    (kind("", &["t"], &[units.time]))
        .chain(kind("states", layout.q, units.q))
        .chain(kind("states", layout.v, units.v))
        .chain(kind("states", layout.z, units.z))
        .chain(rates)
        .chain(kind("multipliers", layout.multipliers, units.multipliers))
        .chain(kind("modes", layout.modes, units.modes))
        .collect()
}

/// Everything that a run shows, in the order of [`everything`].
pub(super) fn all<'a>(layout: &Layout<'a>, units: &Units<'a>) -> Vec<Source<'a>> {
    let energies = ["energy.kinetic", "energy.potential", "energy.dissipation"];
    let mut all = states(layout, units);
    all.extend(kind("inputs", layout.u, units.u));
    all.extend(kind("outputs", layout.outputs, units.y));
    all.extend(kind("energies", &energies, &[units.energy, units.energy, units.power]));
    all.extend(kind("steps", &["run.step"], &[units.time]));
    all
}

/// A column for each, with the other names of rates.
pub(super) fn columns(layout: &Layout<'_>, sources: &[Source<'_>]) -> Vec<Column> {
    let mut all: Vec<Column> = sources.iter().enumerate().map(|(place, source)| source.column(place)).collect();
    let (first, behind) = (1 + layout.q.len(), layout.v.len() + layout.z.len());
    for (i, (coordinate, velocity)) in layout.directions.iter().zip(layout.v).enumerate() {
        let rate = format!("der({coordinate})");
        if layout.q.contains(coordinate) && rate != *velocity {
            all[first + behind + i].also = Some(format!("der({rate})"));
            all[first + i].also = Some(rate);
        }
    }
    all
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
