//! What new values of a state vary by: those of positions in tangent coordinates.

use rustc_hash::FxHashMap;

use crate::chart::{Block, Chart, Direction};
use crate::expr::{Node, Symbol};

use super::mechanics::Mechanics;
use super::sparse::{Entries, by_rows};

/// What a new value is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changed {
    /// a tangent coordinate of q
    Position(usize),
    /// a velocity
    Velocity(usize),
    /// a first-order state
    State(usize),
    /// a mode
    Mode(usize),
}

/// New values, completed: of a block that moves in a chart of its own, all positions, and the velocities that are
/// stored along its axes.
pub(super) struct Changes {
    lines: Vec<(Symbol, Node)>,
    blocks: Vec<(Block, Vec<Node>, [Node; 2])>,
}

impl Mechanics<'_> {
    /// The changes that new values make.
    pub(super) fn changes(&mut self, values: &[(Symbol, Node)]) -> Changes {
        let new: FxHashMap<Symbol, Node> = values.iter().copied().collect();
        let curved =
            |b: &&Block| b.chart != Chart::Line && b.positions().any(|i| new.contains_key(&Symbol::Q(i as u32)));
        let blocks: Vec<Block> = self.symbols.blocks.iter().filter(curved).copied().collect();
        let own = |&(symbol, _): &(Symbol, Node)| {
            !blocks.iter().any(|b| match symbol {
                Symbol::Q(i) => b.positions().contains(&(i as usize)),
                Symbol::V(i) => b.chart == Chart::Direction && b.velocities().contains(&(i as usize)),
                _ => false,
            })
        };
        let lines = values.iter().filter(|value| own(value)).copied().collect();
        let mut value = |symbol: Symbol| new.get(&symbol).copied().unwrap_or_else(|| self.graph.symbol(symbol));
        let blocks = blocks.into_iter().map(|block| {
            let positions = block.positions().map(|i| value(Symbol::Q(i as u32))).collect();
            (block, positions, [0, 1].map(|i| value(Symbol::V((block.v + i) as u32))))
        });
        Changes { lines, blocks: blocks.collect() }
    }

    /// What each change is of, and its derivatives along directions, in rows from `first` on.
    pub(super) fn varied(&mut self, changes: &Changes, along: &[Direction], first: usize) -> (Vec<Changed>, Entries) {
        let nodes: Vec<Node> = changes.lines.iter().map(|&(_, node)| node).collect();
        let mut entries = by_rows(&mut self.graph, &nodes, along);
        entries.iter_mut().for_each(|(row, _, _)| *row += first);
        let of = |&(symbol, _): &(Symbol, Node)| match symbol {
            Symbol::Q(i) => self.symbols.blocks.iter().find(|b| b.q == i as usize).map(|b| Changed::Position(b.v)),
            Symbol::V(i) => Some(Changed::Velocity(i as usize)),
            Symbol::Z(i) => Some(Changed::State(i as usize)),
            Symbol::Mode(i) => Some(Changed::Mode(i as usize)),
            _ => None,
        };
        let mut all: Vec<Changed> = changes.lines.iter().filter_map(of).collect();
        for (block, positions, velocities) in &changes.blocks {
            let kept = if block.chart == Chart::Direction { &velocities[..] } else { &[] };
            let nodes: Vec<Node> = positions.iter().chain(kept).copied().collect();
            let mut columns = vec![vec![self.graph.constant(0.0); nodes.len()]; along.len()];
            by_rows(&mut self.graph, &nodes, along).into_iter().for_each(|(r, c, n)| columns[c][r] = n);
            for (column, rates) in columns.iter().enumerate() {
                let (dq, dv) = rates.split_at(positions.len());
                let turn = block.velocities_of(&mut self.graph, positions, dq);
                let mut rows: Vec<Node> = turn[..block.chart.velocities()].to_vec();
                if let (&[.., spin], &[x, y], &[a, b]) = (&turn[..], dv, velocities) {
                    // the axes along which they are stored turn about the point
                    let (back, ahead) = (self.graph.mul(spin, b), self.graph.mul(spin, a));
                    rows.extend([self.graph.sub(x, back), self.graph.add(y, ahead)]);
                }
                entries.extend(rows.into_iter().enumerate().map(|(row, n)| (first + all.len() + row, column, n)));
            }
            all.extend(block.velocities().map(Changed::Position));
            if block.chart == Chart::Direction {
                all.extend(block.velocities().map(Changed::Velocity));
            }
        }
        (all, entries)
    }
}
