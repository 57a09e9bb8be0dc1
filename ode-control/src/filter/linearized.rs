//! The transform of the extended Kalman filter: exact derivatives of the step and of outputs.

use ode_runtime::integrators::Vary;
use ode_runtime::linalg::{Field, SMatrix};
use ode_runtime::variation::Columns;
use ode_runtime::{Cause, Scalar, Sensitive, Solvable, StepMap};

use crate::filter::RealOf;
use crate::filter::error::FilterError;
use crate::filter::manifold::Directions;
use crate::filter::transform::{Driven, Estimate, Expected, Measured, Sealed, Transform};

/// P⁺ = A P Aᵀ + B Q_u Bᵀ with the A and B of the step as the method makes it, and H of outputs, by what follows from
/// the state too: accelerations, rates, multipliers, algebraic variables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Linearized;

impl Sealed for Linearized {}

impl<S: Solvable + Sensitive, const N: usize> Transform<S, N> for Linearized {
    /// H
    type Parts<const R: usize> = SMatrix<RealOf<S>, R, N>;

    fn predict<M: Vary<S>, K: Columns, const U: usize>(
        &mut self,
        map: &mut StepMap<'_, S, M, K>,
        from: &Estimate<S, N>,
        by: Driven<'_, S, U>,
        h: S::Real,
        to: &mut Estimate<S, N>,
    ) -> Result<(), FilterError> {
        let step = map.step(&from.x, by.u.clone(), h)?;
        let a = step.a().fixed::<N, N>()?.map(|x| x.entry());
        to.p = a * from.p * a.transpose();
        if U > 0 {
            let columns = step.b().shape().1;
            if columns != U {
                let (setting, value, needed) = ("number of columns of B in the map of steps", columns as f64, U as f64);
                return Err(Cause::OutOfRange { setting, value, low: needed, high: needed }.into());
            }
            let b = step.b().fixed::<N, U>()?.map(|x| x.entry());
            to.p += b * by.noise * b.transpose();
        }
        to.x.copy_from(step.end);
        Ok(())
    }

    fn expect<M: Vary<S>, K: Columns, const R: usize>(
        &mut self,
        map: &mut StepMap<'_, S, M, K>,
        directions: &mut Directions<S, N>,
        Measured { at, u, sensor, present }: Measured<'_, S, N, R>,
    ) -> Result<Expected<S, Self::Parts<R>, N, R>, FilterError> {
        let y = sensor.read(map.system(), &at.x, u)?;
        let mut h = directions.outputs(map.system(), (&at.x, u), sensor)?;
        (0..R).filter(|&r| !present[r]).for_each(|r| h.row_mut(r).fill(S::Real::ZERO.entry()));
        let cross = at.p * h.transpose();
        Ok(Expected { y, own: h * cross, cross, parts: h })
    }

    fn corrected<const R: usize>(
        &self,
        at: &Estimate<S, N>,
        h: &Self::Parts<R>,
        gain: &SMatrix<RealOf<S>, N, R>,
    ) -> SMatrix<RealOf<S>, N, N> {
        let rest = SMatrix::identity() - gain * h;
        rest * at.p * rest.transpose()
    }
}
