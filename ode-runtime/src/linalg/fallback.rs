//! The fallback solver of a saddle matrix if pivots in a static order lose digits: full pivoting.

use nalgebra::{Const, DimMin};

use crate::linalg::Singular;
use crate::linalg::filter::{filtered, shift_saddle};
use crate::linalg::full_pivot::FullPivot;
use crate::linalg::inertia::{Inertia, inertia};
use crate::model::layout::Layout;
use crate::numbers::scalar::Real;

/// The fallback solver if pivots in a static order lose digits.
#[derive(Clone, Debug)]
pub(super) struct Fallback<T: Real, const N: usize>
where
    Const<N>: DimMin<Const<N>, Output = Const<N>>,
{
    lu: FullPivot<T, N>,
    shift: Option<[T; N]>,
}

impl<T: Real, const N: usize> Fallback<T, N>
where
    Const<N>: DimMin<Const<N>, Output = Const<N>>,
{
    /// Decomposes the saddle matrix `a`. Full pivoting does not show signs, so inertia is tested separately.
    #[inline(never)]
    pub(super) fn exact(layout: &Layout<'_>, a: &[[T; N]; N]) -> Result<Self, Singular> {
        let lu = FullPivot::new(a)?;
        let (mut a, mut room) = (*a, [T::ZERO; N]);
        let (v, l) = room.split_at_mut(layout.v.len().min(N));
        match inertia(a.as_flattened_mut(), v, l) {
            Inertia::Positive => Ok(Self { lu, shift: None }),
            Inertia::Zero { index } | Inertia::Negative { index, .. } => Err(Singular { index }),
        }
    }

    /// Decomposes a saddle matrix with redundant rows.
    pub(super) fn filtered(layout: &Layout<'_>, mut a: [[T; N]; N]) -> Result<Self, Singular> {
        let shift = Some(shift_saddle(layout, &mut a, &[T::ZERO; N]));
        Ok(Self { lu: FullPivot::new(&a)?, shift })
    }

    /// Solves in place.
    pub(super) fn solve(&self, x: &mut [T; N]) {
        match &self.shift {
            None => self.lu.solve(x),
            Some(shift) => filtered(shift, x, |x| self.lu.solve(x)),
        }
    }
}
