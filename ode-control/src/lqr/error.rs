//! Why there is no regulator or estimator.

use core::fmt;

use ode_runtime::linalg::{Complex, DMatrix};
use ode_runtime::{Name, UnknownName};

use crate::linear::misfit::Misfit;
use crate::linear::pole_value::PoleValue;
use crate::linear::system_error::SystemError;
use crate::riccati::problem::Unsolved;

/// Why there is no gain.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum GainError {
    /// A state, input or output of this name does not exist.
    Name(UnknownName),
    /// A question to the system itself has no answer: its matrices do not fit, or are not finite.
    System(SystemError),
    /// A matrix of weights or covariances does not fit the system.
    Misfit(Misfit),
    /// A weight or covariance is NaN or infinite.
    NonFinite {
        /// the matrix
        matrix: &'static str,
        /// the row of the entry
        row: Name,
        /// its column
        column: Name,
    },
    /// A weight or covariance is negative, or a combination of them is.
    Negative {
        /// the matrix
        matrix: &'static str,
        /// the state, input or output with the largest share in it
        name: Name,
    },
    /// An input without a weight, or a measurement without noise: its gain would be infinite.
    Free {
        /// the input or output
        name: Name,
    },
    /// A mode that is not stable, and that no input moves.
    Uncontrollable {
        /// the pole of the mode
        pole: Complex<f64>,
        /// the state with the largest share of it
        state: Name,
    },
    /// A mode that is not stable, and that no output shows.
    Unobservable {
        /// the pole of the mode
        pole: Complex<f64>,
        /// the state with the largest share of it
        state: Name,
    },
    /// No solution of the Riccati equation makes the loop stable: a mode at the border of stability has no weight.
    NoStabilizing,
    /// The best solution of the Riccati equation that was found is none: it needs more digits than those of `f64`.
    Unconverged {
        /// the largest entry of its residual, relative to the largest term of the equation
        residual: f64,
    },
    /// The gain or the cost that it leaves is beyond the numbers of `f64`.
    Infinite,
    /// A horizon consists of steps, and the system is continuous.
    Continuous,
    /// A step of a horizon has other states or inputs than the system that the weights are of.
    OtherNames {
        /// the place of the step
        step: usize,
        /// states or inputs
        what: &'static str,
    },
    /// The cost that is left at a step of a horizon is not finite.
    Overflow {
        /// the place of the step
        step: usize,
    },
    /// An iteration for eigenvalues or singular values did not converge.
    Eigenvalues,
}

impl GainError {
    /// Of an equation without a solution; `unmoved` says what its mode is that nothing moves.
    pub(crate) fn of(unsolved: Unsolved, unmoved: impl Fn(Complex<f64>, usize) -> Self) -> Self {
        match unsolved {
            Unsolved::Unmoved { pole, state } => unmoved(pole, state),
            Unsolved::Eigenvalues => Self::Eigenvalues,
            Unsolved::Unconverged(residual) => Self::Unconverged { residual },
            Unsolved::Overflow => Self::Infinite,
            Unsolved::None => Self::NoStabilizing,
        }
    }

    /// Refuses a matrix with an entry that is not finite.
    pub(crate) fn finite(
        matrix: &'static str,
        of: &DMatrix<f64>,
        (rows, columns): (&[String], &[String]),
    ) -> Result<(), Self> {
        let Some(k) = of.iter().position(|x| !x.is_finite()) else { return Ok(()) };
        let (row, column) = (named(rows, k % of.nrows()), named(columns, k / of.nrows()));
        Err(Self::NonFinite { matrix, row, column })
    }
}

/// The name in this place.
pub(crate) fn named(names: &[String], place: usize) -> Name {
    Name::new(names.get(place).map_or("", String::as_str))
}

impl From<UnknownName> for GainError {
    fn from(unknown: UnknownName) -> Self {
        Self::Name(unknown)
    }
}

impl From<SystemError> for GainError {
    fn from(error: SystemError) -> Self {
        match error {
            SystemError::Name(unknown) => Self::Name(unknown),
            error => Self::System(error),
        }
    }
}

impl From<Misfit> for GainError {
    fn from(misfit: Misfit) -> Self {
        Self::Misfit(misfit)
    }
}

impl fmt::Display for GainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(unknown) => unknown.fmt(f),
            Self::System(error) => error.fmt(f),
            Self::Misfit(misfit) => misfit.fmt(f),
            Self::NonFinite { matrix, row, column } => {
                write!(f, "the entry of {matrix} in row `{row}` and column `{column}` is not finite")
            }
            Self::Negative { matrix, name } => {
                write!(f, "{matrix} is not positive semidefinite: `{name}` has a negative entry, or too large products")
            }
            Self::Free { name } => {
                write!(
                    f,
                    "`{name}` has neither weight nor noise, so its gain would be infinite; give it a positive one"
                )
            }
            Self::Uncontrollable { pole, state } => {
                write!(
                    f,
                    "no input moves the mode of `{state}` with the pole {}, which is not stable",
                    PoleValue(*pole)
                )
            }
            Self::Unobservable { pole, state } => {
                write!(
                    f,
                    "no output shows the mode of `{state}` with the pole {}, which is not stable",
                    PoleValue(*pole)
                )
            }
            Self::NoStabilizing => f.write_str(
                "no solution of the Riccati equation makes the loop stable; give every mode at the border of stability \
                 (integrators, undamped oscillations) a weight or noise",
            ),
            Self::Unconverged { residual } => {
                write!(f, "the Riccati equation was solved to a relative residual of {residual:.1e} only")
            }
            Self::Infinite => f.write_str("the gain, or the cost that it leaves, is not finite"),
            Self::Continuous => f.write_str("a horizon consists of steps, and the system is continuous"),
            Self::OtherNames { step, what } => {
                write!(f, "step {step} has other {what} than the system that the weights are of")
            }
            Self::Overflow { step } => write!(f, "the cost that is left at step {step} is not finite"),
            Self::Eigenvalues => f.write_str("eigenvalues or singular values were not found"),
        }
    }
}

impl core::error::Error for GainError {}
