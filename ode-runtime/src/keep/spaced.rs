//! States of a run, kept at most so many, from which all others are made again.

use core::ops::Range;
use std::vec::Vec;

use crate::error::Cause;

/// Values at steps of a run, the first of which is always kept.
#[derive(Debug)]
pub(crate) struct Spaced<X> {
    /// those of the run, then those that are kept while it is taken back
    kept: Vec<(usize, X)>,
    /// number of the former
    own: usize,
    most: usize,
    /// the distance of those that are kept while the run goes on
    stride: usize,
}

impl<X> Spaced<X> {
    /// Room for `most`.
    ///
    /// # Errors
    /// [`Cause::Invalid`] for none; [`Cause::Checkpoints`] for more than fit into memory.
    pub(crate) fn new(most: usize) -> Result<Self, Cause> {
        if most == 0 {
            return Err(Cause::Invalid { setting: "the number of checkpoints", value: 0.0 });
        }
        let mut kept = Vec::new();
        let each = size_of::<(usize, X)>();
        kept.try_reserve_exact(most).map_err(|_| Cause::Checkpoints { asked: most, each })?;
        Ok(Self { kept, own: 0, most, stride: 1 })
    }

    /// Keeps the value of step n of a run whose length is not known, if it is its turn. All are kept until there is no
    /// room; from then on every second, fourth and so on, at most half of the room, which leaves the other half for
    /// [`plan`](Self::plan).
    pub(crate) fn offer(&mut self, n: usize, value: impl FnOnce() -> X) {
        self.release();
        while n.is_multiple_of(self.stride) {
            let room = if self.stride == 1 { self.most } else { (self.most / 2).max(1) };
            if self.kept.len() < room {
                self.kept.push((n, value()));
                self.own = self.kept.len();
                return;
            }
            self.stride = self.stride.saturating_mul(2);
            let stride = self.stride;
            self.kept.retain(|(k, _)| k.is_multiple_of(stride));
            self.own = self.kept.len();
        }
    }

    /// Keeps the value of step n on the way back, if there is room.
    pub(crate) fn keep(&mut self, n: usize, value: impl FnOnce() -> X) {
        self.release_after(n);
        if self.kept.len() < self.most && self.last(n).is_none_or(|(last, _)| last < n) {
            self.kept.push((n, value()));
        }
    }

    /// Forgets the values after step n that were kept on the way back.
    pub(crate) fn release_after(&mut self, n: usize) {
        while self.kept.len() > self.own && self.kept.last().is_some_and(|(k, _)| *k > n) {
            self.kept.pop();
        }
    }

    /// Forgets all that were kept on the way back.
    pub(crate) fn release(&mut self) {
        self.kept.truncate(self.own);
    }

    /// The last up to step n that is kept.
    pub(crate) fn last(&self, n: usize) -> Option<(usize, &X)> {
        let of = |part: Range<usize>| {
            let kept = self.kept.get(part)?;
            kept.get(kept.partition_point(|(k, _)| *k <= n).checked_sub(1)?)
        };
        let both = of(0..self.own).into_iter().chain(of(self.own..self.kept.len()));
        both.max_by_key(|(k, _)| *k).map(|(k, x)| (*k, x))
    }

    /// How far to go from step k, the last up to n that is kept, to keep the next value on the way to step n, when the
    /// values from n down to k are wanted in turn: binomial checkpointing, with the least number of steps that are made
    /// again.
    ///
    /// Reference: A. Griewank, Achieving logarithmic growth of temporal and spatial complexity in reverse automatic
    /// differentiation, Optim. Methods Softw. 1 (1992).
    pub(crate) fn plan(&self, k: usize, n: usize) -> usize {
        let (steps, free) = (n - k + 1, self.most - self.kept.len().min(self.most));
        if free == 0 {
            return n - k;
        }
        // C(free + times, free) values can be had if no step is made again more than `times` times
        let (mut times, mut reach) = (0_usize, 1.0_f64);
        while reach < steps as f64 {
            times += 1;
            reach *= (free + times) as f64 / times as f64;
        }
        let far = (steps as f64 * times as f64 / (times as f64 + free as f64)).ceil() as usize;
        far.clamp(1, (n - k).max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps made again to have the values of n steps from the last to the first, and the most that were kept; twice
    /// the same.
    fn again(n: usize, most: usize) -> (usize, usize) {
        let mut spaced = Spaced::new(most).expect("room");
        (0..n).for_each(|k| spaced.offer(k, || k));
        let found = back(&mut spaced, n);
        assert_eq!(back(&mut spaced, n), found, "{n} {most}");
        found
    }

    fn back(spaced: &mut Spaced<usize>, n: usize) -> (usize, usize) {
        let (mut made, mut largest) = (0, spaced.kept.len());
        for wanted in (0..n).rev() {
            spaced.release_after(wanted);
            loop {
                let (k, &value) = spaced.last(wanted).expect("the first");
                assert_eq!(k, value);
                if k == wanted {
                    break;
                }
                let far = spaced.plan(k, wanted);
                made += far;
                spaced.keep(k + far, || k + far);
                largest = largest.max(spaced.kept.len());
                if k + far == wanted {
                    break;
                }
            }
        }
        spaced.release();
        (made, largest)
    }

    #[test]
    fn none_is_made_again_that_was_kept() {
        assert_eq!(again(100, 100), (0, 100));
        assert_eq!(again(1, 1), (0, 1));
    }

    #[test]
    fn at_most_so_many_are_kept_and_few_are_made_again() {
        for n in [2, 3, 10, 64, 101, 1000] {
            assert_eq!(again(n, 1).0, n * (n - 1) / 2, "from the first each time");
            for most in [2, 3, 7, 30, 90, 300] {
                let (made, largest) = again(n, most);
                assert!(largest <= most);
                // each at most once up to an eighth of the square
                assert!(8 * n > most * most || made < n, "{n} {most}: {made}");
                assert!(32 * n > most * most * most || made < 2 * n, "{n} {most}: {made}");
            }
        }
    }
}
