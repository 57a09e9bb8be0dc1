//! Equilibria: positions, first-order states and multipliers at which nothing moves.
//!
//! ```text
//! f(t, q, 0, z, u) + G(q, t)ᵀ λ = 0,   g(t, q, 0, z, u) = 0,   Φ(q, t) = 0
//! ```
//!
//! by Newton's method with the exact tangent, K with ∂(Gᵀλ)/∂q in it, bordered by G. Steps that do not help are halved; what helps is
//! judged by the natural level function, the size of J(x)⁻¹ F at the new point: it does not depend on the units of the equations, which a
//! norm of residuals of forces, rates and lengths would (Deuflhard's restricted monotonicity test).
//!
//! A **steady motion** is sought in the same way where rheonomic constraints drive a model: v is the motion of least kinetic energy with
//! G v + Φₜ = 0, a its rate along itself, by differences of fourth order, and M a joins the residual. How v and a change with q is left out
//! of the tangent, so that convergence is linear.
//!
//! Compliant rows are forces as ever. Nonholonomic rows let equilibrium be approached along what they allow, A δq = 0, and may carry
//! forces; which of the equilibria is found depends on the way. Where such a row has a speed b ≠ 0, there is no rest.
//!
//! Reference: P. Deuflhard, Newton Methods for Nonlinear Problems, §3.3; E. J. Haug, Computer Aided Kinematics and Dynamics of Mechanical
//! Systems I, §9.6, on equilibria of constrained systems.

mod loading;
mod search;

pub use loading::Loading;

use core::fmt;

use self::search::{Carried, Search};
use crate::error::{Cause, Name, Quantity};
use crate::input::Inputs;
use crate::method::{Context, Work};
use crate::rotations::enter;
use crate::scalar::Real;
use crate::state::State;
use crate::system::{Linearize, Solvable};

/// How equilibria are sought.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Statics<T> {
    /// Newton iterations allowed
    pub iterations: u32,
    /// what may be left to correct in a coordinate or first-order state, against 1 + |value|
    pub tolerance: T,
    /// where max |f + Gᵀλ|, |g| and |Φ| are at most this, in their units, no correction is asked for; 0 leaves it to `tolerance`
    pub residual: T,
    /// halvings of a step that does not help; 0 takes every step as it is
    pub halvings: u32,
}

impl<T: Real> Default for Statics<T> {
    fn default() -> Self {
        Self { iterations: 50, tolerance: T::PIVOT_TOLERANCE, residual: T::ZERO, halvings: 20 }
    }
}

/// What told that an equilibrium is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Converged {
    /// the residual is small enough
    Residual,
    /// the estimate of what is left to correct is small enough
    Estimate,
}

/// How an equilibrium was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Equilibrium<T> {
    /// what ended the iterations
    pub converged: Converged,
    /// Newton iterations, each with one factorisation
    pub iterations: u32,
    /// max |f + Gᵀλ|, |g| and |Φ| at the end
    pub residual: T,
    /// load steps; 1 without a load
    pub loads: u32,
}

/// Why no equilibrium was found.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Unsettled {
    /// Along the last direction no step helps: there may be no equilibrium near.
    LineSearch {
        /// the row whose residual is largest
        row: Name,
        /// that residual
        residual: f64,
    },
    /// The iterations allowed were not enough.
    Iterations {
        /// the coordinate or state whose last correction was largest
        name: Name,
        /// that correction, as a multiple of the tolerance
        correction: f64,
    },
    /// A nonholonomic row has a speed of its own: nothing can be at rest.
    Moving {
        /// the row
        row: Name,
        /// its speed
        speed: f64,
    },
    /// The model cannot be evaluated or solved.
    Evaluation(Cause),
}

impl fmt::Display for Unsettled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LineSearch { row, residual } => {
                write!(f, "no step along the last direction helps: `{row}` keeps a residual of {residual:e}")
            }
            Self::Iterations { name, correction } => {
                write!(f, "no convergence: last correction of `{name}` is {correction:e} tolerances")
            }
            Self::Moving { row, speed } => write!(f, "constraint `{row}` moves at {speed:e}: nothing can be at rest"),
            Self::Evaluation(cause) => cause.fmt(f),
        }
    }
}

/// No equilibrium was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StaticError {
    /// the last load factor with an equilibrium; none without a load, or where the first one failed
    pub load: Option<f64>,
    /// Newton iterations made
    pub iterations: u32,
    /// why
    pub cause: Unsettled,
}

impl fmt::Display for StaticError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no equilibrium after {} iterations", self.iterations)?;
        if let Some(load) = self.load {
            write!(f, " beyond a load factor of {load}")?;
        }
        write!(f, ": {}", self.cause)
    }
}

impl core::error::Error for StaticError {}

impl<T: Real> Statics<T> {
    /// The equilibrium near q and z of `x`, at its time and in its modes; its rates and velocities are not read, and its λ only where M is
    /// singular: the search begins with those that leave least of the forces, for what ∂(Gᵀλ)/∂q alone holds.
    ///
    /// # Errors
    /// [`StaticError`] with the name of the row or coordinate.
    pub fn solve<S: Solvable<Real = T> + Linearize, U: Inputs<S>>(
        &self,
        system: &S,
        inputs: &U,
        x: State<S>,
    ) -> Result<(State<S>, Equilibrium<T>), StaticError> {
        self.watched(system, inputs, x, |_| {})
    }

    /// As [`Statics::solve`]; `observer` sees the first guess and every iterate.
    ///
    /// # Errors
    /// As [`Statics::solve`].
    pub fn watched<S: Solvable<Real = T> + Linearize, U: Inputs<S>>(
        &self,
        system: &S,
        inputs: &U,
        x: State<S>,
        observer: impl FnMut(&State<S>),
    ) -> Result<(State<S>, Equilibrium<T>), StaticError> {
        self.run(&mut Search::new(system, None), system, inputs, x, observer)
    }

    /// The steady motion of a driven model near q and z of `x`: relative rest in what turns or glides at the speed of the drivers.
    ///
    /// # Errors
    /// As [`Statics::solve`].
    pub fn steady<S: Solvable<Real = T> + Linearize, U: Inputs<S>>(
        &self,
        system: &S,
        inputs: &U,
        x: State<S>,
    ) -> Result<(State<S>, Equilibrium<T>), StaticError> {
        self.run(&mut Search::new(system, Some(Carried::new(system))), system, inputs, x, |_| {})
    }

    /// One solve with the tangent at `x`: the equilibrium of the linear system, small displacements.
    ///
    /// # Errors
    /// [`Cause::Singular`] naming the coordinate nothing holds, [`Cause::NonFinite`], [`Cause::NotARotation`].
    pub fn linear<S: Solvable<Real = T> + Linearize, U: Inputs<S>>(
        system: &S,
        inputs: &U,
        mut x: State<S>,
    ) -> Result<State<S>, Cause> {
        let mut work = Work::default();
        let mut cx = Context { system, inputs, work: &mut work };
        let mut search = Search::new(system, None);
        enter(system, x.q.as_mut())?;
        rest(&mut x);
        search.begin(&mut cx, &mut x)?;
        search.linearize(&mut cx, &mut x)?;
        search.correct(&mut cx)?;
        let mut solution = x.clone();
        search.advance(system, &x, T::ONE, &mut solution);
        Ok(solution)
    }

    fn check(&self) -> Result<(), Cause> {
        let invalid = |setting, value: T| Err(Cause::Invalid { setting, value: value.to_f64() });
        if self.iterations == 0 {
            return Err(Cause::Invalid { setting: "static iterations", value: 0.0 });
        }
        if !(self.tolerance > T::ZERO && self.tolerance.is_finite()) {
            return invalid("static tolerance", self.tolerance);
        }
        if !(self.residual >= T::ZERO && self.residual.is_finite()) {
            return invalid("static residual", self.residual);
        }
        Ok(())
    }

    fn run<S: Solvable<Real = T> + Linearize, U: Inputs<S>>(
        &self,
        search: &mut Search<S>,
        system: &S,
        inputs: &U,
        mut x: State<S>,
        mut observer: impl FnMut(&State<S>),
    ) -> Result<(State<S>, Equilibrium<T>), StaticError> {
        let mut work = Work::default();
        let mut cx = Context { system, inputs, work: &mut work };
        rest(&mut x);
        let (mut done, mut trial) = (0, x.clone());
        let outcome = self.iterate(search, &mut cx, &mut x, &mut trial, &mut done, &mut observer);
        let cause = match outcome {
            Ok(converged) => match search.moving(&system.layout()) {
                None => {
                    let residual = search.residual(&system.layout()).1;
                    return Ok((x, Equilibrium { converged, iterations: done, residual, loads: 1 }));
                }
                Some(cause) => cause,
            },
            Err(cause) => cause,
        };
        Err(StaticError { load: None, iterations: done, cause })
    }

    /// Newton's iterations; at the end the residual of `search` is that at `x`.
    fn iterate<S: Solvable<Real = T> + Linearize, U: Inputs<S>>(
        &self,
        search: &mut Search<S>,
        cx: &mut Context<'_, S, U>,
        x: &mut State<S>,
        trial: &mut State<S>,
        done: &mut u32,
        observer: &mut impl FnMut(&State<S>),
    ) -> Result<Converged, Unsettled> {
        let layout = cx.system.layout();
        self.check().and_then(|()| x.check(&layout)).map_err(Unsettled::Evaluation)?;
        enter(cx.system, x.q.as_mut()).map_err(Unsettled::Evaluation)?;
        search.begin(cx, x).and_then(|()| search.linearize(cx, x)).map_err(Unsettled::Evaluation)?;
        observer(x);
        let (mut name, mut size) = (Name::new(""), T::ZERO);
        while *done < self.iterations {
            if search.residual(&layout).1 <= self.residual {
                return Ok(Converged::Residual);
            }
            search.correct(cx).map_err(Unsettled::Evaluation)?;
            *done += 1;
            (name, size) = search.size(cx.system, x);
            if !size.is_finite() {
                return Err(Unsettled::Evaluation(Cause::NonFinite { quantity: Quantity::Coordinate, name }));
            }
            let (factor, next) = self.step(search, cx, x, size, trial)?;
            x.copy_from(trial);
            observer(x);
            // Corrections that shrink by θ leave no more than next/(1 − θ).
            let left = if next < size { next * size / (size - next) } else { size };
            if factor == T::ONE && (left <= self.tolerance || size <= T::from_f64(16.0) * T::EPSILON) {
                return Ok(Converged::Estimate);
            }
        }
        if search.residual(&layout).1 <= self.residual {
            return Ok(Converged::Residual);
        }
        Err(Unsettled::Iterations { name, correction: (size / self.tolerance).to_f64() })
    }

    /// The longest of the halved steps that helps, to `trial`: its factor, and the size of what would be corrected there.
    fn step<S: Solvable<Real = T> + Linearize, U: Inputs<S>>(
        &self,
        search: &mut Search<S>,
        cx: &mut Context<'_, S, U>,
        x: &State<S>,
        size: T,
        trial: &mut State<S>,
    ) -> Result<(T, T), Unsettled> {
        let (row, residual) = search.residual(&cx.system.layout());
        // The tangent of a steady motion is not the whole of it: less is asked for.
        let gain = if search.carries() { T::ZERO } else { T::from_f64(0.25) };
        let free = self.halvings == 0 || size <= self.tolerance;
        let mut factor = T::ONE;
        for halving in 0..=self.halvings {
            trial.copy_from(x);
            search.advance(cx.system, x, factor, trial);
            match search.next(cx, trial) {
                Ok(next) if free || next < size * (T::ONE - gain * factor) => return Ok((factor, next)),
                Err(cause) if halving == self.halvings => return Err(Unsettled::Evaluation(cause)),
                _ => factor *= T::from_f64(0.5),
            }
        }
        Err(Unsettled::LineSearch { row, residual: residual.to_f64() })
    }
}

/// v = 0, a = 0, ż = 0.
fn rest<S: Solvable>(x: &mut State<S>) {
    for value in x.v.as_mut().iter_mut().chain(x.a.as_mut()).chain(x.zdot.as_mut()) {
        *value = crate::Scalar::ZERO;
    }
}
