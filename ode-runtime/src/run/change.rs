//! Changes of the state by the program, once or at the instants of a period.

use crate::error::{Cause, StepError};
use crate::events::Outcome;
use crate::integrators::method::Method;
use crate::model::input::Inputs;
use crate::model::state::State;
use crate::numbers::scalar::{Real, Scalar};
use crate::run::simulation::Simulation;
use crate::solve::solvable::Solvable;

/// The instants `from` + k · `period`, k = 0, 1, 2, …, that a run passes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Every<T> {
    /// the first of them
    pub from: T,
    /// time between two of them
    pub period: T,
}

impl<T: Real> Every<T> {
    /// Multiples of `period`.
    pub fn period(period: T) -> Self {
        Self { from: T::ZERO, period }
    }

    /// The first instant later than `t` by more than `slack`.
    fn after(&self, t: T, slack: T) -> T {
        if self.from > t + slack {
            return self.from;
        }
        // A cast rounds down; a sum of periods would drift.
        let mut count = ((t - self.from) / self.period).to_f64() as u64;
        let instant = |count: u64| self.from + T::from_f64(count as f64) * self.period;
        while instant(count) <= t + slack {
            count += 1;
        }
        instant(count)
    }

    fn check(&self, t: T, resolution: T) -> Result<(), Cause> {
        for (setting, value, low) in [("period", self.period, resolution), ("first instant", self.from, -T::INFINITY)] {
            if !(value > low && value.is_finite()) {
                return Err(Cause::Invalid { setting, value: value.to_f64() });
            }
        }
        // So far away that single periods cannot be counted, instants are not distinguished.
        let far = (t - self.from) / self.period * T::EPSILON;
        if far < T::ONE { Ok(()) } else { Err(Cause::Invalid { setting: "first instant", value: self.from.to_f64() }) }
    }
}

impl<S: Solvable, M: Method<S>, U: Inputs<S>> Simulation<'_, S, M, U> {
    /// Changes q, v, z and modes at the current time, as an event of the model does. The time cannot be changed.
    ///
    /// In the metric of M, velocities are brought back to the constraints, and positions if the change moved them off.
    /// Then accelerations, multipliers, the method's memory, error history and grid start anew. Guards that jump across
    /// zero have their events; one of these may end the run, [`Simulation::ended`].
    ///
    /// # Errors
    /// Why the model cannot be evaluated there, with the names of values that are not finite or not rotations;
    /// [`Cause::Invalid`] if `change` sets another time or other lengths; or [`Cause::Stopped`] and [`Cause::Zeno`] if
    /// an event had already ended the run. Then nothing has changed.
    pub fn change(&mut self, change: impl FnOnce(&mut State<S>)) -> Result<(), StepError> {
        if let Some(end) = self.ended.and_then(Outcome::end) {
            return Err(self.failure(S::Real::ZERO, end));
        }
        let x = &mut self.fresh;
        x.copy_from(&self.state);
        change(x);
        let invalid = |setting, value| Err(Cause::Invalid { setting, value });
        let adopted = if !same_shape(x, &self.state) {
            let length = x.q.as_ref().len() as f64;
            self.fresh = self.state.clone();
            invalid("length of a changed state", length)
        } else if x.t != self.state.t {
            invalid("time of a changed state", x.t.to_f64())
        } else {
            self.bring_back().and_then(|()| self.adopt(false)).map(drop)
        };
        adopted.map_err(|cause| self.failure(S::Real::ZERO, cause))?;
        self.first = None;
        self.statistics.restarts += 1;
        self.stepper.interrupt(self.state.t);
        self.watch.interrupt();
        Ok(())
    }

    /// Advances to `end`; `action` changes the state at each instant of `every` on the way, including `end`:
    /// [`Simulation::change`].
    ///
    /// # Errors
    /// The failure of a step or of a change. If an event ended the run before `end`, its cause, as in
    /// [`Simulation::advance_to`].
    pub fn advance_every(
        &mut self,
        every: Every<S::Real>,
        end: S::Real,
        mut action: impl FnMut(&mut State<S>),
    ) -> Result<(), StepError> {
        let before = self.statistics.attempted;
        loop {
            // The resolution of time grows with time, so instants may merge later.
            let slack = self.smallest();
            every.check(self.state.t, slack).map_err(|cause| self.failure(S::Real::ZERO, cause))?;
            let instant = every.after(self.state.t, slack);
            // An instant within round-off of the end is the end.
            let (due, time) = if instant < end - slack { (true, instant) } else { (instant <= end + slack, end) };
            self.advance_to(time)?;
            // At the end an event may have replaced the change.
            if due && (time < end || self.ended.is_none()) {
                self.change(&mut action)?;
            }
            self.within_limit(before, S::Real::ZERO)?;
            if time == end {
                return Ok(());
            }
        }
    }
}

/// Whether a closure has kept the lengths of all blocks.
fn same_shape<S: Solvable>(x: &State<S>, y: &State<S>) -> bool {
    let lengths = |x: &State<S>| {
        let rates = [x.a.as_ref().len(), x.zdot.as_ref().len(), x.lambda.as_ref().len()];
        ([x.q.as_ref().len(), x.v.as_ref().len(), x.z.as_ref().len(), x.modes.as_ref().len()], rates)
    };
    lengths(x) == lengths(y)
}
