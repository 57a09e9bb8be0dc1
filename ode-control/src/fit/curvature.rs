//! Second derivatives of the cost.

use ode_runtime::linalg::{DMatrix, DVector};

use crate::fit::least_squares::{Residuals, loss::Loss};
use crate::matrix::operations::symmetric;

/// Differences of sixth order: multiples of h, and 60 h times what the gradients there count. B. Fornberg, Generation
/// of finite difference formulas on arbitrarily spaced grids, Mathematics of Computation 51 (1988), tables 1 and 3.
const CENTRAL: [(f64, f64); 6] = [(1.0, 45.0), (-1.0, -45.0), (2.0, -9.0), (-2.0, 9.0), (3.0, 1.0), (-3.0, -1.0)];
const ONE_SIDED: [(f64, f64); 7] =
    [(0.0, -147.0), (1.0, 360.0), (2.0, -450.0), (3.0, 400.0), (4.0, -225.0), (5.0, 72.0), (6.0, -10.0)];
/// Their h, as a share of a standard deviation: a gradient changes a hundred million times as much as the runs are off,
/// and what the difference leaves out is h⁶.
const SHARES: [f64; 2] = [0.25, 0.1];
/// The part of it below which too little is left of a gradient's digits.
const LEAST: f64 = 0.1;

/// ∂²cost/∂unknowns², a row and a column for each of `of`, at a point with these standard deviations.
///
/// The columns are differences of exact gradients. Where an unknown has too little room between its bounds, or a run
/// fails beside it, the differences are one-sided.
///
/// # Errors
/// The unknown that has no room on any side.
pub(super) fn hessian<R: Residuals>(
    problem: &R,
    (point, loss): (&R::Point, Loss),
    (of, deviations): (&[usize], &[f64]),
) -> Result<DMatrix<f64>, usize> {
    let values = problem.values(point);
    let mut columns = DMatrix::zeros(of.len(), of.len());
    for (column, &k) in of.iter().enumerate() {
        let (low, high) = problem.bounds()[k];
        let (down, up) = (values[k] - low, high - values[k]);
        let [share, aside] = SHARES.map(|share| share * deviations[k]);
        let ways = [
            (&CENTRAL[..], down.min(up) / 3.0, share, 1.0),
            (&ONE_SIDED[..], up / 6.0, aside, 1.0),
            (&ONE_SIDED[..], down / 6.0, aside, -1.0),
        ];
        let found = ways.into_iter().filter(|(_, room, h, _)| *room >= LEAST * h).find_map(|(of, room, h, side)| {
            let h = side * room.min(h);
            let mut sum = DVector::zeros(values.len());
            for &(times, weight) in of {
                let mut step = DVector::zeros(values.len());
                step[k] = times * h;
                sum += gradient(problem, &problem.moved(point, &step), loss)? * (weight / (60.0 * h));
            }
            Some(sum)
        });
        let slope = found.ok_or(k)?;
        of.iter().enumerate().for_each(|(row, &i)| columns[(row, column)] = slope[i]);
    }
    Ok(symmetric(&columns))
}

/// ∂cost/∂unknowns, if the runs there do not fail.
fn gradient<R: Residuals>(problem: &R, at: &R::Point, loss: Loss) -> Option<DVector<f64>> {
    let (mut residuals, mut jacobian) = problem.linearize(at).ok()?;
    loss.weigh(&mut residuals, &mut jacobian);
    Some(jacobian.tr_mul(&residuals)).filter(|gradient| gradient.iter().all(|x| x.is_finite()))
}
