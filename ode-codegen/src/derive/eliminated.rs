//! A Jacobian by the elimination of vertices, and which of its entries have a weight.

use crate::chart::Direction;
use crate::expr::{Graph, Measured, Node, Symbol};

/// Random points at which entries are looked at. Most need one; functions may have no value at some.
const POINTS: u64 = 8;

/// What is not larger than this many times the round-off in it is zero.
const ROUND_OFF: f64 = 1e-9;

/// A number for each symbol at a point.
type At<'a> = &'a dyn Fn(u64, Symbol) -> f64;

/// A Jacobian.
pub(super) struct Eliminated<const N: usize> {
    /// its nonzeros
    pub(super) entries: Vec<(usize, usize, Node)>,
    /// which of them have each weight
    pub(super) with: [Vec<bool>; N],
}

impl<const N: usize> Eliminated<N> {
    /// `None` where an entry, or its part with one of the weights, may be zero everywhere.
    pub(super) fn of(
        g: &mut Graph,
        (outputs, weights): (&[Node], [Symbol; N]),
        along: impl FnOnce(&mut Graph) -> Vec<Direction>,
        at: At<'_>,
    ) -> Option<Self> {
        let along = along(g);
        let entries = g.eliminated(outputs, &along)?;
        let values: Vec<Node> = entries.iter().map(|entry| entry.2).collect();
        let with = weights.map(|weight| having(g, &values, weight));
        let those =
            |wanted: &dyn Fn(usize) -> bool| (0..values.len()).filter(|k| wanted(*k)).map(|k| values[k]).collect();
        for (weight, with) in weights.iter().zip(&with) {
            let other = |symbol| matches!(symbol, Symbol::Weight(_)) && symbol != *weight;
            if !differ(g, at, those(&|k| with[k]), other) {
                return None;
            }
        }
        let others = those(&|k| with.iter().all(|with| !with[k]));
        differ(g, at, others, |_| false).then_some(Self { entries, with })
    }
}

/// Which values depend on a symbol?
fn having(g: &Graph, values: &[Node], symbol: Symbol) -> Vec<bool> {
    let reach = g.reach(values);
    let mut has = vec![false; reach.last().map_or(0, |n| n.index() + 1)].into_boxed_slice();
    for node in reach {
        let mut own = g.as_symbol(node) == Some(symbol);
        g.each_operand(node, |operand| own |= has[operand.index()]);
        has[node.index()] = own;
    }
    values.iter().map(|value| has[value.index()]).collect()
}

/// Does each of these expressions differ from zero at some point, where some symbols are zero?
fn differ(g: &Graph, at: At<'_>, mut nodes: Vec<Node>, vanishes: impl Fn(Symbol) -> bool) -> bool {
    for point in 0..POINTS {
        let here = |symbol| Measured::of(if vanishes(symbol) { 0.0 } else { at(point, symbol) });
        let mut values = g.evaluate_in(&nodes, &here).into_iter();
        nodes.retain(|_| !values.next().is_some_and(|x| x.value.abs() > ROUND_OFF * x.size));
        if nodes.is_empty() {
            break;
        }
    }
    nodes.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Function;

    const PI: Symbol = Symbol::Weight(2);
    const NU: Symbol = Symbol::Weight(1);

    /// sin(x + y) − sin x cos y − cos x sin y
    fn zero(g: &mut Graph, x: Node, y: Node) -> Node {
        let mut of = |f, argument| g.apply(f, &[argument]);
        let [(sx, cx), (sy, cy)] = [x, y].map(|x| (of(Function::Sin, x), of(Function::Cos, x)));
        let both = g.add(x, y);
        let (sum, a, b) = (g.apply(Function::Sin, &[both]), g.mul(sx, cy), g.mul(cx, sy));
        let rest = g.sub(sum, a);
        g.sub(rest, b)
    }

    /// The derivatives of one output by x = q₀ and its rate v₀, with their weights, and by y = q₁.
    fn of(make: impl FnOnce(&mut Graph, [Node; 3]) -> Node) -> Option<Eliminated<2>> {
        let mut g = Graph::new();
        let [x, y, v] = [Symbol::Q(0), Symbol::Q(1), Symbol::V(0)].map(|symbol| g.symbol(symbol));
        let output = make(&mut g, [x, y, v]);
        let along = |g: &mut Graph| {
            let [pi, nu, one] = [g.symbol(PI), g.symbol(NU), g.constant(1.0)];
            vec![vec![(Symbol::Q(0), pi), (Symbol::V(0), nu)], vec![(Symbol::Q(1), one)]]
        };
        let at = |point: u64, symbol| {
            let number = match symbol {
                Symbol::Q(i) => i,
                Symbol::V(i) => 5 + i,
                Symbol::Weight(i) => 9 + i,
                _ => 20,
            };
            0.2 + (0.37 * point as f64 + 0.61 * f64::from(number)).fract()
        };
        Eliminated::of(&mut g, (&[output], [PI, NU]), along, &at)
    }

    #[test]
    fn entries_have_the_weights_of_what_they_depend_on() {
        let found = of(|g, [x, y, v]| {
            let product = g.mul(x, y);
            g.add(product, v)
        });
        assert_eq!(found.map(|found| found.with), Some([vec![true, false], vec![true, false]]));
        let found = of(|g, [_, y, v]| g.mul(v, y));
        assert_eq!(found.map(|found| found.with), Some([vec![false, false], vec![true, false]]));
    }

    #[test]
    fn structural_zeros_are_noticed() {
        // the derivative by y
        assert!(of(|g, [x, y, _]| zero(g, x, y)).is_none());
        // that by x, beside one by its rate
        let beside = of(|g, [x, y, v]| {
            let (zero, product) = (zero(g, x, y), g.mul(v, y));
            g.add(zero, product)
        });
        assert!(beside.is_none());
        // small ones are none
        let small = of(|g, [x, y, v]| {
            let (x, y) = (g.scale(1e-12, x), g.scale(1e-15, y));
            let sum = g.sum([x, y, v]);
            g.scale(1e-12, sum)
        });
        assert_eq!(small.map(|found| found.entries.len()), Some(2));
    }

    #[test]
    fn functions_may_have_no_value_at_some_points() {
        let found = of(|g, [x, y, _]| {
            let difference = g.sub(x, y);
            g.apply(Function::Ln, &[difference])
        });
        assert_eq!(found.map(|found| found.entries.len()), Some(2));
        let nowhere = of(|g, [x, y, _]| {
            let (sum, three) = (g.add(x, y), g.constant(3.0));
            let difference = g.sub(sum, three);
            g.apply(Function::Sqrt, &[difference])
        });
        assert!(nowhere.is_none());
    }
}
