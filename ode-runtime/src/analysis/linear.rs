//! The linear system about a state, with its constraints eliminated.

use std::vec::Vec;

use crate::analysis::matrix::SystemMatrix;
use crate::analysis::rest::{LinearError, at_rest};
use crate::error::{Cause, Name, Quantity};
use crate::linalg::{DMatrix, Matrix, Saddle, null_space_within};
use crate::model::differentiable::Differentiable;
use crate::model::input::Inputs;
use crate::model::layout::{Block, Layout, RowKind};
use crate::model::linearize::{Linearize, Weights};
use crate::model::state::State;
use crate::numbers::scalar::Real;
use crate::solve::context::{Context, Work};
use crate::solve::solvable::Solvable;
use crate::solve::{LOOSE, inertial};

/// The linear system about a state, ẋ = A x + B δu, with its constraints eliminated.
///
/// x = (y, w, ζ): displacements, velocities and first-order states. Without constraints y is δq, in tangent
/// coordinates, and w is δv. With constraints δq = Z y and δv = W w. Z is an orthonormal basis of the displacements
/// that holonomic rows leave free, G Z = 0, and W of the velocities that all rows leave free. With the derivatives of
/// the whole residual, ∂(Gᵀλ)/∂q included,
///
/// ```text
/// ẏ = Zᵀ W w,   WᵀM W ẇ = −WᵀD W w − WᵀK Z y − Wᵀ ∂r/∂z ζ,   ζ̇ = ∂g/∂v W w + ∂g/∂q Z y + ∂g/∂z ζ
/// ```
///
/// Algebraic variables, multipliers of compliant rows, and the velocities of first-order models are eliminated and do
/// not appear in x. [`shape`](Self::shape) leads from x to the state's own entries.
///
/// Constraints and rotations turn with the state, so a linearisation with constant Z and W is valid at rest. Moving
/// states are refused if the model has any; other models may be linearised along a motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Linearization<T> {
    /// A, square
    pub a: DMatrix<T>,
    /// B, a column for each input; without columns from [`Linearization::of`]
    pub b: DMatrix<T>,
    /// (δq, δv, δz) = `shape` x, with 2 nv + nz rows, δq in tangent coordinates; for an algebraic variable, δz without
    /// δu
    pub shape: DMatrix<T>,
    /// how many entries of x are y
    pub positions: usize,
    pub(super) reduced: Reduced<T>,
}

/// Matrices by the basis of free motions.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Reduced<T> {
    /// WᵀM W, WᵀD W, WᵀK Z
    pub(super) m: Matrix<T>,
    pub(super) d: Matrix<T>,
    pub(super) k: Matrix<T>,
    /// whether they are all coordinates, with W = Z
    pub(super) mechanical: bool,
}

impl<T: Real> Linearization<T> {
    /// A at `x`, which must have consistent λ and, in first-order models, v; `rest` is the speed and acceleration up to
    /// which the state counts as at rest.
    ///
    /// # Errors
    /// [`LinearError`] naming what moves, or is undetermined; [`LinearError::TooLarge`] beyond 2000 unknowns, because
    /// matrices are dense: memory of the square of all unknowns, work of their cube.
    pub fn of<S: Solvable<Real = T> + Linearize, U: Inputs<S>>(
        system: &S,
        inputs: &U,
        x: &State<S>,
        rest: T,
    ) -> Result<Self, LinearError> {
        let none = Matrix::zeros(x.v.as_ref().len() + x.z.as_ref().len(), 0);
        Self::build(system, inputs, x, rest, &none)
    }

    /// A and B, from the model's exact ∂(r, s)/∂u.
    ///
    /// # Errors
    /// As [`Linearization::of`].
    pub fn with_inputs<S: Solvable<Real = T> + Differentiable, U: Inputs<S>>(
        system: &S,
        inputs: &U,
        x: &State<S>,
        rest: T,
    ) -> Result<Self, LinearError> {
        let x = &x.entered(system).map_err(LinearError::Evaluation)?;
        let (mut work, mut u) = (Work::default(), S::U::zeros(system.layout().u.len()));
        let cx = Context { system, inputs, work: &mut work };
        cx.input(x.moment(), &mut u).map_err(LinearError::Evaluation)?;
        let pattern = system.derivatives().force_by_input;
        let mut values = S::ForceByInput::zeros(pattern.nnz());
        system.force_by_input(x.at(&u), x.rates(), &mut values);
        Self::build(system, inputs, x, rest, &Matrix::from_pattern(pattern, values.as_ref()))
    }

    fn build<S: Solvable<Real = T> + Linearize, U: Inputs<S>>(
        system: &S,
        inputs: &U,
        x: &State<S>,
        rest: T,
        b: &Matrix<T>,
    ) -> Result<Self, LinearError> {
        let x = &x.entered(system).map_err(LinearError::Evaluation)?;
        small_enough(&system.layout())?;
        let blocks = Blocks::evaluate(system, inputs, x).map_err(LinearError::Evaluation)?;
        let (_, _, k) = blocks.motion();
        let stiff: Vec<T> = (0..k.rows()).map(|r| (0..k.cols()).fold(T::ZERO, |s, c| s + k[(r, c)].abs())).collect();
        at_rest(system, inputs, x, rest, &stiff)?;
        blocks.descriptor(&system.layout(), b).reduce(&system.layout(), &blocks)
    }
}

/// Unknowns beyond which nothing is made dense: a matrix of 2000 rows has 32 MB, and there are about twenty.
const LARGEST: usize = 2000;

/// Whether dense matrices of all unknowns may be made.
///
/// # Errors
/// [`LinearError::TooLarge`]
pub(super) fn small_enough(layout: &Layout<'_>) -> Result<(), LinearError> {
    let unknowns = layout.tangent.rows;
    if unknowns > LARGEST { Err(LinearError::TooLarge { unknowns, most: LARGEST }) } else { Ok(()) }
}

/// The tangent by its four weights, and the bases.
pub(super) struct Blocks<T> {
    rates: Matrix<T>,
    velocity: Matrix<T>,
    pub(super) position: Matrix<T>,
    state: Matrix<T>,
    z: Matrix<T>,
    pub(super) w: Matrix<T>,
    g: Matrix<T>,
    /// 1 on the diagonal of velocities that are held
    held: Matrix<T>,
    /// the remainder of a row that depends on others
    tolerance: T,
}

impl<T: Real> Blocks<T> {
    pub(super) fn evaluate<S: Solvable<Real = T> + Linearize, U: Inputs<S>>(
        system: &S,
        inputs: &U,
        x: &State<S>,
    ) -> Result<Self, Cause> {
        let layout = system.layout();
        inertial(Context { system, inputs, work: &mut Work::default() }, x)?;
        let part = |rates, velocity, position, state| {
            let weights = Weights { rates, velocity, position, state };
            SystemMatrix::assemble(system, inputs, weights, x).map(|matrix| matrix.matrix(system))
        };
        let (o, i) = (T::ZERO, T::ONE);
        let mut u = S::U::zeros(layout.u.len());
        system.nominal(&mut u);
        let mut constraint = crate::model::system::Constraint::zeros(&layout);
        system.constraint(x.at(&u), &mut constraint);
        let g = Matrix::from_pattern(layout.jacobian, constraint.jacobian.as_ref());
        let holonomic: Vec<usize> =
            (0..layout.constraints.len()).filter(|&row| layout.kind(row) == RowKind::Holonomic).collect();
        // Off the constraints by some drift, dependent rows become independent.
        let tolerance = if S::Saddle::REDUNDANT { T::from_f64(LOOSE) } else { T::PIVOT_TOLERANCE };
        let kernel = |rows: &Matrix<T>| null_space_within(rows, tolerance);
        // Entries that do not depend on the weights (a 1 for a held velocity, columns of λ) belong to M alone.
        let mechanical = layout.v.len() + layout.z.len();
        let always = part(o, o, o, o)?;
        let without = |matrix: Matrix<T>| {
            Matrix::from_fn(matrix.rows(), matrix.cols(), |r, c| {
                let inside = r < mechanical && c < mechanical;
                matrix[(r, c)] - if inside { always[(r, c)] } else { T::ZERO }
            })
        };
        Ok(Self {
            rates: part(i, o, o, o)?,
            velocity: without(part(o, i, o, o)?),
            position: without(part(o, o, i, o)?),
            state: part(o, o, o, i)?,
            z: kernel(&Matrix::from_fn(holonomic.len(), layout.v.len(), |r, c| g[(holonomic[r], c)])),
            w: kernel(&g),
            held: always.block(0..layout.v.len(), 0..layout.v.len()),
            g,
            tolerance,
        })
    }

    /// M, D and K before any basis.
    pub(super) fn motion(&self) -> (Matrix<T>, Matrix<T>, Matrix<T>) {
        let nv = self.g.cols();
        let block = |a: &Matrix<T>| a.block(0..nv, 0..nv);
        (block(&self.rates), block(&self.velocity), block(&self.position))
    }

    /// The same along displacements that all rows allow: Z = W, with nothing held among them.
    pub(super) fn allowed(self) -> Self {
        let (nc, nv) = (self.g.rows(), self.g.cols());
        let rows = Matrix::from_fn(nc + nv, nv, |r, c| if r < nc { self.g[(r, c)] } else { self.held[(r - nc, c)] });
        let w = null_space_within(&rows, self.tolerance);
        Self { z: w.clone(), w, ..self }
    }

    /// E ẋ = J x + B u in the unknowns (y, w, z, λ of compliant rows).
    pub(super) fn descriptor(&self, layout: &Layout<'_>, b: &Matrix<T>) -> Descriptor<T> {
        let (nv, nz) = (layout.v.len(), layout.z.len());
        let rows = 0..layout.constraints.len();
        let compliant: Vec<usize> = rows.filter(|&row| layout.kind(row) == RowKind::Compliant).collect();
        let (ny, nw, nl) = (self.z.cols(), self.w.cols(), compliant.len());
        let n = ny + nw + nz + nl;
        // Equations of motion along W, then those of z and of compliant rows, by a block of columns in a basis.
        let wt = self.w.transpose();
        let other = |r: usize| if r < nz { nv + r } else { nv + nz + compliant[r - nz] };
        let project = |a: &Matrix<T>, basis: &Matrix<T>| {
            let below = Matrix::from_fn(nz + nl, a.cols(), |r, c| a[(other(r), c)]);
            (wt.times(&a.block(0..nv, 0..a.cols())).times(basis), below.times(basis))
        };
        let columns = |a: &Matrix<T>, from: usize, count: usize| a.block(0..a.rows(), from..from + count);
        let (m, _) = project(&columns(&self.rates, 0, nv), &self.w);
        // Columns of multipliers have no weight: any of the four has them.
        let lambda = Matrix::from_fn(self.rates.rows(), nl, |r, c| self.rates[(r, nv + nz + compliant[c])]);
        let blocks = [
            project(&columns(&self.position, 0, nv), &self.z),
            project(&columns(&self.velocity, 0, nv), &self.w),
            project(&columns(&self.state, nv, nz), &Matrix::identity(nz)),
            project(&lambda, &Matrix::identity(nl)),
        ];
        let (mut j, mut first) = (Matrix::zeros(n, n), 0);
        for (top, below) in &blocks {
            for c in 0..top.cols() {
                (0..nw).for_each(|r| j[(ny + r, first + c)] = -top[(r, c)]);
                (0..nz + nl).for_each(|r| j[(ny + nw + r, first + c)] = -below[(r, c)]);
            }
            first += top.cols();
        }
        let along = self.z.transpose().times(&self.w);
        (0..ny).for_each(|r| (0..nw).for_each(|c| j[(r, ny + c)] = along[(r, c)]));
        let push = wt.times(&b.block(0..nv, 0..b.cols()));
        let input = Matrix::from_fn(n, b.cols(), |r, c| match r {
            r if (ny..ny + nw).contains(&r) => push[(r - ny, c)],
            r if (ny + nw..ny + nw + nz).contains(&r) => b[(nv + r - ny - nw, c)],
            _ => T::ZERO,
        });
        let [(k, _), (d, _), ..] = blocks;
        Descriptor { j, input, reduced: (m, d, k), motion: (ny, nw), compliant }
    }
}

/// M ẇ = −D w − K y + P ζ, ζ̇ = … + R ζ in the basis of free motions.
pub(super) struct Mechanics<T> {
    pub(super) m: Matrix<T>,
    pub(super) d: Matrix<T>,
    pub(super) k: Matrix<T>,
    /// P
    pub(super) pull: Matrix<T>,
    /// R
    pub(super) rates: Matrix<T>,
}

/// E ẋ = J x + B u. E is the identity except for WᵀM W, and zero for unknowns without a rate.
pub(super) struct Descriptor<T> {
    j: Matrix<T>,
    input: Matrix<T>,
    /// WᵀM W, WᵀD W, WᵀK Z
    reduced: (Matrix<T>, Matrix<T>, Matrix<T>),
    /// sizes of y and w
    motion: (usize, usize),
    compliant: Vec<usize>,
}

impl<T: Real> Descriptor<T> {
    /// Whether unknown `i` has a rate.
    fn moves(&self, layout: &Layout<'_>, i: usize) -> bool {
        let (ny, nw) = self.motion;
        match i {
            i if i < ny => true,
            i if i < ny + nw => !layout.first_order(),
            i => i < ny + nw + layout.differential(),
        }
    }

    /// Names the unknown of a singular matrix of these.
    fn undetermined(&self, layout: &Layout<'_>, unknowns: &[usize], index: usize) -> LinearError {
        let (ny, nw) = self.motion;
        let i = unknowns.get(index).copied().unwrap_or(0);
        let (unknown, name) = match i.checked_sub(ny + nw) {
            // a free motion is a mixture of all of them
            None => (Quantity::Velocity, Name::of(layout.v, 0)),
            Some(i) if i < layout.z.len() => (Quantity::Algebraic, Name::of(layout.z, i)),
            Some(i) => {
                let row = self.compliant.get(i - layout.z.len()).copied().unwrap_or(0);
                (Quantity::Multiplier, Name::of(layout.constraints, row))
            }
        };
        LinearError::Evaluation(Cause::Singular { unknown, name })
    }

    fn part(&self, rows: &[usize], cols: &[usize]) -> Matrix<T> {
        Matrix::from_fn(rows.len(), cols.len(), |r, c| self.j[(rows[r], cols[c])])
    }

    fn solve(
        &self,
        layout: &Layout<'_>,
        matrix: &Matrix<T>,
        right: &Matrix<T>,
        unknowns: &[usize],
    ) -> Result<Matrix<T>, LinearError> {
        matrix.solve(right).map_err(|singular| self.undetermined(layout, unknowns, singular.index))
    }

    /// WᵀM W, WᵀD W, WᵀK Z, the action of the states and ∂g/∂z, after elimination of algebraic variables and compliant
    /// rows.
    pub(super) fn mechanics(&self, layout: &Layout<'_>) -> Result<Mechanics<T>, LinearError> {
        let (ny, nw) = self.motion;
        let last = ny + nw + layout.differential();
        let (kept, gone): (Vec<usize>, Vec<usize>) = (0..self.j.rows()).partition(|&i| i < last);
        let by_state = self.solve(layout, &self.part(&gone, &gone), &self.part(&gone, &kept), &gone)?;
        let right = self.part(&kept, &kept).minus(&self.part(&kept, &gone).times(&by_state));
        let negative = |rows: core::ops::Range<usize>, cols: core::ops::Range<usize>| {
            let block = right.block(rows, cols);
            Matrix::from_fn(block.rows(), block.cols(), |r, c| -block[(r, c)])
        };
        let (w, z) = (ny..ny + nw, ny + nw..last);
        Ok(Mechanics {
            m: self.reduced.0.clone(),
            d: negative(w.clone(), w.clone()),
            k: negative(w.clone(), 0..ny),
            pull: right.block(w, z.clone()),
            rates: right.block(z.clone(), z),
        })
    }

    /// Solves for the unknowns without a rate, and for the rates.
    pub(super) fn reduce(self, layout: &Layout<'_>, blocks: &Blocks<T>) -> Result<Linearization<T>, LinearError> {
        let (ny, nw) = self.motion;
        let n = self.j.rows();
        let (kept, gone): (Vec<usize>, Vec<usize>) = (0..n).partition(|&i| self.moves(layout, i));
        let m = &self.reduced.0;
        let inner = |i: usize| (ny..ny + nw).contains(&i);
        let inertia = Matrix::from_fn(kept.len(), kept.len(), |r, c| match (kept[r], kept[c]) {
            (r, c) if inner(r) && inner(c) => m[(r - ny, c - ny)],
            (r, c) if r == c => T::ONE,
            _ => T::ZERO,
        });
        let driven = |rows: &[usize]| Matrix::from_fn(rows.len(), self.input.cols(), |r, c| self.input[(rows[r], c)]);
        // α = −J_αα⁻¹ (J_αx x + B_α u) for the unknowns α without a rate
        let (dependent, coupling) = (self.part(&gone, &gone), self.part(&kept, &gone));
        let by_state = self.solve(layout, &dependent, &self.part(&gone, &kept), &gone)?;
        let by_input = self.solve(layout, &dependent, &driven(&gone), &gone)?;
        let own = self.part(&kept, &kept).minus(&coupling.times(&by_state));
        let a = self.solve(layout, &inertia, &own, &kept)?;
        let b = self.solve(layout, &inertia, &driven(&kept).minus(&coupling.times(&by_input)), &kept)?;
        let place = |list: &[usize], i: usize| list.iter().position(|&k| k == i);
        let whole = Matrix::from_fn(n, kept.len(), |r, c| match (place(&kept, r), place(&gone, r)) {
            (Some(own), _) if own == c => T::ONE,
            (None, Some(own)) => -by_state[(own, c)],
            _ => T::ZERO,
        });
        let q = blocks.z.times(&whole.block(0..ny, 0..kept.len()));
        let v = blocks.w.times(&whole.block(ny..ny + nw, 0..kept.len()));
        let nv = q.rows();
        let shape = Matrix::from_fn(2 * nv + layout.z.len(), kept.len(), |r, c| match r {
            r if r < nv => q[(r, c)],
            r if r < 2 * nv => v[(r - nv, c)],
            r => whole[(ny + nw + r - 2 * nv, c)],
        });
        let bare = layout.z.is_empty() && self.compliant.is_empty();
        let mechanical = bare && !layout.first_order() && ny == nw;
        let (m, d, k) = self.reduced;
        let (a, b, shape) = (a.into(), b.into(), shape.into());
        Ok(Linearization { a, b, shape, positions: ny, reduced: Reduced { m, d, k, mechanical } })
    }
}
