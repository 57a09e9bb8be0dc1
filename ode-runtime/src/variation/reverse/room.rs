//! What the operations of a tape share.

use std::vec::Vec;

use crate::model::sensitive::Sensitive;
use crate::solve::solvable::Solvable;
use crate::variation::direction::Direction;
use crate::variation::pull::Pull;

use super::nodes::Nodes;

/// Covectors of all blocks.
#[derive(Debug)]
pub(super) struct Covectors<S: Solvable> {
    pub(super) v: Nodes<S::V>,
    pub(super) z: Nodes<S::Z>,
    pub(super) l: Nodes<S::L>,
}

/// The covectors of what all steps have in common.
#[derive(Debug)]
pub struct Totals<S: Solvable + Sensitive> {
    /// of parameters
    pub parameters: S::P,
    /// of the inputs' own numbers that were asked for
    pub own: Vec<S::Real>,
    /// of a shift of all times
    pub t: S::Real,
}

/// What a sweep writes.
#[derive(Debug)]
pub(super) struct Swept<S: Solvable + Sensitive> {
    pub(super) nodes: Covectors<S>,
    pub(super) totals: Totals<S>,
    /// room for the covectors of one operation
    pub(super) pull: Pull<S>,
}

/// What is differentiated by beside the state.
#[derive(Debug)]
pub(super) struct Asked<S: Solvable> {
    /// the inputs' own numbers, ascending, each with its place among the totals
    pub(super) inputs: Vec<(usize, usize)>,
    pub(super) parameters: bool,
    /// room
    pub(super) direction: Direction<S>,
}

/// Storage of operations of one kind, kept when the tape is cleared.
#[derive(Debug)]
pub(super) struct Pool<P> {
    pub(super) all: Vec<P>,
    pub(super) count: usize,
}

impl<P> Pool<P> {
    pub(super) const fn new() -> Self {
        Self { all: Vec::new(), count: 0 }
    }

    /// The place of the next, which is the last.
    pub(super) fn next(&mut self, make: impl FnOnce() -> P) -> usize {
        if self.count == self.all.len() {
            self.all.push(make());
        }
        self.count += 1;
        self.count - 1
    }
}
