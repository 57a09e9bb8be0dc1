//! The derivatives of every row of the equations by everything a state, an input or a parameter may change.

use std::ops::RangeBounds;

use crate::chart::{self, Direction};
use crate::expr::{Node, Symbol};

use super::constraints::Constraints;
use super::mechanics::{Kind, Mechanics};
use super::sparse::{self, Sparse};

/// What the equations of a step may have as unknowns, and what else they depend on.
pub(super) const UNKNOWNS: &[Kind] =
    &[Kind::Position, Kind::Velocity, Kind::Acceleration, Kind::State, Kind::Multiplier];
pub(super) const BESIDE: &[Kind] = &[Kind::Input, Kind::Time];

/// Rows (r, ż − g, Φ, Φ̇, Φ̈). A compliant row is its law at all three levels, a row of velocities ψ, ψ and ψ̇; models
/// of first order have no accelerations, and Φ̇ in the place of Φ̈.
#[derive(Default)]
pub struct Partials {
    /// ∂/∂(q, v, a, z, λ, u, t)
    pub states: Sparse,
    /// ∂/∂p
    pub parameters: Sparse,
    /// wᵀ ∂/∂(q, v, a, z, λ, u, t) and wᵀ ∂/∂p, for a few times the cost of the rows
    pub pull_back: [Vec<Node>; 2],
}

impl Partials {
    /// Those of these rows by (q, v, a, z, λ, u, t), each with its place among all.
    pub fn in_rows(&self, rows: impl RangeBounds<usize>) -> Vec<(usize, Node)> {
        let all = self.states.entries.iter().enumerate();
        all.filter(|(_, (row, ..))| rows.contains(row)).map(|(place, &(.., node))| (place, node)).collect()
    }
}

impl Mechanics<'_> {
    /// All, from the rows (r, ż − g).
    pub(super) fn partials(&mut self, residual: &[Node], constraints: &Constraints) -> Partials {
        let [rates, accelerations] = &constraints.levels;
        let rows = [residual, &constraints.laws, rates, accelerations].concat();
        let states = [self.along(UNKNOWNS), self.along(BESIDE)].concat();
        let parameters = self.along(&[Kind::Parameter]);
        // a model with sets multiplies by the derivatives of its elements instead
        let pull_back =
            if self.model.header.element { Default::default() } else { self.covectors(&rows, &states, &parameters) };
        let mut states = sparse::jacobian_by_either(&mut self.graph, &rows, &states);
        self.mirror_inertia(&mut states);
        Partials { pull_back, states, parameters: sparse::jacobian(&mut self.graph, &rows, &parameters) }
    }

    /// wᵀ ∂(rows) along each direction.
    fn covectors(&mut self, rows: &[Node], states: &[Direction], parameters: &[Direction]) -> [Vec<Node>; 2] {
        let weighted: Vec<(Node, Node)> =
            rows.iter().enumerate().map(|(i, &row)| (row, self.graph.symbol(Symbol::Covector(i as u32)))).collect();
        let mut by_states = chart::pull_back(&mut self.graph, &weighted, &[states, parameters].concat());
        let by_parameters = by_states.split_off(states.len());
        [by_states, by_parameters]
    }

    /// ∂r/∂a is symmetric: what stands above its diagonal is what stands below, and evaluated once.
    fn mirror_inertia(&self, states: &mut Sparse) {
        let nv = self.symbols.v.len();
        let lower = states.clone();
        for (row, column, node) in &mut states.entries {
            if let Some(own) = column.checked_sub(2 * nv).filter(|own| *own < nv && *row < *own) {
                *node = lower.get(own, 2 * nv + *row).unwrap_or(*node);
            }
        }
    }
}
