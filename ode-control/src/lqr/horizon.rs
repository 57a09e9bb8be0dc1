//! Regulators of a finite horizon, along a trajectory.

use ode_runtime::linalg::{DMatrix, Labelled};

use crate::linear::state_space::StateSpace;
use crate::linear::system_error::SystemError;
use crate::lqr::error::GainError;
use crate::lqr::regulator::Lqr;
use crate::lqr::weights::Weights;
use crate::matrix::operations::{finite, solve, symmetric};

/// The gains of a discrete system that changes from step to step, and the cost that is left at each of them.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Horizon {
    /// K of u = −K x at the beginning of each step
    pub gains: Vec<Labelled<f64>>,
    /// P of the cost xᵀP x that is left there; one more, of the end
    pub costs: Vec<Labelled<f64>>,
}

impl Lqr {
    /// The gains along a trajectory, of which `steps` are the linearised steps, with these weights at each of them and
    /// xᵀ`terminal` x at the end, by Riccati's recursion backwards.
    ///
    /// All steps have the states, the inputs and the length of the discrete system that the weights were made for.
    /// Along a motion with constraints, [`Linearizer::independent`](crate::Linearizer::independent) keeps the states.
    ///
    /// # Errors
    /// [`GainError`]: weights that are not semidefinite, `terminal` among them; inputs without a weight; a continuous
    /// system; a step that does not fit, by its place.
    pub fn along(&self, steps: &[StateSpace], terminal: DMatrix<f64>) -> Result<Horizon, GainError> {
        let (q, r) = self.weights()?;
        let (n, system) = (self.cross(), self.system());
        let (states, inputs) = (system.states(), system.inputs());
        if system.step.is_none() {
            return Err(GainError::Continuous);
        }
        let labelled = |p: &DMatrix<f64>| Labelled::new(states, states, |r, c| p[(r, c)]);
        let mut p = Weights::none("the terminal weight", "state", states).of(terminal)?.checked()?;
        let mut costs = vec![labelled(&p)];
        let mut gains = Vec::with_capacity(steps.len());
        for (step, of) in steps.iter().enumerate().rev() {
            of.check()?;
            for (what, own, found) in [("states", states, of.states()), ("inputs", inputs, of.inputs())] {
                if own != found {
                    return Err(GainError::OtherNames { step, what });
                }
            }
            if of.step != system.step {
                return Err(SystemError::OtherStep { first: system.step, second: of.step }.into());
            }
            let (a, b) = (&*of.a, &*of.b);
            let mixed = b.transpose() * &p * a + n.transpose();
            let weight = symmetric(&(&r + b.transpose() * &p * b));
            let gain = solve(&weight, &mixed).ok_or(GainError::Overflow { step })?;
            // as a sum of squares, which keeps it definite: (A − B K)ᵀP (A − B K) + [1 −Kᵀ] [Q N; Nᵀ R] [1; −K]
            let closed = a - b * &gain;
            let crossed = n * &gain;
            let left =
                closed.transpose() * p * closed + &q + gain.transpose() * &r * &gain - &crossed - crossed.transpose();
            if !finite(&left) {
                return Err(GainError::Overflow { step });
            }
            p = symmetric(&left);
            costs.push(labelled(&p));
            gains.push(Labelled::new(inputs, states, |r, c| gain[(r, c)]));
        }
        gains.reverse();
        costs.reverse();
        Ok(Horizon { gains, costs })
    }
}
