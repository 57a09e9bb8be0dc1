//! K and D as expressions of the motion, for those who read them: kernels have them within the tangent alone.

use crate::expr::Graph;
use crate::model::Model;

use super::Equations;
use super::mechanics::{Kind, Mechanics, Symbols};
use super::sparse::{self, Sparse};

/// How the residual changes with positions and velocities.
pub struct Linearised {
    /// the graph of the equations, and what follows here
    pub graph: Graph,
    /// K = ∂r/∂q, nv × nv: columns are tangent directions
    pub stiffness: Sparse,
    /// D = ∂r/∂v, nv × nv
    pub damping: Sparse,
}

/// Derives K and D on a graph of their own: texts that are asked for change no code.
pub(crate) fn linearised(model: &Model, e: &Equations) -> Linearised {
    let mut m = Mechanics { graph: e.graph.clone(), model, symbols: Symbols::of(model) };
    let mut by = |kind: Kind| {
        let along = m.along(&[kind]);
        let mut matrix = sparse::jacobian(&mut m.graph, &e.dynamics.residual, &along);
        let values = m.graph.collected(&matrix.values());
        for (entry, value) in matrix.entries.iter_mut().zip(values) {
            entry.2 = value;
        }
        Sparse::new(&m.graph, matrix.rows, matrix.cols, matrix.entries)
    };
    let (stiffness, damping) = (by(Kind::Position), by(Kind::Velocity));
    Linearised { graph: m.graph, stiffness, damping }
}
