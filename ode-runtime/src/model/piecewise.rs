//! Inputs that are given at knots: held from one to the next, or joined by straight lines.

use crate::error::Cause;
use crate::model::input::{HeldInput, Inputs};
use crate::model::layout::Layout;
use crate::model::state::{Moment, State, copy};
use crate::model::system::System;
use crate::numbers::scalar::{Real, Scalar};

/// Inputs of time alone, given at knots: an open-loop control. A run lands a step on each knot, and begins anew there.
///
/// Values are blocks of inputs, or numbers in the order of the model's text, one for each knot. The last are held from
/// their knot on; a run may begin at any time from the first knot on. In [`Simulation::vary`](crate::Simulation::vary)
/// the values are the inputs' own numbers: `f[3]` is `f` at the knot 3, counted from 0.
///
/// ```
/// # use ode_runtime::Piecewise;
/// let knots = [0.0, 0.5, 1.0];
/// let values = [[1.0], [-1.0], [0.0]];
/// let held = Piecewise::constant(&knots, &values);
/// let joined = Piecewise::linear(&knots, &values);
/// # let _ = (held, joined);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piecewise<'a, T, U> {
    knots: &'a [T],
    values: &'a [U],
    linear: bool,
    /// the start of the run, and how many knots it has reached; none before the start
    reached: Option<(T, usize)>,
}

/// Values at one or two knots that make up the inputs of a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Share<T> {
    /// the knot before
    pub(crate) from: usize,
    /// what the next one has of the whole, and the rate of that
    pub(crate) next: T,
    pub(crate) rate: T,
}

impl<'a, T: Real, U> Piecewise<'a, T, U> {
    /// Each value is held to the next knot: zero-order hold.
    pub fn constant(knots: &'a [T], values: &'a [U]) -> Self {
        Self { knots, values, linear: false, reached: None }
    }

    /// Straight lines between the values: first-order hold.
    pub fn linear(knots: &'a [T], values: &'a [U]) -> Self {
        Self { linear: true, ..Self::constant(knots, values) }
    }

    /// Number of knots.
    pub(crate) fn len(&self) -> usize {
        self.knots.len()
    }

    /// Times closer than that are the same for a run.
    fn resolution(t: T) -> T {
        T::from_f64(100.0) * T::EPSILON * T::ONE.max(t.abs())
    }

    /// Knots up to `t`.
    fn until(&self, t: T) -> usize {
        self.knots.partition_point(|&knot| knot <= t + Self::resolution(t))
    }

    /// What the knots contribute at `t`. A run is between those that it has reached and the next, whatever round-off
    /// says of `t`.
    pub(crate) fn share(&self, t: T) -> Share<T> {
        let from = self.reached.map_or_else(|| self.until(t), |(_, count)| count).saturating_sub(1);
        let both = self.knots.get(from).zip(self.knots.get(from + 1)).filter(|_| self.linear);
        let Some((&here, &there)) = both else { return Share { from, next: T::ZERO, rate: T::ZERO } };
        let rate = (there - here).recip();
        Share { from, next: (t - here) * rate, rate }
    }
}

impl<'a, T: Real, U: Copy> Piecewise<'a, T, U> {
    /// u̇ after a knot, if the inputs move.
    pub(crate) fn rates<S: System<Real = T>>(&self, from: usize, rate: T) -> Option<S::U>
    where
        U: Into<S::U>,
    {
        let (&here, &there) = self.values.get(from).zip(self.values.get(from + 1)).filter(|_| rate != T::ZERO)?;
        let (here, mut rates): (S::U, S::U) = (here.into(), there.into());
        for (to, &here) in rates.as_mut().iter_mut().zip(here.as_ref()) {
            *to = rate * (*to - here);
        }
        Some(rates)
    }
}

impl<S: System<Real: Real>, U: Copy + Into<S::U>> Inputs<S> for Piecewise<'_, S::Real, U> {
    fn evaluate(&self, system: &S, at: Moment<'_, S>, u: &mut S::U) {
        let Share { from, next, .. } = self.share(at.t);
        match self.values.get(from) {
            Some(&value) => copy(&value.into(), u),
            None => system.nominal(u),
        }
        let Some(&value) = self.values.get(from + 1).filter(|_| next != S::Real::ZERO) else { return };
        let there: S::U = value.into();
        for (u, &there) in u.as_mut().iter_mut().zip(there.as_ref()) {
            *u += next * (there - *u);
        }
    }

    fn next_sample(&self) -> Option<S::Real> {
        let next = self.reached.map_or(0, |(_, count)| count);
        Some(self.knots.get(next).copied().unwrap_or(S::Real::INFINITY))
    }

    fn sample(&mut self, _system: &S, x: &State<S>) {
        self.reached = Some(match self.reached {
            None => (x.t, self.until(x.t).max(1)),
            Some((start, count)) => (start, count + 1),
        });
    }

    fn held(&self) -> Option<HeldInput<S>> {
        let (first, count) = self.reached?;
        let &value = self.values.get(count.saturating_sub(1))?;
        Some(HeldInput { first, taken: count as u64, output: value.into() })
    }

    /// Values at knots are numbers of their own, and lines move between them.
    fn holds(&self) -> bool {
        false
    }

    fn resume(&mut self, held: HeldInput<S>) {
        let count = usize::try_from(held.taken).unwrap_or(usize::MAX);
        self.reached = Some((held.first, count.clamp(1, self.knots.len().max(1))));
    }

    fn check(&self, start: S::Real) -> Result<(), Cause> {
        let invalid = |setting, value: f64| Err(Cause::Invalid { setting, value });
        let Some(&first) = self.knots.first() else { return invalid("number of knots", 0.0) };
        if self.values.len() != self.knots.len() {
            let (value, each) = (self.values.len() as f64, self.knots.len() as f64);
            let setting = "number of values, one for each knot,";
            return Err(Cause::OutOfRange { setting, value, low: each, high: each });
        }
        if let Some(knot) = self.knots.iter().find(|knot| !knot.is_finite()) {
            return invalid("knot", knot.to_f64());
        }
        let apart = |pair: &&[S::Real]| matches!(**pair, [a, b] if !(b > a + Self::resolution(a)));
        if let Some(&[_, knot]) = self.knots.windows(2).find(apart) {
            return invalid("knot, which must be later than the one before it,", knot.to_f64());
        }
        for &value in self.values {
            let value: S::U = value.into();
            if let Some(bad) = value.as_ref().iter().find(|x| !x.is_finite()) {
                return invalid("value at a knot", bad.to_f64());
            }
        }
        if first > start + Self::resolution(start) {
            let (value, low) = (start.to_f64(), first.to_f64());
            return Err(Cause::OutOfRange {
                setting: "the start of a run with knots",
                value,
                low,
                high: f64::INFINITY,
            });
        }
        Ok(())
    }

    fn fits(&self, layout: &Layout<'_>) -> Result<(), Cause> {
        self.values.iter().try_for_each(|&value| {
            let value: S::U = value.into();
            layout.fits_inputs(value.as_ref().len())
        })
    }
}
