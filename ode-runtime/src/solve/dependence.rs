//! The rank of G and its dependent rows, evaluated when a solve has failed.
//!
//! Rows are scaled to length 1 and eliminated with full pivoting, together with an identity beside them. Where rows
//! vanish, the identity holds the left null vectors of G, n with nᵀ G = 0. A row without an entry in any of them is
//! independent.

use crate::error::{Cause, Level, Names};
use crate::linalg::Square;
use crate::model::layout::{Layout, RowKind};
use crate::numbers::field::Field;
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::solvable::Solvable;
use crate::solve::{add, dot, norm};

/// Rows that lose more than this share of their length to others count as dependent if a factorisation fails.
pub(crate) const EXACT: f64 = 1e-9;
/// The same at states of models with redundant rows, which have some drift.
pub(crate) const LOOSE: f64 = 1e-5;
/// And where iterations fail.
pub(crate) const NEAR: f64 = 1e-2;

/// A component below this of a vector of length 1 counts as zero.
const PART: f64 = 1e-3;

/// Rows up to which a sparse matrix is examined as a whole, which takes the cube of their number.
const WHOLE: usize = 500;
/// Applications of W, in a matrix that is too large to be examined as a whole: what they leave of an independent row
/// is negligible even if it loses all but 10⁻⁷ of its square to others, as rows along a chain of thousands do.
const TURNS: u32 = 8;
/// The most rows that are then examined.
const SUSPECTS: usize = 300;

/// Whether a matrix of `n` rows is too large to be examined as a whole.
pub(crate) fn too_large<S: Solvable>(n: usize) -> bool {
    S::Assembly::SPARSE && n > WHOLE
}

/// The dependent rows at one point: rigid constraints, then conditions.
pub(crate) struct Dependence<'a, S: Solvable> {
    layout: Layout<'a>,
    conditions: &'a [&'a str],
    /// row by row the rest of G, then the identity; then the place of each row among these, and one, or zero. Beside
    /// them the scale of each row
    scratch: S::Assembly,
    rows: usize,
    /// rows that are independent of all others, and not among these
    apart: usize,
    rank: usize,
    /// whether all entries are
    finite: bool,
}

impl<'a, S: Solvable> Dependence<'a, S> {
    /// From rows with these `entries`; the rest of a row of length 1 counts as zero below `tolerance`.
    pub(crate) fn of(
        layout: Layout<'a>,
        conditions: &'a [&'a str],
        entries: impl Iterator<Item = (usize, usize, S::Real)> + Clone,
        tolerance: f64,
    ) -> Self {
        let scratch = S::Assembly::new(&layout);
        let mut found = Self { layout, conditions, scratch, rows: 0, apart: 0, rank: 0, finite: true };
        let (n, nv, count) = (found.scratch.size(), layout.v.len(), found.count());
        let held = |row: &usize| rigid(&layout, *row);
        let entries = entries.filter(|(r, ..)| rigid(&layout, *r));
        let all = (0..count).filter(held).count();
        let large = too_large::<S>(n);
        let mut marks = if large { found.suspects(entries.clone()) } else { None };
        // of a large matrix nothing is known then
        found.finite = !large || marks.is_some();
        let mut marked = |row: usize| match &mut marks {
            None => !large,
            Some(marks) => marks.rhs().get(nv + row).is_some_and(|&mark| mark > S::Real::ZERO),
        };
        let mut examined = |row: &usize| held(row) && marked(*row);
        found.rows = (0..count).filter(&mut examined).count();
        found.apart = all - found.rows;
        found.entries().fill(S::Real::ZERO);
        for (k, row) in (0..count).filter(&mut examined).enumerate() {
            let (place, own) = (found.rows * n + row, k * n + nv + row);
            put(found.entries(), place, S::Real::from_f64((k + 1) as f64));
            put(found.entries(), own, S::Real::ONE);
        }
        for (r, c, value) in entries {
            found.finite &= value.is_finite();
            let Some(k) = found.place(r) else { continue };
            put(found.entries(), k * n + c, value);
        }
        found.scale(nv);
        // Solvers with pivoting refuse pivots of N ε, which are about the square of the rest of a row.
        let least = S::Real::from_f64(4.0) * (S::Real::from_f64(n as f64) * S::Real::EPSILON).sqrt();
        found.eliminate(nv, S::Real::from_f64(tolerance).max(least));
        found.straighten(nv);
        found
    }

    /// Marks rows that may depend on others, below the first nv: those on which W = D (G Gᵀ + D)⁻¹ is 1, for rows of
    /// length 1 and D = √ε. None if that cannot be found, or if they are too many.
    fn suspects(&self, entries: impl Iterator<Item = (usize, usize, S::Real)> + Clone) -> Option<S::Assembly> {
        let (layout, nv, count) = (self.layout, self.layout.v.len(), self.count());
        let mut square = S::Assembly::new(&layout);
        let n = square.size();
        let lengths = square.rhs();
        lengths.fill(S::Real::ZERO);
        for (r, _, value) in entries.clone() {
            add(lengths.get_mut(nv + r..=nv + r)?, S::Real::ONE, &[value * value]);
        }
        square.clear();
        for (r, c, value) in entries {
            let length = square.rhs().get(nv + r)?.sqrt();
            let value = if length > S::Real::ZERO { value / length } else { S::Real::ZERO };
            square.set(nv + r, c, value);
            square.set(c, nv + r, value);
        }
        let shift = S::Real::EPSILON.sqrt();
        (0..nv).for_each(|i| square.set(i, i, S::Real::ONE));
        for row in 0..n - nv {
            let held = row < count && rigid(&layout, row);
            square.set(nv + row, nv + row, if held { -shift } else { -S::Real::ONE });
        }
        // a hash of the row: numbers without a pattern, to which no null vector is orthogonal (splitmix64)
        let first = |row: usize| {
            let x = (row as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            S::Real::from_f64(((x ^ (x >> 31)) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0)
        };
        let held = |row: &usize| rigid(&layout, *row);
        square.rhs().fill(S::Real::ZERO);
        (0..count).filter(held).for_each(|row| put(square.rhs(), nv + row, first(row)));
        for _ in 0..TURNS {
            square.rhs().iter_mut().for_each(|x| *x *= -shift);
            square.rhs().iter_mut().take(nv).for_each(|x| *x = S::Real::ZERO);
            square.solve().ok()?;
        }
        let most = square.rhs().get(nv..)?.iter().fold(S::Real::ZERO, |most, x| most.max(x.abs()));
        let least = S::Real::from_f64(PART) * most;
        let least = if most > S::Real::from_f64(1e-5) { least } else { S::Real::INFINITY };
        let suspect = |x: &S::Real| x.abs() > least;
        if square.rhs().iter().skip(nv).filter(|x| suspect(x)).count() > SUSPECTS {
            return None;
        }
        for x in square.rhs().iter_mut().skip(nv) {
            *x = if suspect(x) { S::Real::ONE } else { S::Real::ZERO };
        }
        Some(square)
    }

    /// Of G with `values` at its nonzeros.
    pub(crate) fn of_jacobian(layout: Layout<'a>, values: &[S::Real], tolerance: f64) -> Self {
        let places = layout.jacobian.entries().zip(values);
        Self::of(layout, &[], places.map(|((r, c), &value)| (r, c, value)), tolerance)
    }

    /// The rows, of `scratch.size()` entries each, and their places.
    fn entries(&mut self) -> &mut [S::Real] {
        self.scratch.room((self.rows + 1) * self.scratch.size()).0
    }

    fn count(&self) -> usize {
        self.layout.constraints.len() + self.conditions.len()
    }

    /// Where a row stands among those that are examined.
    fn place(&mut self, row: usize) -> Option<usize> {
        let at = self.rows * self.scratch.size() + row;
        let place = self.entries().get(at).map_or(0.0, |place| place.to_f64());
        (place as usize).checked_sub(1)
    }

    fn name(&self, row: usize) -> &'a str {
        let names = self.layout.constraints.iter().chain(self.conditions);
        names.copied().nth(row).unwrap_or("")
    }

    /// Brings the rows to length 1.
    fn scale(&mut self, nv: usize) {
        let n = self.scratch.size();
        for k in 0..self.rows {
            let row = self.entries().get_mut(k * n..k * n + nv).unwrap_or_default();
            let unit = norm(row).equalizer();
            row.iter_mut().for_each(|x| *x *= unit);
            let length = dot(row, row).sqrt();
            let length = if length > S::Real::ZERO && length.is_finite() { length } else { S::Real::ONE };
            row.iter_mut().for_each(|x| *x *= length.recip());
            put(self.scratch.rhs(), k, length / unit);
        }
    }

    /// Eliminates, the largest entry first, until all rows are zero.
    fn eliminate(&mut self, nv: usize, tolerance: S::Real) {
        let (n, rows) = (self.scratch.size(), self.rows);
        let (a, _) = self.scratch.room((rows + 1) * n);
        while self.rank < rows {
            let (mut best, mut at, mut most) = (S::Real::ZERO, (0, 0), S::Real::ZERO);
            for (r, row) in a.chunks_exact(n).enumerate().take(rows).skip(self.rank) {
                for (c, x) in row.iter().enumerate().take(nv) {
                    let size = x.abs();
                    most = S::Real::select(most.lt(size), size, most);
                    if size > best {
                        (best, at) = (size, (r, c));
                    }
                }
            }
            if !(best > tolerance && best.is_finite()) {
                // Lanes that have no pivot in common say nothing about rows.
                self.finite &= most <= tolerance || best == most;
                return;
            }
            let a = a.get_mut(..rows * n).unwrap_or_default();
            for c in 0..n {
                a.swap(self.rank * n + c, at.0 * n + c);
            }
            let (above, below) = a.split_at_mut((self.rank + 1) * n);
            let pivot = above.get(self.rank * n..).unwrap_or_default();
            let recip = pivot.get(at.1).map_or(S::Real::ZERO, |x| x.recip());
            for row in below.chunks_exact_mut(n).take(rows - self.rank - 1) {
                let factor = row.get(at.1).map_or(S::Real::ZERO, |&x| x * recip);
                add(row, -factor, pivot);
            }
            self.rank += 1;
        }
    }

    /// Makes the null vectors orthogonal and of length 1.
    fn straighten(&mut self, nv: usize) {
        let (n, rank, rows, count) = (self.scratch.size(), self.rank, self.rows, self.count());
        let a = self.entries();
        for k in rank..rows {
            let (before, own) = a.split_at_mut(k * n);
            let own = own.get_mut(nv..nv + count).unwrap_or_default();
            for other in before.chunks_exact(n).skip(rank) {
                let other = other.get(nv..nv + count).unwrap_or_default();
                let along = dot(own, other);
                add(own, -along, other);
            }
            let recip = dot(own, own).sqrt().recip();
            own.iter_mut().for_each(|x| *x *= recip);
        }
    }

    /// An entry of a null vector.
    fn entry(&mut self, null: usize, row: usize) -> S::Real {
        let at = null * self.scratch.size() + self.layout.v.len() + row;
        self.entries().get(at).copied().unwrap_or(S::Real::ZERO)
    }

    /// The rank of the rows, and the number of rigid rows.
    pub(crate) fn rank(&self) -> (usize, usize) {
        (self.rank + self.apart, self.rows + self.apart)
    }

    /// Whether a row is in some null vector: its multiplier is not unique.
    pub(crate) fn involves(&mut self, row: usize) -> bool {
        (self.rank..self.rows).any(|null| self.entry(null, row).abs() > S::Real::from_f64(PART))
    }

    /// The largest residual along a null vector, each row relative to its length.
    pub(crate) fn along(&mut self, rest: impl Fn(usize) -> S::Real) -> S::Real {
        let (layout, mut most) = (self.layout, S::Real::ZERO);
        for null in self.rank..self.rows {
            let mut along = S::Real::ZERO;
            for row in (0..self.count()).filter(|&row| rigid(&layout, row)) {
                along += self.scaled(row, &rest) * self.entry(null, row);
            }
            most = most.max(along.abs());
        }
        most
    }

    /// What is left of a row, by its length.
    fn scaled(&mut self, row: usize, rest: &impl Fn(usize) -> S::Real) -> S::Real {
        let length = self.place(row).and_then(|k| self.scratch.rhs().get(k).copied());
        rest(row) / length.unwrap_or(S::Real::ONE)
    }

    /// The error for dependent rows, if there are any.
    pub(crate) fn cause(&mut self) -> Option<Cause> {
        if self.rank == self.rows || !self.finite {
            return None;
        }
        let mut rows = Names::none();
        for row in 0..self.count() {
            if self.involves(row) {
                rows.push(self.name(row));
            }
        }
        let (rank, of) = self.rank();
        let short = |count: usize| u16::try_from(count).unwrap_or(u16::MAX);
        Some(Cause::Dependent { rank: short(rank), of: short(of), rows })
    }

    /// The error for contradicting rows with the residuals `off`: if most of the residual is along null vectors, no
    /// step changes it.
    pub(crate) fn contradiction(&mut self, level: Level, off: impl Fn(usize) -> S::Real) -> Option<Cause> {
        let layout = self.layout;
        let held = |row: &usize| rigid(&layout, *row);
        let scaled = |found: &mut Self, row: usize| found.scaled(row, &off);
        // the part of the residual along each null vector, in the first entry of its row, where nothing is left of G
        for null in self.rank..self.rows {
            let mut along = S::Real::ZERO;
            for other in (0..self.count()).filter(held) {
                along += scaled(self, other) * self.entry(null, other);
            }
            let at = null * self.scratch.size();
            put(self.entries(), at, along);
        }
        let part = |found: &mut Self, row: usize| {
            let mut part = S::Real::ZERO;
            for null in found.rank..found.rows {
                let at = null * found.scratch.size();
                let along = found.entries().get(at).copied().unwrap_or(S::Real::ZERO);
                part += along * found.entry(null, row);
            }
            part.abs()
        };
        let (mut whole, mut most, mut worst) = (S::Real::ZERO, S::Real::ZERO, 0);
        for row in (0..self.count()).filter(held) {
            whole = whole.max(scaled(self, row).abs());
            let own = part(self, row);
            if own > most {
                (most, worst) = (own, row);
            }
        }
        if !(self.finite && most > S::Real::from_f64(0.1) * whole) {
            return None;
        }
        let mut rows = Names::none();
        for row in (0..self.count()).filter(held) {
            if part(self, row) > S::Real::from_f64(PART) * most {
                rows.push(self.name(row));
            }
        }
        Some(Cause::Contradiction { level, rows, residual: off(worst).abs().to_f64() })
    }
}

fn rigid(layout: &Layout<'_>, row: usize) -> bool {
    layout.kind(row) != RowKind::Compliant
}

#[inline(always)]
fn put<T>(out: &mut [T], at: usize, value: T) {
    if let Some(out) = out.get_mut(at) {
        *out = value;
    }
}
