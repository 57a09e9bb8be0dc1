//! The pattern of the tangent, block by block, and who writes it.
//!
//! A block is a coordinate or state of a member, or the constraint rows of an element, which several may share; a
//! member's coordinate is coupled to another with all its entries, and a state with itself, for its rate. The columns
//! of a block are written by that block alone: it evaluates each element it stands in, once more than adding each
//! element's entries would, but it writes in order, needs no zeros before, and no other thread writes there. In memory
//! beyond the caches this is more than twice as fast. Who writes first is known from the start, and does not add.

use std::vec::Vec;

use crate::families::columns::{Columns, Field};
use crate::families::error::FamilyError;
use crate::families::part::Standing;
use crate::families::spec::PartSpec;

/// No nonzeros.
const NOWHERE: u32 = u32::MAX;

/// Of where rows start in a column: nothing has been written there before.
pub(super) const FIRST: u32 = 1 << 31;

/// Blocks of the same kind: a field, or the constraints of a part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind {
    /// number of the first block
    block: usize,
    /// row of the whole of the first block
    pub(super) row: usize,
    /// rows of one block
    pub(super) len: usize,
    /// blocks
    pub(super) count: usize,
}

/// The elements that a block of a kind stands in, as one of their own blocks.
#[derive(Clone, Debug, Default)]
pub(super) struct Incident {
    /// where the elements of each block start
    pub(super) starts: Vec<u32>,
    /// for each element, as they are read: the tuple that it stands at, and then where the rows of each of its blocks
    /// start in a column, with [`FIRST`]
    pub(super) elements: Vec<u32>,
}

/// The blocks of the whole, and which of them are coupled.
pub(super) struct Blocks {
    /// fields, and then parts
    pub(super) kinds: Vec<Kind>,
    fields: usize,
    /// (column, row) of coupled blocks, sorted once they are all there
    pairs: Vec<(u32, u32)>,
    /// for each pair, where the rows start in a column, with [`FIRST`] until an element writes there
    offsets: Vec<u32>,
}

impl Blocks {
    pub(super) fn new(fields: &[Field], specs: &[PartSpec], nv: usize, nz: usize) -> Self {
        let mut block = 0;
        let mut kind = |row: usize, len: usize, count: usize| {
            let kind = Kind { block, row, len, count };
            block += count;
            kind
        };
        let mut kinds: Vec<Kind> =
            fields.iter().map(|field| kind(field.first_unknown, field.unknowns, field.members)).collect();
        let states = kinds.iter().filter(|kind| kind.row >= nv);
        let own = states.flat_map(|kind| kind.block as u32..(kind.block + kind.count) as u32);
        let pairs = own.map(|block| (block, block)).collect();
        let mut row = nv + nz;
        for (part, spec) in specs.iter().enumerate() {
            let (len, count) = (spec.form.constraints.len(), spec.row_blocks(part));
            kinds.push(kind(row, len, if len == 0 { 0 } else { count }));
            row += len * count;
        }
        Self { kinds, fields: fields.len(), pairs, offsets: Vec::new() }
    }

    /// The (column, row) blocks of an element that have nonzeros; the block of its constraints is the last.
    fn coupled(standing: &Standing<'_>) -> Vec<(usize, usize)> {
        let slots = standing.spec.form.slots;
        let block = |mut own: usize| {
            for (k, slot) in slots.iter().enumerate() {
                if own < slot.unknowns() {
                    return k;
                }
                own -= slot.unknowns();
            }
            slots.len()
        };
        let mut pairs: Vec<(usize, usize)> =
            standing.spec.form.layout.tangent.entries().map(|(row, column)| (block(column), block(row))).collect();
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// The whole's number of a block of an element.
    fn number(&self, standing: &Standing<'_>, part: usize, member: usize, block: usize) -> u32 {
        let (kind, of) = match standing.spec.form.slots.get(block) {
            Some(slot) => (slot.field, slot.member(standing.tuple(member))),
            None => (self.fields + standing.owner(part), if standing.stride() == 0 { 0 } else { member }),
        };
        self.kinds.get(kind).map_or(0, |kind| kind.block + of) as u32
    }

    /// Adds the couplings of a part.
    pub(super) fn couple(&mut self, standing: &Standing<'_>, part: usize) {
        let pairs = Self::coupled(standing);
        self.pairs.reserve(pairs.len() * standing.spec.members);
        for member in 0..standing.spec.members {
            for &(column, row) in &pairs {
                let pair = (self.number(standing, part, member, column), self.number(standing, part, member, row));
                self.pairs.push(pair);
            }
        }
    }

    /// The first row and the rows of each block.
    fn all(&self) -> Vec<(usize, usize)> {
        let of = |kind: &Kind| {
            let Kind { row, len, count, .. } = *kind;
            (0..count).map(move |k| (row + k * len, len))
        };
        self.kinds.iter().flat_map(of).collect()
    }

    /// The pattern of the whole, of `rows` rows and columns.
    pub(super) fn columns(&mut self, model: &'static str, rows: usize) -> Result<Columns, FamilyError> {
        // one bit of a row's number is a flag
        FamilyError::fits(model, 2 * rows)?;
        self.pairs.sort_unstable();
        self.pairs.dedup();
        let all = self.all();
        let mut starts = std::vec![0];
        let mut indices = Vec::new();
        let mut from = 0;
        for (block, &(_, columns)) in all.iter().enumerate() {
            let to = from + self.pairs[from..].partition_point(|&(column, _)| column as usize <= block);
            let below = &self.pairs[from..to];
            let mut offset = 0;
            for &(_, row) in below {
                self.offsets.push(offset | FIRST);
                offset += all[row as usize].1 as u32;
            }
            for _ in 0..columns {
                for &(_, row) in below {
                    let (first, len) = all[row as usize];
                    indices.extend(first..first + len);
                }
                starts.push(indices.len());
            }
            FamilyError::fits(model, indices.len())?;
            from = to;
        }
        Ok(Columns { rows, starts, indices })
    }

    /// For each block of a part's element, the elements that the blocks of its kind stand in so. Parts are asked in
    /// the order in which they write.
    pub(super) fn incident(&mut self, standing: &Standing<'_>, part: usize) -> Vec<Incident> {
        let slots = standing.spec.form.slots;
        let coupled = Self::coupled(standing);
        (0..=slots.len())
            .map(|block| {
                let kind = slots.get(block).map_or(self.fields + standing.owner(part), |slot| slot.field);
                let kind = self.kinds.get(kind).copied();
                kind.map_or_else(Incident::default, |kind| self.standing_as(standing, part, (block, &coupled), kind))
            })
            .collect()
    }

    /// The nonzeros that no element writes, by where the columns start: of states, which stand in their own rates.
    pub(super) fn unwritten(&self, starts: &[usize]) -> Vec<u32> {
        let all = self.all();
        let unwritten = self.pairs.iter().zip(&self.offsets).filter(|(_, offset)| *offset & FIRST != 0);
        let places = unwritten.flat_map(|(&(column, row), offset)| {
            let ((first, columns), (_, rows)) = (all[column as usize], all[row as usize]);
            let place = move |column: usize| starts[first + column] + (offset & !FIRST) as usize;
            (0..columns).flat_map(move |column| place(column)..place(column) + rows)
        });
        places.map(|place| place as u32).collect()
    }

    fn standing_as(
        &mut self,
        standing: &Standing<'_>,
        part: usize,
        (block, coupled): (usize, &[(usize, usize)]),
        kind: Kind,
    ) -> Incident {
        let mut starts = std::vec![0; kind.count + 1];
        if kind.len == 0 || kind.count == 0 {
            return Incident { starts, elements: Vec::new() };
        }
        let of = |member| self.number(standing, part, member, block) as usize - kind.block;
        (0..standing.spec.members).for_each(|member| starts[of(member) + 1] += 1);
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut next = starts.clone();
        let mut members = std::vec![0; standing.spec.members];
        for member in 0..standing.spec.members {
            let place = &mut next[of(member)];
            members[*place as usize] = member as u32;
            *place += 1;
        }
        let blocks = standing.spec.form.slots.len() + 1;
        let mut elements = Vec::with_capacity(members.len() * (standing.spec.width + blocks));
        for &member in &members {
            elements.extend_from_slice(standing.tuple(member as usize));
            let column = self.number(standing, part, member as usize, block);
            for row in 0..blocks {
                let pair = (column, self.number(standing, part, member as usize, row));
                let is_coupled = coupled.binary_search(&(block, row)).is_ok();
                let offset = self.pairs.binary_search(&pair).ok().and_then(|at| self.offsets.get_mut(at));
                elements.push(offset.filter(|_| is_coupled).map_or(NOWHERE, |offset| {
                    let rows = *offset;
                    *offset &= !FIRST;
                    rows
                }));
            }
        }
        Incident { starts, elements }
    }
}
