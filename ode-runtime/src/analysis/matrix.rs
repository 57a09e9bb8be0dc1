//! The matrix of a step, its right-hand side and its inverse, on request.

use crate::error::{Cause, Level};
use crate::linalg::Kkt;
#[cfg(feature = "std")]
use crate::linalg::{DMatrix, Matrix, Singular};
use crate::model::input::Inputs;
use crate::model::linearize::{Linearize, Weights};
use crate::model::state::State;
use crate::model::system::Residual;
use crate::solve::context::{Context, Work};
use crate::solve::solvable::Solvable;
#[cfg(feature = "std")]
use crate::solve::unsolved;
use crate::solve::{Tangent, undetermined};

/// S = ρ M + ν D + π K, bordered by the constraints, and −(r, s, Φ), at a state: the linear system of a Newton
/// iteration.
///
/// ```text
/// [ ρ M + ν D + π K   σ ∂r/∂z   −Gᵀ ] [ ξ ]   [ −r ]
/// [ …                 …          0  ] [ ζ ] = [ −s ]
/// [ π G               0          0  ] [ δλ]   [ −Φ ]
/// ```
///
/// as [`Linearize::tangent`] defines it, with M, D and K of the whole residual. λ is a **force**, M a = f + Gᵀ λ,
/// whatever the unknown ξ is; the impulse of a constraint in a step is h λ. A [`Scheme`](crate::Scheme) gives the
/// weights of a method. Steps do not compute this; it is evaluated on request.
#[derive(Debug)]
pub struct SystemMatrix<S: Solvable + Linearize> {
    tangent: Tangent<S>,
    right: Residual<S>,
}

impl<S: Solvable + Linearize> SystemMatrix<S> {
    /// The matrix at `x`, with its rates and multipliers.
    ///
    /// # Errors
    /// [`Cause::NonFinite`] naming the coordinate, input, force or constraint; [`Cause::NotARotation`].
    pub fn assemble<U: Inputs<S>>(
        system: &S,
        inputs: &U,
        weights: Weights<S::Real>,
        x: &State<S>,
    ) -> Result<Self, Cause> {
        let (x, mut tangent) = (&x.entered(system)?, Tangent::new(system));
        let mut work = Work::default();
        tangent.linearize(&mut Context { system, inputs, work: &mut work }, Level::Position, weights, x)?;
        let mut right = tangent.residual.clone();
        for x in right.r.as_mut().iter_mut().chain(right.s.as_mut()).chain(right.phi.as_mut()) {
            *x = -*x;
        }
        Ok(Self { tangent, right })
    }

    /// The nonzeros, in the order of `Layout::tangent`.
    pub fn values(&self) -> &[S::Real] {
        self.tangent.values.as_ref()
    }

    /// −(r, s, Φ); in rows of constraints, their residual.
    pub fn right_hand_side(&self) -> &Residual<S> {
        &self.right
    }

    /// Replaces a right-hand side of this shape by the solution (ξ, ζ, δλ): `right_hand_side` gives a Newton step, a
    /// force in `r` its effect.
    ///
    /// # Errors
    /// [`Cause::Singular`] naming what no equation determines, [`Cause::Inaccurate`].
    pub fn solve(&mut self, system: &S, right: &mut Residual<S>) -> Result<(), Cause> {
        let layout = system.layout();
        let factorized = self.tangent.kkt.factorize_by_exchange(&layout, self.tangent.values.as_ref());
        factorized.map_err(|singular| undetermined(&layout, layout.z.len(), singular))?;
        core::mem::swap(&mut self.tangent.residual, right);
        let solved = self.tangent.solve_once(system, &mut Work::default());
        core::mem::swap(&mut self.tangent.residual, right);
        solved
    }
}

#[cfg(feature = "std")]
impl<S: Solvable + Linearize> SystemMatrix<S> {
    /// The matrix with its zeros, rows and columns (v, z, λ).
    pub fn dense(&self, system: &S) -> DMatrix<S::Real> {
        self.matrix(system).into()
    }

    pub(super) fn matrix(&self, system: &S) -> Matrix<S::Real> {
        Matrix::from_pattern(system.layout().tangent, self.values())
    }

    /// C = S⁻¹ of the unconstrained block, rows and columns (v, z): ξ = C p without constraints.
    ///
    /// For a [`Held`](crate::analysis::Held) system use its [`compliance`](crate::analysis::Held::compliance), which
    /// removes the held velocities.
    ///
    /// # Errors
    /// [`Singular`] with the unknown no equation determines.
    pub fn compliance(&self, system: &S) -> Result<DMatrix<S::Real>, Singular> {
        let layout = system.layout();
        let n = layout.v.len() + layout.z.len();
        Ok(self.matrix(system).block(0..n, 0..n).inverse()?.into())
    }

    /// The inverse of the whole matrix, rows and columns (v, z, λ): its first block is the compliance of the
    /// constrained system, and G C = 0. If rows depend on others, the solution with the least multipliers.
    ///
    /// # Errors
    /// [`Cause::Singular`] with the unknown no equation determines.
    pub fn constrained_compliance(&self, system: &S) -> Result<DMatrix<S::Real>, Cause> {
        let layout = system.layout();
        // Dependent rows have no inverse, but a solution.
        let mut kkt = system.kkt();
        let factorized = kkt.factorize_by_exchange(&layout, self.values());
        factorized.map_err(|singular| undetermined(&layout, layout.z.len(), singular))?;
        let (nv, nz) = (layout.v.len(), layout.z.len());
        let mut columns = Matrix::identity(nv + nz + layout.constraints.len());
        for c in 0..columns.cols() {
            let mut x: std::vec::Vec<S::Real> = (0..columns.rows()).map(|r| columns[(r, c)]).collect();
            let (v, rest) = x.split_at_mut(nv);
            let (z, l) = rest.split_at_mut(nz);
            kkt.solve(v, z, l).map_err(|cause| unsolved(&layout, cause))?;
            x.iter().enumerate().for_each(|(r, &x)| columns[(r, c)] = x);
        }
        Ok(columns.into())
    }
}
