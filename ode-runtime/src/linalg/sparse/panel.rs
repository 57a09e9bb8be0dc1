//! The elimination of a panel.
//!
//! Its pivots subtract from each other by columns. What they subtract below is summed over all of them in tiles that
//! fit the registers, from rows and columns that were copied side by side.
//!
//! All of it is compiled for several kinds of processors, each function within the next: a call that is not inlined,
//! such as that of a closure, would have none of the instructions. Sums have the same order in each.

use std::vec::Vec;

use pulp::{Simd, WithSimd};

use crate::linalg::sparse::group::Factored;
use crate::linalg::sparse::panels::Panels;
use crate::linalg::sparse::plan::Plan;
use crate::numbers::scalar::Real;

/// Rows and columns of a tile.
const TALL: usize = 8;
const WIDE: usize = 4;
/// Pivots whose columns are subtracted together within a panel.
pub(super) const TOGETHER: usize = 4;

/// Room for copies of a panel, rows below it in tiles, and for sums over its pivots.
#[derive(Clone, Debug)]
pub(super) struct Room<T> {
    lower: Side<T>,
    upper: Side<T>,
    /// of each row below: what is subtracted from the diagonal, and the sum of the squares of its terms
    sums: Vec<(T, T)>,
}

/// The columns of L below, or the lines of U beyond: before they were divided by pivots, by tall tiles, and after, by
/// wide ones.
#[derive(Clone, Debug)]
struct Side<T> {
    tall: Vec<[T; TALL]>,
    wide: Vec<[T; WIDE]>,
}

impl<T: Real> Side<T> {
    fn new(below: usize, width: usize) -> Self {
        Self {
            tall: std::vec![[T::ZERO; TALL]; below.div_ceil(TALL) * width],
            wide: std::vec![[T::ZERO; WIDE]; below.div_ceil(WIDE) * width],
        }
    }

    /// Copies the part of column p below a panel of this width and divides it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn take(&mut self, p: usize, width: usize, entries: &mut [T], recip: T) {
        spread(self.tall.iter_mut().skip(p).step_by(width), entries);
        for entry in &mut *entries {
            *entry *= recip;
        }
        spread(self.wide.iter_mut().skip(p).step_by(width), entries);
    }
}

/// Copies entries to tiles, of which the last may keep others at its end.
#[cfg_attr(not(debug_assertions), inline(always))]
fn spread<'a, T: Real, const N: usize>(tiles: impl Iterator<Item = &'a mut [T; N]>, entries: &[T]) {
    let (whole, rest) = entries.as_chunks::<N>();
    let mut tiles = tiles;
    for own in whole {
        if let Some(tile) = tiles.next() {
            *tile = *own;
        }
    }
    if let Some(tile) = tiles.next() {
        tile[..rest.len()].copy_from_slice(rest);
    }
}

impl<T: Real> Room<T> {
    /// For these panels, of matrices that are always `symmetric` or not.
    pub(super) fn new(panels: &Panels, symmetric: bool) -> Self {
        let (below, width) = (panels.below, panels.width);
        let side = |below| Side::new(below, width);
        Self { lower: side(below), upper: side(if symmetric { 0 } else { below }), sums: Vec::with_capacity(below) }
    }
}

/// An elimination to be made.
pub(super) struct Factorize<'a, T> {
    pub(super) plan: &'a Plan,
    pub(super) panels: &'a Panels,
    pub(super) of: Factored<'a, T>,
    pub(super) room: &'a mut Room<T>,
    /// whether it is LDLᵀ, or LDU
    pub(super) symmetric: bool,
}

impl<T: Real> WithSimd for Factorize<'_, T> {
    type Output = ();

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { plan, panels, mut of, room, symmetric } = self;
        factorize((plan, panels), &mut of, room, symmetric);
    }
}

/// Eliminates all panels: LDLᵀ if the matrix is `symmetric`, or LDU.
#[cfg_attr(not(debug_assertions), inline(always))]
fn factorize<T: Real>((plan, panels): (&Plan, &Panels), of: &mut Factored<'_, T>, room: &mut Room<T>, symmetric: bool) {
    for (panel, ends) in panels.firsts.windows(2).enumerate() {
        let at = Panel { plan, panels, panel, first: ends[0], width: ends[1] - ends[0] };
        at.eliminate(of, symmetric);
        at.divide(of, room, symmetric);
        at.subtract(of, room, symmetric);
    }
}

/// One of the panels of a plan.
#[derive(Clone, Copy)]
pub(super) struct Panel<'a> {
    pub(super) plan: &'a Plan,
    pub(super) panels: &'a Panels,
    pub(super) panel: usize,
    pub(super) first: usize,
    pub(super) width: usize,
}

impl<'a> Panel<'a> {
    /// Its rows below.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn below(&self) -> &'a [u32] {
        self.plan.column(self.first + self.width - 1)
    }

    /// Where column p begins among the entries of all, or where the last one ends.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn start(&self, p: usize) -> usize {
        self.plan.starts[self.first + p]
    }

    /// Subtracts the columns of its pivots from each other.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn eliminate<T: Real>(&self, of: &mut Factored<'_, T>, symmetric: bool) {
        for from in (0..self.width).step_by(TOGETHER) {
            let to = (from + TOGETHER).min(self.width);
            for p in from..to {
                of.reciprocals[self.first + p] = of.diagonal[self.first + p].recip();
                for q in p + 1..to {
                    self.reduce::<T, 1>(p, q, of, symmetric);
                }
            }
            for q in to..self.width {
                self.reduce::<T, TOGETHER>(from, q, of, symmetric);
            }
        }
    }

    /// Subtracts the columns of N pivots from p on from column q.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn reduce<T: Real, const N: usize>(&self, p: usize, q: usize, of: &mut Factored<'_, T>, symmetric: bool) {
        let Factored { diagonal, lower, upper, reciprocals, scales } = of;
        let at: [usize; N] = core::array::from_fn(|k| self.start(p + k) + q - p - k - 1);
        let (mut down, mut across) = ([T::ZERO; N], [T::ZERO; N]);
        let own = self.first + q;
        for k in 0..N {
            let recip = reciprocals[self.first + p + k];
            let (l, u) = (lower[at[k]], if symmetric { lower[at[k]] } else { upper[at[k]] });
            (down[k], across[k]) = (l * recip, u * recip);
            let term = down[k] * u;
            diagonal[own] -= term;
            scales[own] += term * term;
        }
        self.apply(lower, at, across, q);
        if !symmetric {
            self.apply(upper, at, down, q);
        }
    }

    /// Subtracts what follows N entries, times factors, from column q.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn apply<T: Real, const N: usize>(&self, entries: &mut [T], at: [usize; N], factors: [T; N], q: usize) {
        let (done, rest) = entries.split_at_mut(self.start(q));
        let column = &mut rest[..self.start(q + 1) - self.start(q)];
        let columns: [&[T]; N] = core::array::from_fn(|k| &done[at[k] + 1..][..column.len()]);
        for (i, entry) in column.iter_mut().enumerate() {
            let mut sum = columns[0][i] * factors[0];
            for k in 1..N {
                sum = columns[k][i].multiply_add(factors[k], sum);
            }
            *entry -= sum;
        }
    }

    /// Divides its columns by the pivots, copies what is below, and subtracts from diagonals there.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn divide<T: Real>(&self, of: &mut Factored<'_, T>, room: &mut Room<T>, symmetric: bool) {
        let Factored { diagonal, lower, upper, reciprocals, scales } = of;
        let (below, Room { lower: left, upper: right, sums }) = (self.below(), room);
        sums.clear();
        sums.resize(below.len(), (T::ZERO, T::ZERO));
        for p in 0..self.width {
            let (inner, recip) = (self.width - p - 1, reciprocals[self.first + p]);
            let part = self.start(p)..self.start(p + 1);
            let (inside, own) = lower[part.clone()].split_at_mut(inner);
            for l in inside {
                *l *= recip;
            }
            if symmetric {
                for (&l, (sum, square)) in own.iter().zip(sums.iter_mut()) {
                    let term = l * recip * l;
                    *sum += term;
                    *square += term * term;
                }
            } else {
                let (inside, across) = upper[part].split_at_mut(inner);
                for u in inside {
                    *u *= recip;
                }
                for ((&l, &u), (sum, square)) in own.iter().zip(across.iter()).zip(sums.iter_mut()) {
                    let term = l * recip * u;
                    *sum += term;
                    *square += term * term;
                }
                right.take(p, self.width, across, recip);
            }
            left.take(p, self.width, own, recip);
        }
        for (&row, &(sum, square)) in below.iter().zip(sums.iter()) {
            diagonal[row as usize] -= sum;
            scales[row as usize] += square;
        }
    }

    /// Subtracts what its pivots change below, but for diagonals.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn subtract<T: Real>(&self, of: &mut Factored<'_, T>, room: &Room<T>, symmetric: bool) {
        let Room { lower, upper, .. } = room;
        if symmetric {
            return self.multiply(&lower.tall, &lower.wide, of.lower);
        }
        self.multiply(&lower.tall, &upper.wide, of.lower);
        self.multiply(&upper.tall, &lower.wide, of.upper);
    }

    /// Subtracts rows times columns below the diagonal.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn multiply<T: Real>(&self, tall: &[[T; TALL]], wide: &[[T; WIDE]], entries: &mut [T]) {
        let (below, width) = (self.below(), self.width);
        let mut reaches = self.panels.reaches(self.panel).iter().peekable();
        for (columns, first) in wide.chunks_exact(width).zip((0..below.len()).step_by(WIDE)) {
            let last = (first + WIDE).min(below.len());
            // of each column its reach, and where the entries of its panel's rows would begin
            let mut targets = [None; WIDE];
            for (j, target) in (first..last).zip(&mut targets) {
                while reaches.next_if(|reach| reach.end <= j).is_some() {}
                let Some(reach) = reaches.peek() else { break };
                let column = below[j] as usize;
                *target = Some((*reach, self.plan.starts[column].wrapping_sub(column - reach.first + 1)));
            }
            let begin = first / TALL;
            for (rows, top) in tall[begin * width..].chunks_exact(width).zip((begin * TALL..below.len()).step_by(TALL))
            {
                let tile = product(rows, columns);
                let bottom = (top + TALL).min(below.len());
                for (j, (sums, target)) in (first..).zip(tile.iter().zip(&targets)) {
                    let Some((reach, start)) = *target else { break };
                    let from = top.max(j + 1);
                    if from >= bottom {
                        continue;
                    }
                    let places = self.panels.places(reach, from..bottom);
                    let sums = &sums[from - top..bottom - top];
                    let (one, other) = (places[0] as usize, places[places.len() - 1] as usize);
                    let to = start.wrapping_add(one);
                    if other - one + 1 == places.len() {
                        for (entry, &sum) in entries[to..][..sums.len()].iter_mut().zip(sums) {
                            *entry -= sum;
                        }
                    } else {
                        for (&place, &sum) in places.iter().zip(sums) {
                            entries[start.wrapping_add(place as usize)] -= sum;
                        }
                    }
                }
            }
        }
    }
}

/// Rows times columns, summed over the pivots.
#[cfg_attr(not(debug_assertions), inline(always))]
fn product<T: Real>(rows: &[[T; TALL]], columns: &[[T; WIDE]]) -> [[T; TALL]; WIDE] {
    let mut tile = [[T::ZERO; TALL]; WIDE];
    for (row, column) in rows.iter().zip(columns) {
        for (sums, &factor) in tile.iter_mut().zip(column) {
            for (sum, &x) in sums.iter_mut().zip(row) {
                *sum = x.multiply_add(factor, *sum);
            }
        }
    }
    tile
}
