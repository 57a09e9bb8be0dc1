//! Inputs u(t, x): the model's own, constants, functions, and sampled controllers.

use core::fmt;

use crate::error::Cause;
use crate::model::history::{History, Parts};
use crate::model::layout::{Block, Layout};
use crate::model::state::{Moment, State, copy};
use crate::model::system::System;
use crate::numbers::scalar::{Real, Scalar};

/// Where the inputs of a run come from.
///
/// `evaluate` is called at trial points that may be rejected, so it must not keep state. A controller with memory is
/// [`Sampled`]: it changes only at its instants, and the run lands a step on each of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` gives no inputs of `{S}`",
    label = "not constants, a function or a controller of its inputs",
    note = "the model's own inputs: `Nominal`; constants, in the order of the model's text: `Constant([1.0])`",
    note = "values at knots: `Piecewise::linear(&[0.0, 1.0], &[[1.0], [2.0]])`",
    note = "in a run, a function of time and state: `.input_fn(|at, u| u.set_f(at.t.sin()))`",
    note = "in a run, a controller: `.sampled(0.01, |now, u| u.set_f(-now.v.x()))`"
)]
pub trait Inputs<S: System> {
    /// Writes u(t, x), nu values.
    fn evaluate(&self, system: &S, at: Moment<'_, S>, u: &mut S::U);

    /// The next instant at which `sample` must be called, if any; the run steps onto it.
    fn next_sample(&self) -> Option<S::Real> {
        None
    }

    /// Shows a controller the state at a sample instant, and at the start of a run.
    fn sample(&mut self, system: &S, x: &State<S>) {
        let _ = (system, x);
    }

    /// The held output of a controller and its instants, for a checkpoint.
    fn held(&self) -> Option<HeldInput<S>> {
        None
    }

    /// Whether the output is the same from one sample instant to the next, whatever time and state become. Then what it
    /// varies by is held too. Inputs that keep an output for checkpoints, and nevertheless move between their instants,
    /// say no: a run with derivatives refuses an output that has moved at the end of a step,
    /// [`Cause::MovingInput`].
    fn holds(&self) -> bool {
        self.held().is_some()
    }

    /// Restores the held output from a checkpoint, without a call of the controller.
    fn resume(&mut self, held: HeldInput<S>) {
        let _ = held;
    }

    /// Refuses settings that make no sense for a run from `start` on.
    ///
    /// # Errors
    /// [`Cause::Invalid`] naming the setting, or [`Cause::OutOfRange`].
    fn check(&self, start: S::Real) -> Result<(), Cause> {
        let _ = start;
        Ok(())
    }

    /// Refuses values that are not as many as the model has inputs, as far as they are known before a run. A function
    /// is called at the start.
    ///
    /// # Errors
    /// [`Cause::OutOfRange`] with both numbers: [`Layout::fits_inputs`].
    fn fits(&self, layout: &Layout<'_>) -> Result<(), Cause> {
        let _ = layout;
        Ok(())
    }
}

/// Inputs behind a pointer: what is rare in a run is compiled once for inputs of all kinds. It evaluates and measures
/// them, no more.
pub(crate) struct AnyInputs<'a, S: System>(pub(crate) &'a dyn Inputs<S>);

impl<S: System> Inputs<S> for AnyInputs<'_, S> {
    fn evaluate(&self, system: &S, at: Moment<'_, S>, u: &mut S::U) {
        self.0.evaluate(system, at, u);
    }

    fn fits(&self, layout: &Layout<'_>) -> Result<(), Cause> {
        self.0.fits(layout)
    }
}

/// The nominal values of the model: `input … = default`, else zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Nominal;

impl<S: System> Inputs<S> for Nominal {
    fn evaluate(&self, system: &S, _at: Moment<'_, S>, u: &mut S::U) {
        system.nominal(u);
    }
}

/// The same values all the time: a block of inputs, or numbers in the order of the model's text, `Constant([1.0])`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constant<U>(pub U);

// `Copy`, because an evaluation must not allocate.
impl<S: System, U: Copy + Into<S::U>> Inputs<S> for Constant<U> {
    #[inline]
    fn evaluate(&self, _system: &S, _at: Moment<'_, S>, u: &mut S::U) {
        copy(&self.0.into(), u);
    }

    fn fits(&self, layout: &Layout<'_>) -> Result<(), Cause> {
        let u: S::U = self.0.into();
        layout.fits_inputs(u.as_ref().len())
    }
}

/// The same block of inputs all the time, lent by whoever holds it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lent<'u, U>(pub &'u U);

impl<S: System> Inputs<S> for Lent<'_, S::U> {
    #[inline]
    fn evaluate(&self, _system: &S, _at: Moment<'_, S>, u: &mut S::U) {
        copy(self.0, u);
    }

    fn fits(&self, layout: &Layout<'_>) -> Result<(), Cause> {
        layout.fits_inputs(self.0.as_ref().len())
    }
}

/// A function of time and state, `Fn(Moment<S>, &mut U)`; made by [`input_fn`].
///
/// Implicit methods do not differentiate it: if it depends on the state, their iterations converge linearly.
#[derive(Clone, Copy)]
pub struct InputFn<F>(F);

impl<F> fmt::Debug for InputFn<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("InputFn")
    }
}

/// Inputs from a closure of (t, x); `u` holds the model's own values when it is called.
///
/// [`Setup::input_fn`](crate::Setup::input_fn) knows the model, so its closure needs no types. Elsewhere they are
/// written: `input_fn(|at: Moment<'_, Cart>, u: &mut cart::U| u.set_f(at.t.sin()))`.
pub fn input_fn<S: System, F: Fn(Moment<'_, S>, &mut S::U)>(function: F) -> InputFn<F> {
    InputFn(function)
}

impl<S: System, F: Fn(Moment<'_, S>, &mut S::U)> Inputs<S> for InputFn<F> {
    fn evaluate(&self, system: &S, at: Moment<'_, S>, u: &mut S::U) {
        system.nominal(u);
        (self.0)(at, u);
    }
}

/// What a zero-order hold has at a time.
#[derive(Clone, Debug)]
pub struct HeldInput<S: System> {
    /// time of the first sample: a sum of periods would drift
    pub first: S::Real,
    /// number of samples taken
    pub taken: u64,
    /// the output since the last of them
    pub output: S::U,
}

impl<S: System> HeldInput<S> {
    pub(crate) fn new(layout: &Layout<'_>) -> Self {
        Self { first: S::Real::ZERO, taken: 0, output: Block::zeros(layout.u.len()) }
    }
}

impl<S: System> History<S::Real> for HeldInput<S> {
    fn visit(&mut self, parts: &mut dyn Parts<S::Real>) {
        parts.numbers("first sample", core::slice::from_mut(&mut self.first));
        parts.count("samples taken", &mut self.taken);
        parts.numbers("output held", self.output.as_mut());
    }
}

/// A controller called once a period, its output held between (zero-order hold).
///
/// A checkpoint keeps instants and output, but not variables inside the closure.
pub struct Sampled<S: System, F> {
    period: S::Real,
    /// none before the first sample
    held: Option<HeldInput<S>>,
    controller: F,
}

impl<S: System, F: FnMut(&State<S>, &mut S::U)> Sampled<S, F> {
    /// Calls `controller` at the start of the run and every `period` after it; `u` holds the model's own values then.
    ///
    /// [`Setup::sampled`](crate::Setup::sampled) knows the model, so its closure needs no types. Elsewhere they are
    /// written: `Sampled::new(0.01, |now: &State<Cart>, u: &mut cart::U| u.set_f(-now.v.x()))`.
    pub fn new(period: S::Real, controller: F) -> Self {
        Self { period, held: None, controller }
    }
}

impl<S: System, F> fmt::Debug for Sampled<S, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sampled").field("period", &self.period).field("held", &self.held).finish_non_exhaustive()
    }
}

impl<S: System<Real: Real>, F: FnMut(&State<S>, &mut S::U)> Inputs<S> for Sampled<S, F> {
    fn evaluate(&self, system: &S, _at: Moment<'_, S>, u: &mut S::U) {
        match &self.held {
            Some(held) => copy(&held.output, u),
            None => system.nominal(u),
        }
    }

    fn next_sample(&self) -> Option<S::Real> {
        let sample = |held: &HeldInput<S>| held.first + S::Real::from_f64(held.taken as f64) * self.period;
        Some(self.held.as_ref().map_or(S::Real::ZERO, sample))
    }

    fn sample(&mut self, system: &S, x: &State<S>) {
        let held = self.held.get_or_insert_with(|| HeldInput { first: x.t, ..HeldInput::new(&system.layout()) });
        system.nominal(&mut held.output);
        (self.controller)(x, &mut held.output);
        held.taken += 1;
    }

    fn held(&self) -> Option<HeldInput<S>> {
        self.held.clone()
    }

    fn holds(&self) -> bool {
        true
    }

    fn resume(&mut self, held: HeldInput<S>) {
        self.held = Some(held);
    }

    fn check(&self, _start: S::Real) -> Result<(), Cause> {
        let sound = self.period.is_finite() && self.period > S::Real::ZERO;
        if sound { Ok(()) } else { Err(Cause::Invalid { setting: "sampling period", value: self.period.to_f64() }) }
    }

    fn fits(&self, layout: &Layout<'_>) -> Result<(), Cause> {
        self.held.as_ref().map_or(Ok(()), |held| layout.fits_inputs(held.output.as_ref().len()))
    }
}
