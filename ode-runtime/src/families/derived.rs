//! Patterns of what is differentiated beside the tangent, and where the nonzeros of each part go in them.

use std::vec::Vec;

use crate::families::columns::Columns;
use crate::model::sensitive::Change;

/// Which derivative.
pub(super) const FORCE_BY_INPUT: usize = 0;
pub(super) const RESIDUAL_BY_PARAMETER: usize = 1;
pub(super) const CONSTRAINT_BY_PARAMETER: usize = 2;
pub(super) const OUTPUT_JACOBIAN: usize = 3;
pub(super) const ALL: usize = 4;

/// An output that reads a sum.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    /// its number
    pub(super) row: usize,
    /// its derivative by the sum, among the nonzeros of the part that reads sums
    pub(super) nonzero: usize,
}

/// (row, column) of each nonzero of some matrices, of a part.
pub(super) type Entries<const N: usize> = [Vec<(u32, u32)>; N];

/// The patterns of some matrices of the whole, and where the nonzeros of each part go.
#[derive(Clone, Debug)]
pub(super) struct Placed<const N: usize> {
    pub(super) columns: [Columns; N],
    /// of each part: the place of each nonzero, member by member
    pub(super) places: Vec<[Vec<u32>; N]>,
}

impl<const N: usize> Placed<N> {
    /// Those of matrices of these (rows, columns), from the entries of each part.
    pub(super) fn of(sizes: [(usize, usize); N], parts: Vec<Entries<N>>) -> Self {
        let columns = core::array::from_fn(|of| {
            let entries = parts.iter().flat_map(|part| part[of].iter().copied()).collect();
            Columns::of(sizes[of].0, sizes[of].1, entries)
        });
        let placed = |part: Entries<N>| {
            let mut of = columns.iter().zip(part).map(|(columns, entries): (&Columns, _)| columns.places(entries));
            core::array::from_fn(|_| of.next().unwrap_or_default())
        };
        let places = parts.into_iter().map(placed).collect();
        Self { columns, places }
    }
}

/// The derivatives of a [`Differentiable`](crate::Differentiable).
#[derive(Clone, Debug)]
pub(super) struct Derived {
    /// of outputs that read sums, entries are for each of their sums
    pub(super) of: Placed<ALL>,
    /// the outputs that read each sum
    pub(super) links: Vec<Vec<Link>>,
    pub(super) parameter_names: Vec<&'static str>,
}

/// Matrices of a model whose steps and runs are differentiated, see `varied`.
pub(super) const PARTIALS: usize = 12;

/// Their patterns, and who gives each number of the start.
#[derive(Clone, Debug)]
pub(super) struct Partials {
    pub(super) of: Placed<PARTIALS>,
    /// what events change, event by event
    pub(super) changes: Vec<Change>,
    /// for each row of the start the part and member whose guess holds: the last one
    pub(super) guessed: Vec<Option<(u32, u32)>>,
}
