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
    /// Puts the decomposition of the saddle matrix `a` in a place. Full pivoting does not show signs, so inertia is
    /// tested separately.
    ///
    /// Into a place, and without `?`: each move of the largest matrices takes 129 kB of the stack without optimisation.
    #[inline(never)]
    pub(super) fn exact(place: &mut Option<Self>, layout: &Layout<'_>, a: &[[T; N]; N]) -> Result<(), Singular> {
        match FullPivot::new(a) {
            Ok(lu) => {
                positive(layout, a)?;
                *place = Some(Self { lu, shift: None });
                Ok(())
            }
            Err(singular) => Err(singular),
        }
    }

    /// The same of a saddle matrix with redundant rows.
    #[inline(never)]
    pub(super) fn filtered(place: &mut Option<Self>, layout: &Layout<'_>, a: &mut [[T; N]; N]) -> Result<(), Singular> {
        let shift = Some(shift_saddle(layout, a, &[T::ZERO; N]));
        match FullPivot::new(a) {
            Ok(lu) => {
                *place = Some(Self { lu, shift });
                Ok(())
            }
            Err(singular) => Err(singular),
        }
    }

    /// Solves in place.
    pub(super) fn solve(&self, x: &mut [T; N]) {
        match &self.shift {
            None => self.lu.solve(x),
            Some(shift) => filtered(shift, x, |x| self.lu.solve(x)),
        }
    }
}

/// Whether M is positive definite along the motions that the constraints allow.
#[inline(never)]
fn positive<T: Real, const N: usize>(layout: &Layout<'_>, a: &[[T; N]; N]) -> Result<(), Singular> {
    let (mut a, mut room) = (*a, [T::ZERO; N]);
    let (v, l) = room.split_at_mut(layout.v.len().min(N));
    match inertia(a.as_flattened_mut(), v, l) {
        Inertia::Positive => Ok(()),
        Inertia::Zero { index } | Inertia::Negative { index, .. } => Err(Singular { index }),
    }
}
