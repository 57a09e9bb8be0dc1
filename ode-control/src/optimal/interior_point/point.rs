//! A point of the search: states, inputs and slacks with their multipliers, and what is evaluated there.

use ode_runtime::integrators::Vary;
use ode_runtime::linalg::SVector;
use ode_runtime::variation::Fixed;
use ode_runtime::{Block, Name, Optimizable, Solvable, State, StepMap};

use crate::deviation::minus;
use crate::optimal::error::PlanError;
use crate::optimal::interior_point::bounded::Bounded;
use crate::optimal::interior_point::filter::Merit;
use crate::optimal::node::{Evaluator, Node};
use crate::optimal::problem::Posed;

/// A limit at a node: its slack s between the bounds, h − s = 0, and the multiplier of that equation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) slack: Bounded,
    pub(super) multiplier: f64,
    /// whether it restricts anything there
    pub(super) active: bool,
}

/// Variables and values of a point.
#[derive(Clone, Debug)]
pub(super) struct Point<S: Optimizable, const N: usize, const U: usize> {
    pub(super) states: Vec<State<S>>,
    pub(super) inputs: Vec<S::U>,
    /// bounds of the inputs of each interval, with their multipliers; values are those of `inputs`
    pub(super) boxes: Vec<[Bounded; U]>,
    /// limits at each node
    pub(super) rows: Vec<Vec<Row>>,
    /// the costate at each node
    pub(super) costates: Vec<SVector<f64, N>>,
    pub(super) nodes: Vec<Node<N, U>>,
    /// step(xₖ, uₖ) ⊖ xₖ₊₁
    pub(super) gaps: Vec<SVector<f64, N>>,
    /// x_n ⊖ end, where it is prescribed
    pub(super) miss: SVector<f64, N>,
    pub(super) cost: f64,
}

/// What evaluates points.
pub(super) struct Evaluation<'a, S: Optimizable + Solvable, M: Vary<S>> {
    pub(super) system: &'a S,
    pub(super) map: StepMap<'a, S, M, Fixed<0>>,
    pub(super) evaluator: Evaluator<S>,
    pub(super) nominal: S::U,
    pub(super) h: f64,
}

impl<'a, S: Optimizable<Real = f64> + Solvable, M: Vary<S> + Copy> Evaluation<'a, S, M> {
    pub(super) fn new(system: &'a S, method: M, h: f64) -> Result<Self, PlanError> {
        let mut nominal = S::U::zeros(system.layout().u.len());
        system.nominal(&mut nominal);
        let map = StepMap::sized(system, method, &[])?;
        Ok(Self { system, map, evaluator: Evaluator::new(system), nominal, h })
    }

    /// Evaluates a point whose states, inputs and slacks are known.
    ///
    /// # Errors
    /// A step that cannot be made; a cost or a limit that is not finite.
    pub(super) fn evaluate<const N: usize, const U: usize>(
        &mut self,
        posed: &Posed<S, N>,
        fixed: &[bool; N],
        point: &mut Point<S, N, U>,
    ) -> Result<(), PlanError> {
        let Self { system, map, evaluator, nominal, h } = self;
        point.cost = 0.0;
        for (k, node) in point.nodes.iter_mut().enumerate() {
            let (x, u) = (&point.states[k], point.inputs.get(k).unwrap_or(nominal));
            let weights = posed.terms.at(k);
            evaluator.evaluate(*system, (x, u), weights, node);
            if let Some(name) = evaluator.spoilt(*system, weights, node) {
                return Err(PlanError::NonFinite { node: k, name });
            }
            point.cost += node.cost;
            if let (Some(gap), Some(next)) = (point.gaps.get_mut(k), point.states.get(k + 1)) {
                let step = map.step(x, u.clone(), *h)?;
                *gap = minus(*system, step.end, next);
            }
        }
        if let Some((end, last)) = posed.end.as_ref().zip(point.states.last()) {
            point.miss = minus(*system, last, end);
            (0..N).filter(|&i| !fixed[i]).for_each(|i| point.miss[i] = 0.0);
        }
        Ok(())
    }
}

impl<S: Optimizable<Real = f64> + Solvable, const N: usize, const U: usize> Point<S, N, U> {
    /// The guess, inside the bounds of the inputs, without rows so far.
    pub(super) fn guess(posed: &Posed<S, N>) -> Self {
        let (states, mut inputs) = (posed.states.clone(), posed.inputs.clone());
        let limits = posed.limit_bounds.len();
        let boxes = inputs.iter_mut().map(|u| {
            let all = core::array::from_fn(|i| Bounded::inside(u.as_ref()[i], posed.input_bounds[i]));
            u.as_mut().iter_mut().zip(&all).for_each(|(u, bounded): (_, &Bounded)| *u = bounded.value);
            all
        });
        Self {
            boxes: boxes.collect(),
            rows: vec![Vec::new(); states.len()],
            costates: vec![SVector::zeros(); states.len()],
            nodes: vec![Node::new(limits); states.len()],
            gaps: vec![SVector::zeros(); inputs.len()],
            miss: SVector::zeros(),
            cost: 0.0,
            states,
            inputs,
        }
    }

    /// Makes the rows of the limits, their slacks as near to the values as bounds allow.
    ///
    /// # Errors
    /// A limit that a prescribed state breaks.
    pub(super) fn begin_rows(&mut self, system: &S, posed: &Posed<S, N>, fixed: &[bool; N]) -> Result<(), PlanError> {
        let (names, choices) = (system.limit_bounds().names, choices::<S, N>(system, fixed));
        let last = self.nodes.len() - 1;
        for (k, (node, rows)) in self.nodes.iter().zip(&mut self.rows).enumerate() {
            rows.clear();
            for (i, (&value, &(low, high))) in node.limits.iter().zip(&posed.limit_bounds).enumerate() {
                let Choice { by_input, by_free } = choices[i];
                let given = !by_input && (k == 0 || k == last && !by_free && fixed.contains(&true));
                let slack = Bounded::inside(value, (low, high));
                let tolerance = 1e-9 * value.abs().max(1.0);
                if slack.is_bounded() && given && !(low - tolerance <= value && value <= high + tolerance) {
                    let (limit, time) = (Name::new(names.get(i).copied().unwrap_or("")), self.states[k].t);
                    return Err(PlanError::Contradiction { limit, time, value, low, high });
                }
                let active = slack.is_bounded() && if k == last { !by_input && by_free } else { by_input || k > 0 };
                rows.push(Row { slack, multiplier: 0.0, active });
            }
        }
        Ok(())
    }

    /// Every bounded number.
    pub(super) fn bounded(&self) -> impl Iterator<Item = &Bounded> {
        let slacks = self.rows.iter().flatten().filter(|row| row.active).map(|row| &row.slack);
        self.boxes.iter().flatten().chain(slacks)
    }

    /// h − s of an active row.
    pub(super) fn row_gap(&self, node: usize, row: usize) -> f64 {
        self.nodes[node].limits[row] - self.rows[node][row].slack.value
    }

    /// The active rows: node, place and row.
    pub(super) fn active(&self) -> impl Iterator<Item = (usize, usize, &Row)> {
        let all =
            self.rows.iter().enumerate().flat_map(|(k, rows)| rows.iter().enumerate().map(move |(i, r)| (k, i, r)));
        all.filter(|(.., row)| row.active)
    }

    /// Violation and objective, with the barrier μ.
    pub(super) fn merit(&self, mu: f64) -> Merit {
        let gaps: f64 = self.gaps.iter().map(|gap| gap.lp_norm(1)).sum();
        let rows: f64 = self.active().map(|(k, i, _)| self.row_gap(k, i).abs()).sum();
        let barrier: f64 = self.bounded().map(Bounded::barrier).sum();
        Merit { violation: gaps + rows + self.miss.lp_norm(1), objective: self.cost + mu * barrier }
    }

    /// The largest violation, with its condition and its node.
    pub(super) fn worst(&self, directions: &[&str], limits: &[&str]) -> (Name, usize, f64) {
        let mut worst = (Name::new(""), 0, 0.0);
        let mut see = |name: &str, k: usize, value: f64| {
            // NaN is the worst
            if value.is_nan() || value.abs() > worst.2 {
                worst = (Name::new(name), k, value.abs());
            }
        };
        let name = |i: usize| directions.get(i).copied().unwrap_or("");
        let last = self.states.len() - 1;
        for (k, gap) in self.gaps.iter().enumerate().map(|(k, gap)| (k + 1, gap)).chain([(last, &self.miss)]) {
            gap.iter().enumerate().for_each(|(i, &value)| see(name(i), k, value));
        }
        for (k, i, _) in self.active() {
            see(limits.get(i).copied().unwrap_or(""), k, self.row_gap(k, i));
        }
        worst
    }
}

impl<S: Optimizable<Real = f64> + Solvable, M: Vary<S>> core::fmt::Debug for Evaluation<'_, S, M> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Evaluation").field("h", &self.h).finish_non_exhaustive()
    }
}

/// What a limit leaves to choose.
#[derive(Clone, Copy, Debug, Default)]
struct Choice {
    /// whether it depends on inputs
    by_input: bool,
    /// whether it depends on directions of the state that are not prescribed at the end
    by_free: bool,
}

/// What each limit leaves to choose.
fn choices<S: Optimizable<Real = f64>, const N: usize>(system: &S, fixed: &[bool; N]) -> Vec<Choice> {
    let (layout, pattern) = (system.layout(), system.limit_pattern());
    let mut found = vec![Choice::default(); pattern.rows];
    for (row, column) in pattern.entries() {
        match layout.direction(column) {
            Some(place) if place >= N => found[row].by_input = true,
            Some(place) => found[row].by_free |= !fixed[place],
            None => {}
        }
    }
    found
}
