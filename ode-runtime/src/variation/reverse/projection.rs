//! The transpose of an iteration of a projection: see [`projection`](super::super::projection).

use crate::error::{Cause, Level};
use crate::model::layout::Block;
use crate::model::sensitive::Sensitive;
use crate::model::state::copy;
use crate::numbers::scalar::Scalar;
use crate::solve::solvable::Solvable;
use crate::variation::projection::{Iteration, LinearIteration};

use super::charts;
use super::nodes::Node;
use super::room::Swept;

/// An iteration of a projection.
pub(super) struct Projected<S: Solvable + Sensitive> {
    iteration: LinearIteration<S>,
    /// q at which M is
    inertia: Node,
    /// q and v before and after
    nodes: [(Node, Node); 2],
}

impl<S: Solvable + Sensitive> Projected<S> {
    pub(super) fn new(system: &S, parameters: bool) -> Self {
        let nothing = (Node(0), Node(0));
        Self { iteration: LinearIteration::new(system, parameters), inertia: Node(0), nodes: [nothing; 2] }
    }

    pub(super) fn record(
        &mut self,
        system: &S,
        made: &Iteration<'_, S>,
        inertia: Node,
        nodes: [(Node, Node); 2],
    ) -> Result<(), Cause> {
        (self.inertia, self.nodes) = (inertia, nodes);
        self.iteration.take(system, made)
    }

    pub(super) fn sweep(&mut self, system: &S, Swept { nodes: all, totals, .. }: &mut Swept<S>) {
        let (layout, one) = (system.layout(), S::Real::ONE);
        let zeros = || S::V::zeros(layout.v.len());
        let Self {
            iteration: LinearIteration { projector, projection_step, level, v: velocity, x, .. },
            inertia,
            nodes,
        } = self;
        let ([(q, v), (q_after, v_after)], velocities) = (*nodes, *level == Level::Velocity);
        let (given_q, given_v) = (all.v.get(q_after).clone(), all.v.get(v_after).clone());
        let (mut by, mut y) = (zeros(), S::L::zeros(layout.constraints.len()));
        let (mut of_inertia, mut of_q, mut of_v) = (zeros(), zeros(), given_v.clone());
        if velocities {
            copy(&given_q, &mut of_q);
            copy(&given_v, &mut by);
        } else {
            let mut spin = zeros();
            charts::align(system, one, velocity, &given_v, &mut spin);
            charts::retract(system, x, (&given_q, Some(&spin)), (&mut of_q, &mut by));
        }
        // [M −Gᵀ; G 0] is transposed by another sign of the multipliers
        projector.solve(&mut by, &mut y);
        y.as_mut().iter_mut().for_each(|y| *y = -*y);
        let of_metric = projector.weights().is_none().then_some(&mut of_inertia);
        let to = (of_metric, &mut of_q, &mut of_v);
        projection_step.back(system, velocities, (&by, &y), to, (&mut totals.t, totals.parameters.as_mut()));
        all.v.add(*inertia, one, of_inertia.as_ref());
        all.v.add(q, one, of_q.as_ref());
        all.v.add(v, one, of_v.as_ref());
    }
}
