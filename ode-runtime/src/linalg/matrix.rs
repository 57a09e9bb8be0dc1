//! A dense matrix whose size is known at run time only, for what is computed on request. It works over any [`Real`],
//! which nalgebra's matrices do not; users get nalgebra's.

use core::ops::{Index, IndexMut};
use std::vec::Vec;

use nalgebra::DMatrix;

use crate::linalg::{Lu, Singular};
use crate::model::layout::Pattern;
use crate::numbers::scalar::Real;

/// Rows × columns, stored by rows. Indices out of range panic, as those of a slice do.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Matrix<T> {
    rows: usize,
    cols: usize,
    entries: Vec<T>,
}

impl<T: Real> From<Matrix<T>> for DMatrix<T> {
    fn from(matrix: Matrix<T>) -> Self {
        Self::from_row_slice(matrix.rows, matrix.cols, &matrix.entries)
    }
}

impl<T: Real> From<&DMatrix<T>> for Matrix<T> {
    fn from(matrix: &DMatrix<T>) -> Self {
        Self::from_fn(matrix.nrows(), matrix.ncols(), |r, c| matrix[(r, c)])
    }
}

impl<T> Index<(usize, usize)> for Matrix<T> {
    type Output = T;

    fn index(&self, (r, c): (usize, usize)) -> &T {
        &self.entries[r * self.cols..(r + 1) * self.cols][c]
    }
}

impl<T> IndexMut<(usize, usize)> for Matrix<T> {
    fn index_mut(&mut self, (r, c): (usize, usize)) -> &mut T {
        &mut self.entries[r * self.cols..(r + 1) * self.cols][c]
    }
}

impl<T: Real> Matrix<T> {
    /// Zeros.
    pub(crate) fn zeros(rows: usize, cols: usize) -> Self {
        Self { rows, cols, entries: std::vec![T::ZERO; rows * cols] }
    }

    /// The matrix of these entries.
    pub(crate) fn from_fn(rows: usize, cols: usize, mut entry: impl FnMut(usize, usize) -> T) -> Self {
        let places = (0..rows).flat_map(|r| (0..cols).map(move |c| (r, c)));
        Self { rows, cols, entries: places.map(|(r, c)| entry(r, c)).collect() }
    }

    /// Ones on the diagonal.
    pub(crate) fn identity(n: usize) -> Self {
        Self::from_fn(n, n, |r, c| if r == c { T::ONE } else { T::ZERO })
    }

    /// The matrix of `values` on `pattern`.
    pub(crate) fn from_pattern(pattern: Pattern<'_>, values: &[T]) -> Self {
        let mut out = Self::zeros(pattern.rows, pattern.cols);
        for (place, &value) in pattern.entries().zip(values) {
            out[place] = value;
        }
        out
    }

    /// Number of rows.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub(crate) fn cols(&self) -> usize {
        self.cols
    }

    /// The entries, row by row.
    pub(crate) fn entries(&self) -> &[T] {
        &self.entries
    }

    /// The block of these rows and columns.
    pub(crate) fn block(&self, rows: core::ops::Range<usize>, cols: core::ops::Range<usize>) -> Self {
        Self::from_fn(rows.len(), cols.len(), |r, c| self[(rows.start + r, cols.start + c)])
    }

    /// Aᵀ.
    pub(crate) fn transpose(&self) -> Self {
        Self::from_fn(self.cols, self.rows, |r, c| self[(c, r)])
    }

    /// A B; entries beyond the smaller of the inner sizes count as zero.
    pub(crate) fn times(&self, other: &Self) -> Self {
        let inner = self.cols.min(other.rows);
        Self::from_fn(self.rows, other.cols, |r, c| (0..inner).fold(T::ZERO, |s, k| s + self[(r, k)] * other[(k, c)]))
    }

    /// A − B.
    pub(crate) fn minus(&self, other: &Self) -> Self {
        Self::from_fn(self.rows, self.cols, |r, c| self[(r, c)] - other[(r, c)])
    }

    /// Σ over a column of A times x.
    pub(crate) fn apply(&self, x: &[T]) -> Vec<T> {
        (0..self.rows).map(|r| (0..self.cols).zip(x).fold(T::ZERO, |s, (c, &x)| s + self[(r, c)] * x)).collect()
    }

    /// The largest magnitude; NaN if an entry is.
    pub(crate) fn norm(&self) -> T {
        self.entries.iter().fold(T::ZERO, |norm, x| norm.max(x.abs()))
    }

    /// A⁻¹.
    ///
    /// # Errors
    /// [`Singular`] with the column that no equation determines; for a matrix that is not square, the first column
    /// without an equation.
    pub(crate) fn inverse(&self) -> Result<Self, Singular> {
        self.solve(&Self::identity(self.rows))
    }

    /// A⁻¹ B, by LU with full pivoting of the matrix with rows and columns scaled by powers of two.
    ///
    /// # Errors
    /// As [`Matrix::inverse`].
    pub(crate) fn solve(&self, right: &Self) -> Result<Self, Singular> {
        let n = self.rows;
        if self.cols != n || right.rows != n {
            return Err(Singular { index: n.min(self.cols.saturating_sub(1)) });
        }
        let lu = Lu::new(n, &|r, c| self[(r, c)])?.full()?;
        let mut x = right.transpose();
        for column in x.entries.chunks_mut(n.max(1)) {
            lu.solve(column);
        }
        Ok(x.transpose())
    }
}
