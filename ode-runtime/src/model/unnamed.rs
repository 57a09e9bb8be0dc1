//! Blocks whose entries have no names.

use crate::model::layout::Block;
use crate::numbers::scalar::Scalar;

/// A block without names: of an element of a model with sets, and of what a self-test evaluates.
///
/// All models share it, so that rustc reads no code for it in each of them. It has what a block with names has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unnamed<T, const N: usize>([T; N]);

/// A block without entries: the inputs of a model without inputs, the multipliers of one without constraints.
pub type Empty<T = f64> = Unnamed<T, 0>;

impl<T, const N: usize> Unnamed<T, N> {
    /// All entries.
    #[inline]
    pub const fn array(&self) -> [T; N]
    where
        T: Copy,
    {
        self.0
    }

    /// All entries, by reference.
    #[inline]
    pub const fn as_array(&self) -> &[T; N] {
        &self.0
    }

    /// All entries.
    #[inline]
    pub const fn array_mut(&mut self) -> &mut [T; N] {
        &mut self.0
    }
}

impl<T> Empty<T> {
    /// The block.
    pub(crate) const NONE: Self = Self([]);
}

/// The inputs of a model that has none.
#[diagnostic::on_unimplemented(
    message = "this model has inputs, so it is evaluated with them",
    label = "needs a model without inputs",
    note = "with inputs: `state.at(&u)`; those of a run are `run.now().inputs()`"
)]
pub trait Inputless: 'static {
    /// The block.
    fn none() -> &'static Self;
}

impl<T: 'static> Inputless for Empty<T> {
    #[inline]
    fn none() -> &'static Self {
        &Self::NONE
    }
}

impl<T: 'static> Inputless for [T; 0] {
    #[inline]
    fn none() -> &'static Self {
        &[]
    }
}

impl<T: Scalar, const N: usize> Default for Unnamed<T, N> {
    #[inline]
    fn default() -> Self {
        Self([T::ZERO; N])
    }
}

impl<T, const N: usize> From<[T; N]> for Unnamed<T, N> {
    #[inline]
    fn from(entries: [T; N]) -> Self {
        Self(entries)
    }
}

impl<T, const N: usize> AsRef<[T]> for Unnamed<T, N> {
    #[inline]
    fn as_ref(&self) -> &[T] {
        &self.0
    }
}

impl<T, const N: usize> AsMut<[T]> for Unnamed<T, N> {
    #[inline]
    fn as_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

impl<T: Scalar, const N: usize> Block<T> for Unnamed<T, N> {
    #[inline]
    fn zeros(_len: usize) -> Self {
        Self::default()
    }
}
