//! The methods, one file each.
//!
//! Coordinates with q̇ = N(q) v, rotations, move by q ⊕ s with a step s in tangent coordinates, never by a sum that is
//! corrected afterwards. Orders, estimates and interpolation are the same as with N = 1.
//!
//! | method | order | constraints | needs |
//! | --- | --- | --- | --- |
//! | [`SemiExplicitEuler`] explicit | 1 | acceleration level, drifts | [`Solvable`] |
//! | [`SemiExplicitEuler`] implicit in q | 1 | acceleration level, drifts | [`Solvable`] |
//! | [`SemiExplicitEuler`] implicit in v | 1 | velocity level, drifts | [`Linearize`] |
//! | [`SymplecticEuler`], both forms | 1, symplectic | Φ = 0 and Φ̇ = 0 at each step | [`Linearize`] |
//! | [`StormerVerlet`], [`Rattle`] | 2, symplectic | Φ = 0 and Φ̇ = 0 at each step | [`Linearize`] |
//! | [`Composition`] of it | 4, 6 or 8, symplectic | Φ = 0 and Φ̇ = 0 at each step | [`Linearize`] |
//! | [`ImplicitMidpoint`] | 2, symplectic | Φ = 0 and Φ̇ = 0 at each step | [`Linearize`] |
//! | [`BackwardEuler`] | 1 | Φ = 0 at each step (index 3) | [`Linearize`] |
//! | [`Bdf2`] | 2, estimate of order 2 | Φ = 0 at each step (index 3) | [`Linearize`] |
//! | [`GeneralizedAlpha`]: Newmark, trapezoidal, HHT, generalised-α | 2 | Φ = 0 at each step (index 3) | [`Linearize`] |
//! | [`ForwardEuler`] | 1 | acceleration level, drifts | [`Solvable`] |
//! | [`Heun`], [`ExplicitMidpoint`] | 2, estimate of order 1 | acceleration level, to be projected | [`Solvable`] |
//! | [`BogackiShampine`] | 3, estimate of order 2 | acceleration level, to be projected | [`Solvable`] |
//! | [`RungeKutta4`] | 4 | acceleration level, to be projected | [`Solvable`] |
//! | [`Geodesic`] | 4, estimate of order 3 | acceleration level, to be projected | [`Solvable`] |
//! | [`Fehlberg`] | 4, estimate of order 4 | acceleration level, to be projected | [`Solvable`] |
//! | [`DormandPrince`] | 5, estimate of order 4 | acceleration level, to be projected | [`Solvable`] |
//! | [`DormandPrince8`] | 8, estimate of order 5 | acceleration level, to be projected | [`Solvable`] |
//! | [`Verner9`] | 9, estimate of order 8 | acceleration level, to be projected | [`Solvable`] |
//! | [`Leapfrog`] | 2, estimate of order 2 | acceleration level, to be projected | [`Solvable`] |
//! | [`SemiExplicitPair`] | 1, estimate of order 1 | acceleration level, to be projected | [`Solvable`] |
//!
//! Those from [`ForwardEuler`] to [`Verner9`] are a [`Tableau`] each; your own becomes a method by the same trait.

mod backward_euler;
mod bdf2;
mod composition;
mod end_equations;
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

pub use backward_euler::{BackwardEuler, Implicit};
pub use bdf2::Bdf2;
pub use composition::Composition;
pub use generalized_alpha::{First, GeneralizedAlpha};
pub use implicit_midpoint::ImplicitMidpoint;
pub use leapfrog::Leapfrog;
pub use multipliers::Multipliers;
pub use runge_kutta::{
    BogackiShampine, DormandPrince, DormandPrince8, ExplicitMidpoint, Fehlberg, ForwardEuler, Geodesic, Heun,
    RungeKutta4, Stages, Tableau, Verner9,
};
pub use semi_explicit_euler::{Explicit, ImplicitPosition, ImplicitVelocity, SemiExplicitEuler};
pub use semi_explicit_pair::SemiExplicitPair;
pub(crate) use slopes::{Slopes, slope};
pub use stormer_verlet::{Rattle, StormerVerlet};
pub use symplectic_euler::{Lead, SymplecticEuler};

#[cfg(doc)]
use crate::model::linearize::Linearize;
#[cfg(doc)]
use crate::solve::solvable::Solvable;
