//! Variations of one step carried backwards: covectors of its end become covectors of its beginning, of parameters and
//! of inputs.
//!
//! A [`Tape`] records the operations of a step as a method makes them, each with the point at which it is linear. A
//! sweep visits them from the last to the first and applies their transposes: a product with the transposed equations
//! and one solve with transposed factors for each solve of the step. What it costs does not depend on the number of
//! parameters. Then the tape is cleared, with its room kept, so it needs the memory of one step.

mod charts;
mod ending;
mod feedback;
mod momenta;
mod motion;
mod nodes;
mod operation;
mod projection;
mod pull;
mod record;

pub use nodes::Node;

use core::fmt;
use std::vec::Vec;

use crate::model::layout::Block;
use crate::model::sensitive::Sensitive;
use crate::model::state::Moment;
use crate::numbers::scalar::Scalar;
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;
use crate::variation::chain::{StateVariation, Varied};
use crate::variation::controls::Controls;
use crate::variation::direction::Direction;
use crate::variation::rows::Places;

use ending::End;
use feedback::Feedback;
use motion::Stage;
use nodes::Nodes;
use operation::Operation;
use projection::Projected;
use pull::Pull;

/// Covectors of all blocks.
#[derive(Debug)]
struct Covectors<S: Solvable> {
    v: Nodes<S::V>,
    z: Nodes<S::Z>,
    l: Nodes<S::L>,
}

/// The covectors of what all steps have in common.
#[derive(Debug)]
pub struct Totals<S: Solvable + Sensitive> {
    /// of parameters
    pub parameters: S::P,
    /// of the inputs' own numbers that were asked for
    pub own: Vec<S::Real>,
    /// of a shift of all times
    pub t: S::Real,
}

/// What is differentiated by beside the state.
#[derive(Debug)]
struct Asked<S: Solvable> {
    /// the inputs' own numbers
    inputs: Vec<usize>,
    parameters: bool,
    /// room
    direction: Direction<S>,
}

/// Storage of operations of one kind, kept when the tape is cleared.
#[derive(Debug)]
struct Pool<P> {
    all: Vec<P>,
    count: usize,
}

impl<P> Pool<P> {
    const fn new() -> Self {
        Self { all: Vec::new(), count: 0 }
    }

    /// The place of the next, which is the last.
    fn next(&mut self, make: impl FnOnce() -> P) -> usize {
        if self.count == self.all.len() {
            self.all.push(make());
        }
        self.count += 1;
        self.count - 1
    }
}

/// The operations of one step, and covectors of what they make.
pub struct Tape<S: Solvable + Sensitive> {
    operations: Vec<Operation<S>>,
    stages: Pool<Stage<S>>,
    ends: Pool<End<S>>,
    projections: Pool<Projected<S>>,
    nodes: Covectors<S>,
    pull: Pull<S>,
    asked: Asked<S>,
    /// what the sweeps have added up
    pub totals: Totals<S>,
}

impl<S: Solvable + Sensitive> fmt::Debug for Tape<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tape").field("operations", &self.operations.len()).finish_non_exhaustive()
    }
}

impl<S: Solvable + Sensitive> Tape<S> {
    /// An empty tape for covectors of these own numbers of the inputs, and of parameters.
    pub fn new(system: &S, inputs: Vec<usize>, parameters: bool) -> Self {
        let layout = system.layout();
        let own = std::vec![S::Real::ZERO; inputs.len()];
        Self {
            operations: Vec::new(),
            stages: Pool::new(),
            ends: Pool::new(),
            projections: Pool::new(),
            nodes: Covectors {
                v: Nodes::new(layout.v.len()),
                z: Nodes::new(layout.z.len()),
                l: Nodes::new(layout.constraints.len()),
            },
            pull: Pull::new(system),
            asked: Asked { inputs, parameters, direction: Direction::zeros(system) },
            totals: Totals {
                parameters: Block::zeros(system.partial_patterns().parameters.cols),
                own,
                t: S::Real::ZERO,
            },
        }
    }

    /// Forgets the operations, not the totals.
    pub fn clear(&mut self) {
        self.operations.clear();
        (self.stages.count, self.ends.count, self.projections.count) = (0, 0, 0);
        self.nodes.v.clear();
        self.nodes.z.clear();
        self.nodes.l.clear();
    }

    /// A state at which a step begins.
    pub fn state(&mut self) -> StateVariation<S, Self> {
        Varied { q: self.nodes.v.make(), v: self.nodes.v.make(), z: self.nodes.z.make() }
    }

    /// Adds to the covector of velocities or positions.
    pub fn weigh(&mut self, node: Node, by: &S::V) {
        self.nodes.v.add(node, S::Real::ONE, by.as_ref());
    }

    /// Adds to the covector of states.
    pub fn weigh_z(&mut self, node: Node, by: &S::Z) {
        self.nodes.z.add(node, S::Real::ONE, by.as_ref());
    }

    /// Adds to the covector of multipliers.
    pub fn weigh_l(&mut self, node: Node, by: &S::L) {
        self.nodes.l.add(node, S::Real::ONE, by.as_ref());
    }

    /// Adds the covector of the inputs at a recorded state.
    pub fn weigh_inputs<U: Controls<S>>(
        &mut self,
        cx: &Context<'_, S, U>,
        at: Moment<'_, S>,
        x: &StateVariation<S, Self>,
        u: &S::U,
    ) {
        let Asked { inputs, direction, .. } = &mut self.asked;
        let mut feedback = Feedback::new();
        feedback.record(cx.system, cx.inputs, at, inputs, direction);
        motion::give(&feedback, Places::of(&cx.system.layout()), x, (&mut self.nodes, &mut self.totals), u.as_ref());
    }

    /// The covector of velocities or positions.
    pub fn covector(&self, node: Node) -> &S::V {
        self.nodes.v.get(node)
    }

    /// The covector of states.
    pub fn covector_z(&self, node: Node) -> &S::Z {
        self.nodes.z.get(node)
    }
}
