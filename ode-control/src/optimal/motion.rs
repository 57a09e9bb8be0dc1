//! A motion as solvers vary it: states at nodes and inputs between them, not yet joined by steps.

use ode_runtime::integrators::Vary;
use ode_runtime::linalg::SVector;
use ode_runtime::{Optimizable, Solvable, State};

use crate::deviation::minus;
use crate::optimal::error::PlanError;
use crate::optimal::evaluation::{Evaluation, miss};
use crate::optimal::node::Node;
use crate::optimal::problem::Posed;

/// States and inputs, and what is evaluated there.
#[derive(Clone, Debug)]
pub(super) struct Motion<S: Optimizable, const N: usize, const U: usize> {
    pub(super) states: Vec<State<S>>,
    pub(super) inputs: Vec<S::U>,
    pub(super) nodes: Vec<Node<N, U>>,
    /// step(xₖ, uₖ) ⊖ xₖ₊₁
    pub(super) gaps: Vec<SVector<f64, N>>,
    /// x_n ⊖ end, where it is prescribed
    pub(super) miss: SVector<f64, N>,
    pub(super) cost: f64,
}

impl<S: Optimizable<Real = f64> + Solvable, const N: usize, const U: usize> Motion<S, N, U> {
    /// The guess, not evaluated so far.
    pub(super) fn guess(posed: &Posed<S, N>) -> Self {
        let (states, inputs) = (posed.states.clone(), posed.inputs.clone());
        Self {
            nodes: vec![Node::new(posed.limit_bounds.len()); states.len()],
            gaps: vec![SVector::zeros(); inputs.len()],
            miss: SVector::zeros(),
            cost: 0.0,
            states,
            inputs,
        }
    }

    /// Evaluates costs, limits and steps.
    ///
    /// # Errors
    /// A step that cannot be made; a cost or a limit that is not finite.
    pub(super) fn evaluate<M: Vary<S> + Copy>(
        &mut self,
        evaluation: &mut Evaluation<'_, S, M>,
        posed: &Posed<S, N>,
        fixed: &[bool; N],
    ) -> Result<(), PlanError> {
        self.cost = 0.0;
        for (k, node) in self.nodes.iter_mut().enumerate() {
            let (x, u) = (&self.states[k], self.inputs.get(k));
            evaluation.node(posed, k, (x, u), node)?;
            self.cost += node.cost;
            if let (Some(gap), Some(next), Some(u)) = (self.gaps.get_mut(k), self.states.get(k + 1), u) {
                let system = evaluation.system;
                *gap = minus(system, evaluation.step(x, u)?, next);
            }
        }
        self.miss = self.states.last().map_or(SVector::zeros(), |last| miss(evaluation.system, posed, fixed, last));
        Ok(())
    }
}
