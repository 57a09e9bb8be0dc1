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

use crate::error::{Cause, Level, Name, Quantity};
use crate::linalg::{Kkt, Matrix, Operator, Saddle, Square, symmetric_modes};
use crate::model::input::Inputs;
use crate::model::layout::{Layout, Pattern, RowKind};
use crate::model::linearize::{Linearize, Weights};
use crate::model::state::State;
use crate::model::system::Constraint;
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::context::{Context, Work};
use crate::solve::solvable::Solvable;
use crate::solve::{Dependence, EXACT, LOOSE, Tangent, inertial, undetermined, unsolved};

/// Unknowns up to which eigenvalues are counted in a dense matrix, where the solver does not count them.
pub(super) const WHOLE: usize = 500;

/// The tangent at a state by its weights, as values on its pattern.
pub(super) struct Parts<S: Solvable + Linearize> {
    tangent: Tangent<S>,
    /// M
    pub(super) rates: Vec<S::Real>,
    /// D
    pub(super) velocity: Vec<S::Real>,
    /// K with what does not depend on weights: multipliers, and ones for held velocities
    pub(super) position: Vec<S::Real>,
    /// that alone
    always: Vec<S::Real>,
    /// the rank of G without compliant rows
    rank: usize,
}

impl<S: Solvable + Linearize> Parts<S> {
    pub(super) fn evaluate<U: Inputs<S>>(system: &S, inputs: &U, x: &State<S>) -> Result<Self, Cause> {
        inertial(Context { system, inputs, work: &mut Work::default() }, x)?;
        let (layout, mut tangent, mut work) = (system.layout(), Tangent::new(system), Work::default());
        let mut cx = Context { system, inputs, work: &mut work };
        let mut part = |rates, velocity, position, state| {
            tangent.linearize(&mut cx, Level::Position, Weights { rates, velocity, position, state }, x)?;
            let values = tangent.values.as_ref().to_vec();
            let Some(bad) = values.iter().position(|x| !x.is_finite()) else { return Ok(values) };
            let row = layout.tangent.indices.get(bad).copied().unwrap_or(0);
            Err(Cause::NonFinite { quantity: Quantity::Force, name: unknown(&layout, row) })
        };
        let (o, i) = (S::Real::ZERO, S::Real::ONE);
        let always = part(o, o, o, o)?;
        let mut without = |rates, velocity| {
            let mut values = part(rates, velocity, o, o)?;
            values.iter_mut().zip(&always).for_each(|(x, &own)| *x -= own);
            Ok::<_, Cause>(values)
        };
        let (rates, velocity) = (without(i, o)?, without(o, i)?);
        // last, so that a solver of redundant rows has its measure
        let position = part(o, o, i, i)?;
        let mut rank = 0;
        if !layout.constraints.is_empty() {
            let mut constraint = Constraint::zeros(&layout);
            system.constraint(x.at(&tangent.u), &mut constraint);
            let tolerance = if S::Saddle::REDUNDANT { LOOSE } else { EXACT };
            rank = Dependence::<S>::of_jacobian(layout, constraint.jacobian.as_ref(), tolerance).rank().0;
        }
        Ok(Self { tangent, rates, velocity, position, always, rank })
    }

    /// How many displacements the rows and held velocities allow.
    pub(super) fn freedom(&self, layout: &Layout<'_>) -> usize {
        let places = layout.tangent.entries().zip(&self.always);
        let held = places.filter(|((r, c), value)| r == c && *r < layout.v.len() && **value != S::Real::ZERO).count();
        layout.v.len().saturating_sub(self.rank + held)
    }

    /// The solver that evaluated them.
    pub(super) fn into_solver(self) -> S::Kkt {
        self.tangent.kkt
    }

    /// The values of another matrix of velocities, bordered as K is: D.
    pub(super) fn bordered(&self, values: &[S::Real]) -> Vec<S::Real> {
        values.iter().zip(&self.always).map(|(&x, &own)| x + own).collect()
    }

    /// Σ |Kᵢⱼ| of a matrix of velocities, and what compliant rows add.
    pub(super) fn sums(layout: &Layout<'_>, values: &[S::Real]) -> Vec<S::Real> {
        let (nv, first) = (layout.v.len(), layout.v.len() + layout.z.len());
        let zeros = |n: usize| std::vec![S::Real::ZERO; n];
        let (mut sums, mut rows, mut yields) =
            (zeros(nv), zeros(layout.constraints.len()), zeros(layout.constraints.len()));
        layout.tangent.visit(values, |r, c, value| match (r.checked_sub(first), c.checked_sub(first)) {
            (None, None) if r < nv && c < nv => sums[r] += value.abs(),
            (Some(row), None) => rows[row] += value.abs(),
            (Some(row), Some(_)) => yields[row] = value.abs(),
            _ => {}
        });
        layout.tangent.visit(values, |r, c, value| {
            if let (true, Some(row)) = (r < nv, c.checked_sub(first))
                && yields[row] > S::Real::ZERO
            {
                sums[r] += value.abs() * rows[row] / yields[row];
            }
        });
        sums
    }
}

/// Names unknown `i` of the tangent.
fn unknown(layout: &Layout<'_>, i: usize) -> Name {
    let (nv, nz) = (layout.v.len(), layout.z.len());
    match i {
        i if i < nv => Name::of(layout.directions, i),
        i if i < nv + nz => Name::of(layout.z, i - nv),
        i => Name::of(layout.constraints, i - nv - nz),
    }
}

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

/// What one shift found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shifted {
    /// how many eigenvalues are below it, if that is known
    pub(super) below: Option<usize>,
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

    /// Factorises K − σ B.
    ///
    /// # Errors
    /// [`Cause::Singular`] where σ is an eigenvalue.
    pub(super) fn shift(&mut self, by: T) -> Result<Shifted, Cause> {
        let Self { layout, kkt, k, b, values, .. } = self;
        values.iter_mut().zip(k.iter().zip(b.iter())).for_each(|(x, (&k, &b))| *x = k - by * b);
        // Pivots on the diagonal show how many eigenvalues are below.
        let factorized = match S::Assembly::SPARSE {
            true => kkt.factorize(layout, values),
            false => kkt.factorize_by_exchange(layout, values),
        };
        factorized.map_err(|singular| undetermined(layout, layout.z.len(), singular))?;
        self.certain = self.kkt.certain() || S::Kkt::REDUNDANT;
        let below = match self.kkt.negative() {
            None if !self.values.is_empty() && self.layout.tangent.rows <= WHOLE => self.negative(),
            known => known,
        };
        Ok(Shifted { below })
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

/// Makes the block of velocities symmetric, and rigid rows those of the multipliers' forces.
///
/// # Errors
/// The row whose entries differ from those of its column by more than `tolerance` of Σ |Kᵢⱼ|.
pub(super) fn symmetric<T: Real>(layout: &Layout<'_>, values: &mut [T], sums: &[T], tolerance: T) -> Result<(), usize> {
    let (nv, first) = (layout.v.len(), layout.v.len() + layout.z.len());
    let pattern = layout.tangent;
    let mirror = |row: usize, column: usize| {
        let own = pattern.starts[row]..pattern.starts[row + 1];
        pattern.indices[own.clone()].binary_search(&column).ok().map(|k| own.start + k)
    };
    let mut worst = (None, T::ONE);
    let mut off = |row: usize, share: T| {
        if !(share <= worst.1) {
            worst = (Some(row), share);
        }
    };
    for (at, (r, c)) in pattern.entries().enumerate() {
        let beside = mirror(r, c);
        let other = beside.and_then(|k| values.get(k)).copied().unwrap_or(T::ZERO);
        if r < c && c < nv || r < nv && c < nv && beside.is_none() {
            let scale = tolerance * (sums[r] * sums[c]).sqrt();
            let apart = (values[at] - other).abs();
            off(r, if apart <= scale { T::ZERO } else { apart / scale });
            let mean = T::from_f64(0.5) * (values[at] + other);
            values[at] = if beside.is_some() { mean } else { T::ZERO };
            if let Some(k) = beside {
                values[k] = mean;
            }
        } else if r >= first && c < nv {
            if layout.kind(r - first) != RowKind::Compliant {
                values[at] = -other;
            } else if !((values[at] + other).abs() <= T::from_f64(1e3) * T::EPSILON * other.abs()) {
                off(r, T::INFINITY);
            }
        }
    }
    worst.0.map_or(Ok(()), Err)
}
