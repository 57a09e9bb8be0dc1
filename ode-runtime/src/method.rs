//! What an integrator is: data, history, scratch, and the phases of a step.

use crate::error::{Cause, Quantity};
use crate::history::History;
use crate::input::Inputs;
use crate::state::{Moment, State, finite, hermite};
use crate::system::{Block, Solvable, System};

/// Work done, counted where it is done.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Work {
    /// evaluations of accelerations; those of the metric of a projection are not among them
    pub evaluations: u64,
    /// evaluations of the residual with its tangent: set-ups of Newton's matrix
    pub tangents: u64,
    /// evaluations of the residual alone
    pub residuals: u64,
    /// Newton iterations of implicit steps
    pub iterations: u64,
    /// matrix factorisations
    pub factorizations: u64,
    /// right-hand sides solved for with the factors of a step's matrices: corrections of its unknowns and their
    /// refinements, in implicit and symplectic steps, and the velocities at the end of the latter. A matrix that is
    /// eliminated by blocks counts once: symplectic corrections solve with M alone for one of their two velocities.
    /// Those within an evaluation of accelerations or a projection are not among them
    pub solves: u64,
    /// times that Newton's iterations did not converge, with a matrix kept or with one of each iteration
    pub convergence_failures: u64,
    /// log(δ₂/δ₁)/log(δ₁/δ₀) of the last three corrections of the last step that took three: about 1 where convergence is linear, 2 where it
    /// is quadratic; 0 before there was one
    pub rate: f64,
}

impl Work {
    /// So many evaluations of accelerations, each with its factorisation.
    pub(crate) fn evaluated(&mut self, times: u64) {
        self.evaluations += times;
        self.factorizations += times;
    }
}

/// What every phase of a step may use: the model, its inputs, and the counters.
#[derive(Debug)]
pub struct Context<'a, S, U> {
    /// the model
    pub system: &'a S,
    /// its inputs
    pub inputs: &'a U,
    /// counters
    pub work: &'a mut Work,
}

impl<S: Solvable, U: Inputs<S>> Context<'_, S, U> {
    /// The same for a call off the straight way: a context that no call is given stays in registers.
    #[inline(always)]
    pub(crate) fn lend(&mut self) -> Context<'_, S, U> {
        Context { system: self.system, inputs: self.inputs, work: self.work }
    }

    /// u(t, x).
    ///
    /// # Errors
    /// [`Cause::NonFinite`] naming the input.
    #[inline]
    pub fn input(&self, at: Moment<'_, S>, u: &mut S::U) -> Result<(), Cause> {
        self.inputs.evaluate(self.system, at, u);
        finite(u.as_ref(), Quantity::Input, self.system.layout().u)
    }
}

/// An estimate of the error of one step, entry by entry.
pub struct Estimate<S: System + ?Sized> {
    /// of q, as a step in tangent coordinates, nv
    pub q: S::V,
    /// of v, nv
    pub v: S::V,
    /// of z, nz
    pub z: S::Z,
}

impl<S: System + ?Sized> Estimate<S> {
    /// Zeros in the shape of `system`.
    pub fn zeros(system: &S) -> Self {
        let layout = system.layout();
        Self { q: Block::zeros(layout.v.len()), v: Block::zeros(layout.v.len()), z: Block::zeros(layout.z.len()) }
    }
}

impl<S: System + ?Sized> Clone for Estimate<S> {
    fn clone(&self) -> Self {
        Self { q: self.q.clone(), v: self.v.clone(), z: self.z.clone() }
    }
}

impl<S: System + ?Sized> core::fmt::Debug for Estimate<S> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Estimate").field("q", &self.q).field("v", &self.v).field("z", &self.z).finish()
    }
}

/// An integration method: `Copy` data with public fields.
///
/// A step is attempt → (projection, error test: the driver's) → finish → commit. Up to commit nothing but the workspace changes,
/// so a step that fails anywhere leaves state and memory as they were. Nothing but `workspace` may allocate.
pub trait Method<S: Solvable> {
    /// History from step to step, rebuilt by `restart`. With state and step it must determine the next attempt to the bit: what the
    /// workspace keeps (a factorised Jacobian) may only spare work that would come to the same numbers.
    type Memory: History<S::Real>;
    /// Scratch, and the proposal.
    type Workspace;

    /// What a checkpoint calls the method, whatever its parameters.
    fn name(&self) -> &'static str;

    /// Scratch for this system.
    fn workspace(&self, system: &S) -> Self::Workspace;

    /// Refuses parameters that make no sense.
    ///
    /// # Errors
    /// [`Cause::Invalid`] naming the parameter.
    fn check(&self) -> Result<(), Cause> {
        Ok(())
    }

    /// History for a run that begins at `x`, at the start and after every discontinuity; `h` is the step planned.
    ///
    /// # Errors
    /// Why the model cannot be evaluated there.
    fn restart<U: Inputs<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        x: &State<S>,
        h: S::Real,
        w: &mut Self::Workspace,
    ) -> Result<Self::Memory, Cause>;

    /// Computes the state at x.t + h into the workspace.
    ///
    /// # Errors
    /// Why there is none; the driver may try a smaller step.
    fn attempt<U: Inputs<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        x: &State<S>,
        m: &Self::Memory,
        h: S::Real,
        w: &mut Self::Workspace,
    ) -> Result<(), Cause>;

    /// The estimate of the last attempt's error; none for methods without one.
    fn estimate<'w>(&self, w: &'w mut Self::Workspace) -> Option<&'w mut Estimate<S>> {
        let _ = w;
        None
    }

    /// The state proposed by the last attempt, for projection.
    fn proposal<'w>(&self, w: &'w mut Self::Workspace) -> &'w mut State<S>;

    /// Completes the proposal where it finally stands: explicit methods evaluate its accelerations and multipliers.
    ///
    /// # Errors
    /// Why the model cannot be evaluated there.
    fn finish<U: Inputs<S>>(&self, cx: &mut Context<'_, S, U>, w: &mut Self::Workspace) -> Result<(), Cause> {
        let _ = (cx, w);
        Ok(())
    }

    /// The state at the fraction `theta` of the step proposed from `x`, before it is committed.
    ///
    /// By default a cubic in q, v and z through values and rates at both ends, and a line in a and λ.
    fn interpolate(&self, system: &S, x: &State<S>, w: &mut Self::Workspace, theta: S::Real, out: &mut State<S>) {
        hermite(system, x, self.proposal(w), None, theta, out);
    }

    /// Whether the a and λ its states show are those of the equations at their q and v, so that interpolated states get theirs as well.
    fn settles(&self) -> bool {
        true
    }

    /// Makes the proposal the state.
    fn commit(&self, x: &mut State<S>, m: &mut Self::Memory, w: &mut Self::Workspace);
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
    const GROWTH: f64 = f64::INFINITY;
}
