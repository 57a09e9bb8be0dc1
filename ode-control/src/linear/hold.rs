//! Continuous systems as controllers with a sampling time see them.

use ode_runtime::linalg::{DMatrix, Labelled};

use crate::linear::exponential::exponential;
use crate::linear::state_space::StateSpace;
use crate::linear::system_error::SystemError;

impl StateSpace {
    /// The steps of this length of a continuous system, with the inputs held during each (zero-order hold):
    ///
    /// ```text
    /// [ A_d  B_d ]       [ A  B ]
    /// [  0    1  ] = exp [ 0  0 ] h
    /// ```
    ///
    /// It is exact for the linear system. [`Linearizer::step`](crate::Linearizer::step) has the step that a method
    /// makes of the model itself.
    ///
    /// # Errors
    /// [`SystemError::Sampled`] of a system that has steps; [`SystemError::Step`] of a length that is not positive;
    /// [`SystemError::NonFinite`] if the system grows beyond all numbers within a step.
    pub fn discretized(&self, step: f64) -> Result<Self, SystemError> {
        self.check()?;
        if let Some(step) = self.step {
            return Err(SystemError::Sampled { step });
        }
        if !(step > 0.0 && step.is_finite()) {
            return Err(SystemError::Step { value: step });
        }
        let (n, m) = self.b.shape();
        let mut exponent = DMatrix::zeros(n + m, n + m);
        exponent.view_mut((0, 0), (n, n)).copy_from(&(&*self.a * step));
        exponent.view_mut((0, n), (n, m)).copy_from(&(&*self.b * step));
        let held = exponential(exponent);
        let (states, inputs) = (self.states(), self.inputs());
        let a = Labelled::new(states, states, |r, c| held[(r, c)]);
        let b = Labelled::new(states, inputs, |r, c| held[(r, n + c)]);
        let system = Self { a, b, step: Some(step), ..self.clone() };
        system.check()?;
        Ok(system)
    }
}
