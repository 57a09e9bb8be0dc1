//! The choice of a derivation: among those that agree, the one with fewer operations.
//!
//! For the seven-joint arm of `examples/franka.rs`, with inertias as numbers: r has 768 operations, r with the weighted
//! tangent 4454, M and f 1147; r, K, D and M one by one 6639. CasADi's code needs 810 for r and 8345 for the last
//! (`ode-codegen/tests/arm.rs`, `benches/franka/`).

use crate::chart;
use crate::expr::{Graph, Node};

use super::inertia::{ROUND_OFF, agree, at_points};
use super::mechanics::{Kind, Mechanics};
use super::sparse::{self, Sparse};

/// Inertia terms: with accelerations, and without.
pub(super) struct Inertia {
    pub(super) rows: [Vec<Node>; 2],
    /// whether it includes the weight of bodies in space
    pub(super) weighed: bool,
}

type Entries = Vec<(usize, usize, Node)>;

impl Mechanics<'_> {
    /// Lagrange's equations for all energies, or Newton and Euler's for bodies in space and Lagrange's for the rest.
    pub(super) fn smaller_inertia(&mut self) -> Inertia {
        let before = self.graph.clone();
        let kinetic = self.total(|m| &m.energies.kinetic);
        let rows = self.inertia(kinetic);
        if self.model.space.bodies.is_empty() {
            return Inertia { rows, weighed: false };
        }
        let weights = self.weights();
        let own = [true, false].map(|loaded| self.body_by_body(loaded));
        let same = (0..2).all(|k| agree(&self.graph, &self.symbols.blocks, (&rows[k], &weights), &own[k]));
        let g = &mut self.graph;
        let lagrange: Vec<Node> = rows
            .iter()
            .flat_map(|rows| rows.iter().zip(&weights).map(|(&r, &w)| g.sub(r, w)).collect::<Vec<_>>())
            .collect();
        if !same || g.operations(&own.concat()) > g.operations(&lagrange) {
            return Inertia { rows, weighed: false };
        }
        // derive again without the nodes of the larger form
        self.graph = before;
        Inertia { rows: [true, false].map(|loaded| self.body_by_body(loaded)), weighed: true }
    }

    /// The weight of the bodies in space.
    fn weights(&mut self) -> Vec<Node> {
        let q = self.along(&[Kind::Position]);
        let minus = self.graph.constant(-1.0);
        let potential = &self.model.energies.potential;
        let work: Vec<(Node, Node)> =
            self.model.space.bodies.iter().filter_map(|b| Some((potential[b.weight?].value, minus))).collect();
        chart::pull_back(&mut self.graph, &work, &q)
    }

    /// Newton and Euler for bodies in space, Lagrange for the rest.
    fn body_by_body(&mut self, loaded: bool) -> Vec<Node> {
        let rest = self.rest();
        let [with, without] = self.inertia(rest);
        let rest = if loaded { with } else { without };
        let own = self.newton_euler(loaded);
        own.into_iter().zip(rest).map(|(a, b)| self.graph.add(a, b)).collect()
    }

    /// The kinetic energy of everything except bodies in space.
    fn rest(&mut self) -> Node {
        let own = |k: usize| self.model.space.bodies.iter().any(|b| b.kinetic == k);
        let energies = self.model.energies.kinetic.iter().enumerate();
        let values: Vec<Node> = energies.filter(|(k, _)| !own(*k)).map(|(_, e)| e.value).collect();
        self.graph.sum(values)
    }

    /// The lower triangle of M: ∂²T/∂v², or from composite bodies, whichever is cheaper together with the forces; plus
    /// the entries of `mass` items.
    pub(super) fn mass(&mut self, force: &[Node]) -> Sparse {
        let kinetic = self.total(|m| &m.energies.kinetic);
        if self.model.space.bodies.is_empty() {
            let entries = self.second_derivatives(kinetic);
            return self.finished(entries);
        }
        let before = self.graph.clone();
        let entries = self.second_derivatives(kinetic);
        let lagrange = self.finished(entries);
        let after = std::mem::replace(&mut self.graph, before);
        let rest = self.rest();
        let mut entries = self.second_derivatives(rest);
        entries.extend(self.composite_mass().into_iter().map(|((row, col), value)| (row, col, value)));
        let composite = self.finished(entries);
        let cost = |graph: &Graph, mass: &Sparse| graph.operations(&[mass.values(), force.to_vec()].concat());
        if cost(&self.graph, &composite) < cost(&after, &lagrange) && self.equal(&composite, &after, &lagrange) {
            return composite;
        }
        self.graph = after;
        lagrange
    }

    pub(super) fn second_derivatives(&mut self, kinetic: Node) -> Entries {
        let momenta = self.graph.gradient(kinetic, &self.symbols.v);
        let v = self.along(&[Kind::Velocity]);
        let full = sparse::jacobian(&mut self.graph, &momenta, &v);
        full.entries.into_iter().filter(|&(r, c, _)| r >= c).collect()
    }

    /// Adds entries with equal indices and those of `mass` items, and expands where that is shorter.
    pub(super) fn finished(&mut self, entries: Entries) -> Sparse {
        let nv = self.symbols.v.len();
        let items = self.model.mass.iter().filter(|e| e.row >= e.col).map(|e| (e.row, e.col, e.value));
        let mut lower: Entries = Vec::new();
        for (row, col, value) in entries.into_iter().chain(items) {
            match lower.iter_mut().find(|(r, c, _)| (*r, *c) == (row, col)) {
                Some((_, _, sum)) => *sum = self.graph.add(*sum, value),
                None => lower.push((row, col, value)),
            }
        }
        let mut values: Vec<Node> = lower.iter().map(|e| e.2).collect();
        self.graph.expand(&mut values);
        Sparse::new(&self.graph, nv, nv, lower.iter().zip(values).map(|(e, value)| (e.0, e.1, value)))
    }

    /// Whether a matrix of this graph equals one of another, at random points. Entries are measured relative to their
    /// diagonals.
    fn equal(&self, own: &Sparse, graph: &Graph, other: &Sparse) -> bool {
        let blocks = &self.symbols.blocks;
        let dense = |m: &Sparse, values: Vec<f64>| {
            let mut all = vec![0.0; m.rows * m.cols];
            for (&(r, c, _), value) in m.entries.iter().zip(values) {
                all[r * m.cols + c] = value;
            }
            all
        };
        let (a, b) = (at_points(&self.graph, blocks, &own.values()), at_points(graph, blocks, &other.values()));
        a.into_iter().zip(b).all(|(a, b)| {
            let (a, b, n) = (dense(own, a), dense(other, b), own.cols);
            let scale = |k: usize| (b[k / n * (n + 1)] * b[k % n * (n + 1)]).abs().sqrt();
            (0..a.len()).all(|k| (a[k] - b[k]).abs() <= ROUND_OFF * scale(k))
        })
    }
}
