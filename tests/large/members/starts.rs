//! `init` of members: exact starts are those of the same model written out.

use ode_model::integrators::{BackwardEuler, DormandPrince, GeneralizedAlpha};
use ode_model::{Cause, Conditions, Level, Nominal, Simulation, Solvable, Start, StartError, State, System, model};

use crate::alike::{alike, dense, point, same};

model! {
    /// Bobs on rods that lean as far as is said, one of them on a hook and some of them thrown, beside a weight.
    pub struct Hung<T> {
        set bobs;
        set rods: (bobs, bobs) = chain;
        set hooks: bobs;
        set thrown: bobs;
        param p[bobs]: Vec2 [m];
        param lean[rods]: Real [m];
        param l: Real [m] = 0.5;
        param g: Real [m/s^2] = 9.81;
        param height: Real [m] = 0.2;
        param speed: Real [m/s] = 0.7;
        param soft: Real [N/m] = 6.0;
        param w: Real [1/s] = 2.0;
        coord (x, v)[bobs]: Vec2 [m];
        coord s: Real [m];
        mass s = 0.4kg;
        potential = 0.5 * soft * sq(s);
        init s * (1.0 + t * w) = height;
        init der(s) = speed * cos(w * t);
        for i in bobs {
            mass x[i] = 0.3kg;
            potential = 0.3kg * g * x[i].y + 0.5 * soft * sq(x[i].x - s);
            init x[i].y = p[i].y;
            guess x[i].x = p[i].x;
        }
        for e @ (i, j) in rods {
            constraint rod: dot(x[j] - x[i], x[j] - x[i]) == l * l;
            init norm(x[j] - x[i]) * (x[j].x - x[i].x) = l * lean[e];
            guess x[j].x = 7.0 * p[j].x;
        }
        for i in hooks {
            fix x[i] = p[i];
        }
        for i in thrown {
            init dot(v[i], x[i]) = speed * l;
            // an exact start of the same number holds
            guess x[i].y = 20.0 * p[i].y;
        }
    }
}

model! {
    /// The same without sets.
    #[model(storage = sparse)]
    pub struct Written<T> {
        param p: [Vec2; 3] [m];
        param lean: [Real; 2] [m];
        param l: Real [m] = 0.5;
        param g: Real [m/s^2] = 9.81;
        param height: Real [m] = 0.2;
        param speed: Real [m/s] = 0.7;
        param soft: Real [N/m] = 6.0;
        param w: Real [1/s] = 2.0;
        coord (x, v): [Vec2; 3] [m];
        coord s: Real [m];
        mass s = 0.4kg;
        potential = 0.5 * soft * sq(s);
        init s * (1.0 + t * w) = height;
        init der(s) = speed * cos(w * t);
        for i in 0..3 {
            mass x[i] = 0.3kg;
            potential = 0.3kg * g * x[i].y + 0.5 * soft * sq(x[i].x - s);
            guess x[i].y = p[i].y;
        }
        guess x[0].x = p[0].x;
        guess x[1].x = 7.0 * p[1].x;
        guess x[2].x = 7.0 * p[2].x;
        constraint rod_0: dot(x[1] - x[0], x[1] - x[0]) == l * l;
        constraint rod_1: dot(x[2] - x[1], x[2] - x[1]) == l * l;
        fix x[0] = p[0];
        init norm(x[1] - x[0]) * (x[1].x - x[0].x) = l * lean[0];
        init norm(x[2] - x[1]) * (x[2].x - x[1].x) = l * lean[1];
        init dot(v[2], x[2]) = speed * l;
    }
}

model! {
    /// A rope that starts where it is told, held at its ends, without a guess.
    pub struct Rope {
        set nodes;
        set links: (nodes, nodes) = chain;
        set ends: nodes;
        param p[nodes]: Vec3 [m];
        param rest: Real [m] = 0.1;
        param k: Real [N/m] = 30.0;
        param up: Vec3 [1/s] = vec3(0.0, 0.0, 0.3);
        coord (x, v)[nodes]: Vec3 [m];
        for i in nodes {
            mass x[i] = 0.02kg;
            init x[i] = p[i];
            init v[i] = p[i].x * up;
        }
        for (i, j) in links {
            potential = k * sq(norm(x[j] - x[i]) - rest);
        }
        for i in ends {
            // where it starts is said in another loop
            fix x[i].x;
            fix x[i].y;
        }
    }
}

/// The exact starts of a model at a state: residuals and Jacobians of positions, and of velocities.
pub(crate) fn conditions<S: System<Real = f64> + Solvable>(model: &S, x: &State<S>, u: &S::U) -> Vec<Vec<f64>> {
    let layout = model.layout();
    let patterns = [layout.init_position_jacobian, layout.init_velocity_jacobian];
    let [mut position, mut velocity] = [layout.init_position, layout.init_velocity].map(|names| vec![0.0; names.len()]);
    let [mut by_position, mut by_velocity] = patterns.map(|pattern| vec![0.0; pattern.nnz()]);
    let out = Conditions {
        position: &mut position,
        position_jacobian: &mut by_position,
        velocity: &mut velocity,
        velocity_jacobian: &mut by_velocity,
    };
    model.conditions(x.at(u), out);
    vec![position, dense(patterns[0], &by_position), velocity, dense(patterns[1], &by_velocity)]
}

fn places() -> [[f64; 2]; 3] {
    // the second and third lean by 0.3 and 0.14 m
    [[0.1, -0.05], [0.4, -0.45], [0.54, -0.93]]
}

fn hung() -> Hung<f64> {
    let builder = Hung::builder().bobs(3).hooks([0]).thrown([2]).p(places());
    builder.lean([0.3, 0.14]).build().expect("bobs")
}

#[test]
fn exact_starts_of_members_are_those_written_out() {
    let (hung, written) = (hung(), Written::builder().p(places()).lean([0.3, 0.14]).build().expect("bobs"));
    alike(&hung, &written);
    let rods = ["init norm(x[1] - x[0]) * (x[1].x - x[0].x)", "init norm(x[2] - x[1]) * (x[2].x - x[1].x)"];
    let heights = ["init x[0].y", "init x[1].y", "init x[2].y"];
    assert_eq!(hung.layout().init_position, [&["init s * (1.0 + t * w)"][..], &heights, &rods].concat());
    assert_eq!(hung.layout().init_velocity, ["init der(s)", "init dot(v[2], x[2])"]);
    assert_eq!(
        (written.layout().init_position[0], written.layout().init_position[2]),
        ("init s * (1.0 + t * w)", rods[1])
    );

    let ((x, u), (y, w)) = (point(&hung), point(&written));
    let (found, wanted) = (conditions(&hung, &x, &u), conditions(&written, &y, &w));
    let nv = hung.layout().v.len();
    let but_heights = |block: &[f64], width: usize| [&block[..width], &block[4 * width..]].concat();
    same("positions", &but_heights(&found[0], 1), &wanted[0]);
    same("their Jacobian", &but_heights(&found[1], nv), &wanted[1]);
    same("velocities", &found[2], &wanted[2]);
    same("theirs", &found[3], &wanted[3]);
    // heights are linear
    for (k, node) in [0, 1, 2].into_iter().enumerate() {
        same("a height", &[found[0][1 + k]], &[hung.x(&x.q)[node][1] - places()[node][1]]);
        let row = &found[1][(1 + k) * nv..(2 + k) * nv];
        assert!(row.iter().enumerate().all(|(column, entry)| *entry == f64::from(u8::from(column == 2 * node + 1))));
    }

    // rods and leans determine the same heights
    let start = |time: f64| {
        let found = Start::at(time).solve(&hung, &Nominal).expect("a start");
        let wanted = Start::at(time).solve(&written, &Nominal).expect("a start");
        assert!(found.q.iter().zip(wanted.q.as_ref()).all(|(f, w)| (f - w).abs() < 1e-9), "{found:?} {wanted:?}");
        assert!(found.v.iter().zip(wanted.v.as_ref()).all(|(f, w)| (f - w).abs() < 1e-9), "{found:?} {wanted:?}");
        found
    };
    let state = start(0.0);
    assert!((hung.s(&state.q)[0] - 0.2).abs() < 1e-12 && (hung.x(&state.q)[2][0] - 0.54).abs() < 1e-9);
    assert!((hung.s(&start(0.25).q)[0] - 0.2 / 1.5).abs() < 1e-12);
    let hung = Hung { height: 0.1, ..hung };
    let state = Start::default().solve(&hung, &Nominal).expect("a start");
    assert!((hung.s(&state.q)[0] - 0.1).abs() < 1e-12);
}

#[test]
fn runs_from_exact_starts_are_those_written_out() {
    let (hung, written) = (hung(), Written::builder().p(places()).lean([0.3, 0.14]).build().expect("bobs"));
    moves_alike!(&hung, &written, [
        "backward Euler" BackwardEuler::default(), false;
        "generalised-α" GeneralizedAlpha::with_spectral_radius(0.8), false;
        "Dormand–Prince" DormandPrince, true;
    ]);
}

#[test]
fn what_contradicts_an_exact_start_is_named() {
    let mut hung = hung();
    hung.lean[1] = 0.6;
    let StartError { cause, .. } = Start::default().solve(&hung, &Nominal).expect_err("a rod is too short");
    let Cause::Contradiction { level: Level::Position, rows, .. } = cause else { panic!("{cause}") };
    assert!(rows.contains("rod[1]") && rows.contains("init x[2].y"), "{rows}");
    hung.lean[1] = 0.14;
    hung.p[1][1] = -0.4;
    let StartError { cause, .. } = Start::default().solve(&hung, &Nominal).expect_err("two heights");
    let Cause::Contradiction { rows, .. } = cause else { panic!("{cause}") };
    assert!(rows.contains("init x[1].y"), "{rows}");
}

/// Conditions are as many as coordinates, and their Jacobians are as large as what is in them.
#[test]
fn a_long_rope_starts_where_it_is_told() {
    let n = 4000;
    let place = |i: usize| [0.1 * i as f64, (0.01 * i as f64).sin(), 0.0];
    let rope = Rope::builder().nodes(n).ends([0, n - 1]).p((0..n).map(place)).build().expect("a rope");
    assert_eq!(rope.layout().init_position_jacobian.nnz(), 3 * n);
    let run = Simulation::of(&rope, BackwardEuler::default()).fixed(1e-3).expect("a start");
    let state = run.state();
    for (i, (x, v)) in rope.x(&state.q).iter().zip(rope.v(&state.v)).enumerate() {
        same("a place", x, &place(i));
        same("a velocity", v, &[0.0, 0.0, 0.03 * i as f64]);
    }
    assert_eq!(rope.layout().init_velocity[3 * n - 1], format!("init v[{}][2]", n - 1));
}
