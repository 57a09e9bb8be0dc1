//! What can go wrong in a filter, with the user's names.

use core::fmt;

use ode_runtime::{Cause, Name, RunError, StartError, StepError, UnknownName};

/// Why a filter cannot be made, or could not take a step or a measurement. The estimate is the one before.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum FilterError {
    /// There is no such output; a step failed; a state, its inputs or a setting cannot be used.
    Run(RunError),
    /// A matrix is no covariance.
    Covariance {
        /// of what
        of: &'static str,
        /// the state, input or output of the row
        entry: Name,
        /// what is wrong
        fault: Fault,
    },
    /// A measured number is not finite. A measurement that is missing is `None`.
    Measurement {
        /// the output that was measured
        output: Name,
    },
    /// An output of the model, or its derivative, is not finite at the estimate.
    Output {
        /// which
        output: Name,
    },
    /// Sigma points have no mean: on a rotation they are half a turn apart or more.
    Scattered {
        /// the state along which the iterations moved most
        state: Name,
    },
}

/// What is wrong with a covariance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// an entry of the row is not finite
    NotFinite,
    /// entries on the two sides of the diagonal differ
    Asymmetric {
        /// the other row
        other: Name,
    },
    /// a combination of the row and others has a negative variance, or none where one is needed
    Indefinite,
}

impl fmt::Display for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Run(error) => error.fmt(f),
            Self::Covariance { of, entry, fault } => {
                write!(f, "covariance of {of}: ")?;
                match fault {
                    Fault::NotFinite => write!(f, "an entry of `{entry}` is not finite"),
                    Fault::Asymmetric { other } => {
                        write!(f, "entries of `{entry}` and `{other}` differ across the diagonal; take (P + Pᵀ)/2")
                    }
                    Fault::Indefinite => {
                        write!(f, "it is not definite at `{entry}`, which has no positive variance beside the others")
                    }
                }
            }
            Self::Measurement { output } => {
                write!(f, "measurement of `{output}` is not finite; give `None` where there is none")
            }
            Self::Output { output } => write!(f, "output `{output}` or its derivative is not finite at the estimate"),
            Self::Scattered { state } => {
                write!(
                    f,
                    "sigma points have no mean along `{state}`: the covariance reaches around the rotation; give a smaller one"
                )
            }
        }
    }
}

impl core::error::Error for FilterError {}

impl From<RunError> for FilterError {
    fn from(error: RunError) -> Self {
        Self::Run(error)
    }
}

impl From<StartError> for FilterError {
    fn from(error: StartError) -> Self {
        Self::Run(error.into())
    }
}

impl From<UnknownName> for FilterError {
    fn from(error: UnknownName) -> Self {
        Self::Run(error.into())
    }
}

impl From<StepError> for FilterError {
    fn from(error: StepError) -> Self {
        Self::Run(error.into())
    }
}

impl From<Cause> for FilterError {
    fn from(cause: Cause) -> Self {
        Self::Run(cause.into())
    }
}
