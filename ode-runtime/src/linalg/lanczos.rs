//! The eigenvalues of largest magnitude of an operator that is symmetric in an inner product: Lanczos' method with
//! several starts and full orthogonalisation.
//!
//! Each vector of a B-orthonormal basis is multiplied in its turn, and what the basis does not have of the product
//! joins it. With b starts an eigenvalue of multiplicity b is found b times, in exact arithmetic too. If nothing joins,
//! a start that looks random does; if that is in the basis as well, the basis is the whole space. When there is no room
//! left, the basis is rotated to Ritz vectors, and the best of them stay (thick restart); what was not yet multiplied
//! stays behind them.
//!
//! References: A. Ruhe, Implementation aspects of band Lanczos algorithms for computation of eigenvalues of large
//! sparse symmetric matrices, Math. Comp. 33 (1979); K. Wu, H. Simon, Thick-restart Lanczos method for large symmetric
//! eigenvalue problems, SIAM J. Matrix Anal. Appl. 22 (2000).

use std::vec::Vec;

use crate::linalg::{Matrix, dot, symmetric_modes};
use crate::numbers::scalar::Real;

/// An operator A with xᵀ B A y = (A x)ᵀ B y.
pub(crate) trait Operator<T> {
    /// why it cannot be applied
    type Error;

    /// How many entries a vector has.
    fn size(&self) -> usize;

    /// B x.
    fn weigh(&self, x: &[T]) -> Vec<T>;

    /// A x, of B x.
    fn apply(&self, weighed: Vec<T>) -> Result<Vec<T>, Self::Error>;
}

/// Starts, found at once where eigenvalues are equal.
const STARTS: usize = 3;
/// Products between two looks at the Ritz values.
const LOOK: usize = 6;
/// What counts as round-off of a product, in units of ε and of the largest eigenvalue.
const LOST: f64 = 1e3;

/// A Krylov space.
pub(crate) struct Lanczos<T> {
    /// B-orthonormal; the first, as many as `columns`, have been multiplied
    basis: Vec<Vec<T>>,
    /// vᵢᵀ B A vⱼ by j
    columns: Vec<Vec<T>>,
    /// the largest entry of them
    size: T,
    random: u64,
    /// whether the basis is the whole space
    whole: bool,
    /// products
    products: usize,
}

/// Approximate eigenvalues of an operator, |θ| descending, and the vectors of the basis that give them.
struct Ritz<T> {
    values: Vec<T>,
    vectors: Matrix<T>,
    /// |A x − θ x|
    left: Vec<T>,
}

/// Eigenvalues θ, |θ| descending, and their vectors, xᵀ B x = 1.
pub(crate) struct Extreme<T> {
    pub(crate) values: Vec<T>,
    pub(crate) vectors: Vec<Vec<T>>,
}

impl<T: Real> Lanczos<T> {
    pub(crate) fn new() -> Self {
        Self {
            basis: Vec::new(),
            columns: Vec::new(),
            size: T::ZERO,
            random: 0x9e37_79b9_7f4a_7c15,
            whole: false,
            products: 0,
        }
    }

    /// A number in (−1, 1) that looks random.
    fn number(&mut self) -> T {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        T::from_f64((self.random >> 11) as f64 / (1u64 << 52) as f64 - 1.0)
    }

    /// Adds a start of its own; whether there was one that is not in the space.
    pub(crate) fn begin<O: Operator<T>>(&mut self, of: &O) -> Result<bool, O::Error> {
        let mut x: Vec<T> = (0..of.size()).map(|_| self.number()).collect();
        // First without what is there: the product would show little of the rest beside it.
        let (_, length) = self.orthogonalize(of, &mut x);
        let mut x = of.apply(of.weigh(&x))?;
        let before = dot(&x, &of.weigh(&x)).max(T::ZERO).sqrt();
        let (_, after) = self.orthogonalize(of, &mut x);
        let new = after > T::EPSILON.sqrt() * before && after > self.lost() * length;
        if new {
            self.join(x, after);
        }
        self.whole = !new;
        Ok(new)
    }

    /// The size of a product that may be round-off.
    fn lost(&self) -> T {
        T::from_f64(LOST) * T::EPSILON * self.size
    }

    fn join(&mut self, mut x: Vec<T>, length: T) {
        x.iter_mut().for_each(|x| *x *= length.recip());
        self.basis.push(x);
    }

    /// Removes from x what the basis has of it; the shares of the basis, and the length of the rest.
    fn orthogonalize<O: Operator<T>>(&self, of: &O, x: &mut [T]) -> (Vec<T>, T) {
        let mut shares = std::vec![T::ZERO; self.basis.len()];
        let mut weighed = of.weigh(x);
        let mut length = dot(x, &weighed).max(T::ZERO).sqrt();
        // twice is enough, unless next to nothing is left
        for _ in 0..4 {
            for (share, v) in shares.iter_mut().zip(&self.basis) {
                let along = dot(v, &weighed);
                *share += along;
                x.iter_mut().zip(v).for_each(|(x, &v)| *x -= along * v);
            }
            weighed = of.weigh(x);
            let before = core::mem::replace(&mut length, dot(x, &weighed).max(T::ZERO).sqrt());
            if !(length < T::from_f64(0.7) * before) {
                break;
            }
        }
        (shares, length)
    }

    /// Multiplies the next vector.
    fn advance<O: Operator<T>>(&mut self, of: &O) -> Result<(), O::Error> {
        let Some(next) = self.basis.get(self.columns.len()) else {
            self.begin(of)?;
            return Ok(());
        };
        let mut x = of.apply(of.weigh(next))?;
        self.products += 1;
        let (mut column, left) = self.orthogonalize(of, &mut x);
        self.size = column.iter().fold(self.size, |size, x| size.max(x.abs()));
        if left > self.lost() && !self.whole {
            self.join(x, left);
            column.push(left);
        }
        self.columns.push(column);
        Ok(())
    }

    /// vᵢᵀ B A vⱼ, where j has been multiplied.
    fn entry(&self, i: usize, j: usize) -> T {
        self.columns[j].get(i).copied().unwrap_or(T::ZERO)
    }

    fn ritz(&self) -> Option<Ritz<T>> {
        let done = self.columns.len();
        let projected = Matrix::from_fn(done, done, |r, c| self.entry(r.min(c), r.max(c)));
        if !projected.norm().is_finite() {
            return None;
        }
        let (values, vectors) = symmetric_modes(&Matrix::identity(done), &projected)?;
        let mut order: Vec<usize> = (0..done).collect();
        let size = |i: &usize| values[*i].abs();
        order.sort_by(|i, j| size(j).partial_cmp(&size(i)).unwrap_or(core::cmp::Ordering::Equal));
        let vectors = Matrix::from_fn(done, done, |r, c| vectors[(r, order[c])]);
        let couple = Matrix::from_fn(self.basis.len() - done, done, |r, c| self.entry(done + r, c)).times(&vectors);
        let left = |c: usize| (0..couple.rows()).fold(T::ZERO, |s, r| s + couple[(r, c)] * couple[(r, c)]).sqrt();
        Some(Ritz { values: order.iter().map(|&i| values[i]).collect(), left: (0..done).map(left).collect(), vectors })
    }

    /// The vector of a Ritz value.
    fn vector(&self, ritz: &Ritz<T>, i: usize, size: usize) -> Vec<T> {
        let mut out = std::vec![T::ZERO; size];
        for (k, v) in self.basis.iter().take(self.columns.len()).enumerate() {
            let share = ritz.vectors[(k, i)];
            out.iter_mut().zip(v).for_each(|(out, &v)| *out += share * v);
        }
        out
    }

    /// Keeps the first Ritz vectors only, and what has not been multiplied.
    fn restart(&mut self, ritz: &Ritz<T>, keep: usize, size: usize) {
        let done = self.columns.len();
        let vectors: Vec<Vec<T>> = (0..keep).map(|i| self.vector(ritz, i, size)).collect();
        let coupling = |u: usize, i: usize| (0..done).fold(T::ZERO, |s, k| s + self.entry(u, k) * ritz.vectors[(k, i)]);
        let column = |i: usize| {
            let own = (0..keep).map(|r| if r == i { ritz.values[i] } else { T::ZERO });
            own.chain((done..self.basis.len()).map(|u| coupling(u, i))).collect()
        };
        let columns = (0..keep).map(column).collect();
        let waiting = self.basis.split_off(done);
        self.basis = vectors;
        self.basis.extend(waiting);
        self.columns = columns;
    }

    /// The `wanted` eigenvalues of largest magnitude, or all of them if there are fewer, to a share of `tolerance` of
    /// themselves; none if `products` are not enough.
    pub(crate) fn run<O: Operator<T>>(
        &mut self,
        of: &O,
        wanted: usize,
        tolerance: T,
        products: usize,
    ) -> Result<Option<Extreme<T>>, O::Error> {
        for _ in self.basis.len()..STARTS {
            self.begin(of)?;
        }
        let (keep, room) = (wanted.saturating_add(wanted / 2 + 8), wanted.saturating_mul(2).saturating_add(40));
        let last = self.products.saturating_add(products);
        while self.products < last && self.size.is_finite() {
            let look = LOOK.max(self.columns.len() / 8);
            for _ in 0..look {
                let left = if self.whole { self.columns.len() < self.basis.len() } else { self.basis.len() < room };
                if left {
                    self.advance(of)?;
                }
            }
            let Some(ritz) = self.ritz() else { return Ok(None) };
            let all = self.whole && self.columns.len() == self.basis.len();
            // what round-off leaves in small ones
            let least = T::from_f64(32.0) * T::EPSILON * self.size;
            let done = |i: usize| ritz.left[i] <= (tolerance * ritz.values[i].abs()).max(least);
            let real = ritz.values.iter().filter(|x| x.abs() > self.lost()).count();
            let count = wanted.min(real);
            if all || count == wanted && (0..count).all(done) {
                let vectors = (0..count).map(|i| self.vector(&ritz, i, of.size())).collect();
                return Ok(Some(Extreme { values: ritz.values[..count].to_vec(), vectors }));
            }
            if self.basis.len() >= room && self.columns.len() > keep {
                self.restart(&ritz, keep, of.size());
            }
        }
        Ok(None)
    }
}
