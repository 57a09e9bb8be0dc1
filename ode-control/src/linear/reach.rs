//! Controllability and observability.

use core::cmp::Reverse;
use core::fmt;

use ode_runtime::linalg::nalgebra::ComplexField;
use ode_runtime::linalg::{Complex, DMatrix};

use crate::linear::pole::Pole;
use crate::linear::state_space::StateSpace;
use crate::linear::system_error::SystemError;
use crate::matrix::reached::{Reached, UNREACHED, Unreached};

/// A state takes part in a mode if its share is at least this fraction of the largest.
const SHARE: f64 = 0.3;
/// Shares that differ by less than this fraction of the largest are equal.
const EQUAL: f64 = 1e-6;

/// How far inputs reach into the states of a system, or states into its outputs.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Reach {
    /// the dimension of what is reached
    pub rank: usize,
    /// the number of states
    pub order: usize,
    /// the modes that are not reached; of a conjugate pair only the one above the real axis, so that there are n − rank
    /// of them if all are real, and fewer otherwise
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
    /// by A times its last vectors, as long as these have a remainder of more than 10⁻¹⁰ of the norm of A (pivots): the
    /// staircase of Paige, 1981.
    ///
    /// # Errors
    /// [`SystemError::Eigenvalues`] if an iteration did not converge; matrices that do not fit or are not finite.
    pub fn controllability(&self) -> Result<Reach, SystemError> {
        self.check()?;
        self.reach(&self.a, &self.b)
    }

    /// What outputs show: the rank of (C; C A; C A²; …), and the modes that they do not show.
    ///
    /// # Errors
    /// As [`StateSpace::controllability`], of which this is the dual.
    pub fn observability(&self) -> Result<Reach, SystemError> {
        self.check()?;
        self.reach(&self.a.transpose(), &self.c.transpose())
    }

    fn reach(&self, a: &DMatrix<f64>, b: &DMatrix<f64>) -> Result<Reach, SystemError> {
        let reached = Reached::of(a, b, UNREACHED).ok_or(SystemError::Eigenvalues)?;
        let hidden = reached.hidden().ok_or(SystemError::Eigenvalues)?.into_iter();
        let named = |mode: Unreached| HiddenMode {
            pole: Pole::new(mode.pole, self.step),
            states: self.leading(mode.vector.iter()),
        };
        let mut hidden: Vec<HiddenMode> = hidden.map(named).collect();
        hidden.sort_by(|x, y| x.pole.frequency().total_cmp(&y.pole.frequency()));
        Ok(Reach { rank: reached.rank, order: a.nrows(), hidden })
    }

    /// The states with the largest entries; those with equal ones in their own order.
    fn leading<'v>(&self, vector: impl Iterator<Item = &'v Complex<f64>>) -> Vec<String> {
        let shares: Vec<(f64, &String)> = vector.map(|x| x.modulus()).zip(self.states()).collect();
        let most = shares.iter().fold(0.0, |most: f64, share| most.max(share.0));
        let mut leading: Vec<(f64, &String)> = shares.into_iter().filter(|share| share.0 >= SHARE * most).collect();
        // equal but for round-off
        leading.sort_by_key(|share| Reverse((share.0 / most / EQUAL).round() as u64));
        leading.into_iter().map(|share| share.1.clone()).collect()
    }
}
