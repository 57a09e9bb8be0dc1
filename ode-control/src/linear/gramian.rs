//! Gramians: how far inputs drive states, and how much of them outputs show.

use ode_runtime::linalg::{DMatrix, Labelled};

use crate::linear::state_space::StateSpace;
use crate::linear::system_error::SystemError;
use crate::matrix::balance::balanced;
use crate::riccati::lyapunov::{lyapunov, stein};

impl StateSpace {
    /// The controllability gramian W, n × n: A W + W Aᵀ + B Bᵀ = 0, of steps W = A W Aᵀ + B Bᵀ. States xᵀ W⁻¹ x ≤ 1 are
    /// those that inputs of energy 1 reach from rest.
    ///
    /// # Errors
    /// [`SystemError::Unstable`] with a pole that does not decay.
    pub fn controllability_gramian(&self) -> Result<Labelled<f64>, SystemError> {
        self.gramian(&self.a.transpose(), &*self.b * self.b.transpose())
    }

    /// The observability gramian W, n × n: Aᵀ W + W A + Cᵀ C = 0, of steps W = Aᵀ W A + Cᵀ C. From x the outputs have
    /// the energy xᵀ W x.
    ///
    /// # Errors
    /// As [`StateSpace::controllability_gramian`].
    pub fn observability_gramian(&self) -> Result<Labelled<f64>, SystemError> {
        self.gramian(&self.a, self.c.transpose() * &*self.c)
    }

    /// aᵀ W a − W + q = 0, or aᵀ W + W a + q = 0.
    fn gramian(&self, a: &DMatrix<f64>, q: DMatrix<f64>) -> Result<Labelled<f64>, SystemError> {
        let poles = self.poles()?;
        if let Some(pole) = poles.iter().find(|pole| !pole.is_stable()) {
            return Err(SystemError::Unstable { pole: pole.value });
        }
        // x = T x̂, in whose units the entries of A count alike
        let (a, t) = balanced(a.clone());
        let q = DMatrix::from_fn(q.nrows(), q.ncols(), |r, c| q[(r, c)] * t[r] * t[c]);
        let w = if self.step.is_some() { stein(&a, &q) } else { lyapunov(&a, &q) };
        let w = w.ok_or(SystemError::Eigenvalues)?;
        Ok(Labelled::new(self.states(), self.states(), |r, c| w[(r, c)] / t[r] / t[c]))
    }
}
