//! What happens at the time of an event.

use crate::error::{Cause, Name};
use crate::events::intervals::{Passed, Row};
use crate::events::sides::{crosses, lags, vanishes};
use crate::events::{Outcome, Watch, assigned, sign};
use crate::model::input::AnyInputs;
use crate::model::layout::Event;
use crate::model::state::{State, copy};
use crate::model::system::Reset;
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;
use crate::solve::{Acceleration, Projection, Projector};

/// What a reset is completed with.
pub(crate) struct Tools<'a, S: Solvable> {
    pub(crate) projection: &'a Option<Projection<S::Real>>,
    pub(crate) projector: &'a mut Projector<S>,
    pub(crate) acceleration: &'a mut Acceleration<S>,
}

/// The simultaneous events.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Happened {
    /// how they end the step
    pub(crate) outcome: Outcome,
    /// how many there were
    pub(crate) count: u64,
}

impl Happened {
    /// Whether the run ends with them.
    pub(crate) fn ends(&self) -> bool {
        self.outcome.end().is_some()
    }

    /// Those so far and one more.
    fn and(so_far: Option<Self>, event: &Event<'_>, time: f64) -> Self {
        let name = Name::new(event.name);
        let outcome = match so_far.map(|happened| happened.outcome) {
            Some(outcome @ Outcome::Stopped { .. }) => outcome,
            _ if event.stops => Outcome::Stopped { event: name, time },
            Some(outcome) => outcome,
            None => Outcome::Event { event: name, time },
        };
        Self { outcome, count: so_far.map_or(0, |happened| happened.count) + 1 }
    }
}

impl<S: Solvable> Watch<S> {
    /// Applies the marked events to `x`, in the order of the text, then those whose guards jumped because of them, and
    /// so on. Accelerations and multipliers of `x` are those after the last. The run does not change before `commit`.
    pub(crate) fn happen(
        &mut self,
        cx: &mut Context<'_, S, AnyInputs<'_, S>>,
        tools: &mut Tools<'_, S>,
        x: &mut State<S>,
    ) -> Result<Option<Happened>, Cause> {
        self.intervals.copy_from(&self.kept.intervals);
        let mut happened: Option<Happened> = None;
        self.order = [None; 2];
        let mut any = self.fired.as_ref().iter().any(|&fired| fired != S::Real::ZERO);
        while any && !happened.is_some_and(|happened| happened.ends()) {
            // The values before, to see which guards rest and which were put back.
            copy(&self.values, &mut self.far);
            copy(&self.rates, &mut self.near);
            for (i, event) in cx.system.layout().events.iter().enumerate() {
                if self.fired.as_ref().get(i).is_some_and(|&fired| fired != S::Real::ZERO) {
                    self.reset(cx, tools, i, x)?;
                    if let Some(place) = self.order.iter_mut().find(|place| place.is_none()) {
                        *place = Some(i);
                    }
                    happened = Some(Happened::and(happened, event, x.t.to_f64()));
                }
            }
            tools.acceleration.settle(cx, x)?;
            self.evaluate(cx, x)?;
            if let Some(happened) = &mut happened {
                self.count(cx.system, x.t, &mut happened.outcome)?;
            }
            any = self.settle(cx.system);
        }
        Ok(happened)
    }

    /// Event `i`: the values after it, projected onto the constraints.
    fn reset(
        &mut self,
        cx: &mut Context<'_, S, AnyInputs<'_, S>>,
        tools: &mut Tools<'_, S>,
        i: usize,
        x: &mut State<S>,
    ) -> Result<(), Cause> {
        let (off, _) = tools.projector.drift(cx, x)?;
        self.sample.copy_from(x);
        cx.input(self.sample.moment(), &mut self.u)?;
        let out = Reset { q: &mut x.q, v: &mut x.v, z: &mut x.z, modes: &mut x.modes };
        cx.system.reset(i, self.sample.at(&self.u), out);
        assigned(cx.system, x)?;
        // A projection of what was not assigned could move a guard back that has just crossed.
        if x.q == self.sample.q && x.v == self.sample.v {
            return Ok(());
        }
        tools.projector.land(cx, tools.projection.as_ref(), off, x)
    }

    /// Counts the marked events at `t`; if there are too many, returns how they end the run.
    fn count(&mut self, system: &S, t: S::Real, outcome: &mut Outcome) -> Result<(), Cause> {
        let (within, most) = (self.settings.within(t), self.settings.most);
        let layout = system.layout();
        for (i, event) in layout.events.iter().enumerate() {
            let Some(passed) = self.passed(i, !layout.constraints.is_empty()) else { continue };
            let (name, time) = (Name::new(event.name), t.to_f64());
            match self.intervals.note(i, t, within, most, &passed) {
                Row::Open => {}
                _ if outcome.end().is_some() => {}
                Row::Accumulates => *outcome = Outcome::Zeno { event: name, time },
                Row::Regular(period) => {
                    let (period, resolution) = (period.to_f64(), within.to_f64());
                    return Err(Cause::Unresolved { event: name, period, resolution });
                }
            }
        }
        Ok(())
    }

    /// Guard `i` about its event, if it is marked.
    fn passed(&self, i: usize, projects: bool) -> Option<Passed<S::Real>> {
        let at = |block: &S::Guards| block.as_ref().get(i).copied();
        let happened = at(&self.fired)? != S::Real::ZERO;
        let (before, after) = ((at(&self.far)?, at(&self.near)?), (at(&self.values)?, at(&self.rates)?));
        let largest = at(&self.largest)?;
        // A projection moves guards by round-off, even if no reset moved them.
        let slack = if projects { S::Real::from_f64(2.0) * S::Real::EPSILON * largest } else { S::Real::ZERO };
        happened.then_some(Passed { before, after, largest, slack })
    }

    /// After discontinuities that led to `x`: records sides, and marks the events whose guards jumped across zero.
    /// Returns whether there are any.
    pub(crate) fn restart(&mut self, cx: &Context<'_, S, AnyInputs<'_, S>>, x: &State<S>) -> Result<bool, Cause> {
        self.begin();
        self.evaluate(cx, x)?;
        Ok(self.settle(cx.system))
    }

    /// Sides at the trial point, and marks for the guards that jumped; clears the marks of events that happened.
    ///
    /// After its event a guard is on the side of its value. But the value may still be zero, or not yet beyond zero,
    /// because the event happened together with others of its time or at the end of a step just before the crossing.
    /// Then a guard that goes on counts as beyond zero, and one that returns or rests stays on its old side: a body
    /// that rests on what it fell on has its event again and again instead of falling through. A guard that the reset
    /// put back is on its new side; if it has crossed again by then, within the error of time, it has its event again.
    fn settle(&mut self, system: &S) -> bool {
        let (zero, small, within) = (S::Real::ZERO, S::Real::EPSILON.sqrt(), self.within);
        let (layout, mut any) = (system.layout(), false);
        for (i, event) in layout.events.iter().enumerate() {
            let passed = self.passed(i, !layout.constraints.is_empty());
            let puts_back = self.intervals.puts_back(i);
            let at = |block: &S::Guards| block.as_ref().get(i).copied().unwrap_or(zero);
            let (value, rate, before, largest) = (at(&self.values), at(&self.rates), at(&self.near), at(&self.largest));
            let (Some(side), Some(fired)) = (self.trial.as_mut().get_mut(i), self.fired.as_mut().get_mut(i)) else {
                continue;
            };
            *fired = zero;
            let is_zero = vanishes(value, largest);
            if let Some(passed) = passed {
                let beyond = -*side * value;
                let again =
                    (passed.put_back() > zero || puts_back && passed.goes_on()) && beyond <= rate.abs() * within;
                if again {
                    if beyond > zero {
                        (*fired, any) = (S::Real::ONE, true);
                    }
                } else if !is_zero && (passed.moved() || beyond > zero) {
                    *side = sign(value);
                } else if -*side * rate > small * before.abs() {
                    *side = -*side;
                }
            } else if lags(*side, value, rate, within) {
                continue;
            } else if !crosses(event.crossing, *side, value) {
                if value != zero {
                    *side = sign(value);
                }
            } else if !is_zero {
                (*fired, any) = (S::Real::ONE, true);
            }
        }
        any
    }
}
