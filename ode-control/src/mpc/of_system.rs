//! The controller of a linear system with names.

use ode_runtime::linalg::nalgebra::{RealField, convert};

use crate::linear::state_space::StateSpace;
use crate::mpc::controller::Mpc;
use crate::mpc::error::MpcError;
use crate::mpc::knot::MpcKnot;

impl<E, const N: usize, const U: usize, const M: usize, B> Mpc<E, N, U, M, B>
where
    E: RealField + Copy,
    B: AsRef<[MpcKnot<E, N, U, M>]> + AsMut<[MpcKnot<E, N, U, M>]>,
{
    /// A controller of a discrete system, with its names, its A and its B in all stages, and rows of these names.
    ///
    /// # Errors
    /// [`MpcError::Continuous`]; [`MpcError::Model`] of a system with other than N states and U inputs;
    /// [`MpcError::System`] of matrices that do not fit each other or are not finite; [`MpcError::NoHorizon`].
    pub fn of(system: &StateSpace, rows: [&str; M], knots: B) -> Result<Self, MpcError> {
        system.check()?;
        if system.step.is_none() {
            return Err(MpcError::Continuous);
        }
        let a = system.a.fixed::<N, N>().map_err(MpcError::from)?;
        let b = system.b.fixed::<N, U>().map_err(MpcError::from)?;
        // as many as there are rows and columns
        let states = core::array::from_fn(|i| system.states().get(i).map_or("", |name| name.as_str()));
        let inputs = core::array::from_fn(|i| system.inputs().get(i).map_or("", |name| name.as_str()));
        let mut mpc = Self::new(states, inputs, rows, knots)?;
        mpc.model(&a.map(convert), &b.map(convert));
        Ok(mpc)
    }
}
