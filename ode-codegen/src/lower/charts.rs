//! The motion of each chart, method by method.

use crate::chart::{Block, Chart};
use crate::expr::{Function as F, Symbol};
use crate::model::Model;

use super::motion::{Motion, Move, Routine, Value};
use super::program::Expr;

/// The motions of a model's positions, in order.
pub(super) fn motions(model: &Model) -> Vec<Motion> {
    let angle = |q: usize| model.declared.coordinates.iter().any(|c| c.declared.angle && c.declared.holds(q));
    let mut turns = 0;
    let motion = |block: Block| match block.chart {
        Chart::Line => line(&block, angle(block.q)),
        Chart::Circle => circle(&block),
        Chart::Rotation | Chart::WorldRotation => {
            turns += 9;
            rotation(&block, turns - 9)
        }
        Chart::Direction => {
            turns += 9;
            direction(&block, turns - 9)
        }
    };
    model.blocks().into_iter().map(motion).collect()
}

fn load(kind: fn(u32) -> Symbol, i: usize) -> Expr {
    Expr::Load(kind(i as u32))
}

fn unary(f: F, a: Expr) -> Expr {
    Expr::Unary(f, Box::new(a))
}

fn binary(f: F, a: Expr, b: Expr) -> Expr {
    Expr::Binary(f, Box::new(a), Box::new(b))
}

fn write(place: usize, value: Expr) -> Move {
    Move::Write(vec![place], Value::Numbers(vec![value]))
}

/// A number is moved by sums; an angle that is one, to another by less than half a turn.
fn line(&Block { q, v, .. }: &Block, angle: bool) -> Motion {
    let difference = binary(F::Sub, load(Symbol::To, q), load(Symbol::From, q));
    let local = match angle {
        true => Move::Write(vec![v], Value::Call(Routine::Wrap, vec![Value::Numbers(vec![difference])])),
        false => write(v, difference),
    };
    Motion {
        qdot: vec![write(q, load(Symbol::V, v))],
        retract: vec![write(q, binary(F::Add, load(Symbol::Q, q), load(Symbol::Step, v)))],
        local: vec![local],
        step_rate: vec![write(v, load(Symbol::V, v))],
        ..Motion::default()
    }
}

/// Cosine and sine are turned, and kept on the circle as `so3::normalize` keeps quaternions on the sphere.
fn circle(&Block { q, v, .. }: &Block) -> Motion {
    let of = |kind: fn(u32) -> Symbol| [load(kind, q), load(kind, q + 1)];
    let mul = |a: &Expr, b: &Expr| binary(F::Mul, a.clone(), b.clone());
    let numbers = |values| Move::Write(vec![q, q + 1], Value::Numbers(values));
    let (rate, step) = (load(Symbol::V, v), load(Symbol::Step, v));
    let [c, s] = of(Symbol::Q);
    let [cosine, sine, new_c, new_s, factor] = [0, 1, 2, 3, 4].map(Expr::Temp);
    let excess = binary(F::Sub, binary(F::Sub, Expr::Constant(3.0), mul(&new_c, &new_c)), mul(&new_s, &new_s));
    let retract = vec![
        Move::Let(0, unary(F::Cos, step.clone())),
        Move::Let(1, unary(F::Sin, step)),
        Move::Let(2, binary(F::Sub, mul(&c, &cosine), mul(&s, &sine))),
        Move::Let(3, binary(F::Add, mul(&s, &cosine), mul(&c, &sine))),
        Move::Let(4, mul(&Expr::Constant(0.5), &excess)),
        numbers(vec![mul(&factor, &new_c), mul(&factor, &new_s)]),
    ];
    let ([from_c, from_s], [to_c, to_s]) = (of(Symbol::From), of(Symbol::To));
    let across = binary(F::Sub, mul(&from_c, &to_s), mul(&from_s, &to_c));
    let along = binary(F::Add, mul(&from_c, &to_c), mul(&from_s, &to_s));
    Motion {
        rotation: Some((q, 2)),
        qdot: vec![numbers(vec![mul(&unary(F::Neg, s), &rate), mul(&c, &rate)])],
        retract,
        local: vec![write(v, binary(F::Atan2, across, along))],
        step_rate: vec![write(v, rate)],
        ..Motion::default()
    }
}

/// A quaternion is moved by products: from the right for body rates, from the left for spatial ones. Its tangent map
/// begins at entry `first` of all.
fn rotation(block: &Block, first: usize) -> Motion {
    use Routine as R;
    let world = block.chart == Chart::WorldRotation;
    let numbers = |kind: fn(u32) -> Symbol, range: std::ops::Range<usize>| range.map(move |i| load(kind, i)).collect();
    let four = |kind| Value::Numbers(numbers(kind, block.positions()));
    let three = |kind| -> Vec<Expr> { numbers(kind, block.velocities()) };
    let call = |routine, values: Vec<Value>| Value::Call(routine, values);
    let (q, from, to) = (four(Symbol::Q), four(Symbol::From), four(Symbol::To));
    let (rate, step) = (three(Symbol::V), three(Symbol::Step));
    // T of a step of space is that of the body's for −step
    let turned = match world {
        true => Value::Numbers(step.iter().map(|x| unary(F::Neg, x.clone())).collect()),
        false => Value::Numbers(step.clone()),
    };
    let (rates, step) = (Value::Numbers(rate.clone()), Value::Numbers(step));
    let (qdot, retract, local) = if world {
        let half = rate.into_iter().map(|x| binary(F::Mul, Expr::Constant(0.5), x));
        let spin = Value::Numbers(std::iter::once(Expr::Constant(0.0)).chain(half).collect());
        (
            call(R::Product, vec![spin, q.clone()]),
            call(R::Normalize, vec![call(R::Product, vec![call(R::Exp, vec![step]), q])]),
            call(R::Log, vec![call(R::Product, vec![to, call(R::Conjugate, vec![from])])]),
        )
    } else {
        (call(R::Qdot, vec![q.clone(), rates.clone()]), call(R::Retract, vec![q, step]), call(R::Local, vec![from, to]))
    };
    let (positions, velocities) = (block.positions().collect::<Vec<_>>(), block.velocities().collect::<Vec<_>>());
    Motion {
        rotation: Some((block.q, positions.len())),
        qdot: vec![Move::Write(positions.clone(), qdot)],
        retract: vec![Move::Write(positions, retract)],
        local: vec![Move::Write(velocities.clone(), local)],
        turns: tangents(&turned, first, 3),
        step_rate: vec![Move::Write(velocities, call(R::StepRate, vec![turned, rates]))],
        ..Motion::default()
    }
}

/// A point on the sphere moves along great circles, as a rotation without spin. Its tangent map begins at entry `first`
/// of all.
fn direction(block: &Block, first: usize) -> Motion {
    use Routine as R;
    let four = |kind: fn(u32) -> Symbol| Value::Numbers(block.positions().map(|i| load(kind, i)).collect());
    let two = |kind: fn(u32) -> Symbol| Value::Numbers(block.velocities().map(|i| load(kind, i)).collect());
    let positions = |routine, values| vec![Move::Write(block.positions().collect(), Value::Call(routine, values))];
    let velocities = |routine, values| vec![Move::Write(block.velocities().collect(), Value::Call(routine, values))];
    let without_spin = vec![load(Symbol::Step, block.v), load(Symbol::Step, block.v + 1), Expr::Constant(0.0)];
    Motion {
        rotation: Some((block.q, 4)),
        qdot: positions(R::SphereQdot, vec![four(Symbol::Q), two(Symbol::V)]),
        retract: positions(R::SphereRetract, vec![four(Symbol::Q), two(Symbol::Step)]),
        local: velocities(R::SphereLocal, vec![four(Symbol::From), four(Symbol::To)]),
        step_rate: velocities(R::SphereStepRate, vec![two(Symbol::Step), two(Symbol::V)]),
        velocity_rate: velocities(R::SphereVelocityRate, vec![two(Symbol::Step), two(Symbol::V), two(Symbol::A)]),
        turns: tangents(&Value::Numbers(without_spin), first, 2),
    }
}

/// The first columns of T(step), from entry `first` on.
fn tangents(step: &Value, first: usize, columns: usize) -> Vec<Move> {
    let column = |j: usize| {
        let unit = (0..3).map(|i| Expr::Constant(f64::from(u8::from(i == j)))).collect();
        let places = (0..3).map(|i| first + 3 * i + j).collect();
        Move::Write(places, Value::Call(Routine::Tangent, vec![step.clone(), Value::Numbers(unit)]))
    };
    (0..columns).map(column).collect()
}
