//! Why there is no operating point.

use core::fmt;

use ode_runtime::{Cause, Name, Names, Quantity, UnknownName};

/// Why no operating point was found.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum TrimError {
    /// There is no coordinate, velocity, state, input or output of this name.
    Unknown(UnknownName),
    /// Bounds between which there is no number.
    Empty {
        /// of what
        name: Name,
        /// the lowest value
        low: f64,
        /// the highest value
        high: f64,
    },
    /// A direction of a rotation has no value of its own: it can only be kept where the guess has it.
    NoValue {
        /// the direction
        name: Name,
    },
    /// The model cannot be evaluated.
    Evaluation(Cause),
    /// An equation is not met by any point that was found.
    Unbalanced {
        /// a force, a rate, a constraint, or a condition that was asked for
        quantity: Quantity,
        /// of what
        name: Name,
        /// what is left of it, in its unit
        residual: f64,
        /// what is at a bound there
        bounds: Names<43>,
    },
}

impl From<UnknownName> for TrimError {
    fn from(unknown: UnknownName) -> Self {
        Self::Unknown(unknown)
    }
}

impl From<Cause> for TrimError {
    fn from(cause: Cause) -> Self {
        Self::Evaluation(cause)
    }
}

impl fmt::Display for TrimError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(unknown) => write!(f, "{unknown}"),
            Self::Empty { name, low, high } => write!(f, "there is no number for `{name}` between {low} and {high}"),
            Self::NoValue { name } => {
                write!(f, "`{name}` is a direction of a rotation and has no value; `keep` holds it where the guess is")
            }
            Self::Evaluation(cause) => write!(f, "{cause}"),
            Self::Unbalanced { quantity, name, residual, bounds } => {
                write!(f, "no operating point was found: {quantity} `{name}` is {residual:.3e} at the best")?;
                match bounds.as_str() {
                    "" => f.write_str("; free an input, or begin elsewhere"),
                    bounds => write!(f, ", with {bounds} at a bound; free an input, or widen the bounds"),
                }
            }
        }
    }
}

impl core::error::Error for TrimError {}
