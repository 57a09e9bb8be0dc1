//! What a model says beside its mechanics: starting values, bounds and requirements, scalar by scalar.

use crate::expr::{Node, Symbol};
use crate::model::{Level, Supply};

use super::mechanics::Mechanics;

impl Mechanics<'_> {
    /// Starting values of q, v and z from `init` and `guess` of plain coordinates and states; zero elsewhere.
    pub(super) fn starts(&mut self) -> [Vec<Node>; 3] {
        let zero = self.graph.constant(0.0);
        let mut origin = Vec::new();
        for block in &self.symbols.blocks {
            origin.extend(block.chart.origin().iter().map(|&x| self.graph.constant(x)));
        }
        let mut values = [origin, vec![zero; self.symbols.v.len()], vec![zero; self.symbols.z.len()]];
        // what is exact outlives a guess of the same state
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

    /// Bounds of inputs and of limits: lowest and highest of each scalar; infinite where the model says nothing.
    pub(super) fn bounds(&mut self) -> [Vec<Node>; 4] {
        let open = [f64::NEG_INFINITY, f64::INFINITY].map(|x| self.graph.constant(x));
        let spread = |ranges: Vec<(usize, Option<(Node, Node)>)>| -> [Vec<Node>; 2] {
            let mut sides = [Vec::new(), Vec::new()];
            for (n, range) in ranges {
                let (lo, hi) = range.unwrap_or((open[0], open[1]));
                sides[0].extend(std::iter::repeat_n(lo, n));
                sides[1].extend(std::iter::repeat_n(hi, n));
            }
            sides
        };
        let inputs = self.model.inputs.iter().map(|i| (i.declared.shape.len(), i.range)).collect();
        let limits = self.model.limits.iter().map(|l| (l.value.len(), l.range)).collect();
        let ([a, b], [c, d]) = (spread(inputs), spread(limits));
        [a, b, c, d]
    }

    /// Parameters that the model gives to its subs, in order.
    pub(super) fn given(&self) -> Vec<Node> {
        let all = self.model.subs.iter().flat_map(|s| s.elements.iter().flatten().flatten());
        let given = |source: &Supply| match source {
            Supply::Given(node) => Some(*node),
            Supply::Parameter(_) => None,
        };
        all.filter_map(given).collect()
    }

    /// One where a requirement holds, zero where not.
    pub(super) fn holds(&mut self) -> Vec<Node> {
        let (one, zero) = (self.graph.constant(1.0), self.graph.constant(0.0));
        let conditions: Vec<Node> = self.model.requires.iter().map(|r| r.condition).collect();
        conditions.into_iter().map(|c| self.graph.select(c, one, zero)).collect()
    }
}
