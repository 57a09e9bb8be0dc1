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
    /// An input beyond what the model allows it.
    Outside {
        /// the input
        name: Name,
        /// its lowest value in the model
        low: f64,
        /// its highest value in the model
        high: f64,
    },
    /// A rotation and its directions have no value: they can only be kept where the guess has them.
    NoValue {
        /// the rotation or the direction
        name: Name,
    },
    /// Two things are asked of one unknown.
    Twice {
        /// of what
        name: Name,
    },
    /// The model cannot be evaluated.
    Evaluation(Cause),
    /// An equation is not met by any point that was found.
    Unbalanced {
        /// a force, a rate, a constraint, or an output that was asked for
        quantity: Quantity,
        /// of what
        name: Name,
        /// what is left of it, in its unit
        residual: f64,
        /// what is at a bound there
        bounds: Names<43>,
        /// whether an input is held that could be free
        held: bool,
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
            Self::Empty { name, low, high } if low.total_cmp(high).is_eq() => {
                write!(f, "`{name}` cannot be held at {low}")
            }
            Self::Empty { name, low, high } => write!(f, "there is no number for `{name}` between {low} and {high}"),
            Self::Outside { name, low, high } => {
                write!(f, "input `{name}` must be within its bounds in the model, {low} to {high}")
            }
            Self::NoValue { name } => {
                write!(f, "`{name}` is of a rotation and has no value; `keep(\"{name}\")` holds it where the guess is")
            }
            Self::Twice { name } => write!(f, "`{name}` is asked for twice"),
            Self::Evaluation(cause) => write!(f, "{cause}"),
            Self::Unbalanced { quantity, name, residual, bounds, held } => {
                write!(f, "no operating point was found: {quantity} `{name}` is {residual:.3e} at the best")?;
                if !bounds.as_str().is_empty() {
                    write!(f, ", with {} at a bound", bounds.as_str())?;
                }
                f.write_str(match (held, bounds.as_str()) {
                    (true, "") => "; free an input, or begin elsewhere",
                    (true, _) => "; free an input, or widen the bounds",
                    (false, "") => "; begin elsewhere",
                    (false, _) => "; widen the bounds, or begin elsewhere",
                })
            }
        }
    }
}

impl core::error::Error for TrimError {}
