//! The iterations of a projection, whatever solves for their steps.

use crate::error::{Cause, Level, Name, Quantity};
use crate::linalg::Saddle;
use crate::model::layout::Block;
use crate::model::state::{State, copy, finite};
use crate::model::system::Constraint;
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::solvable::Solvable;
use crate::solve::{Dependence, NEAR, Projected, Projection, add, norm, worst};

/// What a projection computes.
#[derive(Debug)]
pub(super) struct Restoration<S: Solvable> {
    /// inputs, which constraints do not read
    pub(super) u: S::U,
    q: S::Q,
    /// δ
    pub(super) step: S::V,
    /// the required change of the constraints
    pub(super) y: S::L,
    pub(super) constraint: Constraint<S>,
}

/// What finds the steps of a projection.
pub(super) trait Steps<S: Solvable> {
    /// Why it failed.
    type Error;
    /// Whether what is restored is local, and in registers as long as no call has its address. It is given up where
    /// positions would have to be as close as possible: the caller restores it from the beginning in another way.
    const LOCAL: bool = false;
    /// The step of a level from `x` that changes the constraints by y.
    fn find(&mut self, level: Level, restoration: &mut Restoration<S>, x: &State<S>) -> Result<(), Self::Error>;
}

/// max |Φ| and max |Φ̇|; NaN if an entry is.
#[derive(Clone, Copy)]
pub(super) struct Drift<T> {
    pub(super) phi: T,
    pub(super) rate: T,
}

/// Why a projection has not come to its end.
pub(super) enum Stopped<E> {
    /// iterations do not help, or a constraint is not finite
    Violated(Level),
    /// a step was not found
    Unsolved(E),
}

impl<S: Solvable> Restoration<S> {
    pub(super) fn new(system: &S) -> Self {
        let layout = system.layout();
        Self {
            u: Block::zeros(layout.u.len()),
            q: Block::zeros(layout.q.len()),
            step: Block::zeros(layout.v.len()),
            y: Block::zeros(layout.constraints.len()),
            constraint: Constraint::zeros(&layout),
        }
    }

    /// How far `x` is off.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn drift(&mut self, system: &S, x: &State<S>) -> Drift<S::Real> {
        system.constraint(x.at(&self.u), &mut self.constraint);
        Drift { phi: norm(self.constraint.phi.as_ref()), rate: norm(self.constraint.rate.as_ref()) }
    }

    /// The same, or the first constraint that is not finite.
    pub(super) fn finite_drift(&mut self, system: &S, x: &State<S>) -> Result<Drift<S::Real>, Cause> {
        let drift = self.drift(system, x);
        if !(drift.phi + drift.rate).is_finite() {
            self.undefined(system)?;
        }
        Ok(drift)
    }

    /// The first constraint that is not finite.
    #[cold]
    pub(super) fn undefined(&self, system: &S) -> Result<(), Cause> {
        let layout = system.layout();
        finite(self.constraint.phi.as_ref(), Quantity::Constraint, layout.constraints)?;
        finite(self.constraint.rate.as_ref(), Quantity::Constraint, layout.constraints)
    }

    /// Why it stopped, with the constraint of the largest residual.
    #[cold]
    pub(super) fn cause(&self, system: &S, stopped: Stopped<Cause>) -> Cause {
        match stopped {
            Stopped::Unsolved(cause) => cause,
            Stopped::Violated(level) => self.undefined(system).err().unwrap_or_else(|| self.violated(system, level)),
        }
    }

    fn violated(&self, system: &S, level: Level) -> Cause {
        let rows = match level {
            Level::Position => self.constraint.phi.as_ref(),
            Level::Velocity | Level::Acceleration => self.constraint.rate.as_ref(),
        };
        let (index, residual) = worst(rows);
        let (layout, off) = (system.layout(), |row: usize| rows.get(row).copied().unwrap_or(S::Real::ZERO));
        let mut found = Dependence::<S>::of_jacobian(layout, self.constraint.jacobian.as_ref(), NEAR);
        if let Some(contradiction) = found.contradiction(level, &off).filter(|_| S::Saddle::REDUNDANT) {
            return contradiction;
        }
        let constraint = Name::of(layout.constraints, index);
        Cause::Projection { level, constraint, residual: residual.to_f64() }
    }

    /// Restores positions, and then velocities, if `x` exceeds the margin.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn project<F: Steps<S>>(
        &mut self,
        system: &S,
        how: &Projection<S::Real>,
        x: &mut State<S>,
        steps: &mut F,
    ) -> Result<Projected, Stopped<F::Error>> {
        let second_order = !system.layout().first_order();
        let enough = how.margin * how.tolerance;
        let off @ Drift { phi, rate } = self.drift(system, x);
        // Velocities of first-order models are evaluated at the final positions.
        if phi <= enough && (rate <= enough || !second_order) {
            return Ok(Projected::default());
        }
        // If positions were off, velocities are too.
        let Drift { rate, .. } = self.positions(system, how, off, x, steps)?;
        let velocities = second_order && !(rate <= enough);
        if velocities {
            match self.velocities(system, how, rate, x, steps) {
                Err(Stopped::Violated(_)) if !F::LOCAL => self.closely(system, how, x, steps)?,
                done => done?,
            }
        }
        Ok(Projected { positions: !(phi <= enough), velocities })
    }

    /// Positions as closely as possible, then velocities: where positions are off, redundant rows require different
    /// velocities, by the offset times the speed.
    #[cold]
    #[inline(never)]
    fn closely<F: Steps<S>>(
        &mut self,
        system: &S,
        how: &Projection<S::Real>,
        x: &mut State<S>,
        steps: &mut F,
    ) -> Result<(), Stopped<F::Error>> {
        let off = self.drift(system, x);
        let closest = Projection { margin: S::Real::EPSILON, ..*how };
        let Drift { rate, .. } = self.positions(system, &closest, off, x, steps)?;
        self.velocities(system, how, rate, x, steps)
    }

    /// Restores positions with the drift `off`; returns the remaining drift.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn positions<F: Steps<S>>(
        &mut self,
        system: &S,
        how: &Projection<S::Real>,
        mut off: Drift<S::Real>,
        x: &mut State<S>,
        steps: &mut F,
    ) -> Result<Drift<S::Real>, Stopped<F::Error>> {
        for _ in 0..how.iterations {
            if off.phi <= how.margin * how.tolerance {
                return Ok(off);
            }
            if !off.phi.is_finite() {
                return Err(Stopped::Violated(Level::Position));
            }
            for (y, &phi) in self.y.as_mut().iter_mut().zip(self.constraint.phi.as_ref()) {
                *y = -phi;
            }
            steps.find(Level::Position, self, x).map_err(Stopped::Unsolved)?;
            system.retract(&x.q, &self.step, &mut self.q);
            copy(&self.q, &mut x.q);
            let before = off.phi;
            off = self.drift(system, x);
            // At round-off iterations no longer help; they may in another lane.
            let falls = off.phi.lt(S::Real::from_f64(0.5) * before);
            let done = S::Real::mask_or(off.phi.le(how.margin * how.tolerance), S::Real::mask_not(falls));
            if off.phi <= how.tolerance && S::Real::select(done, S::Real::ZERO, S::Real::ONE) == S::Real::ZERO {
                return Ok(off);
            }
        }
        if off.phi <= how.tolerance { Ok(off) } else { Err(Stopped::Violated(Level::Position)) }
    }

    /// Velocities, from the drift `off` of them.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn velocities<F: Steps<S>>(
        &mut self,
        system: &S,
        how: &Projection<S::Real>,
        mut off: S::Real,
        x: &mut State<S>,
        steps: &mut F,
    ) -> Result<(), Stopped<F::Error>> {
        // The problem is linear, so one solve is enough; a second one improves an ill-conditioned solution.
        for _ in 0..2 {
            if off <= how.margin * how.tolerance {
                return Ok(());
            }
            if !off.is_finite() {
                return Err(Stopped::Violated(Level::Velocity));
            }
            for (y, &rate) in self.y.as_mut().iter_mut().zip(self.constraint.rate.as_ref()) {
                *y = -rate;
            }
            steps.find(Level::Velocity, self, x).map_err(Stopped::Unsolved)?;
            add(x.v.as_mut(), S::Real::ONE, self.step.as_ref());
            off = self.drift(system, x).rate;
        }
        if off <= how.tolerance { Ok(()) } else { Err(Stopped::Violated(Level::Velocity)) }
    }
}
