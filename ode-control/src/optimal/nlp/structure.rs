//! Where the blocks of a programme are: u₀, x₁, u₁, …, xₙ among the variables; gaps and limits, node by node, among the
//! rows.

use core::ops::Range;

use ode_runtime::{Name, Optimizable};
use sprs::CsMat;

use crate::optimal::evaluation::{Evaluation, directions};
use crate::optimal::nlp::entry::NlpEntry;

/// Places and patterns. Each node has one block of variables, x with the inputs of the interval that it begins; the
/// first has no x, and the last no inputs.
#[derive(Clone, Debug)]
pub(super) struct Structure<const N: usize> {
    /// where the inputs of each node begin; at the last node, after the end
    inputs: Vec<usize>,
    /// where the rows of each node begin, and their end
    rows: Vec<usize>,
}

/// What is known of an interval: names and points of what it chooses, and the bounds of these.
pub(super) type Chosen = (Vec<(Name, usize)>, Vec<(f64, f64)>);

impl<const N: usize> Structure<N> {
    /// Of inputs in each interval and active limits at each node.
    pub(super) fn of(chosen: &[Chosen], active: &[Vec<bool>]) -> Self {
        let mut inputs = vec![0];
        for (names, _) in chosen {
            inputs.push(inputs[inputs.len() - 1] + names.len() + N);
        }
        let mut rows = vec![0];
        for (k, active) in active.iter().enumerate() {
            let gaps = if k < chosen.len() { N } else { 0 };
            rows.push(rows[k] + gaps + active.iter().filter(|active| **active).count());
        }
        Self { inputs, rows }
    }

    /// The number of intervals.
    pub(super) fn intervals(&self) -> usize {
        self.inputs.len() - 1
    }

    /// The number of variables.
    pub(super) fn variables(&self) -> usize {
        self.inputs[self.intervals()]
    }

    /// The number of rows.
    pub(super) fn rows(&self) -> usize {
        self.rows[self.intervals() + 1]
    }

    /// Where the variables of a node begin: at least N before its inputs, but for the first node.
    fn first(&self, k: usize) -> usize {
        if k == 0 { 0 } else { self.inputs[k] - N }
    }

    /// The variables of a node.
    pub(super) fn block(&self, k: usize) -> Range<usize> {
        self.first(k)..if k < self.intervals() { self.first(k + 1) } else { self.variables() }
    }

    /// The place of x of a node in its block; the first node has none.
    pub(super) fn state(&self, k: usize) -> Range<usize> {
        self.first(k)..self.inputs[k]
    }

    /// The inputs that begin at a node.
    pub(super) fn inputs(&self, k: usize) -> Range<usize> {
        self.inputs[k]..self.block(k).end
    }

    /// The rows of a node: N gaps, unless it is the last one, and the active limits.
    pub(super) fn node_rows(&self, k: usize) -> Range<usize> {
        self.rows[k]..self.rows[k + 1]
    }

    /// Visits the columns of a function of the node `k` by (x, u), of which the first state is given.
    pub(super) fn columns<const U: usize>(&self, k: usize) -> impl Iterator<Item = (usize, usize)> + use<N, U> {
        let given = N - self.state(k).len();
        let size = given + self.block(k).len();
        self.block(k).zip(given..size)
    }

    /// The Jacobian of the constraints with all values 0, by rows.
    pub(super) fn jacobian(&self) -> CsMat<f64> {
        let (mut starts, mut indices) = (vec![0], Vec::new());
        for k in 0..=self.intervals() {
            for row in 0..self.node_rows(k).len() {
                indices.extend(self.block(k));
                // a gap is the end of the interval without the next state
                if row < N && k < self.intervals() {
                    indices.push(self.first(k + 1) + row);
                }
                starts.push(indices.len());
            }
        }
        let values = vec![0.0; indices.len()];
        CsMat::new((self.rows(), self.variables()), starts, indices, values)
    }

    /// The lower triangle of the Hessian with all values 0, by rows.
    pub(super) fn hessian(&self) -> CsMat<f64> {
        let (mut starts, mut indices) = (vec![0], Vec::new());
        for k in 0..=self.intervals() {
            for row in self.block(k) {
                indices.extend(self.first(k)..=row);
                starts.push(indices.len());
            }
        }
        let (size, values) = (self.variables(), vec![0.0; indices.len()]);
        CsMat::new((size, size), starts, indices, values)
    }

    /// The variables: states are free but for the end, as far as that is prescribed.
    pub(super) fn variable_entries<S: Optimizable<Real = f64>>(
        &self,
        on: &Evaluation<'_, S>,
        chosen: &[Chosen],
        (end, instant): (&[f64; N], usize),
    ) -> Vec<NlpEntry> {
        let (names, fixed) = (directions::<S, N>(on), on.fixed::<N>());
        let mut out = Vec::with_capacity(self.variables());
        for (k, (inputs, bounds)) in chosen.iter().enumerate() {
            let node = k.saturating_sub(instant);
            let of = |(&(name, point), &(low, high)): (&(Name, usize), &(f64, f64))| NlpEntry {
                name,
                node,
                point,
                low,
                high,
            };
            out.extend(inputs.iter().zip(bounds).map(of));
            let last = k + 1 == chosen.len();
            out.extend((0..N).map(|i| {
                let given = last && fixed[i];
                let (low, high) = if given { (end[i], end[i]) } else { (f64::NEG_INFINITY, f64::INFINITY) };
                NlpEntry { name: Name::new(names[i]), node: k + 1 - instant, point: 0, low, high }
            }));
        }
        out
    }

    /// The rows, where limits are `collocated` at points or hold at nodes.
    pub(super) fn row_entries<S: Optimizable<Real = f64>>(
        &self,
        on: &Evaluation<'_, S>,
        active: &[Vec<bool>],
        (instant, collocated): (usize, bool),
    ) -> Vec<NlpEntry> {
        let (names, limits) = (directions::<S, N>(on), on.system.limit_bounds().names);
        let mut out = Vec::with_capacity(self.rows());
        for (k, active) in active.iter().enumerate() {
            if k < self.intervals() {
                let gap = |name: &&str| {
                    let (name, node) = (Name::new(name), k + 1 - instant);
                    NlpEntry { name, node, point: 0, low: 0.0, high: 0.0 }
                };
                out.extend(names.iter().map(gap));
            }
            for (i, _) in active.iter().enumerate().filter(|(_, active)| **active) {
                let (row, point) =
                    (i % limits.len(), if collocated && k >= instant { 1 + i / limits.len() } else { 0 });
                let (name, (low, high)) = (Name::new(limits[row]), on.posed.limit_bounds[row]);
                out.push(NlpEntry { name, node: k.saturating_sub(instant), point, low, high });
            }
        }
        out
    }
}
