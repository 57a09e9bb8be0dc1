//! Assembly: a state brought onto the constraints in the metric of the mass matrix.
//!
//! ```text
//! [ M  −Gᵀ ] [ δ ]   [  0 ]          [ M  −Gᵀ ] [ δv ]   [       0      ]
//! [ G   0  ] [ y ] = [ −Φ ],  q ⊕ δ  [ G   0  ] [ y  ] = [ −(G v + Φₜ) ],  v + δv
//! ```
//!
//! Positions by Newton's method, with steps halved if they do not help; velocities by one solve and a second that
//! corrects it; accelerations and multipliers from M a = f + Gᵀ λ, G a + γ = 0, not from a difference of velocities.
//! The change is measured by inertia: heavy bodies move little, and a start at rest stays as near to rest as possible.
//! [`Start`](crate::Start) weights all coordinates equally and also satisfies the exact conditions of `init`, which
//! assembly ignores.
//!
//! Nonholonomic rows restrict δ to displacements they allow, and δv together with the other rows. In a first-order
//! model velocities follow from the equations, so its velocity level is the acceleration level.

use crate::error::{Cause, Level, Name, Quantity, StartError};
use crate::linalg::Saddle;
use crate::model::input::Inputs;
use crate::model::layout::Block;
use crate::model::rotations::enter;
use crate::model::state::{State, copy, finite};
use crate::model::system::{Constraint, Forward};
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::context::{Context, Work};
use crate::solve::solvable::Solvable;
use crate::solve::{
    Acceleration, Dependence, NEAR, add, consistent, factorize, largest, norm, tolerate, undefined, worst,
};

/// Which levels of a state are made consistent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Levels {
    /// Φ = 0
    pub position: bool,
    /// G v + Φₜ = 0
    pub velocity: bool,
    /// a and λ of the state
    pub acceleration: bool,
}

impl Levels {
    /// Positions alone.
    pub const POSITION: Self = Self { position: true, velocity: false, acceleration: false };
    /// Velocities alone.
    pub const VELOCITY: Self = Self { position: false, velocity: true, acceleration: false };
    /// Accelerations and multipliers alone.
    pub const ACCELERATION: Self = Self { position: false, velocity: false, acceleration: true };
    /// All of them.
    pub const FULL: Self = Self { position: true, velocity: true, acceleration: true };
}

/// How a state is assembled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Assembly<T> {
    /// what is made consistent
    pub levels: Levels,
    /// Newton iterations allowed
    pub iterations: u32,
    /// allowed last correction of positions, relative to 1 + |value|
    pub tolerance: T,
    /// halvings of a step that does not help
    pub halvings: u32,
}

impl<T: Real> Default for Assembly<T> {
    fn default() -> Self {
        Self { levels: Levels::FULL, iterations: 30, tolerance: T::PIVOT_TOLERANCE, halvings: 20 }
    }
}

/// What an assembly did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Assembled<T> {
    /// Newton iterations of the positions
    pub iterations: u32,
    /// max |Φ| at the end
    pub position: T,
    /// max |G v + Φₜ| at the end, including A v + b
    pub velocity: T,
}

impl<T: Real> Assembly<T> {
    /// All of these levels.
    pub fn of(levels: Levels) -> Self {
        Self { levels, ..Self::default() }
    }

    /// The nearest consistent state to `x`, at its time and in its modes.
    ///
    /// # Errors
    /// [`Cause::Contradiction`] with all rows that contradict each other, [`Cause::NotConverged`] and
    /// [`Cause::Inconsistent`] (no step helps) with the row of the largest residual, [`Cause::Dependent`] with the rows
    /// that depend on each other, [`Cause::NonFinite`], [`Cause::NotARotation`].
    pub fn solve<S: Solvable<Real = T>, U: Inputs<S>>(
        &self,
        system: &S,
        inputs: &U,
        mut x: State<S>,
    ) -> Result<(State<S>, Assembled<T>), StartError> {
        let (mut work, time) = (Work::default(), x.t.to_f64());
        let mut cx = Context { system, inputs, work: &mut work };
        let entered = enter(system, x.q.as_mut());
        match entered.and_then(|()| Corrector::new(system).assemble(self, &mut cx, &mut x)) {
            Ok(assembled) => Ok((x, assembled)),
            Err(cause) => Err(StartError { time, cause }),
        }
    }

    pub(super) fn check(&self) -> Result<(), Cause> {
        if !(self.tolerance > T::ZERO && self.tolerance.is_finite()) {
            return Err(Cause::Invalid { setting: "assembly tolerance", value: self.tolerance.to_f64() });
        }
        Ok(())
    }
}

/// Storage of an assembly.
pub(super) struct Corrector<S: Solvable> {
    u: S::U,
    constraint: Constraint<S>,
    forward: Forward<S>,
    saddle: S::Saddle,
    acceleration: Acceleration<S>,
    /// the correction, and the next one with the same factors
    delta: S::V,
    next: S::V,
    step: S::V,
    y: S::L,
    q: S::Q,
    change: S::Q,
}

impl<S: Solvable> Corrector<S> {
    pub(super) fn new(system: &S) -> Self {
        let layout = system.layout();
        let (v, q): (S::V, S::Q) = (Block::zeros(layout.v.len()), Block::zeros(layout.q.len()));
        Self {
            u: Block::zeros(layout.u.len()),
            constraint: Constraint::zeros(&layout),
            forward: Forward::zeros(&layout),
            saddle: S::Saddle::new(&layout),
            acceleration: Acceleration::new(system),
            delta: v.clone(),
            next: v.clone(),
            step: v,
            y: Block::zeros(layout.constraints.len()),
            change: q.clone(),
            q,
        }
    }

    /// All levels asked for, in `x`.
    pub(super) fn assemble<U: Inputs<S>>(
        &mut self,
        how: &Assembly<S::Real>,
        cx: &mut Context<'_, S, U>,
        x: &mut State<S>,
    ) -> Result<Assembled<S::Real>, Cause> {
        how.check()?;
        cx.fits(x)?;
        x.check(&cx.system.layout())?;
        let mut iterations = 0;
        if how.levels.position {
            iterations = self.positions(how, cx, x)?;
        }
        if how.levels.velocity && !cx.system.layout().first_order() {
            self.velocities(how, cx, x)?;
        }
        if how.levels.acceleration {
            self.acceleration.settle(cx, x)?;
        }
        self.evaluate(cx, x)?;
        let Constraint { phi, rate, .. } = &self.constraint;
        Ok(Assembled { iterations, position: norm(phi.as_ref()), velocity: norm(rate.as_ref()) })
    }

    /// Φ, Φ̇ and G at `x`.
    fn evaluate<U: Inputs<S>>(&mut self, cx: &Context<'_, S, U>, x: &State<S>) -> Result<(), Cause> {
        let names = cx.system.layout().constraints;
        cx.system.constraint(x.at(&self.u), &mut self.constraint);
        finite(self.constraint.phi.as_ref(), Quantity::Constraint, names)?;
        finite(self.constraint.rate.as_ref(), Quantity::Constraint, names)
    }

    /// Factors of [M −Gᵀ; G 0] at `x`.
    fn factorize<U: Inputs<S>>(&mut self, cx: &mut Context<'_, S, U>, x: &State<S>) -> Result<(), Cause> {
        cx.input(x.moment(), &mut self.u)?;
        cx.system.forward(x.at(&self.u), &mut self.forward);
        cx.work.factorizations += 1;
        undefined(&cx.system.layout(), self.forward.mass.as_ref(), self.constraint.jacobian.as_ref())?;
        let _ = tolerate(cx.system, x.at(&self.u), &mut self.saddle);
        factorize(cx.system, &self.forward.mass, &self.constraint.jacobian, &mut self.saddle)
    }

    /// The smallest `delta` with G δ = −residual, of Φ or Φ̇.
    fn correct(saddle: &S::Saddle, y: &mut S::L, residual: &S::L, delta: &mut S::V) {
        delta.as_mut().fill(S::Real::ZERO);
        for (y, &residual) in y.as_mut().iter_mut().zip(residual.as_ref()) {
            *y = -residual;
        }
        saddle.solve(delta.as_mut(), y.as_mut());
    }

    fn positions<U: Inputs<S>>(
        &mut self,
        how: &Assembly<S::Real>,
        cx: &mut Context<'_, S, U>,
        x: &mut State<S>,
    ) -> Result<u32, Cause> {
        let quarter = S::Real::from_f64(0.25);
        self.evaluate(cx, x)?;
        for iteration in 0..how.iterations {
            if norm(self.constraint.phi.as_ref()) == S::Real::ZERO {
                return Ok(iteration);
            }
            self.factorize(cx, x)?;
            Self::correct(&self.saddle, &mut self.y, &self.constraint.phi, &mut self.delta);
            finite(self.delta.as_ref(), Quantity::Coordinate, cx.system.layout().directions)?;
            let size = measure(cx.system, x, &self.delta, &mut self.change);
            copy(&x.q, &mut self.q);
            let (mut factor, mut helped) = (S::Real::ONE, false);
            for _ in 0..=how.halvings {
                self.step.as_mut().fill(S::Real::ZERO);
                add(self.step.as_mut(), factor, self.delta.as_ref());
                cx.system.retract(&self.q, &self.step, &mut x.q);
                if self.evaluate(cx, x).is_err() {
                    // larger than the constraints allow to evaluate
                    factor *= S::Real::from_f64(0.5);
                    continue;
                }
                Self::correct(&self.saddle, &mut self.y, &self.constraint.phi, &mut self.next);
                let next = measure(cx.system, x, &self.next, &mut self.change);
                let limit = S::Real::from_f64(16.0) * S::Real::EPSILON;
                if factor == S::Real::ONE && (next <= how.tolerance.min(quarter * size) || size <= limit) {
                    // The last factors are good enough for the remaining correction.
                    self.consistent(cx, Level::Position, norm(x.q.as_ref()))?;
                    copy(&x.q, &mut self.q);
                    cx.system.retract(&self.q, &self.next, &mut x.q);
                    return Ok(iteration + 1);
                }
                if next < size * (S::Real::ONE - quarter * factor) || size <= how.tolerance {
                    helped = true;
                    break;
                }
                factor *= S::Real::from_f64(0.5);
            }
            if !helped {
                copy(&self.q, &mut x.q);
                self.evaluate(cx, x)?;
                return Err(self.contradiction(cx).unwrap_or_else(|| {
                    let (name, residual) = self.worst(cx, Level::Position);
                    Cause::Inconsistent { level: Level::Position, name, residual }
                }));
            }
        }
        let (name, residual) = self.worst(cx, Level::Position);
        let cause = Cause::NotConverged { level: Level::Position, name, residual };
        Err(self.contradiction(cx).unwrap_or(cause))
    }

    /// The error for rows whose residual no step reduces.
    fn contradiction<U: Inputs<S>>(&self, cx: &Context<'_, S, U>) -> Option<Cause> {
        let phi = |row: usize| self.constraint.phi.as_ref().get(row).copied().unwrap_or(S::Real::ZERO);
        let mut found = Dependence::<S>::of_jacobian(cx.system.layout(), self.constraint.jacobian.as_ref(), NEAR);
        found.contradiction(Level::Position, &phi)
    }

    fn velocities<U: Inputs<S>>(
        &mut self,
        how: &Assembly<S::Real>,
        cx: &mut Context<'_, S, U>,
        x: &mut State<S>,
    ) -> Result<(), Cause> {
        self.evaluate(cx, x)?;
        self.factorize(cx, x)?;
        // The problem is linear, so one solve is enough; a second one improves an ill-conditioned solution, and shows
        // whether it was one.
        for again in [false, true, true, true] {
            Self::correct(&self.saddle, &mut self.y, &self.constraint.rate, &mut self.delta);
            finite(self.delta.as_ref(), Quantity::Velocity, cx.system.layout().v)?;
            add(x.v.as_mut(), S::Real::ONE, self.delta.as_ref());
            self.evaluate(cx, x)?;
            if again && largest(self.delta.as_ref(), x.v.as_ref()).1 <= how.tolerance {
                return self.consistent(cx, Level::Velocity, norm(x.v.as_ref()));
            }
        }
        self.consistent(cx, Level::Velocity, norm(x.v.as_ref()))?;
        let (name, residual) = self.worst(cx, Level::Velocity);
        Err(Cause::NotConverged { level: Level::Velocity, name, residual })
    }

    /// Refuses rows that contradict each other at the end.
    fn consistent<U: Inputs<S>>(&self, cx: &Context<'_, S, U>, level: Level, size: S::Real) -> Result<(), Cause> {
        let Constraint { phi, rate, jacobian } = &self.constraint;
        let off = if level == Level::Position { phi } else { rate };
        consistent::<S>(cx.system.layout(), jacobian, level, off, S::Real::ONE + size)
    }

    /// The row with the largest residual, and that residual.
    fn worst<U: Inputs<S>>(&self, cx: &Context<'_, S, U>, level: Level) -> (Name, f64) {
        let rows = match level {
            Level::Position => self.constraint.phi.as_ref(),
            Level::Velocity | Level::Acceleration => self.constraint.rate.as_ref(),
        };
        let (index, residual) = worst(rows);
        (Name::of(cx.system.layout().constraints, index), residual.to_f64())
    }
}

/// The largest change of a coordinate against 1 + |value|; NaN if one is.
fn measure<S: Solvable>(system: &S, x: &State<S>, delta: &S::V, change: &mut S::Q) -> S::Real {
    system.qdot(&x.q, delta, change);
    largest(change.as_ref(), x.q.as_ref()).1
}
