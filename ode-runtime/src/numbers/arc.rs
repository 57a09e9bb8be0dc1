//! An angle over its sine, of which logarithms of rotations are made.

use crate::numbers::scalar::Real;

/// Terms of the series for w ≥ 0: further ones are below the resolution of f64, up to the tenth derivative.
const TERMS: u32 = 128;

/// The n-th derivative of θ/sin θ by w = cos θ, for w > −1; infinite there, NaN below.
///
/// θ/sin θ is the hypergeometric function ₂F₁(1, 1; 3/2; y) of y = (1 − w)/2, and its derivatives are
/// (−½)ⁿ (1)ₙ²/(3/2)ₙ ₂F₁(1 + n, 1 + n; 3/2 + n; y) (DLMF 15.4.E14 and 15.5.E2). All terms have one sign.
#[inline]
pub(crate) fn arc_over_sine<T: Real>(w: T, n: u32) -> T {
    let half = T::from_f64(0.5);
    let y = half * (T::ONE - w);
    if !(y < T::ONE) {
        return if y == T::ONE { T::INFINITY } else { T::from_f64(f64::NAN) };
    }
    let order = f64::from(n);
    let first = (0..n).fold(T::ONE, |c, k| {
        let k = f64::from(k);
        -(c * half) * T::from_f64((1.0 + k) * (1.0 + k) / (1.5 + k))
    });
    let (mut sum, mut term) = (T::ZERO, first);
    let mut k = 0.0;
    for _ in 0..TERMS * if y > half { 64 } else { 1 } {
        let next = sum + term;
        if next == sum {
            break;
        }
        sum = next;
        term = term * y * T::from_f64((1.0 + order + k) * (1.0 + order + k) / ((1.5 + order + k) * (1.0 + k)));
        k += 1.0;
    }
    sum
}
