//! Algebraic variables and exact starts in subs of members, against the same model written out.

use ode_model::integrators::{BackwardEuler, DormandPrince, GeneralizedAlpha, RungeKutta4};
use ode_model::{Dual, Nominal, Simulation, Start, System, model};

use crate::algebraic::laws;
use crate::alike::{self, alike_named, point, same, tangent_of_duals};
use crate::starts::conditions;

model! {
    /// Where a current is spent.
    pub struct Joint<T> {
        param leak: Real = 0.2;
        input feed: Real;
        algebraic v: Real;
        balance v += v + leak * v * v * v;
        balance v -= feed;
        guess v = 0.1;
        output level: Real = 2.0 * v;
    }
}

model! {
    /// A valve whose flow follows from equations.
    pub struct Valve<T> {
        param r: Real = 1.5;
        param c: Real = 0.8;
        input a: Real;
        input b: Real;
        algebraic i: Real;
        algebraic w: Vec2;
        state u: Real;
        sub joint: Joint<T>;
        bind joint.feed = i;
        constraint law: r * i + 0.2 * exp(i) == a - b - u;
        constraint pair: w + 0.3 * vec2(joint.v, sq(w.x)) == vec2(i, u);
        der(u) = i / c;
        init u = 0.1;
        guess i = 0.2;
        output flow: Real = i + 0.1 * w.x;
    }
}

model! {
    /// A pendulum that starts where it is told, and a slider beside it.
    pub struct Swing<T> {
        param l: Real = 0.5;
        input pull: Real;
        coord (p, w): Vec2;
        coord s: Real;
        mass p = 0.3;
        mass s = 0.2;
        potential = 3.0 * p.y + 2.0 * sq(s - p.x);
        force pulled on p.x = pull;
        constraint rod: dot(p, p) == l * l;
        init p.x = 0.2 * l;
        guess p.y = -0.9 * l;
        init w.x = 0.3;
        init s + 0.1 * p.x * p.x = 0.15;
        guess s = 0.1;
        init der(s) = 0.7;
    }
}

model! {
    /// Tanks with pendulums, joined by valves.
    pub struct Plant<T> {
        set tanks;
        set pipes: (tanks, tanks);
        set fed: tanks;
        param area[tanks]: Real = 2.0;
        param lean[tanks]: Real;
        input rain: Real = 0.4;
        coord (x, v)[tanks]: Real;
        sub valve[pipes]: Valve<T>;
        sub swing[tanks]: Swing<T>;
        sub tap: Valve<T>;
        bind tap.a = rain;
        bind tap.b = 0.3;
        for i in tanks {
            mass x[i] = area[i];
            force back on x[i] = -x[i] - 0.3 * v[i];
            guess x[i] = 0.4 + lean[i];
            bind swing[i].pull = x[i] + tap.i;
            init swing[i].p.x = lean[i];
            guess der(swing[i].s) = 0.2;
        }
        for e @ (i, j) in pipes {
            bind valve[e].a = x[i];
            bind valve[e].b = x[j];
            force out on x[i] = -valve[e].flow;
            force into on x[j] = valve[e].flow + 0.1 * valve[e].w.y;
            balance valve[e].joint.v += 0.1 * x[i];
        }
        for i in fed {
            force drop on x[i] = tap.flow;
            balance tap.joint.v -= 0.2 * x[i];
        }
        output all: Real = sum(pipes, |e| valve[e].i * valve[e].joint.v) + tap.i;
    }
}

model! {
    /// The same without sets and subs.
    #[model(storage = sparse)]
    pub struct Written {
        param area: [Real; 3] = [2.0; 3];
        param lean: [Real; 3];
        param valve_r: [Real; 2] = [1.5; 2];
        param valve_c: [Real; 2] = [0.8; 2];
        param valve_joint_leak: [Real; 2] = [0.2; 2];
        param swing_l: [Real; 3] = [0.5; 3];
        param tap_r: Real = 1.5;
        param tap_c: Real = 0.8;
        param tap_joint_leak: Real = 0.2;
        input rain: Real = 0.4;
        coord (x, v): [Real; 3];
        state valve_u: [Real; 2];
        algebraic valve_i: [Real; 2];
        algebraic valve_w: [Vec2; 2];
        algebraic valve_joint_v: [Real; 2];
        coord (swing_p, swing_w): [Vec2; 3];
        coord swing_s: [Real; 3];
        state tap_u: Real;
        algebraic tap_i: Real;
        algebraic tap_w: Vec2;
        algebraic tap_joint_v: Real;
        // in the order of what they determine
        for e in 0..2 {
            constraint law: valve_r[e] * valve_i[e] + 0.2 * exp(valve_i[e]) == x[2 * e] - x[1] - valve_u[e];
        }
        for e in 0..2 {
            let w = valve_w[e];
            constraint pair: w + 0.3 * vec2(valve_joint_v[e], sq(w.x)) == vec2(valve_i[e], valve_u[e]);
        }
        for e in 0..2 {
            let own = valve_joint_v[e];
            constraint joint: own + valve_joint_leak[e] * own * own * own - valve_i[e] == -0.1 * x[2 * e];
        }
        constraint tap_law: tap_r * tap_i + 0.2 * exp(tap_i) == rain - 0.3 - tap_u;
        constraint tap_pair: tap_w + 0.3 * vec2(tap_joint_v, sq(tap_w.x)) == vec2(tap_i, tap_u);
        constraint tap_joint: tap_joint_v + tap_joint_leak * tap_joint_v * tap_joint_v * tap_joint_v - tap_i
            == 0.2 * x[2];
        der(tap_u) = tap_i / tap_c;
        init tap_u = 0.1;
        guess tap_i = 0.2;
        guess tap_joint_v = 0.1;
        force drop on x[2] = tap_i + 0.1 * tap_w.x;
        for e in 0..2 {
            // the pipes are (0, 1) and (2, 1)
            let i = valve_i[e];
            let w = valve_w[e];
            let flow[e] = i + 0.1 * w.x;
            der(valve_u[e]) = i / valve_c[e];
            init valve_u[e] = 0.1;
            guess valve_i[e] = 0.2;
            guess valve_joint_v[e] = 0.1;
            force out on x[2 * e] = -flow[e];
            force into on x[1] = flow[e] + 0.1 * w.y;
        }
        for i in 0..3 {
            let p = swing_p[i];
            mass swing_p[i] = 0.3;
            mass swing_s[i] = 0.2;
            potential = 3.0 * p.y + 2.0 * sq(swing_s[i] - p.x);
            force pulled on swing_p[i].x = x[i] + tap_i;
            constraint rod: dot(p, p) == swing_l[i] * swing_l[i];
            guess swing_p[i].y = -0.9 * swing_l[i];
            init swing_w[i].x = 0.3;
            init swing_s[i] + 0.1 * p.x * p.x = 0.15;
            guess swing_s[i] = 0.1;
            guess der(swing_s[i]) = 0.2;
        }
        for i in 0..3 {
            mass x[i] = area[i];
            force back on x[i] = -x[i] - 0.3 * v[i];
            guess x[i] = 0.4 + lean[i];
            init swing_p[i].x = lean[i];
        }
        let all = valve_i[0] * valve_joint_v[0] + valve_i[1] * valve_joint_v[1] + tap_i;
        output tap_joint_level: Real = 2.0 * tap_joint_v;
        output tap_flow: Real = tap_i + 0.1 * tap_w.x;
        output valve_joint_level: [Real; 2] = [2.0 * valve_joint_v[0], 2.0 * valve_joint_v[1]];
        output valve_flow: [Real; 2] = [flow[0], flow[1]];
        output whole: Real = all;
    }
}

const LEAN: [f64; 3] = [0.1, -0.15, 0.2];

fn plant() -> Plant {
    Plant::builder().tanks(3).pipes([[0, 1], [2, 1]]).fed([2]).lean(LEAN).build().expect("a plant")
}

fn written() -> Written {
    Written::builder().lean(LEAN).build().expect("a plant")
}

fn called(name: &str) -> String {
    let subs = [
        "valve_joint_v",
        "valve_u",
        "valve_i",
        "valve_w",
        "tap_joint_v",
        "tap_u",
        "tap_i",
        "tap_w",
        "swing_p",
        "swing_w",
        "swing_s",
    ];
    alike::called(&subs, name)
}

#[test]
fn algebraic_variables_of_subs_are_those_written_out() {
    let (plant, written) = (plant(), written());
    alike_named(&plant, &written, called);
    let layout = plant.layout();
    assert_eq!((layout.algebraic, layout.z[3], layout.z[9]), (12, "valve[0].i", "valve[0].joint.v"));
    let ((x, u), (y, w)) = (point(&plant), point(&written));
    let (found, wanted) = (laws(&plant, &x, &u), laws(&written, &y, &w));
    same("F", &found.0, &wanted.0);
    same("its Jacobian", &found.1, &wanted.1);
    moves_alike!(&plant, &written);
    let slopes = tangent_of_duals(&plant, &plant.cast::<Dual<f64>>());
    assert!(slopes.iter().all(|slope| *slope != 0.0), "{slopes:?}");
    let state = Start::default().solve(&plant, &Nominal).expect("a start");
    let (rest, _) = laws(&plant, &state, &plant::U::from([0.4]));
    assert!(rest.iter().all(|rest| rest.abs() < 1e-12), "{rest:?}");
    assert_eq!(plant.valve_joint_v(&state.z).len(), 2);
    let y = plant.outputs(state.at(&plant::U::from([0.4])), state.rates());
    assert_eq!(plant.tap_joint_level(&y)[0], 2.0 * plant.tap_joint_v(&state.z)[0]);
}

#[test]
fn exact_starts_of_subs_are_those_written_out() {
    let (plant, written) = (plant(), written());
    let (layout, other) = (plant.layout(), written.layout());
    // what the whole says of a coordinate or a rate replaces what the sub says
    assert_eq!(layout.init_position[0], "init swing[0].s + 0.1 * p.x * p.x");
    assert_eq!(layout.init_position[3..], ["init swing[0].p.x", "init swing[1].p.x", "init swing[2].p.x"]);
    assert_eq!(layout.init_velocity, ["init swing[0].w.x", "init swing[1].w.x", "init swing[2].w.x"]);
    assert_eq!((other.init_position.len(), other.init_velocity.len()), (6, 3));
    let ((x, u), (y, w)) = (point(&plant), point(&written));
    let (found, wanted) = (conditions(&plant, &x, &u), conditions(&written, &y, &w));
    for (k, (found, wanted)) in found.iter().zip(&wanted).enumerate() {
        same(["positions", "their Jacobian", "velocities", "theirs"][k], found, wanted);
    }
    let state = Start::default().solve(&plant, &Nominal).expect("a start");
    for (i, (p, w)) in plant.swing_p(&state.q).iter().zip(plant.swing_w(&state.v)).enumerate() {
        assert!((p[0] - LEAN[i]).abs() < 1e-12 && (w[0] - 0.3).abs() < 1e-12, "{p:?} {w:?}");
        assert!((plant.swing_s(&state.q)[i] + 0.1 * p[0] * p[0] - 0.15).abs() < 1e-12);
    }
    moves_alike!(&plant, &written, [
        "backward Euler" BackwardEuler::default(), false;
        "generalised-α" GeneralizedAlpha::with_spectral_radius(0.8), false;
        "Runge–Kutta 4" RungeKutta4, true;
        "Dormand–Prince" DormandPrince, true;
    ]);
}

#[test]
fn runs_with_equations_of_subs_are_resumed_to_the_bit() {
    let plant = plant();
    let method = GeneralizedAlpha::with_spectral_radius(0.8);
    let mut run = Simulation::of(&plant, method).fixed(1e-3).expect("a start");
    run.advance_to(0.05).expect("steps");
    let mut resumed = Simulation::of(&plant, method).resume(run.checkpoint()).fixed(1e-3).expect("a checkpoint");
    run.advance_to(0.1).expect("steps");
    resumed.advance_to(0.1).expect("steps");
    assert_eq!(bits!(run.state()), bits!(resumed.state()));
}
