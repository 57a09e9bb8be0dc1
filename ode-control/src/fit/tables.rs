//! Predictions beside measurements.

use ode_runtime::integrators::Vary;
use ode_runtime::{Observable, Parametric, Sensitive, Solvable, Table};

use crate::fit::error::FitError;
use crate::fit::problem::{Estimates, Problem};

impl<S, M> Problem<'_, S, M>
where
    S: Solvable<Real = f64, U: Copy> + Sensitive + Parametric + Observable,
    M: Vary<S> + Clone,
{
    /// For each log, a row for each time with measurements.
    pub(super) fn tables(&self, at: &Estimates<S>) -> Result<Vec<Table>, FitError> {
        let mut tables = Vec::new();
        for (predictions, experiment) in self.all_predictions(at)?.iter().zip(&self.experiments) {
            let mut columns = vec![("t".to_owned(), self.system.units().time)];
            for channel in &self.channels {
                let name = |what: &str| format!("{}.{what}", channel.name);
                columns.extend(["predicted", "measured", "residual"].map(|what| (name(what), channel.unit.as_str())));
            }
            let mut table = Table::with_units(columns.iter().map(|(name, unit)| (name.as_str(), *unit)));
            for (predicted, (time, measured)) in predictions.iter().zip(&experiment.rows) {
                let numbers = predicted.iter().zip(measured).flat_map(|(y, measured)| [*y, *measured, y - measured]);
                table.push_row(core::iter::once(*time).chain(numbers));
            }
            tables.push(table);
        }
        Ok(tables)
    }

    /// A name for each measurement.
    pub(super) fn measurement_names(&self) -> Vec<String> {
        let mut names = Vec::new();
        for (log, experiment) in self.experiments.iter().enumerate() {
            let of = if self.experiments.len() > 1 { format!(" in log {}", log + 1) } else { String::new() };
            for (time, measured) in &experiment.rows {
                let present = self.channels.iter().zip(measured).filter(|(_, measured)| !measured.is_nan());
                names.extend(present.map(|(channel, _)| format!("{} at {time}{of}", channel.name)));
            }
        }
        names
    }
}
