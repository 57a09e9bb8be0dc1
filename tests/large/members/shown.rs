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

const PLACES: [[f64; 3]; 3] = [[0.3, 0.4, 0.5], [0.1, -0.2, 0.6], [0.5, 0.3, 0.1]];

/// A name with the number of the member as models without sets have it: `eye_1[2]` is `eye_2_1`.
fn spelled(name: &str) -> String {
    let Some((label, member)) = name.strip_suffix(']').and_then(|name| name.split_once('[')) else {
        return name.to_owned();
    };
    let at = label.find('_').unwrap_or(label.len());
    format!("{}_{member}{}", &label[..at], &label[at..])
}

/// Each figure of a model by name, with its numbers at a point.
fn figures<S: Whole + Pictured>(model: &S) -> BTreeMap<String, (Figure<String>, Vec<f64>)> {
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
