//! The solvers of a model.

use crate::linalg::{Kkt, Saddle, Square};
use crate::model::system::{At, System};
use crate::numbers::scalar::Real;

/// δa (in first-order models δv), δż and δλ of what equations determine.
#[derive(Clone, Debug)]
pub struct Solved<V, Z, L> {
    /// of accelerations
    pub a: V,
    /// of rates
    pub zdot: Z,
    /// of multipliers
    pub lambda: L,
}

/// Columns of a, ż and λ, to write.
pub type SolvedColumns<'a, S> =
    Solved<&'a mut [<S as System>::V], &'a mut [<S as System>::Z], &'a mut [<S as System>::L]>;

/// The linear solvers that fit a model: generated or dense for small ones, sparse for large ones.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a model that can be run (`Solvable`)",
    label = "not a model over `f64` or `f32`",
    note = "a builder becomes a model by `.build()?`",
    note = "a system written by hand names its linear solvers in `Solvable`"
)]
pub trait Solvable: System<Real: Real> {
    /// the symmetric [M Gᵀ; G 0] of accelerations and projections
    type Saddle: Saddle<Self::Real>;
    /// the unsymmetric bordered tangent of implicit methods
    type Kkt: Kkt<Self::Real>;
    /// a square system of `nv + nc + max(init_position, init_velocity)` rows, for the consistent start
    type Assembly: Square<Self::Real>;
    /// a square system of `algebraic` rows
    type Algebra: Square<Self::Real>;

    /// Whether [`Solvable::accelerations`] and [`Solvable::correction`] are more than their defaults. Only for models
    /// of second order without algebraic variables whose blocks are arrays, because steps create blocks; with nq = nv
    /// only where N = 1.
    const DIRECT: bool = false;

    /// Room for the factors of a tangent. The default is what [`Kkt::new`] makes; a system that asks more of its solver
    /// says so here.
    fn kkt(&self) -> Self::Kkt {
        Self::Kkt::new(&self.layout())
    }

    /// a (nv), ż (nz) and λ (nc) of M a = f + Gᵀ λ, G a + γ = 0, ż = g in one function; not finite where forces are
    /// not.
    ///
    /// False if the function does not exist, or if a pivot loses its digits or has the wrong sign. Then the output must
    /// not be read, and the system must be solved from [`System::forward`].
    fn accelerations(&self, at: At<'_, Self>, a: &mut Self::V, zdot: &mut Self::Z, lambda: &mut Self::L) -> bool {
        let _ = (at, a, zdot, lambda);
        false
    }

    /// The same with ∂(a, ż, λ)/∂(q, v, z, u), a column each, in one function, in which all that they share is
    /// evaluated once; for at most 2 nv + nz + nu columns, of q in tangent coordinates. False as for
    /// [`Solvable::accelerations`], also where a derivative is not finite, where λ follows from compliant rows, and
    /// where a function gives all columns and there is room for fewer.
    fn acceleration_partials(
        &self,
        at: At<'_, Self>,
        a: &mut Self::V,
        zdot: &mut Self::Z,
        lambda: &mut Self::L,
        columns: SolvedColumns<'_, Self>,
    ) -> bool {
        let _ = (at, a, zdot, lambda, columns);
        false
    }

    /// δ (nv, into `step`) of M δ = Gᵀ y, G δ = b (nc) in one function: the smallest change in the metric of M that
    /// changes the constraints by `b`. False as for [`Solvable::accelerations`].
    fn correction(&self, at: At<'_, Self>, b: &Self::L, step: &mut Self::V) -> bool {
        let _ = (at, b, step);
        false
    }
}
