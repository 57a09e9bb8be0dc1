//! A program whose data are wrong in one place is noticed: motions and events say what generated code does.

use ode_codegen::compile;
use ode_codegen::phases::lower::{Motion, Move, Program, Routine, Value};
use ode_codegen::phases::model::Crossing;
use ode_model_generator::examine::{Verdict, compared};
use proc_macro2::TokenStream;

/// A block of each chart, and an event that assigns each kind of scalar.
const MOVING: &str = "
    pub struct Moving {
        mode side: Real = 1.0;
        state z: Real;
        coord x: Real;
        coord th: Angle;
        coord (c, turn): SO2;
        coord (q, w): SO3;
        coord (p, o): SO3<World>;
        coord (d, r): S2;
        input u: Real = 0.3;
        kinetic = 0.5 * sq(der(x)) + 0.5 * sq(der(th)) + 0.5 * sq(turn) + 0.5 * w.dot(w) + 0.5 * o.dot(o)
            + 0.5 * r.dot(r);
        force f on x = u;
        der(z) = x - z;
        event hit when x < 0.1 * side { x = 0.1 - x; der(x) = -der(th); der(th) = der(x); z = side; side = -side; }
        event end when th == x { stop; }
    }";

/// Places of the blocks among the motions.
const ANGLE: usize = 1;
const CIRCLE: usize = 2;
const BODY: usize = 3;
const WORLD: usize = 4;
const POINT: usize = 5;

/// Writes of a method in another way.
fn rewrite(moves: &mut [Move], change: fn(&mut Value)) {
    for statement in moves {
        if let Move::Write(_, value) = statement {
            change(value);
        }
    }
}

/// Another function at the root.
fn call(value: &mut Value, other: Routine) {
    if let Value::Call(routine, _) = value {
        *routine = other;
    }
}

/// The arguments in the other order.
fn turned_round(value: &mut Value) {
    if let Value::Call(_, arguments) = value {
        arguments.reverse();
        arguments.iter_mut().for_each(turned_round);
    }
}

/// What a function is asked of, without the function.
fn plain(value: &mut Value) {
    if let Value::Call(_, arguments) = value
        && let Some(last) = arguments.pop()
    {
        *value = last;
    }
}

/// A fault: what it is, and how a program gets it.
type Fault = (&'static str, fn(&mut Program));

const FAULTS: [Fault; 20] = [
    ("q̇ as a step", |p| rewrite(&mut p.motions[BODY].qdot, |v| call(v, Routine::Retract))),
    ("q̇ from the other side", |p| rewrite(&mut p.motions[WORLD].qdot, turned_round)),
    ("a step of the body by its rate", |p| rewrite(&mut p.motions[BODY].retract, |v| call(v, Routine::Qdot))),
    ("a step of space as one of the body", |p| rewrite(&mut p.motions[WORLD].retract, turned_round)),
    ("cosine and sine change places", |p| {
        if let [Move::Let(cosine, _), Move::Let(sine, _), ..] = &mut p.motions[CIRCLE].retract[..] {
            std::mem::swap(cosine, sine);
        }
    }),
    ("a difference of angles with its turns", |p| rewrite(&mut p.motions[ANGLE].local, plain)),
    ("a difference the other way", |p| rewrite(&mut p.motions[BODY].local, turned_round)),
    ("a difference in the frame of the body", |p| rewrite(&mut p.motions[WORLD].local, turned_round)),
    ("the rate of a step is v", |p| rewrite(&mut p.motions[BODY].step_rate, plain)),
    ("the rate of a step as T", |p| rewrite(&mut p.motions[WORLD].step_rate, |v| call(v, Routine::Tangent))),
    ("T is its inverse", |p| rewrite(&mut p.motions[BODY].turns, |v| call(v, Routine::StepRate))),
    ("a point moves by its rate", |p| rewrite(&mut p.motions[POINT].retract, |v| call(v, Routine::SphereQdot))),
    ("the way between points is back", |p| rewrite(&mut p.motions[POINT].local, turned_round)),
    ("axes that are carried do not turn", |p| rewrite(&mut p.motions[POINT].velocity_rate, plain)),
    ("assignments change places", |p| {
        let assigns = &mut p.events[0].assigns;
        (assigns[1].1, assigns[2].1) = (assigns[2].1, assigns[1].1);
    }),
    ("an assignment is lost", |p| p.events[0].assigns.truncate(4)),
    ("a guard crosses the other way", |p| p.events[0].crossing = Crossing::Rising),
    ("events change their order", |p| p.events.swap(0, 1)),
    ("a run goes on", |p| p.events[1].stops = false),
    ("a mode begins elsewhere", |p| p.records.iter_mut().filter(|r| r.name == "Modes").for_each(|r| r.origin[0] = 2.0)),
];

#[test]
fn a_wrong_motion_or_event_is_noticed() {
    let said = || MOVING.parse::<TokenStream>().expect("tokens");
    let differences = |fault: fn(&mut Program)| {
        let mut compiled = compile(said()).expect("a model");
        fault(&mut compiled.program);
        match compared(&compiled, said(), 4, 1) {
            Verdict::Compiled(report) => report.differences.len(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(differences(|_| {}), 0);
    for (what, fault) in FAULTS {
        assert!(differences(fault) > 0, "{what}, and nothing noticed");
    }
}

#[test]
fn every_chart_is_there() {
    let program = compile(MOVING.parse().expect("tokens")).expect("a model").program;
    let lengths = |m: &Motion| m.rotation.map_or(1, |(_, count)| count);
    assert_eq!(program.motions.iter().map(lengths).collect::<Vec<_>>(), [1, 1, 2, 4, 4, 4]);
}
