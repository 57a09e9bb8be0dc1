//! The algebra of one kernel: its sums and products without an order, shortened, and written back in a good one.
//!
//! ```text
//! Graph ─read→ Forms ─pairs, factor, merge, pairs→ Forms ─write→ Graph
//! ```
//!
//! In models with prepared values parameters are gathered before pairs, and again behind factors.
//!
//! The graph's constructors see two operands at a time, so what they leave is a chain in the order of derivation. Here
//! a kernel's sums and products are lists. Common factors are taken out, pairs that several lists hold are computed
//! once, and each list is written in the order in which its entries are ready, parameters first. Nothing is multiplied
//! out, and a difference of two inputs stays one: no digits are lost that the chain kept.

mod factor;
mod forms;
mod gather;
mod holders;
mod merge;
mod pairs;
mod read;
mod terms;
mod write;

use crate::expr::{Graph, Node};

use super::prepared::{Prepared, scaled};

/// What a kernel needs, in a graph of its own.
pub(super) struct Rearranged {
    /// the graph
    pub graph: Graph,
    /// its outputs, in the order given
    pub outputs: Vec<Node>,
    /// the nodes that are computed by themselves
    pub apart: Vec<Node>,
}

/// A short way to compute `outputs`. Each node `apart` stays a node. With `prepared` what depends on parameters alone
/// is among these.
///
/// Pairs first, because a factor that is taken out may hide one: it leaves 588 operations of M and f of a chain of ten
/// links where the other order leaves 644. Both orders together are rarely better by one in a hundred.
pub(super) fn rearranged(
    graph: &Graph,
    outputs: &[Node],
    apart: &[Node],
    mut prepared: Option<&mut Prepared>,
) -> Rearranged {
    let plain = of_forms(graph, outputs, apart, prepared.as_deref_mut());
    let Some(prepared) = prepared else { return plain };
    let scaled = scaled(graph, outputs, apart, prepared);
    let scaled = of_forms(&scaled.graph, &scaled.outputs, &scaled.apart, Some(prepared));
    let operations = |r: &Rearranged| r.graph.operations(&r.outputs);
    if operations(&scaled) < operations(&plain) { scaled } else { plain }
}

fn of_forms(graph: &Graph, outputs: &[Node], apart: &[Node], mut prepared: Option<&mut Prepared>) -> Rearranged {
    let mut forms = read::read(graph, outputs, apart);
    prepared.iter_mut().for_each(|p| gather::gather(graph, &mut forms, p));
    let mut live = forms.live();
    let shared = pairs::share(&mut forms, &mut live);
    // what is as it was has no new pairs
    let factored = factor::factor(&mut forms, &live);
    if factored {
        forms = merge::merged(&forms);
    }
    if factored || shared || prepared.is_some() {
        prepared.iter_mut().for_each(|p| gather::gather(graph, &mut forms, p));
        live = forms.live();
        pairs::share(&mut forms, &mut live);
    }
    write::write(graph, &forms, live)
}

#[cfg(test)]
mod tests {
    use crate::expr::{Function as F, Graph, Node, Op, Symbol};

    use super::*;

    /// Operations of the outputs before and after.
    fn counts(graph: &Graph, outputs: &[Node]) -> (usize, usize) {
        let after = rearranged(graph, outputs, &[], None);
        (graph.operations(outputs), after.graph.operations(&after.outputs))
    }

    fn symbols<const N: usize>(g: &mut Graph) -> [Node; N] {
        std::array::from_fn(|i| g.symbol(Symbol::Q(i as u32)))
    }

    #[test]
    fn a_common_factor_is_taken_out() {
        let mut g = Graph::new();
        let [a, b, c, d, w] = symbols(&mut g);
        let terms: Vec<Node> = [a, b, c, d].into_iter().map(|x| g.mul(x, w)).collect();
        let sum = g.sum(terms);
        assert_eq!(counts(&g, &[sum]), (7, 4));
    }

    #[test]
    fn a_pair_of_several_products_is_one_product() {
        let mut g = Graph::new();
        let [a, b, x, y, z] = symbols(&mut g);
        let outputs = [x, y, z].map(|f| {
            let inner = g.mul(f, b);
            g.mul(a, inner)
        });
        assert_eq!(counts(&g, &outputs), (6, 4));
    }

    #[test]
    fn products_of_the_same_factors_are_one() {
        let mut g = Graph::new();
        let [x, y, s] = symbols(&mut g);
        let (left, right) = (g.mul(x, s), g.mul(y, s));
        let outputs = [left, right, g.mul(y, left), g.mul(x, right)];
        assert_eq!(counts(&g, &outputs), (4, 3));
    }

    #[test]
    fn sums_that_have_become_the_same_product_are_one() {
        let mut g = Graph::new();
        let [x, y, s, t] = symbols(&mut g);
        let (left, right) = ([s, t].map(|by| g.mul(x, by)), [s, t].map(|by| g.mul(y, by)));
        let left = left.map(|by| g.mul(y, by));
        let right = right.map(|by| g.mul(x, by));
        let outputs = [g.sub(left[0], left[1]), g.sub(right[1], right[0])];
        assert_eq!(counts(&g, &outputs), (10, 4));
    }

    #[test]
    fn a_pair_of_several_sums_is_one_sum_under_either_sign() {
        let mut g = Graph::new();
        let [a, b, x, y] = symbols(&mut g);
        let y = g.square(y);
        let (left, right) = (g.add(x, a), g.sub(y, a));
        let outputs = [g.sub(left, b), g.add(right, b)];
        assert_eq!(counts(&g, &outputs), (5, 4));
    }

    #[test]
    fn a_difference_of_inputs_stays_one() {
        let mut g = Graph::new();
        let [a, b, c, d] = symbols(&mut g);
        let (late, difference) = (g.apply(F::Sin, &[c]), g.sub(a, b));
        let sum = g.add(difference, d);
        let sum = g.add(sum, late);
        let after = rearranged(&g, &[sum], &[], None);
        let whole = after.graph.reach(&after.outputs).into_iter().any(|n| {
            let Op::Binary(F::Sub, x, y) = after.graph.op(n) else { return false };
            [x, y].map(|n| after.graph.as_symbol(n)) == [Some(Symbol::Q(0)), Some(Symbol::Q(1))]
        });
        assert!(whole, "x − y may be small where x and y are large");
    }

    #[test]
    fn what_is_known_last_is_added_last() {
        let mut g = Graph::new();
        let [a, b, c, d] = symbols(&mut g);
        let late = g.apply(F::Exp, &[a]);
        let sum = g.sum([late, b, c, d]);
        let after = rearranged(&g, &[sum], &[], None);
        let exp =
            after.graph.reach(&after.outputs).into_iter().find(|&n| matches!(after.graph.op(n), Op::Unary(F::Exp, _)));
        let Op::Binary(F::Add, x, y) = after.graph.op(after.outputs[0]) else { panic!("a sum") };
        assert!([x, y].into_iter().any(|n| Some(n) == exp));
    }

    #[test]
    fn signs_and_powers_keep_their_values() {
        let mut g = Graph::new();
        let [a, b, c, d] = symbols(&mut g);
        let (ab, cd) = (g.mul(a, b), g.mul(c, d));
        let (s, t) = (g.square(ab), g.square(c));
        let t = g.mul(t, c);
        let u = g.add(s, t);
        let u = g.neg(u);
        let v = g.sub(u, cd);
        let r = g.recip(v);
        let w = g.mul(r, ab);
        let outputs = [u, v, w, g.neg(ab), g.constant(-2.0)];
        let after = rearranged(&g, &outputs, &[r], None);
        let at = |s: Symbol| if let Symbol::Q(i) = s { [1.25, -0.5, 0.75, 3.0][i as usize] } else { f64::NAN };
        let (x, y) = (g.evaluate(&outputs, &at), after.graph.evaluate(&after.outputs, &at));
        for (x, y) in x.into_iter().zip(y) {
            assert!((x - y).abs() <= 1e-15 * x.abs(), "{x} {y}");
        }
        assert_eq!(after.apart.len(), 1);
    }
}
