//! What a variation is taken along.

use crate::error::Cause;
use crate::model::layout::Block;
use crate::model::sensitive::Sensitive;
use crate::model::state::copy;
use crate::model::system::System;
use crate::numbers::scalar::Scalar;
use crate::variation::controls::Controls;

/// What a direction changes beside the state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seed<T> {
    /// the number of the inputs that changes, at rate 1
    pub input: Option<usize>,
    /// a parameter, by one
    pub parameter: Option<usize>,
    /// time
    pub t: T,
}

impl<T: Scalar> Seed<T> {
    /// The state alone.
    pub const STATE: Self = Self { input: None, parameter: None, t: T::ZERO };
}

/// The largest numbers, of parameters and of the inputs' own, that directions change.
#[derive(Clone, Copy, Debug)]
pub(super) struct Largest {
    pub(super) parameter: Option<usize>,
    pub(super) input: Option<usize>,
}

impl Largest {
    /// Those of directions with these seeds.
    pub(super) fn of<T>(seeds: &[Seed<T>]) -> Self {
        let largest = |number: fn(&Seed<T>) -> Option<usize>| seeds.iter().filter_map(number).max();
        Self { parameter: largest(|seed| seed.parameter), input: largest(|seed| seed.input) }
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

/// A direction of a state, its inputs, a parameter and time.
#[derive(Clone, Debug, PartialEq)]
pub struct Direction<S: System> {
    /// δq in tangent coordinates, nv
    pub q: S::V,
    /// δv, nv; not read in first-order models, whose velocities follow from the rest
    pub v: S::V,
    /// δz, nz; algebraic variables, its last entries, are not read but written
    pub z: S::Z,
    /// δu, nu
    pub u: S::U,
    /// δt
    pub t: S::Real,
    /// the parameter that changes by one, if any
    pub parameter: Option<usize>,
}

impl<S: System> Direction<S> {
    /// Nothing changes.
    pub fn zeros(system: &S) -> Self {
        let layout = system.layout();
        Self {
            q: Block::zeros(layout.v.len()),
            v: Block::zeros(layout.v.len()),
            z: Block::zeros(layout.z.len()),
            u: Block::zeros(layout.u.len()),
            t: S::Real::ZERO,
            parameter: None,
        }
    }

    /// Takes δ(q, v, z), and all of a seed but its input.
    pub(crate) fn aim(&mut self, seed: &Seed<S::Real>, (q, v, z): (&S::V, &S::V, &S::Z)) {
        copy(q, &mut self.q);
        copy(v, &mut self.v);
        copy(z, &mut self.z);
        (self.t, self.parameter) = (seed.t, seed.parameter);
    }
}
