//! Generated values beside those of the oracle, entry by entry.

use core::fmt;

use crate::error::Name;
use crate::model::layout::Pattern;
use crate::numbers::dual::Dual;

/// Largest difference accepted, relative to the largest entry of the block.
pub const TOLERANCE: f64 = 1e-12;

/// The additional tolerance for solutions of one linear system by two elimination orders, because of its condition: a
/// multiple of [`TOLERANCE`].
pub(super) const SOLVED: f64 = 1e4;

/// What round-off of terms is relative to their size, as a multiple of [`TOLERANCE`]: a few units in the last place.
/// Where all terms of a block cancel, it is all that is left.
const CANCELLED: f64 = 1e-3;

/// A generated derivative that disagrees with the oracle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mismatch {
    /// K, D, M, G, …
    pub block: &'static str,
    /// name of the row
    pub row: Name,
    /// name of the column
    pub column: Name,
    /// what was generated
    pub generated: f64,
    /// what dual numbers give
    pub dual: f64,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { block, row, column, generated, dual } = self;
        write!(f, "{block}[{row}, {column}]: generated {generated:e}, dual numbers give {dual:e}")
    }
}

impl core::error::Error for Mismatch {}

pub(super) fn copy(from: &[Dual<f64>], to: &mut [f64]) {
    for (x, y) in from.iter().zip(to) {
        *y = x.eps;
    }
}

/// Generated values on a pattern, of which the rows and columns from `first` on are compared.
#[derive(Clone, Copy)]
pub(super) struct Values<'a> {
    pub(super) block: &'static str,
    pub(super) pattern: Pattern<'a>,
    pub(super) values: &'a [f64],
    /// names of the rows: those of a first kind, then those of a second
    pub(super) rows: [&'a [&'a str]; 2],
    pub(super) columns: &'a [&'a str],
    pub(super) first: (usize, usize),
}

/// Rows of an oracle column that there is room for without a heap, where models have at most 127 unknowns.
#[cfg(not(feature = "std"))]
const ROOM: usize = 512;

impl Values<'_> {
    /// Compares every entry, structural zeros included, with the columns the oracle writes.
    pub(super) fn compare(&self, oracle: &dyn Fn(usize, &mut [f64])) -> Result<(), Mismatch> {
        self.compare_beside(&[], oracle)
    }

    /// The same of entries that may come from terms of the size of these.
    pub(super) fn compare_beside(&self, terms: &[f64], oracle: &dyn Fn(usize, &mut [f64])) -> Result<(), Mismatch> {
        let rows = self.rows[0].len() + self.rows[1].len();
        if rows == 0 {
            return Ok(());
        }
        let mut scale = self.values.iter().fold(cancelled(terms), |scale, x| larger(scale, *x));
        #[cfg(feature = "std")]
        let (mut column, mut own) = (std::vec![0.0; rows], std::vec![0.0; rows]);
        #[cfg(not(feature = "std"))]
        let (rows, mut column, mut own) = (rows.min(ROOM), [0.0; ROOM], [0.0; ROOM]);
        let (column, own) = (&mut column[..rows], &mut own[..rows]);
        // the scale only grows: what agrees beside the largest entry so far agrees beside that of the block
        let mut agreed = true;
        for c in 0..self.columns.len() {
            column.fill(0.0);
            oracle(c, column);
            scale = column.iter().fold(scale, |scale, dual| larger(scale, *dual));
            agreed = agreed && self.column(c, own, column, scale).is_ok();
        }
        if agreed {
            return Ok(());
        }
        for c in 0..self.columns.len() {
            column.fill(0.0);
            oracle(c, column);
            self.column(c, own, column, scale)?;
        }
        Ok(())
    }

    /// Compares a column, for whose own entries there is room in `own`.
    fn column(&self, c: usize, own: &mut [f64], duals: &[f64], scale: f64) -> Result<(), Mismatch> {
        own.fill(0.0);
        for (row, at) in self.pattern.column(c + self.first.1) {
            let entry = row.checked_sub(self.first.0).and_then(|row| own.get_mut(row));
            if let (Some(entry), Some(&value)) = (entry, self.values.get(at)) {
                *entry = value;
            }
        }
        let [first, second] = self.rows;
        for (r, (value, dual)) in own.iter().zip(duals).enumerate() {
            let row = if r < first.len() { (first, r) } else { (second, r - first.len()) };
            agree(self.block, row, (self.columns, c), *value, *dual, scale)?;
        }
        Ok(())
    }
}

/// The scale of entries whose terms, of the size of these, have cancelled.
pub(super) fn cancelled(terms: &[f64]) -> f64 {
    CANCELLED * terms.iter().fold(0.0, |scale, x| larger(scale, *x))
}

/// The larger of a scale and the size of a number; one that is infinite is none to compare others by.
pub(super) fn larger(scale: f64, x: f64) -> f64 {
    if x.is_finite() { scale.max(x.abs()) } else { scale }
}

pub(super) fn vector(
    block: &'static str,
    rows: &[&str],
    values: &[f64],
    oracle: &dyn Fn(usize) -> f64,
) -> Result<(), Mismatch> {
    vector_beside(0.0, block, rows, values, oracle)
}

/// The same of numbers that come from sums of terms of this size, of which round-off may be all that is left.
pub(super) fn vector_beside(
    terms: f64,
    block: &'static str,
    rows: &[&str],
    values: &[f64],
    oracle: &dyn Fn(usize) -> f64,
) -> Result<(), Mismatch> {
    let scale = values.iter().enumerate().fold(terms, |scale, (i, x)| larger(larger(scale, *x), oracle(i)));
    for (i, value) in values.iter().enumerate() {
        agree(block, (rows, i), (&[], 0), *value, oracle(i), scale)?;
    }
    Ok(())
}

pub(super) fn agree(
    block: &'static str,
    (rows, r): (&[&str], usize),
    (columns, c): (&[&str], usize),
    generated: f64,
    dual: f64,
    scale: f64,
) -> Result<(), Mismatch> {
    let name = |names: &[&str], i: usize| Name::new(names.get(i).copied().unwrap_or(""));
    // the same infinity agrees; written so that a NaN is a mismatch
    if generated == dual || (generated - dual).abs() <= TOLERANCE * scale {
        Ok(())
    } else {
        Err(Mismatch { block, row: name(rows, r), column: name(columns, c), generated, dual })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One entry beside terms of size one.
    fn beside(generated: f64, dual: f64) -> Result<(), Mismatch> {
        let pattern = Pattern { rows: 1, cols: 1, starts: &[0, 1], indices: &[0] };
        let (values, rows, columns) = ([generated], [&["x"][..], &[]], &["x"][..]);
        let values = Values { block: "K", pattern, values: &values, rows, columns, first: (0, 0) };
        values.compare_beside(&[1.0], &|_, out| out[0] = dual)
    }

    #[test]
    fn round_off_of_terms_that_cancel_is_no_mistake() {
        assert_eq!(beside(-2e-17, 0.0), Ok(()));
        assert_eq!(beside(0.0, 2e-17), Ok(()));
        for (generated, dual) in [(1e-14, 0.0), (1e-14, 2e-14), (1e-3, 1e-3 + 1e-14), (1.0, 1.0 + 1e-11)] {
            assert!(beside(generated, dual).is_err(), "{generated} {dual}");
        }
    }

    #[test]
    fn entries_are_measured_by_the_largest_of_the_block() {
        let pattern = Pattern { rows: 2, cols: 2, starts: &[0, 1, 2], indices: &[0, 1] };
        let (values, rows, columns) = ([1e-13, 0.0], [&["x", "y"][..], &[]], &["x", "y"][..]);
        let values = Values { block: "K", pattern, values: &values, rows, columns, first: (0, 0) };
        let beside = |corner: f64| values.compare(&|c, out| out[c] = if c == 0 { 0.0 } else { corner });
        // a column that comes later is larger: the first entry is round-off, and the last one is wrong
        let wrong = beside(1.0).unwrap_err();
        assert_eq!((wrong.row.as_str(), wrong.column.as_str()), ("y", "y"));
        let wrong = beside(0.0).unwrap_err();
        assert_eq!((wrong.row.as_str(), wrong.column.as_str()), ("x", "x"));
    }
}
