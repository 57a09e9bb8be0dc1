//! The block of what a model does not have.

use crate::model::layout::Block;
use crate::numbers::scalar::Scalar;

/// A block without entries: the inputs of a model without inputs, the multipliers of one without constraints.
///
/// All models share it, so that rustc reads no code for it in each of them. It has what a block with entries has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Empty<T = f64>([T; 0]);

impl<T> Empty<T> {
    /// The block.
    pub(crate) const NONE: Self = Self([]);

    /// All entries: none.
    #[inline]
    pub const fn array(&self) -> [T; 0] {
        []
    }

    /// All entries, by reference: none.
    #[inline]
    pub const fn as_array(&self) -> &[T; 0] {
        &self.0
    }

    /// All entries: none.
    #[inline]
    pub const fn array_mut(&mut self) -> &mut [T; 0] {
        &mut self.0
    }
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

impl<T> Default for Empty<T> {
    #[inline]
    fn default() -> Self {
        Self::NONE
    }
}

impl<T> From<[T; 0]> for Empty<T> {
    #[inline]
    fn from(entries: [T; 0]) -> Self {
        Self(entries)
    }
}

impl<T> AsRef<[T]> for Empty<T> {
    #[inline]
    fn as_ref(&self) -> &[T] {
        &self.0
    }
}

impl<T> AsMut<[T]> for Empty<T> {
    #[inline]
    fn as_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

impl<T: Scalar> Block<T> for Empty<T> {
    #[inline]
    fn zeros(_len: usize) -> Self {
        Self::NONE
    }
}
