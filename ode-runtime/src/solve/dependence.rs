//! The rank of G and its dependent rows, evaluated when a solve has failed.

use crate::error::{Cause, Level};
use crate::linalg::Square;
use crate::model::layout::{Layout, Pattern};
use crate::numbers::scalar::Real;
use crate::solve::null_vectors::{Entries, Found, Room, Rows};
use crate::solve::solvable::Solvable;

/// Rows that lose more than this share of their length to others count as dependent if a factorisation fails.
pub(crate) const EXACT: f64 = 1e-9;
/// The same at states of models with redundant rows, which have some drift.
pub(crate) const LOOSE: f64 = 1e-5;
/// And where iterations fail.
pub(crate) const NEAR: f64 = 1e-2;

/// Rows up to which a sparse matrix is examined as a whole, which takes the cube of their number.
const WHOLE: usize = 500;
/// Whether a matrix of `n` rows is too large to be examined as a whole.
pub(crate) fn too_large<S: Solvable>(n: usize) -> bool {
    S::Assembly::SPARSE && n > WHOLE
}

/// The dependent rows at one point: rigid constraints, then conditions.
pub(crate) struct Dependence<'a, S: Solvable> {
    found: Found<'a>,
    /// row by row the rest of G, then the identity; then the place of each row among these, and one, or zero. Beside
    /// them the scale of each row
    scratch: S::Assembly,
}

impl<'a, S: Solvable> Dependence<'a, S> {
    /// From rows with these `entries`; the rest of a row of length 1 counts as zero below `tolerance`.
    pub(crate) fn of(
        layout: Layout<'a>,
        conditions: &'a [&'a str],
        entries: Entries<'_, S::Real>,
        tolerance: f64,
    ) -> Self {
        let mut scratch = S::Assembly::new(&layout);
        let mut marks = too_large::<S>(Square::size(&scratch)).then(|| S::Assembly::new(&layout));
        let marks = marks.as_mut().map(|marks| marks as &mut dyn Room<S::Real>);
        let found = Found { layout, conditions, rows: 0, apart: 0, rank: 0, finite: true };
        let found = Rows { found, scratch: &mut scratch }.examined(entries, tolerance, marks);
        Self { found, scratch }
    }

    /// Of G with `values` at its nonzeros.
    pub(crate) fn of_jacobian(layout: Layout<'a>, values: &[S::Real], tolerance: f64) -> Self {
        Self::of(layout, &[], &|each| visit(&layout.jacobian, values, each), tolerance)
    }

    fn rows(&mut self) -> Rows<'a, '_, S::Real> {
        Rows { found: self.found, scratch: &mut self.scratch }
    }

    /// The rank of the rows, and the number of rigid rows.
    pub(crate) fn rank(&self) -> (usize, usize) {
        self.found.rank()
    }

    /// Whether a row is in some null vector: its multiplier is not unique.
    #[cfg(feature = "std")]
    pub(crate) fn involves(&mut self, row: usize) -> bool {
        self.rows().involves(row)
    }

    /// The largest residual along a null vector, each row relative to its length.
    pub(crate) fn along(&mut self, rest: &dyn Fn(usize) -> S::Real) -> S::Real {
        self.rows().along(rest)
    }

    /// The error for dependent rows, if there are any.
    pub(crate) fn cause(&mut self) -> Option<Cause> {
        self.rows().cause()
    }

    /// The error for contradicting rows with the residuals `off`: if most of the residual is along null vectors, no
    /// step changes it.
    pub(crate) fn contradiction(&mut self, level: Level, off: &dyn Fn(usize) -> S::Real) -> Option<Cause> {
        self.rows().contradiction(level, off)
    }
}

/// Visits the nonzeros of a pattern with their values.
pub(crate) fn visit<T: Real>(pattern: &Pattern<'_>, values: &[T], each: &mut dyn FnMut(usize, usize, T)) {
    pattern.entries().zip(values).for_each(|((r, c), &value)| each(r, c, value));
}
