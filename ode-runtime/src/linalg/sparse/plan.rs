//! What an elimination does, found once from the pattern of its matrix.

use std::vec::Vec;

use crate::linalg::sparse::order::{self, Massless};
use crate::linalg::sparse::panels::{self, Panels};

/// The most pivots of a group.
pub(super) const MOST: usize = 4;

/// The order of pivots, and what each changes. Columns and rows are numbered in the order of pivots.
#[derive(Debug)]
pub(super) struct Plan {
    /// the unknown of each pivot
    pub(super) pivots: Vec<usize>,
    /// the pivot of each unknown
    pub(super) places: Vec<usize>,
    /// column k of L has the entries `starts[k]..starts[k + 1]`
    pub(super) starts: Vec<usize>,
    /// row of each entry, ascending in a column
    rows: Vec<u32>,
    /// what is done
    pub(super) program: Program,
    /// pivots from here on among the unknowns are those of multipliers
    pub(super) multipliers: usize,
    /// pivots of which the start says nothing: of multipliers, and of velocities that have no inertia of their own
    pub(super) given: Vec<usize>,
}

/// Which pivots are eliminated together: few, by a list of places, or many, by products of blocks.
#[derive(Debug)]
pub(super) enum Program {
    /// for short columns
    Groups(Groups),
    /// for long columns
    Panels(Panels),
}

/// Pivots whose columns have the same rows below.
#[derive(Debug, Default)]
pub(super) struct Groups {
    /// how many pivots each group has
    pub(super) counts: Vec<u8>,
    /// how many of the first pivots have nothing below them: points that move freely
    pub(super) alone: usize,
    /// for each group, for each of the rows j below all of it, for each later row i: the entry (i, j), from the end of
    /// the group's columns
    pub(super) targets: Vec<u32>,
}

/// Where an entry of the matrix is: the diagonal comes first, then L, then U.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place(pub(super) usize);

impl Plan {
    /// Of a matrix with `n` unknowns, multipliers from `multipliers` on, and entries at these (row, column) and their
    /// mirror images.
    pub(super) fn new(
        n: usize,
        multipliers: usize,
        massless: Massless,
        entries: impl Iterator<Item = (usize, usize)>,
    ) -> Self {
        Self::by(n, multipliers, massless, entries, panels::pay)
    }

    /// The same, with panels if the columns of L ask for them.
    pub(super) fn by(
        n: usize,
        multipliers: usize,
        massless: Massless,
        entries: impl Iterator<Item = (usize, usize)>,
        panels: fn(&[Vec<usize>]) -> bool,
    ) -> Self {
        let mut neighbours = std::vec![Vec::new(); n];
        for (r, c) in entries.filter(|&(r, c)| r != c && r.max(c) < n) {
            neighbours[r].push(c);
            neighbours[c].push(r);
        }
        for list in &mut neighbours {
            list.sort_unstable();
            list.dedup();
        }
        let pivots = order::pivots(multipliers, &massless, &neighbours);
        let columns = fill(&pivots, &neighbours);
        if panels(&columns) {
            // the same columns, each beside those that it changes
            let pivots: Vec<usize> = panels::depth_first(&columns).into_iter().map(|k| pivots[k]).collect();
            let mut columns = fill(&pivots, &neighbours);
            let firsts = panels::merge(&mut columns);
            let mut plan = Self::of(pivots, multipliers, &massless, &columns);
            plan.program = Program::Panels(Panels::new(|k| plan.column(k), firsts));
            return plan;
        }
        let mut plan = Self::of(pivots, multipliers, &massless, &columns);
        let counts = plan.group();
        let targets = plan.aim(&counts);
        let alone = (0..plan.size()).take_while(|&k| plan.column(k).is_empty()).count();
        plan.program = Program::Groups(Groups { counts, alone, targets });
        plan
    }

    /// With these columns of L, and without a program.
    fn of(pivots: Vec<usize>, multipliers: usize, massless: &Massless, columns: &[Vec<usize>]) -> Self {
        let mut starts = std::vec![0];
        let mut rows: Vec<u32> = Vec::new();
        for column in columns {
            rows.extend(column.iter().map(|&row| row as u32));
            starts.push(rows.len());
        }
        let given = |unknown: usize| unknown >= multipliers || massless.has(unknown);
        let given = (0..pivots.len()).filter(|&pivot| given(pivots[pivot])).collect();
        let (places, program) = (places(&pivots), Program::Groups(Groups::default()));
        Self { pivots, places, starts, rows, program, multipliers, given }
    }

    /// The rows of a column of L.
    #[inline]
    pub(super) fn column(&self, k: usize) -> &[u32] {
        &self.rows[self.starts[k]..self.starts[k + 1]]
    }

    /// Puts pivots that follow each other in a group, if their columns have the same rows below.
    fn group(&self) -> Vec<u8> {
        let mut counts = Vec::new();
        let mut k = 0;
        while k < self.size() {
            let mut count = 1;
            let joins = |next: usize| {
                next < self.size()
                    && self
                        .column(next - 1)
                        .split_first()
                        .is_some_and(|(&first, rest)| first as usize == next && rest == self.column(next))
            };
            while count < MOST && joins(k + count) {
                count += 1;
            }
            counts.push(count as u8);
            k += count;
        }
        counts
    }

    /// Lists where groups subtract.
    fn aim(&self, counts: &[u8]) -> Vec<u32> {
        let mut targets = Vec::new();
        let mut next = 0;
        for &count in counts {
            next += usize::from(count);
            let end = self.starts[next];
            let below = self.column(next - 1);
            for (b, &j) in below.iter().enumerate() {
                let mut at = self.starts[j as usize];
                for &i in &below[b + 1..] {
                    // the rest of these rows is part of column j
                    while self.rows[at] != i {
                        at += 1;
                    }
                    targets.push((at - end) as u32);
                }
            }
        }
        targets
    }

    /// Number of unknowns.
    #[inline]
    pub(super) fn size(&self) -> usize {
        self.pivots.len()
    }

    /// Numbers that a solution needs room for: all unknowns, and those of a panel.
    pub(super) fn room(&self) -> usize {
        match &self.program {
            Program::Groups(_) => self.size(),
            Program::Panels(panels) => self.size() + panels.height,
        }
    }

    /// Number of entries of L.
    #[inline]
    pub(super) fn lower(&self) -> usize {
        self.rows.len()
    }

    /// Where an entry of the pattern is.
    pub(super) fn place(&self, row: usize, column: usize) -> Option<Place> {
        let (r, c) = (*self.places.get(row)?, *self.places.get(column)?);
        if r == c {
            return Some(Place(r));
        }
        let (low, high) = (r.min(c), r.max(c));
        let own = self.rows.get(self.starts[low]..self.starts[low + 1])?;
        let at = self.size() + self.starts[low] + own.binary_search(&(high as u32)).ok()?;
        Some(Place(if r > c { at } else { at + self.lower() }))
    }

    /// The entry of L that is there, or its mirror image; none on the diagonal.
    pub(super) fn entry(&self, place: Place) -> Option<usize> {
        let at = place.0.checked_sub(self.size())?;
        Some(at % self.lower())
    }

    /// The place mirrored at the diagonal.
    pub(super) fn mirrored(&self, place: Place) -> Place {
        let Some(at) = self.entry(place) else { return place };
        let own = self.size() + at;
        Place(if place.0 == own { own + self.lower() } else { own })
    }

    /// The place on or below the diagonal.
    pub(super) fn below(&self, place: Place) -> Place {
        self.entry(place).map_or(place, |at| Place(self.size() + at))
    }

    /// The pivot of an unknown.
    pub(super) fn pivot(&self, unknown: usize) -> usize {
        self.places[unknown]
    }
}

/// The pivot of each unknown.
fn places(pivots: &[usize]) -> Vec<usize> {
    let mut places = std::vec![0; pivots.len()];
    pivots.iter().enumerate().for_each(|(k, &i)| places[i] = k);
    places
}

/// The rows of each column of L: those of the matrix, and those of the columns that it is the first row of.
fn fill(pivots: &[usize], neighbours: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let (n, places) = (pivots.len(), places(pivots));
    let mut columns: Vec<Vec<usize>> = std::vec![Vec::new(); n];
    let mut children: Vec<Vec<usize>> = std::vec![Vec::new(); n];
    let mut seen = std::vec![usize::MAX; n];
    for k in 0..n {
        seen[k] = k;
        let mut own = Vec::new();
        let matrix = neighbours[pivots[k]].iter().map(|&i| places[i]).filter(|&i| i > k);
        let filled = children[k].iter().flat_map(|&child| columns[child].iter().copied());
        for row in matrix.chain(filled) {
            if seen[row] != k {
                seen[row] = k;
                own.push(row);
            }
        }
        own.sort_unstable();
        if let Some(&parent) = own.first() {
            children[parent].push(k);
        }
        columns[k] = own;
    }
    columns
}
