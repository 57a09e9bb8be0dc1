//! What members show.

use std::collections::BTreeMap;

use ode_model::{Block, Figure, Pictured, model};

use crate::alike::{Whole, point, same};

model! {
    /// Plates on threads, with a mark that moves.
    pub struct Kite<T> {
        set nodes;
        set threads: (nodes, nodes);
        set sails: (nodes, nodes, nodes);
        set held: nodes;
        param m[nodes]: Real [kg] = 0.3;
        param p[nodes]: Vec3 [m];
        param k[threads]: Real [N/m] = 2.0;
        param radius: Real [m] = 0.05;
        param shown: Real [N/m] = 10.0;
        input lift: Real [m];
        coord (x, v)[nodes]: Vec3 [m];
        coord turn[nodes]: SO3;
        coord s: Real [m];
        show mark = sphere(vec3(lift, s, 0.0m), radius) with { color: green };
        mass s = 2.0kg;
        guess s = 0.2;
        for i in nodes {
            mass x[i] = m[i];
            body plate on frame(x[i], turn[i]) { mass: m[i], inertia: diag(0.1, 0.2, 0.3) }
            guess x[i] = p[i];
            show plate = box(frame(x[i], turn[i]), vec3(0.1, 0.2, 0.3));
            for side in 0..2 {
                show eye = point(x[i] + vec3(0.1m * side, 0.0m, 0.0m));
            }
        }
        for e @ (i, j) in threads {
            output pull: Real [N] = k[e] * norm(x[j] - x[i]);
            potential = 0.5 * k[e] * sq(norm(x[j] - x[i]));
            show pulled = text(x[i], pull);
            show thread = line(x[i], x[j]) with { color: red };
            show swift = arrow(x[j], (pull / shown) * (x[j] - x[i]) / norm(x[j] - x[i]));
        }
        for (i, j, l) in sails {
            show sail = polygon(x[i], x[j], x[l]);
        }
        for i in held {
            constraint hook: norm(x[i] - p[i]) == 0.1m;
            show force = text(x[i], hook.lambda);
        }
        // a figure of sums, and one of what reads sums
        output com: Vec3 [m] = sum(nodes, |i| m[i] * x[i]) / sum(nodes, |i| m[i]);
        show middle = sphere(com, radius);
        show many = text(vec3(0.0, 0.0, s), sum(nodes, |i| 1.0));
    }
}

model! {
    /// The same without sets.
    #[model(storage = sparse)]
    pub struct Written {
        param m: [Real; 3] [kg] = [0.3, 0.3, 0.3];
        param p: [Vec3; 3] [m];
        param k: [Real; 2] [N/m] = [2.0, 2.0];
        param radius: Real [m] = 0.05;
        param shown: Real [N/m] = 10.0;
        input lift: Real [m];
        coord (x, v): [Vec3; 3] [m];
        coord turn: [SO3; 3];
        coord s: Real [m];
        show mark = sphere(vec3(lift, s, 0.0m), radius) with { color: green };
        mass s = 2.0kg;
        guess s = 0.2;
        for i in 0..3 {
            mass x[i] = m[i];
            body plate on frame(x[i], turn[i]) { mass: m[i], inertia: diag(0.1, 0.2, 0.3) }
            guess x[i] = p[i];
            show plate = box(frame(x[i], turn[i]), vec3(0.1, 0.2, 0.3));
            for side in 0..2 {
                show eye = point(x[i] + vec3(0.1m * side, 0.0m, 0.0m));
            }
        }
        for e in 0..2 {
            potential = 0.5 * k[e] * sq(norm(x[e + 1] - x[e]));
            show pulled = text(x[e], k[e] * norm(x[e + 1] - x[e]));
            show thread = line(x[e], x[e + 1]) with { color: red };
            show swift = arrow(x[e + 1], (k[e] / shown) * (x[e + 1] - x[e]));
        }
        for i in 0..1 {
            show sail = polygon(x[2], x[i], x[1]);
        }
        for h in 0..1 {
            constraint hook: norm(x[h + 2] - p[h + 2]) == 0.1m;
            show force = text(x[h + 2], hook.lambda);
        }
        let com = (m[0] * x[0] + m[1] * x[1] + m[2] * x[2]) / (m[0] + m[1] + m[2]);
        show middle = sphere(com, radius);
        show many = text(vec3(0.0, 0.0, s), 3.0);
    }
}

model! {
    /// A wheel on a rod, which shows nothing of its own.
    pub struct Wheel<T> {
        param m: Real [kg] = 0.4;
        coord tip: Vec3 [m];
        coord roll: SO3;
        mass tip = m;
        body rim on frame(tip, roll) { mass: m, inertia: diag(0.1, 0.1, 0.2) }
    }
}

model! {
    /// Bodies and springs that nobody draws.
    #[model(show)]
    pub struct Plain<T> {
        set nodes;
        set threads: (nodes, nodes);
        set held: nodes;
        param m[nodes]: Real [kg] = 0.3;
        param p[nodes]: Vec3 [m];
        param rest: Real [m] = 0.2;
        param k: Real [N/m] = 2.0;
        coord hub: Vec3 [m];
        coord x[nodes]: Vec3 [m];
        coord turn[nodes]: SO3;
        coord scaled[nodes]: Vec3;
        sub wheel[held]: Wheel<T>;
        mass hub = 0.2kg;
        spring tie on (hub, vec3(0.0m, 0.0m, 1.0m)) { k: k }
        for h @ i in held {
            spring axle on (x[i], wheel[h].tip) { k: k, rest: rest }
            constraint hook: norm(x[i] - p[i]) == 0.1m;
            spring back on (x[i], hub) { k: k }
        }
        for i in nodes {
            mass scaled[i] = 0.5kg * 1.0m * 1.0m;
            body plate on frame(x[i], turn[i]) { mass: m[i], inertia: diag(0.1, 0.2, 0.3) }
            guess x[i] = p[i];
        }
        for (i, j) in threads {
            spring thread on (x[i], x[j]) { k: k, rest: rest }
        }
    }
}

model! {
    /// The same without sets.
    #[allow(zero_start)]
    #[model(show, storage = sparse)]
    pub struct WrittenPlain<T> {
        param m: [Real; 2] [kg] = [0.3, 0.3];
        param p: [Vec3; 2] [m];
        param rest: Real [m] = 0.2;
        param k: Real [N/m] = 2.0;
        coord hub: Vec3 [m];
        coord x_0, x_1: Vec3 [m];
        coord turn: [SO3; 2];
        coord scaled: [Vec3; 2];
        sub wheel: [Wheel<T>; 1];
        mass hub = 0.2kg;
        spring tie on (hub, vec3(0.0m, 0.0m, 1.0m)) { k: k }
        constraint hook: norm(x_1 - p[1]) == 0.1m;
        spring back_0 on (x_1, hub) { k: k }
        mass scaled[0] = 0.5kg * 1.0m * 1.0m;
        mass scaled[1] = 0.5kg * 1.0m * 1.0m;
        body plate_0 on frame(x_0, turn[0]) { mass: m[0], inertia: diag(0.1, 0.2, 0.3) }
        body plate_1 on frame(x_1, turn[1]) { mass: m[1], inertia: diag(0.1, 0.2, 0.3) }
        guess x_0 = p[0];
        guess x_1 = p[1];
        spring thread_0 on (x_0, x_1) { k: k, rest: rest }
        spring axle_0 on (x_1, wheel[0].tip) { k: k, rest: rest }
    }
}

model! {
    /// A figure speaks for the model, and not for its subs.
    #[model(show)]
    pub struct Spoken<T> {
        set nodes;
        set threads: (nodes, nodes);
        param rest: Real [m] = 0.2;
        coord x[nodes]: Vec3 [m];
        sub wheel[nodes]: Wheel<T>;
        for i in nodes {
            mass x[i] = 0.5kg;
            guess x[i] = vec3(0.1, 0.2, 0.3);
        }
        for (i, j) in threads {
            spring thread on (x[i], x[j]) { k: 2.0N / 1.0m, rest: rest }
            show line = line(x[i], x[j]);
        }
    }
}

const PLACES: [[f64; 3]; 3] = [[0.3, 0.4, 0.5], [0.1, -0.2, 0.6], [0.5, 0.3, 0.1]];

/// A name with the number of the member as models without sets have it: `eye_1[2]` is `eye_2_1`.
fn spelled(name: &str) -> String {
    let Some((label, member)) = name.strip_suffix(']').and_then(|name| name.split_once('[')) else {
        return name.to_owned();
    };
    let at = label.find('_').unwrap_or(label.len());
    format!("{}_{member}{}", &label[..at], &label[at..])
}

type Figures = BTreeMap<String, (Figure<String>, Vec<f64>)>;

/// Each figure of a model by name, with its numbers at a point.
fn figures<S: Whole + Pictured>(model: &S) -> Figures {
    let (state, u) = point(model);
    let figures = model.figures();
    let mut numbers = S::Picture::zeros(figures.iter().map(|figure| figure.len).sum());
    model.picture(state.at(&u), state.rates(), &mut numbers);
    let mut next = 0;
    let each = figures.iter().map(|figure| {
        // one after the other, without gaps
        assert_eq!(figure.first, next, "{figure:?}");
        next += figure.len;
        let own = figure.numbers(numbers.as_ref()).expect("numbers").to_vec();
        (spelled(figure.name), (figure.map(|text| (*text).to_owned()), own))
    });
    each.collect()
}

#[test]
fn members_show_what_is_written_out() {
    let kite = Kite::builder().nodes(3).threads([[0, 1], [1, 2]]).sails([[2, 0, 1]]).held([2]).p(PLACES);
    let (kite, written) = (kite.build().expect("a kite"), Written::builder().p(PLACES).build().expect("a kite"));
    let (found, wanted) = (figures(&kite), figures(&written));
    assert_eq!(found.len(), kite.figures().len());
    compared(&found, &wanted);
}

#[track_caller]
fn compared(found: &Figures, wanted: &Figures) {
    assert!(found.keys().eq(wanted.keys()), "{:?}\n{:?}", found.keys(), wanted.keys());
    for ((name, (figure, numbers)), (same_figure, wanted)) in found.iter().zip(wanted.values()) {
        let look = |figure: &Figure<String>| (figure.form.clone(), figure.space, figure.color, figure.len);
        assert_eq!(look(figure), look(same_figure), "{name}");
        same(name, numbers, wanted);
        assert!(numbers.iter().any(|number| *number != 0.0), "{name}");
    }
}

#[test]
fn sets_without_members_show_nothing() {
    let kite = Kite::builder().nodes(1).threads([]).sails([]).held([]).p([[0.0; 3]]).build().expect("a kite");
    let found = figures(&kite);
    let names: Vec<&str> = found.keys().map(String::as_str).collect();
    assert_eq!(names, ["eye_0_0", "eye_0_1", "many", "mark", "middle", "plate_0"]);
}

#[test]
fn what_nobody_draws_is_what_is_written_out() {
    let places = [PLACES[0], PLACES[1]];
    let plain = Plain::builder().nodes(2).threads([[0, 1]]).held([1]).p(places).build().expect("a net");
    let written = WrittenPlain::builder().p(places).build().expect("a net");
    let found = figures(&plain);
    let names: Vec<&str> = found.keys().map(String::as_str).collect();
    let wanted = [
        "axle_0",
        "back_0",
        "hub",
        "plate_0",
        "plate_1",
        "thread_0",
        "tie",
        "wheel[0].rim",
        "wheel[0].tip",
        "x_0",
        "x_1",
    ];
    assert_eq!(names, wanted);
    assert_eq!(found.len(), plain.figures().len());
    compared(&found, &figures(&written));

    let spoken = Spoken::builder().nodes(2).threads([[0, 1]]).build().expect("a net");
    let found = figures(&spoken);
    let names: Vec<&str> = found.keys().map(String::as_str).collect();
    assert_eq!(names, ["line_0", "wheel[0].rim", "wheel[0].tip", "wheel[1].rim", "wheel[1].tip"]);
}
