//! An element at its members: which of the whole's unknowns each of its own is.

use std::collections::HashMap;
use std::vec::Vec;

use crate::families::columns::Field;
use crate::families::error::FamilyError;
use crate::families::spec::PartSpec;
use crate::model::layout::Pattern;

/// A part whose tuples name members that exist.
pub(super) struct Standing<'a> {
    pub(super) spec: &'a PartSpec,
    pub(super) fields: &'a [Field],
    pub(super) first_row: usize,
}

impl<'a> Standing<'a> {
    pub(super) fn new(
        model: &'static str,
        spec: &'a PartSpec,
        fields: &'a [Field],
        first_row: usize,
    ) -> Result<Self, FamilyError> {
        for member in 0..spec.members {
            let tuple = tuple(&spec.tuples, spec.width, member);
            for (k, slot) in spec.slots.iter().enumerate() {
                let (of, count) = (slot.member(tuple), fields.get(slot.field).map_or(0, |field| field.members));
                if of >= count {
                    return Err(FamilyError::Missing { model, set: spec.set, member, index: of, count });
                }
                let before = spec.slots.get(..k).unwrap_or_default();
                if before.iter().any(|other| other.field == slot.field && other.member(tuple) == of) {
                    return Err(FamilyError::Twice { model, set: spec.set, member, index: of });
                }
            }
        }
        let joined = |member: usize| {
            let mut joined: Vec<u32> = tuple(&spec.tuples, spec.width, member).iter().skip(1).copied().collect();
            joined.sort_unstable();
            joined
        };
        if spec.width > 1 {
            let mut known = HashMap::new();
            for member in 0..spec.members {
                if let Some(other) = known.insert(joined(member), member) {
                    return Err(FamilyError::Repeated { model, set: spec.set, member, other });
                }
            }
        }
        Ok(Self { spec, fields, first_row })
    }

    pub(super) fn tuple(&self, member: usize) -> &[u32] {
        tuple(&self.spec.tuples, self.spec.width, member)
    }

    /// (row, column) of each nonzero of a pattern of the element, member by member, among the whole's velocities, with
    /// rows of constraints or velocities.
    pub(super) fn entries(&self, pattern: Pattern<'static>, constraints: bool) -> Vec<(u32, u32)> {
        let mut all = Vec::with_capacity(pattern.nnz() * self.spec.members);
        for member in 0..self.spec.members {
            all.extend(pattern.entries().map(|(row, column)| {
                let row = if constraints { self.row(member) + row } else { self.velocity(member, row) };
                (row as u32, self.velocity(member, column) as u32)
            }));
        }
        all
    }

    /// The whole's number of the first constraint row of a member.
    pub(super) fn row(&self, member: usize) -> usize {
        self.first_row + member * self.spec.constraints.len()
    }

    /// The whole's number of a velocity of the element.
    fn velocity(&self, member: usize, mut own: usize) -> usize {
        let tuple = self.tuple(member);
        for slot in self.spec.slots {
            if own < slot.v {
                let first = self.fields.get(slot.field).map_or(0, |field| field.first_v);
                return first + slot.member(tuple) * slot.v + own;
            }
            own -= slot.v;
        }
        own
    }
}

/// The tuple of a member.
#[inline(always)]
pub(super) fn tuple(tuples: &[u32], width: usize, member: usize) -> &[u32] {
    tuples.get(member * width..(member + 1) * width).unwrap_or_default()
}
