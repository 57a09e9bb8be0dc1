//! What a fit is asked for.

use crate::fit::experiment::Between;
use crate::fit::least_squares::Progress;
use crate::fit::least_squares::ending::Limits;
use crate::fit::least_squares::loss::Loss;
use crate::fit::log::Log;
use crate::fit::unknown::Wanted;

/// What a fit is asked for, whatever the method of its runs.
pub(super) struct Asked<'a> {
    pub(super) logs: Vec<&'a Log>,
    /// names with standard deviations
    pub(super) measured: Vec<(String, f64)>,
    /// inputs
    pub(super) recorded: Vec<String>,
    pub(super) between: Between,
    pub(super) wanted: Vec<Wanted>,
    /// names with the lowest and highest values
    pub(super) bounds: Vec<(String, f64, f64)>,
    pub(super) loss: Loss,
    pub(super) limits: Limits,
    /// whether the size of errors follows from the residuals
    pub(super) scattered: bool,
    /// whether the covariance is that of second derivatives
    pub(super) curved: bool,
    pub(super) progress: Option<Box<Progress<'a>>>,
}

impl Asked<'_> {
    /// Nothing to fit so far, by squares and to 10⁻¹².
    pub(super) fn nothing() -> Self {
        Self {
            logs: Vec::new(),
            measured: Vec::new(),
            recorded: Vec::new(),
            between: Between::Held,
            wanted: Vec::new(),
            bounds: Vec::new(),
            loss: Loss::Squares,
            limits: Limits { cost: 1e-12, step: 1e-12, gradient: 1e-12, evaluations: 200 },
            scattered: false,
            curved: false,
            progress: None,
        }
    }
}
