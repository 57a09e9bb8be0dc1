//! What events do: when each happens is a kernel's guard, what it assigns is here.

use crate::derive::{Changed, Equations};
use crate::expr::Symbol;
use crate::model::{Crossing, Model};

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
    /// writes: all of them from the values before the event
    pub assigns: Vec<(Symbol, usize)>,
    /// what they change, in the order of the rows of [`Call::EventPartials`](super::Call::EventPartials)
    pub changes: Vec<Changed>,
}

/// The events of a model, in the order of the text.
pub(super) fn events(model: &Model, e: &Equations) -> Vec<Event> {
    let mut next = 0..;
    let event = |(e, changes): (&crate::model::Event, &Vec<Changed>)| Event {
        changes: changes.clone(),
        label: e.label.clone(),
        crossing: e.crossing,
        stops: e.stops,
        assigns: e.resets.iter().map(|&(symbol, _)| symbol).zip(&mut next).collect(),
    };
    model.events.iter().zip(&e.event_partials.changes).map(event).collect()
}
