//! The comparison at one point: the dual twin of a model, moved along a direction.

use super::compare::copy;
use super::direction::{Direction, NOWHERE};
use super::point::Point;
use super::twins::{Rows, Twins, rigid_rows};
use crate::model::differentiable::{Differentiable, FromParameters};
use crate::model::layout::{Block, Layout};
use crate::model::linearize::Weights;
use crate::model::system::{Constraint, Forward, Residual};
use crate::numbers::dual::Dual;

/// One point's comparison.
pub(super) struct Check<'a, S: Differentiable, D> {
    pub(super) model: &'a S,
    pub(super) parameters: &'a S::P,
    pub(super) point: &'a Point<S>,
    pub(super) marker: core::marker::PhantomData<D>,
}

impl<S, D> Check<'_, S, D>
where
    S: Differentiable<Real = f64>,
    D: FromParameters<Real = Dual<f64>>,
{
    /// The twin and its point, moving along `direction`.
    pub(super) fn lifted(&self, direction: Direction) -> (D, Point<D>) {
        let seed = |own: bool| if own { 1.0 } else { 0.0 };
        let lift = |from: &[f64], to: &mut [Dual<f64>], kind: &dyn Fn(usize) -> Direction| {
            for (i, (x, y)) in from.iter().zip(to).enumerate() {
                *y = Dual { re: *x, eps: seed(kind(i) == direction) };
            }
        };
        let l = self.model.layout();
        let point = self.point;
        let mut p: D::P = Block::zeros(self.parameters.as_ref().len());
        lift(self.parameters.as_ref(), p.as_mut(), &Direction::Parameter);
        let model = D::from_parameters(&p);
        let moving = matches!(direction, Direction::Motion | Direction::Flight);
        let mut at = Point::<D>::zeros(&l);
        at.t = Dual { re: point.t, eps: seed(moving || direction == Direction::Time) };
        lift(point.modes.as_ref(), at.modes.as_mut(), &|_| NOWHERE);
        // base ⊕ (step + ε), or q ⊕ ε: along one tangent direction, or along the velocities
        if matches!(direction, Direction::Step(_)) {
            lift(point.base.as_ref(), at.base.as_mut(), &|_| NOWHERE);
            lift(point.step.as_ref(), at.step.as_mut(), &Direction::Step);
        } else {
            lift(point.q.as_ref(), at.base.as_mut(), &|_| NOWHERE);
            for (i, (v, y)) in point.v.as_ref().iter().zip(at.step.as_mut()).enumerate() {
                let eps = if moving { *v } else { seed(Direction::Position(i) == direction) };
                *y = Dual { re: 0.0, eps };
            }
        }
        model.retract(&at.base, &at.step, &mut at.q);
        lift(point.v.as_ref(), at.v.as_mut(), &Direction::Velocity);
        lift(point.z.as_ref(), at.z.as_mut(), &Direction::State);
        lift(point.zdot.as_ref(), at.zdot.as_mut(), &Direction::Rate);
        lift(point.u.as_ref(), at.u.as_mut(), &Direction::Input);
        lift(point.a.as_ref(), at.a.as_mut(), &Direction::Acceleration);
        lift(point.lambda.as_ref(), at.lambda.as_mut(), &Direction::Multiplier);
        if direction == Direction::Flight {
            for (to, rate) in [(at.v.as_mut(), point.a.as_ref()), (at.z.as_mut(), point.zdot.as_ref())] {
                for (to, rate) in to.iter_mut().zip(rate) {
                    to.eps = *rate;
                }
            }
        }
        (model, at)
    }

    /// r, ż − g and Φ with their derivatives along `direction`.
    pub(super) fn residual_along(&self, direction: Direction) -> Residual<D> {
        let (model, at) = self.lifted(direction);
        let mut residual = Residual::zeros(&self.model.layout());
        model.residual(at.at(), at.rates(), &mut residual);
        residual
    }
}

impl<S, D> Twins for Check<'_, S, D>
where
    S: Differentiable<Real = f64>,
    D: FromParameters<Real = Dual<f64>>,
{
    fn layout(&self) -> Layout<'_> {
        self.model.layout()
    }

    fn rows(&self, direction: Direction, see: &mut dyn FnMut(Rows<'_>)) {
        let Residual { r, s, phi } = self.residual_along(direction);
        see(Rows { r: r.as_ref(), s: s.as_ref(), phi: phi.as_ref() });
    }

    fn tangent_by(&self, weights: Weights<f64>, see: &mut dyn FnMut(&[f64])) {
        let l = self.model.layout();
        let (mut residual, mut out): (_, S::Tangent) = (Residual::<S>::zeros(&l), Block::zeros(l.tangent.nnz()));
        self.model.tangent(self.point.at(), self.point.rates(), weights, &self.point.step, &mut residual, &mut out);
        see(out.as_ref());
    }

    fn held(&self, direction: Direction, level: usize, out: &mut [f64]) {
        let l = self.model.layout();
        let (model, at) = self.lifted(direction);
        let mut residual = Residual::<D>::zeros(&l);
        model.residual(at.at(), at.rates(), &mut residual);
        copy(residual.phi.as_ref(), out);
        if level == 0 {
            return;
        }
        if level == 1 || l.first_order() {
            let mut constraint = Constraint::<D>::zeros(&l);
            model.constraint(at.at(), &mut constraint);
            rigid_rows(&l, constraint.rate.as_ref(), None, out);
        } else {
            let mut forward = Forward::<D>::zeros(&l);
            model.forward(at.at(), &mut forward);
            rigid_rows(&l, forward.gamma.as_ref(), Some([forward.jacobian.as_ref(), at.a.as_ref()]), out);
        }
    }

    fn momentum_rate_along(&self, direction: Direction, out: &mut [f64]) {
        let (model, at) = self.lifted(direction);
        let mut rate: D::V = Block::zeros(self.model.layout().v.len());
        model.momentum_rate(at.at(), &mut rate);
        copy(rate.as_ref(), out);
    }

    fn outputs_along(&self, direction: Direction, out: &mut [f64]) {
        let (model, at) = self.lifted(direction);
        let mut outputs: D::Y = Block::zeros(self.model.layout().outputs.len());
        model.outputs(at.at(), at.rates(), &mut outputs);
        copy(outputs.as_ref(), out);
    }
}
