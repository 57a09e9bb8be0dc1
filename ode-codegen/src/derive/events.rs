//! Events: guards, their rates, and the values after them.

use crate::expr::Node;

use super::mechanics::Mechanics;

/// The equations of events.
pub struct Events {
    /// g of each event
    pub guards: Vec<Node>,
    /// ġ of each event
    pub guard_rates: Vec<Node>,
    /// new values of all events, one event after the other
    pub resets: Vec<Node>,
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
}
