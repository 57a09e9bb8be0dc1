//! Points at which a model is checked.

use super::compare::Mismatch;
use crate::model::differentiable::Differentiable;
use crate::model::layout::{Block, Layout};
use crate::model::state::State;
use crate::model::system::{At, Rates, Residual, System};
use crate::numbers::scalar::Scalar;

/// A point of evaluation over one scalar.
pub(super) struct Point<S: System> {
    pub(super) t: S::Real,
    /// where the step begins
    pub(super) base: S::Q,
    pub(super) step: S::V,
    /// base ⊕ step
    pub(super) q: S::Q,
    pub(super) v: S::V,
    pub(super) z: S::Z,
    pub(super) u: S::U,
    pub(super) a: S::V,
    pub(super) zdot: S::Z,
    pub(super) lambda: S::L,
    pub(super) modes: S::Modes,
}

impl<S: System> Point<S> {
    pub(super) fn zeros(l: &Layout<'_>) -> Self {
        Self {
            t: S::Real::ZERO,
            base: Block::zeros(l.q.len()),
            step: Block::zeros(l.v.len()),
            q: Block::zeros(l.q.len()),
            v: Block::zeros(l.v.len()),
            z: Block::zeros(l.z.len()),
            u: Block::zeros(l.u.len()),
            a: Block::zeros(l.v.len()),
            zdot: Block::zeros(l.z.len()),
            lambda: Block::zeros(l.constraints.len()),
            modes: Block::zeros(l.modes.len()),
        }
    }
    pub(super) fn at(&self) -> At<'_, S> {
        At { t: self.t, q: &self.q, v: &self.v, z: &self.z, u: &self.u, modes: &self.modes }
    }
    pub(super) fn rates(&self) -> Rates<'_, S> {
        Rates { a: &self.a, zdot: &self.zdot, lambda: &self.lambda }
    }
}

/// Numbers in (−1, 1), the same in every run (Steele, Lea & Flood 2014, SplitMix64).
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((x ^ (x >> 31)) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
    pub(super) fn fill(&mut self, block: &mut [f64], scale: f64) {
        for x in block {
            *x += scale * self.next();
        }
    }
}

/// Random points a check visits.
pub const POINTS: usize = 32;

/// Visits [`POINTS`] random points, with random parameters around those of `model`.
pub(super) fn random_points<S: Differentiable<Real = f64>>(
    model: &S,
    check: impl Fn(&S, &S::P, &Point<S>) -> Result<(), Mismatch>,
) -> Result<(), Mismatch> {
    let mut random = Random(7);
    for _ in 0..POINTS {
        let mut parameters = model.parameter_block();
        for p in parameters.as_mut() {
            *p *= 1.0 + 0.1 * random.next();
        }
        let model = model.with_parameters(&parameters);
        let point = random_point(&model, &mut random);
        check(&model, &parameters, &point)?;
    }
    Ok(())
}

/// A point where the model has a value: outside the domain of roots or logarithms, a point nearer to the start is
/// drawn.
pub(super) fn random_point<S: Differentiable<Real = f64>>(model: &S, random: &mut Random) -> Point<S> {
    let mut reach = 1.0;
    loop {
        let point = point_within(model, random, reach);
        reach *= 0.5;
        // If there is no value even at the start, the check reports NaN.
        if reach < 1e-6 || has_values(model, &point) {
            return point;
        }
    }
}

fn has_values<S: Differentiable<Real = f64>>(model: &S, point: &Point<S>) -> bool {
    let l = model.layout();
    let mut residual = Residual::<S>::zeros(&l);
    model.residual(point.at(), point.rates(), &mut residual);
    let mut outputs: S::Y = Block::zeros(model.layout().outputs.len());
    model.outputs(point.at(), point.rates(), &mut outputs);
    let mut guards: S::Guards = Block::zeros(model.layout().events.len());
    model.guards(point.at(), &mut guards);
    [residual.r.as_ref(), residual.s.as_ref(), residual.phi.as_ref(), outputs.as_ref(), guards.as_ref()]
        .iter()
        .all(|v| v.iter().all(|x| x.is_finite()))
}

fn point_within<S: System<Real = f64>>(model: &S, random: &mut Random, reach: f64) -> Point<S> {
    let (mut p, neutral) = (Point::<S>::zeros(&model.layout()), State::neutral(model));
    p.t = random.next().abs();
    (p.base, p.modes) = (neutral.q, neutral.modes);
    random.fill(p.modes.as_mut(), reach);
    model.guess(&mut p.base, &mut p.v, &mut p.z);
    model.nominal(&mut p.u);
    random.fill(p.step.as_mut(), reach);
    model.retract(&p.base, &p.step, &mut p.q);
    for (block, scale) in [(p.v.as_mut(), 2.0), (p.z.as_mut(), 1.0), (p.u.as_mut(), 3.0)] {
        random.fill(block, reach * scale);
    }
    for block in [p.a.as_mut(), p.zdot.as_mut(), p.lambda.as_mut()] {
        random.fill(block, 3.0 * reach);
    }
    p
}
