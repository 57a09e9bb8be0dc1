//! The search for the nearest operating point.

use ode_runtime::linalg::{DMatrix, DVector};
use ode_runtime::{Cause, Names, Sensitive, Solvable};

use crate::trim::equations::Equations;
use crate::trim::error::TrimError;
use crate::trim::nearest::nearest;
use crate::trim::unknowns::{Candidate, Kind, Unknowns};

/// What an equation counts beside the distance, at first and at last.
const WEIGHTS: [f64; 8] = [1e2, 1e3, 1e4, 1e5, 1e6, 1e6, 1e6, 1e6];
/// Iterations with one of these.
const ITERATIONS: usize = 100;
/// Iterations that only meet the equations.
const MEETINGS: usize = 100;
/// What an equation counts beside the length of a step of Newton's.
const NEWTON: f64 = 1e10;
/// Times that a step may be damped more.
const DAMPINGS: usize = 30;
/// A step relative to the unknowns that ends the iterations.
const SMALL: f64 = 1e-10;
/// What is left of equations whose rows are scaled to unit size, at an operating point.
const BALANCED: f64 = 1e-9;
/// What is left of an equation, relative to its terms, that counts as round-off.
const ROUND_OFF: f64 = 64.0 * f64::EPSILON;

/// The problem about a guess.
pub(super) struct Search<'a, S: Solvable> {
    pub(super) system: &'a S,
    pub(super) unknowns: &'a Unknowns,
    pub(super) guess: &'a Candidate<S>,
}

/// Units of the search, those of the guess throughout, so that points compare.
struct Scale {
    /// what a unit of each unknown counts
    unknowns: DVector<f64>,
    /// the largest derivative of each equation by coordinates, velocities, states and inputs that may change
    rows: DVector<f64>,
}

/// The linearised problem at a point, scaled: rows to unit size, unknowns by what they count.
#[derive(Clone)]
struct Subproblem {
    a: DMatrix<f64>,
    values: DVector<f64>,
    to: DVector<f64>,
    low: DVector<f64>,
    high: DVector<f64>,
}

/// A point with its problem.
#[derive(Clone)]
struct Place<S: Solvable> {
    at: Candidate<S>,
    linear: Subproblem,
}

impl<S: Solvable<Real = f64> + Sensitive> Search<'_, S> {
    /// The operating point, and the iterations that it took.
    ///
    /// It is sought from the guess at once, and from the point where Newton's steps alone meet the equations: weights
    /// that begin low may lead away from a guess that nearly is one. The nearer point is taken.
    pub(super) fn run(&self) -> Result<(Candidate<S>, usize), TrimError> {
        let guess = self.begin();
        let scale = self.scale(&guess);
        let begin = Place { linear: self.linear(&guess, &scale)?, at: guess };
        let mut done = 0;
        let (mut met, mut best) = (begin.clone(), begin);
        self.meet(&mut met, &scale, &mut done);
        self.approach(&mut best, &scale, &WEIGHTS, &mut done);
        let mut error = self.unbalanced(&best.at, &scale);
        let nearer = |a: &Place<S>, b: &Place<S>| a.linear.to.norm() < (1.0 - 1e-9) * b.linear.to.norm();
        if self.unbalanced(&met.at, &scale).is_none() && (error.is_some() || nearer(&met, &best)) {
            let mut along = met.clone();
            self.approach(&mut along, &scale, &WEIGHTS[WEIGHTS.len() / 2..], &mut done);
            let better = self.unbalanced(&along.at, &scale).is_none() && nearer(&along, &met);
            (best, error) = (if better { along } else { met }, None);
        }
        error.map_or(Ok((best.at, done)), Err)
    }

    /// To the nearest point about a place, which meets the equations if it can.
    ///
    /// The augmented Lagrangian ½ d² + ½ w |c + ν|² of the distance d and the equations c is made least by damped
    /// steps, for greater and greater w, and ν takes c then: J. Nocedal, S. J. Wright, Numerical Optimization, 2nd ed.,
    /// §17.3.
    fn approach(&self, place: &mut Place<S>, scale: &Scale, weights: &[f64], done: &mut usize) {
        let mut shift = DVector::zeros(place.linear.values.len());
        for (stage, &weight) in weights.iter().enumerate() {
            let merit = |linear: &Subproblem, shift: &DVector<f64>| {
                0.5 * linear.to.norm_squared() + 0.5 * weight * (&linear.values + shift).norm_squared()
            };
            let mut damping = 0.0;
            for _ in 0..ITERATIONS {
                *done += 1;
                let linear = &place.linear;
                let now = merit(linear, &shift);
                let left = -(&linear.values + &shift);
                let mut found = None;
                for _ in 0..DAMPINGS {
                    let (to, weight) = (&linear.to / (1.0 + damping), weight / (1.0 + damping));
                    let step = nearest(&linear.a, &left, &to, weight, (&linear.low, &linear.high));
                    let there = self.step(place, &step, scale);
                    let model = 0.5 * (&linear.to - &step).norm_squared();
                    let expected =
                        now - model - 0.5 * weight * (1.0 + damping) * (&linear.a * &step - &left).norm_squared();
                    match there {
                        Ok(there) if now - merit(&there.linear, &shift) >= 0.1 * expected => {
                            damping = if damping <= 1.0 { 0.0 } else { damping / 30.0 };
                            found = Some((there, step.amax()));
                            break;
                        }
                        _ if step.amax() <= f64::EPSILON => break,
                        _ => damping = if damping == 0.0 { 1.0 } else { 10.0 * damping },
                    }
                }
                let Some((there, moved)) = found else { break };
                *place = there;
                if moved <= SMALL {
                    break;
                }
            }
            let next = weights.get(stage + 1).copied().unwrap_or(weight);
            shift = (&shift + &place.linear.values) * (weight / next);
        }
        self.meet(place, scale, done);
    }

    /// Newton's steps of least length, damped, as long as they help: what is left of the equations becomes round-off.
    fn meet(&self, place: &mut Place<S>, scale: &Scale, done: &mut usize) {
        let nowhere = DVector::zeros(scale.unknowns.len());
        let mut weight = NEWTON;
        for _ in 0..MEETINGS {
            *done += 1;
            let linear = &place.linear;
            let left = linear.values.norm_squared();
            let mut found = None;
            for _ in 0..DAMPINGS {
                let step = nearest(&linear.a, &-&linear.values, &nowhere, weight, (&linear.low, &linear.high));
                let expected = left - (&linear.a * &step + &linear.values).norm_squared();
                match self.step(place, &step, scale) {
                    Ok(there) if left - there.linear.values.norm_squared() > 0.1 * expected.max(0.0) => {
                        found = Some(there);
                        break;
                    }
                    _ if step.amax() <= f64::EPSILON => break,
                    _ => weight /= 10.0,
                }
            }
            let Some(there) = found else { return };
            *place = there;
            weight = NEWTON.min(100.0 * weight);
        }
    }

    /// The place after a scaled step.
    fn step(&self, from: &Place<S>, step: &DVector<f64>, scale: &Scale) -> Result<Place<S>, TrimError> {
        let at = from.at.moved(self.system, self.unknowns, &step.component_mul(&scale.unknowns));
        Ok(Place { linear: self.linear(&at, scale)?, at })
    }

    /// The guess within its bounds.
    fn begin(&self) -> Candidate<S> {
        let values = self.guess.values(self.system);
        let into = |i: usize| values[i].max(self.unknowns.low[i]).min(self.unknowns.high[i]) - values[i];
        let step = DVector::from_fn(values.len(), |i, _| into(i));
        self.guess.moved(self.system, self.unknowns, &step)
    }

    fn scale(&self, at: &Candidate<S>) -> Scale {
        // an equation is off by what could be changed about it, however stiff it is in what is held
        let jacobian = self.free(Equations::at(self.system, at, self.unknowns).jacobian);
        let unknowns = self.unknowns.scale(&jacobian);
        let a = jacobian * DMatrix::from_diagonal(&unknowns);
        // multipliers and outputs are whatever they must be: they set no unit
        let chosen = self.unknowns.range(Kind::Position).start..self.unknowns.range(Kind::Input).end;
        let rows = DVector::from_fn(a.nrows(), |r, _| {
            let sizes = [a.row(r).columns_range(chosen.clone()).amax(), a.row(r).amax(), 1.0];
            sizes.into_iter().find(|&size| size > 0.0).unwrap_or(1.0)
        });
        Scale { unknowns, rows }
    }

    /// A Jacobian without columns of what is held.
    fn free(&self, mut jacobian: DMatrix<f64>) -> DMatrix<f64> {
        let held = (0..self.unknowns.len()).filter(|&i| self.unknowns.low[i] == self.unknowns.high[i]);
        held.for_each(|i| jacobian.column_mut(i).fill(0.0));
        jacobian
    }

    fn linear(&self, at: &Candidate<S>, scale: &Scale) -> Result<Subproblem, TrimError> {
        let Equations { values, jacobian, rows } = Equations::at(self.system, at, self.unknowns);
        for (r, &(quantity, name)) in rows.iter().enumerate() {
            if !values[r].is_finite() || jacobian.row(r).iter().any(|x| !x.is_finite()) {
                return Err(Cause::NonFinite { quantity, name }.into());
            }
        }
        let mut a = self.free(jacobian) * DMatrix::from_diagonal(&scale.unknowns);
        a.row_iter_mut().enumerate().for_each(|(r, mut row)| row /= scale.rows[r]);
        let now = at.values(self.system);
        let mut away = now.clone() - self.guess.values(self.system);
        let mut step = at.x.v.clone();
        self.system.local(&self.guess.x.q, &at.x.q, &mut step);
        self.unknowns.range(Kind::Position).zip(step.as_ref()).for_each(|(i, &step)| away[i] = step);
        // what an output must be is no distance, and multipliers have no guess
        for kind in [Kind::Multiplier, Kind::Output] {
            self.unknowns.range(kind).for_each(|i| away[i] = 0.0);
        }
        let bound = |bounds: &[f64]| DVector::from_fn(now.len(), |i, _| (bounds[i] - now[i]) / scale.unknowns[i]);
        Ok(Subproblem {
            values: values.component_div(&scale.rows),
            a,
            to: -away.component_div(&scale.unknowns),
            low: bound(&self.unknowns.low),
            high: bound(&self.unknowns.high),
        })
    }

    /// What is at a bound that it may leave.
    pub(super) fn at_bounds(&self, at: &Candidate<S>) -> Vec<&str> {
        let (values, unknowns) = (at.values(self.system), self.unknowns);
        let near = |x: f64, bound: f64| bound.is_finite() && (x - bound).abs() <= SMALL * (1.0 + bound.abs());
        let at_bound = |&i: &usize| {
            let (low, high) = (unknowns.low[i], unknowns.high[i]);
            low < high && (near(values[i], low) || near(values[i], high))
        };
        (0..unknowns.len()).filter(at_bound).map(|i| unknowns.names[i].as_str()).collect()
    }

    /// The equation that is off most, relative to its scale, unless all are met.
    fn unbalanced(&self, at: &Candidate<S>, scale: &Scale) -> Option<TrimError> {
        let Equations { values, jacobian, rows } = Equations::at(self.system, at, self.unknowns);
        let unknowns = at.values(self.system);
        let off = |r: &usize| {
            let terms = jacobian.row(*r).iter().zip(unknowns.iter()).map(|(by, x)| (by * x).abs()).sum::<f64>();
            if values[*r].abs() <= ROUND_OFF * terms { 0.0 } else { values[*r].abs() / scale.rows[*r] }
        };
        let worst = (0..values.len()).max_by(|a, b| off(a).total_cmp(&off(b))).filter(|r| off(r) > BALANCED)?;
        let (quantity, name) = rows[worst];
        let held = self.unknowns.range(Kind::Input).any(|i| self.unknowns.low[i] == self.unknowns.high[i]);
        let mut bounds = Names::none();
        self.at_bounds(at).into_iter().for_each(|name| bounds.push(name));
        Some(TrimError::Unbalanced { quantity, name, residual: values[worst], bounds, held })
    }
}
