//! M, f and r from energies and forces.

use crate::chart;
use crate::expr::{Node, Symbol};
use crate::model::Level;

use super::mechanics::{Kind, Mechanics};
use super::sparse::Sparse;

/// The equations of motion. In models of first order D replaces M, and there are no momenta.
pub struct Dynamics {
    /// lower triangle of M
    pub mass: Sparse,
    /// M depends on parameters alone
    pub constant_mass: bool,
    /// f, nv
    pub force: Vec<Node>,
    /// r, nv
    pub residual: Vec<Node>,
}

impl Mechanics<'_> {
    /// M, f and r; in models of first order D, f and r = D v − f − Gᵀ λ.
    pub(super) fn dynamics(&mut self) -> Dynamics {
        if self.first_order() {
            return self.first_order_dynamics();
        }
        let inertia = self.smaller_inertia();
        let [loaded, free] = inertia.rows;
        let mut residual = self.balance(loaded, true, inertia.weighed);
        self.graph.expand(&mut residual);
        let free = self.balance(free, false, inertia.weighed);
        let mut force: Vec<Node> = free.into_iter().map(|n| self.graph.neg(n)).collect();
        self.graph.expand(&mut force);
        let mass = self.mass(&force);
        Dynamics { constant_mass: self.is_constant(&mass), mass, force, residual }
    }

    /// Does M depend on parameters alone?
    fn is_constant(&self, mass: &Sparse) -> bool {
        let moves = |s| matches!(s, Symbol::Q(_) | Symbol::V(_) | Symbol::Mode(_) | Symbol::Time);
        !self.graph.any_depends(&mass.values(), moves)
    }

    fn first_order_dynamics(&mut self) -> Dynamics {
        let nothing = vec![self.graph.constant(0.0); self.symbols.v.len()];
        let mut residual = self.balance(nothing.clone(), true, false);
        self.graph.expand(&mut residual);
        let moves = |s| matches!(s, Symbol::V(_));
        let free = self.balance(nothing, false, false);
        let free = self.graph.at_zero(&free, moves);
        let mut force: Vec<Node> = free.into_iter().map(|n| self.graph.neg(n)).collect();
        self.graph.expand(&mut force);
        let dissipation = self.total(|m| &m.energies.dissipation);
        let entries = self.second_derivatives(dissipation);
        let mut mass = self.finished(entries);
        let values = self.graph.at_zero(&mass.values(), moves);
        for (entry, value) in mass.entries.iter_mut().zip(values) {
            entry.2 = value;
        }
        Dynamics { constant_mass: self.is_constant(&mass), mass, force, residual }
    }

    /// r with its accelerations and multipliers (`loaded`), or −f without. If the inertia of bodies includes their
    /// weight (`weighed`), they have no potential here.
    fn balance(&mut self, inertia: Vec<Node>, loaded: bool, weighed: bool) -> Vec<Node> {
        let first_order = self.first_order();
        let q = self.along(&[Kind::Position]);
        let (held, rolling) = self.reactions(loaded);
        let g = &mut self.graph;
        let one = g.constant(1.0);
        let minus = g.constant(-1.0);
        let weight = |k: usize| weighed && self.model.space.bodies.iter().any(|b| b.weight == Some(k));
        let potentials = self.model.energies.potential.iter().enumerate().filter(|(k, _)| !weight(*k));
        let mut work: Vec<(Node, Node)> = potentials.map(|(_, e)| (e.value, minus)).collect();
        let mut turning = Vec::new();
        for force in &self.model.forces {
            let list = if force.level == Level::Position { &mut work } else { &mut turning };
            list.extend(force.on.iter().copied().zip(force.value.iter().copied()));
        }
        work.extend(held);
        // one reverse sweep gathers all generalised forces
        let gathered = chart::pull_back(g, &work, &q);
        let mut dissipation: Vec<(Node, Node)> =
            self.model.energies.dissipation.iter().map(|e| (e.value, one)).collect();
        for (rate, force) in turning.into_iter().chain(rolling) {
            dissipation.push((rate, g.neg(force)));
        }
        let drag = g.vjp(&dissipation, &self.symbols.v);
        let mut rows: Vec<Node> = (0..inertia.len())
            .map(|i| {
                let inertia = g.add(inertia[i], drag[i]);
                g.sub(inertia, gathered[i])
            })
            .collect();
        if loaded {
            for entry in &self.model.mass {
                let rates = if first_order { &self.symbols.v } else { &self.symbols.a };
                let rate = g.symbol(rates[entry.col]);
                let share = g.mul(entry.value, rate);
                rows[entry.row] = g.add(rows[entry.row], share);
            }
        }
        rows
    }
}
