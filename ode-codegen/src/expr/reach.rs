//! The nodes that some outputs depend on.

use super::external::Arguments;
use super::graph::{Node, Op};

/// Nodes of a graph, a bit for each: most calls reach a small part of it.
pub(super) struct Marks(Vec<u64>);

impl Marks {
    /// What `outputs` depend on, themselves included.
    pub(super) fn of<'a>(ops: &'a [Op], outputs: &[Node], listed: impl Fn(Arguments) -> &'a [Node]) -> Self {
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
                match ops[word * 64 + bit as usize] {
                    Op::Constant(_) | Op::Symbol(_) => {}
                    Op::Unary(_, a) | Op::Not(a) => mark(marks, a),
                    Op::Binary(_, a, b) | Op::Less(a, b) | Op::LessEq(a, b) | Op::And(a, b) | Op::Or(a, b) => {
                        mark(marks, a);
                        mark(marks, b);
                    }
                    Op::Select(c, a, b) => {
                        mark(marks, c);
                        mark(marks, a);
                        mark(marks, b);
                    }
                    Op::Call(_, arguments) => listed(arguments).iter().for_each(|&a| mark(marks, a)),
                }
            }
        }
        Self(words)
    }

    /// The nodes, ascending.
    pub(super) fn nodes(&self) -> Vec<Node> {
        let words: &[u64] = &self.0;
        let mut nodes = Vec::new();
        let mut word = 0;
        while word < words.len() {
            let mut left = words[word];
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
