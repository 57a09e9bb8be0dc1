//! What a step is linearised by at its end: its weighted tangent, made of the derivatives of its rows.
//!
//! Both are needed at the same point. The tangent has K, D and M as they are among the partial derivatives, so it costs
//! two or three operations an entry beside them.

use crate::chart::{Block, Chart};
use crate::expr::{Node, Symbol};

use super::mechanics::Mechanics;
use super::partials::Partials;
use super::tangent::{Tangent, Turns};

impl Mechanics<'_> {
    /// In the order of [`Tangent::matrix`].
    pub(super) fn step_tangent(&mut self, tangent: &Tangent, partials: &Partials) -> Vec<Node> {
        let (nv, nz) = (self.symbols.v.len(), self.symbols.z.len());
        let blocks = self.symbols.blocks.clone();
        let turns = Turns::of(&blocks);
        let own = |&(row, column, node): &(usize, usize, Node)| {
            let block = blocks.iter().find(|block| block.velocities().contains(&column));
            // the tangent of a point on the sphere reads derivatives by its spin too
            match block.filter(|block| row < nv + nz && block.chart != Chart::Direction) {
                Some(block) => self.weighted(partials, &turns, block, (row, column)),
                None => node,
            }
        };
        tangent.matrix.entries.iter().map(own).collect()
    }

    /// ρM + νD + πKT at a place.
    fn weighted(&mut self, of: &Partials, turns: &Turns, block: &Block, (row, column): (usize, usize)) -> Node {
        let (nv, g) = (self.symbols.v.len(), &mut self.graph);
        let [rho, nu, pi] = [0, 1, 2].map(|i| g.symbol(Symbol::Weight(i)));
        let mut terms = Vec::new();
        for (j, turn) in turns.column(g, block, column - block.v, pi).into_iter().enumerate() {
            let first = if block.chart.turns() { block.v + j } else { column };
            terms.push((turn, of.states.get(row, first)));
        }
        terms.extend([(nu, of.states.get(row, nv + column)), (rho, of.states.get(row, 2 * nv + column))]);
        let terms: Vec<Node> = terms.into_iter().filter_map(|(weight, entry)| Some(g.mul(weight, entry?))).collect();
        g.sum(terms)
    }
}
