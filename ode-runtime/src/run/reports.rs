//! Reports of a run, at steps or between them.

use crate::error::{Cause, Name, StepError};
use crate::integrators::method::Method;
use crate::model::input::Inputs;
use crate::model::layout::Block;
use crate::model::seen::{Seen, Side};
use crate::model::state::State;
use crate::numbers::scalar::{Real, Scalar};
use crate::run::simulation::Simulation;
use crate::solve::context::{Context, Work};
use crate::solve::solvable::Solvable;

impl<S: Solvable, M: Method<S>, U: Inputs<S>> Simulation<'_, S, M, U> {
    /// Runs to `end`. `observer` sees the state now, every `interval`, and at the end; and each event twice, before and
    /// after it.
    ///
    /// # Errors
    /// The failure of a step; earlier observations remain. If an event ended the run before `end`, its cause, as in
    /// [`Simulation::advance_to`]: its state is the last one shown.
    pub fn run(
        &mut self,
        end: S::Real,
        interval: S::Real,
        mut observer: impl FnMut(&Seen<'_, S>),
    ) -> Result<(), StepError> {
        self.check_report(end, interval)?;
        observer(&self.now());
        let first = self.state.t;
        let mut count = 0_u64;
        while self.state.t < end && self.ended.is_none() {
            count += 1;
            let report = first + S::Real::from_f64(count as f64) * interval;
            // A last report within round-off of the end is the end.
            let last = report >= end - S::Real::from_f64(1e-9) * interval;
            // An event at the time of a report is shown once.
            let mut shown = None;
            self.advance(if last { end } else { report }, |x| {
                shown = Some(x.t);
                observer(x);
            })?;
            if shown != Some(self.state.t) {
                observer(&self.now());
            }
        }
        self.arrived(end)
    }

    /// Runs to `end` without landing on reports. `observer` sees the state now, then every `interval` by the method's
    /// interpolation within the step, and the end; and each event twice, before and after it. Interpolated states are
    /// projected if the run projects, and have the accelerations and multipliers of the equations if the states of the
    /// method do; if not, these lie on a line between the steps. The steps are those of a run without reports.
    ///
    /// # Errors
    /// The failure of a step; earlier observations remain. If an event ended the run before `end`, its cause, as in
    /// [`Simulation::advance_to`]: its state is the last one shown.
    pub fn run_through(
        &mut self,
        end: S::Real,
        interval: S::Real,
        mut observer: impl FnMut(&Seen<'_, S>),
    ) -> Result<(), StepError> {
        self.check_report(end, interval)?;
        observer(&self.now());
        let first = self.state.t;
        let mut count = 1_u64;
        let mut before = self.statistics.attempted;
        while self.state.t < end && self.ended.is_none() {
            self.within_limit(before, S::Real::ZERO)?;
            let proposed = self.propose(end)?;
            loop {
                let report = first + S::Real::from_f64(count as f64) * interval;
                if !(report < proposed.end) {
                    break;
                }
                let theta = (report - self.state.t) / (proposed.end - self.state.t);
                self.look(theta, report).map_err(|cause| self.failure(proposed.h, cause))?;
                observer(&self.seen(&self.fresh, proposed.h, None));
                (count, before) = (count + 1, self.statistics.attempted);
            }
            let outcome = self.accept(proposed)?;
            let report = first + S::Real::from_f64(count as f64) * interval;
            match outcome.event() {
                Some(event) => self.show(event, &mut observer),
                None if self.state.t == end || self.state.t == report => observer(&self.now()),
                None => continue,
            }
            (count, before) = (count + u64::from(self.state.t == report), self.statistics.attempted);
        }
        self.arrived(end)
    }

    /// A state of this run, as observers see it.
    pub(crate) fn seen<'a>(&'a self, state: &'a State<S>, step: S::Real, event: Option<(Name, Side)>) -> Seen<'a, S> {
        let mut inputs = S::U::zeros(self.system.layout().u.len());
        self.inputs.evaluate(self.system, state.moment(), &mut inputs);
        Seen { system: self.system, state, inputs, step, event }
    }

    /// The two states of the event that the last step ended with. A sample of its time came between them.
    pub(crate) fn show(&self, event: Name, observer: &mut impl FnMut(&Seen<'_, S>)) {
        let Self { system, watch, .. } = self;
        let (step, inputs) = (self.stepper.progress.last(), watch.inputs_before.clone());
        observer(&Seen { system, state: &watch.kept.before, inputs, step, event: Some((event, Side::Before)) });
        observer(&self.seen(&self.state, step, Some((event, Side::After))));
    }

    /// The state reached, with its inputs: those of a function or a controller too.
    pub fn now(&self) -> Seen<'_, S> {
        self.seen(&self.state, self.stepper.progress.last(), None)
    }

    /// The state at the fraction `theta` of the proposed step, at the time `report`: projected if the run projects,
    /// with the accelerations, algebraic variables and multipliers of the equations if the method's states have them.
    /// This work is not counted.
    fn look(&mut self, theta: S::Real, report: S::Real) -> Result<(), Cause> {
        let Self { system, method, inputs, state, scratch, proposal, fresh, projection, projector, .. } = self;
        method.interpolate(*system, state, &proposal.x, scratch, theta, fresh);
        fresh.t = report;
        let mut work = Work::default();
        let mut cx = Context { system: *system, inputs: &*inputs, work: &mut work };
        if let Some(projection) = projection {
            projector.project(&mut cx, projection, fresh)?;
        }
        if method.settles() {
            proposal.acceleration.settle(&mut cx, fresh)?;
        }
        fresh.check(&system.layout())
    }

    fn check_report(&self, end: S::Real, interval: S::Real) -> Result<(), StepError> {
        self.ahead("time to advance to", end)?;
        // Reports closer than the resolution of time would never end.
        if !(interval >= self.smallest() && interval.is_finite()) {
            let cause = Cause::Invalid { setting: "report interval", value: interval.to_f64() };
            return Err(self.failure(S::Real::ZERO, cause));
        }
        Ok(())
    }
}
