//! Room for a number of each of several directions.

use core::fmt::Debug;

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
