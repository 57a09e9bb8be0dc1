//! What is evaluated at a node: costs, rows of squares and limits, with first derivatives.

use ode_runtime::linalg::SVector;
use ode_runtime::{Block, Name, Optimizable, Pattern, State};

use crate::stages::Stage;

/// Values at a node and what they vary by.
#[derive(Clone, Debug)]
pub struct Node<const N: usize, const U: usize> {
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
    /// nonzeros of the derivatives of rows of squares, where some count
    pub(super) squares: Vec<f64>,
}

/// Room for the evaluation of a node.
#[derive(Debug)]
pub(super) struct Evaluator<S: Optimizable> {
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
    #[cfg(feature = "second-order")]
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
        #[cfg(feature = "second-order")]
        let size = layout.state_directions() + layout.u.len();
        Self {
            rows,
            #[cfg(feature = "second-order")]
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

    /// Costs and rows of squares with these weights. `slope` is told what they vary by, direction by direction.
    pub(super) fn costs(
        &mut self,
        system: &S,
        (x, u): (&State<S>, &S::U),
        (costs, squares): (&[f64], &[f64]),
        mut slope: impl FnMut(usize, f64),
    ) -> f64 {
        let (layout, at) = (system.layout(), x.at(u));
        let mut sum = 0.0;
        if costs.iter().any(|w| *w != 0.0) {
            system.cost_partials(at, &mut self.costs, &mut self.cost_by_state, &mut self.cost_by_parameter);
            sum += counted(self.costs.as_ref(), costs).map(|(_, c, w)| c * w).sum::<f64>();
            system.partial_patterns().costs.visit(self.cost_by_state.as_ref(), |row, column, by| {
                if let Some(direction) = layout.direction(column).filter(|_| costs[row] != 0.0) {
                    slope(direction, costs[row] * by);
                }
            });
        }
        if squares.iter().any(|w| *w != 0.0) {
            system.square_partials(at, &mut self.squares, &mut self.square_partials);
            let slopes = self.square_partials.as_ref();
            for (row, e, w) in counted(self.squares.as_ref(), squares) {
                sum += 0.5 * w * e * e;
                self.rows[row].iter().for_each(|&(place, direction)| slope(direction, w * e * slopes[place]));
            }
        }
        sum
    }

    /// The limits. `slope` is told what each varies by, direction by direction.
    pub(super) fn limits(
        &mut self,
        system: &S,
        (x, u): (&State<S>, &S::U),
        mut slope: impl FnMut(usize, usize, f64),
    ) -> &[f64] {
        let (layout, pattern) = (system.layout(), system.limit_pattern());
        if pattern.rows > 0 {
            system.limit_partials(x.at(u), &mut self.limits, &mut self.limit_partials);
            pattern.visit(self.limit_partials.as_ref(), |row, column, by| {
                if let Some(direction) = layout.direction(column) {
                    slope(row, direction, by);
                }
            });
        }
        self.limits.as_ref()
    }

    /// The name of a cost, `residual` item or limit of the last evaluation, with these weights, whose value or
    /// derivative is not finite: what spoils a node.
    pub(super) fn spoilt(&self, system: &S, (costs, squares): (&[f64], &[f64])) -> Name {
        let bad = |weights: &[f64], values: &[f64], pattern: Pattern<'_>, slopes: &[f64]| {
            let mut finite = vec![true; pattern.rows];
            pattern.visit(slopes, |row, _, slope| finite[row] &= slope.is_finite());
            let mut counted = counted(values, weights);
            counted.find(|&(row, value, _)| !(value.is_finite() && finite[row])).map(|(row, ..)| row)
        };
        let patterns = system.partial_patterns();
        let named = |names: &'static [&'static str], row: Option<usize>| names.get(row?).copied();
        let cost = bad(costs, self.costs.as_ref(), patterns.costs, self.cost_by_state.as_ref());
        let cost = cost.and_then(|row| system.cost_names().get(row)).copied();
        let square = || bad(squares, self.squares.as_ref(), system.square_pattern(), self.square_partials.as_ref());
        let square = || system.square_names().get(square()?).copied();
        let every = vec![1.0; self.limits.as_ref().len()];
        let limit = || bad(&every, self.limits.as_ref(), system.limit_pattern(), self.limit_partials.as_ref());
        let limit = || named(system.limit_bounds().names, limit());
        // finite numbers may have a sum that is not
        Name::new(cost.or_else(square).or_else(limit).unwrap_or("cost"))
    }

    /// Visits the rows of squares that count: the weight of each, and its nonzeros by direction.
    pub(super) fn squares(
        &mut self,
        system: &S,
        (x, u): (&State<S>, &S::U),
        squares: &[f64],
        visit: impl FnMut(f64, Nonzeros<'_>),
    ) {
        if squares.iter().all(|w| *w == 0.0) {
            return;
        }
        system.square_partials(x.at(u), &mut self.squares, &mut self.square_partials);
        self.known_squares(self.square_partials.as_ref(), squares, visit);
    }

    /// The same at a node where they were evaluated.
    pub(super) fn known_squares(&self, slopes: &[f64], squares: &[f64], mut visit: impl FnMut(f64, Nonzeros<'_>)) {
        for (places, &weight) in self.rows.iter().zip(squares).filter(|(_, w)| **w != 0.0) {
            visit(weight, Nonzeros { places, slopes });
        }
    }

    /// The derivatives of rows of squares as [`Evaluator::costs`] has found them with these weights.
    pub(super) fn square_slopes(&self, squares: &[f64]) -> &[f64] {
        if squares.iter().all(|w| *w == 0.0) { &[] } else { self.square_partials.as_ref() }
    }
}

/// The nonzeros of the derivatives of a row of squares.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nonzeros<'r> {
    /// places among those of all rows, and directions
    places: &'r [(usize, usize)],
    slopes: &'r [f64],
}

impl<'r> Nonzeros<'r> {
    /// Each with its direction.
    pub(super) fn iter(self) -> impl Iterator<Item = (usize, f64)> + 'r {
        self.places.iter().map(move |&(place, direction)| (direction, self.slopes[place]))
    }
}

/// The rows that count, with value and weight: what has the weight 0 may be infinite.
fn counted<'v>(values: &'v [f64], weights: &'v [f64]) -> impl Iterator<Item = (usize, f64, f64)> + 'v {
    let all = values.iter().zip(weights).enumerate().map(|(row, (&value, &weight))| (row, value, weight));
    all.filter(|(.., weight)| *weight != 0.0)
}

impl<const N: usize, const U: usize> Node<N, U> {
    pub(super) fn new() -> Self {
        let (limits, limit_x, limit_u, squares) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { cost: 0.0, x: SVector::zeros(), u: SVector::zeros(), limits, limit_x, limit_u, squares }
    }

    /// Zeros, with room for so many limits.
    pub(super) fn clear(&mut self, limits: usize) {
        (self.cost, self.x, self.u) = (0.0, SVector::zeros(), SVector::zeros());
        self.limits.clear();
        self.limits.resize(limits, 0.0);
        self.limit_x.clear();
        self.limit_x.resize(limits, SVector::zeros());
        self.limit_u.clear();
        self.limit_u.resize(limits, SVector::zeros());
        self.squares.clear();
    }

    /// Adds the second derivatives of ½ `stiffness` h² of a limit, without the curvature of h.
    pub(super) fn stiffen(&self, limit: usize, stiffness: f64, stage: &mut Stage<f64, N, U>) {
        let (x, u) = (self.limit_x[limit], self.limit_u[limit]);
        stage.xx += x * x.transpose() * stiffness;
        stage.ux += u * x.transpose() * stiffness;
        stage.uu += u * u.transpose() * stiffness;
    }

    /// Whether all of it is finite.
    pub(super) fn is_finite(&self) -> bool {
        // without an early end, so that several are looked at together
        let finite = |numbers: &[f64]| numbers.iter().fold(true, |all, x| all & x.is_finite());
        let limits =
            self.limit_x.iter().all(|x| finite(x.as_slice())) && self.limit_u.iter().all(|u| finite(u.as_slice()));
        let own = [&[self.cost], self.x.as_slice(), self.u.as_slice(), &self.limits].into_iter().all(finite);
        own && limits
    }
}
