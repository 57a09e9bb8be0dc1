//! Redundant rows: quasi-definite factors, and a polynomial of them instead of a decision on rank.
//!
//! With −D on the diagonal of the multipliers, D = τ² diag(S) of S = G M⁻¹ Gᵀ, the matrix [M Gᵀ; G −D] is
//! quasi-definite for any rank of G: it factorises in any order, without pivoting. W = D (S + D)⁻¹ is 1 on dependent
//! combinations of rows and (τ/σ)² on independent ones; σ² are the eigenvalues of S with the diagonal scaled to 1. For
//! G x = c
//!
//! ```text
//! y = (1 − Wᵏ)² S⁺ c
//! ```
//!
//! is, with k = 3, the solution with the least Σ Sᵢᵢ yᵢ², up to (τ/σ)⁶ on independent rows. An inconsistency of
//! dependent rows, from round-off or drift, is not divided by D but multiplied by (k σ/τ²)². Each of the 2 k factors is
//! a solve that satisfies the rows of motion exactly, and so does their sum: M x − Gᵀ y keeps its value. The weights
//! Sᵢᵢ make y independent of the units of rows.
//!
//! Off the constraints, dependent rows become independent: an offset δ makes σ about δ over the size of the mechanism,
//! and solving for such rows locks it. τ is therefore ten times the offset given by [`Saddle::tolerate`].
//!
//! A rank found by pivots or a gap would jump along a motion, and needs a search, which a sparse factorisation does not
//! have. Plain Tikhonov regularisation would divide round-off in dependent rows by D. D has an entry for each row,
//! because the inertias of small parts may be 10⁻⁸ of others, and rows in metres and radians have no other common
//! measure.
//!
//! References: M. P. Friedlander, D. Orban, A primal–dual regularized interior-point method for convex quadratic
//! programs, Math. Program. Comput. 4 (2012);
//! iterated Tikhonov regularisation: H. W. Engl, M. Hanke, A. Neubauer, Regularization of Inverse Problems, §5.1.

use crate::model::layout::{Block, Layout, RowKind};
use crate::numbers::scalar::Real;

/// k
const TURNS: u32 = 3;
/// The largest τ: beyond it, independent rows would count as dependent.
const LARGEST: f64 = 0.03;

/// The slopes of rows: (row, unknown, its entry, the one mirrored at the diagonal), of a row and an unknown above it.
pub(super) trait Slopes<T>: Iterator<Item = (usize, usize, T, T)> + Clone {}

impl<T, I: Iterator<Item = (usize, usize, T, T)> + Clone> Slopes<T> for I {}

/// Those of a dense matrix.
fn slopes<T: Real, const N: usize>(a: &[[T; N]; N], first: usize) -> impl Slopes<T> {
    (first..N).flat_map(move |i| (0..first.min(N)).map(move |j| (i, j, a[i][j], a[j][i])))
}

/// τ: ε^(1/4), which leaves round-off in D half of the digits; or more, if the entries of `off`, relative to the size
/// of the coordinates, show that the rows are off.
pub(super) fn blur<T: Real>(slopes: impl Slopes<T>, off: &[T], first: usize) -> T {
    let least = T::EPSILON.sqrt().sqrt();
    let mut tau = least;
    let mut slopes = slopes.peekable();
    while let Some((i, ..)) = slopes.peek().copied() {
        // Gᵀ is above the diagonal in both matrices, and G may be below it with a factor.
        let mut slope = T::ZERO;
        while let Some((.., above)) = slopes.next_if(|&(row, ..)| row == i) {
            slope = slope.max(above.abs());
        }
        let Some(phi) = off.get(i - first) else { continue };
        let wanted = T::from_f64(10.0) * phi.abs() / slope;
        if wanted > tau {
            tau = wanted;
        }
    }
    tau.min(T::from_f64(LARGEST).max(least))
}

/// The same of a dense matrix.
pub(super) fn blur_of<T: Real, const N: usize>(a: &[[T; N]; N], off: &[T; N], first: usize) -> T {
    blur(slopes(a, first), off, first)
}

/// D for the rigid rows from `first` on, zeros for the others, from the diagonal and the slopes, row by row.
pub(super) fn shifts<T: Real, B: Block<T>>(
    layout: &Layout<'_>,
    diagonal: &[T],
    slopes: impl Slopes<T>,
    first: usize,
    tau: T,
) -> B {
    let own = diagonal.get(..first).unwrap_or(diagonal);
    let inertia = own.iter().fold(T::ZERO, |most, m| most.max(m.abs()));
    let rigid = |i: usize| i >= first && layout.kind(i - first) != RowKind::Compliant;
    let mut shift = B::zeros(diagonal.len());
    let mut pulls = B::zeros(diagonal.len());
    for (i, j, below, above) in slopes.filter(|&(i, ..)| rigid(i)) {
        let product = below * above;
        pulls.as_mut()[i] += product.abs();
        if own[j].abs() > T::EPSILON * inertia {
            shift.as_mut()[i] += (product / own[j]).abs();
        }
    }
    let most = shift.as_ref().iter().fold(T::ZERO, |most, &s| most.max(s));
    for (i, s) in shift.as_mut().iter_mut().enumerate().filter(|(i, _)| rigid(*i)) {
        // A row whose entries vanish here, or that acts on nothing with inertia.
        if !(*s > T::EPSILON * most) {
            let pull = pulls.as_ref()[i];
            *s = if most > T::ZERO {
                most
            } else if pull > T::ZERO {
                pull
            } else {
                T::ONE
            };
        }
        *s *= tau * tau;
    }
    // Lanes decide differently: where they have no common shift, there is none, and NaN is refused.
    shift.as_mut().iter_mut().for_each(|s| *s = T::from_entry(s.entry()));
    shift
}

fn shifts_of<T: Real, const N: usize>(layout: &Layout<'_>, a: &[[T; N]; N], first: usize, off: &[T; N]) -> [T; N] {
    let diagonal: [T; N] = core::array::from_fn(|i| a[i][i]);
    shifts(layout, &diagonal, slopes(a, first), first, blur_of(a, off, first))
}

/// D of a bordered tangent at a point that is `off`.
pub(super) fn shifts_of_tangent<T: Real, const N: usize>(layout: &Layout<'_>, a: &[[T; N]; N], off: &[T; N]) -> [T; N] {
    shifts_of(layout, a, layout.v.len() + layout.z.len(), off)
}

/// Writes −D to the diagonal of a saddle matrix at a point that is `off`.
pub(super) fn shift_saddle<T: Real, const N: usize>(layout: &Layout<'_>, a: &mut [[T; N]; N], off: &[T; N]) -> [T; N] {
    let shift = shifts_of(layout, a, layout.v.len(), off).map(|s| -s);
    for (i, &s) in shift.iter().enumerate() {
        a[i][i] += s;
    }
    shift
}

/// The solution of the matrix without `shift` by the polynomial, where `solve` is for the matrix with it.
pub(super) fn filtered<T: Real, B: Block<T>>(shift: &B, x: &mut B, solve: impl Fn(&mut B)) {
    let b = x.clone();
    solve(x);
    for _ in 1..TURNS {
        for ((x, &b), &s) in x.as_mut().iter_mut().zip(b.as_ref()).zip(shift.as_ref()) {
            *x = b + s * *x;
        }
        solve(x);
    }
    let rest = dependent(shift, x.clone(), solve);
    for (x, &rest) in x.as_mut().iter_mut().zip(rest.as_ref()) {
        *x -= rest;
    }
}

/// Wᵏ of the multipliers, and their velocities.
pub(super) fn dependent<T: Real, B: Block<T>>(shift: &B, mut x: B, solve: impl Fn(&mut B)) -> B {
    for _ in 0..TURNS {
        for (x, &s) in x.as_mut().iter_mut().zip(shift.as_ref()) {
            *x *= s;
        }
        solve(&mut x);
    }
    x
}

/// Φ over the size of the coordinates.
pub(super) fn tolerated<T: Real>(off: &mut [T], phi: &[T], size: T) {
    for (off, &phi) in off.iter_mut().zip(phi) {
        *off = phi / size;
    }
}
