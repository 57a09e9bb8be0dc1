//! Why a model has no linear system at a state.

use core::fmt;

use ode_runtime::{Cause, Level, Name, StepError, UnknownName};

use crate::consistency::Off;
use crate::linear::system_error::SystemError;

/// Why a model has no linear system at a state.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum LinearizationError {
    /// No coordinate or velocity is called so.
    Name(UnknownName),
    /// A coordinate that was chosen to be independent is determined by a constraint and the others that were chosen.
    Determined {
        /// the coordinate, or the velocity
        name: Name,
        /// a constraint that determines it
        constraint: Name,
    },
    /// The state does not satisfy a constraint.
    Off {
        /// of positions or velocities
        level: Level,
        /// the constraint
        constraint: Name,
        /// its residual
        residual: f64,
    },
    /// The model cannot be evaluated or linearised there.
    Evaluation(Cause),
    /// The step that was to be linearised failed.
    Step(StepError),
    /// A derivative is not finite: the output, or the state, is the row.
    System(SystemError),
}

impl From<UnknownName> for LinearizationError {
    fn from(unknown: UnknownName) -> Self {
        Self::Name(unknown)
    }
}

impl From<Cause> for LinearizationError {
    fn from(cause: Cause) -> Self {
        Self::Evaluation(cause)
    }
}

impl From<Off> for LinearizationError {
    fn from(Off { level, constraint, residual }: Off) -> Self {
        Self::Off { level, constraint, residual }
    }
}

impl From<StepError> for LinearizationError {
    fn from(error: StepError) -> Self {
        Self::Step(error)
    }
}

impl From<SystemError> for LinearizationError {
    fn from(error: SystemError) -> Self {
        Self::System(error)
    }
}

impl fmt::Display for LinearizationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(unknown) => unknown.fmt(f),
            Self::Determined { name, constraint } => {
                write!(
                    f,
                    "`{name}` cannot be independent: constraint `{constraint}` determines it from the others that were chosen; leave one of them out"
                )
            }
            Self::Off { level, constraint, residual } => {
                write!(
                    f,
                    "{level} of the state are not consistent: constraint `{constraint}` has a residual of {residual:e}; make one by `Start` or `Assembly`"
                )
            }
            Self::Evaluation(cause) => cause.fmt(f),
            Self::Step(error) => error.fmt(f),
            Self::System(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for LinearizationError {}
