//! Equilibrated LU with full pivoting, by nalgebra: slow, stable, and able to name the undetermined unknown.

use nalgebra::{ArrayStorage, Const, DimMin, FullPivLU, SMatrix, SVector};

use crate::linalg::{Factored, Singular};
use crate::numbers::scalar::Real;

/// R A C = P⁻¹ L U Q⁻¹ with powers of two R and C.
#[derive(Clone, Debug)]
pub struct FullPivot<T: Real, const N: usize>
where
    Const<N>: DimMin<Const<N>, Output = Const<N>>,
{
    lu: FullPivLU<T::Entry, Const<N>, Const<N>>,
    rows: [T; N],
    cols: [T; N],
}

impl<T: Real, const N: usize> FullPivot<T, N>
where
    Const<N>: DimMin<Const<N>, Output = Const<N>>,
{
    /// Decomposes `a`, given by rows.
    pub(super) fn new(a: &[[T; N]; N]) -> Result<Self, Singular> {
        let (rows, cols) = equalizers(a)?;
        let lu = factors(a, &rows, &cols);
        let pivot = |k: usize| T::from_entry(lu.lu_internal()[(k, k)]).abs();
        let scale = if N == 0 { T::ONE } else { pivot(0) };
        let tolerance = T::from_f64(N as f64) * T::EPSILON * scale;
        for k in 0..N {
            // Written so that NaN fails; a zero matrix fails at its first pivot.
            if !(pivot(k) > tolerance) {
                let mut order = nalgebra::RowSVector::<usize, N>::from_fn(|_, j| j);
                lu.q().permute_columns(&mut order);
                return Err(Singular { index: order[k] });
            }
        }
        Ok(Self { lu, rows, cols })
    }

    /// Solves in place.
    pub(super) fn solve(&self, x: &mut [T; N]) {
        // nalgebra looks for a last pivot
        if N == 0 {
            return;
        }
        let mut b = SVector::<T::Entry, N>::from_fn(|i, _| (x[i] * self.rows[i]).entry());
        // Rank was established in `new`, so this cannot fail.
        let _ = self.lu.solve_mut(&mut b);
        for i in 0..N {
            x[i] = T::from_entry(b[i]) * self.cols[i];
        }
    }
}

impl<T: Real, const N: usize> Factored<T> for FullPivot<T, N>
where
    Const<N>: DimMin<Const<N>, Output = Const<N>>,
{
    fn solve(&self, x: &mut [T]) {
        if let Ok(x) = <&mut [T; N]>::try_from(x) {
            self.solve(x);
        }
    }
}

/// The factors of R A C. By itself, because without optimisation each move of a large matrix is room on the stack.
#[inline(never)]
fn factors<T: Real, const N: usize>(
    a: &[[T; N]; N],
    rows: &[T; N],
    cols: &[T; N],
) -> FullPivLU<T::Entry, Const<N>, Const<N>>
where
    Const<N>: DimMin<Const<N>, Output = Const<N>>,
{
    let mut columns = ArrayStorage([[T::ZERO.entry(); N]; N]);
    for (j, column) in columns.0.iter_mut().enumerate() {
        for (i, entry) in column.iter_mut().enumerate() {
            *entry = (a[i][j] * rows[i] * cols[j]).entry();
        }
    }
    FullPivLU::new(SMatrix::from_array_storage(columns))
}

/// Powers of two R and C that bring the largest entry of each row, then of each column of R A C into [1, 2).
fn equalizers<T: Real, const N: usize>(a: &[[T; N]; N]) -> Result<([T; N], [T; N]), Singular> {
    let (mut rows, mut cols) = ([T::ONE; N], [T::ONE; N]);
    let mut largest = [T::ZERO; N];
    for i in 0..N {
        let norm = a[i].iter().fold(T::ZERO, |norm, x| norm.max(x.abs()));
        if !norm.is_finite() {
            let index = a[i].iter().position(|x| !x.is_finite()).unwrap_or(i);
            return Err(Singular { index });
        }
        rows[i] = norm.equalizer();
        for j in 0..N {
            largest[j] = largest[j].max((a[i][j] * rows[i]).abs());
        }
    }
    for j in 0..N {
        cols[j] = largest[j].equalizer();
    }
    Ok((rows, cols))
}
