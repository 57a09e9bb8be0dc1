//! Eliminations: what they solve for solves the equations as they are written.

use super::Report;
use super::case::Case;
use crate::interpreter::Inputs;
use crate::oracle::Hold;
use crate::random::Random;
use ode_codegen::phases::lower::Call;

/// A pivot below this share of its terms has lost its digits; the runtime then uses another solver.
pub(super) const SOUND: f64 = 1e-3;

impl Case<'_> {
    pub(super) fn solves(&self, inputs: &Inputs, random: &mut Random, report: &mut Report) {
        self.accelerations(inputs, report);
        self.correction(inputs, random, report);
        self.saddle(inputs, random, report);
        self.bordered(inputs, random, report);
    }

    /// r(a, λ) = 0, G a + γ = 0, and the law of each compliant row.
    fn accelerations(&self, inputs: &Inputs, report: &mut Report) {
        if self.compiled.program.get(Call::Accelerations).is_none() {
            return;
        }
        let out = self.run(Call::Accelerations, inputs);
        if !sound(out.array("checks")) {
            return;
        }
        let (a, lambda) = (out.array("accelerations").to_vec(), out.array("multipliers").to_vec());
        let size = a.iter().chain(&lambda).fold(1.0_f64, |m, x| m.max(x.abs()));
        let at = self.point(&Inputs { a, lambda, ..inputs.clone() });
        let mut left = vec![self.weighed(&at, &inputs.adjoint).real()];
        for (k, row) in self.rows.iter().enumerate() {
            let (moving, depth) = (at.moving(), at.depth);
            left.push(match row.hold {
                _ if row.soft => self.law(k, &at).real(),
                Hold::Position => self.oracle.row(row, moving.moving()).slope(depth + 1).slope(depth).real(),
                _ => self.oracle.row(row, moving).slope(depth).real(),
            });
        }
        report.block("accelerations", &left, &vec![0.0; left.len()], size / SOUND);
        let rates: Vec<f64> = self.state_rows(&at).iter().zip(&inputs.zdot).map(|(s, zdot)| zdot - s.real()).collect();
        report.block("accelerations g", out.array("g"), &rates, 0.0);
    }

    /// G δ = b with M δ = Gᵀ y: the least correction in the norm of M.
    fn correction(&self, inputs: &Inputs, random: &mut Random, report: &mut Report) {
        if self.compiled.program.get(Call::Correction).is_none() {
            return;
        }
        let hard = |k: usize| !self.rows[k].soft;
        let mut rhs: Vec<f64> = (0..self.rows.len()).map(|_| random.between(-1.0, 1.0)).collect();
        rhs.iter_mut().enumerate().filter(|(k, _)| !hard(*k)).for_each(|(_, b)| *b = 0.0);
        let inputs = Inputs { rhs: rhs.clone(), ..inputs.clone() };
        let out = self.run(Call::Correction, &inputs);
        if !sound(out.array("checks")) {
            return;
        }
        let delta = out.array("correction");
        let size = delta.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
        let forward = self.run(Call::Forward, &inputs);
        let entries = &self.compiled.equations.constraints.jacobian.entries;
        let (mut moved, mut rows) = (vec![0.0; rhs.len()], vec![vec![0.0; delta.len()]; rhs.len()]);
        for (&(r, c, _), g) in entries.iter().zip(forward.array("jacobian")) {
            moved[r] += g * delta[c];
            rows[r][c] = *g;
        }
        report.block("correction", &moved, &rhs, size / SOUND);
        let mut load = vec![0.0; delta.len()];
        for (&(r, c, _), m) in self.compiled.equations.dynamics.mass.entries.iter().zip(forward.array("mass")) {
            load[r] += m * delta[c];
            if r != c {
                load[c] += m * delta[r];
            }
        }
        let size = load.iter().fold(size, |m, x| m.max(x.abs()));
        report.block("least correction", &beyond(rows, load), &vec![0.0; delta.len()], size / SOUND);
    }

    /// [M Gᵀ; G 0] x = b
    fn saddle(&self, inputs: &Inputs, random: &mut Random, report: &mut Report) {
        let Some(solver) = &self.compiled.equations.solves.saddle else { return };
        let e = &self.compiled.equations;
        let forward = self.run(Call::Forward, inputs);
        let (mass, jacobian) = (forward.array("mass").to_vec(), forward.array("jacobian").to_vec());
        let (n, size) = (self.v.len(), solver.size);
        let mut matrix = vec![0.0; size * size];
        for (&(r, c, _), x) in e.dynamics.mass.entries.iter().zip(&mass) {
            (matrix[r * size + c], matrix[c * size + r]) = (*x, *x);
        }
        for (&(r, c, _), x) in e.constraints.jacobian.entries.iter().zip(&jacobian) {
            (matrix[(n + r) * size + c], matrix[c * size + n + r]) = (*x, *x);
        }
        for k in (0..self.rows.len()).filter(|&k| self.rows[k].soft) {
            matrix[(n + k) * (size + 1)] = -1.0;
        }
        let given = Inputs { mass, jacobian, ..inputs.clone() };
        let out = self.run(Call::SaddleFactors, &given);
        if sound_magnitudes(out.array("checks"), 2) {
            let factor = out.array("factor").to_vec();
            self.solved("saddle", Call::SaddleSolution, &matrix, Inputs { factor, ..given }, random, report);
        }
    }

    /// The bordered tangent times x is b.
    fn bordered(&self, inputs: &Inputs, random: &mut Random, report: &mut Report) {
        let Some(solver) = &self.compiled.equations.solves.kkt else { return };
        let tangent = self.run(Call::Tangent, inputs).array("tangent").to_vec();
        let size = solver.size;
        let mut matrix = vec![0.0; size * size];
        for (&(r, c, _), x) in self.compiled.equations.tangent.matrix.entries.iter().zip(&tangent) {
            matrix[r * size + c] = *x;
        }
        let given = Inputs { tangent, ..inputs.clone() };
        let out = self.run(Call::KktFactors, &given);
        // (pivot, start, sum of squares)
        let checks = out.array("checks");
        if checks.chunks(3).all(|c| c[0].abs() > SOUND * c[2].sqrt()) {
            let factor = out.array("factor").to_vec();
            self.solved("kkt", Call::KktSolution, &matrix, Inputs { factor, ..given }, random, report);
        }
    }

    fn solved(
        &self,
        block: &'static str,
        solve: Call,
        matrix: &[f64],
        inputs: Inputs,
        random: &mut Random,
        report: &mut Report,
    ) {
        let size = matrix.len().isqrt();
        let rhs: Vec<f64> = (0..size).map(|_| random.between(-1.0, 1.0)).collect();
        let out = self.run(solve, &Inputs { rhs: rhs.clone(), ..inputs });
        let x = out.array("x");
        let terms = |r: usize| (0..size).map(move |c| matrix[r * size + c] * x[c]);
        let found: Vec<f64> = (0..size).map(|r| terms(r).sum()).collect();
        let scale = (0..size).flat_map(terms).fold(1.0_f64, |m, t| m.max(t.abs()));
        report.block(block, &found, &rhs, scale / SOUND);
    }
}

pub(super) fn sound(checks: &[f64]) -> bool {
    checks.chunks(2).all(|c| c[0] > SOUND * c[1].abs() && c[0] > SOUND)
}

fn sound_magnitudes(checks: &[f64], width: usize) -> bool {
    checks.chunks(width).all(|c| c[0].abs() > SOUND * c[1].abs() && c[0].abs() > SOUND)
}

/// The part of x orthogonal to the span of rows, by the modified Gram–Schmidt process.
fn beyond(mut rows: Vec<Vec<f64>>, mut x: Vec<f64>) -> Vec<f64> {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let without = |x: &mut Vec<f64>, row: &[f64]| {
        let share = dot(x, row);
        x.iter_mut().zip(row).for_each(|(x, row)| *x -= share * row);
    };
    for k in 0..rows.len() {
        let size = dot(&rows[k], &rows[k]).sqrt();
        // a row that the others give adds nothing to their span
        if size < 1e-10 {
            continue;
        }
        let row: Vec<f64> = rows[k].iter().map(|x| x / size).collect();
        rows[k + 1..].iter_mut().for_each(|other| without(other, &row));
        without(&mut x, &row);
    }
    x
}

#[cfg(test)]
mod tests {
    use super::beyond;

    #[test]
    fn what_rows_span_leaves_nothing_and_the_rest_stays() {
        let rows = || vec![vec![1.0, 2.0, 0.0], vec![2.0, 4.0, 0.0], vec![0.0, 1.0, 1.0]];
        let left = beyond(rows(), vec![3.0, 5.0, -1.0]);
        assert!(left.iter().all(|x| x.abs() < 1e-14), "{left:?}");
        // across all of them
        let left = beyond(rows(), vec![2.0, -1.0, 1.0]);
        assert!((left[0] - 2.0).abs() + (left[1] + 1.0).abs() + (left[2] - 1.0).abs() < 1e-14, "{left:?}");
    }
}
