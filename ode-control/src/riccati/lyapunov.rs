//! Lyapunov equations of stable systems, by doubling.

use ode_runtime::linalg::DMatrix;

use crate::matrix::operations::{finite, solve, symmetric};

/// Doublings after which a stable A has reached round-off: |λ| < 1 − 1e-15.
const DOUBLINGS: usize = 60;

/// X = AᵀX A + Q, the sum of (Aᵀ)ᵏ Q Aᵏ, by the squared iteration of Smith; `None` if it does not converge.
///
/// R. A. Smith, Matrix equation X A + B X = C, SIAM J. Appl. Math. 16 (1968), eq. (5).
pub(crate) fn stein(a: &DMatrix<f64>, q: &DMatrix<f64>) -> Option<DMatrix<f64>> {
    let (mut a, mut x) = (a.clone(), q.clone());
    for _ in 0..DOUBLINGS {
        let more = a.transpose() * &x * &a;
        x += &more;
        if !finite(&x) {
            return None;
        }
        if more.amax() <= f64::EPSILON * x.amax() {
            return Some(symmetric(&x));
        }
        a = &a * &a;
    }
    None
}

/// AᵀX + X A + Q = 0, by Cayley's transform of A to a discrete system; `None` if it does not converge.
pub(crate) fn lyapunov(a: &DMatrix<f64>, q: &DMatrix<f64>) -> Option<DMatrix<f64>> {
    let n = a.nrows();
    let shift = a.norm().max(f64::MIN_POSITIVE);
    let one = DMatrix::identity(n, n);
    // with S = (A − γ)⁻¹: Â = (A + γ) S and X = ÂᵀX Â + 2 γ SᵀQ S
    let inverse = solve(&(a - &one * shift), &one)?;
    let mapped = (a + &one * shift) * &inverse;
    stein(&mapped, &(inverse.transpose() * q * &inverse * (2.0 * shift)))
}
