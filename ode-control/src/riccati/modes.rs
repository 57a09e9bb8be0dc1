//! Modes: their stability, and those that no input moves.

use ode_runtime::linalg::nalgebra::ComplexField;
use ode_runtime::linalg::{Complex, DMatrix, DVector, eigenvalues};

/// Is a pole stable?
pub(crate) fn stable(pole: Complex<f64>, discrete: bool) -> bool {
    if discrete { pole.norm_sqr() < 1.0 } else { pole.re < 0.0 }
}

/// A mode w of the system, wᴴA = λ wᴴ, that inputs do not move: wᴴB = 0.
#[derive(Clone, Debug)]
pub(crate) struct Unmoved {
    /// λ
    pub(crate) pole: Complex<f64>,
    /// the state with the largest share of w
    pub(crate) state: usize,
}

/// How small wᴴB must be beside ‖B‖ for a mode that counts as unmoved.
const TOLERANCE: f64 = 1e-10;

/// The first mode that is not stable and that inputs do not move: where [A − λ, B] loses rank.
///
/// V. M. Popov, V. Belevitch and M. L. J. Hautus: T. Kailath, Linear Systems, 1980, theorem 2.4-8.
pub(crate) fn unmoved(a: &DMatrix<f64>, b: &DMatrix<f64>, discrete: bool) -> Option<Unmoved> {
    let n = a.nrows();
    let complex = |m: &DMatrix<f64>| m.map(|x| Complex::new(x, 0.0));
    eigenvalues(a)?.into_iter().filter(|&pole| !stable(pole, discrete)).find_map(|pole| {
        let shifted = complex(a) - DMatrix::identity(n, n) * pole;
        // [A − λ, B] scaled so that its columns count alike
        let scale = b.norm().max(f64::MIN_POSITIVE).recip() * shifted.norm().max(a.norm()).max(f64::MIN_POSITIVE);
        let joined = DMatrix::from_fn(n, n + b.ncols(), |r, c| {
            if c < n { shifted[(r, c)] } else { Complex::new(b[(r, c - n)] * scale, 0.0) }
        });
        let svd = joined.clone().svd(true, false);
        let (least, _) = svd.singular_values.iter().enumerate().min_by(|x, y| x.1.total_cmp(y.1))?;
        let lost = svd.singular_values[least] <= TOLERANCE * svd.singular_values.max();
        let w: DVector<Complex<f64>> = svd.u?.column(least).into_owned();
        let state = w.iter().enumerate().max_by(|x, y| x.1.modulus().total_cmp(&y.1.modulus()))?.0;
        lost.then_some(Unmoved { pole, state })
    })
}
