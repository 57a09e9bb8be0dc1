//! Products of small matrices.

use ode_runtime::linalg::SMatrix;
use ode_runtime::linalg::nalgebra::RealField;

/// A B, with the sizes as constants: nalgebra's product has lengths and strides at run time.
pub(crate) fn product<E: RealField + Copy, const R: usize, const K: usize, const C: usize>(
    a: &SMatrix<E, R, K>,
    b: &SMatrix<E, K, C>,
) -> SMatrix<E, R, C> {
    let mut out = SMatrix::<E, R, C>::zeros();
    for (out, b) in out.data.0.iter_mut().zip(&b.data.0) {
        for (a, &b) in a.data.0.iter().zip(b) {
            for (out, &a) in out.iter_mut().zip(a) {
                *out += a * b;
            }
        }
    }
    out
}

/// Aᵀ B.
pub(crate) fn transposed_product<E: RealField + Copy, const R: usize, const K: usize, const C: usize>(
    a: &SMatrix<E, K, R>,
    b: &SMatrix<E, K, C>,
) -> SMatrix<E, R, C> {
    product(&a.transpose(), b)
}
