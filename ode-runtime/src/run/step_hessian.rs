//! Second derivatives of a step, for methods of second order: differential dynamic programming, SQP.
//!
//! A covector is taken back over a step that is made with numbers that carry a derivative along one entry of (x, u), or
//! along several in the lanes of a register. The covector of its start, μᵀ(A, B), then carries a column of the Hessian.

use core::fmt;
use std::boxed::Box;
use std::vec::Vec;

use crate::error::{Cause, MethodName, RunError, StepError};
use crate::integrators::{Adjoint, Vary};
use crate::linalg::Labelled;
use crate::model::layout::{Block, Pattern};
use crate::model::optimizable::Optimizable;
use crate::model::rotations::enter;
use crate::model::sensitive::{Sensitive, Turning};
use crate::model::sizes::same;
use crate::model::state::State;
use crate::model::system::System;
use crate::numbers::dual::Dual;
use crate::numbers::wide::Wide;
use crate::run::staged::Staged;
use crate::run::step_map::StepMap;
use crate::run::varying::{directions, gradient, lifted, moved, seed, varied, weighed};
use crate::solve::explain::explain;
use crate::solve::solvable::Solvable;
use crate::variation::Fixed;

/// How far what iterations found may be from the derivative of the step, relative to its largest entry and 1.
const CONVERGED: f64 = 1e-9;

/// The difference of two step sizes, relative to them, of which the derivatives by them are a difference too.
const APART: f64 = 1e-2;

/// ∇²(μᵀx⁺(x, u)): the Hessian of one step's Lagrangian, with the costate μ of the step's end.
///
/// Of a model that is generic over its numbers, `struct P<T>`: `system` is a `P<Dual<f64>>`, such as `cast` makes of a
/// `P<f64>`. The step is that of [`StepMap`], without projection; x and x⁺ are its (q, v, z), u the inputs. Rotations
/// are differentiated along q ⊕ δ at δ = 0, at the start and at the end.
///
/// The Hessian is exact for every method. Iterations end when their derivatives have converged too; where these remain
/// off by more than 10⁻⁹, an error says so. It costs as many steps there and back as it has columns. With the feature
/// `wide`, `P<Dual<f64, F64x8>>` evaluates eight columns at once; models whose equations are solved with exchanges of
/// rows need `Dual<f64>`.
pub struct StepHessian<'a, S: Solvable + Sensitive, M: Vary<S>> {
    system: &'a S,
    method: MethodName,
    way: Way<'a, S, M>,
    found: Symmetric,
    /// ∂x⁺/∂h of the last step, where h varies and A and B are not found on the way
    by_length: Option<Vec<f64>>,
}

/// How a covector is taken back: not on the stack, because each number may have a register of derivatives.
enum Way<'a, S: Solvable + Sensitive, M: Vary<S>> {
    /// over sums of motions
    Staged(Box<Staged<S>>),
    /// over any step
    Taped(Box<StepMap<'a, S, M, Fixed<0>>>, Box<Adjoint<S>>),
}

/// ∇²(μᵀx⁺) by (x, u): see [`StepHessian::step`].
#[derive(Clone, Debug, PartialEq)]
pub struct Symmetric {
    size: usize,
    /// by rows
    entries: Vec<f64>,
}

impl Symmetric {
    /// An entry; zero outside of the matrix.
    #[inline]
    pub fn entry(&self, row: usize, column: usize) -> f64 {
        if row < self.size && column < self.size { self.entries[row * self.size + column] } else { 0.0 }
    }

    /// The number of rows and columns.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Writes what a row is in the columns from `first` on.
    fn put<T: Wide<Lane = f64>>(&mut self, row: usize, first: usize, lanes: T) {
        let own = self.entries.get_mut(row * self.size + first..(row + 1) * self.size);
        lanes.write(own.unwrap_or_default());
    }

    /// Gives (r, c) and (c, r) the mean of both.
    ///
    /// Rates of rotations do not commute, at the start or at the end. What they add is half of their cross products: of
    /// opposite sign in the two.
    fn even(&mut self) {
        for r in 1..self.size {
            let (above, below) = self.entries.split_at_mut(r * self.size);
            for (c, entry) in below.iter_mut().enumerate().take(r) {
                let Some(other) = above.get_mut(c * self.size + r) else { return };
                let mean = 0.5 * (*entry + *other);
                (*entry, *other) = (mean, mean);
            }
        }
    }
}

impl<S: Solvable + Sensitive, M: Vary<S>> fmt::Debug for StepHessian<'_, S, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StepHessian").field("method", &self.method).finish_non_exhaustive()
    }
}

impl<'a, T, S, M> StepHessian<'a, S, M>
where
    T: Wide<Lane = f64>,
    S: Solvable<Real = Dual<f64, T>> + Sensitive,
    M: Vary<S>,
{
    /// The second derivatives of steps of a method.
    ///
    /// # Errors
    /// [`RunError::Evaluation`] for settings of the method out of range, and for points of the sphere
    /// ([`Cause::NotDifferentiable`]): their frames turn with the path that they took, so A along one direction after
    /// another is no Hessian.
    pub fn of(system: &'a S, method: M) -> Result<Self, RunError> {
        if system.turnings().iter().any(|turning| matches!(turning, Turning::Sphere(_))) {
            return Err(Cause::NotDifferentiable { what: "twice, a point of the sphere" }.into());
        }
        let layout = system.layout();
        let size = layout.state_directions() + layout.u.len();
        method.check()?;
        let name = method.name();
        let way = match Staged::of(system, method.explicit_form()) {
            Some(staged) => Way::Staged(Box::new(staged)),
            None => {
                let adjoint = Adjoint::new(system, (0..layout.u.len()).collect(), false);
                Way::Taped(StepMap::sized(system, method, &[]).map(Box::new)?, Box::new(adjoint))
            }
        };
        let found = Symmetric { size, entries: std::vec![0.0; size * size] };
        Ok(Self { system, method: name, way, found, by_length: None })
    }

    /// The model.
    pub fn system(&self) -> &'a S {
        self.system
    }

    /// Makes h one of the entries too, after those of (x, u): of the Hessian, and of [`StepHessian::slopes`] or
    /// [`StepHessian::by_length`].
    ///
    /// Of methods that are not explicit the second derivative by h alone is a difference of first ones at four steps
    /// beside this one, of fourth order: some nine digits. All others are exact.
    ///
    /// # Errors
    /// [`Cause::NotDifferentiable`] for models with rotations in space, or whose motion depends on the time, and for
    /// explicit methods in models of first order or with algebraic variables.
    pub fn vary_length(&mut self, varies: bool) -> Result<(), Cause> {
        let (layout, pattern) = (self.system.layout(), self.system.partial_patterns().states);
        let timed = pattern.entries().any(|(_, column)| column + 1 == pattern.cols);
        if varies && (timed || !self.system.turnings().is_empty()) {
            let what = "by the length of a step, a motion that reads the time or turns";
            return Err(Cause::NotDifferentiable { what });
        }
        let rows = layout.state_directions();
        self.by_length = None;
        match &mut self.way {
            Way::Staged(staged) => staged.vary_length(varies),
            Way::Taped(..) if !varies => {}
            Way::Taped(..) if M::MAKES_STAGES => {
                let what = "twice, by the length of a step, an explicit method with such a model";
                return Err(Cause::NotDifferentiable { what });
            }
            Way::Taped(..) => self.by_length = Some(std::vec![0.0; rows]),
        }
        let size = rows + layout.u.len() + usize::from(varies);
        self.found = Symmetric { size, entries: std::vec![0.0; size * size] };
        Ok(())
    }

    /// ∇²(μᵀx⁺) by (x, u) of the step `h` from `x` with inputs `u`: symmetric. The costate has an entry for each row of
    /// A. `x` and `u` are those of the model over `f64`.
    ///
    /// # Errors
    /// As [`StepHessian::step`].
    pub fn hessian<F: System<Real = f64>>(
        &mut self,
        x: &State<F>,
        u: impl Into<F::U>,
        h: f64,
        costate: &[f64],
    ) -> Result<Labelled<f64>, StepError> {
        let layout = self.system.layout();
        let found = self.step(x, &u.into(), h, costate)?;
        let names = || layout.state_direction_names().chain(layout.u.iter().copied());
        Ok(Labelled::new(names(), names(), |r, c| found.entry(r, c)))
    }

    /// The same in the storage of this value, for what calls it in a loop.
    ///
    /// # Errors
    /// Why the step failed, or cannot be differentiated; [`Cause::OutOfRange`] for a costate of another length, and for
    /// a state or inputs of another model; [`Cause::Invalid`] for a costate that is not finite.
    pub fn step<F: System<Real = f64>>(
        &mut self,
        x: &State<F>,
        u: &F::U,
        h: f64,
        costate: &[f64],
    ) -> Result<&Symmetric, StepError> {
        let layout = self.system.layout();
        let failed = |cause| StepError { time: x.t, step: h, cause };
        let (mut lifted, inputs) = lifted::<T, S, F>(&layout, x, u).map_err(failed)?;
        same("length of the costate", costate.len(), layout.state_directions()).map_err(failed)?;
        if let Some(&value) = costate.iter().find(|mu| !mu.is_finite()) {
            return Err(failed(Cause::Invalid { setting: "an entry of the costate", value }));
        }
        let Self { system, way, found, by_length, .. } = self;
        let explained = |x: &State<S>, cause| failed(explain(*system, x, Dual::constant(h), cause));
        if let Way::Staged(_) = way {
            let entered = length_of(h).and_then(|()| lifted.check(&layout));
            entered.and_then(|()| enter(*system, lifted.q.as_mut())).map_err(|cause| explained(&lifted, cause))?;
        }
        let size = found.size;
        let length = by_length.as_ref().map(|_| size - 1);
        for first in (0..size).step_by(T::LANES) {
            let (mut x, mut u) = (lifted.clone(), inputs.clone());
            seed(*system, first..size, (&mut x, &mut u));
            let lanes = first..size.min(first + T::LANES);
            match way {
                Way::Staged(staged) => {
                    let gradient = staged.pull_back(*system, (&x, &u), (h, first), costate);
                    let gradient = gradient.map_err(|cause| explained(&x, cause))?;
                    gradient.iter().enumerate().for_each(|(r, slope)| found.put(r, first, slope.eps));
                }
                Way::Taped(map, adjoint) => {
                    let lane = length.filter(|column| lanes.contains(column)).map(|column| column - first);
                    let ahead = taped((map, adjoint), (&x, &u, varied(h, lane)), costate, |end| {
                        if let Some((lane, by_length)) = lane.zip(by_length.as_mut()) {
                            let rows = by_length.iter_mut();
                            rows.zip(moved(*system, end)).for_each(|(row, by)| *row = by.lane(lane));
                        }
                        weighed(moved(*system, end), costate)
                    })?;
                    let own = adjoint.totals().own.iter();
                    for (r, &slope) in gradient(&layout, &adjoint.state).chain(own).enumerate() {
                        found.put(r, first, slope.eps);
                        // what iterations found moves as the derivative of the step says, if they have converged
                        let lane = r.checked_sub(first).filter(|lane| *lane < T::LANES);
                        let Some(((ahead, scale), lane)) = ahead.zip(lane) else { continue };
                        let off = (ahead.lane(lane) - slope.re).abs();
                        // written so that NaN fails
                        if !(off <= CONVERGED * scale) {
                            let what = "twice, the end of iterations with so large a tolerance";
                            return Err(failed(Cause::NotDifferentiable { what }));
                        }
                    }
                }
            }
        }
        if let (Way::Taped(map, adjoint), Some(last)) = (way, length) {
            for c in 0..last {
                found.entries[last * size + c] = found.entries[c * size + last];
            }
            let mut rate = |steps: f64| {
                let h = varied(h * (1.0 + steps * APART), Some(0));
                let read = |end: &State<S>| weighed(moved(*system, end), costate).0.lane(0);
                taped((map, adjoint), (&lifted, &inputs, h), costate, read).map(|rate| rate.unwrap_or(f64::NAN))
            };
            let (near, far) = (rate(1.0)? - rate(-1.0)?, rate(2.0)? - rate(-2.0)?);
            found.entries[last * size + last] = (8.0 * near - far) / (12.0 * h * APART);
        }
        found.even();
        Ok(&self.found)
    }

    /// ∂x⁺/∂(x, u) of the last step, by rows, where it was found on the way: of explicit methods, in models without
    /// rotations in space and algebraic variables.
    pub fn slopes(&self) -> Option<&[f64]> {
        match &self.way {
            Way::Staged(staged) => Some(staged.slopes()),
            Way::Taped(..) => None,
        }
    }

    /// ∂x⁺/∂h of the last step, an entry for each row of A, where [h varies](StepHessian::vary_length) and
    /// [`StepHessian::slopes`] has none: of methods that are not explicit, as accurate as their iterations.
    pub fn by_length(&self) -> Option<&[f64]> {
        self.by_length.as_deref()
    }

    /// Adds to `out`, (x, u) by (x, u) in rows, the second derivatives of Σ w c + Σ y h + w ½ Σ e²: of costs and limits
    /// with a weight each, and of the rows of squares with one for each row. What has the weight 0 may be infinite.
    ///
    /// # Errors
    /// [`Cause::OutOfRange`] for a state or inputs of another model.
    pub fn functions<F: System<Real = f64>>(
        &mut self,
        (x, u): (&State<F>, &F::U),
        (costs, limits, squares): (&[f64], &[f64], &[f64]),
        out: &mut [f64],
    ) -> Result<(), Cause>
    where
        S: Optimizable,
    {
        let (system, layout) = (self.system, self.system.layout());
        let n = layout.state_directions() + layout.u.len();
        let (lifted, inputs) = lifted::<T, S, F>(&layout, x, u)?;
        let patterns = system.partial_patterns();
        for first in (0..n).step_by(T::LANES) {
            let (mut x, mut u) = (lifted.clone(), inputs.clone());
            seed(system, first..n, (&mut x, &mut u));
            let at = x.at(&u);
            let mut add = |column: usize, slope: T| {
                let Some(c) = layout.direction(column) else { return };
                for k in first..n.min(first + T::LANES) {
                    // each of the two places has half of the sum of both
                    let half = 0.5 * slope.lane(k - first);
                    [(c, k), (k, c)].into_iter().for_each(|(r, c)| {
                        if let Some(entry) = out.get_mut(r * n + c) {
                            *entry += half;
                        }
                    });
                }
            };
            if costs.iter().any(|w| *w != 0.0) {
                let mut values = S::Costs::zeros(costs.len());
                let mut by = S::CostByState::zeros(patterns.costs.nnz());
                let mut parameters = S::CostByParameter::zeros(patterns.costs_by_parameter.nnz());
                system.cost_partials(at, &mut values, &mut by, &mut parameters);
                weighted(patterns.costs, by.as_ref(), costs, |_, slope| slope.eps, &mut add);
            }
            if limits.iter().any(|y| *y != 0.0) {
                let pattern = system.limit_pattern();
                let (mut values, mut by) = (S::H::zeros(pattern.rows), S::LimitPartials::zeros(pattern.nnz()));
                system.limit_partials(at, &mut values, &mut by);
                weighted(pattern, by.as_ref(), limits, |_, slope| slope.eps, &mut add);
            }
            if squares.iter().any(|w| *w != 0.0) {
                let pattern = system.square_pattern();
                let (mut e, mut by) = (S::Squares::zeros(pattern.rows), S::SquarePartials::zeros(pattern.nnz()));
                system.square_partials(at, &mut e, &mut by);
                weighted(pattern, by.as_ref(), squares, |r, slope| (e.as_ref()[r] * slope).eps, &mut add);
            }
        }
        Ok(())
    }
}

/// Refuses what is no length of a step.
fn length_of(h: f64) -> Result<(), Cause> {
    let is_one = h > 0.0 && h.is_finite();
    if is_one { Ok(()) } else { Err(Cause::Invalid { setting: "step size", value: h }) }
}

/// Takes the covector of the end of a step back, in `adjoint`; reads the end, if iterations found one.
fn taped<T, S, M, R>(
    (map, adjoint): (&mut StepMap<'_, S, M, Fixed<0>>, &mut Adjoint<S>),
    (x, u, h): (&State<S>, &S::U, S::Real),
    costate: &[f64],
    read: impl FnOnce(&State<S>) -> R,
) -> Result<Option<R>, StepError>
where
    T: Wide<Lane = f64>,
    S: Solvable<Real = Dual<f64, T>> + Sensitive,
    M: Vary<S>,
{
    adjoint.clear();
    let weights = costate.iter().map(|&mu| Dual::constant(mu));
    directions(&map.system().layout(), &mut adjoint.state).zip(weights).for_each(|(w, mu)| *w = mu);
    match map.back(x, u, h, adjoint) {
        Ok(end) => Ok(end.map(read)),
        Err(cause) => Err(map.failed(x, h, cause)),
    }
}

/// Visits w ∂/∂column of rows with a weight each, without those of the weight 0: they may be infinite.
fn weighted<T: Wide<Lane = f64>>(
    pattern: Pattern<'_>,
    by: &[Dual<f64, T>],
    weights: &[f64],
    rate: impl Fn(usize, Dual<f64, T>) -> T,
    add: &mut impl FnMut(usize, T),
) {
    pattern.visit(by, |r, c, slope| match weights.get(r) {
        Some(&weight) if weight != 0.0 => add(c, T::splat(weight) * rate(r, slope)),
        _ => {}
    });
}
