//! A Riccati equation, and what is known of its solution.

use ode_runtime::linalg::{Complex, DMatrix, eigenvalues};

use crate::matrix::operations::{finite, solve, symmetric};
use crate::riccati::balance::balance;
use crate::riccati::doubling::Doubling;
use crate::riccati::lyapunov::{lyapunov, stein};
use crate::riccati::modes::{Unmoved, stable, unmoved};

/// Newton's iterations after the doubling; each doubles the digits until round-off.
const CORRECTIONS: usize = 8;

/// A relative residual above this is not a solution.
const UNCONVERGED: f64 = 1e-8;

/// The matrices of an equation.
#[derive(Clone, Debug)]
pub(crate) struct Riccati {
    pub(crate) a: DMatrix<f64>,
    pub(crate) b: DMatrix<f64>,
    pub(crate) q: DMatrix<f64>,
    pub(crate) r: DMatrix<f64>,
    /// weights of products of states and inputs, n × m
    pub(crate) n: DMatrix<f64>,
    pub(crate) discrete: bool,
}

/// The stabilising solution.
#[derive(Clone, Debug)]
pub(crate) struct Solution {
    /// P
    pub(crate) p: DMatrix<f64>,
    /// K of u = −K x
    pub(crate) gain: DMatrix<f64>,
    /// of A − B K
    pub(crate) poles: Vec<Complex<f64>>,
    /// the largest entry of the equation's residual, relative to its largest term
    pub(crate) residual: f64,
}

/// Why there is none.
#[derive(Clone, Debug)]
pub(crate) enum Unsolved {
    /// a mode that is not stable, and that inputs do not move
    Unmoved(Unmoved),
    /// none is known
    None,
}

impl Riccati {
    /// The solution whose closed loop is stable.
    pub(crate) fn solve(&self) -> Result<Solution, Unsolved> {
        let units = balance(&self.a, &self.spread().ok_or(Unsolved::None)?, &self.q);
        let (t, back) = (DMatrix::from_diagonal(&units), DMatrix::from_diagonal(&units.map(f64::recip)));
        let scaled =
            Self { a: &back * &self.a * &t, b: &back * &self.b, q: &t * &self.q * &t, n: &t * &self.n, ..self.clone() };
        // a solution near a mode that nothing moves may pass for one: such modes are asked for before
        if let Some(mode) = unmoved(&scaled.a, &scaled.b, self.discrete) {
            return Err(Unsolved::Unmoved(mode));
        }
        let found = scaled.solve_balanced().ok_or(Unsolved::None)?;
        Ok(Solution { p: &back * found.p * &back, gain: found.gain * &back, ..found })
    }

    /// G = B R⁻¹ Bᵀ
    fn spread(&self) -> Option<DMatrix<f64>> {
        Some(symmetric(&(&self.b * solve(&self.r, &self.b.transpose())?)))
    }

    fn solve_balanced(&self) -> Option<Solution> {
        let stable = |found: &Solution| found.poles.iter().all(|&pole| stable(pole, self.discrete));
        let found = self.limit().and_then(|p| self.evaluate(p)).map(|found| self.converged(found, CORRECTIONS));
        if let Some(found) = found.filter(stable) {
            return Some(found);
        }
        // Doubling leaves unstable modes alone that cost nothing. With a cost of all modes it stops them, and from a
        // stable loop Newton's method goes to the stabilising solution.
        let n = self.a.nrows();
        let all = Self { q: &self.q + DMatrix::identity(n, n) * self.q.amax().max(1.0), ..self.clone() };
        let begun = all.limit().and_then(|p| self.evaluate(p)).filter(stable)?;
        Some(self.converged(begun, 10 * CORRECTIONS)).filter(stable).filter(|found| found.residual < UNCONVERGED)
    }

    /// By doubling.
    fn limit(&self) -> Option<DMatrix<f64>> {
        let inverse = solve(&self.r, &self.n.transpose())?;
        let a = &self.a - &self.b * &inverse;
        let (g, h) = (self.spread()?, symmetric(&(&self.q - &self.n * &inverse)));
        let doubling = if self.discrete { Doubling { a, g, h } } else { Doubling::of_continuous(&a, &g, &h)? };
        doubling.limit()
    }

    /// Newton's iterations from a stable loop, until the residual stops falling.
    fn converged(&self, mut best: Solution, most: usize) -> Solution {
        for _ in 0..most {
            match self.corrected(&best).and_then(|p| self.evaluate(p)) {
                Some(next) if next.residual < best.residual => best = next,
                _ => break,
            }
        }
        best
    }

    /// One step of Newton's method. D. L. Kleinman, On an iterative technique for Riccati equation computations, IEEE
    /// Trans. Autom. Control 13 (1968), for the difference to the solution.
    fn corrected(&self, at: &Solution) -> Option<DMatrix<f64>> {
        let (_, residual, _) = self.terms(&at.p)?;
        let closed = &self.a - &self.b * &at.gain;
        let change = if self.discrete { stein(&closed, &residual) } else { lyapunov(&closed, &residual) };
        Some(symmetric(&(&at.p + change?)))
    }

    fn evaluate(&self, p: DMatrix<f64>) -> Option<Solution> {
        let (gain, residual, scale) = self.terms(&p)?;
        let poles = eigenvalues(&(&self.a - &self.b * &gain))?;
        let residual = if residual.amax() == 0.0 { 0.0 } else { residual.amax() / scale };
        Some(Solution { p, gain, poles, residual })
    }

    /// K, the residual of the equation, and its largest term.
    fn terms(&self, p: &DMatrix<f64>) -> Option<(DMatrix<f64>, DMatrix<f64>, f64)> {
        let Self { a, b, q, r, n, discrete } = self;
        let pb = p * b;
        let (weight, mixed, moved) = if *discrete {
            (r + b.transpose() * &pb, a.transpose() * &pb + n, a.transpose() * p * a - p)
        } else {
            (r.clone(), pb + n, a.transpose() * p + p * a)
        };
        let gain = solve(&symmetric(&weight), &mixed.transpose())?;
        let spent = &mixed * &gain;
        let scale = [q.amax(), spent.amax(), p.amax()].into_iter().fold(moved.amax(), f64::max);
        let residual = symmetric(&(moved - spent + q));
        finite(&residual).then_some((gain, residual, scale))
    }
}
