//! A problem as a nonlinear programme, for solvers of other packages.

mod chart;
pub(crate) mod entry;
mod structure;

use core::fmt;

use ode_runtime::linalg::SVector;
use ode_runtime::{Block, Cause, Name, Optimizable, StepError, System};
use sprs::CsMat;

use crate::optimal::error::PlanError;
use crate::optimal::evaluation::Evaluation;
use crate::optimal::knot::Knot;
use crate::optimal::motion::Motion;
use crate::optimal::nlp::chart::Chart;
use crate::optimal::nlp::entry::NlpEntry;
use crate::optimal::nlp::structure::{Chosen, Structure};
use crate::optimal::plan::Plan;
use crate::optimal::problem::{OptimalControl, value_of};
use crate::optimal::transcription::{Begun, Told, Transcription, Wanted};
use crate::optimal::turn::Turn;
use crate::stages::Stage;

/// An [`OptimalControl`] problem, as it is transcribed, in the form that solvers of nonlinear programmes ask for:
///
/// ```text
/// min f(w)   with   low ≤ w ≤ high,   low ≤ g(w) ≤ high
/// ```
///
/// The variables w are u₀, x₁, u₁, x₂, …, xₙ: inputs of each interval, and the state at its end with what goes on from
/// there. A given start is none of them; where something is chosen at the start, that is u₀ of an interval without
/// time. A prescribed end is a variable whose bounds are equal. The rows g are, node by node, the end of the interval
/// without the next state, and the limits. Unknowns of points between nodes are found on the way, so that there are as
/// many variables with collocation as with steps.
///
/// Derivatives are those of the transcription: first ones exact, and second ones with
/// [`Collocation::exact`](crate::Collocation::exact) or `(map, hessian)`. Patterns do not change, and values are
/// written in place. What follows from a plan, and a plan from variables: [`Nlp::variables_of`] and [`Nlp::plan`].
///
/// Units are those of the model; there is no scaling. The variables of a rotation in space are its turn θ from the
/// guess at the node, q ⊕ θ, and a prescribed end is such a turn. Variables that turn by half a turn or more are an
/// error, [`Cause::HalfTurn`], as is an end of an interval that far from the next node: a solver then takes a shorter
/// step. Points of the sphere have no place among variables.
pub struct Nlp<'p, T: Transcription<N, U>, const N: usize, const U: usize> {
    evaluation: Evaluation<'p, T::System>,
    transcription: T,
    structure: Structure<N>,
    entries: (Vec<NlpEntry>, Vec<NlpEntry>),
    active: Vec<Vec<bool>>,
    instant: usize,
    /// knots, from which others are moved, and inputs
    guess: (Vec<Knot<T::System>>, Vec<SVector<f64, U>>),
    /// at the variables that were evaluated last
    motion: Motion<T::System, N, U>,
    /// these; empty if there are none
    evaluated: Vec<f64>,
    stage: Stage<f64, N, U>,
    jacobian: CsMat<f64>,
    hessian: CsMat<f64>,
}

impl<T: Transcription<N, U>, const N: usize, const U: usize> fmt::Debug for Nlp<'_, T, N, U> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (variables, rows) = (self.structure.variables(), self.structure.rows());
        f.debug_struct("Nlp").field("variables", &variables).field("rows", &rows).finish_non_exhaustive()
    }
}

impl<'p, T: Transcription<N, U>, const N: usize, const U: usize> Nlp<'p, T, N, U> {
    /// The programme of a problem. N and U are the numbers of unknowns at a node and in an interval, as those of
    /// [`InteriorPoint`](crate::InteriorPoint).
    ///
    /// # Errors
    /// What the problem lacks: [`PlanError`]; a model with points of the sphere; a guess that cannot be evaluated.
    pub fn of(problem: &'p OptimalControl<'_, T::System>, mut transcription: T) -> Result<Self, PlanError> {
        let mut on = Evaluation::new(problem.system, problem.posed(T::COSTS)?);
        if !Turn::spheres(on.system).is_empty() {
            let (what, instead) = ("points of the sphere as variables of a programme", "take `InteriorPoint`");
            return Err(PlanError::Scheme { what, instead });
        }
        let Begun { knots, inputs, bounds } = transcription.begin(&mut on)?;
        let chosen: Vec<Chosen> =
            bounds.iter().enumerate().map(|(k, bounds)| (transcription.chosen(&on, k), bounds.to_vec())).collect();
        let mut motion = Motion::guess(knots.clone(), inputs.clone());
        motion.evaluate(&mut on, &mut transcription)?;
        let active = transcription.restricted(&on, (&motion.knots, &motion.nodes))?;
        let Told { points, instant, .. } = transcription.tell(&on, (&motion.knots, &motion.inputs));
        let structure = Structure::of(&chosen, &active);
        let mut end = motion.last().clone();
        end.state = on.posed.end.clone().unwrap_or(end.state);
        let end = numbers(on.system, (&end, &knots[knots.len() - 1]));
        let variables = structure.variable_entries(&on, &chosen, (&end, instant));
        let rows = structure.row_entries(&on, &active, (instant, !points.is_empty()));
        Ok(Self {
            entries: (variables, rows),
            jacobian: structure.jacobian(),
            hessian: structure.hessian(),
            guess: (knots, inputs),
            evaluation: on,
            evaluated: Vec::new(),
            stage: Stage::zero(),
            structure,
            transcription,
            active,
            instant,
            motion,
        })
    }

    /// The variables, with their bounds.
    pub fn variables(&self) -> &[NlpEntry] {
        &self.entries.0
    }

    /// The rows of the constraints, with their bounds.
    pub fn rows(&self) -> &[NlpEntry] {
        &self.entries.1
    }

    /// The variables at the guess of the problem, not moved inside of bounds.
    pub fn guess(&self) -> Vec<f64> {
        self.gathered(&self.guess.0, &self.guess.1)
    }

    /// The objective f.
    ///
    /// # Errors
    /// Another number of variables than [`Nlp::variables`]; a motion that cannot be evaluated there, so that a solver
    /// should try a shorter step.
    pub fn objective(&mut self, variables: &[f64]) -> Result<f64, PlanError> {
        self.evaluate(variables)?;
        Ok(self.motion.cost)
    }

    /// Writes ∂f/∂w.
    ///
    /// # Errors
    /// As [`Nlp::objective`]; another length of `out`.
    pub fn gradient(&mut self, variables: &[f64], out: &mut [f64]) -> Result<(), PlanError> {
        self.evaluate(variables)?;
        PlanError::length("length of a gradient", (out.len(), self.structure.variables()))?;
        for (k, node) in self.motion.nodes.iter().enumerate() {
            let x = self.chart(k).to_variables(node.x);
            for (variable, place) in self.structure.columns::<U>(k) {
                out[variable] = entry(&x, &node.u, place);
            }
        }
        Ok(())
    }

    /// Writes g.
    ///
    /// # Errors
    /// As [`Nlp::objective`]; another length of `out` than there are rows.
    pub fn constraints(&mut self, variables: &[f64], out: &mut [f64]) -> Result<(), PlanError> {
        self.evaluate(variables)?;
        PlanError::length("number of constraints", (out.len(), self.structure.rows()))?;
        for (k, (node, active)) in self.motion.nodes.iter().zip(&self.active).enumerate() {
            let limits = node.limits.iter().zip(active).filter(|(_, active)| **active).map(|(value, _)| *value);
            let next = (k < self.structure.intervals()).then(|| (self.end(k), self.numbers(k + 1)));
            let gaps = next.into_iter().flat_map(|(end, x)| (0..N).map(move |i| end[i] - x[i]));
            let rows = &mut out[self.structure.node_rows(k)];
            rows.iter_mut().zip(gaps.chain(limits)).for_each(|(row, value)| *row = value);
        }
        Ok(())
    }

    /// ∂g/∂w, by rows.
    ///
    /// # Errors
    /// As [`Nlp::objective`]; a motion that cannot be differentiated.
    pub fn jacobian(&mut self, variables: &[f64]) -> Result<&CsMat<f64>, PlanError> {
        self.evaluate(variables)?;
        let (costate, limits) = (SVector::zeros(), self.weights(|_, _| 0.0));
        let mut place = 0;
        for k in 0..=self.structure.intervals() {
            self.linearize(k, (&costate, &limits[k]))?;
            let chart = self.chart(k);
            let (values, node) = (self.jacobian.data_mut(), &self.motion.nodes[k]);
            let mut write = |value: f64| {
                values[place] = value;
                place += 1;
            };
            if k < self.structure.intervals() {
                let Stage { a, b, .. } = &self.stage;
                for row in 0..N {
                    let columns = self.structure.columns::<U>(k);
                    columns.for_each(|(_, c)| write(if c < N { a[(row, c)] } else { b[(row, c - N)] }));
                    write(-1.0);
                }
            }
            for (row, _) in self.active[k].iter().enumerate().filter(|(_, active)| **active) {
                let (x, u) = (chart.to_variables(node.limit_x[row]), &node.limit_u[row]);
                self.structure.columns::<U>(k).for_each(|(_, c)| write(entry(&x, u, c)));
            }
        }
        Ok(&self.jacobian)
    }

    /// ∂²(`factor` f + yᵀg)/∂w², the lower triangle by rows.
    ///
    /// # Errors
    /// As [`Nlp::jacobian`]; another number of multipliers than of rows.
    pub fn hessian(&mut self, variables: &[f64], factor: f64, multipliers: &[f64]) -> Result<&CsMat<f64>, PlanError> {
        self.evaluate(variables)?;
        PlanError::length("number of multipliers", (multipliers.len(), self.structure.rows()))?;
        self.hessian.data_mut().fill(0.0);
        let (costates, limits) = self.split(multipliers);
        self.add_hessian(1.0, (&costates, &limits))?;
        if factor != 1.0 {
            // a transcription has the objective once; all of it is linear in the weights
            let (costates, limits) = (vec![SVector::zeros(); costates.len()], self.weights(|_, _| 0.0));
            self.add_hessian(factor - 1.0, (&costates, &limits))?;
        }
        Ok(&self.hessian)
    }

    /// The plan of these variables and the multipliers y of the rows, where these add yᵀg to the objective: it can be
    /// run, drawn, and be the guess of another problem. It has neither gains nor iterations.
    ///
    /// # Errors
    /// As [`Nlp::hessian`].
    pub fn plan(&mut self, variables: &[f64], multipliers: &[f64]) -> Result<Plan<T::System, N, U>, PlanError> {
        self.evaluate(variables)?;
        PlanError::length("number of multipliers", (multipliers.len(), self.structure.rows()))?;
        let (mut costates, limits) = self.split(multipliers);
        self.linearize(0, (&SVector::zeros(), &vec![0.0; limits[0].len()]))?;
        let first = self.slopes(0, &limits[0]) + self.stage.a.transpose() * costates[0];
        costates.iter_mut().enumerate().for_each(|(k, y)| *y = self.chart(k + 1).to_state(*y));
        costates.insert(0, first);
        let (motion, on) = (&self.motion, (&self.evaluation, &self.transcription));
        Ok(Plan::of(on, motion, costates, Vec::new(), limits, &[]))
    }

    /// The variables of a plan of the same problem and transcription.
    ///
    /// # Errors
    /// Other numbers of states or inputs than the problem has.
    pub fn variables_of(&self, plan: &Plan<T::System, N, U>) -> Result<Vec<f64>, PlanError> {
        let (mut knots, mut inputs) = self.guess.clone();
        self.transcription.read(&self.evaluation, &plan.states, &plan.inputs, (&mut knots, &mut inputs))?;
        Ok(self.gathered(&knots, &inputs))
    }

    /// The multipliers y of the rows in a plan of the same problem and transcription.
    ///
    /// # Errors
    /// Other numbers of costates or multipliers than the problem has.
    pub fn multipliers_of(&self, plan: &Plan<T::System, N, U>) -> Result<Vec<f64>, PlanError> {
        let (intervals, nodes) = (self.structure.intervals(), self.motion.nodes.len());
        PlanError::length("number of costates", (plan.costates.len(), intervals + 1 - self.instant))?;
        PlanError::length("number of nodes with multipliers", (plan.multipliers.len(), nodes))?;
        let mut out = Vec::with_capacity(self.structure.rows());
        let variables = self.variables_of(plan)?;
        for (k, (active, limits)) in self.active.iter().zip(&plan.multipliers).enumerate() {
            PlanError::length("number of multipliers of a node", (limits.len(), active.len()))?;
            if let Some(costate) = plan.costates.get(k + 1 - self.instant).filter(|_| k < intervals) {
                let chart = Chart::of(self.evaluation.system, &variables[self.structure.state(k + 1)]);
                out.extend(&chart.to_variables(*costate));
            }
            out.extend(limits.iter().zip(active).filter(|(_, active)| **active).map(|(y, _)| y));
        }
        Ok(out)
    }

    /// The variables of states and inputs, knot by knot.
    fn gathered(&self, knots: &[Knot<T::System>], inputs: &[SVector<f64, U>]) -> Vec<f64> {
        let mut out = vec![0.0; self.structure.variables()];
        for (k, knot) in knots.iter().enumerate() {
            let x = numbers::<_, N>(self.evaluation.system, (knot, &self.guess.0[k]));
            out[self.structure.state(k)].iter_mut().zip(&x).for_each(|(out, x)| *out = *x);
            let u = inputs.get(k).into_iter().flat_map(|u| u.iter());
            out[self.structure.inputs(k)].iter_mut().zip(u).for_each(|(out, u)| *out = *u);
        }
        out
    }

    /// Makes the motion that of the variables.
    fn evaluate(&mut self, variables: &[f64]) -> Result<(), PlanError> {
        PlanError::length("number of variables", (variables.len(), self.structure.variables()))?;
        if variables == self.evaluated {
            return Ok(());
        }
        self.evaluated.clear();
        let Self { structure, motion, guess, evaluation: on, .. } = self;
        for (k, u) in motion.inputs.iter_mut().enumerate() {
            u.iter_mut().zip(&variables[structure.inputs(k)]).for_each(|(u, w)| *u = *w);
        }
        for (k, (knot, from)) in motion.knots.iter_mut().zip(&guess.0).enumerate().skip(1) {
            let (own, here) = (&variables[structure.state(k)], numbers::<_, N>(on.system, (from, from)));
            from.plus(on.system, &SVector::<f64, N>::from_fn(|i, _| own[i] - here[i]), knot);
        }
        motion.evaluate(on, &mut self.transcription)?;
        self.below_half_turn(variables)?;
        self.evaluated.extend(variables);
        Ok(())
    }

    /// Refuses turns that have another one for the same rotation: those of nodes, and of ends from the next nodes.
    fn below_half_turn(&self, variables: &[f64]) -> Result<(), PlanError> {
        let system = self.evaluation.system;
        let turns = Turn::all(system);
        if turns.is_empty() {
            return Ok(());
        }
        for k in 1..=self.structure.intervals() {
            let (own, end) = (&variables[self.structure.state(k)], self.end(k - 1));
            let gap: [f64; N] = core::array::from_fn(|i| end[i] - own[i]);
            let far =
                |turn: &&Turn| [own, &gap].iter().any(|x| SVector::from(turn.of(x)).norm() >= core::f64::consts::PI);
            if let Some(turn) = turns.iter().find(far) {
                let name = Name::new(system.layout().v.get(turn.at).copied().unwrap_or(""));
                let cause = Cause::HalfTurn { name };
                let (from, to) = (&self.motion.knots[k - 1].state, &self.motion.knots[k].state);
                return Err(StepError { time: from.t, step: to.t - from.t, cause }.into());
            }
        }
        Ok(())
    }

    /// The numbers of a node.
    fn numbers(&self, k: usize) -> [f64; N] {
        numbers(self.evaluation.system, (&self.motion.knots[k], &self.guess.0[k]))
    }

    /// The numbers of the end of an interval, as the next node has them.
    fn end(&self, k: usize) -> [f64; N] {
        let (Motion { knots, gaps, .. }, system) = (&self.motion, self.evaluation.system);
        let mut end = knots[k + 1].clone();
        knots[k + 1].plus(system, &gaps[k], &mut end);
        numbers(system, (&end, &self.guess.0[k + 1]))
    }

    /// The rotations of a node.
    fn chart(&self, k: usize) -> Chart {
        Chart::of(self.evaluation.system, &self.numbers(k))
    }

    /// What costs and weighed limits of a node vary by with its state.
    fn slopes(&self, k: usize, limits: &[f64]) -> SVector<f64, N> {
        let node = &self.motion.nodes[k];
        node.limit_x.iter().zip(limits).map(|(slope, y)| slope * *y).fold(node.x, |sum, slope| sum + slope)
    }

    /// Makes the stage that of the node `k`, by variables and with rows at its end, for a costate and weights of
    /// limits.
    fn linearize(&mut self, k: usize, (y, limits): (&SVector<f64, N>, &[f64])) -> Result<(), PlanError> {
        let (begin, mut slopes) = (self.chart(k), self.slopes(k, limits));
        let end = (k < self.structure.intervals()).then(|| Chart::of(self.evaluation.system, &self.end(k)));
        let costate = end.as_ref().map_or(SVector::zeros(), |end| end.to_state(*y));
        let Self { motion: Motion { knots, inputs, nodes, .. }, evaluation: on, transcription, stage, .. } = self;
        let wanted = Wanted { costate: &costate, limits, squares: &nodes[k].squares };
        match inputs.get(k) {
            Some(u) => transcription.linearize(on, (k, &knots[k], u), wanted, stage)?,
            None => transcription.curve(on, &knots[k], wanted, stage)?,
        }
        if let Some(end) = end {
            slopes += stage.a.tr_mul(&costate);
            end.end(y, stage);
        }
        begin.begin(&slopes, stage);
        Ok(())
    }

    /// Adds `share` of the second derivatives with these multipliers.
    fn add_hessian(
        &mut self,
        share: f64,
        (costates, limits): (&[SVector<f64, N>], &[Vec<f64>]),
    ) -> Result<(), PlanError> {
        let (none, mut place) = (SVector::zeros(), 0);
        for (k, limits) in limits.iter().enumerate() {
            self.linearize(k, (costates.get(k).unwrap_or(&none), limits))?;
            let Stage { xx, ux, uu, .. } = &self.stage;
            let values = self.hessian.data_mut();
            for (row, (_, r)) in self.structure.columns::<U>(k).enumerate() {
                for (_, c) in self.structure.columns::<U>(k).take(row + 1) {
                    values[place] += share
                        * match (r < N, c < N) {
                            (true, _) => xx[(r, c)],
                            (_, true) => ux[(r - N, c)],
                            _ => uu[(r - N, c - N)],
                        };
                    place += 1;
                }
            }
        }
        Ok(())
    }

    /// Multipliers of the rows as costates of the ends of intervals and weights of limits.
    fn split(&self, multipliers: &[f64]) -> (Vec<SVector<f64, N>>, Vec<Vec<f64>>) {
        let (own, intervals) = (|k| &multipliers[self.structure.node_rows(k)], self.structure.intervals());
        let costates = (0..intervals).map(|k| SVector::from_column_slice(&own(k)[..N])).collect();
        let limits = self.weights(|k, row| own(k)[row + if k < intervals { N } else { 0 }]);
        (costates, limits)
    }

    /// A weight of each limit at each node, by the number of the limit among those which are active there.
    fn weights(&self, of: impl Fn(usize, usize) -> f64) -> Vec<Vec<f64>> {
        let all = self.active.iter().enumerate().map(|(k, active)| {
            let mut rows = 0..;
            let weight = |active: &bool| if *active { rows.next().map_or(0.0, |row| of(k, row)) } else { 0.0 };
            active.iter().map(weight).collect()
        });
        all.collect()
    }
}

/// An entry of a function of (x, u).
fn entry<const N: usize, const U: usize>(x: &SVector<f64, N>, u: &SVector<f64, U>, place: usize) -> f64 {
    if place < N { x[place] } else { u[place - N] }
}

/// The numbers of a knot by its directions, and what it carries: of a rotation, its turn from that of another knot.
fn numbers<S: Optimizable<Real = f64>, const N: usize>(system: &S, (knot, from): (&Knot<S>, &Knot<S>)) -> [f64; N] {
    let directions = N - knot.carried.len().min(N);
    let mut turn = S::V::zeros(system.layout().v.len());
    system.local(&from.state.q, &knot.state.q, &mut turn);
    core::array::from_fn(|i| match i.checked_sub(directions) {
        Some(own) => knot.carried[own],
        None => value_of(system, &knot.state, i).or(turn.as_ref().get(i).copied()).unwrap_or(0.0),
    })
}
