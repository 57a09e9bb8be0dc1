//! A motion as solvers vary it: what is at nodes, and inputs between them, not yet joined by intervals.

use ode_runtime::Optimizable;
use ode_runtime::linalg::SVector;

use crate::deviation::align;
use crate::optimal::error::PlanError;
use crate::optimal::evaluation::{Evaluation, miss};
use crate::optimal::knot::Knot;
use crate::optimal::node::Node;
use crate::optimal::transcription::Transcribe;

/// Knots and inputs, and what is evaluated there.
#[derive(Clone, Debug)]
pub(super) struct Motion<S: Optimizable, const N: usize, const U: usize> {
    pub(super) knots: Vec<Knot<S>>,
    pub(super) inputs: Vec<SVector<f64, U>>,
    pub(super) nodes: Vec<Node<N, U>>,
    /// the end of interval k ⊖ xₖ₊₁
    pub(super) gaps: Vec<SVector<f64, N>>,
    /// x_n ⊖ end, where it is prescribed
    pub(super) miss: SVector<f64, N>,
    pub(super) cost: f64,
}

impl<S: Optimizable<Real = f64>, const N: usize, const U: usize> Motion<S, N, U> {
    /// The guess, not evaluated so far.
    pub(super) fn guess(knots: Vec<Knot<S>>, inputs: Vec<SVector<f64, U>>) -> Self {
        Self {
            nodes: vec![Node::new(); knots.len()],
            gaps: vec![SVector::zeros(); inputs.len()],
            miss: SVector::zeros(),
            cost: 0.0,
            knots,
            inputs,
        }
    }

    /// The last knot; there is one.
    pub(super) fn last(&self) -> &Knot<S> {
        &self.knots[self.inputs.len()]
    }

    /// Evaluates costs, limits and intervals.
    ///
    /// # Errors
    /// An interval that cannot be made; a cost or a limit that is not finite.
    pub(super) fn evaluate<T>(&mut self, on: &mut Evaluation<'_, S>, transcription: &mut T) -> Result<(), PlanError>
    where
        T: Transcribe<N, U, System = S>,
    {
        self.cost = 0.0;
        let mut end = self.last().clone();
        for (k, u) in self.inputs.iter().enumerate() {
            transcription.interval(on, (k, &self.knots[k], u), &mut self.nodes[k], &mut end)?;
            align(on.system, &end.state, &mut self.knots[k + 1].state);
            self.gaps[k] = end.minus(on.system, &self.knots[k + 1]);
            self.knots[k + 1].state.t = end.state.t;
            self.cost += self.nodes[k].cost;
        }
        self.finish(on, transcription)
    }

    /// Evaluates the last node.
    ///
    /// # Errors
    /// A cost or a limit that is not finite.
    pub(super) fn finish<T>(&mut self, on: &mut Evaluation<'_, S>, transcription: &mut T) -> Result<(), PlanError>
    where
        T: Transcribe<N, U, System = S>,
    {
        let n = self.inputs.len();
        transcription.last(on, &self.knots[n], &mut self.nodes[n])?;
        self.cost += self.nodes[n].cost;
        if let Some(end) = &mut on.posed.end {
            align(on.system, &self.knots[n].state, end);
        }
        self.miss = miss(on, &self.last().state);
        Ok(())
    }
}
