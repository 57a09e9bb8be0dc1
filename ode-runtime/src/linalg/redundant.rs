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

use nalgebra::{Const, DimMin};

use crate::linalg::full_pivot::FullPivot;
use crate::linalg::inertia::{Inertia, inertia};
use crate::linalg::kkt::spread;
use crate::linalg::saddle::{gather, scatter, symmetric};
use crate::linalg::{DenseKkt, DenseSaddle, Kkt, Saddle, Singular};
use crate::scalar::Real;
use crate::system::{Layout, RowKind};

/// k
const TURNS: u32 = 3;
/// The largest τ: beyond it, independent rows would count as dependent.
const LARGEST: f64 = 0.03;

/// τ: ε^(1/4), which leaves round-off in D half of the digits; or more, if the entries of `phi`, relative to the size
/// of the coordinates, show that the rows of `a` are off.
fn blur<T: Real, const N: usize>(a: &[[T; N]; N], phi: &[T; N], first: usize) -> T {
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
    shift
}

/// D of a bordered tangent at a point that is `off`.
pub(super) fn shifts_of_tangent<T: Real, const N: usize>(layout: &Layout<'_>, a: &[[T; N]; N], off: &[T; N]) -> [T; N] {
    let first = layout.v.len() + layout.z.len();
    shifts(layout, a, first, blur(a, off, first))
}

/// Writes −D to the diagonal of a saddle matrix at a point that is `off`.
fn shift_saddle<T: Real, const N: usize>(layout: &Layout<'_>, a: &mut [[T; N]; N], off: &[T; N]) -> [T; N] {
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

/// The fallback solver if pivots in a static order lose digits.
#[derive(Clone, Debug)]
pub(super) struct Fallback<T: Real, const N: usize>
where
    Const<N>: DimMin<Const<N>, Output = Const<N>>,
{
    lu: FullPivot<T, N>,
    shift: Option<[T; N]>,
}

impl<T: Real, const N: usize> Fallback<T, N>
where
    Const<N>: DimMin<Const<N>, Output = Const<N>>,
{
    /// Decomposes the saddle matrix `a`. Full pivoting does not show signs, so inertia is tested separately.
    #[inline(never)]
    pub(super) fn exact(layout: &Layout<'_>, a: &[[T; N]; N]) -> Result<Self, Singular> {
        let lu = FullPivot::new(a)?;
        let (mut a, mut room) = (*a, [T::ZERO; N]);
        let (v, l) = room.split_at_mut(layout.v.len().min(N));
        match inertia(a.as_flattened_mut(), v, l) {
            Inertia::Positive => Ok(Self { lu, shift: None }),
            Inertia::Zero { index } | Inertia::Negative { index, .. } => Err(Singular { index }),
        }
    }

    /// Decomposes a saddle matrix with redundant rows.
    pub(super) fn filtered(layout: &Layout<'_>, mut a: [[T; N]; N]) -> Result<Self, Singular> {
        let shift = Some(shift_saddle(layout, &mut a, &[T::ZERO; N]));
        Ok(Self { lu: FullPivot::new(&a)?, shift })
    }

    /// Solves in place.
    pub(super) fn solve(&self, x: &mut [T; N]) {
        match &self.shift {
            None => self.lu.solve(x),
            Some(shift) => filtered(shift, x, |x| self.lu.solve(x)),
        }
    }
}

/// [`Saddle`] of N = nv + nc unknowns for models with redundant rows: the multipliers with the least Σ Sᵢᵢ λᵢ²,
/// S = G M⁻¹ Gᵀ.
#[derive(Clone, Debug)]
pub struct RedundantSaddle<T: Real, const N: usize>
where
    Const<N>: DimMin<Const<N>, Output = Const<N>>,
{
    shifted: DenseSaddle<T, N>,
    shift: [T; N],
    off: [T; N],
}

impl<T: Real, const N: usize> Saddle<T> for RedundantSaddle<T, N>
where
    Const<N>: DimMin<Const<N>, Output = Const<N>>,
{
    const REDUNDANT: bool = true;

    fn new(layout: &Layout<'_>) -> Self {
        Self { shifted: DenseSaddle::new(layout), shift: [T::ZERO; N], off: [T::ZERO; N] }
    }

    fn tolerate(&mut self, phi: &[T], size: T) {
        tolerated(&mut self.off, phi, size);
    }

    fn factorize(&mut self, layout: &Layout<'_>, mass: &[T], jacobian: &[T]) -> Result<(), Singular> {
        let mut a = symmetric(layout, mass, jacobian);
        self.shift = shift_saddle(layout, &mut a, &self.off);
        self.shifted.decompose(layout, &a)
    }

    fn solve(&self, v: &mut [T], l: &mut [T]) {
        let mut x = gather(v, l);
        filtered(&self.shift, &mut x, |x| self.shifted.apply(x));
        scatter(&x, v, l);
    }
}

/// [`Kkt`] of N = nv + nz + nc unknowns for models with redundant rows.
///
/// Without inertia S = G K⁻¹ Gᵀ need not be positive, and an eigenvalue of nearly dependent rows may equal that of −D.
/// So a share of the constraint rows is added to each row of motion, K + Gᵀ B G instead of K, which changes no
/// solution. With K bounded by ω² M, and B in the same measure, S is positive and about B⁻¹.
#[derive(Clone, Debug)]
pub struct RedundantKkt<T, const N: usize> {
    factors: DenseKkt<T, N>,
    /// the matrix without shares
    plain: [[T; N]; N],
    /// B, by rows of constraints; zero where there is inertia
    stiffer: [T; N],
    /// the diagonal of M
    inertia: [T; N],
    off: [T; N],
}

/// B c, with c the diagonal of S: the factor by which a row is made stiffer than anything that moves it.
const STIFFER: f64 = 30.0;

impl<T: Real, const N: usize> RedundantKkt<T, N> {
    /// ω² M, which bounds the stiffness K of `a`.
    fn bound(&self, a: &[[T; N]; N], motion: usize) -> [T; N] {
        let mut fastest = T::ZERO;
        for (i, row) in a.iter().enumerate().take(motion) {
            for (j, &k) in row.iter().enumerate().take(motion) {
                let inertia = (self.inertia[i] * self.inertia[j]).sqrt();
                if inertia > T::ZERO {
                    fastest = fastest.max(k.abs() / inertia);
                }
            }
        }
        let fastest = if fastest > T::ZERO { fastest } else { T::ONE };
        let largest = |i: usize| a[i].iter().take(motion).fold(T::ZERO, |most, k| most.max(k.abs()));
        core::array::from_fn(|i| match i < motion {
            true if self.inertia[i] > T::ZERO => fastest * self.inertia[i],
            true => largest(i),
            false => T::ZERO,
        })
    }

    /// Gives each row of motion its shares, and returns D.
    fn share(&mut self, layout: &Layout<'_>, a: &mut [[T; N]; N]) -> [T; N] {
        let (motion, first) = (layout.v.len(), layout.v.len() + layout.z.len());
        let bound = self.bound(a, motion);
        let tau = blur(a, &self.off, first);
        let mut shift = [T::ZERO; N];
        for row in (first..N).filter(|&row| layout.kind(row - first) != RowKind::Compliant) {
            let moved = (0..motion).filter(|&j| bound[j] > T::ZERO);
            let give = moved.fold(T::ZERO, |sum, j| sum + (a[row][j] * a[j][row]).abs() / bound[j]);
            let give = if give > T::ZERO { give } else { T::ONE };
            shift[row] = tau * tau * give / T::from_f64(1.0 + STIFFER);
            self.stiffer[row] = T::from_f64(STIFFER) / give;
        }
        self.plain = *a;
        for row in first..N {
            for j in 0..motion {
                let share = -self.stiffer[row] * a[j][row];
                for k in (0..N).filter(|_| share != T::ZERO) {
                    let term = share * self.plain[row][k];
                    a[j][k] += term;
                }
            }
        }
        shift
    }
}

impl<T: Real, const N: usize> Kkt<T> for RedundantKkt<T, N> {
    const REDUNDANT: bool = true;

    fn new(layout: &Layout<'_>) -> Self {
        let zeros = [T::ZERO; N];
        Self { factors: DenseKkt::new(layout), plain: [zeros; N], stiffer: zeros, inertia: zeros, off: zeros }
    }

    fn tolerate(&mut self, phi: &[T], size: T) {
        tolerated(&mut self.off, phi, size);
    }

    fn measure(&mut self, layout: &Layout<'_>, mass: &[T]) {
        let inertia = &mut self.inertia;
        layout.mass.visit(mass, |row, col, entry| {
            if row == col {
                inertia[row] = entry.abs();
            }
        });
    }

    fn factorize(&mut self, layout: &Layout<'_>, values: &[T]) -> Result<(), Singular> {
        self.stiffer = [T::ZERO; N];
        self.factors.filter(layout, values, &self.off)
    }

    fn factorize_by_exchange(&mut self, layout: &Layout<'_>, values: &[T]) -> Result<(), Singular> {
        let mut a = spread(layout, values);
        self.stiffer = [T::ZERO; N];
        let shift = self.share(layout, &mut a);
        self.factors.shifted(&mut a, shift, T::from_f64(1.0 + STIFFER))
    }

    fn prune(&self, l: &mut [T]) {
        self.factors.prune(l);
    }

    fn solve(&self, v: &mut [T], z: &mut [T], l: &mut [T]) {
        let first = v.len() + z.len();
        let mut wanted = [T::ZERO; N];
        for (row, (wanted, &l)) in (first..N).zip(wanted.iter_mut().zip(l.iter())) {
            *wanted = l;
            let stiffer = self.stiffer[row];
            if stiffer != T::ZERO {
                for (j, v) in v.iter_mut().enumerate() {
                    *v -= stiffer * self.plain[j][row] * l;
                }
            }
        }
        self.factors.solve(v, z, l);
        // What a row is left with is no force.
        for (row, (l, &wanted)) in (first..N).zip(l.iter_mut().zip(&wanted)) {
            let stiffer = self.stiffer[row];
            if stiffer != T::ZERO {
                let terms = self.plain[row].iter().zip(v.iter().chain(z.iter()));
                *l -= stiffer * terms.fold(-wanted, |left, (&slope, &x)| left + slope * x);
            }
        }
    }
}

/// Φ over the size of the coordinates.
fn tolerated<T: Real, const N: usize>(off: &mut [T; N], phi: &[T], size: T) {
    for (off, &phi) in off.iter_mut().zip(phi) {
        *off = phi / size;
    }
}
