//! What depends on parameters alone leaves the kernels: it is computed once, when a model is made or its parameters
//! change, and read.
//!
//! A number of a kernel is written as c x, with a coefficient c of parameters and numbers and the rest x, which moves.
//! Products multiply coefficients, and terms with the same rest are one term: `m[1] l[0] x + m[2] l[0] x` is one
//! product. What is left of parameters in sums and products is gathered later (`algebra/gather.rs`). Coefficients that
//! are equal are one value across kernels (`fingerprints.rs`). The call [`Prepare`](super::Call::Prepare) makes them.
//! A coefficient that several terms share is multiplied in each of them, so some kernels are shorter without this:
//! `algebra` takes the shorter one.
//!
//! Operations of the contest's models, before and after, and with numbers in place of parameters:
//!
//! | | a | a with ∂a/∂(q, v, u) | r with K, D, M | r with the tangent |
//! | --- | --- | --- | --- | --- |
//! | cart with two poles | 79, 65, 65 | 132, 101, 101 | 119, 93, 92 | 157, 139, 138 |
//! | chain of five links | 323, 275, 283 | 818, 647, 644 | 718, 462, 446 | 552, 435, 437 |
//! | chain of ten links | 1149, 1067, 1093 | 2889, 2343, 2339 | 2463, 1452, 1416 | 1487, 1090, 1092 |
//! | Andrews' squeezer | 514, 478, 489 | 822, 789, 775 | 504, 453, 460 | 588, 566, 571 |
//!
//! A division by parameters becomes a product with their reciprocal, so its last digit may differ. Values are computed
//! whether a branch reads them or not. They may be infinite or no numbers: nothing but the kernels looks at them. Calls
//! of external functions inside of branches stay there.

use std::collections::HashMap;

use crate::expr::{Function as F, Graph, Node, Op, Symbol};

use super::fingerprints::Fingerprints;

/// Expressions of parameters, of which kernels read the values. Until all kernels are known, the number of a
/// [`Symbol::Prepared`] is that of its node.
pub(super) struct Prepared {
    graph: Graph,
    prints: Fingerprints,
    /// of equal expressions the shortest, by the first
    shortest: HashMap<Node, Node>,
}

impl Prepared {
    /// Those of kernels of expressions of a graph.
    pub(super) fn new(graph: &Graph) -> Self {
        Self { graph: graph.empty(), prints: Fingerprints::default(), shortest: HashMap::new() }
    }

    /// The expressions.
    pub(super) fn graph(&mut self) -> &mut Graph {
        &mut self.graph
    }

    /// One of all expressions that are equal.
    pub(super) fn unified(&mut self, node: Node) -> Node {
        let (first, opposite) = self.prints.first(&self.graph, node);
        if first != node {
            let other = if opposite { self.graph.neg(node) } else { node };
            let known = self.shortest.get(&first).copied().unwrap_or(first);
            if self.graph.operations(&[other]) < self.graph.operations(&[known]) {
                self.shortest.insert(first, other);
            }
        }
        if opposite { self.graph.neg(first) } else { first }
    }

    /// What stands in a kernel for an expression of parameters: a symbol; a number that is not negative.
    pub(super) fn read(&mut self, node: Node) -> Op {
        let node = self.unified(node);
        match self.graph.op(node) {
            op @ Op::Symbol(_) => op,
            op @ Op::Constant(bits) if f64::from_bits(bits) >= 0.0 => op,
            _ => Op::Symbol(Symbol::Prepared(node.0)),
        }
    }

    /// The expression that a symbol stands for, if it is of parameters alone.
    pub(super) fn meant(&mut self, symbol: Symbol) -> Option<Node> {
        match symbol {
            Symbol::Prepared(node) => Some(Node(node)),
            Symbol::P(_) => Some(self.graph.symbol(symbol)),
            _ => None,
        }
    }

    /// Numbers the values that kernels read, in the order of the kernels. Gives their expressions.
    pub(super) fn numbered<'k>(self, kernels: impl Iterator<Item = (&'k mut Graph, &'k [Node])>) -> (Graph, Vec<Node>) {
        let (mut values, mut numbers): (Vec<Node>, HashMap<u32, u32>) = Default::default();
        for (graph, outputs) in kernels {
            for node in graph.reach(outputs) {
                if let Some(Symbol::Prepared(value)) = graph.as_symbol(node) {
                    let next = values.len() as u32;
                    if *numbers.entry(value).or_insert(next) == next {
                        values.push(Node(value));
                    }
                }
            }
            // what no output needs has the number of none
            let number = |value: u32| numbers.get(&value).copied().unwrap_or(u32::MAX - value);
            graph.rename(|symbol| match symbol {
                Symbol::Prepared(value) => Symbol::Prepared(number(value)),
                other => other,
            });
        }
        // `a (b + c)`, and not `a b + a c`: what is factored loses fewer digits where b and c have different signs
        let values = values.into_iter().map(|value| self.shortest.get(&value).copied().unwrap_or(value)).collect();
        (self.graph, values)
    }
}

/// Expressions with their coefficients apart.
pub(super) struct Scaled {
    /// a graph of their own
    pub(super) graph: Graph,
    /// in the order given
    pub(super) outputs: Vec<Node>,
    /// the nodes that are computed by themselves
    pub(super) apart: Vec<Node>,
}

/// c x
#[derive(Clone, Copy)]
struct Value {
    /// c, or a condition of parameters; none of a condition that moves
    coefficient: Option<Node>,
    /// x, or a condition; none where all of a number is its coefficient
    rest: Option<Node>,
}

/// Writes the outputs of a kernel with coefficients.
pub(super) fn scaled(old: &Graph, outputs: &[Node], apart: &[Node], prepared: &mut Prepared) -> Scaled {
    let roots = [outputs, apart].concat();
    let live = old.reach(&roots);
    let one = prepared.graph.constant(1.0);
    let none = Value { coefficient: None, rest: None };
    let values = vec![none; live.last().map_or(0, |n| n.index() + 1)];
    let mut writer = Writer { old, outside: outside(old, &live, outputs), one, values, graph: old.empty(), prepared };
    for &node in &live {
        writer.graph.set_origin(old.origin(node));
        let Value { coefficient, rest } = writer.value(node);
        let coefficient = coefficient.map(|c| writer.prepared.unified(c));
        writer.values[node.index()] = Value { coefficient, rest };
    }
    let apart = apart.iter().filter_map(|n| writer.values[n.index()].rest).collect();
    let outputs = outputs.iter().map(|&n| writer.whole(n)).collect();
    Scaled { graph: writer.graph, outputs, apart }
}

/// Does the kernel need each node also where no branch is taken?
fn outside(graph: &Graph, live: &[Node], outputs: &[Node]) -> Vec<bool> {
    let mut outside = vec![false; live.last().map_or(0, |n| n.index() + 1)];
    outputs.iter().for_each(|n| outside[n.index()] = true);
    for &node in live.iter().rev().filter(|n| graph.op(**n).is_operation()) {
        let own = outside[node.index()];
        let chooses = matches!(graph.op(node), Op::Select(..));
        for (k, operand) in graph.operands(node).enumerate() {
            outside[operand.index()] |= own && !(chooses && k > 0);
        }
    }
    outside
}

struct Writer<'a> {
    old: &'a Graph,
    outside: Vec<bool>,
    /// 1 among the coefficients
    one: Node,
    /// of each node of the old graph
    values: Vec<Value>,
    graph: Graph,
    prepared: &'a mut Prepared,
}

impl Writer<'_> {
    fn value(&mut self, node: Node) -> Value {
        let at = |n: Node| self.values[n.index()];
        match self.old.op(node) {
            Op::Constant(bits) => {
                Value { coefficient: Some(self.prepared.graph.constant(f64::from_bits(bits))), rest: None }
            }
            Op::Symbol(symbol) => match self.prepared.meant(symbol) {
                Some(coefficient) => Value { coefficient: Some(coefficient), rest: None },
                None => Value { coefficient: Some(self.one), rest: Some(self.graph.symbol(symbol)) },
            },
            Op::Unary(f @ (F::Neg | F::Square | F::Recip), a) => {
                let Value { coefficient, rest } = at(a);
                let coefficient = coefficient.map(|c| self.prepared.graph.apply(f, &[c]));
                match rest {
                    Some(rest) if f != F::Neg => {
                        let rest = self.graph.apply(f, &[rest]);
                        self.times(coefficient, rest)
                    }
                    rest => Value { coefficient, rest },
                }
            }
            Op::Binary(F::Mul, a, b) => {
                let (a, b) = (at(a), at(b));
                let coefficient = self.both(F::Mul, a.coefficient, b.coefficient);
                match (a.rest, b.rest) {
                    (Some(x), Some(y)) => {
                        let rest = self.graph.mul(x, y);
                        self.times(coefficient, rest)
                    }
                    (x, y) => Value { coefficient, rest: x.or(y) },
                }
            }
            Op::Binary(f @ (F::Add | F::Sub), a, b) => self.sum(f, a, b),
            op => self.other(node, op),
        }
    }

    fn both(&mut self, f: F, a: Option<Node>, b: Option<Node>) -> Option<Node> {
        Some(self.prepared.graph.apply(f, &[a?, b?]))
    }

    /// A coefficient times an expression, of which numbers join the coefficient.
    fn times(&mut self, coefficient: Option<Node>, rest: Node) -> Value {
        let (number, rest) = self.graph.stripped(rest);
        let coefficient = coefficient.map(|c| self.prepared.graph.scale(number, c));
        match self.graph.value(rest) {
            Some(number) => {
                Value { coefficient: coefficient.map(|c| self.prepared.graph.scale(number, c)), rest: None }
            }
            None => Value { coefficient, rest: Some(rest) },
        }
    }

    fn sum(&mut self, f: F, a: Node, b: Node) -> Value {
        let (x, y) = (self.values[a.index()], self.values[b.index()]);
        if x.rest == y.rest {
            return Value { coefficient: self.both(f, x.coefficient, y.coefficient), rest: x.rest };
        }
        if let (Some(c), Some(d), Some(p), Some(q)) = (x.coefficient, y.coefficient, x.rest, y.rest)
            && self.prepared.graph.value(c).is_none()
        {
            let opposite = self.prepared.graph.neg(d);
            if c == d || c == opposite {
                let sum = self.graph.apply(if (c == d) == (f == F::Add) { F::Add } else { F::Sub }, &[p, q]);
                return self.times(Some(c), sum);
            }
        }
        let (x, y) = (self.term(x), self.term(y));
        let sum = self.graph.apply(f, &[x, y]);
        self.times(Some(self.one), sum)
    }

    /// An operation that coefficients cannot pass.
    fn other(&mut self, node: Node, op: Op) -> Value {
        let operands: Vec<Node> = self.old.operands(node).collect();
        let stays = matches!(op, Op::Call(..)) && !self.outside[node.index()];
        let of = |n: &Node| Some(self.values[n.index()]).filter(|v| v.rest.is_none() || self.old.op(*n).is_condition());
        let fixed: Option<Vec<Node>> = operands.iter().map(|n| of(n)?.coefficient).collect();
        let coefficient = fixed.filter(|_| !stays).map(|c| self.prepared.graph.copied(self.old, op, &c));
        if coefficient.is_some() && !op.is_condition() {
            return Value { coefficient, rest: None };
        }
        let operands: Vec<Node> = operands.into_iter().map(|n| self.whole(n)).collect();
        let rest = Some(self.graph.copied(self.old, op, &operands));
        match op.is_condition() {
            true => Value { coefficient, rest },
            false => Value { coefficient: Some(self.one), rest },
        }
    }

    /// A node of the old graph in the new one.
    fn whole(&mut self, node: Node) -> Node {
        match self.values[node.index()] {
            Value { coefficient: Some(c), rest: None } => {
                let op = match self.prepared.graph.value(c) {
                    Some(number) => Op::Constant(number.to_bits()),
                    None => self.prepared.read(c),
                };
                self.graph.plain(op)
            }
            Value { rest: Some(rest), .. } if self.old.op(node).is_condition() => rest,
            value => self.term(value),
        }
    }

    /// c x as a product, with the sign of c outside.
    fn term(&mut self, Value { coefficient, rest }: Value) -> Node {
        let c = coefficient.unwrap_or(self.one);
        if let Some(number) = self.prepared.graph.value(c) {
            return match rest {
                Some(rest) => self.graph.scale(number, rest),
                None => self.graph.constant(number),
            };
        }
        let negative = self.prepared.graph.stripped(c).0 < 0.0;
        let positive = if negative { self.prepared.graph.neg(c) } else { c };
        let read = self.prepared.read(positive);
        let symbol = self.graph.plain(read);
        let term = rest.map_or(symbol, |rest| self.graph.mul(symbol, rest));
        if negative { self.graph.neg(term) } else { term }
    }
}
