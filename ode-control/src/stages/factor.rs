//! Cholesky factors of small matrices.

use ode_runtime::linalg::nalgebra::RealField;
use ode_runtime::linalg::{SMatrix, SVector};

/// L of a definite matrix L Lᵀ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Factor<E: RealField, const U: usize> {
    /// below the diagonal
    lower: SMatrix<E, U, U>,
    /// one over each entry of the diagonal: a solve multiplies, which takes less time than it takes to divide
    inverse: SVector<E, U>,
}

impl<E: RealField + Copy, const U: usize> Factor<E, U> {
    /// That of no matrix, which solves to zero.
    pub(crate) fn none() -> Self {
        Self { lower: SMatrix::zeros(), inverse: SVector::zeros() }
    }

    /// The factor of a matrix, of which the lower half counts; `None` if it is not positive definite, or not finite.
    pub(crate) fn of(matrix: &SMatrix<E, U, U>) -> Option<Self> {
        let Self { mut lower, mut inverse } = Self::none();
        for j in 0..U {
            let pivot = (0..j).fold(matrix[(j, j)], |left, k| left - lower[(j, k)] * lower[(j, k)]);
            // as one comparison that NaN fails
            if !(pivot > E::zero() && pivot.is_finite()) {
                return None;
            }
            inverse[j] = E::one() / pivot.sqrt();
            for i in j + 1..U {
                let left = (0..j).fold(matrix[(i, j)], |left, k| left - lower[(i, k)] * lower[(j, k)]);
                lower[(i, j)] = left * inverse[j];
            }
        }
        Some(Self { lower, inverse })
    }

    /// Solves L Lᵀ x = b for each column, in its place.
    pub(crate) fn solve<const C: usize>(&self, mut b: SMatrix<E, U, C>) -> SMatrix<E, U, C> {
        let Self { lower, inverse } = self;
        for c in 0..C {
            for i in 0..U {
                b[(i, c)] = (0..i).fold(b[(i, c)], |left, k| left - lower[(i, k)] * b[(k, c)]) * inverse[i];
            }
            for i in (0..U).rev() {
                b[(i, c)] = (i + 1..U).fold(b[(i, c)], |left, k| left - lower[(k, i)] * b[(k, c)]) * inverse[i];
            }
        }
        b
    }
}
