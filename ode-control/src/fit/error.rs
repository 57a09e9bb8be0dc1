//! Why a fit is refused.

use core::fmt;

use ode_runtime::{Name, RunError, UnknownName};

use crate::fit::log::error::{LogError, LogPlace};

/// Why there is no fit.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum FitError {
    /// There is no parameter, output, column or start of this name.
    Unknown(UnknownName),
    /// A log is refused.
    Log(LogError),
    /// The run of a log fails at the guess; at other points that ends nothing.
    Run {
        /// the log, counted from 1
        log: usize,
        /// why
        error: Box<RunError>,
    },
    /// A robust loss whose noise follows from the residuals has no covariance by observed information.
    NoVariance,
    /// Nothing is asked for, or nothing is measured.
    Nothing {
        /// what is missing
        what: &'static str,
    },
    /// There are fewer measurements than unknowns.
    TooFew {
        /// values that are not missing
        measurements: usize,
        /// what is asked for
        unknowns: usize,
    },
    /// Something is asked for, measured, bounded or given twice.
    Twice {
        /// its name
        name: Name,
    },
    /// A tolerance that is negative, or 1 and more.
    Tolerance {
        /// its value
        value: f64,
    },
    /// A setting is not positive, or not finite.
    Setting {
        /// which
        what: &'static str,
        /// of what
        name: Name,
        /// its value
        value: f64,
    },
    /// Bounds without room between them, or with the guess outside.
    Bounds {
        /// of what
        name: Name,
        /// the lowest value
        low: f64,
        /// the highest value
        high: f64,
        /// the guess
        guess: f64,
    },
    /// The start of a rotation has no bounds, since its entries are steps from where it is.
    Unbounded {
        /// its name
        name: Name,
    },
    /// A log begins after its first measurement.
    Late {
        /// the log, counted from 1
        log: usize,
        /// when it begins
        begins: f64,
        /// its first measurement
        first: f64,
    },
    /// A row has some of the inputs and not all, or the first has none.
    Input {
        /// the log, counted from 1
        log: usize,
        /// where
        place: LogPlace,
        /// an input without value there
        input: Name,
    },
    /// A measurement is so many of its standard deviations that their square has no room.
    Huge {
        /// the log, counted from 1
        log: usize,
        /// where
        place: LogPlace,
        /// what is measured
        name: Name,
        /// the measurement
        value: f64,
    },
    /// The constraints do not determine an entry of the start by those that are fitted or given.
    FreeStart {
        /// its name
        name: Name,
    },
    /// The constraints determine an entry of the start by others.
    DependentStart {
        /// its name
        name: Name,
    },
    /// No start near the guess satisfies the constraints with these values.
    NoStart {
        /// the constraint that is off most
        constraint: Name,
    },
    /// An output, or its derivative, is not finite at the guess.
    NonFinite {
        /// its name
        name: Name,
        /// when
        time: f64,
    },
}

impl From<UnknownName> for FitError {
    fn from(unknown: UnknownName) -> Self {
        Self::Unknown(unknown)
    }
}

impl From<LogError> for FitError {
    fn from(error: LogError) -> Self {
        Self::Log(error)
    }
}

impl fmt::Display for FitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(unknown) => unknown.fmt(f),
            Self::Log(error) => error.fmt(f),
            Self::Run { log, error } => write!(f, "the run of log {log} fails at the guess: {error}"),
            Self::NoVariance => f.write_str(
                "a robust loss with noise from residuals has no covariance by observed information; leave one out",
            ),
            Self::Nothing { what } => write!(f, "the fit has no {what}"),
            Self::TooFew { measurements, unknowns } => {
                write!(f, "{measurements} measurements do not determine {unknowns} unknowns; ask for fewer")
            }
            Self::Twice { name } => write!(f, "`{name}` is named twice"),
            Self::Tolerance { value } => {
                write!(f, "the tolerance is {value:e}; it is a share, less than 1, as 1e-12")
            }
            Self::Setting { what, name, value } => {
                write!(f, "{what} of `{name}` is {value:e}; it must be positive and finite")
            }
            Self::Bounds { name, low, high, guess } => {
                write!(f, "`{name}` begins at {guess}, which is not between its bounds, {low} and {high}")
            }
            Self::Unbounded { name } => {
                write!(f, "`{name}` is a step of a rotation, which has no bounds")
            }
            Self::Late { log, begins, first } => {
                write!(f, "log {log} begins at {begins}, after its first time {first}; let it begin earlier")
            }
            Self::Input { log, place, input } => {
                write!(
                    f,
                    "log {log}, {place}: input `{input}` has no value; give all inputs of a row or none, and all in the first row"
                )
            }
            Self::Huge { log, place, name, value } => {
                let most = "1e100 standard deviations or more; leave a missing value empty";
                write!(f, "log {log}, {place}: `{name}` is {value:e}, {most}")
            }
            Self::FreeStart { name } => write!(
                f,
                "the constraints leave the start of `{name}` free: fit it, or give it with `Log::beginning_with`"
            ),
            Self::DependentStart { name } => {
                write!(f, "the constraints determine the start of `{name}` by the others that are fitted or given")
            }
            Self::NoStart { constraint } => {
                write!(f, "no start satisfies constraint `{constraint}` with the values that are fitted or given")
            }
            Self::NonFinite { name, time } => write!(f, "`{name}`, or what it changes by, is not finite at t = {time}"),
        }
    }
}

impl core::error::Error for FitError {}

/// Why residuals cannot be evaluated at a point.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Failure {
    Run(RunError),
    NoStart { constraint: Name },
    NonFinite { name: Name, time: f64 },
}

impl Failure {
    /// The error of a fit whose guess fails in this log.
    pub(super) fn of(self, log: usize) -> FitError {
        match self {
            Self::Run(error) => FitError::Run { log: log + 1, error: Box::new(error) },
            Self::NoStart { constraint } => FitError::NoStart { constraint },
            Self::NonFinite { name, time } => FitError::NonFinite { name, time },
        }
    }
}

impl<E: Into<RunError>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::Run(error.into())
    }
}
