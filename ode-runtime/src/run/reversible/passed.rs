//! States that a run has passed, as costs see them.

use core::ops::{Deref, DerefMut};

use crate::error::Cause;
use crate::integrators::Covector;
use crate::model::layout::Block;
use crate::model::sensitive::Sensitive;
use crate::model::state::State;
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::solvable::Solvable;
use crate::variation::entry;

/// A state that a run passed, for its share of a cost. At an event or sample instant this is the state after it;
/// [`before`](Self::before) is the one before.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Passed<'a, S: Solvable> {
    /// the model
    pub system: &'a S,
    /// the state
    pub state: &'a State<S>,
    /// the inputs there
    pub u: &'a S::U,
    /// the state before the event or the sample instant, if there is one
    pub before: Option<Before<'a, S>>,
    /// its number: 0 is the start
    pub index: usize,
    /// the number of the last state
    pub last: usize,
    /// the sizes of the steps before and after it; zero where there is none
    pub steps: [S::Real; 2],
}

/// The state before an event or a sample instant of a run.
#[derive(Debug)]
#[non_exhaustive]
pub struct Before<'a, S: Solvable> {
    /// the state
    pub state: &'a State<S>,
    /// the inputs there
    pub u: &'a S::U,
}

impl<S: Solvable> Clone for Before<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: Solvable> Copy for Before<'_, S> {}

/// The derivative of a share of a cost by what a run has passed there. It reads as that by the state.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PassedCovector<S: Sensitive> {
    /// by the state
    pub state: Covector<S>,
    /// by the state [`before`](Passed::before), if there is one
    pub before: Covector<S>,
    /// by the time of the event, if there is one: all other times are given
    pub event_time: S::Real,
}

impl<S: Sensitive> Deref for PassedCovector<S> {
    type Target = Covector<S>;

    fn deref(&self) -> &Covector<S> {
        &self.state
    }
}

impl<S: Sensitive> DerefMut for PassedCovector<S> {
    fn deref_mut(&mut self) -> &mut Covector<S> {
        &mut self.state
    }
}

impl<S: Solvable + Sensitive> PassedCovector<S> {
    /// The derivative of a constant.
    pub fn zeros(system: &S) -> Self {
        Self { state: Covector::zeros(system), before: Covector::zeros(system), event_time: S::Real::ZERO }
    }

    /// Makes it that of a constant.
    pub(super) fn clear(&mut self) {
        self.state.clear();
        self.before.clear();
        self.event_time = S::Real::ZERO;
    }

    /// An error if a share or this derivative of it is not finite.
    pub(super) fn check(&self, share: S::Real) -> Result<(), Cause> {
        let by = [&self.state, &self.before].into_iter().flat_map(|by| {
            let beside = [by.u.as_ref(), by.parameters.as_ref()];
            by.blocks().into_iter().chain(beside).flatten()
        });
        let (setting, value) = match by.chain([&self.event_time]).find(|x| !x.is_finite()) {
            _ if !share.is_finite() => ("share of a cost", share),
            Some(&by) => ("derivative of a share of a cost", by),
            None => return Ok(()),
        };
        Err(Cause::Invalid { setting, value: value.to_f64() })
    }
}

impl<S: Solvable> Passed<'_, S> {
    /// Whether the run ended here.
    pub fn is_last(&self) -> bool {
        self.index == self.last
    }

    /// The weight of the state in an integral over the run by the trapezoidal rule, of what does not jump.
    pub fn weight(&self) -> S::Real {
        let [before, after] = self.steps;
        S::Real::from_f64(0.5) * (before + after)
    }

    /// The model's cost of this number, in the order of [`Sensitive::cost_names`], times a weight; its derivative is
    /// added. NaN if there is none, which [`Reversible::gradient`](crate::Reversible::gradient) refuses.
    pub fn cost(&self, number: usize, weight: S::Real, by: &mut Covector<S>) -> S::Real
    where
        S: Sensitive,
    {
        weight * cost(self.system, (self.state, self.u), (number, weight), by)
    }

    /// The share of the state in the integral of the model's cost of this number over the run, times a factor; its
    /// derivative is added. The integral is that of
    /// [`Sensitivities::cost_integrals`](crate::Sensitivities::cost_integrals): by the trapezoidal rule up to an event
    /// or a sample instant and on from there, where the cost may jump.
    pub fn integral(&self, number: usize, factor: S::Real, by: &mut PassedCovector<S>) -> S::Real
    where
        S: Sensitive,
    {
        let Some(Before { state, u }) = self.before else {
            return self.cost(number, factor * self.weight(), by);
        };
        let [to, from] = self.steps.map(|step| S::Real::from_f64(0.5) * factor * step);
        let before = cost(self.system, (state, u), (number, to), &mut by.before);
        let after = cost(self.system, (self.state, self.u), (number, from), by);
        by.event_time += factor * (before - after);
        to * before + from * after
    }
}

/// A cost of a model; its derivative is added with a weight.
fn cost<S: Solvable + Sensitive>(
    system: &S,
    (state, u): (&State<S>, &S::U),
    (number, weight): (usize, S::Real),
    by: &mut Covector<S>,
) -> S::Real {
    let patterns = system.partial_patterns();
    let mut costs = S::Costs::zeros(patterns.costs.rows);
    let mut states = S::CostByState::zeros(patterns.costs.nnz());
    let mut parameters = S::CostByParameter::zeros(patterns.costs_by_parameter.nnz());
    system.cost_partials(state.at(u), &mut costs, &mut states, &mut parameters);
    let Covector { q, v, z, u, .. } = by;
    let mut columns = q.as_mut().iter_mut().chain(v.as_mut()).chain(z.as_mut()).chain(u.as_mut());
    for (c, column) in (0..patterns.costs.cols).zip(&mut columns) {
        *column += weight * entry(patterns.costs, states.as_ref(), number, c);
    }
    for (c, column) in by.parameters.as_mut().iter_mut().enumerate() {
        *column += weight * entry(patterns.costs_by_parameter, parameters.as_ref(), number, c);
    }
    costs.as_ref().get(number).copied().unwrap_or(S::Real::from_f64(f64::NAN))
}
