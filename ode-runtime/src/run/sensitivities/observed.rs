//! Outputs and costs along a run, and what they vary by.

use std::vec::Vec;

use crate::linalg::DMatrix;
use crate::model::layout::{Block, Pattern};
use crate::model::sensitive::Sensitive;
use crate::model::state::State;
use crate::numbers::scalar::Scalar;
use crate::run::sensitivities::inputs::Columned;
use crate::solve::solvable::Solvable;
use crate::variation::{Controls, Direction, RateVariation, StateVariation, add_product, vary_inputs};

/// Numbers of a state, and what each varies by: a row each, a column for each direction.
#[derive(Clone, Debug)]
pub(super) struct Observed<T> {
    pub(super) values: Vec<T>,
    pub(super) jacobian: DMatrix<T>,
}

impl<T: Scalar> Observed<T> {
    /// Numbers that are zero.
    pub(super) fn zeros(rows: usize, columns: usize) -> Self {
        Self { values: std::vec![T::ZERO; rows], jacobian: DMatrix::from_element(rows, columns, T::ZERO) }
    }

    /// += s x
    pub(super) fn add(&mut self, s: T, x: &Self) {
        self.values.iter_mut().zip(&x.values).for_each(|(y, &x)| *y += s * x);
        self.jacobian.iter_mut().zip(x.jacobian.iter()).for_each(|(y, &x)| *y += s * x);
    }

    /// Adds the product of a matrix and a direction to column k. The direction is given in groups of columns; those of
    /// parameters follow, of which one may change.
    fn add_product(
        &mut self,
        k: usize,
        (pattern, values): (Pattern<'_>, &[T]),
        (groups, parameter): (&[&[T]], Option<usize>),
    ) {
        let rows = self.jacobian.nrows();
        let column = self.jacobian.as_mut_slice().get_mut(k * rows..(k + 1) * rows).unwrap_or_default();
        let mut first = 0;
        for group in groups {
            add_product(pattern, values, first, group, column);
            first += group.len();
        }
        if let Some(parameter) = parameter {
            add_product(pattern, values, first + parameter, &[T::ONE], column);
        }
    }
}

/// The variations of a state and of what holds there.
pub(super) struct VariedPoint<'a, S: Solvable + Sensitive, U> {
    pub(super) system: &'a S,
    pub(super) inputs: &'a U,
    pub(super) x: &'a State<S>,
    pub(super) chain: &'a Columned<S>,
    pub(super) at: &'a StateVariation<S, Columned<S>>,
}

impl<S: Solvable + Sensitive, U: Controls<S>> VariedPoint<'_, S, U> {
    /// Each column as a direction, with the inputs' variations.
    fn directions(&self, mut see: impl FnMut(usize, &Direction<S>)) {
        let mut d = Direction::zeros(self.system);
        let columns = self.at.q.iter().zip(&self.at.v).zip(&self.at.z).zip(self.chain.seeds());
        for (k, (((q, v), z), seed)) in columns.enumerate() {
            d.aim(seed, (q, v, z));
            vary_inputs(self.inputs, (self.system, self.x.moment()), seed.input, &mut d);
            see(k, &d);
        }
    }

    fn u(&self) -> S::U {
        let mut u = Block::zeros(self.system.layout().u.len());
        self.inputs.evaluate(self.system, self.x.moment(), &mut u);
        u
    }

    /// The model's costs.
    pub(super) fn costs(&self) -> Observed<S::Real> {
        let (patterns, u) = (self.system.partial_patterns(), self.u());
        let mut out = Observed::zeros(patterns.costs.rows, self.chain.seeds().len());
        if out.values.is_empty() {
            return out;
        }
        let mut costs: S::Costs = Block::zeros(patterns.costs.rows);
        let mut states: S::CostByState = Block::zeros(patterns.costs.nnz());
        let mut parameters: S::CostByParameter = Block::zeros(patterns.costs_by_parameter.nnz());
        self.system.cost_partials(self.x.at(&u), &mut costs, &mut states, &mut parameters);
        out.values.copy_from_slice(costs.as_ref());
        self.directions(|k, d| {
            let groups = [d.q.as_ref(), d.v.as_ref(), d.z.as_ref(), d.u.as_ref()];
            out.add_product(k, (patterns.costs, states.as_ref()), (&groups, None));
            out.add_product(k, (patterns.costs_by_parameter, parameters.as_ref()), (&[], d.parameter));
        });
        out
    }

    /// The model's outputs.
    pub(super) fn outputs(&self, rates: &RateVariation<S, Columned<S>>) -> DMatrix<S::Real> {
        let (derivatives, u) = (self.system.derivatives(), self.u());
        let pattern = derivatives.output_jacobian;
        let mut values: S::OutputJacobian = Block::zeros(pattern.nnz());
        self.system.output_jacobian(self.x.at(&u), self.x.rates(), &mut values);
        let mut out = Observed::zeros(pattern.rows, self.chain.seeds().len());
        self.directions(|k, d| {
            let solved = (rates.a.get(k), rates.zdot.get(k), rates.lambda.get(k));
            let (Some(a), Some(zdot), Some(lambda)) = solved else { return };
            let (q, v, z, u) = (d.q.as_ref(), d.v.as_ref(), d.z.as_ref(), d.u.as_ref());
            let groups = [q, v, z, a.as_ref(), zdot.as_ref(), lambda.as_ref(), u];
            out.add_product(k, (pattern, values.as_ref()), (&groups, d.parameter));
        });
        out.jacobian
    }
}

/// Integrals of the model's costs by the trapezoidal rule over the steps of a run.
#[derive(Clone, Debug)]
pub(super) struct Integrals<T> {
    pub(super) sums: Observed<T>,
    /// costs at the state reached, of the motion that follows
    pub(super) now: Observed<T>,
}

impl<T: Scalar> Integrals<T> {
    pub(super) fn new(now: Observed<T>) -> Self {
        Self { sums: Observed::zeros(now.jacobian.nrows(), now.jacobian.ncols()), now }
    }

    /// A step `h` to costs `end`.
    pub(super) fn step(&mut self, h: T, end: Observed<T>) {
        let half = T::from_f64(0.5) * h;
        self.sums.add(half, &self.now);
        self.sums.add(half, &end);
        self.now = end;
    }

    /// Other costs from here on; the time of the change varies by `delays`.
    pub(super) fn jump(&mut self, delays: &[T], after: Observed<T>) {
        for (k, &delay) in delays.iter().enumerate() {
            for row in 0..after.values.len() {
                let (Some(&before), Some(&after)) = (self.now.values.get(row), after.values.get(row)) else { continue };
                if let Some(entry) = self.sums.jacobian.get_mut((row, k)) {
                    *entry += (before - after) * delay;
                }
            }
        }
        self.now = after;
    }
}
