//! Sizes of what is given to a model: blocks are arrays, which have the right one, or lists of any length.

use crate::error::Cause;
use crate::model::layout::Layout;
use crate::model::state::State;
use crate::model::system::System;

/// An error if it has another length.
pub(crate) fn same(setting: &'static str, found: usize, wanted: usize) -> Result<(), Cause> {
    let (value, wanted) = (found as f64, wanted as f64);
    if value == wanted { Ok(()) } else { Err(Cause::OutOfRange { setting, value, low: wanted, high: wanted }) }
}

impl<S: System> State<S> {
    /// Refuses a state of a model with other numbers of coordinates, states or constraints.
    ///
    /// # Errors
    /// [`Cause::OutOfRange`] with both numbers.
    pub fn fits(&self, layout: &Layout<'_>) -> Result<(), Cause> {
        same("number of coordinates", self.q.as_ref().len(), layout.q.len())?;
        same("number of velocities", self.v.as_ref().len(), layout.v.len())?;
        same("number of states", self.z.as_ref().len(), layout.z.len())?;
        same("number of accelerations", self.a.as_ref().len(), layout.v.len())?;
        same("number of rates", self.zdot.as_ref().len(), layout.z.len())?;
        same("number of multipliers", self.lambda.as_ref().len(), layout.constraints.len())?;
        same("number of modes", self.modes.as_ref().len(), layout.modes.len())
    }
}

impl Layout<'_> {
    /// Refuses another number of inputs than the model has.
    ///
    /// # Errors
    /// [`Cause::OutOfRange`] with both numbers.
    pub fn fits_inputs(&self, count: usize) -> Result<(), Cause> {
        same("number of inputs", count, self.u.len())
    }
}
