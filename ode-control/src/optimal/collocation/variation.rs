//! What the unknowns of a solved interval vary by, and what follows from them.

use ode_runtime::linalg::nalgebra::{Dyn, LU};
use ode_runtime::linalg::{DMatrix, DVector};

use crate::optimal::collocation::sizes::Sizes;
use crate::optimal::collocation::turned::Turned;

/// What the unknowns of an interval vary by.
#[derive(Clone, Debug)]
pub(super) struct Variation {
    /// unknowns, beginning and inputs
    numbers: Vec<f64>,
    /// of the equations by the unknowns
    factors: LU<f64, Dyn, Dyn>,
    /// of (unknowns, beginning, inputs) by (beginning, inputs)
    by: DMatrix<f64>,
    /// the rotations at each point
    turned: Vec<Vec<Turned>>,
}

impl Variation {
    /// At a solution, with the derivatives of the unknowns by (beginning, inputs).
    pub(super) fn new(
        numbers: Vec<f64>,
        (factors, by): (LU<f64, Dyn, Dyn>, DMatrix<f64>),
        turned: Vec<Vec<Turned>>,
    ) -> Self {
        let (m, n) = by.shape();
        let mut by = by.resize_vertically(m + n, 0.0);
        (0..n).for_each(|i| by[(m + i, i)] = 1.0);
        Self { numbers, factors, by, turned }
    }

    /// What a number varies by, of which the derivatives by (unknowns, beginning, inputs) are known.
    pub(super) fn of(&self, slopes: &DVector<f64>) -> DVector<f64> {
        self.by.tr_mul(slopes)
    }

    /// The number of (unknowns, beginning, inputs).
    pub(super) fn places(&self) -> usize {
        self.by.nrows()
    }

    /// What some unknowns of a point vary by.
    pub(super) fn of_block(&self, sizes: &Sizes, point: usize, offset: usize, count: usize) -> DMatrix<f64> {
        self.by.rows(point * sizes.block() + offset, count).into_owned()
    }

    /// What each column of a point varies by.
    pub(super) fn of_point(&self, sizes: &Sizes, point: usize) -> DMatrix<f64> {
        let mut out = DMatrix::zeros(sizes.columns(), self.by.ncols());
        for column in 0..sizes.columns() {
            Turned::visit((&self.turned[point], sizes), (point, column), &self.numbers, |place, slope| {
                for c in 0..self.by.ncols() {
                    out[(column, c)] += slope * self.by[(place, c)];
                }
            });
        }
        out
    }

    /// Adds to `slopes`, by (unknowns, beginning, inputs), a slope by a column of a point.
    pub(super) fn see(&self, sizes: &Sizes, (point, column): (usize, usize), slope: f64, slopes: &mut DVector<f64>) {
        Turned::visit((&self.turned[point], sizes), (point, column), &self.numbers, |place, weight| {
            slopes[place] += weight * slope
        });
    }

    /// What a free horizon bends by: the derivative by it of the slopes of a function of the flat columns of a point,
    /// whose slopes by these are known, and its own second derivative.
    pub(super) fn bend(&self, sizes: &Sizes, point: usize, by: &DVector<f64>, slopes: &mut DVector<f64>) -> f64 {
        let Some(share) = sizes.share else { return 0.0 };
        let mut own = 0.0;
        for (column, &slope) in by.iter().enumerate().filter(|(_, slope)| **slope != 0.0) {
            sizes.weights(point, column, 1, &mut |place, weight| slopes[place] += share * weight * slope);
            own += share * share * sizes.by_length(point, column, &self.numbers, 2) * slope;
        }
        own
    }

    /// Makes slopes by the columns of a point, in a row, those by flat ones.
    pub(super) fn flattened(&self, sizes: &Sizes, point: usize, by: &DVector<f64>) -> DVector<f64> {
        let mut row = DMatrix::zeros(1, sizes.flat());
        row.columns_mut(0, sizes.columns()).copy_from(&by.transpose());
        Turned::flatten(&self.turned[point], &mut row);
        row.transpose().column(0).into_owned()
    }

    /// Adds the second derivatives that the rotations of a point have beside those of functions there: of the
    /// Lagrangian with these flat slopes, and these multipliers of the equations of the point.
    pub(super) fn turn(
        &self,
        sizes: &Sizes,
        point: usize,
        (by, multipliers): (&DVector<f64>, &[f64]),
        mut add: impl FnMut(usize, usize, f64),
    ) {
        let n = self.by.ncols();
        for turned in &self.turned[point] {
            let Some(bend) = turned.bend(sizes, by, multipliers) else { continue };
            let (columns, drift) = turned.places(sizes);
            let mut rates = DMatrix::<f64>::zeros(9, n);
            let mut vary = |row: usize, place: usize, slope: f64| {
                (0..n).for_each(|c| rates[(row, c)] += slope * self.by[(place, c)]);
            };
            for (row, column) in columns.into_iter().enumerate() {
                sizes.visit(point, column, &self.numbers, |place, slope| vary(row, place, slope));
            }
            for (i, place) in drift.into_iter().enumerate().filter(|_| sizes.stabilised()) {
                vary(6 + i, point * sizes.block() + place, 1.0);
            }
            let bent: DMatrix<f64> = rates.transpose() * bend * rates;
            (0..n).for_each(|c| (0..n).for_each(|r| add(r, c, bent[(r, c)])));
        }
    }

    /// The multipliers of the equations that balance these slopes by the unknowns.
    pub(super) fn multipliers(&self, slopes: &DVector<f64>) -> DVector<f64> {
        let packed = self.factors.lu_internal();
        let mut out = -slopes.rows(0, packed.nrows()).into_owned();
        packed.tr_solve_upper_triangular_mut(&mut out);
        // the diagonal of L is 1
        self.factors.l().tr_solve_lower_triangular_mut(&mut out);
        self.factors.p().inv_permute_rows(&mut out);
        out
    }
}
