//! Energies, and the powers of forces.

use crate::expr::Node;
use crate::model::{Level, MassEntry};

use super::mechanics::Mechanics;

/// T, V and 2R, and the power of each force.
pub struct Energies {
    /// T, V and 2R
    pub energy: [Node; 3],
    /// power of each force, in the model's order
    pub power: Vec<Node>,
}

impl Mechanics<'_> {
    /// Both.
    pub(super) fn energies(&mut self) -> Energies {
        Energies { energy: self.totals(), power: self.powers() }
    }

    /// T, V and 2R, the power lost to dissipation if R is quadratic. What `mass` items give counts as what it is in the
    /// equations: inertia, or in a model of first order a coefficient of velocities.
    fn totals(&mut self) -> [Node; 3] {
        let mut t = self.total(|m| &m.energies.kinetic);
        let v = self.total(|m| &m.energies.potential);
        let mut r = self.total(|m| &m.energies.dissipation);
        let given = self.given_inertia();
        let sum = if self.first_order() { &mut r } else { &mut t };
        *sum = self.graph.add(*sum, given);
        [t, v, self.graph.scale(2.0, r)]
    }

    /// ½ vᵀ M v of the entries that `mass` items give.
    fn given_inertia(&mut self) -> Node {
        let g = &mut self.graph;
        let square = |entry: &MassEntry| {
            let [row, col] = [entry.row, entry.col].map(|i| g.symbol(self.symbols.v[i]));
            let product = g.mul(row, col);
            g.mul(entry.value, product)
        };
        let terms: Vec<Node> = self.model.mass.iter().map(square).collect();
        let twice = g.sum(terms);
        g.scale(0.5, twice)
    }

    /// e · ṡ of each force.
    fn powers(&mut self) -> Vec<Node> {
        let motion = self.motion(false);
        let mut powers = Vec::new();
        for force in &self.model.forces {
            let rates = match force.level {
                Level::Position => self.graph.jvp(&force.on, &motion),
                _ => force.on.clone(),
            };
            let terms: Vec<Node> = rates.iter().zip(&force.value).map(|(&s, &e)| self.graph.mul(s, e)).collect();
            powers.push(self.graph.sum(terms));
        }
        powers
    }
}
