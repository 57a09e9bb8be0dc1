//! What an integrator is: data, history, scratch, and the phases of a step.

use crate::error::{Cause, MethodName};
use crate::model::history::History;
use crate::model::input::Inputs;
use crate::model::state::{State, copy, hermite};
use crate::solve::Acceleration;
use crate::solve::context::{Context, Estimate};
use crate::solve::solvable::Solvable;

/// The state that a step proposes, with what driver and method need to compute it.
#[derive(Debug)]
pub struct Proposal<S: Solvable> {
    /// the state at the end of the step
    pub x: State<S>,
    /// its error estimate, if the method has one
    pub error: Estimate<S>,
    /// evaluations of accelerations
    pub acceleration: Acceleration<S>,
    /// q, v and z for which the a, ż and λ of the equations were last written to `x`
    settled: (S::Q, S::V, S::Z),
    /// whether they were written in this step
    known: bool,
}

impl<S: Solvable> Proposal<S> {
    /// Room for the steps of `system`.
    pub fn new(system: &S) -> Self {
        let x = State::neutral(system);
        Self {
            error: Estimate::zeros(system),
            acceleration: Acceleration::new(system),
            settled: (x.q.clone(), x.v.clone(), x.z.clone()),
            known: false,
            x,
        }
    }

    /// An attempt at a step `h` from `x`.
    ///
    /// # Errors
    /// As [`Method::attempt`].
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn attempt<M: Method<S>, U: Inputs<S>>(
        &mut self,
        method: &M,
        cx: &mut Context<'_, S, U>,
        (x, m): (&State<S>, &M::Memory),
        h: S::Real,
        w: &mut M::Scratch,
    ) -> Result<(), Cause> {
        self.known = false;
        method.attempt(cx, x, m, h, w, self)
    }

    /// Writes the a, ż and λ of the equations to the state, if the method shows them and they are not there yet.
    ///
    /// # Errors
    /// Why the model cannot be evaluated there.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn finish<M: Method<S>, U: Inputs<S>>(&mut self, method: &M, cx: &mut Context<'_, S, U>) -> Result<(), Cause> {
        let ((q, v, z), x) = (&self.settled, &mut self.x);
        if !method.settles() || self.known && x.q == *q && x.v == *v && x.z == *z {
            return Ok(());
        }
        self.acceleration.settle(cx, x)
    }

    /// Makes it the state.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn commit<M: Method<S>>(&self, method: &M, (x, m): (&mut State<S>, &mut M::Memory), w: &mut M::Scratch) {
        method.remember(x, &self.x, m, w);
        x.copy_from(&self.x);
    }

    /// Records that a, ż and λ already are those of the equations, so they are not evaluated again.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn mark_settled(&mut self) {
        let (q, v, z) = &mut self.settled;
        copy(&self.x.q, q);
        copy(&self.x.v, v);
        copy(&self.x.z, z);
        self.known = true;
    }
}

/// An integration method: `Copy` data with public fields.
///
/// The driver makes a step: attempt → error test → projection → finish → commit. Before the commit only scratch and
/// proposal change, so a failed step leaves state and memory as they were. Only `scratch` and `restart` may allocate.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a method that can run `{S}`",
    label = "cannot run this model",
    note = "a method is a value: `Geodesic`, `BackwardEuler::default()`, `GeneralizedAlpha::with_spectral_radius(0.8)`",
    note = "implicit and symplectic methods need a model with a tangent, `Linearize`; models of `model!` have it"
)]
pub trait Method<S: Solvable> {
    /// History between steps, beside the state; `restart` rebuilds it. Together with state and step it must determine
    /// the next attempt to the bit. The scratch may keep results, such as a factorised Jacobian, only to save work that
    /// would give the same numbers.
    type Memory: History<S::Real>;
    /// What an attempt computes with.
    type Scratch;

    /// Whether `restart` evaluates a, ż and λ at the state, so that nobody has to before it.
    const EVALUATES_START: bool = false;

    /// The name of the method in checkpoints and messages, as users write it, whatever its parameters: that of the
    /// type, or of its constructor if that makes a type or an order of its own.
    fn name(&self) -> MethodName;

    /// Scratch for this system.
    fn scratch(&self, system: &S) -> Self::Scratch;

    /// Refuses parameters that make no sense.
    ///
    /// # Errors
    /// [`Cause::Invalid`] naming the parameter.
    fn check(&self) -> Result<(), Cause> {
        Ok(())
    }

    /// History for a run that begins at `x`, at the start and after every discontinuity; `h` is the planned step. A
    /// method that begins steps with the a, ż and λ of the equations evaluates them into `x`.
    ///
    /// # Errors
    /// Why the model cannot be evaluated there.
    fn restart<U: Inputs<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        x: &mut State<S>,
        h: S::Real,
        w: &mut Self::Scratch,
        acceleration: &mut Acceleration<S>,
    ) -> Result<Self::Memory, Cause>;

    /// Computes the state at x.t + h into `next`, and the error if the method estimates it.
    ///
    /// # Errors
    /// Why the attempt failed; the driver may try a smaller step.
    fn attempt<U: Inputs<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        x: &State<S>,
        m: &Self::Memory,
        h: S::Real,
        w: &mut Self::Scratch,
        next: &mut Proposal<S>,
    ) -> Result<(), Cause>;

    /// Whether attempts estimate their error.
    fn estimates(&self) -> bool {
        false
    }

    /// Whether the a, ż and λ of its states are those of the equations. If so, the driver evaluates them at the ends of
    /// steps, unless the attempt did, and between steps. Otherwise states keep what the attempt left.
    fn settles(&self) -> bool {
        true
    }

    /// The state at the fraction `theta` of the step from `x` to `next`, before the commit.
    ///
    /// The default is a cubic in q, v and z through values and rates at both ends, linear in a and λ.
    fn interpolate(
        &self,
        system: &S,
        x: &State<S>,
        next: &State<S>,
        w: &mut Self::Scratch,
        theta: S::Real,
        out: &mut State<S>,
    ) {
        let _ = w;
        hermite(system, x, next, None, theta, out);
    }

    /// Updates the memory after the step from `x` to `next`.
    fn remember(&self, x: &State<S>, next: &State<S>, m: &mut Self::Memory, w: &mut Self::Scratch) {
        let _ = (x, next, m, w);
    }
}

/// Methods that estimate the error of an attempt, so the driver can choose the step.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no error estimate, so error control cannot choose its steps",
    label = "needs a method with an error estimate",
    note = "steps of one size: `.fixed(h)`; halved where they fail: `.halving(Halving::of(h))`",
    note = "methods with an estimate: `DormandPrince8`, `Geodesic`, `Leapfrog`, `Bdf2`, `GeneralizedAlpha` and others"
)]
pub trait Estimates {
    /// The estimate behaves like h to this power.
    const ERROR_ORDER: u32;

    /// The same for the present parameters, if it depends on them.
    fn error_order(&self) -> u32 {
        Self::ERROR_ORDER
    }

    /// The largest ratio of a step to the one before.
    fn growth(&self) -> f64 {
        f64::INFINITY
    }
}
