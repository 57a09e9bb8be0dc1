//! Sines and cosines of several `f64` in the widest lanes that pay.

use crate::numbers::scalar::{Scalar, one_by_one};
use crate::numbers::sines::{Arithmetic, lanes};

/// Arithmetic of this build: with one rounding where that is one instruction.
struct Built;

impl Arithmetic for Built {
    #[inline(always)]
    fn mul_add(a: f64, b: f64, c: f64) -> f64 {
        #[cfg(all(feature = "std", target_feature = "fma"))]
        {
            a.mul_add(b, c)
        }
        #[cfg(not(all(feature = "std", target_feature = "fma")))]
        {
            a * b + c
        }
    }
    fn far(angle: f64) -> (f64, f64) {
        (Scalar::sin(angle), Scalar::cos(angle))
    }
}

/// Lanes that are evaluated together: two registers, of AVX or of SSE2, so that neither waits for its own results.
const LANES: usize = if cfg!(target_feature = "avx") { 8 } else { 4 };
/// As many as fit into one, for the last angles.
const FEW: usize = LANES / 2;

/// Of a few angles: a function of its own, because LLVM takes the lanes apart where it sees which are empty.
#[inline(never)]
fn few(angles: [f64; FEW]) -> [[f64; FEW]; 2] {
    lanes::<Built, FEW>(angles)
}

/// Of each angle. Without optimisation lanes take several times as long as the platform's functions, so a debug build
/// calls those.
#[inline]
pub(super) fn sin_cos_each<const N: usize>(angles: [f64; N]) -> [[f64; N]; 2] {
    if cfg!(debug_assertions) {
        return one_by_one(angles);
    }
    let (mut values, mut done) = ([[0.0; N]; 2], 0);
    while done < N {
        done += match N - done > FEW {
            true => fill(lanes::<Built, LANES>, &angles, &mut values, done),
            false => fill(few, &angles, &mut values, done),
        };
    }
    values
}

/// The values of the next angles, as many as there are lanes; lanes without an angle have 0.
#[inline(always)]
fn fill<const W: usize, const N: usize>(
    of: impl Fn([f64; W]) -> [[f64; W]; 2],
    angles: &[f64; N],
    values: &mut [[f64; N]; 2],
    done: usize,
) -> usize {
    let own = of(core::array::from_fn(|i| angles.get(done + i).copied().unwrap_or(0.0)));
    for (values, own) in values.iter_mut().zip(&own) {
        for (value, own) in values[done..].iter_mut().zip(own) {
            *value = *own;
        }
    }
    W
}
