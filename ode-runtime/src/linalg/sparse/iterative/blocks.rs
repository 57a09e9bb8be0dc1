//! The pattern of a tangent by blocks of rows, cut into pieces.
//!
//! A block is a run of unknowns whose rows have the same columns, such as the coordinates of a point: the columns are
//! read once for all of them. Products are limited by memory, so columns have 32 bits.

use core::ops::Range;
use std::vec::Vec;

use crate::model::layout::Layout;

/// The most unknowns of a block.
pub(super) const WIDEST: usize = 6;

/// Unknowns of a piece, about.
const PIECE: usize = 2048;

/// Rows and columns of velocities.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    /// where each block begins, and where the last ends
    places: Vec<Place>,
    columns: Vec<u32>,
    /// the nonzero of the tangent that each value is
    nonzeros: Vec<u32>,
    /// where the nonzeros of each column begin in the tangent, if its rows are the columns of its mirror image
    pub(super) mirrors: Option<Vec<u32>>,
    /// the first block of each piece, and the end of the last
    cuts: Vec<usize>,
    /// where each piece ends among the unknowns, values and inverses
    pub(super) ends: Vec<usize>,
    pub(super) value_ends: Vec<usize>,
    pub(super) inverse_ends: Vec<usize>,
}

/// A place among unknowns, columns, values, and entries of inverses.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    pub(super) unknown: usize,
    pub(super) column: usize,
    pub(super) value: usize,
    pub(super) inverse: usize,
}

/// A block: its rows are one after the other among the values, `columns` each.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block<'a> {
    pub(super) begin: Place,
    pub(super) width: usize,
    pub(super) columns: &'a [u32],
}

impl Block<'_> {
    /// The value of one of its rows, of those that begin with `values`, in a column.
    pub(super) fn entry<T: Copy>(&self, values: &[T], row: usize, column: usize) -> Option<T> {
        let at = self.columns.binary_search(&(column as u32)).ok()?;
        values.get(row * self.columns.len() + at).copied()
    }
}

impl Blocks {
    pub(super) fn new(layout: &Layout<'_>) -> Self {
        let (n, tangent) = (layout.v.len(), layout.tangent);
        let own = || tangent.entries().enumerate().filter(|(_, (r, c))| *r < n && *c < n);
        let mut starts = std::vec![0; n + 1];
        own().for_each(|(_, (r, _))| starts[r + 1] += 1);
        (0..n).for_each(|r| starts[r + 1] += starts[r]);
        let (mut all, mut nonzeros) = (std::vec![0; starts[n]], std::vec![0; starts[n]]);
        let mut next = starts.clone();
        for (place, (r, c)) in own() {
            (all[next[r]], nonzeros[next[r]]) = (c as u32, place as u32);
            next[r] += 1;
        }
        let row = |r: usize| &all[starts[r]..starts[r + 1]];
        let same = |c: usize| {
            tangent.column(c).map(|(r, _)| r as u32).take_while(|&r| (r as usize) < n).eq(row(c).iter().copied())
        };
        let mirrors = (0..n).all(same).then(|| tangent.starts.iter().map(|&start| start as u32).collect());
        let mut blocks = Self {
            places: std::vec![Place::default()],
            columns: Vec::new(),
            nonzeros,
            mirrors,
            cuts: std::vec![0],
            ends: Vec::new(),
            value_ends: Vec::new(),
            inverse_ends: Vec::new(),
        };
        let mut at = Place::default();
        while at.unknown < n {
            let first = row(at.unknown);
            let others = (1..WIDEST.min(n - at.unknown)).take_while(|k| row(at.unknown + k) == first);
            let width = 1 + others.count();
            blocks.columns.extend_from_slice(first);
            at = Place {
                unknown: at.unknown + width,
                column: blocks.columns.len(),
                value: starts[at.unknown + width],
                inverse: at.inverse + width * width,
            };
            blocks.places.push(at);
            if at.unknown == n || at.unknown - blocks.ends.last().copied().unwrap_or(0) >= PIECE {
                blocks.cut(at);
            }
        }
        blocks
    }

    /// Ends a piece.
    fn cut(&mut self, at: Place) {
        self.cuts.push(self.places.len() - 1);
        self.ends.push(at.unknown);
        self.value_ends.push(at.value);
        self.inverse_ends.push(at.inverse);
    }

    /// Unknowns, values, and entries of inverses.
    pub(super) fn sizes(&self) -> [usize; 3] {
        [&self.ends, &self.value_ends, &self.inverse_ends].map(|ends| ends.last().copied().unwrap_or(0))
    }

    /// Where a piece begins.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn begin(&self, piece: usize) -> Place {
        self.places[self.cuts[piece]]
    }

    /// The unknowns of a piece.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn unknowns(&self, piece: usize) -> Range<usize> {
        self.begin(piece).unknown..self.ends[piece]
    }

    /// The blocks of a piece.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn of(&self, piece: usize) -> impl Iterator<Item = Block<'_>> + '_ {
        self.places[self.cuts[piece]..=self.cuts[piece + 1]].windows(2).map(|ends| Block {
            begin: ends[0],
            width: ends[1].unknown - ends[0].unknown,
            columns: &self.columns[ends[0].column..ends[1].column],
        })
    }

    /// The nonzeros of the tangent that the values of a piece are.
    pub(super) fn nonzeros(&self, piece: usize) -> &[u32] {
        &self.nonzeros[self.begin(piece).value..self.value_ends[piece]]
    }
}
