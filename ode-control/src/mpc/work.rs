//! A plan in work: derivatives of its cost, and Newton's step for the bounds that hold or for an interior point.

use ode_runtime::linalg::nalgebra::RealField;
use ode_runtime::linalg::{SMatrix, SVector};

use crate::mpc::hold::{Bound, Hold};
use crate::mpc::knot::{Last, MpcKnot, sizes};
use crate::mpc::limited::{Bounded, Bounds};
use crate::mpc::problem::{MpcRows, Slack};
use crate::stages::{Stage, Value};

/// The knots of a horizon with its end.
#[derive(Debug)]
pub(super) struct Work<'a, E: RealField, const N: usize, const U: usize, const M: usize> {
    pub(super) knots: &'a mut [MpcKnot<E, N, U, M>],
    pub(super) last: &'a mut Last<E, N, M>,
    pub(super) slacks: &'a [Option<Slack<E>>; M],
    /// how many recursions there were
    pub(super) passes: usize,
}

/// How far a plan is from the conditions of an optimum, relative to their terms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Misfit<E> {
    /// of states: A x + B u + c is not the next
    pub(super) defect: E,
    /// of inputs: the cost has a slope
    pub(super) slope: E,
    /// the largest term of a slope
    pub(super) scale: E,
}

/// R + BᵀP B of a stage is not positive definite, or not finite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Indefinite {
    pub(super) stage: usize,
}

impl<E: RealField + Copy, const N: usize, const U: usize, const M: usize> Work<'_, E, N, U, M> {
    /// Does something with the inputs and rows of each stage, and with the rows of the end.
    pub(super) fn each(&mut self, mut visit: impl FnMut(&mut dyn Bounds<E>)) {
        for knot in self.knots.iter_mut() {
            visit(&mut knot.bounded_inputs());
            if M > 0 {
                visit(&mut knot.bounded_rows(self.slacks));
            }
        }
        if M > 0 {
            visit(&mut self.last.bounded_rows(self.slacks));
        }
    }

    /// Values, defects, costates and slopes where the plan is.
    pub(super) fn sweep(&mut self) {
        let Last { end, x, rows, .. } = &mut *self.last;
        rows.value = end.rows.at(x, &SVector::zeros());
        rows.size = end.rows.size(x, &SVector::zeros());
        let mut costate = end.weight * (*x - end.reference) + end.rows.by_state.transpose() * rows.multiplier;
        let mut next = *x;
        for MpcKnot { stage, x, costate: own, defect, slope, inputs, rows, .. } in self.knots.iter_mut().rev() {
            let u = inputs.value;
            inputs.size = u.abs();
            *own = costate;
            *defect = stage.a * *x + stage.b * u + stage.c - next;
            *slope = stage.input_weight * (u - stage.input_reference) + stage.b.transpose() * costate;
            costate = stage.state_weight * (*x - stage.state_reference) + stage.a.transpose() * costate;
            if M > 0 {
                rows.value = stage.rows.at(x, &u);
                rows.size = stage.rows.size(x, &u);
                *slope += stage.rows.by_input.transpose() * rows.multiplier;
                costate += stage.rows.by_state.transpose() * rows.multiplier;
            }
            next = *x;
        }
    }

    /// How far the swept plan is from an optimum, where inputs at bounds have the multipliers that they need.
    ///
    /// At rest all terms are zero, and round-off is relative to the inputs that there might be.
    pub(super) fn misfit(&self) -> Misfit<E> {
        let (mut states, mut terms) = (SVector::<E, N>::zeros(), SVector::<E, U>::zeros());
        let (mut defects, mut slopes) = (SVector::<E, N>::zeros(), SVector::<E, U>::zeros());
        for knot in self.knots.iter() {
            let MpcKnot { stage, x, costate, defect, slope, inputs, .. } = knot;
            states = states.sup(&x.abs());
            defects += defect.abs();
            slopes += (slope + inputs.multiplier).abs();
            let own = stage.input_weight * (inputs.value - stage.input_reference);
            let reach = widths(&stage.input_low, &stage.input_high) * E::default_epsilon();
            terms = terms.sup(&(own.abs() + sizes(&stage.b.transpose(), costate) + sizes(&stage.input_weight, &reach)));
            states = states.sup(&sizes(&stage.b, &reach));
        }
        states = states.sup(&self.last.x.abs());
        Misfit { defect: relative(&defects, &states), slope: relative(&slopes, &terms), scale: terms.amax() }
    }

    /// Newton's step for the weights and slopes of all bounds, with new factors or those of the last one. Inputs that
    /// are held go to their bounds.
    pub(super) fn newton(&mut self, anew: bool) -> Result<(), Indefinite> {
        self.passes += 1;
        let Last { end, x, rows, .. } = &*self.last;
        let (mut xx, by_state) = (end.weight, &end.rows.by_state);
        let slope = end.weight * (x - end.reference) + by_state.transpose() * rows.slope;
        if M > 0 {
            xx += by_state.transpose() * weighted(&rows.weight, by_state);
        }
        let mut left = Value { xx, x: slope };
        for (k, knot) in self.knots.iter_mut().enumerate().rev() {
            let stage = knot.newton_stage();
            if anew {
                if !stage.best(&mut left, &mut knot.policy) {
                    return Err(Indefinite { stage: k });
                }
            } else {
                left.x = knot.policy.again(&stage, left.x);
            }
        }
        if !left.is_finite() {
            return Err(Indefinite { stage: 0 });
        }
        let mut dx = SVector::zeros();
        for MpcKnot { stage, dx: own, du, defect, policy, .. } in self.knots.iter_mut() {
            *own = dx;
            *du = policy.at(&dx);
            dx = stage.a * dx + stage.b * *du + *defect;
        }
        self.last.dx = dx;
        Ok(())
    }

    /// Goes a part of the step, without multipliers.
    pub(super) fn advance(&mut self, part: E) {
        for knot in self.knots.iter_mut() {
            knot.x += knot.dx * part;
            knot.inputs.value += knot.du * part;
        }
        self.last.x += self.last.dx * part;
    }
}

impl<E: RealField + Copy, const N: usize, const U: usize, const M: usize> MpcKnot<E, N, U, M> {
    pub(super) fn bounded_inputs(&mut self) -> Bounded<'_, E, U> {
        let Self { stage, inputs, du, .. } = self;
        Bounded { of: inputs, low: &stage.input_low, high: &stage.input_high, slacks: None, by: *du }
    }

    pub(super) fn bounded_rows<'a>(&'a mut self, slacks: &'a [Option<Slack<E>>; M]) -> Bounded<'a, E, M> {
        let Self { stage: of, rows, dx, du, .. } = self;
        let by = of.rows.by_state * *dx + of.rows.by_input * *du;
        Bounded { of: rows, low: &of.rows.low, high: &of.rows.high, slacks: Some(slacks), by }
    }

    /// The stage of the changes in a step.
    fn newton_stage(&self) -> Stage<E, N, U> {
        let Self { stage: of, x, defect, inputs, rows, .. } = self;
        let mut stage = Stage {
            a: of.a,
            b: of.b,
            c: *defect,
            xx: of.state_weight,
            ux: SMatrix::zeros(),
            uu: of.input_weight,
            x: of.state_weight * (x - of.state_reference),
            u: of.input_weight * (inputs.value - of.input_reference) + inputs.slope,
        };
        for i in 0..U {
            stage.uu[(i, i)] += inputs.weight[i];
        }
        if M > 0 {
            let MpcRows { by_state, by_input, .. } = &of.rows;
            let (states, driven) = (weighted(&rows.weight, by_state), weighted(&rows.weight, by_input));
            stage.xx += by_state.transpose() * states;
            stage.ux += by_input.transpose() * states;
            stage.uu += by_input.transpose() * driven;
            stage.x += by_state.transpose() * rows.slope;
            stage.u += by_input.transpose() * rows.slope;
        }
        for i in 0..U {
            if let Hold::At(bound) = inputs.hold[i] {
                let to = if bound == Bound::Low { of.input_low[i] } else { of.input_high[i] };
                pin(&mut stage, i, to - inputs.value[i]);
            }
        }
        stage
    }
}

impl<E: RealField + Copy, const N: usize, const M: usize> Last<E, N, M> {
    pub(super) fn bounded_rows<'a>(&'a mut self, slacks: &'a [Option<Slack<E>>; M]) -> Bounded<'a, E, M> {
        let Self { end, rows, dx, .. } = self;
        let by = end.rows.by_state * *dx;
        Bounded { of: rows, low: &end.rows.low, high: &end.rows.high, slacks: Some(slacks), by }
    }
}

impl<E: RealField + Copy, const N: usize, const U: usize, const M: usize> MpcRows<E, N, U, M> {
    /// What the rows are the sums of, at most.
    fn size(&self, x: &SVector<E, N>, u: &SVector<E, U>) -> SVector<E, M> {
        sizes(&self.by_state, x) + sizes(&self.by_input, u) + self.offset.abs()
    }
}

/// Changes input i by `by`, whatever it costs: the others and the motion see a known number.
fn pin<E: RealField + Copy, const N: usize, const U: usize>(stage: &mut Stage<E, N, U>, i: usize, by: E) {
    stage.c += stage.b.column(i) * by;
    stage.x += stage.ux.row(i).transpose() * by;
    stage.u += stage.uu.column(i) * by;
    stage.b.column_mut(i).fill(E::zero());
    stage.ux.row_mut(i).fill(E::zero());
    stage.uu.row_mut(i).fill(E::zero());
    stage.uu.column_mut(i).fill(E::zero());
    stage.uu[(i, i)] = E::one();
    stage.u[i] = -by;
}

/// The sizes of bounds that are there.
fn widths<E: RealField + Copy, const K: usize>(low: &SVector<E, K>, high: &SVector<E, K>) -> SVector<E, K> {
    let size = |bound: E| if bound.is_finite() { bound.abs() } else { E::zero() };
    low.map(size) + high.map(size)
}

/// Each row of the matrix times its weight.
fn weighted<E: RealField + Copy, const R: usize, const C: usize>(
    weight: &SVector<E, R>,
    matrix: &SMatrix<E, R, C>,
) -> SMatrix<E, R, C> {
    SMatrix::from_fn(|r, c| weight[r] * matrix[(r, c)])
}

/// The largest number relative to its scale. NaN stays NaN.
fn relative<E: RealField + Copy, const K: usize>(numbers: &SVector<E, K>, scales: &SVector<E, K>) -> E {
    numbers.iter().zip(scales).fold(
        E::zero(),
        |sum, (&number, &scale)| {
            if number == E::zero() { sum } else { sum + number / scale }
        },
    )
}
