//! Accelerations, rates and multipliers of a state, linearised.
//!
//! M a = f + Gᵀ λ and G a + γ = 0 hold at every state, so along a direction
//!
//! ```text
//! [ M  −Gᵀ ] [ δa ]     [ ∂r ]
//! [ G   0  ] [ δλ ] = − [ ∂Φ̈ ]      δż = −∂s
//! ```
//!
//! with the derivatives of r, s = ż − g and Φ̈ = G a + γ at constant a and λ, and the factors that gave a and λ.
//! Algebraic variables and the multipliers of compliant rows follow from their own equations before.

use core::fmt;

use crate::error::Cause;
use crate::linalg::Saddle;
use crate::model::input::Inputs;
use crate::model::layout::{Block, Layout, RowKind};
use crate::model::sensitive::Sensitive;
use crate::model::state::Moment;
use crate::model::system::{At, Rates};
use crate::solve::Acceleration;
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;
use crate::variation::direction::Direction;
use crate::variation::equations::Equations;
use crate::variation::rows::Places;

/// The equations of motion at a state, and their linearisation: a, ż and λ, and what they change by along directions.
pub struct LinearMotion<S: Solvable + Sensitive> {
    /// accelerations, nv; velocities in first-order models
    pub a: S::V,
    /// rates, nz
    pub zdot: S::Z,
    /// multipliers, nc
    pub lambda: S::L,
    acceleration: Acceleration<S>,
    equations: Equations<S>,
}

impl<S: Solvable + Sensitive> fmt::Debug for LinearMotion<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { a, zdot, lambda, .. } = self;
        f.debug_struct("LinearMotion").field("a", a).field("zdot", zdot).field("lambda", lambda).finish_non_exhaustive()
    }
}

impl<S: Solvable + Sensitive> LinearMotion<S> {
    /// Storage in the shape of `system`; steps and evaluations allocate nothing.
    pub fn new(system: &S) -> Self {
        let layout = system.layout();
        Self {
            a: Block::zeros(layout.v.len()),
            zdot: Block::zeros(layout.z.len()),
            lambda: Block::zeros(layout.constraints.len()),
            acceleration: Acceleration::new(system),
            equations: Equations::new(system),
        }
    }

    /// Solves for a, ż and λ at a state and linearises there; `parameters` says whether a direction will have one.
    ///
    /// # Errors
    /// As [`Acceleration::evaluate`]; [`Cause::NonFinite`] where a derivative is not finite.
    pub fn evaluate<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        at: Moment<'_, S>,
        parameters: bool,
    ) -> Result<(), Cause> {
        let Self { a, zdot, lambda, acceleration, equations } = self;
        let system = cx.system;
        acceleration.assemble(cx, at, a, zdot, lambda)?;
        let (z, u) = acceleration.point();
        let Moment { t, q, v, modes, .. } = at;
        let v = if system.layout().first_order() { &*a } else { v };
        equations.evaluate(system, At { t, q, v, z, u, modes }, Rates { a, zdot, lambda }, parameters)
    }

    /// The inputs of the last evaluation.
    pub(super) fn inputs(&self) -> &S::U {
        self.acceleration.point().1
    }

    /// The point of the last evaluation, of which `moment` was given.
    pub(super) fn at<'a>(&'a self, layout: &Layout<'_>, moment: Moment<'a, S>) -> At<'a, S> {
        let (z, u) = self.acceleration.point();
        let Moment { t, q, v, modes, .. } = moment;
        At { t, q, v: if layout.first_order() { &self.a } else { v }, z, u, modes }
    }

    /// What a, ż and λ change by along a direction, with the factors of the last evaluation. Algebraic variables are
    /// written to the direction.
    ///
    /// # Errors
    /// [`Cause::Singular`] with an algebraic variable that its equations do not determine.
    pub fn along(
        &mut self,
        system: &S,
        direction: &mut Direction<S>,
        a: &mut S::V,
        zdot: &mut S::Z,
        lambda: &mut S::L,
    ) -> Result<(), Cause> {
        let layout = system.layout();
        let places = Places::of(&layout);
        let Self { acceleration, equations, .. } = self;
        equations.along(system, direction, lambda)?;
        for (a, &row) in a.as_mut().iter_mut().zip(equations.rows()) {
            *a = -row;
        }
        let held = equations.rows().get(places.accelerations()).unwrap_or_default();
        for (row, (lambda, &held)) in lambda.as_mut().iter_mut().zip(held).enumerate() {
            if layout.kind(row) != RowKind::Compliant {
                *lambda = -held;
            }
        }
        acceleration.saddle().solve(a.as_mut(), lambda.as_mut());
        if layout.first_order() {
            equations.add_velocities(system, a);
        }
        let rates = equations.rows().get(places.s()).unwrap_or_default();
        for (zdot, &row) in zdot.as_mut().iter_mut().zip(rates) {
            *zdot = -row;
        }
        layout.still(zdot.as_mut());
        Ok(())
    }
}
