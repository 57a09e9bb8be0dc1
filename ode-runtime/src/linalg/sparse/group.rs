//! Pivots that are eliminated together: their columns have the same rows below.

use core::ops::{Mul, Sub};

use crate::linalg::sparse::plan::{Groups, Plan};
use crate::numbers::scalar::Real;

/// How far an elimination is: its next pivot, and the next of the targets.
#[derive(Default)]
pub(super) struct Front {
    pivot: usize,
    target: usize,
}

/// The numbers of an elimination: the diagonal, L and U; of each pivot its reciprocal, and the sum of the squares of
/// its terms.
pub(super) struct Factored<'a, T> {
    pub(super) diagonal: &'a mut [T],
    pub(super) lower: &'a mut [T],
    pub(super) upper: &'a mut [T],
    pub(super) reciprocals: &'a mut [T],
    pub(super) scales: &'a mut [T],
}

/// A group of N pivots of LDLᵀ.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn ldlt<T: Real, const N: usize>(
    (plan, groups): (&Plan, &Groups),
    at: &mut Front,
    of: &mut Factored<'_, T>,
) {
    let Factored { diagonal, lower, reciprocals, scales, .. } = of;
    let (first, end) = (at.pivot, plan.starts[at.pivot + N]);
    let (done, rest) = lower.split_at_mut(end);
    let mut columns = split::<T, N>(&mut done[plan.starts[first]..]);
    let mut recips = [T::ZERO; N];
    for p in 0..N {
        let recip = diagonal[first + p].recip();
        (recips[p], reciprocals[first + p]) = (recip, recip);
        // columns of the group are subtracted one by one
        let (head, later) = columns.split_at_mut(p + 1);
        let Some(own) = head.last_mut() else { break };
        for (q, column) in later.iter_mut().enumerate() {
            let (value, tail) = (own[q], &own[q + 1..]);
            let share = value * recip;
            let term = share * value;
            diagonal[first + p + 1 + q] -= term;
            scales[first + p + 1 + q] += term * term;
            for (entry, &other) in column.iter_mut().zip(tail) {
                *entry -= share * other;
            }
            own[q] = share;
        }
    }
    let below = plan.column(first + N - 1);
    let columns = below_all(columns, below.len());
    let (mut targets, mut left) = (&groups.targets[at.target..], below.len());
    for (b, &row) in below.iter().enumerate() {
        let row = row as usize;
        let mut shares = [T::ZERO; N];
        for p in 0..N {
            let value = columns[p][b];
            shares[p] = value * recips[p];
            let term = shares[p] * value;
            diagonal[row] -= term;
            scales[row] += term * term;
            columns[p][b] = shares[p];
        }
        left -= 1;
        let (aimed, later) = targets.split_at(left);
        (targets, at.target) = (later, at.target + left);
        let tails: [&[T]; N] = core::array::from_fn(|p| &columns[p][b + 1..][..left]);
        for (i, &to) in aimed.iter().enumerate() {
            let mut sum = shares[0] * tails[0][i];
            for p in 1..N {
                sum += shares[p] * tails[p][i];
            }
            rest[to as usize] -= sum;
        }
    }
    at.pivot += N;
}

/// A group of N pivots of LDU.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn ldu<T: Real, const N: usize>((plan, groups): (&Plan, &Groups), at: &mut Front, of: &mut Factored<'_, T>) {
    let Factored { diagonal, lower, upper, reciprocals, scales } = of;
    let (first, end) = (at.pivot, plan.starts[at.pivot + N]);
    let (done, under) = lower.split_at_mut(end);
    let (above, right) = upper.split_at_mut(end);
    let mut columns = split::<T, N>(&mut done[plan.starts[first]..]);
    let mut lines = split::<T, N>(&mut above[plan.starts[first]..]);
    let mut recips = [T::ZERO; N];
    for p in 0..N {
        let recip = diagonal[first + p].recip();
        (recips[p], reciprocals[first + p]) = (recip, recip);
        let ((head, later), (top, others)) = (columns.split_at_mut(p + 1), lines.split_at_mut(p + 1));
        let (Some(own), Some(line)) = (head.last_mut(), top.last_mut()) else { break };
        for (q, (column, across)) in later.iter_mut().zip(others).enumerate() {
            let (l, u) = (own[q] * recip, line[q] * recip);
            let term = l * line[q];
            diagonal[first + p + 1 + q] -= term;
            scales[first + p + 1 + q] += term * term;
            for (entry, &other) in column.iter_mut().zip(&own[q + 1..]) {
                *entry -= other * u;
            }
            for (entry, &other) in across.iter_mut().zip(&line[q + 1..]) {
                *entry -= l * other;
            }
            (own[q], line[q]) = (l, u);
        }
    }
    let below = plan.column(first + N - 1);
    let (columns, lines) = (below_all(columns, below.len()), below_all(lines, below.len()));
    let (mut targets, mut left) = (&groups.targets[at.target..], below.len());
    for (b, &row) in below.iter().enumerate() {
        let row = row as usize;
        let (mut l, mut u) = ([T::ZERO; N], [T::ZERO; N]);
        for p in 0..N {
            (l[p], u[p]) = (columns[p][b] * recips[p], lines[p][b] * recips[p]);
            let term = l[p] * lines[p][b];
            diagonal[row] -= term;
            scales[row] += term * term;
            (columns[p][b], lines[p][b]) = (l[p], u[p]);
        }
        left -= 1;
        let (aimed, later) = targets.split_at(left);
        (targets, at.target) = (later, at.target + left);
        let down: [&[T]; N] = core::array::from_fn(|p| &columns[p][b + 1..][..left]);
        let across: [&[T]; N] = core::array::from_fn(|p| &lines[p][b + 1..][..left]);
        for (i, &to) in aimed.iter().enumerate() {
            let (mut sum, mut other) = (down[0][i] * u[0], l[0] * across[0][i]);
            for p in 1..N {
                sum += down[p][i] * u[p];
                other += l[p] * across[p][i];
            }
            under[to as usize] -= sum;
            right[to as usize] -= other;
        }
    }
    at.pivot += N;
}

/// The columns of a group of N pivots, each shorter by one than that before, from entries that end with them.
#[cfg_attr(not(debug_assertions), inline(always))]
fn split<T, const N: usize>(mut entries: &mut [T]) -> [&mut [T]; N] {
    let below = (entries.len() - N * (N - 1) / 2) / N;
    core::array::from_fn(|p| {
        let (own, rest) = core::mem::take(&mut entries).split_at_mut(below + N - 1 - p);
        entries = rest;
        own
    })
}

/// Their entries in the rows below the group.
#[cfg_attr(not(debug_assertions), inline(always))]
fn below_all<T, const N: usize>(columns: [&mut [T]; N], below: usize) -> [&mut [T]; N] {
    columns.map(|column| {
        let inner = column.len() - below;
        column.split_at_mut(inner).1
    })
}

/// The same to read: for each pivot of a group its entries in the group, and below.
#[cfg_attr(not(debug_assertions), inline(always))]
fn parts<'a, T, const N: usize>(plan: &Plan, first: usize, entries: &'a [T]) -> [(&'a [T], &'a [T]); N] {
    core::array::from_fn(|p| {
        let own = &entries[plan.starts[first + p]..plan.starts[first + p + 1]];
        own.split_at(N - 1 - p)
    })
}

/// L⁻¹ for a group.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn forward<T: Copy, X, const N: usize>(plan: &Plan, first: usize, lower: &[T], room: &mut [X])
where
    X: Copy + Mul<T, Output = X> + Sub<Output = X>,
{
    let columns = parts::<T, N>(plan, first, lower);
    let mut own: [X; N] = core::array::from_fn(|p| room[first + p]);
    for p in 0..N {
        for (q, &l) in columns[p].0.iter().enumerate() {
            own[p + 1 + q] = own[p + 1 + q] - own[p] * l;
        }
        room[first + p] = own[p];
    }
    let rows = plan.column(first + N - 1);
    let below: [&[T]; N] = core::array::from_fn(|p| &columns[p].1[..rows.len()]);
    for (i, &row) in rows.iter().enumerate() {
        let mut x = room[row as usize];
        for p in 0..N {
            x = x - own[p] * below[p][i];
        }
        room[row as usize] = x;
    }
}

/// (D U)⁻¹ for a group.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn backward<T: Copy, X, const N: usize>(
    plan: &Plan,
    first: usize,
    (upper, recips): (&[T], &[T]),
    room: &mut [X],
) where
    X: Copy + Mul<T, Output = X> + Sub<Output = X>,
{
    let lines = parts::<T, N>(plan, first, upper);
    let mut own: [X; N] = core::array::from_fn(|p| room[first + p] * recips[first + p]);
    let rows = plan.column(first + N - 1);
    let below: [&[T]; N] = core::array::from_fn(|p| &lines[p].1[..rows.len()]);
    // the values that were just found last
    for (i, &row) in rows.iter().enumerate().rev() {
        let x = room[row as usize];
        for p in 0..N {
            own[p] = own[p] - x * below[p][i];
        }
    }
    for p in (0..N).rev() {
        for (q, &u) in lines[p].0.iter().enumerate().rev() {
            own[p] = own[p] - own[p + 1 + q] * u;
        }
        room[first + p] = own[p];
    }
}
