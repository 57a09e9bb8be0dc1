//! Rewrites of sums: equal terms merge, and sin² + cos² is one.

use super::function::Function as F;
use super::graph::{Graph, Node, Op};

/// Products of more factors than this are not searched for sin² + cos².
const MAX_FACTORS: usize = 12;

impl Graph {
    /// c x + sign · d x = (c + sign · d) x
    pub(super) fn merge_terms(&mut self, a: Node, b: Node, sign: f64) -> Option<Node> {
        let (c, x) = self.term(a);
        let (d, y) = self.term(b);
        if x == y {
            return Some(self.scale(c + sign * d, x));
        }
        // one level into a sum: (x + c y) ± d y, and e (x + c y) ± d y
        self.merge_into(a, (d, y), 1.0, sign).or_else(|| self.merge_into(b, (c, x), sign, 1.0))
    }

    /// outer · sum + inner · d y, where y is a term of the sum.
    fn merge_into(&mut self, sum: Node, (d, y): (f64, Node), outer: f64, inner: f64) -> Option<Node> {
        let (common, sum) = self.coefficient(sum).unwrap_or((1.0, sum));
        let Op::Binary(f @ (F::Add | F::Sub), p, q) = self.op(sum) else { return None };
        let outer = outer * common;
        let second = if f == F::Add { 1.0 } else { -1.0 };
        let (cp, xp) = self.term(p);
        if xp == y {
            let merged = self.scale(outer * cp + inner * d, xp);
            let rest = self.scale(outer * second, q);
            return Some(self.add(merged, rest));
        }
        let (cq, xq) = self.term(q);
        if xq == y {
            let merged = self.scale(outer * second * cq + inner * d, xq);
            let rest = self.scale(outer, p);
            return Some(self.add(rest, merged));
        }
        None
    }

    fn term(&self, a: Node) -> (f64, Node) {
        match self.op(a) {
            Op::Unary(F::Neg, x) => {
                let (c, x) = self.term(x);
                (-c, x)
            }
            _ => self.coefficient(a).unwrap_or((1.0, a)),
        }
    }

    /// p sin²x + p cos²x = p, also where one of the two is the last term of a sum.
    pub(super) fn pythagoras(&mut self, a: Node, b: Node) -> Option<Node> {
        if !self.has_circles() {
            return None;
        }
        let (fa, fb) = (self.sorted_factors(a), self.sorted_factors(b));
        if let (Some(fa), Some(fb)) = (&fa, &fb)
            && let Some(sum) = self.pythagoras_pair(fa, fb)
        {
            return Some(sum);
        }
        for (sum, other) in [(a, fb), (b, fa)] {
            if let (Op::Binary(F::Add, p, q), Some(other)) = (self.op(sum), other) {
                for (x, rest) in [(p, q), (q, p)] {
                    if let Some(factors) = self.sorted_factors(x)
                        && let Some(one) = self.pythagoras_pair(&factors, &other)
                    {
                        return Some(self.add(rest, one));
                    }
                }
            }
        }
        None
    }

    fn pythagoras_pair(&mut self, fa: &[Node], fb: &[Node]) -> Option<Node> {
        if fa.len() != fb.len() {
            return None;
        }
        let only = |x: &[Node], y: &[Node]| -> Option<(Node, Vec<Node>)> {
            let (mut i, mut j, mut own, mut common) = (0, 0, Vec::new(), Vec::new());
            while i < x.len() {
                if j < y.len() && x[i] == y[j] {
                    common.push(x[i]);
                    i += 1;
                    j += 1;
                } else if j < y.len() && y[j] < x[i] {
                    j += 1;
                } else {
                    own.push(x[i]);
                    i += 1;
                }
            }
            (own.len() == 2 && own[0] == own[1]).then(|| (own[0], common))
        };
        let (x, common) = only(fa, fb)?;
        let (y, _) = only(fb, fa)?;
        match (self.op(x), self.op(y)) {
            (Op::Unary(F::Sin, p), Op::Unary(F::Cos, q)) | (Op::Unary(F::Cos, p), Op::Unary(F::Sin, q)) if p == q => {
                Some(self.product(&common))
            }
            _ => None,
        }
    }

    /// The product of a sorted list of factors, pairs as squares.
    fn product(&mut self, factors: &[Node]) -> Node {
        let mut product = self.constant(1.0);
        let mut i = 0;
        while i < factors.len() {
            let factor = if i + 1 < factors.len() && factors[i] == factors[i + 1] {
                i += 1;
                self.square(factors[i])
            } else {
                factors[i]
            };
            product = self.mul(product, factor);
            i += 1;
        }
        product
    }

    /// The factors of a product, squares as pairs; `None` of anything else, and where there are too many.
    fn sorted_factors(&self, a: Node) -> Option<Vec<Node>> {
        if !matches!(self.op(a), Op::Binary(F::Mul, ..) | Op::Unary(F::Square, _)) {
            return None;
        }
        let mut factors = Vec::new();
        self.factors(a, &mut factors).then(|| {
            factors.sort_unstable();
            factors
        })
    }

    /// The factors of a product, squares as pairs; false where there are too many.
    fn factors(&self, a: Node, into: &mut Vec<Node>) -> bool {
        if into.len() >= MAX_FACTORS {
            return false;
        }
        match self.op(a) {
            Op::Binary(F::Mul, x, y) => self.factors(x, into) && self.factors(y, into),
            Op::Unary(F::Square, x) => self.factors(x, into) && self.factors(x, into),
            _ => {
                into.push(a);
                true
            }
        }
    }
}
