//! Stability of poles.

use ode_runtime::linalg::Complex;

/// Does a pole decay? Re s < 0, of steps |z| < 1.
pub(crate) fn is_stable(pole: Complex<f64>, discrete: bool) -> bool {
    if discrete { pole.re.hypot(pole.im) < 1.0 } else { pole.re < 0.0 }
}
