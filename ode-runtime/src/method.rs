//! What an integrator is: data, history, scratch, and the phases of a step.

use crate::context::{Context, Estimate};
use crate::error::Cause;
use crate::history::History;
use crate::input::Inputs;
use crate::solve::Acceleration;
use crate::state::{State, copy, hermite};
use crate::system::Solvable;

/// The state a step proposes, and what driver and method share to make it.
#[derive(Debug)]
pub struct Proposal<S: Solvable> {
    /// the state at the end of the step
    pub x: State<S>,
    /// the estimate of its error, where the method has one
    pub error: Estimate<S>,
    /// evaluations of accelerations
    pub acceleration: Acceleration<S>,
    /// q, v and z at which `x` was last given the a, ż and λ of the equations
    settled: (S::Q, S::V, S::Z),
    /// whether it was, in this step
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
    #[inline(always)]
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

    /// Gives the state the a, ż and λ of the equations where it stands, if the method's states have them and it has not
    /// got them yet.
    ///
    /// # Errors
    /// Why the model cannot be evaluated there.
    #[inline(always)]
    pub fn finish<M: Method<S>, U: Inputs<S>>(&mut self, method: &M, cx: &mut Context<'_, S, U>) -> Result<(), Cause> {
        let ((q, v, z), x) = (&self.settled, &mut self.x);
        if !method.settles() || self.known && x.q == *q && x.v == *v && x.z == *z {
            return Ok(());
        }
        self.acceleration.settle(cx, x)
    }

    /// Makes it the state.
    #[inline(always)]
    pub fn commit<M: Method<S>>(&self, method: &M, (x, m): (&mut State<S>, &mut M::Memory), w: &mut M::Scratch) {
        method.remember(x, &self.x, m, w);
        x.copy_from(&self.x);
    }

    /// Takes note that a, ż and λ are those of the equations where the state stands, so that they are not evaluated
    /// again.
    #[inline(always)]
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
/// The driver makes a step: attempt → error test → projection → finish → commit. Until then nothing but
/// scratch and proposal changes, so a step that fails anywhere leaves state and memory as they were. Nothing but
/// `scratch` and `restart` may allocate.
pub trait Method<S: Solvable> {
    /// History from step to step beside the state, rebuilt by `restart`. With state and step it must determine the next
    /// attempt to the bit: what the scratch keeps (a factorised Jacobian) may only spare work that would come to the
    /// same numbers.
    type Memory: History<S::Real>;
    /// What an attempt computes with.
    type Scratch;

    /// What a checkpoint calls the method, whatever its parameters.
    fn name(&self) -> &'static str;

    /// Scratch for this system.
    fn scratch(&self, system: &S) -> Self::Scratch;

    /// Refuses parameters that make no sense.
    ///
    /// # Errors
    /// [`Cause::Invalid`] naming the parameter.
    fn check(&self) -> Result<(), Cause> {
        Ok(())
    }

    /// History for a run that begins at `x`, at the start and after every discontinuity; `h` is the step planned.
    /// Methods that begin a step with the a, ż and λ of the equations evaluate them into `x`.
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

    /// Computes the state at x.t + h into `next`, and its error where the method estimates one.
    ///
    /// # Errors
    /// Why there is none; the driver may try a smaller step.
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

    /// Whether the a, ż and λ its states show are those of the equations where they stand: the driver evaluates them at
    /// the ends of steps, unless the attempt has, and between them. Otherwise states keep what the attempt has left.
    fn settles(&self) -> bool {
        true
    }

    /// The state at the fraction `theta` of the step from `x` to `next`, before it is made.
    ///
    /// By default a cubic in q, v and z through values and rates at both ends, and a line in a and λ.
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

    /// Takes into the memory what the step from `x` to `next` leaves for the one after it.
    fn remember(&self, x: &State<S>, next: &State<S>, m: &mut Self::Memory, w: &mut Self::Scratch) {
        let _ = (x, next, m, w);
    }
}

/// Methods whose attempts estimate their error, so that the driver can choose the step.
pub trait Estimates {
    /// The estimate behaves like h to this power.
    const ORDER: u32;

    /// The same for the parameters the method has, where they decide.
    fn order(&self) -> u32 {
        Self::ORDER
    }

    /// The most by which a step may exceed the one before it.
    fn growth(&self) -> f64 {
        f64::INFINITY
    }
}
