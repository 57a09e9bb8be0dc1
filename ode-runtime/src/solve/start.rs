//! Consistent initial values.
//!
//! Positions: the smallest change of the guess that satisfies Φ = 0 and the exact conditions, by Newton steps of least
//! norm,
//!
//! ```text
//! [ I  Jᵀ ] [ δ ]   [ 0  ]
//! [ J −ε I ] [ μ ] = [ −c ]      c = (Φ, conditions), J = ∂c/∂q, rows of J scaled to 1
//! ```
//!
//! where ε keeps the matrix regular if conditions repeat constraints. Iteration removes the influence of ε from
//! consistent rows; rows that contradict each other keep a residual and are reported by name. Velocities: the same with
//! Φ̇ = G v + Φₜ and the nonholonomic rows A v + b, which do not restrict positions. Accelerations and multipliers: M
//! a = f + Gᵀ λ, G a + γ = 0; in first-order models velocities and multipliers, D v = f + Gᵀ λ, G v + γ = 0.

use crate::error::{Cause, Level, Quantity, StartError};
use crate::model::input::Inputs;
use crate::model::rotations::enter;
use crate::model::state::{State, copy, finite};
use crate::model::system::System;
use crate::numbers::scalar::Real;
use crate::solve::Acceleration;
use crate::solve::assembly::{Assembly, norm_of};
use crate::solve::context::{Context, Work};
use crate::solve::solvable::Solvable;

/// What sees the steps of positions.
pub(crate) type SeeStep<'a, S> = &'a mut dyn FnMut(&<S as System>::Q, <S as System>::Real) -> Result<(), Cause>;

/// How to find a consistent start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Start<T> {
    /// time of the start
    pub time: T,
    /// allowed residual of a row, as a change of coordinates or velocities relative to 1 + their magnitude
    pub tolerance: T,
    /// Newton iterations allowed
    pub iterations: u32,
}

impl<T: Real> Default for Start<T> {
    fn default() -> Self {
        Self { time: T::ZERO, tolerance: T::PIVOT_TOLERANCE, iterations: 50 }
    }
}

impl<T: Real> Start<T> {
    /// A start at `time`.
    pub fn at(time: T) -> Self {
        Self { time, ..Self::default() }
    }

    /// Consistent values near the model's guess.
    ///
    /// # Errors
    /// [`Cause::Contradiction`] with all constraints and conditions that contradict each other, [`Cause::Inconsistent`]
    /// or [`Cause::NotConverged`] with the row of the largest residual, [`Cause::Dependent`] with the constraints that
    /// depend on each other, [`Cause::Singular`] with the coordinate without inertia, [`Cause::NonFinite`],
    /// [`Cause::NotARotation`], [`Cause::Invalid`].
    pub fn solve<S: Solvable<Real = T>, U: Inputs<S>>(&self, system: &S, inputs: &U) -> Result<State<S>, StartError> {
        let mut x = State::neutral(system);
        system.guess(&mut x.q, &mut x.v, &mut x.z);
        self.solve_from(system, inputs, x)
    }

    /// Consistent values near q, v and z of `x`, with its modes; its rates and multipliers are not read. Small errors
    /// in the norms of its rotations are corrected.
    ///
    /// # Errors
    /// As [`Start::solve`]; [`Cause::OutOfRange`] for a state of another size.
    pub fn solve_from<S: Solvable<Real = T>, U: Inputs<S>>(
        &self,
        system: &S,
        inputs: &U,
        mut x: State<S>,
    ) -> Result<State<S>, StartError> {
        let mut work = Work::default();
        let cx = Context { system, inputs, work: &mut work };
        let run = || {
            cx.fits(&x)?;
            self.assemble(system, &mut x)?;
            accelerate(cx, &mut x)
        };
        match run() {
            Ok(()) => Ok(x),
            Err(cause) => Err(StartError { time: self.time.to_f64(), cause }),
        }
    }

    /// Positions and velocities only.
    pub(crate) fn assemble<S: Solvable<Real = T>>(&self, system: &S, x: &mut State<S>) -> Result<(), Cause> {
        self.assemble_seen(system, x, &mut |_, _| Ok(()))
    }

    /// The same; `made` sees each step of positions: where it began, and the share of it that was made.
    pub(crate) fn assemble_seen<S: Solvable<Real = T>>(
        &self,
        system: &S,
        x: &mut State<S>,
        made: SeeStep<'_, S>,
    ) -> Result<(), Cause> {
        self.check()?;
        x.t = self.time;
        let layout = system.layout();
        enter(system, x.q.as_mut())?;
        finite(x.v.as_ref(), Quantity::Velocity, layout.v)?;
        finite(x.z.as_ref(), Quantity::State, layout.z)?;
        let mut assembly = Assembly::new(system, &layout);
        self.positions(system, &mut assembly, x, made)?;
        if layout.first_order() {
            // velocities follow from the equations
            return Ok(());
        }
        self.velocities(system, &mut assembly, x)
    }

    fn check(&self) -> Result<(), Cause> {
        if !self.time.is_finite() {
            return Err(Cause::Invalid { setting: "time", value: self.time.to_f64() });
        }
        if !(self.tolerance > T::ZERO && self.tolerance.is_finite()) {
            return Err(Cause::Invalid { setting: "start tolerance", value: self.tolerance.to_f64() });
        }
        Ok(())
    }

    pub(super) fn positions<S: Solvable<Real = T>>(
        &self,
        system: &S,
        assembly: &mut Assembly<S>,
        x: &mut State<S>,
        made: SeeStep<'_, S>,
    ) -> Result<(), Cause> {
        let level = Level::Position;
        let mut off = assembly.linearize(system, level, x)?;
        let (mut q, mut stalled) = (x.q.clone(), false);
        for _ in 0..self.iterations {
            if off == T::ZERO {
                return Ok(());
            }
            assembly.solve(&system.layout())?;
            copy(&x.q, &mut q);
            // Far from the solution a full step may overshoot: it is halved until the residual falls.
            let (mut factor, mut next) = (T::ONE, off);
            for _ in 0..12 {
                assembly.scaled(factor);
                system.retract(&q, &assembly.step, &mut x.q);
                next = assembly.linearize(system, level, x)?;
                if next < off || off <= self.tolerance {
                    break;
                }
                factor *= T::from_f64(0.5);
            }
            if !(next < off) {
                // At round-off, or if no step helps, the better of the two is kept.
                copy(&q, &mut x.q);
                off = assembly.linearize(system, level, x)?;
                stalled = true;
                break;
            }
            made(&q, factor)?;
            off = next;
        }
        assembly.judge(&system.layout(), level, self.tolerance, off, stalled, norm_of(x.q.as_ref()))
    }

    pub(super) fn velocities<S: Solvable<Real = T>>(
        &self,
        system: &S,
        assembly: &mut Assembly<S>,
        x: &mut State<S>,
    ) -> Result<(), Cause> {
        let level = Level::Velocity;
        let mut off = assembly.linearize(system, level, x)?;
        let mut v = x.v.clone();
        // The problem is linear: one solve, and a few more that remove the regularisation.
        for _ in 0..8 {
            if off == T::ZERO {
                return Ok(());
            }
            assembly.solve(&system.layout())?;
            assembly.scaled(T::ONE);
            copy(&x.v, &mut v);
            crate::solve::add(x.v.as_mut(), T::ONE, assembly.step.as_ref());
            let next = assembly.linearize(system, level, x)?;
            if !(next < off) {
                copy(&v, &mut x.v);
                off = assembly.linearize(system, level, x)?;
                break;
            }
            off = next;
        }
        assembly.judge(&system.layout(), level, self.tolerance, off, true, norm_of(x.v.as_ref()))
    }
}

/// Accelerations, rates and multipliers of `x` in place.
pub(crate) fn accelerate<S: Solvable, U: Inputs<S>>(mut cx: Context<'_, S, U>, x: &mut State<S>) -> Result<(), Cause> {
    Acceleration::strict(cx.system).settle(&mut cx, x)?;
    finite(x.a.as_ref(), Quantity::Acceleration, cx.system.layout().directions)
}
