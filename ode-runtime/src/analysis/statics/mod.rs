//! Equilibria: positions, first-order states and multipliers at which nothing moves.
//!
//! ```text
//! f(t, q, 0, z, u) + G(q, t)ᵀ λ = 0,   g(t, q, 0, z, u) = 0,   Φ(q, t) = 0
//! ```
//!
//! by Newton's method with the exact tangent, K including ∂(Gᵀλ)/∂q, bordered by G. Steps that do not help are halved.
//! The natural level function decides what helps: the size of J(x)⁻¹ F at the new point. Unlike a norm of forces, rates
//! and lengths, it does not depend on the units of the equations (Deuflhard's restricted monotonicity test).
//!
//! A **steady motion** is found in the same way if rheonomic constraints drive a model: v is the motion of least
//! kinetic energy with G v + Φₜ = 0, a its rate along itself, by differences of fourth order, and the residual contains
//! M a. The tangent omits the changes of v and a with q, so convergence is linear.
//!
//! Compliant rows are forces. Nonholonomic rows restrict the search to displacements that they allow, A δq = 0, and may
//! carry forces; the equilibrium that is found depends on the path. If such a row has a speed b ≠ 0, no state is at
//! rest.
//!
//! Newton's method finds nearby equilibria, stable or not. Each result tells what happens to a small disturbance,
//! [`Stability`], with the numbers behind it; `Statics::descend` follows the forces to a stable one.
//!
//! Reference: P. Deuflhard, Newton Methods for Nonlinear Problems, §3.3; E. J. Haug, Computer Aided Kinematics and
//! Dynamics of Mechanical Systems I, §9.6, on equilibria of constrained systems.

#[cfg(feature = "std")]
mod descent;
#[cfg(feature = "std")]
mod judge;
mod loading;
mod outcome;
#[cfg(feature = "std")]
mod pivots;
mod search;
mod stability;

pub use loading::Loading;
pub use outcome::{Converged, Equilibrium, StaticError, Unsettled};
pub use search::Begin;
pub use stability::{Criterion, Evidence, Stability, Unjudged};

use self::search::{Carried, Search};
#[cfg(feature = "std")]
use crate::analysis::linear::small_enough;
#[cfg(feature = "std")]
use crate::analysis::rest::LinearError;
use crate::error::{Cause, Level, Name, Quantity};
use crate::model::input::Inputs;
use crate::model::layout::Block;
use crate::model::linearize::Linearize;
use crate::model::rotations::enter;
use crate::model::state::State;
use crate::model::system::Constraint;
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::context::{Context, Work};
use crate::solve::solvable::Solvable;
use crate::solve::{Dependence, NEAR, consistent, norm};

/// How equilibria are sought.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Statics<T> {
    /// Newton iterations allowed
    pub iterations: u32,
    /// allowed remaining correction of a coordinate or first-order state, relative to 1 + |value|
    pub tolerance: T,
    /// iterations end when max |f + Gᵀλ|, |g| and |Φ| are at most this, in their units; with 0 only `tolerance` decides
    pub residual: T,
    /// halvings of a step that does not help; with 0 every step is accepted
    pub halvings: u32,
    /// the multipliers the search begins with
    pub multipliers: Begin,
    /// whether stability is judged, with the feature `std`: by dense matrices, work of order (nv + nz)³, up to 127
    /// unknowns; beyond by a few factorisations of the tangent, or, up to 2000 unknowns, by dense matrices if these do
    /// not decide
    pub judge: bool,
}

impl<T: Real> Default for Statics<T> {
    fn default() -> Self {
        Self {
            iterations: 50,
            tolerance: T::PIVOT_TOLERANCE,
            residual: T::ZERO,
            halvings: 20,
            multipliers: Begin::LeastForces,
            judge: true,
        }
    }
}

impl<T: Real> Statics<T> {
    /// The equilibrium near q and z of `x`, at its time and in its modes. Its rates and velocities are not read, its λ
    /// as [`Statics::multipliers`] says. It may be unstable: [`Equilibrium::stability`] tells.
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

    /// Like [`Statics::solve`]; `observer` sees the first guess and every iterate.
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

    /// The steady motion of a driven model near q and z of `x`: relative rest in a frame that moves with the drivers.
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

    /// The stable equilibrium below `x`. [`Statics::solve`] finds the nearest equilibrium; this follows the forces down
    /// and leaves unstable points, including the start. Stability is always judged. Motions that nothing holds are left
    /// where they are.
    ///
    /// Each step costs two inverses of a dense matrix of nv + nz + nc rows. λ of `x` is not read, and `x` should be
    /// near its rows. Very stiff springs (thousands of times stiffer than the load) make its steps short where they
    /// turn; rows do not. It finds the equilibrium of its own valley, not the lowest of all.
    ///
    /// # Errors
    /// [`StaticError`]; [`Unsettled::TooLarge`] beyond 2000 unknowns, [`Unsettled::Iterations`] if forces never
    /// balance, [`Unsettled::Unstable`] if no displacement is downhill and yet a motion grows, because of a follower
    /// force or negative damping.
    #[cfg(feature = "std")]
    pub fn descend<S: Solvable<Real = T> + Linearize, U: Inputs<S>>(
        &self,
        system: &S,
        inputs: &U,
        mut x: State<S>,
    ) -> Result<(State<S>, Equilibrium<T>), StaticError> {
        if let Err(LinearError::TooLarge { unknowns, most }) = small_enough(&system.layout()) {
            return Err(StaticError { load: None, iterations: 0, cause: Unsettled::TooLarge { unknowns, most } });
        }
        let mut work = Work::default();
        let mut cx = Context { system, inputs, work: &mut work };
        rest(&mut x);
        let mut search = Search::new(system, None);
        let mut descent = descent::Descent::new(self, &mut search, &x);
        let outcome = descent.run(&mut cx, &mut x);
        let done = descent.iterations();
        let found = outcome.and_then(|converged| {
            let found = Self { judge: true, ..*self }.found(&search, system, inputs, &x, (converged, done))?;
            match (found.stability, found.evidence) {
                (Stability::Unstable, Some(Evidence { least, moves: name, .. })) => {
                    Err(Unsettled::Unstable { name, least: least.to_f64() })
                }
                _ => Ok(found),
            }
        });
        match found {
            Ok(found) => Ok((x, found)),
            Err(cause) => Err(StaticError { load: None, iterations: done, cause: explain(system, &x, cause) }),
        }
    }

    /// One solve with the tangent at `x`: the equilibrium of the linear system, small displacements.
    ///
    /// K is that of the whole residual, with −∂(Gᵀλ)/∂q for the multipliers that best balance the forces at `x`: a taut
    /// string has transverse stiffness. [`Statics::linear_elastic`] omits this term.
    ///
    /// # Errors
    /// [`Cause::Singular`] naming the coordinate nothing holds, [`Cause::NonFinite`], [`Cause::NotARotation`].
    pub fn linear<S: Solvable<Real = T> + Linearize, U: Inputs<S>>(
        system: &S,
        inputs: &U,
        x: State<S>,
    ) -> Result<State<S>, Cause> {
        displace(system, inputs, x, |search, cx, x| search.begin(cx, Begin::LeastForces, x))
    }

    /// Like [`Statics::linear`], but with the stiffness of the forces alone, K = −∂f/∂q: the usual definition, in which
    /// the initial load of a row does not stiffen or soften the structure.
    ///
    /// # Errors
    /// As [`Statics::linear`].
    pub fn linear_elastic<S: Solvable<Real = T> + Linearize, U: Inputs<S>>(
        system: &S,
        inputs: &U,
        x: State<S>,
    ) -> Result<State<S>, Cause> {
        displace(system, inputs, x, |_, _, x| {
            x.lambda.as_mut().fill(T::ZERO);
            Ok(())
        })
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
        match outcome.and_then(|converged| self.found(search, system, inputs, &x, (converged, done))) {
            Ok(found) => Ok((x, found)),
            Err(cause) => Err(StaticError { load: None, iterations: done, cause: explain(system, &x, cause) }),
        }
    }

    /// The report on the equilibrium at `x`, where the search ended.
    fn found<S: Solvable<Real = T> + Linearize, U: Inputs<S>>(
        &self,
        search: &Search<S>,
        system: &S,
        inputs: &U,
        x: &State<S>,
        (converged, iterations): (Converged, u32),
    ) -> Result<Equilibrium<T>, Unsettled> {
        if let Some(cause) = search.moving(&system.layout()) {
            return Err(cause);
        }
        let (layout, mut constraint) = (system.layout(), Constraint::zeros(&system.layout()));
        system.constraint(x.at(&S::U::zeros(layout.u.len())), &mut constraint);
        let Constraint { phi, jacobian, .. } = &constraint;
        consistent::<S>(layout, jacobian, Level::Position, phi, T::ONE + norm(x.q.as_ref()))
            .map_err(Unsettled::Evaluation)?;
        let residual = search.residual(&system.layout()).1;
        let (stability, evidence) = self.judged(search, system, inputs, x);
        Ok(Equilibrium { converged, iterations, residual, loads: 1, stability, evidence, turn: None, jump: None })
    }

    fn judged<S: Solvable<Real = T> + Linearize, U: Inputs<S>>(
        &self,
        search: &Search<S>,
        system: &S,
        inputs: &U,
        x: &State<S>,
    ) -> (Stability, Option<Evidence<T>>) {
        let unjudged = |why| (Stability::Unjudged(why), None);
        if !self.judge {
            return unjudged(Unjudged::Unasked);
        }
        if search.carries() {
            return unjudged(Unjudged::Steady);
        }
        #[cfg(feature = "std")]
        match judge::judge(system, inputs, x) {
            Ok((stability, evidence)) => (stability, Some(evidence)),
            Err(LinearError::TooLarge { unknowns, .. }) => unjudged(Unjudged::TooLarge { unknowns }),
            Err(error) => unjudged(Unjudged::Undetermined { name: error.name() }),
        }
        #[cfg(not(feature = "std"))]
        {
            let _ = (system, inputs, x);
            unjudged(Unjudged::NoHeap)
        }
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
        cx.fits(x).and_then(|()| self.check()).and_then(|()| x.check(&layout)).map_err(Unsettled::Evaluation)?;
        enter(cx.system, x.q.as_mut()).map_err(Unsettled::Evaluation)?;
        search.begin(cx, self.multipliers, x).and_then(|()| search.approach(cx, x)).map_err(Unsettled::Evaluation)?;
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
            // If corrections shrink by the factor θ, the remaining error is at most next/(1 − θ).
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

    /// The longest halved step that helps, to `trial`: its factor, and the size of the next correction there.
    fn step<S: Solvable<Real = T> + Linearize, U: Inputs<S>>(
        &self,
        search: &mut Search<S>,
        cx: &mut Context<'_, S, U>,
        x: &State<S>,
        size: T,
        trial: &mut State<S>,
    ) -> Result<(T, T), Unsettled> {
        let (row, residual) = search.residual(&cx.system.layout());
        // The tangent of a steady motion is incomplete, and other stiffness is not exact, so less is required.
        let gain = if search.carries() || !S::NEWTON_IS_EXACT { T::ZERO } else { T::from_f64(0.25) };
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

/// Names all rows that depend on each other at `x`, if this is why there was no correction.
fn explain<S: Solvable>(system: &S, x: &State<S>, cause: Unsettled) -> Unsettled {
    let Unsettled::Evaluation(Cause::Singular { unknown: Quantity::Multiplier, .. }) = cause else { return cause };
    let (layout, mut constraint) = (system.layout(), Constraint::zeros(&system.layout()));
    system.constraint(x.at(&S::U::zeros(layout.u.len())), &mut constraint);
    let mut rows = Dependence::<S>::of_jacobian(layout, constraint.jacobian.as_ref(), NEAR);
    rows.cause().map_or(cause, Unsettled::Evaluation)
}

/// `x` at rest after one correction, with its initial λ by `multipliers`.
fn displace<S: Solvable + Linearize, U: Inputs<S>>(
    system: &S,
    inputs: &U,
    mut x: State<S>,
    multipliers: impl FnOnce(&mut Search<S>, &mut Context<'_, S, U>, &mut State<S>) -> Result<(), Cause>,
) -> Result<State<S>, Cause> {
    let mut work = Work::default();
    let mut cx = Context { system, inputs, work: &mut work };
    let mut search = Search::new(system, None);
    enter(system, x.q.as_mut())?;
    rest(&mut x);
    multipliers(&mut search, &mut cx, &mut x)?;
    search.linearize(&mut cx, &mut x)?;
    search.correct(&mut cx)?;
    let mut solution = x.clone();
    search.advance(system, &x, Scalar::ONE, &mut solution);
    Ok(solution)
}

/// v = 0, a = 0, ż = 0.
fn rest<S: Solvable>(x: &mut State<S>) {
    for value in x.v.as_mut().iter_mut().chain(x.a.as_mut()).chain(x.zdot.as_mut()) {
        *value = Scalar::ZERO;
    }
}
