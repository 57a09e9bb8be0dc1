//! Plots of tables.

use ode_runtime::{Column, Table};

use super::Plot;
use crate::ViewError;

/// A column of a run that is to be drawn.
struct Drawn<'t> {
    run: &'t str,
    table: &'t Table,
    /// as it was asked for
    name: String,
    column: &'t Column,
}

impl Plot {
    /// Columns over the column `t`. Their unit stands at the axis, or in the legend if they have several.
    ///
    /// A name is that of a column, of a whole, as `r` is of `r.x`, or of a group, as `energies`: [`Table::only`].
    ///
    /// # Errors
    /// [`ViewError::Unknown`] with the most similar column.
    pub fn over_time(table: &Table, columns: &[&str]) -> Result<Self, ViewError> {
        Self::compare(&[("", table)], columns)
    }

    /// The same columns of several runs over their columns `t`, each run with a name: `[("coarse", &a), ("fine", &b)]`.
    ///
    /// # Errors
    /// As [`Plot::over_time`].
    pub fn compare(runs: &[(&str, &Table)], columns: &[&str]) -> Result<Self, ViewError> {
        let mut all: Vec<Drawn<'_>> = Vec::new();
        for (run, table) in runs {
            for name in columns {
                let found = named(table, name)?;
                all.extend(found.into_iter().map(|(name, column)| Drawn { run, table, name, column }));
            }
        }
        let Some(first) = all.first() else { return Ok(Self::new()) };
        let same_unit = all.iter().all(|other| other.column.unit == first.column.unit);
        let same_name = same_unit && all.iter().all(|other| other.name == first.name);
        let plot = Self::new().across(&first.table.about("t")?.to_string());
        let plot = match first.column.unit.as_str() {
            _ if same_name => plot.upward(&first.with_unit()),
            unit if same_unit && !unit.is_empty() => plot.upward(&format!("[{unit}]")),
            _ => plot,
        };
        all.iter().try_fold(plot, |plot, one| {
            plot.columns(&one.label(same_name, same_unit), one.table, "t", &one.column.name)
        })
    }

    /// One column over another: a phase portrait, or a path.
    ///
    /// # Errors
    /// [`ViewError::Unknown`] with the most similar column.
    pub fn phase(table: &Table, across: &str, upward: &str) -> Result<Self, ViewError> {
        let [x, y] = [table.about(across)?.to_string(), table.about(upward)?.to_string()];
        Self::new().across(&x).upward(&y).columns(&y, table, across, upward)
    }

    /// Adds one column over another, under a name of its own: of another run, for example.
    ///
    /// # Errors
    /// [`ViewError::Unknown`] with the most similar column.
    pub fn columns(self, label: &str, table: &Table, across: &str, upward: &str) -> Result<Self, ViewError> {
        let points = table.column(across)?.zip(table.column(upward)?);
        Ok(self.curve(label, points))
    }
}

impl Drawn<'_> {
    /// `der(th) [rad/s]`
    fn with_unit(&self) -> String {
        match self.column.unit.as_str() {
            "" => self.name.clone(),
            unit => format!("{} [{unit}]", self.name),
        }
    }

    /// What the legend says of it, beside others. One curve is called as its axis.
    fn label(&self, same_name: bool, same_unit: bool) -> String {
        let name = if same_unit && !same_name { self.name.clone() } else { self.with_unit() };
        match self.run {
            "" => name,
            run if same_name => run.to_owned(),
            run => format!("{run}: {name}"),
        }
    }
}

/// The columns that a name stands for. A column alone is called as it was asked for.
fn named<'t>(table: &'t Table, name: &str) -> Result<Vec<(String, &'t Column)>, ViewError> {
    if let Ok(column) = table.about(name) {
        return Ok(vec![(name.to_owned(), column)]);
    }
    Ok(table.matching(name)?.into_iter().map(|column| (column.name.clone(), column)).collect())
}
