//! Symmetric matrices of weights by name.

use ode_runtime::linalg::DMatrix;
use ode_runtime::linalg::nalgebra::SymmetricEigen;
use ode_runtime::{Name, UnknownName};

use crate::linear::misfit::Misfit;
use crate::lqr::error::GainError;
use crate::matrix::operations::symmetric;

/// How far from zero an eigenvalue of a matrix with ones on its diagonal may be by round-off.
const ROUND_OFF: f64 = 1e-12;
/// Iterations for eigenvalues, far more than they take.
const ITERATIONS: usize = 10_000;

/// A positive semidefinite matrix over names.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Weights {
    /// what the matrix is called in errors
    pub(crate) called: &'static str,
    /// what a name is of
    pub(crate) what: &'static str,
    pub(crate) names: Vec<String>,
    pub(crate) matrix: DMatrix<f64>,
}

impl Weights {
    /// None.
    pub(crate) fn none(called: &'static str, what: &'static str, names: &[String]) -> Self {
        Self { called, what, names: names.to_vec(), matrix: DMatrix::zeros(names.len(), names.len()) }
    }

    /// These.
    pub(crate) fn of(mut self, matrix: DMatrix<f64>) -> Result<Self, Misfit> {
        self.set(matrix)?;
        Ok(self)
    }

    /// Adds a weight to one of the names.
    pub(crate) fn add(&mut self, name: &str, weight: f64) -> Result<(), UnknownName> {
        let place = UnknownName::place(self.what, name, &self.names)?;
        self.matrix[(place, place)] += weight;
        Ok(())
    }

    /// Replaces the whole matrix.
    pub(crate) fn set(&mut self, matrix: DMatrix<f64>) -> Result<(), Misfit> {
        Misfit::check(self.called, &matrix, self.matrix.shape())?;
        self.matrix = matrix;
        Ok(())
    }

    /// Refuses what is not finite or not semidefinite; halves what is not symmetric.
    pub(crate) fn checked(&self) -> Result<DMatrix<f64>, GainError> {
        let matrix = self.called;
        self.refused(|least| least < -ROUND_OFF, |name| GainError::Negative { matrix, name })
    }

    /// The same; refuses directions without a weight too.
    pub(crate) fn definite(&self) -> Result<DMatrix<f64>, GainError> {
        self.checked()?;
        self.refused(|least| least <= ROUND_OFF, |name| GainError::Free { name })
    }

    /// The matrix, unless an eigenvalue of it, scaled to ones on its diagonal, is bad.
    fn refused(&self, bad: impl Fn(f64) -> bool, error: impl Fn(Name) -> GainError) -> Result<DMatrix<f64>, GainError> {
        GainError::finite(self.called, &self.matrix, (&self.names, &self.names))?;
        let matrix = symmetric(&self.matrix);
        if matrix.is_empty() {
            // of a system without inputs; it has no eigenvalues to ask for
            return Ok(matrix);
        }
        let scale = |i: usize| matrix[(i, i)].abs().sqrt();
        let scaled = DMatrix::from_fn(matrix.nrows(), matrix.ncols(), |r, c| match scale(r) * scale(c) {
            // an entry beside a zero on the diagonal makes an eigenvalue negative at any scale
            0.0 => matrix[(r, c)].signum() * f64::from(u8::from(matrix[(r, c)] != 0.0)),
            // and so does one above 1, whose size may be beyond all numbers
            scale => (matrix[(r, c)] / scale).clamp(-2.0, 2.0),
        });
        let eigen = SymmetricEigen::try_new(scaled, f64::EPSILON, ITERATIONS).ok_or(GainError::Eigenvalues)?;
        match eigen.eigenvalues.iter().position(|&least| bad(least)) {
            None => Ok(matrix),
            Some(k) => Err(error(Name::new(&self.names[eigen.eigenvectors.column(k).iamax()]))),
        }
    }
}
