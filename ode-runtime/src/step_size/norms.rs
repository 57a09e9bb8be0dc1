//! Norms of errors, with the entry that is the largest.

use crate::numbers::scalar::Real;

/// The largest error and its index; of several models, the largest of each.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn largest<T: Real>(blocks: [&[T]; 3]) -> (T, usize) {
    let (mut size, mut index, mut count, mut total) = (T::ZERO, 0, 0, T::ZERO);
    for errors in blocks {
        for error in errors {
            let error = error.abs();
            total += error;
            if !(error <= size) {
                (size, index) = (size.max(error), count);
            }
            count += 1;
        }
    }
    // NaN counts as the largest, and the comparisons have not seen it.
    if total <= T::INFINITY { (size, index) } else { undefined(blocks) }
}

/// Entries that are compared side by side: one after the other, divisions wait for each other.
const ABREAST: usize = 8;

/// The largest error relative to what is allowed beside its value, and the index of the first that is so large; `None`
/// if one is NaN.
pub(super) fn largest_share<T: Real>(
    errors: [&[T]; 3],
    values: [&[T]; 3],
    allowed: impl Fn(T) -> T,
) -> Option<(T, usize)> {
    let (mut largest, mut at, mut total) = ([T::ZERO; ABREAST], [0; ABREAST], [T::ZERO; ABREAST]);
    let mut count = 0;
    for (errors, values) in errors.into_iter().zip(values) {
        let mut compare = |errors: &[T], values: &[T]| {
            for (k, (error, value)) in errors.iter().zip(values).enumerate() {
                let share = error.abs() / allowed(*value);
                total[k] += share;
                if share > largest[k] {
                    (largest[k], at[k]) = (share, count + k);
                }
            }
            count += errors.len();
        };
        let ((errors, last_errors), (values, last_values)) =
            (errors.as_chunks::<ABREAST>(), values.as_chunks::<ABREAST>());
        errors.iter().zip(values).for_each(|(errors, values)| compare(errors, values));
        compare(last_errors, last_values);
    }
    if !total.iter().all(|total| *total <= T::INFINITY) {
        return None;
    }
    let first = |so_far: (T, usize), (share, at): (T, usize)| {
        if share > so_far.0 || share == so_far.0 && at < so_far.1 { (share, at) } else { so_far }
    };
    Some(largest.into_iter().zip(at).fold((T::ZERO, 0), first))
}

/// The first error that is NaN, and its index.
#[cold]
#[inline(never)]
fn undefined<T: Real>(errors: [&[T]; 3]) -> (T, usize) {
    let mut all = errors.into_iter().flatten().copied().enumerate();
    all.find(|(_, error)| !(error.abs() <= T::INFINITY)).map_or((T::INFINITY, 0), |(i, error)| (error, i))
}

/// Running norms of errors.
pub(super) struct Sum<T> {
    pub(super) largest: T,
    pub(super) squares: T,
    pub(super) count: usize,
    pub(super) at: usize,
}

impl<T: Real> Sum<T> {
    pub(super) const NONE: Self = Self { largest: T::ZERO, squares: T::ZERO, count: 0, at: 0 };

    pub(super) fn add(&mut self, error: T) {
        self.squares += error * error;
        // Written so that NaN is the largest, and stays.
        if !(error <= self.largest) && self.largest <= T::INFINITY {
            self.at = self.count;
        }
        self.largest = self.largest.max(error);
        self.count += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::{Sum, largest_share};

    /// As entry by entry, for blocks of all lengths; the first of those that are equal, and NaN is left to the other.
    #[test]
    fn errors_side_by_side_are_those_one_by_one() {
        let allowed = |value: f64| 1e-3 + 0.1 * value.abs();
        let mut number = 0.3_f64;
        let mut draw = || {
            number = (number * 7.31 + 0.17).fract();
            // few different values, so that some are equal
            ((number - 0.45) * 12.0).round() / 7.0
        };
        for len in 0..30 {
            for special in [None, Some(f64::INFINITY), Some(f64::NAN)] {
                let mut errors = [0.0; 30].map(|_: f64| draw());
                let values = [0.0; 30].map(|_: f64| draw());
                errors[len / 2] = special.unwrap_or(errors[len / 2]);
                let (errors, values) = (&errors[..len], &values[..len]);
                let mut sum = Sum::<f64>::NONE;
                for (error, value) in errors.iter().zip(values) {
                    sum.add(error.abs() / allowed(*value));
                }
                let (first, second) = (len / 3, len / 2);
                let parts = |all| -> [&[f64]; 3] {
                    let all: &[f64] = all;
                    [&all[..first], &all[first..second], &all[second..]]
                };
                let found = largest_share(parts(errors), parts(values), allowed);
                let wanted = (!sum.largest.is_nan()).then_some((sum.largest, sum.at));
                assert_eq!(found, wanted, "{errors:?} {values:?}");
            }
        }
    }
}

#[cfg(all(test, feature = "wide"))]
mod tests_of_lanes {
    use super::{Sum, largest};
    use crate::{F64x4, Real};

    /// Where models disagree on the largest entry, each has its own.
    #[test]
    fn the_largest_error_is_that_of_each_model() {
        let errors = [[5.0, 0.0, 1.0, 0.0], [0.0, 2.0, 3.0, 0.0], [1.0, 1.0, 1.0, 4.0]].map(F64x4::new);
        let mut sum = Sum::<F64x4>::NONE;
        errors.iter().for_each(|error| sum.add(*error));
        let (v, z) = errors.split_at(2);
        let blocks = [&[][..], v, z];
        for size in [largest(blocks).0, sum.largest] {
            assert_eq!(size.to_array(), [5.0, 2.0, 3.0, 4.0]);
        }
        sum.add(F64x4::new([0.0, f64::NAN, 0.0, 0.0]));
        assert!(!(sum.largest <= F64x4::INFINITY), "NaN stays");
    }
}
