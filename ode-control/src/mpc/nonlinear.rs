//! Model predictive control of a nonlinear model, by real-time iterations.

use core::fmt;

use ode_runtime::integrators::Vary;
use ode_runtime::linalg::nalgebra::RealField;
use ode_runtime::linalg::{Field, SMatrix, SVector};
use ode_runtime::variation::Fixed;
use ode_runtime::{Cause, Optimizable, Real, RunError, Scalar, Solvable, State, StepError, StepMap, UnknownName};

use crate::deviation::{RealOf, align, by_difference, minus, plus};
use crate::follows::follows;
use crate::mpc::along::{Along, drawn, read_inputs, rows};
use crate::mpc::controller::Mpc;
use crate::mpc::error::MpcError;
use crate::mpc::knot::MpcKnot;
use crate::mpc::problem::{MpcRows, Slack};

/// A controller that plans the motion of a nonlinear model over a horizon, at each sample by one linearisation along
/// the last plan:
///
/// ```text
/// min  Σ ½ |x ⊖ x_r|²_Q + ½ |u − u_r|²_R  +  ½ |x_H ⊖ x_r|²_P
///      x⁺ the step h of a method,   low ≤ u ≤ high,   low ≤ h(x, u) ≤ high of the model's limits
/// ```
///
/// Plans are corrected from sample to sample, by the linear controller [`Mpc`] for small changes of states, x ⊕ dx.
/// What does not need the next state, [`NonlinearMpc::advance`], is done before it is measured; then
/// [`NonlinearMpc::control`] takes no longer than a linear plan. M. Diehl, H. G. Bock, J. P. Schlöder, A real-time
/// iteration scheme for nonlinear optimization in optimal feedback control, SIAM Journal on Control and Optimization 43
/// (2005). Second derivatives are Gauss and Newton's, and steps are not shortened: begin near a plan.
///
/// N is the number of directions of a state, U of inputs, R of the model's limits, and C = N + U. Storage are arrays,
/// slices or `Vec`s: a [`MpcKnot`] for each stage, and an [`Along`] for each and the end. No heap is needed, nor the
/// standard library.
///
/// ```
/// use ode_control::{Along, MpcKnot, NonlinearMpc, Slack};
/// use ode_model::linalg::SMatrix;
/// use ode_model::prelude::*;
///
/// model! {
///     /// A pendulum with a motor.
///     pub struct Pendulum {
///         param m: Real [kg] = 1.0;
///         param l: Real [m] = 0.5;
///         coord th: Angle;
///         input tau: Real [N*m] in -3.0..=3.0;
///         kinetic = 0.5 * m * sq(l * der(th));
///         param g: Real [m/s^2] = 9.81;
///         potential = -m * g * l * cos(th);
///         force motor on th = tau;
///         limit speed: der(th) in -4.0..=4.0;
///     }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let pendulum = Pendulum::default();
/// let mut upright = State::neutral(&pendulum);
/// upright.q.set_th(std::f64::consts::PI);
/// let along = core::array::from_fn::<_, 31, _>(|_| Along::at(&upright, [0.0]));
/// let storage = ([MpcKnot::none(); 30], along);
/// let mut mpc = NonlinearMpc::<_, _, 2, 1, 1, 3, _, _>::of(&pendulum, RungeKutta4, 0.05, storage)?;
/// mpc.weights(&SMatrix::from_diagonal(&[10.0, 1.0].into()), &SMatrix::from([[0.1]]), &SMatrix::identity());
/// // a state may be measured a little beyond a limit: what is left is made good, not refused
/// mpc.soften("speed", Some(Slack { linear: 100.0, quadratic: 0.0 }))?;
///
/// let mut start = upright.clone();
/// start.q.set_th(2.7);
/// let mut fastest = 0.0f64;
/// let mut run = Simulation::of(&pendulum, RungeKutta4)
///     .sampled(0.05, |now, u| {
///         *u = mpc.control(now).expect("a plan");
///         mpc.advance().expect("steps");
///         fastest = fastest.max(now.v.th().abs());
///     })
///     .given(start)
///     .fixed(0.05)?;
/// run.advance_to(6.0)?;
/// assert!((run.state().q.th() - std::f64::consts::PI).abs() < 1e-3 && fastest < 4.001);
/// # Ok(())
/// # }
/// ```
pub struct NonlinearMpc<'a, S, M, const N: usize, const U: usize, const R: usize, const C: usize, B, P>
where
    S: Optimizable + Solvable,
    M: Vary<S>,
{
    map: StepMap<'a, S, M, Fixed<C>>,
    h: S::Real,
    mpc: Mpc<RealOf<S>, N, U, R, B>,
    along: P,
    weights: Weights<RealOf<S>, N>,
    inputs: [(RealOf<S>, RealOf<S>); U],
    limits: [(RealOf<S>, RealOf<S>); R],
    /// stages are linearised along the plan
    prepared: bool,
}

/// Q and P.
#[derive(Clone, Copy, Debug)]
struct Weights<E: RealField, const N: usize> {
    stage: SMatrix<E, N, N>,
    end: SMatrix<E, N, N>,
}

impl<S, M, const N: usize, const U: usize, const R: usize, const C: usize, B, P> fmt::Debug
    for NonlinearMpc<'_, S, M, N, U, R, C, B, P>
where
    S: Optimizable + Solvable,
    M: Vary<S>,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("NonlinearMpc");
        out.field("map", &self.map).field("mpc", &self.mpc).field("prepared", &self.prepared).finish_non_exhaustive()
    }
}

impl<'a, S, M, const N: usize, const U: usize, const R: usize, const C: usize, B, P>
    NonlinearMpc<'a, S, M, N, U, R, C, B, P>
where
    S: Optimizable<Real: Real> + Solvable,
    M: Vary<S>,
    B: AsRef<[MpcKnot<RealOf<S>, N, U, R>]> + AsMut<[MpcKnot<RealOf<S>, N, U, R>]>,
    P: AsRef<[Along<S>]> + AsMut<[Along<S>]>,
{
    /// A controller of steps h of a method, with the model's bounds of inputs and limits. It costs nothing yet.
    ///
    /// # Errors
    /// [`MpcError::NoHorizon`]; [`MpcError::Model`] of other numbers N, U, R or C than the model's, of storage that
    /// does not fit, and for settings of the method out of range; [`MpcError::Follows`].
    pub fn of(system: &'a S, method: M, h: S::Real, (knots, along): (B, P)) -> Result<Self, MpcError> {
        let layout = system.layout();
        let (inputs, limits) = (system.input_bounds(), system.limit_bounds());
        let stages = knots.as_ref().len();
        let sizes = [
            ("N, the number of directions of a state", N, layout.state_directions()),
            ("U, the number of inputs", U, layout.u.len()),
            ("R, the number of limits", R, limits.names.len()),
            ("number of stages of a plan, with its end", along.as_ref().len(), stages + 1),
        ];
        if let Some((setting, found, needed)) = sizes.into_iter().find(|(_, found, needed)| found != needed) {
            let (value, needed) = (found as f64, needed as f64);
            return Err(Cause::OutOfRange { setting, value, low: needed, high: needed }.into());
        }
        if let Some((limit, variable)) = follows(&layout, limits.names, system.limit_pattern(), |_| true) {
            return Err(MpcError::Follows { limit, variable });
        }
        if !(h > S::Real::ZERO && h.is_finite()) {
            return Err(Cause::Invalid { setting: "step size", value: h.to_f64() }.into());
        }
        let mut names = layout.state_direction_names();
        let states = core::array::from_fn(|_| names.next().unwrap_or(""));
        let mut mpc =
            Mpc::new(states, core::array::from_fn(|i| layout.u[i]), core::array::from_fn(|i| limits.names[i]), knots)?;
        // storage that is lent may have the weights of another controller
        mpc.weights(&SMatrix::zeros(), &SMatrix::zeros(), &SMatrix::zeros());
        let entry = |low: &[S::Real], high: &[S::Real], i: usize| (low[i].entry(), high[i].entry());
        Ok(Self {
            map: StepMap::sized(system, method, &[]).map_err(refused)?,
            h,
            mpc,
            along,
            weights: Weights { stage: SMatrix::zeros(), end: SMatrix::zeros() },
            inputs: core::array::from_fn(|i| entry(inputs.low.as_ref(), inputs.high.as_ref(), i)),
            limits: core::array::from_fn(|i| entry(limits.low.as_ref(), limits.high.as_ref(), i)),
            prepared: false,
        })
    }

    /// Writes Q and R of all stages, and P of the end.
    pub fn weights(
        &mut self,
        q: &SMatrix<RealOf<S>, N, N>,
        r: &SMatrix<RealOf<S>, U, U>,
        p: &SMatrix<RealOf<S>, N, N>,
    ) {
        self.weights = Weights { stage: *q, end: *p };
        self.mpc.weights(q, r, p);
        self.prepared = false;
    }

    /// Bounds of an input or a limit other than the model's.
    ///
    /// # Errors
    /// [`MpcError::Name`] with the most similar input or limit.
    pub fn bound(&mut self, name: &str, low: RealOf<S>, high: RealOf<S>) -> Result<(), MpcError> {
        let system = self.map.system();
        let names = || system.input_bounds().names.iter().chain(system.limit_bounds().names).copied();
        let place = names().position(|known| known == name);
        let place = place.ok_or_else(|| UnknownName::new("input or limit", name, names()))?;
        match place.checked_sub(U) {
            None => self.inputs[place] = (low, high),
            Some(limit) => self.limits[limit] = (low, high),
        }
        self.prepared = false;
        Ok(())
    }

    /// Lets a limit be exceeded, at a price; `None` makes it hard, as limits are before.
    ///
    /// # Errors
    /// As [`Mpc::soften`].
    pub fn soften(&mut self, limit: &str, slack: Option<Slack<RealOf<S>>>) -> Result<(), MpcError> {
        self.mpc.soften(limit, slack)
    }

    /// The plan and what it is drawn to: each stage, and the end.
    pub fn plan(&self) -> &[Along<S>] {
        self.along.as_ref()
    }

    /// The same, to be changed: other references, or another plan to begin with.
    pub fn plan_mut(&mut self) -> &mut [Along<S>] {
        self.prepared = false;
        self.along.as_mut()
    }

    /// Lets the plan follow its next stage, and linearises along it: what can be done before the next state is known.
    /// At the end a stage is added by a step with the last inputs; what is wanted stays as it is.
    ///
    /// # Errors
    /// [`MpcError::Model`] of a step that cannot be made or differentiated. If it is that at the end, the plan is as it
    /// was; otherwise it has moved on, and needs no other call of this before the next [`NonlinearMpc::control`].
    pub fn advance(&mut self) -> Result<(), MpcError> {
        self.prepared = false;
        let along = self.along.as_mut();
        let [.., before, last] = along else { return Err(MpcError::NoHorizon) };
        let end = self.map.end(&last.x, before.u.clone(), self.h).map_err(at_stage(self.mpc.horizon()))?;
        // the last stage has no inputs of its own
        last.u.clone_from(&before.u);
        for k in 1..along.len() {
            let (to, from) = along.split_at_mut(k);
            if let (Some(to), Some(from)) = (to.last_mut(), from.first()) {
                (to.x, to.u) = (from.x.clone(), from.u.clone());
            }
        }
        if let Some(last) = along.last_mut() {
            last.x = State { t: last.x.t + self.h, ..end.clone() };
        }
        self.prepare()
    }

    /// Linearises along the plan.
    ///
    /// # Errors
    /// [`MpcError::Model`] of a step that cannot be made or differentiated.
    pub fn prepare(&mut self) -> Result<(), MpcError> {
        let Self { map, mpc, along, weights, h, inputs: bounds, limits, .. } = self;
        let (system, along) = (map.system(), along.as_mut());
        let layout = system.layout();
        for (k, stage) in along.iter().enumerate() {
            stage.fits(&layout).map_err(|cause| MpcError::Model { stage: Some(k), cause })?;
        }
        let turns = !system.turnings().is_empty();
        for (k, stage) in mpc.stages_mut().enumerate() {
            let Some([now, next]) = along.get_mut(k..k + 2) else { continue };
            let step = map.step(&now.x, now.u.clone(), *h).map_err(at_stage(k))?;
            let (a, b) = (step.a(), step.b());
            stage.a = SMatrix::from_fn(|r, c| a.entry(r, c).entry());
            stage.b = SMatrix::from_fn(|r, c| b.entry(r, c).entry());
            align(system, step.end, &mut next.x);
            stage.c = minus(system, step.end, &next.x);
            if turns {
                // A and B are about the end of the step, and changes about the next state
                let by = by_difference(system, (step.end, &next.x), &stage.c);
                (stage.a, stage.b) = (by * stage.a, by * stage.b);
            }
            (stage.state_weight, stage.state_reference) = drawn(system, now, &weights.stage);
            let (u, wanted) = (now.u.as_ref(), now.wanted_inputs.as_ref());
            stage.input_reference = SVector::from_fn(|i, _| (wanted[i] - u[i]).entry());
            stage.input_low = SVector::from_fn(|i, _| bounds[i].0 - u[i].entry());
            stage.input_high = SVector::from_fn(|i, _| bounds[i].1 - u[i].entry());
            stage.rows = rows(system, now, limits);
        }
        if let Some(last) = along.last_mut() {
            let end = mpc.end_mut();
            (end.weight, end.reference) = drawn(system, last, &weights.end);
            // limits of the inputs end with them
            let by_input = read_inputs::<S, N, R>(system);
            let rows = rows::<S, N, U, R>(system, last, limits);
            end.rows = MpcRows::none();
            for i in (0..R).filter(|&i| !by_input[i]) {
                end.rows.by_state.set_row(i, &rows.by_state.row(i));
                end.rows.offset[i] = rows.offset[i];
                (end.rows.low[i], end.rows.high[i]) = (rows.low[i], rows.high[i]);
            }
        }
        self.prepared = true;
        Ok(())
    }

    /// Plans from the state `x`, and returns the inputs of the first stage: those to be applied. Stages are linearised
    /// first, unless [`NonlinearMpc::advance`] or [`NonlinearMpc::prepare`] has done so.
    ///
    /// # Errors
    /// [`MpcError`] by name, as of [`Mpc::solve`]; a step that cannot be made. The plan is as it was, but for times and
    /// modes.
    pub fn control(&mut self, x: &State<S>) -> Result<S::U, MpcError> {
        self.correct(x)?;
        self.along.as_ref().first().map(|first| first.u.clone()).ok_or(MpcError::NoHorizon)
    }

    /// Plans from the state `x` until a correction changes no state and no input by more than `tolerance`, in at most
    /// so many corrections; returns their number. The plan is then an optimum of the nonlinear problem.
    ///
    /// # Errors
    /// As [`NonlinearMpc::control`]; [`MpcError::Uncorrected`]. The plan is the last that was found.
    pub fn solve(&mut self, x: &State<S>, tolerance: RealOf<S>, most: usize) -> Result<usize, MpcError> {
        let mut last = f64::INFINITY;
        for count in 1..=most {
            let change = self.correct(x)?;
            // written so that NaN fails
            if change <= tolerance {
                return Ok(count);
            }
            last = S::Real::from_entry(change).to_f64();
        }
        Err(MpcError::Uncorrected { corrections: most, change: last })
    }

    /// One correction of the plan; returns the largest change.
    fn correct(&mut self, x: &State<S>) -> Result<RealOf<S>, MpcError> {
        x.fits(&self.map.system().layout())?;
        let along = self.along.as_mut();
        let Some(first) = along.first() else { return Err(MpcError::NoHorizon) };
        if !x.t.is_finite() {
            return Err(Cause::Invalid { setting: "time of the state", value: x.t.to_f64() }.into());
        }
        if first.x.modes.as_ref() != x.modes.as_ref() {
            along.iter_mut().for_each(|stage| stage.x.modes.clone_from(&x.modes));
            self.prepared = false;
        }
        if !self.prepared {
            self.time(x.t);
            self.prepare()?;
        }
        let Self { map, mpc, along, .. } = self;
        let (system, along) = (map.system(), along.as_mut());
        let Some(first) = along.first() else { return Err(MpcError::NoHorizon) };
        mpc.solve(&minus(system, x, &first.x))?;
        self.prepared = false;
        let mut most = S::Real::ZERO.entry();
        for (k, stage) in along.iter_mut().enumerate() {
            if let Some(dx) = mpc.state(k) {
                let from = stage.x.clone();
                plus(system, &from, &dx, &mut stage.x);
                most = most.max(dx.amax());
            }
            if let Some(du) = mpc.input(k) {
                let all = stage.u.as_mut().iter_mut().zip(du.iter());
                all.for_each(|(u, &du)| *u += S::Real::from_entry(du));
                most = most.max(du.amax());
            }
        }
        if let Some(first) = along.first_mut() {
            first.x.copy_from(x);
        }
        self.time(x.t);
        Ok(most)
    }

    /// Writes the times of the stages, of which the first is at `t`.
    fn time(&mut self, t: S::Real) {
        let times = core::iter::successors(Some(t), |&t| Some(t + self.h));
        self.along.as_mut().iter_mut().zip(times).for_each(|(stage, t)| stage.x.t = t);
    }
}

/// The error of a step of a stage.
fn at_stage(stage: usize) -> impl Fn(StepError) -> MpcError {
    move |StepError { cause, .. }| MpcError::Model { stage: Some(stage), cause }
}

/// Why there is no map of a step: no parameters are asked for, so it is no name.
fn refused(error: RunError) -> MpcError {
    match error {
        RunError::Evaluation(cause) => cause.into(),
        RunError::Name(name) => MpcError::Name(name),
        _ => Cause::NotDifferentiable { what: "this step" }.into(),
    }
}
