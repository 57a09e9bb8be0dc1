//! What a model is made of: fields, and parts with their elements.

use std::vec::Vec;

use crate::model::layout::Layout;

/// A coordinate of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// the field of the whole that it belongs to
    pub field: usize,
    /// the entry of a member's tuple that says which member of the field it is; `None` of an ordinary coordinate
    pub end: Option<usize>,
    /// its numbers in q
    pub q: usize,
    /// its numbers in v
    pub v: usize,
}

impl Slot {
    /// The member of the field.
    #[inline(always)]
    pub(super) fn member(&self, tuple: &[u32]) -> usize {
        self.end.map_or(0, |end| tuple.get(end).map_or(0, |&member| member as usize))
    }
}

/// A coordinate of each member of a set, or an ordinary one.
#[derive(Clone, Copy, Debug)]
pub struct FieldSpec {
    /// number of members: 1 of an ordinary coordinate
    pub members: usize,
    /// names of one member's entries of q; `#` stands for its number
    pub q: &'static [&'static str],
    /// of v
    pub v: &'static [&'static str],
    /// of directions of motion
    pub directions: &'static [&'static str],
    /// of steps
    pub steps: &'static [&'static str],
    /// the entries of one member's q that are a rotation, see [`System::rotations`](crate::System::rotations)
    pub rotations: &'static [(usize, usize)],
}

/// An element, and the members it stands at.
#[derive(Clone, Debug)]
pub struct PartSpec {
    /// the set its members are of; empty of what stands beside all sets
    pub set: &'static str,
    /// names of one member's constraint rows; `#` stands for its number, `#1` for that of the first
    /// member which it joins
    pub constraints: &'static [&'static str],
    /// of multipliers
    pub multipliers: &'static [&'static str],
    /// the element's own layout
    pub layout: Layout<'static>,
    /// its coordinates
    pub slots: &'static [Slot],
    /// number of members
    pub members: usize,
    /// entries of a member's tuple
    pub width: usize,
    /// the tuples, one after the other
    pub tuples: Vec<u32>,
}
