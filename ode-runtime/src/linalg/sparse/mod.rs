//! Matrices that are mostly zero: those of `sprs` for users, and the linear systems of large models.
//!
//! A system is eliminated in an order that is found once from its pattern, without a search for pivots
//! ([`elimination`]): by lists of places where columns are short, as in chains, by products of blocks where they are
//! long, as in meshes ([`panel`]). Each pivot is tested as that of a small model is; where one lost its digits, an LU
//! decomposition with exchanges of rows takes over ([`lu`]), which is refused unless it finds a known solution.

mod both;
mod elimination;
mod group;
mod iterative;
mod kkt;
mod lu;
mod matrices;
mod order;
mod panel;
mod panels;
mod plan;
mod saddle;
mod square;
mod substitution;
#[cfg(test)]
mod trials;

pub(crate) use both::both;
pub use iterative::IterativeKkt;
pub(crate) use iterative::{ITERATIONS, held, tolerance};
pub use kkt::SparseKkt;
pub use matrices::{
    OtherPattern, cut, mirrored, replace_symmetric_values, replace_values, sparse, sparse_symmetric, squared,
};
pub use saddle::SparseSaddle;
pub use square::{SparseAlgebra, SparseFactors, SparseSquare};

use std::vec::Vec;

use crate::model::layout::Pattern;
use crate::numbers::scalar::Scalar;

/// The diagonal of the values of a pattern, and zeros up to `n`.
fn diagonal<T: Scalar>(pattern: Pattern<'_>, values: &[T], n: usize) -> Vec<T> {
    let mut out = std::vec![T::ZERO; n];
    for ((_, c), &value) in pattern.entries().zip(values).filter(|((r, c), _)| r == c) {
        out[c] = value;
    }
    out
}
