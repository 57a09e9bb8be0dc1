//! How a run begins: starting values, and exact conditions with their Jacobians.

use crate::expr::{Node, Symbol};
use crate::model::Level;

use super::changes::Changed;
use super::mechanics::{Kind, Mechanics};
use super::sparse::{Rows, Sparse, by_rows};

/// `init` and `guess`.
pub struct Starts {
    /// residuals of exact position conditions and ∂/∂q
    pub position: Rows,
    /// residuals of exact velocity conditions and ∂/∂v
    pub velocity: Rows,
    /// starting values of q, v and z
    pub values: [Vec<Node>; 3],
    /// the entries of q, v and z that have one
    pub given: [Vec<usize>; 3],
    /// those that have an exact one
    pub exact: [Vec<usize>; 3],
}

/// What conditions and starting values vary by.
///
/// Rows are the position conditions, the nonzeros of their Jacobian, the velocity conditions and the nonzeros of
/// theirs; by parameters also the starting values of q (in tangent coordinates), v and z.
pub struct StartPartials {
    /// ∂/∂(q, v, t)
    pub states: Sparse,
    /// ∂/∂p
    pub parameters: Sparse,
}

impl Mechanics<'_> {
    /// The derivatives of conditions and starting values.
    pub(super) fn start_partials(&mut self, starts: &Starts) -> StartPartials {
        let nv = self.symbols.v.len();
        let levels = [&starts.position, &starts.velocity];
        let rows: Vec<Node> =
            levels.iter().flat_map(|of| of.values.iter().copied().chain(of.jacobian.values())).collect();
        let count = rows.len();
        let along = self.along(&[Kind::Position, Kind::Velocity, Kind::Time]);
        let entries = by_rows(&mut self.graph, &rows, &along);
        let states = Sparse::new(&self.graph, count, along.len(), entries);
        let along = self.along(&[Kind::Parameter]);
        let mut entries = by_rows(&mut self.graph, &rows, &along);
        let [q, v, z] = &starts.values;
        let number = |kind: fn(u32) -> Symbol| move |(i, &node): (usize, &Node)| (kind(i as u32), node);
        let values: Vec<(Symbol, Node)> = (q.iter().enumerate().map(number(Symbol::Q)))
            .chain(v.iter().enumerate().map(number(Symbol::V)))
            .chain(z.iter().enumerate().map(number(Symbol::Z)))
            .collect();
        let changes = self.changes(&values);
        let (changed, own) = self.varied(&changes, &along, 0);
        entries.extend(own.into_iter().filter_map(|(row, column, node)| {
            let place = match changed[row] {
                Changed::Position(i) => i,
                Changed::Velocity(i) => nv + i,
                Changed::State(i) => 2 * nv + i,
                Changed::Mode(_) => return None,
            };
            Some((count + place, column, node))
        }));
        let parameters = Sparse::new(&self.graph, count + 2 * nv + z.len(), along.len(), entries);
        StartPartials { states, parameters }
    }

    /// All of it.
    pub(super) fn starts(&mut self) -> Starts {
        let [position, velocity] = self.conditions();
        Starts {
            position: self.rows_along(position, &[Kind::Position]),
            velocity: self.rows_along(velocity, &[Kind::Velocity]),
            values: self.starting_values(),
            given: self.spoken_of(false),
            exact: self.spoken_of(true),
        }
    }

    /// The entries of q, v and z that starts, or only exact ones, speak of.
    fn spoken_of(&self, exact: bool) -> [Vec<usize>; 3] {
        let mut given = [Vec::new(), Vec::new(), Vec::new()];
        for start in self.model.starts.iter().filter(|start| start.exact || !exact) {
            for &on in &start.on {
                match (start.level, self.graph.as_symbol(on)) {
                    (Level::Position, Some(Symbol::Q(i))) => given[0].push(i as usize),
                    (Level::Velocity, Some(Symbol::V(i))) => given[1].push(i as usize),
                    (Level::State, Some(Symbol::Z(i))) => given[2].push(i as usize),
                    _ => {}
                }
            }
        }
        given
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

    /// Starting values of q, v and z from `init` and `guess` of plain coordinates and states; zero elsewhere. Where one
    /// depends on time it is that at zero: there a search begins, and what is exact is solved for.
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
        values.map(|all| self.graph.at_zero(&all, |symbol| symbol == Symbol::Time))
    }
}
