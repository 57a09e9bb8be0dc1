//! What every phase of a step uses: the model, its inputs and counters; and an estimate of its error.

use crate::error::{Cause, Quantity};
use crate::model::input::Inputs;
use crate::model::layout::Block;
use crate::model::state::{Moment, State, copy, finite};
use crate::model::system::System;
use crate::solve::solvable::Solvable;

/// Work done, counted where it is done.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Work {
    /// evaluations of accelerations, except those in the metric of a projection
    pub evaluations: u64,
    /// evaluations of the residual with its tangent, which set up Newton's matrix
    pub tangents: u64,
    /// evaluations of the residual alone
    pub residuals: u64,
    /// Newton iterations of implicit steps
    pub iterations: u64,
    /// matrix factorisations
    pub factorizations: u64,
    /// right-hand sides solved with the factors of a step's matrices. Counted are corrections of the unknowns and their
    /// refinements, in implicit and symplectic steps, and the final velocities of symplectic steps. A matrix that is
    /// eliminated by blocks counts once: symplectic corrections solve with M alone for one of their two velocities.
    /// Solves within an evaluation of accelerations or a projection are not counted
    pub solves: u64,
    /// iterations of linear solvers that iterate: `Iterative`
    pub linear_iterations: u64,
    /// the largest residual of their solutions, computed from these, as a share of that of zero
    pub linear_residual: f64,
    /// number of times that Newton's method did not converge, with a kept matrix or with one per iteration
    pub convergence_failures: u64,
    /// log(δ₂/δ₁)/log(δ₁/δ₀) of the last three corrections, in the last step that had three: about 1 for linear
    /// convergence, 2 for quadratic; 0 before the first such step
    pub rate: f64,
}

impl Work {
    /// Counts evaluations of accelerations, each with its factorisation.
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
    /// Refuses a state and inputs of another size than the model's.
    pub(crate) fn fits(&self, x: &State<S>) -> Result<(), Cause> {
        let layout = self.system.layout();
        x.fits(&layout)?;
        self.inputs.fits(&layout)
    }

    /// The same, for a call on a rare path: a context that is not passed to calls stays in registers.
    #[cfg_attr(not(debug_assertions), inline(always))]
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
#[derive(Clone, Debug)]
pub struct Estimate<S: System> {
    /// of q, as a step in tangent coordinates, nv
    pub q: S::V,
    /// of v, nv
    pub v: S::V,
    /// of z, nz
    pub z: S::Z,
}

impl<S: System> Estimate<S> {
    /// Zeros in the shape of `system`.
    pub fn zeros(system: &S) -> Self {
        let layout = system.layout();
        Self { q: Block::zeros(layout.v.len()), v: Block::zeros(layout.v.len()), z: Block::zeros(layout.z.len()) }
    }

    /// Takes the values of `other` without allocating.
    #[inline]
    pub(crate) fn copy_from(&mut self, other: &Self) {
        copy(&other.q, &mut self.q);
        copy(&other.v, &mut self.v);
        copy(&other.z, &mut self.z);
    }
}
