//! Forward and reverse differentiation on the graph. Nothing is expanded: a derivative shares the nodes of its
//! function.

use rustc_hash::FxHashMap;

use super::function::Function;
use super::graph::{Graph, Node, Op, Symbol};

impl Graph {
    /// The directional derivatives of `outputs` along `seeds`: Σ ∂output/∂symbol · seed. Zero where structurally
    /// absent.
    pub fn jvp(&mut self, outputs: &[Node], seeds: &[(Symbol, Node)]) -> Vec<Node> {
        let reach = self.reach(outputs);
        self.swept(&reach, outputs, seeds)
    }

    /// As [`Graph::jvp`], along several directions.
    pub fn jvp_each(&mut self, outputs: &[Node], directions: &[Vec<(Symbol, Node)>]) -> Vec<Vec<Node>> {
        let reach = self.reach(outputs);
        directions.iter().map(|seeds| self.swept(&reach, outputs, seeds)).collect()
    }

    /// A forward sweep over what the outputs need.
    fn swept(&mut self, reach: &[Node], outputs: &[Node], seeds: &[(Symbol, Node)]) -> Vec<Node> {
        let zero = self.constant(0.0);
        let origin = self.origin;
        let mut dots = Sums::over(reach);
        for &(symbol, seed) in seeds {
            if let Some(node) = self.find(Op::Symbol(symbol)).filter(|n| dots.covers(*n) && !self.is_zero(seed)) {
                dots.set(node, seed);
            }
        }
        let mut masks = Masks::default();
        for &node in reach {
            let op = self.op(node);
            // most nodes of a sparse Jacobian do not move along one direction
            let moves = match op {
                Op::Unary(_, a) => dots.moves(a),
                Op::Binary(_, a, b) | Op::Select(_, a, b) => dots.moves(a) || dots.moves(b),
                Op::Call(_, arguments) => self.arguments(arguments).iter().any(|&a| dots.moves(a)),
                _ => false,
            };
            if !moves {
                continue;
            }
            self.origin = self.origin(node).or(origin);
            let dot = match op {
                Op::Select(c, a, b) => match (dots.get(a), dots.get(b)) {
                    (None, None) => None,
                    (da, db) => {
                        let dot = self.select(c, da.unwrap_or(zero), db.unwrap_or(zero));
                        // if only one branch moves, the slope outside of that branch is zero
                        let live = match (da, db) {
                            (Some(da), None) => self.within(&masks, c, true, da),
                            (None, Some(db)) => self.within(&masks, c, false, db),
                            _ => None,
                        };
                        if live.is_some() {
                            masks.insert(dot, live);
                        }
                        Some(dot)
                    }
                },
                Op::Unary(f, a) => dots.get(a).map(|da| {
                    let partial = self.slope(f, [a, a], node, 0);
                    self.share(&mut masks, da, partial)
                }),
                Op::Binary(f, a, b) => {
                    let mut share = |g: &mut Self, operand: Node, place: usize| {
                        let dot = dots.get(operand)?;
                        let partial = g.slope(f, [a, b], node, place);
                        Some(g.share(&mut masks, dot, partial))
                    };
                    match (share(self, a, 0), share(self, b, 1)) {
                        (Some(left), Some(right)) => Some(self.sum_of_shares(&mut masks, left, right)),
                        (left, right) => left.or(right),
                    }
                }
                Op::Call(callee, arguments) => {
                    let mut dot = None;
                    for (i, operand) in self.arguments(arguments).to_vec().into_iter().enumerate() {
                        let Some(d) = dots.get(operand) else { continue };
                        let partial = self.partial_of_call(callee, arguments, i);
                        let share = self.share(&mut masks, d, partial);
                        dot = Some(match dot {
                            Some(sum) => self.sum_of_shares(&mut masks, sum, share),
                            None => share,
                        });
                    }
                    dot
                }
                _ => None,
            };
            if let Some(dot) = dot
                && dot != zero
            {
                dots.set(node, dot);
            }
        }
        self.origin = origin;
        outputs.iter().map(|&o| dots.get(o).unwrap_or(zero)).collect()
    }

    /// Σ weight · ∂output/∂symbol for each symbol, in one reverse sweep. Zero where structurally absent.
    pub fn vjp(&mut self, outputs: &[(Node, Node)], wrt: &[Symbol]) -> Vec<Node> {
        let symbols = self.nodes_of(wrt);
        self.pulled(outputs, &symbols)
    }

    /// The node of each symbol, where there is one.
    pub(crate) fn nodes_of(&self, symbols: &[Symbol]) -> Vec<Option<Node>> {
        symbols.iter().map(|symbol| self.find(Op::Symbol(*symbol))).collect()
    }

    /// As [`Graph::vjp`], by symbols whose nodes are known.
    pub(crate) fn pulled(&mut self, outputs: &[(Node, Node)], symbols: &[Option<Node>]) -> Vec<Node> {
        let zero = self.constant(0.0);
        let origin = self.origin;
        let roots: Vec<Node> = outputs.iter().map(|(o, _)| *o).collect();
        let reach = self.reach(&roots);
        let mut bars = Sums::over(&reach);
        let mut masks = Masks::default();
        let wanted = self.leads_to(&reach, symbols);
        for &(output, weight) in outputs {
            self.accumulate(&mut bars, &mut masks, output, weight);
        }
        let wanted: &[bool] = &wanted;
        for &node in reach.iter().rev() {
            if !wanted[node.index()] {
                continue;
            }
            let Some(bar) = bars.get(node) else { continue };
            if bar == zero {
                continue;
            }
            self.origin = self.origin(node).or(origin);
            match self.op(node) {
                Op::Select(c, a, b) => {
                    for (branch, holds, then, otherwise) in [(a, true, bar, zero), (b, false, zero, bar)] {
                        let share = self.select(c, then, otherwise);
                        let live = self.within(&masks, c, holds, bar);
                        masks.insert(share, live);
                        self.accumulate(&mut bars, &mut masks, branch, share);
                    }
                }
                Op::Unary(f, a) => {
                    let partial = self.slope(f, [a, a], node, 0);
                    let share = self.share(&mut masks, bar, partial);
                    self.accumulate(&mut bars, &mut masks, a, share);
                }
                Op::Binary(f, a, b) => {
                    let mut place = 0;
                    while place < 2 {
                        let operand = if place == 0 { a } else { b };
                        if wanted[operand.index()] {
                            let partial = self.slope(f, [a, b], node, place);
                            let share = self.share(&mut masks, bar, partial);
                            self.accumulate(&mut bars, &mut masks, operand, share);
                        }
                        place += 1;
                    }
                }
                Op::Call(callee, arguments) => {
                    for (i, operand) in self.arguments(arguments).to_vec().into_iter().enumerate() {
                        if wanted[operand.index()] {
                            let partial = self.partial_of_call(callee, arguments, i);
                            let share = self.share(&mut masks, bar, partial);
                            self.accumulate(&mut bars, &mut masks, operand, share);
                        }
                    }
                }
                _ => {}
            }
        }
        self.origin = origin;
        let mut found = Vec::with_capacity(symbols.len());
        for symbol in symbols {
            found.push(match *symbol {
                Some(node) if bars.covers(node) => bars.get(node).unwrap_or(zero),
                _ => zero,
            });
        }
        found
    }

    /// bar · partial. In a mask the product is taken inside the branch: outside, the partial may be infinite or NaN,
    /// and zero times that is not zero.
    fn share(&mut self, masks: &mut Masks, bar: Node, partial: Node) -> Node {
        let Some(&live) = masks.get(&bar) else {
            // most partials are those of sums
            return match self.value(partial) {
                Some(1.0) => bar,
                _ if self.is_zero(bar) => bar,
                _ => self.mul(bar, partial),
            };
        };
        let share = match (self.op(bar), live) {
            (Op::Select(c, a, b), _) => {
                let (then, otherwise) = (self.share(masks, a, partial), self.share(masks, b, partial));
                self.select(c, then, otherwise)
            }
            // one product for a sum, not one for each of its terms: otherwise they double at each node that two others
            // read
            (_, Some(live)) => {
                let (live, product, zero) = (self.is_live(live), self.mul(bar, partial), self.constant(0.0));
                self.select(live, product, zero)
            }
            (_, None) => self.mul(bar, partial),
        };
        masks.insert(share, live);
        share
    }

    /// Whether c holds, or does not, and a mask may differ from zero.
    fn within(&mut self, masks: &Masks, c: Node, holds: bool, mask: Node) -> Option<Node> {
        let (one, zero) = (self.constant(1.0), self.constant(0.0));
        let live = masks.get(&mask).copied().flatten().unwrap_or(one);
        Some(if holds { self.select(c, live, zero) } else { self.select(c, zero, live) })
    }

    /// Where one of two masks may differ from zero.
    fn either(&mut self, a: Option<Node>, b: Option<Node>) -> Option<Node> {
        let (a, b) = (a?, b?);
        if a == b {
            return Some(a);
        }
        // the two sides of one branch are all of where it is reached
        if let (Op::Select(c, a1, a2), Op::Select(d, b1, b2)) = (self.op(a), self.op(b))
            && c == d
            && (a1 == b2 && self.is_zero(a2) && self.is_zero(b1) || a2 == b1 && self.is_zero(a1) && self.is_zero(b2))
        {
            let reached = if self.is_zero(a1) { a2 } else { a1 };
            return (self.value(reached) != Some(1.0)).then_some(reached);
        }
        Some(self.add(a, b))
    }

    /// Is the number positive?
    fn is_live(&mut self, live: Node) -> Node {
        let zero = self.constant(0.0);
        match self.op(live) {
            Op::Select(c, a, b) if self.value(a) == Some(1.0) && self.is_zero(b) => c,
            Op::Select(c, a, b) if self.is_zero(a) && self.value(b) == Some(1.0) => self.not(c),
            _ => self.less(zero, live),
        }
    }

    /// The gradient of one output. Zero where structurally absent.
    pub fn gradient(&mut self, output: Node, wrt: &[Symbol]) -> Vec<Node> {
        let one = self.constant(1.0);
        self.vjp(&[(output, one)], wrt)
    }

    /// The outputs where the variables that satisfy the predicate are zero.
    pub fn at_zero(&mut self, outputs: &[Node], vanishes: impl Fn(Symbol) -> bool) -> Vec<Node> {
        self.substituted(outputs, |symbol| vanishes(symbol).then_some(0.0))
    }

    /// The outputs where variables have the given values.
    pub fn substituted(&mut self, outputs: &[Node], value_of: impl Fn(Symbol) -> Option<f64>) -> Vec<Node> {
        self.rewritten(outputs, |g, node| {
            let value = g.as_symbol(node).and_then(&value_of);
            value.map_or(node, |value| g.constant(value))
        })
    }

    /// The outputs where variables are the given expressions.
    pub fn replaced(&mut self, outputs: &[Node], expression_of: impl Fn(Symbol) -> Option<Node>) -> Vec<Node> {
        self.rewritten(outputs, |g, node| g.as_symbol(node).and_then(&expression_of).unwrap_or(node))
    }

    /// The outputs after a change of each node, operands first.
    pub(super) fn rewritten(&mut self, outputs: &[Node], change: impl Fn(&mut Self, Node) -> Node) -> Vec<Node> {
        let reach = self.reach(outputs);
        let mut found = Sums::over(&reach);
        for node in reach {
            let at = |n: Node| found.get(n).unwrap_or(n);
            let value = match self.op(node) {
                Op::Symbol(_) | Op::Constant(_) => node,
                Op::Unary(f, a) => self.apply(f, &[at(a)]),
                Op::Binary(f, a, b) => self.apply(f, &[at(a), at(b)]),
                Op::Less(a, b) => self.less(at(a), at(b)),
                Op::LessEq(a, b) => self.less_eq(at(a), at(b)),
                Op::And(a, b) => self.and(at(a), at(b)),
                Op::Or(a, b) => self.or(at(a), at(b)),
                Op::Not(a) => self.not(at(a)),
                Op::Select(c, a, b) => self.select(at(c), at(a), at(b)),
                Op::Call(callee, arguments) => {
                    let arguments = self.arguments(arguments).iter().map(|&a| at(a)).collect();
                    self.recall(callee, arguments)
                }
            };
            let value = change(self, value);
            found.set(node, value);
        }
        outputs.iter().map(|&o| found.get(o).unwrap_or(o)).collect()
    }

    pub(super) fn slope(&mut self, f: Function, args: [Node; 2], value: Node, wrt: usize) -> Node {
        let derivative = self.rules()[f as usize].derivative;
        derivative(self, args, value, wrt)
    }

    fn accumulate(&mut self, bars: &mut Sums, masks: &mut Masks, node: Node, share: Node) {
        let sum = match bars.get(node) {
            Some(bar) => self.sum_of_shares(masks, bar, share),
            None => share,
        };
        bars.set(node, sum);
    }

    /// a + b; two masks of one condition are one choice, and the sum of masks is a mask.
    fn sum_of_shares(&mut self, masks: &mut Masks, a: Node, b: Node) -> Node {
        let (Some(&in_a), Some(&in_b)) = (masks.get(&a), masks.get(&b)) else { return self.add(a, b) };
        let sum = match (self.op(a), self.op(b)) {
            (Op::Select(c, a1, a2), Op::Select(d, b1, b2)) if c == d => {
                let (then, otherwise) = (self.sum_of_shares(masks, a1, b1), self.sum_of_shares(masks, a2, b2));
                self.select(c, then, otherwise)
            }
            _ => self.add(a, b),
        };
        let live = self.either(in_a, in_b);
        masks.insert(sum, live);
        sum
    }

    /// For each node of `reach`, by index: does it depend on one of the symbols?
    fn leads_to(&self, reach: &[Node], symbols: &[Option<Node>]) -> Vec<bool> {
        let mut all = vec![false; reach.last().map_or(0, |n| n.index() + 1)];
        let leads: &mut [bool] = &mut all;
        for symbol in symbols.iter().flatten() {
            if symbol.index() < leads.len() {
                leads[symbol.index()] = true;
            }
        }
        for &node in reach {
            let mut leads_here = leads[node.index()];
            self.each_operand(node, |operand| leads_here |= leads[operand.index()]);
            leads[node.index()] = leads_here;
        }
        all
    }
}

/// Derivatives that vanish outside of branches, each with a number that is positive where it may differ from zero, or
/// none for everywhere. It is a number because a number has a name if it is read twice; a condition has none.
type Masks = FxHashMap<Node, Option<Node>>;

/// A derivative for some of the nodes of a reach, by index: its place and one, or zero.
struct Sums(Box<[u32]>);

impl Sums {
    fn over(reach: &[Node]) -> Self {
        Self(vec![0; reach.last().map_or(0, |n| n.index() + 1)].into())
    }

    fn covers(&self, node: Node) -> bool {
        node.index() < self.0.len()
    }

    fn get(&self, node: Node) -> Option<Node> {
        match self.0[node.0 as usize] {
            0 => None,
            place => Some(Node(place - 1)),
        }
    }

    fn set(&mut self, node: Node, value: Node) {
        self.0[node.0 as usize] = value.0 + 1;
    }

    fn moves(&self, node: Node) -> bool {
        self.0[node.0 as usize] != 0
    }
}
