//! On which side of zero a guard is.

use crate::model::layout::Crossing;
use crate::numbers::scalar::Real;

/// Whether a guard is zero relative to its earlier values.
#[inline]
pub(super) fn vanishes<T: Real>(value: T, largest: T) -> bool {
    value.abs() <= T::EPSILON.sqrt() * largest
}

/// Whether a guard on `side` has crossed with `value`. Zero itself is not beyond zero: touching is not crossing.
#[inline]
pub(super) fn crosses<T: Real>(crossing: Crossing, side: T, value: T) -> bool {
    let leaves = side * value < T::ZERO;
    match crossing {
        Crossing::Falling => leaves && side > T::ZERO,
        Crossing::Rising => leaves && side < T::ZERO,
        Crossing::Either => leaves,
    }
}

/// Whether a guard is still before zero and moving to its side, `within` twice the error of time: its event happened at
/// the end of a step just before its crossing, which is not another event.
#[inline]
pub(super) fn lags<T: Real>(side: T, value: T, rate: T, within: T) -> bool {
    side * value < T::ZERO && side * rate > T::ZERO && value.abs() <= T::from_f64(2.0) * within * rate.abs()
}
