//! Lyapunov equations of stable systems, by doubling.

use ode_runtime::linalg::DMatrix;

use crate::matrix::operations::{finite, solve, symmetric};

/// Doublings after which a stable A has vanished: |λ| < 1 − 1e-15.
const DOUBLINGS: usize = 64;

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
        if is_negligible(&more, &x) {
            return Some(symmetric(&x));
        }
        a = &a * &a;
    }
    None
}

/// Is an increment of X round-off, in any units of its rows? Each entry is compared with √(Xᵢᵢ Xⱼⱼ).
pub(crate) fn is_negligible(more: &DMatrix<f64>, x: &DMatrix<f64>) -> bool {
    let scale: Vec<f64> = x.diagonal().iter().map(|x| x.abs().sqrt()).collect();
    (0..x.ncols()).all(|c| (0..x.nrows()).all(|r| more[(r, c)].abs() <= f64::EPSILON * scale[r] * scale[c]))
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
