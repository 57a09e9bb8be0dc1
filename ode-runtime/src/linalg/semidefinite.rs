//! The nearest positive semidefinite matrix of a small symmetric one.

use crate::numbers::scalar::Real;

/// Rounds of rotations, each quadratically closer to a diagonal: a few suffice.
const MOST: usize = 32;

/// Replaces a symmetric matrix H by its negative part N = Σ −λ v vᵀ over the eigenvalues λ < 0: H + N is the positive
/// semidefinite matrix that is nearest to H in Frobenius' norm. N has the units of H.
///
/// `lower` are the rows of the lower triangle, one after the other, N (N + 1)/2 numbers. Eigenvalues above −16 N ε |H|
/// are zero by round-off, so N is exactly zero where H has no negative ones. So it is where H is not finite. Jacobi's
/// rotations on the stack: nothing is allocated, and the result does not depend on who computes it. Derivatives that
/// numbers carry are dropped.
///
/// Reference: N. J. Higham, Computing a nearest symmetric positive semidefinite matrix, 1988.
pub fn negative_part<T: Real, const N: usize>(lower: &mut [T]) {
    // of several numbers, those that are not finite leave the others alone
    let whole = lower.iter().fold(T::ZERO, |sum, x| sum + x.value().abs());
    let sound = whole.lt(T::INFINITY);
    let mut matrix = [[T::ZERO; N]; N];
    let mut size = T::ZERO;
    for ((i, j), value) in places::<N>().zip(lower.iter()) {
        let value = T::select(sound, value.value(), T::ZERO);
        (matrix[i][j], matrix[j][i]) = (value, value);
        size = size.max(value.abs());
    }
    let round_off = T::from_f64(4.0 * N as f64) * T::EPSILON * size;
    let negative = if !is_positive(&matrix, round_off) { of_eigenvalues(matrix, round_off) } else { [[T::ZERO; N]; N] };
    for ((i, j), value) in places::<N>().zip(lower) {
        *value = negative[i][j];
    }
}

/// Adds `weight` times factor times value to each place of (place, value, factor).
pub fn add_shares<T: Real>(weight: T, values: &[T], shares: &[(usize, usize, f64)], out: &mut [T]) {
    for &(place, value, factor) in shares {
        if let (Some(out), Some(&value)) = (out.get_mut(place), values.get(value)) {
            *out += weight * (T::from_f64(factor) * value);
        }
    }
}

/// The places of the lower triangle, row by row.
fn places<const N: usize>() -> impl Iterator<Item = (usize, usize)> {
    (0..N).flat_map(|i| (0..=i).map(move |j| (i, j)))
}

/// Has H + δ 1 positive pivots?
fn is_positive<T: Real, const N: usize>(matrix: &[[T; N]; N], shift: T) -> bool {
    let mut rest = *matrix;
    for k in 0..N {
        let pivot = rest[k][k] + shift;
        if !(pivot > T::ZERO) {
            return false;
        }
        for i in k + 1..N {
            let factor = rest[i][k] / pivot;
            for j in k + 1..=i {
                let share = factor * rest[j][k];
                rest[i][j] -= share;
            }
        }
    }
    true
}

/// N by eigenvalues. Where several numbers are computed together, a rotation that only some of them need is none in the
/// others.
fn of_eigenvalues<T: Real, const N: usize>(mut matrix: [[T; N]; N], round_off: T) -> [[T; N]; N] {
    let small = round_off * T::from_f64(1.0 / 64.0);
    let mut vectors = [[T::ZERO; N]; N];
    (0..N).for_each(|k| vectors[k][k] = T::ONE);
    for _ in 0..MOST {
        let mut off = T::ZERO;
        for (p, q) in places::<N>().filter(|(p, q)| p != q) {
            off = off.max(matrix[p][q].abs());
            rotate(&mut matrix, &mut vectors, (p, q), small);
        }
        if off <= small {
            break;
        }
    }
    let mut negative = [[T::ZERO; N]; N];
    let least = T::from_f64(4.0) * round_off;
    for k in 0..N {
        let value = matrix[k][k];
        let share = T::select(value.lt(-least), -value, T::ZERO);
        for (i, j) in places::<N>() {
            negative[i][j] += share * vectors[i][k] * vectors[j][k];
        }
    }
    negative
}

/// Makes the entry (p, q) zero, unless it is `small`.
fn rotate<T: Real, const N: usize>(a: &mut [[T; N]; N], vectors: &mut [[T; N]; N], (p, q): (usize, usize), small: T) {
    let (entry, zero, one) = (a[p][q], T::ZERO, T::ONE);
    let is_small = entry.abs().le(small);
    let half_cot = (a[q][q] - a[p][p]) / (entry + entry);
    let root = (half_cot * half_cot + one).sqrt();
    let larger = T::select(half_cot.lt(zero), half_cot - root, half_cot + root);
    let tan = T::select(is_small, zero, larger.recip());
    let cos = (tan * tan + one).sqrt().recip();
    let sin = tan * cos;
    let turned = |x: T, y: T| [cos * x - sin * y, sin * x + cos * y];
    for k in 0..N {
        [a[k][p], a[k][q]] = turned(a[k][p], a[k][q]);
    }
    for k in 0..N {
        [a[p][k], a[q][k]] = turned(a[p][k], a[q][k]);
    }
    for row in vectors {
        [row[p], row[q]] = turned(row[p], row[q]);
    }
    let eliminated = T::select(is_small, a[p][q], zero);
    (a[p][q], a[q][p]) = (eliminated, eliminated);
}
