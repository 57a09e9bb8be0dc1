//! Second derivatives of a step, for methods of second order: differential dynamic programming, SQP.
//!
//! The map of a step is evaluated with numbers that carry a derivative along one entry of (x, u) after another. A and B
//! then carry theirs along it: a column of the Hessian.

use core::fmt;
use std::vec::Vec;

use crate::error::{Cause, RunError, StepError};
use crate::integrators::Vary;
use crate::linalg::Labelled;
use crate::model::layout::{Block, Layout};
use crate::model::sensitive::{Sensitive, Turning};
use crate::model::state::State;
use crate::model::system::System;
use crate::numbers::dual::Dual;
use crate::run::step_map::{LinearStep, StepMap};
use crate::solve::solvable::Solvable;
use crate::variation::{Columns, Several};

/// How far what iterations found may be from the derivative of the step, relative to its largest entry and 1.
const CONVERGED: f64 = 1e-9;

/// ∇²(μᵀx⁺(x, u)): the Hessian of one step's Lagrangian, with the costate μ of the step's end.
///
/// Of a model that is generic over its numbers, `struct P<T>`: `system` is a `P<Dual<f64>>`, such as `cast` makes of a
/// `P<f64>`. The step is that of [`StepMap`], without projection; x and x⁺ are its (q, v, z), u the inputs. Rotations
/// are differentiated along q ⊕ δ at δ = 0, at the start and at the end.
///
/// The Hessian is exact for every method. Iterations end when their derivatives have converged too; where these remain
/// off by more than 10⁻⁹, an error says so. It costs as many steps with their A and B as it has columns.
pub struct StepHessian<'a, S: Solvable<Real = Dual<f64>> + Sensitive, M: Vary<S>> {
    system: &'a S,
    map: StepMap<'a, S, M, Several>,
}

impl<S: Solvable<Real = Dual<f64>> + Sensitive, M: Vary<S>> fmt::Debug for StepHessian<'_, S, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StepHessian").field("map", &self.map).finish_non_exhaustive()
    }
}

impl<'a, S: Solvable<Real = Dual<f64>> + Sensitive, M: Vary<S>> StepHessian<'a, S, M> {
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
        Ok(Self { system, map: StepMap::of(system, method, &[])? })
    }

    /// ∇²(μᵀx⁺) by (x, u) of the step `h` from `x` with inputs `u`: symmetric. The costate has an entry for each row of
    /// A. `x` and `u` are those of the model over `f64`.
    ///
    /// # Errors
    /// Why the step failed, or cannot be differentiated; [`Cause::OutOfRange`] for a costate of another length, and for
    /// a state or inputs of another model; [`Cause::Invalid`] for a costate that is not finite.
    pub fn hessian<F: System<Real = f64>>(
        &mut self,
        x: &State<F>,
        u: impl Into<F::U>,
        h: f64,
        costate: &[f64],
    ) -> Result<Labelled<f64>, StepError> {
        let layout = self.system.layout();
        let failed = |cause| StepError { time: x.t, step: h, cause };
        let u: F::U = u.into();
        let lifted = lifted::<S, F>(&layout, x).map_err(failed)?;
        let inputs: S::U = block("number of inputs", u.as_ref(), layout.u.len()).map_err(failed)?;
        let count = layout.state_directions();
        same("length of the costate", costate.len(), count).map_err(failed)?;
        if let Some(&value) = costate.iter().find(|mu| !mu.is_finite()) {
            return Err(failed(Cause::Invalid { setting: "an entry of the costate", value }));
        }

        let n = count + layout.u.len();
        let mut columns = Vec::with_capacity(n);
        for k in 0..n {
            let (mut x, mut u) = (lifted.clone(), inputs.clone());
            seed(self.system, &layout, k, (&mut x, &mut u));
            let step = self.map.step(&x, u, Dual::constant(h))?;
            converged(self.system, &layout, &step, k).map_err(failed)?;
            let (a, b) = (step.a(), step.b());
            let slope = |c: usize| {
                let entry = |r: usize| if c < count { a.entry(r, c) } else { b.entry(r, c - count) };
                costate.iter().enumerate().fold(0.0, |sum, (r, mu)| sum + mu * entry(r).eps)
            };
            columns.push((0..n).map(slope).collect::<Vec<_>>());
        }
        // Rates of rotations do not commute, at the start or at the end. What they add is half of their cross products:
        // of opposite sign in (r, c) and (c, r).
        let entry = |r: usize, c: usize| columns.get(c).and_then(|column| column.get(r)).copied().unwrap_or(0.0);
        let names = || layout.state_direction_names().chain(layout.u.iter().copied());
        Ok(Labelled::new(names(), names(), |r, c| 0.5 * (entry(r, c) + entry(c, r))))
    }
}

/// An error if it has another length.
fn same(setting: &'static str, found: usize, wanted: usize) -> Result<(), Cause> {
    let (value, wanted) = (found as f64, wanted as f64);
    if value == wanted { Ok(()) } else { Err(Cause::OutOfRange { setting, value, low: wanted, high: wanted }) }
}

/// Numbers that do not vary.
fn block<B: Block<Dual<f64>>>(setting: &'static str, x: &[f64], len: usize) -> Result<B, Cause> {
    same(setting, x.len(), len)?;
    let mut out = B::zeros(len);
    out.as_mut().iter_mut().zip(x).for_each(|(out, &x)| *out = Dual::constant(x));
    Ok(out)
}

/// A state that does not vary.
fn lifted<S, F>(layout: &Layout<'_>, x: &State<F>) -> Result<State<S>, Cause>
where
    S: System<Real = Dual<f64>>,
    F: System<Real = f64>,
{
    Ok(State {
        t: Dual::constant(x.t),
        q: block("number of coordinates", x.q.as_ref(), layout.q.len())?,
        v: block("number of velocities", x.v.as_ref(), layout.v.len())?,
        z: block("number of states", x.z.as_ref(), layout.z.len())?,
        a: block("number of accelerations", x.a.as_ref(), layout.v.len())?,
        zdot: block("number of rates", x.zdot.as_ref(), layout.z.len())?,
        lambda: block("number of multipliers", x.lambda.as_ref(), layout.constraints.len())?,
        modes: block("number of modes", x.modes.as_ref(), layout.modes.len())?,
    })
}

/// The number of velocities among the directions of a state.
fn moving(layout: &Layout<'_>) -> usize {
    if layout.first_order() { 0 } else { layout.v.len() }
}

/// Lets entry `k` of (x, u) vary.
fn seed<S: System<Real = Dual<f64>>>(system: &S, layout: &Layout<'_>, k: usize, (x, u): (&mut State<S>, &mut S::U)) {
    let (nv, moving, count) = (layout.v.len(), moving(layout), layout.state_directions());
    let varies = |entry: Option<&mut Dual<f64>>| {
        if let Some(entry) = entry {
            entry.eps = 1.0;
        }
    };
    match k {
        k if k < nv => {
            let mut step = S::V::zeros(nv);
            varies(step.as_mut().get_mut(k));
            let from = x.q.clone();
            system.retract(&from, &step, &mut x.q);
        }
        k if k < nv + moving => varies(x.v.as_mut().get_mut(k - nv)),
        k if k < count => varies(x.z.as_mut().get_mut(k - nv - moving)),
        k => varies(u.as_mut().get_mut(k - count)),
    }
}

/// Whether the end that iterations found varies with entry `k` of (x, u) as the step does.
fn converged<S, K>(system: &S, layout: &Layout<'_>, step: &LinearStep<'_, S, K>, k: usize) -> Result<(), Cause>
where
    S: Solvable<Real = Dual<f64>> + Sensitive,
    K: Columns,
{
    let (nv, count) = (layout.v.len(), layout.state_directions());
    let end = step.end;
    let (mut still, mut moved) = (end.q.clone(), S::V::zeros(nv));
    still.as_mut().iter_mut().for_each(|q| q.eps = 0.0);
    system.local(&still, &end.q, &mut moved);
    let v = end.v.as_ref().iter().take(moving(layout));
    let found = moved.as_ref().iter().chain(v).chain(end.z.as_ref()).take(count).map(|x| x.eps);
    let (a, b) = (step.a(), step.b());
    let wanted = |r: usize| if k < count { a.entry(r, k) } else { b.entry(r, k - count) }.re;
    let size = (0..count).fold(1.0, |size: f64, r| size.max(wanted(r).abs()));
    for (r, found) in found.enumerate() {
        // written so that NaN fails
        if !((found - wanted(r)).abs() <= CONVERGED * size) {
            return Err(Cause::NotDifferentiable { what: "twice, the end of iterations with so large a tolerance" });
        }
    }
    Ok(())
}
