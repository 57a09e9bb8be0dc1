//! Nonlinear least squares by the method of Levenberg and Marquardt.

pub(super) mod ending;
mod gain;
pub(super) mod iteration;
pub(super) mod loss;
mod trust_region;

use core::ops::ControlFlow;

use ode_runtime::linalg::{DMatrix, DVector};

use ending::{Ending, Limits};
use gain::Gain;
use iteration::Iteration;
use loss::Loss;
use trust_region::{LinearLeastSquares, Step};

/// Residuals of unknowns that may be more than numbers: attitudes, for example.
pub(super) trait Residuals {
    /// what the residuals are of
    type Point: Clone;
    /// why they cannot be evaluated
    type Error;

    fn residuals(&self, at: &Self::Point) -> Result<DVector<f64>, Self::Error>;

    /// The same with their Jacobian, a column for each unknown.
    fn linearize(&self, at: &Self::Point) -> Result<(DVector<f64>, DMatrix<f64>), Self::Error>;

    /// The point a step away, within the bounds.
    fn moved(&self, from: &Self::Point, step: &DVector<f64>) -> Self::Point;

    /// The unknowns as numbers.
    fn values(&self, at: &Self::Point) -> DVector<f64>;

    fn names(&self) -> &[String];

    /// The lowest and the highest value of each unknown.
    fn bounds(&self) -> &[(f64, f64)];
}

/// The method of K. Levenberg and D. W. Marquardt in a trust region that unknowns scale: J. J. Moré, The
/// Levenberg-Marquardt algorithm: implementation and theory, Lecture Notes in Mathematics 630 (1978) 105–116, as
/// MINPACK's `lmder` has it, with its tests of convergence. Unknowns at a bound stay there as long as the cost falls
/// beyond it.
pub(super) struct LevenbergMarquardt<'p> {
    pub(super) loss: Loss,
    pub(super) limits: Limits,
    pub(super) progress: &'p mut Progress<'p>,
}

/// Sees each iteration, and may end the search.
pub(super) type Progress<'a> = dyn FnMut(&Iteration<'_>) -> ControlFlow<()> + 'a;

/// Where the search has ended.
pub(super) struct Found<P> {
    pub(super) point: P,
    pub(super) cost: f64,
    pub(super) residuals: DVector<f64>,
    pub(super) jacobian: DMatrix<f64>,
    /// unknowns that a bound holds
    pub(super) held: Vec<bool>,
    pub(super) ending: Ending,
    /// evaluations of residuals and of Jacobians
    pub(super) evaluations: (usize, usize),
}

/// A point with what is known there.
struct Here<P> {
    point: P,
    values: DVector<f64>,
    cost: f64,
    residuals: DVector<f64>,
    jacobian: DMatrix<f64>,
    /// weighted
    r: DVector<f64>,
    j: DMatrix<f64>,
    gradient: DVector<f64>,
}

impl LevenbergMarquardt<'_> {
    /// The least cost near a point.
    pub(super) fn solve<R: Residuals>(self, of: &R, point: R::Point) -> Result<Found<R::Point>, R::Error> {
        let mut here = self.look(of, point)?;
        let (mut evaluations, mut number) = ((1, 1), 0);
        let mut scale = lengths(&here.j).map(|length| if length > 0.0 { length } else { 1.0 });
        let mut size = here.values.component_mul(&scale).norm();
        let mut radius = if size > 0.0 { 100.0 * size } else { 100.0 };
        let (mut damping, mut moved) = (0.0, 0.0);
        let mut shown;
        let ending = 'search: loop {
            scale.zip_apply(&lengths(&here.j), |scale, length| *scale = scale.max(length));
            let room = here.room(of.bounds());
            let slope = here.slope(&room);
            shown = number;
            if (self.progress)(&here.iteration((number, slope), (damping, moved), of.names())).is_break() {
                break Ending::Cancelled;
            }
            if slope <= self.limits.gradient || here.cost == 0.0 {
                break Ending::Gradient;
            }
            let linear = LinearLeastSquares::new(&here.j, &here.r);
            loop {
                if evaluations.0 >= self.limits.evaluations {
                    break 'search Ending::Evaluations;
                }
                let Step { p, damping: found } = linear.step(&scale, radius, damping, &room);
                damping = found;
                moved = p.component_mul(&scale).norm();
                if number == 0 && evaluations.0 == 1 {
                    radius = radius.min(moved);
                }
                let trial = of.moved(&here.point, &p);
                evaluations.0 += 1;
                // a point that cannot be evaluated is no better than this one
                let residuals = of.residuals(&trial);
                let failed = residuals.is_err();
                let cost = residuals.map_or(f64::INFINITY, |residuals| self.loss.cost(&residuals));
                let gain = Gain::of((here.cost, &here.gradient), &linear, &p, cost);
                gain.resize(&mut radius, &mut damping, moved);
                let accepted = gain.ratio >= 1e-4;
                if accepted {
                    // the Jacobian of a trial may be what cannot be evaluated
                    match self.look(of, trial) {
                        Ok(there) => here = there,
                        Err(_) => break 'search Ending::NoJacobian,
                    }
                    evaluations.1 += 1;
                    size = here.values.component_mul(&scale).norm();
                    number += 1;
                }
                if let Some(ending) = self.limits.reached(&gain, radius, size) {
                    break 'search if failed { Ending::NoWay } else { ending };
                }
                if accepted {
                    break;
                }
            }
        };
        let room = here.room(of.bounds());
        let held = room.iter().map(|&room| room == (0.0, 0.0)).collect();
        if shown != number {
            // it has ended anyway
            let _ = (self.progress)(&here.iteration((number, here.slope(&room)), (damping, moved), of.names()));
        }
        let Here { point, cost, residuals, jacobian, .. } = here;
        Ok(Found { point, cost, residuals, jacobian, held, ending, evaluations })
    }

    fn look<R: Residuals>(&self, of: &R, point: R::Point) -> Result<Here<R::Point>, R::Error> {
        let (residuals, jacobian) = of.linearize(&point)?;
        let (mut r, mut j) = (residuals.clone(), jacobian.clone());
        self.loss.weigh(&mut r, &mut j);
        let (values, cost, gradient) = (of.values(&point), self.loss.cost(&residuals), j.tr_mul(&r));
        Ok(Here { point, values, cost, residuals, jacobian, r, j, gradient })
    }
}

impl<P> Here<P> {
    /// How far each unknown may go down and up: nowhere if it is at a bound and the cost falls beyond it.
    fn room(&self, bounds: &[(f64, f64)]) -> Vec<(f64, f64)> {
        let room = bounds.iter().zip(self.values.iter()).zip(self.gradient.iter());
        room.map(|((&(low, high), &x), &slope)| {
            // a start that was moved there may be off by round-off
            let near = 4.0 * f64::EPSILON * x.abs();
            let outward = x <= low + near && slope >= 0.0 || x >= high - near && slope <= 0.0;
            if outward { (0.0, 0.0) } else { (low - x, high - x) }
        })
        .collect()
    }

    fn iteration<'a>(
        &'a self,
        (number, gradient): (usize, f64),
        (damping, step): (f64, f64),
        names: &'a [String],
    ) -> Iteration<'a> {
        Iteration { number, cost: self.cost, gradient, damping, step, at: &self.values, names }
    }

    /// The largest cosine between the residuals and a column of their Jacobian.
    fn slope(&self, room: &[(f64, f64)]) -> f64 {
        let (norm, lengths) = (self.r.norm(), lengths(&self.j));
        let cosine = |i: usize| (self.gradient[i] / (norm * lengths[i])).abs();
        (0..room.len())
            .filter(|&i| room[i] != (0.0, 0.0) && lengths[i] > 0.0 && norm > 0.0)
            .map(cosine)
            .fold(0.0, f64::max)
    }
}

/// The lengths of columns.
fn lengths(j: &DMatrix<f64>) -> DVector<f64> {
    DVector::from_iterator(j.ncols(), j.column_iter().map(|column| column.norm()))
}
