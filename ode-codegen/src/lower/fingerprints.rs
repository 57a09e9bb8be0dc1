//! Expressions that are equal by the laws of rings, whatever their form: `a (b + c)` and `a b + a c`. Divisions do not
//! cancel: `b (a / b)` has no value where b is zero.
//!
//! Each is evaluated at one point in the integers modulo a prime of 61 bits, without rounding. Different polynomials
//! of degree d agree there with a probability of d/2⁶¹. Other functions have values by chance, the same for the same
//! arguments. The prime is a safe one, twice another and 1 more, so that no two powers of 2 of a `f64` are equal.

use std::collections::HashMap;
use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;

use crate::expr::{Function as F, Graph, Node, Op};

const PRIME: u64 = (1 << 61) - 2373;

/// The values of a graph's nodes, and the first node of each.
#[derive(Default)]
pub(super) struct Fingerprints {
    values: Vec<u64>,
    first: HashMap<u64, Node>,
}

impl Fingerprints {
    /// The first node that is equal to this one, or opposite.
    pub(super) fn first(&mut self, graph: &Graph, node: Node) -> (Node, bool) {
        for i in self.values.len()..=node.index() {
            let value = self.value(graph, Node(i as u32));
            self.values.push(value);
        }
        let value = self.values[node.index()];
        match self.first.get(&negative(value)) {
            Some(&opposite) if value != 0 => (opposite, true),
            _ => (*self.first.entry(value).or_insert(node), false),
        }
    }

    fn value(&self, graph: &Graph, node: Node) -> u64 {
        let at = |n: Node| self.values[n.index()];
        match graph.op(node) {
            Op::Constant(bits) => constant(f64::from_bits(bits)),
            Op::Unary(F::Neg, a) => negative(at(a)),
            Op::Unary(F::Square, a) => times(at(a), at(a)),
            Op::Binary(F::Add, a, b) => plus(at(a), at(b)),
            Op::Binary(F::Sub, a, b) => plus(at(a), negative(at(b))),
            Op::Binary(F::Mul, a, b) => times(at(a), at(b)),
            op => {
                let own = match op {
                    Op::Symbol(symbol) => FxBuildHasher.hash_one(symbol),
                    Op::Unary(f, _) | Op::Binary(f, ..) => FxBuildHasher.hash_one(f),
                    Op::Call(callee, _) => FxBuildHasher.hash_one(graph.partial(callee)),
                    op => FxBuildHasher.hash_one(std::mem::discriminant(&op)),
                };
                let kind = FxBuildHasher.hash_one(std::mem::discriminant(&op));
                graph.operands(node).fold(mixed(mixed(kind) ^ own), |value, n| mixed(value ^ at(n))) % PRIME
            }
        }
    }
}

/// A number, which is an integer times a power of two.
fn constant(value: f64) -> u64 {
    if !value.is_finite() {
        return mixed(value.to_bits()) % PRIME;
    }
    let bits = value.to_bits();
    let (fraction, exponent) = (bits & ((1 << 52) - 1), (bits >> 52 & 0x7ff) as i64);
    let integer = if exponent == 0 { fraction } else { fraction | 1 << 52 };
    let exponent = exponent.max(1) - 1075;
    let two = if exponent < 0 { PRIME.div_ceil(2) } else { 2 };
    let size = times(integer, power(two, exponent.unsigned_abs()));
    if value < 0.0 { negative(size) } else { size }
}

fn power(mut base: u64, mut exponent: u64) -> u64 {
    let mut out = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            out = times(out, base);
        }
        base = times(base, base);
        exponent >>= 1;
    }
    out
}

fn plus(a: u64, b: u64) -> u64 {
    (a + b) % PRIME
}

fn negative(a: u64) -> u64 {
    (PRIME - a) % PRIME
}

fn times(a: u64, b: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(PRIME)) as u64
}

/// A number by chance, the same for the same argument.
fn mixed(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Symbol;

    #[test]
    fn what_is_equal_by_the_laws_of_rings_is_found() {
        let mut g = Graph::new();
        let [a, b, c] = [0, 1, 2].map(|i| g.symbol(Symbol::P(i)));
        let sum = g.add(b, c);
        let product = g.mul(a, sum);
        let (ab, ac) = (g.mul(a, b), g.mul(a, c));
        let (spread, half) = (g.add(ab, ac), g.scale(0.5, ab));
        let opposite = g.neg(half);
        let opposite = g.sub(opposite, half);
        let (sine, other) = (g.apply(F::Sin, &[sum]), g.apply(F::Sin, &[product]));
        let over = g.div(a, sum);
        let over = g.mul(over, sum);
        let difference = g.sub(b, c);
        let mut all = Fingerprints::default();
        assert_eq!(all.first(&g, product), (product, false));
        assert_eq!(all.first(&g, spread), (product, false));
        assert_eq!(all.first(&g, ab), (ab, false));
        assert_eq!(all.first(&g, opposite), (ab, true));
        assert_eq!(all.first(&g, sum), (sum, false));
        assert_eq!(all.first(&g, difference), (difference, false));
        assert_eq!(all.first(&g, sine), (sine, false));
        assert_eq!(all.first(&g, other), (other, false));
        assert_eq!(all.first(&g, a), (a, false));
        assert_eq!(all.first(&g, over), (over, false));
    }

    #[test]
    fn numbers_keep_their_sums() {
        for (a, b) in [(0.1, 0.2), (-3.5, 1e300), (5e-324, 1.0), (0.75, -0.25)] {
            let exact = plus(constant(a), constant(b));
            assert_eq!(exact == constant(a + b), a + b - a == b && a + b - b == a && a != 0.1, "{a} {b}");
        }
        assert_eq!(times(constant(0.5), 2), 1);
        let powers = (0..52).map(|k| 1 << k).chain((1..2047).map(|k| k << 52));
        let values: std::collections::BTreeSet<u64> = powers.map(|bits| constant(f64::from_bits(bits))).collect();
        assert_eq!(values.len(), 52 + 2046, "powers of 2 differ");
    }
}
