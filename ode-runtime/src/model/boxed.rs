//! An array on the heap.

use core::ops::{Deref, DerefMut};
use std::boxed::Box;

use crate::model::layout::Block;
use crate::numbers::lanes::Lanes;
use crate::numbers::scalar::Scalar;

/// The block of a large model: an array on the heap, because a run keeps dozens of them, and a stack has no room.
#[derive(Clone, Debug, PartialEq)]
pub struct Boxed<T, const N: usize>(Box<[T; N]>);

impl<T, const N: usize> From<[T; N]> for Boxed<T, N> {
    fn from(entries: [T; N]) -> Self {
        Self(Box::new(entries))
    }
}

impl<T, const N: usize> Deref for Boxed<T, N> {
    type Target = [T; N];

    #[inline]
    fn deref(&self) -> &[T; N] {
        &self.0
    }
}

impl<T, const N: usize> DerefMut for Boxed<T, N> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T; N] {
        &mut self.0
    }
}

impl<T, const N: usize> AsRef<[T]> for Boxed<T, N> {
    #[inline]
    fn as_ref(&self) -> &[T] {
        &self.0[..]
    }
}

impl<T, const N: usize> AsMut<[T]> for Boxed<T, N> {
    #[inline]
    fn as_mut(&mut self) -> &mut [T] {
        &mut self.0[..]
    }
}

impl<T: Copy, const N: usize> Boxed<T, N> {
    /// The same number everywhere, not by way of the stack.
    fn of(number: T) -> Self {
        let numbers = std::vec![number; N].into_boxed_slice();
        Self(numbers.try_into().unwrap_or_else(|_| Box::new([number; N])))
    }
}

impl<T: Scalar, const N: usize> Block<T> for Boxed<T, N> {
    /// Its length is its own, as that of an array.
    fn zeros(_len: usize) -> Self {
        Self::of(T::ZERO)
    }
}

impl<T: Scalar, const N: usize> Block<Lanes<T>> for Boxed<Lanes<T>, N> {
    fn zeros(_len: usize) -> Self {
        Self::of(Lanes::ZERO)
    }
}
