//! Why a question to a linear system has no answer.

use core::fmt;

use ode_runtime::linalg::Complex;
use ode_runtime::{Name, UnknownName};

use crate::linear::misfit::Misfit;
use crate::linear::pole_value::PoleValue;

/// Why a question to a linear system has no answer.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum SystemError {
    /// A state, input or output of this name does not exist.
    Name(UnknownName),
    /// A matrix does not fit the others.
    Misfit(Misfit),
    /// An entry of a matrix is NaN or infinite.
    NonFinite {
        /// the matrix
        matrix: &'static str,
        /// the row of the entry
        row: Name,
        /// its column
        column: Name,
    },
    /// The length of a step is not positive and finite.
    Step {
        /// what it was
        value: f64,
    },
    /// The question is one to a continuous system, and this is one of steps.
    Sampled {
        /// the length of its steps
        step: f64,
    },
    /// The systems have different steps, or one of them is continuous.
    OtherStep {
        /// the step of the first
        first: Option<f64>,
        /// that of the second
        second: Option<f64>,
    },
    /// The system has no gramian, since a pole of it is not stable.
    Unstable {
        /// the pole
        pole: Complex<f64>,
    },
    /// A frequency is not a finite number, or a range of them is not positive and ascending.
    Frequency {
        /// what it was, in rad/s
        value: f64,
    },
    /// The response at the frequency of an undamped pole is infinite.
    AtPole {
        /// the frequency, in rad/s
        frequency: f64,
    },
    /// The input has no effect on the output, so that every number is a zero.
    Idle,
    /// An iteration for eigenvalues or singular values did not converge.
    Eigenvalues,
}

impl From<UnknownName> for SystemError {
    fn from(unknown: UnknownName) -> Self {
        Self::Name(unknown)
    }
}

impl From<Misfit> for SystemError {
    fn from(misfit: Misfit) -> Self {
        Self::Misfit(misfit)
    }
}

impl fmt::Display for SystemError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = |step: &Option<f64>| match step {
            Some(step) => format!("has steps of {step} s"),
            None => "is continuous".to_owned(),
        };
        match self {
            Self::Name(unknown) => unknown.fmt(f),
            Self::Misfit(misfit) => misfit.fmt(f),
            Self::NonFinite { matrix, row, column } => {
                write!(f, "the entry of {matrix} in row `{row}` and column `{column}` is not finite")
            }
            Self::Step { value } => write!(f, "the step cannot be {value}: it must be positive and finite"),
            Self::Sampled { step } => {
                write!(f, "the system has steps of {step} s already: ask the continuous system")
            }
            Self::OtherStep { first, second } => {
                write!(f, "the first system {} and the second {}", kind(first), kind(second))
            }
            Self::Unstable { pole } => write!(f, "the pole {} is not stable, so there is no gramian", PoleValue(*pole)),
            Self::Frequency { value } => {
                write!(f, "a frequency cannot be {value}: a range is positive, finite and ascending")
            }
            Self::AtPole { frequency } => {
                write!(f, "the response at {frequency} rad/s is infinite: an undamped pole is there")
            }
            Self::Idle => f.write_str("the input has no effect on the output"),
            Self::Eigenvalues => f.write_str("eigenvalues or singular values were not found"),
        }
    }
}

impl core::error::Error for SystemError {}
