//! Descent to an equilibrium that is stable.
//!
//! Each step solves the bordered system of statics with a stiffness that is made positive along the motions that the
//! rows allow: negative eigenvalues of WᵀK W become their magnitude, zero ones become 1 in the metric of the judgement.
//! Such a step follows the forces. It is limited by a radius, which grows if the linear model predicts the final force
//! well, and is halved if the final force opposes the step by more than half of the initial one. Rows and the equations
//! of first-order states hold at the end of each step. If the search stops at an unstable point, it continues along the
//! least direction.
//!
//! Reference: J. Nocedal, S. J. Wright, Numerical Optimization, §3.4 on modified Newton methods, §4.1 on radii of
//! trust; Y. N. Dauphin et al., Identifying and attacking the saddle point problem (2014), on magnitudes of
//! eigenvalues.

use std::vec::Vec;

use crate::analysis::statics::judge::Form;
use crate::analysis::statics::search::{Search, coordinate};
use crate::analysis::statics::{Begin, Converged, Statics, Unsettled};
use crate::error::{Cause, Name, Quantity};
use crate::linalg::{Matrix, Saddle, Singular, null_space_within, spanning};
use crate::model::input::Inputs;
use crate::model::layout::{Layout, RowKind};
use crate::model::linearize::Linearize;
use crate::model::rotations::enter;
use crate::model::state::{State, copy};
use crate::model::system::Residual;
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;
use crate::solve::{LOOSE, undetermined};

/// Newton iterations that bring a step back to its rows.
const RETURNS: u32 = 20;

/// What a point says of the way down.
struct Slope<T> {
    /// the inverse of the bordered matrix with the positive stiffness
    inverse: Matrix<T>,
    /// the same with ones for the stiffness, used to satisfy rows and state equations with the least change
    nearest: Matrix<T>,
    /// the stiffness itself, after elimination of states and compliant rows
    k: Matrix<T>,
    /// a unit displacement along which the stiffness is negative
    summit: Option<Vec<T>>,
}

impl<T: Real> Slope<T> {
    /// From the bordered tangent with unit weights of positions and states, without dependent rows.
    fn of(layout: &Layout<'_>, tangent: &Matrix<T>, redundant: bool) -> Result<Self, Cause> {
        let (n, nv) = (tangent.rows(), layout.v.len());
        let first = nv + layout.z.len();
        let yields = |i: usize| i < first || layout.kind(i - first) == RowKind::Compliant;
        let (gone, rows): (Vec<usize>, Vec<usize>) = (nv..n).partition(|&i| yields(i));
        let motion: Vec<usize> = (0..nv).collect();
        let part = |r: &[usize], c: &[usize]| Matrix::from_fn(r.len(), c.len(), |i, j| tangent[(r[i], c[j])]);
        let (whole, by) = (part(&motion, &motion), part(&gone, &gone).solve(&part(&gone, &motion)));
        let by = by.map_err(|singular| unknown(layout, gone.get(singular.index).copied().unwrap_or(nv)))?;
        let k = whole.minus(&part(&motion, &gone).times(&by));
        let tolerance = if redundant { T::from_f64(LOOSE) } else { T::PIVOT_TOLERANCE };
        let held = part(&rows, &motion);
        let (w, spans) = (null_space_within(&held, tolerance), spanning(&held, tolerance));
        let reduced = w.transpose().times(&k).times(&w);
        let row = || k.entries().iter().position(|x| !x.is_finite()).map_or(0, |i| i / nv.max(1));
        let bad = || Cause::NonFinite { quantity: Quantity::Force, name: Name::of(layout.directions, row()) };
        let form = Form::of(&reduced, &whole, &w).ok_or_else(bad)?;
        let zero = form.zero();
        let shift = form.shift(|x| if x.abs() > zero { x.abs() } else { T::ONE });
        let lift = w.times(&shift).times(&w.transpose());
        let inside = |r: usize, c: usize| if r < nv && c < nv { lift[(r, c)] } else { T::ZERO };
        let spare = |i: usize| redundant && rows.iter().zip(&spans).any(|(&row, &spans)| row == i && !spans);
        let tangent = &Matrix::from_fn(n, n, |r, c| match (spare(r) || spare(c), r == c) {
            (false, _) => tangent[(r, c)],
            (true, true) => T::ONE,
            (true, false) => T::ZERO,
        });
        let positive = Matrix::from_fn(n, n, |r, c| tangent[(r, c)] + inside(r, c));
        let bare = |r: usize, c: usize| r >= nv || c >= first && !yields(c);
        let unit = |r: usize, c: usize| if r == c { T::ONE } else { T::ZERO };
        let nearest = Matrix::from_fn(n, n, |r, c| if bare(r, c) { tangent[(r, c)] } else { unit(r, c) });
        let inverse = |a: &Matrix<T>| a.inverse().map_err(|singular| unknown(layout, singular.index));
        let falls = form.symmetric() && form.inertia().1 > 0;
        Ok(Self {
            inverse: inverse(&positive)?,
            nearest: inverse(&nearest)?,
            k,
            summit: if falls { form.softest(&w) } else { None },
        })
    }
}

/// Names unknown `i` of the bordered system.
fn unknown(layout: &Layout<'_>, i: usize) -> Cause {
    coordinate(undetermined(layout, layout.z.len(), Singular { index: i }))
}

/// The rows of the bordered system that must hold at the end of a step.
fn returns<'a>(layout: &'a Layout<'a>) -> impl Fn(usize) -> bool + 'a {
    let (nv, first) = (layout.v.len(), layout.v.len() + layout.z.len());
    move |i| i >= nv && (i < first || layout.kind(i - first) == RowKind::Holonomic)
}

/// Steps down from one point to the next.
pub(super) struct Descent<'a, S: Solvable + Linearize> {
    how: &'a Statics<S::Real>,
    search: &'a mut Search<S>,
    /// the longest step, against 1 + |value|
    radius: S::Real,
    /// iterations made
    done: u32,
    trial: State<S>,
    step: S::V,
}

/// The force along a step: at its start, at its end, and at the end by the linear model.
struct Work<T> {
    start: T,
    end: T,
    foretold: T,
}

impl<'a, S: Solvable + Linearize> Descent<'a, S> {
    pub(super) fn new(how: &'a Statics<S::Real>, search: &'a mut Search<S>, x: &State<S>) -> Self {
        Self { how, search, radius: S::Real::from_f64(0.1), done: 0, trial: x.clone(), step: x.v.clone() }
    }

    /// Iterations made.
    pub(super) fn iterations(&self) -> u32 {
        self.done
    }

    /// From `x` to a point where forces balance.
    pub(super) fn run<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        x: &mut State<S>,
    ) -> Result<Converged, Unsettled> {
        let layout = cx.system.layout();
        cx.fits(x).and_then(|()| self.how.check()).and_then(|()| x.check(&layout)).map_err(Unsettled::Evaluation)?;
        enter(cx.system, x.q.as_mut()).map_err(Unsettled::Evaluation)?;
        self.start(cx, x)?;
        let (mut name, mut size) = (Name::new(""), S::Real::ZERO);
        while self.done < self.how.iterations {
            self.done += 1;
            let slope = self.slope(&layout)?;
            let force: Vec<S::Real> = self.search.last().r.as_ref().iter().map(|&r| -r).collect();
            let delta = self.aim(&slope.inverse, |_| true);
            (name, size) = self.search.size(cx.system, x);
            if !size.is_finite() {
                return Err(Unsettled::Evaluation(Cause::NonFinite { quantity: Quantity::Coordinate, name }));
            }
            let balanced = self.search.residual(&layout).1 <= self.how.residual;
            match &slope.summit {
                Some(away) if balanced || size <= self.how.tolerance => self.leave(cx, &slope, &force, away, x)?,
                None if balanced => return Ok(Converged::Residual),
                _ => self.go(cx, &slope, &force, &delta, x)?,
            }
            if slope.summit.is_none() && size <= self.how.tolerance {
                return Ok(Converged::Estimate);
            }
        }
        Err(Unsettled::Iterations { name, correction: (size / self.how.tolerance).to_f64() })
    }

    /// λ, residual and tangent at `x`.
    fn evaluate<U: Inputs<S>>(&mut self, cx: &mut Context<'_, S, U>, x: &mut State<S>) -> Result<(), Cause> {
        self.search.begin(cx, Begin::LeastForces, x)?;
        self.search.linearize(cx, x)
    }

    fn slope(&self, layout: &Layout<'_>) -> Result<Slope<S::Real>, Unsettled> {
        let tangent = Matrix::from_pattern(layout.tangent, self.search.values());
        Slope::of(layout, &tangent, S::Saddle::REDUNDANT).map_err(Unsettled::Evaluation)
    }

    /// The correction by `inverse` of the selected rows of the last residual, as the next step of the search.
    fn aim(&mut self, inverse: &Matrix<S::Real>, counts: impl Fn(usize) -> bool) -> Vec<S::Real> {
        let Residual { r, s, phi } = self.search.last();
        let rows = r.as_ref().iter().chain(s.as_ref()).chain(phi.as_ref()).enumerate();
        let right: Vec<S::Real> = rows.map(|(i, &x)| if counts(i) { -x } else { S::Real::ZERO }).collect();
        let delta = inverse.apply(&right);
        self.search.put(&delta);
        delta
    }

    /// Brings `x` onto its rows.
    fn start<U: Inputs<S>>(&mut self, cx: &mut Context<'_, S, U>, x: &mut State<S>) -> Result<(), Unsettled> {
        let layout = cx.system.layout();
        for _ in 0..RETURNS {
            self.evaluate(cx, x).map_err(Unsettled::Evaluation)?;
            let slope = self.slope(&layout)?;
            self.aim(&slope.nearest, returns(&layout));
            self.trial.copy_from(x);
            self.search.advance(cx.system, &self.trial, S::Real::ONE, x);
            if self.comes_back(cx, &slope) {
                x.copy_from(&self.trial);
                return Ok(());
            }
        }
        let (row, residual) = self.search.residual(&layout);
        Err(Unsettled::LineSearch { row, residual: residual.to_f64() })
    }

    /// Satisfies rows and state equations at `trial`, and evaluates everything there; false if iterations do not help.
    fn comes_back<U: Inputs<S>>(&mut self, cx: &mut Context<'_, S, U>, slope: &Slope<S::Real>) -> bool {
        let layout = cx.system.layout();
        let (mut from, mut before) = (self.trial.clone(), S::Real::INFINITY);
        for _ in 0..RETURNS {
            if self.search.linearize(cx, &mut self.trial).is_err() {
                return false;
            }
            self.aim(&slope.nearest, returns(&layout));
            let (_, size) = self.search.size(cx.system, &self.trial);
            // At round-off corrections no longer fall.
            let still = size <= S::Real::from_f64(16.0) * S::Real::EPSILON;
            if still || size <= self.how.tolerance && size > S::Real::from_f64(0.5) * before {
                return self.search.begin(cx, Begin::LeastForces, &mut self.trial).is_ok()
                    && self.search.linearize(cx, &mut self.trial).is_ok();
            }
            if !(size < before) {
                return false;
            }
            before = size;
            from.copy_from(&self.trial);
            self.search.advance(cx.system, &from, S::Real::ONE, &mut self.trial);
            copy(&from.lambda, &mut self.trial.lambda);
        }
        false
    }

    /// The work of the forces, `force` at its start, along the step from `x` to `trial`.
    fn work(&mut self, system: &S, slope: &Slope<S::Real>, force: &[S::Real], x: &State<S>) -> Work<S::Real> {
        let dot = |a: &[S::Real], b: &[S::Real]| a.iter().zip(b).fold(S::Real::ZERO, |s, (&a, &b)| s + a * b);
        system.local(&x.q, &self.trial.q, &mut self.step);
        let start = dot(force, self.step.as_ref());
        let foretold = start - dot(&slope.k.apply(self.step.as_ref()), self.step.as_ref());
        // Backwards from its end: the step is −`local`, the force −r.
        system.local(&self.trial.q, &x.q, &mut self.step);
        Work { start, end: dot(self.search.last().r.as_ref(), self.step.as_ref()), foretold }
    }

    /// Follows the correction as far as the radius and the force at its end allow.
    fn go<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        slope: &Slope<S::Real>,
        force: &[S::Real],
        delta: &[S::Real],
        x: &mut State<S>,
    ) -> Result<(), Unsettled> {
        let (row, residual) = self.search.residual(&cx.system.layout());
        let (half, size) = (S::Real::from_f64(0.5), self.search.size(cx.system, x).1);
        let mut factor = if size <= self.radius { S::Real::ONE } else { self.radius / size };
        for _ in 0..=self.how.halvings {
            self.trial.copy_from(x);
            self.search.put(delta);
            self.search.advance(cx.system, x, factor, &mut self.trial);
            if self.comes_back(cx, slope) {
                let work = self.work(cx.system, slope, force, x);
                if size <= self.how.tolerance || work.start > S::Real::ZERO && work.end >= -half * work.start {
                    if (work.end - work.foretold).abs() <= S::Real::from_f64(0.25) * work.start {
                        self.radius += self.radius;
                    }
                    x.copy_from(&self.trial);
                    return Ok(());
                }
            }
            factor *= half;
            self.radius = factor * size;
        }
        Err(Unsettled::LineSearch { row, residual: residual.to_f64() })
    }

    /// Leaves an unstable point, to one side or the other.
    fn leave<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        slope: &Slope<S::Real>,
        force: &[S::Real],
        away: &[S::Real],
        x: &mut State<S>,
    ) -> Result<(), Unsettled> {
        let layout = cx.system.layout();
        let (row, residual) = self.search.residual(&layout);
        let mut delta: Vec<S::Real> = away.to_vec();
        delta.resize(layout.v.len() + layout.z.len() + layout.constraints.len(), S::Real::ZERO);
        self.search.put(&delta);
        let size = self.search.size(cx.system, x).1;
        let mut length = self.radius.min(S::Real::from_f64(0.1)) / size;
        for _ in 0..=self.how.halvings {
            for side in [length, -length] {
                self.trial.copy_from(x);
                self.search.put(&delta);
                self.search.advance(cx.system, x, side, &mut self.trial);
                if self.comes_back(cx, slope) && self.work(cx.system, slope, force, x).end > S::Real::ZERO {
                    x.copy_from(&self.trial);
                    return Ok(());
                }
            }
            length *= S::Real::from_f64(0.5);
        }
        Err(Unsettled::LineSearch { row, residual: residual.to_f64() })
    }
}
