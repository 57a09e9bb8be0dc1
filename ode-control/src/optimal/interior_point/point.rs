//! A point of the search: states, inputs and slacks with their multipliers, and what is evaluated there.

use ode_runtime::Optimizable;
use ode_runtime::linalg::SVector;

use crate::optimal::error::PlanError;
use crate::optimal::evaluation::{Evaluation, Worst};
use crate::optimal::interior_point::bounded::Bounded;
use crate::optimal::interior_point::filter::Merit;
use crate::optimal::motion::Motion;
use crate::optimal::transcription::{Begun, Transcribe};

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
    pub(super) motion: Motion<S, N, U>,
    /// bounds of the inputs of each interval, with their multipliers; values are those of `inputs`
    pub(super) boxes: Vec<[Bounded; U]>,
    /// limits at each node
    pub(super) rows: Vec<Vec<Row>>,
    /// the costate at each node
    pub(super) costates: Vec<SVector<f64, N>>,
}

impl<S: Optimizable<Real = f64>, const N: usize, const U: usize> Point<S, N, U> {
    /// The guess, inside the bounds of the inputs, without rows so far.
    pub(super) fn guess(Begun { knots, mut inputs, bounds }: Begun<S, U>) -> Self {
        let boxes = inputs.iter_mut().zip(&bounds).map(|(u, bounds)| {
            let all = core::array::from_fn(|i| Bounded::inside(u[i], bounds[i]));
            u.iter_mut().zip(&all).for_each(|(u, bounded): (_, &Bounded)| *u = bounded.value);
            all
        });
        let (boxes, nodes) = (boxes.collect(), knots.len());
        let motion = Motion::guess(knots, inputs);
        Self { boxes, rows: vec![Vec::new(); nodes], costates: vec![SVector::zeros(); nodes], motion }
    }

    /// Makes the rows of the limits, their slacks as near to the values as bounds allow.
    ///
    /// # Errors
    /// A limit that a prescribed state breaks.
    pub(super) fn begin_rows<T>(&mut self, on: &Evaluation<'_, S>, transcription: &T) -> Result<(), PlanError>
    where
        T: Transcribe<N, U, System = S>,
    {
        let Motion { knots, nodes, .. } = &self.motion;
        let active = transcription.restricted(on, (knots, nodes))?;
        for ((node, rows), active) in nodes.iter().zip(&mut self.rows).zip(active) {
            let bounds = on.posed.limit_bounds.iter().cycle();
            let all = node.limits.iter().zip(bounds).zip(active);
            rows.clear();
            rows.extend(all.map(|((&value, &bounds), active)| Row {
                slack: Bounded::inside(value, bounds),
                multiplier: 0.0,
                active,
            }));
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
        self.motion.nodes[node].limits[row] - self.rows[node][row].slack.value
    }

    /// The active rows: node, place and row.
    pub(super) fn active(&self) -> impl Iterator<Item = (usize, usize, &Row)> {
        let all =
            self.rows.iter().enumerate().flat_map(|(k, rows)| rows.iter().enumerate().map(move |(i, r)| (k, i, r)));
        all.filter(|(.., row)| row.active)
    }

    /// Violation and objective, with the barrier μ.
    pub(super) fn merit(&self, mu: f64) -> Merit {
        let gaps: f64 = self.motion.gaps.iter().map(|gap| gap.lp_norm(1)).sum();
        let rows: f64 = self.active().map(|(k, i, _)| self.row_gap(k, i).abs()).sum();
        let barrier: f64 = self.bounded().map(Bounded::barrier).sum();
        Merit { violation: gaps + rows + self.motion.miss.lp_norm(1), objective: self.motion.cost + mu * barrier }
    }

    /// The largest violation.
    pub(super) fn worst(&self, directions: &[&str; N], limits: &[&str]) -> Worst {
        let mut worst = Worst::of(&self.motion.gaps, &self.motion.miss, directions);
        for (k, i, _) in self.active() {
            worst.see(limits.get(i % limits.len()).copied().unwrap_or(""), k, self.row_gap(k, i));
        }
        worst
    }
}
