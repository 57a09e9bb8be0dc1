//! The unsymmetric bordered tangent: LU with partial pivoting on an equilibrated matrix.

use crate::linalg::filter::{dependent, filtered, shifts_of_tangent};
use crate::linalg::{Iterated, Kkt, Lanes, LanesMut, Singular, Unsolved, dot};
use crate::model::layout::Layout;
use crate::numbers::field::Field;
use crate::numbers::lanes::one_by_one;
use crate::numbers::scalar::{Real, Scalar};

/// [`Kkt`] of N = nv + nz + nc unknowns, by loops.
///
/// Rows and columns are first scaled by powers of two. A step of 1 µs puts M/h and h G side by side; without scaling,
/// pivots would be chosen badly and could not be compared in the test for singularity.
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
    /// whether the determinant is negative, in any lane
    reversed: bool,
    /// the shift of the diagonal, if rows may be dependent
    shift: Option<[T; N]>,
}

impl<T: Real, const N: usize> Kkt<T> for DenseKkt<T, N> {
    fn new(_layout: &Layout<'_>) -> Self {
        let one = [T::ONE; N];
        Self { lu: [[T::ZERO; N]; N], pivots: one, order: [0; N], rows: one, cols: one, reversed: false, shift: None }
    }

    fn factorize(&mut self, layout: &Layout<'_>, values: &[T]) -> Result<(), Singular> {
        self.shift = None;
        spread(layout, values, &mut self.lu);
        self.decompose(T::ONE)
    }

    fn factorize_transposed(&mut self, layout: &Layout<'_>, values: &[T]) -> Result<bool, Singular> {
        self.shift = None;
        spread(layout, values, &mut self.lu);
        transpose(&mut self.lu);
        self.decompose(T::ONE).map(|()| true)
    }

    fn reversed(&self) -> bool {
        self.reversed
    }

    fn soften(&mut self, layout: &Layout<'_>, values: &[T]) -> Result<(), Singular> {
        self.filter(layout, values, &[T::ZERO; N])
    }

    fn soften_transposed(&mut self, layout: &Layout<'_>, values: &[T]) -> Result<(), Singular> {
        self.filter_transposed(layout, values, &[T::ZERO; N])
    }

    fn solve(&self, v: &mut [T], z: &mut [T], l: &mut [T]) -> Result<Iterated, Unsolved> {
        let mut x = [T::ZERO; N];
        for (x, &b) in x.iter_mut().zip(v.iter().chain(z.iter()).chain(l.iter())) {
            *x = b;
        }
        match &self.shift {
            None => self.apply(&mut x),
            Some(shift) => filtered(shift, &mut x, |x| self.apply(x)),
        }
        for (out, &x) in v.iter_mut().chain(z).chain(l).zip(&x) {
            *out = x;
        }
        Ok(Iterated::default())
    }

    fn solve_lanes(&self, x: LanesMut<'_, T>, _room: (&mut [T], &mut [T], &mut [T])) -> Result<(), Unsolved> {
        let Ok(x) = x.try_into() else { return Ok(()) };
        match &self.shift {
            None => self.apply_lanes(x),
            Some(shift) => one_by_one(x, |x| filtered(shift, x, |x| self.apply(x))),
        }
        Ok(())
    }
}

/// The nonzeros of the tangent among zeros, by rows.
pub(super) fn spread<T: Real, const N: usize>(layout: &Layout<'_>, values: &[T], a: &mut [[T; N]; N]) {
    a.as_flattened_mut().fill(T::ZERO);
    layout.tangent.visit(values, |r, c, value| a[r][c] = value);
}

fn transpose<T, const N: usize>(a: &mut [[T; N]; N]) {
    for r in 0..N {
        let (above, below) = a.split_at_mut(r + 1);
        let Some(row) = above.last_mut() else { break };
        row[r + 1..].iter_mut().zip(below).for_each(|(entry, other)| core::mem::swap(entry, &mut other[r]));
    }
}

impl<T: Real, const N: usize> DenseKkt<T, N> {
    /// Factorises with redundant rows, at a point that is `off`: see [`filtered`].
    pub(super) fn filter(&mut self, layout: &Layout<'_>, values: &[T], off: &[T; N]) -> Result<(), Singular> {
        spread(layout, values, &mut self.lu);
        let shift = shifts_of_tangent(layout, &self.lu, off);
        self.shifted(shift, T::ONE)
    }

    /// As [`DenseKkt::filter`], of the transposed matrix: solves are the transposes of those with the matrix.
    pub(super) fn filter_transposed(
        &mut self,
        layout: &Layout<'_>,
        values: &[T],
        off: &[T; N],
    ) -> Result<(), Singular> {
        spread(layout, values, &mut self.lu);
        let shift = shifts_of_tangent(layout, &self.lu, off);
        transpose(&mut self.lu);
        self.shifted(shift, T::ONE)
    }

    /// The room of the factors, for the matrix of [`DenseKkt::shifted`].
    pub(super) fn matrix(&mut self) -> &mut [[T; N]; N] {
        &mut self.lu
    }

    /// Factorises what has been written there, with `shift` on its diagonal; its entries are known up to ε times
    /// `blur`.
    pub(super) fn shifted(&mut self, shift: [T; N], blur: T) -> Result<(), Singular> {
        for (i, &s) in shift.iter().enumerate() {
            self.lu[i][i] += s;
        }
        self.shift = Some(shift);
        self.decompose(blur)
    }

    /// Reduces multipliers to those of least size, if rows may be dependent.
    pub(super) fn prune(&self, l: &mut [T]) {
        let Some(shift) = &self.shift else { return };
        let first = N.saturating_sub(l.len());
        let x = core::array::from_fn(|i| i.checked_sub(first).and_then(|row| l.get(row)).copied().unwrap_or(T::ZERO));
        let rest = dependent(shift, x, |x| self.apply(x));
        for ((l, &rest), &s) in l.iter_mut().zip(&rest[first..]).zip(&shift[first..]) {
            // compliant rows have no shift, and multipliers of their own
            if s != T::ZERO {
                *l -= rest;
            }
        }
    }

    /// Factorises in place a matrix whose entries are known up to ε times `blur`.
    fn decompose(&mut self, blur: T) -> Result<(), Singular> {
        self.equilibrate();
        for (i, order) in self.order.iter_mut().enumerate() {
            *order = i;
        }
        // After equilibration every column had an entry of about 1.
        self.eliminate(T::from_f64(N as f64) * blur * T::EPSILON)
    }

    /// Solves in place.
    fn apply(&self, x: &mut [T; N]) {
        let mut b = *x;
        for (b, &r) in b.iter_mut().zip(&self.rows) {
            *b *= r;
        }
        for i in 0..N {
            x[i] = b[self.order[i]] - dot(&self.lu[i][..i], &x[..i]);
        }
        for i in (0..N).rev() {
            x[i] = (x[i] - dot(&self.lu[i][i + 1..], &x[i + 1..])) * self.pivots[i];
        }
        for (x, &c) in x.iter_mut().zip(&self.cols) {
            *x *= c;
        }
    }

    /// The same for all lanes.
    fn apply_lanes(&self, x: &mut [Lanes<T>; N]) {
        let mut b = *x;
        for (b, &r) in b.iter_mut().zip(&self.rows) {
            *b = *b * r;
        }
        let less =
            |b: Lanes<T>, row: &[T], x: &[Lanes<T>]| row.iter().zip(x).fold(b, |b, (&factor, &x)| b - x * factor);
        for i in 0..N {
            x[i] = less(b[self.order[i]], &self.lu[i][..i], &x[..i]);
        }
        for i in (0..N).rev() {
            x[i] = less(x[i], &self.lu[i][i + 1..], &x[i + 1..]) * self.pivots[i];
        }
        for (x, &c) in x.iter_mut().zip(&self.cols) {
            *x = *x * c;
        }
    }

    /// Scales by powers of two: first the rows to a largest entry in [1, 2), then the columns. Entries that are not
    /// finite scale by one, and end in a refused pivot or a refused solution.
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

    /// LU in place with row exchanges; pivots within the tolerance count as zero.
    fn eliminate(&mut self, tolerance: T) -> Result<(), Singular> {
        let mut sign = T::ONE;
        for k in 0..N {
            let (mut best, mut at, mut most) = (T::ZERO, k, T::ZERO);
            for i in k..N {
                let candidate = self.lu[i][k].abs();
                most = larger(most, candidate);
                if candidate > best {
                    (best, at) = (candidate, i);
                }
            }
            // Lanes that have no good pivot in common are refused.
            if !(best > tolerance && best < T::INFINITY && best >= T::from_f64(0.1) * most) {
                return Err(Singular { index: k });
            }
            self.lu.swap(k, at);
            self.order.swap(k, at);
            let (above, below) = self.lu.split_at_mut(k + 1);
            let Some(pivot_row) = above.last() else { break };
            let recip = pivot_row[k].recip();
            sign = T::select(recip.lt(T::ZERO), -sign, sign);
            if at != k {
                sign = -sign;
            }
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
        self.reversed = !(sign > T::ZERO);
        Ok(())
    }
}

/// Unlike `max` it ignores NaN, and compiles to one instruction.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn larger<T: Real>(a: T, b: T) -> T {
    T::select(Scalar::lt(a, b), b, a)
}
