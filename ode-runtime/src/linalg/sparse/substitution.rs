//! Solutions with the factors of panels.

use core::ops::{Add, Mul, Sub};

use pulp::{Simd, WithSimd};

use crate::linalg::sparse::panel::{Panel, TOGETHER};
use crate::linalg::sparse::panels::Panels;
use crate::linalg::sparse::plan::Plan;
use crate::numbers::scalar::Real;

/// Parts of a sum that are summed side by side.
const PARTS: usize = 8;

/// A solution to be found, in room that ends with that of a panel.
pub(super) struct Solve<'a, T, X> {
    pub(super) plan: &'a Plan,
    pub(super) panels: &'a Panels,
    pub(super) lower: &'a [T],
    pub(super) upper: &'a [T],
    pub(super) reciprocals: &'a [T],
    pub(super) room: &'a mut [X],
}

impl<T: Real, X> WithSimd for Solve<'_, T, X>
where
    X: Copy + Default + Mul<T, Output = X> + Add<Output = X> + Sub<Output = X>,
{
    type Output = ();

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { plan, panels, lower, upper, reciprocals, room } = self;
        forward((plan, panels), lower, room);
        backward((plan, panels), (upper, reciprocals), room);
    }
}

/// L⁻¹, in room that ends with that of a panel.
#[cfg_attr(not(debug_assertions), inline(always))]
fn forward<T: Real, X>((plan, panels): (&Plan, &Panels), lower: &[T], room: &mut [X])
where
    X: Copy + Mul<T, Output = X> + Add<Output = X> + Sub<Output = X>,
{
    for (panel, ends) in panels.firsts.windows(2).enumerate() {
        let at = Panel { plan, panels, panel, first: ends[0], width: ends[1] - ends[0] };
        let height = at.gather(room);
        let (x, own) = room.split_at_mut(plan.size());
        let own = &mut own[..height];
        for from in (0..at.width).step_by(TOGETHER) {
            let to = (from + TOGETHER).min(at.width);
            match to - from {
                1 => at.push::<T, X, 1>(from, lower, own),
                2 => at.push::<T, X, 2>(from, lower, own),
                3 => at.push::<T, X, 3>(from, lower, own),
                _ => at.push::<T, X, TOGETHER>(from, lower, own),
            }
        }
        x[at.first..][..at.width].copy_from_slice(&own[..at.width]);
        for (&value, &row) in own[at.width..].iter().zip(at.below()) {
            x[row as usize] = value;
        }
    }
}

/// (D U)⁻¹, in such room.
#[cfg_attr(not(debug_assertions), inline(always))]
fn backward<T: Real, X>((plan, panels): (&Plan, &Panels), (upper, recips): (&[T], &[T]), room: &mut [X])
where
    X: Copy + Default + Mul<T, Output = X> + Add<Output = X> + Sub<Output = X>,
{
    for (panel, ends) in panels.firsts.windows(2).enumerate().rev() {
        let at = Panel { plan, panels, panel, first: ends[0], width: ends[1] - ends[0] };
        let height = at.gather(room);
        let (x, own) = room.split_at_mut(plan.size());
        let own = &mut own[..height];
        for (value, &recip) in own.iter_mut().zip(&recips[at.first..ends[1]]) {
            *value = *value * recip;
        }
        for from in (0..at.width).step_by(TOGETHER).rev() {
            let to = (from + TOGETHER).min(at.width);
            match to - from {
                1 => at.pull::<T, X, 1>(from, upper, own),
                2 => at.pull::<T, X, 2>(from, upper, own),
                3 => at.pull::<T, X, 3>(from, upper, own),
                _ => at.pull::<T, X, TOGETHER>(from, upper, own),
            }
        }
        x[at.first..][..at.width].copy_from_slice(&own[..at.width]);
    }
}

impl Panel<'_> {
    /// Its values, then those of the rows below.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn gather<X: Copy>(&self, room: &mut [X]) -> usize {
        let (x, own) = room.split_at_mut(self.plan.size());
        let below = self.below();
        own[..self.width].copy_from_slice(&x[self.first..][..self.width]);
        for (value, &row) in own[self.width..].iter_mut().zip(below) {
            *value = x[row as usize];
        }
        self.width + below.len()
    }

    /// The columns of N pivots from p on: within these, and what follows.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn parts<'a, T, const N: usize>(&self, p: usize, entries: &'a [T]) -> [(&'a [T], &'a [T]); N] {
        core::array::from_fn(|k| entries[self.start(p + k)..self.start(p + k + 1)].split_at(N - 1 - k))
    }

    /// Subtracts the columns of N pivots from what follows.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn push<T: Real, X, const N: usize>(&self, p: usize, lower: &[T], own: &mut [X])
    where
        X: Copy + Mul<T, Output = X> + Add<Output = X> + Sub<Output = X>,
    {
        let columns = self.parts::<T, N>(p, lower);
        let (head, rest) = own[p..].split_at_mut(N);
        for k in 0..N {
            for (i, &l) in columns[k].0.iter().enumerate() {
                head[k + 1 + i] = head[k + 1 + i] - head[k] * l;
            }
        }
        let values: [X; N] = core::array::from_fn(|k| head[k]);
        let below: [&[T]; N] = core::array::from_fn(|k| &columns[k].1[..rest.len()]);
        for (i, value) in rest.iter_mut().enumerate() {
            let mut sum = values[0] * below[0][i];
            for k in 1..N {
                sum = sum + values[k] * below[k][i];
            }
            *value = *value - sum;
        }
    }

    /// Subtracts what follows, times the lines of N pivots, from these.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn pull<T: Real, X, const N: usize>(&self, p: usize, upper: &[T], own: &mut [X])
    where
        X: Copy + Default + Mul<T, Output = X> + Add<Output = X> + Sub<Output = X>,
    {
        let lines = self.parts::<T, N>(p, upper);
        let (head, rest) = own[p..].split_at_mut(N);
        let below: [&[T]; N] = core::array::from_fn(|k| &lines[k].1[..rest.len()]);
        for k in 0..N {
            head[k] = head[k] - dot(rest, below[k]);
        }
        for k in (0..N).rev() {
            for (i, &u) in lines[k].0.iter().enumerate() {
                head[k] = head[k] - head[k + 1 + i] * u;
            }
        }
    }
}

/// Σ xᵢ aᵢ.
#[cfg_attr(not(debug_assertions), inline(always))]
fn dot<T: Copy, X>(x: &[X], a: &[T]) -> X
where
    X: Copy + Default + Mul<T, Output = X> + Add<Output = X>,
{
    let ((groups, rest), (a_groups, a_rest)) = (x.as_chunks::<PARTS>(), a.as_chunks::<PARTS>());
    let mut sums = [X::default(); PARTS];
    for (x, a) in groups.iter().zip(a_groups) {
        for (sum, (&x, &a)) in sums.iter_mut().zip(x.iter().zip(a)) {
            *sum = *sum + x * a;
        }
    }
    let mut all = X::default();
    for (&x, &a) in rest.iter().zip(a_rest) {
        all = all + x * a;
    }
    for sum in sums {
        all = all + sum;
    }
    all
}
