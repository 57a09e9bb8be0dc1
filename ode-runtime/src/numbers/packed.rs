//! Sines and cosines of several `f64` by the arithmetic of this build.

use crate::numbers::scalar::{Scalar, one_by_one};
use crate::numbers::sines::{self, Arithmetic};

/// With one rounding where that is one instruction.
struct Built;

impl Arithmetic for Built {
    #[inline(always)]
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
