//! What is given to a problem: states and inputs.

use ode_runtime::{Block, Level, Optimizable, Order, Solvable, State};

use crate::consistency::held;
use crate::optimal::error::PlanError;
use crate::optimal::problem::OptimalControl;

impl<S: Optimizable<Real = f64> + Solvable> OptimalControl<'_, S> {
    /// Refuses states and inputs of another size than the model's.
    pub(super) fn sized(&self) -> Result<(), PlanError> {
        let layout = self.system.layout();
        let guessed = self.guess.iter().flat_map(|guess| &guess.states);
        self.start.iter().chain(&self.end).chain(guessed).try_for_each(|x| x.fits(&layout))?;
        let mut inputs = self.guess.iter().flat_map(|guess| &guess.inputs);
        Ok(inputs.try_for_each(|u| layout.fits_inputs(u.as_ref().len()))?)
    }

    /// Refuses a start off the constraints, where none of its coordinates and velocities are chosen. Velocities of
    /// models of first order follow from the rest.
    pub(super) fn consistent(&self, start: &State<S>) -> Result<(), PlanError> {
        let layout = self.system.layout();
        let first_order = layout.order == Order::First;
        let moving = if first_order { layout.v.len() } else { 2 * layout.v.len() };
        if layout.constraints.is_empty() || self.free_start.iter().any(|&(direction, ..)| direction < moving) {
            return Ok(());
        }
        let mut u = S::U::zeros(layout.u.len());
        self.system.nominal(&mut u);
        held(self.system, start, &u, Level::Position)?;
        if first_order { Ok(()) } else { Ok(held(self.system, start, &u, Level::Velocity)?) }
    }
}
