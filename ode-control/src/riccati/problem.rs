//! A Riccati equation, and what is known of its solution.

use ode_runtime::linalg::{Complex, DMatrix, eigenvalues};

use crate::matrix::operations::{finite, solve, symmetric};
use crate::matrix::reached::{ROUND_OFF, Reached, UNREACHED};
use crate::matrix::stability::is_stable;
use crate::riccati::balance::balance;
use crate::riccati::doubling::Doubling;
use crate::riccati::lyapunov::{lyapunov, stein};

/// Newton's iterations after the doubling; each doubles the digits until round-off.
const CORRECTIONS: usize = 8;
/// The same from a loop that is only known to be stable: far from the solution each halves the cost.
const DESCENTS: usize = 80;

/// A relative residual above this is not a solution.
const UNCONVERGED: f64 = 1e-8;
/// Below this the residual is near round-off, and ends the iteration where it no longer falls.
const NEAR: f64 = 1e-11;

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
    /// a mode that is not stable and that inputs do not move: its pole, and the state with the largest share of it
    Unmoved { pole: Complex<f64>, state: usize },
    /// an iteration for eigenvalues or singular values did not converge
    Eigenvalues,
    /// the best stable loop has this residual
    Unconverged(f64),
    /// the solution is beyond all numbers
    Overflow,
    /// no stable loop is known
    None,
}

impl Riccati {
    /// The solution whose closed loop is stable.
    pub(crate) fn solve(&self) -> Result<Solution, Unsolved> {
        let units = balance(&self.a, &self.spread().ok_or(Unsolved::None)?, &self.q);
        let (t, back) = (DMatrix::from_diagonal(&units), DMatrix::from_diagonal(&units.map(f64::recip)));
        let scaled =
            Self { a: &back * &self.a * &t, b: &back * &self.b, q: &t * &self.q * &t, n: &t * &self.n, ..self.clone() };
        scaled.solvable()?;
        let found = scaled.solve_balanced()?;
        let found = Solution { p: &back * found.p * &back, gain: found.gain * &back, ..found };
        if finite(&found.p) && finite(&found.gain) { Ok(found) } else { Err(Unsolved::Overflow) }
    }

    /// Refuses modes that have no stabilising solution. A solution near them may pass for one, so they are asked for
    /// before.
    ///
    /// Reference: P. Lancaster, L. Rodman, Algebraic Riccati Equations, 1995, theorems 9.1.2 and 16.3.3.
    fn solvable(&self) -> Result<(), Unsolved> {
        // B R^(−½), in which units of inputs do not count
        let factor = self.r.clone().cholesky().ok_or(Unsolved::None)?;
        let driven = factor.l().solve_lower_triangular(&self.b.transpose()).ok_or(Unsolved::None)?.transpose();
        let moved = Reached::of(&self.a, &driven, UNREACHED).ok_or(Unsolved::Eigenvalues)?;
        let unmoved = moved.hidden().ok_or(Unsolved::Eigenvalues)?;
        if let Some(mode) = unmoved.into_iter().find(|mode| !is_stable(mode.pole, self.discrete)) {
            return Err(Unsolved::Unmoved { pole: mode.pole, state: mode.vector.map(|x| x.norm_sqr()).imax() });
        }
        // a mode at the border that costs nothing stays there; a small cost decides as well as a large one
        let (plain, cost) = self.without_products().ok_or(Unsolved::None)?;
        let paid = Reached::of(&plain.transpose(), &cost, ROUND_OFF).ok_or(Unsolved::Eigenvalues)?;
        if paid.hides_border(self.discrete).ok_or(Unsolved::Eigenvalues)? { Err(Unsolved::None) } else { Ok(()) }
    }

    /// A − B R⁻¹Nᵀ and Q − N R⁻¹Nᵀ: the same problem with inputs v = u + R⁻¹Nᵀ x, without products with states.
    fn without_products(&self) -> Option<(DMatrix<f64>, DMatrix<f64>)> {
        let inverse = solve(&self.r, &self.n.transpose())?;
        Some((&self.a - &self.b * &inverse, symmetric(&(&self.q - &self.n * &inverse))))
    }

    /// G = B R⁻¹ Bᵀ
    fn spread(&self) -> Option<DMatrix<f64>> {
        Some(symmetric(&(&self.b * solve(&self.r, &self.b.transpose())?)))
    }

    fn solve_balanced(&self) -> Result<Solution, Unsolved> {
        let first = self.stable_limit().map(|found| self.converged(found, CORRECTIONS));
        if let Some(found) = first.filter(|found| found.residual < UNCONVERGED) {
            return Ok(found);
        }
        // Doubling leaves unstable modes alone that cost nothing. With a cost of all modes it stops them, and from a
        // stable loop Newton's method goes to the stabilising solution.
        let n = self.a.nrows();
        let spread = self.spread().map_or(0.0, |g| g.amax());
        let natural = Some(self.a.amax().powi(if self.discrete { 0 } else { 2 }) / spread).filter(|x| x.is_finite());
        let all = &self.q + DMatrix::identity(n, n) * natural.unwrap_or(1.0).max(self.q.amax());
        let begun = Self { q: all, ..self.clone() }.stable_limit().and_then(|begun| self.evaluate(begun.p));
        match begun.map(|begun| self.converged(begun, DESCENTS)).filter(|found| self.stabilizes(found)) {
            Some(found) if found.residual < UNCONVERGED => Ok(found),
            Some(found) => Err(Unsolved::Unconverged(found.residual)),
            None => Err(Unsolved::None),
        }
    }

    fn stabilizes(&self, found: &Solution) -> bool {
        found.poles.iter().all(|&pole| is_stable(pole, self.discrete))
    }

    /// The solution by doubling, if its loop is stable.
    fn stable_limit(&self) -> Option<Solution> {
        self.limit().and_then(|p| self.evaluate(p)).filter(|found| self.stabilizes(found))
    }

    /// By doubling.
    fn limit(&self) -> Option<DMatrix<f64>> {
        let ((a, h), g) = (self.without_products()?, self.spread()?);
        let doubling = if self.discrete { Doubling { a, g, h } } else { Doubling::of_continuous(&a, &g, &h)? };
        doubling.limit()
    }

    /// The best of Newton's iterations from a stable loop. P falls monotonically, its residual need not: the first
    /// steps may raise it.
    fn converged(&self, begun: Solution, most: usize) -> Solution {
        let (mut best, mut at) = (begun.clone(), begun);
        for _ in 0..most {
            let next = self.corrected(&at).and_then(|p| self.evaluate(p)).filter(|next| self.stabilizes(next));
            let Some(next) = next else { break };
            if next.residual < best.residual {
                best = next.clone();
            } else if best.residual < NEAR {
                break;
            }
            at = next;
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
