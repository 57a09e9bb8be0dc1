//! What is free at the start of a motion.

#[cfg(feature = "sprs")]
use ode_runtime::Layout;
use ode_runtime::Optimizable;
use ode_runtime::linalg::SVector;

use crate::deviation::plus_with;
use crate::optimal::collocation::sizes::Sizes;
use crate::optimal::knot::Knot;
use crate::optimal::problem::{Freed, Posed};

/// What is chosen at the start, in this order: inputs that go on from there, directions of the state, and the horizon.
#[derive(Clone, Debug, Default)]
pub(super) struct Choices {
    pub(super) inputs: usize,
    pub(super) states: Vec<Freed>,
    horizon: Option<(f64, f64)>,
    /// directions of the state
    pub(super) directions: usize,
}

impl Choices {
    pub(super) fn of<S: Optimizable>(sizes: &Sizes, posed: &Posed<S>) -> Self {
        let inputs = if sizes.tableau.continuous() { sizes.nu } else { 0 };
        Self { inputs, states: posed.free.clone(), horizon: posed.horizon, directions: sizes.directions }
    }

    /// The number of what is chosen.
    pub(super) fn count(&self) -> usize {
        self.inputs + self.states.len() + usize::from(self.horizon.is_some())
    }

    /// Their names.
    #[cfg(feature = "sprs")]
    pub(super) fn names<'l>(&self, layout: &Layout<'l>) -> impl Iterator<Item = &'l str> {
        let directions = layout.state_direction_names().collect::<Vec<_>>();
        let states = self.states.iter().filter_map(move |free| directions.get(free.direction).copied());
        let names = layout.u.iter().copied().take(self.inputs).chain(states);
        names.chain(self.horizon.map(|_| "horizon")).collect::<Vec<_>>().into_iter()
    }

    pub(super) fn any(&self) -> bool {
        self.count() > 0
    }

    /// Where the search begins, and the bounds.
    pub(super) fn guess<S: Optimizable<Real = f64>>(
        &self,
        at: &Knot<S>,
        input_bounds: &[(f64, f64)],
    ) -> (Vec<f64>, Vec<(f64, f64)>) {
        let inputs = at.carried.iter().copied().zip(input_bounds.iter().copied()).take(self.inputs);
        let states = self.states.iter().map(|free| (free.value, (free.low, free.high)));
        let horizon = self.horizon.and_then(|bounds| Some((*at.carried.last()?, bounds)));
        inputs.chain(states).chain(horizon).unzip()
    }

    /// Where a direction of (x, u) is chosen, among what is chosen at the start.
    pub(super) fn place(&self, direction: usize) -> Option<usize> {
        match direction.checked_sub(self.directions) {
            Some(input) => Some(input),
            None => self.states.iter().position(|free| free.direction == direction).map(|i| self.inputs + i),
        }
    }

    /// Writes the start as it is chosen.
    pub(super) fn write<S: Optimizable<Real = f64>, const U: usize>(
        &self,
        system: &S,
        (x, u): (&Knot<S>, &SVector<f64, U>),
        start: &mut Knot<S>,
    ) {
        let moved = |direction: usize| {
            let found = self.states.iter().enumerate().find(|(_, free)| free.direction == direction);
            found.map_or(0.0, |(i, free)| u[self.inputs + i] - free.value)
        };
        plus_with(system, &x.state, moved, &mut start.state);
        start.carried.clear();
        start.carried.extend(u.iter().take(self.inputs));
        start.carried.extend(self.horizon.map(|_| u[self.inputs + self.states.len()]));
    }
}
