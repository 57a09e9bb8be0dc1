//! Sums and products in the order of a textbook.
//!
//! Factors are numbers, then parameters (masses first and lengths last: m g l, m l²) and what depends on these alone,
//! then other symbols in the order of their declaration, then named terms, sums in parentheses, roots, and functions.
//! Equal factors are one power; signs are in front. Terms are numbers, symbols, and products in the order of their
//! factors, however their sum was bracketed: m₁ g l₁ + m₂ g l₂. But a sum does not begin with a minus unless all of its
//! terms do.

use super::function::Function as F;
use super::graph::{Graph, Node, Op, Symbol};

/// Powers of powers are multiplied out up to this exponent.
const LARGEST: i32 = 1 << 20;

/// A product.
pub(super) struct Product {
    /// its sign
    pub negative: bool,
    /// bases with their exponents; a divisor has a negative one
    pub factors: Vec<(Node, i32)>,
}

/// An expression, some of whose nodes are not looked into.
pub(super) struct Written<'a> {
    /// the graph
    pub graph: &'a Graph,
    /// does a node have a name, which is written instead of it?
    pub named: &'a dyn Fn(Node) -> bool,
    /// does a node depend on parameters alone?
    pub fixed: &'a [bool],
    /// the place of each parameter
    pub places: &'a [u32],
    /// is the reciprocal of a length a fraction? The text says what it is at zero.
    pub lengths_divide: bool,
}

impl Written<'_> {
    /// The terms of a sum in order, and whether each is subtracted. A long sum is a deep expression, and is read
    /// without recursion.
    pub(super) fn terms(&self, sum: Node) -> Vec<(bool, Node)> {
        let mut found = Vec::new();
        let mut stack = vec![(false, sum)];
        while let Some((negative, node)) = stack.pop() {
            match self.graph.op(node) {
                _ if node != sum && (self.named)(node) => found.push((negative, node)),
                Op::Binary(F::Add, a, b) => stack.extend([(negative, b), (negative, a)]),
                Op::Binary(F::Sub, a, b) => stack.extend([(!negative, b), (negative, a)]),
                Op::Unary(F::Neg, a) => stack.push((!negative, a)),
                _ => found.push((negative, node)),
            }
        }
        found.sort_by_cached_key(|&(_, term)| self.place(term));
        found
    }

    /// The place of a term: its kind, those of its factors, and when it was made.
    fn place(&self, term: Node) -> (u8, Vec<(u8, u32)>, Node) {
        let kind = match self.graph.op(term) {
            Op::Constant(_) => 0,
            Op::Symbol(_) => return (1, Vec::new(), term),
            _ if (self.named)(term) => return (2, Vec::new(), term),
            _ => 2,
        };
        let factors = self.product(term).factors.into_iter().map(|(base, _)| self.rank(base));
        (kind, factors.filter(|(class, _)| *class > 0).collect(), term)
    }

    /// The bases of a product with their exponents. A long product is a deep expression, and is read without
    /// recursion.
    pub(super) fn product(&self, product: Node) -> Product {
        let mut out = Product { negative: false, factors: Vec::new() };
        let mut stack = vec![(product, 1_i32)];
        while let Some((node, exponent)) = stack.pop() {
            let unnamed = node == product || !(self.named)(node);
            let reciprocal = |f| f == F::Recip || (f == F::RecipOrZero && self.lengths_divide);
            match self.graph.op(node) {
                Op::Binary(F::Mul, a, b) if unnamed => stack.extend([(b, exponent), (a, exponent)]),
                Op::Unary(F::Square, a) if unnamed && exponent.abs() < LARGEST => stack.push((a, 2 * exponent)),
                Op::Unary(f, a) if unnamed && reciprocal(f) => stack.push((a, -exponent)),
                Op::Unary(F::Neg, a) if unnamed => {
                    out.negative ^= exponent % 2 != 0;
                    stack.push((a, exponent));
                }
                _ => out.multiply(node, exponent),
            }
        }
        out.factors.sort_by_key(|&(base, _)| self.rank(base));
        out
    }

    /// The place of a factor: its kind, and within the kind that of its declaration or, of a parameter, its own.
    fn rank(&self, factor: Node) -> (u8, u32) {
        let kind = match self.graph.op(factor) {
            Op::Constant(_) => 0,
            Op::Symbol(Symbol::P(i)) => return (1, self.places.get(i as usize).copied().unwrap_or(i)),
            Op::Symbol(symbol) => return declared(symbol),
            _ if (self.named)(factor) => 0,
            Op::Binary(F::Add | F::Sub, ..) | Op::Select(..) => 1,
            Op::Unary(F::Sqrt | F::Root | F::RecipOrZero, _) | Op::Binary(F::Powf | F::Hypot, ..) => 2,
            _ => 3,
        };
        let class = match (kind, self.fixed[factor.index()]) {
            _ if self.graph.value(factor).is_some() => 0,
            // what stands behind a function without parentheses would seem to be its argument
            (3, _) | (_, false) => 9,
            (_, true) => 2,
        };
        (class, kind)
    }
}

impl Graph {
    /// For each node: does it depend on numbers and parameters alone?
    pub(crate) fn fixed(&self) -> Vec<bool> {
        let mut fixed: Vec<bool> = Vec::with_capacity(self.len());
        for node in (0..self.len()).map(|i| Node(i as u32)) {
            let own = match self.op(node) {
                Op::Symbol(symbol) => matches!(symbol, Symbol::P(_)),
                _ => self.operands(node).all(|operand| fixed[operand.index()]),
            };
            fixed.push(own);
        }
        fixed
    }
}

/// The kind of a symbol among factors, and its place in the kind.
fn declared(symbol: Symbol) -> (u8, u32) {
    match symbol {
        Symbol::Mode(i) => (3, i),
        Symbol::U(i) | Symbol::Lambda(i) => (4, i),
        Symbol::Z(i) => (5, i),
        Symbol::Time => (6, 0),
        Symbol::Q(i) => (6, i + 1),
        Symbol::V(i) | Symbol::Zdot(i) => (7, i),
        Symbol::A(i) => (8, i),
        _ => (8, 0),
    }
}

impl Product {
    /// One factor more. It is not cancelled against a divisor.
    fn multiply(&mut self, base: Node, exponent: i32) {
        match self.factors.iter_mut().find(|(other, n)| *other == base && n.signum() == exponent.signum()) {
            Some((_, sum)) => *sum = sum.saturating_add(exponent),
            None => self.factors.push((base, exponent)),
        }
    }
}
