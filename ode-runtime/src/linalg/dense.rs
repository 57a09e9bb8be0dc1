//! Patterns and values as dense matrices, for users who want plain values.

use crate::error::Cause;
use crate::model::layout::Pattern;
use crate::numbers::scalar::Scalar;

pub use nalgebra::{SMatrix, SVector};

/// The matrix of `values` on `pattern`; zero elsewhere. If the pattern is larger, its upper left R × C block.
pub fn dense<T: Scalar, const R: usize, const C: usize>(pattern: Pattern<'_>, values: &[T]) -> SMatrix<T, R, C> {
    block(pattern, values, 0, 0)
}

/// [`dense`] for the R × C block that begins at `row` and `col`.
pub fn block<T: Scalar, const R: usize, const C: usize>(
    pattern: Pattern<'_>,
    values: &[T],
    row: usize,
    col: usize,
) -> SMatrix<T, R, C> {
    let mut out = SMatrix::from_element(T::ZERO);
    for ((r, c), value) in pattern.entries().zip(values) {
        if (row..row + R).contains(&r) && (col..col + C).contains(&c) {
            out[(r - row, c - col)] = *value;
        }
    }
    out
}

/// The matrix of these entries, if it has this shape.
pub(crate) fn of_shape<T: Scalar, const R: usize, const C: usize>(
    (rows, columns): (usize, usize),
    entry: impl FnMut(usize, usize) -> T,
) -> Result<SMatrix<T, R, C>, Cause> {
    for (setting, value, needed) in [("number of rows", R, rows), ("number of columns", C, columns)] {
        if value != needed {
            let (value, needed) = (value as f64, needed as f64);
            return Err(Cause::OutOfRange { setting, value, low: needed, high: needed });
        }
    }
    Ok(SMatrix::from_fn(entry))
}

/// The symmetric matrix whose lower triangle is given.
pub fn symmetric<T: Scalar, const N: usize>(pattern: Pattern<'_>, values: &[T]) -> SMatrix<T, N, N> {
    let lower: SMatrix<T, N, N> = dense(pattern, values);
    SMatrix::from_fn(|r, c| lower[(r.max(c), r.min(c))])
}

/// Jᵀ J of a sparse J.
pub fn gram<T: Scalar, const N: usize>(pattern: Pattern<'_>, values: &[T]) -> SMatrix<T, N, N> {
    let mut out = SMatrix::from_element(T::ZERO);
    for ((row, i), x) in pattern.entries().zip(values) {
        for ((other, j), y) in pattern.entries().zip(values) {
            if row == other && i < N && j < N {
                out[(i, j)] += *x * *y;
            }
        }
    }
    out
}
