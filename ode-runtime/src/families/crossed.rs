//! What guards and the values after events of members vary by.

use crate::families::asking::{Ask, Asked, Asking};
use crate::families::composite::Element;
use crate::families::gather::Local;
use crate::families::spec::Form;
use crate::families::varied::{EVENTS, EVENTS_BY_PARAMETER, Varied};
use crate::model::layout::Block;
use crate::model::optimizable::Optimizable;
use crate::model::system::At;
use crate::numbers::scalar::Scalar;

struct Changes<'a, T> {
    states: &'a mut [T],
    parameters: &'a mut [T],
}

impl<S: Varied> Ask<S> for Changes<'_, S::Real> {
    fn concerns(&self, form: &Form) -> bool {
        !form.events.is_empty()
    }

    fn ask<E: Element<S> + Optimizable>(&mut self, at: Asked<'_>, element: &E, t: S::Real, local: &Local<E>) {
        let of = element.partial_patterns();
        let mut states = E::EventPartials::zeros(of.events.nnz());
        let mut parameters = E::EventPartialsByParameter::zeros(of.events_by_parameter.nnz());
        element.event_partials(local.at(t), &mut states, &mut parameters);
        at.add(EVENTS, states.as_ref(), self.states);
        at.add(EVENTS_BY_PARAMETER, parameters.as_ref(), self.parameters);
    }
}

/// [`Sensitive::event_partials`](crate::Sensitive::event_partials) of the whole.
pub fn event_partials<S: Varied>(system: &S, at: At<'_, S>, states: &mut [S::Real], parameters: &mut [S::Real]) {
    states.fill(S::Real::ZERO);
    parameters.fill(S::Real::ZERO);
    S::each_varied(&mut Asking { system, at, rates: None, ask: Changes { states, parameters } });
}
