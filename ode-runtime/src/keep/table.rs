//! A run as a table of named columns, and as CSV.

use core::fmt::{self, Write as _};
use std::borrow::ToOwned;
use std::format;
use std::io;
use std::string::String;
use std::vec::Vec;

use crate::error::Name;
use crate::error::unknown::{Hint, UnknownName};
use crate::model::differentiable::Differentiable;
use crate::model::layout::{Block, Layout};
use crate::model::state::State;
use crate::model::system::System;
use crate::numbers::scalar::Real;

/// Named columns: `t`, each entry of q, v and z, `der(…)` of each velocity, each multiplier, each mode.
///
/// Names are those of the model's text: the velocity of `th` is `der(th)` and its acceleration `der(der(th))`; the
/// multiplier of `rod` is `rod.lambda`. For `coord (x, v)` the columns are `v` and `der(v)`, and are found by `der(x)`
/// and `der(der(x))` too.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Table {
    columns: Vec<String>,
    /// row by row
    values: Vec<f64>,
    /// further names of columns, with their places: `der(x)` where the velocity has a name of its own
    #[cfg_attr(feature = "serde", serde(default))]
    also: Vec<(String, usize)>,
    /// outputs of the model that have no columns
    #[cfg_attr(feature = "serde", serde(default))]
    unrecorded: Vec<String>,
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
    /// An empty table for a system of this layout.
    pub fn new(layout: &Layout<'_>) -> Self {
        let mut columns = Vec::new();
        columns.push("t".to_owned());
        columns.extend(layout.q.iter().map(|&name| name.to_owned()));
        columns.extend(layout.v.iter().map(|&name| name.to_owned()));
        columns.extend(layout.z.iter().map(|&name| name.to_owned()));
        columns.extend(layout.v.iter().map(|name| format!("der({name})")));
        columns.extend(layout.multipliers.iter().map(|&name| name.to_owned()));
        columns.extend(layout.modes.iter().map(|&name| name.to_owned()));
        let first = 1 + layout.q.len();
        let behind = layout.v.len() + layout.z.len();
        let mut also = Vec::new();
        for (i, (coordinate, velocity)) in layout.directions.iter().zip(layout.v).enumerate() {
            let rate = format!("der({coordinate})");
            if layout.q.contains(coordinate) && rate != *velocity {
                also.push((format!("der({rate})"), first + behind + i));
                also.push((rate, first + i));
            }
        }
        let unrecorded = layout.outputs.iter().map(|&name| name.to_owned()).collect();
        Self { columns, also, unrecorded, ..Self::default() }
    }

    /// An empty table of these columns, for [`Table::push_row`].
    pub fn with_columns(columns: impl IntoIterator<Item = String>) -> Self {
        Self { columns: columns.into_iter().collect(), ..Self::default() }
    }

    /// Appends a row of numbers, one for each column: missing numbers become NaN, surplus numbers are dropped.
    pub fn push_row(&mut self, row: impl IntoIterator<Item = f64>) {
        let missing = core::iter::repeat(f64::NAN);
        self.values.extend(row.into_iter().chain(missing).take(self.columns.len()));
    }

    /// Appends a row. Columns for outputs get NaN: [`Table::push_outputs`] fills them.
    pub fn push<S: System<Real: Real>>(&mut self, x: &State<S>) {
        self.push_row(numbers(x));
    }

    /// An empty table that also has a column for each output of the model.
    pub fn with_outputs<S: Differentiable>(system: &S) -> Self {
        let mut table = Self::new(&system.layout());
        table.columns.append(&mut table.unrecorded);
        table
    }

    /// Appends a row with the outputs too, for inputs `u`; without them if the table has no columns for outputs.
    ///
    /// The inputs at the state that a run has reached, by a function or a controller too, are
    /// [`Simulation::input`](crate::Simulation::input).
    pub fn push_outputs<S: Differentiable<Real: Real>>(&mut self, system: &S, u: &S::U, x: &State<S>) {
        let mut outputs = S::Y::zeros(system.layout().outputs.len());
        system.outputs(x.at(u), x.rates(), &mut outputs);
        self.push_row(numbers(x).chain(outputs.as_ref().iter().map(|value| value.to_f64())));
    }

    /// Appends the rows of a run that continued this one; a first row with the same time as the last one here is left
    /// out.
    ///
    /// # Errors
    /// The first column that differs; then nothing has changed.
    pub fn append(&mut self, other: &Self) -> Result<(), OtherColumns> {
        let differs = |&column: &usize| self.columns.get(column) != other.columns.get(column);
        if let Some(column) = (0..self.columns.len().max(other.columns.len())).find(differs) {
            let name = |table: &Self| table.columns.get(column).map(|name| Name::new(name));
            return Err(OtherColumns { column, here: name(self), other: name(other) });
        }
        let width = self.columns.len().max(1);
        let last = self.values.len().checked_sub(width).and_then(|row| self.values.get(row));
        let again = last.is_some() && last == other.values.first();
        self.values.extend(other.values.iter().skip(if again { width } else { 0 }));
        Ok(())
    }

    /// Names of the columns.
    pub fn columns(&self) -> &[String] {
        &self.columns
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
    pub fn column(&self, name: &str) -> Result<impl Iterator<Item = f64> + '_, UnknownName> {
        let index = self.place(name)?;
        Ok(self.values.iter().skip(index).step_by(self.columns.len().max(1)).copied())
    }

    /// The place of a column, by one of its names.
    fn place(&self, name: &str) -> Result<usize, UnknownName> {
        let also = || self.also.iter().find(|(other, _)| other == name).map(|&(_, place)| place);
        if let Some(place) = self.columns.iter().position(|column| column == name).or_else(also) {
            return Ok(place);
        }
        let names = self.columns.iter().chain(self.also.iter().map(|(other, _)| other));
        let unknown = UnknownName::new("column", name, names.map(String::as_str));
        let outputs = self.unrecorded.iter().map(String::as_str);
        let exact = outputs.clone().any(|output| output == name);
        let hint = match (unknown.hint, UnknownName::new("output", name, outputs).hint) {
            (hint @ Hint::Near(_), _) if !exact => hint,
            (_, Hint::Near(output)) => Hint::Output(output),
            (hint, _) => hint,
        };
        Err(UnknownName { hint, ..unknown })
    }

    /// Writes a header and the rows, comma separated, with enough digits to read back the same numbers.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_csv(&self, mut out: impl io::Write) -> io::Result<()> {
        let header: Vec<_> = self.columns.iter().map(|name| quoted(name)).collect();
        writeln!(out, "{}", header.join(","))?;
        let mut line = String::new();
        for row in self.rows() {
            line.clear();
            for (i, value) in row.iter().enumerate() {
                let comma = if i > 0 { "," } else { "" };
                // Writing to a string cannot fail.
                let _ = write!(line, "{comma}{value:?}");
            }
            writeln!(out, "{line}")?;
        }
        Ok(())
    }
}

/// The numbers of a state in the order of the columns.
fn numbers<S: System<Real: Real>>(x: &State<S>) -> impl Iterator<Item = f64> {
    let blocks = [x.q.as_ref(), x.v.as_ref(), x.z.as_ref(), x.a.as_ref(), x.lambda.as_ref(), x.modes.as_ref()];
    core::iter::once(x.t.to_f64()).chain(blocks.into_iter().flatten().map(|value| value.to_f64()))
}

/// A field of RFC 4180.
fn quoted(name: &str) -> String {
    if name.contains([',', '"', '\n']) { format!("\"{}\"", name.replace('"', "\"\"")) } else { name.to_owned() }
}
