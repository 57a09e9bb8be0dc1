//! LU with exchanges of rows, by faer, where pivots in a fixed order lose their digits.
//!
//! A decomposition with a zero pivot, or with rows that depend on others, may be reported as good. So a known solution
//! is found again when it is made, or it is refused; and each solution is corrected while its residual falls.

use std::cell::RefCell;
use std::vec::Vec;

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::linalg::lu::{LuRef, LuSymbolicParams, NumericLu, SymbolicLu, factorize_symbolic_lu};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMat};
use faer::{Conj, MatMut, Par};

use crate::linalg::Singular;
use crate::numbers::field::Field;
use crate::numbers::scalar::Real;

/// Corrections of a solution.
const CORRECTIONS: u32 = 3;
/// A residual above this share of its terms shows a matrix without an inverse.
const LOST: f64 = 1e-6;

/// The decomposition of R A C, with powers of two R and C, in double precision.
pub(super) struct Lu {
    pattern: SymbolicSparseColMat<usize>,
    /// the place of each entry that was given
    places: Vec<usize>,
    /// the entries of A, and of R A C
    values: Vec<f64>,
    scaled: Vec<f64>,
    rows: Vec<f64>,
    cols: Vec<f64>,
    symbolic: SymbolicLu<usize>,
    numeric: NumericLu<usize, f64>,
    room: RefCell<Room>,
}

/// Room for a solution.
struct Room {
    stack: MemBuffer,
    right: Vec<f64>,
    left: Vec<f64>,
    size: Vec<f64>,
    correction: Vec<f64>,
}

impl Lu {
    /// For a matrix of `n` rows with these (row, column), each once; none if it cannot be analysed.
    pub(super) fn new(n: usize, entries: impl Iterator<Item = (usize, usize)>) -> Option<Self> {
        let mut order: Vec<(usize, usize, usize)> = entries.enumerate().map(|(k, (r, c))| (c, r, k)).collect();
        order.sort_unstable();
        let mut places = std::vec![0; order.len()];
        order.iter().enumerate().for_each(|(at, &(.., k))| places[k] = at);
        let starts = (0..=n).map(|c| order.partition_point(|&(column, ..)| column < c)).collect();
        let indices: Vec<usize> = order.iter().map(|&(_, r, _)| r).collect();
        let nnz = indices.len();
        let pattern = SymbolicSparseColMat::new_checked(n, n, starts, None, indices);
        let symbolic = factorize_symbolic_lu(pattern.as_ref(), LuSymbolicParams::default()).ok()?;
        let scratch = symbolic.factorize_numeric_lu_scratch::<f64>(Par::Seq, Default::default());
        let solving = symbolic.solve_in_place_scratch::<f64>(1, Par::Seq);
        let stack = MemBuffer::try_new(scratch.or(solving)).ok()?;
        let zeros = |len: usize| std::vec![0.0; len];
        let room = Room { stack, right: zeros(n), left: zeros(n), size: zeros(n), correction: zeros(n) };
        Some(Self {
            pattern,
            places,
            values: zeros(nnz),
            scaled: zeros(nnz),
            rows: zeros(n),
            cols: zeros(n),
            symbolic,
            numeric: NumericLu::new(),
            room: RefCell::new(room),
        })
    }

    /// Decomposes the matrix of these entries, in the order in which they were given.
    ///
    /// # Errors
    /// [`Singular`] if a known solution is not found, with the unknown that is furthest off.
    pub(super) fn factorize<T: Real>(&mut self, values: impl Iterator<Item = T>) -> Result<(), Singular> {
        for (&place, value) in self.places.iter().zip(values) {
            self.values[place] = value.to_f64();
        }
        if let Some(at) = self.values.iter().position(|x| !x.is_finite()) {
            return Err(Singular { index: self.pattern.row_idx().get(at).copied().unwrap_or(0) });
        }
        self.equilibrate();
        let Self { pattern, scaled, symbolic, numeric, room, .. } = self;
        let matrix = SparseColMatRef::new(pattern.as_ref(), scaled.as_slice());
        let stack = MemStack::new(&mut room.get_mut().stack);
        let done = symbolic.factorize_numeric_lu(numeric, matrix, Par::Seq, stack, Default::default());
        if done.is_err() {
            return Err(Singular { index: 0 });
        }
        self.probe()
    }

    /// Solves for a right-hand side whose solution is known.
    fn probe(&self) -> Result<(), Singular> {
        let n = self.rows.len();
        // of changing sign and size, so that no simple combination of columns vanishes
        let wanted: Vec<f64> =
            (0..n).map(|i| (1.0 + (i * 7 % 11) as f64) * if i % 2 == 0 { 1.0 } else { -1.0 }).collect();
        let known: Vec<f64> = wanted.iter().zip(&self.cols).map(|(x, c)| x * c).collect();
        let mut x = std::vec![0.0; n];
        self.each(|r, c, value| x[r] += value * known[c]);
        let unmet = self.solve_in(&mut x, false);
        let off = |i: usize| (x[i] / self.cols[i] - wanted[i]).abs();
        // NaN is the largest
        let worst = (0..n).max_by(|&i, &j| off(i).total_cmp(&off(j))).unwrap_or(0);
        // A solution far off leaves a small residual if columns nearly depend on each other.
        let sound = unmet <= LOST && (n == 0 || off(worst) <= 1e-3 * wanted[worst].abs());
        if sound { Ok(()) } else { Err(Singular { index: worst }) }
    }

    /// Scales by powers of two: rows to a largest entry in [1, 2), then columns.
    fn equilibrate(&mut self) {
        let Self { pattern, values, scaled, rows, cols, .. } = self;
        let (starts, indices) = (pattern.col_ptr(), pattern.row_idx());
        rows.fill(0.0);
        for (&r, x) in indices.iter().zip(values.iter()) {
            rows[r] = rows[r].max(x.abs());
        }
        rows.iter_mut().for_each(|x| *x = x.equalizer());
        for (c, col) in cols.iter_mut().enumerate() {
            let own = starts[c]..starts[c + 1];
            let largest = own.clone().fold(0.0_f64, |most, k| most.max((values[k] * rows[indices[k]]).abs()));
            *col = largest.equalizer();
            for k in own {
                scaled[k] = values[k] * rows[indices[k]] * *col;
            }
        }
    }

    /// Calls `see(row, column, value)` for each entry of A.
    fn each(&self, mut see: impl FnMut(usize, usize, f64)) {
        let (starts, indices) = (self.pattern.col_ptr(), self.pattern.row_idx());
        for c in 0..self.cols.len() {
            for k in starts[c]..starts[c + 1] {
                see(indices[k], c, self.values[k]);
            }
        }
    }

    /// A⁻¹ x in place of x, or A⁻ᵀ x.
    pub(super) fn solve<T: Real, const K: usize>(&self, mut x: [&mut [T]; K], transposed: bool) {
        let mut all: Vec<f64> = x.iter().flat_map(|x| x.iter()).map(|x| x.to_f64()).collect();
        self.solve_in(&mut all, transposed);
        for (to, &from) in x.iter_mut().flat_map(|x| x.iter_mut()).zip(&all) {
            *to = T::from_f64(from);
        }
    }

    /// The same, corrected; returns the largest residual as a share of its terms.
    fn solve_in(&self, x: &mut [f64], transposed: bool) -> f64 {
        let mut room = self.room.borrow_mut();
        let Room { stack, right, left, size, correction } = &mut *room;
        right.copy_from_slice(x);
        self.apply(stack, x, transposed);
        let (mut unmet, mut turn) = (f64::INFINITY, 0);
        loop {
            left.copy_from_slice(right);
            size.iter_mut().zip(right.iter()).for_each(|(size, b)| *size = b.abs());
            self.each(|r, c, value| {
                let (r, c) = if transposed { (c, r) } else { (r, c) };
                left[r] -= value * x[c];
                size[r] += (value * x[c]).abs();
            });
            let shares =
                left.iter().zip(size.iter()).map(|(left, size)| if *left == 0.0 { 0.0 } else { left.abs() / size });
            // NaN is the largest
            let share = shares.fold(0.0, <f64 as Real>::max);
            if !(share < unmet) && turn > 0 {
                // the last correction was none
                x.iter_mut().zip(correction.iter()).for_each(|(x, dx)| *x -= dx);
                return unmet;
            }
            if !share.is_finite() || share <= 2.0 * f64::EPSILON || turn == CORRECTIONS {
                return share;
            }
            (unmet, turn) = (share, turn + 1);
            correction.copy_from_slice(left);
            self.apply(stack, correction, transposed);
            x.iter_mut().zip(correction.iter()).for_each(|(x, dx)| *x += dx);
        }
    }

    /// One solution by the factors.
    fn apply(&self, stack: &mut MemBuffer, x: &mut [f64], transposed: bool) {
        let (before, after) = if transposed { (&self.cols, &self.rows) } else { (&self.rows, &self.cols) };
        x.iter_mut().zip(before).for_each(|(x, scale)| *x *= scale);
        let (n, factors) = (x.len(), LuRef::new_unchecked(&self.symbolic, &self.numeric));
        let (right, stack) = (MatMut::from_column_major_slice_mut(x, n, 1), MemStack::new(stack));
        match transposed {
            false => factors.solve_in_place_with_conj(Conj::No, right, Par::Seq, stack),
            true => factors.solve_transpose_in_place_with_conj(Conj::No, right, Par::Seq, stack),
        }
        x.iter_mut().zip(after).for_each(|(x, scale)| *x *= scale);
    }
}
