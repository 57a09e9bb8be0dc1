//! The constructors of expressions, each with the few rewrites that pay: constants fold, signs and coefficients move
//! outward, equal terms merge, a difference is recognised with either sign, and sin² + cos² is one. Sharing does the
//! rest.

use super::function::Function as F;
use super::graph::{Graph, Node, Op};

impl Graph {
    /// A primitive applied to its arguments, simplified.
    pub fn apply(&mut self, function: F, args: &[Node]) -> Node {
        let a = args[0];
        let b = args.get(1).copied().unwrap_or(a);
        match function {
            F::Neg => self.neg(a),
            F::Add => self.add(a, b),
            F::Sub => self.sub(a, b),
            F::Mul => self.mul(a, b),
            F::Recip => self.recip(a),
            F::Square => self.square(a),
            _ => self.call(function, a, b),
        }
    }

    fn call(&mut self, function: F, a: Node, b: Node) -> Node {
        let rule = function.rule();
        if let (Some(x), Some(y)) = (self.value(a), self.value(b)) {
            let value = (rule.value)(x, y);
            if value.is_finite() {
                return self.constant(value);
            }
        }
        match (function, self.op(a)) {
            // odd and even functions take no sign inside
            (F::Sin | F::Tan | F::Asin | F::Atan | F::Sinh | F::Tanh, Op::Unary(F::Neg, inner)) => {
                let y = self.call(function, inner, inner);
                return self.neg(y);
            }
            (F::Cos | F::Cosh, Op::Unary(F::Neg, inner)) => return self.call(function, inner, inner),
            _ => {}
        }
        match rule.arity {
            1 => self.intern(Op::Unary(function, a)),
            _ => self.intern(Op::Binary(function, a, b)),
        }
    }

    /// −a
    pub fn neg(&mut self, a: Node) -> Node {
        match self.op(a) {
            Op::Constant(bits) => self.constant(-f64::from_bits(bits)),
            Op::Unary(F::Neg, inner) => inner,
            Op::Binary(F::Sub, x, y) => self.sub(y, x),
            Op::Binary(F::Mul, c, x) if self.value(c).is_some() => {
                let c = self.neg(c);
                self.mul(c, x)
            }
            _ => self.intern(Op::Unary(F::Neg, a)),
        }
    }

    /// a + b
    pub fn add(&mut self, a: Node, b: Node) -> Node {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        match (self.value(a), self.value(b)) {
            (Some(x), Some(y)) => return self.constant(x + y),
            (Some(0.0), _) => return b,
            (_, Some(0.0)) => return a,
            _ => {}
        }
        match (self.op(a), self.op(b)) {
            (Op::Unary(F::Neg, x), Op::Unary(F::Neg, y)) => {
                let s = self.add(x, y);
                return self.neg(s);
            }
            (_, Op::Unary(F::Neg, y)) => return self.sub(a, y),
            (Op::Unary(F::Neg, x), _) => return self.sub(b, x),
            // (x − y) + y
            (Op::Binary(F::Sub, x, y), _) if y == b => return x,
            (_, Op::Binary(F::Sub, x, y)) if y == a => return x,
            _ => {}
        }
        if let Some(sum) = self.merge_terms(a, b, 1.0) {
            return sum;
        }
        if let Some(sum) = self.pythagoras(a, b) {
            return sum;
        }
        // a negative coefficient reads and costs less as a difference
        if let Some((c, y)) = self.negative_coefficient(b) {
            let positive = self.scale(-c, y);
            return self.sub(a, positive);
        }
        if let Some((c, x)) = self.negative_coefficient(a) {
            let positive = self.scale(-c, x);
            return self.sub(b, positive);
        }
        if let Some((c, x, y)) = self.common_coefficient(a, b) {
            let sum = self.add(x, y);
            return self.scale(c, sum);
        }
        // a constant stays outermost, where the next constant finds it
        if let (Some(c), Op::Binary(F::Add, x, y)) = (self.value(a), self.op(b))
            && let Some(d) = self.value(x)
        {
            let sum = self.constant(c + d);
            return self.add(sum, y);
        }
        self.intern(Op::Binary(F::Add, a, b))
    }

    /// a − b
    pub fn sub(&mut self, a: Node, b: Node) -> Node {
        if a == b {
            return self.constant(0.0);
        }
        match (self.value(a), self.value(b)) {
            (Some(x), Some(y)) => return self.constant(x - y),
            (Some(0.0), _) => return self.neg(b),
            (_, Some(0.0)) => return a,
            (None, Some(y)) if y < 0.0 => {
                let y = self.constant(-y);
                return self.add(a, y);
            }
            _ => {}
        }
        match (self.op(a), self.op(b)) {
            (_, Op::Unary(F::Neg, y)) => return self.add(a, y),
            (Op::Unary(F::Neg, x), _) => {
                let s = self.add(x, b);
                return self.neg(s);
            }
            // (x + y) − y, and x − (x − y), x − (x + y)
            (Op::Binary(F::Add, x, y), _) if y == b => return x,
            (Op::Binary(F::Add, x, y), _) if x == b => return y,
            (_, Op::Binary(F::Sub, x, y)) if x == a => return y,
            (_, Op::Binary(F::Add, x, y)) if x == a => return self.neg(y),
            (_, Op::Binary(F::Add, x, y)) if y == a => return self.neg(x),
            _ => {}
        }
        if let Some(difference) = self.merge_terms(a, b, -1.0) {
            return difference;
        }
        if let Some((c, y)) = self.negative_coefficient(b) {
            let positive = self.scale(-c, y);
            return self.add(a, positive);
        }
        if let Some((c, x, y)) = self.common_coefficient(a, b) {
            let difference = self.sub(x, y);
            return self.scale(c, difference);
        }
        // the same difference under the other sign
        if let Some(found) = self.find(Op::Binary(F::Sub, b, a)) {
            return self.intern(Op::Unary(F::Neg, found));
        }
        self.intern(Op::Binary(F::Sub, a, b))
    }

    /// a b
    pub fn mul(&mut self, a: Node, b: Node) -> Node {
        if a == b {
            return self.square(a);
        }
        match (self.value(a), self.value(b)) {
            (Some(x), Some(y)) => return self.constant(x * y),
            (Some(x), None) => return self.scale(x, b),
            (None, Some(y)) => return self.scale(y, a),
            _ => {}
        }
        // signs and coefficients move outward
        if let Op::Unary(F::Neg, x) = self.op(a) {
            let p = self.mul(x, b);
            return self.neg(p);
        }
        if let Op::Unary(F::Neg, y) = self.op(b) {
            let p = self.mul(a, y);
            return self.neg(p);
        }
        if let Some((c, x)) = self.coefficient(a) {
            let p = self.mul(x, b);
            return self.scale(c, p);
        }
        if let Some((c, y)) = self.coefficient(b) {
            let p = self.mul(a, y);
            return self.scale(c, p);
        }
        if let Some(one) = self.cancel(a, b).or_else(|| self.cancel(b, a)) {
            return one;
        }
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        self.intern(Op::Binary(F::Mul, a, b))
    }

    /// x · (1/x), x y · (1/x), root(s)·root(s) was squared before.
    fn cancel(&mut self, a: Node, b: Node) -> Option<Node> {
        let Op::Unary(F::Recip, x) = self.op(b) else { return None };
        if x == a {
            return Some(self.constant(1.0));
        }
        match self.op(a) {
            Op::Binary(F::Mul, p, q) if p == x => Some(q),
            Op::Binary(F::Mul, p, q) if q == x => Some(p),
            Op::Unary(F::Square, p) if p == x => Some(p),
            _ => None,
        }
    }

    /// c a
    pub fn scale(&mut self, c: f64, a: Node) -> Node {
        if let Some(x) = self.value(a) {
            return self.constant(c * x);
        }
        if c == 0.0 {
            return self.constant(0.0);
        }
        if c == 1.0 {
            return a;
        }
        if c == -1.0 {
            return self.neg(a);
        }
        match self.op(a) {
            Op::Unary(F::Neg, x) => self.scale(-c, x),
            _ => match self.coefficient(a) {
                Some((d, x)) => self.scale(c * d, x),
                None => {
                    let c = self.constant(c);
                    self.intern(Op::Binary(F::Mul, c, a))
                }
            },
        }
    }

    /// a / b
    pub fn div(&mut self, a: Node, b: Node) -> Node {
        if a == b {
            return self.constant(1.0);
        }
        if let (Some(x), Some(y)) = (self.value(a), self.value(b))
            && y != 0.0
        {
            return self.constant(x / y);
        }
        let r = self.recip(b);
        self.mul(a, r)
    }

    /// 1 / a
    pub fn recip(&mut self, a: Node) -> Node {
        match self.op(a) {
            Op::Constant(bits) if f64::from_bits(bits) != 0.0 => self.constant(f64::from_bits(bits).recip()),
            Op::Unary(F::Recip, x) => x,
            Op::Unary(F::Neg, x) => {
                let r = self.recip(x);
                self.neg(r)
            }
            _ => match self.coefficient(a) {
                Some((c, x)) => {
                    let r = self.recip(x);
                    self.scale(c.recip(), r)
                }
                None => self.intern(Op::Unary(F::Recip, a)),
            },
        }
    }

    /// a²
    pub fn square(&mut self, a: Node) -> Node {
        match self.op(a) {
            Op::Constant(bits) => {
                let x = f64::from_bits(bits);
                self.constant(x * x)
            }
            Op::Unary(F::Neg, x) => self.square(x),
            // the square of a length is smooth, and needs no guard
            Op::Unary(F::Root | F::Sqrt, x) => x,
            _ => match self.coefficient(a) {
                Some((c, x)) => {
                    let s = self.square(x);
                    self.scale(c * c, s)
                }
                None => self.intern(Op::Unary(F::Square, a)),
            },
        }
    }

    /// aⁿ by repeated squaring
    pub fn powi(&mut self, a: Node, n: i32) -> Node {
        match n {
            0 => self.constant(1.0),
            1 => a,
            2 => self.square(a),
            n if n < 0 => {
                let p = self.powi(a, n.saturating_neg());
                self.recip(p)
            }
            n => {
                let half = self.powi(a, n / 2);
                let even = self.square(half);
                if n % 2 == 0 { even } else { self.mul(even, a) }
            }
        }
    }

    /// Σ terms
    pub fn sum(&mut self, terms: impl IntoIterator<Item = Node>) -> Node {
        let zero = self.constant(0.0);
        terms.into_iter().fold(zero, |sum, term| self.add(sum, term))
    }

    /// c and x of c·x, where c is a number other than a bare sign.
    pub(super) fn coefficient(&self, a: Node) -> Option<(f64, Node)> {
        match self.op(a) {
            Op::Binary(F::Mul, c, x) => self.value(c).map(|c| (c, x)),
            _ => None,
        }
    }

    /// c, x and y of c·x and c·y.
    fn common_coefficient(&self, a: Node, b: Node) -> Option<(f64, Node, Node)> {
        let ((c, x), (d, y)) = (self.coefficient(a)?, self.coefficient(b)?);
        (c == d).then_some((c, x, y))
    }

    fn negative_coefficient(&self, a: Node) -> Option<(f64, Node)> {
        self.coefficient(a).filter(|(c, _)| *c < 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Symbol;

    fn symbols(g: &mut Graph) -> [Node; 3] {
        [0, 1, 2].map(|i| g.symbol(Symbol::P(i)))
    }

    #[test]
    fn sine_and_cosine_squared_are_one() {
        let mut g = Graph::new();
        let [l, m, x] = symbols(&mut g);
        let (s, c) = (g.apply(F::Sin, &[x]), g.apply(F::Cos, &[x]));
        let (ls, lc) = (g.mul(l, s), g.mul(l, c));
        let (a, b) = (g.square(ls), g.square(lc));
        let sum = g.add(a, b);
        assert_eq!(sum, g.square(l));
        // spread over a longer sum
        let first = g.add(m, a);
        let sum = g.add(first, b);
        let ll = g.square(l);
        assert_eq!(sum, g.add(m, ll));
    }

    #[test]
    fn a_difference_is_found_under_either_sign() {
        let mut g = Graph::new();
        let [a, b, _] = symbols(&mut g);
        let d = g.sub(a, b);
        let e = g.sub(b, a);
        assert_eq!(e, g.neg(d));
        assert_eq!(g.square(d), g.square(e));
    }

    #[test]
    fn terms_merge() {
        let mut g = Graph::new();
        let [a, b, _] = symbols(&mut g);
        let twice = g.add(a, a);
        let thrice = g.add(twice, a);
        assert_eq!(thrice, g.scale(3.0, a));
        let sum = g.add(a, b);
        let less = g.sub(sum, a);
        assert_eq!(less, b);
        let left = g.scale(0.5, a);
        let left = g.add(left, left);
        assert_eq!(left, a);
        // under a common coefficient as well
        let (twice_a, twice_b) = (g.scale(2.0, a), g.scale(2.0, b));
        let both = g.add(twice_a, twice_b);
        let sum = g.add(a, b);
        assert_eq!(both, g.scale(2.0, sum));
        let more = g.scale(3.0, a);
        let five = g.add(both, more);
        let expected = g.scale(5.0, a);
        assert_eq!(five, g.add(expected, twice_b));
        assert_eq!(g.sub(both, twice_b), twice_a);
    }

    #[test]
    fn the_square_of_a_length_needs_no_root() {
        let mut g = Graph::new();
        let [a, b, _] = symbols(&mut g);
        let (aa, bb) = (g.square(a), g.square(b));
        let s = g.add(aa, bb);
        let n = g.apply(F::Root, &[s]);
        assert_eq!(g.powi(n, 2), s);
        let n4 = g.powi(n, 4);
        assert_eq!(n4, g.square(s));
    }
}
