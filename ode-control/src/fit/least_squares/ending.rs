//! Why a search ends.

use core::fmt;

use crate::fit::least_squares::gain::Gain;

/// Why the search for the least cost has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ending {
    /// the last step changed the cost by less than the tolerance, and no more was to be expected
    Cost,
    /// the next step would change the unknowns by less than the tolerance
    Step,
    /// the residuals are orthogonal to what they can change by
    Gradient,
    /// no further step reduces the cost by more than round-off
    RoundOff,
    /// as many runs as allowed were made, without convergence
    Evaluations,
    /// the next point has residuals, but no derivatives
    NoJacobian,
    /// runs fail on all steps from here, however short
    NoWay,
    /// the program has asked for it
    Cancelled,
}

impl Ending {
    /// Whether the unknowns are those of the least cost, to the tolerance.
    pub fn converged(self) -> bool {
        matches!(self, Self::Cost | Self::Step | Self::Gradient | Self::RoundOff)
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Cost => "the cost no longer changes",
            Self::Step => "the unknowns no longer change",
            Self::Gradient => "the gradient is zero",
            Self::RoundOff => "no step reduces the cost by more than round-off",
            Self::Evaluations => "as many runs as allowed were made, without convergence; allow more, or begin closer",
            Self::NoJacobian => "a better point was found, but the run has no derivatives there",
            Self::NoWay => "the runs ahead fail, however short the step; begin elsewhere, or set bounds",
            Self::Cancelled => "it was cancelled",
        })
    }
}

/// When to end: MINPACK's `ftol`, `xtol`, `gtol` and `maxfev`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// relative change of the cost
    pub(crate) cost: f64,
    /// radius of the trust region, relative to the unknowns
    pub(crate) step: f64,
    /// largest cosine between residuals and columns of their Jacobian
    pub(crate) gradient: f64,
    /// evaluations of the residuals
    pub(crate) evaluations: usize,
}

impl Limits {
    /// What has been reached with a step, if anything.
    pub(super) fn reached(&self, gain: &Gain, radius: f64, size: f64) -> Option<Ending> {
        let within =
            |tolerance: f64| gain.actual.abs() <= tolerance && gain.predicted <= tolerance && 0.5 * gain.ratio <= 1.0;
        if within(self.cost) {
            Some(Ending::Cost)
        } else if radius <= self.step * size {
            Some(Ending::Step)
        } else if within(f64::EPSILON) || radius <= f64::EPSILON * size || radius < f64::MIN_POSITIVE {
            Some(Ending::RoundOff)
        } else {
            None
        }
    }
}
