//! The method of Störmer and Verlet in (q, p), p = M(q, t) v; with constraints it is RATTLE.
//!
//! # Scheme
//! With F = f + Ṁ v, which is ∂L/∂q plus other forces:
//!
//! ```text
//! p′ = p + ½ h F(t, q, vₐ, z′) + G(q, t)ᵀ λ,        M(q, t) vₐ = p′,      z′ = z + ½ h g(t, q, vₐ, z′)
//! q⁺ = q ⊕ ½ h (vₐ + vᵦ),                           M(q⁺, t⁺) vᵦ = p′,    Φ(q⁺, t⁺) = 0
//! p⁺ = p′ + ½ h F(t⁺, q⁺, vᵦ, z′) + G(q⁺, t⁺)ᵀ μ,   M(q⁺, t⁺) v⁺ = p⁺,    G v⁺ + Φₜ = 0
//! z⁺ = z′ + ½ h g(t⁺, q⁺, vᵦ, z′)
//! ```
//!
//! the two forms of [`SymplecticEuler`](super::SymplecticEuler) one after the other, with Φ = 0 required only at the
//! end. For constant M and f(q) it is the leapfrog, with one more evaluation for the accelerations of the state.
//!
//! # Properties
//! Order 2 in q, v, z, a and λ; symmetric, so reversible motions return to their start. Symplectic if T = ½ vᵀ M v and
//! N = 1, for forces with a potential, also on the manifold of holonomic constraints: the energy error is O(h²) and
//! stays so. Rotations use q ⊕ s and body momenta: order 2 and symmetry hold. Φ = 0 and Φ̇ = 0 to round-off. a and λ
//! are those of the equations; the impulses of the two halves, which oscillate about them, are not kept. Nonholonomic
//! rows hold at the middle of the step and at its end. Stable for h ω < 2. A damper that is too stiff for the step only
//! changes the sign of a velocity in each step, not its size: use implicit methods for strong damping.
//!
//! # Needs
//! `Linearize`, whose tangent is used if M varies or corrections are slow, and momenta M v: models of first order, and
//! inertia that depends on velocities, are refused. Variations of its steps need the feature `std`.
//!
//! # Reference
//! E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration, 2nd ed., (VI.3.4), and (VII.1.26) for RATTLE; H.
//! C. Andersen, Rattle: a "velocity" version of the Shake algorithm for molecular dynamics calculations, J. Comput.
//! Phys. 52 (1983) 24–34.

use crate::error::Cause;
use crate::integrators::method::{Method, Proposal};
use crate::integrators::partitioned::{Partitioned, Shares, partitioned};
use crate::model::input::Inputs;
use crate::model::linearize::Linearize;
use crate::model::state::State;
use crate::numbers::scalar::Real;
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;
use crate::solve::{Acceleration, Descent, Newton};

/// Störmer–Verlet, and RATTLE.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StormerVerlet<T> {
    /// limits of the iterations; the method chooses their matrix and ignores `reuse`
    pub newton: Newton<T>,
}

/// The name of [`StormerVerlet`] with constraints; it is the same method.
pub type Rattle<T> = StormerVerlet<T>;

impl<T: Real> Default for StormerVerlet<T> {
    fn default() -> Self {
        Self { newton: Descent::limits() }
    }
}

impl<T: Real> StormerVerlet<T> {
    fn shares(&self) -> Shares<T> {
        let half = T::from_f64(0.5);
        Shares { before: half, after: half }
    }
}

partitioned!(StormerVerlet);
