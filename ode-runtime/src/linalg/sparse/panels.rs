//! Panels: pivots that follow each other, with the same rows below.
//!
//! In meshes of two and three dimensions columns of L are long, and those of neighbours nearly the same. With a few
//! zeros more they are the same, and what all of them subtract is a product of blocks.
//!
//! Reference: J. W. H. Liu, E. G. Ng, B. W. Peyton, On finding supernodes for sparse matrix computations, SIAM J.
//! Matrix Anal. Appl. 14 (1993) 242–252.

use std::vec::Vec;

/// The most pivots of a panel: what its pivots subtract from each other is slower than what they subtract below.
const WIDEST: usize = 32;

/// Panels, and where each subtracts.
#[derive(Debug)]
pub(super) struct Panels {
    /// first pivot of each panel, and the number of pivots
    pub(super) firsts: Vec<usize>,
    /// for each panel the first of its reaches
    starts: Vec<usize>,
    reaches: Vec<Reach>,
    /// for each reach, for its first row and all rows below: its place among the rows of the other panel
    places: Vec<u32>,
    /// the most rows below a panel, its pivots, and both
    pub(super) below: usize,
    pub(super) width: usize,
    pub(super) height: usize,
}

/// Rows below a panel that are pivots of one other panel.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    /// the first row after them, among those below
    pub(super) end: usize,
    /// first pivot of the other panel
    pub(super) first: usize,
    /// the place of row i is `places[at + i]`
    at: usize,
}

impl Panels {
    /// Of columns whose panels begin here.
    pub(super) fn new<'c>(column: impl Fn(usize) -> &'c [u32], firsts: Vec<usize>) -> Self {
        let n = firsts.last().copied().unwrap_or(0);
        let mut of = std::vec![0; n];
        firsts.windows(2).enumerate().for_each(|(panel, ends)| of[ends[0]..ends[1]].fill(panel));
        let (mut starts, mut reaches, mut places) = (std::vec![0], Vec::new(), Vec::new());
        let (mut most, mut width, mut height, mut local) = (0, 0, 0, std::vec![0; n]);
        for ends in firsts.windows(2) {
            let below = column(ends[1] - 1);
            most = most.max(below.len());
            width = width.max(ends[1] - ends[0]);
            height = height.max(below.len() + ends[1] - ends[0]);
            let mut begin = 0;
            while let Some(&row) = below.get(begin) {
                let other = of[row as usize];
                let (first, last) = (firsts[other], firsts[other + 1]);
                let end = begin + below[begin..].partition_point(|&row| (row as usize) < last);
                let rows = (first..last).chain(column(last - 1).iter().map(|&row| row as usize));
                rows.enumerate().for_each(|(place, row)| local[row] = place as u32);
                reaches.push(Reach { end, first, at: places.len().wrapping_sub(begin) });
                places.extend(below[begin..].iter().map(|&row| local[row as usize]));
                begin = end;
            }
            starts.push(reaches.len());
        }
        Self { firsts, starts, reaches, places, below: most, width, height }
    }

    /// The reaches of a panel, the nearest first.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn reaches(&self, panel: usize) -> &[Reach] {
        &self.reaches[self.starts[panel]..self.starts[panel + 1]]
    }

    /// The places of these rows below.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn places(&self, reach: &Reach, rows: core::ops::Range<usize>) -> &[u32] {
        &self.places[reach.at.wrapping_add(rows.start)..reach.at.wrapping_add(rows.end)]
    }
}

/// Whether panels are faster than groups: where most products are those of long columns.
pub(super) fn pay(columns: &[Vec<usize>]) -> bool {
    let entries: usize = columns.iter().map(Vec::len).sum();
    let products: usize = columns.iter().map(|column| column.len() * column.len()).sum();
    products > LONG * entries
}

/// Mean number of rows in the column of a product from which panels are taken. An estimate: where exactly they begin to
/// pay was not measured.
const LONG: usize = 24;

/// The tree of columns, each below the first that it changes, with the branches of each one after the other.
pub(super) fn depth_first(columns: &[Vec<usize>]) -> Vec<usize> {
    let n = columns.len();
    let mut children = std::vec![Vec::new(); n + 1];
    for (k, column) in columns.iter().enumerate() {
        children[column.first().copied().unwrap_or(n)].push(k);
    }
    // each after all of its own, so from the last to the first
    let (mut order, mut stack) = (Vec::with_capacity(n), core::mem::take(&mut children[n]));
    while let Some(k) = stack.pop() {
        order.push(k);
        stack.append(&mut children[k]);
    }
    order.reverse();
    order
}

/// A panel in the making.
struct Block {
    first: usize,
    /// after its last pivot
    end: usize,
    /// entries of L in it that are zero
    zeros: usize,
}

impl Block {
    fn width(&self) -> usize {
        self.end - self.first
    }

    /// Whether it may have this share of zeros among its entries.
    fn accepts(&self, below: usize) -> bool {
        let width = self.width();
        let most = match width {
            0..=4 => 1.0,
            5..=16 => 0.8,
            17..=48 => 0.1,
            _ => 0.05,
        };
        self.zeros as f64 <= most * (width * (width - 1) / 2 + width * below) as f64
    }
}

/// Gives columns that follow each other the same rows, where that costs few zeros; returns where panels begin.
pub(super) fn merge(columns: &mut [Vec<usize>]) -> Vec<usize> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut last = columns.len();
    while let Some(mut first) = last.checked_sub(1) {
        // as many as have the same rows without a zero
        while first > 0 && columns[first - 1].first() == Some(&first) && columns[first - 1].len() > columns[first].len()
        {
            first -= 1;
        }
        let (parent, own) = (columns[last - 1].first().copied(), Block { first, end: last, zeros: 0 });
        let beside = blocks.last_mut().filter(|block| parent.is_some_and(|parent| parent < block.end));
        let joined = beside.is_some_and(|block| {
            let below = columns[block.end - 1].len();
            let lost = own.width() * (block.end - last + below - columns[last - 1].len());
            let wider = Block { first, end: block.end, zeros: block.zeros + lost };
            let accepted = wider.accepts(below);
            if accepted {
                *block = wider;
            }
            accepted
        });
        if !joined {
            blocks.push(own);
        }
        last = first;
    }
    let mut firsts = Vec::new();
    for block in blocks.iter().rev() {
        let below = columns[block.end - 1].clone();
        for k in block.first..block.end {
            columns[k] = (k + 1..block.end).chain(below.iter().copied()).collect();
        }
        let parts = block.width().div_ceil(WIDEST);
        firsts.extend((0..parts).map(|part| block.first + part * block.width() / parts));
    }
    firsts.push(columns.len());
    firsts
}
