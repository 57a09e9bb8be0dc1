//! Runs side by side and runs alone, as each other's numbers.

use std::vec::Vec;

use crate::keep::checkpoint::Checkpoint;
use crate::keep::statistics::Statistics;
use crate::model::history::{History, Parts};
use crate::numbers::wide::Wide;
use crate::solve::solvable::Solvable;

/// A lane of a checkpoint: that of the run, that of the method's memory, and where the grid of steps is.
pub(super) struct Transposed<L> {
    run: Taken<L>,
    memory: Taken<L>,
    grid: Taken<L>,
    statistics: Statistics,
}

impl<L: Wide<Lane = L>> Transposed<L> {
    /// That of lane `k`.
    pub(super) fn of<S, H>(k: usize, system: &S, point: &mut Checkpoint<S, H>) -> Self
    where
        S: Solvable<Real: Wide<Lane = L>>,
        H: History<S::Real>,
    {
        let run = Taken::lane(k, |parts| point.visit_run(&system.layout(), parts));
        // The largest error of several is that of none.
        let statistics = Statistics { largest_error: None, ..point.statistics };
        Self { run, memory: Taken::lane(k, |parts| point.memory.visit(parts)), grid: grid(k, point), statistics }
    }

    /// Makes it lane `k`; false if the method remembers something else in the others, or their grid is another. There
    /// are no others for the `first`.
    ///
    /// What a method counts, and whether it has a number at all, is one for all lanes. What a run has counted is that
    /// of the first.
    #[must_use]
    pub(super) fn put<S, H>(&self, k: usize, first: bool, system: &S, point: &mut Checkpoint<S, H>) -> bool
    where
        S: Solvable<Real: Wide<Lane = L>>,
        H: History<S::Real>,
    {
        let same = first || self.grid == grid(0, point);
        let statistics = if first { self.statistics } else { point.statistics };
        self.run.put(k, first, |parts| point.visit_run(&system.layout(), parts));
        point.statistics = statistics;
        self.memory.put(k, first, |parts| point.memory.visit(parts)) && same
    }
}

/// The grid of the steps of a lane, and how many of them it has made.
pub(super) fn grid<L: Wide<Lane = L>, S: Solvable<Real: Wide<Lane = L>>, H>(
    k: usize,
    point: &mut Checkpoint<S, H>,
) -> Taken<L> {
    Taken::lane(k, |parts| point.progress.visit(parts))
}

/// The numbers and counts of one lane of a history.
#[derive(PartialEq)]
pub(super) struct Taken<L> {
    numbers: Vec<L>,
    counts: Vec<u64>,
}

impl<L: Wide<Lane = L>> Taken<L> {
    /// What `visit` shows of a lane.
    pub(super) fn lane<T: Wide<Lane = L>>(lane: usize, visit: impl FnOnce(&mut dyn Parts<T>)) -> Self {
        let mut take = Take { lane, taken: Self { numbers: Vec::new(), counts: Vec::new() } };
        visit(&mut take);
        take.taken
    }

    /// Writes a lane of what `visit` shows; whether the counts there are the same, or it is the `first`.
    pub(super) fn put<T: Wide<Lane = L>>(
        &self,
        lane: usize,
        first: bool,
        visit: impl FnOnce(&mut dyn Parts<T>),
    ) -> bool {
        let mut put = Put { lane, first, agrees: true, numbers: &self.numbers, counts: &self.counts };
        visit(&mut put);
        put.agrees
    }
}

/// Reads a lane.
struct Take<L> {
    lane: usize,
    taken: Taken<L>,
}

impl<T: Wide> Parts<T> for Take<T::Lane> {
    fn numbers(&mut self, _name: &'static str, numbers: &mut [T]) {
        self.taken.numbers.extend(numbers.iter().map(|number| number.lane(self.lane)));
    }
    fn count(&mut self, _name: &'static str, count: &mut u64) {
        self.taken.counts.push(*count);
    }
}

/// Writes a lane.
struct Put<'t, L> {
    lane: usize,
    first: bool,
    agrees: bool,
    numbers: &'t [L],
    counts: &'t [u64],
}

impl<T: Wide> Parts<T> for Put<'_, T::Lane> {
    fn numbers(&mut self, _name: &'static str, numbers: &mut [T]) {
        let (own, rest) = self.numbers.split_at(numbers.len().min(self.numbers.len()));
        for (to, &from) in numbers.iter_mut().zip(own) {
            to.set_lane(self.lane, from);
        }
        self.numbers = rest;
    }
    fn count(&mut self, _name: &'static str, count: &mut u64) {
        if let Some((&own, rest)) = self.counts.split_first() {
            self.agrees &= self.first || own == *count;
            *count = if self.first { own } else { own.min(*count) };
            self.counts = rest;
        }
    }
}
