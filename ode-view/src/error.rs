//! Why there is no picture.

use std::fmt;
use std::io;
use std::path::PathBuf;

use ode_runtime::{Name, UnknownName};

/// Why there is no picture. Nothing was written.
#[derive(Debug)]
#[non_exhaustive]
pub enum ViewError {
    /// there is no column or figure of this name
    Unknown(UnknownName),
    /// a film without frames, or a plot without a curve
    Empty {
        /// what has nothing in it
        what: &'static str,
    },
    /// a curve without a point: of a run that recorded nothing
    NoPoints {
        /// what the legend calls it: its column, with the unit
        name: Name,
    },
    /// a curve without a point that can be drawn
    NoNumber {
        /// what the legend calls it
        name: Name,
    },
    /// a figure with a number that is infinite or undefined
    NotFinite {
        /// the figure
        name: Name,
        /// the time of the frame
        time: f64,
    },
    /// a figure with more or fewer numbers than its form is drawn from, or than the picture has for it
    Misfit {
        /// the figure
        name: Name,
    },
    /// a figure with a number for which a file has no room
    TooLarge {
        /// the figure
        name: Name,
        /// the time of the frame
        time: f64,
        /// the number
        value: f64,
    },
    /// a figure on a pose whose direction is not of length 1
    NotUnit {
        /// the figure
        name: Name,
        /// the time of the frame
        time: f64,
        /// of (cos, sin), or of the quaternion
        length: f64,
    },
    /// a setting out of range
    Invalid {
        /// what it is
        what: &'static str,
        /// its value
        value: f64,
    },
    /// a frame is of a model with other figures
    OtherModel,
    /// what draws has failed
    Drawing(String),
    /// the name of a file promises what it would not be
    Ending {
        /// its path
        path: PathBuf,
        /// what it can end with
        known: &'static [&'static str],
    },
    /// the file cannot be written
    File {
        /// its path
        path: PathBuf,
        /// why
        cause: io::Error,
    },
}

impl fmt::Display for ViewError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(unknown) => unknown.fmt(f),
            Self::Empty { what } => write!(f, "the {what} is empty"),
            Self::NoPoints { name } => write!(f, "`{name}` has no points: nothing was recorded"),
            Self::NoNumber { name } => write!(f, "`{name}` has no number that can be drawn"),
            Self::NotFinite { name, time } => write!(f, "`{name}` has no finite number at t = {time}"),
            Self::Misfit { name } => write!(f, "figure `{name}` has not the numbers that its form is drawn from"),
            Self::TooLarge { name, time, value } => {
                write!(f, "`{name}` cannot be drawn at t = {time}: {value:e} is larger than 1e30")
            }
            Self::NotUnit { name, time, length } => {
                write!(f, "`{name}` has a direction of length {length} at t = {time}, not of length 1")
            }
            Self::Invalid { what, value } => write!(f, "{what} cannot be {value}"),
            Self::OtherModel => write!(f, "a frame of the film is of a model with other figures"),
            Self::Drawing(why) => write!(f, "the picture cannot be drawn: {why}"),
            Self::Ending { path, known } => {
                let known = known.iter().map(|ending| format!("`.{ending}`")).collect::<Vec<_>>().join(" or ");
                write!(f, "cannot write `{}`: its name must end with {known}", path.display())
            }
            Self::File { path, cause } => write!(f, "cannot write `{}`: {cause}", path.display()),
        }
    }
}

impl std::error::Error for ViewError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::File { cause, .. } => Some(cause),
            _ => None,
        }
    }
}

impl From<UnknownName> for ViewError {
    fn from(unknown: UnknownName) -> Self {
        Self::Unknown(unknown)
    }
}
