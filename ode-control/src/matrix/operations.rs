//! What solves of this crate ask of matrices.

use ode_runtime::linalg::DMatrix;

/// A⁻¹ B; `None` where A is singular or the solution is not finite.
pub(crate) fn solve(a: &DMatrix<f64>, b: &DMatrix<f64>) -> Option<DMatrix<f64>> {
    if a.is_empty() {
        // nalgebra's substitution counts down from the last row
        return Some(DMatrix::zeros(a.ncols(), b.ncols()));
    }
    a.clone().lu().solve(b).filter(finite)
}

/// Are all entries neither infinite nor NaN?
pub(crate) fn finite(a: &DMatrix<f64>) -> bool {
    a.iter().all(|x| x.is_finite())
}

/// A/2 + Aᵀ/2, which does not overflow where A does not.
pub(crate) fn symmetric(a: &DMatrix<f64>) -> DMatrix<f64> {
    let half = a * 0.5;
    &half + half.transpose()
}
