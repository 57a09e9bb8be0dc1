//! Rows that repeat what others hold: linkages against closed forms, smaller models and their energy.

use ode_model::Simulation;
use ode_model::integrators::Geodesic;
use ode_model::prelude::*;
use ode_model::solve::Projection;

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
        for (a, b) in one.state().q.array().iter().zip(two.state().q.as_array()) {
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
