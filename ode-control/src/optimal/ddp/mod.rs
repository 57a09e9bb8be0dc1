//! Differential dynamic programming: sweeps back over the horizon, and motions forward by the feedback that they find.

mod boxed;
mod lagrangian;
mod search;
mod sweep;

use core::fmt;
use core::ops::ControlFlow;

use crate::optimal::error::PlanError;
use crate::optimal::evaluation::Evaluation;
use crate::optimal::motion::Motion;
use crate::optimal::plan::{Plan, SearchStep};
use crate::optimal::problem::OptimalControl;
use crate::optimal::transcription::{Begun, Transcription};
use lagrangian::Lagrangian;
use sweep::{Expected, Sweep};

/// Solves optimal-control problems by differential dynamic programming.
///
/// Each iteration finds from the end to the start how inputs are best changed, and a feedback; then the model moves
/// with both, so that after a full step the motion is one of the model. A guess whose states are not joined by steps is
/// allowed: a share α of a step closes α of each gap, and until then a rise of the cost is accepted that the linearised
/// motion predicts. Bounds of the inputs that an interval chooses hold in every iterate, exactly. C. Mastalli et al.,
/// Crocoddyl: an efficient and versatile framework for multi-contact optimal control, ICRA 2020 (FDDP), and A
/// feasibility-driven approach to control-limited DDP, Autonomous Robots 2022 (Box-FDDP); inputs between bounds: Y.
/// Tassa, N. Mansard, E. Todorov, Control-limited differential dynamic programming, ICRA 2014.
///
/// Limits and a prescribed end are met by an augmented Lagrangian: each inner problem is without them, and adds what
/// they are violated by, times multipliers and a growing weight (E. G. Birgin, J. M. Martínez, Practical Augmented
/// Lagrangian Methods for Constrained Optimization, SIAM 2014, ch. 4). An [`InteriorPoint`](crate::InteriorPoint) is
/// made for them.
///
/// With a [`StepMap`](ode_runtime::StepMap) second derivatives are Gauss and Newton's, of `residual` items; with an
/// [`Ilqr`](crate::Ilqr) those of costs and limits are exact; with `(map, hessian)` also those of the motion. Where
/// they are not convex, or a step fails, their diagonal is damped.
///
/// What is found is a minimum near the guess; another guess may lead to another one.
pub struct Ddp<'p, T: Transcription<N, U>, const N: usize, const U: usize> {
    evaluation: Evaluation<'p, T::System>,
    transcription: T,
    /// of the inputs of each interval
    bounds: Vec<[(f64, f64); U]>,
    tolerance: f64,
    allowed: usize,
    motion: Motion<T::System, N, U>,
    trial: Motion<T::System, N, U>,
    lagrangian: Lagrangian<N>,
    sweep: Sweep<N, U>,
    expected: Expected,
    /// the augmented Lagrangian of the motion
    merit: f64,
    /// how well the inner problem is to be solved
    inner: f64,
    damping: f64,
    /// the share of the last step
    share: f64,
    begun: bool,
    iterations: Vec<SearchStep>,
}

impl<T: Transcription<N, U>, const N: usize, const U: usize> fmt::Debug for Ddp<'_, T, N, U> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("Ddp");
        out.field("tolerance", &self.tolerance).field("iterations", &self.iterations).finish_non_exhaustive()
    }
}

impl<'p, T: Transcription<N, U>, const N: usize, const U: usize> Ddp<'p, T, N, U> {
    /// A solver of a problem as it is transcribed. N and U are the numbers of unknowns at a node and in an interval.
    ///
    /// # Errors
    /// What the problem lacks: [`PlanError`]; a cost without second derivatives; other N or U than needed.
    pub fn of(problem: &'p OptimalControl<'_, T::System>, mut transcription: T) -> Result<Self, PlanError> {
        let mut evaluation = Evaluation::new(problem.system, problem.posed(T::COSTS)?);
        let Begun { knots, inputs, bounds } = transcription.begin(&mut evaluation)?;
        let motion = Motion::guess(knots, inputs);
        Ok(Self {
            lagrangian: Lagrangian::new(&evaluation, Vec::new()),
            sweep: Sweep::new(motion.inputs.len()),
            expected: Expected::none(),
            tolerance: 1e-9,
            allowed: 500,
            merit: f64::INFINITY,
            inner: 0.0,
            damping: 0.0,
            share: 0.0,
            begun: false,
            iterations: Vec::new(),
            trial: motion.clone(),
            motion,
            bounds,
            evaluation,
            transcription,
        })
    }

    /// How well the conditions of an optimum are to be met: by inputs (how far a step against Q_u leads inside the
    /// bounds, scaled by the mean of costates above 100), by steps, by limits and by the end; 10⁻⁹ by default.
    #[must_use]
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.tolerance = tolerance;
        self
    }

    /// The largest number of iterations, 500 by default.
    #[must_use]
    pub fn iterations(mut self, count: usize) -> Self {
        self.allowed = count;
        self
    }

    /// Searches from the guess, or on from where the last search ended.
    ///
    /// # Errors
    /// Why no optimum was found; [`Ddp::plan`] then tells the last iterate.
    pub fn solve(&mut self) -> Result<Plan<T::System, N, U>, PlanError> {
        self.solve_with(|_| ControlFlow::Continue(()))
    }

    /// The same, with a function that is told of each iteration, and may end the search.
    ///
    /// # Errors
    /// As [`Ddp::solve`]; [`PlanError::Stopped`].
    pub fn solve_with(
        &mut self,
        progress: impl FnMut(&SearchStep) -> ControlFlow<()>,
    ) -> Result<Plan<T::System, N, U>, PlanError> {
        if !(self.tolerance > 0.0 && self.tolerance.is_finite()) {
            return Err(PlanError::Setting { setting: "tolerance", value: self.tolerance });
        }
        self.search(progress)?;
        Ok(self.plan())
    }

    /// What has been found so far: after an error, the last iterate.
    pub fn plan(&self) -> Plan<T::System, N, U> {
        Plan::of(
            (&self.evaluation, &self.transcription),
            &self.motion,
            self.sweep.costates(),
            self.sweep.gains(),
            self.lagrangian.multipliers().to_vec(),
            &self.iterations,
        )
    }
}
