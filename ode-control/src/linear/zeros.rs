//! Zeros of a transfer function.

use ode_runtime::linalg::nalgebra::ComplexField;
use ode_runtime::linalg::{Complex, DMatrix, DVector, eigenvalues};

use crate::linear::system_error::SystemError;
use crate::linear::transfer::Transfer;

/// What counts as nothing, relative to its size.
const NOTHING: f64 = 1e-10;

impl Transfer {
    /// The zeros: s of exponential inputs that the output does not show; of steps z. Modes that the input does not
    /// reach or the output does not show are among them, and among the poles.
    ///
    /// With D ≠ 0 they are the eigenvalues of A − B C/D. With D = 0 an output of zero is a condition on the states, by
    /// which the system is reduced until there is such a D.
    ///
    /// Reference: A. Emami-Naeini, P. Van Dooren, Computation of zeros of linear multivariable systems, Automatica 18
    /// (1982) 415–430, for one input and one output.
    ///
    /// # Errors
    /// [`SystemError::Idle`] if the input has no effect on the output; [`SystemError::Eigenvalues`].
    pub fn zeros(&self) -> Result<Vec<Complex<f64>>, SystemError> {
        let (mut a, mut b, mut c, mut d) = (self.a.clone(), self.b.clone(), self.c.clone(), self.d);
        let size = a.norm();
        // D as it was given counts, whatever its size; of one that reductions made the rest may be round-off
        let mut counts = d != 0.0;
        while !counts {
            let n = a.nrows();
            if n == 0 || c.norm() == 0.0 || c.norm() <= NOTHING * size && n < self.a.nrows() {
                return Err(SystemError::Idle);
            }
            let driven = b.norm();
            (a, b, c, d) = without_output(a, b, c);
            counts = d.abs() > NOTHING * driven;
        }
        let closed = a - b * c.transpose() / d;
        let mut zeros = eigenvalues(&closed).ok_or(SystemError::Eigenvalues)?;
        zeros.sort_by(|x, y| x.modulus().total_cmp(&y.modulus()).then(y.im.total_cmp(&x.im)));
        Ok(zeros)
    }
}

/// The system whose output is the rate of an output that stays zero, with a state less.
fn without_output(
    a: DMatrix<f64>,
    b: DVector<f64>,
    c: DVector<f64>,
) -> (DMatrix<f64>, DVector<f64>, DVector<f64>, f64) {
    let last = a.nrows() - 1;
    // Householder's reflection of c to the last axis, 1 − 2 w wᵀ
    let mut w = c.clone();
    w[last] += if c[last] < 0.0 { -c.norm() } else { c.norm() };
    w /= w.norm();
    let reflected = |x: DVector<f64>| &x - &w * (2.0 * w.dot(&x));
    let reflection = DMatrix::identity(last + 1, last + 1) - &w * w.transpose() * 2.0;
    let (a, b) = (&reflection * a * &reflection, reflected(b));
    let rest = a.row(last).columns(0, last).transpose();
    (a.view((0, 0), (last, last)).clone_owned(), b.rows(0, last).clone_owned(), rest, b[last])
}
