//! The exponential of a matrix.

use ode_runtime::linalg::DMatrix;

use crate::matrix::balance::balanced;

/// Coefficients of Padé's approximation of degree 13 of eˣ, and the norm up to which it is exact to round-off.
const PADE: [f64; 14] = [
    64_764_752_532_480_000.0,
    32_382_376_266_240_000.0,
    7_771_770_303_897_600.0,
    1_187_353_796_428_800.0,
    129_060_195_264_000.0,
    10_559_470_521_600.0,
    670_442_572_800.0,
    33_522_128_640.0,
    1_323_241_920.0,
    40_840_800.0,
    960_960.0,
    16_380.0,
    182.0,
    1.0,
];
const NORM: f64 = 5.371_920_351_148_152;

/// e^X by Padé's approximation with scaling and squaring, of the balanced X; not finite where numbers overflow.
///
/// Reference: N. J. Higham, The scaling and squaring method for the matrix exponential revisited, SIAM J. Matrix Anal.
/// Appl. 26 (2005) 1179–1193.
pub(super) fn exponential(x: DMatrix<f64>) -> DMatrix<f64> {
    let norm = |x: &DMatrix<f64>| x.column_iter().map(|column| column.lp_norm(1)).fold(0.0, f64::max);
    if x.is_empty() || !x.iter().all(|x| x.is_finite()) || !norm(&x).is_finite() {
        return x * f64::NAN;
    }
    let (mut x, scales) = balanced(x);
    let halvings = (norm(&x) / NORM).log2().ceil().clamp(0.0, 1022.0);
    x *= (-halvings).exp2();

    let one = DMatrix::identity(x.nrows(), x.nrows());
    let second = &x * &x;
    let fourth = &second * &second;
    let sixth = &fourth * &second;
    let sum = |sixth_: f64, fourth_: f64, second_: f64| &sixth * sixth_ + &fourth * fourth_ + &second * second_;
    let odd = &sixth * sum(PADE[13], PADE[11], PADE[9]) + sum(PADE[7], PADE[5], PADE[3]) + &one * PADE[1];
    let odd = x * odd;
    let even = &sixth * sum(PADE[12], PADE[10], PADE[8]) + sum(PADE[6], PADE[4], PADE[2]) + &one * PADE[0];
    // Within the norm the matrix is far from singular.
    let Some(mut result) = (&even - &odd).lu().solve(&(even + odd)) else { return one * f64::NAN };
    for _ in 0..halvings as usize {
        result = &result * &result;
    }
    DMatrix::from_fn(result.nrows(), result.ncols(), |r, c| result[(r, c)] * (scales[r] / scales[c]))
}
