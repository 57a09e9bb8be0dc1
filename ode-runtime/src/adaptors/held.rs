//! Degrees of freedom that are held.
//!
//! A projective constraint: with P the diagonal matrix that is 0 at the velocities held and 1 elsewhere, the
//! accelerations solve
//!
//! ```text
//! P M P a = P (f + Gᵀ λ),   G P a + γ = 0,   a = 0 where held
//! ```
//!
//! so there is no multiplier, and the reaction is not known; `fix x;` in a model is a row and has both. Rows and
//! columns of held velocities are zero in M, in G and in every tangent, with 1 on the diagonal, and their right-hand
//! sides are zero: the solution is that of the system without them.
//!
//! A held velocity keeps its initial value; [`System::guess`] gives zero. Methods that step momenta refuse a nonzero
//! value if varying M couples it to others, because its effect on their momenta is in the removed part of M. For any
//! other prescribed motion use a constraint, `constraint x == f(t)`.
//!
//! Reference: D. Baraff, A. Witkin, Large steps in cloth simulation, SIGGRAPH 1998, §5.1.

use core::fmt;

use crate::adaptors::adapt::{self, delegate};
use crate::error::Name;
use crate::error::unknown::{UnknownName, asks_for};
use crate::model::layout::{Block, Layout, Pattern};
use crate::model::linearize::{Linearize, Weights};
use crate::model::system::{At, Conditions, Constraint, Forward, Rates, Residual, System};
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::solvable::Solvable;

/// Why velocities cannot be held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HoldError {
    /// The model has no velocity, and no coordinate with a velocity of its own, of this name.
    Unknown(UnknownName),
    /// A velocity without inertia, stiffness and damping has no diagonal entry in the model's matrices.
    NoDiagonal {
        /// the velocity
        name: Name,
    },
}

impl fmt::Display for HoldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(unknown) => unknown.fmt(f),
            Self::NoDiagonal { name } => {
                write!(f, "`{name}` has neither inertia nor stiffness nor damping of its own: it cannot be held")
            }
        }
    }
}

impl core::error::Error for HoldError {}

/// A system with some velocities held: no force accelerates them.
#[derive(Clone, Debug)]
pub struct Held<S: System> {
    system: S,
    /// 1 where held, else 0
    held: S::V,
}

impl<S: System> Held<S> {
    /// Holds the velocities with these names, or those of the coordinates with these names if each coordinate has its
    /// own velocity; `r` holds `r.x` and `r[1]`.
    ///
    /// # Errors
    /// [`HoldError::Unknown`] with what the name may have meant; [`HoldError::NoDiagonal`].
    pub fn new(system: S, names: &[&str]) -> Result<Self, HoldError> {
        let layout = system.layout();
        let mut held = S::V::zeros(layout.v.len());
        for name in names {
            let mut known = false;
            for (i, held) in held.as_mut().iter_mut().enumerate() {
                let moves = layout.directions.get(i).is_some_and(|coordinate| asks_for(name, coordinate));
                if moves || layout.names_velocity(name, i) {
                    (*held, known) = (S::Real::ONE, true);
                    let mut patterns = [layout.mass, layout.tangent].into_iter();
                    if !patterns.all(|pattern| pattern.entries().any(|place| place == (i, i))) {
                        return Err(HoldError::NoDiagonal { name: Name::of(layout.directions, i) });
                    }
                }
            }
            if !known {
                let coordinates = layout.directions.iter().filter(|&name| layout.q.contains(name));
                let names = layout.v.iter().chain(coordinates).copied();
                return Err(HoldError::Unknown(UnknownName::new("velocity or coordinate", name, names)));
            }
        }
        Ok(Self { system, held })
    }

    /// The system with nothing held.
    pub fn system(&self) -> &S {
        &self.system
    }

    /// Whether velocity `index` is held.
    pub fn holds(&self, index: usize) -> bool {
        self.held.as_ref().get(index).is_some_and(|&held| held == S::Real::ONE)
    }

    /// P x: zero where held.
    pub fn project(&self, x: &mut [S::Real]) {
        for (x, &held) in x.iter_mut().zip(self.held.as_ref()) {
            if held == S::Real::ONE {
                *x = S::Real::ZERO;
            }
        }
    }

    /// P A P + 1 − P on the first nv rows and columns of a matrix.
    fn clear(&self, pattern: Pattern<'_>, values: &mut [S::Real]) {
        for ((r, c), value) in pattern.entries().zip(values) {
            if self.holds(r) || self.holds(c) {
                *value = if r == c { S::Real::ONE } else { S::Real::ZERO };
            }
        }
    }

    /// P on the columns of G.
    fn clear_columns(&self, layout: &Layout<'_>, jacobian: &mut [S::Real]) {
        for ((_, c), value) in layout.jacobian.entries().zip(jacobian) {
            if self.holds(c) {
                *value = S::Real::ZERO;
            }
        }
    }

    /// Writes to the held rows the quantity that must be zero, times `scale`: a, or v in a model of first order.
    fn rest(&self, at: At<'_, S>, rates: Rates<'_, S>, scale: S::Real, rows: &mut S::V) {
        let moving = if self.system.layout().first_order() { at.v } else { rates.a };
        for (i, (row, &rate)) in rows.as_mut().iter_mut().zip(moving.as_ref()).enumerate() {
            if self.holds(i) {
                *row = scale * rate;
            }
        }
    }
}

impl<S: System> System for Held<S> {
    delegate! { S, system: blocks layout parameters inputs algebraic events motion }

    fn forward(&self, at: At<'_, Self>, out: &mut Forward<Self>) {
        adapt::forward(out, |out| self.system.forward(adapt::at(at), out));
        let layout = self.system.layout();
        self.clear(layout.mass, out.mass.as_mut());
        self.clear_columns(&layout, out.jacobian.as_mut());
        self.project(out.force.as_mut());
    }

    fn residual(&self, at: At<'_, Self>, rates: Rates<'_, Self>, out: &mut Residual<Self>) {
        let (at, rates) = (adapt::at(at), adapt::rates(rates));
        adapt::residual(out, |out| self.system.residual(at, rates, out));
        self.rest(at, rates, S::Real::ONE, &mut out.r);
    }

    fn constraint(&self, at: At<'_, Self>, out: &mut Constraint<Self>) {
        adapt::constraint(out, |out| self.system.constraint(adapt::at(at), out));
        self.clear_columns(&self.system.layout(), out.jacobian.as_mut());
    }

    fn momentum_rate(&self, at: At<'_, Self>, out: &mut S::V) {
        self.system.momentum_rate(adapt::at(at), out);
        self.project(out.as_mut());
    }

    /// The rate of P M P v lacks Ṁ v of the columns that P takes out of M.
    fn foreign_momentum(&self, v: &S::V) -> Option<usize> {
        let speed = |i: usize| v.as_ref().get(i).is_some_and(|&v| v != S::Real::ZERO);
        let taken = |i: usize, j: usize| (self.holds(i) && !self.holds(j) && speed(i)).then_some(i);
        let layout = self.system.layout();
        let mut entries = layout.mass.entries();
        entries.find_map(|(r, c)| taken(r, c).or_else(|| taken(c, r))).or_else(|| self.system.foreign_momentum(v))
    }

    fn guess(&self, q: &mut S::Q, v: &mut S::V, z: &mut S::Z) {
        self.system.guess(q, v, z);
        self.project(v.as_mut());
    }

    fn conditions(&self, at: At<'_, Self>, out: Conditions<'_, S::Real>) {
        let Conditions { position, position_jacobian, velocity, velocity_jacobian } = out;
        let inner = Conditions {
            position,
            position_jacobian: &mut *position_jacobian,
            velocity,
            velocity_jacobian: &mut *velocity_jacobian,
        };
        self.system.conditions(adapt::at(at), inner);
        let layout = self.system.layout();
        let position = layout.init_position_jacobian.entries().zip(position_jacobian);
        for ((_, column), entry) in position.chain(layout.init_velocity_jacobian.entries().zip(velocity_jacobian)) {
            if self.holds(column) {
                *entry = S::Real::ZERO;
            }
        }
    }
}

impl<S: Linearize> Linearize for Held<S> {
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
        let layout = self.system.layout();
        self.clear(layout.tangent, out.as_mut());
        // Held rows are scaled so that their diagonal is 1. If the unknown moves positions only, they have no equation.
        let factor = if layout.first_order() { weights.velocity } else { weights.rates };
        let scale = if factor == S::Real::ZERO { S::Real::ZERO } else { factor.recip() };
        self.rest(at, rates, scale, &mut residual.r);
    }

    fn newton_stiffness(&self, at: At<'_, Self>, weights: Weights<S::Real>, out: &mut S::Tangent)
    where
        S::Real: Real,
    {
        self.system.newton_stiffness(adapt::at(at), weights, out);
        self.clear(self.system.layout().tangent, out.as_mut());
    }
}

impl<S: Solvable> Solvable for Held<S> {
    delegate! { S, system: solvers }
}

#[cfg(feature = "std")]
impl<S: System<Real: crate::numbers::scalar::Real>> Held<S> {
    /// A compliance matrix without what is held: P C P, in which the 1 of the diagonal is zero as well.
    ///
    /// `compliance` is that of [`SystemMatrix`](crate::analysis::SystemMatrix); its rows and columns begin with those
    /// of v.
    pub fn compliance(&self, compliance: &crate::linalg::DMatrix<S::Real>) -> crate::linalg::DMatrix<S::Real> {
        crate::linalg::DMatrix::from_fn(compliance.nrows(), compliance.ncols(), |r, c| {
            if self.holds(r) || self.holds(c) { S::Real::ZERO } else { compliance[(r, c)] }
        })
    }
}
