//! How inputs depend on a state and on numbers of their own, as it is where an operation was recorded.

use std::vec::Vec;

use crate::error::{Cause, Name, Quantity};
use crate::model::layout::Layout;
use crate::model::state::Moment;
use crate::model::system::System;
use crate::numbers::scalar::{Real, Scalar};
use crate::variation::controls::Controls;
use crate::variation::direction::Direction;

/// ∂u/∂(q, v, z, t), and by the own numbers that are asked for and can change u there.
#[derive(Debug)]
pub(super) struct Feedback<S: System> {
    /// by own numbers, each with its place among the totals
    own: Vec<(usize, S::U)>,
    time: Vec<S::U>,
    /// a column for each of (q, v, z); empty if inputs depend on none
    state: Vec<S::U>,
}

impl<S: System<Real: Real>> Feedback<S> {
    pub(super) fn new() -> Self {
        Self { own: Vec::new(), time: Vec::new(), state: Vec::new() }
    }

    /// Asks the inputs at a point. `direction` is room.
    ///
    /// # Errors
    /// [`Cause::NonFinite`] by what a derivative of the inputs is not finite.
    pub(super) fn record<U: Controls<S>>(
        &mut self,
        system: &S,
        inputs: &U,
        at: Moment<'_, S>,
        numbers: &[(usize, usize)],
        direction: &mut Direction<S>,
    ) -> Result<(), Cause> {
        let Self { own, time, state } = self;
        own.clear();
        time.clear();
        state.clear();
        if direction.u.as_ref().is_empty() {
            return Ok(());
        }
        let places = direction.q.as_ref().len() + direction.v.as_ref().len() + direction.z.as_ref().len();
        let mut ask = |number: Option<usize>, place: Option<usize>| {
            let Direction { q, v, z, t, parameter, .. } = &mut *direction;
            let blocks = q.as_mut().iter_mut().chain(v.as_mut()).chain(z.as_mut()).chain([t]);
            let one = |i: usize| if place == Some(i) { S::Real::ONE } else { S::Real::ZERO };
            blocks.enumerate().for_each(|(i, x)| *x = one(i));
            *parameter = None;
            inputs.vary(system, at, number, direction);
            if direction.u.as_ref().iter().all(|u| u.is_finite()) {
                return Ok(direction.u.clone());
            }
            let Layout { steps, v, z, .. } = system.layout();
            let mut places = steps.iter().chain(v).chain(z).copied().chain(["t"]);
            let by_place = place.and_then(|i| places.nth(i)).map(Name::new);
            let own = || inputs.names(&system.layout());
            let name = by_place.or_else(|| own().get(number?).map(|name| Name::new(name)));
            Err(Cause::NonFinite { quantity: Quantity::Derivative, name: name.unwrap_or(Name::new("")) })
        };
        let among = inputs.numbers_at(&system.layout(), at.t);
        let first = numbers.partition_point(|&(number, _)| number < among.start);
        let chosen = numbers.get(first..).unwrap_or_default().iter();
        for &(number, total) in chosen.take_while(|&&(number, _)| number < among.end) {
            own.push((total, ask(Some(number), None)?));
        }
        time.push(ask(None, Some(places))?);
        if inputs.depends_on_state() {
            for place in 0..places {
                state.push(ask(None, Some(place))?);
            }
        }
        Ok(())
    }

    /// Whether inputs can depend on the state.
    pub(super) fn on_state(&self) -> bool {
        !self.state.is_empty()
    }

    /// What a covector of u gives by time.
    pub(super) fn by_time(&self, u: &[S::Real]) -> S::Real {
        self.time.iter().fold(S::Real::ZERO, |sum, column| sum + product(column.as_ref(), u))
    }

    /// Adds what a covector of u gives by the own numbers.
    pub(super) fn add_own(&self, u: &[S::Real], own: &mut [S::Real]) {
        for (place, column) in &self.own {
            own.get_mut(*place).into_iter().for_each(|to| *to += product(column.as_ref(), u));
        }
    }

    /// What a covector of u gives by the entries of (q, v, z) from `first` on.
    pub(super) fn by<'a>(&'a self, u: &'a [S::Real], first: usize) -> impl Iterator<Item = S::Real> + 'a {
        self.state.iter().skip(first).map(move |column| product(column.as_ref(), u))
    }
}

fn product<T: Scalar>(x: &[T], y: &[T]) -> T {
    x.iter().zip(y).fold(T::ZERO, |sum, (&x, &y)| sum + x * y)
}
