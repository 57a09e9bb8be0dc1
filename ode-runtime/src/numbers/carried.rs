//! Dual numbers that steps are made with: whatever a step decides, it decides by the value.

use core::cmp::Ordering;

use num_dual::Dual64;

use crate::numbers::dual::Dual;
use crate::numbers::field::Field;
use crate::numbers::scalar::Real;

impl PartialOrd for Dual<f64> {
    /// Of the values; only numbers with the same derivative are also equal.
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.re.partial_cmp(&other.re)
    }
}

impl Real for Dual<f64> {
    const EPSILON: Self = Self::constant(f64::EPSILON);
    const INFINITY: Self = Self::constant(f64::INFINITY);
    const MIN_POSITIVE: Self = Self::constant(f64::MIN_POSITIVE);

    fn to_f64(self) -> f64 {
        self.re
    }
    fn abs(self) -> Self {
        if self.re < 0.0 { -self } else { self }
    }
    fn magnitude(self) -> Self {
        Self::constant(Real::max(Real::abs(self.re), Real::abs(self.eps)))
    }
    fn max(self, other: Self) -> Self {
        if self.re.is_nan() || self.re > other.re { self } else { other }
    }
    fn min(self, other: Self) -> Self {
        if self.re.is_nan() || self.re < other.re { self } else { other }
    }
    fn is_finite(self) -> bool {
        self.re.is_finite() && self.eps.is_finite()
    }
}

impl Field for Dual<f64> {
    type Entry = Dual64;
    const PIVOT_TOLERANCE: Self = Self::constant(f64::PIVOT_TOLERANCE);

    fn entry(self) -> Dual64 {
        Dual64::new(self.re, self.eps)
    }
    fn from_entry(entry: Dual64) -> Self {
        Self::new(entry.re, entry.eps)
    }
    fn equalizer(self) -> Self {
        Self::constant(self.re.equalizer())
    }
}
