//! Vertices between inputs and outputs, which are eliminated: a Jacobian remains.
//!
//! A function is a graph of operations, with a derivative on each edge. To eliminate a vertex is to join its neighbours
//! by the chain rule: a product for each edge into it and each edge out of it, added to the edge that is there already.
//! At the end edges lead from inputs to outputs. A sweep for each row or column is such an elimination too, in the
//! order of the operations, but it passes through the same edges again for each of its rows or columns. Here each
//! vertex is taken out once, the narrow ones first. That takes fewer products where a function is one of a few values,
//! such as the energy of a tetrahedron, which is one of its strain.
//!
//! The best order is hard to find. That of Markowitz takes the vertex with the fewest products next; here new edges
//! count as products do, since what reads them multiplies them. A. Griewank, A. Walther, Evaluating Derivatives, 2nd
//! ed., 2008, chapters 9 and 10; H. M. Markowitz, The elimination form of the inverse and its application to linear
//! programming, Management Science 3 (1957).

use std::ops::Range;

use super::graph::{Graph, Node, Op, Origin, Symbol};

/// A vertex, with edges from those that it depends on.
#[derive(Default)]
struct Vertex {
    /// where a derivative comes from, and what it is
    from: Vec<(u32, Node)>,
    /// what depends on it
    to: Vec<u32>,
    /// the node whose place in the user's text new derivatives have; `None` of directions and outputs, which stay
    of: Option<Node>,
}

/// The vertices of a function: directions, then what moves along them, then outputs.
struct Vertices(Vec<Vertex>);

impl Graph {
    /// The derivatives of outputs along directions: row, column and value. `None` of functions with branches, whose
    /// slopes are formed inside of them.
    pub(crate) fn eliminated(
        &mut self,
        outputs: &[Node],
        along: &[Vec<(Symbol, Node)>],
    ) -> Option<Vec<(usize, usize, Node)>> {
        let reach = self.reach(outputs);
        if reach.iter().any(|node| matches!(self.op(*node), Op::Select(..))) {
            return None;
        }
        let origin = self.origin;
        // those of nodes, and one more
        let mut places = vec![0_u32; reach.last().map_or(0, |n| n.index() + 1)].into_boxed_slice();
        let mut vertices = Vertices(along.iter().map(|_| Vertex::default()).collect());
        for (column, direction) in along.iter().enumerate() {
            for &(symbol, rate) in direction.iter().filter(|(_, rate)| !self.is_zero(*rate)) {
                let Some(node) = self.find(Op::Symbol(symbol)).filter(|n| n.index() < places.len()) else { continue };
                if places[node.index()] == 0 {
                    places[node.index()] = vertices.push(Some(node)) as u32 + 1;
                }
                vertices.connect(column, places[node.index()] as usize - 1, rate);
            }
        }
        for node in reach {
            let mut moves = false;
            self.each_operand(node, |operand| moves |= places[operand.index()] != 0);
            if !moves {
                continue;
            }
            let place = vertices.push(Some(node));
            places[node.index()] = place as u32 + 1;
            self.origin = self.origin(node).or(origin);
            let operands: Vec<Node> = self.operands(node).collect();
            for (k, operand) in operands.into_iter().enumerate() {
                let Some(from) = (places[operand.index()] as usize).checked_sub(1) else { continue };
                let slope = match self.op(node) {
                    Op::Unary(f, a) => self.slope(f, [a, a], node, 0),
                    Op::Binary(f, a, b) => self.slope(f, [a, b], node, k),
                    Op::Call(callee, arguments) => self.partial_of_call(callee, arguments, k),
                    // nothing but a branch reads a condition
                    _ => continue,
                };
                vertices.join(self, from, place, slope);
            }
        }
        let first = vertices.0.len();
        let one = self.constant(1.0);
        for output in outputs {
            let last = vertices.push(None);
            if let Some(place) = (places[output.index()] as usize).checked_sub(1) {
                vertices.connect(place, last, one);
            }
        }
        vertices.eliminate(self, along.len()..first, origin);
        self.origin = origin;
        let mut entries = Vec::new();
        for (row, vertex) in vertices.0[first..].iter().enumerate() {
            for &(column, value) in &vertex.from {
                if !self.is_zero(value) {
                    entries.push((row, column as usize, value));
                }
            }
        }
        Some(entries)
    }
}

impl Vertices {
    /// The place of a new one.
    fn push(&mut self, of: Option<Node>) -> usize {
        self.0.push(Vertex { of, ..Vertex::default() });
        self.0.len() - 1
    }

    /// A new edge.
    fn connect(&mut self, source: usize, target: usize, value: Node) {
        self.0[target].from.push((source as u32, value));
        // nobody asks what depends on a direction
        if self.0[source].of.is_some() {
            self.0[source].to.push(target as u32);
        }
    }

    /// Adds to the derivative of a vertex by another one.
    fn join(&mut self, g: &mut Graph, source: usize, target: usize, share: Node) {
        let edges: &[(u32, Node)] = &self.0[target].from;
        let mut k = 0;
        while k < edges.len() && edges[k].0 as usize != source {
            k += 1;
        }
        if k < edges.len() {
            let sum = g.add(edges[k].1, share);
            self.0[target].from[k].1 = sum;
        } else if !g.is_zero(share) {
            self.connect(source, target, share);
        }
    }

    /// Takes those at some places out, that of the least cost first, and of several the first one.
    fn eliminate(&mut self, g: &mut Graph, inner: Range<usize>, origin: Option<Origin>) {
        let mut costs = Costs { of: vec![0; self.0.len()].into(), seen: vec![0; self.0.len()].into(), now: 0 };
        for place in inner.clone() {
            costs.count(self, place);
        }
        let mut left: Vec<u32> = inner.clone().map(|k| k as u32).collect();
        while !left.is_empty() {
            let (places, of): (&[u32], &[u32]) = (&left, &costs.of);
            let (mut best, mut least, mut k) = (0, u32::MAX, 0);
            while k < places.len() && least > 0 {
                if of[places[k] as usize] < least {
                    (best, least) = (k, of[places[k] as usize]);
                }
                k += 1;
            }
            let place = left.remove(best);
            let Vertex { from, to, of } = std::mem::take(&mut self.0[place as usize]);
            g.origin = of.and_then(|of| g.origin(of)).or(origin);
            for &(source, _) in &from {
                let to = &mut self.0[source as usize].to;
                if let Some(at) = to.iter().position(|target| *target == place) {
                    to.swap_remove(at);
                }
            }
            for &target in &to {
                let edges = &mut self.0[target as usize].from;
                let Some(at) = edges.iter().position(|(source, _)| *source == place) else { continue };
                let (_, outer) = edges.remove(at);
                for &(source, inner) in &from {
                    let share = g.mul(outer, inner);
                    self.join(g, source as usize, target as usize, share);
                }
            }
            let near = from.iter().map(|(source, _)| source).chain(&to);
            for near in near.map(|near| *near as usize).filter(|near| inner.contains(near)) {
                costs.count(self, near);
            }
        }
    }
}

/// What it costs to take vertices out.
struct Costs {
    of: Box<[u32]>,
    /// when each vertex was met last
    seen: Box<[u32]>,
    now: u32,
}

impl Costs {
    /// A product for each pair of neighbours, and an edge where they have none. That of a vertex is counted again when
    /// it has other neighbours, not when these have.
    fn count(&mut self, vertices: &Vertices, place: usize) {
        let Vertex { from, to, .. } = &vertices.0[place];
        let from: &[(u32, Node)] = from;
        let mut cost = from.len() * to.len();
        for target in to {
            self.now += 1;
            let (edges, mut k): (&[(u32, Node)], usize) = (&vertices.0[*target as usize].from, 0);
            while k < edges.len() {
                self.seen[edges[k].0 as usize] = self.now;
                k += 1;
            }
            k = 0;
            while k < from.len() {
                cost += usize::from(self.seen[from[k].0 as usize] != self.now);
                k += 1;
            }
        }
        self.of[place] = cost as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::{Function, Measured};

    /// Numbers that are the same in every run.
    struct Random(u64);

    impl Random {
        fn below(&mut self, count: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as usize % count
        }
    }

    /// A function of values that neither grow nor leave the domain of a primitive.
    fn function(g: &mut Graph, random: &mut Random, inputs: &[Node], operations: usize) -> Vec<Node> {
        let mut all = inputs.to_vec();
        while all.len() < inputs.len() + operations {
            // most read what was made last, so that there are long ways
            let recent = all.len().min(12);
            let mut one = |all: &[Node]| match random.below(3) {
                0 => all[random.below(all.len())],
                _ => all[all.len() - 1 - random.below(recent)],
            };
            let (a, b) = (one(&all), one(&all));
            let bounded = g.apply([Function::Sin, Function::Cos, Function::Tanh][random.below(3)], &[a]);
            let positive = g.apply(Function::Exp, &[bounded]);
            all.push(match random.below(9) {
                0 | 1 => g.add(a, b),
                2 => g.sub(a, b),
                3 => g.mul(bounded, b),
                4 => g.square(bounded),
                5 => g.apply(Function::Sqrt, &[positive]),
                6 => g.recip(positive),
                7 => g.apply(Function::Atan2, &[a, positive]),
                _ => bounded,
            });
        }
        let mut outputs: Vec<Node> = (0..7).map(|_| all[all.len() - 1 - random.below(operations / 4)]).collect();
        // an output twice, an input, and what does not move
        outputs.extend([outputs[0], inputs[1], g.constant(2.0)]);
        outputs
    }

    #[test]
    fn the_jacobian_is_that_of_sweeps() {
        let mut random = Random(1);
        for round in 0..40 {
            let mut g = Graph::new();
            let symbols: Vec<Symbol> = (0..6).map(Symbol::Q).collect();
            let inputs: Vec<Node> = symbols.iter().map(|symbol| g.symbol(*symbol)).collect();
            let outputs = function(&mut g, &mut random, &inputs, 20 + 5 * round);
            // weighted, along one and along several inputs, one along none and one along an input that nobody reads
            let [rho, nu] = [0, 1].map(|i| g.symbol(Symbol::Weight(i)));
            let (one, zero) = (g.constant(1.0), g.constant(0.0));
            let mut along: Vec<Vec<(Symbol, Node)>> = symbols.iter().map(|symbol| vec![(*symbol, rho)]).collect();
            along.push(vec![(symbols[0], one), (symbols[3], nu), (symbols[5], inputs[2])]);
            along.extend([vec![(symbols[1], zero)], vec![(Symbol::Q(6), one)], Vec::new()]);
            let entries = g.eliminated(&outputs, &along).expect("a function without branches");
            let columns = g.jvp_each(&outputs, &along);
            let rows: Vec<Vec<Node>> = outputs.iter().map(|output| g.gradient(*output, &symbols)).collect();
            for point in 0..3 {
                let at = |symbol| {
                    let index = match symbol {
                        Symbol::Q(i) => i,
                        Symbol::Weight(i) => 10 + i,
                        _ => 20,
                    };
                    Measured::of(0.2 + f64::from((index * 37 + point * 101 + round as u32 * 13) % 97) / 97.0)
                };
                let values = |nodes: &[Node]| g.evaluate_in(nodes, &at);
                let by_columns: Vec<Vec<Measured>> = columns.iter().map(|column| values(column)).collect();
                let by_rows: Vec<Vec<Measured>> = rows.iter().map(|row| values(row)).collect();
                let mut own = vec![vec![0.0; along.len()]; outputs.len()];
                let found = values(&entries.iter().map(|entry| entry.2).collect::<Vec<_>>());
                for (&(row, column, _), found) in entries.iter().zip(found) {
                    assert_eq!(own[row][column], 0.0, "an entry twice");
                    own[row][column] = found.value;
                }
                for (row, own) in own.iter().enumerate() {
                    for (column, own) in own.iter().enumerate() {
                        let swept = by_columns[column][row];
                        let seeds = values(&along[column].iter().map(|(_, rate)| *rate).collect::<Vec<_>>());
                        let pulled = along[column].iter().zip(seeds).filter_map(|((symbol, _), seed)| {
                            let place = symbols.iter().position(|own| own == symbol)?;
                            Some(seed.value * by_rows[row][place].value)
                        });
                        let size = 1e-12 * swept.size;
                        assert!((own - swept.value).abs() <= size, "{round} {row} {column}: {own} {swept:?}");
                        assert!((own - pulled.sum::<f64>()).abs() <= size, "{round} {row} {column}: {own} {swept:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn functions_with_branches_are_left_as_they_are() {
        let mut g = Graph::new();
        let [x, y] = [0, 1].map(|i| g.symbol(Symbol::Q(i)));
        let less = g.less(x, y);
        let chosen = g.select(less, x, y);
        let (output, one) = (g.square(chosen), g.constant(1.0));
        let before = g.len();
        assert_eq!(g.eliminated(&[output], &[vec![(Symbol::Q(0), one)]]), None);
        assert_eq!(g.len(), before);
    }
}
