//! What the data do not tell.

use core::fmt;

/// What the data of a fit do not tell.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Doubt {
    /// nothing in the data depends on an unknown
    Unseen {
        /// its name
        name: String,
    },
    /// unknowns that change the data in the same way, to a ten-thousandth: only a combination of them is determined
    Confounded {
        /// their names, the one with the largest share first
        names: Vec<String>,
    },
    /// an unknown is at a bound, beyond which the cost falls: there is no deviation and no symmetric interval
    AtBound {
        /// its name
        name: String,
        /// the bound
        bound: f64,
    },
    /// residuals are so far beyond the knee of the loss that they do not tell how large errors are: there are no
    /// deviations
    NoScatter,
    /// second derivatives of the cost are not to be had, since a run fails or a bound is closer than a tenth of a
    /// deviation on both sides of an unknown: deviations are Gauss–Newton's
    NoCurvature {
        /// its name
        name: String,
    },
    /// the second derivatives of the cost are not those of a minimum: there are no deviations
    NoMinimum {
        /// the unknowns that they are by
        names: Vec<String>,
    },
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unseen { name } => write!(f, "nothing in the data depends on `{name}`"),
            Self::Confounded { names } => {
                let [first, others @ ..] = &names[..] else { return Ok(()) };
                write!(f, "`{first}` cannot be told from {} by these data", listed(others))
            }
            Self::AtBound { name, bound } => {
                write!(f, "`{name}` is at its bound {bound}, and has no symmetric interval")
            }
            Self::NoScatter => {
                f.write_str("the residuals are beyond the knee of the loss, and do not tell how large errors are")
            }
            Self::NoCurvature { name } => {
                write!(f, "`{name}` has no room beside it for second derivatives: deviations are Gauss–Newton's")
            }
            Self::NoMinimum { names } => {
                write!(f, "the cost has no minimum here by {}: the search has not converged", listed(names))
            }
        }
    }
}

/// Names, as a message shows them.
fn listed(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}
