//! Algebraic variables of members and beside the loops, and exact starts.

use ode_model_generator::random::Model;

use crate::{Fault, Misread, edge, faults_are_noticed, misreadings_are_noticed, set};

/// A motor on each node.
const MOTOR: &str = "pub struct Motor {
    param m: Real = 0.7;
    coord th: Real;
    mass th = m;
    guess th = 0.3;
}";

/// Currents of edges and pressures of nodes, which push what moves; nothing is symmetric in its ends.
const GRID: [&str; 21] = [
    "set nodes;",
    "set edges: (nodes, nodes);",
    "param r[edges]: Real;",
    "param leak[nodes]: Real;",
    "param p[nodes]: Vec2;",
    "param drag: Real;",
    "input feed[edges]: Real;",
    "coord (x, v)[nodes]: Vec2;",
    "coord s: Real;",
    "state heat[edges]: Real;",
    "algebraic current[edges]: Real;",
    "algebraic press[nodes]: Vec2;",
    "algebraic level: Real;",
    "sub motor[nodes]: Motor;",
    "mass s = 0.4;",
    "init s * (1.0 + drag) = 0.3 * drag;",
    "constraint balance: level + 0.3 * level * level * level == drag * s;",
    "for i in nodes {
        mass x[i] = 0.3;
        init x[i].x = p[i].y;
        init motor[i].th = 0.2 * leak[i];
        init v[i].y * (1.0 + sq(x[i].x)) = drag * leak[i];
        constraint pressure: press[i] + leak[i] * vec2(sq(press[i].y), press[i].x * level) == x[i] + 0.1 * v[i];
        force push on x[i] = -0.3 * press[i] - level * v[i];
        guess press[i] = 0.7 * p[i];
    }",
    "for i in nodes {
        guess x[i] = 0.5 * p[i];
    }",
    "for e @ (i, j) in edges {
        constraint law: r[e] * current[e] + exp(0.3 * current[e]) == press[j].x - 2.0 * press[i].y + heat[e] + feed[e];
        force pull on x[j].y = current[e] * (x[j].x - 0.7 * x[i].y);
        der(heat[e]) = sq(current[e]) - heat[e];
        init heat[e] = 0.4 * r[e];
        init norm(x[j] - 0.5 * x[i]) * x[j].y = drag * r[e];
        guess current[e] = 0.2 * r[e];
        output power: Real = current[e] * press[i].x;
    }",
    "output whole: Real = level * sum(edges, |e @ (i, j)| r[e] * current[e] * press[j].y);",
];

/// The grid, with three nodes and two edges.
fn grid() -> Model {
    let mut model = Model::of_seed(1);
    model.head = "#[model(emit(partials))]\npub struct Grid".to_owned();
    model.items = GRID.map(str::to_owned).to_vec();
    model.parts = vec![MOTOR.to_owned()];
    model.sets = vec![
        set("nodes", &[], &[&[0], &[1], &[2]], None),
        set("edges", &["nodes", "nodes"], &[&[0, 2, 0], &[1, 0, 1]], None),
    ];
    model
}

const MISREAD: [Misread; 15] = [
    ("an equation is over the other end", "== press[j].x - 2.0", "== press[i].x - 2.0"),
    ("an equation has the other sign", "r[e] * current[e] + exp", "-r[e] * current[e] + exp"),
    ("an equation of vectors is another", "press[i].x * level) ==", "press[i].y * level) =="),
    ("an equation beside the loops is another", "level + 0.3 * level", "level - 0.3 * level"),
    ("an algebraic variable is that of the other end", "current[e] * press[i].x", "current[e] * press[j].x"),
    ("a force reads another", "-0.3 * press[i] - level", "-0.3 * press[i] + level"),
    ("a rate reads another", "= sq(current[e]) - heat[e]", "= sq(current[e]) + heat[e]"),
    ("a sum reads another", "current[e] * press[j].y)", "current[e] * press[i].y)"),
    ("the search begins elsewhere", "guess current[e] = 0.2 * r[e];", ""),
    ("an exact start gives way to a guess", "init x[i].x = p[i].y;", ""),
    ("an exact start of a sub is lost", "init motor[i].th = 0.2 * leak[i];", ""),
    ("a condition is over the other end", "init norm(x[j] - 0.5 * x[i])", "init norm(x[i] - 0.5 * x[j])"),
    ("a condition is met by another value", "x[j].y = drag * r[e];", "x[j].y = drag;"),
    ("a condition on a velocity is a guess", "init v[i].y * (1.0", "init v[i].x * (1.0"),
    ("a condition beside the loops is lost", "init s * (1.0 + drag) = 0.3 * drag;", ""),
];

const FAULTS: [Fault; 9] = [
    ("equations determine variables of other ends", |p| {
        let slots = &mut edge(p).0.slots;
        let own: Vec<usize> = (0..slots.len()).filter(|&k| slots[k].end == Some(1)).collect();
        own.into_iter().for_each(|k| slots[k].end = Some(2));
    }),
    ("an equation determines another variable", |p| {
        let shares = edge(p).1.model.flow.shares.as_mut().expect("shares");
        shares.pop();
        shares.push(2);
    }),
    ("an equation is lost", |p| _ = edge(p).1.model.flow.laws.pop()),
    ("entries of ∂F/∂y change places", |p| {
        edge(p).1.equations.states.law_jacobian.entries.swap(0, 1);
    }),
    ("a condition is lost", |p| _ = edge(p).1.names.init_position.pop()),
    ("entries of a condition's Jacobian change places", |p| {
        edge(p).1.equations.starts.position.jacobian.entries.swap(0, 2);
    }),
    ("a guess holds over what is exact", |p| {
        let exact = p.elements.iter_mut().map(|element| &mut element.program.exact);
        exact.for_each(|exact| exact.iter_mut().for_each(Vec::clear));
    }),
    ("derivatives of conditions change places", |p| {
        edge(p).1.equations.start_partials.states.entries.swap(0, 5);
    }),
    ("derivatives of starts by parameters change places", |p| {
        edge(p).1.equations.start_partials.parameters.entries.swap(0, 1);
    }),
];

#[test]
fn what_is_misread_is_noticed() {
    misreadings_are_noticed(&grid(), &MISREAD);
}

#[test]
fn what_is_taken_apart_wrongly_is_noticed() {
    faults_are_noticed(&grid(), &FAULTS);
}
