//! LDLᵀ and LDU in an order of pivots that is found once.
//!
//! What a pivot subtracts goes to places that depend on the pattern alone. So they are listed once, and a
//! factorisation reads the list: it compares no indices and allocates nothing. With few entries in a column, as in
//! chains, ropes and trusses, the search for places is most of a factorisation.

use std::cell::RefCell;
use std::sync::Arc;
use std::vec::Vec;

use core::ops::{Mul, Sub};

use crate::linalg::sparse::order;
use crate::numbers::scalar::Real;

/// What an elimination does, found once from the pattern. Columns and rows are numbered in the order of pivots.
#[derive(Debug)]
pub(super) struct Plan {
    /// the unknown of each pivot
    pub(super) pivots: Vec<usize>,
    /// the pivot of each unknown
    places: Vec<usize>,
    /// column k of L has the entries `starts[k]..starts[k + 1]`
    starts: Vec<usize>,
    /// row of each entry, ascending in a column
    rows: Vec<u32>,
    /// for each column, for each of its rows j, for each later row i: the entry (i, j), from the end of the column
    targets: Vec<u32>,
    /// pivots from here on among the unknowns are those of multipliers
    pub(super) multipliers: usize,
}

/// Where an entry of the matrix is: the diagonal comes first, then L, then U.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place(usize);

impl Plan {
    /// Of a matrix with `n` unknowns, multipliers from `multipliers` on, and entries at these (row, column) and their
    /// mirror images.
    pub(super) fn new(n: usize, multipliers: usize, entries: impl Iterator<Item = (usize, usize)>) -> Self {
        let mut neighbours = std::vec![Vec::new(); n];
        for (r, c) in entries.filter(|&(r, c)| r != c && r.max(c) < n) {
            neighbours[r].push(c);
            neighbours[c].push(r);
        }
        for list in &mut neighbours {
            list.sort_unstable();
            list.dedup();
        }
        let pivots = order::pivots(multipliers, &neighbours);
        let mut places = std::vec![0; n];
        pivots.iter().enumerate().for_each(|(k, &i)| places[i] = k);
        let columns = fill(&pivots, &places, &neighbours);
        let mut starts = std::vec![0];
        let mut rows: Vec<u32> = Vec::new();
        for column in &columns {
            rows.extend(column.iter().map(|&row| row as u32));
            starts.push(rows.len());
        }
        let mut plan = Self { pivots, places, starts, rows, targets: Vec::new(), multipliers };
        plan.aim();
        plan
    }

    /// Lists where pivots subtract.
    fn aim(&mut self) {
        let mut targets = Vec::new();
        for k in 0..self.pivots.len() {
            let (from, end) = (self.starts[k], self.starts[k + 1]);
            for b in from..end {
                let j = self.rows[b] as usize;
                let mut at = self.starts[j];
                for &i in &self.rows[b + 1..end] {
                    // the rest of this column is part of column j
                    while self.rows[at] != i {
                        at += 1;
                    }
                    targets.push((at - end) as u32);
                }
            }
        }
        self.targets = targets;
    }

    /// Number of unknowns.
    pub(super) fn size(&self) -> usize {
        self.pivots.len()
    }

    /// Number of entries of L.
    pub(super) fn lower(&self) -> usize {
        self.rows.len()
    }

    /// Where an entry of the pattern is.
    pub(super) fn place(&self, row: usize, column: usize) -> Option<Place> {
        let (r, c) = (*self.places.get(row)?, *self.places.get(column)?);
        if r == c {
            return Some(Place(r));
        }
        let (low, high) = (r.min(c), r.max(c));
        let own = self.rows.get(self.starts[low]..self.starts[low + 1])?;
        let at = self.size() + self.starts[low] + own.binary_search(&(high as u32)).ok()?;
        Some(Place(if r > c { at } else { at + self.lower() }))
    }

    /// The entry of L that is there, or its mirror image; none on the diagonal.
    pub(super) fn entry(&self, place: Place) -> Option<usize> {
        let at = place.0.checked_sub(self.size())?;
        Some(at % self.lower())
    }

    /// The place mirrored at the diagonal.
    pub(super) fn mirrored(&self, place: Place) -> Place {
        let Some(at) = self.entry(place) else { return place };
        let own = self.size() + at;
        Place(if place.0 == own { own + self.lower() } else { own })
    }

    /// The place on or below the diagonal.
    pub(super) fn below(&self, place: Place) -> Place {
        self.entry(place).map_or(place, |at| Place(self.size() + at))
    }

    /// The pivot of an unknown.
    pub(super) fn pivot(&self, unknown: usize) -> usize {
        self.places[unknown]
    }
}

/// The rows of each column of L: those of the matrix, and those of the columns that it is the first row of.
fn fill(pivots: &[usize], places: &[usize], neighbours: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let n = pivots.len();
    let mut columns: Vec<Vec<usize>> = std::vec![Vec::new(); n];
    let mut children: Vec<Vec<usize>> = std::vec![Vec::new(); n];
    let mut seen = std::vec![usize::MAX; n];
    for k in 0..n {
        seen[k] = k;
        let mut own = Vec::new();
        let matrix = neighbours[pivots[k]].iter().map(|&i| places[i]).filter(|&i| i > k);
        let filled = children[k].iter().flat_map(|&child| columns[child].iter().copied());
        for row in matrix.chain(filled) {
            if seen[row] != k {
                seen[row] = k;
                own.push(row);
            }
        }
        own.sort_unstable();
        if let Some(&parent) = own.first() {
            children[parent].push(k);
        }
        columns[k] = own;
    }
    columns
}

/// The numbers of an elimination: a matrix, then its factors.
#[derive(Clone, Debug)]
pub(super) struct Elimination<T> {
    pub(super) plan: Arc<Plan>,
    /// the diagonal, L, and U unless the matrix is symmetric
    numbers: Vec<T>,
    /// of each pivot: its reciprocal, its value before any subtraction, and its scale
    reciprocals: Vec<T>,
    begun: Vec<T>,
    scales: Vec<T>,
    symmetric: bool,
    /// room for a right-hand side in the order of pivots
    room: RefCell<Vec<T>>,
}

impl<T: Real> Elimination<T> {
    /// For matrices of this pattern, of which those that are always `symmetric` have no U.
    pub(super) fn new(plan: Arc<Plan>, symmetric: bool) -> Self {
        let (n, nnz) = (plan.size(), plan.lower());
        let zeros = |len: usize| std::vec![T::ZERO; len];
        Self {
            numbers: zeros(n + if symmetric { nnz } else { 2 * nnz }),
            reciprocals: zeros(n),
            begun: zeros(n),
            scales: zeros(n),
            symmetric,
            room: RefCell::new(zeros(n)),
            plan,
        }
    }

    /// Sets all entries to zero.
    pub(super) fn clear(&mut self) {
        self.numbers.fill(T::ZERO);
    }

    /// Adds to an entry.
    #[inline]
    pub(super) fn add(&mut self, place: Place, value: T) {
        if let Some(entry) = self.numbers.get_mut(place.0) {
            *entry += value;
        }
    }

    /// Sets entries that are zero.
    #[inline]
    pub(super) fn set<'a>(&mut self, places: impl Iterator<Item = &'a Place>, values: impl Iterator<Item = &'a T>) {
        for (place, &value) in places.zip(values) {
            if let Some(entry) = self.numbers.get_mut(place.0) {
                *entry = value;
            }
        }
    }

    /// The entries of the diagonal, of L and of U.
    fn parts(&self) -> (&[T], &[T], &[T]) {
        let (diagonal, rest) = self.numbers.split_at(self.plan.size());
        let (lower, upper) = rest.split_at(self.plan.lower());
        (diagonal, lower, upper)
    }

    /// Factorises the entries in their place, as LDLᵀ from the lower ones alone if they are `symmetric`.
    pub(super) fn factorize(&mut self, symmetric: bool) {
        self.symmetric = symmetric;
        self.begun.copy_from_slice(&self.numbers[..self.plan.size()]);
        self.scales.iter_mut().zip(&self.begun).for_each(|(scale, &start)| *scale = start * start);
        if symmetric { self.ldlt() } else { self.ldu() }
    }

    fn ldlt(&mut self) {
        let Self { plan, numbers, reciprocals, scales, .. } = self;
        let (diagonal, lower) = numbers.split_at_mut(plan.size());
        let mut targets = plan.targets.as_slice();
        for k in 0..plan.size() {
            let (from, end) = (plan.starts[k], plan.starts[k + 1]);
            let (done, rest) = lower.split_at_mut(end);
            let (column, rows) = (&mut done[from..], &plan.rows[from..end]);
            let recip = diagonal[k].recip();
            reciprocals[k] = recip;
            for b in 0..column.len() {
                let (head, tail) = column.split_at_mut(b + 1);
                let Some(own) = head.last_mut() else { break };
                let share = *own * recip;
                let row = rows[b] as usize;
                let term = share * *own;
                diagonal[row] -= term;
                scales[row] += term * term;
                let (aimed, later) = targets.split_at(tail.len());
                targets = later;
                for (&at, &other) in aimed.iter().zip(tail.iter()) {
                    rest[at as usize] -= share * other;
                }
                *own = share;
            }
        }
    }

    fn ldu(&mut self) {
        let Self { plan, numbers, reciprocals, scales, .. } = self;
        let (diagonal, rest) = numbers.split_at_mut(plan.size());
        let (lower, upper) = rest.split_at_mut(plan.lower());
        let mut targets = plan.targets.as_slice();
        for k in 0..plan.size() {
            let (from, end) = (plan.starts[k], plan.starts[k + 1]);
            let (done, below) = lower.split_at_mut(end);
            let (above, right) = upper.split_at_mut(end);
            let (column, line, rows) = (&mut done[from..], &mut above[from..], &plan.rows[from..end]);
            let recip = diagonal[k].recip();
            reciprocals[k] = recip;
            for b in 0..column.len() {
                let (l, u) = (column[b] * recip, line[b] * recip);
                let row = rows[b] as usize;
                let term = l * line[b];
                diagonal[row] -= term;
                scales[row] += term * term;
                let (aimed, later) = targets.split_at(column.len() - b - 1);
                targets = later;
                for ((&at, &other), &across) in aimed.iter().zip(&column[b + 1..]).zip(&line[b + 1..]) {
                    below[at as usize] -= other * u;
                    right[at as usize] -= l * across;
                }
                (column[b], line[b]) = (l, u);
            }
        }
    }

    /// Whether pivots kept all but this share of their digits, and none of a velocity or state lost its start in what
    /// it grew to. NaN is not sound.
    pub(super) fn sound(&self, least: T) -> bool {
        self.unsound(least).is_none()
    }

    /// The unknown of the first pivot that is not.
    pub(super) fn unsound(&self, least: T) -> Option<usize> {
        let sound = |pivot: T, start: T, scale: T| {
            let kept = pivot * pivot > least * least * scale;
            kept && start * start >= least * scale && scale < T::INFINITY
        };
        let mut pivots = self.pivots();
        // the start of a multiplier says nothing about its pivot
        let found = pivots.find(|&(unknown, pivot, start, scale)| {
            let start = if unknown < self.plan.multipliers { start } else { pivot };
            !sound(pivot, start, scale)
        });
        found.map(|(unknown, ..)| unknown)
    }

    /// Unknown, pivot, start and scale: the start is the pivot before any subtraction, the scale the sum of the squares
    /// of its terms.
    pub(super) fn pivots(&self) -> impl Iterator<Item = (usize, T, T, T)> + '_ {
        let numbers = self.numbers.iter().zip(&self.begun).zip(&self.scales);
        let pivots = self.plan.pivots.iter().zip(numbers);
        pivots.map(|(&unknown, ((&pivot, &start), &scale))| (unknown, pivot, start, scale))
    }

    /// The entries of a place and of its mirror image.
    pub(super) fn pair(&mut self, at: usize) -> Option<(&mut T, &mut T)> {
        let (lower, upper) = self.numbers.split_at_mut_checked(self.plan.size() + self.plan.lower())?;
        lower.get_mut(self.plan.size() + at).zip(upper.get_mut(at))
    }

    /// A diagonal entry, by its pivot.
    pub(super) fn own(&mut self, pivot: usize) -> Option<&mut T> {
        self.numbers.get_mut(pivot)
    }

    /// Solves in place, x given by slices that follow each other.
    pub(super) fn solve<const K: usize>(&self, x: [&mut [T]; K]) {
        let mut room = self.room.borrow_mut();
        self.run(&mut room, x);
    }

    /// The same in other room, of other numbers.
    pub(super) fn run<X, const K: usize>(&self, room: &mut Vec<X>, x: [&mut [X]; K])
    where
        X: Copy + Mul<T, Output = X> + Sub<Output = X>,
    {
        let plan = &*self.plan;
        room.clear();
        let Some(&first) = x.iter().find_map(|x| x.first()) else { return };
        room.resize(plan.size(), first);
        for (value, &k) in x.iter().flat_map(|x| x.iter()).zip(&plan.places) {
            room[k] = *value;
        }
        let (_, lower, upper) = self.parts();
        let upper = if self.symmetric { lower } else { upper };
        // the columns, from the first and from the last
        let (mut rows, mut entries) = (plan.rows.as_slice(), lower);
        for (k, ends) in plan.starts.windows(2).enumerate() {
            let (own, count) = (room[k], ends[1] - ends[0]);
            let ((column, later), (factors, rest)) = (rows.split_at(count), entries.split_at(count));
            (rows, entries) = (later, rest);
            for (&row, &l) in column.iter().zip(factors) {
                let x = &mut room[row as usize];
                *x = *x - own * l;
            }
        }
        let (mut rows, mut entries) = (plan.rows.as_slice(), upper);
        for (k, ends) in plan.starts.windows(2).enumerate().rev() {
            let ((earlier, column), (rest, factors)) = (rows.split_at(ends[0]), entries.split_at(ends[0]));
            (rows, entries) = (earlier, rest);
            let own = room[k] * self.reciprocals[k];
            // the next pivot's value last: it was just found
            room[k] = column.iter().zip(factors).rev().fold(own, |own, (&row, &u)| own - room[row as usize] * u);
        }
        for (value, &k) in x.into_iter().flatten().zip(&plan.places) {
            *value = room[k];
        }
    }
}
