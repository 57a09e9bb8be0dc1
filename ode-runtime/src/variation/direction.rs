//! What a variation is taken along.

use crate::model::layout::Block;
use crate::model::state::copy;
use crate::model::system::System;
use crate::numbers::scalar::Scalar;

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
