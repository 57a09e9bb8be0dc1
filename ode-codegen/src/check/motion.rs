//! How the state moves: the direction along which time derivatives are taken.

use crate::chart::{self, Direction};
use crate::expr::{Graph, Symbol};
use crate::model::Declarations;

/// q → N v, v → a, z → ż, t → 1
pub(crate) fn seeds(graph: &mut Graph, declared: &Declarations) -> Direction {
    let one = graph.constant(1.0);
    let mut seeds = vec![(Symbol::Time, one)];
    seeds.extend(chart::motion(graph, &declared.blocks()));
    for i in 0..declared.nv() as u32 {
        seeds.push((Symbol::V(i), graph.symbol(Symbol::A(i))));
    }
    for i in 0..declared.nz() as u32 {
        seeds.push((Symbol::Z(i), graph.symbol(Symbol::Zdot(i))));
    }
    seeds
}
