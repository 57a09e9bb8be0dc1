//! The rows of a tangent, their products with vectors, and the inverses of the blocks on the diagonal.

use core::array;
use std::vec::Vec;

use crate::linalg::Singular;
use crate::linalg::sparse::iterative::blocks::{Blocks, WIDEST};
use crate::linalg::sparse::iterative::pieces::Pieces;
use crate::model::layout::Layout;
use crate::numbers::scalar::Real;

/// A matrix by rows, with its preconditioner.
#[derive(Clone, Debug)]
pub(super) struct Rows<T> {
    pub(super) blocks: Blocks,
    pub(super) symmetric: bool,
    values: Vec<T>,
    /// P⁻¹ of each block, zero where an unknown is held
    inverses: Vec<T>,
    /// 1/|aᵢᵢ|, the unit of residuals; zero where an unknown is held
    scales: Vec<T>,
}

impl<T: Real> Rows<T> {
    pub(super) fn new(layout: &Layout<'_>) -> Self {
        let blocks = Blocks::new(layout);
        let [scales, values, inverses] = blocks.sizes().map(|size| std::vec![T::ZERO; size]);
        Self { blocks, symmetric: false, values, inverses, scales }
    }

    /// Takes the nonzeros of a tangent, in which some unknowns are `held`.
    ///
    /// # Errors
    /// [`Singular`] where a block on the diagonal has no inverse or is not finite.
    pub(super) fn fill(&mut self, pieces: &mut Pieces<T>, tangent: &[T], held: &[bool]) -> Result<(), Singular> {
        let Self { blocks, values, inverses, scales, .. } = self;
        let ends = [blocks.ends.as_slice(), &blocks.value_ends, &blocks.inverse_ends];
        let [failed, _] = pieces.each(ends, [scales, values, inverses], &|piece, [scales, values, inverses]| {
            for (value, &nonzero) in values.iter_mut().zip(blocks.nonzeros(piece)) {
                *value = tangent[nonzero as usize];
            }
            let (first, mut failed) = (blocks.begin(piece), T::ZERO);
            for block in blocks.of(piece) {
                let (begin, width) = (block.begin, block.width);
                let values = &values[begin.value - first.value..];
                let entry = |i: usize, j: usize| block.entry(values, i, begin.unknown + j).unwrap_or(T::ZERO);
                let free = |k: usize| !held[begin.unknown + k];
                let inverse = &mut inverses[begin.inverse - first.inverse..][..width * width];
                for (k, inverse) in inverse.iter_mut().enumerate() {
                    *inverse = match (k / width, k % width) {
                        (i, j) if free(i) && free(j) => entry(i, j),
                        // a held unknown stands alone
                        (i, j) if i == j => T::ONE,
                        _ => T::ZERO,
                    };
                }
                let mut regular = invert(inverse, width);
                for (k, inverse) in inverse.iter_mut().enumerate() {
                    if !free(k / width) || !free(k % width) {
                        *inverse = T::ZERO;
                    }
                }
                for (i, scale) in scales[begin.unknown - first.unknown..][..width].iter_mut().enumerate() {
                    *scale = if free(i) { entry(i, i).abs().recip() } else { T::ZERO };
                    regular &= scale.is_finite();
                }
                failed += if regular { T::ZERO } else { T::ONE };
            }
            [failed, T::ZERO]
        });
        if failed != T::ZERO {
            return Err(Singular { index: self.without_inverse() });
        }
        self.symmetric = self.is_symmetric(pieces, tangent);
        Ok(())
    }

    /// Whether entries differ from their mirror images by round-off of the diagonal.
    fn is_symmetric(&self, pieces: &mut Pieces<T>, tangent: &[T]) -> bool {
        let Some(mirrors) = &self.blocks.mirrors else { return false };
        let allowed = T::from_f64(64.0) * T::EPSILON;
        let [off, _] = pieces.each([], [], &|piece, []| {
            let mut off = T::ZERO;
            for block in self.blocks.of(piece) {
                let rows = self.values[block.begin.value..].chunks_exact(block.columns.len().max(1));
                for (row, i) in rows.take(block.width).zip(block.begin.unknown..) {
                    let column = &tangent[mirrors[i] as usize..][..row.len()];
                    for ((&a, &b), &j) in row.iter().zip(column).zip(block.columns) {
                        let unit = self.scales[i] * self.scales[j as usize];
                        if !((a - b) * (a - b) * unit <= allowed * allowed) {
                            off += T::ONE;
                        }
                    }
                }
            }
            [off, T::ZERO]
        });
        off == T::ZERO
    }

    /// The first unknown that has no inverse of its own, else the first of a block that has none.
    fn without_inverse(&self) -> usize {
        let bad = |x: &T| !x.is_finite();
        let alone = self.scales.iter().position(bad);
        let pieces = 0..self.blocks.ends.len();
        let mut blocks = pieces.flat_map(|piece| self.blocks.of(piece));
        let inverse = |begin: usize, width: usize| &self.inverses[begin..][..width * width];
        let found = blocks.find(|block| inverse(block.begin.inverse, block.width).iter().any(bad));
        alone.or(found.map(|block| block.begin.unknown)).unwrap_or(0)
    }

    /// y = A x in the rows of a piece.
    pub(super) fn multiply(&self, piece: usize, x: &[T], y: &mut [T]) {
        let mut rest = y;
        for block in self.blocks.of(piece) {
            let values = &self.values[block.begin.value..];
            let own;
            (own, rest) = core::mem::take(&mut rest).split_at_mut(block.width);
            match block.width {
                1 => rows::<T, 1>(block.columns, values, x, own),
                2 => rows::<T, 2>(block.columns, values, x, own),
                3 => rows::<T, 3>(block.columns, values, x, own),
                4 => rows::<T, 4>(block.columns, values, x, own),
                5 => rows::<T, 5>(block.columns, values, x, own),
                _ => rows::<T, WIDEST>(block.columns, values, x, own),
            }
        }
    }

    /// z = P⁻¹ r in a piece, both of this piece alone.
    pub(super) fn precondition(&self, piece: usize, r: &[T], z: &mut [T]) {
        let first = self.blocks.begin(piece).unknown;
        for block in self.blocks.of(piece) {
            let (own, width) = (block.begin.unknown - first, block.width);
            let inverse = &self.inverses[block.begin.inverse..][..width * width];
            let (r, z) = (&r[own..][..width], &mut z[own..][..width]);
            for (row, z) in inverse.chunks_exact(width).zip(z) {
                *z = row.iter().zip(r).fold(T::ZERO, |sum, (&a, &r)| sum + a * r);
            }
        }
    }

    /// Σ xᵢ yᵢ/|aᵢᵢ| of a piece: without units, and without what is held.
    pub(super) fn product(&self, piece: usize, x: &[T], y: &[T]) -> T {
        let scales = &self.scales[self.blocks.unknowns(piece)];
        scales.iter().zip(x).zip(y).fold(T::ZERO, |sum, ((&s, &x), &y)| sum + s * x * y)
    }

    /// x/|aᵢᵢ| of a piece.
    pub(super) fn scale(&self, piece: usize, x: &mut [T]) {
        x.iter_mut().zip(&self.scales[self.blocks.unknowns(piece)]).for_each(|(x, &s)| *x *= s);
    }

    /// The unknown with the largest rᵢ²/|aᵢᵢ|.
    pub(super) fn largest(&self, r: &[T]) -> usize {
        let sizes = r.iter().zip(&self.scales).map(|(&r, &s)| r * r * s).enumerate();
        sizes.fold((0, T::ZERO), |most, own| if own.1 > most.1 { own } else { most }).0
    }
}

/// W rows times x.
#[cfg_attr(not(debug_assertions), inline(always))]
fn rows<T: Real, const W: usize>(columns: &[u32], values: &[T], x: &[T], y: &mut [T]) {
    let rows: [&[T]; W] = array::from_fn(|k| &values[k * columns.len()..][..columns.len()]);
    let mut sums = [T::ZERO; W];
    for (at, &column) in columns.iter().enumerate() {
        let x = x[column as usize];
        for k in 0..W {
            sums[k] += rows[k][at] * x;
        }
    }
    y.copy_from_slice(&sums);
}

/// Inverts a block in place by Gauss and Jordan's elimination with exchanges of rows; whether all of it is finite.
fn invert<T: Real>(a: &mut [T], width: usize) -> bool {
    let mut swaps = [0; WIDEST];
    for k in 0..width {
        let size = |row: usize, a: &[T]| a[row * width + k].abs();
        let pivot = (k + 1..width).fold(k, |most, row| if size(row, a) > size(most, a) { row } else { most });
        swaps[k] = pivot;
        (0..width).for_each(|j| a.swap(k * width + j, pivot * width + j));
        let recip = a[k * width + k].recip();
        a[k * width + k] = T::ONE;
        (0..width).for_each(|j| a[k * width + j] *= recip);
        for i in (0..width).filter(|&i| i != k) {
            let factor = a[i * width + k];
            a[i * width + k] = T::ZERO;
            for j in 0..width {
                let term = factor * a[k * width + j];
                a[i * width + j] -= term;
            }
        }
    }
    for k in (0..width).rev() {
        (0..width).for_each(|i| a.swap(i * width + k, i * width + swaps[k]));
    }
    a.iter().all(|x| x.is_finite())
}
