//! What a plan needs of each stage: its problem, and where the plan is.

use ode_runtime::linalg::nalgebra::RealField;
use ode_runtime::linalg::{SMatrix, SVector};

use crate::mpc::limited::Limited;
use crate::mpc::problem::{MpcEnd, MpcStage};
use crate::stages::Policy;

/// A stage of the horizon with room for its part of the plan: an array or a slice of these is the storage of an
/// [`Mpc`](crate::Mpc).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MpcKnot<E: RealField, const N: usize, const U: usize, const M: usize> {
    /// the problem of the stage
    pub stage: MpcStage<E, N, U, M>,
    /// the state where it begins
    pub(super) x: SVector<E, N>,
    /// its change in a step
    pub(super) dx: SVector<E, N>,
    /// of the state where it ends: what a change of that state costs
    pub(super) costate: SVector<E, N>,
    /// A x + B u + c minus the state where it ends
    pub(super) defect: SVector<E, N>,
    /// the derivative of the cost by its inputs along the motion, without the multipliers of their bounds
    pub(super) slope: SVector<E, U>,
    pub(super) inputs: Limited<E, U>,
    pub(super) rows: Limited<E, M>,
    pub(super) policy: Policy<E, N, U>,
    /// the inputs' changes in a step
    pub(super) du: SVector<E, U>,
    /// state and inputs that an interior point has found, while something better is tried
    pub(super) found: (SVector<E, N>, SVector<E, U>),
}

/// The end of the horizon with its part of the plan.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Last<E: RealField, const N: usize, const M: usize> {
    pub(super) end: MpcEnd<E, N, M>,
    pub(super) x: SVector<E, N>,
    pub(super) dx: SVector<E, N>,
    pub(super) rows: Limited<E, M>,
    pub(super) found: SVector<E, N>,
}

impl<E: RealField + Copy, const N: usize, const U: usize, const M: usize> MpcKnot<E, N, U, M> {
    /// Of this stage, without a plan.
    pub fn new(stage: MpcStage<E, N, U, M>) -> Self {
        let (x, u) = (SVector::zeros(), SVector::zeros());
        let (inputs, rows, policy) = (Limited::none(), Limited::none(), Policy::none());
        Self { stage, x, dx: x, costate: x, defect: x, slope: u, inputs, rows, policy, du: u, found: (x, u) }
    }

    /// Of a stage of zeros, without a plan.
    pub fn none() -> Self {
        Self::new(MpcStage::none())
    }

    /// Takes over the plan of the next stage, with what holds it or without.
    pub(super) fn follow(&mut self, later: &Self, held: bool) {
        self.x = later.x;
        self.inputs.value = later.inputs.value;
        if held {
            self.inputs.follow(&later.inputs);
            self.rows.follow(&later.rows);
        }
    }
}

impl<E: RealField + Copy, const N: usize, const M: usize> Last<E, N, M> {
    pub(super) fn none() -> Self {
        let x = SVector::zeros();
        Self { end: MpcEnd::none(), x, dx: x, rows: Limited::none(), found: x }
    }
}

/// Σ |entries| of each row times the size of the number that it multiplies.
pub(super) fn sizes<E: RealField + Copy, const R: usize, const C: usize>(
    matrix: &SMatrix<E, R, C>,
    x: &SVector<E, C>,
) -> SVector<E, R> {
    matrix.abs() * x.abs()
}
