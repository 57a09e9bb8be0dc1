//! Factors of M alone, without the rows of constraints.

use crate::error::Cause;
use crate::linalg::Square;
use crate::model::layout::Layout;
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;
use crate::solve::{Canonical, dot, undetermined};

/// M = L D Lᵀ in the upper left of a matrix that has room for more.
#[derive(Debug)]
pub(crate) struct MassFactors<S: Solvable> {
    square: S::Assembly,
    /// M itself, solved each time with a search for pivots: if a pivot lost its digits, and where it is not dense.
    searched: bool,
}

impl<S: Solvable> MassFactors<S> {
    pub(crate) fn new(layout: &Layout<'_>) -> Self {
        let square = S::Assembly::new(layout);
        Self { square, searched: false }
    }

    /// Factorises the sum of these shares of the M of two evaluations.
    pub(crate) fn factorize<U>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        one: (S::Real, &Canonical<S>),
        other: (S::Real, &Canonical<S>),
    ) {
        cx.work.factorizations += 1;
        let (nv, size) = (cx.system.layout().v.len(), self.square.size());
        self.searched = true;
        if !S::Assembly::SPARSE {
            let (a, _) = self.square.room(nv * nv);
            a.fill(S::Real::ZERO);
            spread(cx.system, [one, other], |r, c, m| {
                if let Some(entry) = a.get_mut(r * nv + c) {
                    *entry = m;
                }
            });
            self.searched = !eliminate(a, nv, nv);
        }
        if self.searched {
            self.square.clear();
            spread(cx.system, [one, other], |r, c, m| self.square.set(r, c, m));
            (nv..size).for_each(|i| self.square.set(i, i, S::Real::ONE));
        }
    }

    /// M⁻¹ x in the place of `x`.
    ///
    /// # Errors
    /// [`Cause::Singular`] naming the coordinate.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn solve(&mut self, layout: &Layout<'_>, x: &mut S::V) -> Result<(), Cause> {
        if self.searched {
            return self.search(layout, x.as_mut());
        }
        let nv = x.as_ref().len();
        substitute(self.square.room(nv * nv).0, x.as_mut());
        Ok(())
    }

    #[cold]
    fn search(&mut self, layout: &Layout<'_>, x: &mut [S::Real]) -> Result<(), Cause> {
        self.square.rhs().fill(S::Real::ZERO);
        for (b, &x) in self.square.rhs().iter_mut().zip(x.iter()) {
            *b = x;
        }
        self.square.solve().map_err(|singular| undetermined(layout, 0, singular))?;
        for (x, &b) in x.iter_mut().zip(self.square.rhs().iter()) {
            *x = b;
        }
        Ok(())
    }
}

/// Both triangles of the sum.
fn spread<S: Solvable>(
    system: &S,
    [one, other]: [(S::Real, &Canonical<S>); 2],
    mut put: impl FnMut(usize, usize, S::Real),
) {
    let sum = one.1.mass().iter().zip(other.1.mass()).map(|(&m, &n)| one.0 * m + other.0 * n);
    for ((r, c), m) in system.layout().mass.entries().zip(sum) {
        put(r, c, m);
        if r != c {
            put(c, r, m);
        }
    }
}

/// L below the diagonal and D⁻¹ on it, in rows of `size`; false if a pivot is unsound.
#[cfg_attr(not(debug_assertions), inline(always))]
fn eliminate<T: Real>(a: &mut [T], count: usize, size: usize) -> bool {
    for k in 0..count {
        let (done, rest) = a.split_at_mut(k * size);
        let Some((own, left)) = rest.get_mut(..k + 1).and_then(<[_]>::split_last_mut) else { return false };
        let scale = own.abs();
        // Row k of L D, then of L.
        for j in 0..k {
            let Some(row) = done.get(j * size..j * size + j) else { return false };
            let sum = dot(row, left);
            if let Some(x) = left.get_mut(j) {
                *x -= sum;
            }
        }
        for (j, x) in left.iter_mut().enumerate() {
            let Some(&inverse) = done.get(j * size + j) else { return false };
            let l = *x * inverse;
            *own -= l * *x;
            *x = l;
        }
        if !(*own > T::PIVOT_TOLERANCE * scale) {
            return false;
        }
        *own = own.recip();
    }
    true
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn substitute<T: Real>(a: &[T], x: &mut [T]) {
    let size = x.len();
    for k in 0..x.len() {
        let (head, tail) = x.split_at_mut(k);
        if let (Some(x), Some(row)) = (tail.first_mut(), a.get(k * size..k * size + k)) {
            *x -= dot(row, head);
        }
    }
    for (k, x) in x.iter_mut().enumerate() {
        *x *= a.get(k * size + k).copied().unwrap_or(T::ONE);
    }
    for k in (0..x.len()).rev() {
        let (head, tail) = x.split_at_mut(k);
        if let (Some(&own), Some(row)) = (tail.first(), a.get(k * size..k * size + k)) {
            for (x, &l) in head.iter_mut().zip(row) {
                *x -= l * own;
            }
        }
    }
}
