//! The operands of a node.

use super::graph::{Graph, Node, Op};

/// The operands of a node, in order. An iterator of its own: those of the standard library put together take longer
/// where nothing is optimised.
#[derive(Clone, Debug)]
pub struct Operands<'a> {
    own: [Node; 3],
    listed: Option<&'a [Node]>,
    len: usize,
    next: usize,
}

impl<'a> Operands<'a> {
    /// The first few of three.
    pub(super) fn own(own: [Node; 3], len: usize) -> Self {
        Self { own, listed: None, len, next: 0 }
    }

    /// Those of a list.
    pub(super) fn listed(list: &'a [Node]) -> Self {
        Self { own: [Node(0); 3], listed: Some(list), len: list.len(), next: 0 }
    }
}

impl Iterator for Operands<'_> {
    type Item = Node;

    fn next(&mut self) -> Option<Node> {
        let k = self.next;
        if k == self.len {
            return None;
        }
        self.next = k + 1;
        match self.listed {
            Some(list) => Some(list[k]),
            None => Some(self.own[k]),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.len - self.next, Some(self.len - self.next))
    }
}

impl Graph {
    /// Shows each operand of a node, in order. Where nothing is optimised this takes half of the time of
    /// [`Graph::operands`].
    pub(crate) fn each_operand(&self, node: Node, mut see: impl FnMut(Node)) {
        match self.op(node) {
            Op::Constant(_) | Op::Symbol(_) => {}
            Op::Unary(_, a) | Op::Not(a) => see(a),
            Op::Binary(_, a, b) | Op::Less(a, b) | Op::LessEq(a, b) | Op::And(a, b) | Op::Or(a, b) => {
                see(a);
                see(b);
            }
            Op::Select(c, a, b) => {
                see(c);
                see(a);
                see(b);
            }
            Op::Call(_, arguments) => self.arguments(arguments).iter().for_each(|&argument| see(argument)),
        }
    }

    /// Shows each operand of a node, the last one first.
    pub(crate) fn each_operand_back(&self, node: Node, mut see: impl FnMut(Node)) {
        match self.op(node) {
            Op::Constant(_) | Op::Symbol(_) => {}
            Op::Unary(_, a) | Op::Not(a) => see(a),
            Op::Binary(_, a, b) | Op::Less(a, b) | Op::LessEq(a, b) | Op::And(a, b) | Op::Or(a, b) => {
                see(b);
                see(a);
            }
            Op::Select(c, a, b) => {
                see(b);
                see(a);
                see(c);
            }
            Op::Call(_, arguments) => self.arguments(arguments).iter().rev().for_each(|&argument| see(argument)),
        }
    }
}
