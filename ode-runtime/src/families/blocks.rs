//! The pattern of the tangent, block by block: a member's coordinate is coupled to another with all its entries, so
//! three numbers say where nine of a spring go.

use std::vec::Vec;

use crate::families::error::FamilyError;
use crate::families::part::Standing;
use crate::families::topology::{Columns, Field, PartSpec};

/// Rows of the same member: a coordinate of it, or the constraint rows of an element.
#[derive(Clone, Copy)]
struct Kind {
    /// number of its first block
    block: usize,
    /// row of the whole of the first entry
    row: usize,
    /// rows of one block
    len: usize,
    /// blocks
    count: usize,
}

/// The blocks of the whole, and which of them are coupled.
pub(super) struct Blocks {
    fields: Vec<Kind>,
    parts: Vec<Kind>,
    /// (column, row) of coupled blocks, sorted once they are all there
    pairs: Vec<(u32, u32)>,
    /// for each pair, the place of its first nonzero
    first: Vec<u32>,
    /// for each block, nonzeros of one of its columns
    heights: Vec<u32>,
    seen: usize,
}

/// Where the nonzeros of an element's tangent go.
#[derive(Clone, Debug)]
pub(super) struct Coupled {
    /// coupled blocks of the element
    pub(super) pairs: Vec<Pair>,
    /// the element's blocks
    pub(super) blocks: usize,
    /// place of the first nonzero of each pair, member by member
    pub(super) first: Vec<u32>,
    /// nonzeros of a column of each of the element's blocks, member by member
    pub(super) heights: Vec<u32>,
}

/// Two blocks of an element.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    /// the block whose columns these are
    pub(super) column: usize,
    /// the element's nonzeros in it: place, row and column in the block
    pub(super) entries: Vec<(u32, u32, u32)>,
    row: usize,
}

impl Blocks {
    pub(super) fn new(fields: &[Field], specs: &[PartSpec], nv: usize) -> Self {
        let mut block = 0;
        let mut kind = |row: usize, len: usize, count: usize| {
            let kind = Kind { block, row, len, count };
            block += count;
            kind
        };
        let ends = fields.iter().skip(1).map(|next| next.first_v).chain([nv]);
        let of_fields = fields.iter().zip(ends).map(|(field, end)| {
            let len = (end - field.first_v).checked_div(field.members).unwrap_or(0);
            kind(field.first_v, len, field.members)
        });
        let fields: Vec<Kind> = of_fields.collect();
        let mut row = nv;
        let of_parts = specs.iter().map(|spec| {
            let len = spec.constraints.len();
            let kind = kind(row, len, if len == 0 { 0 } else { spec.members });
            row += len * spec.members;
            kind
        });
        let parts = of_parts.collect();
        Self { fields, parts, pairs: Vec::new(), first: Vec::new(), heights: std::vec![0; block], seen: 0 }
    }

    /// The pairs of an element's blocks that have nonzeros; the block of its constraints is the last.
    fn pairs(standing: &Standing<'_>) -> Vec<Pair> {
        let slots = standing.spec.slots;
        let block = |mut own: usize| {
            for (k, slot) in slots.iter().enumerate() {
                if own < slot.v {
                    return (k, own as u32);
                }
                own -= slot.v;
            }
            (slots.len(), own as u32)
        };
        let mut pairs: Vec<Pair> = Vec::new();
        for (place, (row, column)) in standing.spec.layout.tangent.entries().enumerate() {
            let ((row, r), (column, c)) = (block(row), block(column));
            let at = pairs.iter().position(|pair| (pair.row, pair.column) == (row, column)).unwrap_or_else(|| {
                pairs.push(Pair { column, entries: Vec::new(), row });
                pairs.len() - 1
            });
            pairs[at].entries.push((place as u32, r, c));
        }
        pairs
    }

    /// The whole's number of an element's block.
    fn number(&self, standing: &Standing<'_>, part: usize, member: usize, block: usize) -> u32 {
        let number = match standing.spec.slots.get(block) {
            Some(slot) => self.fields[slot.field].block + slot.member(standing.tuple(member)),
            None => self.parts[part].block + member,
        };
        number as u32
    }

    /// Adds the couplings of a part; in the order of the parts.
    pub(super) fn couple(&mut self, standing: &Standing<'_>) {
        let (part, pairs) = (self.seen, Self::pairs(standing));
        self.seen += 1;
        for member in 0..standing.spec.members {
            for pair in &pairs {
                let number = |block| self.number(standing, part, member, block);
                let coupled = (number(pair.column), number(pair.row));
                self.pairs.push(coupled);
            }
        }
    }

    /// The pattern of the whole, of `rows` rows and columns.
    pub(super) fn columns(&mut self, model: &'static str, rows: usize) -> Result<Columns, FamilyError> {
        self.pairs.sort_unstable();
        self.pairs.dedup();
        self.seen = 0;
        let kinds: Vec<Kind> = self.fields.iter().chain(&self.parts).copied().collect();
        let all = kinds.iter().flat_map(|kind| (0..kind.count).map(|k| (kind.row + k * kind.len, kind.len)));
        let all: Vec<(usize, usize)> = all.collect();
        let mut starts = std::vec![0];
        let mut indices = Vec::new();
        let mut from = 0;
        for (block, &(_, columns)) in all.iter().enumerate() {
            let to = from + self.pairs[from..].partition_point(|&(column, _)| column as usize <= block);
            let below = &self.pairs[from..to];
            let height: usize = below.iter().map(|&(_, row)| all[row as usize].1).sum();
            let mut place = indices.len();
            for &(_, row) in below {
                self.first.push(place as u32);
                place += all[row as usize].1;
            }
            for _ in 0..columns {
                for &(_, row) in below {
                    let (first, len) = all[row as usize];
                    indices.extend(first..first + len);
                }
                starts.push(indices.len());
            }
            FamilyError::fits(model, indices.len())?;
            self.heights[block] = height as u32;
            from = to;
        }
        Ok(Columns { rows, starts, indices })
    }

    /// The places of a part's nonzeros; in the order of the parts.
    pub(super) fn places(&mut self, standing: &Standing<'_>) -> Coupled {
        let (part, pairs, blocks) = (self.seen, Self::pairs(standing), standing.spec.slots.len() + 1);
        self.seen += 1;
        let (mut first, mut heights) = (Vec::new(), Vec::new());
        let rows = !standing.spec.constraints.is_empty();
        for member in 0..standing.spec.members {
            let number = |block| self.number(standing, part, member, block);
            for pair in &pairs {
                let coupled = (number(pair.column), number(pair.row));
                let at = self.pairs.partition_point(|&other| other < coupled);
                first.push(self.first.get(at).copied().unwrap_or(0));
            }
            let height = |block| self.heights.get(number(block) as usize).copied().unwrap_or(0);
            heights.extend((0..blocks).map(|block| if block + 1 == blocks && !rows { 0 } else { height(block) }));
        }
        Coupled { pairs, blocks, first, heights }
    }
}
