//! What a projection onto the constraints varies by.
//!
//! A projection is iterated, and is varied as it was made: each iteration, of positions or of velocities, solves
//!
//! ```text
//! M x = G(q)ᵀ y,    Φ + G(q) x = 0,    q⁺ = q ⊕ x;    A(q) x = 0 in nonholonomic rows
//! M x = G(q)ᵀ y,    Φ̇ + G(q) x = 0,    v⁺ = v + x
//! ```
//!
//! with M at the point at which the projection took it, and varies as [`ProjectionStep`] says. The point that is
//! reached is not the nearest one, from which it differs by the square of the first correction: nor are its
//! derivatives.

use crate::error::{Cause, Level, Quantity};
use crate::model::input::{Inputs, Nominal};
use crate::model::layout::{Block, RowKind};
use crate::model::sensitive::{Sensitive, Turning};
use crate::model::state::{State, copy, finite};
use crate::numbers::scalar::Scalar;
use crate::solve::context::{Context, Work};
use crate::solve::solvable::Solvable;
use crate::solve::{ProjectedBy, Projector, add};
use crate::variation::charts;
use crate::variation::projection_step::{Along, ProjectionStep};

/// An iteration of a projection.
#[derive(Debug)]
pub(super) struct Iteration<'a, S: Solvable> {
    /// of positions or velocities
    pub(super) level: Level,
    /// the state at which the metric is
    pub(super) inertia: &'a State<S>,
    /// the state from which it leads on
    pub(super) from: &'a State<S>,
    /// the diagonal of the metric, if it is not M
    pub(super) weights: Option<&'a S::V>,
}

impl<S: Solvable> Iteration<'_, S> {
    /// Whether the metric is that of the state from which it leads on, and not of the first one.
    pub(super) fn renewed(&self) -> bool {
        core::ptr::eq(self.inertia, self.from)
    }
}

/// Shows the iterations of the projection of a state, in their order.
///
/// # Errors
/// The first of `made`; those of the projection.
pub(super) fn iterations<S: Solvable>(
    system: &S,
    from: &State<S>,
    by: &ProjectedBy<'_, S>,
    mut made: impl FnMut(&Iteration<'_, S>) -> Result<(), Cause>,
) -> Result<(), Cause> {
    let (mut projector, mut x, mut shown) = (Projector::new(system), from.clone(), Ok(()));
    projector.measure(by.weights);
    let mut cx = Context { system, inputs: &Nominal, work: &mut Work::default() };
    projector.project_seen(&mut cx, by.how, &mut x, &mut |level, inertia, from| {
        if shown.is_ok() {
            shown = made(&Iteration { level, inertia, from, weights: by.weights });
        }
    })?;
    shown
}

/// An iteration, linearised.
#[derive(Debug)]
pub(super) struct LinearIteration<S: Solvable + Sensitive> {
    pub(super) projector: Projector<S>,
    pub(super) projection_step: ProjectionStep<S>,
    u: S::U,
    pub(super) level: Level,
    /// the velocities after it
    pub(super) v: S::V,
    /// the step and its multipliers
    pub(super) x: S::V,
    y: S::L,
    /// room for those of a column
    by: S::V,
    multipliers: S::L,
    spin: S::V,
}

impl<S: Solvable + Sensitive> LinearIteration<S> {
    /// `parameters` says whether a direction will have one.
    pub(super) fn new(system: &S, parameters: bool) -> Self {
        let layout = system.layout();
        let (v, l) = (|| S::V::zeros(layout.v.len()), || S::L::zeros(layout.constraints.len()));
        Self {
            projector: Projector::new(system),
            projection_step: ProjectionStep::new(system, parameters),
            u: Block::zeros(layout.u.len()),
            level: Level::Position,
            v: v(),
            x: v(),
            y: l(),
            by: v(),
            multipliers: l(),
            spin: v(),
        }
    }

    /// Linearises an iteration of a projection.
    ///
    /// # Errors
    /// Why the constraints cannot be solved there; [`Cause::NotDifferentiable`] if the two directions of a point of the
    /// sphere have other weights: how its frame turns with the way that it took is not followed.
    pub(super) fn take(&mut self, system: &S, made: &Iteration<'_, S>) -> Result<(), Cause> {
        let uneven = |weights: &S::V| {
            let of = |i: usize| weights.as_ref().get(i);
            system.turnings().iter().any(|turning| matches!(*turning, Turning::Sphere(i) if of(i) != of(i + 1)))
        };
        if made.weights.is_some_and(uneven) {
            return Err(Cause::NotDifferentiable { what: "a projection with two weights of one point of the sphere" });
        }
        self.projector.measure(made.weights);
        let mut cx = Context { system, inputs: &Nominal, work: &mut Work::default() };
        self.linearize(&mut cx, (made.level, true), made.inertia, made.from)
    }

    /// Linearises a step of positions or velocities with the metric of one state from another, onto the constraints if
    /// it is to move that.
    ///
    /// # Errors
    /// Why the constraints cannot be solved there; [`Cause::NonFinite`] where a derivative is not finite.
    pub(super) fn linearize<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        (level, moves): (Level, bool),
        inertia: &State<S>,
        from: &State<S>,
    ) -> Result<(), Cause> {
        let Self { projector, projection_step, u, v, x, y, .. } = self;
        let (system, layout, velocities) = (cx.system, cx.system.layout(), level == Level::Velocity);
        self.level = level;
        let constraint = projector.bind(cx, inertia, from)?;
        let off = if velocities { &constraint.rate } else { &constraint.phi };
        x.as_mut().fill(S::Real::ZERO);
        for (row, (y, &off)) in y.as_mut().iter_mut().zip(off.as_ref()).enumerate() {
            let held = moves && (velocities || layout.kind(row) == RowKind::Holonomic);
            *y = if held { -off } else { S::Real::ZERO };
        }
        projector.solve(x, y);
        finite(x.as_ref(), Quantity::Coordinate, layout.directions)?;
        copy(&from.v, v);
        if projector.weights().is_none() {
            cx.input(inertia.moment(), u)?;
            projection_step.inertia(system, inertia.at(u), x)?;
        }
        cx.input(from.moment(), u)?;
        if velocities {
            add(v.as_mut(), S::Real::ONE, x.as_ref());
            let mut at = from.at(u);
            at.v = v;
            projection_step.velocities(system, at, y)
        } else {
            projection_step.positions(system, from.at(u), x, y)
        }
    }

    /// Takes a column of the state from which it leads on to that which it reaches, with the same column of the state
    /// at which M is.
    pub(super) fn along(&mut self, system: &S, inertia: Along<'_, S>, (q, v): (&mut S::V, &mut S::V)) {
        let Self { projector, projection_step, level, x, by, multipliers, spin, .. } = self;
        let (velocities, weighted) = (*level == Level::Velocity, projector.weights().is_some());
        by.as_mut().fill(S::Real::ZERO);
        multipliers.as_mut().fill(S::Real::ZERO);
        let held = Along { q, v, ..inertia };
        projection_step.along(system, velocities, ((!weighted).then_some(inertia), held), (by, multipliers));
        projector.solve(by, multipliers);
        if velocities {
            add(v.as_mut(), S::Real::ONE, by.as_ref());
            return;
        }
        let from = q.clone();
        charts::retract(system, x, (&from, by), q, Some(spin));
        charts::align(system, S::Real::ONE, &self.v, spin, v);
    }
}
