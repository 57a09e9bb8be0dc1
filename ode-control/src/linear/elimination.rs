//! Linear conditions, solved for some of their unknowns.

use ode_runtime::linalg::DMatrix;

/// An entry this much larger than another one is preferred to it: of entries that are alike, the last is taken.
const ALIKE: f64 = 1e-6;

/// Rows of conditions R x = 0, solved one after the other for an unknown each, with the largest pivots.
pub(super) struct Elimination {
    rows: DMatrix<f64>,
    /// which of the conditions a row was
    order: Vec<usize>,
    /// the unknown that each of the first rows is solved for
    pivots: Vec<usize>,
    /// how many columns are those of unknowns; others go along
    unknowns: usize,
    /// the remainder, relative to its row, that counts as nothing
    nothing: f64,
}

/// An entry that is left.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    row: usize,
    pub(super) column: usize,
    size: f64,
}

impl Elimination {
    /// Of rows whose first columns are those of unknowns; a remainder below `nothing` of a row counts as zero.
    pub(super) fn of(mut rows: DMatrix<f64>, unknowns: usize, nothing: f64) -> Self {
        for mut row in rows.row_iter_mut() {
            let length = row.columns(0, unknowns).norm();
            if length > 0.0 {
                row /= length;
            }
        }
        Self { order: (0..rows.nrows()).collect(), rows, pivots: Vec::new(), unknowns, nothing }
    }

    /// Solves the first `count` conditions for unknowns that are `allowed`, as long as pivots are more than `share` of
    /// the largest entry that is left.
    pub(super) fn solve(&mut self, count: usize, share: f64, allowed: impl Fn(usize) -> bool) {
        loop {
            let (best, most) = (self.largest(count, &allowed), self.largest(count, &|_| true));
            match (best, most) {
                (Some(best), Some(most)) if best.size > share * most.size => self.pivot(best),
                _ => return,
            }
        }
    }

    /// The largest entry of the first `count` conditions that are not solved, in columns that are `allowed`.
    fn largest(&self, count: usize, allowed: &impl Fn(usize) -> bool) -> Option<Entry> {
        let mut best = Entry { row: 0, column: 0, size: 0.0 };
        for column in (0..self.unknowns).rev().filter(|&column| allowed(column)) {
            for row in (self.pivots.len()..self.rows.nrows()).filter(|&row| self.order[row] < count) {
                let size = self.rows[(row, column)].abs();
                if size > self.nothing && size > best.size * (1.0 + ALIKE) {
                    best = Entry { row, column, size };
                }
            }
        }
        Some(best).filter(|best| best.size > 0.0)
    }

    fn pivot(&mut self, at: Entry) {
        let k = self.pivots.len();
        self.rows.swap_rows(k, at.row);
        self.order.swap(k, at.row);
        let pivot = self.rows[(k, at.column)];
        self.rows.row_mut(k).iter_mut().for_each(|x| *x /= pivot);
        for row in (0..self.rows.nrows()).filter(|&row| row != k) {
            let factor = self.rows[(row, at.column)];
            for column in 0..self.rows.ncols() {
                let share = factor * self.rows[(k, column)];
                self.rows[(row, column)] -= share;
            }
            // exactly, so that it is not taken for an entry that is left
            self.rows[(row, at.column)] = 0.0;
        }
        self.pivots.push(at.column);
    }

    /// The unknowns that conditions are solved for.
    pub(super) fn pivots(&self) -> &[usize] {
        &self.pivots
    }

    /// The unknowns that stay free, ascending.
    pub(super) fn free(&self) -> Vec<usize> {
        (0..self.unknowns).filter(|column| !self.pivots.contains(column)).collect()
    }

    /// An entry that is left in a condition, with the condition: unknowns that were not allowed are determined.
    pub(super) fn left(&self) -> Option<(usize, usize)> {
        self.largest(self.rows.nrows(), &|_| true).map(|entry| (self.order[entry.row], entry.column))
    }

    /// The unknowns as functions of columns of the conditions: x = S c, for unit columns where these are free unknowns.
    pub(super) fn solution(&self, columns: impl Iterator<Item = usize> + Clone) -> DMatrix<f64> {
        let columns: Vec<usize> = columns.collect();
        let solved = |unknown: usize| self.pivots.iter().position(|&pivot| pivot == unknown);
        DMatrix::from_fn(self.unknowns, columns.len(), |unknown, k| match solved(unknown) {
            Some(row) => -self.rows[(row, columns[k])],
            None => f64::from(u8::from(unknown == columns[k])),
        })
    }
}
