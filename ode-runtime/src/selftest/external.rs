//! Derivatives of external functions, against differences of their values.

use crate::numbers::external::External;

/// Steps of the differences, relative to the argument (or to 1, where that is larger).
const STEPS: [f64; 6] = [1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7];
/// Largest relative difference accepted between a given derivative and the difference quotient.
pub const AGREEMENT: f64 = 1e-5;

/// A function whose derivatives are accepted only if differences confirm them.
///
/// Each derivative is compared with central differences of the derivative one order below. If they agree to
/// [`AGREEMENT`], the given number is used, else the difference quotient. Then the generated code, which uses the given
/// number, fails the test.
#[derive(Clone, Copy, Debug)]
pub struct Differenced<F>(pub F);

impl<const N: usize, F: External<N>> External<N> for Differenced<F> {
    fn partial(&self, x: [f64; N], orders: [usize; N]) -> f64 {
        let given = self.0.partial(x, orders);
        let Some(i) = orders.iter().position(|&n| n > 0) else { return given };
        let mut below = orders;
        below[i] -= 1;
        let quotient = |step: f64| {
            let h = step * x[i].abs().max(1.0);
            let (mut left, mut right) = (x, x);
            left[i] -= h;
            right[i] += h;
            (self.0.partial(right, below) - self.0.partial(left, below)) / (right[i] - left[i])
        };
        let quotients = STEPS.map(quotient);
        // for the pair that changes least, neither round-off nor curvature matters
        let (mut best, mut change) = (f64::NAN, f64::INFINITY);
        for pair in quotients.windows(2) {
            if let [a, b] = pair
                && (a - b).abs() < change
            {
                (best, change) = (*b, (a - b).abs());
            }
        }
        let agrees = (given - best).abs() <= AGREEMENT * best.abs() + 10.0 * change;
        // without a single difference there is nothing to compare with
        if agrees || best.is_nan() { given } else { best }
    }
}
