//! Forward and reverse differentiation on the graph. Nothing is ever expanded: a derivative shares the nodes of what it differentiates.

use std::collections::HashMap;

use super::function::Function;
use super::graph::{Graph, Node, Op, Symbol};

impl Graph {
    /// The directional derivatives of `outputs` along `seeds`: Σ ∂output/∂symbol · seed. Zero where structurally absent.
    pub fn jvp(&mut self, outputs: &[Node], seeds: &[(Symbol, Node)]) -> Vec<Node> {
        let zero = self.constant(0.0);
        let origin = self.origin;
        let mut dots: HashMap<Node, Node> = HashMap::new();
        for node in self.reach(outputs) {
            self.origin = self.origin(node).or(origin);
            let dot = match self.op(node) {
                Op::Symbol(symbol) => seeds.iter().find(|(s, _)| *s == symbol).map(|(_, seed)| *seed),
                Op::Select(c, a, b) => match (dots.get(&a).copied(), dots.get(&b).copied()) {
                    (None, None) => None,
                    (da, db) => Some(self.select(c, da.unwrap_or(zero), db.unwrap_or(zero))),
                },
                Op::Unary(f, a) => dots.get(&a).copied().map(|da| {
                    let partial = self.partial(f, [a, a], node, 0);
                    self.mul(partial, da)
                }),
                Op::Binary(f, a, b) => {
                    let (da, db) = (dots.get(&a).copied(), dots.get(&b).copied());
                    let left = da.map(|da| (self.partial(f, [a, b], node, 0), da));
                    let right = db.map(|db| (self.partial(f, [a, b], node, 1), db));
                    let left = left.map(|(p, d)| self.mul(p, d));
                    let right = right.map(|(p, d)| self.mul(p, d));
                    match (left, right) {
                        (Some(l), Some(r)) => Some(self.add(l, r)),
                        (l, r) => l.or(r),
                    }
                }
                _ => None,
            };
            if let Some(dot) = dot.filter(|d| !self.is_zero(*d)) {
                dots.insert(node, dot);
            }
        }
        self.origin = origin;
        outputs.iter().map(|o| dots.get(o).copied().unwrap_or(zero)).collect()
    }

    /// Σ weight · ∂output/∂symbol for each symbol, in one reverse sweep. Zero where structurally absent.
    pub fn vjp(&mut self, outputs: &[(Node, Node)], wrt: &[Symbol]) -> Vec<Node> {
        let zero = self.constant(0.0);
        let origin = self.origin;
        let mut bars: HashMap<Node, Node> = HashMap::new();
        let roots: Vec<Node> = outputs.iter().map(|(o, _)| *o).collect();
        let reach = self.reach(&roots);
        let wanted = self.leads_to(&reach, wrt);
        for &(output, weight) in outputs {
            self.accumulate(&mut bars, output, weight);
        }
        let mut found: HashMap<Symbol, Node> = HashMap::new();
        for (&node, &wanted_node) in reach.iter().zip(&wanted).rev() {
            let Some(bar) = bars.remove(&node).filter(|b| wanted_node && !self.is_zero(*b)) else { continue };
            self.origin = self.origin(node).or(origin);
            match self.op(node) {
                Op::Symbol(symbol) => {
                    found.insert(symbol, bar);
                }
                Op::Select(c, a, b) => {
                    let (then, otherwise) = (self.select(c, bar, zero), self.select(c, zero, bar));
                    self.accumulate(&mut bars, a, then);
                    self.accumulate(&mut bars, b, otherwise);
                }
                Op::Unary(f, a) => {
                    let partial = self.partial(f, [a, a], node, 0);
                    let share = self.mul(bar, partial);
                    self.accumulate(&mut bars, a, share);
                }
                Op::Binary(f, a, b) => {
                    for (i, operand) in [a, b].into_iter().enumerate() {
                        if reach.binary_search(&operand).is_ok_and(|k| wanted[k]) {
                            let partial = self.partial(f, [a, b], node, i);
                            let share = self.mul(bar, partial);
                            self.accumulate(&mut bars, operand, share);
                        }
                    }
                }
                _ => {}
            }
        }
        self.origin = origin;
        wrt.iter().map(|s| found.get(s).copied().unwrap_or(zero)).collect()
    }

    /// The gradient of one output. Zero where structurally absent.
    pub fn gradient(&mut self, output: Node, wrt: &[Symbol]) -> Vec<Node> {
        let one = self.constant(1.0);
        self.vjp(&[(output, one)], wrt)
    }

    fn partial(&mut self, f: Function, args: [Node; 2], value: Node, wrt: usize) -> Node {
        let derivative = self.rules()[f as usize].derivative;
        derivative(self, args, value, wrt)
    }

    fn accumulate(&mut self, bars: &mut HashMap<Node, Node>, node: Node, share: Node) {
        let sum = match bars.get(&node) {
            Some(&bar) => self.add(bar, share),
            None => share,
        };
        bars.insert(node, sum);
    }

    /// For each node of `reach`: does it depend on one of the symbols?
    fn leads_to(&self, reach: &[Node], wrt: &[Symbol]) -> Vec<bool> {
        let mut leads: Vec<bool> = Vec::with_capacity(reach.len());
        for &node in reach {
            let op = self.op(node);
            let yes = match op {
                Op::Symbol(symbol) => wrt.contains(&symbol),
                _ => op.operands().any(|o| reach.binary_search(&o).is_ok_and(|k| leads[k])),
            };
            leads.push(yes);
        }
        leads
    }
}
