//! Damping in proportion to mass and stiffness.
//!
//! A system with the force −(α M + β K) v added, K = ∂r/∂q at a = 0 and λ = 0, which is −∂f/∂q with t, v, z and u held:
//! Rayleigh's. On a linear system it damps an oscillation of angular frequency ω by the fraction ½ (α/ω + β ω) of
//! critical damping. α alone is damping of all velocities alike: a free v falls as exp(−α t), for which SOFA's
//! `vdamping` multiplies it by exp(−α h) after each step.
//!
//! It is a force: it acts once, in every method. K is not positive definite everywhere for nonlinear models, and where
//! it is not, β feeds energy in.
//!
//! To the tangent it adds ν (α M + β K), without the derivatives of M and K, which vanish for linear systems and at v
//! = 0. Newton's method solves the same equations with it, and converges linearly where K varies. Forces of compliant
//! rows depend on λ and have no part in K.
//!
//! Reference: Lord Rayleigh, The Theory of Sound I, §102; K.-J. Bathe, Finite Element Procedures, §9.3.3.

use crate::adaptors::adapt::{self, delegate};
use crate::error::{Cause, Name};
use crate::model::layout::Block;
use crate::model::linearize::{Linearize, Weights};
use crate::model::system::{At, Forward, Rates, Residual, System};
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::solvable::Solvable;

/// A system with damping in proportion to its mass and stiffness. Put [`Held`](crate::analysis::Held) around it, not
/// inside: otherwise held velocities would be damped. Evaluations of systems of run-time size allocate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rayleigh<S, T> {
    system: S,
    mass: T,
    stiffness: T,
}

impl<S: Linearize> Rayleigh<S, S::Real> {
    /// With α = `mass` in 1/s and β = `stiffness` in s.
    ///
    /// # Errors
    /// [`Cause::FirstOrder`]: forces determine the velocities of such a model.
    pub fn new(system: S, mass: S::Real, stiffness: S::Real) -> Result<Self, Cause> {
        let layout = system.layout();
        if layout.first_order() {
            return Err(Cause::FirstOrder { model: Name::new(layout.name) });
        }
        Ok(Self { system, mass, stiffness })
    }

    /// α
    pub fn mass(&self) -> S::Real {
        self.mass
    }

    /// β
    pub fn stiffness(&self) -> S::Real {
        self.stiffness
    }

    /// The system without it.
    pub fn system(&self) -> &S {
        &self.system
    }

    /// Adds (α M + β K) v to `r`; calls `each` with the place in the tangent of every entry of α M + β K.
    fn damp(&self, at: At<'_, S>, r: &mut S::V, sign: S::Real, mut each: impl FnMut(usize, S::Real)) {
        let (layout, zero) = (self.system.layout(), S::Real::ZERO);
        let nv = layout.v.len();
        let (rest, zdot, lambda) =
            (S::V::zeros(nv), S::Z::zeros(layout.z.len()), S::L::zeros(layout.constraints.len()));
        let rates = Rates { a: &rest, zdot: &zdot, lambda: &lambda };
        let weights = Weights { rates: self.mass, velocity: zero, position: self.stiffness, state: zero };
        let (mut residual, mut values) = (Residual::zeros(&layout), S::Tangent::zeros(layout.tangent.nnz()));
        self.system.tangent(at, rates, weights, &rest, &mut residual, &mut values);
        for (k, ((row, col), &value)) in layout.tangent.entries().zip(values.as_ref()).enumerate() {
            if let (Some(r), Some(&v)) = (r.as_mut().get_mut(row), at.v.as_ref().get(col)) {
                *r += sign * value * v;
                each(k, value);
            }
        }
    }
}

impl<S: Linearize> System for Rayleigh<S, S::Real> {
    delegate! { S, system: blocks layout parameters inputs start constraints momenta algebraic events motion }

    fn forward(&self, at: At<'_, Self>, out: &mut Forward<Self>) {
        adapt::forward(out, |out| self.system.forward(adapt::at(at), out));
        self.damp(adapt::at(at), &mut out.force, -S::Real::ONE, |_, _| {});
    }

    fn residual(&self, at: At<'_, Self>, rates: Rates<'_, Self>, out: &mut Residual<Self>) {
        adapt::residual(out, |out| self.system.residual(adapt::at(at), adapt::rates(rates), out));
        self.damp(adapt::at(at), &mut out.r, S::Real::ONE, |_, _| {});
    }
}

impl<S: Linearize> Linearize for Rayleigh<S, S::Real> {
    type Tangent = S::Tangent;
    const NEWTON_IS_EXACT: bool = S::NEWTON_IS_EXACT;

    fn tangent(
        &self,
        at: At<'_, Self>,
        rates: Rates<'_, Self>,
        weights: Weights<S::Real>,
        step: &S::V,
        residual: &mut Residual<Self>,
        out: &mut S::Tangent,
    ) {
        let (at, rates) = (adapt::at(at), adapt::rates(rates));
        adapt::residual(residual, |residual| self.system.tangent(at, rates, weights, step, residual, out));
        let out = out.as_mut();
        self.damp(at, &mut residual.r, S::Real::ONE, |k, value| {
            if let Some(out) = out.get_mut(k) {
                *out += weights.velocity * value;
            }
        });
    }

    fn newton_stiffness(&self, at: At<'_, Self>, weights: Weights<S::Real>, out: &mut S::Tangent)
    where
        S::Real: Real,
    {
        // the part of damping is β K
        let position = weights.position + self.stiffness * weights.velocity;
        self.system.newton_stiffness(adapt::at(at), Weights { position, ..weights }, out);
    }
}

impl<S: Solvable + Linearize> Solvable for Rayleigh<S, S::Real> {
    delegate! { S, system: solvers }
}
