//! Jacobians as matrices of `sprs`, for solvers of other packages.

use core::fmt;

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
    let mut all = sprs::TriMat::new((pattern.rows, pattern.cols));
    for ((r, c), &value) in pattern.entries().zip(values) {
        all.add_triplet(r, c, value);
        if r != c {
            all.add_triplet(c, r, value);
        }
    }
    Ok(all.to_csc())
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
