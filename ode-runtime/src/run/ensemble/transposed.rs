//! Runs side by side and runs alone, as each other's numbers.

use std::vec::Vec;

use crate::model::history::Parts;
use crate::numbers::wide::Wide;

/// The numbers and counts of one lane of a history.
pub(super) struct Taken<L> {
    numbers: Vec<L>,
    counts: Vec<u64>,
}

/// Reads a lane.
pub(super) struct Take<L> {
    lane: usize,
    taken: Taken<L>,
}

impl<L: Wide<Lane = L>> Take<L> {
    /// What `visit` shows of a lane.
    pub(super) fn lane<T: Wide<Lane = L>>(lane: usize, visit: impl FnOnce(&mut dyn Parts<T>)) -> Taken<L> {
        let mut take = Self { lane, taken: Taken { numbers: Vec::new(), counts: Vec::new() } };
        visit(&mut take);
        take.taken
    }
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
    numbers: &'t [L],
    counts: &'t [u64],
}

impl<L: Wide<Lane = L>> Taken<L> {
    /// Writes a lane of what `visit` shows, and the counts, which all lanes share.
    pub(super) fn put<T: Wide<Lane = L>>(&self, lane: usize, visit: impl FnOnce(&mut dyn Parts<T>)) {
        visit(&mut Put { lane, numbers: &self.numbers, counts: &self.counts });
    }
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
        if let Some((&first, rest)) = self.counts.split_first() {
            (*count, self.counts) = (first, rest);
        }
    }
}
