//! The hash-consed expression graph: equal expressions are one node, and insertion order is topological order.

use std::fmt;
use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;

use crate::places::{Mixed, Places};

use super::external::{Arguments, Callee, Externals};
use super::function::{Function, RULES, Rules};
use super::operands::Operands;

/// A node of a [`Graph`]; operands always have smaller numbers than the node that uses them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node(pub(crate) u32);

impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "n{}", self.0)
    }
}

impl Node {
    /// Position in insertion order.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A free variable of a model; the number is that of the scalar among those of its kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Symbol {
    /// time
    Time,
    /// position
    Q(u32),
    /// velocity
    V(u32),
    /// acceleration
    A(u32),
    /// first-order state
    Z(u32),
    /// rate of a first-order state
    Zdot(u32),
    /// mode
    Mode(u32),
    /// input
    U(u32),
    /// parameter
    P(u32),
    /// value of parameters alone, which is made when these are given
    Prepared(u32),
    /// multiplier
    Lambda(u32),
    /// weight of the tangent: of ∂/∂(a, ż), ∂/∂v, ∂/∂q, ∂/∂z
    Weight(u32),
    /// entry of the tangent map T of the increments of a rotation, row major
    Turn(u32),
    /// weight on a row of (r, s, Φ)
    Adjoint(u32),
    /// weight on a row of (r, s, Φ, Φ̇, Φ̈)
    Covector(u32),
    /// entry of a direction by (q, v, z, a, ż, λ, u, p)
    Direction(u32),
    /// entry of a vector by (q, v, a, z, λ, u, t)
    Vector(u32),
    /// nonzero of the lower triangle of M, in the generated elimination
    Mass(u32),
    /// nonzero of G, in the generated elimination
    Jacobian(u32),
    /// nonzero of the bordered tangent, in its generated elimination
    Tangent(u32),
    /// value of a computed factor, in the generated elimination
    Factor(u32),
    /// right-hand side, in the generated elimination
    Rhs(u32),
    /// entry of a step in tangent coordinates, in the motion of positions
    Step(u32),
    /// position that a step leads from, in the motion of positions
    From(u32),
    /// position that a step leads to, in the motion of positions
    To(u32),
}

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// the f64 with these bits
    Constant(u64),
    /// a free variable
    Symbol(Symbol),
    /// a row of the table applied to one argument
    Unary(Function, Node),
    /// a row of the table applied to two arguments
    Binary(Function, Node, Node),
    /// condition a < b
    Less(Node, Node),
    /// condition a ≤ b
    LessEq(Node, Node),
    /// condition a && b
    And(Node, Node),
    /// condition a || b
    Or(Node, Node),
    /// condition !a
    Not(Node),
    /// `if` condition, then, otherwise
    Select(Node, Node, Node),
    /// an external function
    Call(Callee, Arguments),
}

impl Op {
    /// Whether it is a condition, true or false, not a number.
    pub fn is_condition(&self) -> bool {
        matches!(self, Op::Less(..) | Op::LessEq(..) | Op::And(..) | Op::Or(..) | Op::Not(..))
    }

    /// Is it an operation, something that costs time at run time?
    pub fn is_operation(&self) -> bool {
        !matches!(self, Op::Constant(_) | Op::Symbol(_))
    }

    /// A number that equal ones share.
    pub(crate) fn hash(self) -> u32 {
        let of = |kind: u64, a: Node, b: Node| Mixed::of(kind | (a.0 as u64) << 32, b.0 as u64);
        let none = Node(0);
        let mixed = match self {
            Op::Constant(bits) => Mixed::default().with(bits).with(1),
            Op::Unary(f, a) => of(f as u64 * 16 + 3, a, none),
            Op::Binary(f, a, b) => of(f as u64 * 16 + 4, a, b),
            Op::Less(a, b) => of(5, a, b),
            Op::LessEq(a, b) => of(6, a, b),
            Op::And(a, b) => of(7, a, b),
            Op::Or(a, b) => of(8, a, b),
            Op::Not(a) => of(9, a, none),
            Op::Select(c, a, b) => of(10, a, b).with(c.0.into()),
            Op::Symbol(_) | Op::Call(..) => Mixed::default().with(FxBuildHasher.hash_one(self)),
        };
        mixed.hash()
    }
}

/// The user's expression a node came from: the first one, where several are equal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Origin {
    /// line in the user's file, from 1
    pub line: usize,
    /// column, from 1
    pub column: usize,
}

/// An arena of hash-consed expressions.
///
/// Equal input gives equal numbering.
#[derive(Clone)]
pub struct Graph {
    ops: Vec<Op>,
    origins: Vec<Option<Origin>>,
    ids: Places,
    pub(super) origin: Option<Origin>,
    pub(super) externals: Externals,
    rules: Rules,
    /// does it have a sine or a cosine?
    has_circles: bool,
}

impl Default for Graph {
    fn default() -> Self {
        Self::new()
    }
}

impl Graph {
    /// An empty graph.
    pub fn new() -> Self {
        Self::with_rules(RULES)
    }

    /// An empty graph that differentiates by another table of rules.
    ///
    /// The derivative checks plant a wrong rule here, and must notice it.
    pub fn with_rules(rules: Rules) -> Self {
        let (ops, origins, ids) = (Vec::new(), Vec::new(), Places::default());
        Self { ops, origins, ids, origin: None, externals: Externals::default(), rules, has_circles: false }
    }

    /// A graph without nodes that knows the same external functions.
    pub fn empty(&self) -> Self {
        Self { externals: self.externals.declared(), ..Self::with_rules(self.rules) }
    }

    /// The node of an op as it is, not simplified.
    pub fn plain(&mut self, op: Op) -> Node {
        self.intern(op)
    }

    /// The node of an op of another graph that knows the same external functions, with these operands.
    pub fn copied(&mut self, from: &Graph, op: Op, operands: &[Node]) -> Node {
        let op = match (op, operands) {
            (Op::Unary(f, _), &[a]) => Op::Unary(f, a),
            (Op::Not(_), &[a]) => Op::Not(a),
            (Op::Binary(f, ..), &[a, b]) => Op::Binary(f, a, b),
            (Op::Less(..), &[a, b]) => Op::Less(a, b),
            (Op::LessEq(..), &[a, b]) => Op::LessEq(a, b),
            (Op::And(..), &[a, b]) => Op::And(a, b),
            (Op::Or(..), &[a, b]) => Op::Or(a, b),
            (Op::Select(..), &[c, a, b]) => Op::Select(c, a, b),
            (Op::Call(callee, _), operands) => {
                let partial = from.partial(callee).clone();
                return self.invoke_partial(partial, operands.to_vec());
            }
            (op, _) => op,
        };
        self.intern(op)
    }

    /// The table this graph differentiates by.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// What a node is.
    pub fn op(&self, node: Node) -> Op {
        self.ops.as_slice()[node.0 as usize]
    }

    /// The operands of a node, in order.
    pub fn operands(&self, node: Node) -> Operands<'_> {
        match self.op(node) {
            Op::Constant(_) | Op::Symbol(_) => Operands::own([Node(0); 3], 0),
            Op::Unary(_, a) | Op::Not(a) => Operands::own([a, a, a], 1),
            Op::Binary(_, a, b) | Op::Less(a, b) | Op::LessEq(a, b) | Op::And(a, b) | Op::Or(a, b) => {
                Operands::own([a, b, b], 2)
            }
            Op::Select(c, a, b) => Operands::own([c, a, b], 3),
            Op::Call(_, arguments) => Operands::listed(self.arguments(arguments)),
        }
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.ops.len()
    }

    /// Has it a sine or a cosine?
    pub(crate) fn has_circles(&self) -> bool {
        self.has_circles
    }

    /// Is the graph empty?
    pub fn is_empty(&self) -> bool {
        self.ops.is_empty()
    }

    /// Sets the origin of new nodes.
    pub fn set_origin(&mut self, origin: Option<Origin>) {
        self.origin = origin;
    }

    /// Where a node came from.
    pub fn origin(&self, node: Node) -> Option<Origin> {
        self.origins[node.index()]
    }

    /// The node of an op: the existing one where there is one.
    pub(super) fn intern(&mut self, op: Op) -> Node {
        let hash = op.hash();
        if let Some(node) = self.found(hash, op) {
            return node;
        }
        let place = self.ops.len() as u32;
        self.has_circles |= matches!(op, Op::Unary(Function::Sin | Function::Cos, _));
        self.ops.push(op);
        self.origins.push(self.origin);
        self.ids.insert(hash, place);
        Node(place)
    }

    /// The node of an op, if it is there already.
    pub(super) fn find(&self, op: Op) -> Option<Node> {
        self.found(op.hash(), op)
    }

    fn found(&self, hash: u32, op: Op) -> Option<Node> {
        let ops: &[Op] = &self.ops;
        self.ids.find(hash, |place| ops[place as usize] == op).map(Node)
    }

    /// A number. Negative zero is zero.
    pub fn constant(&mut self, value: f64) -> Node {
        let value = if value == 0.0 { 0.0 } else { value };
        self.intern(Op::Constant(value.to_bits()))
    }

    /// A free variable.
    pub fn symbol(&mut self, symbol: Symbol) -> Node {
        self.intern(Op::Symbol(symbol))
    }

    /// Gives each variable another name, no two the same.
    pub fn rename(&mut self, name: impl Fn(Symbol) -> Symbol) {
        self.ids = Places::default();
        for (i, op) in self.ops.iter_mut().enumerate() {
            if let Op::Symbol(symbol) = op {
                *symbol = name(*symbol);
            }
            self.ids.insert(op.hash(), i as u32);
        }
    }

    /// The number, if the node is one.
    pub fn value(&self, node: Node) -> Option<f64> {
        match self.ops.as_slice()[node.0 as usize] {
            Op::Constant(bits) => Some(f64::from_bits(bits)),
            _ => None,
        }
    }

    /// The variable, if the node is one.
    pub fn as_symbol(&self, node: Node) -> Option<Symbol> {
        match self.op(node) {
            Op::Symbol(symbol) => Some(symbol),
            _ => None,
        }
    }

    /// Is the node the number zero?
    pub fn is_zero(&self, node: Node) -> bool {
        self.value(node) == Some(0.0)
    }

    /// Does any of the nodes depend on such a symbol?
    pub fn any_depends(&self, nodes: &[Node], on: impl Fn(Symbol) -> bool) -> bool {
        self.reach(nodes).into_iter().any(|n| self.as_symbol(n).is_some_and(&on))
    }

    /// Number of operations that `outputs` need together.
    pub fn operations(&self, outputs: &[Node]) -> usize {
        let ops: &[Op] = &self.ops;
        let reach: &[Node] = &self.reach(outputs);
        let (mut k, mut count) = (0, 0);
        while k < reach.len() {
            count += usize::from(ops[reach[k].0 as usize].is_operation());
            k += 1;
        }
        count
    }

    /// Does a node depend on a symbol that satisfies the predicate?
    pub fn depends(&self, node: Node, on: impl Fn(Symbol) -> bool) -> bool {
        self.any_depends(&[node], on)
    }
}
