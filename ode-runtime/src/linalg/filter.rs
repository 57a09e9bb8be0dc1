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

use crate::model::layout::{Layout, RowKind};
use crate::numbers::scalar::Real;

/// k
const TURNS: u32 = 3;
/// The largest τ: beyond it, independent rows would count as dependent.
const LARGEST: f64 = 0.03;

/// τ: ε^(1/4), which leaves round-off in D half of the digits; or more, if the entries of `phi`, relative to the size
/// of the coordinates, show that the rows of `a` are off.
pub(super) fn blur<T: Real, const N: usize>(a: &[[T; N]; N], phi: &[T; N], first: usize) -> T {
    let least = T::EPSILON.sqrt().sqrt();
    let mut tau = least;
    for (i, phi) in (first..N).zip(phi) {
        // Gᵀ is above the diagonal in both matrices, and G may be below it with a factor.
        let slope = a.iter().take(first).fold(T::ZERO, |norm, row| norm.max(row[i].abs()));
        let wanted = T::from_f64(10.0) * phi.abs() / slope;
        if wanted > tau {
            tau = wanted;
        }
    }
    tau.min(T::from_f64(LARGEST).max(least))
}

/// D for the rigid rows from `first` on, zeros for the others.
fn shifts<T: Real, const N: usize>(layout: &Layout<'_>, a: &[[T; N]; N], first: usize, tau: T) -> [T; N] {
    let inertia = (0..first.min(N)).fold(T::ZERO, |most, j| most.max(a[j][j].abs()));
    let rigid = |i: usize| i >= first && layout.kind(i - first) != RowKind::Compliant;
    let own = |i: usize| {
        (0..first)
            .filter(|&j| a[j][j].abs() > T::EPSILON * inertia)
            .fold(T::ZERO, |s, j| s + (a[i][j] * a[j][i] / a[j][j]).abs())
    };
    let mut shift: [T; N] = core::array::from_fn(|i| if rigid(i) { own(i) } else { T::ZERO });
    let most = shift.iter().fold(T::ZERO, |most, &s| most.max(s));
    for (i, s) in shift.iter_mut().enumerate().filter(|(i, _)| rigid(*i)) {
        // A row whose entries vanish here, or that acts on nothing with inertia.
        if !(*s > T::EPSILON * most) {
            let slopes = (0..first).fold(T::ZERO, |sum, j| sum + (a[i][j] * a[j][i]).abs());
            *s = if most > T::ZERO {
                most
            } else if slopes > T::ZERO {
                slopes
            } else {
                T::ONE
            };
        }
        *s *= tau * tau;
    }
    // Lanes decide differently: where they have no common shift, there is none, and NaN is refused.
    shift.map(|s| T::from_entry(s.entry()))
}

/// D of a bordered tangent at a point that is `off`.
pub(super) fn shifts_of_tangent<T: Real, const N: usize>(layout: &Layout<'_>, a: &[[T; N]; N], off: &[T; N]) -> [T; N] {
    let first = layout.v.len() + layout.z.len();
    shifts(layout, a, first, blur(a, off, first))
}

/// Writes −D to the diagonal of a saddle matrix at a point that is `off`.
pub(super) fn shift_saddle<T: Real, const N: usize>(layout: &Layout<'_>, a: &mut [[T; N]; N], off: &[T; N]) -> [T; N] {
    let first = layout.v.len();
    let shift = shifts(layout, a, first, blur(a, off, first)).map(|s| -s);
    for (i, &s) in shift.iter().enumerate() {
        a[i][i] += s;
    }
    shift
}

/// The solution of the matrix without `shift` by the polynomial, where `solve` is for the matrix with it.
pub(super) fn filtered<T: Real, const N: usize>(shift: &[T; N], x: &mut [T; N], solve: impl Fn(&mut [T; N])) {
    let b = *x;
    solve(x);
    for _ in 1..TURNS {
        for i in 0..N {
            x[i] = b[i] + shift[i] * x[i];
        }
        solve(x);
    }
    let rest = dependent(shift, *x, solve);
    for (x, &rest) in x.iter_mut().zip(&rest) {
        *x -= rest;
    }
}

/// Wᵏ of the multipliers, and their velocities.
pub(super) fn dependent<T: Real, const N: usize>(shift: &[T; N], mut x: [T; N], solve: impl Fn(&mut [T; N])) -> [T; N] {
    for _ in 0..TURNS {
        for (x, &s) in x.iter_mut().zip(shift) {
            *x *= s;
        }
        solve(&mut x);
    }
    x
}

/// Φ over the size of the coordinates.
pub(super) fn tolerated<T: Real, const N: usize>(off: &mut [T; N], phi: &[T], size: T) {
    for (off, &phi) in off.iter_mut().zip(phi) {
        *off = phi / size;
    }
}
