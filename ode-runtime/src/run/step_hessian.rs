//! Second derivatives of a step, for methods of second order: differential dynamic programming, SQP.
//!
//! The map of a step is evaluated with numbers that carry a derivative along one entry of (x, u), or along several in
//! the lanes of a register. A and B then carry theirs along it: columns of the Hessian.

use core::fmt;
use std::vec::Vec;

use crate::error::{Cause, RunError, StepError};
use crate::integrators::Vary;
use crate::linalg::Labelled;
use crate::model::layout::{Block, Layout, Pattern};
use crate::model::optimizable::Optimizable;
use crate::model::sensitive::{Sensitive, Turning};
use crate::model::state::State;
use crate::model::system::System;
use crate::numbers::dual::Dual;
use crate::numbers::wide::Wide;
use crate::run::step_map::{LinearStep, StepMap};
use crate::solve::solvable::Solvable;
use crate::variation::{Columns, Fixed, Several};

/// How far what iterations found may be from the derivative of the step, relative to its largest entry and 1.
const CONVERGED: f64 = 1e-9;

/// ∇²(μᵀx⁺(x, u)): the Hessian of one step's Lagrangian, with the costate μ of the step's end.
///
/// Of a model that is generic over its numbers, `struct P<T>`: `system` is a `P<Dual<f64>>`, such as `cast` makes of a
/// `P<f64>`. The step is that of [`StepMap`], without projection; x and x⁺ are its (q, v, z), u the inputs. Rotations
/// are differentiated along q ⊕ δ at δ = 0, at the start and at the end.
///
/// The Hessian is exact for every method. Iterations end when their derivatives have converged too; where these remain
/// off by more than 10⁻⁹, an error says so. It costs as many steps with their A and B as it has columns. With the
/// feature `wide`, `P<Dual<F64x8>>` evaluates eight columns at once; models whose equations are solved with exchanges
/// of rows need `Dual<f64>`.
pub struct StepHessian<'a, S: Solvable + Sensitive, M: Vary<S>, K: Columns = Several> {
    system: &'a S,
    map: StepMap<'a, S, M, K>,
    found: Curved,
}

/// ∇²(μᵀx⁺) with the step's A and B: see [`StepHessian::step`].
#[derive(Clone, Debug, PartialEq)]
pub struct Curved {
    /// directions of the state
    states: usize,
    /// directions of the state, and inputs
    all: usize,
    /// (A, B), by rows
    jacobian: Vec<f64>,
    /// by rows, before it is made symmetric
    hessian: Vec<f64>,
}

impl Curved {
    fn new(layout: &Layout<'_>) -> Self {
        let states = layout.state_directions();
        let all = states + layout.u.len();
        Self { states, all, jacobian: std::vec![0.0; states * all], hessian: std::vec![0.0; all * all] }
    }

    /// An entry of (A, B), columns of u after those of x; zero outside of it.
    pub fn jacobian(&self, row: usize, column: usize) -> f64 {
        let entry = (column < self.all).then(|| self.jacobian.get(row * self.all + column)).flatten();
        entry.copied().unwrap_or(0.0)
    }

    /// An entry of ∇²(μᵀx⁺) by (x, u), which is symmetric; zero outside of it.
    pub fn hessian(&self, row: usize, column: usize) -> f64 {
        // Rates of rotations do not commute, at the start or at the end. What they add is half of their cross products:
        // of opposite sign in (r, c) and (c, r).
        let inside = row < self.all && column < self.all;
        let entry = |r: usize, c: usize| inside.then(|| self.hessian.get(r * self.all + c)).flatten().copied();
        0.5 * (entry(row, column).unwrap_or(0.0) + entry(column, row).unwrap_or(0.0))
    }
}

impl<S: Solvable + Sensitive, M: Vary<S>, K: Columns> fmt::Debug for StepHessian<'_, S, M, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StepHessian").field("map", &self.map).finish_non_exhaustive()
    }
}

impl<'a, T, S, M> StepHessian<'a, S, M>
where
    T: Wide<Lane = f64>,
    S: Solvable<Real = Dual<T>> + Sensitive,
    M: Vary<S>,
{
    /// The second derivatives of steps of a method.
    ///
    /// # Errors
    /// [`RunError::Evaluation`] for settings of the method out of range, and for points of the sphere
    /// ([`Cause::NotDifferentiable`]): their frames turn with the path that they took, so A along one direction after
    /// another is no Hessian.
    pub fn of(system: &'a S, method: M) -> Result<Self, RunError> {
        Self::with(system, StepMap::of(system, method, &[])?)
    }
}

impl<'a, T, S, M, const N: usize> StepHessian<'a, S, M, Fixed<N>>
where
    T: Wide<Lane = f64>,
    S: Solvable<Real = Dual<T>> + Sensitive,
    M: Vary<S>,
{
    /// [`StepHessian::of`] with columns of fixed number, which is faster. N is that of (A, B): as for
    /// [`StepMap::sized`].
    ///
    /// # Errors
    /// As [`StepHessian::of`]; [`Cause::OutOfRange`] with the number that is needed.
    pub fn sized(system: &'a S, method: M) -> Result<Self, RunError> {
        let (needed, found) = (system.layout().state_directions() + system.layout().u.len(), N);
        same("number of columns of a step's derivatives", found, needed)?;
        Self::with(system, StepMap::sized(system, method, &[])?)
    }
}

impl<'a, T, S, M, K> StepHessian<'a, S, M, K>
where
    T: Wide<Lane = f64>,
    S: Solvable<Real = Dual<T>> + Sensitive,
    M: Vary<S>,
    K: Columns,
{
    fn with(system: &'a S, map: StepMap<'a, S, M, K>) -> Result<Self, RunError> {
        if system.turnings().iter().any(|turning| matches!(turning, Turning::Sphere(_))) {
            return Err(Cause::NotDifferentiable { what: "twice, a point of the sphere" }.into());
        }
        Ok(Self { system, map, found: Curved::new(&system.layout()) })
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
        Ok(Labelled::new(names(), names(), |r, c| found.hessian(r, c)))
    }

    /// ∇²(μᵀx⁺) by (x, u) with the A and B of the step, in the storage of this value.
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
    ) -> Result<&Curved, StepError> {
        let layout = self.system.layout();
        let failed = |cause| StepError { time: x.t, step: h, cause };
        let (lifted, inputs) = lifted::<T, S, F>(&layout, x, u).map_err(failed)?;
        let Curved { states: count, all: n, .. } = self.found;
        same("length of the costate", costate.len(), count).map_err(failed)?;
        if let Some(&value) = costate.iter().find(|mu| !mu.is_finite()) {
            return Err(failed(Cause::Invalid { setting: "an entry of the costate", value }));
        }
        for first in (0..n).step_by(T::LANES) {
            let (mut x, mut u) = (lifted.clone(), inputs.clone());
            seed(self.system, first..n, (&mut x, &mut u));
            let step = self.map.step(&x, u, Dual::constant(T::splat(h)))?;
            converged(self.system, &step, first..n).map_err(failed)?;
            let Curved { jacobian, hessian, .. } = &mut self.found;
            let (a, b) = (step.a(), step.b());
            for c in 0..n {
                let mut slope = T::ZERO;
                for (r, &mu) in costate.iter().enumerate() {
                    let entry = if c < count { a.entry(r, c) } else { b.entry(r, c - count) };
                    slope += T::splat(mu) * entry.eps;
                    put(jacobian, r * n + c, entry.re.lane(0));
                }
                (first..n.min(first + T::LANES)).for_each(|k| put(hessian, c * n + k, slope.lane(k - first)));
            }
        }
        Ok(&self.found)
    }

    /// Adds to `out`, (x, u) by (x, u) in rows, the second derivatives of Σ w c + Σ y h + w ½ Σ e²: of costs and limits
    /// with a weight each, and of the rows of squares with one for each row.
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
        let (system, layout, n) = (self.system, self.system.layout(), self.found.all);
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
                weighted(patterns.costs, by.as_ref(), costs, &mut add);
            }
            if limits.iter().any(|y| *y != 0.0) {
                let pattern = system.limit_pattern();
                let (mut values, mut by) = (S::H::zeros(pattern.rows), S::LimitPartials::zeros(pattern.nnz()));
                system.limit_partials(at, &mut values, &mut by);
                weighted(pattern, by.as_ref(), limits, &mut add);
            }
            if squares.iter().any(|w| *w != 0.0) {
                let pattern = system.square_pattern();
                let (mut e, mut by) = (S::Squares::zeros(pattern.rows), S::SquarePartials::zeros(pattern.nnz()));
                system.square_partials(at, &mut e, &mut by);
                pattern.visit(by.as_ref(), |r, c, slope| {
                    let (e, w) = (e.as_ref()[r], T::splat(squares.get(r).copied().unwrap_or(0.0)));
                    add(c, w * (e * slope).eps);
                });
            }
        }
        Ok(())
    }
}

/// Visits w ∂/∂column of rows with a weight each.
fn weighted<T: Wide<Lane = f64>>(
    pattern: Pattern<'_>,
    by: &[Dual<T>],
    weights: &[f64],
    add: &mut impl FnMut(usize, T),
) {
    pattern.visit(by, |r, c, slope: Dual<T>| add(c, T::splat(weights.get(r).copied().unwrap_or(0.0)) * slope.eps));
}

fn put(entries: &mut [f64], at: usize, value: f64) {
    if let Some(entry) = entries.get_mut(at) {
        *entry = value;
    }
}

/// An error if it has another length.
fn same(setting: &'static str, found: usize, wanted: usize) -> Result<(), Cause> {
    let (value, wanted) = (found as f64, wanted as f64);
    if value == wanted { Ok(()) } else { Err(Cause::OutOfRange { setting, value, low: wanted, high: wanted }) }
}

/// Numbers that do not vary.
fn block<T: Wide<Lane = f64>, B: Block<Dual<T>>>(setting: &'static str, x: &[f64], len: usize) -> Result<B, Cause> {
    same(setting, x.len(), len)?;
    let mut out = B::zeros(len);
    out.as_mut().iter_mut().zip(x).for_each(|(out, &x)| *out = Dual::constant(T::splat(x)));
    Ok(out)
}

/// A state and inputs that do not vary.
fn lifted<T, S, F>(layout: &Layout<'_>, x: &State<F>, u: &F::U) -> Result<(State<S>, S::U), Cause>
where
    T: Wide<Lane = f64>,
    S: System<Real = Dual<T>>,
    F: System<Real = f64>,
{
    let state = State {
        t: Dual::constant(T::splat(x.t)),
        q: block("number of coordinates", x.q.as_ref(), layout.q.len())?,
        v: block("number of velocities", x.v.as_ref(), layout.v.len())?,
        z: block("number of states", x.z.as_ref(), layout.z.len())?,
        a: block("number of accelerations", x.a.as_ref(), layout.v.len())?,
        zdot: block("number of rates", x.zdot.as_ref(), layout.z.len())?,
        lambda: block("number of multipliers", x.lambda.as_ref(), layout.constraints.len())?,
        modes: block("number of modes", x.modes.as_ref(), layout.modes.len())?,
    };
    Ok((state, block("number of inputs", u.as_ref(), layout.u.len())?))
}

/// The number of velocities among the directions of a state.
fn moving(layout: &Layout<'_>) -> usize {
    if layout.first_order() { 0 } else { layout.v.len() }
}

/// Lets entries of (x, u) vary, as many as there are lanes: each in its lane.
fn seed<T, S>(system: &S, entries: core::ops::Range<usize>, (x, u): (&mut State<S>, &mut S::U))
where
    T: Wide<Lane = f64>,
    S: System<Real = Dual<T>>,
{
    let layout = system.layout();
    let (nv, moving, count) = (layout.v.len(), moving(&layout), layout.state_directions());
    let mut step = S::V::zeros(nv);
    for (lane, k) in entries.take(T::LANES).enumerate() {
        let varies = |entry: Option<&mut Dual<T>>| {
            if let Some(entry) = entry {
                entry.eps.set_lane(lane, 1.0);
            }
        };
        match k {
            k if k < nv => varies(step.as_mut().get_mut(k)),
            k if k < nv + moving => varies(x.v.as_mut().get_mut(k - nv)),
            k if k < count => varies(x.z.as_mut().get_mut(k - nv - moving)),
            k => varies(u.as_mut().get_mut(k - count)),
        }
    }
    let from = x.q.clone();
    system.retract(&from, &step, &mut x.q);
}

/// Whether the end that iterations found varies with these entries of (x, u) as the step does.
fn converged<T, S, K>(system: &S, step: &LinearStep<'_, S, K>, entries: core::ops::Range<usize>) -> Result<(), Cause>
where
    T: Wide<Lane = f64>,
    S: Solvable<Real = Dual<T>> + Sensitive,
    K: Columns,
{
    let layout = system.layout();
    let (nv, count) = (layout.v.len(), layout.state_directions());
    let end = step.end;
    let (mut still, mut moved) = (end.q.clone(), S::V::zeros(nv));
    still.as_mut().iter_mut().for_each(|q| q.eps = T::ZERO);
    system.local(&still, &end.q, &mut moved);
    let v = end.v.as_ref().iter().take(moving(&layout));
    let found = || moved.as_ref().iter().chain(v.clone()).chain(end.z.as_ref()).take(count).map(|x| x.eps);
    let (a, b) = (step.a(), step.b());
    for (lane, k) in entries.take(T::LANES).enumerate() {
        let wanted = |r: usize| if k < count { a.entry(r, k) } else { b.entry(r, k - count) }.re.lane(0);
        let size = (0..count).fold(1.0, |size: f64, r| size.max(wanted(r).abs()));
        for (r, found) in found().enumerate() {
            // written so that NaN fails
            if !((found.lane(lane) - wanted(r)).abs() <= CONVERGED * size) {
                return Err(Cause::NotDifferentiable { what: "twice, the end of iterations with so large a tolerance" });
            }
        }
    }
    Ok(())
}
