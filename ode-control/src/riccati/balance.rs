//! Units in which a Riccati equation is solved: whatever those of the states are, its matrices count alike.
//!
//! x = T x̂ with a diagonal T of powers of two, so that scaling is exact: A → T⁻¹A T, G → T⁻¹G T⁻¹, Q → T Q T. T is
//! found by Osborne's iteration on the Hamiltonian matrix [A −G; −Q −Aᵀ]. P. Benner, Symplectic balancing of
//! Hamiltonian matrices, SIAM J. Sci. Comput. 22 (2001), §3.

use ode_runtime::linalg::{DMatrix, DVector};

/// Sweeps over all states; a few reach the end.
const SWEEPS: usize = 50;

/// The diagonal of T.
pub(crate) fn balance(a: &DMatrix<f64>, g: &DMatrix<f64>, q: &DMatrix<f64>) -> DVector<f64> {
    let n = a.nrows();
    let mut t = DVector::from_element(n, 1.0);
    for _ in 0..SWEEPS {
        let mut settled = true;
        for i in 0..n {
            let (mut grows, mut falls) =
                ((t[i] * q[(i, i)] * t[i]).abs().sqrt(), (g[(i, i)] / (t[i] * t[i])).abs().sqrt());
            for k in (0..n).filter(|&k| k != i) {
                grows = grows.hypot(a[(k, i)] * t[i] / t[k]).hypot(t[k] * q[(k, i)] * t[i]);
                falls = falls.hypot(a[(i, k)] * t[k] / t[i]).hypot(g[(k, i)] / (t[k] * t[i]));
            }
            let factor = (falls / grows).sqrt().log2().round();
            if factor.is_finite() && factor.abs() >= 1.0 && factor.abs() < 500.0 {
                t[i] *= factor.exp2();
                settled = false;
            }
        }
        if settled {
            break;
        }
    }
    t
}
