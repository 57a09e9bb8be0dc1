//! The largest error of steps that no tolerance tests.

use crate::error::{Name, Quantity};
use crate::model::state::State;
use crate::model::system::System;
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::context::Estimate;
use crate::step_size::{Bound, Tolerance};

/// The largest error estimate of all steps and all entries.
///
/// An estimate is the error of one step. A thousandth is much: a run of many such steps has no correct digits. An
/// estimate that is NaN counts as infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LargestError {
    /// a coordinate, velocity or state
    pub quantity: Quantity,
    /// its name; for a rotation, that of the velocity
    pub name: Name,
    /// the estimate divided by 1 + |value|, with the value at the beginning of the step, in the model's units; divided
    /// by 2 for rotations
    pub relative: f64,
    /// time at the end of the step
    pub time: f64,
    /// size of the step
    pub step: f64,
}

/// Keeps in `largest` the error of a step of size `h` from `x` to `end`, if there is none larger.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn keep<S: System<Real: Real>>(
    largest: &mut Option<LargestError>,
    system: &S,
    x: &State<S>,
    error: &Estimate<S>,
    [h, end]: [S::Real; 2],
) {
    // One that is zero is known as well.
    let bound = largest.as_ref().map_or(-S::Real::ONE, |largest| S::Real::from_f64(largest.relative));
    if exceeds(error, x, bound) {
        replace(largest, system, x, error, [h, end]);
    }
}

/// Whether an error is larger than `bound` · (1 + |value|), or may be: steps in coordinates that are no vector are
/// compared with `bound`.
#[cfg_attr(not(debug_assertions), inline(always))]
fn exceeds<S: System<Real: Real>>(error: &Estimate<S>, x: &State<S>, bound: S::Real) -> bool {
    let larger = |errors: &[S::Real], values: &[S::Real]| {
        let mut any = false;
        for (error, value) in errors.iter().zip(values) {
            // So written, NaN is larger.
            any |= !(error.abs() <= bound * (S::Real::ONE + value.abs()));
        }
        any
    };
    let positions = if error.q.as_ref().len() == x.q.as_ref().len() {
        larger(error.q.as_ref(), x.q.as_ref())
    } else {
        error.q.as_ref().iter().any(|error| !(error.abs() <= bound))
    };
    positions | larger(error.v.as_ref(), x.v.as_ref()) | larger(error.z.as_ref(), x.z.as_ref())
}

#[cold]
#[inline(never)]
fn replace<S: System<Real: Real>>(
    largest: &mut Option<LargestError>,
    system: &S,
    x: &State<S>,
    error: &Estimate<S>,
    [h, end]: [S::Real; 2],
) {
    let one = Bound { relative: S::Real::ONE, absolute: S::Real::ONE };
    let limit = Tolerance::new(one).measure(system, x, error).named(&system.layout());
    let relative = if limit.error.is_nan() { f64::INFINITY } else { limit.error };
    if largest.as_ref().is_none_or(|largest| relative > largest.relative) {
        let (quantity, name) = (limit.quantity, limit.name);
        *largest = Some(LargestError { quantity, name, relative, time: end.to_f64(), step: h.to_f64() });
    }
}
