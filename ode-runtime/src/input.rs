//! Inputs u(t, x): the model's own, constants, functions, and sampled controllers.

use core::fmt;

use crate::error::Cause;
use crate::scalar::{Real, Scalar};
use crate::state::{Moment, State, copy};
use crate::system::{Block, System};

/// Where the inputs of a run come from.
///
/// `evaluate` is called at trial points that may be thrown away, so it may not change anything; a controller with memory is
/// [`Sampled`], which changes at its instants only, and the run lands a step on each of them.
pub trait Inputs<S: System> {
    /// Writes u(t, x), nu values.
    fn evaluate(&self, system: &S, at: Moment<'_, S>, u: &mut S::U);

    /// The next instant at which `sample` must be called, if any; the run steps onto it.
    fn next_sample(&self) -> Option<S::Real> {
        None
    }

    /// Lets a controller see the state at a sample instant, and at the start of a run.
    fn sample(&mut self, system: &S, x: &State<S>) {
        let _ = (system, x);
    }

    /// Refuses settings that make no sense.
    ///
    /// # Errors
    /// [`Cause::Invalid`] naming the setting.
    fn check(&self) -> Result<(), Cause> {
        Ok(())
    }
}

/// The values the model declares: `input … = default`, else zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Nominal;

impl<S: System> Inputs<S> for Nominal {
    fn evaluate(&self, system: &S, _at: Moment<'_, S>, u: &mut S::U) {
        system.nominal(u);
    }
}

/// The same values all the time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constant<U>(pub U);

impl<S: System> Inputs<S> for Constant<S::U> {
    fn evaluate(&self, _system: &S, _at: Moment<'_, S>, u: &mut S::U) {
        copy(&self.0, u);
    }
}

/// A function of time and state, `Fn(Moment<S>, &mut U)`; made by [`input_fn`].
///
/// Implicit methods do not differentiate it: where it depends on the state their iterations converge linearly.
#[derive(Clone, Copy)]
pub struct InputFn<F>(F);

impl<F> fmt::Debug for InputFn<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("InputFn")
    }
}

/// Inputs from a closure of (t, x); `u` holds the model's own values when it is called.
pub fn input_fn<S: System, F: Fn(Moment<'_, S>, &mut S::U)>(function: F) -> InputFn<F> {
    InputFn(function)
}

impl<S: System, F: Fn(Moment<'_, S>, &mut S::U)> Inputs<S> for InputFn<F> {
    fn evaluate(&self, system: &S, at: Moment<'_, S>, u: &mut S::U) {
        system.nominal(u);
        (self.0)(at, u);
    }
}

/// A controller called once a period, its output held between (zero-order hold).
pub struct Sampled<S: System, F> {
    period: S::Real,
    /// time of the first sample and number of samples taken: a sum of periods would drift
    first: S::Real,
    taken: u64,
    held: Option<S::U>,
    controller: F,
}

impl<S: System, F: FnMut(&State<S>, &mut S::U)> Sampled<S, F> {
    /// Calls `controller` at the start of the run and every `period` after it; `u` holds the model's own values then.
    pub fn new(period: S::Real, controller: F) -> Self {
        Self { period, first: S::Real::ZERO, taken: 0, held: None, controller }
    }
}

impl<S: System, F> fmt::Debug for Sampled<S, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sampled").field("period", &self.period).field("taken", &self.taken).finish_non_exhaustive()
    }
}

impl<S: System<Real: Real>, F: FnMut(&State<S>, &mut S::U)> Inputs<S> for Sampled<S, F> {
    fn evaluate(&self, system: &S, _at: Moment<'_, S>, u: &mut S::U) {
        match &self.held {
            Some(held) => copy(held, u),
            None => system.nominal(u),
        }
    }

    fn next_sample(&self) -> Option<S::Real> {
        Some(self.first + S::Real::from_f64(self.taken as f64) * self.period)
    }

    fn sample(&mut self, system: &S, x: &State<S>) {
        if self.taken == 0 {
            self.first = x.t;
        }
        let held = self.held.get_or_insert_with(|| Block::zeros(system.layout().u.len()));
        system.nominal(held);
        (self.controller)(x, held);
        self.taken += 1;
    }

    fn check(&self) -> Result<(), Cause> {
        let sound = self.period.is_finite() && self.period > S::Real::ZERO;
        if sound { Ok(()) } else { Err(Cause::Invalid { setting: "sampling period", value: self.period.to_f64() }) }
    }
}
