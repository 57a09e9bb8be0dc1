//! The methods, one file each.
//!
//! Coordinates with q̇ = N(q) v, rotations, move by q ⊕ s with a step s in tangent coordinates, never by a sum that is
//! corrected afterwards. Orders and estimates are the same as with N = 1, and so is interpolation, with one exception:
//! between the steps of a [`Composition`] on the sphere, velocities are of order 3.
//!
//! | family | methods |
//! | --- | --- |
//! | semi-explicit, for small fixed budgets | [`SemiExplicitEuler`], [`SemiExplicitPair`], [`Leapfrog`] |
//! | symplectic on (q, p) | [`SymplecticEuler`], [`StormerVerlet`] or [`Rattle`], [`Composition`], [`ImplicitMidpoint`] |
//! | explicit Runge–Kutta | [`ForwardEuler`], [`Heun`], [`ExplicitMidpoint`], [`BogackiShampine`], [`RungeKutta4`], [`Geodesic`], [`Fehlberg`], [`DormandPrince`], [`DormandPrince8`], [`Verner9`] |
//! | explicit, for strong damping | [`Chebyshev`] |
//! | implicit, index 3 | [`BackwardEuler`], [`Bdf2`], [`GeneralizedAlpha`] with Newmark, trapezoidal and HHT |
//!
//! The guide's page on methods has their order, drift, energy and stability, each cell measured by a test.
//!
//! Each explicit Runge–Kutta method is a [`Tableau`]; your own becomes a method by the same trait. Symplectic and
//! implicit methods need [`Linearize`], the others [`Solvable`].

#[cfg(feature = "std")]
mod adjoint;
mod backward_euler;
mod bdf2;
mod composition;
mod end_equations;
#[cfg(feature = "second-order")]
mod explicit_form;
mod foresight;
mod generalized_alpha;
mod implicit_midpoint;
mod leapfrog;
pub(crate) mod method;
mod multipliers;
mod partitioned;
mod runge_kutta;
pub(crate) mod scheme;
mod semi_explicit_euler;
mod semi_explicit_pair;
mod slopes;
mod stormer_verlet;
mod symplectic_euler;
mod vary;
pub(crate) mod wide;
#[cfg(feature = "std")]
mod with_momenta;

#[cfg(feature = "std")]
pub use adjoint::{Adjoint, Covector};
pub use backward_euler::{BackwardEuler, Implicit};
pub use bdf2::Bdf2;
pub use composition::Composition;
#[cfg(feature = "second-order")]
pub use explicit_form::ExplicitForm;
pub use generalized_alpha::{First, GeneralizedAlpha};
pub use implicit_midpoint::ImplicitMidpoint;
pub use leapfrog::Leapfrog;
pub use multipliers::Multipliers;
pub use runge_kutta::{
    BogackiShampine, Chebyshev, DormandPrince, DormandPrince8, ExplicitMidpoint, Fehlberg, ForwardEuler, Geodesic,
    Heun, RungeKutta4, Stages, Tableau, Verner9,
};
pub use semi_explicit_euler::{Explicit, ImplicitPosition, ImplicitVelocity, SemiExplicitEuler};
pub use semi_explicit_pair::SemiExplicitPair;
pub(crate) use slopes::{Slopes, slope};
pub use stormer_verlet::{Rattle, StormerVerlet};
pub use symplectic_euler::{Lead, SymplecticEuler};
pub use vary::{Attempted, Stepped, Vary, settle, vary_step};
pub use wide::WideMethod;

#[cfg(doc)]
use crate::model::linearize::Linearize;
#[cfg(doc)]
use crate::solve::solvable::Solvable;
