//! What is evaluated at a node: costs, rows of squares and limits, with first derivatives.

use ode_runtime::linalg::{SMatrix, SVector};
use ode_runtime::{Block, Layout, Name, Optimizable, Pattern, State};

use crate::stages::Stage;

/// Values at a node and what they vary by.
#[derive(Clone, Debug)]
pub(super) struct Node<const N: usize, const U: usize> {
    /// the share of the objective
    pub(super) cost: f64,
    /// ∂cost/∂x
    pub(super) x: SVector<f64, N>,
    /// ∂cost/∂u
    pub(super) u: SVector<f64, U>,
    /// h of every limit
    pub(super) limits: Vec<f64>,
    /// ∂h/∂x of every limit
    pub(super) limit_x: Vec<SVector<f64, N>>,
    /// ∂h/∂u of every limit
    pub(super) limit_u: Vec<SVector<f64, U>>,
}

/// The second derivatives that are known without those of the motion: Jᵀ W J of the rows of squares.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gram<const N: usize, const U: usize> {
    pub(super) xx: SMatrix<f64, N, N>,
    pub(super) ux: SMatrix<f64, U, N>,
    pub(super) uu: SMatrix<f64, U, U>,
}

/// Room for the evaluation of a node.
#[derive(Debug)]
pub struct Evaluator<S: Optimizable> {
    costs: S::Costs,
    cost_by_state: S::CostByState,
    cost_by_parameter: S::CostByParameter,
    limits: S::H,
    limit_partials: S::LimitPartials,
    squares: S::Squares,
    square_partials: S::SquarePartials,
    /// of each row of squares its nonzeros: their places among all, and their directions
    rows: Vec<Vec<(usize, usize)>>,
    /// second derivatives by (x, u), in rows
    pub(super) second: Vec<f64>,
}

impl<S: Optimizable<Real = f64>> Evaluator<S> {
    pub(super) fn new(system: &S) -> Self {
        let (patterns, layout) = (system.partial_patterns(), system.layout());
        let squares = system.square_pattern();
        let mut rows = vec![Vec::new(); squares.rows];
        for (place, (row, column)) in squares.entries().enumerate() {
            rows[row].extend(layout.direction(column).map(|direction| (place, direction)));
        }
        let size = layout.state_directions() + layout.u.len();
        Self {
            rows,
            second: vec![0.0; size * size],
            costs: Block::zeros(system.cost_names().len()),
            cost_by_state: Block::zeros(patterns.costs.nnz()),
            cost_by_parameter: Block::zeros(patterns.costs_by_parameter.nnz()),
            limits: Block::zeros(system.limit_pattern().rows),
            limit_partials: Block::zeros(system.limit_pattern().nnz()),
            squares: Block::zeros(system.square_pattern().rows),
            square_partials: Block::zeros(system.square_pattern().nnz()),
        }
    }

    /// Evaluates costs and rows with these weights, and the limits if they are wanted.
    pub(super) fn evaluate<const N: usize, const U: usize>(
        &mut self,
        system: &S,
        (x, u): (&State<S>, &S::U),
        (costs, squares): (&[f64], &[f64]),
        node: &mut Node<N, U>,
    ) {
        let (layout, at) = (system.layout(), x.at(u));
        (node.cost, node.x, node.u) = (0.0, SVector::zeros(), SVector::zeros());
        if costs.iter().any(|w| *w != 0.0) {
            system.cost_partials(at, &mut self.costs, &mut self.cost_by_state, &mut self.cost_by_parameter);
            node.cost = counted(self.costs.as_ref(), costs).map(|(_, c, w)| c * w).sum();
            system.partial_patterns().costs.visit(self.cost_by_state.as_ref(), |row, column, slope| {
                if costs[row] != 0.0 {
                    node.add(&layout, column, costs[row] * slope);
                }
            });
        }
        if squares.iter().any(|w| *w != 0.0) {
            system.square_partials(at, &mut self.squares, &mut self.square_partials);
            let rows = self.squares.as_ref();
            node.cost += counted(rows, squares).map(|(_, e, w)| 0.5 * w * e * e).sum::<f64>();
            system.square_pattern().visit(self.square_partials.as_ref(), |row, column, slope| {
                if squares[row] != 0.0 {
                    node.add(&layout, column, squares[row] * rows[row] * slope);
                }
            });
        }
        if !node.limits.is_empty() {
            system.limit_partials(at, &mut self.limits, &mut self.limit_partials);
            node.limits.copy_from_slice(self.limits.as_ref());
            node.limit_x.fill(SVector::zeros());
            node.limit_u.fill(SVector::zeros());
            let values = self.limit_partials.as_ref();
            system.limit_pattern().visit(values, |row, column, slope| match layout.direction(column) {
                Some(i) if i < N => node.limit_x[row][i] = slope,
                Some(i) => node.limit_u[row][i - N] = slope,
                None => {}
            });
        }
    }

    /// The name of a cost, `residual` item or limit of the last evaluation, with these weights, that spoils it: by a
    /// value or a derivative that is not finite.
    pub(super) fn spoilt<const N: usize, const U: usize>(
        &self,
        system: &S,
        (costs, squares): (&[f64], &[f64]),
        node: &Node<N, U>,
    ) -> Option<Name> {
        let slopes = node.x.iter().chain(node.u.iter()).chain([&node.cost]);
        if !slopes.copied().all(f64::is_finite) {
            let bad = |weights, values, pattern: Pattern<'_>, slopes: &[f64]| {
                let mut finite = vec![true; pattern.rows];
                pattern.visit(slopes, |row, _, slope| finite[row] &= slope.is_finite());
                counted(values, weights)
                    .find(|&(row, value, _)| !(value.is_finite() && finite[row]))
                    .map(|(row, ..)| row)
            };
            let patterns = system.partial_patterns();
            let cost = bad(costs, self.costs.as_ref(), patterns.costs, self.cost_by_state.as_ref());
            let cost = cost.and_then(|row| system.cost_names().get(row));
            let square = || bad(squares, self.squares.as_ref(), system.square_pattern(), self.square_partials.as_ref());
            let name = cost.or_else(|| system.square_names().get(square()?)).copied();
            // finite numbers may have a sum that is not
            return Some(Name::new(name.unwrap_or("cost")));
        }
        let finite = |row: &usize| {
            let slopes = node.limit_x[*row].iter().chain(node.limit_u[*row].iter());
            slopes.chain([&node.limits[*row]]).copied().all(f64::is_finite)
        };
        let bad = (0..node.limits.len()).find(|row| !finite(row))?;
        Some(Name::new(system.limit_bounds().names.get(bad).copied().unwrap_or("")))
    }

    /// Jᵀ W J of the rows of squares, with these weights.
    pub(super) fn gram<const N: usize, const U: usize>(
        &mut self,
        system: &S,
        (x, u): (&State<S>, &S::U),
        squares: &[f64],
    ) -> Gram<N, U> {
        let mut gram = Gram { xx: SMatrix::zeros(), ux: SMatrix::zeros(), uu: SMatrix::zeros() };
        if squares.iter().all(|w| *w == 0.0) {
            return gram;
        }
        system.square_partials(x.at(u), &mut self.squares, &mut self.square_partials);
        let slopes = self.square_partials.as_ref();
        for (row, &weight) in self.rows.iter().zip(squares).filter(|(_, w)| **w != 0.0) {
            // rows have few nonzeros
            for (&(place, r), &(other, c)) in row.iter().flat_map(|r| row.iter().map(move |c| (r, c))) {
                let product = weight * slopes[place] * slopes[other];
                match (r < N, c < N) {
                    (true, true) => gram.xx[(r, c)] += product,
                    (false, true) => gram.ux[(r - N, c)] += product,
                    (false, false) => gram.uu[(r - N, c - N)] += product,
                    (true, false) => {}
                }
            }
        }
        gram
    }
}

/// The rows that count, with value and weight: what has the weight 0 may be infinite.
fn counted<'v>(values: &'v [f64], weights: &'v [f64]) -> impl Iterator<Item = (usize, f64, f64)> + 'v {
    let all = values.iter().zip(weights).enumerate().map(|(row, (&value, &weight))| (row, value, weight));
    all.filter(|(.., weight)| *weight != 0.0)
}

impl<const N: usize, const U: usize> Node<N, U> {
    pub(super) fn new(limits: usize) -> Self {
        Self {
            cost: 0.0,
            x: SVector::zeros(),
            u: SVector::zeros(),
            limits: vec![0.0; limits],
            limit_x: vec![SVector::zeros(); limits],
            limit_u: vec![SVector::zeros(); limits],
        }
    }

    /// Adds the second derivatives of ½ `stiffness` h² of a limit, without the curvature of h.
    pub(super) fn stiffen(&self, limit: usize, stiffness: f64, stage: &mut Stage<f64, N, U>) {
        let (x, u) = (self.limit_x[limit], self.limit_u[limit]);
        stage.xx += x * x.transpose() * stiffness;
        stage.ux += u * x.transpose() * stiffness;
        stage.uu += u * u.transpose() * stiffness;
    }

    fn add(&mut self, layout: &Layout<'_>, column: usize, slope: f64) {
        match layout.direction(column) {
            Some(i) if i < N => self.x[i] += slope,
            Some(i) => self.u[i - N] += slope,
            None => {}
        }
    }
}
