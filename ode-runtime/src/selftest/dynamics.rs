//! Motion, forces and constraints against dual numbers.

use super::compare::{Mismatch, Values, agree, cancelled, copy, larger, vector, vector_beside};
use super::direction::Direction;
use super::probe::Check;
use super::twins::Twins;
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
        tangents(self, forward.jacobian.as_ref(), forward.mass.as_ref())?;
        self.drift(&l)
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
            let factor = weights.position * v;
            add(factor, along.r.as_ref(), wanted.r.as_mut());
            add(factor, along.s.as_ref(), wanted.s.as_mut());
            add(factor, along.phi.as_ref(), wanted.phi.as_mut());
        }
        linearised(
            l,
            [tangent.as_ref(), again.as_ref()],
            [
                [[residual.r.as_ref(), same.r.as_ref()], [drift.r.as_ref(), wanted.r.as_ref()]],
                [[residual.s.as_ref(), same.s.as_ref()], [drift.s.as_ref(), wanted.s.as_ref()]],
                [[residual.phi.as_ref(), same.phi.as_ref()], [drift.phi.as_ref(), wanted.phi.as_ref()]],
            ],
        )
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
        let terms = cancelled(&[self.inertial()]);
        vector_beside(terms, "dM/dt v", l.directions, out.as_ref(), &|i| product(&l, mass, v, i))?;
        self.canonical(out)
    }

    /// The size of the terms of forces of inertia, which cancel where M does not change: about a point that stays in a
    /// body, or its axis of symmetry.
    pub(super) fn inertial(&self) -> f64 {
        let mut forward = Forward::<S>::zeros(&self.model.layout());
        self.model.forward(self.point.at(), &mut forward);
        let largest = |numbers: &[f64]| numbers.iter().copied().fold(0.0, larger);
        let fastest = largest(self.point.v.as_ref());
        largest(forward.mass.as_ref()) * fastest * fastest
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
        let found: [&[f64]; 5] =
            [whole.force.as_ref(), whole.mass.as_ref(), whole.zdot.as_ref(), whole.jacobian.as_ref(), phi.phi.as_ref()];
        let wanted: [&[f64]; 5] = [
            parts.force.as_ref(),
            parts.mass.as_ref(),
            parts.zdot.as_ref(),
            parts.jacobian.as_ref(),
            held.phi.as_ref(),
        ];
        of_momenta(&l, terms, found, wanted)
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
        let terms = cancelled(&[self.inertial()]);
        vector_beside(terms, "f", l.directions, forward.force.as_ref(), &|i| r.get(i).map_or(0.0, |x| -x))?;
        self.model.residual(self.point.at(), Rates { a: &a, zdot: &zdot, lambda: &lambda }, &mut residual);
        let s = residual.s.as_ref();
        vector("g", l.z, forward.zdot.as_ref(), &|i| s.get(i).map_or(0.0, |x| -x))
    }
}

/// Compares the tangent, G and M.
fn tangents(twins: &dyn Twins, jacobian: &[f64], mass: &[f64]) -> Result<(), Mismatch> {
    let l = twins.layout();
    let jacobian = Values {
        block: "G",
        pattern: l.jacobian,
        values: jacobian,
        rows: [l.constraints, &[]],
        columns: l.directions,
        first: (0, 0),
    };
    jacobian.compare(&|c, out| {
        twins.constraint_slopes(Direction::Position(c), out);
        twins.rows(Direction::Velocity(c), &mut |rolling| {
            for ((out, slope), kind) in out.iter_mut().zip(rolling.phi).zip(l.kinds) {
                match kind {
                    RowKind::Holonomic => {}
                    RowKind::Nonholonomic => *out = slope.eps,
                    RowKind::Compliant => *out = 0.0,
                }
            }
        });
    })?;
    let none = Weights { rates: 0.0, velocity: 0.0, position: 0.0, state: 0.0 };
    let nv = l.v.len();
    let units: [Unit<'_>; 5] = [
        ("K", Weights { position: 1.0, ..none }, Direction::Step, l.directions, 0),
        ("D", Weights { velocity: 1.0, ..none }, Direction::Velocity, l.v, 0),
        ("M", Weights { rates: 1.0, ..none }, Direction::Acceleration, l.directions, 0),
        ("d(r, s)/dz", Weights { state: 1.0, ..none }, Direction::State, l.z, nv),
        ("d(r, s)/d der(z)", Weights { rates: 1.0, ..none }, Direction::Rate, l.z, nv),
    ];
    for unit in units {
        let mut compared = Ok(());
        twins.tangent_by(unit.1, &mut |values| compared = weighted(twins, &l, unit, values, mass));
        compared?;
    }
    // M of the explicit path is the lower triangle of ∂r/∂a; D of a first-order model is that of ∂r/∂v
    let rates = if l.first_order() { Direction::Velocity } else { Direction::Acceleration };
    let mass = Values {
        block: "M",
        pattern: l.mass,
        values: mass,
        rows: [l.directions, &[]],
        columns: l.directions,
        first: (0, 0),
    };
    mass.compare(&|c, out| {
        twins.rows(rates(c), &mut |along| copy(along.r, out));
        for entry in out.iter_mut().take(c) {
            *entry = 0.0;
        }
    })
}

/// A tangent by one weight: its block, and where its columns begin.
type Unit<'a> = (&'static str, Weights<f64>, fn(usize) -> Direction, &'a [&'a str], usize);

/// Compares a tangent by one weight, of which the terms of M may cancel.
fn weighted(
    twins: &dyn Twins,
    l: &Layout<'_>,
    (block, _, direction, columns, first): Unit<'_>,
    values: &[f64],
    mass: &[f64],
) -> Result<(), Mismatch> {
    let rows = [l.directions, l.z];
    let tangent = Values { block, pattern: l.tangent, values, rows, columns, first: (0, first) };
    tangent.compare_beside(mass, &|c, out| twins.row_slopes(direction(c), out))?;
    // below (r, s), and to their right, stand the rows and columns of constraints
    let end = l.v.len() + l.z.len();
    let below = Values { rows: [l.constraints, &[]], first: (end, first), ..tangent };
    twins.compare_constraints(&below, direction)?;
    let right = Values { block: "d(r, s)/dlambda", columns: l.constraints, first: (0, end), ..tangent };
    twins.compare_rows(&right, Direction::Multiplier)?;
    let corner = Values { block: "E", first: (end, end), rows: [l.constraints, &[]], ..right };
    twins.compare_constraints(&corner, Direction::Multiplier)
}

/// Adds derivatives.
fn add(factor: f64, from: &[Dual<f64>], to: &mut [f64]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += factor * from.eps;
    }
}

/// Compares the tangents, and of r, s and Φ residuals and changes, found and wanted.
fn linearised(l: &Layout<'_>, tangents: [&[f64]; 2], rows: [[[&[f64]; 2]; 2]; 3]) -> Result<(), Mismatch> {
    let terms = tangents[0].iter().fold(0.0, |terms, x| larger(terms, *x));
    let beside = |block, names: &[&str], [found, wanted]: [&[f64]; 2]| {
        vector_beside(terms, block, names, found, &|i| wanted.get(i).copied().unwrap_or(0.0))
    };
    beside("tangent of a linearised step", &[], tangents)?;
    for (names, [residual, drift]) in [l.directions, l.z, l.constraints].into_iter().zip(rows) {
        beside("residual of a linearised step", names, residual)?;
        beside("change along the velocity", names, drift)?;
    }
    Ok(())
}

/// Compares what one call and what the separate calls give: f + Ṁ v, M, g, G and Φ.
fn of_momenta(l: &Layout<'_>, terms: f64, found: [&[f64]; 5], wanted: [&[f64]; 5]) -> Result<(), Mismatch> {
    let blocks: [(_, _, &[&str]); 5] = [
        ("f + dM/dt v", terms, l.directions),
        ("M of momenta", 0.0, &[]),
        ("g of momenta", 0.0, l.z),
        ("G of momenta", 0.0, &[]),
        ("Phi of momenta", 0.0, l.constraints),
    ];
    for ((block, terms, names), (found, wanted)) in blocks.into_iter().zip(found.into_iter().zip(wanted)) {
        vector_beside(terms, block, names, found, &|i| wanted.get(i).copied().unwrap_or(f64::NAN))?;
    }
    Ok(())
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
