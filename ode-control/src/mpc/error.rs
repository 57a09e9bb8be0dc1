//! Why there is no plan, with the user's names.

use core::fmt;
#[cfg(feature = "std")]
use std::boxed::Box;

use ode_runtime::{Cause, Name, UnknownName};

#[cfg(feature = "std")]
use crate::linear::system_error::SystemError;

/// Why there is no plan. Stages are counted from 0, and the end of the horizon is the one after the last.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum MpcError {
    /// The horizon has no stages.
    NoHorizon,
    /// A state, input or row of this name does not exist.
    Name(UnknownName),
    /// A number of the problem is NaN, or infinite where it must not be.
    NonFinite {
        /// what it belongs to
        what: &'static str,
        /// the state, input or row
        name: Name,
        /// of which stage
        stage: usize,
    },
    /// A weight is not symmetric.
    Asymmetric {
        /// which
        what: &'static str,
        /// the state or input of the row
        name: Name,
        /// that of the column
        other: Name,
        /// of which stage
        stage: usize,
    },
    /// A lowest value is above the highest one.
    Crossed {
        /// the input or row
        name: Name,
        /// of which stage
        stage: usize,
    },
    /// Weights of a slack are negative, or both are zero: leaving the bounds would be free.
    Slack {
        /// the row
        row: Name,
    },
    /// The state where the horizon begins is outside a bound, and no input of the first stage is in that row.
    Start {
        /// the row
        row: Name,
    },
    /// R + BᵀP B of a stage is not positive definite, where P is the cost that is left: its inputs have no best value,
    /// or numbers are too large.
    Indefinite {
        /// of which stage
        stage: usize,
    },
    /// No inputs within their bounds keep all hard rows. The plan is one with small violations.
    Infeasible {
        /// the row that is violated most, relative to its size
        row: Name,
        /// at which stage
        stage: usize,
        /// by how much, in the row's unit
        by: f64,
    },
    /// The bound of iterations was reached.
    Unconverged {
        /// how many there were
        iterations: usize,
        /// what is left of the conditions of an optimum, relative to their terms
        residual: f64,
    },
    /// The linear system has no answer.
    #[cfg(feature = "std")]
    System(Box<SystemError>),
    /// The linear system is continuous, and a horizon consists of steps.
    #[cfg(feature = "std")]
    Continuous,
    /// Corrections of a nonlinear plan have not come to an end.
    Uncorrected {
        /// how many there were
        corrections: usize,
        /// the largest change of a state or an input in the last one
        change: f64,
    },
    /// A limit of a nonlinear model reads an algebraic variable, or a velocity of a first-order model. These follow
    /// from the state and the inputs, and are not planned.
    Follows {
        /// the limit
        limit: Name,
        /// what it reads
        variable: Name,
    },
    /// The system or the storage has another size than the types say, a setting of the method is out of range; or a
    /// step of a nonlinear model along the plan cannot be made or differentiated.
    Model {
        /// of which stage, for a step
        stage: Option<usize>,
        /// why
        cause: Cause,
    },
}

impl From<Cause> for MpcError {
    fn from(cause: Cause) -> Self {
        Self::Model { stage: None, cause }
    }
}

impl From<UnknownName> for MpcError {
    fn from(unknown: UnknownName) -> Self {
        Self::Name(unknown)
    }
}

#[cfg(feature = "std")]
impl From<SystemError> for MpcError {
    fn from(error: SystemError) -> Self {
        Self::System(Box::new(error))
    }
}

impl fmt::Display for MpcError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoHorizon => f.write_str("the horizon has no stages"),
            Self::Name(unknown) => unknown.fmt(f),
            Self::NonFinite { what, name, stage } => {
                write!(f, "{what} of `{name}` in stage {stage} is not finite")
            }
            Self::Asymmetric { what, name, other, stage } => {
                write!(f, "{what} in stage {stage} is not symmetric: entries of `{name}` and `{other}` differ")
            }
            Self::Crossed { name, stage } => {
                write!(f, "the lowest value of `{name}` in stage {stage} is above the highest one")
            }
            Self::Slack { row } => {
                write!(f, "the slack of `{row}` needs a positive weight, and none that is negative")
            }
            Self::Start { row } => {
                write!(f, "the state at the start is outside the bounds of `{row}`, and no input changes that")
            }
            Self::Indefinite { stage } => {
                write!(f, "the inputs of stage {stage} have no best value: R + BᵀP B is not positive definite")
            }
            Self::Infeasible { row, stage, by } => {
                write!(f, "no inputs keep all bounds: `{row}` is exceeded by {by:.3e} at stage {stage}")
            }
            Self::Unconverged { iterations, residual } => {
                write!(f, "after {iterations} iterations the conditions hold to a relative {residual:.1e} only")
            }
            #[cfg(feature = "std")]
            Self::System(error) => error.fmt(f),
            #[cfg(feature = "std")]
            Self::Continuous => f.write_str("a horizon consists of steps, and the system is continuous"),
            Self::Uncorrected { corrections, change } => {
                write!(
                    f,
                    "after {corrections} corrections the plan still changes by {change:.1e}: begin nearer to a plan"
                )
            }
            Self::Follows { limit, variable } => {
                write!(
                    f,
                    "`{limit}` reads `{variable}`, which follows from the state and the inputs; write it by these"
                )
            }
            Self::Model { stage: None, cause } => cause.fmt(f),
            Self::Model { stage: Some(stage), cause } => write!(f, "no step can be made in stage {stage}: {cause}"),
        }
    }
}

impl core::error::Error for MpcError {}
