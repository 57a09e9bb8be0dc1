//! The nodes that some outputs need, kept while outputs change one by one.

use super::graph::{Graph, Node};

/// How often each node is an output or an operand of what the outputs need.
pub(super) struct Uses {
    counts: Vec<u32>,
    operations: usize,
}

impl Uses {
    /// Those of all outputs together.
    pub(super) fn of(graph: &Graph, outputs: &[Node]) -> Self {
        let mut uses = Uses { counts: vec![0; graph.len()], operations: 0 };
        for &output in outputs {
            uses.add(graph, output);
        }
        uses
    }

    /// Number of operations that the outputs need together.
    pub(super) fn operations(&self) -> usize {
        self.operations
    }

    /// One more output.
    pub(super) fn add(&mut self, graph: &Graph, output: Node) {
        self.counts.resize(graph.len(), 0);
        let mut used = vec![output];
        while let Some(node) = used.pop() {
            let count = &mut self.counts[node.index()];
            *count += 1;
            if *count == 1 {
                self.operations += usize::from(graph.op(node).is_operation());
                used.extend(graph.operands(node));
            }
        }
    }

    /// One output less, which was added before.
    pub(super) fn remove(&mut self, graph: &Graph, output: Node) {
        let mut unused = vec![output];
        while let Some(node) = unused.pop() {
            let count = &mut self.counts[node.index()];
            *count -= 1;
            if *count == 0 {
                self.operations -= usize::from(graph.op(node).is_operation());
                unused.extend(graph.operands(node));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::{Function, Symbol};

    #[test]
    fn what_is_added_and_removed_counts_as_if_counted_anew() {
        let mut g = Graph::new();
        let [x, y] = [0, 1].map(|i| g.symbol(Symbol::Q(i)));
        let (s, p) = (g.apply(Function::Sin, &[x]), g.mul(x, y));
        let (a, b) = (g.add(s, p), g.mul(s, p));
        let mut uses = Uses::of(&g, &[a, b, a]);
        assert_eq!(uses.operations(), g.operations(&[a, b]));
        uses.remove(&g, a);
        assert_eq!(uses.operations(), g.operations(&[a, b]));
        uses.remove(&g, a);
        assert_eq!(uses.operations(), g.operations(&[b]));
        let c = g.mul(b, x);
        uses.add(&g, c);
        uses.remove(&g, b);
        assert_eq!(uses.operations(), g.operations(&[c]));
        uses.remove(&g, c);
        assert_eq!(uses.operations(), 0);
    }
}
