//! Momenta p = M v, which symplectic methods step.

use crate::chart::Direction;
use crate::expr::{Node, Symbol};

use super::dynamics::Dynamics;
use super::mechanics::{Kind, Mechanics};
use super::sparse::{self, Sparse};

/// The equations of momenta beside M and f.
#[derive(Default)]
pub struct Momenta {
    /// Ṁ v, nv; empty where M is constant, and in models of first order
    pub rate: Vec<Node>,
    /// f + Ṁ v, nv; empty as well
    pub force: Vec<Node>,
    /// ∂(Ṁ v)/∂(q, v, t)
    pub states: Sparse,
    /// ∂(Ṁ v)/∂p
    pub parameters: Sparse,
}

impl Mechanics<'_> {
    /// Ṁ v, where M moves, and its derivatives.
    pub(super) fn momenta(&mut self, dynamics: &Dynamics) -> Momenta {
        let states = self.along(&[Kind::Position, Kind::Velocity, Kind::Time]);
        let parameters = self.along(&[Kind::Parameter]);
        if dynamics.constant_mass || self.first_order() {
            let none =
                |columns: &[Direction]| Sparse { rows: self.symbols.v.len(), cols: columns.len(), entries: vec![] };
            let (states, parameters) = (none(&states), none(&parameters));
            return Momenta { states, parameters, ..Momenta::default() };
        }
        let rate = self.momentum_rate(&dynamics.mass);
        let sums = dynamics.force.iter().zip(&rate);
        let mut force: Vec<Node> = sums.map(|(&force, &rate)| self.graph.add(force, rate)).collect();
        self.graph.expand(&mut force);
        Momenta {
            states: sparse::jacobian(&mut self.graph, &rate, &states),
            parameters: sparse::jacobian(&mut self.graph, &rate, &parameters),
            rate,
            force,
        }
    }

    /// Ṁ v, the rate of M v at constant v, for models with momenta: from M, or from ∂T/∂v if that equals M v and costs
    /// less.
    fn momentum_rate(&mut self, mass: &Sparse) -> Vec<Node> {
        let before = self.graph.clone();
        let momenta = self.mass_times_velocity(mass);
        let by_mass = self.rates_of(&momenta);
        let moves = |s| matches!(s, Symbol::V(_));
        let energetic = self.model.mass.is_empty() && !self.graph.any_depends(&mass.values(), moves);
        if !energetic {
            return by_mass;
        }
        let graph = std::mem::replace(&mut self.graph, before);
        let kinetic = self.total(|m| &m.energies.kinetic);
        let momenta = self.graph.gradient(kinetic, &self.symbols.v);
        // a term that does not vanish with v is not part of M v
        let resting = self.graph.at_zero(&momenta, moves);
        let momenta: Vec<Node> = momenta.into_iter().zip(resting).map(|(p, rest)| self.graph.sub(p, rest)).collect();
        let by_energy = self.rates_of(&momenta);
        if self.graph.operations(&by_energy) < graph.operations(&by_mass) {
            return by_energy;
        }
        self.graph = graph;
        by_mass
    }

    /// M v
    fn mass_times_velocity(&mut self, mass: &Sparse) -> Vec<Node> {
        let mut momenta = vec![self.graph.constant(0.0); self.symbols.v.len()];
        let mut share = |row: usize, col: usize, entry: Node| {
            let v = self.graph.symbol(self.symbols.v[col]);
            let product = self.graph.mul(entry, v);
            momenta[row] = self.graph.add(momenta[row], product);
        };
        for &(row, col, entry) in &mass.entries {
            share(row, col, entry);
            if row != col {
                share(col, row, entry);
            }
        }
        momenta
    }

    /// The rates of values along the motion at constant v.
    fn rates_of(&mut self, values: &[Node]) -> Vec<Node> {
        let motion = self.motion(false);
        let mut rates = self.graph.jvp(values, &motion);
        self.graph.expand(&mut rates);
        rates
    }
}
