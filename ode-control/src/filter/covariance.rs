//! Covariances: their check and their factors.

use ode_runtime::linalg::nalgebra::{RealField, convert};
use ode_runtime::linalg::{SMatrix, SVector};
use ode_runtime::{Layout, Name};

use crate::filter::error::{Fault, FilterError};

/// Names of the rows of a covariance.
#[derive(Clone, Copy, Debug)]
pub(super) enum Rows<'a> {
    /// directions of the state
    State(&'a Layout<'a>),
    /// inputs
    Inputs(&'a Layout<'a>),
    /// entries of a sensor
    Sensor(&'a [Name]),
}

impl Rows<'_> {
    fn name(self, row: usize) -> Name {
        match self {
            Self::State(layout) => Name::new(layout.state_direction_names().nth(row).unwrap_or("")),
            Self::Inputs(layout) => Name::new(layout.u.get(row).copied().unwrap_or("")),
            Self::Sensor(names) => names.get(row).copied().unwrap_or(Name::new("")),
        }
    }
}

/// What counts as round-off, relative to variances.
fn little<E: RealField + Copy, const N: usize>() -> E {
    convert::<f64, E>(100.0 * N as f64) * E::default_epsilon()
}

/// Refuses a matrix that is not symmetric: by [`little`], relative to the deviations of row and column.
///
/// # Errors
/// [`FilterError::Covariance`] for an entry that is not finite, or differs from that on the other side of the diagonal.
pub(super) fn check<E: RealField + Copy, const N: usize>(
    p: &SMatrix<E, N, N>,
    of: &'static str,
    rows: Rows<'_>,
) -> Result<(), FilterError> {
    let refuse = |row: usize, fault| Err(FilterError::Covariance { of, entry: rows.name(row), fault });
    let pairs = || (0..N).flat_map(|j| (j..N).map(move |i| (i, j)));
    if let Some((i, _)) = pairs().find(|&(i, j)| !(p[(i, j)].is_finite() && p[(j, i)].is_finite())) {
        return refuse(i, Fault::NotFinite);
    }
    for (i, j) in pairs() {
        let scale = p[(i, i)].abs().sqrt() * p[(j, j)].abs().sqrt();
        if (p[(i, j)] - p[(j, i)]).abs() > little::<E, N>() * scale {
            return refuse(i, Fault::Asymmetric { other: rows.name(j) });
        }
    }
    Ok(())
}

/// The lower triangular L of P = L Lᵀ. Where P has no variance left, the column of L is zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Factor<E: RealField, const N: usize>(pub(super) SMatrix<E, N, N>);

impl<E: RealField + Copy, const N: usize> Factor<E, N> {
    /// Factors of the covariance `of` something.
    ///
    /// A pivot up to 100 N ε of its diagonal entry counts as zero: a covariance of constrained states has no variance
    /// across the constraints, and round-off leaves some of either sign.
    ///
    /// # Errors
    /// [`FilterError::Covariance`] for an entry that is not finite, and for a negative variance.
    pub(super) fn of(p: &SMatrix<E, N, N>, of: &'static str, rows: Rows<'_>) -> Result<Self, FilterError> {
        let refuse = |row: usize, fault| Err(FilterError::Covariance { of, entry: rows.name(row), fault });
        let little = little::<E, N>();
        let mut l = SMatrix::<E, N, N>::zeros();
        for j in 0..N {
            if let Some(i) = (j..N).find(|&i| !p[(i, j)].is_finite()) {
                return refuse(i, Fault::NotFinite);
            }
            let left = |i: usize, l: &SMatrix<E, N, N>| (0..j).fold(p[(i, j)], |sum, k| sum - l[(i, k)] * l[(j, k)]);
            let (pivot, margin) = (left(j, &l), little * p[(j, j)].abs());
            if pivot > margin {
                l[(j, j)] = pivot.sqrt();
                (j + 1..N).for_each(|i| l[(i, j)] = left(i, &l) / l[(j, j)]);
            } else if pivot < -margin || (j + 1..N).any(|i| left(i, &l).powi(2) > margin * p[(i, i)].abs()) {
                return refuse(j, Fault::Indefinite);
            }
        }
        Ok(Self(l))
    }

    /// The same for a covariance that is given: of those that a filter makes, one side counts.
    ///
    /// # Errors
    /// Those of [`check`] too.
    pub(super) fn entered(p: &SMatrix<E, N, N>, of: &'static str, rows: Rows<'_>) -> Result<Self, FilterError> {
        check(p, of, rows)?;
        Self::of(p, of, rows)
    }

    /// The same for a covariance that must have an inverse.
    ///
    /// # Errors
    /// Also [`Fault::Indefinite`] for a row without variance of its own.
    pub(super) fn definite(p: &SMatrix<E, N, N>, of: &'static str, rows: Rows<'_>) -> Result<Self, FilterError> {
        let factor = Self::of(p, of, rows)?;
        match (0..N).find(|&j| factor.0[(j, j)] == E::zero()) {
            Some(j) => Err(FilterError::Covariance { of, entry: rows.name(j), fault: Fault::Indefinite }),
            None => Ok(factor),
        }
    }

    /// L⁻¹ x, so that its square is xᵀ P⁻¹ x; directions without variance do not count.
    pub(super) fn whiten(&self, mut x: SVector<E, N>) -> SVector<E, N> {
        for i in 0..N {
            let rest = (0..i).fold(x[i], |sum, k| sum - self.0[(i, k)] * x[k]);
            x[i] = if self.0[(i, i)] == E::zero() { E::zero() } else { rest / self.0[(i, i)] };
        }
        x
    }

    /// P⁻¹ x of a definite P.
    pub(super) fn solve(&self, x: SVector<E, N>) -> SVector<E, N> {
        let mut x = self.whiten(x);
        for i in (0..N).rev() {
            x[i] = (i + 1..N).fold(x[i], |sum, k| sum - self.0[(k, i)] * x[k]) / self.0[(i, i)];
        }
        x
    }
}
