//! Where the numbers of an element are among those of the whole.

use std::vec::Vec;

use crate::families::placed::Part;
use crate::families::topology::Topology;
use crate::model::layout::Pattern;
use crate::numbers::scalar::Scalar;

/// What rows and columns are counted by.
#[derive(Clone, Copy, Debug)]
pub(super) enum Of {
    /// v, or the tangent of q
    Velocities,
    /// z
    States,
    /// constraints
    Rows,
    /// exact starts and the nonzeros of their Jacobians, of positions and then of velocities
    Starts,
    /// u
    Inputs,
    /// p, without sums
    Parameters,
    /// t
    Time,
    /// limits
    Limits,
    /// costs, which all members of a part share
    Costs,
    /// rows of squares
    Squares,
}

/// A member of a part.
#[derive(Clone, Copy)]
pub(super) struct Member<'a> {
    pub(super) topology: &'a Topology,
    pub(super) part: &'a Part,
    pub(super) number: usize,
}

impl Member<'_> {
    /// Calls `each(own, whole, len)` for numbers that stand side by side among the element's and the whole's, where
    /// those of these kinds follow each other.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn spans(self, kinds: &[Of], mut each: impl FnMut(usize, usize, usize)) {
        let Self { topology, part, number } = self;
        let (form, tuple, all) = (&part.spec.form, part.tuple(number), topology.layout());
        let slots = || form.slots.iter().filter_map(|slot| Some((slot, topology.fields.get(slot.field)?)));
        let (mut own, mut before) = (0, 0);
        for of in kinds {
            let mut span = |whole: usize, len: usize| {
                each(own, before + whole, len);
                own += len;
            };
            before += match of {
                Of::Velocities => {
                    slots().for_each(|(slot, field)| span(field.first_v + slot.member(tuple) * slot.v, slot.v));
                    all.v.len()
                }
                Of::States => {
                    slots().for_each(|(slot, field)| span(field.first_z + slot.member(tuple) * slot.z, slot.z));
                    all.z.len()
                }
                Of::Rows => {
                    let len = form.constraints.len();
                    span(part.first_row + number * part.stride, len);
                    all.constraints.len()
                }
                Of::Starts => {
                    let whole = [all.init_position_jacobian.nnz(), all.init_velocity_jacobian.nnz()];
                    let mut first = 0;
                    for (level, names) in [all.init_position, all.init_velocity].into_iter().enumerate() {
                        let len = form.starts[level].len();
                        span(first + part.first_start[level] + number * len, len);
                        first += names.len();
                        let places = &part.starts[level];
                        let nonzeros = places.len() / part.spec.members.max(1);
                        let own = places.get(number * nonzeros..(number + 1) * nonzeros).unwrap_or_default();
                        own.iter().for_each(|&place| span(first + place as usize, 1));
                        first += whole[level];
                    }
                    first
                }
                Of::Inputs => {
                    topology.inputs(part, tuple, span);
                    all.u.len()
                }
                Of::Parameters => {
                    topology.parameters(part, tuple, span);
                    // the last ones, in all that is asked for
                    0
                }
                Of::Time => {
                    span(0, 1);
                    1
                }
                // the only ones, in all that is asked for
                Of::Limits => {
                    span(part.first_asked[0] + number * form.limits.len(), form.limits.len());
                    0
                }
                Of::Costs => {
                    span(part.first_asked[1], form.costs.len());
                    0
                }
                Of::Squares => {
                    span(part.first_asked[2] + number * form.squares.len(), form.squares.len());
                    0
                }
            };
        }
    }

    /// The whole's number of each of the element's.
    pub(super) fn places(self, kinds: &[Of]) -> Vec<usize> {
        let mut places = Vec::new();
        self.spans(kinds, |_, whole, len| places.extend(whole..whole + len));
        places
    }

    /// Takes the element's numbers from those of the whole.
    pub(super) fn take<T: Copy>(self, kinds: &[Of], from: &[T], to: &mut [T]) {
        self.spans(kinds, |own, whole, len| {
            if let (Some(from), Some(to)) = (from.get(whole..whole + len), to.get_mut(own..own + len)) {
                to.copy_from_slice(from);
            }
        });
    }

    /// Adds the element's numbers to those of the whole.
    pub(super) fn add<T: Scalar>(self, kinds: &[Of], from: &[T], to: &mut [T]) {
        self.spans(kinds, |own, whole, len| {
            if let (Some(from), Some(to)) = (from.get(own..own + len), to.get_mut(whole..whole + len)) {
                to.iter_mut().zip(from).for_each(|(to, &from)| *to += from);
            }
        });
    }

    /// (row, column) among those of the whole of each nonzero of a pattern of the element.
    pub(super) fn entries(self, pattern: Pattern<'_>, rows: &[Of], columns: &[Of]) -> Vec<(u32, u32)> {
        self.entries_in(pattern, &self.places(rows), columns)
    }

    /// The same with rows at these places.
    pub(super) fn entries_in(self, pattern: Pattern<'_>, rows: &[usize], columns: &[Of]) -> Vec<(u32, u32)> {
        let columns = self.places(columns);
        let place = |(row, column): (usize, usize)| Some((*rows.get(row)? as u32, *columns.get(column)? as u32));
        pattern.entries().filter_map(place).collect()
    }
}
