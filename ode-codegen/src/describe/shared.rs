//! Which parts of equations have names of their own: what is long to repeat, and what is too wide for a page.

use std::collections::BTreeSet;

use crate::expr::{Function as F, Graph, Node, Op, Symbol, digits};

/// An expression of more operations than this is named where it is used twice.
const SHARE_ABOVE: usize = 4;

/// A sum that is wider than this is named where it is a part of another expression. Widths are in points, of letters
/// of 10 points.
const SUM: usize = 200;

/// No other expression is wider than this: a page has no place to break it.
const PIECE: usize = 240;

/// The width of a letter.
const LETTER: usize = 5;

/// The widths of + and of a pair of parentheses.
const PLUS: usize = 12;
const PARENTHESES: usize = 8;

/// The width of a name with letters and subscripts of so many characters.
pub(super) fn width_of_name(letters: usize, below: usize) -> usize {
    (LETTER + 1) * letters + (LETTER - 1) * below
}

/// What is known of each node.
struct Parts<'a> {
    graph: &'a Graph,
    symbol: &'a dyn Fn(Symbol) -> usize,
    /// operations of what is written out
    size: Vec<usize>,
    /// how wide it is
    width: Vec<usize>,
    named: BTreeSet<Node>,
}

/// The nodes that have names beside those that have one already, in order. `symbol` is the width of a symbol.
pub(super) fn shared(graph: &Graph, roots: &[Node], known: &[Node], symbol: &dyn Fn(Symbol) -> usize) -> Vec<Node> {
    let known: BTreeSet<Node> = known.iter().copied().collect();
    let live = written(graph, roots, &known);
    let len = live.last().map_or(0, |n| n.index() + 1);
    let uses = Uses::of(graph, &live, roots, &known, len);
    let mut parts = Parts { graph, symbol, size: vec![0; len], width: vec![0; len], named: BTreeSet::new() };
    for node in live {
        if known.contains(&node) {
            parts.name(node);
            continue;
        }
        parts.measure(node);
        let op = graph.op(node);
        if !op.is_operation() {
            continue;
        }
        if !is_term(graph, node) {
            parts.narrow(node);
        }
        let i = node.index();
        let repeated = uses.all[i] > 1 && parts.size[i] > SHARE_ABOVE && !op.is_condition();
        let long = uses.within[i] > 0 && parts.width[i] > SUM && is_sum(graph, node);
        if repeated || long {
            parts.name(node);
        }
    }
    parts.named.difference(&known).copied().collect()
}

/// What is written of `roots` where some terms are known by name: these, and nothing of what is in them. Ascending.
fn written(graph: &Graph, roots: &[Node], known: &BTreeSet<Node>) -> Vec<Node> {
    let mut found: BTreeSet<Node> = roots.iter().copied().collect();
    for node in graph.reach(roots).into_iter().rev() {
        if found.contains(&node) && !known.contains(&node) {
            found.extend(graph.operands(node));
        }
    }
    found.into_iter().collect()
}

impl Parts<'_> {
    fn name(&mut self, node: Node) {
        self.size[node.index()] = 0;
        self.width[node.index()] = width_of_name(1, 2);
        self.named.insert(node);
    }

    /// Names operands until the page has a place for what they are part of.
    fn narrow(&mut self, node: Node) {
        while self.width[node.index()] > PIECE {
            let free = |o: &Node| {
                let op = self.graph.op(*o);
                op.is_operation() && !op.is_condition() && !self.named.contains(o)
            };
            let Some(widest) = self.graph.operands(node).filter(free).max_by_key(|o| self.width[o.index()]) else {
                return;
            };
            self.name(widest);
            self.measure(node);
        }
    }

    /// Size and width of a node, from those of its operands.
    fn measure(&mut self, node: Node) {
        let graph = self.graph;
        let op = graph.op(node);
        self.size[node.index()] =
            if op.is_operation() { 1 + graph.operands(node).map(|o| self.size[o.index()]).sum::<usize>() } else { 0 };
        let width = |node: Node| self.width[node.index()];
        let within = |node: Node| {
            let bare = self.named.contains(&node) || !is_sum(graph, node);
            width(node) + if bare { 0 } else { PARENTHESES }
        };
        let all = |more: usize| graph.operands(node).map(|o| width(o) + more).sum::<usize>();
        self.width[node.index()] = match op {
            Op::Constant(bits) => LETTER * digits(f64::from_bits(bits)).len(),
            Op::Symbol(symbol) => (self.symbol)(symbol),
            Op::Unary(F::Neg, a) => width(a) + LETTER,
            Op::Unary(F::Recip | F::RecipOrZero, a) => width(a),
            Op::Unary(F::Square, a) => within(a) + LETTER,
            Op::Unary(_, a) => within(a) + 4 * LETTER,
            Op::Binary(F::Mul, a, b) => within(a) + within(b) + 2,
            Op::Binary(F::Add | F::Sub, a, b) => width(a) + width(b) + PLUS,
            Op::Binary(..) => all(2 * LETTER + PARENTHESES),
            Op::Less(..) | Op::LessEq(..) | Op::And(..) | Op::Or(..) | Op::Not(_) => all(PLUS),
            Op::Select(c, a, b) => width(c) + width(a).max(width(b)) + 6 * LETTER,
            Op::Call(callee, _) => LETTER * graph.callee_name(graph.partial(callee)).len() + PARENTHESES + all(LETTER),
        };
    }
}

/// How often nodes are used, and how often as an operand of something that is no sum.
struct Uses {
    all: Vec<usize>,
    within: Vec<usize>,
}

impl Uses {
    fn of(graph: &Graph, live: &[Node], roots: &[Node], known: &BTreeSet<Node>, len: usize) -> Self {
        let (mut all, mut within) = (vec![0_usize; len], vec![0_usize; len]);
        for &node in live.iter().filter(|node| !known.contains(node)) {
            for operand in graph.operands(node) {
                all[operand.index()] += 1;
                within[operand.index()] += usize::from(!is_term(graph, node));
            }
        }
        for root in roots {
            all[root.index()] += 1;
        }
        Self { all, within }
    }
}

fn is_sum(graph: &Graph, node: Node) -> bool {
    matches!(graph.op(node), Op::Binary(F::Add | F::Sub, ..))
}

/// Are the terms of its operands its own?
fn is_term(graph: &Graph, node: Node) -> bool {
    is_sum(graph, node) || matches!(graph.op(node), Op::Unary(F::Neg, _))
}
