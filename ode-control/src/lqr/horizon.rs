//! Regulators of a finite horizon, along a trajectory.

use ode_runtime::linalg::{DMatrix, Labelled};

use crate::linear::misfit::Misfit;
use crate::linear::state_space::StateSpace;
use crate::lqr::error::GainError;
use crate::lqr::regulator::Lqr;
use crate::matrix::operations::{finite, solve, symmetric};

/// The gains of a discrete system that changes from step to step, and the cost that is left at each of them.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Horizon {
    /// K of u = −K x at the beginning of each step
    pub gains: Vec<Labelled<f64>>,
    /// P of the cost xᵀP x that is left there; one more, of the end
    pub costs: Vec<DMatrix<f64>>,
}

impl Lqr {
    /// The gains along a trajectory, of which `steps` are the linearised steps, with these weights at each of them and
    /// xᵀ`terminal` x at the end, by Riccati's recursion backwards.
    ///
    /// The states and inputs of all steps are those of the system that the weights were made for.
    ///
    /// # Errors
    /// [`GainError`]: weights that are not semidefinite, inputs without a weight, steps that do not fit.
    pub fn along(&self, steps: &[StateSpace], terminal: DMatrix<f64>) -> Result<Horizon, GainError> {
        let (q, r) = self.weights()?;
        let n = self.cross();
        Misfit::check("the terminal weight", &terminal, q.shape())?;
        let mut costs = vec![symmetric(&terminal)];
        let mut gains = Vec::with_capacity(steps.len());
        let (states, inputs) = (self.system().a.row_names(), self.system().b.column_names());
        for StateSpace { a, b, .. } in steps.iter().rev() {
            Misfit::check("A of a step", a, q.shape())?;
            Misfit::check("B of a step", b, n.shape())?;
            let Some(p) = costs.last() else { break };
            let moved = p * &**a;
            let mixed = b.transpose() * &moved + n.transpose();
            let weight = symmetric(&(&r + b.transpose() * p * &**b));
            let gain = solve(&weight, &mixed).ok_or(GainError::NonFinite { matrix: "A or B of a step" })?;
            // as a sum of squares, which keeps it definite: (A − B K)ᵀP (A − B K) + [1 −Kᵀ] [Q N; Nᵀ R] [1; −K]
            let closed = &**a - &**b * &gain;
            let crossed = n * &gain;
            let left =
                closed.transpose() * p * closed + &q + gain.transpose() * &r * &gain - &crossed - crossed.transpose();
            if !finite(&left) {
                return Err(GainError::NonFinite { matrix: "A or B of a step" });
            }
            costs.push(symmetric(&left));
            gains.push(Labelled::new(inputs, states, |r, c| gain[(r, c)]));
        }
        gains.reverse();
        costs.reverse();
        Ok(Horizon { gains, costs })
    }
}
