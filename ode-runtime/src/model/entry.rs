//! The place of a number in a block.

use core::cmp::Ordering;
use core::fmt::{Debug, Formatter};
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;

/// The place of an entry in the block `B`. A place in another block is another type, so coordinates are not indexed by
/// a velocity.
///
/// The blocks of a model have one for each of their scalars: `state.q[pendulum::Q::TH]`.
pub struct Entry<B> {
    position: usize,
    /// a place holds no `B`, so it is `Send` and `Sync` whatever the block is
    block: PhantomData<fn() -> B>,
}

impl<B> Entry<B> {
    /// The entry at `position`, counted from 0. A block panics if it is indexed by a position that it does not have.
    pub const fn new(position: usize) -> Self {
        Self { position, block: PhantomData }
    }

    /// Its position in the block, counted from 0.
    pub const fn position(self) -> usize {
        self.position
    }
}

// Derived, these would ask the same of `B`.
impl<B> Clone for Entry<B> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<B> Copy for Entry<B> {}

impl<B> Debug for Entry<B> {
    fn fmt(&self, f: &mut Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("Entry").field(&self.position).finish()
    }
}

impl<B> PartialEq for Entry<B> {
    fn eq(&self, other: &Self) -> bool {
        self.position == other.position
    }
}
impl<B> Eq for Entry<B> {}

impl<B> PartialOrd for Entry<B> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl<B> Ord for Entry<B> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.position.cmp(&other.position)
    }
}

impl<B> Hash for Entry<B> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.position.hash(state);
    }
}
