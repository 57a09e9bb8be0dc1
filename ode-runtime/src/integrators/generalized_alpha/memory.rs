//! What generalised-α remembers from step to step.

use crate::integrators::Slopes;
use crate::integrators::end_equations::Ended;
use crate::model::history::{History, Parts};
use crate::model::layout::Block;
use crate::model::state::copy;
use crate::numbers::scalar::Scalar;
use crate::solve::solvable::Solvable;

/// The auxiliaries, and the memory of the last step.
#[derive(Clone, Debug)]
pub struct Past<S: Solvable> {
    pub(super) auxiliary: Auxiliary<S>,
    pub(super) last: Ended<S>,
}

impl<S: Solvable> History<S::Real> for Past<S> {
    fn visit(&mut self, parts: &mut dyn Parts<S::Real>) {
        let Self { auxiliary: Auxiliary { a, zdot, before, h }, last: Ended { own, kept } } = self;
        parts.numbers("auxiliary of v", a.as_mut());
        parts.numbers("auxiliary of z", zdot.as_mut());
        own.visit(parts);
        parts.numbers("slope of v before", before.0.as_mut());
        parts.numbers("slope of z before", before.1.as_mut());
        kept.visit(parts);
        parts.optional("step of the auxiliaries", h);
    }
}

/// The auxiliary a and its counterpart for ż; in first-order models that for v.
#[derive(Clone, Debug)]
pub(super) struct Auxiliary<S: Solvable> {
    pub(super) a: S::V,
    pub(super) zdot: S::Z,
    /// v̇ and ż of the state one step earlier; none at a start
    pub(super) before: (S::V, S::Z),
    /// the step they belong to: none at a start, where they are v̇ and ż
    pub(super) h: Option<S::Real>,
}

impl<S: Solvable> Auxiliary<S> {
    pub(super) fn zeros(system: &S) -> Self {
        let layout = system.layout();
        let (a, zdot): (S::V, S::Z) = (Block::zeros(layout.v.len()), Block::zeros(layout.z.len()));
        Self { before: (a.clone(), zdot.clone()), a, zdot, h: None }
    }

    /// Takes the values of `other` without allocating.
    pub(super) fn copy_from(&mut self, other: &Self) {
        copy(&other.a, &mut self.a);
        copy(&other.zdot, &mut self.zdot);
        copy(&other.before.0, &mut self.before.0);
        copy(&other.before.1, &mut self.before.1);
        self.h = other.h;
    }

    /// a ← v̇ + (a − v̇) `ratio`, with the v̇ of `own`; likewise for ż.
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
