//! What a model made of elements is.

use std::vec::Vec;

use crate::families::spec::Slot;
use crate::families::topology::Topology;
use crate::model::layout::Block;
use crate::model::linearize::Linearize;
use crate::model::observable::Observable;
use crate::model::system::{At, Rates, System};

/// A small model of a few members' coordinates, in a model `S`.
pub trait Element<S: System>: Linearize<Real = S::Real> + Observable {
    /// the nonzeros of ∂F/∂y of the algebraic variables that its equations determine
    type LawJacobian: Block<Self::Real>;
    /// its coordinates, in their order
    const SLOTS: &'static [Slot];
    /// the entries of its q, v and z that its guess sets
    const GUESSED: [&'static [usize]; 3];
    /// those among them that are exact, which hold over the guesses of all elements
    const EXACT: [&'static [usize]; 3];

    /// entries of a tuple
    const WIDTH: usize;
    /// it has requirements of its parameters
    const CHECKED: bool;

    /// The element at a tuple.
    fn of(whole: &S, tuple: &[u32]) -> Self;

    /// Writes the columns of block `block` of its tangent to those of a block of the whole, which have `height`
    /// nonzeros each: the rows of the block itself, or those of the others. `rows` says where the rows of each block
    /// start, and in the top bit that nothing has been written there; with `ADDS` that bit is not looked at.
    fn write_columns<const OWN: bool, const ADDS: bool>(
        block: usize,
        tangent: &Self::Tangent,
        rows: &[u32],
        height: usize,
        to: &mut [Self::Real],
    );

    /// Adds the entries of block `block` in its own rows and columns.
    fn add_own(block: usize, tangent: &Self::Tangent, to: &mut Self::Tangent);

    /// The numbers of what it shows, as [`Pictured::picture`](crate::Pictured::picture). Nothing by default.
    fn picture(&self, at: At<'_, Self>, rates: Rates<'_, Self>, out: &mut [Self::Real]) {
        let _ = (at, rates, out);
    }

    /// Takes all sums, which its outputs and figures read. Nothing by default.
    fn take_sums(&mut self, sums: &[Self::Real]) {
        let _ = sums;
    }
}

/// A block of a model with families.
pub(super) type Numbers<S> = Vec<<S as System>::Real>;

/// A model made of elements.
pub trait Composite:
    Sync
    + System<Q = Numbers<Self>, V = Numbers<Self>, Z = Numbers<Self>, L = Numbers<Self>>
    + System<Mass = Numbers<Self>, Jacobian = Numbers<Self>>
{
    /// Where the unknowns are.
    fn topology(&self) -> &Topology;
    /// Shows the element of each part, in their order.
    fn each_part<W: OnParts<Self>>(work: &mut W);
    /// Shows, for each field, a model whose only coordinate it is, in their order.
    fn each_field<W: OnFields<Self>>(&self, work: &mut W);
}

/// What is done with each part.
pub trait OnParts<S: System> {
    /// Part `part`, of elements `E`.
    fn part<E: Element<S>>(&mut self, part: usize);
}

/// What is done with each field.
pub trait OnFields<S: System> {
    /// `alone` moves as the field does.
    fn field<E: System<Real = S::Real>>(&mut self, field: usize, alone: &E);
}
