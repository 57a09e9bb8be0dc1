//! q̇ = N(q) v and its derivative, for velocities that are not rates of coordinates.

use crate::chart::{self, Chart};
use crate::expr::{Node, Symbol};

use super::mechanics::{Kind, Mechanics};
use super::sparse::{self, Sparse};

/// How positions move: q̇ = N(q) v. Empty matrices where N = 1.
#[derive(Default)]
pub struct Kinematics {
    /// N, nq × nv
    pub matrix: Sparse,
    /// ∂(N(q) v)/∂q in tangent columns, nq × nv
    pub jacobian: Sparse,
}

impl Mechanics<'_> {
    /// Both matrices; empty ones where N = 1.
    pub(super) fn kinematics(&mut self) -> Kinematics {
        let blocks = self.symbols.blocks.clone();
        if blocks.iter().all(|b| b.chart == Chart::Line) {
            return Kinematics::default();
        }
        let zero = self.graph.constant(0.0);
        let mut rates: Vec<Node> = vec![zero; blocks.iter().map(|b| b.chart.positions()).sum()];
        for (symbol, rate) in chart::motion(&mut self.graph, &blocks) {
            if let Symbol::Q(i) = symbol {
                rates[i as usize] = rate;
            }
        }
        let (v, q) = (self.along(&[Kind::Velocity]), self.along(&[Kind::Position]));
        Kinematics {
            matrix: sparse::jacobian(&mut self.graph, &rates, &v),
            jacobian: sparse::jacobian(&mut self.graph, &rates, &q),
        }
    }
}
