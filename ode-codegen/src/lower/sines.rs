//! Sines and cosines of independent angles, evaluated together early in a kernel: the runtime does this for several
//! angles in the time of one or two.
//!
//! One by one they were from a quarter (an arm of seven joints) to a half (a cart with two poles) of the instructions
//! of accelerations.

use crate::expr::{Function as F, Graph, Node, Op};

/// More angles are several packs, so that functions can be cut between them. This many fill all lanes of any target.
const MOST: usize = 16;

/// An angle, and what of it is needed: its sine, its cosine.
pub(super) struct Angle {
    /// the argument
    pub(super) of: Node,
    /// sine and cosine
    pub(super) values: [Option<Node>; 2],
}

/// The packs of a kernel, in the order in which they can be evaluated. Angles of the first depend on no sine or cosine,
/// those of the next on these, and so on. What lies in a branch is left there, and so is an angle without company.
pub(super) fn packs(graph: &Graph, live: &[Node], outside: impl Fn(Node) -> bool) -> Vec<Vec<Angle>> {
    if !graph.has_circles() {
        return Vec::new();
    }
    let mut layers: Vec<Vec<Angle>> = Vec::new();
    let count = live.last().map_or(0, |n| n.index() + 1);
    let (mut layer, mut places) = (vec![0_usize; count], vec![None; count]);
    for &node in live {
        let mut own = 0;
        graph.each_operand(node, |operand| own = own.max(layer[operand.index()]));
        layer[node.index()] = own;
        let Op::Unary(function @ (F::Sin | F::Cos), of) = graph.op(node) else { continue };
        if !outside(node) {
            continue;
        }
        layer[node.index()] = own + 1;
        layers.resize_with(layers.len().max(own + 1), Vec::new);
        let angles = &mut layers[own];
        let at = *places[of.index()].get_or_insert_with(|| {
            angles.push(Angle { of, values: [None; 2] });
            angles.len() - 1
        });
        angles[at].values[usize::from(function == F::Cos)] = Some(node);
    }
    let mut packs: Vec<Vec<Angle>> = Vec::new();
    for mut angles in layers {
        while angles.len() > MOST {
            let rest = angles.split_off(MOST);
            packs.push(std::mem::replace(&mut angles, rest));
        }
        packs.push(angles);
    }
    packs.retain(|angles| angles.len() > 1);
    packs
}
