//! Products of small matrices, added where they are wanted.
//!
//! Sizes are constants: nalgebra's products have lengths and strides at run time. Columns are stored one after another,
//! so sums of columns of A are what processors do best; Aᵀ B is the product of a matrix that was transposed.

use ode_runtime::linalg::SMatrix;
use ode_runtime::linalg::nalgebra::RealField;

/// out += A B
pub(crate) fn add_product<E: RealField + Copy, const R: usize, const K: usize, const C: usize>(
    out: &mut SMatrix<E, R, C>,
    a: &SMatrix<E, R, K>,
    b: &SMatrix<E, K, C>,
) {
    for (out, b) in out.data.0.iter_mut().zip(&b.data.0) {
        a.data.0.iter().zip(b).for_each(|(a, &b)| add_column(out, a, b));
    }
}

/// out += A Bᵀ
pub(crate) fn add_outer<E: RealField + Copy, const R: usize, const K: usize, const C: usize>(
    out: &mut SMatrix<E, R, C>,
    a: &SMatrix<E, R, K>,
    b: &SMatrix<E, C, K>,
) {
    for (c, out) in out.data.0.iter_mut().enumerate() {
        a.data.0.iter().zip(&b.data.0).for_each(|(a, b)| add_column(out, a, b[c]));
    }
}

/// A x
pub(crate) fn times<E: RealField + Copy, const R: usize, const K: usize>(
    a: &SMatrix<E, R, K>,
    x: &SMatrix<E, K, 1>,
) -> SMatrix<E, R, 1> {
    let mut out = SMatrix::zeros();
    add_product(&mut out, a, x);
    out
}

/// Aᵀ x
pub(crate) fn transposed_times<E: RealField + Copy, const R: usize, const K: usize>(
    a: &SMatrix<E, K, R>,
    x: &SMatrix<E, K, 1>,
) -> SMatrix<E, R, 1> {
    let dot = |a: &[E; K]| a.iter().zip(x.iter()).fold(E::zero(), |sum, (&a, &x)| multiply_add(a, x, sum));
    SMatrix::from_fn(|r, _| dot(&a.data.0[r]))
}

/// a = −a: nalgebra looks for the end of each column.
pub(crate) fn negate<E: RealField + Copy, const R: usize, const C: usize>(a: &mut SMatrix<E, R, C>) {
    a.as_mut_slice().iter_mut().for_each(|x| *x = -*x);
}

/// out += s a
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn add_column<E: RealField + Copy, const R: usize>(out: &mut [E; R], a: &[E; R], s: E) {
    out.iter_mut().zip(a).for_each(|(out, &a)| *out = multiply_add(a, s, *out));
}

/// a · b + sum, rounded once where the target has an instruction for it; elsewhere that would be a call.
#[cfg_attr(not(debug_assertions), inline(always))]
fn multiply_add<E: RealField + Copy>(a: E, b: E, sum: E) -> E {
    match cfg!(all(feature = "std", any(target_feature = "fma", target_arch = "aarch64"))) {
        true => a.mul_add(b, sum),
        false => a * b + sum,
    }
}
