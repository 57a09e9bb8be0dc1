//! Rows that repeat what others hold: linkages against closed forms, smaller models and their energy.

use ode_model::Simulation;
use ode_model::integrators::Geodesic;
use ode_model::prelude::*;
use ode_model::solve::Projection;

macro_rules! four_bars {
    ($(#[$option:meta])? $name:ident { $($cranks:tt)* } { $($loops:tt)* }) => {
        model! {
            $(#[$option])?
            /// IFToMM's N-four-bar with N = 10 in points: a row for the length of each of its 11 cranks and 10
            /// couplers, one redundant row per loop.
            pub struct $name {
                param m: Real [kg] = 1.0;
                param l: Real [m] = 1.0;
                param g: Real [m/s^2] = 9.81;
                coord p: [Vec2; 11] [m];
                for i in 0..11 {
                    kinetic = m * der(p[i]).dot(der(p[i])) / 6.0;
                    potential = 0.5 * m * g * p[i].y;
                    $($cranks)*
                    init p[i].x = i * l;
                    guess p[i].y = l;
                    guess der(p[i].x) = 1.0;
                }
                for i in 0..10 {
                    kinetic = m * (der(p[i]).dot(der(p[i])) + der(p[i]).dot(der(p[i + 1]))
                        + der(p[i + 1]).dot(der(p[i + 1]))) / 6.0;
                    potential = 0.5 * m * g * (p[i].y + p[i + 1].y);
                    $($loops)*
                }
            }
        }
    };
}
four_bars!(FourBars { constraint crank: norm(p[i] - vec2(i * l, 0.0)) == l; } {
    constraint coupler: norm(p[i + 1] - p[i]) == l with { redundant };
    constraint level: p[i].y == p[i + 1].y with { redundant };
});
four_bars!(#[model(no_selftest)] MarkedLevels { constraint crank: norm(p[i] - vec2(i * l, 0.0)) == l; } {
    constraint level: p[i + 1].y - p[i].y == 0.0 with { redundant };
    constraint coupler: norm(p[i + 1] - p[i]) == l;
});
four_bars!(#[model(no_selftest)] MarkedCranks {
    constraint crank: norm(p[i] - vec2(i * l, 0.0)) == l with { redundant };
} {
    constraint level: p[i].y == p[i + 1].y;
    constraint coupler: norm(p[i + 1] - p[i]) == l with { redundant };
});
four_bars!(#[model(no_selftest)] OtherUnits {
    constraint crank: 1.0e3 * norm(p[i] - vec2(i * l, 0.0)) == 1.0e3 * l with { redundant };
} {
    constraint coupler: 1.0e-3 * norm(p[i] - p[i + 1]) == 1.0e-3 * l with { redundant };
    constraint level: 1.0e3 * p[i].y == 1.0e3 * p[i + 1].y with { redundant };
});
model! {
    /// The same in the angle of its cranks.
    pub struct Crank {
        param l: Real [m] = 1.0;
        param m: Real [kg] = 1.0;
        param g: Real [m/s^2] = 9.81;
        coord th: Angle;
        kinetic = 0.5 * (11.0 / 3.0 + 10.0) * m * sq(l * der(th));
        potential = (11.0 / 2.0 + 10.0) * m * g * l * sin(th);
        init th = 1.5707963267948966;
        init der(th) = -1.0;
    }
}

/// The largest difference from the angle of the cranks within this many tenths of a second, and how often they lie
/// flat.
macro_rules! off {
    ($bars:expr, $tenths:expr) => {{
        let (bars, crank) = ($bars, Crank::default());
        let mut run = Simulation::of(&bars, Geodesic).project(Projection::to(1e-11)).adaptive(1e-9).unwrap();
        let mut exact = Simulation::of(&crank, Geodesic).adaptive(1e-12).unwrap();
        let (mut worst, mut flat, mut before) = (0.0_f64, 0, 1.0);
        for k in 1..=$tenths {
            let t = 0.1 * f64::from(k);
            run.advance_to(t).unwrap();
            exact.advance_to(t).unwrap();
            let th = exact.state().q.th();
            for (i, [x, y]) in run.state().q.p().into_iter().enumerate() {
                worst = worst.max((x - i as f64 - th.cos()).abs()).max((y - th.sin()).abs());
            }
            flat += i32::from(before * th.sin() < 0.0);
            before = th.sin();
        }
        println!("{worst:e} {flat} {:?}", run.statistics());
        (worst, flat)
    }};
}

#[test]
fn ten_four_bars_go_through_their_flat_positions() {
    let (worst, flat) = off!(FourBars::default(), 100);
    assert!(flat >= 4 && worst < 1e-7, "{worst:e} after {flat} flat positions");
}

#[test]
fn ten_four_bars_with_their_levels_marked_do_so_too() {
    let (worst, flat) = off!(MarkedLevels::default(), 15);
    assert!(flat >= 1 && worst < 1e-7, "{worst:e} after {flat} flat positions");
}

#[test]
fn ten_four_bars_with_their_cranks_marked_do_so_too() {
    let (worst, flat) = off!(MarkedCranks::default(), 15);
    assert!(flat >= 1 && worst < 1e-7, "{worst:e} after {flat} flat positions");
}

#[test]
fn ten_four_bars_in_other_units_do_so_too() {
    let (worst, flat) = off!(OtherUnits::default(), 15);
    assert!(flat >= 1 && worst < 1e-7, "{worst:e} after {flat} flat positions");
}

model! {
    /// A four-bar of rank five in seven rows.
    pub struct SevenRows {
        param m: Real [kg] = 1.0;
        param: Real [m] { l = 0.4; d = 1.0; }
        param g: Real [m/s^2] = 9.81;
        coord a, b: Vec2 [m];
        coord ta, tb: Angle;
        kinetic = m * der(a).dot(der(a)) / 6.0 + m * der(b).dot(der(b)) / 6.0
            + m * (der(a).dot(der(a)) + der(a).dot(der(b)) + der(b).dot(der(b))) / 6.0;
        // a flywheel on each crank
        kinetic = 0.05 * m * sq(l) * (sq(der(ta)) + sq(der(tb)));
        potential = m * g * (a.y + b.y);
        constraint left: a == l * vec2(cos(ta), sin(ta));
        constraint right: b == vec2(d, 0.0) + l * vec2(cos(tb), sin(tb));
        constraint coupler: norm(b - a) == d with { redundant };
        constraint level: a.y == b.y with { redundant };
        constraint alike: ta == tb with { redundant };
        init ta = 1.0;
        guess tb = 1.0;
        guess a = l * vec2(cos(1.0), sin(1.0));
        guess b = vec2(d, 0.0) + l * vec2(cos(1.0), sin(1.0));
        output pull: Real [N] = coupler.lambda;
    }
}
model! {
    /// The same in its angle.
    pub struct OneAngle {
        param m: Real [kg] = 1.0;
        param l: Real [m] = 0.4;
        param g: Real [m/s^2] = 9.81;
        coord th: Angle;
        kinetic = 0.5 * (2.0 / 3.0 + 1.0 + 0.2) * m * sq(l * der(th));
        potential = 2.0 * m * g * l * sin(th);
        init th = 1.0;
    }
}

#[test]
fn a_four_bar_in_seven_rows_of_rank_five_is_one_in_an_angle() {
    let (bar, angle) = (SevenRows::default(), OneAngle::default());
    let mut run = Simulation::of(&bar, Geodesic).project(Projection::to(1e-12)).adaptive(1e-11).unwrap();
    let mut exact = Simulation::of(&angle, Geodesic).adaptive(1e-12).unwrap();
    for k in 1..=10 {
        run.advance_to(0.2 * f64::from(k)).unwrap();
        exact.advance_to(0.2 * f64::from(k)).unwrap();
        let (ta, tb, th) = (run.state().q.ta(), run.state().q.tb(), exact.state().q.th());
        assert!((ta - th).abs() < 1e-9 && (tb - th).abs() < 1e-9, "{ta} {tb} {th}");
    }
}

macro_rules! door {
    ($name:ident { $($upper:tt)* }) => {
        model! {
            /// A door that hangs askew.
            pub struct $name {
                param m: Real [kg] = 20.0;
                coord p: Vec3 [m];
                coord (q, w): SO3;
                let door = frame(p, q);
                let z = vec3(0.0, 0.0, 1.0);
                body leaf on door { mass: m, inertia: diag(6.7, 8.0, 1.1) * 1.0kg * 1.0m * 1.0m }
                gravity = vec3(0.5, 0.2, -9.8) * 1.0m / sq(1.0s);
                constraint lower: door.at(vec3(-0.4, 0.0, -0.8) * 1.0m) == vec3(0.0, 0.0, -0.8) * 1.0m;
                constraint lower_pin: vec2(door.vec(z).x, door.vec(z).y) == vec2(0.0, 0.0);
                $($upper)*
                init p = vec3(0.4, 0.0, 0.0) * 1.0m;
                guess q = rot_z(0.0);
                init w = vec3(0.0, 0.0, 2.0);
            }
        }
    };
}
door!(OneHinge {});
door!(TwoHinges {
    constraint upper: door.at(vec3(-0.4, 0.0, 0.8) * 1.0m) == vec3(0.0, 0.0, 0.8) * 1.0m with { redundant };
    constraint upper_pin: vec2(door.vec(z).x, door.vec(z).y) == vec2(0.0, 0.0) with { redundant };
});

#[test]
fn a_door_moves_on_two_hinges_as_on_one() {
    let (one, two) = (OneHinge::default(), TwoHinges::default());
    let mut one = Simulation::of(&one, Geodesic).project(Projection::to(1e-12)).adaptive(1e-12).unwrap();
    let mut two = Simulation::of(&two, Geodesic).project(Projection::to(1e-12)).adaptive(1e-12).unwrap();
    for k in 1..=10 {
        one.advance_to(0.2 * f64::from(k)).unwrap();
        two.advance_to(0.2 * f64::from(k)).unwrap();
        for (a, b) in one.state().q.array().iter().zip(two.state().q.array()) {
            assert!((a - b).abs() < 1e-10, "{a} {b}");
        }
    }
}

model! {
    /// Bricard's linkage: five bars and the ground, six hinges, 30 rows of rank 29.
    #[model(no_selftest)]
    pub struct Bricard {
        param m: Real [kg] = 1.0;
        param j: Vec2 [kg*m^2] = vec2(0.02 / 12.0, 1.01 / 12.0);
        coord p: [Vec3; 5] [m];
        coord (q, w): [SO3; 5];
        let x = vec3(1.0, 0.0, 0.0);
        let y = vec3(0.0, 1.0, 0.0);
        let z = vec3(0.0, 0.0, 1.0);
        let h = 0.5 * 1.0m;
        let a = frame(p[0], q[0]);
        let b = frame(p[1], q[1]);
        let c = frame(p[2], q[2]);
        let d = frame(p[3], q[3]);
        let e = frame(p[4], q[4]);
        body b0 on a { mass: m, inertia: diag(j.x, j.y, j.y) }
        body b1 on b { mass: m, inertia: diag(j.y, j.x, j.y) }
        body b2 on c { mass: m, inertia: diag(j.y, j.y, j.x) }
        body b3 on d { mass: m, inertia: diag(j.x, j.y, j.y) }
        body b4 on e { mass: m, inertia: diag(j.y, j.x, j.y) }
        gravity = vec3(0.0, -9.81, 0.0) * 1.0m / sq(1.0s);
        constraint at0: a.at(-h * x) == vec3(0.0, 0.0, 0.0) * 1.0m;
        constraint pin0: vec2(a.vec(y).x, a.vec(y).z) == vec2(0.0, 0.0);
        constraint at1: a.at(h * x) == b.at(h * y);
        constraint pin1: vec2(a.vec(z).dot(b.vec(x)), a.vec(z).dot(b.vec(y))) == vec2(0.0, 0.0);
        constraint at2: b.at(-h * y) == c.at(-h * z);
        constraint pin2: vec2(b.vec(x).dot(c.vec(y)), b.vec(x).dot(c.vec(z))) == vec2(0.0, 0.0);
        constraint at3: c.at(h * z) == d.at(h * x);
        constraint pin3: vec2(c.vec(y).dot(d.vec(x)), c.vec(y).dot(d.vec(z))) == vec2(0.0, 0.0);
        constraint at4: d.at(-h * x) == e.at(-h * y);
        constraint pin4: vec2(d.vec(z).dot(e.vec(x)), d.vec(z).dot(e.vec(y))) == vec2(0.0, 0.0);
        constraint at5: e.at(h * y) == vec3(0.0, 0.0, 1.0) * 1.0m with { redundant };
        constraint pin5: vec2(e.vec(x).y, e.vec(x).z) == vec2(0.0, 0.0) with { redundant };
        guess p = [vec3(0.5, 0.0, 0.0), vec3(1.0, -0.5, 0.0), vec3(1.0, -1.0, 0.5), vec3(0.5, -1.0, 1.0),
            vec3(0.0, -0.5, 1.0)];
    }
}

#[test]
fn bricards_linkage_keeps_its_energy() {
    let linkage = Bricard::default();
    let u = bricard::U::default();
    let energy = |x: &ode_model::State<Bricard>| linkage.energy(x.at(&u));
    let mut run = Simulation::of(&linkage, Geodesic).project(Projection::to(1e-10)).adaptive(1e-8).unwrap();
    let start = energy(run.state());
    let (mut worst, mut fastest) = (0.0_f64, 0.0_f64);
    for k in 1..=50 {
        run.advance_to(0.2 * f64::from(k)).unwrap();
        let now = energy(run.state());
        worst = worst.max((now.kinetic + now.potential - start.kinetic - start.potential).abs());
        fastest = fastest.max(now.kinetic);
    }
    println!("{worst:e} {fastest} {:?}", run.statistics());
    assert!(fastest > 1.0 && worst < 1e-6, "{worst:e} of {fastest}");
}
