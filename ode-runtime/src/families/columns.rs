//! Where a field is, and patterns that are made at run time.

use std::vec::Vec;

use crate::model::layout::Pattern;

/// A field's place among the unknowns.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) members: usize,
    pub(super) first_q: usize,
    pub(super) first_v: usize,
    pub(super) first_z: usize,
    /// among the unknowns (v, z), of a member and of all
    pub(super) unknowns: usize,
    pub(super) first_unknown: usize,
}

/// A pattern of its own.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns {
    pub(super) rows: usize,
    pub(super) starts: Vec<usize>,
    pub(super) indices: Vec<usize>,
}

impl Columns {
    /// The pattern of these (row, column), in any order.
    pub(super) fn of(rows: usize, columns: usize, mut entries: Vec<(u32, u32)>) -> Self {
        entries.sort_unstable_by_key(|&(row, column)| (column, row));
        entries.dedup();
        let mut starts = std::vec![0; columns + 1];
        for &(_, column) in &entries {
            if let Some(count) = starts.get_mut(column as usize + 1) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        Self { rows, starts, indices: entries.into_iter().map(|(row, _)| row as usize).collect() }
    }

    /// Place of a nonzero.
    pub(super) fn place(&self, (row, column): (u32, u32)) -> u32 {
        let column = column as usize;
        let (from, to) = (self.starts[column], self.starts[column + 1]);
        (from + self.indices[from..to].partition_point(|&r| r < row as usize)) as u32
    }

    /// Places of nonzeros.
    pub(super) fn places(&self, entries: Vec<(u32, u32)>) -> Vec<u32> {
        entries.into_iter().map(|entry| self.place(entry)).collect()
    }

    pub(super) fn pattern(&self) -> Pattern<'_> {
        let cols = self.starts.len().saturating_sub(1);
        Pattern { rows: self.rows, cols, starts: &self.starts, indices: &self.indices }
    }
}
