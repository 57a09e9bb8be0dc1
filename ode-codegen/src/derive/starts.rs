//! How a run begins: starting values, and exact conditions with their Jacobians.

use crate::expr::{Node, Symbol};
use crate::model::Level;

use super::mechanics::{Kind, Mechanics};
use super::sparse::Rows;

/// `init` and `guess`.
pub struct Starts {
    /// residuals of exact position conditions and ∂/∂q
    pub position: Rows,
    /// residuals of exact velocity conditions and ∂/∂v
    pub velocity: Rows,
    /// starting values of q, v and z
    pub values: [Vec<Node>; 3],
}

impl Mechanics<'_> {
    /// All of it.
    pub(super) fn starts(&mut self) -> Starts {
        let [position, velocity] = self.conditions();
        Starts {
            position: self.rows_along(position, &[Kind::Position]),
            velocity: self.rows_along(velocity, &[Kind::Velocity]),
            values: self.starting_values(),
        }
    }

    /// Residuals of the `init` items, by level.
    fn conditions(&self) -> [Vec<Node>; 2] {
        let mut rows = [Vec::new(), Vec::new()];
        for start in self.model.starts.iter().filter(|s| s.exact && s.level != Level::State) {
            let list = &mut rows[usize::from(start.level == Level::Velocity)];
            list.extend_from_slice(&start.rows);
        }
        rows
    }

    /// Starting values of q, v and z from `init` and `guess` of plain coordinates and states; zero elsewhere.
    fn starting_values(&mut self) -> [Vec<Node>; 3] {
        let zero = self.graph.constant(0.0);
        let mut origin = Vec::new();
        for block in &self.symbols.blocks {
            origin.extend(block.chart.origin().iter().map(|&x| self.graph.constant(x)));
        }
        let mut values = [origin, vec![zero; self.symbols.v.len()], vec![zero; self.symbols.z.len()]];
        // an exact value overrides a guess of the same state
        let (exact, guesses): (Vec<_>, Vec<_>) = self.model.starts.iter().partition(|s| s.exact);
        for start in guesses.into_iter().chain(exact) {
            for (&on, &value) in start.on.iter().zip(&start.value) {
                match (start.level, self.graph.as_symbol(on)) {
                    (Level::Position, Some(Symbol::Q(i))) => values[0][i as usize] = value,
                    (Level::Velocity, Some(Symbol::V(i))) => values[1][i as usize] = value,
                    (Level::State, Some(Symbol::Z(i))) => values[2][i as usize] = value,
                    _ => {}
                }
            }
        }
        values
    }
}
