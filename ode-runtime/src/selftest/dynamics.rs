//! Motion, forces and constraints against dual numbers.

use super::compare::{Mismatch, Values, agree, copy, larger, vector, vector_beside};
use super::probe::{Check, Direction, row_slopes};
use crate::model::differentiable::{Differentiable, FromParameters};
use crate::model::layout::{Block, Layout, RowKind};
use crate::model::linearize::Weights;
use crate::model::system::{Constraint, Forward, Rates, Residual};
use crate::numbers::dual::Dual;

impl<S, D> Check<'_, S, D>
where
    S: Differentiable<Real = f64>,
    D: FromParameters<Real = Dual<f64>>,
{
    /// N(q) v against q ⊕ ε v, and ⊖ as the inverse of ⊕.
    pub(super) fn positions(&self) -> Result<(), Mismatch> {
        let l = self.model.layout();
        let mut rates: S::Q = Block::zeros(l.q.len());
        self.model.qdot(&self.point.q, &self.point.v, &mut rates);
        let moving = self.lifted(Direction::Motion).1.q;
        let moving = moving.as_ref();
        vector("N v", l.q, rates.as_ref(), &|i| moving.get(i).map_or(0.0, |x| x.eps))?;
        let (mut end, mut step): (S::Q, S::V) = (Block::zeros(l.q.len()), Block::zeros(l.v.len()));
        self.model.local(&self.point.base, &self.point.q, &mut step);
        self.model.retract(&self.point.base, &step, &mut end);
        let q = self.point.q.as_ref();
        vector("local", l.q, end.as_ref(), &|i| q.get(i).copied().unwrap_or(0.0))
    }

    pub(super) fn tangent(&self) -> Result<(), Mismatch> {
        let l = self.model.layout();
        let mut forward = Forward::<S>::zeros(&l);
        self.model.forward(self.point.at(), &mut forward);
        let jacobian = Values {
            block: "G",
            pattern: l.jacobian,
            values: forward.jacobian.as_ref(),
            rows: [l.constraints, &[]],
            columns: l.directions,
            first: (0, 0),
        };
        jacobian.compare(&|c, out| {
            let (held, rolling) = (Direction::Position(c), Direction::Velocity(c));
            let (held, rolling) = (self.residual_along(held), self.residual_along(rolling));
            copy(held.phi.as_ref(), out);
            for ((out, slope), kind) in out.iter_mut().zip(rolling.phi.as_ref()).zip(l.kinds) {
                match kind {
                    RowKind::Holonomic => {}
                    RowKind::Nonholonomic => *out = slope.eps,
                    RowKind::Compliant => *out = 0.0,
                }
            }
        })?;
        let none = Weights { rates: 0.0, velocity: 0.0, position: 0.0, state: 0.0 };
        let nv = l.v.len();
        type Unit<'a> = (&'static str, Weights<f64>, fn(usize) -> Direction, &'a [&'a str], usize);
        let units: [Unit<'_>; 5] = [
            ("K", Weights { position: 1.0, ..none }, Direction::Step, l.directions, 0),
            ("D", Weights { velocity: 1.0, ..none }, Direction::Velocity, l.v, 0),
            ("M", Weights { rates: 1.0, ..none }, Direction::Acceleration, l.directions, 0),
            ("d(r, s)/dz", Weights { state: 1.0, ..none }, Direction::State, l.z, nv),
            ("d(r, s)/d der(z)", Weights { rates: 1.0, ..none }, Direction::Rate, l.z, nv),
        ];
        for (block, weights, direction, columns, first) in units {
            let mut out: S::Tangent = Block::zeros(l.tangent.nnz());
            let mut residual = Residual::<S>::zeros(&l);
            self.model.tangent(self.point.at(), self.point.rates(), weights, &self.point.step, &mut residual, &mut out);
            let tangent = Values {
                block,
                pattern: l.tangent,
                values: out.as_ref(),
                rows: [l.directions, l.z],
                columns,
                first: (0, first),
            };
            tangent
                .compare_beside(forward.mass.as_ref(), &|c, out| row_slopes(&self.residual_along(direction(c)), out))?;
            // below (r, s), and to their right, stand the rows and columns of constraints
            let end = l.v.len() + l.z.len();
            let below = Values { rows: [l.constraints, &[]], first: (end, first), ..tangent };
            below.compare(&|c, out| copy(self.residual_along(direction(c)).phi.as_ref(), out))?;
            let right = Values { block: "d(r, s)/dlambda", columns: l.constraints, first: (0, end), ..tangent };
            right.compare(&|c, out| row_slopes(&self.residual_along(Direction::Multiplier(c)), out))?;
            let corner = Values { block: "E", first: (end, end), rows: [l.constraints, &[]], ..right };
            corner.compare(&|c, out| copy(self.residual_along(Direction::Multiplier(c)).phi.as_ref(), out))?;
        }
        self.drift(&l)?;
        // M of the explicit path is the lower triangle of ∂r/∂a; D of a first-order model is that of ∂r/∂v
        let rates = if l.first_order() { Direction::Velocity } else { Direction::Acceleration };
        let mass = Values {
            block: "M",
            pattern: l.mass,
            values: forward.mass.as_ref(),
            rows: [l.directions, &[]],
            columns: l.directions,
            first: (0, 0),
        };
        mass.compare(&|c, out| {
            copy(self.residual_along(rates(c)).r.as_ref(), out);
            for entry in out.iter_mut().take(c) {
                *entry = 0.0;
            }
        })
    }

    /// What a linearised step takes: the tangent and its residual as without it, and their change along π v.
    fn drift(&self, l: &Layout<'_>) -> Result<(), Mismatch> {
        let weights = Weights { rates: 1.3, velocity: 0.7, position: 0.4, state: 0.9 };
        let zeros = || (Residual::<S>::zeros(l), <S::Tangent as Block<f64>>::zeros(l.tangent.nnz()));
        let ((mut residual, mut tangent), (mut same, mut again)) = (zeros(), zeros());
        let (mut drift, mut wanted) = (Residual::<S>::zeros(l), Residual::<S>::zeros(l));
        let (at, rates, step) = (self.point.at(), self.point.rates(), &self.point.step);
        self.model.tangent_and_drift(at, rates, weights, step, (&mut residual, &mut tangent), &mut drift);
        self.model.tangent(at, rates, weights, step, &mut same, &mut again);
        for (c, v) in self.point.v.as_ref().iter().enumerate() {
            let along = self.residual_along(Direction::Step(c));
            let add = |from: &[Dual<f64>], to: &mut [f64]| {
                to.iter_mut().zip(from).for_each(|(to, from)| *to += weights.position * v * from.eps);
            };
            add(along.r.as_ref(), wanted.r.as_mut());
            add(along.s.as_ref(), wanted.s.as_mut());
            add(along.phi.as_ref(), wanted.phi.as_mut());
        }
        let terms = tangent.as_ref().iter().fold(0.0, |terms, x| larger(terms, *x));
        let beside = |block: &'static str, names: &[&str], found: &[f64], wanted: &[f64]| {
            vector_beside(terms, block, names, found, &|i| wanted.get(i).copied().unwrap_or(0.0))
        };
        beside("tangent of a linearised step", &[], tangent.as_ref(), again.as_ref())?;
        for ([found, wanted], block) in
            [([&residual, &same], "residual of a linearised step"), ([&drift, &wanted], "change along the velocity")]
        {
            beside(block, l.directions, found.r.as_ref(), wanted.r.as_ref())?;
            beside(block, l.z, found.s.as_ref(), wanted.s.as_ref())?;
            beside(block, l.constraints, found.phi.as_ref(), wanted.phi.as_ref())?;
        }
        Ok(())
    }

    /// Ṁ v from M along the motion.
    pub(super) fn momentum_rate(&self) -> Result<(), Mismatch> {
        let l = self.model.layout();
        if l.first_order() {
            return Ok(());
        }
        let mut out: S::V = Block::zeros(l.v.len());
        self.model.momentum_rate(self.point.at(), &mut out);
        let (model, at) = self.lifted(Direction::Motion);
        let mut forward = Forward::<D>::zeros(&l);
        model.forward(at.at(), &mut forward);
        let (mass, v) = (forward.mass.as_ref(), self.point.v.as_ref());
        vector("dM/dt v", l.directions, out.as_ref(), &|i| product(&l, mass, v, i))?;
        self.canonical(out)
    }

    /// M, f + Ṁ v, g, G and Φ of one call equal those of the separate calls; `rate` is Ṁ v.
    fn canonical(&self, mut rate: S::V) -> Result<(), Mismatch> {
        let (l, at) = (self.model.layout(), self.point.at());
        let (mut parts, mut held) = (Forward::<S>::zeros(&l), Constraint::<S>::zeros(&l));
        self.model.forward(at, &mut parts);
        self.model.constraint(at, &mut held);
        // spatial rates of a free body leave round-off of two parts, each as good as its own block
        let terms = parts.force.as_ref().iter().chain(rate.as_ref()).fold(0.0, |scale, x| larger(scale, *x));
        for (force, &rate) in parts.force.as_mut().iter_mut().zip(rate.as_ref()) {
            *force += rate;
        }
        let (mut whole, mut phi) = (Forward::<S>::zeros(&l), Constraint::<S>::zeros(&l));
        self.model.canonical(at, &mut rate, &mut whole, &mut phi);
        let beside = |terms, block, names: &[&str], found: &[f64], wanted: &[f64]| {
            vector_beside(terms, block, names, found, &|i| wanted.get(i).copied().unwrap_or(f64::NAN))
        };
        let same = |block, names: &[&str], found: &[f64], wanted: &[f64]| beside(0.0, block, names, found, wanted);
        beside(terms, "f + dM/dt v", l.directions, whole.force.as_ref(), parts.force.as_ref())?;
        same("M of momenta", &[], whole.mass.as_ref(), parts.mass.as_ref())?;
        same("g of momenta", l.z, whole.zdot.as_ref(), parts.zdot.as_ref())?;
        same("G of momenta", &[], whole.jacobian.as_ref(), parts.jacobian.as_ref())?;
        same("Phi of momenta", l.constraints, phi.phi.as_ref(), held.phi.as_ref())
    }

    /// f = −r and g = −s at rest, Φ̇ = ∂Φ along the motion, γ = ∂Φ̇ along the motion without acceleration. A row of
    /// velocities is its own rate; a compliant row has no rate, its force is part of f, and −γ is the multiplier that
    /// makes it vanish.
    pub(super) fn constraint_time(&self) -> Result<(), Mismatch> {
        let l = self.model.layout();
        let mut forward = Forward::<S>::zeros(&l);
        self.model.forward(self.point.at(), &mut forward);
        let mut constraint = Constraint::<S>::zeros(&l);
        self.model.constraint(self.point.at(), &mut constraint);
        let (model, at) = self.lifted(Direction::Motion);
        let (mut moving, mut held) = (Residual::<D>::zeros(&l), Constraint::<D>::zeros(&l));
        model.residual(at.at(), at.rates(), &mut moving);
        model.constraint(at.at(), &mut held);
        let rates = moving.phi.as_ref();
        vector("dPhi/dt", l.constraints, constraint.rate.as_ref(), &|i| match (l.kind(i), rates.get(i)) {
            (RowKind::Holonomic, Some(x)) => x.eps,
            (RowKind::Nonholonomic, Some(x)) => x.re,
            _ => 0.0,
        })?;
        let rest: S::V = Block::zeros(l.v.len());
        let mut at = self.point.at();
        if l.first_order() {
            // f and γ are those without velocities
            at.v = &rest;
            self.model.constraint(at, &mut constraint);
        }
        let (a, zdot, mut lambda): (S::V, S::Z, S::L) =
            (Block::zeros(l.v.len()), Block::zeros(l.z.len()), Block::zeros(l.constraints.len()));
        let (bias, gamma) = (held.rate.as_ref(), forward.gamma.as_ref());
        vector("gamma", l.constraints, gamma, &|i| match l.kind(i) {
            RowKind::Compliant => gamma.get(i).copied().unwrap_or(0.0),
            _ if l.first_order() => constraint.rate.as_ref().get(i).copied().unwrap_or(0.0),
            _ => bias.get(i).map_or(0.0, |x| x.eps),
        })?;
        for (i, (lambda, gamma)) in lambda.as_mut().iter_mut().zip(gamma).enumerate() {
            *lambda = if l.kind(i) == RowKind::Compliant { -gamma } else { 0.0 };
        }
        let mut residual = Residual::<S>::zeros(&l);
        self.model.residual(at, Rates { a: &a, zdot: &zdot, lambda: &lambda }, &mut residual);
        let (r, phi) = (residual.r.as_ref(), residual.phi.as_ref());
        let scale = rates.iter().fold(0.0, |m: f64, x| m.max(x.re.abs()));
        for (i, phi) in phi.iter().enumerate().filter(|(i, _)| l.kind(*i) == RowKind::Compliant) {
            agree("compliance", (l.constraints, i), (&[], 0), *phi, 0.0, scale)?;
        }
        vector("f", l.directions, forward.force.as_ref(), &|i| r.get(i).map_or(0.0, |x| -x))?;
        self.model.residual(self.point.at(), Rates { a: &a, zdot: &zdot, lambda: &lambda }, &mut residual);
        let s = residual.s.as_ref();
        vector("g", l.z, forward.zdot.as_ref(), &|i| s.get(i).map_or(0.0, |x| -x))
    }
}

/// Entry i of the derivative of M by v, of the lower triangle of M.
fn product(l: &Layout<'_>, mass: &[Dual<f64>], v: &[f64], i: usize) -> f64 {
    let share = |((r, c), m): ((usize, usize), &Dual<f64>)| {
        let column = if r == i { c } else { r };
        let speed = if r == i || c == i { v.get(column).copied().unwrap_or(0.0) } else { 0.0 };
        m.eps * speed
    };
    l.mass.entries().zip(mass).map(share).sum()
}
