//! A large model whose implicit steps are solved by iterations.
//!
//! Nothing else changes: accelerations, starts and projections have the solvers that they have, and the equations of a
//! step are the same. Factors of the tangent are what does not fit into memory when a model becomes large, and what
//! takes its time: [`linalg::IterativeKkt`](crate::linalg::IterativeKkt) needs none.

use core::fmt;

use crate::adaptors::adapt::{self, delegate};
use crate::error::Name;
use crate::linalg::{ITERATIONS, IterativeKkt, Kkt, held, tolerance};
use crate::model::linearize::{Linearize, Weights};
use crate::model::system::{At, Forward, Rates, Residual, System};
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::solvable::Solvable;

/// Why a model's steps cannot be solved by iterations.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum IterativeError {
    /// A row of constraints that is not `x == f(t)` of one coordinate, or a second row on this coordinate.
    Row {
        /// the row
        constraint: Name,
    },
    /// The model has states beside its coordinates.
    State {
        /// the first of them
        name: Name,
    },
    /// The model has `redundant` rows.
    Redundant,
    /// Its numbers carry derivatives, or are several.
    Numbers,
    /// The tolerance is not between round-off and 1.
    Tolerance {
        /// what it was
        value: f64,
    },
}

impl fmt::Display for IterativeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rest = "use the model without `Iterative`";
        match self {
            Self::Row { constraint } => write!(
                f,
                "constraint `{constraint}` is not one that alone holds one coordinate, as `fix` does: iterations cannot keep it; {rest}"
            ),
            Self::State { name } => write!(f, "iterations solve for motion alone, not for state `{name}`; {rest}"),
            Self::Redundant => write!(f, "iterations cannot keep redundant rows; {rest}"),
            Self::Numbers => write!(f, "iterations need plain numbers, f64 or f32; {rest}"),
            Self::Tolerance { value } => {
                write!(f, "the tolerance of iterations is {value}, but must be between round-off and 1")
            }
        }
    }
}

impl core::error::Error for IterativeError {}

/// A system whose implicit steps are solved by preconditioned conjugate gradients where its tangent is symmetric, by
/// stabilised biconjugate gradients where it is not, without factors.
///
/// Its constraints each hold one coordinate, as `fix` does. A step in which conjugate gradients meet a direction that
/// is not stable is refused, [`Cause::Indefinite`](crate::Cause::Indefinite); so is one whose residual, computed from
/// the solution, stays above the tolerance, [`Cause::Unsolved`](crate::Cause::Unsolved).
/// [`Work`](crate::Work) counts iterations. It has no derivatives of steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Iterative<S, T> {
    system: S,
    tolerance: T,
    most: u32,
}

impl<S: Solvable<Real: Real>> Iterative<S, S::Real> {
    /// With residuals below 10⁻¹⁰ of the right-hand side, and at most 10 000 iterations a solution.
    ///
    /// # Errors
    /// [`IterativeError`] with the constraint or state that iterations cannot keep.
    pub fn new(system: S) -> Result<Self, IterativeError> {
        let layout = system.layout();
        if !S::Real::PLAIN {
            return Err(IterativeError::Numbers);
        }
        if S::Kkt::REDUNDANT {
            return Err(IterativeError::Redundant);
        }
        if let Some(name) = layout.z.first() {
            return Err(IterativeError::State { name: Name::new(name) });
        }
        held(&layout).map_err(|row| IterativeError::Row { constraint: Name::of(layout.constraints, row) })?;
        Ok(Self { system, tolerance: tolerance(), most: ITERATIONS })
    }

    /// With residuals below another share of the right-hand side, in Σ rᵢ²/|aᵢᵢ|.
    ///
    /// # Errors
    /// [`IterativeError::Tolerance`] unless it is above round-off and below 1.
    pub fn to(self, tolerance: S::Real) -> Result<Self, IterativeError> {
        if tolerance >= S::Real::EPSILON && tolerance < S::Real::ONE {
            return Ok(Self { tolerance, ..self });
        }
        Err(IterativeError::Tolerance { value: tolerance.to_f64() })
    }

    /// With at most so many iterations a solution.
    #[must_use]
    pub fn at_most(self, iterations: u32) -> Self {
        Self { most: iterations, ..self }
    }

    /// The system, solved as it is by itself.
    pub fn system(&self) -> &S {
        &self.system
    }
}

impl<S: Linearize<Real: Real>> System for Iterative<S, S::Real> {
    delegate! { S, system: blocks layout parameters inputs start constraints momenta algebraic events motion }

    fn forward(&self, at: At<'_, Self>, out: &mut Forward<Self>) {
        adapt::forward(out, |out| self.system.forward(adapt::at(at), out));
    }

    fn residual(&self, at: At<'_, Self>, rates: Rates<'_, Self>, out: &mut Residual<Self>) {
        adapt::residual(out, |out| self.system.residual(adapt::at(at), adapt::rates(rates), out));
    }
}

impl<S: Linearize<Real: Real>> Linearize for Iterative<S, S::Real> {
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
    }

    fn tangent_and_drift(
        &self,
        at: At<'_, Self>,
        rates: Rates<'_, Self>,
        weights: Weights<S::Real>,
        step: &S::V,
        (residual, out): (&mut Residual<Self>, &mut S::Tangent),
        drift: &mut Residual<Self>,
    ) {
        let (at, rates) = (adapt::at(at), adapt::rates(rates));
        adapt::residual(residual, |residual| {
            adapt::residual(drift, |drift| {
                self.system.tangent_and_drift(at, rates, weights, step, (residual, out), drift);
            });
        });
    }

    fn newton_stiffness(&self, at: At<'_, Self>, weights: Weights<S::Real>, out: &mut S::Tangent) {
        self.system.newton_stiffness(adapt::at(at), weights, out);
    }
}

impl<S: Solvable + Linearize> Solvable for Iterative<S, S::Real> {
    type Saddle = S::Saddle;
    type Kkt = IterativeKkt<S::Real>;
    type Assembly = S::Assembly;
    type Algebra = S::Algebra;

    fn kkt(&self) -> IterativeKkt<S::Real> {
        IterativeKkt::with(&self.layout(), self.tolerance, self.most)
    }
}
