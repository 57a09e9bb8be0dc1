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

/// Evaluates with the number of rows below a group, which is a constant where it is small: then all loops have constant
/// bounds, as those over pairs of pivots have below, and none of them is left when this is compiled. A step of a chain
/// of springs takes 0.85 of the time.
macro_rules! unrolled {
    ($below:ident = $count:expr => $value:expr) => {
        match $count {
            1 => {
                let $below = 1;
                $value
            }
            2 => {
                let $below = 2;
                $value
            }
            3 => {
                let $below = 3;
                $value
            }
            $below => $value,
        }
    };
}

/// A group of N pivots of LDLᵀ.
pub(super) fn ldlt<T: Real, const N: usize>(of: (&Plan, &Groups), at: &mut Front, numbers: &mut Factored<'_, T>) {
    unrolled!(below = below::<N>(of.0, at.pivot) => ldlt_of::<T, N>(of, below, at, numbers));
}

/// A group of N pivots of LDU.
pub(super) fn ldu<T: Real, const N: usize>(of: (&Plan, &Groups), at: &mut Front, numbers: &mut Factored<'_, T>) {
    unrolled!(below = below::<N>(of.0, at.pivot) => ldu_of::<T, N>(of, below, at, numbers));
}

/// The number of rows below a group of N pivots.
fn below<const N: usize>(plan: &Plan, first: usize) -> usize {
    plan.column(first + N - 1).len()
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn ldlt_of<T: Real, const N: usize>(
    (plan, groups): (&Plan, &Groups),
    below: usize,
    at: &mut Front,
    of: &mut Factored<'_, T>,
) {
    let Factored { diagonal, lower, reciprocals, scales, .. } = of;
    let (first, shape) = (at.pivot, Shape::<N> { below });
    let (own, rest) = lower[plan.starts[first]..].split_at_mut(shape.len());
    let (pivots, later) = diagonal[first..].split_at_mut(N);
    let (squares, later_squares) = scales[first..].split_at_mut(N);
    let mut recips = [T::ZERO; N];
    // columns of the group are subtracted one by one
    for p in 0..N {
        recips[p] = pivots[p].recip();
        for q in 0..N {
            if q > p {
                let value = own[shape.inside(p, q)];
                let share = value * recips[p];
                let term = share * value;
                pivots[q] -= term;
                squares[q] += term * term;
                for r in 0..N {
                    if r > q {
                        own[shape.inside(q, r)] -= share * own[shape.inside(p, r)];
                    }
                }
                for b in 0..below {
                    own[shape.under(q, b)] -= share * own[shape.under(p, b)];
                }
                own[shape.inside(p, q)] = share;
            }
        }
    }
    reciprocals[first..][..N].copy_from_slice(&recips);
    let rows = &plan.column(first + N - 1)[..below];
    let mut targets = groups.targets[at.target..].iter();
    for (b, &row) in rows.iter().enumerate() {
        let row = row as usize - first - N;
        let mut shares = [T::ZERO; N];
        for p in 0..N {
            let value = own[shape.under(p, b)];
            shares[p] = value * recips[p];
            let term = shares[p] * value;
            later[row] -= term;
            later_squares[row] += term * term;
            own[shape.under(p, b)] = shares[p];
        }
        for (i, &to) in (b + 1..below).zip(&mut targets) {
            let mut sum = shares[0] * own[shape.under(0, i)];
            for p in 1..N {
                sum += shares[p] * own[shape.under(p, i)];
            }
            rest[to as usize] -= sum;
        }
    }
    at.pivot += N;
    at.target = groups.targets.len() - targets.len();
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn ldu_of<T: Real, const N: usize>(
    (plan, groups): (&Plan, &Groups),
    below: usize,
    at: &mut Front,
    of: &mut Factored<'_, T>,
) {
    let Factored { diagonal, lower, upper, reciprocals, scales } = of;
    let (first, shape) = (at.pivot, Shape::<N> { below });
    let (down, under) = lower[plan.starts[first]..].split_at_mut(shape.len());
    let (across, right) = upper[plan.starts[first]..].split_at_mut(shape.len());
    let (pivots, later) = diagonal[first..].split_at_mut(N);
    let (squares, later_squares) = scales[first..].split_at_mut(N);
    let mut recips = [T::ZERO; N];
    for p in 0..N {
        recips[p] = pivots[p].recip();
        for q in 0..N {
            if q > p {
                let at = shape.inside(p, q);
                let (l, u) = (down[at] * recips[p], across[at] * recips[p]);
                let term = l * across[at];
                pivots[q] -= term;
                squares[q] += term * term;
                for r in 0..N {
                    if r > q {
                        down[shape.inside(q, r)] -= down[shape.inside(p, r)] * u;
                        across[shape.inside(q, r)] -= l * across[shape.inside(p, r)];
                    }
                }
                for b in 0..below {
                    down[shape.under(q, b)] -= down[shape.under(p, b)] * u;
                    across[shape.under(q, b)] -= l * across[shape.under(p, b)];
                }
                (down[at], across[at]) = (l, u);
            }
        }
    }
    reciprocals[first..][..N].copy_from_slice(&recips);
    let rows = &plan.column(first + N - 1)[..below];
    let mut targets = groups.targets[at.target..].iter();
    for (b, &row) in rows.iter().enumerate() {
        let row = row as usize - first - N;
        let (mut l, mut u) = ([T::ZERO; N], [T::ZERO; N]);
        for p in 0..N {
            let at = shape.under(p, b);
            (l[p], u[p]) = (down[at] * recips[p], across[at] * recips[p]);
            let term = l[p] * across[at];
            later[row] -= term;
            later_squares[row] += term * term;
            (down[at], across[at]) = (l[p], u[p]);
        }
        for (i, &to) in (b + 1..below).zip(&mut targets) {
            let (mut sum, mut other) = (down[shape.under(0, i)] * u[0], l[0] * across[shape.under(0, i)]);
            for p in 1..N {
                sum += down[shape.under(p, i)] * u[p];
                other += l[p] * across[shape.under(p, i)];
            }
            under[to as usize] -= sum;
            right[to as usize] -= other;
        }
    }
    at.pivot += N;
    at.target = groups.targets.len() - targets.len();
}

/// The entries of a group of N columns, each shorter by one than that before, with so many rows below the group.
#[derive(Clone, Copy)]
struct Shape<const N: usize> {
    below: usize,
}

impl<const N: usize> Shape<N> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn len(self) -> usize {
        N * self.below + N * N.saturating_sub(1) / 2
    }

    /// Where the entry of pivot q is in the column of pivot p.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn inside(self, p: usize, q: usize) -> usize {
        p * (self.below + N) - p * (p + 1) / 2 + q - p - 1
    }

    /// Where the entry of row b below the group is.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn under(self, p: usize, b: usize) -> usize {
        self.inside(p, N) + b
    }
}

/// L⁻¹ for a group.
pub(super) fn forward<T: Copy, X, const N: usize>(plan: &Plan, first: usize, lower: &[T], room: &mut [X])
where
    X: Copy + Mul<T, Output = X> + Sub<Output = X>,
{
    unrolled!(below = below::<N>(plan, first) => forward_of::<T, X, N>(plan, (first, below), lower, room));
}

/// (D U)⁻¹ for a group.
pub(super) fn backward<T: Copy, X, const N: usize>(plan: &Plan, first: usize, of: (&[T], &[T]), room: &mut [X])
where
    X: Copy + Mul<T, Output = X> + Sub<Output = X>,
{
    unrolled!(below = below::<N>(plan, first) => backward_of::<T, X, N>(plan, (first, below), of, room));
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn forward_of<T: Copy, X, const N: usize>(plan: &Plan, (first, below): (usize, usize), lower: &[T], room: &mut [X])
where
    X: Copy + Mul<T, Output = X> + Sub<Output = X>,
{
    let shape = Shape::<N> { below };
    let entries = &lower[plan.starts[first]..][..shape.len()];
    let mut own: [X; N] = core::array::from_fn(|p| room[first + p]);
    for p in 0..N {
        for q in 0..N {
            if q > p {
                own[q] = own[q] - own[p] * entries[shape.inside(p, q)];
            }
        }
        room[first + p] = own[p];
    }
    let rows = &plan.column(first + N - 1)[..below];
    for (b, &row) in rows.iter().enumerate() {
        let mut x = room[row as usize];
        for p in 0..N {
            x = x - own[p] * entries[shape.under(p, b)];
        }
        room[row as usize] = x;
    }
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn backward_of<T: Copy, X, const N: usize>(
    plan: &Plan,
    (first, below): (usize, usize),
    (upper, recips): (&[T], &[T]),
    room: &mut [X],
) where
    X: Copy + Mul<T, Output = X> + Sub<Output = X>,
{
    let shape = Shape::<N> { below };
    let entries = &upper[plan.starts[first]..][..shape.len()];
    let mut own: [X; N] = core::array::from_fn(|p| room[first + p] * recips[first + p]);
    let rows = &plan.column(first + N - 1)[..below];
    // the values that were just found last
    for (b, &row) in rows.iter().enumerate().rev() {
        let x = room[row as usize];
        for p in 0..N {
            own[p] = own[p] - x * entries[shape.under(p, b)];
        }
    }
    for p in (0..N).rev() {
        for q in (0..N).rev() {
            if q > p {
                own[p] = own[p] - own[q] * entries[shape.inside(p, q)];
            }
        }
        room[first + p] = own[p];
    }
}
