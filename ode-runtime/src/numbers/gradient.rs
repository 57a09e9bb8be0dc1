//! What external functions that give gradients and Hessians return.

use crate::numbers::scalar::Scalar;

/// What a gradient function of N arguments gives: `[T; N]`, or `T` where N = 1.
#[diagnostic::on_unimplemented(
    message = "a gradient by {N} arguments is `[{T}; {N}]`, not `{Self}`",
    label = "gives `{Self}`",
    note = "the gradient of a function of one argument may be a plain `{T}`"
)]
pub trait Gradient<T, const N: usize> {
    /// The partial derivative by argument i; NaN beyond the last.
    fn entry(&self, i: usize) -> T;
}

impl<T: Scalar, const N: usize> Gradient<T, N> for [T; N] {
    #[inline]
    fn entry(&self, i: usize) -> T {
        self.get(i).copied().unwrap_or_else(unknown)
    }
}

impl<T: Scalar> Gradient<T, 1> for T {
    #[inline]
    fn entry(&self, i: usize) -> T {
        if i == 0 { *self } else { unknown() }
    }
}

/// What a Hessian function of N arguments gives: `[[T; N]; N]`, or `T` where N = 1.
#[diagnostic::on_unimplemented(
    message = "a Hessian by {N} arguments is `[[{T}; {N}]; {N}]`, not `{Self}`",
    label = "gives `{Self}`",
    note = "the second derivative of a function of one argument may be a plain `{T}`"
)]
pub trait Hessian<T, const N: usize> {
    /// The second derivative by the arguments i and j; NaN beyond the last.
    fn entry(&self, i: usize, j: usize) -> T;
}

impl<T: Scalar, const N: usize> Hessian<T, N> for [[T; N]; N] {
    #[inline]
    fn entry(&self, i: usize, j: usize) -> T {
        self.get(i).and_then(|row| row.get(j)).copied().unwrap_or_else(unknown)
    }
}

impl<T: Scalar> Hessian<T, 1> for T {
    #[inline]
    fn entry(&self, i: usize, j: usize) -> T {
        if i == 0 && j == 0 { *self } else { unknown() }
    }
}

fn unknown<T: Scalar>() -> T {
    T::from_f64(f64::NAN)
}
