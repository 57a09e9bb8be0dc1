//! The problem of a horizon, as its user writes it.

use ode_runtime::linalg::nalgebra::{RealField, convert};
use ode_runtime::linalg::{SMatrix, SVector};

/// M rows low ≤ C x + D u + e ≤ high, of N states and U inputs. Rows without bounds, which are there before any is
/// set, ask for nothing.
///
/// Those of a model's `limit`s, linearised about a state x̄ and inputs ū, have its Jacobian as C and D, and
/// e = h(x̄, ū) − C x̄ − D ū: [`MpcRows::linearized`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MpcRows<E: RealField, const N: usize, const U: usize, const M: usize> {
    /// C, M × N
    pub by_state: SMatrix<E, M, N>,
    /// D, M × U
    pub by_input: SMatrix<E, M, U>,
    /// e
    pub offset: SVector<E, M>,
    /// the lowest values, −∞ where there is none
    pub low: SVector<E, M>,
    /// the highest values, ∞ where there is none
    pub high: SVector<E, M>,
}

/// A stage of the horizon: x⁺ = A x + B u + c, the cost ½ (x − x_r)ᵀQ (x − x_r) + ½ (u − u_r)ᵀR (u − u_r), bounds of
/// inputs and rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MpcStage<E: RealField, const N: usize, const U: usize, const M: usize> {
    /// A
    pub a: SMatrix<E, N, N>,
    /// B
    pub b: SMatrix<E, N, U>,
    /// c, which is not zero in a linearisation about a state that does not rest
    pub c: SVector<E, N>,
    /// Q, symmetric and positive semidefinite
    pub state_weight: SMatrix<E, N, N>,
    /// R, symmetric and positive definite
    pub input_weight: SMatrix<E, U, U>,
    /// x_r
    pub state_reference: SVector<E, N>,
    /// u_r
    pub input_reference: SVector<E, U>,
    /// the lowest inputs, −∞ where there are none
    pub input_low: SVector<E, U>,
    /// the highest inputs, ∞ where there are none
    pub input_high: SVector<E, U>,
    /// rows of the state where the stage begins, and of its inputs
    pub rows: MpcRows<E, N, U, M>,
}

/// The end of the horizon: the cost ½ (x − x_r)ᵀP (x − x_r) and rows of the last state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MpcEnd<E: RealField, const N: usize, const M: usize> {
    /// P, symmetric and positive semidefinite
    pub weight: SMatrix<E, N, N>,
    /// x_r
    pub reference: SVector<E, N>,
    /// rows of the last state
    pub rows: MpcRows<E, N, 0, M>,
}

/// What it costs to leave the bounds of a row by ε: w₁ ε + ½ w₂ ε².
///
/// With a w₁ above the multiplier that the row would have, bounds are kept wherever they can be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slack<E> {
    /// w₁, not negative
    pub linear: E,
    /// w₂, not negative; one of them is positive
    pub quadratic: E,
}

impl<E: RealField + Copy, const N: usize, const U: usize, const M: usize> MpcRows<E, N, U, M> {
    /// Rows of zeros without bounds.
    pub fn none() -> Self {
        Self {
            by_state: SMatrix::zeros(),
            by_input: SMatrix::zeros(),
            offset: SVector::zeros(),
            low: SVector::repeat(-infinity::<E>()),
            high: SVector::repeat(infinity::<E>()),
        }
    }

    /// Rows with the values `h` and the Jacobian C, D at the state `x` with the inputs `u`, and these bounds.
    pub fn linearized(
        h: &SVector<E, M>,
        (by_state, by_input): (SMatrix<E, M, N>, SMatrix<E, M, U>),
        (x, u): (&SVector<E, N>, &SVector<E, U>),
        (low, high): (SVector<E, M>, SVector<E, M>),
    ) -> Self {
        Self { by_state, by_input, offset: h - by_state * x - by_input * u, low, high }
    }

    /// C x + D u + e.
    pub fn at(&self, x: &SVector<E, N>, u: &SVector<E, U>) -> SVector<E, M> {
        self.by_state * x + self.by_input * u + self.offset
    }
}

impl<E: RealField + Copy, const N: usize, const U: usize, const M: usize> MpcStage<E, N, U, M> {
    /// A stage of zeros, without bounds.
    pub fn none() -> Self {
        Self {
            a: SMatrix::zeros(),
            b: SMatrix::zeros(),
            c: SVector::zeros(),
            state_weight: SMatrix::zeros(),
            input_weight: SMatrix::zeros(),
            state_reference: SVector::zeros(),
            input_reference: SVector::zeros(),
            input_low: SVector::repeat(-infinity::<E>()),
            input_high: SVector::repeat(infinity::<E>()),
            rows: MpcRows::none(),
        }
    }

    /// The cost of a state and inputs.
    pub(super) fn cost(&self, x: &SVector<E, N>, u: &SVector<E, U>) -> E {
        let (x, u) = (x - self.state_reference, u - self.input_reference);
        (x.dot(&(self.state_weight * x)) + u.dot(&(self.input_weight * u))) * convert::<f64, E>(0.5)
    }
}

impl<E: RealField + Copy, const N: usize, const M: usize> MpcEnd<E, N, M> {
    /// An end without cost and bounds.
    pub fn none() -> Self {
        Self { weight: SMatrix::zeros(), reference: SVector::zeros(), rows: MpcRows::none() }
    }

    /// The cost of a state.
    pub(super) fn cost(&self, x: &SVector<E, N>) -> E {
        let x = x - self.reference;
        x.dot(&(self.weight * x)) * convert::<f64, E>(0.5)
    }
}

impl<E: RealField + Copy> Slack<E> {
    /// What it costs to leave the bounds by `by`, if that is positive.
    pub(super) fn cost(&self, by: E) -> E {
        let by = by.max(E::zero());
        (self.linear + self.quadratic * by * convert::<f64, E>(0.5)) * by
    }
}

/// ∞, which nalgebra's numbers have no name for.
fn infinity<E: RealField + Copy>() -> E {
    convert(f64::INFINITY)
}
