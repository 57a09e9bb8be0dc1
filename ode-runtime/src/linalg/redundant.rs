//! Matrices of models with redundant rows, solved by the [polynomial](super::filter) of their quasi-definite factors.

use nalgebra::{Const, DimMin};

use crate::linalg::filter::{blur_of, filtered, shift_saddle, tolerated};
use crate::linalg::kkt::spread;
use crate::linalg::saddle::{gather, scatter, symmetric};
use crate::linalg::{DenseKkt, DenseSaddle, Iterated, Kkt, Saddle, Singular, Unsolved};
use crate::model::layout::{Layout, RowKind};
use crate::numbers::scalar::Real;

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
        let mut x = gather(v, l, T::ZERO);
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
    fn share(&mut self, layout: &Layout<'_>) -> [T; N] {
        let a = &self.plain;
        let (motion, first) = (layout.v.len(), layout.v.len() + layout.z.len());
        let bound = self.bound(a, motion);
        let tau = blur_of(a, &self.off, first);
        let mut shift = [T::ZERO; N];
        for row in (first..N).filter(|&row| layout.kind(row - first) != RowKind::Compliant) {
            let moved = (0..motion).filter(|&j| bound[j] > T::ZERO);
            let give = moved.fold(T::ZERO, |sum, j| sum + (a[row][j] * a[j][row]).abs() / bound[j]);
            let give = if give > T::ZERO { give } else { T::ONE };
            shift[row] = tau * tau * give / T::from_f64(1.0 + STIFFER);
            self.stiffer[row] = T::from_f64(STIFFER) / give;
        }
        let a = self.factors.matrix();
        *a = self.plain;
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
        spread(layout, values, &mut self.plain);
        self.stiffer = [T::ZERO; N];
        let shift = self.share(layout);
        self.factors.shifted(shift, T::from_f64(1.0 + STIFFER))
    }

    fn factorize_transposed(&mut self, layout: &Layout<'_>, values: &[T]) -> Result<bool, Singular> {
        self.stiffer = [T::ZERO; N];
        self.factors.filter_transposed(layout, values, &self.off).map(|()| true)
    }

    fn prune(&self, l: &mut [T]) {
        self.factors.prune(l);
    }

    fn solve(&self, v: &mut [T], z: &mut [T], l: &mut [T]) -> Result<Iterated, Unsolved> {
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
        let solved = self.factors.solve(v, z, l)?;
        // What a row is left with is no force.
        for (row, (l, &wanted)) in (first..N).zip(l.iter_mut().zip(&wanted)) {
            let stiffer = self.stiffer[row];
            if stiffer != T::ZERO {
                let terms = self.plain[row].iter().zip(v.iter().chain(z.iter()));
                *l -= stiffer * terms.fold(-wanted, |left, (&slope, &x)| left + slope * x);
            }
        }
        Ok(solved)
    }
}
