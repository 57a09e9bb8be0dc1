//! Residuals of a solution, relative to the terms in their sums.
//!
//! A solution whose residual is at most a few ε times the sum of its terms' magnitudes solves exactly a system whose
//! entries differ by as little from the given ones: it is as accurate as the entries. A larger residual means that the
//! elimination lost digits, and a correction with the same factors recovers them. Terms may themselves be small
//! differences, of accelerations where forces cancel: then the terms of these differences count.
//!
//! References: W. Oettli, W. Prager, Numer. Math. 6 (1964) 405–409; R. D. Skeel, Iterative refinement implies numerical
//! stability for Gaussian elimination, Math. Comp. 35 (1980) 817–832; M. Arioli, J. W. Demmel, I. S. Duff, SIAM J.
//! Matrix Anal. Appl. 10 (1989) 165–190.

use crate::model::layout::{Layout, Pattern, RowKind};
use crate::numbers::scalar::Real;

/// The measure of residuals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    /// the terms of each row, to 64 ε: what corrections can reach
    Terms,
    /// the largest unknown in each term, to 4096 ε: what a regular matrix allows
    Largest,
}

impl Measure {
    fn allowed<T: Real>(self) -> T {
        let digits = match self {
            Self::Terms => 64.0,
            Self::Largest => 4096.0,
        };
        T::from_f64(digits) * T::EPSILON
    }
}

/// The parts of M a = f + Gᵀ λ, G a + γ = 0: nonzeros in the order of a layout.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Motion<'a, T> {
    /// lower triangle of M
    pub(crate) mass: &'a [T],
    /// G
    pub(crate) jacobian: &'a [T],
    /// f, nv
    pub(crate) force: &'a [T],
    /// γ, nc
    pub(crate) gamma: &'a [T],
}

/// Residuals, and the magnitudes of their terms.
#[derive(Debug)]
pub(crate) struct Left<'a, T> {
    /// f − M a + Gᵀ λ, nv
    pub(crate) force: &'a mut [T],
    /// −γ − G a, nc; −γ − λ in a compliant row
    pub(crate) gamma: &'a mut [T],
    pub(crate) force_size: &'a mut [T],
    pub(crate) gamma_size: &'a mut [T],
}

impl<T: Real> Left<'_, T> {
    /// The row with the largest residual, velocities first, unless all are satisfied; NaN is the largest.
    pub(crate) fn unmet(&self, measure: Measure) -> Option<(usize, T)> {
        let rows = self.force.iter().zip(&*self.force_size).chain(self.gamma.iter().zip(&*self.gamma_size));
        unmet(measure, rows)
    }
}

/// The row of these (residual, size) with the largest residual, unless all are satisfied; NaN is the largest.
pub(crate) fn unmet<'a, T: Real>(measure: Measure, rows: impl Iterator<Item = (&'a T, &'a T)>) -> Option<(usize, T)> {
    let (mut found, mut most) = (None, T::ONE);
    for (i, (&left, &size)) in rows.enumerate() {
        // Subnormal numbers have no digits to lose.
        let allowed = measure.allowed::<T>() * size + T::MIN_POSITIVE;
        if !(left.abs() <= most * allowed) {
            found = Some((i, left));
            most = left.abs() / allowed;
        }
    }
    found
}

impl<T: Real> Motion<'_, T> {
    /// The inertia of a velocity by itself.
    fn own(&self, mass: Pattern<'_>, c: usize) -> Option<T> {
        let first = mass.starts.get(c).copied().unwrap_or(0);
        // Rows ascend in the lower triangle: the diagonal is first, if it is stored.
        let row = mass.indices.get(first)?;
        self.mass.get(first).copied().filter(|&m| *row == c && m != T::ZERO)
    }

    /// The residuals of accelerations and multipliers, and their terms in this measure.
    pub(crate) fn left(&self, layout: &Layout<'_>, a: &[T], lambda: &[T], measure: Measure, out: &mut Left<'_, T>) {
        let Left { force, gamma, force_size, gamma_size } = out;
        for ((left, size), &f) in force.iter_mut().zip(force_size.iter_mut()).zip(self.force) {
            (*left, *size) = (f, f.abs());
        }
        for ((left, size), &g) in gamma.iter_mut().zip(gamma_size.iter_mut()).zip(self.gamma) {
            (*left, *size) = (-g, g.abs());
        }
        let largest = |values: &[T]| values.iter().fold(T::ZERO, |size, x| size.max(x.abs()));
        let pull = largest(lambda);
        layout.jacobian.visit(self.jacobian, |r, c, g| {
            force[c] += g * lambda[r];
            force_size[c] += g.abs() * if measure == Measure::Terms { lambda[r].abs() } else { pull };
            gamma[r] -= g * a[c];
        });
        // of all accelerations, and of the terms in their sums
        let terms = (0..a.len()).map(|c| self.own(layout.mass, c).map_or(T::ZERO, |m| force_size[c] / m.abs()));
        let fastest = largest(a) + terms.fold(T::ZERO, |size, x| size.max(x));
        let acceleration = |c: usize, force: T| match measure {
            Measure::Terms => a[c].abs() + self.own(layout.mass, c).map_or(T::ZERO, |m| (force / m).abs()),
            Measure::Largest => fastest,
        };
        layout.jacobian.visit(self.jacobian, |r, c, g| {
            // without λ, because the question is what the rows leave of it
            gamma_size[r] += g.abs() * acceleration(c, self.force[c]);
        });
        layout.mass.visit(self.mass, |r, c, m| {
            force[r] -= m * a[c];
            force_size[r] += m.abs() * acceleration(c, self.force[c]);
            if r != c {
                force[c] -= m * a[r];
                force_size[c] += m.abs() * acceleration(r, self.force[r]);
            }
        });
        for (row, &l) in lambda.iter().enumerate().filter(|&(row, _)| layout.kind(row) == RowKind::Compliant) {
            gamma[row] -= l;
            gamma_size[row] += l.abs();
        }
    }
}
