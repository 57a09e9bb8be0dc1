//! Variations through the projection that completes a reset.
//!
//! Positions are projected if the event assigns any, by steps each with G of its own point, and velocities by one; M is
//! that of the state after the reset.

use crate::error::{Cause, Level, Name, Quantity};
use crate::model::input::Inputs;
use crate::model::layout::{Block, RowKind};
use crate::model::sensitive::{Changed, Sensitive};
use crate::model::state::{State, finite};
use crate::numbers::field::Field;
use crate::numbers::scalar::Scalar;
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;
use crate::solve::{Projector, add, norm};
use crate::variation::charts;
use crate::variation::curvature::{Along, Curvature};
use crate::variation::forward::Seed;

/// Steps of positions onto the constraints after a reset.
const ITERATIONS: u32 = 50;

/// The variations after the reset, and what the columns vary besides.
pub(super) struct Columned<'a, S: Solvable> {
    pub(super) q: &'a [S::V],
    pub(super) v: &'a [S::V],
    pub(super) seeds: &'a [Seed<S::Real>],
    pub(super) delays: &'a [S::Real],
}

impl<'a, S: Solvable> Columned<'a, S> {
    /// A column with other positions and velocities, or its own.
    fn along(&'a self, k: usize, held: Option<(&'a S::V, &'a S::V)>) -> Option<Along<'a, S>> {
        let (seed, delay) = (self.seeds.get(k)?, *self.delays.get(k)?);
        let (q, v) = held.or_else(|| Some((self.q.get(k)?, self.v.get(k)?)))?;
        Some(Along { q, v, t: seed.t + delay, parameter: seed.parameter })
    }
}

/// Storage for the projection after a reset.
#[derive(Debug)]
pub(super) struct Landing<S: Solvable + Sensitive> {
    projector: Projector<S>,
    curvature: Curvature<S>,
    /// the state after the reset
    pub(super) reset: State<S>,
    /// the same on its way to the constraints
    pub(super) landed: State<S>,
    /// the step, its multipliers, and room for those of a column
    x: S::V,
    y: S::L,
    by: S::V,
    multipliers: S::L,
    spin: S::V,
}

impl<S: Solvable + Sensitive> Landing<S> {
    pub(super) fn new(system: &S) -> Self {
        let layout = system.layout();
        let (v, l) = (|| S::V::zeros(layout.v.len()), || S::L::zeros(layout.constraints.len()));
        Self {
            projector: Projector::new(system),
            curvature: Curvature::new(system),
            reset: State::neutral(system),
            landed: State::neutral(system),
            x: v(),
            y: l(),
            by: v(),
            multipliers: l(),
            spin: v(),
        }
    }

    /// Columns after the reset of an event, through the projection that completes it; `u` are the inputs there.
    pub(super) fn land<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        (event, before, u): (usize, &State<S>, &S::U),
        reset: &Columned<'_, S>,
        (q, v): (&mut [S::V], &mut [S::V]),
    ) -> Result<(), Cause> {
        let (system, layout) = (cx.system, cx.system.layout());
        let assigns = |kind: fn(&Changed) -> bool| {
            system.changes().iter().any(|change| change.event == event && kind(&change.of))
        };
        let positions = assigns(|of| matches!(of, Changed::Position(_)));
        let velocities = assigns(|of| matches!(of, Changed::Velocity(_)));
        self.landed.copy_from(&self.reset);
        if layout.constraints.is_empty() || !(positions || velocities) {
            return Ok(());
        }
        if positions {
            let (off, _) = self.projector.drift(cx, before)?;
            let (phi, _) = self.projector.drift(cx, &self.reset)?;
            if phi > off && charts::spins(system) {
                let event = Name::new(layout.events.get(event).map_or("", |event| event.name));
                return Err(Cause::CarriedFrame { event });
            }
            for _ in 0..ITERATIONS {
                let size = self.step(cx, (Level::Position, u), phi > off, reset, (&mut *q, &mut *v))?;
                if size <= S::Real::PIVOT_TOLERANCE {
                    break;
                }
            }
        }
        if !layout.first_order() {
            self.step(cx, (Level::Velocity, u), true, reset, (q, v))?;
        }
        Ok(())
    }

    /// A step of positions or velocities onto the constraints, if the state is to move, and of the columns; returns its
    /// size relative to that of the state.
    fn step<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        (level, u): (Level, &S::U),
        moves: bool,
        reset: &Columned<'_, S>,
        (q, v): (&mut [S::V], &mut [S::V]),
    ) -> Result<S::Real, Cause> {
        let Self { projector, curvature, landed, x, y, by, multipliers, spin, .. } = self;
        let (system, layout, velocities) = (cx.system, cx.system.layout(), level == Level::Velocity);
        let constraint = projector.bind(cx, &self.reset, landed)?;
        let off = if velocities { &constraint.rate } else { &constraint.phi };
        x.as_mut().fill(S::Real::ZERO);
        for (row, (y, &off)) in y.as_mut().iter_mut().zip(off.as_ref()).enumerate() {
            let held = moves && (velocities || layout.kind(row) == RowKind::Holonomic);
            *y = if held { -off } else { S::Real::ZERO };
        }
        projector.solve(x, y);
        finite(x.as_ref(), Quantity::Coordinate, layout.directions)?;
        curvature.inertia(system, self.reset.at(u), x);
        if velocities {
            add(landed.v.as_mut(), S::Real::ONE, x.as_ref());
            curvature.velocities(system, landed.at(u), y);
        } else {
            curvature.positions(system, landed.at(u), x, y);
        }
        for (k, (q, v)) in q.iter_mut().zip(v).enumerate() {
            by.as_mut().fill(S::Real::ZERO);
            multipliers.as_mut().fill(S::Real::ZERO);
            let (inertia, Some(held)) = (reset.along(k, None), reset.along(k, Some((q, v)))) else { continue };
            curvature.along(system, velocities, (inertia, held), (by, multipliers));
            projector.solve(by, multipliers);
            if velocities {
                add(v.as_mut(), S::Real::ONE, by.as_ref());
                continue;
            }
            let from = q.clone();
            charts::retract(system, x, (&from, by), q, Some(spin));
            charts::align(system, S::Real::ONE, &landed.v, spin, v);
        }
        if !velocities {
            let from = landed.q.clone();
            system.retract(&from, x, &mut landed.q);
        }
        let size = if velocities { norm(landed.v.as_ref()) } else { norm(landed.q.as_ref()) };
        Ok(norm(x.as_ref()) / (S::Real::ONE + size))
    }
}
