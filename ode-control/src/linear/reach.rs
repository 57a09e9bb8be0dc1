//! Controllability and observability.

use core::fmt;

use ode_runtime::linalg::nalgebra::ComplexField;
use ode_runtime::linalg::{Complex, DMatrix, eigenvalues};

use crate::linear::pole::Pole;
use crate::linear::state_space::StateSpace;
use crate::linear::system_error::SystemError;
use crate::matrix::balance::balanced;

/// Directions of states that are reached by less than this, relative to the norm of A, count as not reached.
const TOLERANCE: f64 = 1e-10;
/// Iterations for singular values, far more than they take.
const ITERATIONS: usize = 10_000;
/// A state takes part in a mode if its share is at least this fraction of the largest.
const SHARE: f64 = 0.3;

/// How far inputs reach into the states of a system, or states into its outputs.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Reach {
    /// the dimension of what is reached
    pub rank: usize,
    /// the number of states
    pub order: usize,
    /// the modes that are not reached, n − rank of them; of a conjugate pair the one above the real axis
    pub hidden: Vec<HiddenMode>,
}

/// A mode that inputs do not reach, or that outputs do not show: in the test of Popov, Belevitch and Hautus, wᴴ (A − s)
/// = 0 with wᴴ B = 0, or (A − s) w = 0 with C w = 0.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct HiddenMode {
    /// its pole s
    pub pole: Pole,
    /// the states with the largest entries in w, in scales in which A is balanced; the largest first
    pub states: Vec<String>,
}

impl fmt::Display for HiddenMode {
    /// `-2.0 1/s: … (x, der(x))`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.pole, self.states.join(", "))
    }
}

impl Reach {
    /// Whether everything is reached: the system is controllable, or observable.
    pub fn is_full(&self) -> bool {
        self.rank == self.order
    }

    /// The hidden modes that do not decay. Without any, the system is stabilisable, or detectable.
    pub fn lasting(&self) -> impl Iterator<Item = &HiddenMode> {
        self.hidden.iter().filter(|mode| !mode.pole.is_stable())
    }
}

impl StateSpace {
    /// What inputs reach: the rank of (B, A B, A² B, …), and the modes beyond.
    ///
    /// The states are scaled so that A is balanced, the inputs to columns of length 1. An orthonormal basis is extended
    /// by A times its last vectors, as long as these have a remainder of more than 10⁻¹⁰ of the norm of A (singular
    /// values), which is safe where powers of A would lose all digits.
    ///
    /// Reference: C. C. Paige, Properties of numerical algorithms related to computing controllability, IEEE Trans.
    /// Automatic Control 26 (1981) 130–138.
    ///
    /// # Errors
    /// [`SystemError::Eigenvalues`] if an iteration did not converge; matrices that do not fit or are not finite.
    pub fn controllability(&self) -> Result<Reach, SystemError> {
        self.check()?;
        self.reach((*self.a).clone(), (*self.b).clone())
    }

    /// What outputs show: the rank of (C; C A; C A²; …), and the modes that they do not show.
    ///
    /// # Errors
    /// As [`StateSpace::controllability`], of which this is the dual.
    pub fn observability(&self) -> Result<Reach, SystemError> {
        self.check()?;
        self.reach(self.a.transpose(), self.c.transpose())
    }

    fn reach(&self, a: DMatrix<f64>, mut b: DMatrix<f64>) -> Result<Reach, SystemError> {
        let n = a.nrows();
        let (a, scales) = balanced(a);
        for (mut row, scale) in b.row_iter_mut().zip(scales.iter()) {
            row /= *scale;
        }
        for mut column in b.column_iter_mut() {
            // by the largest entry first, since squares of large ones overflow
            let largest = column.amax();
            if largest > 0.0 {
                column /= largest;
                column.normalize_mut();
            }
        }
        let unit = if a.is_empty() || a.amax() == 0.0 { 1.0 } else { a.amax() };
        let a = a / unit;
        let size = a.norm();
        let mut reached = DMatrix::<f64>::zeros(n, 0);
        let mut front = b;
        while !front.is_empty() {
            for _ in 0..2 {
                let within = &reached * (reached.transpose() * &front);
                front -= within;
            }
            let found = front.try_svd(true, false, f64::EPSILON, ITERATIONS).ok_or(SystemError::Eigenvalues)?;
            let directions = found.u.ok_or(SystemError::Eigenvalues)?;
            let count = found.singular_values.iter().filter(|&&x| x > TOLERANCE).count().min(n - reached.ncols());
            let next = directions.columns(0, count).clone_owned();
            reached = extended(&reached, &next);
            front = if size > 0.0 { &a * next / size } else { DMatrix::zeros(n, 0) };
        }
        let rank = reached.ncols();
        let hidden = if rank < n { self.hidden(&a, unit, &reached)? } else { Vec::new() };
        Ok(Reach { rank, order: n, hidden })
    }

    /// The modes of A, in these units, beyond an invariant space.
    fn hidden(&self, a: &DMatrix<f64>, unit: f64, reached: &DMatrix<f64>) -> Result<Vec<HiddenMode>, SystemError> {
        let n = a.nrows();
        let left = DMatrix::identity(n, n) - reached * reached.transpose();
        let basis = left.try_svd(true, false, f64::EPSILON, ITERATIONS).and_then(|found| found.u);
        let basis = basis.ok_or(SystemError::Eigenvalues)?.columns(0, n - reached.ncols()).clone_owned();
        let beyond = basis.transpose() * a * &basis;
        let values = eigenvalues(&beyond).ok_or(SystemError::Eigenvalues)?;
        let mut modes = Vec::<HiddenMode>::new();
        for value in values.into_iter().filter(|value| value.im >= 0.0) {
            let complex = |x: f64| Complex { re: x, im: 0.0 };
            let shifted = beyond.map(complex) - DMatrix::identity(beyond.nrows(), beyond.nrows()) * value;
            let found = shifted.try_svd(true, false, f64::EPSILON, ITERATIONS).and_then(|found| found.u);
            let left = found.ok_or(SystemError::Eigenvalues)?;
            // equal poles have vectors of their own
            let close = |mode: &&HiddenMode| (mode.pole.value - value * unit).modulus() <= 1e-6 * unit;
            let again = modes.iter().filter(close).count();
            let vector = basis.map(complex) * left.column(left.ncols() - 1 - again.min(left.ncols() - 1));
            modes.push(HiddenMode { pole: Pole::new(value * unit, self.step), states: self.leading(vector.iter()) });
        }
        modes.sort_by(|x, y| x.pole.frequency().total_cmp(&y.pole.frequency()));
        Ok(modes)
    }

    /// The states with the largest entries.
    fn leading<'v>(&self, vector: impl Iterator<Item = &'v Complex<f64>>) -> Vec<String> {
        let mut shares: Vec<(f64, &String)> = vector.map(|x| x.modulus()).zip(self.states()).collect();
        shares.sort_by(|x, y| y.0.total_cmp(&x.0));
        let most = shares.first().map_or(0.0, |share| share.0);
        shares.into_iter().take_while(|share| share.0 >= SHARE * most).map(|share| share.1.clone()).collect()
    }
}

/// The columns of both.
fn extended(first: &DMatrix<f64>, next: &DMatrix<f64>) -> DMatrix<f64> {
    let n = first.ncols();
    DMatrix::from_fn(first.nrows(), n + next.ncols(), |r, c| if c < n { first[(r, c)] } else { next[(r, c - n)] })
}
