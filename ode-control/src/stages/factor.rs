//! Cholesky factors of small matrices.

use ode_runtime::linalg::nalgebra::RealField;
use ode_runtime::linalg::{SMatrix, SVector};

use crate::stages::product::add_column;

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

    /// Solves L Lᵀ x = b for all columns at once.
    pub(crate) fn solve<const C: usize>(&self, b: SMatrix<E, U, C>) -> SMatrix<E, U, C> {
        let mut rows = b.transpose();
        self.solve_rows(&mut rows);
        rows.transpose()
    }

    /// The same of bᵀ, which becomes xᵀ: each row of x is stored in one piece then.
    pub(crate) fn solve_rows<const C: usize>(&self, rows: &mut SMatrix<E, C, U>) {
        let Self { lower, inverse } = self;
        for i in 0..U {
            let (before, rest) = rows.data.0.split_at_mut(i);
            let mut row = rest[0];
            for (k, other) in before.iter().enumerate() {
                add_column(&mut row, other, -lower[(i, k)]);
            }
            rest[0] = row.map(|x| x * inverse[i]);
        }
        for i in (0..U).rev() {
            let (before, after) = rows.data.0.split_at_mut(i + 1);
            let mut row = before[i];
            for (k, other) in after.iter().enumerate() {
                add_column(&mut row, other, -lower[(i + 1 + k, i)]);
            }
            before[i] = row.map(|x| x * inverse[i]);
        }
    }
}
