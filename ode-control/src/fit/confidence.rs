//! How well data determine unknowns.

use ode_runtime::linalg::{DMatrix, DVector};

use crate::fit::doubt::Doubt;
use crate::matrix::operations::finite;

/// A column of the Jacobian counts as zero if a change of the unknown by its size, or by one, changes no residual by
/// this share of its deviation.
const UNSEEN: f64 = 1e-9;
/// A singular value of the Jacobian with columns of length one below which unknowns are confounded, and below which
/// nothing but errors of the run tells them apart.
const CONFOUNDED: f64 = 1e-4;
const SINGULAR: f64 = 1e-8;
/// The share of a singular vector, relative to the largest, from which on an unknown takes part.
const PART: f64 = 0.1;

/// Covariance of the unknowns, and what is not determined.
pub(super) struct Confidence {
    /// NaN in the rows and columns of what is not determined, and at bounds
    pub(super) covariance: DMatrix<f64>,
    pub(super) doubts: Vec<Doubt>,
    /// combinations of the unknowns that the data determine
    pub(super) estimated: usize,
}

impl Confidence {
    /// From a Jacobian, weighted as its residuals are; unknowns at a bound are `held`.
    ///
    /// The covariance is (JᵀJ)⁻¹ of the others, with a singular value decomposition of J with columns of length one.
    pub(super) fn of(jacobian: &DMatrix<f64>, values: &DVector<f64>, held: &[bool], names: &[String]) -> Self {
        let n = names.len();
        let lengths: Vec<f64> = jacobian.column_iter().map(|column| column.norm()).collect();
        let mut doubts = Vec::new();
        let mut seen = Vec::new();
        for j in 0..n {
            if held[j] {
                doubts.push(Doubt::AtBound { name: names[j].clone(), bound: values[j] });
            } else if lengths[j] * values[j].abs().max(1.0) <= UNSEEN {
                doubts.push(Doubt::Unseen { name: names[j].clone() });
            } else {
                seen.push(j);
            }
        }
        let mut covariance = DMatrix::from_element(n, n, f64::NAN);
        if seen.is_empty() {
            return Self { covariance, doubts, estimated: 0 };
        }
        let unit = DMatrix::from_fn(jacobian.nrows(), seen.len(), |r, k| jacobian[(r, seen[k])] / lengths[seen[k]]);
        let svd = unit.qr().r().svd(false, true);
        let Some(vt) = svd.v_t else { return Self { covariance, doubts, estimated: 0 } };
        let (s, mut free) = (&svd.singular_values, vec![false; seen.len()]);
        for (i, &value) in s.iter().enumerate().filter(|(_, s)| **s < CONFOUNDED) {
            let share = vt.row(i);
            let most = share.amax();
            let mut part: Vec<usize> = (0..seen.len()).filter(|&k| share[k].abs() > PART * most).collect();
            part.sort_by(|a, b| share[*b].abs().total_cmp(&share[*a].abs()));
            if value < SINGULAR {
                part.iter().for_each(|&k| free[k] = true);
            }
            doubts.push(Doubt::Confounded { names: part.iter().map(|&k| names[seen[k]].clone()).collect() });
        }
        for (a, &j) in seen.iter().enumerate().filter(|(a, _)| !free[*a]) {
            for (b, &k) in seen.iter().enumerate().filter(|(b, _)| !free[*b]) {
                let determined = (0..s.len()).filter(|&i| s[i] >= SINGULAR);
                let sum: f64 = determined.map(|i| vt[(i, a)] * vt[(i, b)] / (s[i] * s[i])).sum();
                covariance[(j, k)] = sum / (lengths[j] * lengths[k]);
            }
        }
        let estimated = s.iter().filter(|s| **s >= SINGULAR).count();
        Self { covariance, doubts, estimated }
    }

    /// The unknowns that have a deviation, and all deviations.
    pub(super) fn determined(&self) -> (Vec<usize>, Vec<f64>) {
        let deviations: Vec<f64> = self.covariance.diagonal().iter().map(|variance| variance.sqrt()).collect();
        ((0..deviations.len()).filter(|&k| deviations[k].is_finite()).collect(), deviations)
    }

    /// The inverse of the second derivatives of the cost instead, by the unknowns that have a deviation.
    pub(super) fn observe(&mut self, hessian: &DMatrix<f64>, names: &[String]) {
        let (of, deviations) = self.determined();
        let n = of.len();
        let unit = DMatrix::from_fn(n, n, |i, j| hessian[(i, j)] * deviations[of[i]] * deviations[of[j]]);
        let inverse = finite(&unit).then(|| unit.clone().cholesky()).flatten().map(|factor| factor.inverse());
        if inverse.is_none() {
            self.doubts.push(Doubt::NoMinimum { names: of.iter().map(|&k| names[k].clone()).collect() });
        }
        for (i, &row) in of.iter().enumerate() {
            for (j, &column) in of.iter().enumerate() {
                let entry = inverse.as_ref().map_or(f64::NAN, |inverse| inverse[(i, j)]);
                self.covariance[(row, column)] = entry * deviations[row] * deviations[column];
            }
        }
    }
}
