//! Scales of states in which a matrix is balanced.

use ode_runtime::linalg::nalgebra::linalg::balancing::balance_parlett_reinsch;
use ode_runtime::linalg::{DMatrix, DVector};

/// T⁻¹ A T whose rows and columns have similar norms, and the diagonal of T, powers of two: x = T x̂. Of finite
/// numbers.
///
/// Reference: B. N. Parlett, C. Reinsch, Balancing a matrix for calculation of eigenvalues and eigenvectors, Numerische
/// Mathematik 13 (1969) 293–304.
pub(crate) fn balanced(mut a: DMatrix<f64>) -> (DMatrix<f64>, DVector<f64>) {
    // by a power of two too, so that squares do not overflow
    let unit = if a.is_empty() { 0.0 } else { a.amax().log2().floor() };
    let unit = if unit.is_finite() { unit.clamp(-1022.0, 1022.0).exp2() } else { 1.0 };
    a /= unit;
    let scales = balance_parlett_reinsch(&mut a);
    (a * unit, scales)
}
