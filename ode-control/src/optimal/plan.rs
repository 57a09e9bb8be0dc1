//! A solution: the motion, its inputs, and how the search came to it.

use ode_runtime::linalg::{SMatrix, SVector};
use ode_runtime::{Piecewise, State, System, UnknownName};

/// The motion and the inputs of an optimal-control problem, as a solver has them.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Plan<S: System, const N: usize, const U: usize> {
    /// the times of the nodes, one more than there are intervals
    pub times: Vec<f64>,
    /// the state at each node
    pub states: Vec<State<S>>,
    /// the inputs in each interval
    pub inputs: Vec<S::U>,
    /// the costate at each node: what the rest of the motion costs more by a change of the state
    pub costates: Vec<SVector<f64, N>>,
    /// K of u = uₖ − Kₖ (x ⊖ xₖ), a feedback near the plan, in each interval: the best one with the barriers of bounds
    /// and limits, and with a penalty that is large against the cost of inputs for an end that is prescribed
    pub gains: Vec<SMatrix<f64, U, N>>,
    /// the cost
    pub cost: f64,
    /// the iterations of the search; the first one is of the guess
    pub iterations: Vec<SearchStep>,
    pub(super) limits: &'static [&'static str],
    /// multipliers of the limits at each node
    pub(super) multipliers: Vec<f64>,
}

impl<S: System<Real = f64>, const N: usize, const U: usize> Plan<S, N, U> {
    /// The inputs of a run: held in each interval, the last ones for good.
    pub fn held(&self) -> Piecewise<'_, f64, S::U> {
        Piecewise::constant(self.times.get(..self.inputs.len()).unwrap_or_default(), &self.inputs)
    }

    /// The multiplier of a limit at each node: by how much the cost falls if the limit is moved outwards; positive
    /// where its highest value holds it, negative where its lowest one does.
    ///
    /// # Errors
    /// The name that is not that of a limit.
    pub fn multipliers(&self, limit: &str) -> Result<Vec<f64>, UnknownName> {
        let place = self.limits.iter().position(|name| *name == limit);
        let place = place.ok_or_else(|| UnknownName::new("limit", limit, self.limits.iter().copied()))?;
        Ok(self.multipliers.chunks(self.limits.len()).filter_map(|node| node.get(place).copied()).collect())
    }
}

/// What is told of an iteration of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SearchStep {
    /// its number, 0 at the guess
    pub number: usize,
    /// the cost
    pub cost: f64,
    /// the largest violation of a step, of the end, or of a limit
    pub violation: f64,
    /// how far the conditions of an optimum are from being met, scaled
    pub optimality: f64,
    /// μ of the barriers; of [`Ddp`](crate::Ddp), one over the weight of violations, 0 if nothing can be violated
    pub barrier: f64,
    /// what was added to the diagonal of the second derivatives
    pub damping: f64,
    /// the share of the step that was made to get here
    pub step: f64,
}
