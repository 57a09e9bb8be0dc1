//! The factors of a matrix whose size is known at run time only, kept for right-hand sides to come.

use std::vec::Vec;

use nalgebra::{DMatrix, Dyn, FullPivLU};

use crate::linalg::Singular;
use crate::numbers::scalar::Real;

/// LU with full pivoting of a square matrix whose rows and columns are scaled by powers of two.
#[derive(Clone, Debug)]
pub(crate) struct Lu<T: Real> {
    lu: FullPivLU<T::Entry, Dyn, Dyn>,
    rows: Vec<T>,
    cols: Vec<T>,
    /// the number of pivots, and the unknown that is first to have none
    rank: (usize, usize),
}

impl<T: Real> Lu<T> {
    /// Factorises the matrix of n rows with these entries.
    ///
    /// # Errors
    /// [`Singular`] where an entry is not finite, with its column.
    pub(crate) fn new(n: usize, entry: &dyn Fn(usize, usize) -> T) -> Result<Self, Singular> {
        if let Some(index) = (0..n).find(|&c| (0..n).any(|r| !entry(r, c).is_finite())) {
            return Err(Singular { index });
        }
        let largest = |values: &mut dyn Iterator<Item = T>| values.fold(T::ZERO, |norm, x| norm.max(x.abs()));
        let rows: Vec<T> = (0..n).map(|r| largest(&mut (0..n).map(|c| entry(r, c))).equalizer()).collect();
        let cols: Vec<T> = (0..n).map(|c| largest(&mut (0..n).map(|r| entry(r, c) * rows[r])).equalizer()).collect();
        let lu = FullPivLU::new(DMatrix::from_fn(n, n, |r, c| (entry(r, c) * rows[r] * cols[c]).entry()));
        let pivot = |k: usize| T::from_entry(lu.lu_internal()[(k, k)]).abs();
        let tolerance = T::from_f64(n as f64) * T::EPSILON;
        // Written so that NaN has no pivot.
        let rank = (0..n).find(|&k| !(pivot(k) > tolerance * pivot(0))).unwrap_or(n);
        let mut order = nalgebra::RowDVector::<usize>::from_fn(n, |_, j| j);
        lu.q().permute_columns(&mut order);
        let undetermined = order.get(rank).copied().unwrap_or(n);
        Ok(Self { lu, rows, cols, rank: (rank, undetermined) })
    }

    /// Refuses a matrix without an inverse.
    ///
    /// # Errors
    /// [`Singular`] with the unknown that no equation determines.
    pub(crate) fn full(self) -> Result<Self, Singular> {
        let (rank, index) = self.rank;
        if rank == self.rows.len() { Ok(self) } else { Err(Singular { index }) }
    }

    /// A⁻ᵀ b in the place of b, the transpose of [`Lu::solve`].
    pub(crate) fn solve_transposed(&self, x: &mut [T]) {
        let (n, lu, (rank, _)) = (self.rows.len(), self.lu.lu_internal(), self.rank);
        let mut b = nalgebra::DVector::from_fn(n, |r, _| (x.get(r).copied().unwrap_or(T::ZERO) * self.cols[r]).entry());
        self.lu.q().permute_rows(&mut b);
        for r in 0..n {
            if r >= rank {
                b[r] = T::ZERO.entry();
                continue;
            }
            for c in 0..r {
                let known = b[c];
                b[r] -= lu[(c, r)] * known;
            }
            b[r] /= lu[(r, r)];
        }
        for r in (0..rank).rev() {
            for c in r + 1..rank {
                let known = b[c];
                b[r] -= lu[(c, r)] * known;
            }
        }
        self.lu.p().inv_permute_rows(&mut b);
        for ((x, &b), &scale) in x.iter_mut().zip(b.iter()).zip(&self.rows) {
            *x = T::from_entry(b) * scale;
        }
    }

    /// A⁻¹ b in the place of b. Unknowns without a pivot are zero: a solution where b is in the range of A.
    pub(crate) fn solve(&self, x: &mut [T]) {
        let (n, lu, (rank, _)) = (self.rows.len(), self.lu.lu_internal(), self.rank);
        let mut b = nalgebra::DVector::from_fn(n, |r, _| (x.get(r).copied().unwrap_or(T::ZERO) * self.rows[r]).entry());
        self.lu.p().permute_rows(&mut b);
        for r in 0..rank {
            for c in 0..r {
                let known = b[c];
                b[r] -= lu[(r, c)] * known;
            }
        }
        for r in (0..n).rev() {
            if r >= rank {
                b[r] = T::ZERO.entry();
                continue;
            }
            for c in r + 1..rank {
                let known = b[c];
                b[r] -= lu[(r, c)] * known;
            }
            b[r] /= lu[(r, r)];
        }
        self.lu.q().inv_permute_rows(&mut b);
        for ((x, &b), &scale) in x.iter_mut().zip(b.iter()).zip(&self.cols) {
            *x = T::from_entry(b) * scale;
        }
    }
}
