//! K − σ B of a model at a state, bordered by its rows, factorised by the model's own solver.
//!
//! ```text
//! [ K − σ B   −Gᵀ ] [ x ]   [ B b ]
//! [ G          0  ] [ l ] = [ 0   ]
//! ```
//!
//! is b ↦ x = Z (ZᵀK Z − σ ZᵀB Z)⁻¹ ZᵀB b without a basis Z. B is M, or the metric of a judgement. The signs of the
//! pivots tell how many eigenvalues of the pencil (ZᵀK Z, ZᵀB Z) are below σ (Sylvester).

use std::vec::Vec;

use crate::analysis::parts::Parts;
use crate::error::Cause;
use crate::linalg::{Kkt, Matrix, Operator, Square, symmetric_modes};
use crate::model::layout::{Layout, Pattern};
use crate::model::linearize::Linearize;
use crate::numbers::scalar::Real;
use crate::solve::solvable::Solvable;
use crate::solve::{undetermined, unsolved};

/// Unknowns up to which eigenvalues are counted in a dense matrix, where the solver does not count them.
pub(super) const WHOLE: usize = 500;

/// The nonzeros of a matrix of velocities.
type Entries<T> = Vec<(usize, usize, T)>;

fn nonzeros<T: Real>(pattern: Pattern<'_>, nv: usize, values: &[T]) -> Entries<T> {
    let places = pattern.entries().zip(values).filter(|((r, c), x)| *r < nv && *c < nv && **x != T::ZERO);
    places.map(|((r, c), &x)| (r, c, x)).collect()
}

fn add<T: Real>(entries: &[(usize, usize, T)], factor: T, x: &[T], out: &mut [T]) {
    for &(r, c, value) in entries {
        out[r] += factor * value * x[c];
    }
}

/// The pencil (K, B) of a model at a state.
pub(super) struct Pencil<'a, S: Solvable + Linearize> {
    layout: Layout<'a>,
    kkt: S::Kkt,
    k: Vec<S::Real>,
    b: Vec<S::Real>,
    stiffness: Entries<S::Real>,
    metric: Entries<S::Real>,
    /// −Gᵀ
    border: Entries<S::Real>,
    /// Σ |Kᵢⱼ|
    sums: Vec<S::Real>,
    /// K − σ B as last factorised
    values: Vec<S::Real>,
    certain: bool,
}

impl<'a, S: Solvable<Real = T> + Linearize, T: Real> Pencil<'a, S> {
    /// Of K with its borders, made symmetric, and B.
    pub(super) fn new(layout: Layout<'a>, kkt: S::Kkt, k: Vec<T>, b: Vec<T>) -> Self {
        let (nv, first) = (layout.v.len(), layout.v.len() + layout.z.len());
        let places = layout.tangent.entries().zip(&k).filter(|((r, c), _)| *r < nv && *c >= first);
        Self {
            border: places.map(|((r, c), &x)| (r, c - first, x)).collect(),
            stiffness: nonzeros(layout.tangent, nv, &k),
            metric: nonzeros(layout.tangent, nv, &b),
            sums: Parts::<S>::sums(&layout, &k),
            values: k.clone(),
            kkt,
            certain: false,
            layout,
            k,
            b,
        }
    }

    /// Its solver.
    pub(super) fn into_solver(self) -> S::Kkt {
        self.kkt
    }

    /// A bound of |eigenvalues|, that of Geršgorin for a diagonal B; zero if nothing is stiff.
    pub(super) fn scale(&self) -> T {
        let own = self.metric.iter().filter(|(r, c, b)| r == c && *b > T::ZERO);
        own.fold(T::ZERO, |scale, &(r, _, b)| scale.max(self.sums[r] / b))
    }

    /// Factorises K − σ B; how many eigenvalues are below σ, if that is known.
    ///
    /// # Errors
    /// [`Cause::Singular`] where σ is an eigenvalue.
    pub(super) fn shift(&mut self, by: T) -> Result<Option<usize>, Cause> {
        let Self { layout, kkt, k, b, values, .. } = self;
        values.iter_mut().zip(k.iter().zip(b.iter())).for_each(|(x, (&k, &b))| *x = k - by * b);
        // Pivots on the diagonal show how many eigenvalues are below.
        let factorized = match S::Assembly::SPARSE {
            true => kkt.factorize(layout, values),
            false => kkt.factorize_by_exchange(layout, values),
        };
        factorized.map_err(|singular| undetermined(layout, layout.z.len(), singular))?;
        self.certain = self.kkt.certain() || S::Kkt::REDUNDANT;
        Ok(match self.kkt.negative() {
            None if !self.values.is_empty() && self.layout.tangent.rows <= WHOLE => self.negative(),
            known => known,
        })
    }

    /// The negative eigenvalues of the bordered matrix, without those that rows make.
    fn negative(&self) -> Option<usize> {
        let (n, first) = (self.layout.tangent.rows, self.layout.v.len() + self.layout.z.len());
        let mut a = Matrix::zeros(n, n);
        self.layout.tangent.visit(&self.values, |r, c, x| a[(r, c)] = if r < first { x } else { -x });
        let roots: Vec<T> = (0..n)
            .map(|r| (0..n).fold(T::ZERO, |most, c| most.max(a[(r, c)].abs())))
            .map(|most| if most > T::ZERO { most.sqrt() } else { T::ONE })
            .collect();
        let a = Matrix::from_fn(n, n, |r, c| a[(r, c)] / (roots[r] * roots[c]));
        if !a.norm().is_finite() {
            return None;
        }
        let (values, _) = symmetric_modes(&Matrix::identity(n), &a)?;
        let negative = values.iter().filter(|&&x| x < -T::PIVOT_TOLERANCE).count();
        // rows that depend on others
        let zero = values.iter().filter(|x| x.abs() <= T::PIVOT_TOLERANCE).count();
        (negative + zero).checked_sub(n - first)
    }

    /// x and the multipliers of B b.
    fn solve(&self, weighed: Vec<T>) -> Result<(Vec<T>, Vec<T>), Cause> {
        let layout = &self.layout;
        let none = || (std::vec![T::ZERO; layout.z.len()], std::vec![T::ZERO; layout.constraints.len()]);
        let (right, mut x) = (weighed.clone(), weighed);
        let (mut z, mut l) = none();
        self.kkt.solve(&mut x, &mut z, &mut l).map_err(|cause| unsolved(layout, cause))?;
        if !self.certain {
            let all: Vec<T> = x.iter().chain(&z).chain(&l).copied().collect();
            let mut left = right;
            let ((mut dz, mut dl), first) = (none(), x.len() + z.len());
            layout.tangent.visit(&self.values, |r, c, value| {
                let row = match r {
                    r if r < x.len() => &mut left[r],
                    r if r < first => &mut dz[r - x.len()],
                    r => &mut dl[r - first],
                };
                *row -= value * all[c];
            });
            self.kkt.solve(&mut left, &mut dz, &mut dl).map_err(|cause| unsolved(layout, cause))?;
            let correction = left.iter().chain(&dz).chain(&dl);
            x.iter_mut().chain(&mut z).chain(&mut l).zip(correction).for_each(|(x, &dx)| *x += dx);
        }
        Ok((x, l))
    }

    /// The residual of K x − λ B x − Gᵀ l as a share of its terms, by the factors at `shift`. Rows are measured by the
    /// roots of Σ |Kᵢⱼ|, or of Bᵢᵢ times the bound of eigenvalues.
    pub(super) fn residual(&self, x: &[T], value: T, shift: T) -> Result<T, Cause> {
        let (_, l) = self.solve(self.weigh(x))?;
        let l: Vec<T> = l.iter().map(|&l| (value - shift) * l).collect();
        let zeros = || std::vec![T::ZERO; x.len()];
        let (mut left, mut terms, mut units) = (zeros(), zeros(), self.sums.clone());
        let parts = [(&self.stiffness, T::ONE, x), (&self.metric, -value, x), (&self.border, T::ONE, &l)];
        for (entries, factor, x) in parts {
            add(entries, factor, x, &mut left);
            entries.iter().for_each(|&(r, c, a)| terms[r] += (factor * a * x[c]).abs());
        }
        let scale = self.scale();
        for &(r, _, b) in self.metric.iter().filter(|(r, c, _)| r == c) {
            units[r] = units[r].max(scale * b);
        }
        // what round-off is measured by where all terms are small, as in rigid motions
        terms.iter_mut().zip(units.iter().zip(x)).for_each(|(term, (&unit, &x))| *term += unit * x.abs());
        let size = |x: &[T]| {
            let each = x.iter().zip(&units).map(|(&x, &unit)| if unit > T::ZERO { x * x / unit } else { x * x });
            each.fold(T::ZERO, |sum, x| sum + x).sqrt()
        };
        let terms = size(&terms);
        Ok(if terms > T::ZERO { size(&left) / terms } else { size(&left) })
    }
}

impl<S: Solvable<Real = T> + Linearize, T: Real> Operator<T> for Pencil<'_, S> {
    type Error = Cause;

    fn size(&self) -> usize {
        self.layout.v.len()
    }

    fn weigh(&self, x: &[T]) -> Vec<T> {
        let mut out = std::vec![T::ZERO; x.len()];
        add(&self.metric, T::ONE, x, &mut out);
        out
    }

    fn apply(&self, weighed: Vec<T>) -> Result<Vec<T>, Cause> {
        Ok(self.solve(weighed)?.0)
    }
}
