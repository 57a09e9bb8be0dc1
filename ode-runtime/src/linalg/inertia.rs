//! Whether M is positive along every motion that the constraints allow.
//!
//! T = ½ vᵀ M v is arbitrary for velocities that constraints forbid: adding a multiple of Φ̇² changes M but no motion.
//! So M may be indefinite, but not on the kernel of G. Equivalently, [M Gᵀ; G 0] has nv positive and nc negative
//! eigenvalues. The signs of pivots show this at no cost. If they are wrong, or lost their digits, this function
//! decides for starts, methods, projections and analyses alike. Implicit methods do not factorise M: they check it when
//! a run begins, in constrained models with `Multipliers::AtState` at each step, and for varying M whenever the
//! determinant of their matrix becomes negative, which stiffness may cause too.
//!
//! Each row of G is eliminated with one velocity, as a pivot of order two with one eigenvalue of each sign. The
//! velocity chosen is the lightest that the row moves: heavy ones stay, so that light ones are not computed as
//! differences of heavy ones. The rest of M is eliminated by its largest diagonal entries. Every entry is judged by the
//! size of the terms in its sum.
//!
//! Reference: M. Benzi, G. H. Golub, J. Liesen, Numerical solution of saddle point problems, Acta Numerica 14 (2005)
//! 1–137, §3.4, §6.

use crate::model::layout::{Layout, RowKind};
use crate::numbers::scalar::Real;

/// What M is along the motions that the constraints allow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Inertia<T> {
    /// Each of them has inertia.
    Positive,
    /// One of them, for this velocity among others, cannot be told from round-off.
    Zero {
        /// the velocity
        index: usize,
    },
    /// One of them has a negative one.
    Negative {
        /// the velocity
        index: usize,
        /// its effective inertia with the constraints satisfied and the others free
        value: T,
    },
}

/// Writes both triangles of [M Gᵀ; G 0] by rows, n = nv + nc of them in `out`; compliant rows have −1 on the diagonal.
pub(crate) fn spread<T: Real>(layout: &Layout<'_>, mass: &[T], jacobian: &[T], out: &mut [T]) {
    let nv = layout.v.len();
    let n = nv + layout.constraints.len();
    out.fill(T::ZERO);
    let mut put = |r: usize, c: usize, value: T| {
        if let Some(entry) = out.get_mut(r * n + c) {
            *entry = value;
        }
    };
    for row in (0..n - nv).filter(|&row| layout.kind(row) == RowKind::Compliant) {
        put(nv + row, nv + row, -T::ONE);
    }
    layout.mass.visit(mass, |r, c, value| {
        put(r, c, value);
        put(c, r, value);
    });
    layout.jacobian.visit(jacobian, |r, c, value| {
        put(nv + r, c, value);
        put(c, nv + r, value);
    });
}

/// Inertia of the matrix that [`spread`] writes. Its entries are finite, and overwritten; `v` and `l` are scratch, one
/// number for each velocity and row.
pub(crate) fn inertia<T: Real>(a: &mut [T], v: &mut [T], l: &mut [T]) -> Inertia<T> {
    let n = v.len() + l.len();
    let mut reduction = Reduction { a, n, v, l, tolerance: T::from_f64(4.0 * (n + 1) as f64) * T::EPSILON };
    reduction.constrain();
    reduction.judge()
}

/// The matrix as it is eliminated; both triangles of M, and G below it.
struct Reduction<'a, T> {
    a: &'a mut [T],
    n: usize,
    /// the terms of each diagonal entry of M; negative once the velocity is eliminated
    v: &'a mut [T],
    /// the initial size of each row of G; negative once it is eliminated
    l: &'a mut [T],
    /// of an entry against its terms
    tolerance: T,
}

impl<T: Real> Reduction<'_, T> {
    fn at(&self, r: usize, c: usize) -> T {
        self.a[r * self.n + c]
    }

    fn take(&mut self, r: usize, c: usize, share: T) {
        self.a[r * self.n + c] -= share;
    }

    /// The row of G, as one of the matrix.
    fn row(&self, r: usize) -> usize {
        self.v.len() + r
    }

    /// Takes a velocity out with each row of G.
    fn constrain(&mut self) {
        for i in 0..self.v.len() {
            self.v[i] = self.at(i, i).abs();
        }
        for r in 0..self.l.len() {
            self.l[r] = T::ONE;
            let (_, size) = self.lightest(r);
            self.l[r] = if size > T::ZERO { size } else { -T::ONE };
        }
        loop {
            let mut best = (0, 0, self.tolerance);
            for r in (0..self.l.len()).filter(|&r| self.l[r] > T::ZERO) {
                let (c, size) = self.lightest(r);
                if size > best.2 {
                    best = (r, c, size);
                }
            }
            let (r, c, size) = best;
            if !(size > self.tolerance) {
                return;
            }
            self.eliminate_pair(r, c);
        }
    }

    /// The velocity that row r moves most, each relative to the square root of its inertia, and the share of the row
    /// that is left.
    fn lightest(&self, r: usize) -> (usize, T) {
        let least = self.v.iter().fold(T::INFINITY, |least, &x| if x > T::ZERO { least.min(x) } else { least });
        let massless = if least.is_finite() { T::EPSILON * least } else { T::ONE };
        let mut best = (0, T::ZERO);
        for (c, &terms) in self.v.iter().enumerate().filter(|&(_, &terms)| terms >= T::ZERO) {
            let size = self.at(self.row(r), c).abs() / (terms.max(massless).sqrt() * self.l[r]);
            if size > best.1 {
                best = (c, size);
            }
        }
        best
    }

    /// Eliminates velocity c and the multiplier of row r, by [m g; g 0].
    fn eliminate_pair(&mut self, r: usize, c: usize) {
        let (nv, row) = (self.v.len(), self.row(r));
        let (m, g) = (self.at(c, c), self.at(row, c));
        self.l[r] = -T::ONE;
        self.v[c] = -T::ONE;
        for i in (0..nv).filter(|&i| i != c) {
            if self.v[i] < T::ZERO {
                continue;
            }
            let (p, h) = (self.at(i, c), self.at(row, i) / g);
            if h == T::ZERO && p == T::ZERO {
                continue;
            }
            self.v[i] += ((p + p) * h).abs() + (m * h * h).abs();
            for j in (0..nv).filter(|&j| j != c) {
                let (q, k) = (self.at(j, c), self.at(row, j) / g);
                self.take(i, j, p * k + h * q - m * h * k);
            }
            for other in nv..self.n {
                if self.l[other - nv] > T::ZERO {
                    let share = self.at(other, c) * h;
                    self.take(other, i, share);
                }
            }
        }
    }

    /// The smallest and the largest remaining diagonal entry, relative to their terms.
    fn extremes(&self) -> [(usize, T); 2] {
        let mut found = [(0, T::ZERO); 2];
        for (i, &terms) in self.v.iter().enumerate().filter(|&(_, &terms)| terms > T::ZERO) {
            let size = self.at(i, i) / terms;
            if size < found[0].1 {
                found[0] = (i, size);
            }
            if size > found[1].1 {
                found[1] = (i, size);
            }
        }
        found
    }

    /// Eliminates the positive part of M, the largest first, and examines the rest.
    fn judge(&mut self) -> Inertia<T> {
        loop {
            let [(low, smallest), (high, largest)] = self.extremes();
            if largest > self.tolerance {
                self.eliminate(high);
            } else if smallest < -self.tolerance {
                return Inertia::Negative { index: low, value: self.at(low, low) };
            } else {
                return self.unclear().unwrap_or_else(|| self.flat());
            }
        }
    }

    /// A diagonal entry that is not zero in all lanes, where they have no common sign.
    fn unclear(&self) -> Option<Inertia<T>> {
        let left = self.v.iter().enumerate().filter(|&(_, &terms)| !(terms < T::ZERO));
        let size = |i: usize, terms: T| T::select(T::ZERO.lt(terms), self.at(i, i) / terms, T::ZERO);
        let mut sizes = left.map(|(i, &terms)| (i, size(i, terms)));
        let (index, _) = sizes.find(|(_, size)| !(size.abs() <= self.tolerance))?;
        Some(Inertia::Negative { index, value: self.at(index, index) })
    }

    fn eliminate(&mut self, k: usize) {
        let nv = self.v.len();
        let pivot = self.at(k, k);
        self.v[k] = -T::ONE;
        for i in 0..nv {
            let u = self.at(i, k);
            if self.v[i] < T::ZERO || u == T::ZERO {
                continue;
            }
            let share = u / pivot;
            self.v[i] += (share * u).abs();
            for j in (0..nv).filter(|&j| j != k) {
                let other = self.at(k, j);
                self.take(i, j, share * other);
            }
        }
    }

    /// The diagonal is zero: entries beside it then give both signs.
    fn flat(&self) -> Inertia<T> {
        let mut left = (0..self.v.len()).filter(|&i| self.v[i] >= T::ZERO);
        let Some(first) = left.next() else { return Inertia::Positive };
        let mut found = Inertia::Zero { index: first };
        let mut most = self.tolerance;
        for i in 0..self.v.len() {
            for j in (0..i).filter(|&j| self.v[i] >= T::ZERO && self.v[j] >= T::ZERO) {
                let (entry, terms) = (self.at(i, j).abs(), (self.v[i] * self.v[j]).sqrt());
                // in any lane
                if T::select((most * terms).lt(entry), T::ONE, T::ZERO) != T::ZERO {
                    found = Inertia::Negative { index: i, value: -entry };
                    most = T::select(T::ZERO.lt(terms), entry / terms, T::INFINITY);
                }
            }
        }
        found
    }
}
