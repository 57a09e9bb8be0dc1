//! Subs, modes and events of members, and members that the model says.

use ode_model_generator::random::Model;

use crate::{Fault, Misread, edge, faults_are_noticed, misreadings_are_noticed, set};

/// What the members are made of.
const PARTS: [&str; 3] = [
    "pub struct Motor {
        param k: Real = 0.5;
        input volt: Real;
        state i: Real;
        init i = 0.2;
        mode hot: Real = 0.5;
        algebraic drop: Real;
        constraint law: drop + 0.3 * drop * drop * drop == i - hot;
        der(i) = volt - k * i - 0.2 * drop;
        event heats when i > 0.3 { hot = hot + k; i = 0.5 * i; }
        output push: Real = k * i;
    }",
    "pub struct Leg {
        param m: Real = 1.2;
        param stiff: Real;
        param reach: Real = 0.7;
        input pull: Real;
        coord (p, w): Vec2;
        sub motor: Motor with { k: 0.7 * stiff };
        bind motor.volt = pull;
        mass p = m;
        potential = 0.5 * stiff * sq(norm(p) - 0.3);
        force drive on p.x = motor.push;
        constraint level: p.y == 0.1 * p.x;
        guess p = vec2(0.3, 0.1);
        init w.x = 0.1 * reach;
        gravity = vec2(0.0, -1.0);
        coord h: Real;
        mass h = m;
        guess h = 0.6;
        fix h;
        #[port] output foot: Real = reach * p.x + 0.3 * p.y;
    }",
    "pub struct Cart {
        param m: Real = 2.0;
        input push: Real;
        coord s: Real;
        mass s = m;
        force drive on s = push;
        output place: Real = m * s * s;
    }",
];

/// Legs on nodes, a cart beside them, and contacts that come and go.
const HERD: [&str; 24] = [
    "set nodes: const 3;",
    "set edges: (nodes, nodes) = [(2, 0), (0, 1)];",
    "set rows: (nodes, nodes) = chain;",
    "param k[edges]: Real;",
    "param drag: Real;",
    "param mass[nodes]: Real;",
    "input gust[nodes]: Real;",
    "coord (x, v)[nodes]: Vec2;",
    "state heat[nodes]: Real;",
    "mode on[nodes]: Real = 1.0;",
    "mode count[edges]: Vec2 = vec2(0.5, -0.3);",
    "mode total: Real = 2.0;",
    "sub leg[nodes]: Leg with { stiff: 2.0 * drag, m: 0.9 };",
    "sub cart: Cart;",
    "gravity = vec2(0.0, -9.81);",
    "bind cart.push = drag * cart.place - total;",
    "for i in nodes {
        let feed = gust[i] * heat[i];
        bind leg[i].pull = feed + v[i].x;
    }",
    "for i in nodes {
        mass x[i] = mass[i];
        guess leg[i].p = vec2(0.2, drag);
        init leg[i].motor.i = 0.4 * drag;
        guess leg[i].h = 0.3 * mass[i];
        der(heat[i]) = on[i] * leg[i].motor.i - heat[i];
        event lands when x[i].y < 0.1 * leg[i].p.x { on[i] = on[i] + 1.0; \
            v[i] = vec2(v[i].y, -0.5 * v[i].x); total = 2.0 * total; }
    }",
    "for e @ (i, j) in edges {
        potential = 0.5 * k[e] * sq(x[i].x - leg[j].foot);
        force pull on x[j].y = match on[i] { 1 => k[e], _ => -cart.place };
        event taut when leg[i].foot > x[j].x * on[j] { heat[j] = heat[i] + count[e].y; \
            der(leg[i].p.x) = -0.3 * v[j].x; count[e] = vec2(count[e].y, on[i]); }
    }",
    "for (i, j) in rows {
        dissipation = 0.5 * drag * sq(v[i].x - 2.0 * v[j].y);
        event over when heat[i] == 2.0 * heat[j] { stop; }
    }",
    "for e in edges {
        output counted: Real = k[e] * count[e].x;
    }",
    "event late when cart.s > 0.3 { total = total + 1.0; der(cart.s) = -0.5 * der(cart.s); }",
    "output feet: Real = sum(nodes, |i| leg[i].foot * on[i]) / cart.place;",
    "potential = 0.5 * drag * sq(cart.s);",
];

fn herd() -> Model {
    let mut model = Model::of_seed(1);
    model.head = "pub struct Herd".to_owned();
    model.items = HERD.map(str::to_owned).to_vec();
    model.parts = PARTS.map(str::to_owned).to_vec();
    model.sets = vec![
        set("nodes", &[], &[&[0], &[1], &[2]], Some("const 3")),
        set("edges", &["nodes", "nodes"], &[&[0, 2, 0], &[1, 0, 1]], Some("[(2, 0), (0, 1)]")),
        set("rows", &["nodes", "nodes"], &[&[0, 0, 1], &[1, 1, 2]], Some("chain")),
    ];
    model
}

#[test]
fn subs_and_events_are_written_out_member_by_member() {
    let written = herd().written_out();
    let there = |line: &str| written.items.iter().any(|item| item == line);
    assert!(there("sub leg: [Leg; 3] with { stiff: 2.0 * drag, m: 0.9 };"), "{}", written.text());
    assert!(there("mode count: [Vec2; 2] = [vec2(0.5, -0.3), vec2(0.5, -0.3)];"), "{}", written.text());
    assert!(there("bind leg[1].pull = feed_1 + v[1].x;"), "{}", written.text());
    assert!(
        there("init leg[2].motor.i = 0.4 * drag;") && there("event over_1 when heat[1] == 2.0 * heat[2] { stop; }")
    );
}

const MISREAD: [Misread; 25] = [
    ("a mode of a sub begins elsewhere", "mode hot: Real = 0.5;", "mode hot: Real = 0.6;"),
    ("an event of a sub crosses the other way", "when i > 0.3", "when i < 0.3"),
    ("an equation of a sub is another", "== i - hot", "== i + hot"),
    ("an exact start of a sub is a guess", "init w.x", "guess w.x"),
    ("a sub is that of the other end", "- leg[j].foot)", "- leg[i].foot)"),
    ("a start of a sub is that of its model", "guess leg[i].p = vec2(0.2, drag);", ""),
    ("a start of a nested state is lost", "init leg[i].motor.i = 0.4 * drag;", ""),
    ("what a sub holds is held where its model says", "guess leg[i].h = 0.3 * mass[i];", ""),
    ("what `with` gives is another", "stiff: 2.0 * drag", "stiff: 2.1 * drag"),
    ("a default of `with` is that of the model", ", m: 0.9", ""),
    ("an input of a sub is bound to another", "feed + v[i].x", "feed + v[i].y"),
    ("an input in a sub has the other sign", "bind motor.volt = pull;", "bind motor.volt = -pull;"),
    ("a sub beside is bound to another", "drag * cart.place - total", "drag * cart.place + total"),
    ("a row of a sub is another", "p.y == 0.1 * p.x", "p.y == 0.2 * p.x"),
    ("a mode is that of the other end", "match on[i]", "match on[j]"),
    ("a mode begins elsewhere", "mode on[nodes]: Real = 1.0;", "mode on[nodes]: Real = 2.0;"),
    ("a guard is over the other end", "leg[i].foot > x[j].x", "leg[j].foot > x[j].x"),
    ("a guard crosses the other way", "when x[i].y < 0.1", "when x[i].y > 0.1"),
    ("a state of the other end is reset", "heat[j] = heat[i] + count", "heat[i] = heat[i] + count"),
    ("assignments follow each other", "-0.5 * v[i].x);", "-0.5 * v[i].y);"),
    ("a velocity of a sub is not reset", "der(leg[i].p.x) = -0.3 * v[j].x;", ""),
    ("an event does not end the run", "{ stop; }", "{ total = total; }"),
    ("members of a list are others", "[(2, 0), (0, 1)]", "[(0, 2), (0, 1)]"),
    ("a chain is given by the builder", "(nodes, nodes) = chain", "(nodes, nodes)"),
    ("a length is another", "const 3", "const 4"),
];

const FAULTS: [Fault; 12] = [
    ("coordinates of subs change places", |p| {
        let feet = p.family.fields.iter().position(|field| field.name == "leg_p").expect("a coordinate");
        let element = &mut edge(p).0;
        let own: Vec<usize> = (0..element.slots.len()).filter(|&k| element.slots[k].field == feet).collect();
        (element.slots[own[0]].end, element.slots[own[1]].end) = (element.slots[own[1]].end, element.slots[own[0]].end);
    }),
    ("parameters of subs change places", |p| edge(p).0.subs[0].1.swap(0, 1)),
    ("a mode is that of the other end", |p| {
        let modes = &mut edge(p).0.modes;
        modes.iter_mut().find(|given| given.name == "on").and_then(|g| g.ends.as_mut()).expect("ends").swap(0, 1);
    }),
    ("an event is lost", |p| _ = edge(p).1.program.events.pop()),
    ("an event of members crosses the other way", |p| {
        edge(p).1.program.events[0].crossing = ode_codegen::phases::model::Crossing::Falling;
    }),
    ("values of an event change places", |p| {
        let assigns = &mut edge(p).1.program.events[0].assigns;
        (assigns[0].1, assigns[1].1) = (assigns[1].1, assigns[0].1);
    }),
    ("an assignment of an event is lost", |p| _ = edge(p).1.program.events[0].assigns.pop()),
    ("an event beside the loops is lost", |p| p.elements[0].program.events.clear()),
    ("a run goes on", |p| {
        let stops = p.elements.iter_mut().flat_map(|element| &mut element.program.events);
        stops.for_each(|event| event.stops = false);
    }),
    ("a mode of members begins elsewhere", |p| {
        p.params.model.declared.modes[0].start[0] = 0.7;
    }),
    ("what a sub says is lost", |p| {
        p.family.elements.remove(1);
        p.elements.remove(1);
    }),
    ("what a sub says is of other members", |p| p.family.elements[1].set = Some(1)),
];

#[test]
fn what_is_misread_is_noticed() {
    misreadings_are_noticed(&herd(), &MISREAD);
}

#[test]
fn what_is_taken_apart_wrongly_is_noticed() {
    faults_are_noticed(&herd(), &FAULTS);
}
