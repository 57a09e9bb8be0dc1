//! Springs, rods and what is observed of them.

use ode_codegen::phases::families::{Element, Outputs, Parts};
use ode_model_generator::random::Model;

use crate::{Fault, Misread, faults_are_noticed, misreadings_are_noticed, set};

/// Springs, rods, and points that a frame carries; nothing is symmetric in its ends.
const NET: [&str; 23] = [
    "set nodes;",
    "set edges: (nodes, nodes);",
    "set held: nodes;",
    "param m[nodes]: Real;",
    "param k[edges]: Real;",
    "param place[held]: Vec3;",
    "param at[nodes]: Vec3;",
    "param drag: Real;",
    "input push: Real;",
    "input gust[nodes]: Real;",
    "coord s: Real;",
    "coord (x, v)[nodes]: Vec3;",
    "coord (turn, w)[nodes]: SO3;",
    "kinetic = 0.5 * sq(der(s));",
    "gravity = vec3(0.0, 0.2 * drag, -9.81);",
    "for i in nodes {
        body ball on frame(x[i], turn[i]) { mass: m[i], inertia: m[i] * diag(0.2, 0.3, 0.4) }
        force pull on x[i] = vec3(push, gust[i], s) - drag * v[i];
        guess x[i] = at[i];
    }",
    "for e @ (i, j) in edges {
        let gap = x[j] - frame(x[i], turn[i]).at(vec3(0.3, 0.1, s));
        potential = 0.5 * k[e] * m[j] * gap.dot(gap);
        dissipation = 0.5 * drag * gap.dot(gap) * sq(der(x[i].y));
        output far: Real = k[e] * norm(gap) + gust[j];
        limit near: k[e] * gap.dot(gap) in 0.1..=3.0;
        cost = sq(m[i] * gap.x * gust[j]);
        residual miss = vec2(k[e] * gap.y, v[i].z * gust[i]);
    }",
    "for (i, j) in edges {
        constraint rod: norm(x[j] - 0.7 * x[i]) == 0.5 + s;
    }",
    "for h @ i in held {
        fix x[i].z = place[h].z * sin(t);
    }",
    "for e in edges {
        force wind on s = k[e] * s;
    }",
    "for (i, j) in edges {
        #[tangent(psd)] potential bent = -0.5 * m[i] * sq(norm(x[i] - 2.0 * x[j]));
    }",
    "output whole: Vec3 = sum(nodes, |i| m[i] * x[i]) / sum(edges, |e @ (i, j)| k[e] * sq(v[i].x - v[j].y));",
    "potential = 0.5 * drag * sq(s);",
];

/// The model, and its members: three nodes, two edges, two that are held.
fn net() -> Model {
    let mut model = Model::of_seed(1);
    model.head = "#[model(emit(partials))]\npub struct Net".to_owned();
    model.items = NET.map(str::to_owned).to_vec();
    model.sets = vec![
        set("nodes", &[], &[&[0], &[1], &[2]], None),
        set("edges", &["nodes", "nodes"], &[&[0, 2, 0], &[1, 0, 1]], None),
        set("held", &["nodes"], &[&[0, 2], &[1, 1]], None),
    ];
    model
}

#[test]
fn loops_are_written_out_member_by_member() {
    let written = net().written_out();
    let there = |line: &str| written.items.iter().any(|item| item == line);
    assert!(there("param place: [Vec3; 2];") && there("coord (turn, w): [SO3; 3];"), "{}", written.text());
    assert!(there("let gap_1 = x[1] - frame(x[0], turn[0]).at(vec3(0.3, 0.1, s));"), "{}", written.text());
    assert!(there("potential = 0.5 * k[1] * m[1] * gap_1.dot(gap_1);"), "{}", written.text());
    assert!(there("constraint rod_0: norm(x[0] - 0.7 * x[2]) == 0.5 + s;"), "{}", written.text());
    assert!(there("output far_1: Real = k[1] * norm(gap_1) + gust[1];"), "{}", written.text());
    let sums = "(m[0] * x[0]) + (m[1] * x[1]) + (m[2] * x[2])";
    assert!(written.items.iter().any(|item| item.starts_with(&format!("output whole: Vec3 = ({sums}) / ((k[0] "))));
    assert!(there("fix x[2].z = place[0].z * sin(t);") && !written.text().contains("set "), "{}", written.text());
}

const MISREAD: [Misread; 18] = [
    ("two ends change places", "norm(x[j] - 0.7 * x[i])", "norm(x[i] - 0.7 * x[j])"),
    ("a parameter is that of the other end", "k[e] * m[j]", "k[e] * m[i]"),
    ("a spring has the other sign", "potential = 0.5 * k[e]", "potential = -0.5 * k[e]"),
    ("a force has the other sign", "- drag * v[i]", "+ drag * v[i]"),
    ("a rate is that of the other end", "sq(der(x[i].y))", "sq(der(x[j].y))"),
    ("a loop runs over another set", "for i in nodes {", "for h @ i in held {"),
    ("a row is over the other end", "constraint rod: norm(x[j]", "constraint rod: norm(x[i]"),
    ("gravity is another", "0.2 * drag, -9.81", "-0.2 * drag, -9.81"),
    ("what stands beside is lost", "potential = 0.5 * drag * sq(s);", ""),
    ("a loop is lost", "force wind on s = k[e] * s;", ""),
    ("a start is lost", "guess x[i] = at[i];", ""),
    ("an input is that of the other end", "norm(gap) + gust[j]", "norm(gap) + gust[i]"),
    ("an output has the other sign", "k[e] * norm(gap)", "-k[e] * norm(gap)"),
    ("a limit is over the other end", "limit near: k[e]", "limit near: m[j]"),
    ("a cost is lost", "cost = sq(m[i] * gap.x * gust[j]);", ""),
    ("a row of squares is another", "vec2(k[e] * gap.y,", "vec2(k[e] * gap.z,"),
    ("a sum is over another set", "sum(nodes, |i| m[i]", "sum(held, |h @ i| m[i]"),
    ("a stiffness is exact", "#[tangent(psd)] potential bent", "potential bent"),
];

/// Elements: what stands beside, balls, springs, rods, holds, wind, bends, then sums. Before the ends of a spring and
/// of a rod stands the coordinate beside.
const FAULTS: [Fault; 18] = [
    ("ends of positions change places", |p| {
        let slots = &mut p.family.elements[2].slots;
        (slots[1].end, slots[2].end) = (slots[2].end, slots[1].end);
    }),
    ("ends of rotations change places", |p| {
        let slots = &mut p.family.elements[2].slots;
        (slots[3].end, slots[4].end) = (slots[4].end, slots[3].end);
    }),
    ("both ends are one", |p| p.family.elements[3].slots[1].end = p.family.elements[3].slots[2].end),
    ("a parameter is that of the other end", |p| ends(p, 2, "m").swap(0, 1)),
    ("a parameter is that of what is joined", |p| ends(p, 4, "place")[0] = 1),
    ("a loop runs over fewer members", |p| p.family.elements[1].set = p.family.elements[4].set),
    ("a loop is lost", |p| {
        p.family.elements.remove(2);
        p.elements.remove(2);
    }),
    ("a loop runs over other members", |p| p.family.elements[5].set = p.family.elements[1].set),
    ("a mass is at another place", |p| p.elements[1].equations.dynamics.mass.entries.swap(0, 3)),
    ("a row is at another place", |p| p.elements[3].equations.constraints.jacobian.entries.swap(0, 3)),
    ("a start is no member's", |p| p.elements[1].program.guessed[0].clear()),
    ("a coordinate does not move", |p| p.fields[2].program.motions[0].qdot.clear()),
    ("an input is that of the other end", |p| {
        let inputs = &mut p.family.elements[2].inputs;
        inputs.iter_mut().find(|given| given.name == "gust").and_then(|g| g.ends.as_mut()).expect("ends").swap(0, 1);
    }),
    ("an output's derivative is another's", |p| p.elements[2].equations.observed.outputs.jacobian.entries.swap(0, 1)),
    ("a limit's derivative is another's", |p| p.elements[2].equations.observed.limits.jacobian.entries.swap(0, 1)),
    ("a derivative of all rows is another's", |p| p.elements[2].equations.partials.states.entries.swap(0, 3)),
    ("a sum runs over fewer members", |p| {
        let over_nodes = |e: &&mut Element| e.outputs == Outputs::Sum && e.set == Some(0);
        p.family.elements.iter_mut().find(over_nodes).expect("a sum over nodes").set = Some(2);
    }),
    ("a share of a stiffness goes elsewhere", |p| {
        let newton = p.elements.iter_mut().map(|element| &mut element.equations.newton);
        newton.for_each(|newton| newton.shares.iter_mut().take(1).for_each(|share| share.factor = -share.factor));
    }),
];

/// The ends of a parameter of an element.
fn ends<'p>(parts: &'p mut Parts<'_>, element: usize, name: &str) -> &'p mut Vec<usize> {
    let given = parts.family.elements[element].given.iter_mut().find(|given| given.name == name);
    given.and_then(|given| given.ends.as_mut()).expect("a parameter of members")
}

#[test]
fn what_is_misread_is_noticed() {
    misreadings_are_noticed(&net(), &MISREAD);
}

#[test]
fn what_is_taken_apart_wrongly_is_noticed() {
    faults_are_noticed(&net(), &FAULTS);
}
