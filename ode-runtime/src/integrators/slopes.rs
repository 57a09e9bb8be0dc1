//! What the equations of an implicit step determine: v̇, or v in first-order models, ż and λ.

use crate::model::history::{History, Parts};
use crate::model::layout::Block;
use crate::model::state::{State, copy};
use crate::solve::solvable::Solvable;

/// v̇, ż and λ by the equations of an implicit step, which may differ from those shown by its state.
#[derive(Clone, Debug)]
pub(crate) struct Slopes<S: Solvable> {
    pub(crate) a: S::V,
    pub(crate) zdot: S::Z,
    pub(crate) lambda: S::L,
}

impl<S: Solvable> Slopes<S> {
    pub(crate) fn zeros(system: &S) -> Self {
        let layout = system.layout();
        Self {
            a: Block::zeros(layout.v.len()),
            zdot: Block::zeros(layout.z.len()),
            lambda: Block::zeros(layout.constraints.len()),
        }
    }

    /// Takes those of `x`; in first-order models, v instead of a.
    pub(crate) fn take(&mut self, system: &S, x: &State<S>) {
        copy(slope(system, x), &mut self.a);
        copy(&x.zdot, &mut self.zdot);
        copy(&x.lambda, &mut self.lambda);
    }

    /// Takes the values of `other` without allocating.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        copy(&other.a, &mut self.a);
        copy(&other.zdot, &mut self.zdot);
        copy(&other.lambda, &mut self.lambda);
    }
}

/// What the equations determine: a, or v in first-order models.
pub(crate) fn slope<'x, S: Solvable>(system: &S, x: &'x State<S>) -> &'x S::V {
    if system.layout().first_order() { &x.v } else { &x.a }
}

impl<S: Solvable> History<S::Real> for Slopes<S> {
    fn visit(&mut self, parts: &mut dyn Parts<S::Real>) {
        parts.numbers("slope of v", self.a.as_mut());
        parts.numbers("slope of z", self.zdot.as_mut());
        parts.numbers("multipliers of slopes", self.lambda.as_mut());
    }
}
