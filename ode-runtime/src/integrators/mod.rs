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
pub use stormer_verlet::{Rattle, StormerVerlet};
pub use symplectic_euler::{Lead, SymplecticEuler};

use crate::model::history::{History, Parts};
use crate::model::layout::Block;
#[cfg(doc)]
use crate::model::linearize::Linearize;
use crate::model::state::{State, copy};
use crate::solve::solvable::Solvable;

/// v̇, ż and λ by the equations of an implicit step, which may differ from those shown by its state.
#[derive(Clone, Debug)]
pub struct Slopes<S: Solvable> {
    pub(crate) a: S::V,
    pub(crate) zdot: S::Z,
    pub(crate) lambda: S::L,
}

impl<S: Solvable> Slopes<S> {
    pub(crate) fn zeros(system: &S) -> Self {
        let layout = system.layout();
        Self {
            a: Block::zeros(layout.v.len()),
            zdot: Block::zeros(layout.z.len()),
            lambda: Block::zeros(layout.constraints.len()),
        }
    }

    /// Takes those of `x`; in first-order models, v instead of a.
    pub(crate) fn take(&mut self, system: &S, x: &State<S>) {
        copy(slope(system, x), &mut self.a);
        copy(&x.zdot, &mut self.zdot);
        copy(&x.lambda, &mut self.lambda);
    }

    /// Takes the values of `other` without allocating.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        copy(&other.a, &mut self.a);
        copy(&other.zdot, &mut self.zdot);
        copy(&other.lambda, &mut self.lambda);
    }
}

/// What the equations determine: a, or v in first-order models.
pub(crate) fn slope<'x, S: Solvable>(system: &S, x: &'x State<S>) -> &'x S::V {
    if system.layout().first_order() { &x.v } else { &x.a }
}

impl<S: Solvable> History<S::Real> for Slopes<S> {
    fn visit(&mut self, parts: &mut dyn Parts<S::Real>) {
        parts.numbers("slope of v", self.a.as_mut());
        parts.numbers("slope of z", self.zdot.as_mut());
        parts.numbers("multipliers of slopes", self.lambda.as_mut());
    }
}
