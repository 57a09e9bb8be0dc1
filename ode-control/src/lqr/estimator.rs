//! Steady Kalman gains: the duals of regulators.

use ode_runtime::UnknownName;
use ode_runtime::linalg::{DMatrix, Labelled};

use crate::linear::pole::Pole;
use crate::linear::state_space::StateSpace;
use crate::lqr::error::{GainError, named};
use crate::lqr::weights::Weights;
use crate::matrix::operations::solve;
use crate::riccati::problem::Riccati;

/// The noise of a system, for the steady gain of a Kalman filter. See [`Kalman::of`].
///
/// Of a continuous system the covariances are intensities of white noise; of a discrete one those of each step. They
/// are given by name, and add up; all are zero before.
#[derive(Clone, Debug)]
pub struct Kalman {
    system: StateSpace,
    process: Weights,
    measurement: Weights,
}

/// A steady Kalman gain, and what is known of its loop.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SteadyKalman {
    /// L, a row for each state and a column for each output. Continuous: dx̂/dt = A x̂ + B u + L (y − C x̂ − D u).
    /// Discrete: x̂ += L (y − C x̂ − D u) at each measurement, before the next step
    pub gain: Labelled<f64>,
    /// the covariance of x̂ − x; of a discrete system before each measurement
    pub covariance: Labelled<f64>,
    /// the poles of the error, of A − L C or A − A L C, by ascending natural frequency
    pub poles: Vec<Pole>,
    /// the largest entry of the residual of the Riccati equation, relative to its largest term
    pub residual: f64,
}

impl Kalman {
    /// A filter of this system, without noise so far.
    pub fn of(system: &StateSpace) -> Self {
        let (states, outputs) = (system.a.row_names(), system.c.row_names());
        Self {
            process: Weights::none("the covariance of the process", "state", states),
            measurement: Weights::none("the covariance of the measurement", "output", outputs),
            system: system.clone(),
        }
    }

    /// Adds noise of this variance to the rate of a state; of a discrete system to the state after each step.
    ///
    /// # Errors
    /// [`GainError::Name`] of a state that does not exist.
    pub fn state(mut self, name: &str, variance: f64) -> Result<Self, GainError> {
        self.process.add(name, variance)?;
        Ok(self)
    }

    /// Adds noise of this variance to an input.
    ///
    /// # Errors
    /// [`GainError::Name`] of an input that does not exist; [`GainError::System`].
    pub fn input(mut self, name: &str, variance: f64) -> Result<Self, GainError> {
        self.system.check()?;
        let column = UnknownName::place("input", name, self.system.b.column_names())?;
        let b = self.system.b.column(column);
        self.process.matrix += b * b.transpose() * variance;
        Ok(self)
    }

    /// Adds noise of this variance to the measurement of an output. Every output needs some.
    ///
    /// # Errors
    /// [`GainError::Name`] of an output that does not exist.
    pub fn output(mut self, name: &str, variance: f64) -> Result<Self, GainError> {
        self.measurement.add(name, variance)?;
        Ok(self)
    }

    /// The covariances as they are, instead of those by name.
    ///
    /// # Errors
    /// [`GainError::Misfit`] of a matrix that does not fit the system.
    pub fn covariances(mut self, process: DMatrix<f64>, measurement: DMatrix<f64>) -> Result<Self, GainError> {
        self.process.set(process)?;
        self.measurement.set(measurement)?;
        Ok(self)
    }

    /// The gain of the filter that has run for long.
    ///
    /// # Errors
    /// [`GainError`]: matrices that do not fit or are not finite, covariances that are not semidefinite, outputs
    /// without noise, unstable modes that no output shows, by name; no solution that makes the error decay, or none
    /// found.
    pub fn solve(&self) -> Result<SteadyKalman, GainError> {
        self.system.check()?;
        let StateSpace { a, c, step, .. } = &self.system;
        let (q, r) = (self.process.checked()?, self.measurement.definite()?);
        let (states, outputs, discrete) = (a.row_names(), c.row_names(), step.is_some());
        let (a, b) = (a.transpose(), c.transpose());
        let n = DMatrix::zeros(a.nrows(), b.ncols());
        let riccati = Riccati { a, b, q, r, n, discrete };
        let solution = riccati.solve().map_err(|unsolved| {
            GainError::of(unsolved, |pole, state| GainError::Unobservable { pole, state: named(states, state) })
        })?;
        // of the regulator of the dual system Kᵀ = A L; the filter's own gain corrects before the step
        let gain = if discrete {
            let Riccati { b, r, .. } = &riccati;
            let spread = r + b.transpose() * &solution.p * b;
            solve(&spread, &(b.transpose() * &solution.p)).ok_or(GainError::Infinite)?
        } else {
            solution.gain
        };
        Ok(SteadyKalman {
            gain: Labelled::new(states, outputs, |r, c| gain[(c, r)]),
            covariance: Labelled::new(states, states, |r, c| solution.p[(r, c)]),
            poles: Pole::sorted(solution.poles, *step),
            residual: solution.residual,
        })
    }
}
