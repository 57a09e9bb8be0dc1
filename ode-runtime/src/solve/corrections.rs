//! Corrections of an implicit step: solutions with the tangent, and their effect.

use crate::error::{Cause, Name};
use crate::linalg::Kkt;
use crate::model::input::Inputs;
use crate::model::layout::Layout;
use crate::model::linearize::{Linearize, Weights};
use crate::model::state::State;
use crate::model::system::Residual;
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::context::{Context, Work};
use crate::solve::solvable::Solvable;
use crate::solve::tangent::Tangent;
use crate::solve::{add, largest_size, solved};

impl<S: Solvable + Linearize> Tangent<S> {
    /// Replaces the residual by the correction.
    pub(crate) fn correct<U: Inputs<S>>(&mut self, cx: &mut Context<'_, S, U>) -> Result<(), Cause> {
        self.factorize(cx)?;
        self.solve_for(cx)
    }

    /// Replaces the residual by the correction with the last factors.
    #[inline]
    pub(crate) fn solve_for<U: Inputs<S>>(&mut self, cx: &mut Context<'_, S, U>) -> Result<(), Cause> {
        let Residual { r, s, phi } = &mut self.residual;
        for x in r.as_mut().iter_mut().chain(s.as_mut()).chain(phi.as_mut()) {
            *x = -*x;
        }
        solved(&cx.system.layout(), cx.work, self.kkt.solve(r.as_mut(), s.as_mut(), phi.as_mut()))
    }

    /// Applies the correction; returns its size in q and z relative to 1 + |value|.
    #[inline]
    pub(crate) fn update<U: Inputs<S>>(
        &mut self,
        cx: &Context<'_, S, U>,
        w: Weights<S::Real>,
        from: &S::Q,
        x: &mut State<S>,
    ) -> S::Real {
        self.add_correction(cx.system, w, x);
        let Residual { r: dv, s: dz, .. } = &self.residual;
        add(self.step.as_mut(), w.position, dv.as_ref());
        cx.system.retract(from, &self.step, &mut x.q);

        let by_velocity = by_velocity(w);
        let unit = if by_velocity { w.velocity } else { w.position };
        for (moved, &d) in self.moved.as_mut().iter_mut().zip(dv.as_ref()) {
            *moved = unit * d;
        }
        let motion = if by_velocity {
            relative(S::Real::ONE, self.moved.as_ref(), x.v.as_ref())
        } else {
            cx.system.qdot(&x.q, &self.moved, &mut self.change);
            relative(S::Real::ONE, self.change.as_ref(), x.q.as_ref())
        };
        motion.max(relative(w.state, dz.as_ref(), x.z.as_ref()))
    }

    /// Applies the correction to all but the positions.
    #[inline]
    pub(crate) fn add_correction(&self, system: &S, w: Weights<S::Real>, x: &mut State<S>) {
        let Residual { r: dv, s: dz, phi: dl } = &self.residual;
        add(x.a.as_mut(), w.rates, dv.as_ref());
        add(x.v.as_mut(), w.velocity, dv.as_ref());
        let differential = system.layout().differential();
        add(x.zdot.as_mut().get_mut(..differential).unwrap_or_default(), w.rates, dz.as_ref());
        add(x.z.as_mut(), w.state, dz.as_ref());
        add(x.lambda.as_mut(), S::Real::ONE, dl.as_ref());
    }

    /// The entry in which the last correction was largest.
    #[cold]
    #[inline(never)]
    pub(crate) fn furthest(&self, w: Weights<S::Real>, x: &State<S>) -> Place {
        let (place, motion) = if by_velocity(w) {
            let (index, size) = largest(self.moved.as_ref(), x.v.as_ref());
            (Place::Velocity(index), size)
        } else {
            let (index, size) = largest(self.change.as_ref(), x.q.as_ref());
            (Place::Coordinate(index), size)
        };
        let (index, size) = largest(self.residual.s.as_ref(), x.z.as_ref());
        if w.state * size > motion { Place::State(index) } else { place }
    }

    /// Replaces the residual by the correction of the matrix, which belongs to `x`. No iteration follows, so it is
    /// accurate to round-off.
    pub(crate) fn correct_once<U: Inputs<S>>(&mut self, cx: &mut Context<'_, S, U>, x: &State<S>) -> Result<(), Cause> {
        self.factorize_at(cx, x)?;
        if self.kkt.certain() {
            return self.solve_for(cx);
        }
        let Residual { r, s, phi } = &mut self.residual;
        for x in r.as_mut().iter_mut().chain(s.as_mut()).chain(phi.as_mut()) {
            *x = -*x;
        }
        self.solve_once(cx.system, cx.work)
    }

    /// Replaces the residual, as a right-hand side, by the solution with the last factors.
    ///
    /// # Errors
    /// As [`Terms::solve`](crate::solve::certified::Terms::solve).
    pub(crate) fn solve_once(&mut self, system: &S, work: &mut Work) -> Result<(), Cause> {
        let Self { terms, kkt, values, residual, .. } = self;
        terms.solve(&system.layout(), work, (kkt, values.as_ref()), residual)
    }
}

/// The entry a correction was largest in.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    Coordinate(usize),
    Velocity(usize),
    State(usize),
}

impl Place {
    /// Its name in the model.
    pub(super) fn name(self, layout: &Layout<'_>) -> Name {
        match self {
            Self::Coordinate(index) => Name::of(layout.q, index),
            Self::Velocity(index) => Name::of(layout.directions, index),
            Self::State(index) => Name::of(layout.z, index),
        }
    }
}

/// A velocity-level unknown does not move q within the step, so v itself is the measure.
fn by_velocity<T: Real>(w: Weights<T>) -> bool {
    w.position == T::ZERO
}

/// The largest change times `unit`, relative to 1 + |value|; NaN is the largest.
#[cfg_attr(not(debug_assertions), inline(always))]
fn relative<T: Real>(unit: T, changes: &[T], values: &[T]) -> T {
    largest_size(changes.iter().zip(values).map(|(&d, &x)| (unit * d).magnitude() / (T::ONE + x.magnitude())))
}

/// The same with its index, of changes.
pub(crate) fn largest<T: Real>(changes: &[T], values: &[T]) -> (usize, T) {
    let mut largest = (0, T::ZERO);
    for (i, (change, value)) in changes.iter().zip(values).enumerate() {
        let size = relative(T::ONE, core::slice::from_ref(change), core::slice::from_ref(value));
        if !(size <= largest.1) {
            largest.0 = i;
        }
        largest.1 = largest.1.max(size);
    }
    largest
}

#[cfg(all(test, feature = "wide"))]
mod tests {
    use super::{largest, relative};
    use crate::{F64x4, Scalar};

    /// Where lanes disagree on the largest entry, each has its own.
    #[test]
    fn sizes_are_those_of_each_lane() {
        let changes = [[1e-6, 0.0, 1e-16, 3e-9], [0.0, 2e-6, 1e-15, 1e-9]].map(F64x4::new);
        let values = [F64x4::new([1.0; 4]); 2];
        for size in [relative(F64x4::ONE, &changes, &values), largest(&changes, &values).1] {
            assert_eq!(size.to_array(), [1e-6, 2e-6, 1e-15, 3e-9].map(|largest: f64| largest / 2.0));
        }
    }
}
