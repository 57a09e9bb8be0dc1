//! A dense square system for the consistent start and for algebraic variables.

use nalgebra::{Const, DimMin};

use crate::linalg::full_pivot::FullPivot;
use crate::linalg::{Singular, Square};
use crate::model::layout::Layout;
use crate::numbers::scalar::Real;

/// N × N entries and a right-hand side.
#[derive(Clone, Debug)]
pub struct DenseSquare<T, const N: usize> {
    entries: [[T; N]; N],
    rhs: [T; N],
}

impl<T: Real, const N: usize> Square<T> for DenseSquare<T, N>
where
    Const<N>: DimMin<Const<N>, Output = Const<N>>,
{
    type Factors = FullPivot<T, N>;

    fn new(_layout: &Layout<'_>) -> Self {
        Self { entries: [[T::ZERO; N]; N], rhs: [T::ZERO; N] }
    }

    fn size(&self) -> usize {
        N
    }

    fn clear(&mut self) {
        self.entries.as_flattened_mut().fill(T::ZERO);
    }

    fn set(&mut self, row: usize, column: usize, value: T) {
        if let Some(entry) = self.entries.get_mut(row).and_then(|row| row.get_mut(column)) {
            *entry = value;
        }
    }

    fn room(&mut self, len: usize) -> (&mut [T], &mut [T]) {
        let entries = self.entries.as_flattened_mut();
        let len = len.min(entries.len());
        (&mut entries[..len], &mut self.rhs)
    }

    fn rhs(&mut self) -> &mut [T] {
        &mut self.rhs
    }

    fn factorize(&self) -> Result<FullPivot<T, N>, Singular> {
        FullPivot::new(&self.entries)
    }
}
