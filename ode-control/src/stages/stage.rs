//! A stage, the cost that is left after it, and its best inputs.

use ode_runtime::linalg::nalgebra::{RealField, convert};
use ode_runtime::linalg::{SMatrix, SVector};

use crate::stages::factor::Factor;
use crate::stages::product::{product, transposed_product};

/// A stage x⁺ = A x + B u + c with N states, U inputs and the cost ½ xᵀQ x + uᵀS x + ½ uᵀR u + qᵀx + rᵀu.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(not(feature = "std"), allow(unreachable_pub, reason = "a bound of what needs the standard library"))]
pub struct Stage<E: RealField, const N: usize, const U: usize> {
    /// A
    pub(crate) a: SMatrix<E, N, N>,
    /// B
    pub(crate) b: SMatrix<E, N, U>,
    /// c
    pub(crate) c: SVector<E, N>,
    /// Q, symmetric
    pub(crate) xx: SMatrix<E, N, N>,
    /// S
    pub(crate) ux: SMatrix<E, U, N>,
    /// R, symmetric
    pub(crate) uu: SMatrix<E, U, U>,
    /// q
    pub(crate) x: SVector<E, N>,
    /// r
    pub(crate) u: SVector<E, U>,
}

/// The cost ½ xᵀP x + pᵀx that is left, but for a constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Value<E: RealField, const N: usize> {
    /// P, symmetric
    pub(crate) xx: SMatrix<E, N, N>,
    /// p
    pub(crate) x: SVector<E, N>,
}

/// The best inputs of a stage, and what is needed to find them for other c, q and r.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Policy<E: RealField, const N: usize, const U: usize> {
    /// K of u = K x + k
    pub(crate) gain: SMatrix<E, U, N>,
    /// k
    pub(crate) push: SVector<E, U>,
    /// of R + BᵀP B
    pub(crate) factor: Factor<E, U>,
    /// what is left at the end of the stage
    pub(crate) end: Value<E, N>,
}

impl<E: RealField + Copy, const N: usize, const U: usize> Stage<E, N, U> {
    /// A stage that costs nothing and ends at zero.
    pub(crate) fn zero() -> Self {
        let (xx, x) = (SMatrix::zeros(), SVector::zeros());
        Self {
            a: xx,
            b: SMatrix::zeros(),
            c: x,
            xx,
            ux: SMatrix::zeros(),
            uu: SMatrix::zeros(),
            x,
            u: SVector::zeros(),
        }
    }

    /// Takes the second derivatives out.
    pub(crate) fn clear_second(&mut self) {
        (self.xx, self.ux, self.uu) = (SMatrix::zeros(), SMatrix::zeros(), SMatrix::zeros());
    }

    /// Adds to the second derivative by two entries of (x, u); that by x and u has its place at (u, x).
    pub(crate) fn add_second(&mut self, (r, c): (usize, usize), value: E) {
        match (r < N, c < N) {
            (true, true) => self.xx[(r, c)] += value,
            (false, true) => self.ux[(r - N, c)] += value,
            (false, false) => self.uu[(r - N, c - N)] += value,
            (true, false) => {}
        }
    }

    /// The state at its end.
    pub(crate) fn next(&self, x: &SVector<E, N>, u: &SVector<E, U>) -> SVector<E, N> {
        self.a * x + self.b * u + self.c
    }

    /// The best inputs where `end` is what is left afterwards, and what is left before.
    ///
    /// `None` if R + BᵀP B is not positive definite, or not finite.
    pub(crate) fn best(&self, end: &Value<E, N>) -> Option<(Policy<E, N, U>, Value<E, N>)> {
        let (uu, ux) = self.of_inputs(end);
        let factor = Factor::of(&uu)?;
        let gain = -factor.solve(ux);
        let mut policy = Policy { gain, push: SVector::zeros(), factor, end: *end };
        let x = policy.again(self, end.x);
        Some((policy, Value { xx: self.closed(end, &gain), x }))
    }

    /// R + BᵀP B and S + BᵀP A: what inputs cost, with what is left afterwards.
    pub(crate) fn of_inputs(&self, end: &Value<E, N>) -> (SMatrix<E, U, U>, SMatrix<E, U, N>) {
        let Self { a, b, ux, uu, .. } = self;
        let pb = product(&end.xx, b);
        (uu + transposed_product(b, &pb), ux + transposed_product(&pb, a))
    }

    /// P before the stage, where inputs follow a feedback K x.
    pub(crate) fn closed(&self, end: &Value<E, N>, gain: &SMatrix<E, U, N>) -> SMatrix<E, N, N> {
        let Self { a, b, xx, ux, uu, .. } = self;
        // as a sum of squares, which keeps it definite: (A + B K)ᵀP (A + B K) + [1 Kᵀ] [Q Sᵀ; S R] [1; K]
        let closed = a + product(b, gain);
        let crossed = transposed_product(gain, ux);
        let left = transposed_product(&closed, &product(&end.xx, &closed)) + xx;
        let left = left + transposed_product(gain, &product(uu, gain)) + crossed + crossed.transpose();
        // round-off of either half would grow from stage to stage
        (left + left.transpose()) * convert::<f64, E>(0.5)
    }
}

impl<E: RealField + Copy, const N: usize> Value<E, N> {
    /// Nothing is left.
    pub(crate) fn zero() -> Self {
        Self { xx: SMatrix::zeros(), x: SVector::zeros() }
    }

    /// Whether all of its numbers are finite.
    pub(crate) fn is_finite(&self) -> bool {
        // without an early end, so that several are looked at together
        let all = |numbers: &[E]| numbers.iter().fold(true, |all, x| all & x.is_finite());
        all(self.xx.as_slice()) && all(self.x.as_slice())
    }

    /// P x + p: the costate, which is the cost of a change of x.
    pub(crate) fn gradient(&self, x: &SVector<E, N>) -> SVector<E, N> {
        self.xx * x + self.x
    }
}

impl<E: RealField + Copy, const N: usize, const U: usize> Policy<E, N, U> {
    /// No input, before anything has been solved.
    pub(crate) fn none() -> Self {
        Self { gain: SMatrix::zeros(), push: SVector::zeros(), factor: Factor::none(), end: Value::zero() }
    }

    /// The inputs at x.
    pub(crate) fn at(&self, x: &SVector<E, N>) -> SVector<E, U> {
        self.gain * x + self.push
    }

    /// Solves again for the c, q and r of a stage with the same matrices, and for p at its end; returns p before it.
    pub(crate) fn again(&mut self, stage: &Stage<E, N, U>, end: SVector<E, N>) -> SVector<E, N> {
        let rate = end + self.end.xx * stage.c;
        let slope = stage.u + stage.b.transpose() * rate;
        self.end.x = end;
        self.push = -self.factor.solve(slope);
        stage.x + stage.a.transpose() * rate + self.gain.transpose() * slope
    }
}
