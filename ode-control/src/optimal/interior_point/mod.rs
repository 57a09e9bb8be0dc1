//! A primal-dual interior point for optimal control: Newton's steps by Riccati's recursion, a filter line search.

mod bounded;
mod direction;
mod ends;
mod filter;
mod point;
mod restoration;
mod search;

use core::fmt;
use core::ops::ControlFlow;

use crate::optimal::error::PlanError;
use crate::optimal::evaluation::Evaluation;
use crate::optimal::plan::{Plan, SearchStep};
use crate::optimal::problem::OptimalControl;
use crate::optimal::transcription::Transcription;
use direction::{Direction, Violations};
use filter::Filter;
use point::{Point, Row};

/// μ of the barriers at the guess.
const BARRIER: f64 = 0.1;

/// Solves optimal-control problems by a primal-dual interior point.
///
/// Newton's steps are those of the whole horizon: Riccati's recursion solves them in a time that grows with the number
/// of intervals. Bounds and limits are barriers, whose μ falls to the tolerance; the filter accepts a step that reduces
/// either the objective or what is violated. A. Wächter, L. T. Biegler, On the implementation of an interior-point
/// filter line-search algorithm for large-scale nonlinear programming, Mathematical Programming 106 (2006); the
/// structure is that of L. Vanroye, A. Sathya, J. De Schutter, W. Decré, FATROP: a fast constrained optimal control
/// problem solver for robot trajectory optimization and control, IROS 2023.
///
/// With `(map, hessian)` or [`Collocation::exact`](crate::Collocation::exact) second derivatives are exact, of costs,
/// limits and the motion; with an [`Ilqr`](crate::Ilqr) those of costs and limits are. With a
/// [`StepMap`](ode_runtime::StepMap) or [`Collocation::of`](crate::Collocation::of) they are Gauss and Newton's, of
/// `residual` items.
///
/// What is found is a minimum near the guess; another guess may lead to another one.
pub struct InteriorPoint<'p, T: Transcription<N, U>, const N: usize, const U: usize> {
    evaluation: Evaluation<'p, T::System>,
    transcription: T,
    tolerance: f64,
    allowed: usize,
    point: Point<T::System, N, U>,
    trial: Point<T::System, N, U>,
    direction: Direction<N, U>,
    violations: Violations<N>,
    filter: Filter,
    mu: f64,
    damping: f64,
    /// the share of the last step
    share: f64,
    begun: bool,
    iterations: Vec<SearchStep>,
}

impl<T: Transcription<N, U>, const N: usize, const U: usize> fmt::Debug for InteriorPoint<'_, T, N, U> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("InteriorPoint");
        out.field("tolerance", &self.tolerance).field("iterations", &self.iterations).finish_non_exhaustive()
    }
}

impl<'p, T: Transcription<N, U>, const N: usize, const U: usize> InteriorPoint<'p, T, N, U> {
    /// A solver of a problem as it is transcribed. N and U are the numbers of unknowns at a node and in an interval.
    ///
    /// # Errors
    /// What the problem lacks: [`PlanError`]; a cost without second derivatives; other N or U than needed.
    pub fn of(problem: &'p OptimalControl<'_, T::System>, mut transcription: T) -> Result<Self, PlanError> {
        let mut evaluation = Evaluation::new(problem.system, problem.posed(T::COSTS)?);
        let point = Point::guess(transcription.begin(&mut evaluation)?);
        Ok(Self {
            direction: Direction::new(evaluation.fixed(), point.boxes.len()),
            violations: Violations::of(&point),
            filter: Filter::new(1.0),
            tolerance: 1e-9,
            allowed: 500,
            mu: BARRIER,
            damping: 0.0,
            share: 0.0,
            begun: false,
            iterations: Vec::new(),
            trial: point.clone(),
            point,
            evaluation,
            transcription,
        })
    }

    /// How well the conditions of an optimum are to be met, scaled as in the reference: 10⁻⁹ by default.
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
    /// Why no optimum was found; [`InteriorPoint::plan`] then tells the last iterate.
    pub fn solve(&mut self) -> Result<Plan<T::System, N, U>, PlanError> {
        self.solve_with(|_| ControlFlow::Continue(()))
    }

    /// The same, with a function that is told of each iteration, and may end the search.
    ///
    /// # Errors
    /// As [`InteriorPoint::solve`]; [`PlanError::Stopped`].
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
        let Point { motion, costates, rows, .. } = &self.point;
        let first = self.direction.first_costate(&self.point);
        let active = |row: &Row| if row.active { row.multiplier } else { 0.0 };
        Plan::of(
            (&self.evaluation, &self.transcription),
            motion,
            [first].into_iter().chain(costates.iter().skip(1).copied()).collect(),
            self.direction.gains(),
            rows.iter().map(|rows| rows.iter().map(active).collect()).collect(),
            &self.iterations,
        )
    }
}
