//! What can go wrong from a model to the end of its run, as one type.

use core::fmt;

use crate::error::build::{BuildError, ParameterError};
use crate::error::unknown::UnknownName;
use crate::error::{Cause, StartError, StepError};

/// The error of a function that builds a model, starts it and runs it: `?` makes it of each of their errors.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum RunError {
    /// the parameters make no model
    Model(BuildError),
    /// a parameter, coordinate, column or limit that was asked for does not exist
    Name(UnknownName),
    /// the run could not start
    Start(StartError),
    /// a step failed, or an event ended the run
    Step(StepError),
    /// something else asked of the run failed: its drift, a checkpoint to restore
    Evaluation(Cause),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Model(error) => error.fmt(f),
            Self::Name(error) => error.fmt(f),
            Self::Start(error) => error.fmt(f),
            Self::Step(error) => error.fmt(f),
            Self::Evaluation(cause) => cause.fmt(f),
        }
    }
}

impl core::error::Error for RunError {}

impl From<BuildError> for RunError {
    fn from(error: BuildError) -> Self {
        Self::Model(error)
    }
}

impl From<UnknownName> for RunError {
    fn from(error: UnknownName) -> Self {
        Self::Name(error)
    }
}

impl From<ParameterError> for RunError {
    fn from(error: ParameterError) -> Self {
        match error {
            ParameterError::Unknown(name) => Self::Name(name),
            ParameterError::Refused(model) => Self::Model(model),
        }
    }
}

impl From<StartError> for RunError {
    fn from(error: StartError) -> Self {
        Self::Start(error)
    }
}

impl From<StepError> for RunError {
    fn from(error: StepError) -> Self {
        Self::Step(error)
    }
}

impl From<Cause> for RunError {
    fn from(cause: Cause) -> Self {
        Self::Evaluation(cause)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_small_enough_for_clippy() {
        assert!(size_of::<RunError>() < 128);
    }
}
