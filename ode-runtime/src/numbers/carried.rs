//! Dual numbers that steps are made with: whatever a step decides, it decides by the value.

use core::cmp::Ordering;

use num_dual::Dual64;

use crate::numbers::dual::Dual;
use crate::numbers::field::Field;
use crate::numbers::scalar::{Real, Scalar};
use crate::numbers::wide::Wide;

/// Whether a value is not a number.
fn nan<T: Scalar>(x: T) -> T::Mask {
    T::mask_not(x.le(x))
}

impl<T: Wide<Lane = f64>> PartialOrd for Dual<T> {
    /// Of the values; only numbers with the same derivative are also equal.
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.re.partial_cmp(&other.re)
    }
}

impl<T: Wide<Lane = f64>> Real for Dual<T> {
    const SEVERAL: bool = T::SEVERAL;
    const PLAIN: bool = false;
    const EPSILON: Self = Self::constant(T::EPSILON);
    const INFINITY: Self = Self::constant(T::INFINITY);
    const MIN_POSITIVE: Self = Self::constant(T::MIN_POSITIVE);

    fn to_f64(self) -> f64 {
        self.re.to_f64()
    }
    fn value(self) -> Self {
        Self::constant(self.re)
    }
    fn abs(self) -> Self {
        Self::select(self.re.lt(T::ZERO), -self, self)
    }
    fn magnitude(self) -> Self {
        Self::constant(self.re.abs().max(self.eps.abs()))
    }
    fn max(self, other: Self) -> Self {
        Self::select(T::mask_or(other.re.lt(self.re), nan(self.re)), self, other)
    }
    fn min(self, other: Self) -> Self {
        Self::select(T::mask_or(self.re.lt(other.re), nan(self.re)), self, other)
    }
    fn is_finite(self) -> bool {
        self.re.is_finite() && self.eps.is_finite()
    }
}

/// Registers of several numbers that differ have no entry: as without derivatives, every decomposition refuses them.
impl<T: Wide<Lane = f64>> Field for Dual<T> {
    type Entry = Dual64;
    const PIVOT_TOLERANCE: Self = Self::constant(T::PIVOT_TOLERANCE);

    fn entry(self) -> Dual64 {
        Dual64::new(self.re.to_f64(), self.eps.to_f64())
    }
    fn from_entry(entry: Dual64) -> Self {
        Self::new(T::splat(entry.re), T::splat(entry.eps))
    }
    fn equalizer(self) -> Self {
        Self::constant(self.re.equalizer())
    }
}
