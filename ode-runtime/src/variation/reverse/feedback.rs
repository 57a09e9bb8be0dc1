//! How inputs depend on a state and on numbers of their own, as it is where an operation was recorded.

use std::vec::Vec;

use crate::model::state::Moment;
use crate::model::system::System;
use crate::numbers::scalar::Scalar;
use crate::variation::controls::Controls;
use crate::variation::direction::Direction;

/// ∂u/∂(q, v, z, t), and by the own numbers that are asked for.
#[derive(Debug)]
pub(super) struct Feedback<S: System> {
    own: Vec<S::U>,
    /// a column for each of (q, v, z, t); empty if inputs depend on none
    state: Vec<S::U>,
}

impl<S: System> Feedback<S> {
    pub(super) fn new() -> Self {
        Self { own: Vec::new(), state: Vec::new() }
    }

    /// Asks the inputs at a point. `direction` is room.
    pub(super) fn record<U: Controls<S>>(
        &mut self,
        system: &S,
        inputs: &U,
        at: Moment<'_, S>,
        numbers: &[usize],
        direction: &mut Direction<S>,
    ) {
        self.own.clear();
        self.state.clear();
        if direction.u.as_ref().is_empty() {
            return;
        }
        let set = |d: &mut Direction<S>, value: &dyn Fn(usize) -> S::Real| {
            let blocks = d.q.as_mut().iter_mut().chain(d.v.as_mut()).chain(d.z.as_mut()).chain([&mut d.t]);
            blocks.enumerate().for_each(|(i, x)| *x = value(i));
            d.parameter = None;
        };
        set(direction, &|_| S::Real::ZERO);
        for &number in numbers {
            inputs.vary(system, at, Some(number), direction);
            self.own.push(direction.u.clone());
        }
        // no sum of few of these numbers is zero
        set(direction, &|i| S::Real::from_f64(1.0 + 0.618_033_988_749_894_9 * (i + 1) as f64 % 1.0));
        inputs.vary(system, at, None, direction);
        if direction.u.as_ref().iter().all(|&u| u == S::Real::ZERO) {
            return;
        }
        let count = direction.q.as_ref().len() + direction.v.as_ref().len() + direction.z.as_ref().len() + 1;
        for k in 0..count {
            set(direction, &|i| if i == k { S::Real::ONE } else { S::Real::ZERO });
            inputs.vary(system, at, None, direction);
            self.state.push(direction.u.clone());
        }
    }

    /// Whether inputs depend on the state or on time.
    pub(super) fn depends(&self) -> bool {
        !self.state.is_empty()
    }

    /// Whether they depend on more than time.
    pub(super) fn on_state(&self) -> bool {
        let columns = self.state.iter().take(self.state.len().saturating_sub(1));
        columns.flat_map(|column| column.as_ref()).any(|&x| x != S::Real::ZERO)
    }

    /// Adds what a covector of u gives by the own numbers.
    pub(super) fn add_own(&self, u: &[S::Real], own: &mut [S::Real]) {
        for (to, column) in own.iter_mut().zip(&self.own) {
            *to += product(column.as_ref(), u);
        }
    }

    /// What a covector of u gives by the entries of (q, v, z, t) from `first` on.
    pub(super) fn by<'a>(&'a self, u: &'a [S::Real], first: usize) -> impl Iterator<Item = S::Real> + 'a {
        self.state.iter().skip(first).map(move |column| product(column.as_ref(), u))
    }
}

fn product<T: Scalar>(x: &[T], y: &[T]) -> T {
    x.iter().zip(y).fold(T::ZERO, |sum, (&x, &y)| sum + x * y)
}
