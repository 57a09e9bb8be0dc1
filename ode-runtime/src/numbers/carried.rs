//! Dual numbers that steps are made with: whatever a step decides, it decides by the value.

use core::cmp::Ordering;

use num_dual::Dual64;

use crate::numbers::dual::Dual;
use crate::numbers::field::Field;
use crate::numbers::scalar::Real;
use crate::numbers::wide::Wide;

impl<E: Wide<Lane = f64>> PartialOrd for Dual<f64, E> {
    /// Of the values; only numbers with the same derivatives are also equal.
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.re.partial_cmp(&other.re)
    }
}

impl<E: Wide<Lane = f64>> Real for Dual<f64, E> {
    const SEVERAL: bool = E::SEVERAL;
    const PLAIN: bool = false;
    const EPSILON: Self = Self::constant(f64::EPSILON);
    const INFINITY: Self = Self::constant(f64::INFINITY);
    const MIN_POSITIVE: Self = Self::constant(f64::MIN_POSITIVE);

    fn to_f64(self) -> f64 {
        self.re
    }
    fn value(self) -> Self {
        Self::constant(self.re)
    }
    fn abs(self) -> Self {
        if self.re < 0.0 { -self } else { self }
    }
    fn magnitude(self) -> Self {
        let along = (0..E::LANES).map(|k| self.eps.lane(k).abs());
        Self::constant(along.fold(self.re.abs(), Real::max))
    }
    fn max(self, other: Self) -> Self {
        if other.re < self.re || self.re.is_nan() { self } else { other }
    }
    fn min(self, other: Self) -> Self {
        if self.re < other.re || self.re.is_nan() { self } else { other }
    }
    fn is_finite(self) -> bool {
        self.re.is_finite() && self.eps.is_finite()
    }
}

/// With derivatives that differ it has no entry, but NaN, which every decomposition refuses.
impl<E: Wide<Lane = f64>> Field for Dual<f64, E> {
    type Entry = Dual64;
    const PIVOT_TOLERANCE: Self = Self::constant(<f64 as Field>::PIVOT_TOLERANCE);

    fn entry(self) -> Dual64 {
        Dual64::new(self.re, self.eps.to_f64())
    }
    fn from_entry(entry: Dual64) -> Self {
        Self::new(entry.re, E::splat(entry.eps))
    }
    fn equalizer(self) -> Self {
        Self::constant(self.re.equalizer())
    }
}
