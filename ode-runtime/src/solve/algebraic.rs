//! Algebraic variables: 0 = F(t, q, v, z, u) for the last entries of z.
//!
//! Newton's method from the present values, with F and ∂F/∂y of the model. A step that does not reduce F is halved:
//! along Newton's direction every row falls at first, but an exponential overshoots. A saddle matrix of everything
//! would solve for the accelerations again in each iteration.

use crate::error::{Cause, Name, Quantity};
use crate::linalg::{Singular, Square};
use crate::model::layout::{Block, Layout};
use crate::model::state::{Moment, copy};
use crate::model::system::At;
use crate::numbers::field::Field;
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::context::Work;
use crate::solve::solvable::Solvable;

/// Iterations after which no solution near the start is assumed.
const ITERATIONS: u32 = 100;
/// Halvings of a step.
const HALVINGS: u32 = 40;

/// F and ∂F/∂y at a point.
#[derive(Debug)]
pub(crate) struct Laws<S: Solvable> {
    matrix: S::Algebra,
    /// room for the nonzeros as the model writes them: `matrix` takes each at its place, and loses what it holds first
    room: S::Algebra,
}

impl<S: Solvable> Laws<S> {
    pub(crate) fn new(layout: &Layout<'_>) -> Self {
        Self { matrix: S::Algebra::new(layout), room: S::Algebra::new(layout) }
    }

    /// Writes F to `values`, and takes ∂F/∂y or its transpose as the matrix.
    pub(crate) fn evaluate(&mut self, system: &S, at: At<'_, S>, transposed: bool, values: &mut [S::Real]) {
        let pattern = system.layout().algebraic_jacobian;
        let (nonzeros, _) = self.room.room(pattern.nnz());
        system.algebraic(at, values, nonzeros);
        self.matrix.clear();
        for ((row, column), &value) in pattern.entries().zip(nonzeros.iter()) {
            let (row, column) = if transposed { (column, row) } else { (row, column) };
            self.matrix.set(row, column, value);
        }
    }

    /// The right-hand side, replaced by the solution.
    pub(crate) fn rhs(&mut self) -> &mut [S::Real] {
        self.matrix.rhs()
    }

    /// Solves for the right-hand side.
    pub(crate) fn solve(&mut self) -> Result<(), Singular> {
        self.matrix.solve()
    }
}

/// Storage for the solves.
#[derive(Debug)]
pub(crate) struct Algebraic<S: Solvable> {
    /// the states, with the last solution
    pub(crate) z: S::Z,
    from: S::Z,
    step: S::Z,
    values: S::Z,
    laws: Laws<S>,
}

impl<S: Solvable> Algebraic<S> {
    pub(crate) fn new(layout: &Layout<'_>) -> Self {
        let z = || S::Z::zeros(layout.z.len());
        Self { z: z(), from: z(), step: z(), values: z(), laws: Laws::new(layout) }
    }

    /// Writes the states of `at` to `z`, with algebraic variables that satisfy their equations.
    #[inline]
    pub(crate) fn solve(&mut self, system: &S, at: Moment<'_, S>, u: &S::U, work: &mut Work) -> Result<(), Cause> {
        copy(at.z, &mut self.z);
        if system.layout().algebraic == 0 { Ok(()) } else { self.iterate(system, at, u, work) }
    }

    #[inline(never)]
    fn iterate(&mut self, system: &S, at: Moment<'_, S>, u: &S::U, work: &mut Work) -> Result<(), Cause> {
        let layout = system.layout();
        let name = |i: usize| Name::of(layout.z, layout.differential() + i);
        let mut off = self.evaluate(system, at, u)?;
        for _ in 0..ITERATIONS {
            work.iterations += 1;
            if let Err(singular) = self.laws.solve() {
                return Err(Cause::Singular { unknown: Quantity::Algebraic, name: name(singular.index) });
            }
            let (size, worst) = self.correction(&layout);
            if !size.is_finite() {
                return Err(Cause::NonFinite { quantity: Quantity::Algebraic, name: name(worst) });
            }
            match self.advance(system, at, u, off) {
                Some(next) => off = next,
                // at round-off nothing falls any more
                None if size <= S::Real::PIVOT_TOLERANCE => return Ok(()),
                None => return Err(Cause::Algebraic { name: name(worst), correction: size.to_f64() }),
            }
            if size <= S::Real::from_f64(16.0) * S::Real::EPSILON || off == S::Real::ZERO {
                return Ok(());
            }
        }
        let (size, worst) = self.correction(&layout);
        Err(Cause::Algebraic { name: name(worst), correction: size.to_f64() })
    }

    /// max |F| at `z`, with the derivative that it carries; the linear system for the next correction.
    fn evaluate(&mut self, system: &S, at: Moment<'_, S>, u: &S::U) -> Result<S::Real, Cause> {
        let layout = system.layout();
        let count = layout.algebraic;
        let values = self.values.as_mut().get_mut(..count).unwrap_or_default();
        let Moment { t, q, v, modes, .. } = at;
        self.laws.evaluate(system, At { t, q, v, z: &self.z, u, modes }, false, values);
        for (b, &value) in self.laws.rhs().iter_mut().zip(values.iter()) {
            *b = -value;
        }
        match values.iter().position(|x| !x.is_finite()) {
            None => Ok(values.iter().fold(S::Real::ZERO, |off, x| off.max(x.magnitude()))),
            Some(i) => {
                let name = Name::of(layout.z, layout.differential() + i);
                Err(Cause::NonFinite { quantity: Quantity::Algebraic, name })
            }
        }
    }

    /// Writes the correction to `step`; its size relative to 1 + |y|, and its largest entry.
    fn correction(&mut self, layout: &Layout<'_>) -> (S::Real, usize) {
        let first = layout.differential();
        let mut largest = (S::Real::ZERO, 0);
        let moved = self.step.as_mut().iter_mut().skip(first).zip(self.laws.rhs().iter());
        for (i, ((to, &dy), &y)) in moved.zip(self.z.as_ref().iter().skip(first)).enumerate() {
            *to = dy;
            let size = dy.magnitude() / (S::Real::ONE + y.magnitude());
            // written so that NaN is the largest
            if !(size <= largest.0) {
                largest.1 = i;
            }
            largest.0 = largest.0.max(size);
        }
        largest
    }

    /// Moves by the largest halving of the correction that reduces |F|, or not at all.
    fn advance(&mut self, system: &S, at: Moment<'_, S>, u: &S::U, off: S::Real) -> Option<S::Real> {
        copy(&self.z, &mut self.from);
        let mut factor = S::Real::ONE;
        for _ in 0..HALVINGS {
            for ((z, &from), &dy) in self.z.as_mut().iter_mut().zip(self.from.as_ref()).zip(self.step.as_ref()) {
                *z = from + factor * dy;
            }
            if let Ok(next) = self.evaluate(system, at, u)
                && next < off
            {
                return Some(next);
            }
            factor *= S::Real::from_f64(0.5);
        }
        copy(&self.from, &mut self.z);
        None
    }
}
