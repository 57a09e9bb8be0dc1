//! Symplectic Euler in (q, p), p = M(q, t) v.
//!
//! # Scheme
//! With F = f + Ṁ v, which is ∂L/∂q plus other forces:
//!
//! ```text
//! momenta first      p′ = p + h F(t, q, v, z⁺) + Gᵀ λ,   M(q, t) v = p′,     q⁺ = q ⊕ h v,   p⁺ = p′ + G(q⁺)ᵀ μ
//!                    z⁺ = z + h g(t, q, v, z⁺)
//! positions first    p′ = p + Gᵀ λ,   M(q⁺, t⁺) v = p′,  q⁺ = q ⊕ h v,       p⁺ = p′ + h F(t⁺, q⁺, v, z) + G(q⁺)ᵀ μ
//!                    z⁺ = z + h g(t⁺, q⁺, v, z)
//! ```
//!
//! with the impulses λ and μ of Φ(q⁺, t⁺) = 0 and G v⁺ + Φₜ = 0; the state keeps v⁺ = M(q⁺, t⁺)⁻¹ p⁺. Each form is the
//! other one run backward. For M(q) they differ from [`SemiExplicitEuler`](super::SemiExplicitEuler), which works on
//! (q, v): only these are symplectic then.
//!
//! # Properties
//! Order 1. Symplectic if T = ½ vᵀ M v and N = 1, for forces with a potential, also on the manifold of holonomic
//! constraints: the energy error is O(h) and stays so. Φ = 0 and Φ̇ = 0 to round-off. a and λ are those of the
//! equations. Nonholonomic rows hold at the middle of the step and at its end. Stable for h ω < 2. The form that moves
//! momenta first removes a velocity against a stiff damper; the other is stable for h c/m < 2.
//!
//! # Needs
//! `Linearize`, whose tangent is used if M varies or corrections are slow, and momenta M v: models of first order, and
//! inertia that depends on velocities, are refused. Variations of its steps need the feature `std`.
//!
//! # Reference
//! E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration, 2nd ed., (VI.3.1); with constraints (VII.1.20).

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

/// What a step of [`SymplecticEuler`] moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lead {
    /// p, by forces at the old q
    Momenta,
    /// q, by the old p; forces act at the new q
    Positions,
}

/// Symplectic Euler in (q, p).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SymplecticEuler<T> {
    /// what moves first
    pub lead: Lead,
    /// limits of the iterations; the method chooses their matrix and ignores `reuse`
    pub newton: Newton<T>,
}

impl<T: Real> SymplecticEuler<T> {
    /// The form that moves momenta first.
    pub fn momenta_first() -> Self {
        Self { lead: Lead::Momenta, newton: Descent::limits() }
    }

    /// Its adjoint, which moves positions first.
    pub fn positions_first() -> Self {
        Self { lead: Lead::Positions, newton: Descent::limits() }
    }

    fn shares(&self) -> Shares<T> {
        match self.lead {
            Lead::Momenta => Shares { before: T::ONE, after: T::ZERO },
            Lead::Positions => Shares { before: T::ZERO, after: T::ONE },
        }
    }
}

partitioned!(SymplecticEuler);
