//! Why there is no regulator or estimator.

use core::fmt;

use ode_runtime::linalg::Complex;
use ode_runtime::{Name, UnknownName};

use crate::linear::misfit::Misfit;
use crate::riccati::problem::Unsolved;

/// Why there is no gain.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum GainError {
    /// there is no state, input or output of this name
    Unknown(UnknownName),
    /// a matrix has an entry that is infinite or NaN
    NonFinite {
        /// which matrix
        matrix: &'static str,
    },
    /// a matrix of weights or covariances does not fit the system
    Misfit(Misfit),
    /// a weight is negative, or so is a combination of weights
    Negative {
        /// of which state or input
        name: Name,
    },
    /// an input without a weight, or a measurement without noise: its gain would be infinite
    Free {
        /// which
        name: Name,
    },
    /// an unstable mode that no input moves
    Uncontrollable {
        /// the pole of the mode
        pole: Complex<f64>,
        /// the state with the largest share of it
        state: Name,
    },
    /// an unstable mode that no output shows
    Unobservable {
        /// the pole of the mode
        pole: Complex<f64>,
        /// the state with the largest share of it
        state: Name,
    },
    /// no solution of the Riccati equation makes the loop stable: a mode at the border of stability without weight
    NoStabilizing,
    /// the best solution of the Riccati equation that was found is none: its numbers are beyond the digits of f64
    Unconverged {
        /// the largest entry of its residual, relative to the largest term of the equation
        residual: f64,
    },
    /// an iteration for eigenvalues or singular values did not converge
    Eigenvalues,
}

impl GainError {
    /// Of an equation without a solution; `unmoved` says what its mode is that nothing moves.
    pub(crate) fn of(unsolved: Unsolved, unmoved: impl Fn(Complex<f64>, usize) -> Self) -> Self {
        match unsolved {
            Unsolved::Unmoved { pole, state } => unmoved(pole, state),
            Unsolved::Eigenvalues => Self::Eigenvalues,
            Unsolved::Unconverged(residual) => Self::Unconverged { residual },
            Unsolved::None => Self::NoStabilizing,
        }
    }
}

impl From<UnknownName> for GainError {
    fn from(unknown: UnknownName) -> Self {
        Self::Unknown(unknown)
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
            Self::Unknown(unknown) => write!(f, "{unknown}"),
            Self::NonFinite { matrix } => write!(f, "{matrix} has an entry that is not finite"),
            Self::Misfit(misfit) => write!(f, "{misfit}"),
            Self::Negative { name } => {
                write!(
                    f,
                    "the weights are not positive semidefinite: `{name}` has a negative one, or a too large product"
                )
            }
            Self::Free { name } => {
                write!(
                    f,
                    "`{name}` has neither weight nor noise, so its gain would be infinite; give it a positive one"
                )
            }
            Self::Uncontrollable { pole, state } => {
                write!(f, "no input moves the mode of `{state}` with the pole {pole}, which is not stable")
            }
            Self::Unobservable { pole, state } => {
                write!(f, "no output shows the mode of `{state}` with the pole {pole}, which is not stable")
            }
            Self::NoStabilizing => f.write_str(
                "no solution of the Riccati equation makes the loop stable; give every mode at the border of stability \
                 (integrators, undamped oscillations) a weight or noise",
            ),
            Self::Unconverged { residual } => {
                write!(f, "the Riccati equation was solved to a relative residual of {residual:.1e} only")
            }
            Self::Eigenvalues => f.write_str("eigenvalues or singular values were not found"),
        }
    }
}

impl core::error::Error for GainError {}
