//! What generalised-α remembers from step to step.

use crate::history::{History, Parts};
use crate::integrators::{GeneralizedAlpha, Slopes};
use crate::scalar::{Real, Scalar};
use crate::solve::TangentPoint;
use crate::state::copy;
use crate::system::{Linearize, Solvable};

/// The auxiliary a and its like for ż, and v̇, ż and λ of the scheme: of first-order models v for v̇.
#[derive(Clone, Debug)]
pub struct Auxiliary<S: Solvable> {
    pub(super) a: S::V,
    pub(super) zdot: S::Z,
    pub(super) own: Slopes<S>,
    /// v̇ and ż of the state one step earlier; none at a start
    pub(super) before: (S::V, S::Z),
    /// where the matrix of the last iterations comes from
    pub(super) kept: TangentPoint<S>,
    /// the step they belong to: none at a start, where they are v̇ and ż
    pub(super) h: Option<S::Real>,
}

impl<S: Solvable> Auxiliary<S> {
    pub(super) fn zeros(system: &S) -> Self {
        let own = Slopes::zeros(system);
        let (a, zdot) = (own.a.clone(), own.zdot.clone());
        let before = (a.clone(), zdot.clone());
        Self { a, zdot, own, before, kept: TangentPoint::none(system), h: None }
    }

    /// Takes the values of `other`, but for the matrix, without allocating.
    pub(super) fn copy_from(&mut self, other: &Self) {
        copy(&other.a, &mut self.a);
        copy(&other.zdot, &mut self.zdot);
        self.own.copy_from(&other.own);
        copy(&other.before.0, &mut self.before.0);
        copy(&other.before.1, &mut self.before.1);
        self.h = other.h;
    }

    /// a ← v̇ + (a − v̇) `ratio`, with the v̇ of `own`; so for ż.
    pub(super) fn rescale(&mut self, own: &Slopes<S>, ratio: S::Real) {
        if ratio == S::Real::ONE {
            return;
        }
        let rescale = |a: &mut [S::Real], rates: &[S::Real]| {
            for (a, &rate) in a.iter_mut().zip(rates) {
                *a = rate + (*a - rate) * ratio;
            }
        };
        rescale(self.a.as_mut(), own.a.as_ref());
        rescale(self.zdot.as_mut(), own.zdot.as_ref());
    }
}

impl<T: Real> GeneralizedAlpha<T> {
    /// The auxiliaries of `next` from its v̇ and ż, and those before.
    pub(super) fn advance<S: Solvable<Real = T> + Linearize>(
        &self,
        before: &Slopes<S>,
        old: &Auxiliary<S>,
        next: &mut Auxiliary<S>,
    ) {
        let Auxiliary { a, zdot, own, .. } = next;
        self.average(own.a.as_ref(), before.a.as_ref(), old.a.as_ref(), a.as_mut());
        self.average(own.zdot.as_ref(), before.zdot.as_ref(), old.zdot.as_ref(), zdot.as_mut());
    }

    /// aₙ₊₁ from v̇ₙ₊₁, v̇ₙ and aₙ.
    fn average(&self, new: &[T], old: &[T], auxiliary: &[T], out: &mut [T]) {
        let scale = (T::ONE - self.alpha_m).recip();
        for (((out, &new), &old), &a) in out.iter_mut().zip(new).zip(old).zip(auxiliary) {
            *out = ((T::ONE - self.alpha_f) * new + self.alpha_f * old - self.alpha_m * a) * scale;
        }
    }
}

impl<S: Solvable> History<S::Real> for Auxiliary<S> {
    fn visit(&mut self, parts: &mut dyn Parts<S::Real>) {
        parts.numbers("auxiliary of v", self.a.as_mut());
        parts.numbers("auxiliary of z", self.zdot.as_mut());
        self.own.visit(parts);
        parts.numbers("slope of v before", self.before.0.as_mut());
        parts.numbers("slope of z before", self.before.1.as_mut());
        self.kept.visit(parts);
        parts.optional("step of the auxiliaries", &mut self.h);
    }
}
