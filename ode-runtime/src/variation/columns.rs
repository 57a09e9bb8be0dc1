//! Room for a number of each of several directions.

use core::fmt::Debug;
use core::ops::Range;

use crate::model::system::System;
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::add;

/// Several of something: one for each direction of a variation.
pub trait Columns: Clone + Debug {
    /// `[C; N]`, or a `Vec`.
    type Of<C: Clone + Debug>: AsRef<[C]> + AsMut<[C]> + Clone + Debug;

    /// One for each.
    fn each<C: Clone + Debug>(&self, of: C) -> Self::Of<C>;
}

/// Columns of (q, v, z).
pub(super) type StateSlices<'a, S> = (&'a [<S as System>::V], &'a [<S as System>::V], &'a [<S as System>::Z]);
/// Columns of accelerations and rates.
pub(super) type RateSlices<'a, S> = (&'a [<S as System>::V], &'a [<S as System>::Z]);

/// N directions, without a heap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fixed<const N: usize>;

impl<const N: usize> Columns for Fixed<N> {
    type Of<C: Clone + Debug> = [C; N];

    fn each<C: Clone + Debug>(&self, of: C) -> [C; N] {
        core::array::from_fn(|_| of.clone())
    }
}

/// As many directions as a run asks for.
#[cfg(feature = "std")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Several(pub usize);

#[cfg(feature = "std")]
impl Columns for Several {
    type Of<C: Clone + Debug> = std::vec::Vec<C>;

    fn each<C: Clone + Debug>(&self, of: C) -> std::vec::Vec<C> {
        std::vec![of; self.0]
    }
}

/// Whether columns are so short that a call for each costs more than the work. Of others, the loop over columns would
/// be vectorised if the work were inlined, although their entries are far apart.
const fn short<C>() -> bool {
    size_of::<C>() <= 32
}

/// Whether there is nothing in a column.
const fn empty<C>() -> bool {
    size_of::<C>() == 0
}

/// The columns of a group.
pub(super) fn part<'a, C>(columns: &'a mut impl AsMut<[C]>, group: &Range<usize>) -> &'a mut [C] {
    columns.as_mut().get_mut(group.clone()).unwrap_or_default()
}

/// The same, to read.
pub(super) fn shown<'a, C>(columns: &'a impl AsRef<[C]>, group: &Range<usize>) -> &'a [C] {
    columns.as_ref().get(group.clone()).unwrap_or_default()
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn scale_here<C: AsMut<[T]>, T: Scalar>(s: T, x: &mut C) {
    x.as_mut().iter_mut().for_each(|x| *x *= s);
}

#[inline(never)]
fn scale_there<C: AsMut<[T]>, T: Scalar>(s: T, x: &mut C) {
    scale_here(s, x);
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn add_here<C: AsRef<[T]> + AsMut<[T]>, T: Real>(y: &mut C, s: T, x: &C) {
    add(y.as_mut(), s, x.as_ref());
}

#[inline(never)]
fn add_there<C: AsRef<[T]> + AsMut<[T]>, T: Real>(y: &mut C, s: T, x: &C) {
    add_here(y, s, x);
}

/// x *= s
pub(super) fn scaled<C: AsMut<[T]>, T: Scalar>(s: T, x: &mut [C]) {
    match s == T::ONE || empty::<C>() {
        true => {}
        false if short::<C>() => x.iter_mut().for_each(|x| scale_here(s, x)),
        false => x.iter_mut().for_each(|x| scale_there(s, x)),
    }
}

/// x ← s x + Σ t y
#[cfg_attr(not(debug_assertions), inline(always))]
fn combine_here<C: AsRef<[T]> + AsMut<[T]>, T: Real, const N: usize>(s: T, x: &mut C, others: [(T, &C); N]) {
    for (i, x) in x.as_mut().iter_mut().enumerate() {
        *x = others.iter().fold(s * *x, |sum, (t, y)| y.as_ref().get(i).map_or(sum, |&y| y.multiply_add(*t, sum)));
    }
}

#[inline(never)]
fn combine_there<C: AsRef<[T]> + AsMut<[T]>, T: Real, const N: usize>(s: T, x: &mut C, others: [(T, &C); N]) {
    combine_here(s, x, others);
}

/// x ← s x + Σ t y, in one pass
pub(super) fn combined<C: AsRef<[T]> + AsMut<[T]>, T: Real, const N: usize>(s: T, x: &mut [C], others: [(T, &[C]); N]) {
    if empty::<C>() {
        return;
    }
    for (k, x) in x.iter_mut().enumerate() {
        let Some(others) = column(others, k) else { return };
        if short::<C>() { combine_here(s, x, others) } else { combine_there(s, x, others) }
    }
}

/// Column k of each.
fn column<T: Scalar, C, const N: usize>(of: [(T, &[C]); N], k: usize) -> Option<[(T, &C); N]> {
    of.iter().all(|(_, columns)| k < columns.len()).then(|| of.map(|(t, columns)| (t, &columns[k])))
}

/// y += s x
pub(super) fn added<C: AsRef<[T]> + AsMut<[T]>, T: Real>(y: &mut [C], s: T, x: &[C]) {
    let columns = y.iter_mut().zip(x);
    if empty::<C>() {
    } else if short::<C>() {
        columns.for_each(|(y, x)| add_here(y, s, x));
    } else {
        columns.for_each(|(y, x)| add_there(y, s, x));
    }
}
