//! Energies of a point of the sphere that are the same wherever the point is.
//!
//! ½ m |ḋ|² is ½ m (ωx² + ωy²) for every d, since |q| = 1 and axes are orthogonal. No rule of the graph shows this.
//! Without it M would be a function of q, and its derivatives sums of terms that cancel up to round-off.

use rustc_hash::FxHashSet;

use crate::chart::{self, Block, Chart};
use crate::expr::{Function as F, Graph, Node, Op, Symbol};
use crate::model::Model;

use super::inertia::{ROUND_OFF, at_points};
use super::sparse;

/// Rewrites kinetic energies and dissipations that are quadratic in the velocities: each point's own share is taken at
/// its origin if samples show that it is the same everywhere.
pub(super) fn settle(graph: &mut Graph, model: &mut Model) {
    let blocks = model.blocks();
    if blocks.iter().all(|b| b.chart != Chart::Direction) {
        return;
    }
    let velocities: Vec<Symbol> = (0..model.nv() as u32).map(Symbol::V).collect();
    let energies = &mut model.energies;
    for energy in energies.kinetic.iter_mut().chain(&mut energies.dissipation) {
        if is_quadratic(graph, energy.value, &velocities) {
            energy.value = settled(graph, &blocks, energy.value);
        }
    }
}

/// Is it ½ vᵀ M(q) v?
fn is_quadratic(g: &mut Graph, energy: Node, velocities: &[Symbol]) -> bool {
    let moves = |s| matches!(s, Symbol::V(_));
    let momenta = g.gradient(energy, velocities);
    let along = velocities.iter().map(|&v| vec![(v, g.constant(1.0))]).collect::<Vec<_>>();
    let masses = sparse::jacobian(g, &momenta, &along).values();
    let resting = g.at_zero(&[vec![energy], momenta].concat(), moves);
    resting.into_iter().all(|n| g.is_zero(n)) && !g.any_depends(&masses, moves)
}

/// T = T(v = 0) + v·p(v = 0) + ½ vᵀ M v by the velocities v of one point after the other, the last at its origin.
fn settled(g: &mut Graph, blocks: &[Block], energy: Node) -> Node {
    let (mut rest, mut parts) = (energy, Vec::new());
    for block in blocks.iter().filter(|b| b.chart == Chart::Direction) {
        let own = |s: Symbol| matches!(s, Symbol::V(i) if block.velocities().contains(&(i as usize)));
        let symbols: Vec<Symbol> = block.velocities().map(|i| Symbol::V(i as u32)).collect();
        let momenta = g.gradient(rest, &symbols);
        let other = |s: Symbol| matches!(s, Symbol::V(_)) && !own(s);
        let alone = g.at_zero(&[rest], other);
        if g.is_zero(alone[0]) || !is_everywhere(g, blocks, block, alone[0]) {
            continue;
        }
        let origin = block.chart.origin();
        let at_origin = |s: Symbol| match s {
            Symbol::Q(i) if block.positions().contains(&(i as usize)) => Some(origin[i as usize - block.q]),
            _ => None,
        };
        parts.extend(g.substituted(&alone, at_origin));
        for (symbol, shared) in symbols.into_iter().zip(g.at_zero(&momenta, own)) {
            let v = g.symbol(symbol);
            parts.push(g.mul(v, shared));
        }
        rest = g.at_zero(&[rest], own)[0];
    }
    parts.push(rest);
    g.sum(parts)
}

/// Is a value a polynomial in the positions of a point?
fn is_polynomial(g: &Graph, block: &Block, value: Node) -> bool {
    let mut moving = FxHashSet::default();
    g.reach(&[value]).into_iter().all(|node| {
        let op = g.op(node);
        let moves = match op {
            Op::Symbol(Symbol::Q(i)) => block.positions().contains(&(i as usize)),
            _ => g.operands(node).any(|operand| moving.contains(&operand)),
        };
        if moves {
            moving.insert(node);
        }
        !moves
            || matches!(op, Op::Symbol(_) | Op::Unary(F::Neg | F::Square, _) | Op::Binary(F::Add | F::Sub | F::Mul, ..))
    })
}

/// Whether a value is the same for every position of a point and its frame. Samples show this for polynomials; a value
/// with other branches than those at the samples is not one.
fn is_everywhere(g: &mut Graph, blocks: &[Block], block: &Block, value: Node) -> bool {
    if !is_polynomial(g, block, value) {
        return false;
    }
    let mut along = block.directions(g);
    along.extend(chart::spins(g, &[*block]));
    let slopes = chart::gradient(g, value, &along);
    at_points(g, blocks, &[vec![value], slopes].concat())
        .into_iter()
        .all(|values| values[1..].iter().all(|slope| slope.abs() <= ROUND_OFF * values[0].abs()))
}
