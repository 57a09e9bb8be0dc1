//! A part of a model that has been built: where its rows, outputs and nonzeros are in the whole.

use std::vec::Vec;

use crate::families::blocks::Incident;
use crate::families::part::tuple;
use crate::families::spec::{Outputs, PartSpec};

/// A part's place among the unknowns, and where its nonzeros go.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) spec: PartSpec,
    pub(super) first_row: usize,
    /// from the constraint rows of a member to those of the next: none where all members share them
    pub(super) stride: usize,
    /// the part of which the constraint rows are
    pub(super) owner: usize,
    /// among the exact starts of positions, and of velocities
    pub(super) first_start: [usize; 2],
    /// among all outputs, or among all sums
    pub(super) first_output: usize,
    /// among all limits, costs, rows of squares and events
    pub(super) first_asked: [usize; 4],
    /// place of each nonzero of M, member by member
    pub(super) mass: Vec<u32>,
    /// of G
    pub(super) jacobian: Vec<u32>,
    /// of ∂F/∂y of algebraic variables
    pub(super) laws: Vec<u32>,
    /// of the Jacobians of its exact starts, of positions and of velocities
    pub(super) starts: [Vec<u32>; 2],
    /// for each block of the element, who stands in it as that
    pub(super) incident: Vec<Incident>,
}

impl Part {
    /// The tuple of a member.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn tuple(&self, member: usize) -> &[u32] {
        tuple(&self.spec.tuples, self.spec.width, member)
    }

    /// Has it outputs that are shown, rather than read as sums?
    pub(super) fn shows_outputs(&self) -> bool {
        self.spec.form.shown != Outputs::Sum && !self.spec.form.outputs.is_empty()
    }

    /// The numbers of an output, member by member.
    pub(super) fn output_range(&self, output: usize) -> core::ops::Range<usize> {
        let (outputs, rounds) = (self.spec.form.outputs, self.spec.rounds());
        let before: usize = outputs.iter().take(output).map(|names| names.len()).sum();
        let first = self.first_output + before * rounds;
        first..first + outputs.get(output).map_or(0, |names| names.len()) * rounds
    }

    /// The whole's number of an output entry of the element.
    pub(super) fn output(&self, member: usize, mut own: usize) -> usize {
        let (rounds, mut first) = (self.spec.rounds(), self.first_output);
        for names in self.spec.form.outputs {
            if own < names.len() {
                return first + if rounds == 1 { own } else { member * names.len() + own };
            }
            own -= names.len();
            first += rounds * names.len();
        }
        first
    }
}
