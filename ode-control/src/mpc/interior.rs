//! A plan by an interior point, where the bounds that hold are not found at once.

use ode_runtime::linalg::nalgebra::{RealField, convert};

use crate::mpc::active::little;
use crate::mpc::hold::Hold;
use crate::mpc::knot::MpcKnot;
use crate::mpc::side::Aim;
use crate::mpc::work::{Indefinite, Work};

/// How much of the way to the border a step goes.
const CLOSE: f64 = 0.995;

/// How an interior point ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Inside<E> {
    pub(super) iterations: usize,
    /// what is left of the conditions, relative to their terms
    pub(super) residual: E,
    /// whether that is little
    pub(super) converged: bool,
}

impl<E: RealField + Copy, const N: usize, const U: usize, const M: usize> Work<'_, E, N, U, M> {
    /// Mehrotra's predictor and corrector, in which each Newton step is a Riccati recursion: S. J. Wright, Primal-Dual
    /// Interior-Point Methods, 1997, ch. 10; C. V. Rao, S. J. Wright, J. B. Rawlings, Application of interior-point
    /// methods to model predictive control, J. Optim. Theory Appl. 99 (1998).
    ///
    /// Where there is no plan the numbers grow until a recursion fails; that ends the iterations.
    pub(super) fn inside(&mut self, most: usize) -> Inside<E> {
        self.begin();
        let (loose, _) = little::<E>();
        let mut best = Inside { iterations: 0, residual: convert(f64::INFINITY), converged: false };
        for iterations in 0..=most {
            let (residual, product) = self.distance();
            best = Inside { iterations, residual, converged: residual <= loose };
            if best.converged || iterations == most || !residual.is_finite() {
                break;
            }
            if self.iterate(product).is_err() {
                break;
            }
        }
        best
    }

    /// A predictor and a corrector, from a point with this mean product.
    fn iterate(&mut self, product: E) -> Result<(), Indefinite> {
        let part = self.aim(Aim { product: E::zero(), corrected: false }, true)?;
        let left = if product > E::zero() { self.product(part) / product } else { E::zero() };
        let longest = self.aim(Aim { product: left * left * left * product, corrected: true }, false)?;
        let part = if longest < E::one() { longest * convert::<f64, E>(CLOSE) } else { E::one() };
        self.each(|bounds| bounds.advance(part));
        self.advance(part);
        self.sweep();
        Ok(())
    }

    /// Forgets the plan, but for its start.
    pub(super) fn forget(&mut self) {
        for (k, knot) in self.knots.iter_mut().enumerate() {
            knot.inputs.value.fill(E::zero());
            if k > 0 {
                knot.x.fill(E::zero());
            }
        }
        self.last.x.fill(E::zero());
        self.each(|bounds| bounds.let_go());
    }

    /// A point inside, near the present plan.
    fn begin(&mut self) {
        let finite = |knot: &MpcKnot<E, N, U, M>| knot.x.iter().chain(&knot.inputs.value).all(|x| x.is_finite());
        if !(self.knots.iter().all(finite) && self.last.x.iter().all(|x| x.is_finite())) {
            self.forget();
        }
        for knot in self.knots.iter_mut() {
            for i in 0..U {
                let u = knot.inputs.value[i];
                knot.inputs.value[i] = u.max(knot.stage.input_low[i]).min(knot.stage.input_high[i]);
            }
        }
        self.knots.iter_mut().for_each(|knot| knot.rows.multiplier.fill(E::zero()));
        self.last.rows.multiplier.fill(E::zero());
        self.sweep();
        let scale = self.misfit().scale.max(convert(1e-3));
        self.each(|bounds| bounds.begin(scale, convert(0.1)));
        self.sweep();
    }

    /// A step with this aim, and how much of it stays inside.
    fn aim(&mut self, aim: Aim<E>, anew: bool) -> Result<E, Indefinite> {
        self.each(|bounds| bounds.aim_inside(aim));
        self.newton(anew)?;
        let mut part = E::one();
        self.each(|bounds| {
            bounds.change(aim);
            part = bounds.longest(part);
        });
        Ok(part)
    }

    /// The mean product of gaps and multipliers after a part of the step.
    fn product(&mut self, part: E) -> E {
        let (mut sum, mut count) = (E::zero(), 0);
        self.each(|bounds| {
            let (own, of) = bounds.products(part);
            (sum, count) = (sum + own, count + of);
        });
        if count == 0 { E::zero() } else { sum / convert(count as f64) }
    }

    /// How far the point is from an optimum, relative to the terms of its conditions, and its mean product.
    fn distance(&mut self) -> (E, E) {
        for knot in self.knots.iter_mut() {
            for i in 0..U {
                if let Hold::At(_) = knot.inputs.hold[i] {
                    knot.inputs.multiplier[i] = -knot.slope[i];
                }
            }
        }
        let product = self.product(E::zero());
        let (mut gaps, mut forces) = (E::zero(), E::zero());
        self.each(|bounds| {
            let (gap, force) = bounds.residual();
            (gaps, forces) = (gaps + gap, forces + force);
        });
        let misfit = self.misfit();
        let scale = misfit.scale.max(E::default_epsilon());
        (misfit.defect + misfit.slope + gaps + (forces + product) / scale, product)
    }

    /// Keeps this plan, to come back to it.
    pub(super) fn remember(&mut self) {
        self.knots.iter_mut().for_each(|knot| knot.found = (knot.x, knot.inputs.value));
        self.last.found = self.last.x;
        self.each(|bounds| bounds.hold_close());
    }

    /// Comes back to the plan that is kept.
    pub(super) fn recall(&mut self) {
        self.knots.iter_mut().for_each(|knot| (knot.x, knot.inputs.value) = knot.found);
        self.last.x = self.last.found;
        self.each(|bounds| bounds.recall());
        self.sweep();
    }
}
