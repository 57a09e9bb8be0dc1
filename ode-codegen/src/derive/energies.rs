//! Energies, and the powers of forces.

use crate::expr::Node;
use crate::model::Level;

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

    /// T, V and 2R, the power lost to dissipation if R is quadratic.
    fn totals(&mut self) -> [Node; 3] {
        let t = self.total(|m| &m.energies.kinetic);
        let v = self.total(|m| &m.energies.potential);
        let r = self.total(|m| &m.energies.dissipation);
        [t, v, self.graph.scale(2.0, r)]
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
