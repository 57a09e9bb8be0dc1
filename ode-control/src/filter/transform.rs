//! How a mean and a covariance go through a step and through outputs: what filters differ in.

use core::fmt;

use ode_runtime::integrators::Vary;
use ode_runtime::linalg::SMatrix;
use ode_runtime::variation::Columns;
use ode_runtime::{Sensitive, Solvable, State, StepMap};

use crate::filter::RealOf;
use crate::filter::covariance::Factor;
use crate::filter::error::FilterError;
use crate::filter::manifold::Directions;
use crate::filter::sensor::Sensor;

/// The two transforms that there are.
pub trait Sealed {}

/// A state and the covariance of its error.
#[derive(Clone, Debug)]
pub struct Estimate<S: Solvable, const N: usize> {
    /// with the a, ż and λ of the equations
    pub(super) x: State<S>,
    /// of y ⊖ x, N × N
    pub(super) p: SMatrix<RealOf<S>, N, N>,
    /// of p
    pub(super) factor: Factor<RealOf<S>, N>,
}

/// Inputs of a step, and the noise on them.
#[derive(Clone, Copy, Debug)]
pub struct Driven<'a, S: Solvable, const U: usize> {
    pub(super) u: &'a S::U,
    /// U × U; without rows, there is no noise
    pub(super) noise: &'a SMatrix<RealOf<S>, U, U>,
    /// of the noise
    pub(super) factor: &'a Factor<RealOf<S>, U>,
}

/// Where a measurement is made: the estimate, the inputs and the outputs, with those that were measured.
#[derive(Clone, Copy, Debug)]
pub struct Measured<'a, S: Solvable, const N: usize, const R: usize> {
    pub(super) at: &'a Estimate<S, N>,
    pub(super) u: &'a S::U,
    pub(super) sensor: &'a Sensor<S, R>,
    pub(super) present: [bool; R],
}

/// What is expected of outputs, before noise.
#[derive(Clone, Debug)]
pub struct Expected<S: Solvable, Parts, const N: usize, const R: usize> {
    /// mean, R
    pub(super) y: [S::Real; R],
    /// covariance of y, R × R
    pub(super) own: SMatrix<RealOf<S>, R, R>,
    /// covariance of x and y, N × R
    pub(super) cross: SMatrix<RealOf<S>, N, R>,
    /// what both are made of
    pub(super) parts: Parts,
}

/// How a mean and a covariance go through a step and through outputs: [`Linearized`](crate::Linearized) in an
/// [`Ekf`](crate::Ekf), [`Unscented`](crate::Unscented) in a [`Ukf`](crate::Ukf).
///
/// There are no others: what its functions receive is private, so it cannot be implemented elsewhere.
pub trait Transform<S: Solvable + Sensitive, const N: usize>: fmt::Debug + Sealed {
    /// What the covariance of R outputs is made of.
    type Parts<const R: usize>;

    /// The mean and covariance after a step `h`, without process noise; the factor stays.
    ///
    /// # Errors
    /// Why a step failed, or has no derivative.
    fn predict<M: Vary<S>, K: Columns, const U: usize>(
        &mut self,
        map: &mut StepMap<'_, S, M, K>,
        from: &Estimate<S, N>,
        by: Driven<'_, S, U>,
        h: S::Real,
        to: &mut Estimate<S, N>,
    ) -> Result<(), FilterError>;

    /// What is expected of a measurement; outputs that were not measured do not vary.
    ///
    /// # Errors
    /// Why outputs cannot be evaluated or linearised.
    fn expect<M: Vary<S>, K: Columns, const R: usize>(
        &mut self,
        map: &mut StepMap<'_, S, M, K>,
        directions: &mut Directions<S, N>,
        measured: Measured<'_, S, N, R>,
    ) -> Result<Expected<S, Self::Parts<R>, N, R>, FilterError>;

    /// The covariance of x − K y, as a sum of squares.
    fn corrected<const R: usize>(
        &self,
        at: &Estimate<S, N>,
        parts: &Self::Parts<R>,
        gain: &SMatrix<RealOf<S>, N, R>,
    ) -> SMatrix<RealOf<S>, N, N>;
}
