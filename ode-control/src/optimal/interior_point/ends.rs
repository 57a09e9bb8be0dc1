//! Prescribed directions of the state at the end: their multipliers, beside Riccati's recursion.
//!
//! The cost that is left is ½ xᵀP x + (p + S ν)ᵀx, with the multipliers ν of the prescribed directions. S follows from
//! the policies, and dx_n = d − Y ν with Y = Σ SᵀB (R + BᵀP B)⁻¹ BᵀS. A. E. Bryson, Y.-C. Ho, Applied Optimal Control,
//! 1975, §5.3 (the sweep method).

use ode_runtime::linalg::{SMatrix, SVector};

use crate::stages::{Policy, Stage};

/// S of each stage's end, what ν changes its inputs by, and Y.
#[derive(Clone, Debug)]
pub(super) struct Ends<const N: usize, const U: usize> {
    fixed: [bool; N],
    values: Vec<SMatrix<f64, N, N>>,
    pushes: Vec<SMatrix<f64, U, N>>,
    gram: SMatrix<f64, N, N>,
}

/// What is added to the diagonal of Y, relative to its largest entry: an end that cannot be reached is approached.
const SINGULAR: f64 = 1e-14;

impl<const N: usize, const U: usize> Ends<N, U> {
    pub(super) fn new(fixed: [bool; N], intervals: usize) -> Self {
        let (values, pushes) = (vec![SMatrix::zeros(); intervals], vec![SMatrix::zeros(); intervals]);
        Self { fixed, values, pushes, gram: SMatrix::identity() }
    }

    /// Whether anything is prescribed.
    pub(super) fn any(&self) -> bool {
        self.fixed.contains(&true)
    }

    /// Whether a direction is prescribed.
    pub(super) fn is_fixed(&self, direction: usize) -> bool {
        self.fixed.get(direction).copied().unwrap_or(false)
    }

    /// S and Y of policies.
    pub(super) fn prepare(&mut self, stages: &[Stage<f64, N, U>], policies: &[Policy<f64, N, U>]) {
        let one = |i: usize| f64::from(u8::from(self.fixed[i]));
        let mut s = SMatrix::from_diagonal(&SVector::from_fn(|i, _| one(i)));
        self.gram = SMatrix::zeros();
        for (k, (stage, policy)) in stages.iter().zip(policies).enumerate().rev() {
            let slope = stage.b.transpose() * s;
            let push = -policy.factor.solve(slope);
            self.gram -= slope.transpose() * push;
            (self.values[k], self.pushes[k]) = (s, push);
            s = stage.a.transpose() * s + policy.gain.transpose() * slope;
        }
        let little = SINGULAR * self.gram.amax();
        for i in 0..N {
            if self.fixed[i] { self.gram[(i, i)] += little } else { self.gram[(i, i)] = 1.0 }
        }
    }

    /// Changes policies so that the prescribed directions change by `by` from a first state that does not change.
    /// Returns false if they cannot.
    pub(super) fn reach(
        &self,
        stages: &[Stage<f64, N, U>],
        policies: &mut [Policy<f64, N, U>],
        by: &SVector<f64, N>,
    ) -> bool {
        let mut off = -by;
        for ((stage, policy), s) in stages.iter().zip(policies.iter()).zip(&self.values) {
            off += s.transpose() * (stage.b * policy.push + stage.c);
        }
        (0..N).filter(|&i| !self.fixed[i]).for_each(|i| off[i] = 0.0);
        let Some(factor) = self.gram.cholesky() else { return false };
        let nu = factor.solve(&off);
        for ((policy, s), push) in policies.iter_mut().zip(&self.values).zip(&self.pushes) {
            policy.push += push * nu;
            policy.end.x += s * nu;
        }
        nu.iter().all(|nu| nu.is_finite())
    }
}
