//! Checks every generated derivative of a model against dual numbers through its plain residual.
//!
//! The oracle shares nothing with the symbolic calculus: it evaluates r, ż − g, Φ and y over [`Dual`] numbers, one
//! direction at a time, and compares at random states, rates, inputs, multipliers and parameters.
#![allow(clippy::result_large_err, reason = "a mismatch is met once, in a test, and carries its names without a heap")]

mod changes;
mod compare;
mod curvature;
mod direction;
mod dynamics;
mod events;
mod external;
mod partials;
mod point;
mod probe;
mod products;
mod sensitivities;
mod solutions;
mod twins;

pub use compare::{Mismatch, TOLERANCE};
pub use curvature::check_curvature;
pub use external::{AGREEMENT, Differenced};
pub use partials::check_partials;
pub use point::POINTS;
pub use products::{PAIR_POINTS, Products, check_products};

use crate::model::differentiable::{Differentiable, FromParameters};
use crate::numbers::dual::Dual;
use crate::selftest::point::random_points;
use crate::selftest::probe::Check;
use crate::solve::solvable::Solvable;

/// Checks M, Ṁ v, K, D, ∂(r, ż − g)/∂(z, ż), G, the rows and columns of constraints in the tangent, Φ̇, γ, f, g, B, P,
/// ∂Φ/∂p and ∂y of `S` at random points against the same model `D` over dual numbers; and accelerations, multipliers
/// and corrections against M, f, G and γ.
///
/// # Errors
/// The first entry that differs by more than [`TOLERANCE`] of its block's largest.
pub fn check<S, D>() -> Result<(), Mismatch>
where
    S: Differentiable<Real = f64> + Solvable + Default,
    D: FromParameters<Real = Dual<f64>>,
{
    check_model::<S, D>(&S::default())
}

/// As [`check`], around the parameters of `model`.
///
/// # Errors
/// The first entry that differs.
pub fn check_model<S, D>(model: &S) -> Result<(), Mismatch>
where
    S: Differentiable<Real = f64> + Solvable,
    D: FromParameters<Real = Dual<f64>>,
{
    random_points(model, |model, parameters, point| {
        Check::<S, D> { model, parameters, point, marker: core::marker::PhantomData }.run()?;
        solutions::check(model, point)
    })
}

impl<S, D> Check<'_, S, D>
where
    S: Differentiable<Real = f64>,
    D: FromParameters<Real = Dual<f64>>,
{
    fn run(&self) -> Result<(), Mismatch> {
        self.positions()?;
        self.tangent()?;
        self.momentum_rate()?;
        self.constraint_time()?;
        self.inputs()?;
        self.parameters()?;
        self.algebraic()?;
        self.outputs()?;
        events::check(self)
    }
}
