//! What the stiffness of Newton's iterations has more than K, in models with sets.

use ode_codegen::Compiled;
use ode_codegen::phases::lower::Call;
use ode_runtime::linalg::DMatrix;

use super::Report;
use super::case::Case;
use super::members::Sum;
use crate::assembly::{Assembly, UNKNOWNS};
use crate::interpreter::Inputs;

impl Case<'_> {
    /// Compares what elements add to K with what the whole adds.
    pub(super) fn stiffness_of_members(&self, assembly: &Assembly<'_>, inputs: &Inputs, report: &mut Report) {
        let width = assembly.len(UNKNOWNS);
        let [mut found, mut wanted] = [(); 2].map(|()| Sum::zeros(width * width));
        for member in &assembly.elements {
            if let Some(out) = assembly.run(member, Call::NewtonStiffness, inputs, &[]) {
                let places = assembly.places(member, UNKNOWNS);
                for (row, column, x) in shares(member.compiled, out.array("stiffness").to_vec()) {
                    found.add(places[row] * width + places[column], x);
                }
            }
        }
        for (row, column, x) in shares(self.compiled, self.asked(Call::NewtonStiffness, inputs, "stiffness")) {
            wanted.add(row * width + column, x);
        }
        report.block("newton stiffness of members", &found.values, &wanted.values, found.largest);
    }
}

/// What is added at each row and column, by the values of the call.
fn shares(compiled: &Compiled, mut values: Vec<f64>) -> Vec<(usize, usize, f64)> {
    let newton = &compiled.equations.newton;
    let mut first = 0;
    for &n in &newton.projected {
        let place = |r: usize, c: usize| first + r.max(c) * (r.max(c) + 1) / 2 + r.min(c);
        let matrix = DMatrix::from_fn(n, n, |r, c| values[place(r, c)]);
        if matrix.iter().any(|x| !x.is_finite()) {
            return Vec::new();
        }
        let eigen = matrix.symmetric_eigen();
        let below = eigen.eigenvalues.map(|x| (-x).max(0.0));
        let negative = &eigen.eigenvectors * DMatrix::from_diagonal(&below) * eigen.eigenvectors.transpose();
        (0..n).for_each(|r| (0..=r).for_each(|c| values[place(r, c)] = negative[(r, c)]));
        first += n * (n + 1) / 2;
    }
    newton.shares.iter().map(|share| (share.row, share.col, share.factor * values[share.value])).collect()
}
