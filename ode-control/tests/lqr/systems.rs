//! Systems without a model.

use ode_control::StateSpace;
use ode_model::linalg::{DMatrix, Labelled};

/// The system of these matrices, with names x0, x1, …, u0, …, its states as outputs.
pub(crate) fn system(a: &DMatrix<f64>, b: &DMatrix<f64>, step: Option<f64>) -> StateSpace {
    let states: Vec<String> = (0..a.nrows()).map(|i| format!("x{i}")).collect();
    let inputs: Vec<String> = (0..b.ncols()).map(|i| format!("u{i}")).collect();
    let named_a = Labelled::new(&states, &states, |r, c| a[(r, c)]);
    let named_b = Labelled::new(&states, &inputs, |r, c| b[(r, c)]);
    StateSpace::of_states(named_a, named_b, step).expect("matrices that fit")
}

/// A repeatable number between −1 and 1.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub(crate) fn matrix(&mut self, rows: usize, columns: usize) -> DMatrix<f64> {
        DMatrix::from_fn(rows, columns, |_, _| self.next())
    }

    /// MᵀM + 0.1
    pub(crate) fn definite(&mut self, n: usize) -> DMatrix<f64> {
        let m = self.matrix(n, n);
        m.transpose() * m + DMatrix::identity(n, n) * 0.1
    }
}

/// The largest difference, relative to the largest entry.
pub(crate) fn apart(got: &DMatrix<f64>, expected: &DMatrix<f64>) -> f64 {
    (got - expected).amax() / expected.amax()
}
