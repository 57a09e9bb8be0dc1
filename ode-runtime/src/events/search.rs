//! Where along a proposed step a guard crosses zero.

use crate::error::Cause;
use crate::events::Watch;
use crate::events::sides::{crosses, lags, vanishes};
use crate::model::input::AnyInputs;
use crate::model::state::{State, copy};
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;

/// The part of a step between the fractions `from` and `to`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part<T> {
    from: T,
    to: T,
}

/// A proposed step: the states at its beginning and its end, and what writes the state at a fraction of it.
pub(crate) struct Step<'a, S: Solvable> {
    pub(crate) from: &'a State<S>,
    pub(crate) to: &'a State<S>,
    pub(crate) inside: &'a mut dyn FnMut(S::Real, &mut State<S>),
}

impl<S: Solvable> Watch<S> {
    /// Follows the guards along the proposed step: the first part in which one of them crosses, or none.
    ///
    /// Without a crossing, sides and values are those at the end.
    pub(crate) fn scan(
        &mut self,
        cx: &Context<'_, S, AnyInputs<'_, S>>,
        step: &mut Step<'_, S>,
    ) -> Result<Option<Part<S::Real>>, Cause> {
        self.begin();
        self.evaluate(cx, step.from)?;
        let (mut from, samples) = (S::Real::ZERO, self.settings.samples);
        for k in 1..=samples {
            copy(&self.values, &mut self.near);
            self.leaves.as_mut().fill(S::Real::ZERO);
            self.leave();
            let to = S::Real::from_f64(f64::from(k) / f64::from(samples));
            if k < samples {
                self.look(cx, step, to)?;
            } else {
                self.evaluate(cx, step.to)?;
            }
            if self.cross(cx.system) {
                return Ok(Some(Part { from, to }));
            }
            self.note(cx.system);
            from = to;
        }
        Ok(None)
    }

    /// Guards at the fraction `theta` of the step.
    fn look(
        &mut self,
        cx: &Context<'_, S, AnyInputs<'_, S>>,
        step: &mut Step<'_, S>,
        theta: S::Real,
    ) -> Result<(), Cause> {
        // The rounded time is used: a guard that depends on time would see its difference from the fraction as a jump.
        let (start, h) = (step.from.t, step.to.t - step.from.t);
        let theta = ((start + theta * h) - start) / h;
        (step.inside)(theta, &mut self.sample);
        cx.input(self.sample.moment(), &mut self.u)?;
        let at = self.sample.at(&self.u);
        cx.system.guards(at, &mut self.values);
        cx.system.guard_rates(at, self.sample.rates(), &mut self.rates);
        self.measured(cx.system, self.sample.t)
    }

    /// Narrows the part in which [`Watch::scan`] found a crossing to `width` by interpolation; returns the fraction
    /// just after it.
    ///
    /// Regula falsi (Illinois variant) on the earliest crossing guard, with occasional bisection.
    pub(crate) fn narrow(
        &mut self,
        cx: &Context<'_, S, AnyInputs<'_, S>>,
        step: &mut Step<'_, S>,
        Part { mut from, mut to }: Part<S::Real>,
        width: S::Real,
    ) -> Result<S::Real, Cause> {
        let half = S::Real::from_f64(0.5);
        // Weights of the values at the two ends.
        let (mut start, mut end) = (S::Real::ONE, S::Real::ONE);
        copy(&self.values, &mut self.far);
        for round in 0..200 {
            if to - from <= width {
                break;
            }
            let fraction = if round % 4 == 3 { half } else { self.fraction(cx.system, start, end).unwrap_or(half) };
            let middle = from + fraction * (to - from);
            if !(middle > from && middle < to) {
                break;
            }
            self.look(cx, step, middle)?;
            if self.cross(cx.system) {
                (to, start, end) = (middle, start * half, S::Real::ONE);
                copy(&self.values, &mut self.far);
            } else {
                (from, start, end) = (middle, S::Real::ONE, end * half);
                copy(&self.values, &mut self.near);
                self.leave();
            }
        }
        Ok(to)
    }

    /// Finds the guards that are about to leave their sides; one that is zero by now was found before.
    fn leave(&mut self) {
        let zero = S::Real::ZERO;
        let guards = self.trial.as_ref().iter().zip(self.values.as_ref()).zip(self.rates.as_ref());
        for (leaves, ((&side, &value), &rate)) in self.leaves.as_mut().iter_mut().zip(guards) {
            if value != zero {
                *leaves = if side * value > zero && side * rate < zero { S::Real::ONE } else { zero };
            }
        }
    }

    /// The fraction, 0 to 1, where the earliest line between weighted values at both ends (`near`, `far`) crosses zero.
    ///
    /// None if a guard begins at zero and not on its side: after an event, only time tells how far it moves.
    fn fraction(&self, system: &S, start: S::Real, end: S::Real) -> Option<S::Real> {
        let (layout, mut earliest) = (system.layout(), None);
        let guards = layout.events.iter().zip(self.trial.as_ref()).zip(self.near.as_ref()).zip(self.far.as_ref());
        for (((event, &side), &from), &to) in guards {
            if !crosses(event.crossing, side, to) {
                continue;
            }
            if !(side * from > S::Real::ZERO) {
                return None;
            }
            let (from, to) = (start * from, end * to);
            let root = from / (from - to);
            if earliest.is_none_or(|earliest| root < earliest) {
                earliest = Some(root);
            }
        }
        earliest
    }

    /// Marks the events at `y`, the end of the proposed step: guards that crossed there, and those that will within the
    /// tolerance. Returns whether there are any.
    pub(crate) fn mark(
        &mut self,
        cx: &Context<'_, S, AnyInputs<'_, S>>,
        y: &State<S>,
        h: S::Real,
    ) -> Result<bool, Cause> {
        self.evaluate(cx, y)?;
        let mut any = self.cross(cx.system);
        let (tolerance, half) = (self.within, S::Real::from_f64(0.5));
        let guards = cx.system.layout().events.iter().zip(self.trial.as_ref()).zip(self.values.as_ref());
        let marks = self.largest.as_ref().iter().zip(self.rates.as_ref()).zip(self.fired.as_mut());
        for (((event, &side), &value), ((&largest, &rate), fired)) in guards.zip(marks) {
            // A guard that rests at zero, or only touches it, has a rate of round-off.
            let moves = !vanishes(rate.abs() * h, largest);
            if crosses(event.crossing, side, rate) && moves && value.abs() <= rate.abs() * tolerance {
                (*fired, any) = (S::Real::ONE, true);
            }
        }
        // An event that happens before its crossing counts as after it for other guards of that time too, which cross
        // without an event.
        let events = cx.system.layout().events.iter().zip(self.trial.as_mut());
        for ((event, side), (&value, &rate)) in events.zip(self.values.as_ref().iter().zip(self.rates.as_ref())) {
            if any && !crosses(event.crossing, *side, rate) && lags(-*side, value, rate, half * tolerance) {
                *side = -*side;
            }
        }
        self.note(cx.system);
        Ok(any)
    }

    /// The time until the next guard crosses at its rate at the trial point, if none has crossed.
    pub(crate) fn ahead(&self, system: &S) -> Option<S::Real> {
        let (layout, mut earliest) = (system.layout(), None);
        let guards = layout.events.iter().zip(self.trial.as_ref()).zip(self.values.as_ref()).zip(self.rates.as_ref());
        for (((event, &side), &value), &rate) in guards {
            let wait = -(value / rate);
            // A guard that continues crosses as its rate predicts.
            if wait > S::Real::ZERO
                && crosses(event.crossing, side, rate)
                && earliest.is_none_or(|earliest| wait < earliest)
            {
                earliest = Some(wait);
            }
        }
        earliest
    }

    /// The same from the state of the run, `x`; none where a guard or a rate is not finite.
    pub(crate) fn wait_at(&mut self, cx: &Context<'_, S, AnyInputs<'_, S>>, x: &State<S>) -> Option<S::Real> {
        self.begin();
        self.evaluate(cx, x).ok()?;
        self.ahead(cx.system)
    }
}
