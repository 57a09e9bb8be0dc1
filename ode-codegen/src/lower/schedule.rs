//! From live nodes to statements: which nodes are named, in which order, and inside which branch.

use std::collections::HashMap;

use crate::expr::{Function as F, Graph, Node, Op};

use super::program::{Block, Called, Expr, Kind, Statement};
use super::sines::{Angle, packs};

/// Deeper expressions are cut by a name.
const MAX_DEPTH: u32 = 12;
/// Larger expressions are cut by a name.
const MAX_SIZE: u32 = 20;
/// Branches of more operations than this are not kept together.
const MAX_BRANCH: usize = 200;

/// An output: array and index.
pub(super) type Target = (&'static str, usize);

/// What the statements of a model's kernels may be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    /// nodes needed by one branch of a choice only are computed in it
    pub(super) branches: bool,
    /// sines and cosines of several angles are evaluated together
    pub(super) packed: bool,
}

/// Orders and names the nodes that `outputs` need. The operations `apart` always have names of their own.
pub(super) fn schedule(graph: &Graph, outputs: &[(Target, Node)], style: Style, apart: &[Node]) -> Vec<Statement> {
    let roots: Vec<Node> = outputs.iter().map(|o| o.1).collect();
    let live = graph.reach(&roots);
    let chooses = || live.iter().any(|node| matches!(graph.op(*node), Op::Select(..)));
    let guards = if style.branches && chooses() { Guards::of(graph, &live, &roots) } else { Guards::none(&live) };
    let mut named = names(graph, &live, &roots);
    for node in apart {
        if let Some(named) = named.get_mut(node.index()) {
            *named |= graph.op(*node).is_operation() && live.binary_search(node).is_ok();
        }
    }
    if guards.any() {
        for call in guards.apart(graph, &live, &roots) {
            named[call.index()] = false;
        }
    }
    let packs = if style.packed { packs(graph, &live, |node| guards.at(node) == 0) } else { Vec::new() };
    for value in packs.iter().flatten().flat_map(|angle| angle.values).flatten() {
        named[value.index()] = true;
    }
    let temps = vec![None; named.len()];
    let mut s = Schedule { graph, named, guards, temps, count: 0, members: HashMap::new() };
    if s.guards.any() {
        for node in s.order(&roots) {
            if s.guards.at(node) != 0 && s.named[node.index()] {
                s.members.entry(s.guards.at(node)).or_default().push(node);
            }
        }
    }
    s.emit(&packs, outputs)
}

struct Schedule<'a> {
    graph: &'a Graph,
    named: Vec<bool>,
    guards: Guards,
    /// the temporary of each node that has one already
    temps: Vec<Option<u32>>,
    count: u32,
    /// named nodes of each branch, in order; only looked up
    members: HashMap<usize, Vec<Node>>,
}

impl Schedule<'_> {
    /// Depth-first from the outputs, operands before users.
    fn order(&self, roots: &[Node]) -> Vec<Node> {
        let mut seen = vec![false; self.named.len()];
        let mut order = Vec::new();
        for &root in roots {
            self.visit(root, &mut seen, &mut order);
        }
        order
    }

    fn visit(&self, root: Node, seen: &mut [bool], order: &mut Vec<Node>) {
        if seen[root.index()] {
            return;
        }
        // twice the place of a node, and one more where its operands are in order
        let mut stack = vec![2 * root.0];
        while let Some(top) = stack.pop() {
            let node = Node(top / 2);
            if top % 2 == 1 {
                order.push(node);
                continue;
            }
            if seen[node.0 as usize] {
                continue;
            }
            seen[node.0 as usize] = true;
            stack.push(top + 1);
            // the first operand is the next one
            self.graph.each_operand_back(node, |operand| {
                if !seen[operand.0 as usize] {
                    stack.push(2 * operand.0);
                }
            });
        }
    }

    fn emit(&mut self, packs: &[Vec<Angle>], outputs: &[(Target, Node)]) -> Vec<Statement> {
        let mut seen = vec![false; self.named.len()];
        let mut statements = Vec::new();
        for pack in packs {
            let angles = pack.iter().map(|angle| self.value(angle.of, &mut seen, &mut statements)).collect();
            let names = pack.iter().map(|angle| angle.values.map(|value| Some(self.named_now(value?, &mut seen))));
            let kind = Kind::Sines(names.collect());
            statements.push(Statement { kind, value: Expr::Angles(angles), origin: None });
        }
        for &((array, index), root) in outputs {
            let value = self.value(root, &mut seen, &mut statements);
            statements.push(Statement { kind: Kind::Write(array, index), value, origin: self.graph.origin(root) });
        }
        statements
    }

    /// The value of a node, behind the statements that it needs.
    fn value(&mut self, root: Node, seen: &mut [bool], statements: &mut Vec<Statement>) -> Expr {
        let mut order = Vec::new();
        self.visit(root, seen, &mut order);
        for node in order {
            if self.named[node.index()] && self.guards.at(node) == 0 {
                statements.push(self.name(node));
            }
        }
        self.operand(root)
    }

    fn name(&mut self, node: Node) -> Statement {
        let value = self.expression(node);
        Statement { kind: Kind::Let(self.temp(node)), value, origin: self.graph.origin(node) }
    }

    /// The temporary of a node that needs no statement of its own.
    fn named_now(&mut self, node: Node, seen: &mut [bool]) -> u32 {
        seen[node.index()] = true;
        self.temp(node)
    }

    fn temp(&mut self, node: Node) -> u32 {
        let temp = self.count;
        self.count += 1;
        self.temps[node.index()] = Some(temp);
        temp
    }

    fn operand(&mut self, node: Node) -> Expr {
        match self.temps[node.index()] {
            Some(temp) => Expr::Temp(temp),
            None => self.expression(node),
        }
    }

    fn boxed(&mut self, node: Node) -> Box<Expr> {
        Box::new(self.operand(node))
    }

    fn expression(&mut self, node: Node) -> Expr {
        match self.graph.op(node) {
            Op::Constant(bits) => Expr::Constant(f64::from_bits(bits)),
            Op::Symbol(symbol) => Expr::Load(symbol),
            Op::Unary(F::Neg, a) => self.negation(a),
            Op::Unary(f, a) => Expr::Unary(f, self.boxed(a)),
            Op::Binary(F::Mul, a, b) => self.product(a, b),
            Op::Binary(f, a, b) => Expr::Binary(f, self.boxed(a), self.boxed(b)),
            Op::Less(a, b) => Expr::Less(self.boxed(a), self.boxed(b)),
            Op::LessEq(a, b) => Expr::LessEq(self.boxed(a), self.boxed(b)),
            Op::And(a, b) => Expr::And(self.boxed(a), self.boxed(b)),
            Op::Or(a, b) => Expr::Or(self.boxed(a), self.boxed(b)),
            Op::Not(a) => Expr::Not(self.boxed(a)),
            Op::Select(c, a, b) => {
                let condition = self.boxed(c);
                let [then, otherwise] = [(a, true), (b, false)].map(|(value, side)| self.block(node, value, side));
                Expr::Choice(condition, then, otherwise)
            }
            Op::Call(callee, arguments) => {
                let partial = self.graph.partial(callee).clone();
                let called = Called { name: self.graph.callee_name(&partial), partial };
                let arguments = self.graph.arguments(arguments).to_vec();
                Expr::Call(called, arguments.into_iter().map(|a| self.operand(a)).collect())
            }
        }
    }

    /// −a, as the opposite difference where a is one that is used only here.
    fn negation(&mut self, a: Node) -> Expr {
        match self.graph.op(a) {
            Op::Binary(F::Sub, x, y) if !self.named[a.index()] => Expr::Binary(F::Sub, self.boxed(y), self.boxed(x)),
            _ => Expr::Unary(F::Neg, self.boxed(a)),
        }
    }

    /// a b, as a division where one factor is a reciprocal used only here.
    fn product(&mut self, a: Node, b: Node) -> Expr {
        if let (Op::Unary(F::Recip, d), false) = (self.graph.op(b), self.named[b.index()]) {
            return Expr::Divide(self.boxed(a), self.boxed(d));
        }
        if let (Op::Unary(F::Recip, d), false) = (self.graph.op(a), self.named[a.index()]) {
            return Expr::Divide(self.boxed(b), self.boxed(d));
        }
        Expr::Binary(F::Mul, self.boxed(a), self.boxed(b))
    }

    fn block(&mut self, select: Node, value: Node, side: bool) -> Block {
        let members = self.guards.find(select, side).and_then(|path| self.members.remove(&path));
        let statements = members.unwrap_or_default().into_iter().map(|node| self.name(node)).collect();
        Block { statements, value: self.boxed(value) }
    }
}

/// The nodes that get a name: those used more than once, choices, arguments of squares, and cuts of large expressions.
///
/// Conditions get none: they are not numbers, so they could not be passed to another function. A condition used twice
/// is compared twice, and its operands are named.
fn names(graph: &Graph, live: &[Node], roots: &[Node]) -> Vec<bool> {
    let len = live.last().map_or(0, |n| n.index() + 1);
    // slices, because each index of a vector is a call where nothing is optimised
    let numbers = || vec![0_u32; len].into_boxed_slice();
    let flags = || vec![false; len].into_boxed_slice();
    let (mut uses, mut depth, mut size, mut named, mut added) = (numbers(), numbers(), numbers(), flags(), flags());
    count(graph, live, roots, &mut uses, &mut added);
    for &node in live {
        let op = graph.op(node);
        if !op.is_operation() {
            continue;
        }
        let i = node.index();
        let (mut deepest, mut sum) = (0, 0);
        graph.each_operand(node, |operand| {
            let o = operand.0 as usize;
            // a node that is no operation has no size
            if !named[o] {
                if depth[o] > deepest {
                    deepest = depth[o];
                }
                sum += size[o];
            }
        });
        (depth[i], size[i]) = (deepest + 1, sum + 1);
        // a product that is added is one operation with the addition
        let large = (depth[i] >= MAX_DEPTH || size[i] >= MAX_SIZE) && !added[i];
        named[i] = !op.is_condition() && (uses[i] != 1 || large || matches!(op, Op::Select(..)));
    }
    named.into()
}

/// How often each node is read, and whether it is a product that is added.
fn count(graph: &Graph, live: &[Node], roots: &[Node], uses: &mut [u32], added: &mut [bool]) {
    for root in roots {
        uses[root.index()] += 1;
    }
    for &node in live.iter().rev() {
        let op = graph.op(node);
        let times = match op {
            Op::Unary(F::Square, _) => 2,
            op if op.is_condition() => uses[node.index()],
            _ => 1,
        };
        let sum = matches!(op, Op::Binary(F::Add | F::Sub, ..));
        graph.each_operand(node, |operand| {
            uses[operand.index()] += times;
            if sum && matches!(graph.op(operand), Op::Binary(F::Mul, ..)) {
                added[operand.index()] = true;
            }
        });
    }
}

/// For each node, the innermost branch that all its uses lie in. Branches are numbered; 0 is outside of all.
struct Guards {
    at: Vec<usize>,
    /// the branch that encloses branch i + 1
    outer: Vec<usize>,
    /// by choice and side; a choice is in one branch only
    ids: HashMap<(Node, bool), usize>,
}

impl Guards {
    fn none(live: &[Node]) -> Self {
        let len = live.last().map_or(0, |n| n.index() + 1);
        Self { at: vec![0; len], outer: Vec::new(), ids: HashMap::new() }
    }

    fn of(graph: &Graph, live: &[Node], roots: &[Node]) -> Self {
        let mut guards = Self::none(live);
        let mut known = vec![false; guards.at.len()];
        for root in roots {
            known[root.index()] = true;
        }
        for &node in live.iter().rev() {
            let own = guards.at[node.index()];
            let op = graph.op(node);
            for (k, operand) in graph.operands(node).enumerate() {
                let path = match op {
                    Op::Select(..) if k > 0 => guards.branch(own, node, k == 1),
                    _ => own,
                };
                let o = operand.index();
                if std::mem::replace(&mut known[o], true) {
                    let common = guards.common(guards.at[o], path);
                    guards.at[o] = common;
                } else {
                    guards.at[o] = path;
                }
            }
        }
        guards.dissolve(graph, live);
        guards
    }

    /// Calls of external functions that several branches need, but nothing outside of them: each branch has its
    /// own, because elsewhere the function may have no value.
    fn apart(&self, graph: &Graph, live: &[Node], roots: &[Node]) -> Vec<Node> {
        let mut needed = vec![false; self.at.len()];
        for root in roots {
            needed[root.index()] = true;
        }
        for &node in live {
            let own = self.at(node);
            for (k, operand) in graph.operands(node).enumerate() {
                let path = match graph.op(node) {
                    Op::Select(..) if k > 0 => self.find(node, k == 1).unwrap_or(own),
                    _ => own,
                };
                needed[operand.index()] |= path == self.at(operand);
            }
        }
        let calls = live.iter().filter(|n| matches!(graph.op(**n), Op::Call(..)));
        calls.copied().filter(|n| !needed[n.index()]).collect()
    }

    fn any(&self) -> bool {
        !self.outer.is_empty()
    }

    fn at(&self, node: Node) -> usize {
        self.at[node.index()]
    }

    fn find(&self, select: Node, side: bool) -> Option<usize> {
        self.ids.get(&(select, side)).copied()
    }

    fn branch(&mut self, outer: usize, select: Node, side: bool) -> usize {
        let next = self.outer.len() + 1;
        let id = *self.ids.entry((select, side)).or_insert(next);
        if id == next {
            self.outer.push(outer);
        }
        id
    }

    fn common(&self, mut a: usize, mut b: usize) -> usize {
        // a branch is numbered after the one that encloses it
        while a != b {
            if a > b {
                a = self.outer[a - 1];
            } else {
                b = self.outer[b - 1];
            }
        }
        a
    }

    /// Moves the statements of a branch too large for one function out of it: they are then computed even if the branch
    /// is not taken, but the function can be cut.
    fn dissolve(&mut self, graph: &Graph, live: &[Node]) {
        let n = self.outer.len();
        let mut size = vec![0_usize; n + 1];
        for &node in live.iter().filter(|&&n| graph.op(n).is_operation()) {
            size[self.at[node.index()]] += 1;
        }
        for branch in (1..=n).rev() {
            size[self.outer[branch - 1]] += size[branch];
        }
        let mut home: Vec<usize> = (0..=n).collect();
        for branch in 1..=n {
            if size[branch] > MAX_BRANCH {
                home[branch] = home[self.outer[branch - 1]];
            }
        }
        for at in &mut self.at {
            *at = home[*at];
        }
    }
}
