//! Structured doubling: the stabilising solution of a Riccati equation by LU factorisations alone.
//!
//! E. K.-W. Chu, H.-Y. Fan, W.-W. Lin, C.-S. Wang, Structure-preserving algorithms for periodic discrete-time algebraic
//! Riccati equations, Int. J. Control 77 (2004), algorithm 3.1; for continuous time after Cayley's transform, E. K.-W.
//! Chu, H.-Y. Fan, W.-W. Lin, A structure-preserving doubling algorithm for continuous-time algebraic Riccati
//! equations, Linear Algebra Appl. 396 (2005), eq. (23).

use ode_runtime::linalg::DMatrix;

use crate::matrix::operations::{finite, solve, symmetric};
use crate::riccati::lyapunov::is_negligible;

/// Each doubling squares what the modes of the closed loop decay by: 60 reach |λ| = 1 − 1e-15.
const DOUBLINGS: usize = 60;

/// P = AᵀP (I + G P)⁻¹ A + H, whose solution is the limit of H.
pub(crate) struct Doubling {
    pub(crate) a: DMatrix<f64>,
    pub(crate) g: DMatrix<f64>,
    pub(crate) h: DMatrix<f64>,
}

impl Doubling {
    /// The one whose limit solves AᵀP + P A − P G P + H = 0.
    pub(crate) fn of_continuous(a: &DMatrix<f64>, g: &DMatrix<f64>, h: &DMatrix<f64>) -> Option<Self> {
        let n = a.nrows();
        let one = DMatrix::<f64>::identity(n, n);
        // above the spectral radius of A, so that A − γ is regular
        let shift = 1.1 * a.norm().max((g.norm() * h.norm()).sqrt()).max(f64::MIN_POSITIVE);
        let shifted = a - &one * shift;
        let inverse = solve(&shifted, &one)?;
        // W = (A_γᵀ + H A_γ⁻¹ G)⁻¹
        let w = solve(&(shifted.transpose() + h * &inverse * g), &one)?;
        Some(Self {
            a: one + w.transpose() * (2.0 * shift),
            g: symmetric(&(&inverse * g * &w * (2.0 * shift))),
            h: symmetric(&(&w * h * &inverse * (2.0 * shift))),
        })
    }

    /// The limit of H; `None` if the doubling breaks down or does not converge.
    pub(crate) fn limit(self) -> Option<DMatrix<f64>> {
        let Self { mut a, mut g, mut h } = self;
        if a.is_empty() {
            return Some(h);
        }
        let one = DMatrix::<f64>::identity(a.nrows(), a.nrows());
        for _ in 0..DOUBLINGS {
            let lu = (one.clone() + &g * &h).lu();
            let (forward, spread) = (lu.solve(&a)?, lu.solve(&g)?);
            let more = symmetric(&(a.transpose() * &h * &forward));
            g += symmetric(&(&a * spread * a.transpose()));
            h += &more;
            a = &a * forward;
            if !(finite(&a) && finite(&g) && finite(&h)) {
                return None;
            }
            if is_negligible(&more, &h) {
                return Some(h);
            }
        }
        None
    }
}
