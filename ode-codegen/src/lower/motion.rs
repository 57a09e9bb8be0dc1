//! Changes of a state beside kernels: how positions move, and what events assign.

use crate::chart::{Block, Chart};
use crate::expr::Symbol;
use crate::model::{Crossing, Model};

/// How some positions move: ⊕, ⊖ and q̇ = N(q) v of their chart.
#[derive(Clone, Copy, Debug)]
pub struct Motion {
    /// the chart, and the places of its positions and velocities
    pub block: Block,
    /// differences are taken modulo a turn
    pub wraps: bool,
}

/// An event: when it happens, and what it does.
#[derive(Clone, Debug)]
pub struct Event {
    /// its name
    pub label: String,
    /// which way its guard crosses zero
    pub crossing: Crossing,
    /// a run ends with it
    pub stops: bool,
    /// the scalars it assigns, with the places of their values in the array that [`Call::Reset`](super::Call::Reset)
    /// writes
    pub assigns: Vec<(Symbol, usize)>,
}

/// The motions of a model's positions, in order.
pub(super) fn motions(model: &Model) -> Vec<Motion> {
    let angle = |q: usize| model.declared.coordinates.iter().any(|c| c.declared.angle && c.declared.holds(q));
    let wraps = |block: &Block| block.chart == Chart::Line && angle(block.q);
    model.blocks().into_iter().map(|block| Motion { wraps: wraps(&block), block }).collect()
}

/// The events of a model, in the order of the text.
pub(super) fn events(model: &Model) -> Vec<Event> {
    let mut next = 0..;
    let event = |e: &crate::model::Event| Event {
        label: e.label.clone(),
        crossing: e.crossing,
        stops: e.stops,
        assigns: e.resets.iter().map(|&(symbol, _)| symbol).zip(&mut next).collect(),
    };
    model.events.iter().map(event).collect()
}
