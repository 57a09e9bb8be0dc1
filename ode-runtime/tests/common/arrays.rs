//! Arrays of numbers with rates, and matrices into patterns. Plain loops: a closure for each would be compiled for each
//! plant and scalar, and unoptimised code is slow in them.

use ode_runtime::{Dual, Scalar};

/// x − y.
pub fn difference<T: Scalar, const N: usize>(x: &[T; N], y: &[T; N]) -> [T; N] {
    let mut all = *x;
    for i in 0..N {
        all[i] -= y[i];
    }
    all
}

/// x without a rate.
pub fn fixed<T: Scalar, const N: usize>(x: &[T; N]) -> [Dual<T>; N] {
    let mut all = [Dual::constant(T::ZERO); N];
    for i in 0..N {
        all[i] = Dual::constant(x[i]);
    }
    all
}

/// x + ε v.
pub fn moving<T: Scalar, const N: usize>(x: &[T; N], v: &[T; N]) -> [Dual<T>; N] {
    let mut all = [Dual::constant(T::ZERO); N];
    for i in 0..N {
        all[i] = Dual::new(x[i], v[i]);
    }
    all
}

/// The rates.
pub fn rates<T: Scalar, const N: usize>(x: &[Dual<T>; N]) -> [T; N] {
    let mut all = [T::ZERO; N];
    for i in 0..N {
        all[i] = x[i].eps;
    }
    all
}

/// x, of which the entry `hit`, if any, moves at `rate`.
pub fn seeded<T: Scalar, const N: usize>(x: &[T; N], hit: Option<usize>, rate: T) -> [Dual<T>; N] {
    let mut all = fixed(x);
    if let Some(entry) = hit.and_then(|hit| all.get_mut(hit)) {
        entry.eps = rate;
    }
    all
}

/// The entries of a symmetric matrix that a dense pattern of the lower half has, by columns.
pub fn lower<T: Copy, const N: usize>(matrix: &[[T; N]; N], out: &mut [T]) {
    let mut k = 0;
    for c in 0..N {
        for row in &matrix[c..] {
            out[k] = row[c];
            k += 1;
        }
    }
}

/// Those of a full pattern.
pub fn full<T: Copy, const R: usize, const C: usize>(matrix: &[[T; C]; R], out: &mut [T]) {
    for r in 0..R {
        for c in 0..C {
            out[c * R + r] = matrix[r][c];
        }
    }
}
