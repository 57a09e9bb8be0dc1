//! Matrices of nonzeros.

use ode_runtime::Pattern;
use ode_runtime::linalg::DMatrix;

/// The matrix of these nonzeros.
pub(crate) fn dense(pattern: Pattern<'_>, values: &[f64]) -> DMatrix<f64> {
    let mut matrix = DMatrix::zeros(pattern.rows, pattern.cols);
    pattern.visit(values, |r, c, value| matrix[(r, c)] = value);
    matrix
}
