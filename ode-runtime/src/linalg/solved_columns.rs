//! Several columns solved with one elimination, for the derivatives of accelerations.

use crate::linalg::saddle::{Elimination, scatter};
use crate::model::layout::Block;
use crate::numbers::lanes::{LANES, Lanes};
use crate::numbers::scalar::Real;

/// Solves [M Gᵀ; G 0] (v, −λ) = x for several columns; returns whether all that is found is finite. The columns of
/// `right` stand side by side: N rows of [`LANES`] columns, then those of the next columns, and zeros where there are
/// no more.
///
/// For generated code.
#[doc(hidden)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn solve_columns<T: Real, E: Elimination<T>, V: Block<T>, L: Block<T>, const N: usize>(
    factor: &E::Factor,
    right: &[Lanes<T>],
    v: &mut [V],
    lambda: &mut [L],
) -> bool {
    let (groups, _) = right.as_chunks::<N>();
    if !T::PLAIN {
        return solve_each::<T, E, V, L, N>(factor, groups, v, lambda);
    }
    let mut total = Lanes::ZERO;
    let mut found = |x: &[Lanes<T>; N], v: &mut [V], lambda: &mut [L]| {
        total = x.iter().fold(total, |total, &x| total + x);
        if N <= LANES { apart(x, v, lambda) } else { apart_by_call(x, v, lambda) }
    };
    // long ones two at once: each operation of one waits for the last, so those of the other run between
    let abreast = if N <= LANES { 1 } else { 2 };
    let columns = v.chunks_mut(abreast * LANES).zip(lambda.chunks_mut(abreast * LANES));
    for (right, (v, lambda)) in groups.chunks(abreast).zip(columns) {
        match right {
            [first, second] => {
                let (x, y) = (E::solve_lanes(factor, first), E::solve_lanes(factor, second));
                let (v, more_v) = v.split_at_mut(LANES.min(v.len()));
                let (lambda, more_lambda) = lambda.split_at_mut(LANES.min(lambda.len()));
                found(&x, v, lambda);
                found(&y, more_v, more_lambda);
            }
            [first, ..] => found(&E::solve_lanes(factor, first), v, lambda),
            [] => {}
        }
    }
    total.0.into_iter().fold(T::ZERO, |total, x| total + x).is_finite()
}

/// The same one after the other, for numbers that fill registers themselves. Columns of zeros, which are common, are
/// skipped: solved side by side they would cost as much as the others.
fn solve_each<T: Real, E: Elimination<T>, V: Block<T>, L: Block<T>, const N: usize>(
    factor: &E::Factor,
    groups: &[[Lanes<T>; N]],
    v: &mut [V],
    lambda: &mut [L],
) -> bool {
    let columns = groups.iter().flat_map(|group| (0..LANES).map(move |k| (group, k)));
    let mut total = T::ZERO;
    for ((group, k), (v, lambda)) in columns.zip(v.iter_mut().zip(lambda)) {
        let (v, lambda) = (v.as_mut(), lambda.as_mut());
        let mut solved = |x: &mut [T]| {
            x.iter_mut().zip(group).for_each(|(x, row)| *x = row.0[k]);
            if x.iter().any(|x| *x != T::ZERO) {
                E::solve(factor, x);
                total = x.iter().fold(total, |total, &x| total + x);
            }
        };
        if lambda.is_empty() {
            // where it shall stand: a copy of what has just been written entry by entry waits for it
            solved(v);
        } else {
            let mut x = [T::ZERO; N];
            solved(&mut x);
            scatter(&x, v, lambda);
        }
    }
    total.is_finite()
}

/// As [`apart`]. Inlined with a known number of long columns, it becomes scattered stores of AVX-512, which take more
/// than twice as long: 110 of the 405 ns of the squeezer's derivatives.
#[inline(never)]
fn apart_by_call<T: Real, V: Block<T>, L: Block<T>, const N: usize>(x: &[Lanes<T>; N], v: &mut [V], l: &mut [L]) {
    apart(x, v, l);
}

/// Takes solutions (v, −λ) apart that stand side by side.
#[cfg_attr(not(debug_assertions), inline(always))]
fn apart<T: Real, V: Block<T>, L: Block<T>, const N: usize>(x: &[Lanes<T>; N], v: &mut [V], lambda: &mut [L]) {
    for (k, (v, lambda)) in v.iter_mut().zip(lambda).enumerate().take(LANES) {
        let column: [T; N] = core::array::from_fn(|i| x[i].0[k]);
        let (v, lambda) = (v.as_mut(), lambda.as_mut());
        let (head, tail) = column.split_at(v.len().min(N));
        v.iter_mut().zip(head).for_each(|(v, &x)| *v = x);
        lambda.iter_mut().zip(tail).for_each(|(lambda, &x)| *lambda = -x);
    }
}
