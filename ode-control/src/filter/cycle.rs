//! The cycle of predictions and measurements, for every transform.

use core::{fmt, mem};

use ode_runtime::integrators::Vary;
use ode_runtime::linalg::nalgebra::{RealField, convert};
use ode_runtime::linalg::{Field, SMatrix, SVector};
use ode_runtime::solve::Projection;
use ode_runtime::variation::{Columns, Fixed};
use ode_runtime::{Block, Cause, Scalar, Sensitive, Solvable, State, StepMap};

use crate::deviation::{minus, plus};
use crate::filter::RealOf;
use crate::filter::covariance::{Factor, Rows, check};
use crate::filter::error::FilterError;
use crate::filter::linearized::Linearized;
use crate::filter::manifold::Directions;
use crate::filter::measurement::{Innovation, Measurement};
use crate::filter::sensor::Sensor;
use crate::filter::transform::{Driven, Estimate, Expected, Measured, Transform};
use crate::filter::unscented::Unscented;

/// What covariances are of, in errors.
const ESTIMATE: &str = "the estimate";

/// A recursive estimate of a model's state from its outputs: [`Ekf`](crate::Ekf) and [`Ukf`](crate::Ukf), which differ
/// in how a covariance goes through a step and through outputs.
///
/// The error of an estimate x̂ is x ⊖ x̂, along the N directions of the model: [`Layout::state_direction_names`], q in
/// tangent coordinates, v but in first-order models, z without algebraic variables. Rows of covariances are in this
/// order. So rotations have three directions, and no covariance of a quaternion is singular. Covariances of constrained
/// models should be along the constraints; of what is across them, projections remove the state's part.
///
/// Inputs are held from one prediction to the next, and events are not looked for. After an error, state and covariance
/// are those before.
///
/// [`Layout::state_direction_names`]: ode_runtime::Layout::state_direction_names
pub struct Filter<'a, S: Solvable + Sensitive, M: Vary<S>, K: Columns, F, const N: usize> {
    map: StepMap<'a, S, M, K>,
    transform: F,
    /// those of the last prediction
    u: S::U,
    now: Estimate<S, N>,
    next: Estimate<S, N>,
    directions: Directions<S, N>,
    reset: bool,
}

impl<S: Solvable + Sensitive, M: Vary<S>, K: Columns, F: fmt::Debug, const N: usize> fmt::Debug
    for Filter<'_, S, M, K, F, N>
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { map, transform, now, .. } = self;
        f.debug_struct("Filter").field("map", map).field("by", transform).field("now", now).finish_non_exhaustive()
    }
}

impl<'a, S: Solvable + Sensitive, M: Vary<S>, const N: usize> Filter<'a, S, M, Fixed<N>, Linearized, N> {
    /// An extended Kalman filter that predicts by steps of a method, from a state and the covariance of its error.
    ///
    /// # Errors
    /// Settings of the method out of range; [`Cause::OutOfRange`] if the covariance has not a row for each direction;
    /// those of [`Filter::initialize`].
    pub fn new(
        system: &'a S,
        method: M,
        x: &State<S>,
        covariance: SMatrix<RealOf<S>, N, N>,
    ) -> Result<Self, FilterError> {
        // before the map, whose columns are as many
        fits::<S, N>(system)?;
        Self::of(StepMap::sized(system, method, &[])?, x, covariance)
    }
}

impl<'a, S: Solvable + Sensitive, M: Vary<S>, K: Columns, const N: usize> Filter<'a, S, M, K, Linearized, N> {
    /// The same with a map of steps: one with B for noise of inputs, or one that projects by weights.
    ///
    /// # Errors
    /// [`Cause::OutOfRange`] if the covariance has not a row for each direction; those of [`Filter::initialize`].
    pub fn of(
        map: StepMap<'a, S, M, K>,
        x: &State<S>,
        covariance: SMatrix<RealOf<S>, N, N>,
    ) -> Result<Self, FilterError> {
        Self::with(map, Linearized, x, covariance)
    }
}

impl<'a, S: Solvable + Sensitive, M: Vary<S>, const N: usize> Filter<'a, S, M, Fixed<0>, Unscented<S>, N> {
    /// An unscented Kalman filter that predicts by steps of a method, from a state and the covariance of its error.
    ///
    /// # Errors
    /// As those of an extended one.
    pub fn new(
        system: &'a S,
        method: M,
        x: &State<S>,
        covariance: SMatrix<RealOf<S>, N, N>,
    ) -> Result<Self, FilterError> {
        Self::of(StepMap::sized(system, method, &[])?, x, covariance)
    }
}

impl<'a, S: Solvable + Sensitive, M: Vary<S>, K: Columns, const N: usize> Filter<'a, S, M, K, Unscented<S>, N> {
    /// The same with a map of steps; it needs no derivatives.
    ///
    /// # Errors
    /// As those of an extended one.
    pub fn of(
        map: StepMap<'a, S, M, K>,
        x: &State<S>,
        covariance: SMatrix<RealOf<S>, N, N>,
    ) -> Result<Self, FilterError> {
        let transform = Unscented::new(map.system());
        Self::with(map, transform, x, covariance)
    }

    /// With another α, β and κ of the [`Unscented`] transform; they are ½, 2 and 0.
    ///
    /// # Errors
    /// [`Cause::Invalid`] if α² (N + κ) is not positive, or β not finite.
    pub fn weighted(self, alpha: f64, beta: f64, kappa: f64) -> Result<Self, FilterError> {
        Ok(Self { transform: self.transform.weighted(N, (alpha, beta, kappa))?, ..self })
    }
}

impl<'a, S, M, K, F, const N: usize> Filter<'a, S, M, K, F, N>
where
    S: Solvable + Sensitive,
    M: Vary<S>,
    K: Columns,
    F: Transform<S, N>,
{
    fn with(
        map: StepMap<'a, S, M, K>,
        transform: F,
        x: &State<S>,
        covariance: SMatrix<RealOf<S>, N, N>,
    ) -> Result<Self, FilterError> {
        let system = map.system();
        let layout = system.layout();
        fits::<S, N>(system)?;
        let mut u = S::U::zeros(layout.u.len());
        system.nominal(&mut u);
        let none = Estimate { x: State::neutral(system), p: SMatrix::zeros(), factor: Factor::zero() };
        let directions = Directions::new(system);
        let mut filter = Self { map, transform, u, now: none.clone(), next: none, directions, reset: true };
        filter.initialize(x, covariance)?;
        Ok(filter)
    }

    /// Projects predictions and corrected states onto the constraints, if they exceed the tolerance.
    ///
    /// # Errors
    /// Settings out of range; those of [`Filter::initialize`].
    pub fn project(self, how: Projection<S::Real>) -> Result<Self, FilterError> {
        let mut filter = Self { map: self.map.project(how)?, ..self };
        let Estimate { x, p, .. } = filter.now.clone();
        filter.initialize(&x, p)?;
        Ok(filter)
    }

    /// Leaves the covariance as it is where a correction turns the directions that it is about.
    #[must_use]
    pub fn without_reset(self) -> Self {
        Self { reset: false, ..self }
    }

    /// R outputs of these names, to be measured together.
    ///
    /// # Errors
    /// [`UnknownName`](ode_runtime::UnknownName) with the most similar output.
    pub fn sensor<const R: usize>(&self, outputs: [&str; R]) -> Result<Sensor<S, R>, FilterError> {
        Ok(Sensor::of(self.map.system(), outputs)?)
    }

    /// The state, with the a, ż and λ of the equations.
    pub fn state(&self) -> &State<S> {
        &self.now.x
    }

    /// The covariance of its error, N × N.
    pub fn covariance(&self) -> &SMatrix<RealOf<S>, N, N> {
        &self.now.p
    }

    /// Puts another estimate in the place of the present one.
    ///
    /// # Errors
    /// A state that is not finite, or whose rotations are not, by name; why it cannot be projected or evaluated;
    /// [`FilterError::Covariance`].
    pub fn initialize(&mut self, x: &State<S>, covariance: SMatrix<RealOf<S>, N, N>) -> Result<(), FilterError> {
        self.next.x.copy_from(x);
        self.map.admit(&mut self.next.x, &self.u)?;
        check(&covariance, ESTIMATE, Rows::State(&self.map.system().layout()))?;
        self.next.p = covariance;
        self.conclude(&SVector::zeros())
    }

    /// Holds other inputs: what outputs read, until the next prediction.
    ///
    /// # Errors
    /// Why the state cannot be evaluated with them.
    pub fn hold(&mut self, u: impl Into<S::U>) -> Result<(), FilterError> {
        let u = u.into();
        self.next.x.copy_from(&self.now.x);
        self.map.admit(&mut self.next.x, &u)?;
        mem::swap(&mut self.now.x, &mut self.next.x);
        self.u = u;
        Ok(())
    }

    /// A step `h` with the inputs `u`, whose process noise has the covariance `q` at its end.
    ///
    /// # Errors
    /// [`StepError`](ode_runtime::StepError) if the step, or that of a sigma point, failed;
    /// [`FilterError::Covariance`].
    pub fn predict(&mut self, u: impl Into<S::U>, h: S::Real, q: &SMatrix<RealOf<S>, N, N>) -> Result<(), FilterError> {
        self.predict_driven(u, h, q, &SMatrix::<RealOf<S>, 0, 0>::zeros())
    }

    /// The same with noise of covariance `q_u` on the inputs, U × U, as measured ones have it.
    ///
    /// # Errors
    /// As [`Filter::predict`]; [`Cause::OutOfRange`] if there is not a row for each input, or the map of an extended
    /// filter has no B.
    pub fn predict_driven<const U: usize>(
        &mut self,
        u: impl Into<S::U>,
        h: S::Real,
        q: &SMatrix<RealOf<S>, N, N>,
        q_u: &SMatrix<RealOf<S>, U, U>,
    ) -> Result<(), FilterError> {
        let (u, layout) = (u.into(), self.map.system().layout());
        let (value, needed) = (U as f64, layout.u.len() as f64);
        if U > 0 && value != needed {
            let setting = "number of rows of the noise of inputs";
            return Err(Cause::OutOfRange { setting, value, low: needed, high: needed }.into());
        }
        Factor::entered(q, "process noise", Rows::State(&layout))?;
        let factor = Factor::entered(q_u, "the noise of inputs", Rows::Inputs(&layout))?;
        let by = Driven { u: &u, noise: q_u, factor: &factor };
        self.transform.predict(&mut self.map, &self.now, by, h, &mut self.next)?;
        self.next.p += q;
        let before = self.now.p.diagonal();
        self.conclude(&before)?;
        self.u = u;
        Ok(())
    }

    /// Corrects the estimate by a measurement, whose noise has the covariance `r`. It may be made at any time, also
    /// several at the same; a missing number is `None`, and its row of `r` is not read.
    ///
    /// Noise may be zero where the estimate has variance of what is measured. Where both have none, the innovation is
    /// refused.
    ///
    /// # Errors
    /// [`FilterError::Measurement`] for a number that is not finite; [`FilterError::Output`];
    /// [`FilterError::Covariance`]; why outputs cannot be linearised, or the corrected state cannot be evaluated.
    pub fn update<const R: usize>(
        &mut self,
        sensor: &Sensor<S, R>,
        z: impl Into<Measurement<S::Real, R>>,
        r: &SMatrix<RealOf<S>, R, R>,
    ) -> Result<Innovation<RealOf<S>, R>, FilterError> {
        self.update_if(sensor, z, r, |_| true)
    }

    /// The same if the innovation is accepted, as by a gate `|e| e.nis < 9.2`.
    ///
    /// # Errors
    /// As [`Filter::update`].
    pub fn update_if<const R: usize>(
        &mut self,
        sensor: &Sensor<S, R>,
        z: impl Into<Measurement<S::Real, R>>,
        r: &SMatrix<RealOf<S>, R, R>,
        accept: impl FnOnce(&Innovation<RealOf<S>, R>) -> bool,
    ) -> Result<Innovation<RealOf<S>, R>, FilterError> {
        let z = z.into();
        let (system, measured) = (self.map.system(), z.present());
        let (zero, one) = (S::Real::ZERO.entry(), S::Real::ONE.entry());
        // a row that is not measured has an innovation of zero, with a variance of its own
        let r = SMatrix::from_fn(|i, j| match measured[i] && measured[j] {
            true => r[(i, j)],
            false if i == j => one,
            false => zero,
        });
        Factor::entered(&r, "measurement noise", Rows::Sensor(&sensor.names))?;
        let at = Measured { at: &self.now, u: &self.u, sensor, present: measured };
        let expected = self.transform.expect(&mut self.map, &mut self.directions, at)?;
        let Expected { y, own, cross, parts } = expected;
        let value = z.minus(&y, sensor)?;
        let covariance = symmetric(own + r);
        let factor = Factor::definite(&covariance, "the innovation", Rows::Sensor(&sensor.names))?;
        let nis = factor.whiten(&value).norm_squared();
        let mut innovation = Innovation { value, covariance, nis, measured, accepted: true };
        innovation.accepted = accept(&innovation);
        if !innovation.accepted || innovation.degrees() == 0 {
            return Ok(innovation);
        }
        let mut gain = cross;
        for mut row in gain.row_iter_mut() {
            let solved: SVector<RealOf<S>, R> = factor.solve(&row.transpose());
            row.tr_copy_from(&solved);
        }
        self.next.p = self.transform.corrected(&self.now, &parts, &gain) + gain * r * gain.transpose();
        self.correct(system, &(gain * value))?;
        Ok(innovation)
    }

    /// Normalised estimation error squared, (x ⊖ x̂)ᵀ P⁻¹ (x ⊖ x̂) of the true state x: χ² with N degrees of freedom if
    /// the filter is consistent; fewer, if constraints leave fewer directions. Directions without variance do not
    /// count.
    ///
    /// # Errors
    /// A truth that is not finite, by name.
    pub fn nees(&self, truth: &State<S>) -> Result<RealOf<S>, FilterError> {
        let system = self.map.system();
        truth.check(&system.layout())?;
        Ok(self.now.factor.whiten(&minus(system, truth, &self.now.x)).norm_squared())
    }

    /// Moves the state by `d`, with the covariance about it.
    fn correct(&mut self, system: &S, d: &SVector<RealOf<S>, N>) -> Result<(), FilterError> {
        let Self { map, u, now, next, directions, reset, .. } = self;
        plus(system, &now.x, d, &mut next.x);
        let moved = next.x.clone();
        map.admit(&mut next.x, u)?;
        if *reset {
            let projected = map.projected_by().filter(|_| moved.q != next.x.q || moved.v != next.x.v);
            if let Some(turn) = directions.reset(system, d, &moved, projected)? {
                next.p = turn * next.p * turn.transpose();
            }
        }
        let before = self.now.p.diagonal();
        self.conclude(&before)
    }

    /// Makes the next estimate the present one, if its covariance is one; `before` are variances that it is made of.
    ///
    /// A measurement that is far better than the estimate leaves what is round-off of the variances before. Of that,
    /// what is negative is cleared.
    fn conclude(&mut self, before: &SVector<RealOf<S>, N>) -> Result<(), FilterError> {
        let layout = self.map.system().layout();
        let (rows, Self { now, next, .. }) = (Rows::State(&layout), self);
        // products are symmetric to round-off of their terms, which may be much larger than what is left
        next.p = symmetric(next.p);
        next.factor = match Factor::of(&next.p, ESTIMATE, rows) {
            Ok(factor) => factor,
            Err(_) => {
                let factor = Factor::since(&next.p, before, ESTIMATE, rows)?;
                next.p = factor.square();
                factor
            }
        };
        mem::swap(now, next);
        Ok(())
    }
}

/// Refuses a covariance that has not a row for each direction.
fn fits<S: Solvable, const N: usize>(system: &S) -> Result<(), Cause> {
    let (value, needed) = (N as f64, system.layout().state_directions() as f64);
    if value != needed {
        let setting = "number of rows of the covariance";
        return Err(Cause::OutOfRange { setting, value, low: needed, high: needed });
    }
    Ok(())
}

/// (P + Pᵀ)/2
fn symmetric<E: RealField + Copy, const N: usize>(p: SMatrix<E, N, N>) -> SMatrix<E, N, N> {
    (p + p.transpose()) * convert::<f64, E>(0.5)
}
