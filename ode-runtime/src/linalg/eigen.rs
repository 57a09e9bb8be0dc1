//! Eigenvalues, eigenvectors and null spaces of dense matrices.

use std::vec::Vec;

use nalgebra::{Complex, DMatrix, DVector, Schur, SymmetricEigen};

use crate::linalg::Matrix;
use crate::numbers::scalar::Real;

/// A complex number: real and imaginary part.
type Pair<T> = (T, T);

/// An orthonormal basis of {x : A x = 0}, its vectors the columns.
///
/// The rows of A are orthonormalised, twice, and completed by the coordinate directions farthest from them, so that
/// coordinates which A does not contain stay coordinates. A row whose remainder is shorter than ε^(2/3) of its length
/// depends on the others.
pub fn null_space<T: Real>(a: &DMatrix<T>) -> DMatrix<T> {
    null_space_within(&a.into(), T::PIVOT_TOLERANCE).into()
}

/// The eigenvalues of a square matrix, by its real Schur form; `None` if that does not converge.
pub fn eigenvalues<T: Real>(a: &DMatrix<T>) -> Option<Vec<Complex<T>>> {
    let values = if a.is_square() { spectrum(&a.into()) } else { None };
    Some(values?.into_iter().map(|(re, im)| Complex { re, im }).collect())
}

/// The rows that are independent of those before them: their remainder is more than this fraction of their length.
pub(crate) fn spanning<T: Real>(a: &Matrix<T>, tolerance: T) -> Vec<bool> {
    let mut basis: Vec<Vec<T>> = Vec::new();
    (0..a.rows()).map(|r| extend(&mut basis, (0..a.cols()).map(|c| a[(r, c)]).collect(), tolerance)).collect()
}

/// The same with another fraction.
pub(crate) fn null_space_within<T: Real>(a: &Matrix<T>, tolerance: T) -> Matrix<T> {
    let n = a.cols();
    let mut basis: Vec<Vec<T>> = Vec::new();
    for r in 0..a.rows() {
        let row: Vec<T> = (0..n).map(|c| a[(r, c)]).collect();
        extend(&mut basis, row, tolerance);
    }
    let rank = basis.len();
    while basis.len() < n {
        // |P eᵢ|² = 1 − Σ bᵢ²
        let left = |i: usize| basis.iter().fold(T::ONE, |left, b| left - b[i] * b[i]);
        let (mut best, mut most) = (0, T::ZERO);
        for i in 0..n {
            let own = left(i);
            if own > most + T::PIVOT_TOLERANCE {
                (best, most) = (i, own);
            }
        }
        let unit = (0..n).map(|i| if i == best { T::ONE } else { T::ZERO }).collect();
        if !extend(&mut basis, unit, T::PIVOT_TOLERANCE) {
            break;
        }
    }
    let kernel = basis.split_off(rank);
    Matrix::from_fn(n, kernel.len(), |r, c| kernel[c][r])
}

/// Adds the part of `row` orthogonal to the basis; false if there is none.
fn extend<T: Real>(basis: &mut Vec<Vec<T>>, mut row: Vec<T>, tolerance: T) -> bool {
    let dot = |a: &[T], b: &[T]| a.iter().zip(b).fold(T::ZERO, |s, (&x, &y)| s + x * y);
    let before = dot(&row, &row).sqrt();
    for _ in 0..2 {
        for b in basis.iter() {
            let along = dot(&row, b);
            for (x, &b) in row.iter_mut().zip(b) {
                *x -= along * b;
            }
        }
    }
    let length = dot(&row, &row).sqrt();
    if !(length > tolerance * before) {
        return false;
    }
    row.iter_mut().for_each(|x| *x *= length.recip());
    basis.push(row);
    true
}

/// λ and X of K X = M X diag(λ) for symmetric K and positive definite M, Xᵀ M X = 1, λ ascending; `None` if M is not
/// positive definite.
pub(crate) fn symmetric_modes<T: Real>(m: &Matrix<T>, k: &Matrix<T>) -> Option<(Vec<T>, Matrix<T>)> {
    let n = m.rows();
    if n == 0 {
        return Some((Vec::new(), Matrix::zeros(0, 0)));
    }
    let dense = |a: &Matrix<T>| DMatrix::from_fn(n, n, |r, c| a[(r.max(c), r.min(c))].entry());
    let cholesky = dense(m).cholesky()?;
    let l = cholesky.l();
    // L⁻¹ K L⁻ᵀ
    let half = l.solve_lower_triangular(&dense(k))?;
    let whole = l.solve_lower_triangular(&half.transpose())?;
    let eigen = SymmetricEigen::try_new(whole, T::EPSILON.entry(), 1000 * n.max(1))?;
    let vectors = l.transpose().solve_upper_triangular(&eigen.eigenvectors)?;
    let value = |i: usize| T::from_entry(eigen.eigenvalues[i]);
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&i, &j| value(i).partial_cmp(&value(j)).unwrap_or(core::cmp::Ordering::Equal));
    let values = order.iter().map(|&i| value(i)).collect();
    Some((values, Matrix::from_fn(n, n, |r, c| T::from_entry(vectors[(r, order[c])]))))
}

/// As [`eigenvalues`].
pub(crate) fn spectrum<T: Real>(a: &Matrix<T>) -> Option<Vec<Pair<T>>> {
    let n = a.rows();
    if n == 0 {
        return Some(Vec::new());
    }
    let a = balanced(a);
    let dense = DMatrix::from_fn(n, n, |r, c| a[(r, c)].entry());
    let schur = Schur::try_new(dense, T::EPSILON.entry(), 1000 * n)?;
    let values = schur.complex_eigenvalues();
    Some(values.iter().map(|x| (T::from_entry(x.re), T::from_entry(x.im))).collect())
}

/// D⁻¹ A D with a diagonal D of powers of two that gives rows and columns similar sizes (Parlett and Reinsch).
pub(crate) fn balanced<T: Real>(a: &Matrix<T>) -> Matrix<T> {
    let (mut out, n) = (a.clone(), a.rows());
    let (two, half) = (T::from_f64(2.0), T::from_f64(0.5));
    for _ in 0..100 {
        let mut done = true;
        for i in 0..n {
            let sum = |at: &dyn Fn(usize) -> T| (0..n).filter(|&k| k != i).fold(T::ZERO, |s, k| s + at(k).abs());
            let (row, mut column) = (sum(&|k| out[(i, k)]), sum(&|k| out[(k, i)]));
            if !(row > T::ZERO && column > T::ZERO) {
                continue;
            }
            let mut factor = T::ONE;
            while column <= half * row && factor < T::EPSILON.recip() {
                (factor, column) = (factor * two, column * two * two);
            }
            while column > row * two && factor > T::EPSILON {
                (factor, column) = (factor * half, column * half * half);
            }
            if factor != T::ONE {
                done = false;
                (0..n).for_each(|k| out[(k, i)] *= factor);
                (0..n).for_each(|k| out[(i, k)] *= factor.recip());
            }
        }
        if done {
            break;
        }
    }
    out
}

/// The eigenvector of an eigenvalue, by inverse iteration from a start that differs by `seed`, with its largest entry
/// 1; `None` if the shifted matrix cannot be solved.
pub(crate) fn eigenvector<T: Real>(a: &Matrix<T>, value: Pair<T>, seed: usize) -> Option<Vec<Pair<T>>> {
    let n = a.rows();
    let number = |re: T, im: T| Complex::new(re.entry(), im.entry());
    // Shifted slightly, because at the eigenvalue the matrix is singular; at this distance each inverse iteration gains
    // as many digits.
    let beside = T::EPSILON.sqrt() * T::EPSILON.sqrt().sqrt() * (T::ONE + a.norm());
    let shifted = DMatrix::from_fn(n, n, |r, c| {
        if r == c { number(a[(r, c)] - value.0 - beside, -value.1) } else { number(a[(r, c)], T::ZERO) }
    });
    let lu = shifted.full_piv_lu();
    let start = |i: usize| T::ONE + (T::from_f64((i + 1) as f64) * T::from_f64((seed + 1) as f64)).sin();
    let mut x = DVector::from_fn(n, |i, _| number(start(i), T::ZERO));
    for _ in 0..4 {
        x = lu.solve(&x)?;
        let size = |z: &Complex<T::Entry>| {
            let (re, im) = (T::from_entry(z.re), T::from_entry(z.im));
            re * re + im * im
        };
        let mut largest = (0, T::ZERO);
        for (i, z) in x.iter().enumerate() {
            // entries alike in size do not take turns
            if size(z) > largest.1 * T::from_f64(1.000_001) {
                largest = (i, size(z));
            }
        }
        if !(largest.1 > T::ZERO && largest.1.is_finite()) {
            return None;
        }
        let pivot = x[largest.0];
        x.iter_mut().for_each(|z| *z /= pivot);
    }
    Some(x.iter().map(|z| (T::from_entry(z.re), T::from_entry(z.im))).collect())
}
