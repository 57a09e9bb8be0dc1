//! Subs of members: a model with a sub for each member of a set is the same model written out.

use ode_model::integrators::{BackwardEuler, Bdf2, DormandPrince, GeneralizedAlpha, RungeKutta4};
use ode_model::{Dual, Observable, Parametric, System, model};

use crate::alike::{self, alike_named, point, tangent_of_duals};

model! {
    /// A motor with a winding.
    pub struct Motor<T> {
        param r: Real [ohm] = 1.0;
        param l: Real [H] = 0.1;
        param k: Real [V*s] = 0.5;
        input volt: Real [V];
        input speed: Real [m/s];
        param reach: Real [m] = 0.7;
        state i: Real [A];
        init i = 0.2;
        der(i) = (volt - r * i - k * speed / reach) / l;
        output push: Real [N] = k * i / reach;
    }
}

model! {
    /// A foot on a spring, pushed by a motor.
    pub struct Leg<T> {
        unit gram = 1.0e-3 [kg];
        param m: Real [gram] = 400.0;
        param stiff: Real [N/m];
        param rest: Real [m] = 0.3;
        param drag: Real [N*s/m] = 0.1;
        param scale: Real [V*s] = 0.8;
        input pull: Vec3 [N];
        input volt: Real [V];
        /// where it stands
        coord (p, w): Vec3 [m];
        coord s: Real [m];
        gravity = vec3(0.0, 0.0, -1.0);
        let half = 0.5;
        sub motor: Motor<T> with { r: 2.0, k: half * scale };
        bind motor.volt = volt;
        bind motor.speed = der(norm(p));
        body load on frame(p, rot_z(0.0)) { mass: m, inertia: diag(vec3(0.0, 0.0, 0.0)) * m * sq(rest) }
        mass s = 0.2kg;
        potential = 0.5 * stiff * sq(norm(p) - rest) + 0.5 * stiff * sq(s - p.x);
        dissipation = 0.5 * drag * w.dot(w);
        force drive on norm(p) = motor.push;
        force pulled on p = pull;
        constraint level: p.z == 0.1 * s;
        guess p = vec3(0.1, 0.2, 0.05);
        guess s = 0.15;
        require m > 0.0kg, "a leg has a mass";
        #[port]
        output foot: Vec3 [m] = 0.9 * p + vec3(0.1 * s, 0.0, 0.0);
        output current: Real [A] = motor.i;
        limit height: p.y in -1.0..=1.0;
    }
}

model! {
    /// A link without mass between two points.
    pub struct Link<T> {
        param stiff: Real [N/m] = 30.0;
        param rest: Real [m] = 0.25;
        param tau: Real [s] = 0.4;
        input a: Vec3 [m];
        input b: Vec3 [m];
        state creep: Real [m];
        let stretch = norm(b - a) - rest - creep;
        der(creep) = stretch / tau;
        output strain: Real = stretch / rest;
        output pull: Vec3 [N] = stiff * stretch * (b - a) / norm(b - a);
    }
}

/// A herd, with these sets.
macro_rules! herd {
    ($name:ident [$($generics:tt)*] $($sets:tt)*) => {
        model! {
            /// Bodies with legs, joined by links.
            struct $name<$($generics)*> {
                $($sets)*
                param p[bodies]: Vec3 [m];
                param m[bodies]: Real [kg] = 0.6;
                param c: Real [N*s/m] = 0.3;
                param k: Real [N/m] = 8.0;
                param g: Real [m/s^2] = 9.81;
                input volt[bodies]: Real [V] = 1.5;
                input wind: Real [N] = 0.1;
                coord (x, v)[bodies]: Vec3 [m];
                gravity = vec3(0.0, 0.0, -g);
                sub leg[bodies]: Leg<T> with { drag: 2.0 * c, rest: 0.35 };
                sub link[joints]: Link<T>;
                for i in bodies {
                    let feed = volt[i];
                    bind leg[i].pull = k * (x[i] - leg[i].p);
                    bind leg[i].volt = 2.0 * feed;
                    mass x[i] = m[i];
                    force gust on x[i].y = wind;
                    force drag on x[i] = -c * v[i];
                    potential = 0.5 * k * sq(norm(x[i] - leg[i].foot) - 0.1m);
                    guess x[i] = p[i];
                    guess leg[i].p = p[i] + vec3(0.02m, 0.03m, -0.25m);
                    output burnt: Real [W] = feed * leg[i].current;
                }
                for e @ (i, j) in joints {
                    let pull = link[e].pull;
                    bind link[e].a = x[i];
                    bind link[e].b = x[j];
                    force one on x[i] = pull;
                    force other on x[j] = -pull;
                }
                for (a, b) in joints {
                    potential = 0.5 * k * sq(norm(leg[a].foot - leg[b].foot) - 0.2m);
                    dissipation = 0.5 * c * sq(der(leg[a].s) - der(leg[b].s));
                }
                for e in joints {
                    output strain: Real = link[e].strain;
                }
                for h @ i in held {
                    constraint hook: leg[i].p.y == x[i].y;
                    init leg[i].motor.i = 0.4;
                    output current: Real [A] = leg[i].motor.i;
                }
                output mean: Vec3 [m] = sum(bodies, |i| leg[i].foot) / sum(bodies, |i| 1.0);
            }
        }
    };
}

herd! { Herd [T]
    set bodies;
    set joints: (bodies, bodies);
    set held: bodies;
}
herd! { Four [T, const N: usize]
    set bodies: const N;
    set joints: (bodies, bodies) = [(0, 1), (2, 1)];
    set held: bodies = [2];
}

model! {
    /// The same herd without sets and subs.
    #[model(storage = sparse)]
    pub struct Written {
        param p: [Vec3; 3] [m];
        param m: [Real; 3] [kg] = [0.6, 0.6, 0.6];
        param c: Real [N*s/m] = 0.3;
        param k: Real [N/m] = 8.0;
        param g: Real [m/s^2] = 9.81;
        param leg_m: [Real; 3] [kg] = [0.4, 0.4, 0.4];
        param leg_stiff: [Real; 3] [N/m];
        param leg_rest: [Real; 3] [m] = [0.35, 0.35, 0.35];
        param leg_scale: [Real; 3] [V*s] = [0.8, 0.8, 0.8];
        param leg_motor_r: [Real; 3] [ohm] = [2.0, 2.0, 2.0];
        param leg_motor_l: [Real; 3] [H] = [0.1, 0.1, 0.1];
        param leg_motor_reach: [Real; 3] [m] = [0.7, 0.7, 0.7];
        param link_stiff: [Real; 2] [N/m] = [30.0, 30.0];
        param link_rest: [Real; 2] [m] = [0.25, 0.25];
        param link_tau: [Real; 2] [s] = [0.4, 0.4];
        input volt: [Real; 3] [V] = [1.5, 1.5, 1.5];
        input wind: Real [N] = 0.1;
        coord (x, v): [Vec3; 3] [m];
        coord (leg_p, leg_w): [Vec3; 3] [m];
        coord leg_s: [Real; 3] [m];
        state leg_motor_i: [Real; 3] [A];
        state link_creep: [Real; 2] [m];
        gravity = vec3(0.0, 0.0, -g);
        let stretch_0 = norm(x[1] - x[0]) - link_rest[0] - link_creep[0];
        let stretch_1 = norm(x[1] - x[2]) - link_rest[1] - link_creep[1];
        let pull_0 = link_stiff[0] * stretch_0 * (x[1] - x[0]) / norm(x[1] - x[0]);
        let pull_1 = link_stiff[1] * stretch_1 * (x[1] - x[2]) / norm(x[1] - x[2]);
        for i in 0..3 {
            let p_leg = leg_p[i];
            let foot[i] = 0.9 * p_leg + vec3(0.1 * leg_s[i], 0.0m, 0.0m);
            mass x[i] = m[i];
            kinetic = 0.5 * leg_m[i] * leg_w[i].dot(leg_w[i]);
            mass leg_s[i] = 0.2kg;
            potential = g * leg_m[i] * p_leg.z;
            potential = 0.5 * leg_stiff[i] * (sq(norm(p_leg) - leg_rest[i]) + sq(leg_s[i] - p_leg.x));
            potential = 0.5 * k * sq(norm(x[i] - foot[i]) - 0.1m);
            dissipation = c * leg_w[i].dot(leg_w[i]);
            force motor on norm(p_leg) = 0.5 * leg_scale[i] * leg_motor_i[i] / leg_motor_reach[i];
            force pulled on p_leg = k * (x[i] - p_leg);
            force gust on x[i].y = wind;
            force drag on x[i] = -c * v[i];
            der(leg_motor_i[i]) = (2.0 * volt[i] - leg_motor_r[i] * leg_motor_i[i]
                - 0.5 * leg_scale[i] * der(norm(p_leg)) / leg_motor_reach[i]) / leg_motor_l[i];
            guess x[i] = p[i];
            guess leg_p[i] = p[i] + vec3(0.02m, 0.03m, -0.25m);
            guess leg_s[i] = 0.15;
        }
        for i in 0..3 {
            constraint level: leg_p[i].z == 0.1 * leg_s[i];
        }
        constraint hook: leg_p[2].y == x[2].y;
        init leg_motor_i[0] = 0.2;
        init leg_motor_i[1] = 0.2;
        init leg_motor_i[2] = 0.4;
        force one_0 on x[0] = pull_0;
        force one_1 on x[2] = pull_1;
        force other on x[1] = -pull_0 - pull_1;
        der(link_creep[0]) = stretch_0 / link_tau[0];
        der(link_creep[1]) = stretch_1 / link_tau[1];
        potential = 0.5 * k * sq(norm(foot[0] - foot[1]) - 0.2m) + 0.5 * k * sq(norm(foot[2] - foot[1]) - 0.2m);
        dissipation = 0.5 * c * (sq(der(leg_s[0]) - der(leg_s[1])) + sq(der(leg_s[2]) - der(leg_s[1])));
        let push[0] = 0.5 * leg_scale[0] * leg_motor_i[0] / leg_motor_reach[0];
        let push[1] = 0.5 * leg_scale[1] * leg_motor_i[1] / leg_motor_reach[1];
        let push[2] = 0.5 * leg_scale[2] * leg_motor_i[2] / leg_motor_reach[2];
        output leg_motor_push: [Real; 3] [N] = [push[0], push[1], push[2]];
        output leg_foot: [Vec3; 3] [m] = [foot[0], foot[1], foot[2]];
        output leg_current: [Real; 3] [A] = leg_motor_i;
        output link_strain: [Real; 2] = [stretch_0 / link_rest[0], stretch_1 / link_rest[1]];
        output link_pull: [Vec3; 2] [N] = [pull_0, pull_1];
        output burnt: [Real; 3] [W] = [volt[0] * leg_motor_i[0], volt[1] * leg_motor_i[1], volt[2] * leg_motor_i[2]];
        output strain: [Real; 2] = [stretch_0 / link_rest[0], stretch_1 / link_rest[1]];
        output current: [Real; 1] [A] = [leg_motor_i[2]];
        output mean: Vec3 [m] = (foot[0] + foot[1] + foot[2]) / 3.0;
    }
}

/// Names of the written model as those of the herd.
fn called(name: &str) -> String {
    let subs = [
        "leg_motor_i",
        "leg_motor_push",
        "leg_current",
        "leg_foot",
        "leg_p",
        "leg_w",
        "leg_s",
        "link_creep",
        "link_strain",
        "link_pull",
    ];
    alike::called(&subs, name)
}

const PLACES: [[f64; 3]; 3] = [[0.0, 0.1, 0.4], [0.3, 0.0, 0.5], [0.5, 0.3, 0.3]];
const STIFF: [f64; 3] = [40.0, 50.0, 60.0];

fn herd() -> Herd {
    let herd = Herd::builder().bodies(3).joints([[0, 1], [2, 1]]).held([2]);
    herd.p(PLACES).leg_stiff(STIFF).build().expect("a herd")
}

fn written() -> Written {
    Written::builder().p(PLACES).leg_stiff(STIFF).build().expect("a herd")
}

#[test]
fn subs_of_members_are_those_written_out() {
    let (herd, written) = (herd(), written());
    alike_named(&herd, &written, called);
    let four = Four::<f64, 3>::builder().p(PLACES).leg_stiff(STIFF).build().expect("a herd");
    alike_named(&four, &written, called);
    let outputs: Vec<String> = written.layout().outputs.iter().map(|name| called(name)).collect();
    assert_eq!(herd.layout().outputs, outputs);
    assert_eq!(herd.layout().constraints, ["leg[0].level", "leg[1].level", "leg[2].level", "hook[0]"],);
    moves_alike!(&herd, &written, [
        "backward Euler" BackwardEuler::default(), true;
        "linearly implicit Euler" BackwardEuler::linearized(), true;
        "BDF2" Bdf2::default(), true;
        "generalised-α" GeneralizedAlpha::with_spectral_radius(0.8), true;
        "Runge–Kutta 4" RungeKutta4, true;
        "Dormand–Prince" DormandPrince, true;
    ]);
}

/// The weighted tangent, times a direction, is what dual numbers through the residual say.
#[test]
fn tangents_with_subs_are_those_of_dual_numbers() {
    let herd = herd();
    let slopes = tangent_of_duals(&herd, &herd.cast::<Dual<f64>>());
    assert!(slopes.iter().all(|slope| *slope != 0.0));
}

#[test]
fn names_of_subs_are_those_of_other_families() {
    let mut herd = herd();
    let (mut state, u) = point(&herd);
    herd.leg_p_mut(&mut state.q)[1] = [1.0, 2.0, 3.0];
    herd.leg_w_mut(&mut state.v)[2][1] = 4.0;
    herd.link_creep_mut(&mut state.z)[1] = 5.0;
    let layout = herd.layout();
    let at = |names: &[&str], name: &str| names.iter().position(|own| *own == name).expect("a name");
    assert_eq!(state.q[at(layout.q, "leg[1].p.z")], 3.0);
    assert_eq!(state.v[at(layout.v, "leg[2].w.y")], 4.0);
    assert_eq!(state.z[at(layout.z, "link[1].creep")], 5.0);
    assert_eq!(herd.units().z[at(layout.z, "leg[0].motor.i")], "A");
    let y = herd.outputs(state.at(&u), state.rates());
    assert_eq!(herd.leg_current(&y), herd.leg_motor_i(&state.z));
    assert_eq!(herd.leg_foot(&y)[1][1], 1.8);

    // parameters in the unit of their declaration, by the names of the whole
    assert_eq!((herd.leg_m[1], herd.leg_rest[0], herd.leg_motor_r[2]), (0.4, 0.35, 2.0));
    herd.set_parameter("leg[1].m", 250.0).expect("a parameter");
    herd.set_parameter("leg[2].motor.l", 0.2).expect("a parameter");
    assert_eq!((herd.leg_m[1], herd.leg_motor_l[2]), (0.25, 0.2));
    assert!(herd.set_parameter("leg[1].drag", 1.0).is_err());
    let grams = Herd::builder().bodies(3).joints([[0, 1], [2, 1]]).held([2]).p(PLACES).leg_stiff(STIFF);
    assert_eq!(grams.leg_m([100.0, 200.0, 300.0]).build().expect("a herd").leg_m[2], 0.3);

    let bounds = herd.limit_bounds();
    assert_eq!(bounds.names, ["leg[0].height", "leg[1].height", "leg[2].height"]);
}

#[test]
fn what_a_sub_requires_is_refused_with_its_member() {
    let herd = || Herd::builder().bodies(3).joints([[0, 1], [2, 1]]).held([2]).p(PLACES);
    let refused = herd().leg_stiff(STIFF).leg_m([1.0, 1.0, -1.0]).build().expect_err("a mass");
    assert_eq!(refused.to_string(), "Herd: param leg[2].m = -1 gram: a leg has a mass");
    let refused = herd().leg_stiff([1.0, f64::NAN, 1.0]).build().expect_err("a stiffness");
    assert_eq!(refused.to_string(), "Herd: param leg[1].stiff = NaN is not finite");
    let refused = herd().leg_stiff([1.0]).build().expect_err("a stiffness");
    assert_eq!(refused.to_string(), "Herd: leg_stiff has 1 members, but bodies has 3");
    let refused = herd().build().expect_err("a stiffness");
    assert_eq!(refused.to_string(), "Herd: param leg_stiff has no default and was not set");
}

model! {
    /// A wagon on a spring, on which a mass swings.
    pub struct Wagon<T> {
        param m: Real [kg] = 2.0;
        param k: Real [N/m] = 20.0;
        param g: Real [m/s^2] = 9.81;
        input push: Real [N];
        coord s: Real [m];
        coord th: Angle;
        state warm: Real [K];
        mass s = m;
        param turn: Real [kg*m^2] = 0.1;
        mass th = turn;
        potential = 0.5 * k * sq(s) + 0.15m * m * g * (1.0 - cos(th));
        force drive on s = push;
        der(warm) = 0.2 / 1.0s * (1.0K - warm);
        init warm = 3.0;
        guess s = 0.1;
        guess th = 0.4;
        #[port]
        output hook: Vec2 [m] = vec2(s + 0.2m * sin(th), -0.2m * cos(th));
        output heat: Real [K] = warm;
    }
}

model! {
    /// Ropes that hang on wagons, which are no members of a set.
    pub struct Train<T> {
        set nodes;
        set edges: (nodes, nodes);
        set ends: nodes;
        param p[nodes]: Vec2 [m];
        param k: Real [N/m] = 15.0;
        param first: Real [kg] = 3.0;
        param warms: Real [N/K] = 0.1;
        param slope: Real [K/m] = 0.01;
        input push: Real [N] = 0.3;
        coord x[nodes]: Vec2 [m];
        sub lead: Wagon<T> with { m: first, k: 10.0 };
        sub wagon: [Wagon<T>; 2];
        bind lead.push = push - 0.1N * sin(lead.th);
        for n in 0..2 {
            let share = 0.5 * push;
            bind wagon[n].push = share;
            force buffer on wagon[n].s - lead.s = -k * (wagon[n].s - lead.s);
        }
        for i in nodes {
            mass x[i] = 0.2kg;
            guess x[i] = p[i];
        }
        for (i, j) in edges {
            potential = 0.5 * k * sq(norm(x[i] - x[j]) - 0.3m);
        }
        for i in ends {
            potential = 0.5 * k * (sq(norm(x[i] - lead.hook) - 0.4m) + sq(norm(x[i] - wagon[1].hook) - 0.5m));
            force warmth on x[i].x = warms * wagon[0].heat;
            output pulled: Real [N] = lead.push;
        }
        output all: Real [K] = lead.heat + sum(nodes, |i| slope * x[i].x);
    }
}

model! {
    /// The same train without sets and subs.
    #[model(storage = sparse)]
    pub struct Coupled {
        param p: [Vec2; 3] [m];
        param k: Real [N/m] = 15.0;
        param first: Real [kg] = 3.0;
        param warms: Real [N/K] = 0.1;
        param slope: Real [K/m] = 0.01;
        input push: Real [N] = 0.3;
        coord x: [Vec2; 3] [m];
        sub lead: Wagon with { m: first, k: 10.0 };
        sub wagon: [Wagon; 2];
        bind lead.push = push - 0.1N * sin(lead.th);
        for n in 0..2 {
            let share = 0.5 * push;
            bind wagon[n].push = share;
            force buffer on wagon[n].s - lead.s = -k * (wagon[n].s - lead.s);
        }
        for i in 0..3 {
            mass x[i] = 0.2kg;
            guess x[i] = p[i];
        }
        for i in 0..2 {
            potential = 0.5 * k * sq(norm(x[i] - x[i + 1]) - 0.3m);
        }
        potential = 0.5 * k * (sq(norm(x[2] - lead.hook) - 0.4m) + sq(norm(x[2] - wagon[1].hook) - 0.5m));
        force warmth on x[2].x = warms * wagon[0].heat;
        output pulled: [Real; 1] [N] = [lead.push];
        output all: Real [K] = lead.heat + slope * (x[0].x + x[1].x + x[2].x);
    }
}

#[test]
fn subs_beside_the_loops_are_those_of_a_model_without_sets() {
    let places = [[0.0, -0.3], [0.2, -0.5], [0.3, -0.8]];
    let mut train = Train::builder().nodes(3).edges([[0, 1], [1, 2]]).ends([2]).p(places).build().expect("a train");
    let mut coupled = Coupled::builder().p(places).build().expect("a train");
    train.wagon_1_turn = 0.2;
    coupled.wagon[1].turn = 0.2;
    alike_named(&train, &coupled, str::to_owned);
    moves_alike!(&train, &coupled, [
        "BDF2" Bdf2::default(), false;
        "generalised-α" GeneralizedAlpha::with_spectral_radius(0.8), false;
        "Dormand–Prince" DormandPrince, false;
    ]);
    let slopes = tangent_of_duals(&train, &train.cast::<Dual<f64>>());
    assert!(slopes.iter().all(|slope| *slope != 0.0));
}

model! {
    /// A body that turns about a point which is moved.
    pub struct Spinner {
        param m: Real [kg] = 0.4;
        param g: Real [m/s^2] = 9.81;
        coord (att, w): SO3;
        let base = frame(vec3(0.1m, 0.0m, 0.2m), att);
        body top on base { mass: m, inertia: diag(0.02, 0.03, 0.05) }
        potential = m * g * base.at(vec3(0.1m, 0.05m, 0.2m)).z;
        #[port]
        output tip = base.at(vec3(0.0m, 0.3m, 0.1m));
    }
}

model! {
    /// Spinners joined by springs.
    pub struct Spinners {
        set tops: const 3;
        set springs: (tops, tops) = chain;
        param k: Real [N/m] = 5.0;
        gravity = vec3(0.0, 0.0, -9.81);
        sub top[tops]: Spinner;
        for (i, j) in springs {
            potential = 0.5 * k * sq(norm(top[j].tip - top[i].tip - vec3(0.3m, 0.1m, 0.0m)));
        }
    }
}

model! {
    /// The same with an array of subs.
    #[model(storage = sparse)]
    pub struct WrittenSpinners {
        param k: Real [N/m] = 5.0;
        gravity = vec3(0.0, 0.0, -9.81);
        #[allow(zero_start)]
        sub top: [Spinner; 3];
        for i in 0..2 {
            potential = 0.5 * k * sq(norm(top[i + 1].tip - top[i].tip - vec3(0.3m, 0.1m, 0.0m)));
        }
    }
}

#[test]
fn rotations_of_subs_are_those_of_an_array() {
    let (sets, written) = (Spinners::builder().build().expect("tops"), WrittenSpinners::default());
    assert_eq!(sets.layout().steps[3], "top[1].att.step.x");
    assert_eq!(sets.layout().directions[4], "top[1].w.y");
    assert_eq!((sets.layout().q, sets.layout().v), (written.layout().q, written.layout().v));
    assert_eq!((sets.layout().steps, sets.rotations()), (written.layout().steps, written.rotations()));
    moves_alike!(&sets, &written, [
        "generalised-α" GeneralizedAlpha::with_spectral_radius(0.8), false;
        "Runge–Kutta 4" RungeKutta4, false;
    ]);
}
