//! The covectors of the blocks that operations make.

use std::vec::Vec;

use crate::model::layout::Block;
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::add;

/// A block that an operation has made, on its tape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node(pub(super) usize);

/// A covector for each block; room is kept when the tape is cleared.
#[derive(Debug)]
pub(super) struct Nodes<B> {
    all: Vec<B>,
    count: usize,
    zeros: B,
}

impl<B> Nodes<B> {
    pub(super) fn new<T: Scalar>(len: usize) -> Self
    where
        B: Block<T>,
    {
        Self { all: Vec::new(), count: 0, zeros: B::zeros(len) }
    }

    /// A block that nothing depends on yet.
    pub(super) fn make<T: Scalar>(&mut self) -> Node
    where
        B: Block<T>,
    {
        match self.all.get_mut(self.count) {
            Some(block) => block.as_mut().fill(T::ZERO),
            None => self.all.push(self.zeros.clone()),
        }
        self.count += 1;
        Node(self.count - 1)
    }

    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    /// The covector of a block.
    pub(super) fn get(&self, node: Node) -> &B {
        self.all.get(node.0).unwrap_or(&self.zeros)
    }

    /// Adds s x to the covector of a block.
    pub(super) fn add<T: Real>(&mut self, node: Node, s: T, x: &[T])
    where
        B: Block<T>,
    {
        if let Some(block) = self.all.get_mut(node.0) {
            add(block.as_mut(), s, x);
        }
    }

    /// Adds s times the covector of one block to that of an older one.
    pub(super) fn pass<T: Real>(&mut self, from: Node, s: T, to: Node)
    where
        B: Block<T>,
    {
        let Some((older, newer)) = self.all.split_at_mut_checked(from.0) else { return };
        if let (Some(to), Some(from)) = (older.get_mut(to.0), newer.first()) {
            add(to.as_mut(), s, from.as_ref());
        }
    }
}
