//! Vectors of an iteration, and what it may do.

use std::vec::Vec;

use crate::linalg::sparse::iterative::pieces::Pieces;
use crate::linalg::sparse::iterative::rows::Rows;
use crate::numbers::scalar::Real;

/// Vectors of an iteration, nv each.
#[derive(Clone, Debug)]
pub(super) struct Room<T> {
    pub(super) pieces: Pieces<T>,
    pub(super) x: Vec<T>,
    pub(super) r: Vec<T>,
    pub(super) z: Vec<T>,
    pub(super) p: Vec<T>,
    pub(super) q: Vec<T>,
    pub(super) t: Vec<T>,
    pub(super) shadow: Vec<T>,
}

/// What an iteration may do, and where it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limit<T> {
    /// of Σ rᵢ²/|aᵢᵢ|
    pub(super) target: T,
    pub(super) iterations: u32,
    pub(super) most: u32,
}

/// y += s x
pub(super) fn add<T: Real>(y: &mut [T], s: T, x: &[T]) {
    y.iter_mut().zip(x).for_each(|(y, &x)| *y += s * x);
}

impl<T: Real> Room<T> {
    /// For these rows.
    pub(super) fn new(rows: &Rows<T>) -> Self {
        let [n, ..] = rows.blocks.sizes();
        let [x, r, z, p, q, t, shadow] = core::array::from_fn(|_| std::vec![T::ZERO; n]);
        Self { pieces: Pieces::new(rows.blocks.ends.len()), x, r, z, p, q, t, shadow }
    }

    /// r = v − A x; its size.
    pub(super) fn residual(&mut self, rows: &Rows<T>, v: &[T]) -> T {
        let Self { pieces, x, r, .. } = self;
        let x = &*x;
        let [size, _] = pieces.each([&rows.blocks.ends], [r], &|piece, [r]| {
            rows.multiply(piece, x, r);
            r.iter_mut().zip(&v[rows.blocks.unknowns(piece)]).for_each(|(r, &v)| *r = v - *r);
            [rows.product(piece, r, r), T::ZERO]
        });
        size
    }
}
