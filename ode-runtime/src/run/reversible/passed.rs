//! States that a run has passed, as costs see them.

use crate::integrators::Covector;
use crate::model::layout::Block;
use crate::model::sensitive::Sensitive;
use crate::model::state::State;
use crate::numbers::scalar::Scalar;
use crate::solve::solvable::Solvable;
use crate::variation::entry;

/// A state that a run passed, for its share of a cost.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Passed<'a, S: Solvable> {
    /// the model
    pub system: &'a S,
    /// the state
    pub state: &'a State<S>,
    /// the inputs there
    pub u: &'a S::U,
    /// its number: 0 is the start
    pub index: usize,
    /// the number of the last state
    pub last: usize,
    /// the sizes of the steps before and after it; zero where there is none
    pub steps: [S::Real; 2],
}

impl<S: Solvable> Passed<'_, S> {
    /// Whether the run ended here.
    pub fn is_last(&self) -> bool {
        self.index == self.last
    }

    /// The weight of the state in an integral over the run by the trapezoidal rule.
    pub fn weight(&self) -> S::Real {
        let [before, after] = self.steps;
        S::Real::from_f64(0.5) * (before + after)
    }

    /// The model's cost of this number, in the order of [`Sensitive::cost_names`], times a weight; its derivative is
    /// added. Zero if there is none.
    pub fn cost(&self, number: usize, weight: S::Real, by: &mut Covector<S>) -> S::Real
    where
        S: Sensitive,
    {
        let Self { system, state, u, .. } = self;
        let patterns = system.partial_patterns();
        let mut costs = S::Costs::zeros(patterns.costs.rows);
        let mut states = S::CostGradient::zeros(patterns.costs.nnz());
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
        weight * costs.as_ref().get(number).copied().unwrap_or(S::Real::ZERO)
    }
}
