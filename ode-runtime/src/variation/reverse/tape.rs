//! The operations of one step, and the sweep over them.

use core::fmt;
use std::vec::Vec;

use crate::error::Cause;
use crate::model::layout::Block;
use crate::model::sensitive::Sensitive;
use crate::model::state::Moment;
use crate::numbers::scalar::Scalar;
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;
use crate::variation::chain::{StateVariation, Varied};
use crate::variation::controls::Controls;
use crate::variation::direction::Direction;
use crate::variation::largest::Largest;
use crate::variation::pull::Pull;

use super::feedback::Feedback;
use super::motion::give;
use super::nodes::{Node, Nodes};
use super::operation::{Operation, Pools};
use super::room::{Asked, Covectors, Pool, Swept, Totals};

/// The operations of one step, and covectors of what they make.
pub struct Tape<S: Solvable + Sensitive> {
    pub(super) operations: Vec<Operation<S>>,
    pub(super) pools: Pools<S>,
    pub(super) swept: Swept<S>,
    pub(super) asked: Asked<S>,
}

impl<S: Solvable + Sensitive> fmt::Debug for Tape<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tape").field("operations", &self.operations.len()).finish_non_exhaustive()
    }
}

impl<S: Solvable + Sensitive> Tape<S> {
    /// An empty tape for covectors of these own numbers of the inputs, and of parameters.
    pub(crate) fn new(system: &S, inputs: Vec<usize>, parameters: bool) -> Self {
        let layout = system.layout();
        let totals = Totals {
            parameters: Block::zeros(system.partial_patterns().parameters.cols),
            own: std::vec![S::Real::ZERO; inputs.len()],
            t: S::Real::ZERO,
        };
        let mut inputs: Vec<(usize, usize)> = inputs.into_iter().zip(0..).collect();
        inputs.sort_unstable();
        Self {
            operations: Vec::new(),
            pools: Pools { stages: Pool::new(), ends: Pool::new(), projections: Pool::new() },
            swept: Swept {
                nodes: Covectors {
                    v: Nodes::new(layout.v.len()),
                    z: Nodes::new(layout.z.len()),
                    l: Nodes::new(layout.constraints.len()),
                },
                pull: Pull::new(system, parameters),
                totals,
            },
            asked: Asked { inputs, parameters, direction: Direction::zeros(system) },
        }
    }

    /// Refuses inputs without the own numbers that are asked for.
    ///
    /// # Errors
    /// [`Cause::NoInput`] with the largest of them.
    pub(crate) fn check<U: Controls<S>>(&self, cx: &Context<'_, S, U>) -> Result<(), Cause> {
        let input = self.asked.inputs.last().map(|&(number, _)| number);
        Largest { parameter: None, input, time: false }.check(cx.system, cx.inputs)
    }

    /// What the sweeps have added up.
    pub(crate) fn totals(&self) -> &Totals<S> {
        &self.swept.totals
    }

    /// The same, to add to.
    pub(crate) fn totals_mut(&mut self) -> &mut Totals<S> {
        &mut self.swept.totals
    }

    /// Forgets the operations, not the totals.
    pub(crate) fn clear(&mut self) {
        self.operations.clear();
        let (Pools { stages, ends, projections }, nodes) = (&mut self.pools, &mut self.swept.nodes);
        (stages.count, ends.count, projections.count) = (0, 0, 0);
        nodes.v.clear();
        nodes.z.clear();
        nodes.l.clear();
    }

    /// A state at which a step begins.
    pub(crate) fn state(&mut self) -> StateVariation<S, Self> {
        Varied { q: self.swept.nodes.v.make(), v: self.swept.nodes.v.make(), z: self.swept.nodes.z.make() }
    }

    /// Adds to the covector of velocities or positions.
    pub(crate) fn weigh(&mut self, node: Node, by: &S::V) {
        self.swept.nodes.v.add(node, S::Real::ONE, by.as_ref());
    }

    /// Adds to the covector of states.
    pub(crate) fn weigh_z(&mut self, node: Node, by: &S::Z) {
        self.swept.nodes.z.add(node, S::Real::ONE, by.as_ref());
    }

    /// Adds to the covector of multipliers.
    pub(crate) fn weigh_l(&mut self, node: Node, by: &S::L) {
        self.swept.nodes.l.add(node, S::Real::ONE, by.as_ref());
    }

    /// Adds the covector of the inputs at a recorded state.
    ///
    /// # Errors
    /// [`Cause::NonFinite`] with an input whose derivative is not finite.
    pub(crate) fn weigh_inputs<U: Controls<S>>(
        &mut self,
        cx: &Context<'_, S, U>,
        at: Moment<'_, S>,
        x: &StateVariation<S, Self>,
        u: &S::U,
    ) -> Result<(), Cause> {
        let Asked { inputs, direction, .. } = &mut self.asked;
        let mut feedback = Feedback::new();
        feedback.record(cx.system, cx.inputs, at, inputs, direction)?;
        let Swept { nodes, totals, pull } = &mut self.swept;
        give((nodes, totals), &feedback, pull.places, x, u.as_ref());
        Ok(())
    }

    /// The covector of velocities or positions.
    pub(crate) fn covector(&self, node: Node) -> &S::V {
        self.swept.nodes.v.get(node)
    }

    /// The covector of states.
    pub(crate) fn covector_z(&self, node: Node) -> &S::Z {
        self.swept.nodes.z.get(node)
    }

    /// The covector of multipliers.
    pub(crate) fn covector_l(&self, node: Node) -> &S::L {
        self.swept.nodes.l.get(node)
    }
}

impl<S: Solvable + Sensitive> Tape<S> {
    /// Takes the covectors of what the operations have made back to what they were given, and to the totals. The tape
    /// has no operations then; its covectors can be read until it is cleared.
    ///
    /// # Errors
    /// [`Cause::Singular`] where transposed equations have no solution; [`Cause::NotDifferentiable`] if the model's
    /// solver has no transposed factors.
    pub(crate) fn sweep(&mut self, system: &S) -> Result<(), Cause> {
        while let Some(operation) = self.operations.pop() {
            operation.transpose(system, &mut self.pools, &mut self.swept)?;
        }
        Ok(())
    }
}
