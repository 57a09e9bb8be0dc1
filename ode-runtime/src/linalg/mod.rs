//! The linear systems of a step. Only this module, and `numbers/field.rs`, name nalgebra.
//!
//! A model names, through [`Solvable`](crate::Solvable), the three matrices that fit it:
//!
//! | role | matrix | for small models | for large ones |
//! | --- | --- | --- | --- |
//! | [`Saddle`] | symmetric [M Gᵀ; G 0] of accelerations and projections | [`StaticSaddle`], [`DenseSaddle`] | `SparseSaddle` |
//! | [`Kkt`] | unsymmetric bordered tangent of implicit methods | [`StaticKkt`], [`DenseKkt`] | `SparseKkt` |
//! | [`Kkt`], by iterations | the same | | `IterativeKkt` |
//! | the first two, with redundant rows | | [`RedundantSaddle`], [`RedundantKkt`] | the same, `REDUNDANT` |
//! | [`Square`] | bordered least-squares matrix of a consistent start | [`DenseSquare`] | `SparseSquare` |
//! | [`Square`] | ∂F/∂y of algebraic variables | [`DenseSquare`] | `SparseAlgebra` |
//!
//! Dense ones of many unknowns stand [`Apart`] from their run. The roles say nothing of storage: a sparse matrix keeps
//! its analysis from `new` and refactorises values. Large models need the feature `sparse`.

mod apart;
mod dense;
#[cfg(feature = "std")]
mod eigen;
mod fallback;
mod filter;
mod full_pivot;
mod gauss;
mod inertia;
mod kkt;
#[cfg(feature = "std")]
mod labelled;
#[cfg(feature = "std")]
mod lanczos;
#[cfg(feature = "std")]
mod lu;
#[cfg(feature = "std")]
mod matrix;
mod redundant;
mod residual;
mod saddle;
mod semidefinite;
mod solved_columns;
#[cfg(feature = "sparse")]
mod sparse;
mod square;
mod static_kkt;

pub use crate::numbers::field::Field;
pub use crate::numbers::lanes::{LANES, Lanes, LanesMut};
pub use apart::Apart;
pub(crate) use dense::of_shape;
pub use dense::{SMatrix, SVector, block, dense, gram, symmetric};
#[cfg(feature = "std")]
pub(crate) use eigen::{balanced, eigenvector, null_space_within, spanning, spectrum, symmetric_modes};
#[cfg(feature = "std")]
pub use eigen::{eigenvalues, null_space};
pub(crate) use gauss::gauss;
pub(crate) use inertia::{Inertia, inertia, spread};
pub use kkt::DenseKkt;
pub(crate) use kkt::larger;
#[cfg(feature = "std")]
pub use labelled::Labelled;
#[cfg(feature = "std")]
pub(crate) use lanczos::{Extreme, Lanczos, Operator};
#[cfg(feature = "std")]
pub(crate) use lu::Lu;
#[cfg(feature = "std")]
pub(crate) use matrix::Matrix;
pub use redundant::{RedundantKkt, RedundantSaddle};
pub(crate) use residual::{Left, Measure, Motion, unmet};
pub use saddle::{DenseSaddle, Elimination, StaticSaddle, certain, definite, finite};
pub use semidefinite::{add_shares, negative_part};
pub use solved_columns::solve_columns;
#[cfg(feature = "sparse")]
pub(crate) use sparse::{ITERATIONS, both, held, tolerance};
#[cfg(feature = "sparse")]
pub use sparse::{
    IterativeKkt, OtherPattern, SparseAlgebra, SparseFactors, SparseKkt, SparseSaddle, SparseSquare, cut, mirrored,
    replace_symmetric_values, replace_values, sparse, sparse_symmetric, squared,
};
#[cfg(feature = "sparse")]
pub use sprs;
pub use square::DenseSquare;
pub use static_kkt::{Decomposition, StaticKkt};

/// The crate whose matrices users get.
pub use nalgebra;
pub use nalgebra::Complex;
#[cfg(feature = "std")]
pub use nalgebra::{DMatrix, DVector};

use core::fmt;

use crate::model::layout::Layout;
use crate::numbers::scalar::Real;

/// A matrix without an inverse, to working precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Singular {
    /// the unknown no equation determines: v, then z, then λ
    pub index: usize,
}

impl fmt::Display for Singular {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no equation determines unknown {}", self.index)
    }
}

impl core::error::Error for Singular {}

/// What a solution by iterations took; of a direct solver nothing, which is the default.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Iterated {
    /// how many iterations
    pub iterations: u32,
    /// the residual of the solution, computed from it, as a share of that of zero
    pub residual: f64,
}

/// Why iterations found no solution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unsolved {
    /// The right-hand side, or what it was multiplied with, is not finite.
    NotFinite {
        /// the unknown of its equation
        index: usize,
    },
    /// A direction without positive curvature: conjugate gradients solve positive definite systems only.
    Indefinite {
        /// the unknown that takes most of the curvature away
        index: usize,
    },
    /// The residual stays above the tolerance.
    Residual {
        /// how many iterations were made
        iterations: u32,
        /// the unknown in whose equation most is left
        index: usize,
        /// the residual, as a share of that of zero
        residual: f64,
    },
}

impl fmt::Display for Unsolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFinite { index } => write!(f, "the equation of unknown {index} is not finite"),
            Self::Indefinite { index } => write!(f, "the matrix is not positive definite along unknown {index}"),
            Self::Residual { iterations, index, residual } => write!(
                f,
                "{iterations} iterations leave {residual:e} of the right-hand side, most in the equation of unknown {index}"
            ),
        }
    }
}

impl core::error::Error for Unsolved {}

/// Solves `[M −Gᵀ; G 0] [x; y] = [v; l]`: accelerations, projections, and their multipliers in the sign M a = f + Gᵀ λ.
/// A compliant row has 1 on its diagonal and nothing else: y = l.
pub trait Saddle<T>: core::fmt::Debug {
    /// Whether rows may depend on others.
    const REDUNDANT: bool = false;

    /// Storage for this shape; the only call that may allocate or analyse, as long as no pivot of a sparse matrix loses
    /// its digits.
    fn new(layout: &Layout<'_>) -> Self;

    /// Factorises in a fixed order of pivots, and returns whether it was accurate enough. Each evaluation tries this
    /// first, because it needs no layout. The default, false, leaves it to [`Saddle::factorize`].
    fn quick(&mut self, mass: &[T], jacobian: &[T]) -> bool {
        let _ = (mass, jacobian);
        false
    }

    /// Factorises from the nonzeros of M (lower triangle) and G, in the order of `layout`.
    ///
    /// # Errors
    /// [`Singular`] when M is not positive definite on the kernel of G or a row of G depends on the others; the factors
    /// are then unusable.
    fn factorize(&mut self, layout: &Layout<'_>, mass: &[T], jacobian: &[T]) -> Result<(), Singular>;

    /// The same with pivoting, if the fixed order is not accurate enough.
    ///
    /// # Errors
    /// As [`Saddle::factorize`].
    fn factorize_by_exchange(&mut self, layout: &Layout<'_>, mass: &[T], jacobian: &[T]) -> Result<(), Singular> {
        self.factorize(layout, mass, jacobian)
    }

    /// Whether solutions with the factors are known to be accurate to round-off. With the default, false, their
    /// residuals are checked.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn certain(&self) -> bool {
        false
    }

    /// Factorises although rows of G depend on others here: the solution holds what they hold, with multipliers of
    /// least size, and leaves what is inconsistent in them unsolved.
    ///
    /// # Errors
    /// [`Singular`] when M is singular on the kernel of G, and where a solver cannot do it.
    fn soften(&mut self, layout: &Layout<'_>, mass: &[T], jacobian: &[T]) -> Result<(), Singular> {
        self.factorize(layout, mass, jacobian)
    }

    /// A velocity along whose motion M is negative, and its pivot, by the last elimination. The default, none, means
    /// unknown, for matrices small enough to be examined as a whole.
    fn negative(&self) -> Option<(usize, T)> {
        None
    }

    /// Where rows may depend on others, says how far off the point of the next factors is: Φ, and what to measure it
    /// by. Rows that depend on others are independent off the constraints.
    fn tolerate(&mut self, phi: &[T], size: T) {
        let _ = (phi, size);
    }

    /// Solves in place: `v` (nv) becomes x, `l` (nc) becomes y.
    fn solve(&self, v: &mut [T], l: &mut [T]);

    /// The same for all lanes. By default one lane after the other, in the room of one solution.
    fn solve_lanes(&self, v: &mut [Lanes<T>], l: &mut [Lanes<T>], (one_v, one_l): (&mut [T], &mut [T]))
    where
        T: Real,
    {
        by_lane([v, l], [one_v, one_l], |[v, l]| self.solve(v, l));
    }

    /// Accelerations and multipliers: x of the right-hand sides f and −γ into `v`, y into `l`.
    #[inline]
    fn accelerate(&self, force: &[T], gamma: &[T], v: &mut [T], l: &mut [T])
    where
        T: Real,
    {
        for (v, &force) in v.iter_mut().zip(force) {
            *v = force;
        }
        for (l, &gamma) in l.iter_mut().zip(gamma) {
            *l = -gamma;
        }
        self.solve(v, l);
    }
}

/// Solves with the bordered tangent of [`Linearize::tangent`](crate::Linearize::tangent).
pub trait Kkt<T>: core::fmt::Debug {
    /// Whether rows may depend on others.
    const REDUNDANT: bool = false;

    /// Storage for this shape; the only call that may allocate or analyse, as long as no pivot of a sparse matrix loses
    /// its digits.
    fn new(layout: &Layout<'_>) -> Self;

    /// Factorises from the nonzeros of the tangent, in the order of `layout.tangent`.
    ///
    /// # Errors
    /// [`Singular`] when no pivot remains for an unknown, or a value is not finite; the factors are then unusable.
    fn factorize(&mut self, layout: &Layout<'_>, values: &[T]) -> Result<(), Singular>;

    /// The same without pivots on the diagonal, for tangents without inertia, such as those of statics.
    ///
    /// # Errors
    /// As [`Kkt::factorize`].
    fn factorize_by_exchange(&mut self, layout: &Layout<'_>, values: &[T]) -> Result<(), Singular> {
        self.factorize(layout, values)
    }

    /// Factorises the transposed matrix, for the covectors of a sweep backwards; false, the default, if it cannot.
    ///
    /// # Errors
    /// As [`Kkt::factorize`].
    fn factorize_transposed(&mut self, layout: &Layout<'_>, values: &[T]) -> Result<bool, Singular> {
        let _ = (layout, values);
        Ok(false)
    }

    /// As [`Saddle::certain`].
    fn certain(&self) -> bool {
        false
    }

    /// Whether the determinant is negative. It is not if inertia dominates; the default, false, means unknown.
    fn reversed(&self) -> bool {
        false
    }

    /// How many eigenvalues of the block of velocities and states are negative along the motions that the rows allow,
    /// by the signs of the pivots (Sylvester). The default, none, means unknown, as it is where the matrix is not
    /// symmetric but for the factors of its rows.
    fn negative(&self) -> Option<usize> {
        None
    }

    /// Factorises although rows of G depend on others here: the solution holds what they hold, with multipliers of
    /// least size, and leaves what is inconsistent in them unsolved.
    ///
    /// # Errors
    /// [`Singular`] when M is singular on the kernel of G, and where a solver cannot do it.
    fn soften(&mut self, layout: &Layout<'_>, values: &[T]) -> Result<(), Singular> {
        self.factorize(layout, values)
    }

    /// The same of the transposed matrix: solves are the transposes of those after [`Kkt::soften`]. It is called only
    /// where [`Kkt::factorize_transposed`] is not false.
    ///
    /// # Errors
    /// As [`Kkt::soften`].
    fn soften_transposed(&mut self, layout: &Layout<'_>, values: &[T]) -> Result<(), Singular> {
        self.factorize_transposed(layout, values).map(|_| ())
    }

    /// Where rows may depend on others, says how far off the point of the next factors is: Φ, and what to measure it
    /// by. Rows that depend on others are independent off the constraints.
    fn tolerate(&mut self, phi: &[T], size: T) {
        let _ = (phi, size);
    }

    /// With redundant rows: sets the nonzeros of M, in the order of `layout.mass`, which are the measure of tangents
    /// without inertia.
    fn measure(&mut self, layout: &Layout<'_>, mass: &[T]) {
        let _ = (layout, mass);
    }

    /// Reduces multipliers to the smallest that give the same forces, by the last factors; leaves them unchanged if
    /// rows are independent.
    fn prune(&self, l: &mut [T]) {
        let _ = l;
    }

    /// Solves in place for the unknowns (v, z, λ), and says what iterations it took.
    ///
    /// # Errors
    /// [`Unsolved`] of a solver that iterates; the unknowns are then unusable.
    fn solve(&self, v: &mut [T], z: &mut [T], l: &mut [T]) -> Result<Iterated, Unsolved>;

    /// The same for all lanes of x = (v, z, λ). By default one lane after the other, in the room of one solution.
    ///
    /// # Errors
    /// As [`Kkt::solve`].
    fn solve_lanes(&self, x: LanesMut<'_, T>, one: (&mut [T], &mut [T], &mut [T])) -> Result<(), Unsolved>
    where
        T: Real,
    {
        solve_by_lane(self, x, one)
    }
}

/// A square system, filled entry by entry, for a consistent start or for algebraic variables.
pub trait Square<T>: core::fmt::Debug {
    /// its factors
    type Factors: Factored<T>;
    /// Whether it stores entries one by one, for large models.
    const SPARSE: bool = false;

    /// At least `nv + nc + max(init_position, init_velocity)` rows, or `algebraic` rows.
    fn new(layout: &Layout<'_>) -> Self;

    /// Number of rows.
    fn size(&self) -> usize;

    /// Sets all entries to zero.
    fn clear(&mut self);

    /// Sets an entry that is zero.
    fn set(&mut self, row: usize, column: usize, value: T);

    /// Room for `len` numbers in place of the entries, and the right-hand side. A dense matrix has room for `size()`².
    fn room(&mut self, len: usize) -> (&mut [T], &mut [T]);

    /// The right-hand side, replaced by the solution.
    fn rhs(&mut self) -> &mut [T];

    /// Factorises with pivoting; the entries are kept. Factors of many unknowns are allocated.
    ///
    /// # Errors
    /// [`Singular`] when the rank is not full, or an entry is not finite.
    fn factorize(&self) -> Result<Self::Factors, Singular>;

    /// Solves for the right-hand side.
    ///
    /// # Errors
    /// As [`Square::factorize`].
    fn solve(&mut self) -> Result<(), Singular> {
        self.factorize()?.solve(self.rhs());
        Ok(())
    }
}

/// The factors of a [`Square`] system.
pub trait Factored<T> {
    /// Replaces a right-hand side by the solution.
    fn solve(&self, x: &mut [T]);
}

/// [`Kkt::solve_lanes`], one lane after the other.
fn solve_by_lane<T: Real, K: Kkt<T> + ?Sized>(
    kkt: &K,
    x: LanesMut<'_, T>,
    (one_v, one_z, one_l): (&mut [T], &mut [T], &mut [T]),
) -> Result<(), Unsolved> {
    let (v, rest) = x.split_at_mut(one_v.len().min(x.len()));
    let (z, l) = rest.split_at_mut(one_z.len().min(rest.len()));
    let mut solved = Ok(());
    by_lane([v, z, l], [one_v, one_z, one_l], |[v, z, l]| {
        if let Err(unsolved) = kkt.solve(v, z, l) {
            solved = Err(unsolved);
        }
    });
    solved
}

/// Solves for one lane after the other, in the room of one solution.
fn by_lane<T: Copy, const K: usize>(
    mut lanes: [&mut [Lanes<T>]; K],
    mut one: [&mut [T]; K],
    mut solve: impl FnMut([&mut [T]; K]),
) {
    for k in 0..LANES {
        one.iter_mut().zip(&lanes).for_each(|(one, lanes)| take(k, lanes, one));
        solve(one.each_mut().map(|one| &mut **one));
        lanes.iter_mut().zip(&one).for_each(|(lanes, one)| put(k, lanes, one));
    }
}

/// Reads a lane.
pub(crate) fn take<T: Copy>(lane: usize, from: &[Lanes<T>], to: &mut [T]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to = from.0[lane]);
}

/// Writes a lane.
pub(crate) fn put<T: Copy>(lane: usize, to: &mut [Lanes<T>], from: &[T]) {
    to.iter_mut().zip(from).for_each(|(to, from)| to.0[lane] = *from);
}

/// Σ aᵢ bᵢ in four partial sums, because a single one would wait for each addition.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn dot<T: Real>(a: &[T], b: &[T]) -> T {
    let (a, rest_a) = a.as_chunks::<4>();
    let (b, rest_b) = b.as_chunks::<4>();
    let mut sums = [T::ZERO; 4];
    for (a, b) in a.iter().zip(b) {
        for i in 0..4 {
            sums[i] += a[i] * b[i];
        }
    }
    let rest = rest_a.iter().zip(rest_b).fold(T::ZERO, |sum, (&a, &b)| sum + a * b);
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}
