//! The order of pivots of a large matrix.
//!
//! Approximate minimum degree on velocities and states, where those that a row of constraints touches are neighbours.
//! Each multiplier follows the last of them that has inertia: the rule that makes an elimination of [M Gᵀ; G 0] stable
//! without a search for pivots, because a multiplier's pivot is then −G M⁻¹ Gᵀ and not a difference of equal terms.
//!
//! Reference: P. R. Amestoy, T. A. Davis, I. S. Duff, An approximate minimum degree ordering algorithm, SIAM J. Matrix
//! Anal. Appl. 17 (1996) 886–905.

use core::cmp::Reverse;
use std::collections::BinaryHeap;
use std::vec::Vec;

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::SymbolicSparseColMat;
use faer::sparse::linalg::amd;

use crate::model::layout::Layout;

/// A row that touches more unknowns than this makes no neighbours, which would be as many as its square. Its multiplier
/// is eliminated late.
const LONG: usize = 100;

/// Which velocities have no inertia of their own, and the velocities in each row of constraints. Nothing is said of a
/// matrix that has no rows, or in which every velocity has inertia.
#[derive(Debug, Default)]
pub(super) struct Massless {
    velocities: Vec<bool>,
    rows: Vec<Vec<usize>>,
}

impl Massless {
    /// That of a model.
    pub(super) fn of(layout: &Layout<'_>) -> Self {
        let mut velocities = std::vec![true; layout.v.len()];
        layout.mass.entries().filter(|(r, c)| r == c).for_each(|(r, _)| velocities[r] = false);
        if !velocities.contains(&true) {
            return Self::default();
        }
        let mut rows = std::vec![Vec::new(); layout.constraints.len()];
        layout.jacobian.entries().for_each(|(r, c)| rows[r].push(c));
        Self { velocities, rows }
    }

    /// Whether only rows give inertia to a velocity.
    pub(super) fn has(&self, unknown: usize) -> bool {
        self.velocities.get(unknown) == Some(&true)
    }
}

/// The unknowns, the first pivot first; those from `multipliers` on are multipliers. `neighbours` lists for each
/// unknown the others in its row or column, ascending.
pub(super) fn pivots(multipliers: usize, massless: &Massless, neighbours: &[Vec<usize>]) -> Vec<usize> {
    let order = minimum_degree(multipliers, neighbours);
    let mut place = std::vec![0; multipliers];
    order.iter().enumerate().for_each(|(k, &i)| place[i] = k);
    let waits = waits(multipliers, massless, neighbours);
    let mut waiting: Vec<usize> = waits.iter().map(Vec::len).collect();
    let mut followers = std::vec![Vec::new(); neighbours.len()];
    for (i, before) in waits.iter().enumerate() {
        before.iter().for_each(|&j| followers[j].push(i));
    }
    // multipliers as soon as they may, the others by minimum degree
    let rank = |i: usize| Reverse((place.get(i).map_or(0, |k| k + 1), i));
    let mut ready: BinaryHeap<_> = (0..waits.len()).filter(|&i| waits[i].is_empty()).map(rank).collect();
    let mut pivots = Vec::with_capacity(neighbours.len());
    while let Some(Reverse((_, i))) = ready.pop() {
        pivots.push(i);
        for &next in &followers[i] {
            waiting[next] -= 1;
            if waiting[next] == 0 {
                ready.push(rank(next));
            }
        }
    }
    pivots
}

/// What each unknown waits for.
///
/// A row that touches inertia alone waits for all of it. Where it touches massless unknowns too, it waits for the
/// inertia, and they wait for the row: then −g M⁻¹ gᵀ is its pivot, and its elimination gives them inertia, with which
/// other rows find theirs. Each such row has an unknown to itself, or its pivot would vanish. Rows that find none wait
/// for all that they touch, and exchanges of rows may be needed.
fn waits(multipliers: usize, massless: &Massless, neighbours: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut waits = std::vec![Vec::new(); neighbours.len()];
    let mut known: Vec<bool> = (0..multipliers).map(|i| !massless.has(i)).collect();
    let mut taken = std::vec![false; multipliers];
    let rows = massless.rows.iter().enumerate().filter(|(_, touched)| touched.iter().any(|&i| !known[i]));
    let mut rows: Vec<(usize, &Vec<usize>)> = rows.map(|(row, touched)| (multipliers + row, touched)).collect();
    loop {
        let mut found = Vec::new();
        rows.retain(|&(row, touched)| {
            let own = touched.iter().copied().find(|&i| known[i] && !taken[i]);
            if let Some(own) = own {
                taken[own] = true;
                found.push((row, touched));
            }
            own.is_none()
        });
        for &(row, touched) in &found {
            for &i in touched {
                let (waiting, before) = if known[i] { (row, i) } else { (i, row) };
                waits[waiting].push(before);
            }
        }
        if found.is_empty() {
            break;
        }
        found.iter().flat_map(|(_, touched)| *touched).for_each(|&i| known[i] = true);
    }
    for (row, waits) in waits.iter_mut().enumerate().skip(multipliers).filter(|(_, waits)| waits.is_empty()) {
        waits.extend(neighbours[row].iter().filter(|&&i| i < multipliers));
    }
    waits
}

/// An order of velocities and states; as they are numbered if none is found.
fn minimum_degree(n: usize, neighbours: &[Vec<usize>]) -> Vec<usize> {
    let rows = neighbours.get(n..).unwrap_or_default();
    let mut upper: Vec<Vec<usize>> =
        (0..n).map(|j| neighbours[j].iter().copied().filter(|&i| i < j).collect()).collect();
    for row in rows.iter().filter(|row| row.len() <= LONG) {
        for (k, &j) in row.iter().enumerate().filter(|&(_, &j)| j < n) {
            upper[j].extend(&row[..k]);
        }
    }
    let mut starts = std::vec![0];
    let mut indices = Vec::new();
    for column in &mut upper {
        column.sort_unstable();
        column.dedup();
        indices.extend_from_slice(column);
        starts.push(indices.len());
    }
    let room = MemBuffer::try_new(amd::order_scratch::<usize>(n, indices.len()));
    let graph = SymbolicSparseColMat::new_checked(n, n, starts, None, indices);
    let (mut forward, mut inverse) = (std::vec![0; n], std::vec![0; n]);
    let ordered = room.is_ok_and(|mut room| {
        let room = MemStack::new(&mut room);
        amd::order(&mut forward, &mut inverse, graph.as_ref(), amd::Control::default(), room).is_ok()
    });
    if ordered { forward } else { (0..n).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The place of each unknown, of which the first are velocities.
    fn places(massless: &[usize], velocities: usize, rows: &[&[usize]]) -> Vec<usize> {
        let massless = Massless {
            velocities: (0..velocities).map(|i| massless.contains(&i)).collect(),
            rows: rows.iter().map(|row| row.to_vec()).collect(),
        };
        let mut neighbours: Vec<Vec<usize>> = std::vec![Vec::new(); velocities];
        for (k, row) in rows.iter().enumerate() {
            row.iter().for_each(|&i| neighbours[i].push(velocities + k));
        }
        neighbours.extend(rows.iter().map(|row| row.to_vec()));
        let order = pivots(velocities, &massless, &neighbours);
        assert_eq!(order.len(), neighbours.len());
        (0..order.len()).map(|i| order.iter().position(|&p| p == i).expect("a place")).collect()
    }

    #[test]
    fn rows_pass_inertia_on() {
        // two places, a heading that their row gives, and an angle that the heading gives
        let at = places(&[2, 3], 4, &[&[0, 1, 2], &[2, 3]]);
        let [row, next] = [at[4], at[5]];
        assert!(at[0].max(at[1]) < row && row < at[2] && at[2] < next && next < at[3], "{at:?}");
        // of two rows on one mass, the second finds no unknown of its own, and waits for all that it touches
        let at = places(&[1, 2], 3, &[&[0, 1], &[0, 2]]);
        assert!(at[0] < at[3] && at[3] < at[1] && at[4] > at[0].max(at[2]), "{at:?}");
        // where all have inertia, each row waits for all
        let at = places(&[], 3, &[&[0, 2], &[1, 2]]);
        assert!(at[3] > at[0].max(at[2]) && at[4] > at[1].max(at[2]), "{at:?}");
    }
}
