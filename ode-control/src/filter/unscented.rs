//! The transform of the unscented Kalman filter: sigma points through the step and the outputs themselves.

use ode_runtime::integrators::Vary;
use ode_runtime::linalg::nalgebra::{RealField, convert};
use ode_runtime::linalg::{Field, SMatrix, SVector};
use ode_runtime::solve::Acceleration;
use ode_runtime::variation::Columns;
use ode_runtime::{Cause, Context, Lent, Name, Real, Scalar, Sensitive, Solvable, State, StepMap, Turning, Work};

use crate::deviation::{minus, plus};
use crate::filter::RealOf;
use crate::filter::error::FilterError;
use crate::filter::manifold::Directions;
use crate::filter::transform::{Driven, Estimate, Expected, Measured, Sealed, Transform};

/// Sigma points of the scaled unscented transform (R. van der Merwe, Sigma-Point Kalman Filters, 2004, §3.2.2), on the
/// manifold of the model (C. Hertzberg et al., Information Fusion 14, 2013, §3.6).
///
/// With n directions, P = L Lᵀ and λ = α² (n + κ) − n they are x and x ⊕ ±√(n + λ) Lᵢ, with the weights
///
/// ```text
/// of means         λ/(n + λ),               1/(2 (n + λ)) of each other
/// of covariances   λ/(n + λ) + 1 − α² + β,   the same
/// ```
///
/// The mean is the point that the weighted differences ⊖ from it have none. Points are made anew from P after each
/// prediction and each update.
#[derive(Debug)]
pub struct Unscented<S: Solvable> {
    alpha: f64,
    beta: f64,
    kappa: f64,
    /// a sigma point
    point: State<S>,
    acceleration: Acceleration<S>,
}

/// Iterations for a mean: on rotations each gains several digits.
const ITERATIONS: usize = 30;

impl<S: Solvable> Unscented<S> {
    /// α = ½, β = 2, κ = 0. Points with a small α are so near to each other that their differences have few digits,
    /// which single precision does not bear; with α = 1, those of many directions are more than half a turn apart.
    pub(super) fn new(system: &S) -> Self {
        let (point, acceleration) = (State::neutral(system), Acceleration::new(system));
        Self { alpha: 0.5, beta: 2.0, kappa: 0.0, point, acceleration }
    }

    /// With another α, β and κ, for n directions or more.
    ///
    /// # Errors
    /// [`Cause::Invalid`] if α² (n + κ) is not positive, or β not finite.
    pub(super) fn weighted(self, n: usize, (alpha, beta, kappa): (f64, f64, f64)) -> Result<Self, Cause> {
        let sound = |x: f64| x > 0.0 && x.is_finite();
        for (setting, value, is) in [
            ("alpha of sigma points", alpha, sound(alpha)),
            ("beta of sigma points", beta, beta.is_finite()),
            ("kappa of sigma points", kappa, sound(alpha * alpha * (n as f64 + kappa))),
        ] {
            if !is {
                return Err(Cause::Invalid { setting, value });
            }
        }
        Ok(Self { alpha, beta, kappa, ..self })
    }

    /// Those of n directions.
    fn weights<E: RealField + Copy>(&self, n: usize) -> Weights<E> {
        let square = self.alpha * self.alpha;
        let spread = square * (n as f64 + self.kappa);
        Weights {
            distance: convert::<f64, E>(spread).sqrt(),
            pair: convert(0.5 / spread),
            centre: convert(2.0 - n as f64 / spread - square + self.beta),
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Weights<E> {
    /// √(n + λ)
    distance: E,
    /// of each point beside the mean
    pair: E,
    /// of the mean in covariances
    centre: E,
}

/// Differences of sigma points from a point.
#[derive(Clone, Copy, Debug)]
pub struct Spread<E: RealField, const D: usize, const N: usize> {
    /// of those along +Lᵢ and −Lᵢ
    sides: [SMatrix<E, D, N>; 2],
}

impl<E: RealField + Copy, const D: usize, const N: usize> Spread<E, D, N> {
    fn zeros() -> Self {
        Self { sides: [SMatrix::zeros(); 2] }
    }

    fn map(&mut self, mut to: impl FnMut(SVector<E, D>) -> SVector<E, D>) {
        for mut column in self.sides.iter_mut().flat_map(|side| side.column_iter_mut()) {
            let moved = to(column.clone_owned());
            column.copy_from(&moved);
        }
    }

    fn sum(&self) -> SVector<E, D> {
        self.sides[0].column_sum() + self.sides[1].column_sum()
    }

    /// Σ d dᵀ
    fn square(&self) -> SMatrix<E, D, D> {
        self.sides[0] * self.sides[0].transpose() + self.sides[1] * self.sides[1].transpose()
    }
}

/// Entries of a step that are of a rotation, or of a point on the sphere.
fn turning<S: Sensitive>(system: &S) -> impl Iterator<Item = usize> + '_ {
    system.turnings().iter().flat_map(|turning| match *turning {
        Turning::Sphere(first) => first..first + 2,
        Turning::Body(first) | Turning::World(first) => first..first + 3,
        _ => 0..0,
    })
}

/// Moves `mean` to the mean of points, given by their differences from it, and makes these those from the mean;
/// `centre` is that of the first point.
fn recentre<S: Solvable + Sensitive, const N: usize, const U: usize>(
    system: &S,
    pair: RealOf<S>,
    mean: &mut State<S>,
    centre: &mut SVector<RealOf<S>, N>,
    (states, inputs): (&mut Spread<RealOf<S>, N, N>, &mut Spread<RealOf<S>, N, U>),
) -> Result<(), FilterError> {
    let (mut point, mut next) = (mean.clone(), mean.clone());
    // weights beyond one increase round-off
    let weight = 1.0 + 2.0 * (N + U) as f64 * S::Real::from_entry(pair).to_f64();
    let enough = 64.0 * S::Real::EPSILON.to_f64() * weight;
    let mut most = 0;
    for _ in 0..ITERATIONS {
        let beside = states.sum() + inputs.sum() - *centre * convert::<f64, RealOf<S>>(2.0 * (N + U) as f64);
        let shift = *centre + beside * pair;
        plus(system, mean, &shift, &mut next);
        let mut renew = |d: SVector<RealOf<S>, N>| {
            if system.turnings().is_empty() {
                return d - shift;
            }
            plus(system, mean, &d, &mut point);
            minus(system, &point, &next)
        };
        states.map(&mut renew);
        inputs.map(&mut renew);
        *centre = renew(*centre);
        mean.copy_from(&next);
        let size = |i: usize| S::Real::from_entry(shift[i]).to_f64().abs();
        let farther = |most: usize, i: usize| if size(i) > size(most) { i } else { most };
        let Some(first) = turning(system).next() else { return Ok(()) };
        most = turning(system).fold(first, farther);
        if size(most) <= enough {
            return Ok(());
        }
    }
    Err(FilterError::Scattered { state: Name::new(system.layout().directions.get(most).copied().unwrap_or("")) })
}

impl<S: Solvable> Sealed for Unscented<S> {}

impl<S: Solvable + Sensitive, const N: usize> Transform<S, N> for Unscented<S> {
    /// differences of outputs from their mean, and that of the first point
    type Parts<const R: usize> = (Spread<RealOf<S>, R, N>, SVector<RealOf<S>, R>);

    fn predict<M: Vary<S>, K: Columns, const U: usize>(
        &mut self,
        map: &mut StepMap<'_, S, M, K>,
        from: &Estimate<S, N>,
        by: Driven<'_, S, U>,
        h: S::Real,
        to: &mut Estimate<S, N>,
    ) -> Result<(), FilterError> {
        let (system, weights) = (map.system(), self.weights::<RealOf<S>>(N + U));
        to.x.copy_from(map.step(&from.x, by.u.clone(), h)?.end);
        let (mut states, mut inputs) = (Spread::<_, N, N>::zeros(), Spread::<_, N, U>::zeros());
        for (side, distance) in [weights.distance, -weights.distance].into_iter().enumerate() {
            for j in 0..N {
                plus(system, &from.x, &(from.factor.root.column(j) * distance), &mut self.point);
                let end = map.step(&self.point, by.u.clone(), h)?.end;
                states.sides[side].set_column(j, &minus(system, end, &to.x));
            }
            for j in 0..U {
                let mut u = by.u.clone();
                let column = by.factor.root.column(j);
                u.as_mut().iter_mut().zip(column.iter()).for_each(|(u, &l)| *u += S::Real::from_entry(l * distance));
                let end = map.step(&from.x, u, h)?.end;
                inputs.sides[side].set_column(j, &minus(system, end, &to.x));
            }
        }
        let mut centre = SVector::zeros();
        recentre(system, weights.pair, &mut to.x, &mut centre, (&mut states, &mut inputs))?;
        to.p = (states.square() + inputs.square()) * weights.pair + centre * centre.transpose() * weights.centre;
        Ok(map.admit(&mut to.x, by.u)?)
    }

    fn expect<M: Vary<S>, K: Columns, const R: usize>(
        &mut self,
        map: &mut StepMap<'_, S, M, K>,
        _directions: &mut Directions<S, N>,
        Measured { at, u, sensor, present }: Measured<'_, S, N, R>,
    ) -> Result<Expected<S, Self::Parts<R>, N, R>, FilterError> {
        let (system, weights) = (map.system(), self.weights::<RealOf<S>>(N));
        let mut cx = Context { system, inputs: &Lent(u), work: &mut Work::default() };
        let mut y = sensor.read(system, &at.x, u)?;
        let mut spread = Spread::<_, R, N>::zeros();
        for (side, distance) in [weights.distance, -weights.distance].into_iter().enumerate() {
            for j in 0..N {
                plus(system, &at.x, &(at.factor.root.column(j) * distance), &mut self.point);
                self.acceleration.settle(&mut cx, &mut self.point)?;
                let beside = sensor.read(system, &self.point, u)?;
                let apart = |r| if present[r] { sensor.difference(r, beside[r], y[r]) } else { S::Real::ZERO };
                spread.sides[side].set_column(j, &SVector::from_fn(|r, _| apart(r).entry()));
            }
        }
        let mean = spread.sum() * weights.pair;
        y.iter_mut().zip(mean.iter()).for_each(|(y, &mean)| *y += S::Real::from_entry(mean));
        spread.map(|d| d - mean);
        let own = spread.square() * weights.pair + mean * mean.transpose() * weights.centre;
        let cross =
            at.factor.root * (spread.sides[0] - spread.sides[1]).transpose() * (weights.distance * weights.pair);
        Ok(Expected { y, own, cross, parts: (spread, -mean) })
    }

    fn corrected<const R: usize>(
        &self,
        at: &Estimate<S, N>,
        (spread, centre): &Self::Parts<R>,
        gain: &SMatrix<RealOf<S>, N, R>,
    ) -> SMatrix<RealOf<S>, N, N> {
        let weights = self.weights::<RealOf<S>>(N);
        let [ahead, behind] = [at.factor.root * weights.distance, at.factor.root * -weights.distance];
        let rest = Spread { sides: [ahead - gain * spread.sides[0], behind - gain * spread.sides[1]] };
        let centre = gain * centre;
        rest.square() * weights.pair + centre * centre.transpose() * weights.centre
    }
}
