//! LDLᵀ and LDU in an order of pivots that is found once.
//!
//! What a pivot subtracts goes to places that depend on the pattern alone. So they are listed once, and a
//! factorisation reads the list: it compares no indices and allocates nothing. With few entries in a column, as in
//! chains, ropes and trusses, the search for places is most of a factorisation.
//!
//! Pivots whose columns have the same rows below, such as the coordinates of a point, are eliminated together: what
//! they subtract from an entry is summed first, and is listed once. Where columns are long, as in meshes, they are
//! panels ([`panel`]), and places are found by row.

use std::cell::RefCell;
use std::sync::Arc;
use std::vec::Vec;

use core::ops::{Add, Mul, Range, Sub};

use pulp::Arch;

use crate::linalg::sparse::group::{self, Factored, Front};
use crate::linalg::sparse::panel;
use crate::linalg::sparse::plan::{Groups, MOST, Place, Plan, Program};
use crate::linalg::sparse::substitution;
use crate::numbers::scalar::Real;

/// The numbers of an elimination: a matrix, then its factors.
#[derive(Clone, Debug)]
pub(super) struct Elimination<T> {
    pub(super) plan: Arc<Plan>,
    /// the diagonal, L, and U unless the matrix is symmetric
    numbers: Vec<T>,
    reciprocals: Vec<T>,
    /// for each pivot, what it may not be small against: its value before any subtraction, or itself if that says
    /// nothing about it
    begun: Vec<T>,
    /// for each pivot, the sum of the squares of its terms
    scales: Vec<T>,
    /// entries that no matrix sets: those that the elimination fills
    filled: Vec<Range<usize>>,
    symmetric: bool,
    /// room of a panel
    panel: Option<panel::Room<T>>,
    /// room for a right-hand side in the order of pivots
    room: RefCell<Vec<T>>,
}

impl<T: Real> Elimination<T> {
    /// For matrices of this pattern, of which those that are always `symmetric` have no U. Each matrix sets the entries
    /// `always`.
    pub(super) fn new(plan: Arc<Plan>, symmetric: bool, always: &[Place]) -> Self {
        let (n, nnz) = (plan.size(), plan.lower());
        let len = n + if symmetric { nnz } else { 2 * nnz };
        let zeros = |len: usize| std::vec![T::ZERO; len];
        let panel = match &plan.program {
            Program::Groups(_) => None,
            Program::Panels(panels) => Some(panel::Room::new(panels, symmetric)),
        };
        Self {
            numbers: zeros(len),
            filled: others(len, always),
            reciprocals: zeros(n),
            begun: zeros(n),
            scales: zeros(n),
            symmetric,
            panel,
            room: RefCell::new(zeros(plan.room())),
            plan,
        }
    }

    /// Sets all entries to zero.
    pub(super) fn clear(&mut self) {
        self.numbers.fill(T::ZERO);
    }

    /// Sets the entries to zero that are not set always.
    pub(super) fn prepare(&mut self) {
        for filled in &self.filled {
            self.numbers[filled.clone()].fill(T::ZERO);
        }
    }

    /// Adds to an entry.
    #[inline]
    pub(super) fn add(&mut self, place: Place, value: T) {
        if let Some(entry) = self.numbers.get_mut(place.0) {
            *entry += value;
        }
    }

    /// Sets entries.
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
        let Self { plan, numbers, reciprocals, scales, panel, .. } = self;
        let (diagonal, rest) = numbers.split_at_mut(plan.size());
        let (lower, upper) = rest.split_at_mut(plan.lower());
        let of = Factored { diagonal, lower, upper, reciprocals, scales };
        match (&plan.program, panel) {
            (Program::Panels(panels), Some(room)) => {
                Arch::new().dispatch(panel::Factorize { plan, panels, of, room, symmetric });
            }
            (Program::Groups(groups), _) if symmetric => ldlt(plan, groups, of),
            (Program::Groups(groups), _) => ldu(plan, groups, of),
            _ => {}
        }
        for &pivot in &self.plan.given {
            self.begun[pivot] = self.numbers[pivot];
        }
    }

    /// Whether pivots kept all but this share of their digits, and none of a velocity with inertia, or of a state, lost
    /// its start in what it grew to. NaN is not sound.
    pub(super) fn sound(&self, least: T) -> bool {
        self.unsound(least).is_none()
    }

    /// The unknown of the first pivot that is not.
    pub(super) fn unsound(&self, least: T) -> Option<usize> {
        let sound = |((&pivot, &start), &scale): ((&T, &T), &T)| {
            let kept = pivot * pivot > least * least * scale;
            kept & (start * start >= least * scale) & (scale < T::INFINITY)
        };
        let pivots = || self.numbers.iter().zip(&self.begun).zip(&self.scales);
        // all of them side by side, as nearly always all are sound
        if pivots().fold(true, |all, pivot| all & sound(pivot)) {
            return None;
        }
        pivots().position(|pivot| !sound(pivot)).map(|at| self.plan.pivots[at])
    }

    /// Unknown, pivot, and the sum of the squares of its terms.
    pub(super) fn pivots(&self) -> impl Iterator<Item = (usize, T, T)> + '_ {
        let pivots = self.plan.pivots.iter().zip(self.numbers.iter().zip(&self.scales));
        pivots.map(|(&unknown, (&pivot, &scale))| (unknown, pivot, scale))
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

    /// Solves in place for all unknowns, given by slices that follow each other.
    pub(super) fn solve<const K: usize>(&self, x: [&mut [T]; K]) {
        let mut room = self.room.borrow_mut();
        self.run(&mut room, x);
    }

    /// The same in other room, of other numbers.
    pub(super) fn run<X, const K: usize>(&self, room: &mut Vec<X>, x: [&mut [X]; K])
    where
        X: Copy + Default + Mul<T, Output = X> + Add<Output = X> + Sub<Output = X>,
    {
        let plan = &*self.plan;
        room.resize(plan.room(), X::default());
        let mut places = plan.places.iter();
        for part in &x {
            part.iter().zip(&mut places).for_each(|(value, &k)| room[k] = *value);
        }
        let (_, lower, upper) = self.parts();
        let upper = if self.symmetric { lower } else { upper };
        match &plan.program {
            Program::Panels(panels) => {
                let reciprocals = &self.reciprocals;
                Arch::new().dispatch(substitution::Solve { plan, panels, lower, upper, reciprocals, room });
            }
            Program::Groups(groups) => by_groups(plan, groups, (lower, upper, &self.reciprocals), room),
        }
        let mut places = plan.places.iter();
        for part in x {
            part.iter_mut().zip(&mut places).for_each(|(value, &k)| *value = room[k]);
        }
    }
}

/// The ranges of entries that are none of these.
fn others(len: usize, places: &[Place]) -> Vec<Range<usize>> {
    let mut known: Vec<usize> = places.iter().map(|place| place.0).chain([len]).collect();
    known.sort_unstable();
    let starts = core::iter::once(0).chain(known.iter().map(|at| at + 1));
    starts.zip(&known).map(|(start, &end)| start..end).filter(|range| !range.is_empty()).collect()
}

fn ldlt<T: Real>(plan: &Plan, groups: &Groups, mut of: Factored<'_, T>) {
    let mut at = Front::default();
    for &count in &groups.counts {
        match count {
            1 => group::ldlt::<T, 1>((plan, groups), &mut at, &mut of),
            2 => group::ldlt::<T, 2>((plan, groups), &mut at, &mut of),
            3 => group::ldlt::<T, 3>((plan, groups), &mut at, &mut of),
            _ => group::ldlt::<T, MOST>((plan, groups), &mut at, &mut of),
        }
    }
}

fn ldu<T: Real>(plan: &Plan, groups: &Groups, mut of: Factored<'_, T>) {
    let mut at = Front::default();
    for &count in &groups.counts {
        match count {
            1 => group::ldu::<T, 1>((plan, groups), &mut at, &mut of),
            2 => group::ldu::<T, 2>((plan, groups), &mut at, &mut of),
            3 => group::ldu::<T, 3>((plan, groups), &mut at, &mut of),
            _ => group::ldu::<T, MOST>((plan, groups), &mut at, &mut of),
        }
    }
}

/// Solves with L, U and reciprocal pivots, by groups of columns from the first and from the last.
fn by_groups<T: Real, X>(plan: &Plan, groups: &Groups, (lower, upper, recips): (&[T], &[T], &[T]), room: &mut [X])
where
    X: Copy + Mul<T, Output = X> + Sub<Output = X>,
{
    let (mut first, counts) = (groups.alone, &groups.counts[groups.alone..]);
    for &count in counts {
        match count {
            1 => group::forward::<T, X, 1>(plan, first, lower, room),
            2 => group::forward::<T, X, 2>(plan, first, lower, room),
            3 => group::forward::<T, X, 3>(plan, first, lower, room),
            _ => group::forward::<T, X, MOST>(plan, first, lower, room),
        }
        first += usize::from(count);
    }
    for &count in counts.iter().rev() {
        first -= usize::from(count);
        match count {
            1 => group::backward::<T, X, 1>(plan, first, (upper, recips), room),
            2 => group::backward::<T, X, 2>(plan, first, (upper, recips), room),
            3 => group::backward::<T, X, 3>(plan, first, (upper, recips), room),
            _ => group::backward::<T, X, MOST>(plan, first, (upper, recips), room),
        }
    }
    room.iter_mut().zip(recips).take(groups.alone).for_each(|(x, &recip)| *x = *x * recip);
}
