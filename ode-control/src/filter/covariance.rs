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

/// A square root L of P = L Lᵀ by pivots: in their order, the rows of L are triangular. Columns beyond the rank are
/// zero.
///
/// Without pivots, round-off of a semidefinite P grows by the square of |A₁₁⁻¹ A₁₂|, with A₁₁ the rows before
/// (N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed. 2002, §10.3).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Factor<E: RealField, const N: usize> {
    /// rows in the order of P
    pub(super) root: SMatrix<E, N, N>,
    /// rows in the order of pivots
    order: [usize; N],
    rank: usize,
}

impl<E: RealField + Copy, const N: usize> Factor<E, N> {
    /// That of no variance.
    pub(super) fn zero() -> Self {
        Self { root: SMatrix::zeros(), order: core::array::from_fn(|i| i), rank: 0 }
    }

    /// Factors of the covariance `of` something, of which one side counts.
    ///
    /// # Errors
    /// [`FilterError::Covariance`] for an entry that is not finite, and for a negative variance.
    pub(super) fn of(p: &SMatrix<E, N, N>, of: &'static str, rows: Rows<'_>) -> Result<Self, FilterError> {
        Self::since(p, &SVector::zeros(), of, rows)
    }

    /// The same for a covariance that is a difference of some with the variances `before`, with round-off of these.
    ///
    /// What is left up to 100 N ε of a variance counts as zero: a covariance of constrained states has no variance
    /// across the constraints, and round-off leaves some of either sign.
    ///
    /// # Errors
    /// As [`Factor::of`].
    pub(super) fn since(
        p: &SMatrix<E, N, N>,
        before: &SVector<E, N>,
        of: &'static str,
        rows: Rows<'_>,
    ) -> Result<Self, FilterError> {
        let refuse = |row: usize, fault| Err(FilterError::Covariance { of, entry: rows.name(row), fault });
        if let Some(i) = (0..N).find(|&i| (0..=i).any(|j| !p[(i, j)].is_finite())) {
            return refuse(i, Fault::NotFinite);
        }
        let little = little::<E, N>();
        // of each row; by it, pivots do not depend on units
        let scale: [E; N] = core::array::from_fn(|i| p[(i, i)].abs().max(before[i]));
        let Self { mut root, mut order, mut rank } = Self::zero();
        let mut left = *p;
        left.fill_upper_triangle_with_lower_triangle();
        // variances that are small beside those before, but not beside their own entry, are of noise that was added
        let counts = |left: &SMatrix<E, N, N>, i: usize| left[(i, i)] > little * p[(i, i)].abs();
        let larger = |left: &SMatrix<E, N, N>, i: usize, j: usize| left[(i, i)] / scale[i] > left[(j, j)] / scale[j];
        while let Some(first) = (rank..N).find(|&k| counts(&left, order[k])) {
            let sound = (first + 1..N).filter(|&k| counts(&left, order[k]));
            let most = sound.fold(first, |most, k| if larger(&left, order[k], order[most]) { k } else { most });
            order[rank..=most].rotate_right(1);
            let (j, rest) = (order[rank], &order[rank + 1..]);
            let pivot = left[(j, j)].sqrt();
            root[(j, rank)] = pivot;
            rest.iter().for_each(|&i| root[(i, rank)] = left[(i, j)] / pivot);
            for (&i, &k) in rest.iter().flat_map(|i| rest.iter().map(move |k| (i, k))) {
                left[(i, k)] -= root[(i, rank)] * root[(k, rank)];
            }
            rank += 1;
        }
        let rest = &order[rank..];
        let negative = |i: usize| left[(i, i)] < -little * scale[i];
        let coupled = |i: usize, k: usize| left[(i, k)].abs() > little * (scale[i].sqrt() * scale[k].sqrt());
        match rest.iter().find(|&&i| negative(i) || rest.iter().any(|&k| k != i && coupled(i, k))) {
            Some(&i) => refuse(i, Fault::Indefinite),
            None => Ok(Self { root, order, rank }),
        }
    }

    /// The same for a covariance that is given.
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
        match factor.order.get(factor.rank) {
            Some(&j) => Err(FilterError::Covariance { of, entry: rows.name(j), fault: Fault::Indefinite }),
            None => Ok(factor),
        }
    }

    /// L Lᵀ
    pub(super) fn square(&self) -> SMatrix<E, N, N> {
        self.root * self.root.transpose()
    }

    /// w with L w = x, so that its square is xᵀ P⁻¹ x; directions without variance do not count. Its entries are in the
    /// order of pivots.
    pub(super) fn whiten(&self, x: &SVector<E, N>) -> SVector<E, N> {
        let mut w = SVector::zeros();
        for (k, &j) in self.order.iter().enumerate().take(self.rank) {
            w[k] = (0..k).fold(x[j], |sum, m| sum - self.root[(j, m)] * w[m]) / self.root[(j, k)];
        }
        w
    }

    /// P⁻¹ x of a definite P.
    pub(super) fn solve(&self, x: &SVector<E, N>) -> SVector<E, N> {
        let (w, mut x) = (self.whiten(x), SVector::zeros());
        for (k, &j) in self.order.iter().enumerate().rev() {
            let rest = self.order[k + 1..].iter().fold(w[k], |sum, &i| sum - self.root[(i, k)] * x[i]);
            x[j] = rest / self.root[(j, k)];
        }
        x
    }
}
