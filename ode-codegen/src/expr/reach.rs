//! The nodes that some outputs depend on.

use super::graph::{Graph, Node};

impl Graph {
    /// The nodes some of `outputs` depend on (themselves included), ascending.
    pub fn reach(&self, outputs: &[Node]) -> Vec<Node> {
        // a bit for each node: most calls reach a small part of the graph
        let last = outputs.iter().max().map_or(0, |last| last.index() + 1);
        let mut words = vec![0; last.div_ceil(64)];
        let marks: &mut [u64] = &mut words;
        outputs.iter().for_each(|&node| mark(marks, node));
        // operands stand before what reads them
        let mut word = marks.len();
        while word > 0 {
            word -= 1;
            let mut below = u64::MAX;
            while marks[word] & below != 0 {
                let bit = 63 - (marks[word] & below).leading_zeros();
                below = (1 << bit) - 1;
                self.each_operand(Node(word as u32 * 64 + bit), |operand| mark(marks, operand));
            }
        }
        let mut count = 0;
        while word < marks.len() {
            count += marks[word].count_ones() as usize;
            word += 1;
        }
        let mut nodes = Vec::with_capacity(count);
        word = 0;
        while word < marks.len() {
            let mut left = marks[word];
            while left != 0 {
                nodes.push(Node(word as u32 * 64 + left.trailing_zeros()));
                left &= left - 1;
            }
            word += 1;
        }
        nodes
    }
}

fn mark(marks: &mut [u64], node: Node) {
    marks[node.0 as usize / 64] |= 1 << (node.0 % 64);
}
