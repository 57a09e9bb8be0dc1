//! External functions: known on `f64` with their derivatives, and extended from there to any scalar.

/// A function of N reals with its partial derivatives, as far as they are known.
pub trait External<const N: usize> {
    /// The partial derivative at x, taken `orders[i]` times by argument i; the value where all are zero. NaN where it
    /// is not known.
    fn partial(&self, x: [f64; N], orders: [usize; N]) -> f64;
}

/// `orders` with one more derivative by argument i.
pub(crate) fn raised<const N: usize>(mut orders: [usize; N], i: usize) -> [usize; N] {
    orders[i] += 1;
    orders
}
