//! Patterns of what is differentiated beside the tangent, and where the nonzeros of each part go in them.

use std::vec::Vec;

use crate::families::columns::Columns;

/// The derivatives of a [`Differentiable`](crate::Differentiable).
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

/// The patterns of the whole, and where the nonzeros of each part go.
#[derive(Clone, Debug)]
pub(super) struct Derived {
    pub(super) columns: [Columns; ALL],
    /// of each part: the place of each nonzero, member by member; of sums, of each nonzero for each output that reads it
    pub(super) places: Vec<[Vec<u32>; ALL]>,
    /// the outputs that read each sum
    pub(super) links: Vec<Vec<Link>>,
    pub(super) parameter_names: Vec<&'static str>,
}
