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

    /// Solves L Lᵀ x = b for all columns at once, for which rows are stored one by one.
    pub(crate) fn solve<const C: usize>(&self, b: SMatrix<E, U, C>) -> SMatrix<E, U, C> {
        let Self { lower, inverse } = self;
        let mut rows = b.transpose();
        for i in 0..U {
            let (before, rest) = rows.data.0.split_at_mut(i);
            for (k, other) in before.iter().enumerate() {
                subtract(&mut rest[0], lower[(i, k)], other);
            }
            rest[0].iter_mut().for_each(|x| *x *= inverse[i]);
        }
        for i in (0..U).rev() {
            let (before, after) = rows.data.0.split_at_mut(i + 1);
            for (k, other) in after.iter().enumerate() {
                subtract(&mut before[i], lower[(i + 1 + k, i)], other);
            }
            before[i].iter_mut().for_each(|x| *x *= inverse[i]);
        }
        rows.transpose()
    }
}

/// x −= s y
fn subtract<E: RealField + Copy, const C: usize>(x: &mut [E; C], s: E, y: &[E; C]) {
    x.iter_mut().zip(y).for_each(|(x, &y)| *x -= s * y);
}
