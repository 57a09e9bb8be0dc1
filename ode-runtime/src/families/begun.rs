//! What exact starts and guesses of members vary by.

use crate::families::asking::{Ask, Asked, Asking};
use crate::families::composite::Element;
use crate::families::gather::Local;
use crate::families::varied::{STARTS, STARTS_BY_PARAMETER, Varied};
use crate::model::layout::Block;
use crate::model::optimizable::Optimizable;
use crate::model::system::At;
use crate::numbers::scalar::Scalar;

/// The derivatives of conditions and guesses.
struct Beginnings<'a, T> {
    states: &'a mut [T],
    parameters: &'a mut [T],
}

impl<S: Varied> Ask<S> for Beginnings<'_, S::Real> {
    fn ask<E: Element<S> + Optimizable>(&mut self, at: Asked<'_>, element: &E, t: S::Real, local: &Local<E>) {
        let of = element.partial_patterns();
        let mut states = E::StartPartials::zeros(of.starts.nnz());
        let mut own = E::StartPartialsByParameter::zeros(of.starts_by_parameter.nnz());
        element.start_partials(local.at(t), &mut states, &mut own);
        at.add(STARTS, states.as_ref(), self.states);
        let [conditions, all] = [STARTS, STARTS_BY_PARAMETER].map(|matrix| &at.partials.of.columns[matrix]);
        // of several guesses one holds
        let holds = |row: usize| {
            let guess = row.checked_sub(conditions.rows);
            guess.is_none_or(|row| at.partials.guessed.get(row) == Some(&Some(at.who())))
        };
        for (&value, &place) in own.as_ref().iter().zip(at.places(STARTS_BY_PARAMETER, own.as_ref().len())) {
            let place = place as usize;
            let held = all.indices.get(place).is_some_and(|&row| holds(row));
            if let Some(to) = self.parameters.get_mut(place).filter(|_| held) {
                *to += value;
            }
        }
    }
}

/// [`Sensitive::start_partials`](crate::Sensitive::start_partials) of the whole.
pub fn start_partials<S: Varied>(system: &S, at: At<'_, S>, states: &mut [S::Real], parameters: &mut [S::Real]) {
    states.fill(S::Real::ZERO);
    parameters.fill(S::Real::ZERO);
    S::each_varied(&mut Asking { system, at, rates: None, ask: Beginnings { states, parameters } });
}
