//! Vectors cut into pieces, which threads may share: who works on which does not change a bit.

use core::array;
use std::vec::Vec;

use crate::linalg::sparse::both::both;
use crate::numbers::scalar::Real;

/// Where vectors are cut, and what each piece gives to two sums.
#[derive(Clone, Debug)]
pub(super) struct Pieces<T> {
    sums: Vec<[T; 2]>,
}

/// What is done with a piece of K vectors, by its number; it gives the piece's part of two sums.
pub(super) trait Work<T, const K: usize>: Fn(usize, [&mut [T]; K]) -> [T; 2] + Sync {}
impl<T, F: Fn(usize, [&mut [T]; K]) -> [T; 2] + Sync, const K: usize> Work<T, K> for F {}

impl<T: Real> Pieces<T> {
    pub(super) fn new(count: usize) -> Self {
        Self { sums: std::vec![[T::ZERO; 2]; count] }
    }

    /// Works on each piece of `vectors`, of which number k is cut at `ends[k]`. The sums are added piece by piece, in
    /// their order.
    pub(super) fn each<const K: usize>(
        &mut self,
        ends: [&[usize]; K],
        vectors: [&mut [T]; K],
        work: &impl Work<T, K>,
    ) -> [T; 2] {
        share(0, ends, vectors, &mut self.sums, work);
        self.sums.iter().fold([T::ZERO; 2], |[a, b], &[x, y]| [a + x, b + y])
    }
}

/// Works on the pieces from number `first` on, of which there are as many as `sums`.
fn share<T: Real, const K: usize>(
    first: usize,
    ends: [&[usize]; K],
    vectors: [&mut [T]; K],
    sums: &mut [[T; 2]],
    work: &impl Work<T, K>,
) {
    if let [sum] = sums {
        *sum = work(first, vectors);
        return;
    }
    if sums.is_empty() {
        return;
    }
    let half = sums.len() / 2;
    let (own, others) = sums.split_at_mut(half);
    let start = |k: usize, at: usize| if at == 0 { 0 } else { ends[k][at - 1] };
    let mut rest: [&mut [T]; K] = array::from_fn(|_| <&mut [T]>::default());
    let mut k = 0;
    let vectors = vectors.map(|vector| {
        let (own, other) = vector.split_at_mut(start(k, first + half) - start(k, first));
        rest[k] = other;
        k += 1;
        own
    });
    both(|| share(first, ends, vectors, own, work), || share(first + half, ends, rest, others, work));
}

/// Does it among the threads that share so many pieces: each piece that is handed to another thread from outside would
/// wait to be noticed.
#[cfg(feature = "rayon")]
pub(super) fn alone<R: Send>(pieces: usize, work: impl FnOnce() -> R + Send) -> R {
    if pieces > 1 { both(work, || ()) } else { work() }
}

/// Does it.
#[cfg(not(feature = "rayon"))]
pub(super) fn alone<R>(_pieces: usize, work: impl FnOnce() -> R) -> R {
    work()
}
