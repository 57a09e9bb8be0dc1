//! Second derivatives of the cost.

use ode_runtime::linalg::{DMatrix, DVector};

use crate::fit::least_squares::{Residuals, loss::Loss};
use crate::matrix::operations::symmetric;

/// Weights of the gradients at ±h, ±2h, ±3h in the central difference of sixth order, over 60 h.
const WEIGHTS: [f64; 3] = [45.0, -9.0, 1.0];
/// The difference's h, as a share of a standard deviation: a gradient changes a thousand million times as much as the
/// runs are off, and what the difference leaves out is h⁶.
const SHARE: f64 = 0.25;

/// ∂²cost/∂unknowns², a row and a column for each of `of`, at a point with these standard deviations.
///
/// The columns are differences of exact gradients. Between bounds, where an unknown has less room than three steps,
/// the steps are shorter.
pub(super) fn hessian<R: Residuals>(
    problem: &R,
    (point, loss): (&R::Point, Loss),
    (of, deviations): (&[usize], &[f64]),
) -> Result<DMatrix<f64>, R::Error> {
    let values = problem.values(point);
    let mut columns = DMatrix::zeros(of.len(), of.len());
    for (column, &k) in of.iter().enumerate() {
        let (low, high) = problem.bounds()[k];
        let room = (values[k] - low).min(high - values[k]) / WEIGHTS.len() as f64;
        let h = room.min(SHARE * deviations[k]);
        for (times, weight) in (1..).zip(WEIGHTS) {
            for side in [1.0, -1.0] {
                let mut step = DVector::zeros(values.len());
                step[k] = side * f64::from(times) * h;
                let slope = gradient(problem, &problem.moved(point, &step), loss)?;
                for (row, &i) in of.iter().enumerate() {
                    columns[(row, column)] += side * weight / (60.0 * h) * slope[i];
                }
            }
        }
    }
    Ok(symmetric(&columns))
}

/// ∂cost/∂unknowns
fn gradient<R: Residuals>(problem: &R, at: &R::Point, loss: Loss) -> Result<DVector<f64>, R::Error> {
    let (mut residuals, mut jacobian) = problem.linearize(at)?;
    loss.weigh(&mut residuals, &mut jacobian);
    Ok(jacobian.tr_mul(&residuals))
}
