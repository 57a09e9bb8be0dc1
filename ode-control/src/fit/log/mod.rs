//! What was measured: times, and columns by name.

mod csv;
pub(super) mod error;

use error::{LogError, LogPlace};
use ode_runtime::{Name, Table, UnknownName};

/// What was measured in one experiment: times, and columns by name.
///
/// A column has the name of what it measures: an output of the model, else a coordinate, a velocity or a state; or an
/// input that was recorded. Units are the model's. NaN is a value that is missing.
///
/// ```
/// use ode_control::Log;
///
/// # fn main() -> Result<(), ode_control::LogError> {
/// let text = "time,angle,current\n0.0,0.31,1.2\n0.1,,1.1\n0.2,0.24,1.0\n";
/// let log = Log::read_csv(text.as_bytes(), "time", &["angle"])?;
/// assert_eq!(log.times(), [0.0, 0.1, 0.2]);
/// assert!(log.column("angle")?[1].is_nan());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Log {
    times: Vec<f64>,
    places: Vec<LogPlace>,
    columns: Vec<(String, Vec<f64>)>,
    begins: Option<f64>,
    starts: Vec<(String, f64)>,
}

impl Log {
    /// A log with these times and no columns so far: [`Log::with`].
    ///
    /// # Errors
    /// [`LogError`]: no times, or one that is not finite or not later than the one before.
    pub fn new(times: &[f64]) -> Result<Self, LogError> {
        Self::checked(times.to_vec(), "t", (1..=times.len()).map(LogPlace::Row).collect(), Vec::new())
    }

    /// Adds a column.
    ///
    /// # Errors
    /// [`LogError`]: not one value for each time, or an infinite one; a name that another column has.
    pub fn with(mut self, name: &str, values: &[f64]) -> Result<Self, LogError> {
        self.columns.push((name.to_owned(), values.to_vec()));
        let Self { times, places, columns, .. } = self;
        let checked = Self::checked(times, "t", places, columns)?;
        Ok(Self { begins: self.begins, starts: self.starts, ..checked })
    }

    /// Columns of a table, with the times of its column `t`.
    ///
    /// # Errors
    /// [`LogError`]: a column that does not exist; times that are not later than those before, as around events.
    pub fn of_table(table: &Table, columns: &[&str]) -> Result<Self, LogError> {
        let mut log = Self::new(&table.column("t")?.collect::<Vec<f64>>())?;
        for name in columns {
            log = log.with(name, &table.column(name)?.collect::<Vec<f64>>())?;
        }
        Ok(log)
    }

    /// The same with another name of a column.
    ///
    /// # Errors
    /// [`LogError`]: a column that does not exist; a name that another column has.
    pub fn renamed(mut self, from: &str, to: &str) -> Result<Self, LogError> {
        let place = self.place(from)?;
        if from != to && self.columns.iter().any(|(name, _)| name == to) {
            return Err(LogError::Twice { column: Name::new(to) });
        }
        self.columns[place].0 = to.to_owned();
        Ok(self)
    }

    /// The motion begins at this time, not at the first of the log.
    #[must_use]
    pub fn beginning_at(mut self, time: f64) -> Self {
        self.begins = Some(time);
        self
    }

    /// The value of a coordinate, a velocity or a state where the motion begins, by the name that
    /// [`Fit::start_of`](crate::Fit::start_of) knows it by; else it is that of the model's consistent start. A fit
    /// begins there if it asks for the start of it, and keeps it if not.
    #[must_use]
    pub fn beginning_with(mut self, name: &str, value: f64) -> Self {
        self.starts.push((name.to_owned(), value));
        self
    }

    /// The times.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// The values of a column, one for each time.
    ///
    /// # Errors
    /// A column that does not exist.
    pub fn column(&self, name: &str) -> Result<&[f64], UnknownName> {
        Ok(&self.columns[self.place(name)?].1)
    }

    fn place(&self, name: &str) -> Result<usize, UnknownName> {
        let names: Vec<&str> = self.columns.iter().map(|(name, _)| name.as_str()).collect();
        UnknownName::place("column of the log", name, &names)
    }

    /// When the motion begins.
    pub(crate) fn begins(&self) -> f64 {
        self.begins.unwrap_or(self.times[0])
    }

    /// The values that it begins with, by name.
    pub(crate) fn starts(&self) -> &[(String, f64)] {
        &self.starts
    }

    /// Where a row was read.
    pub(crate) fn row(&self, row: usize) -> LogPlace {
        self.places[row]
    }

    /// A log whose times are finite and ascend, with finite or missing values.
    fn checked(
        times: Vec<f64>,
        time: &str,
        places: Vec<LogPlace>,
        columns: Vec<(String, Vec<f64>)>,
    ) -> Result<Self, LogError> {
        if times.is_empty() {
            return Err(LogError::Empty);
        }
        let mut before = f64::NEG_INFINITY;
        for (&t, &place) in times.iter().zip(&places) {
            if !t.is_finite() {
                return Err(LogError::NoTime { place, column: Name::new(time) });
            }
            if t <= before {
                return Err(LogError::NotLater { place, time: t, before });
            }
            before = t;
        }
        for (k, (name, values)) in columns.iter().enumerate() {
            let column = Name::new(name);
            if columns[..k].iter().any(|(before, _)| before == name) {
                return Err(LogError::Twice { column });
            }
            if values.len() != times.len() {
                return Err(LogError::Length { column, found: values.len(), expected: times.len() });
            }
            if let Some(row) = values.iter().position(|x| x.is_infinite()) {
                return Err(LogError::Infinite { place: places[row], column });
            }
        }
        Ok(Self { times, places, columns, begins: None, starts: Vec::new() })
    }
}
