//! A measurement, and what it says of an estimate.

use ode_runtime::linalg::nalgebra::RealField;
use ode_runtime::linalg::{SMatrix, SVector};
use ode_runtime::{Differentiable, Real};

use crate::filter::error::FilterError;
use crate::filter::sensor::Sensor;

/// R numbers that were measured; `None` where one is missing. It is made of `[T; R]` and of `[Option<T>; R]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measurement<T, const R: usize>([Option<T>; R]);

impl<T: Real, const R: usize> From<[T; R]> for Measurement<T, R> {
    fn from(values: [T; R]) -> Self {
        Self(values.map(Some))
    }
}

impl<T: Real, const R: usize> From<[Option<T>; R]> for Measurement<T, R> {
    fn from(values: [Option<T>; R]) -> Self {
        Self(values)
    }
}

impl<T: Real, const R: usize> Measurement<T, R> {
    /// Which numbers there are.
    pub(super) fn present(&self) -> [bool; R] {
        self.0.map(|value| value.is_some())
    }

    /// z − y; zero where z is missing.
    ///
    /// # Errors
    /// [`FilterError::Measurement`] for a number that is not finite.
    pub(super) fn minus<S: Differentiable<Real = T>>(
        &self,
        y: &[T; R],
        sensor: &Sensor<S, R>,
    ) -> Result<SVector<T::Entry, R>, FilterError> {
        let sound = |value: &Option<T>| value.is_none_or(|value| value.is_finite());
        if let Some(r) = self.0.iter().position(|value| !sound(value)) {
            return Err(FilterError::Measurement { output: sensor.names[r] });
        }
        let row = |r: usize| self.0[r].map_or(T::ZERO, |z| sensor.difference(r, z, y[r]));
        Ok(SVector::from_fn(|r, _| row(r).entry()))
    }
}

/// What a measurement says of the estimate before it.
///
/// Rows without a measurement have no part in it: zero in the innovation, and a row and column of the identity in its
/// covariance.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Innovation<E: RealField, const R: usize> {
    /// e = z − y, R
    pub value: SVector<E, R>,
    /// S, the covariance of e, R × R
    pub covariance: SMatrix<E, R, R>,
    /// normalised innovation squared, eᵀ S⁻¹ e: χ² with [`Innovation::degrees`] degrees of freedom if the filter is
    /// consistent (Bar-Shalom, Li, Kirubarajan, Estimation with Applications to Tracking and Navigation, §5.4.2)
    pub nis: E,
    /// which rows were measured
    pub measured: [bool; R],
    /// whether the estimate was corrected by it
    pub accepted: bool,
}

impl<E: RealField, const R: usize> Innovation<E, R> {
    /// How many rows were measured: degrees of freedom of [`Innovation::nis`].
    pub fn degrees(&self) -> usize {
        self.measured.iter().filter(|&&measured| measured).count()
    }
}
