//! Motions that constraints determine: positions, velocities and accelerations without integration.
//!
//! If there are as many rows Φ(q, t) = 0 as velocities, including drivers, they determine the motion:
//!
//! ```text
//! Φ(q, t) = 0,   G v = −Φₜ,   G a = −γ,   Gᵀ λ = M a − f
//! ```
//!
//! From one time to the next q is extrapolated with v and a, and corrected by Newton's method. A correction longer than
//! half of the extrapolation might lead to another branch of the mechanism, so it is refused and the step halved. Where
//! the mechanism locks or branches the step becomes too small, and the failure names a row or a coordinate.
//!
//! λ are the reactions. That of a driver, `constraint th == f(t)`, is the driving force: inverse dynamics.
//!
//! Reference: E. J. Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I, §3.6 and §4.5.

use core::fmt;

use crate::analysis::assembly::{Assembly, Corrector, Levels};
use crate::error::{Cause, Level, Name, StartError, StepError};
use crate::linalg::Saddle;
use crate::model::input::Inputs;
use crate::model::layout::{Block, Layout, RowKind};
use crate::model::rotations::enter;
use crate::model::state::State;
use crate::model::system::Constraint;
use crate::numbers::scalar::Real;
use crate::solve::context::{Context, Work};
use crate::solve::solvable::Solvable;
use crate::solve::{Dependence, LOOSE, add, worst};

/// How a determined motion is followed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kinematics<T> {
    /// the longest step of time
    pub step: T,
    /// the smallest one
    pub smallest: T,
    /// how positions are corrected
    pub assembly: Assembly<T>,
}

impl<T: Real> Kinematics<T> {
    /// With steps of at most `step`, and at least 2⁻²⁰ of it.
    pub fn with_step(step: T) -> Self {
        Self { step, smallest: step * T::from_f64(0.5).powi(20), assembly: Assembly::default() }
    }
}

/// Why a motion cannot be followed.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum KinematicError {
    /// There are fewer position rows than velocities: something is free to move.
    Undetermined {
        /// rows that hold positions
        rows: usize,
        /// velocities
        velocities: usize,
    },
    /// A row is nonholonomic or compliant: positions do not follow from it without integration.
    NotHolonomic {
        /// the row
        row: Name,
    },
    /// There are no consistent values at the start.
    Start(StartError),
    /// A step failed; the state is the one before it.
    Step(StepError),
}

impl fmt::Display for KinematicError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Undetermined { rows, velocities } => {
                write!(f, "{rows} constraints do not determine {velocities} velocities")
            }
            Self::NotHolonomic { row } => write!(f, "positions do not follow from constraint `{row}`"),
            Self::Start(error) => error.fmt(f),
            Self::Step(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for KinematicError {}

/// Refuses models whose rows do not determine positions.
fn determined(layout: &Layout<'_>) -> Result<(), KinematicError> {
    let (rows, velocities) = (layout.constraints.len(), layout.v.len());
    if let Some(row) = (0..rows).find(|&row| layout.kind(row) != RowKind::Holonomic) {
        return Err(KinematicError::NotHolonomic { row: Name::of(layout.constraints, row) });
    }
    if rows < velocities { Err(KinematicError::Undetermined { rows, velocities }) } else { Ok(()) }
}

/// An error if there are as many rows as velocities, but some are redundant.
fn held<S: Solvable>(system: &S, x: &State<S>) -> Result<(), KinematicError> {
    if !S::Saddle::REDUNDANT {
        return Ok(());
    }
    let layout = system.layout();
    let (u, mut constraint) = (S::U::zeros(layout.u.len()), Constraint::zeros(&layout));
    system.constraint(x.at(&u), &mut constraint);
    let (rank, _) = Dependence::<S>::of_jacobian(layout, constraint.jacobian.as_ref(), LOOSE).rank();
    let velocities = layout.v.len();
    if rank < velocities { Err(KinematicError::Undetermined { rows: rank, velocities }) } else { Ok(()) }
}

impl<T: Real> Kinematics<T> {
    /// The state at `time` on the branch of the model's guess.
    ///
    /// # Errors
    /// [`KinematicError`] but `Step`.
    pub fn start<S: Solvable<Real = T>, U: Inputs<S>>(
        &self,
        system: &S,
        inputs: &U,
        time: T,
    ) -> Result<State<S>, KinematicError> {
        determined(&system.layout())?;
        let mut x = State::neutral(system);
        system.guess(&mut x.q, &mut x.v, &mut x.z);
        x.t = time;
        let full = Assembly { levels: Levels::FULL, ..self.assembly };
        let (x, _) = full.solve(system, inputs, x).map_err(KinematicError::Start)?;
        held(system, &x).map(|()| x)
    }

    /// Follows the motion from `x` to `time`, forward or backward.
    ///
    /// # Errors
    /// [`KinematicError::Step`] with the time and size of the step, and the row that locks or the coordinate that
    /// jumps; `x` is the last state reached.
    pub fn advance_to<S: Solvable<Real = T>, U: Inputs<S>>(
        &self,
        system: &S,
        inputs: &U,
        x: &mut State<S>,
        time: T,
    ) -> Result<(), KinematicError> {
        determined(&system.layout())?;
        held(system, x)?;
        let fail = |x: &State<S>, step: T, cause| {
            let cause = crate::solve::explain::explain(system, x, step, cause);
            KinematicError::Step(StepError { time: x.t.to_f64(), step: step.to_f64(), cause })
        };
        for (setting, value) in [("step", self.step), ("smallest step", self.smallest)] {
            if !(value > T::ZERO && value.is_finite()) {
                return Err(fail(x, self.step, Cause::Invalid { setting, value: value.to_f64() }));
            }
        }
        if !time.is_finite() {
            return Err(fail(x, T::ZERO, Cause::Invalid { setting: "time to advance to", value: time.to_f64() }));
        }
        enter(system, x.q.as_mut()).map_err(|cause| fail(x, T::ZERO, cause))?;
        let (mut corrector, mut next, mut h) = (Corrector::new(system), x.clone(), self.step);
        let mut step = S::V::zeros(system.layout().v.len());
        // Steps that small would take for ever.
        let least = T::from_f64(100.0) * T::EPSILON * T::ONE.max(x.t.abs()).max(time.abs());
        if self.step < least && x.t != time {
            return Err(fail(x, self.step, Cause::StepTooSmall { smallest: least.to_f64(), limit: None }));
        }
        while x.t != time {
            let left = time - x.t;
            let lands = left.abs() <= h;
            let signed = if lands { left } else { if left > T::ZERO { h } else { -h } };
            match self.attempt(system, inputs, &mut corrector, x, signed, &mut step, &mut next) {
                Ok(()) => {
                    if lands {
                        next.t = time;
                    }
                    x.copy_from(&next);
                    h = (h + h).min(self.step);
                }
                Err(cause) => {
                    h = signed.abs() * T::from_f64(0.5);
                    if h < self.smallest.max(least) {
                        return Err(fail(x, signed, cause));
                    }
                }
            }
        }
        Ok(())
    }

    #[allow(clippy::too_many_arguments, reason = "storage of the loop above")]
    fn attempt<S: Solvable<Real = T>, U: Inputs<S>>(
        &self,
        system: &S,
        inputs: &U,
        corrector: &mut Corrector<S>,
        x: &State<S>,
        h: T,
        step: &mut S::V,
        next: &mut State<S>,
    ) -> Result<(), Cause> {
        let mut work = Work::default();
        let mut cx = Context { system, inputs, work: &mut work };
        let half = T::from_f64(0.5);
        next.copy_from(x);
        next.t += h;
        step.as_mut().fill(T::ZERO);
        add(step.as_mut(), h, x.v.as_ref());
        add(step.as_mut(), half * h * h, x.a.as_ref());
        system.retract(&x.q, step, &mut next.q);
        let (reach, continued) = (crate::solve::norm(step.as_ref()), next.q.clone());
        let full = Assembly { levels: Levels::FULL, ..self.assembly };
        corrector.assemble(&full, &mut cx, next)?;
        next.check(&system.layout())?;
        // From rest, the second half of the step shows its direction.
        let slack = T::from_f64(0.5) * h * h * crate::solve::norm(next.a.as_ref());
        system.local(&continued, &next.q, step);
        let (index, jump) = worst(step.as_ref());
        if jump.abs() <= half * reach + slack + self.assembly.tolerance {
            return Ok(());
        }
        let name = Name::of(system.layout().directions, index);
        Err(Cause::NotConverged { level: Level::Position, name, residual: jump.to_f64() })
    }
}
