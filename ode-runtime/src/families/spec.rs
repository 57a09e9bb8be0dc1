//! What a model is made of: fields, and parts with their elements.

use std::vec::Vec;

use crate::model::layout::Layout;
use crate::model::picture::Figure;
use crate::model::sensitive::Turning;

/// A coordinate or state of an element; states follow coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// the field of the whole that it belongs to
    pub field: usize,
    /// the entry of a member's tuple that says which member of the field it is; `None` of an ordinary one
    pub end: Option<usize>,
    /// its numbers in q
    pub q: usize,
    /// its numbers in v
    pub v: usize,
    /// its numbers in z
    pub z: usize,
}

impl Slot {
    /// Its numbers among the unknowns: velocities, or states.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) const fn unknowns(&self) -> usize {
        self.v + self.z
    }

    /// The member of the field.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn member(&self, tuple: &[u32]) -> usize {
        self.end.map_or(0, |end| tuple.get(end).map_or(0, |&member| member as usize))
    }
}

/// A coordinate, a state or an algebraic variable of each member of a set, or an ordinary one, in this order.
#[derive(Clone, Copy, Debug)]
pub struct FieldSpec {
    /// number of members: 1 of an ordinary one
    pub members: usize,
    /// names of one member's entries of q; `#0` stands for its number
    pub q: &'static [&'static str],
    /// of v
    pub v: &'static [&'static str],
    /// of z
    pub z: &'static [&'static str],
    /// whether z is algebraic; such fields are the last
    pub algebraic: bool,
    /// of directions of motion
    pub directions: &'static [&'static str],
    /// of steps
    pub steps: &'static [&'static str],
    /// the entries of one member's q that are a rotation, see [`System::rotations`](crate::System::rotations)
    pub rotations: &'static [(usize, usize)],
    /// the velocities of one member that turn it, see [`Sensitive::turnings`](crate::Sensitive::turnings)
    pub turnings: &'static [Turning],
    /// units of one member's entries of q, v, v̇ and z
    pub units: [&'static [&'static str]; 4],
}

/// A parameter of each member of a set, or an ordinary one.
#[derive(Clone, Copy, Debug)]
pub struct ParamSpec {
    /// number of members: 1 of an ordinary parameter
    pub members: usize,
    /// names of one member's numbers; `#0` stands for the member
    pub names: &'static [&'static str],
    /// the unit of its declaration, and its value in SI
    pub unit: (&'static str, f64),
}

/// An input or a mode of each member of a set, or an ordinary one.
#[derive(Clone, Copy, Debug)]
pub struct InputSpec {
    /// number of members: 1 of an ordinary one
    pub members: usize,
    /// names of one member's numbers; `#0` stands for the member
    pub names: &'static [&'static str],
    /// their units
    pub units: &'static [&'static str],
}

/// A parameter, an input or a mode of an element.
#[derive(Clone, Copy, Debug)]
pub struct Given {
    /// its number in the whole
    pub of: usize,
    /// the entries of a member's tuple that say of which members; `None` of an ordinary one
    pub ends: Option<&'static [usize]>,
}

/// What the outputs of an element are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outputs {
    /// one of each member
    Each,
    /// a sum over the members, which the last part reads and nothing shows
    Sum,
    /// read all sums: the element's last parameters, see [`Element::take_sums`](super::Element::take_sums)
    OfSums,
}

/// What is known of an element without its members.
///
/// In names `#0` stands for the first entry of a member's tuple, its own number, and `#1`, `#2`, … for the others.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// the set its members are of; empty of what stands beside all sets
    pub set: &'static str,
    /// names of one member's constraint rows
    pub constraints: &'static [&'static str],
    /// the part whose rows all members add to, this one or an earlier one; `None` where each member has its own
    pub shared: Option<usize>,
    /// of multipliers, with their units
    pub multipliers: &'static [(&'static str, &'static str)],
    /// of each output, with their units
    pub outputs: &'static [&'static [(&'static str, &'static str)]],
    /// what its outputs are
    pub shown: Outputs,
    /// names of one member's exact starts, of positions and of velocities
    pub starts: [&'static [&'static str]; 2],
    /// names of one member's events
    pub events: &'static [&'static str],
    /// names of one member's limits
    pub limits: &'static [&'static str],
    /// names of its costs, which are added over the members
    pub costs: &'static [&'static str],
    /// names of its rows of squares
    pub squares: &'static [&'static str],
    /// what one member shows, with its numbers among those of the member
    pub figures: &'static [Figure<&'static str>],
    /// the element's own layout
    pub layout: Layout<'static>,
    /// its coordinates
    pub slots: &'static [Slot],
    /// its parameters
    pub given: &'static [Given],
    /// its inputs
    pub inputs: &'static [Given],
    /// its modes
    pub modes: &'static [Given],
}

/// An element, and the members it stands at.
#[derive(Clone, Debug)]
pub struct PartSpec {
    /// what is known without them
    pub form: Form,
    /// number of members
    pub members: usize,
    /// entries of a member's tuple
    pub width: usize,
    /// the tuples, one after the other; the first entry of each is the member's own number
    pub tuples: Vec<u32>,
}

impl PartSpec {
    /// How many blocks of constraint rows this part brings, the `number`th of all.
    pub(super) fn row_blocks(&self, number: usize) -> usize {
        match self.form.shared {
            None => self.members,
            Some(owner) => usize::from(owner == number),
        }
    }

    /// How many of each output there are.
    pub(super) fn rounds(&self) -> usize {
        if self.form.shown == Outputs::Sum { 1 } else { self.members }
    }

    /// The numbers of what one member shows.
    pub(super) fn drawn(&self) -> usize {
        self.form.figures.iter().map(|figure| figure.len).sum()
    }

    /// Numbers of all its outputs.
    pub(super) fn outputs(&self) -> usize {
        self.form.outputs.iter().map(|names| names.len() * self.rounds()).sum()
    }
}
