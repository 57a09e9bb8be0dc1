//! Rotations as variables: the turn θ from the state of the guess at a node.
//!
//! A transcription knows derivatives by turns of a state where it stands; variables turn it by T(θ). The end of an
//! interval has a turn from the guess as well, of the rate T(θ)⁻¹, so that rows are differences of numbers.

use ode_runtime::Sensitive;
use ode_runtime::linalg::SVector;

use crate::optimal::turn::{Three, Turn};
use crate::stages::Stage;

/// The rotations of a state, each with its turn from the guess.
#[derive(Clone, Debug)]
pub(super) struct Chart {
    turns: Vec<(Turn, [f64; 3])>,
}

fn symmetric(x: Three) -> Three {
    (x + x.transpose()) * 0.5
}

impl Chart {
    /// At a state with these numbers, by its directions.
    pub(super) fn of<S: Sensitive>(system: &S, numbers: &[f64]) -> Self {
        Self { turns: Turn::all(system).into_iter().map(|turn| (turn, turn.of(numbers))).collect() }
    }

    /// Slopes by variables, of slopes by the state.
    pub(super) fn to_variables<const N: usize>(&self, mut slopes: SVector<f64, N>) -> SVector<f64, N> {
        for (turn, step) in &self.turns {
            let own = turn.tangent(step).tr_mul(&slopes.fixed_rows::<3>(turn.at));
            slopes.fixed_rows_mut::<3>(turn.at).copy_from(&own);
        }
        slopes
    }

    /// The reverse: slopes by the state, of slopes by variables.
    pub(super) fn to_state<const N: usize>(&self, mut slopes: SVector<f64, N>) -> SVector<f64, N> {
        for (turn, step) in &self.turns {
            let own = turn.rate(step).tr_mul(&slopes.fixed_rows::<3>(turn.at));
            slopes.fixed_rows_mut::<3>(turn.at).copy_from(&own);
        }
        slopes
    }

    /// Makes the end of a stage the numbers of a state with this chart, whose multipliers are these.
    pub(super) fn end<const N: usize, const U: usize>(&self, y: &SVector<f64, N>, stage: &mut Stage<f64, N, U>) {
        for (turn, step) in &self.turns {
            let rate = turn.rate(step);
            let bent = symmetric(turn.bend_rate(step, &turn.of(y.as_slice())) * rate);
            let (a, b) = (stage.a.fixed_rows::<3>(turn.at).into_owned(), stage.b.fixed_rows::<3>(turn.at).into_owned());
            stage.xx += a.transpose() * bent * a;
            stage.ux += b.transpose() * bent * a;
            stage.uu += b.transpose() * bent * b;
            stage.a.fixed_rows_mut::<3>(turn.at).copy_from(&(rate * a));
            stage.b.fixed_rows_mut::<3>(turn.at).copy_from(&(rate * b));
        }
    }

    /// Makes the beginning of a stage the variables of a state with this chart, where the Lagrangian has these slopes
    /// by the state.
    pub(super) fn begin<const N: usize, const U: usize>(&self, slopes: &SVector<f64, N>, stage: &mut Stage<f64, N, U>) {
        for (turn, step) in &self.turns {
            let (at, tangent) = (turn.at, turn.tangent(step));
            let columns = stage.a.fixed_columns::<3>(at) * tangent;
            stage.a.fixed_columns_mut::<3>(at).copy_from(&columns);
            let columns = stage.ux.fixed_columns::<3>(at) * tangent;
            stage.ux.fixed_columns_mut::<3>(at).copy_from(&columns);
            let columns = stage.xx.fixed_columns::<3>(at) * tangent;
            stage.xx.fixed_columns_mut::<3>(at).copy_from(&columns);
            let rows = tangent.tr_mul(&stage.xx.fixed_rows::<3>(at));
            stage.xx.fixed_rows_mut::<3>(at).copy_from(&rows);
            let mut own = stage.xx.fixed_view_mut::<3, 3>(at, at);
            own += symmetric(turn.bend_tangent(step, &turn.of(slopes.as_slice())));
        }
    }
}
