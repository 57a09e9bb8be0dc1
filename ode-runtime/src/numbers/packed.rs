//! Sines and cosines of several `f64` by the arithmetic of this build.

use crate::numbers::scalar::{Scalar, one_by_one};
use crate::numbers::sines::{self, Arithmetic};

/// With one rounding where that is one instruction.
struct Built;

impl Arithmetic for Built {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn mul_add(a: f64, b: f64, c: f64) -> f64 {
        a.multiply_add(b, c)
    }
    fn far(angle: f64) -> (f64, f64) {
        (Scalar::sin(angle), Scalar::cos(angle))
    }
}

/// Of each angle. Without optimisation lanes take several times as long as the platform's functions, so a debug build
/// calls those.
#[inline]
pub(super) fn sin_cos_each<const N: usize>(angles: [f64; N]) -> [[f64; N]; 2] {
    if cfg!(debug_assertions) { one_by_one(angles) } else { sines::each::<Built, N>(angles) }
}

/// Of the lanes of a register, and whether all angles are small enough for that; as [`sin_cos_each`].
#[cfg(feature = "wide")]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn near_lanes<const N: usize>(angles: &[f64; N]) -> ([[f64; N]; 2], bool) {
    if cfg!(debug_assertions) { (one_by_one(*angles), true) } else { sines::near::<Built, N>(angles) }
}

/// Replaces those that are not.
#[cfg(feature = "wide")]
pub(super) fn replace(angles: &[f64], sines: &mut [f64], cosines: &mut [f64]) {
    sines::replace::<Built>(angles, sines, cosines);
}
