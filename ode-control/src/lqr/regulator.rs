//! Linear quadratic regulators.

use ode_runtime::UnknownName;
use ode_runtime::linalg::{DMatrix, Labelled};

use crate::linear::misfit::Misfit;
use crate::linear::pole::Pole;
use crate::linear::state_space::StateSpace;
use crate::lqr::error::{GainError, named};
use crate::lqr::weights::Weights;
use crate::matrix::operations::solve;
use crate::riccati::problem::Riccati;

/// The weights of a linear quadratic regulator: the gain K of u = −K x with the least
///
/// ```text
/// ∫ xᵀQ x + uᵀR u + 2 xᵀN u dt, or the sum of it over the steps of a discrete system.
/// ```
///
/// Weights of a continuous system are per second, those of a discrete one per step: a sum over steps of h is 1/h times
/// the integral. They are given by name, and add up; all are zero before. See [`Lqr::of`].
#[derive(Clone, Debug)]
pub struct Lqr {
    system: StateSpace,
    q: Weights,
    r: Weights,
    n: DMatrix<f64>,
}

/// A gain, and what is known of its loop.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Regulator {
    /// K of u = −K x, a row for each input and a column for each state
    pub gain: Labelled<f64>,
    /// P of the cost xᵀP x that is left from x
    pub cost: Labelled<f64>,
    /// the poles of the closed loop, A − B K, by ascending natural frequency
    pub poles: Vec<Pole>,
    /// the largest entry of the residual of the Riccati equation, relative to its largest term
    pub residual: f64,
}

impl Lqr {
    /// A regulator of this system, continuous or discrete, without weights so far.
    ///
    /// ```
    /// use ode_control::{Lqr, StateSpace};
    /// use ode_runtime::linalg::Labelled;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// // a mass that a force pushes
    /// let (states, inputs) = (["x", "der(x)"], ["f"]);
    /// let a = Labelled::new(states, states, |r, c| [[0.0, 1.0], [0.0, 0.0]][r][c]);
    /// let b = Labelled::new(states, inputs, |r, _| [0.0, 1.0][r]);
    /// let system = StateSpace::of_states(a, b, None)?;
    ///
    /// let regulator = Lqr::of(&system).state("x", 1.0)?.input("f", 1.0)?.solve()?;
    /// assert!((regulator.gain.at("f", "der(x)")? - f64::sqrt(2.0)).abs() < 1e-14);
    /// assert!(regulator.poles.iter().all(|pole| pole.is_stable()));
    /// # Ok(())
    /// # }
    /// ```
    pub fn of(system: &StateSpace) -> Self {
        let (states, inputs) = (system.a.row_names(), system.b.column_names());
        Self {
            q: Weights::none("Q", "state", states),
            r: Weights::none("R", "input", inputs),
            n: DMatrix::zeros(states.len(), inputs.len()),
            system: system.clone(),
        }
    }

    /// Adds `weight` times the square of a state.
    ///
    /// # Errors
    /// [`GainError::Name`] of a state that does not exist.
    pub fn state(mut self, name: &str, weight: f64) -> Result<Self, GainError> {
        self.q.add(name, weight)?;
        Ok(self)
    }

    /// Adds `weight` times the square of an input. Every input needs one.
    ///
    /// # Errors
    /// [`GainError::Name`] of an input that does not exist.
    pub fn input(mut self, name: &str, weight: f64) -> Result<Self, GainError> {
        self.r.add(name, weight)?;
        Ok(self)
    }

    /// Adds `weight` times the square of an output, y = C x + D u.
    ///
    /// # Errors
    /// [`GainError::Name`] of an output that does not exist; [`GainError::System`].
    pub fn output(mut self, name: &str, weight: f64) -> Result<Self, GainError> {
        self.system.check()?;
        let row = UnknownName::place("output", name, self.system.c.row_names())?;
        let (c, d) = (self.system.c.row(row), self.system.d.row(row));
        self.q.matrix += c.transpose() * c * weight;
        self.r.matrix += d.transpose() * d * weight;
        self.n += c.transpose() * d * weight;
        Ok(self)
    }

    /// Q, R and N as they are, instead of the weights by name.
    ///
    /// # Errors
    /// [`GainError::Misfit`] of a matrix that does not fit the system.
    pub fn matrices(mut self, q: DMatrix<f64>, r: DMatrix<f64>, n: DMatrix<f64>) -> Result<Self, GainError> {
        Misfit::check("N", &n, self.n.shape())?;
        self.q.set(q)?;
        self.r.set(r)?;
        self.n = n;
        Ok(self)
    }

    /// Adds the integral of an output's deviation as a state, with a weight. No constant deviation is left then.
    ///
    /// The new state is named `integral of` the output. Of a discrete system it is the sum ξ⁺ = ξ + h y; the controller
    /// that applies the gain keeps it.
    ///
    /// # Errors
    /// [`GainError::Name`] of an output that does not exist; [`GainError::System`].
    pub fn integral(mut self, output: &str, weight: f64) -> Result<Self, GainError> {
        self.system = self.system.with_integral(output)?;
        let n = self.n.nrows();
        self.q.names = self.system.a.row_names().to_vec();
        self.q.matrix = self.q.matrix.resize(n + 1, n + 1, 0.0);
        self.q.matrix[(n, n)] = weight;
        self.n = self.n.resize_vertically(n + 1, 0.0);
        Ok(self)
    }

    /// The regulator of an infinite horizon.
    ///
    /// # Errors
    /// [`GainError`]: matrices that do not fit or are not finite, weights that are not semidefinite, inputs without a
    /// weight, unstable modes that no input moves, by name; no solution that makes the loop stable, or none found.
    pub fn solve(&self) -> Result<Regulator, GainError> {
        let (q, r) = self.weights()?;
        let StateSpace { a, b, step, .. } = &self.system;
        let (states, inputs, discrete) = (a.row_names(), b.column_names(), step.is_some());
        let riccati = Riccati { a: (**a).clone(), b: (**b).clone(), q, r, n: self.n.clone(), discrete };
        let solution = riccati.solve().map_err(|unsolved| {
            GainError::of(unsolved, |pole, state| GainError::Uncontrollable { pole, state: named(states, state) })
        })?;
        Ok(Regulator {
            gain: Labelled::new(inputs, states, |r, c| solution.gain[(r, c)]),
            cost: Labelled::new(states, states, |r, c| solution.p[(r, c)]),
            poles: Pole::sorted(solution.poles, *step),
            residual: solution.residual,
        })
    }

    /// Q and R, checked together with N and the system.
    pub(crate) fn weights(&self) -> Result<(DMatrix<f64>, DMatrix<f64>), GainError> {
        self.system.check()?;
        GainError::finite("N", &self.n, (self.system.states(), self.system.inputs()))?;
        let r = self.r.definite()?;
        let q = self.q.checked()?;
        if self.n.amax() > 0.0 {
            // a weight of [x; u] is semidefinite if Q − N R⁻¹Nᵀ is
            let spent = solve(&r, &self.n.transpose()).ok_or(GainError::Eigenvalues)?;
            let called = "Q − N R⁻¹ Nᵀ";
            Weights::none(called, "state", &self.q.names).of(&q - &self.n * spent)?.checked()?;
        }
        Ok((q, r))
    }

    pub(crate) fn system(&self) -> &StateSpace {
        &self.system
    }

    pub(crate) fn cross(&self) -> &DMatrix<f64> {
        &self.n
    }
}
