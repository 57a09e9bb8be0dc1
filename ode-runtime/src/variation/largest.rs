//! What directions change beside the state: the largest numbers of parameters and inputs, and whether time.

use crate::error::Cause;
use crate::model::sensitive::Sensitive;
use crate::numbers::scalar::Scalar;
use crate::variation::controls::Controls;
use crate::variation::direction::Seed;

/// The largest numbers, of parameters and of the inputs' own, that directions change.
#[derive(Clone, Copy, Debug)]
pub(super) struct Largest {
    pub(super) parameter: Option<usize>,
    pub(super) input: Option<usize>,
    /// whether a direction changes time
    pub(super) time: bool,
}

impl Largest {
    /// Those of directions with these seeds.
    pub(super) fn of<T: Scalar>(seeds: &[Seed<T>]) -> Self {
        let largest = |number: fn(&Seed<T>) -> Option<usize>| seeds.iter().filter_map(number).max();
        Self {
            parameter: largest(|seed| seed.parameter),
            input: largest(|seed| seed.input),
            time: seeds.iter().any(|seed| seed.t != T::ZERO),
        }
    }

    /// Whether directions change no more than the state and inputs.
    pub(super) fn states_and_inputs(self) -> bool {
        self.parameter.is_none() && !self.time
    }

    /// Refuses a model and inputs that do not have them.
    ///
    /// # Errors
    /// [`Cause::NoParameter`], [`Cause::NoInput`].
    pub(super) fn check<S: Sensitive, U: Controls<S>>(self, system: &S, inputs: &U) -> Result<(), Cause> {
        self.check_parameter(system)?;
        let Some(number) = self.input else { return Ok(()) };
        let count = inputs.count(&system.layout());
        if number < count { Ok(()) } else { Err(Cause::NoInput { number, count }) }
    }

    /// The same of the model alone.
    ///
    /// # Errors
    /// [`Cause::NoParameter`].
    pub(super) fn check_parameter<S: Sensitive>(self, system: &S) -> Result<(), Cause> {
        let Some(number) = self.parameter else { return Ok(()) };
        let count = system.derivatives().parameter_names.len();
        if number < count { Ok(()) } else { Err(Cause::NoParameter { number, count }) }
    }
}
