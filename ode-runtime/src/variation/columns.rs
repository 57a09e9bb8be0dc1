//! Room for a number of each of several directions.

use core::fmt::Debug;

use crate::numbers::scalar::{Real, Scalar};
use crate::solve::add;

/// Several of something: one for each direction of a variation.
pub trait Columns: Clone + Debug {
    /// `[C; N]`, or a `Vec`.
    type Of<C: Clone + Debug>: AsRef<[C]> + AsMut<[C]> + Clone + Debug;

    /// One for each.
    fn each<C: Clone + Debug>(&self, of: C) -> Self::Of<C>;
}

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

#[inline(always)]
fn scale_here<C: AsMut<[T]>, T: Scalar>(s: T, x: &mut C) {
    x.as_mut().iter_mut().for_each(|x| *x *= s);
}

#[inline(never)]
fn scale_there<C: AsMut<[T]>, T: Scalar>(s: T, x: &mut C) {
    scale_here(s, x);
}

#[inline(always)]
fn add_here<C: AsRef<[T]> + AsMut<[T]>, T: Real>(y: &mut C, s: T, x: &C) {
    add(y.as_mut(), s, x.as_ref());
}

#[inline(never)]
fn add_there<C: AsRef<[T]> + AsMut<[T]>, T: Real>(y: &mut C, s: T, x: &C) {
    add_here(y, s, x);
}

/// x *= s
pub(super) fn scaled<C: AsMut<[T]>, T: Scalar>(s: T, x: &mut [C]) {
    match s == T::ONE {
        true => {}
        false if short::<C>() => x.iter_mut().for_each(|x| scale_here(s, x)),
        false => x.iter_mut().for_each(|x| scale_there(s, x)),
    }
}

/// y += s x
pub(super) fn added<C: AsRef<[T]> + AsMut<[T]>, T: Real>(y: &mut [C], s: T, x: &[C]) {
    let columns = y.iter_mut().zip(x);
    if short::<C>() {
        columns.for_each(|(y, x)| add_here(y, s, x));
    } else {
        columns.for_each(|(y, x)| add_there(y, s, x));
    }
}
