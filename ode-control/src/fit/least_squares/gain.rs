//! What a step gains.

use ode_runtime::linalg::DVector;

use crate::fit::least_squares::trust_region::LinearLeastSquares;

/// What a step has reduced the cost by, relative to it.
pub(super) struct Gain {
    pub(super) actual: f64,
    pub(super) predicted: f64,
    /// gᵀp
    slope: f64,
    /// the actual one by the predicted one
    pub(super) ratio: f64,
    /// the residuals became more than ten times as long
    far: bool,
}

impl Gain {
    /// Of a step p from a cost with its gradient to another cost.
    pub(super) fn of(
        (from, gradient): (f64, &DVector<f64>),
        linear: &LinearLeastSquares,
        p: &DVector<f64>,
        cost: f64,
    ) -> Self {
        let twice = 2.0 * from;
        let far = 0.01 * cost >= from;
        let actual = if far { -1.0 } else { 1.0 - cost / from };
        let slope = gradient.dot(p) / twice;
        let predicted = -2.0 * slope - linear.change(p).powi(2) / twice;
        let ratio = if predicted > 0.0 { actual / predicted } else { 0.0 };
        Self { actual, predicted, slope, ratio, far }
    }

    /// The trust region and the damping for the next step, after one of length `moved`.
    pub(super) fn resize(&self, radius: &mut f64, damping: &mut f64, moved: f64) {
        if self.ratio <= 0.25 {
            let shrink = match self.actual {
                _ if self.far => 0.1,
                gained if gained >= 0.0 => 0.5,
                // where the parabola through cost and slope here and the cost there is least
                lost => (0.5 * self.slope / (self.slope + 0.5 * lost)).max(0.1),
            };
            *radius = shrink * radius.min(10.0 * moved);
            *damping /= shrink;
        } else if *damping == 0.0 || self.ratio >= 0.75 {
            *radius = 2.0 * moved;
            *damping *= 0.5;
        }
    }
}
