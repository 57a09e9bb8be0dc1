//! Conditions and choices.

use super::graph::{Graph, Node, Op};

impl Graph {
    /// a < b
    pub fn less(&mut self, a: Node, b: Node) -> Node {
        self.intern(Op::Less(a, b))
    }
    /// a ≤ b
    pub fn less_eq(&mut self, a: Node, b: Node) -> Node {
        self.intern(Op::LessEq(a, b))
    }
    /// a && b
    pub fn and(&mut self, a: Node, b: Node) -> Node {
        self.intern(Op::And(a, b))
    }
    /// a || b
    pub fn or(&mut self, a: Node, b: Node) -> Node {
        self.intern(Op::Or(a, b))
    }
    /// !a
    pub fn not(&mut self, a: Node) -> Node {
        match self.op(a) {
            Op::Not(inner) => inner,
            _ => self.intern(Op::Not(a)),
        }
    }

    /// `if condition { then } else { otherwise }`
    pub fn select(&mut self, condition: Node, then: Node, otherwise: Node) -> Node {
        if then == otherwise {
            return then;
        }
        if let Op::Less(a, b) | Op::LessEq(a, b) = self.op(condition)
            && let (Some(x), Some(y)) = (self.value(a), self.value(b))
        {
            let holds = if matches!(self.op(condition), Op::Less(..)) { x < y } else { x <= y };
            return if holds { then } else { otherwise };
        }
        self.intern(Op::Select(condition, then, otherwise))
    }
}
