//! Events: guards, their rates, and the values after them.

use crate::expr::Node;

use super::changes::Changed;
use super::mechanics::{Kind, Mechanics};
use super::sparse::{Sparse, by_rows};

/// The equations of events.
pub struct Events {
    /// g of each event
    pub guards: Vec<Node>,
    /// ġ of each event
    pub guard_rates: Vec<Node>,
    /// new values of all events, one event after the other
    pub resets: Vec<Node>,
}

/// What guards and the values after events vary by, in rows (guards, changes of the first event, of the second, …).
pub struct EventPartials {
    /// what each event changes, in the order of the rows
    pub changes: Vec<Vec<Changed>>,
    /// ∂/∂(q, v, z, u, t)
    pub states: Sparse,
    /// ∂/∂p
    pub parameters: Sparse,
}

impl Mechanics<'_> {
    /// The guards, their rates along the motion with the inputs held, and the resets.
    pub(super) fn events(&mut self) -> Events {
        let guards: Vec<Node> = self.model.events.iter().map(|e| e.guard).collect();
        let mut motion = self.motion(true);
        for (&z, &zdot) in self.symbols.z.iter().zip(&self.symbols.zdot) {
            motion.push((z, self.graph.symbol(zdot)));
        }
        let guard_rates = self.graph.jvp(&guards, &motion);
        let resets = self.model.events.iter().flat_map(|e| e.resets.iter().map(|(_, value)| *value)).collect();
        Events { guards, guard_rates, resets }
    }

    /// Their derivatives.
    pub(super) fn event_partials(&mut self) -> EventPartials {
        const STATES: &[Kind] = &[Kind::Position, Kind::Velocity, Kind::State, Kind::Input, Kind::Time];
        let model = self.model;
        let guards: Vec<Node> = model.events.iter().map(|e| e.guard).collect();
        let assigned: Vec<_> = model.events.iter().map(|e| self.changes(&e.resets)).collect();
        let mut changes = Vec::new();
        let [states, parameters] = [STATES, &[Kind::Parameter]].map(|kinds| {
            let along = self.along(kinds);
            let mut entries = by_rows(&mut self.graph, &guards, &along);
            let mut rows = guards.len();
            changes.clear();
            for assigned in &assigned {
                let (changed, own) = self.varied(assigned, &along, rows);
                rows += changed.len();
                entries.extend(own);
                changes.push(changed);
            }
            Sparse::new(&self.graph, rows, along.len(), entries)
        });
        EventPartials { changes, states, parameters }
    }
}
