//! The data of a model beside its mechanics, scalar by scalar: bounds, requirements, and parameters for its subs.

use crate::expr::Node;
use crate::model::Supply;

use super::mechanics::Mechanics;

/// Functions of parameters.
pub struct Data {
    /// lowest and highest of each input and of each limit
    pub bounds: [Vec<Node>; 4],
    /// one for each requirement: 1 where it holds
    pub holds: Vec<Node>,
    /// parameters given to subs, in the order of the subs
    pub given: Vec<Node>,
}

impl Mechanics<'_> {
    /// All of it.
    pub(super) fn data(&mut self) -> Data {
        Data { bounds: self.bounds(), holds: self.holds(), given: self.given() }
    }

    /// Bounds of inputs and of limits: lowest and highest of each scalar; infinite by default.
    fn bounds(&mut self) -> [Vec<Node>; 4] {
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
        let inputs = self.model.declared.inputs.iter().map(|i| (i.declared.shape.len(), i.range)).collect();
        let limits = self.model.observed.limits.iter().map(|l| (l.value.len(), l.range)).collect();
        let ([a, b], [c, d]) = (spread(inputs), spread(limits));
        [a, b, c, d]
    }

    /// Parameters that the model gives to its subs, in order.
    fn given(&self) -> Vec<Node> {
        let all = self.model.declared.subs.iter().flat_map(|s| s.elements.iter().flatten().flatten());
        let given = |source: &Supply| match source {
            Supply::Given(node) => Some(*node),
            Supply::Parameter(_) => None,
        };
        all.filter_map(given).collect()
    }

    /// One where a requirement holds, zero where not.
    fn holds(&mut self) -> Vec<Node> {
        let (one, zero) = (self.graph.constant(1.0), self.graph.constant(0.0));
        let conditions: Vec<Node> = self.model.requires.iter().map(|r| r.condition).collect();
        conditions.into_iter().map(|c| self.graph.select(c, one, zero)).collect()
    }
}
