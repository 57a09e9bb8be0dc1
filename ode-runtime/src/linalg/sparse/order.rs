//! The order of pivots of a large matrix.
//!
//! Approximate minimum degree on velocities and states, where those that a row of constraints touches are neighbours.
//! Each multiplier follows the last of them: the rule that makes an elimination of [M Gᵀ; G 0] stable without a search
//! for pivots, because a multiplier's pivot is then −G M⁻¹ Gᵀ and not a difference of equal terms.
//!
//! Reference: P. R. Amestoy, T. A. Davis, I. S. Duff, An approximate minimum degree ordering algorithm, SIAM J. Matrix
//! Anal. Appl. 17 (1996) 886–905.

use std::vec::Vec;

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::SymbolicSparseColMat;
use faer::sparse::linalg::amd;

/// A row that touches more unknowns than this makes no neighbours, which would be as many as its square. Its multiplier
/// is eliminated late.
const LONG: usize = 100;

/// The unknowns of `n`, the first pivot first; those from `multipliers` on are multipliers. `neighbours` lists for each
/// unknown the others in its row or column, ascending.
pub(super) fn pivots(multipliers: usize, neighbours: &[Vec<usize>]) -> Vec<usize> {
    let order = minimum_degree(multipliers, neighbours);
    let mut place = std::vec![0; multipliers];
    order.iter().enumerate().for_each(|(k, &i)| place[i] = k);
    // multipliers by the place of the last unknown that they touch
    let mut after: Vec<(usize, usize)> = (multipliers..neighbours.len())
        .map(|row| {
            let touched = neighbours[row].iter().filter(|&&i| i < multipliers);
            (touched.map(|&i| place[i] + 1).max().unwrap_or(0), row)
        })
        .collect();
    after.sort_unstable();
    let mut rows = after.into_iter().peekable();
    let mut pivots = Vec::with_capacity(neighbours.len());
    for k in 0..=multipliers {
        while let Some((_, row)) = rows.next_if(|&(after, _)| after <= k) {
            pivots.push(row);
        }
        pivots.extend(order.get(k));
    }
    pivots
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
