//! Checks every generated derivative of a model against dual numbers carried through its plain residual.
//!
//! The oracle shares nothing with the symbolic calculus: it evaluates r, ż − g, Φ and y over [`Dual`] numbers, one
//! direction at a time, and compares at random states, rates, inputs, multipliers and parameters.
#![allow(clippy::result_large_err, reason = "a mismatch is met once, in a test, and carries its names without a heap")]

mod compare;
mod events;
mod outside;
mod products;
mod solutions;

pub use compare::{Mismatch, TOLERANCE};
pub use outside::{AGREEMENT, Differenced};
pub use products::{PAIR_POINTS, Products, check_products};

use crate::differentiable::Differentiable;
use crate::dual::Dual;
use crate::scalar::Scalar;
use crate::state::State;
use crate::system::{At, Block, Constraint, Forward, Layout, Rates, Residual, RowKind, Solvable, System, Weights};
use compare::{Values, agree, copy, vector};

/// Random points a check visits.
pub const POINTS: usize = 32;
/// Algebraic variables whose equations are checked.
const ALGEBRAIC: usize = 48;

/// A point of evaluation over one scalar.
struct Point<S: System> {
    t: S::Real,
    /// where the step begins
    base: S::Q,
    step: S::V,
    /// base ⊕ step
    q: S::Q,
    v: S::V,
    z: S::Z,
    u: S::U,
    a: S::V,
    zdot: S::Z,
    lambda: S::L,
    modes: S::Modes,
}

impl<S: System> Point<S> {
    fn zeros(l: &Layout<'_>) -> Self {
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
    fn at(&self) -> At<'_, S> {
        At { t: self.t, q: &self.q, v: &self.v, z: &self.z, u: &self.u, modes: &self.modes }
    }
    fn rates(&self) -> Rates<'_, S> {
        Rates { a: &self.a, zdot: &self.zdot, lambda: &self.lambda }
    }
}

/// The direction of a dual evaluation.
#[derive(Clone, Copy, PartialEq)]
enum Direction {
    /// along a tangent direction at q
    Position(usize),
    /// along an entry of the step that leads to q
    Step(usize),
    Velocity(usize),
    Acceleration(usize),
    State(usize),
    Rate(usize),
    Multiplier(usize),
    Input(usize),
    Parameter(usize),
    /// along (q̇, v̇, ṫ) = (v, 0, 1)
    Motion,
    /// along (q̇, v̇, ż, ṫ) = (v, a, ż, 1)
    Flight,
}

/// No direction of any probe.
const NOWHERE: Direction = Direction::Parameter(usize::MAX);

/// Values and derivatives of everything differentiable along a direction.
struct Probe<D: Differentiable> {
    q: D::Q,
    residual: Residual<D>,
    constraint: Constraint<D>,
    outputs: D::Y,
    guards: D::Guards,
}

impl<D: Differentiable<Real = Dual<f64>>> Probe<D> {
    /// Derivatives of the rows (r, ż − g).
    fn rows(&self, out: &mut [f64]) {
        let (r, s) = (self.residual.r.as_ref(), self.residual.s.as_ref());
        for (x, y) in r.iter().chain(s).zip(out) {
            *y = x.eps;
        }
    }
}

/// Numbers in (−1, 1), the same in every run (Steele, Lea & Flood 2014, SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((x ^ (x >> 31)) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
    fn fill(&mut self, block: &mut [f64], scale: f64) {
        for x in block {
            *x += scale * self.next();
        }
    }
}

/// Checks M, Ṁ v, K, D, ∂(r, ż − g)/∂(z, ż), G, the rows and columns of constraints in the tangent, Φ̇, γ, f, g, B, P,
/// ∂Φ/∂p and ∂y of `S` at random points against the same model `D` over dual numbers; and accelerations, multipliers
/// and corrections against M, f, G and γ.
///
/// # Errors
/// The first entry that differs by more than [`TOLERANCE`] of its block's largest.
pub fn check<S, D>() -> Result<(), Mismatch>
where
    S: Differentiable<Real = f64> + Solvable + Default,
    D: Differentiable<Real = Dual<f64>>,
{
    check_model::<S, D>(&S::default())
}

/// As [`check`], around the parameters of `model`.
///
/// # Errors
/// The first entry that differs.
pub fn check_model<S, D>(model: &S) -> Result<(), Mismatch>
where
    S: Differentiable<Real = f64> + Solvable,
    D: Differentiable<Real = Dual<f64>>,
{
    let mut random = Random(7);
    for _ in 0..POINTS {
        let mut parameters = model.parameter_block();
        for p in parameters.as_mut() {
            *p *= 1.0 + 0.1 * random.next();
        }
        let model = S::with_parameters(&parameters);
        let point = random_point(&model, &mut random);
        Check::<S, D> { model: &model, parameters: &parameters, point: &point, marker: core::marker::PhantomData }
            .run()?;
        solutions::check(&model, &point)?;
    }
    Ok(())
}

/// A point at which the model has a value: where roots or logarithms leave their domain, one nearer to the start is
/// drawn.
fn random_point<S: Differentiable<Real = f64>>(model: &S, random: &mut Random) -> Point<S> {
    let mut reach = 1.0;
    loop {
        let point = point_within(model, random, reach);
        reach *= 0.5;
        // Where there is no value even at the start, the check reports NaN.
        if reach < 1e-6 || has_values(model, &point) {
            return point;
        }
    }
}

fn has_values<S: Differentiable<Real = f64>>(model: &S, point: &Point<S>) -> bool {
    let l = model.layout();
    let mut residual = Residual::<S>::zeros(&l);
    model.residual(point.at(), point.rates(), &mut residual);
    let mut outputs: S::Y = Block::zeros(model.derivatives().output_names.len());
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

/// One point's comparison.
struct Check<'a, S: Differentiable, D> {
    model: &'a S,
    parameters: &'a S::P,
    point: &'a Point<S>,
    marker: core::marker::PhantomData<D>,
}

impl<S, D> Check<'_, S, D>
where
    S: Differentiable<Real = f64>,
    D: Differentiable<Real = Dual<f64>>,
{
    fn run(&self) -> Result<(), Mismatch> {
        self.positions()?;
        self.tangent()?;
        self.momentum_rate()?;
        self.constraint_time()?;
        self.inputs()?;
        self.parameters()?;
        self.algebraic()?;
        self.outputs()?;
        events::check(self)
    }

    /// The twin and its point, moving along `direction`.
    fn lifted(&self, direction: Direction) -> (D, Point<D>) {
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
        let model = D::with_parameters(&p);
        let moving = matches!(direction, Direction::Motion | Direction::Flight);
        let mut at = Point::<D>::zeros(&l);
        at.t = Dual { re: point.t, eps: seed(moving) };
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

    /// r, ż − g, Φ, Φ̇, y and the guards with their derivatives along `direction`.
    fn probe(&self, direction: Direction) -> Probe<D> {
        let (l, (model, at)) = (self.model.layout(), self.lifted(direction));
        let mut probe = Probe::<D> {
            q: at.q.clone(),
            residual: Residual::zeros(&l),
            constraint: Constraint::zeros(&l),
            outputs: Block::zeros(model.derivatives().output_names.len()),
            guards: Block::zeros(l.events.len()),
        };
        model.guards(at.at(), &mut probe.guards);
        model.residual(at.at(), at.rates(), &mut probe.residual);
        model.constraint(at.at(), &mut probe.constraint);
        model.outputs(at.at(), at.rates(), &mut probe.outputs);
        probe
    }

    /// N(q) v against q ⊕ ε v, and ⊖ as the inverse of ⊕.
    fn positions(&self) -> Result<(), Mismatch> {
        let l = self.model.layout();
        let mut rates: S::Q = Block::zeros(l.q.len());
        self.model.qdot(&self.point.q, &self.point.v, &mut rates);
        let moving = self.probe(Direction::Motion).q;
        let moving = moving.as_ref();
        vector("N v", l.q, rates.as_ref(), &|i| moving.get(i).map_or(0.0, |x| x.eps))?;
        let (mut end, mut step): (S::Q, S::V) = (Block::zeros(l.q.len()), Block::zeros(l.v.len()));
        self.model.local(&self.point.base, &self.point.q, &mut step);
        self.model.retract(&self.point.base, &step, &mut end);
        let q = self.point.q.as_ref();
        vector("local", l.q, end.as_ref(), &|i| q.get(i).copied().unwrap_or(0.0))
    }

    fn tangent(&self) -> Result<(), Mismatch> {
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
            let (held, rolling) = (self.probe(Direction::Position(c)), self.probe(Direction::Velocity(c)));
            copy(held.residual.phi.as_ref(), out);
            for ((out, slope), kind) in out.iter_mut().zip(rolling.residual.phi.as_ref()).zip(l.kinds) {
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
            tangent.compare(&|c, out| self.probe(direction(c)).rows(out))?;
            // below (r, s), and to their right, stand the rows and columns of constraints
            let end = l.v.len() + l.z.len();
            let below = Values { rows: [l.constraints, &[]], first: (end, first), ..tangent };
            below.compare(&|c, out| copy(self.probe(direction(c)).residual.phi.as_ref(), out))?;
            let right = Values { block: "d(r, s)/dlambda", columns: l.constraints, first: (0, end), ..tangent };
            right.compare(&|c, out| self.probe(Direction::Multiplier(c)).rows(out))?;
            let corner = Values { block: "E", first: (end, end), rows: [l.constraints, &[]], ..right };
            corner.compare(&|c, out| copy(self.probe(Direction::Multiplier(c)).residual.phi.as_ref(), out))?;
        }
        // M of the explicit path is the lower triangle of ∂r/∂a, and D of a first-order model that of ∂r/∂v
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
            copy(self.probe(rates(c)).residual.r.as_ref(), out);
            for entry in out.iter_mut().take(c) {
                *entry = 0.0;
            }
        })
    }

    /// Ṁ v from M along the motion.
    fn momentum_rate(&self) -> Result<(), Mismatch> {
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
        vector("dM/dt v", l.directions, out.as_ref(), &|i| {
            let entries = l.mass.entries().zip(mass);
            let share = |((r, c), m): ((usize, usize), &Dual<f64>)| {
                let column = if r == i { c } else { r };
                let speed = if r == i || c == i { v.get(column).copied().unwrap_or(0.0) } else { 0.0 };
                m.eps * speed
            };
            entries.map(share).sum()
        })?;
        self.canonical(out)
    }

    /// M, f + Ṁ v, g, G and Φ of one call are those of the others; `rate` is Ṁ v.
    fn canonical(&self, mut rate: S::V) -> Result<(), Mismatch> {
        let (l, at) = (self.model.layout(), self.point.at());
        let (mut parts, mut held) = (Forward::<S>::zeros(&l), Constraint::<S>::zeros(&l));
        self.model.forward(at, &mut parts);
        self.model.constraint(at, &mut held);
        for (force, &rate) in parts.force.as_mut().iter_mut().zip(rate.as_ref()) {
            *force += rate;
        }
        let (mut whole, mut phi) = (Forward::<S>::zeros(&l), Constraint::<S>::zeros(&l));
        self.model.canonical(at, &mut rate, &mut whole, &mut phi);
        let same = |block, names: &[&str], found: &[f64], wanted: &[f64]| {
            vector(block, names, found, &|i| wanted.get(i).copied().unwrap_or(f64::NAN))
        };
        same("f + dM/dt v", l.directions, whole.force.as_ref(), parts.force.as_ref())?;
        same("M of momenta", &[], whole.mass.as_ref(), parts.mass.as_ref())?;
        same("g of momenta", l.z, whole.zdot.as_ref(), parts.zdot.as_ref())?;
        same("G of momenta", &[], whole.jacobian.as_ref(), parts.jacobian.as_ref())?;
        same("Phi of momenta", l.constraints, phi.phi.as_ref(), held.phi.as_ref())
    }

    /// f = −r and g = −s at rest, Φ̇ = ∂Φ along the motion, γ = ∂Φ̇ along the motion without acceleration. A row of
    /// velocities is its own rate; a compliant row has no rate, its force is part of f, and −γ is the multiplier that
    /// makes it vanish.
    fn constraint_time(&self) -> Result<(), Mismatch> {
        let l = self.model.layout();
        let mut forward = Forward::<S>::zeros(&l);
        self.model.forward(self.point.at(), &mut forward);
        let mut constraint = Constraint::<S>::zeros(&l);
        self.model.constraint(self.point.at(), &mut constraint);
        let moving = self.probe(Direction::Motion);
        let rates = moving.residual.phi.as_ref();
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
        let (bias, gamma) = (moving.constraint.rate.as_ref(), forward.gamma.as_ref());
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

    fn inputs(&self) -> Result<(), Mismatch> {
        let (l, d) = (self.model.layout(), self.model.derivatives());
        let mut out: S::ForceByInput = Block::zeros(d.force_by_input.nnz());
        self.model.force_by_input(self.point.at(), self.point.rates(), &mut out);
        let b = Values {
            block: "B",
            pattern: d.force_by_input,
            values: out.as_ref(),
            rows: [l.directions, l.z],
            columns: l.u,
            first: (0, 0),
        };
        b.compare(&|c, out| {
            self.probe(Direction::Input(c)).rows(out);
            out.iter_mut().for_each(|x| *x = -*x);
        })
    }

    /// F = −s and ∂F/∂y of algebraic variables, up to [`ALGEBRAIC`] of them.
    fn algebraic(&self) -> Result<(), Mismatch> {
        let l = self.model.layout();
        let (na, first) = (l.algebraic, l.differential());
        let (mut values, mut jacobian) = ([0.0; ALGEBRAIC], [0.0; ALGEBRAIC * ALGEBRAIC]);
        let (Some(values), Some(jacobian)) = (values.get_mut(..na), jacobian.get_mut(..na * na)) else {
            return Ok(());
        };
        self.model.algebraic(self.point.at(), values, jacobian);
        for c in 0..na {
            let probe = self.probe(Direction::State(first + c));
            let s = probe.residual.s.as_ref();
            let row = |i: usize| s.get(first + i);
            let names = l.z.get(first..).unwrap_or_default();
            vector("F", names, values, &|i| row(i).map_or(0.0, |x| -x.re))?;
            let mut column = [0.0; ALGEBRAIC];
            for (i, to) in column.iter_mut().enumerate().take(na) {
                *to = jacobian.get(i * na + c).copied().unwrap_or(0.0);
            }
            let column = column.get(..na).unwrap_or_default();
            vector("dF/dy", names, column, &|i| row(i).map_or(0.0, |x| -x.eps))?;
        }
        Ok(())
    }

    fn parameters(&self) -> Result<(), Mismatch> {
        let (l, d) = (self.model.layout(), self.model.derivatives());
        let mut r: S::ResidualByParameter = Block::zeros(d.residual_by_parameter.nnz());
        let mut phi: S::ConstraintByParameter = Block::zeros(d.constraint_by_parameter.nnz());
        self.model.residual_by_parameter(self.point.at(), self.point.rates(), &mut r, &mut phi);
        let names = d.parameter_names;
        let rows = [l.directions, l.z];
        let p = Values {
            block: "P",
            pattern: d.residual_by_parameter,
            values: r.as_ref(),
            rows,
            columns: names,
            first: (0, 0),
        };
        p.compare(&|c, out| self.probe(Direction::Parameter(c)).rows(out))?;
        let c = Values {
            block: "dPhi/dp",
            pattern: d.constraint_by_parameter,
            values: phi.as_ref(),
            rows: [l.constraints, &[]],
            columns: names,
            first: (0, 0),
        };
        c.compare(&|c, out| copy(self.probe(Direction::Parameter(c)).residual.phi.as_ref(), out))
    }

    fn outputs(&self) -> Result<(), Mismatch> {
        let (l, d) = (self.model.layout(), self.model.derivatives());
        let mut out: S::OutputJacobian = Block::zeros(d.output_jacobian.nnz());
        self.model.output_jacobian(self.point.at(), self.point.rates(), &mut out);
        type Kind = fn(usize) -> Direction;
        let groups: [(&'static str, &[&str], Kind); 8] = [
            ("dy/dq", l.directions, Direction::Position),
            ("dy/dv", l.v, Direction::Velocity),
            ("dy/dz", l.z, Direction::State),
            ("dy/da", l.directions, Direction::Acceleration),
            ("dy/d der(z)", l.z, Direction::Rate),
            ("dy/dlambda", l.constraints, Direction::Multiplier),
            ("dy/du", l.u, Direction::Input),
            ("dy/dp", d.parameter_names, Direction::Parameter),
        ];
        let mut first = 0;
        for (block, columns, direction) in groups {
            let rows = [d.output_names, &[]];
            let y =
                Values { block, pattern: d.output_jacobian, values: out.as_ref(), rows, columns, first: (0, first) };
            y.compare(&|c, out| copy(self.probe(direction(c)).outputs.as_ref(), out))?;
            first += columns.len();
        }
        Ok(())
    }
}
