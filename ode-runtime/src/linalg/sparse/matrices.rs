//! Jacobians as matrices of `sprs`, for solvers of other packages.

use core::fmt;
use core::ops::Range;
use std::vec::Vec;

use sprs::CsMat;

use crate::model::layout::Pattern;
use crate::numbers::scalar::Scalar;

/// The matrix of `values` on `pattern`, by columns. Its structure is the pattern, whatever the values are, so
/// [`replace_values`] serves for others.
///
/// # Errors
/// [`OtherPattern`] if there are not as many values as nonzeros.
pub fn sparse<T: Scalar>(pattern: Pattern<'_>, values: &[T]) -> Result<CsMat<T>, OtherPattern> {
    same(pattern.nnz(), values, values.len() == pattern.nnz())?;
    let (starts, indices) = (pattern.starts.to_vec(), pattern.indices.to_vec());
    Ok(CsMat::new_csc((pattern.rows, pattern.cols), starts, indices, values.to_vec()))
}

/// Other values on the pattern of a matrix of [`sparse`], without allocation.
///
/// # Errors
/// [`OtherPattern`] if it has another number of nonzeros, or has them by rows; the matrix is not changed then.
pub fn replace_values<T: Scalar>(matrix: &mut CsMat<T>, values: &[T]) -> Result<(), OtherPattern> {
    same(matrix.nnz(), values, matrix.is_csc() && values.len() == matrix.nnz())?;
    matrix.data_mut().copy_from_slice(values);
    Ok(())
}

/// The symmetric matrix whose lower triangle is given, as that of M is: both triangles, by columns.
///
/// # Errors
/// [`OtherPattern`] if there are not as many values as nonzeros of the triangle.
pub fn sparse_symmetric<T: Scalar>(pattern: Pattern<'_>, values: &[T]) -> Result<CsMat<T>, OtherPattern> {
    same(pattern.nnz(), values, values.len() == pattern.nnz())?;
    Ok(mirrored(pattern, values))
}

/// Other values in the lower triangle of a matrix of [`sparse_symmetric`], and above, without allocation.
///
/// # Errors
/// [`OtherPattern`] if there are not as many, or the matrix has its nonzeros elsewhere; it is not changed then.
pub fn replace_symmetric_values<T: Scalar>(
    matrix: &mut CsMat<T>,
    pattern: Pattern<'_>,
    values: &[T],
) -> Result<(), OtherPattern> {
    let both = pattern.entries().map(|(r, c)| if r == c { 1 } else { 2 }).sum::<usize>();
    let shape = matrix.shape() == (pattern.rows, pattern.cols) && matrix.nnz() == both;
    let has = |(r, c): (usize, usize)| matrix.get(r, c).is_some() && matrix.get(c, r).is_some();
    same(matrix.nnz(), values, values.len() == pattern.nnz() && shape && pattern.entries().all(has))?;
    for ((r, c), &value) in pattern.entries().zip(values) {
        for place in [(r, c), (c, r)] {
            if let Some(entry) = matrix.get_mut(place.0, place.1) {
                *entry = value;
            }
        }
    }
    Ok(())
}

/// A rectangle of the matrix of `values` on `pattern`, times `factor`, by columns.
///
/// For generated code.
#[doc(hidden)]
pub fn cut<T: Scalar>(
    pattern: Pattern<'_>,
    values: &[T],
    rows: Range<usize>,
    columns: Range<usize>,
    factor: T,
) -> CsMat<T> {
    let (mut starts, mut indices, mut kept) = (std::vec![0], Vec::new(), Vec::new());
    for column in columns.clone() {
        for (row, at) in pattern.column(column).filter(|(row, _)| rows.contains(row)) {
            if let Some(&value) = values.get(at) {
                indices.push(row - rows.start);
                kept.push(value * factor);
            }
        }
        starts.push(indices.len());
    }
    CsMat::new_csc((rows.len(), columns.len()), starts, indices, kept)
}

/// The symmetric matrix of the `values` of its lower triangle, by columns.
///
/// For generated code.
#[doc(hidden)]
pub fn mirrored<T: Scalar>(pattern: Pattern<'_>, values: &[T]) -> CsMat<T> {
    let mut all = sprs::TriMat::new((pattern.rows, pattern.cols));
    for ((r, c), &value) in pattern.entries().zip(values) {
        all.add_triplet(r, c, value);
        if r != c {
            all.add_triplet(c, r, value);
        }
    }
    all.to_csc()
}

/// Jᵀ J of the matrix of `values` on `pattern`, by columns.
///
/// For generated code.
#[doc(hidden)]
pub fn squared<T: Scalar>(pattern: Pattern<'_>, values: &[T]) -> CsMat<T> {
    let mut rows: Vec<Vec<(usize, T)>> = std::vec![Vec::new(); pattern.rows];
    for ((r, c), &value) in pattern.entries().zip(values) {
        rows[r].push((c, value));
    }
    let mut all = sprs::TriMat::new((pattern.cols, pattern.cols));
    for row in &rows {
        for &(i, x) in row {
            row.iter().for_each(|&(j, y)| all.add_triplet(i, j, x * y));
        }
    }
    all.to_csc()
}

/// An error unless they are.
fn same<T>(nonzeros: usize, values: &[T], are: bool) -> Result<(), OtherPattern> {
    if are { Ok(()) } else { Err(OtherPattern { nonzeros, values: values.len() }) }
}

/// Values that are not those of a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherPattern {
    /// how many the matrix has
    pub nonzeros: usize,
    /// how many there are
    pub values: usize,
}

impl fmt::Display for OtherPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { nonzeros, values } = self;
        write!(f, "{values} values are of another pattern than this matrix of {nonzeros} nonzeros")
    }
}

impl core::error::Error for OtherPattern {}
