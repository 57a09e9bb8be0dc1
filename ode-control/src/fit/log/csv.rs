//! A log from comma-separated values.

use std::fs::File;
use std::io;
use std::path::Path;

use csv::{ReaderBuilder, StringRecord, Trim};
use ode_runtime::{Name, UnknownName};

use crate::fit::log::Log;
use crate::fit::log::error::{LogError, LogPlace};

impl Log {
    /// Reads comma-separated values (RFC 4180) below a line of names: the times, and the columns that are wanted. An
    /// empty entry, or `NaN`, is a value that is missing.
    ///
    /// # Errors
    /// [`LogError`]: a column that does not exist, or that there are two of; by its line, an entry that is no number, a
    /// missing time, or one that is not later than the one before.
    pub fn read_csv(from: impl io::Read, time: &str, columns: &[&str]) -> Result<Self, LogError> {
        let mut reader = ReaderBuilder::new().trim(Trim::All).from_reader(from);
        let header = reader.headers().map_err(unread)?.clone();
        let names: Vec<&str> = header.iter().collect();
        let place = |wanted: &str| {
            let place = UnknownName::place("column", wanted, &names)?;
            let again = names[place + 1..].contains(&names[place]);
            if again { Err(LogError::Twice { column: Name::new(wanted) }) } else { Ok(place) }
        };
        let at = place(time)?;
        let chosen: Vec<usize> = columns.iter().map(|name| place(name)).collect::<Result<_, LogError>>()?;
        let (mut times, mut values, mut places) = (Vec::new(), vec![Vec::new(); chosen.len()], Vec::new());
        let mut record = StringRecord::new();
        while reader.read_record(&mut record).map_err(unread)? {
            let place = LogPlace::Line(record.position().map_or(0, csv::Position::line));
            times.push(number(&record, at, time, place)?);
            for ((&column, name), values) in chosen.iter().zip(columns).zip(&mut values) {
                values.push(number(&record, column, name, place)?);
            }
            places.push(place);
        }
        let columns = columns.iter().map(|name| (*name).to_owned()).zip(values).collect();
        Self::checked(times, time, places, columns)
    }

    /// The same of a file.
    ///
    /// # Errors
    /// As [`Log::read_csv`]; and [`LogError::Unread`] if there is no such file.
    pub fn open_csv(path: impl AsRef<Path>, time: &str, columns: &[&str]) -> Result<Self, LogError> {
        let path = path.as_ref();
        let file =
            File::open(path).map_err(|error| LogError::Unread { reason: format!("{}: {error}", path.display()) })?;
        Self::read_csv(file, time, columns)
    }
}

fn unread(error: csv::Error) -> LogError {
    LogError::Unread { reason: error.to_string() }
}

/// The number of an entry; NaN where it is empty.
fn number(record: &StringRecord, at: usize, column: &str, place: LogPlace) -> Result<f64, LogError> {
    match record.get(at).unwrap_or_default() {
        "" => Ok(f64::NAN),
        text => {
            text.parse().map_err(|_| LogError::NotANumber { place, column: Name::new(column), text: text.to_owned() })
        }
    }
}
