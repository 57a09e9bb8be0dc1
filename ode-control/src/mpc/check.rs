//! What a problem must be before a plan is sought.

use ode_runtime::Name;
use ode_runtime::linalg::nalgebra::{RealField, convert};
use ode_runtime::linalg::{SMatrix, SVector};

use crate::mpc::error::MpcError;
use crate::mpc::hold::{Bound, Range};
use crate::mpc::problem::{MpcEnd, MpcRows, MpcStage, Slack};

/// The names of states, inputs and rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Names<const N: usize, const U: usize, const M: usize> {
    pub(super) states: [Name; N],
    pub(super) inputs: [Name; U],
    pub(super) rows: [Name; M],
}

impl<const N: usize, const U: usize, const M: usize> Names<N, U, M> {
    /// Refuses a stage with numbers that are not finite, weights that are not symmetric, or crossed bounds.
    pub(super) fn check_stage<E: RealField + Copy>(
        &self,
        of: &MpcStage<E, N, U, M>,
        stage: usize,
    ) -> Result<(), MpcError> {
        let Self { states, inputs, .. } = self;
        finite("A", &of.a, states, stage)?;
        finite("B", &of.b, states, stage)?;
        finite("c", &of.c, states, stage)?;
        symmetric("the weight of states", &of.state_weight, states, stage)?;
        symmetric("the weight of inputs", &of.input_weight, inputs, stage)?;
        finite("the reference", &of.state_reference, states, stage)?;
        finite("the reference", &of.input_reference, inputs, stage)?;
        ordered(&of.input_low, &of.input_high, inputs, stage)?;
        self.check_rows(&of.rows, stage)
    }

    /// The same for the end.
    pub(super) fn check_end<E: RealField + Copy>(&self, of: &MpcEnd<E, N, M>, stage: usize) -> Result<(), MpcError> {
        symmetric("the weight of states", &of.weight, &self.states, stage)?;
        finite("the reference", &of.reference, &self.states, stage)?;
        self.check_rows(&of.rows, stage)
    }

    fn check_rows<E: RealField + Copy, const V: usize>(
        &self,
        of: &MpcRows<E, N, V, M>,
        stage: usize,
    ) -> Result<(), MpcError> {
        finite("C", &of.by_state, &self.rows, stage)?;
        finite("D", &of.by_input, &self.rows, stage)?;
        finite("e", &of.offset, &self.rows, stage)?;
        ordered(&of.low, &of.high, &self.rows, stage)
    }

    /// Refuses a state that is not finite, or outside hard rows of the first stage that no input is in.
    pub(super) fn check_start<E: RealField + Copy>(
        &self,
        x: &SVector<E, N>,
        rows: &MpcRows<E, N, U, M>,
        (slacks, little): (&[Option<Slack<E>>; M], E),
    ) -> Result<(), MpcError> {
        finite("the start", x, &self.states, 0)?;
        let value = rows.at(x, &SVector::zeros());
        for i in (0..M).filter(|&i| slacks[i].is_none()) {
            let range = Range { low: rows.low[i], high: rows.high[i], slack: None };
            let terms = (rows.by_state.row(i).abs() * x.abs())[0] + rows.offset[i].abs();
            let round_off = |bound: Bound| little * (terms + range.of(bound).abs());
            let outside = |&bound: &Bound| range.has(bound) && range.beyond(bound, value[i]) > round_off(bound);
            if rows.by_input.row(i).amax() == E::zero() && Bound::BOTH.iter().any(outside) {
                return Err(MpcError::Start { row: self.rows[i] });
            }
        }
        Ok(())
    }
}

/// Refuses a matrix with an entry that is not finite, by the name of its row.
pub(super) fn finite<E: RealField + Copy, const R: usize, const C: usize>(
    what: &'static str,
    matrix: &SMatrix<E, R, C>,
    names: &[Name; R],
    stage: usize,
) -> Result<(), MpcError> {
    match (0..R).find(|&r| !matrix.row(r).iter().all(|x| x.is_finite())) {
        Some(r) => Err(MpcError::NonFinite { what, name: names[r], stage }),
        None => Ok(()),
    }
}

fn symmetric<E: RealField + Copy, const R: usize>(
    what: &'static str,
    matrix: &SMatrix<E, R, R>,
    names: &[Name; R],
    stage: usize,
) -> Result<(), MpcError> {
    finite(what, matrix, names, stage)?;
    let little = convert::<f64, E>(100.0) * E::default_epsilon() * matrix.amax();
    let pairs = (0..R).flat_map(|c| (c + 1..R).map(move |r| (r, c)));
    match pairs.into_iter().find(|&(r, c)| (matrix[(r, c)] - matrix[(c, r)]).abs() > little) {
        Some((r, c)) => Err(MpcError::Asymmetric { what, name: names[r], other: names[c], stage }),
        None => Ok(()),
    }
}

/// Refuses crossed bounds, and those that are NaN or leave no number.
fn ordered<E: RealField + Copy, const R: usize>(
    low: &SVector<E, R>,
    high: &SVector<E, R>,
    names: &[Name; R],
    stage: usize,
) -> Result<(), MpcError> {
    for r in 0..R {
        // −∞ and ∞ are no bounds; on the other side they leave no number
        let lowest = low[r].is_finite() || low[r] < E::zero();
        let highest = high[r].is_finite() || high[r] > E::zero();
        if !(lowest && highest) {
            return Err(MpcError::NonFinite { what: "a bound", name: names[r], stage });
        }
        if low[r] > high[r] {
            return Err(MpcError::Crossed { name: names[r], stage });
        }
    }
    Ok(())
}
