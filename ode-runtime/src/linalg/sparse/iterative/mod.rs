//! The tangent of a large model, solved by iterations instead of an elimination: no factors, whose work and memory grow
//! faster than the model.
//!
//! Where the tangent is symmetric, conjugate gradients ([`conjugate`]); where it is not, as with dampers along springs
//! that turn, the stabilised biconjugate gradients ([`stabilized`]). Both are preconditioned with the inverses of the
//! blocks on the diagonal. Rows that each hold one unknown are no part of the iteration: the unknown is known, and what
//! its equation leaves is the multiplier.
//!
//! What the recursions say of the residual is not believed: it is computed from the solution, and the iteration begins
//! again from there while that helps. Residuals are measured by Σ rᵢ²/|aᵢᵢ|, which has no units. Each iteration begins
//! with zero, so that a solution depends on nothing but its equations.
//!
//! faer has conjugate gradients too. These are for any `Real`, pass through memory three times an iteration, and sum in
//! pieces that do not depend on threads.
//!
//! References: D. Baraff, A. Witkin, Large steps in cloth simulation, SIGGRAPH 1998, §5, for what is held; Y. Saad,
//! Iterative Methods for Sparse Linear Systems, 2nd ed., algorithms 9.1 and 7.7.

mod blocks;
mod conjugate;
mod pieces;
mod room;
mod rows;
mod stabilized;

use core::fmt;
use std::cell::RefCell;
use std::vec::Vec;

use crate::linalg::sparse::iterative::pieces::alone;
use crate::linalg::sparse::iterative::room::{Limit, Room};
use crate::linalg::sparse::iterative::rows::Rows;
use crate::linalg::{Iterated, Kkt, Singular, Unsolved};
use crate::model::layout::{Layout, RowKind};
use crate::numbers::scalar::Real;

/// [`Kkt`] of a large model without states, whose rows of constraints each hold one unknown. Of others, rows that it
/// cannot hold are reported as singular: [`Iterative`](crate::Iterative) refuses such models.
///
/// Factorisations and solutions allocate nothing. With the feature `rayon` threads share them, so its queues may, and
/// solutions are the same to the bit for any number of threads.
pub struct IterativeKkt<T> {
    rows: Rows<T>,
    /// whether each unknown is held
    held: Vec<bool>,
    holds: Vec<Hold<T>>,
    /// a row that cannot be held
    refused: Option<usize>,
    tolerance: T,
    most: u32,
    room: RefCell<Room<T>>,
}

/// A row that holds an unknown: `below` x = l, and −Gᵀ is `above`.
#[derive(Clone, Copy, Debug)]
struct Hold<T> {
    unknown: usize,
    row: usize,
    places: [usize; 2],
    below: T,
    above: T,
}

/// The unknown that each row of constraints holds.
///
/// # Errors
/// A row that holds none, several, one that another row holds, or more than positions.
pub(crate) fn held(layout: &Layout<'_>) -> Result<Vec<usize>, usize> {
    let mut found = std::vec![None; layout.constraints.len()];
    let mut taken = std::vec![false; layout.v.len()];
    for (row, unknown) in layout.jacobian.entries() {
        if found[row].is_some() || core::mem::replace(&mut taken[unknown], true) {
            return Err(row);
        }
        found[row] = Some(unknown);
    }
    let holds = |(row, unknown): (usize, Option<usize>)| match layout.kind(row) {
        RowKind::Holonomic => unknown.ok_or(row),
        RowKind::Nonholonomic | RowKind::Compliant => Err(row),
    };
    found.into_iter().enumerate().map(holds).collect()
}

impl<T: Real> IterativeKkt<T> {
    /// With residuals below `tolerance`, a share of the right-hand side, in at most so many iterations a solution.
    pub fn with(layout: &Layout<'_>, tolerance: T, most: u32) -> Self {
        let rows = Rows::new(layout);
        let n = layout.v.len();
        let (found, refused) = match held(layout) {
            Ok(found) => (found, if layout.z.is_empty() { None } else { Some(n) }),
            Err(row) => (Vec::new(), Some(n + layout.z.len() + row)),
        };
        let first = n + layout.z.len();
        let place =
            |row: usize, column: usize| layout.tangent.column(column).find(|&(r, _)| r == row).map(|(_, at)| at);
        let mut held = std::vec![false; n];
        let mut holds = Vec::new();
        for (row, &unknown) in found.iter().enumerate() {
            if let (Some(below), Some(above)) = (place(first + row, unknown), place(unknown, first + row)) {
                holds.push(Hold { unknown, row, places: [below, above], below: T::ZERO, above: T::ZERO });
                held[unknown] = true;
            }
        }
        let room = Room::new(&rows);
        Self { rows, held, holds, refused, tolerance, most, room: RefCell::new(room) }
    }
}

/// Iterates until the residual of `v` is small, with the values of held unknowns in `room.x`; leaves the residual in
/// `room.r`.
fn iterate<T: Real>(
    rows: &Rows<T>,
    (tolerance, most): (T, u32),
    room: &mut Room<T>,
    v: &[T],
) -> Result<Iterated, Unsolved> {
    let begin = room.residual(rows, v);
    if !begin.is_finite() {
        let wrong = room.r.iter().position(|x| !x.is_finite());
        return Err(Unsolved::NotFinite { index: wrong.unwrap_or_else(|| rows.largest(&room.r)) });
    }
    // squares of the smallest numbers are zero
    let bound = (tolerance * tolerance * begin).max(T::MIN_POSITIVE);
    // the recursion drifts away from the residual
    let mut limit = Limit { target: T::from_f64(0.25) * bound, iterations: 0, most };
    let mut left = begin;
    while !(left <= bound) {
        match rows.symmetric {
            true => conjugate::iterate(rows, room, &mut limit)?,
            false => stabilized::iterate(rows, room, &mut limit),
        }
        let before = left;
        left = room.residual(rows, v);
        let helped = left < T::from_f64(0.25) * before;
        let stuck = !helped || limit.iterations >= most;
        if stuck && !(left <= bound) {
            let (index, residual) = (rows.largest(&room.r), (left / begin).sqrt().to_f64());
            return Err(Unsolved::Residual { iterations: limit.iterations, index, residual });
        }
    }
    let residual = if left <= T::MIN_POSITIVE { T::ZERO } else { (left / begin).sqrt() };
    Ok(Iterated { iterations: limit.iterations, residual: residual.to_f64() })
}

impl<T: Real> Kkt<T> for IterativeKkt<T> {
    fn new(layout: &Layout<'_>) -> Self {
        Self::with(layout, tolerance(), ITERATIONS)
    }

    fn factorize(&mut self, _layout: &Layout<'_>, values: &[T]) -> Result<(), Singular> {
        if let Some(index) = self.refused {
            return Err(Singular { index });
        }
        for hold in &mut self.holds {
            (hold.below, hold.above) = (values[hold.places[0]], values[hold.places[1]]);
            if !(hold.below.recip().is_finite() && hold.above.recip().is_finite()) {
                return Err(Singular { index: self.held.len() + hold.row });
            }
        }
        let Self { rows, room, held, .. } = self;
        let pieces = &mut room.get_mut().pieces;
        alone(rows.blocks.ends.len(), || rows.fill(pieces, values, held))
    }

    fn certain(&self) -> bool {
        true
    }

    fn solve(&self, v: &mut [T], _z: &mut [T], l: &mut [T]) -> Result<Iterated, Unsolved> {
        let mut room = self.room.borrow_mut();
        room.x.fill(T::ZERO);
        for hold in &self.holds {
            room.x[hold.unknown] = l[hold.row] / hold.below;
        }
        let room = &mut *room;
        let (rows, limits) = (&self.rows, (self.tolerance, self.most));
        let done = alone(rows.blocks.ends.len(), || iterate(rows, limits, room, v))?;
        for hold in &self.holds {
            l[hold.row] = room.r[hold.unknown] / hold.above;
        }
        v.copy_from_slice(&room.x);
        Ok(done)
    }
}

/// Of residuals, as a share of the right-hand side: 10⁻¹⁰, or what the digits of a number allow.
pub(crate) fn tolerance<T: Real>() -> T {
    T::from_f64(1e-10).max(T::from_f64(100.0) * T::EPSILON)
}

/// Iterations of a solution.
pub(crate) const ITERATIONS: u32 = 10_000;

impl<T> fmt::Debug for IterativeKkt<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IterativeKkt").field("unknowns", &self.held.len()).finish_non_exhaustive()
    }
}
