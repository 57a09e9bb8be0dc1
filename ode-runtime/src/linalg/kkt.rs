//! The unsymmetric bordered tangent: LU with partial pivoting on an equilibrated matrix.

use crate::linalg::{Field, Kkt, Singular, dot};
use crate::scalar::Real;
use crate::system::Layout;

/// [`Kkt`] of N = nv + nz + nc unknowns, by loops on the stack.
///
/// Rows and columns are scaled by powers of two first: a step of 1 µs puts M/h and h G side by side, and unscaled pivots would
/// neither be chosen well nor be comparable when looking for a singular one.
#[derive(Clone, Debug)]
pub struct DenseKkt<T, const N: usize> {
    /// L (unit, strictly lower) and U of R A C with rows exchanged
    lu: [[T; N]; N],
    /// reciprocal pivots
    pivots: [T; N],
    /// row of A that stands at each row of `lu`
    order: [usize; N],
    rows: [T; N],
    cols: [T; N],
    /// whether the determinant is negative
    reversed: bool,
}

impl<T: Real, const N: usize> Kkt<T> for DenseKkt<T, N> {
    fn new(_layout: &Layout<'_>) -> Self {
        let one = [T::ONE; N];
        Self { lu: [[T::ZERO; N]; N], pivots: one, order: [0; N], rows: one, cols: one, reversed: false }
    }

    fn factorize(&mut self, layout: &Layout<'_>, values: &[T]) -> Result<(), Singular> {
        self.lu = [[T::ZERO; N]; N];
        layout.tangent.visit(values, |r, c, value| self.lu[r][c] = value);
        self.equilibrate();
        for (i, order) in self.order.iter_mut().enumerate() {
            *order = i;
        }
        self.eliminate()
    }

    fn reversed(&self) -> bool {
        self.reversed
    }

    fn solve(&self, v: &mut [T], z: &mut [T], l: &mut [T]) {
        let mut b = [T::ZERO; N];
        for ((b, &x), &r) in b.iter_mut().zip(v.iter().chain(z.iter()).chain(l.iter())).zip(&self.rows) {
            *b = x * r;
        }
        let mut x = [T::ZERO; N];
        for i in 0..N {
            x[i] = b[self.order[i]] - dot(&self.lu[i][..i], &x[..i]);
        }
        for i in (0..N).rev() {
            x[i] = (x[i] - dot(&self.lu[i][i + 1..], &x[i + 1..])) * self.pivots[i];
        }
        let unknowns = v.iter_mut().chain(z.iter_mut()).chain(l.iter_mut());
        for ((out, &x), &c) in unknowns.zip(&x).zip(&self.cols) {
            *out = x * c;
        }
    }
}

impl<T: Real, const N: usize> DenseKkt<T, N> {
    /// Scales by powers of two: first the rows to a largest entry in [1, 2), then the columns. Entries that are not finite
    /// scale by one and end in a pivot that is refused, or in a solution the caller refuses.
    fn equilibrate(&mut self) {
        let mut largest = [T::ZERO; N];
        for (row, scale) in self.lu.iter_mut().zip(&mut self.rows) {
            let norm = row.iter().fold(T::ZERO, |norm, x| larger(norm, x.abs()));
            *scale = norm.equalizer();
            for (x, largest) in row.iter_mut().zip(&mut largest) {
                *x *= *scale;
                *largest = larger(*largest, x.abs());
            }
        }
        self.cols = largest.map(Field::equalizer);
        for row in &mut self.lu {
            for (x, &scale) in row.iter_mut().zip(&self.cols) {
                *x *= scale;
            }
        }
    }

    /// LU in place with row exchanges.
    fn eliminate(&mut self) -> Result<(), Singular> {
        // After equilibration every column had an entry of about 1.
        let tolerance = T::from_f64(N as f64) * T::EPSILON;
        self.reversed = false;
        for k in 0..N {
            let (mut best, mut at) = (T::ZERO, k);
            for i in k..N {
                let candidate = self.lu[i][k].abs();
                if candidate > best {
                    (best, at) = (candidate, i);
                }
            }
            if !(best > tolerance && best < T::INFINITY) {
                return Err(Singular { index: k });
            }
            self.lu.swap(k, at);
            self.order.swap(k, at);
            let (above, below) = self.lu.split_at_mut(k + 1);
            let Some(pivot_row) = above.last() else { break };
            let recip = pivot_row[k].recip();
            self.reversed ^= (recip < T::ZERO) != (at != k);
            self.pivots[k] = recip;
            for row in below {
                let factor = row[k] * recip;
                row[k] = factor;
                // Structural zeros are common below the pivot.
                if factor != T::ZERO {
                    for (x, &p) in row[k + 1..].iter_mut().zip(&pivot_row[k + 1..]) {
                        *x -= factor * p;
                    }
                }
            }
        }
        Ok(())
    }
}

/// Unlike `max` it ignores NaN, and compiles to one instruction.
#[inline(always)]
fn larger<T: Real>(a: T, b: T) -> T {
    if b > a { b } else { a }
}
