//! What a search for an equilibrium ends with.

use core::fmt;

use crate::analysis::statics::stability::{Evidence, Stability};
use crate::error::{Cause, Name};

/// What told that an equilibrium is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Converged {
    /// the residual is small enough
    Residual,
    /// the estimated remaining correction is small enough
    Estimate,
}

/// How an equilibrium was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Equilibrium<T> {
    /// what ended the iterations
    pub converged: Converged,
    /// Newton iterations, each with one factorisation
    pub iterations: u32,
    /// max |f + Gᵀλ|, |g| and |Φ| at the end
    pub residual: T,
    /// load steps; 1 without a load
    pub loads: u32,
    /// the stability of the equilibrium
    pub stability: Stability,
    /// the numbers behind it; `None` if it was not judged
    pub evidence: Option<Evidence<T>>,
    /// the first load factor at which stability changed, if there is one
    pub turn: Option<T>,
    /// the first load factor at which the equilibrium went over to another branch, if there is one
    pub jump: Option<T>,
}

/// Why no equilibrium was found.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Unsettled {
    /// No step along the last direction helps: there may be no equilibrium nearby.
    LineSearch {
        /// the row whose residual is largest
        row: Name,
        /// that residual
        residual: f64,
    },
    /// The iterations allowed were not enough.
    Iterations {
        /// the coordinate or state whose last correction was largest
        name: Name,
        /// that correction, as a multiple of the tolerance
        correction: f64,
    },
    /// A nonholonomic row has a speed of its own: no state is at rest.
    Moving {
        /// the row
        row: Name,
        /// its speed
        speed: f64,
    },
    /// The equilibrium below is unstable, and no displacement is downhill.
    Unstable {
        /// the coordinate or state that moves most in the growing motion
        name: Name,
        /// [`Evidence::least`]
        least: f64,
    },
    /// A descent makes dense matrices, and the model has too many unknowns for them.
    TooLarge {
        /// velocities, states and multipliers
        unknowns: usize,
        /// how many may be
        most: usize,
    },
    /// The model cannot be evaluated or solved.
    Evaluation(Cause),
}

impl fmt::Display for Unsettled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LineSearch { row, residual } => {
                write!(
                    f,
                    "no step along the last direction helps: `{row}` keeps a residual of {residual:e}; begin nearer, by `Assembly` onto the rows or by `Loading` little by little, or follow the forces by `Statics::descend`"
                )
            }
            Self::Iterations { name, correction } => {
                write!(f, "no convergence: last correction of `{name}` is {correction:e} tolerances")
            }
            Self::Moving { row, speed } => write!(f, "constraint `{row}` moves at {speed:e}: no state is at rest"),
            Self::Unstable { name, least } => {
                write!(f, "`{name}` leaves the equilibrium found, whose least rate of decay or stiffness is {least:e}")
            }
            Self::TooLarge { unknowns, most } => write!(
                f,
                "{unknowns} unknowns are too many for the dense matrices of a descent, which are made for up to {most}; `Statics::solve` makes none"
            ),
            Self::Evaluation(cause) => cause.fmt(f),
        }
    }
}

/// No equilibrium was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StaticError {
    /// the last load factor with an equilibrium; `None` without a load, or if the first search failed
    pub load: Option<f64>,
    /// Newton iterations made
    pub iterations: u32,
    /// why
    pub cause: Unsettled,
}

impl fmt::Display for StaticError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no equilibrium after {} iterations", self.iterations)?;
        if let Some(load) = self.load {
            write!(f, " beyond a load factor of {load}")?;
        }
        write!(f, ": {}", self.cause)
    }
}

impl core::error::Error for StaticError {}
