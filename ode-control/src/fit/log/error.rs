//! Why a log is refused.

use core::fmt;

use ode_runtime::{Name, UnknownName};

/// Where in a log: at a line of a text, or at a row of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogPlace {
    /// the line of a text, counted from 1
    Line(u64),
    /// the row, counted from 1
    Row(usize),
}

impl fmt::Display for LogPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Row(row) => write!(f, "row {row}"),
        }
    }
}

/// Why measurements make no [`Log`](crate::Log).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum LogError {
    /// There is no column of this name.
    Unknown(UnknownName),
    /// The text could not be read.
    Unread {
        /// what the reader said
        reason: String,
    },
    /// An entry is no number.
    NotANumber {
        /// where
        place: LogPlace,
        /// its column
        column: Name,
        /// what stands there
        text: String,
    },
    /// An entry is infinite.
    Infinite {
        /// where
        place: LogPlace,
        /// its column
        column: Name,
    },
    /// A time is missing or NaN.
    NoTime {
        /// where
        place: LogPlace,
        /// the column of times
        column: Name,
    },
    /// A time is not later than the one before it.
    NotLater {
        /// where
        place: LogPlace,
        /// the time
        time: f64,
        /// the time before it
        before: f64,
    },
    /// A column has not one entry for each time.
    Length {
        /// the column
        column: Name,
        /// its entries
        found: usize,
        /// the times
        expected: usize,
    },
    /// Two columns have one name, so that it does not say which.
    Twice {
        /// the name
        column: Name,
    },
    /// There is no row.
    Empty,
}

impl From<UnknownName> for LogError {
    fn from(unknown: UnknownName) -> Self {
        Self::Unknown(unknown)
    }
}

impl fmt::Display for LogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(unknown) => unknown.fmt(f),
            Self::Unread { reason } => write!(f, "the log cannot be read: {reason}"),
            Self::NotANumber { place, column, text } => {
                write!(f, "{place}: `{text}` in column `{column}` is no number; leave a missing value empty")
            }
            Self::Infinite { place, column } => {
                write!(f, "{place}: column `{column}` is infinite; leave a missing value empty")
            }
            Self::NoTime { place, column } => write!(f, "{place}: there is no time in column `{column}`"),
            Self::NotLater { place, time, before } => {
                write!(f, "{place}: time {time} is not later than {before} before it; sort the rows, and keep one each")
            }
            Self::Length { column, found, expected } => {
                write!(f, "column `{column}` has {found} values for {expected} times")
            }
            Self::Twice { column } => write!(f, "two columns are named `{column}`"),
            Self::Empty => f.write_str("the log has no rows"),
        }
    }
}

impl core::error::Error for LogError {}
