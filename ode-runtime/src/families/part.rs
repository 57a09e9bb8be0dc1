//! An element at its members: which of the whole's unknowns each of its own is.

use std::collections::HashMap;
use std::vec::Vec;

use crate::families::columns::Field;
use crate::families::error::FamilyError;
use crate::families::spec::{InputSpec, ParamSpec, PartSpec};
use crate::model::layout::{Layout, Pattern};

/// A part whose tuples name members that exist.
pub(super) struct Standing<'a> {
    pub(super) spec: &'a PartSpec,
    pub(super) fields: &'a [Field],
    pub(super) first_row: usize,
    pub(super) first_start: [usize; 2],
}

impl<'a> Standing<'a> {
    pub(super) fn new(
        model: &'static str,
        spec: &'a PartSpec,
        fields: &'a [Field],
        (params, [inputs, modes]): (&[ParamSpec], [&[InputSpec]; 2]),
        (first_row, first_start): (usize, [usize; 2]),
    ) -> Result<Self, FamilyError> {
        for member in 0..spec.members {
            let tuple = tuple(&spec.tuples, spec.width, member);
            let counts = |of: usize| params.get(of).map_or(0, |param| param.members);
            let members = |specs: &[InputSpec], of: usize| specs.get(of).map_or(0, |spec| spec.members);
            let counted = spec.form.given.iter().map(|given| (given, counts(given.of)));
            let counted = counted.chain(spec.form.inputs.iter().map(|given| (given, members(inputs, given.of))));
            for (given, count) in counted.chain(spec.form.modes.iter().map(|given| (given, members(modes, given.of)))) {
                let mut named = given.ends.unwrap_or_default().iter().filter_map(|&end| tuple.get(end));
                if let Some(&of) = named.find(|&&of| of as usize >= count) {
                    let index = of as usize;
                    return Err(FamilyError::Missing { model, set: spec.form.set, member, index, count });
                }
            }
            // an event writes a mode of each member that it names
            for ends in spec.form.modes.iter().filter_map(|given| given.ends) {
                let members = || ends.iter().filter_map(|&end| tuple.get(end));
                let mut twice = members().enumerate().filter(|(k, of)| members().take(*k).any(|other| other == *of));
                if let Some((_, &of)) = twice.next() {
                    return Err(FamilyError::Twice { model, set: spec.form.set, member, index: of as usize });
                }
            }
            for (k, slot) in spec.form.slots.iter().enumerate() {
                let (of, count) = (slot.member(tuple), fields.get(slot.field).map_or(0, |field| field.members));
                if of >= count {
                    return Err(FamilyError::Missing { model, set: spec.form.set, member, index: of, count });
                }
                let before = spec.form.slots.get(..k).unwrap_or_default();
                if before.iter().any(|other| other.field == slot.field && other.member(tuple) == of) {
                    return Err(FamilyError::Twice { model, set: spec.form.set, member, index: of });
                }
            }
        }
        // members of one set are joined in any order, those of different sets are not the same
        let kind = |end: usize| spec.form.slots.iter().find(|slot| slot.end == Some(end)).map(|slot| slot.field);
        let kinds: Vec<_> = (0..spec.width).map(|end| kind(end).ok_or(end)).collect();
        let joined = |member: usize| {
            let tuple = tuple(&spec.tuples, spec.width, member).iter();
            let mut joined: Vec<_> = tuple.copied().zip(&kinds).map(|(of, kind)| (kind, of)).skip(1).collect();
            joined.sort_unstable();
            joined
        };
        if spec.width > 1 {
            let mut known = HashMap::new();
            for member in 0..spec.members {
                if let Some(other) = known.insert(joined(member), member) {
                    return Err(FamilyError::Repeated { model, set: spec.form.set, member, other });
                }
            }
        }
        Ok(Self { spec, fields, first_row, first_start })
    }

    pub(super) fn tuple(&self, member: usize) -> &[u32] {
        tuple(&self.spec.tuples, self.spec.width, member)
    }

    /// From the constraint rows of a member to those of the next.
    pub(super) fn stride(&self) -> usize {
        if self.spec.form.shared.is_some() { 0 } else { self.spec.form.constraints.len() }
    }

    /// The part of which the constraint rows are, where this is the `number`th.
    pub(super) fn owner(&self, number: usize) -> usize {
        self.spec.form.shared.unwrap_or(number)
    }

    /// (row, column) of each nonzero of a pattern of the element, member by member, with columns of the whole's
    /// unknowns, and with rows of its own, from the whole's first one on and with this stride, or of unknowns.
    pub(super) fn entries(&self, pattern: Pattern<'static>, rows: Option<(usize, usize)>) -> Vec<(u32, u32)> {
        let mut all = Vec::with_capacity(pattern.nnz() * self.spec.members);
        for member in 0..self.spec.members {
            all.extend(pattern.entries().map(|(row, column)| {
                let of_unknown = || self.unknown(member, row);
                let row = rows.map_or_else(of_unknown, |(first, stride)| first + member * stride + row);
                (row as u32, self.unknown(member, column) as u32)
            }));
        }
        all
    }

    /// The same of ∂F/∂y, where `first` is the first algebraic variable among the unknowns.
    pub(super) fn laws(&self, first: usize) -> Vec<(u32, u32)> {
        let Layout { v, z, algebraic, algebraic_jacobian, .. } = self.spec.form.layout;
        let own = (v.len() + z.len()).saturating_sub(algebraic);
        let place = |member: usize, k: usize| self.unknown(member, own + k).saturating_sub(first) as u32;
        let of = |member: usize| {
            algebraic_jacobian.entries().map(move |(row, column)| (place(member, row), place(member, column)))
        };
        (0..self.spec.members).flat_map(of).collect()
    }

    /// The whole's number of a velocity or state of the element, of (v, z) in both.
    pub(super) fn unknown(&self, member: usize, mut own: usize) -> usize {
        let tuple = self.tuple(member);
        for slot in self.spec.form.slots {
            if own < slot.unknowns() {
                let first = self.fields.get(slot.field).map_or(0, |field| field.first_unknown);
                return first + slot.member(tuple) * slot.unknowns() + own;
            }
            own -= slot.unknowns();
        }
        own
    }
}

/// The tuple of a member.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn tuple(tuples: &[u32], width: usize, member: usize) -> &[u32] {
    tuples.get(member * width..(member + 1) * width).unwrap_or_default()
}
