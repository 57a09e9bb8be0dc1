//! Broyden's method: the corrections made with a matrix show what the matrix misses.
//!
//! B₀ is the matrix, d = −B₀⁻¹ R the correction that it gives, and s₀ … sₖ are the corrections made so far. After each
//! of them the matrix is replaced by the nearest one that maps this correction to the change of R that it made. The
//! inverse of the last matrix is applied by means of the corrections alone:
//!
//! ```text
//! d ← d + sⱼ₊₁ ⟨sⱼ, d⟩/⟨sⱼ, sⱼ⟩   for all but the last,   s = d/(1 − ⟨sₖ, d⟩/⟨sₖ, sₖ⟩)
//! ```
//!
//! ⟨·,·⟩ is the product of the kinetic energy, which adds velocities of all units, and one of states with the same
//! weight. Impulses have no part in it.
//!
//! Reference: C. T. Kelley, Iterative Methods for Linear and Nonlinear Equations, SIAM 1995, §7.3.

use crate::model::layout::{Block, Layout};
use crate::model::state::copy;
use crate::model::system::Residual;
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::solvable::Solvable;
use crate::solve::{Canonical, add, dot};

/// Corrections remembered; after that many it begins anew.
const MOST: usize = 6;

/// A change of the unknowns of a symplectic step.
#[derive(Clone, Debug)]
pub(crate) struct Change<S: Solvable> {
    /// of velocities at its beginning or middle, and at its end; a correction is the same for both
    pub(crate) v: [S::V; 2],
    /// of first-order states
    pub(crate) z: S::Z,
    /// of impulses
    pub(crate) impulse: S::L,
}

impl<S: Solvable> Change<S> {
    pub(crate) fn zeros(layout: &Layout<'_>) -> Self {
        let v = || S::V::zeros(layout.v.len());
        Self { v: [v(), v()], z: Block::zeros(layout.z.len()), impulse: Block::zeros(layout.constraints.len()) }
    }

    /// Takes what stands in the places of (v, z, λ).
    pub(crate) fn take(&mut self, from: &Residual<S>) {
        copy(&from.r, &mut self.v[0]);
        copy(&from.s, &mut self.z);
        copy(&from.phi, &mut self.impulse);
    }

    /// Gives it back.
    pub(crate) fn give(&self, to: &mut Residual<S>) {
        copy(&self.v[0], &mut to.r);
        copy(&self.z, &mut to.s);
        copy(&self.impulse, &mut to.phi);
    }

    /// Sets all to zero.
    pub(crate) fn clear(&mut self) {
        let Self { v: [first, last], z, impulse } = self;
        first.as_mut().iter_mut().chain(last.as_mut()).for_each(|x| *x = S::Real::ZERO);
        z.as_mut().iter_mut().chain(impulse.as_mut()).for_each(|x| *x = S::Real::ZERO);
    }

    pub(crate) fn copy_from(&mut self, other: &Self) {
        for (to, from) in self.v.iter_mut().zip(&other.v) {
            copy(from, to);
        }
        copy(&other.z, &mut self.z);
        copy(&other.impulse, &mut self.impulse);
    }

    fn scale(&mut self, s: S::Real) {
        let rest = self.z.as_mut().iter_mut().chain(self.impulse.as_mut());
        self.v[0].as_mut().iter_mut().chain(rest).for_each(|x| *x *= s);
    }

    /// self += s x
    pub(crate) fn add(&mut self, s: S::Real, x: &Self) {
        for (to, from) in self.v.iter_mut().zip(&x.v) {
            add(to.as_mut(), s, from.as_ref());
        }
        add(self.z.as_mut(), s, x.z.as_ref());
        add(self.impulse.as_mut(), s, x.impulse.as_ref());
    }
}

/// A correction s, and the vector of ⟨s, ·⟩/⟨s, s⟩: the momenta of its velocities, and its states, which count as
/// much.
#[derive(Debug)]
struct SecantPair<S: Solvable> {
    change: Change<S>,
    dual: S::V,
    states: S::Z,
}

impl<S: Solvable> SecantPair<S> {
    /// ⟨s, x⟩/⟨s, s⟩
    fn share(&self, x: &Change<S>) -> S::Real {
        dot(self.states.as_ref(), x.z.as_ref()) + dot(self.dual.as_ref(), x.v[0].as_ref())
    }
}

/// The corrections made with one matrix.
#[derive(Debug)]
pub(crate) struct Secant<S: Solvable> {
    made: [SecantPair<S>; MOST],
    count: usize,
}

impl<S: Solvable> Secant<S> {
    pub(crate) fn new(layout: &Layout<'_>) -> Self {
        let made = |_| {
            let change = Change::<S>::zeros(layout);
            SecantPair { dual: change.v[0].clone(), states: change.z.clone(), change }
        };
        Self { made: core::array::from_fn(made), count: 0 }
    }

    /// Forgets them: the matrix is another one.
    pub(crate) fn forget(&mut self) {
        self.count = 0;
    }

    /// Makes a correction by the matrix a better one. Returns the share of it that is due to the last secant: a secant
    /// is right along its own direction only, so this may be wrong elsewhere.
    pub(crate) fn improve(&mut self, change: &mut Change<S>) -> S::Real {
        let one = S::Real::ONE;
        let Some((last, before)) = self.made.get(..self.count).and_then(<[_]>::split_last) else {
            return S::Real::ZERO;
        };
        for (step, next) in before.iter().zip(self.made.iter().skip(1)) {
            let share = step.share(change);
            change.add(share, &next.change);
        }
        let share = last.share(change);
        let left = one - share;
        // Beyond these bounds, or where it is NaN, a secant says nothing.
        if left > S::Real::from_f64(0.1) && left < S::Real::from_f64(10.0) {
            change.scale(left.recip());
            share.abs()
        } else {
            self.count = 0;
            S::Real::ZERO
        }
    }

    /// Remembers the correction made, where another one follows; `mass` has the M of the metric.
    pub(crate) fn remember(&mut self, system: &S, mass: &Canonical<S>, change: &Change<S>) {
        if self.count == MOST {
            self.count = 0;
        }
        let Some(SecantPair { change: kept, dual, states }) = self.made.get_mut(self.count) else { return };
        dual.as_mut().fill(S::Real::ZERO);
        mass.add_momentum(system, S::Real::ONE, &change.v[0], dual);
        let energy = dot(dual.as_ref(), change.v[0].as_ref());
        // States have no inertia: in the metric of a correction those it changes count as much as its motion. A stiff
        // rate is known by them alone.
        let moved = dot(change.z.as_ref(), change.z.as_ref());
        let (mut whole, mut weight) = (energy, S::Real::ZERO);
        if moved > S::Real::ZERO {
            let same = if energy > S::Real::ZERO { energy } else { S::Real::ONE };
            (whole, weight) = (energy + same, same / moved);
        }
        // Corrections that change nothing say nothing either.
        if !(whole > S::Real::ZERO && whole.is_finite()) {
            self.count = 0;
            return;
        }
        dual.as_mut().iter_mut().for_each(|p| *p = *p / whole);
        for (dual, &z) in states.as_mut().iter_mut().zip(change.z.as_ref()) {
            *dual = weight * z / whole;
        }
        kept.copy_from(change);
        self.count += 1;
    }
}
