//! A run as a table of named columns.

mod columns;
mod print;
#[cfg(feature = "serde")]
mod read;

pub use columns::Column;

use core::fmt;
use std::borrow::ToOwned;
use std::collections::BTreeSet;
use std::string::String;
use std::vec::Vec;

use crate::error::Name;
use crate::error::unknown::{Hint, UnknownName};
use crate::model::layout::Layout;
use crate::model::observable::{Observable, Units};
use crate::model::seen::{Seen, Side};
use crate::model::state::State;
use crate::model::system::System;
use crate::numbers::scalar::Real;

/// Named columns of what a run has shown.
///
/// [`Table::of`] has a column for everything: `t`, each entry of q, v and z, `der(…)` of each velocity, each multiplier
/// and each mode, inputs and outputs, `energy.kinetic`, `energy.potential`, `energy.dissipation` (the power 2R), and
/// `run.step`, the length of the step; and it keeps the events. [`Table::only`] chooses among them. [`Table::new`] has
/// the states alone, of any system.
///
/// Names are those of the model's text: the velocity of `th` is `der(th)` and its acceleration `der(der(th))`; the
/// multiplier of `rod` is `rod.lambda`. For `coord (x, v)` the columns are `v` and `der(v)`, and are found by `der(x)`
/// and `der(der(x))` too.
///
/// The feature `serde` reads and writes it. A format without infinite and undefined numbers, as JSON, keeps them as
/// nothing (`null`), and they come back as NaN.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "read::Parts"))]
pub struct Table {
    columns: Vec<Column>,
    /// row by row
    values: Vec<f64>,
    /// columns that there could be
    unrecorded: Vec<String>,
    /// in time
    events: Vec<RecordedEvent>,
}

/// An event of a recorded run.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct RecordedEvent {
    /// when
    pub time: f64,
    /// its name, the first of several at its time
    pub event: String,
}

/// Two tables have different columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherColumns {
    /// the first column that differs, counted from 0
    pub column: usize,
    /// its name in the table that was to be continued, if that has so many columns
    pub here: Option<Name>,
    /// its name in the table that was to follow, if that has so many columns
    pub other: Option<Name>,
}

impl fmt::Display for OtherColumns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { column, here, other } = self;
        write!(f, "the tables have different columns: in column {column} the first has ")?;
        match here {
            Some(here) => write!(f, "`{here}`")?,
            None => f.write_str("nothing")?,
        }
        match other {
            Some(other) => write!(f, " and the second `{other}`"),
            None => f.write_str(" and the second nothing"),
        }
    }
}

impl core::error::Error for OtherColumns {}

impl Table {
    /// An empty table for everything that runs of a model show, for [`Table::record`].
    pub fn of<S: Observable>(system: &S) -> Self {
        let layout = system.layout();
        let columns = columns::columns(&layout, &columns::all(&layout, &system.units()));
        Self { columns, ..Self::default() }
    }

    /// An empty table for the states of a system of this layout.
    pub fn new(layout: &Layout<'_>) -> Self {
        let unrecorded = layout.u.iter().chain(layout.outputs).map(|&name| name.to_owned()).collect();
        let columns = columns::columns(layout, &columns::states(layout, &Units::default()));
        Self { columns, unrecorded, ..Self::default() }
    }

    /// An empty table of these columns, for [`Table::push_row`]. Runs have no numbers for them.
    pub fn with_columns(columns: impl IntoIterator<Item = String>) -> Self {
        let columns = columns.into_iter().map(|name| Column::named(name, None)).collect();
        Self { columns, ..Self::default() }
    }

    /// The same of names and units: `[("speed", "m/s")]`.
    pub fn with_units<'a>(columns: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let column = |(name, unit): (&str, &str)| {
            let unit = unit.to_owned();
            Column { unit, ..Column::named(name.to_owned(), None) }
        };
        Self { columns: columns.into_iter().map(column).collect(), ..Self::default() }
    }

    /// Keeps `t` and these columns, in this order. A name is that of a column, of a whole, as `r` is of `r.x`, or of a
    /// group: `states`, `accelerations`, `multipliers`, `modes`, `inputs`, `outputs`, `energies`, `steps`. Rows so far
    /// keep these columns too.
    ///
    /// # Errors
    /// [`UnknownName`] with the most similar name, or with those that there are.
    pub fn only(mut self, names: &[&str]) -> Result<Self, UnknownName> {
        let mut kept: Vec<usize> = self.columns.iter().position(|column| column.name == "t").into_iter().collect();
        for name in names {
            kept.extend(self.meant(name)?);
        }
        let mut seen = std::vec![false; self.columns.len()];
        kept.retain(|&i| !core::mem::replace(&mut seen[i], true));
        let values = self.rows().flat_map(|row| kept.iter().map(|&i| row[i]).collect::<Vec<_>>()).collect();
        let left = (0..self.columns.len()).filter(|i| !kept.contains(i));
        self.unrecorded.extend(left.map(|i| self.columns[i].name.clone()).collect::<Vec<_>>());
        self.columns = kept.iter().map(|&i| self.columns[i].clone()).collect();
        self.values = values;
        Ok(self)
    }

    /// Appends a row of numbers, one for each column: missing numbers become NaN, surplus numbers are dropped.
    pub fn push_row(&mut self, row: impl IntoIterator<Item = f64>) {
        let missing = core::iter::repeat(f64::NAN);
        self.values.extend(row.into_iter().chain(missing).take(self.columns.len()));
    }

    /// Appends a row of what a run shows, and its event if it stands after one. A column that the model of the run does
    /// not have in this place, under this name, gets NaN.
    pub fn record<S: Observable<Real: Real>>(&mut self, seen: &Seen<'_, S>) {
        let sources = columns::all(&seen.system().layout(), &Units::default());
        let numbers = columns::everything(seen);
        self.pick(|column, place| {
            numbers.get(place).filter(|_| sources.get(place).is_some_and(|source| source.fills(&column.name))).copied()
        });
        if let Some((event, Side::After)) = seen.event() {
            self.events.push(RecordedEvent { time: seen.t.to_f64(), event: event.as_str().to_owned() });
        }
    }

    /// Appends a row of a state. What is not of the state gets NaN: [`Table::record`] fills it.
    pub fn push<S: System<Real: Real>>(&mut self, x: &State<S>) {
        let numbers = columns::numbers(x);
        self.pick(|_, place| numbers.get(place).copied());
    }

    /// Appends the numbers of the columns, as far as there are any.
    fn pick(&mut self, number: impl Fn(&Column, usize) -> Option<f64>) {
        let number = |column: &Column| column.place.and_then(|place| number(column, place)).unwrap_or(f64::NAN);
        self.values.extend(self.columns.iter().map(number));
    }

    /// Appends the rows of a run that continued this one; a first row with the same time as the last one here is left
    /// out.
    ///
    /// # Errors
    /// The first column that differs; then nothing has changed.
    pub fn append(&mut self, other: &Self) -> Result<(), OtherColumns> {
        let name = |table: &Self, column: usize| table.columns.get(column).map(|column| Name::new(&column.name));
        let differs = |&column: &usize| name(self, column) != name(other, column);
        if let Some(column) = (0..self.columns.len().max(other.columns.len())).find(differs) {
            return Err(OtherColumns { column, here: name(self, column), other: name(other, column) });
        }
        let width = self.columns.len().max(1);
        let time = self.columns.iter().position(|column| column.name == "t");
        let again = time.is_some_and(|t| {
            let last = self.rows().last().map(|row| row[t]);
            last.is_some() && last == other.rows().next().map(|row| row[t])
        });
        self.values.extend(other.values.iter().skip(if again { width } else { 0 }));
        self.events.extend_from_slice(&other.events);
        Ok(())
    }

    /// The columns: names and units.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The names of the columns.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|column| column.name.as_str())
    }

    /// The events of the run, in time.
    pub fn events(&self) -> &[RecordedEvent] {
        &self.events
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.values.len() / self.columns.len().max(1)
    }

    /// Whether no row was pushed.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The rows, in time.
    pub fn rows(&self) -> impl Iterator<Item = &[f64]> {
        self.values.chunks_exact(self.columns.len().max(1))
    }

    /// The column of this name, from the first row to the last.
    ///
    /// # Errors
    /// [`UnknownName`] with the most similar column, or with those that there are.
    pub fn column<'t>(&'t self, name: &str) -> Result<impl Iterator<Item = f64> + use<'t>, UnknownName> {
        let index = self.place(name)?;
        Ok(self.values.iter().skip(index).step_by(self.columns.len().max(1)).copied())
    }

    /// The column of this name, with its unit.
    ///
    /// # Errors
    /// As [`Table::column`].
    pub fn about(&self, name: &str) -> Result<&Column, UnknownName> {
        self.place(name).map(|place| &self.columns[place])
    }

    /// The columns that a name stands for in [`Table::only`]: that of a column, of a whole, or of a group.
    ///
    /// # Errors
    /// [`UnknownName`] with the most similar name, or with those that there are.
    pub fn matching(&self, name: &str) -> Result<Vec<&Column>, UnknownName> {
        Ok(self.meant(name)?.into_iter().map(|place| &self.columns[place]).collect())
    }

    /// The places of the columns that a name stands for.
    fn meant(&self, name: &str) -> Result<Vec<usize>, UnknownName> {
        let meant = |column: &Column| column.is_meant_by(name) || !name.is_empty() && column.group == name;
        let found: Vec<usize> = (0..self.columns.len()).filter(|&i| meant(&self.columns[i])).collect();
        if found.is_empty() { Err(self.unknown(name, true)) } else { Ok(found) }
    }

    /// The place of a column, by one of its names.
    fn place(&self, name: &str) -> Result<usize, UnknownName> {
        self.columns.iter().position(|column| column.is_called(name)).ok_or_else(|| self.unknown(name, false))
    }

    /// There is no such column, and perhaps no such group.
    fn unknown(&self, name: &str, groups: bool) -> UnknownName {
        let names = self.columns.iter().flat_map(|c| core::iter::once(&c.name).chain(&c.also)).map(String::as_str);
        let words = self.columns.iter().map(|c| c.group.as_str()).filter(|word| groups && !word.is_empty());
        let groups: BTreeSet<&str> = words.collect();
        let unknown = UnknownName::new("column", name, names.chain(groups));
        let others = self.unrecorded.iter().map(String::as_str);
        let is_other = others.clone().any(|other| other == name);
        let hint = match (unknown.hint, UnknownName::new("column", name, others).hint) {
            (hint @ Hint::Near(_), _) if !is_other => hint,
            (_, Hint::Near(other)) => Hint::Unrecorded(other),
            (hint, _) => hint,
        };
        UnknownName { hint, ..unknown }
    }
}
