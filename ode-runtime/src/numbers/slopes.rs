//! What a number varies by: along one direction, or along several side by side.

use crate::numbers::scalar::Scalar;

/// Derivatives of a number `T`, as [`Dual`](crate::Dual) carries them: another `T`, or a register with a direction in
/// each lane. Every scalar is that of itself, and registers are those of their lanes; no other type needs it.
pub trait Slopes<T: Scalar>: Scalar {
    /// The same number along every direction.
    fn all(value: T) -> Self;
    /// `a` where the comparison of values holds, else `b`.
    fn choose(mask: T::Mask, a: Self, b: Self) -> Self;
    /// Whether all are zero.
    fn vanishes(self) -> T::Mask;
}

impl<T: Scalar> Slopes<T> for T {
    #[inline]
    fn all(value: T) -> T {
        value
    }
    #[inline]
    fn choose(mask: T::Mask, a: T, b: T) -> T {
        T::select(mask, a, b)
    }
    #[inline]
    fn vanishes(self) -> T::Mask {
        self.is_zero()
    }
}
