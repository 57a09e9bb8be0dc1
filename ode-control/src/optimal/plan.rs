//! A solution: the motion, its inputs, and how the search came to it.

use ode_runtime::linalg::{SMatrix, SVector};
use ode_runtime::{Optimizable, Piecewise, State, System, UnknownName};

use crate::optimal::evaluation::Evaluation;
use crate::optimal::motion::Motion;
use crate::optimal::signal::Signal;
use crate::optimal::transcription::{Told, Transcribe};

/// The motion and the inputs of an optimal-control problem, as a solver has them.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Plan<S: System, const N: usize, const U: usize> {
    /// the times of the nodes, one more than there are intervals
    pub times: Vec<f64>,
    /// the state at each node
    pub states: Vec<State<S>>,
    /// the inputs in each interval; with collocation, at each of its points
    pub inputs: Vec<S::U>,
    /// the costate at each node: what the rest of the motion costs more by a change of the state, of inputs that go on
    /// from interval to interval, and of a free horizon
    pub costates: Vec<SVector<f64, N>>,
    /// K of u = uₖ − Kₖ (x ⊖ xₖ), a feedback near the plan, in each interval; with collocation uₖ are the inputs of all
    /// points that the interval chooses. It is the best one with what a solver adds to the cost: barriers of bounds and
    /// limits, and a large penalty of a prescribed end, or the augmented Lagrangian of [`Ddp`](crate::Ddp), where
    /// inputs at a bound have no feedback; empty if another solver found the plan
    pub gains: Vec<SMatrix<f64, U, N>>,
    /// the cost
    pub cost: f64,
    /// the iterations of the search; the first one is of the guess
    pub iterations: Vec<SearchStep>,
    /// with collocation, the state at each of the points at which `inputs` are the inputs; otherwise none
    pub points: Vec<State<S>>,
    limits: &'static [&'static str],
    /// multipliers of the limits, node by node
    pub(super) multipliers: Vec<Vec<f64>>,
}

impl<S: Optimizable<Real = f64>, const N: usize, const U: usize> Plan<S, N, U> {
    /// The plan of a motion.
    pub(super) fn of<T: Transcribe<N, U, System = S>>(
        (on, transcription): (&Evaluation<'_, S>, &T),
        motion: &Motion<S, N, U>,
        mut costates: Vec<SVector<f64, N>>,
        mut gains: Vec<SMatrix<f64, U, N>>,
        multipliers: Vec<Vec<f64>>,
        iterations: &[SearchStep],
    ) -> Self {
        let Told { inputs, points, instant } = transcription.tell(on, (&motion.knots, &motion.inputs));
        let states = motion.knots.iter().skip(instant).map(|knot| knot.state.clone()).collect::<Vec<_>>();
        costates.drain(..instant);
        gains.drain(..instant.min(gains.len()));
        Self {
            times: states.iter().map(|x| x.t).collect(),
            states,
            inputs,
            costates,
            gains,
            cost: motion.cost,
            iterations: iterations.to_vec(),
            points,
            limits: on.system.limit_bounds().names,
            multipliers,
        }
    }

    /// The inputs of a run: in each interval held, or with collocation a polynomial through those of its points. From
    /// the end on they stay what they are there.
    pub fn signal(&self) -> Signal<'_, S> {
        Signal::of(&self.times, &self.points, &self.inputs)
    }

    /// The inputs of a run of a plan by shooting: held in each interval, the last ones for good. They are numbers that
    /// sensitivities may be taken by. Inputs of collocation are not held: there are no knots, and a run refuses them.
    pub fn held(&self) -> Piecewise<'_, f64, S::U> {
        let knots = self.times.get(..self.inputs.len()).filter(|_| self.points.is_empty());
        Piecewise::constant(knots.unwrap_or_default(), &self.inputs)
    }

    /// The multiplier of a limit at each node, with collocation at each point: by how much the cost falls if the limit
    /// is moved outwards; positive where its highest value holds it, negative where its lowest one does.
    ///
    /// # Errors
    /// The name that is not that of a limit.
    pub fn multipliers(&self, limit: &str) -> Result<Vec<f64>, UnknownName> {
        let place = self.limits.iter().position(|name| *name == limit);
        let place = place.ok_or_else(|| UnknownName::new("limit", limit, self.limits.iter().copied()))?;
        let of = |node: &Vec<f64>| node.chunks(self.limits.len()).map(|all| all[place]).collect::<Vec<_>>();
        Ok(self.multipliers.iter().flat_map(of).collect())
    }
}

/// What is told of an iteration of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SearchStep {
    /// its number, 0 at the guess
    pub number: usize,
    /// the cost
    pub cost: f64,
    /// the largest violation of a step, of the end, or of a limit
    pub violation: f64,
    /// how far the conditions of an optimum are from being met, scaled
    pub optimality: f64,
    /// μ of the barriers; of [`Ddp`](crate::Ddp), one over the weight of violations, 0 if nothing can be violated
    pub barrier: f64,
    /// what was added to the diagonal of the second derivatives
    pub damping: f64,
    /// the share of the step that was made to get here
    pub step: f64,
}
