//! A stage, the cost that is left after it, and its best inputs.

use ode_runtime::linalg::nalgebra::{RealField, convert};
use ode_runtime::linalg::{SMatrix, SVector};

use crate::stages::factor::Factor;
use crate::stages::product::{add_outer, add_product, negate, times, transposed_times};

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

/// The second derivatives of a stage with the cost that is left after it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Joined<E: RealField, const N: usize, const U: usize> {
    /// R + BᵀP B
    pub(crate) uu: SMatrix<E, U, U>,
    /// (S + BᵀP A)ᵀ
    pub(crate) xu: SMatrix<E, N, U>,
    /// Aᵀ
    pub(crate) transposed: SMatrix<E, N, N>,
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
        let mut next = self.c;
        add_product(&mut next, &self.a, x);
        add_product(&mut next, &self.b, u);
        next
    }

    /// Writes the best inputs where `left` is what is left afterwards, which becomes what is left before.
    ///
    /// Returns false, and writes nothing, if R + BᵀP B is not positive definite, or not finite.
    pub(crate) fn best(&self, left: &mut Value<E, N>, policy: &mut Policy<E, N, U>) -> bool {
        let mut joined = self.joined(left);
        let Some(factor) = Factor::of(&joined.uu) else { return false };
        factor.solve_rows(&mut joined.xu);
        negate(&mut joined.xu);
        (policy.gain, policy.factor, policy.end.xx) = (joined.xu.transpose(), factor, left.xx);
        left.x = policy.again(self, left.x);
        self.close(left, &mut joined.transposed, &joined.xu);
        true
    }

    /// The stage with what is left after it.
    pub(crate) fn joined(&self, end: &Value<E, N>) -> Joined<E, N, U> {
        let Self { a, b, ux, uu, .. } = self;
        let mut joined = Joined { uu: *uu, xu: ux.transpose(), transposed: a.transpose() };
        let mut pb = SMatrix::zeros();
        add_product(&mut pb, &end.xx, b);
        add_product(&mut joined.uu, &b.transpose(), &pb);
        add_product(&mut joined.xu, &joined.transposed, &pb);
        joined
    }

    /// Makes P after the stage that before it, where inputs follow a feedback K x: `rows` is Kᵀ, and `closed` Aᵀ, which
    /// becomes (A + B K)ᵀ.
    pub(crate) fn close(&self, left: &mut Value<E, N>, closed: &mut SMatrix<E, N, N>, rows: &SMatrix<E, N, U>) {
        let Self { b, xx, ux, uu, .. } = self;
        // as a sum of squares, which keeps it definite: (A + B K)ᵀP (A + B K) + [1 Kᵀ] [Q Sᵀ; S R] [1; K]
        add_outer(closed, rows, b);
        let mut weighted = SMatrix::zeros();
        add_product(&mut weighted, closed, &left.xx);
        left.xx = *xx;
        add_outer(&mut left.xx, &weighted, closed);
        // Kᵀ(R K + 2 S), of which the symmetric half is that of the sum
        let mut of_inputs = ux.transpose() * convert::<f64, E>(2.0);
        add_product(&mut of_inputs, rows, uu);
        add_outer(&mut left.xx, rows, &of_inputs);
        // that half, which also keeps round-off of the other one from growing from stage to stage
        for c in 0..N {
            for r in 0..c {
                let mean = (left.xx[(r, c)] + left.xx[(c, r)]) * convert::<f64, E>(0.5);
                (left.xx[(r, c)], left.xx[(c, r)]) = (mean, mean);
            }
        }
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
        let mut costate = self.x;
        add_product(&mut costate, &self.xx, x);
        costate
    }
}

impl<E: RealField + Copy, const N: usize, const U: usize> Policy<E, N, U> {
    /// No input, before anything has been solved.
    pub(crate) fn none() -> Self {
        Self { gain: SMatrix::zeros(), push: SVector::zeros(), factor: Factor::none(), end: Value::zero() }
    }

    /// The inputs at x.
    pub(crate) fn at(&self, x: &SVector<E, N>) -> SVector<E, U> {
        let mut inputs = self.push;
        add_product(&mut inputs, &self.gain, x);
        inputs
    }

    /// Solves again for the c, q and r of a stage with the same matrices, and for p at its end; returns p before it.
    pub(crate) fn again(&mut self, stage: &Stage<E, N, U>, end: SVector<E, N>) -> SVector<E, N> {
        let rate = end + times(&self.end.xx, &stage.c);
        let slope = stage.u + transposed_times(&stage.b, &rate);
        self.end.x = end;
        self.push = -self.factor.solve(slope);
        stage.x + transposed_times(&stage.a, &rate) + transposed_times(&self.gain, &slope)
    }
}
