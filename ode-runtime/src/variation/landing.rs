//! Variations through the projection that completes a reset.
//!
//! Positions are projected if the event assigns any, by steps each with G of its own point, and velocities by one; M is
//! that of the state after the reset.

use crate::error::{Cause, Level, Name};
use crate::model::input::Inputs;
use crate::model::sensitive::{Changed, Sensitive};
use crate::model::state::State;
use crate::numbers::field::Field;
use crate::numbers::scalar::Scalar;
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;
use crate::solve::{Projector, add, norm};
use crate::variation::charts;
use crate::variation::direction::Seed;
use crate::variation::projection::LinearIteration;
use crate::variation::projection_step::Along;

/// Steps of positions onto the constraints after a reset.
const ITERATIONS: u32 = 50;

/// The variations after the reset, and what the columns vary besides.
pub(super) struct ResetColumns<'a, S: Solvable> {
    pub(super) q: &'a [S::V],
    pub(super) v: &'a [S::V],
    pub(super) seeds: &'a [Seed<S::Real>],
    pub(super) delays: &'a [S::Real],
}

impl<'a, S: Solvable> ResetColumns<'a, S> {
    fn along(&'a self, k: usize) -> Option<Along<'a, S>> {
        let (seed, delay) = (self.seeds.get(k)?, *self.delays.get(k)?);
        Some(Along { q: self.q.get(k)?, v: self.v.get(k)?, t: seed.t + delay, parameter: seed.parameter })
    }
}

/// Storage for the projection after a reset.
#[derive(Debug)]
pub(super) struct Landing<S: Solvable + Sensitive> {
    projector: Projector<S>,
    iteration: LinearIteration<S>,
    /// the state after the reset
    pub(super) reset: State<S>,
    /// the same on its way to the constraints
    pub(super) landed: State<S>,
}

impl<S: Solvable + Sensitive> Landing<S> {
    pub(super) fn new(system: &S) -> Self {
        Self {
            projector: Projector::new(system),
            iteration: LinearIteration::new(system, true),
            reset: State::neutral(system),
            landed: State::neutral(system),
        }
    }

    /// Columns after the reset of an event, through the projection that completes it.
    pub(super) fn land<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        (event, before): (usize, &State<S>),
        reset: &ResetColumns<'_, S>,
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
                let size = self.step(cx, Level::Position, phi > off, reset, (&mut *q, &mut *v))?;
                if size <= S::Real::PIVOT_TOLERANCE {
                    break;
                }
            }
        }
        if !layout.first_order() {
            self.step(cx, Level::Velocity, true, reset, (q, v))?;
        }
        Ok(())
    }

    /// A step of positions or velocities onto the constraints, if the state is to move, and of the columns; returns its
    /// size relative to that of the state.
    fn step<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        level: Level,
        moves: bool,
        reset: &ResetColumns<'_, S>,
        (q, v): (&mut [S::V], &mut [S::V]),
    ) -> Result<S::Real, Cause> {
        let Self { iteration, landed, .. } = self;
        let system = cx.system;
        iteration.linearize(cx, (level, moves), &self.reset, landed)?;
        for (k, (q, v)) in q.iter_mut().zip(v).enumerate() {
            if let Some(inertia) = reset.along(k) {
                iteration.along(system, inertia, (q, v));
            }
        }
        let x = &iteration.x;
        let size = if level == Level::Velocity {
            add(landed.v.as_mut(), S::Real::ONE, x.as_ref());
            norm(landed.v.as_ref())
        } else {
            let from = landed.q.clone();
            system.retract(&from, x, &mut landed.q);
            norm(landed.q.as_ref())
        };
        Ok(norm(x.as_ref()) / (S::Real::ONE + size))
    }
}
