//! Rows and their left null vectors, without the model's types: one code examines the rows of all models.
//!
//! Rows are scaled to length 1 and eliminated with full pivoting, together with an identity beside them. Where rows
//! vanish, the identity holds the left null vectors of G, n with nᵀ G = 0. A row without an entry in any of them is
//! independent.

use crate::error::{Cause, Level, Names};
use crate::linalg::{Singular, Square};
use crate::model::layout::{Layout, RowKind};
use crate::numbers::scalar::Real;
use crate::solve::{add, dot, norm};

/// A component below this of a vector of length 1 counts as zero.
const PART: f64 = 1e-3;

/// Applications of W, in a matrix that is too large to be examined as a whole: what they leave of an independent row
/// is negligible even if it loses all but 10⁻⁷ of its square to others, as rows along a chain of thousands do.
const TURNS: u32 = 8;
/// The most rows that are then examined.
const SUSPECTS: usize = 300;

/// What visits the entries of rows: row, column and value.
pub(super) type Entries<'e, T> = &'e dyn Fn(&mut dyn FnMut(usize, usize, T));

/// What is asked of the matrix of a model.
pub(super) trait Room<T> {
    fn size(&self) -> usize;
    fn clear(&mut self);
    fn set(&mut self, row: usize, column: usize, value: T);
    fn room(&mut self, len: usize) -> (&mut [T], &mut [T]);
    fn rhs(&mut self) -> &mut [T];
    fn solve(&mut self) -> Result<(), Singular>;
}

impl<T, A: Square<T>> Room<T> for A {
    fn size(&self) -> usize {
        Square::size(self)
    }
    fn clear(&mut self) {
        Square::clear(self);
    }
    fn set(&mut self, row: usize, column: usize, value: T) {
        Square::set(self, row, column, value);
    }
    fn room(&mut self, len: usize) -> (&mut [T], &mut [T]) {
        Square::room(self, len)
    }
    fn rhs(&mut self) -> &mut [T] {
        Square::rhs(self)
    }
    fn solve(&mut self) -> Result<(), Singular> {
        Square::solve(self)
    }
}

/// What is known of the rows.
#[derive(Clone, Copy)]
pub(super) struct Found<'a> {
    pub(super) layout: Layout<'a>,
    pub(super) conditions: &'a [&'a str],
    pub(super) rows: usize,
    /// rows that are independent of all others, and not among these
    pub(super) apart: usize,
    pub(super) rank: usize,
    /// whether all entries are
    pub(super) finite: bool,
}

impl<'a> Found<'a> {
    fn count(&self) -> usize {
        self.layout.constraints.len() + self.conditions.len()
    }

    fn name(&self, row: usize) -> &'a str {
        let names = self.layout.constraints.iter().chain(self.conditions);
        names.copied().nth(row).unwrap_or("")
    }

    pub(super) fn rank(&self) -> (usize, usize) {
        (self.rank + self.apart, self.rows + self.apart)
    }
}

/// The rows with their numbers.
pub(super) struct Rows<'a, 'r, T> {
    pub(super) found: Found<'a>,
    pub(super) scratch: &'r mut dyn Room<T>,
}

impl<'a, T: Real> Rows<'a, '_, T> {
    /// What is found of rows with these `entries`, of a large matrix with room for `marks`.
    pub(super) fn examined(
        mut self,
        entries: Entries<'_, T>,
        tolerance: f64,
        mut marks: Option<&mut dyn Room<T>>,
    ) -> Found<'a> {
        let Found { layout, .. } = self.found;
        let (n, nv, count) = (self.scratch.size(), layout.v.len(), self.found.count());
        let held = |row: &usize| rigid(&layout, *row);
        let entries = |each: &mut dyn FnMut(usize, usize, T)| {
            entries(&mut |r, c, value| {
                if rigid(&layout, r) {
                    each(r, c, value);
                }
            });
        };
        let all = (0..count).filter(held).count();
        // of a large matrix nothing is known without marks
        let marked = marks.as_mut().is_none_or(|marks| self.suspects(&entries, &mut **marks).is_some());
        self.found.finite = marked;
        let mut examined = |row: &usize| {
            let mark = |marks: &mut &mut dyn Room<T>| marks.rhs().get(nv + row).is_some_and(|&mark| mark > T::ZERO);
            held(row) && marked && marks.as_mut().is_none_or(mark)
        };
        self.found.rows = (0..count).filter(&mut examined).count();
        self.found.apart = all - self.found.rows;
        self.entries().fill(T::ZERO);
        for (k, row) in (0..count).filter(&mut examined).enumerate() {
            let (place, own) = (self.found.rows * n + row, k * n + nv + row);
            put(self.entries(), place, T::from_f64((k + 1) as f64));
            put(self.entries(), own, T::ONE);
        }
        entries(&mut |r, c, value| {
            self.found.finite &= value.is_finite();
            if let Some(k) = self.place(r) {
                put(self.entries(), k * n + c, value);
            }
        });
        self.scale(nv);
        // Solvers with pivoting refuse pivots of N ε, which are about the square of the rest of a row.
        let least = T::from_f64(4.0) * (T::from_f64(n as f64) * T::EPSILON).sqrt();
        self.eliminate(nv, T::from_f64(tolerance).max(least));
        self.straighten(nv);
        self.found
    }

    /// Marks rows that may depend on others, below the first nv of the right-hand side of `square`: those on which
    /// W = D (G Gᵀ + D)⁻¹ is 1, for rows of length 1 and D = √ε. None if that cannot be found, or if they are too many.
    fn suspects(&self, entries: Entries<'_, T>, square: &mut dyn Room<T>) -> Option<()> {
        let (layout, nv, count) = (self.found.layout, self.found.layout.v.len(), self.found.count());
        let n = square.size();
        let lengths = square.rhs();
        lengths.fill(T::ZERO);
        let mut known = true;
        entries(&mut |r, _, value| match lengths.get_mut(nv + r) {
            Some(length) => *length += value * value,
            None => known = false,
        });
        if !known {
            return None;
        }
        square.clear();
        entries(&mut |r, c, value| {
            let length = square.rhs().get(nv + r).map_or(T::ZERO, |length| length.sqrt());
            let value = if length > T::ZERO { value / length } else { T::ZERO };
            square.set(nv + r, c, value);
            square.set(c, nv + r, value);
        });
        let shift = T::EPSILON.sqrt();
        (0..nv).for_each(|i| square.set(i, i, T::ONE));
        for row in 0..n - nv {
            let held = row < count && rigid(&layout, row);
            square.set(nv + row, nv + row, if held { -shift } else { -T::ONE });
        }
        // a hash of the row: numbers without a pattern, to which no null vector is orthogonal (splitmix64)
        let first = |row: usize| {
            let x = (row as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            T::from_f64(((x ^ (x >> 31)) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0)
        };
        let held = |row: &usize| rigid(&layout, *row);
        square.rhs().fill(T::ZERO);
        (0..count).filter(held).for_each(|row| put(square.rhs(), nv + row, first(row)));
        for _ in 0..TURNS {
            square.rhs().iter_mut().for_each(|x| *x *= -shift);
            square.rhs().iter_mut().take(nv).for_each(|x| *x = T::ZERO);
            square.solve().ok()?;
        }
        let most = square.rhs().get(nv..)?.iter().fold(T::ZERO, |most, x| most.max(x.abs()));
        let least = T::from_f64(PART) * most;
        let least = if most > T::from_f64(1e-5) { least } else { T::INFINITY };
        let suspect = |x: &T| x.abs() > least;
        if square.rhs().iter().skip(nv).filter(|x| suspect(x)).count() > SUSPECTS {
            return None;
        }
        for x in square.rhs().iter_mut().skip(nv) {
            *x = if suspect(x) { T::ONE } else { T::ZERO };
        }
        Some(())
    }

    /// The rows, of `scratch.size()` entries each, and their places.
    fn entries(&mut self) -> &mut [T] {
        self.scratch.room((self.found.rows + 1) * self.scratch.size()).0
    }

    /// Where a row stands among those that are examined.
    fn place(&mut self, row: usize) -> Option<usize> {
        let at = self.found.rows * self.scratch.size() + row;
        let place = self.entries().get(at).map_or(0.0, |place| place.to_f64());
        (place as usize).checked_sub(1)
    }

    /// Brings the rows to length 1.
    fn scale(&mut self, nv: usize) {
        let n = self.scratch.size();
        for k in 0..self.found.rows {
            let row = self.entries().get_mut(k * n..k * n + nv).unwrap_or_default();
            let unit = norm(row).equalizer();
            row.iter_mut().for_each(|x| *x *= unit);
            let length = dot(row, row).sqrt();
            let length = if length > T::ZERO && length.is_finite() { length } else { T::ONE };
            row.iter_mut().for_each(|x| *x *= length.recip());
            put(self.scratch.rhs(), k, length / unit);
        }
    }

    /// Eliminates, the largest entry first, until all rows are zero.
    fn eliminate(&mut self, nv: usize, tolerance: T) {
        let (n, rows) = (self.scratch.size(), self.found.rows);
        let (a, _) = self.scratch.room((rows + 1) * n);
        while self.found.rank < rows {
            let (mut best, mut at, mut most) = (T::ZERO, (0, 0), T::ZERO);
            for (r, row) in a.chunks_exact(n).enumerate().take(rows).skip(self.found.rank) {
                for (c, x) in row.iter().enumerate().take(nv) {
                    let size = x.abs();
                    most = T::select(most.lt(size), size, most);
                    if size > best {
                        (best, at) = (size, (r, c));
                    }
                }
            }
            if !(best > tolerance && best.is_finite()) {
                // Lanes that have no pivot in common say nothing about rows.
                self.found.finite &= most <= tolerance || best == most;
                return;
            }
            let a = a.get_mut(..rows * n).unwrap_or_default();
            for c in 0..n {
                a.swap(self.found.rank * n + c, at.0 * n + c);
            }
            let (above, below) = a.split_at_mut((self.found.rank + 1) * n);
            let pivot = above.get(self.found.rank * n..).unwrap_or_default();
            let recip = pivot.get(at.1).map_or(T::ZERO, |x| x.recip());
            for row in below.chunks_exact_mut(n).take(rows - self.found.rank - 1) {
                let factor = row.get(at.1).map_or(T::ZERO, |&x| x * recip);
                add(row, -factor, pivot);
            }
            self.found.rank += 1;
        }
    }

    /// Makes the null vectors orthogonal and of length 1.
    fn straighten(&mut self, nv: usize) {
        let (n, rank, rows, count) = (self.scratch.size(), self.found.rank, self.found.rows, self.found.count());
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
    fn entry(&mut self, null: usize, row: usize) -> T {
        let at = null * self.scratch.size() + self.found.layout.v.len() + row;
        self.entries().get(at).copied().unwrap_or(T::ZERO)
    }

    pub(super) fn involves(&mut self, row: usize) -> bool {
        (self.found.rank..self.found.rows).any(|null| self.entry(null, row).abs() > T::from_f64(PART))
    }

    pub(super) fn along(&mut self, rest: &dyn Fn(usize) -> T) -> T {
        let (layout, mut most) = (self.found.layout, T::ZERO);
        for null in self.found.rank..self.found.rows {
            let mut along = T::ZERO;
            for row in (0..self.found.count()).filter(|&row| rigid(&layout, row)) {
                along += self.scaled(row, rest) * self.entry(null, row);
            }
            most = most.max(along.abs());
        }
        most
    }

    /// What is left of a row, by its length.
    fn scaled(&mut self, row: usize, rest: &dyn Fn(usize) -> T) -> T {
        let length = self.place(row).and_then(|k| self.scratch.rhs().get(k).copied());
        rest(row) / length.unwrap_or(T::ONE)
    }

    pub(super) fn cause(&mut self) -> Option<Cause> {
        if self.found.rank == self.found.rows || !self.found.finite {
            return None;
        }
        let mut rows = Names::none();
        for row in 0..self.found.count() {
            if self.involves(row) {
                rows.push(self.found.name(row));
            }
        }
        let (rank, of) = self.found.rank();
        let short = |count: usize| u16::try_from(count).unwrap_or(u16::MAX);
        Some(Cause::Dependent { rank: short(rank), of: short(of), rows })
    }

    pub(super) fn contradiction(&mut self, level: Level, off: &dyn Fn(usize) -> T) -> Option<Cause> {
        let layout = self.found.layout;
        let held = |row: &usize| rigid(&layout, *row);
        let scaled = |found: &mut Self, row: usize| found.scaled(row, off);
        // the part of the residual along each null vector, in the first entry of its row, where nothing is left of G
        for null in self.found.rank..self.found.rows {
            let mut along = T::ZERO;
            for other in (0..self.found.count()).filter(held) {
                along += scaled(self, other) * self.entry(null, other);
            }
            let at = null * self.scratch.size();
            put(self.entries(), at, along);
        }
        let part = |found: &mut Self, row: usize| {
            let mut part = T::ZERO;
            for null in found.found.rank..found.found.rows {
                let at = null * found.scratch.size();
                let along = found.entries().get(at).copied().unwrap_or(T::ZERO);
                part += along * found.entry(null, row);
            }
            part.abs()
        };
        let (mut whole, mut most, mut worst) = (T::ZERO, T::ZERO, 0);
        for row in (0..self.found.count()).filter(held) {
            whole = whole.max(scaled(self, row).abs());
            let own = part(self, row);
            if own > most {
                (most, worst) = (own, row);
            }
        }
        if !(self.found.finite && most > T::from_f64(0.1) * whole) {
            return None;
        }
        let mut rows = Names::none();
        for row in (0..self.found.count()).filter(held) {
            if part(self, row) > T::from_f64(PART) * most {
                rows.push(self.found.name(row));
            }
        }
        Some(Cause::Contradiction { level, rows, residual: off(worst).abs().to_f64() })
    }
}

fn rigid(layout: &Layout<'_>, row: usize) -> bool {
    layout.kind(row) != RowKind::Compliant
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn put<T>(out: &mut [T], at: usize, value: T) {
    if let Some(out) = out.get_mut(at) {
        *out = value;
    }
}
