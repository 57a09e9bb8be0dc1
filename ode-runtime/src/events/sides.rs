//! On which side of zero a guard is.

use crate::model::layout::Crossing;
use crate::numbers::scalar::Real;

/// Whether a guard is zero against what it was.
#[inline]
pub(super) fn vanishes<T: Real>(value: T, largest: T) -> bool {
    value.abs() <= T::EPSILON.sqrt() * largest
}

/// Whether a guard that was on `side` has crossed with `value`. Zero itself is not beyond zero: what touches it does
/// not cross.
#[inline]
pub(super) fn crosses<T: Real>(crossing: Crossing, side: T, value: T) -> bool {
    let leaves = side * value < T::ZERO;
    match crossing {
        Crossing::Falling => leaves && side > T::ZERO,
        Crossing::Rising => leaves && side < T::ZERO,
        Crossing::Either => leaves,
    }
}

/// Whether a guard is still before zero and on its way to its side, where it is `within` twice the error of a time: its
/// event has happened at the end of a step just before its crossing, which is not another one.
#[inline]
pub(super) fn lags<T: Real>(side: T, value: T, rate: T, within: T) -> bool {
    side * value < T::ZERO && side * rate > T::ZERO && value.abs() <= T::from_f64(2.0) * within * rate.abs()
}
