//! The step of the barrier problem: stages with bounds and limits eliminated into them, and their solution.

use ode_runtime::Optimizable;
use ode_runtime::linalg::{SMatrix, SVector};

use crate::optimal::error::PlanError;
use crate::optimal::evaluation::Evaluation;
use crate::optimal::interior_point::bounded::Bounded;
use crate::optimal::interior_point::ends::Ends;
use crate::optimal::interior_point::point::{Point, Row};
use crate::optimal::motion::Motion;
use crate::optimal::node::Node;
use crate::optimal::transcription::{Transcribe, Wanted};
use crate::stages::{Policy, Stage, Value, again, backward, forward};

/// What a prescribed end adds to the second derivatives there, relative to the largest of an input. The step does not
/// depend on it, because the end is met exactly; it makes definite what is so along motions that meet the end.
const END: f64 = 1e5;
/// What a limit whose bounds are equal adds along its gradient, relative to that of an end. What is left of its
/// violation after a step is less, the larger this is; steps are repeated until none is left.
const EQUAL: f64 = 1e5;

/// The linearised problem at a point, and its solution.
#[derive(Clone, Debug)]
pub(super) struct Direction<const N: usize, const U: usize> {
    /// A, B and second derivatives as they are at the point; of the last node only those of its state
    exact: Vec<Stage<f64, N, U>>,
    stages: Vec<Stage<f64, N, U>>,
    terminal: Value<f64, N>,
    pub(super) policies: Vec<Policy<f64, N, U>>,
    ends: Ends<N, U>,
    /// of a prescribed end, [`END`] in the units of this problem
    penalty: f64,
    /// 0 for steps that only meet conditions
    objective: f64,
    pub(super) states: Vec<SVector<f64, N>>,
    pub(super) inputs: Vec<SVector<f64, U>>,
    /// the new costates
    pub(super) costates: Vec<SVector<f64, N>>,
}

/// What a step is to remove: the violations of a point, or others for a correction of second order.
#[derive(Clone, Debug)]
pub(super) struct Violations<const N: usize> {
    pub(super) gaps: Vec<SVector<f64, N>>,
    pub(super) miss: SVector<f64, N>,
    /// h − s at each node
    pub(super) rows: Vec<Vec<f64>>,
}

impl<const N: usize> Violations<N> {
    pub(super) fn of<S: Optimizable<Real = f64>, const U: usize>(point: &Point<S, N, U>) -> Self {
        let rows = |(k, rows): (usize, &Vec<Row>)| (0..rows.len()).map(|i| point.row_gap(k, i)).collect();
        Self {
            gaps: point.motion.gaps.clone(),
            miss: point.motion.miss,
            rows: point.rows.iter().enumerate().map(rows).collect(),
        }
    }

    /// `alpha` times these and those of a trial point.
    pub(super) fn corrected(&self, alpha: f64, trial: &Self) -> Self {
        let rows = self.rows.iter().zip(&trial.rows);
        Self {
            gaps: self.gaps.iter().zip(&trial.gaps).map(|(gap, new)| gap * alpha + new).collect(),
            miss: self.miss * alpha + trial.miss,
            rows: rows.map(|(row, new)| row.iter().zip(new).map(|(x, y)| alpha * x + y).collect()).collect(),
        }
    }
}

impl<const N: usize, const U: usize> Direction<N, U> {
    pub(super) fn new(fixed: [bool; N], intervals: usize) -> Self {
        Self {
            exact: vec![Stage::zero(); intervals + 1],
            stages: vec![Stage::zero(); intervals],
            terminal: Value::zero(),
            policies: vec![Policy::none(); intervals],
            ends: Ends::new(fixed, intervals),
            penalty: 0.0,
            objective: 1.0,
            states: vec![SVector::zeros(); intervals + 1],
            inputs: vec![SVector::zeros(); intervals],
            costates: vec![SVector::zeros(); intervals + 1],
        }
    }

    /// Linearises intervals, costs and limits at a point, with its costates and multipliers.
    ///
    /// # Errors
    /// What cannot be differentiated.
    pub(super) fn linearize<T: Transcribe<N, U>>(
        &mut self,
        on: &mut Evaluation<'_, T::System>,
        transcription: &mut T,
        point: &Point<T::System, N, U>,
    ) -> Result<(), PlanError> {
        let Motion { knots, inputs, nodes, .. } = &point.motion;
        let last = inputs.len();
        self.objective = 1.0;
        let mut limits = Vec::new();
        for (k, stage) in self.exact.iter_mut().enumerate() {
            limits.clear();
            limits.extend(point.rows[k].iter().map(|row| if row.active { row.multiplier } else { 0.0 }));
            let costate = &point.costates[(k + 1).min(last)];
            let wanted = Wanted { costate, limits: &limits, squares: &nodes[k].squares };
            match inputs.get(k) {
                Some(u) => transcription.linearize(on, (k, &knots[k], u), wanted, stage)?,
                None => transcription.curve(on, &knots[k], wanted, stage)?,
            }
        }
        Ok(())
    }

    /// The largest violation of stationarity in states, inputs and slacks.
    pub(super) fn stationarity<S: Optimizable<Real = f64>>(&self, point: &Point<S, N, U>) -> f64 {
        let last = point.motion.inputs.len();
        let mut worst = 0.0_f64;
        for (k, (node, stage)) in point.motion.nodes.iter().zip(&self.exact).enumerate() {
            let (mut x, mut u) = (node.x, node.u);
            for (i, row) in point.rows[k].iter().enumerate().filter(|(_, row)| row.active) {
                x += node.limit_x[i] * row.multiplier;
                u += node.limit_u[i] * row.multiplier;
                if !row.slack.is_rigid() {
                    worst = worst.max((row.slack.force() - row.multiplier).abs());
                }
            }
            if k < last {
                let costate = point.costates[k + 1];
                x += stage.a.transpose() * costate - point.costates[k];
                u += stage.b.transpose() * costate;
                let free = |(i, bounded): (usize, &Bounded)| (!bounded.is_rigid()).then(|| u[i] + bounded.force());
                let forces = point.boxes[k].iter().enumerate().filter_map(free);
                worst = forces.fold(worst, |worst, force| worst.max(force.abs()));
            } else {
                x -= point.costates[k];
                (0..N).filter(|&i| self.ends.is_fixed(i)).for_each(|i| x[i] = 0.0);
            }
            // the first state is given
            if k > 0 {
                worst = worst.max(x.amax());
            }
        }
        worst
    }

    /// The costate of the given first state, which is no unknown.
    pub(super) fn first_costate<S: Optimizable<Real = f64>>(&self, point: &Point<S, N, U>) -> SVector<f64, N> {
        let rows = point.active().filter(|(k, ..)| *k == 0);
        let rows = rows.map(|(k, i, row)| point.motion.nodes[k].limit_x[i] * row.multiplier);
        rows.fold(point.motion.nodes[0].x + self.exact[0].a.transpose() * point.costates[1], |sum, row| sum + row)
    }

    /// Assembles and factors the problem with the barrier μ and `damping` on the diagonal. Returns false where it is
    /// not convex.
    pub(super) fn factor<S: Optimizable<Real = f64>>(
        &mut self,
        point: &Point<S, N, U>,
        violations: &Violations<N>,
        (mu, damping): (f64, f64),
    ) -> bool {
        let mut largest = 0.0_f64;
        for (k, stage) in self.stages.iter_mut().enumerate() {
            let Stage { a, b, xx, ux, uu, .. } = self.exact[k];
            (stage.a, stage.b, stage.xx, stage.ux, stage.uu) = (a, b, xx, ux, uu);
            for (i, bounded) in point.boxes[k].iter().enumerate() {
                stage.uu[(i, i)] += bounded.stiffness() + damping;
                largest = largest.max(stage.uu[(i, i)].abs().min(1e6));
            }
            (0..N).for_each(|i| stage.xx[(i, i)] += damping);
        }
        self.penalty = END * largest.max(1e-3);
        for (k, stage) in self.stages.iter_mut().enumerate() {
            stiffen(stage, &point.motion.nodes[k], &point.rows[k], self.penalty);
            hold(stage, &point.boxes[k]);
        }
        let (mut last, n) = (self.exact[self.stages.len()], self.stages.len());
        stiffen(&mut last, &point.motion.nodes[n], &point.rows[n], self.penalty);
        (0..N).for_each(|i| last.xx[(i, i)] += damping);
        (0..N).filter(|&i| self.ends.is_fixed(i)).for_each(|i| last.xx[(i, i)] += self.penalty);
        self.terminal.xx = last.xx;
        self.load(point, violations, mu);
        if backward(&self.stages, &self.terminal, &mut self.policies).is_err() {
            return false;
        }
        if self.ends.any() {
            self.ends.prepare(&self.stages, &self.policies);
        }
        true
    }

    /// Writes gradients and violations into the stages.
    fn load<S: Optimizable<Real = f64>>(&mut self, point: &Point<S, N, U>, violations: &Violations<N>, mu: f64) {
        let n = self.stages.len();
        for k in 0..=n {
            let (node, rows) = (&point.motion.nodes[k], &point.rows[k]);
            let (mut x, mut u) = (node.x * self.objective, node.u * self.objective);
            for (i, row) in rows.iter().enumerate().filter(|(_, row)| row.active) {
                let weight = self.multiplier(row, violations.rows[k][i], mu);
                x += node.limit_x[i] * weight;
                u += node.limit_u[i] * weight;
            }
            match self.stages.get_mut(k) {
                Some(stage) => {
                    for (i, bounded) in point.boxes[k].iter().enumerate() {
                        u[i] = if bounded.is_rigid() { 0.0 } else { u[i] + bounded.gradient(mu) };
                    }
                    (stage.x, stage.u, stage.c) = (x, u, violations.gaps[k]);
                }
                None => self.terminal.x = x + violations.miss * self.penalty,
            }
        }
    }

    /// The step of the factored problem that removes these violations. Returns false if there is none.
    pub(super) fn solve<S: Optimizable<Real = f64>>(
        &mut self,
        point: &Point<S, N, U>,
        violations: &Violations<N>,
        mu: f64,
    ) -> bool {
        self.load(point, violations, mu);
        again(&self.stages, &self.terminal.x, &mut self.policies);
        if self.ends.any() && !self.ends.reach(&self.stages, &mut self.policies, &-violations.miss) {
            return false;
        }
        let Self { stages, policies, states, inputs, costates, .. } = self;
        forward(stages, policies, &SVector::zeros(), |k, u, x| {
            (inputs[k], states[k + 1], costates[k + 1]) = (*u, *x, policies[k].end.gradient(x));
        });
        let finite = |x: &SVector<f64, N>| x.iter().all(|x| x.is_finite());
        states.iter().chain(costates.iter()).all(finite)
    }

    /// The new multiplier of a row whose slack makes this step: its stationarity tells it. That of equal bounds grows
    /// by what is left of the violation.
    pub(super) fn multiplier(&self, row: &Row, step: f64, mu: f64) -> f64 {
        let before = if row.slack.is_rigid() { self.objective * row.multiplier } else { row.slack.gradient(mu) };
        before + stiffness(row, self.penalty) * step
    }

    /// The step of the slack of a row.
    pub(super) fn slack(&self, node: &Node<N, U>, (k, i): (usize, usize), violations: &Violations<N>) -> f64 {
        let by_input = self.inputs.get(k).map_or(0.0, |u| node.limit_u[i].dot(u));
        violations.rows[k][i] + node.limit_x[i].dot(&self.states[k]) + by_input
    }

    /// The slope of the objective with the barrier μ along the step.
    pub(super) fn slope<S: Optimizable<Real = f64>>(
        &self,
        point: &Point<S, N, U>,
        violations: &Violations<N>,
        mu: f64,
    ) -> f64 {
        let mut slope = 0.0;
        for (k, node) in point.motion.nodes.iter().enumerate() {
            slope += node.x.dot(&self.states[k]);
            if let Some(u) = self.inputs.get(k) {
                slope += node.u.dot(u);
                slope += point.boxes[k].iter().zip(u).map(|(bounded, du)| bounded.gradient(mu) * du).sum::<f64>();
            }
        }
        let of_row = |(k, i, row): (usize, usize, &Row)| {
            row.slack.gradient(mu) * self.slack(&point.motion.nodes[k], (k, i), violations)
        };
        slope + point.active().map(of_row).sum::<f64>()
    }

    /// K of u = uₖ − K (x ⊖ xₖ) in each interval.
    pub(super) fn gains(&self) -> Vec<SMatrix<f64, U, N>> {
        self.policies.iter().map(|policy| -policy.gain).collect()
    }

    /// The second derivatives 1, without curvature: for the first costates, and, with an objective of 0, for the
    /// shortest step that meets all conditions.
    pub(super) fn flatten(&mut self, objective: f64) {
        self.objective = objective;
        for stage in &mut self.exact {
            (stage.xx, stage.ux, stage.uu) = (SMatrix::identity(), SMatrix::zeros(), SMatrix::identity());
        }
    }
}

/// What a row adds to the second derivatives along its gradient.
fn stiffness(row: &Row, penalty: f64) -> f64 {
    if row.slack.is_rigid() { EQUAL * penalty } else { row.slack.stiffness() }
}

/// Adds what active rows add to the second derivatives.
fn stiffen<const N: usize, const U: usize>(
    stage: &mut Stage<f64, N, U>,
    node: &Node<N, U>,
    rows: &[Row],
    penalty: f64,
) {
    let active = rows.iter().enumerate().filter(|(_, row)| row.active);
    active.for_each(|(i, row)| node.stiffen(i, stiffness(row, penalty), stage));
}

/// Takes inputs whose bounds are equal out of a stage: their steps are 0.
fn hold<const N: usize, const U: usize>(stage: &mut Stage<f64, N, U>, boxes: &[Bounded; U]) {
    for i in (0..U).filter(|&i| boxes[i].is_rigid()) {
        stage.b.column_mut(i).fill(0.0);
        stage.ux.row_mut(i).fill(0.0);
        stage.uu.row_mut(i).fill(0.0);
        stage.uu.column_mut(i).fill(0.0);
        stage.uu[(i, i)] = 1.0;
    }
}

/// The largest of several numbers between bounds, of a measure; NaN stays.
pub(super) fn largest<'b>(all: impl Iterator<Item = &'b Bounded>, of: impl Fn(&Bounded) -> f64) -> f64 {
    all.map(of).fold(0.0, |worst: f64, x| if x <= worst { worst } else { x })
}
