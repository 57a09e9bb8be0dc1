//! The nearest point of a box to a point and, as strongly as one likes, to the solutions of linear equations.

use ode_runtime::linalg::{DMatrix, DVector};

/// Newton iterations; the dual is piecewise quadratic, so a few end it.
const ITERATIONS: usize = 100;
/// Halvings of one of them.
const HALVINGS: usize = 40;

/// The x with the least ½ |x − to|² + ½ `weight` |A x − b|², low ≤ x ≤ high.
///
/// By Newton's method on the dual, with x(μ) = clip(to + Aᵀμ): A x(μ) + μ/weight = b. Its matrix is A D Aᵀ + 1/weight
/// with the columns D that are within their bounds. L. Qi, D. Sun, A nonsmooth version of Newton's method,
/// Mathematical Programming 58 (1993), for this piecewise linear equation. Rows of A may depend on each other.
pub(super) fn nearest(
    a: &DMatrix<f64>,
    b: &DVector<f64>,
    to: &DVector<f64>,
    weight: f64,
    (low, high): (&DVector<f64>, &DVector<f64>),
) -> DVector<f64> {
    let clip = |x: &DVector<f64>| DVector::from_fn(x.len(), |i, _| x[i].max(low[i]).min(high[i]));
    // minus the dual, which is convex
    let dual = |mu: &DVector<f64>, moved: &DVector<f64>, x: &DVector<f64>| {
        0.5 * moved.norm_squared() - 0.5 * (x - moved).norm_squared() + 0.5 * mu.norm_squared() / weight - b.dot(mu)
    };
    let transposed = a.transpose();
    let mut mu = DVector::zeros(b.len());
    let mut moved = to.clone();
    let mut x = clip(&moved);
    for _ in 0..ITERATIONS {
        let left = b - a * &x - &mu / weight;
        if left.amax() <= 4.0 * f64::EPSILON * (b.amax() + a.amax() * x.amax()) {
            break;
        }
        let inside: Vec<usize> = (0..x.len()).filter(|&i| low[i] < moved[i] && moved[i] < high[i]).collect();
        let columns = a.select_columns(&inside);
        let mut matrix = &columns * columns.transpose();
        (0..b.len()).for_each(|i| matrix[(i, i)] += 1.0 / weight);
        let Some(factors) = matrix.cholesky() else { break };
        let change = factors.solve(&left);
        let (now, slope) = (dual(&mu, &moved, &x), left.dot(&change));
        let mut step = 1.0;
        for _ in 0..HALVINGS {
            let next = &mu + &change * step;
            let next_moved = to + &transposed * &next;
            let next_x = clip(&next_moved);
            let falls = dual(&next, &next_moved, &next_x) <= now - 1e-4 * step * slope;
            if falls || step * change.amax() <= f64::EPSILON * next.amax() {
                (mu, moved, x) = (next, next_moved, next_x);
                break;
            }
            step *= 0.5;
        }
    }
    x
}
