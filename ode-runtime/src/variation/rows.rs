//! Products of the model's partial derivatives with directions.

use core::ops::Range;

use crate::model::layout::{Layout, Pattern};
#[cfg(doc)]
use crate::model::sensitive::{PartialPatterns, Sensitive};
use crate::numbers::lanes::Addend;
use crate::numbers::scalar::Scalar;

/// Where groups of rows and columns begin in the derivatives of a [`Sensitive`] model, [`PartialPatterns::states`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Places {
    nv: usize,
    nz: usize,
    nc: usize,
    nu: usize,
}

impl Places {
    /// Those of a model.
    pub fn of(layout: &Layout<'_>) -> Self {
        Self { nv: layout.v.len(), nz: layout.z.len(), nc: layout.constraints.len(), nu: layout.u.len() }
    }

    /// Rows of s = ż − g; those of r come before.
    pub fn s(self) -> Range<usize> {
        self.nv..self.nv + self.nz
    }

    /// Rows of Φ.
    pub fn laws(self) -> Range<usize> {
        let first = self.nv + self.nz;
        first..first + self.nc
    }

    /// Rows of Φ̇; of nonholonomic rows ψ.
    pub fn rates(self) -> Range<usize> {
        let first = self.laws().end;
        first..first + self.nc
    }

    /// Rows of Φ̈; of first-order models Φ̇.
    pub fn accelerations(self) -> Range<usize> {
        let first = self.rates().end;
        first..first + self.nc
    }

    /// The first column of v; that of q is the first of all.
    pub fn v(self) -> usize {
        self.nv
    }

    /// The first column of a.
    pub fn a(self) -> usize {
        2 * self.nv
    }

    /// The first column of z.
    pub fn z(self) -> usize {
        3 * self.nv
    }

    /// The first column of λ.
    pub fn lambda(self) -> usize {
        3 * self.nv + self.nz
    }

    /// The first column of u.
    pub fn u(self) -> usize {
        self.lambda() + self.nc
    }

    /// The column of t.
    pub fn t(self) -> usize {
        self.u() + self.nu
    }
}

/// rows += J x for the columns of J from `first` on, of one direction or of several side by side; rows may be
/// the first ones only. Entries that are zero cost nothing, so a product with a unit
/// vector is a column.
///
/// Four columns with nonzeros in the same rows are added at once: rows are read and written once for them.
#[inline]
pub(crate) fn add_product<T: Scalar, X: Addend<T>>(
    pattern: Pattern<'_>,
    values: &[T],
    first: usize,
    x: &[X],
    rows: &mut [X],
) {
    let (mut starts, mut rest) = (pattern.starts.get(first..).unwrap_or_default(), x);
    while let (&[from, to, ..], &[one, ref others @ ..]) = (starts, rest) {
        if let (&[a, b, c, d, ref others @ ..], Some([p, q, r, s])) = (rest, alike(pattern, values, starts))
            && [a, b, c, d].iter().all(|&x| x != X::default())
        {
            let columns = p.iter().zip(q).zip(r).zip(s);
            for (&row, (((&p, &q), &r), &s)) in pattern.indices.get(from..to).unwrap_or_default().iter().zip(columns) {
                // rows ascend
                let Some(sum) = rows.get_mut(row) else { break };
                *sum = sum.plus(a, p).plus(b, q).plus(c, r).plus(d, s);
            }
            (starts, rest) = (starts.get(4..).unwrap_or_default(), others);
            continue;
        }
        if one != X::default() {
            let entries = pattern.indices.get(from..to).unwrap_or_default().iter();
            for (&row, &value) in entries.zip(values.get(from..to).unwrap_or_default()) {
                let Some(sum) = rows.get_mut(row) else { break };
                *sum = sum.plus(one, value);
            }
        }
        (starts, rest) = (starts.get(1..).unwrap_or_default(), others);
    }
}

/// The entries of the first four columns, if these have nonzeros in the same rows.
#[inline]
fn alike<'a, T>(pattern: Pattern<'_>, values: &'a [T], starts: &[usize]) -> Option<[&'a [T]; 4]> {
    let &[first, second, third, fourth, end, ..] = starts else { return None };
    let count = second - first;
    if [third - second, fourth - third, end - fourth] != [count; 3] {
        return None;
    }
    let rows = |from: usize| pattern.indices.get(from..from + count);
    let same = [second, third, fourth].into_iter().all(|from| rows(from) == rows(first));
    let column = |from: usize| values.get(from..from + count);
    same.then(|| Some([column(first)?, column(second)?, column(third)?, column(fourth)?])).flatten()
}

/// x += Jᵀ w for the columns of J from `first` on; rows beyond those of w count as zero.
#[cfg(feature = "std")]
pub(super) fn add_transposed<T: Scalar>(pattern: Pattern<'_>, values: &[T], first: usize, rows: &[T], x: &mut [T]) {
    let starts = pattern.starts.get(first..).unwrap_or_default();
    for (window, x) in starts.windows(2).zip(x) {
        let &[from, to] = window else { continue };
        let entries = pattern.indices.get(from..to).unwrap_or_default().iter();
        for (&row, &value) in entries.zip(values.get(from..to).unwrap_or_default()) {
            if let Some(&w) = rows.get(row) {
                *x += value * w;
            }
        }
    }
}

/// The entry at a place; zero if it is none of the pattern.
pub(crate) fn entry<T: Scalar>(pattern: Pattern<'_>, values: &[T], row: usize, column: usize) -> T {
    let range = pattern.starts.get(column).copied().unwrap_or(0)..pattern.starts.get(column + 1).copied().unwrap_or(0);
    let mut entries = range.filter_map(|k| Some((*pattern.indices.get(k)?, *values.get(k)?)));
    entries.find(|(r, _)| *r == row).map_or(T::ZERO, |(_, value)| value)
}
