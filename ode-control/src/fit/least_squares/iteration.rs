//! What is told of an iteration.

/// An iteration of a fit: [`Fit::progress`](crate::Fit::progress).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Iteration<'a> {
    /// its number, 0 at the guess
    pub number: usize,
    /// half the sum of the squares of residuals in standard deviations, or of what the loss makes of them
    pub cost: f64,
    /// the largest cosine between the residuals and what an unknown changes them by: 0 at the least cost
    pub gradient: f64,
    /// λ of the step that led here; 0 of a Gauss–Newton step
    pub damping: f64,
    /// the length of the step that led here, in the scales of the trust region
    pub step: f64,
    pub(super) at: &'a ode_runtime::linalg::DVector<f64>,
    pub(super) names: &'a [String],
}

impl<'a> Iteration<'a> {
    /// The unknowns by name.
    pub fn values(&self) -> impl Iterator<Item = (&'a str, f64)> {
        self.names.iter().map(String::as_str).zip(self.at.iter().copied())
    }
}
