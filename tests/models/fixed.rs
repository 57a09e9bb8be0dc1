//! Coordinates that are fixed, held in a direction, or prescribed, and the reactions.

use ode_model::integrators::{BackwardEuler, GeneralizedAlpha, Geodesic};
use ode_model::prelude::*;
use ode_model::solve::Projection;
use ode_model::{Nominal, Simulation, Start, System};

use crate::{close, near};

model! {
    /// A weight in a corner: one component held at its start, one free.
    pub struct Corner<T> {
        param m: Real [kg] = 2.0;
        param g: Real [m/s^2] = 9.81;
        param h: Real [m] = 0.3;
        coord r: Vec2 [m];
        kinetic = 0.5 * m * der(r).dot(der(r));
        potential = m * g * r.y;
        force wind on r.x = 1.5N;
        init r = vec2(0.2 * 1.0m, 2.0 * h);
        init der(r.x) = 0.5;
        fix r.y;
        output support: Vec2 [N] = r.reaction;
        output lift: Real [N] = r.y.reaction;
    }
}
model! {
    /// Three masses on springs: the first held, the last driven.
    pub struct Row {
        param m: Real [kg] = 0.5;
        param k: Real [N/m] = 40.0;
        param a: Real [m] = 0.05;
        param w: Real [rad/s] = 6.0;
        coord x: [Real; 3] [m];
        for i in 0..3 { kinetic inertia = 0.5 * m * sq(der(x[i])); }
        potential = 0.5 * k * (sq(x[1] - x[0]) + sq(x[2] - x[1]));
        init x[0] = 0.0;
        guess x[2] = 0.0;
        fix x[0];
        fix x[2] = a * sin(w * t);
        output pull: [Real; 3] [N] = x.reaction;
        guess x[1] = 0.0;
    }
}
model! {
    /// A bead that may not leave a line of any direction.
    pub struct Slope {
        param m: Real [kg] = 1.5;
        param n: Vec2 = vec2(0.6, -0.8);
        coord r: Vec2 [m];
        kinetic = 0.5 * m * der(r).dot(der(r));
        potential = m * 9.81 * 1.0N / 1.0kg * r.y;
        init r = vec2(1.0, 2.0);
        fix r along n;
        output normal: Vec2 [N] = r.reaction;
    }
}
model! {
    /// A pendulum whose pivot is a coordinate without inertia, led in time.
    pub struct Led {
        param m: Real [kg] = 0.7;
        param l: Real [m] = 0.5;
        param g: Real [m/s^2] = 9.81;
        param a: Real [m] = 0.1;
        param w: Real [rad/s] = 5.0;
        coord pivot: Vec2 [m];
        coord th: Angle;
        let bob = pivot + l * vec2(sin(th), -cos(th));
        kinetic = 0.5 * m * der(bob).dot(der(bob));
        potential = m * g * bob.y;
        fix pivot = vec2(a * sin(w * t), 0.0);
        init th = 0.4;
        output force: Vec2 [N] = pivot.reaction;
        output accel: Vec2 [m/s^2] = der2(bob);
    }
}
model! {
    /// The same with the pivot's motion written into the energies.
    pub struct Rheonomic {
        param m: Real [kg] = 0.7;
        param l: Real [m] = 0.5;
        param g: Real [m/s^2] = 9.81;
        param a: Real [m] = 0.1;
        param w: Real [rad/s] = 5.0;
        coord th: Angle;
        let bob = vec2(a * sin(w * t), 0.0) + l * vec2(sin(th), -cos(th));
        kinetic = 0.5 * m * der(bob).dot(der(bob));
        potential = m * g * bob.y;
        init th = 0.4;
    }
}

#[test]
fn what_is_held_at_its_start_reacts() {
    let model = Corner::<f64>::builder().h(0.5).build().expect("a model");
    assert_eq!(model.layout().constraints, ["fix r.y"]);
    // the start gives the value and is no condition beside it
    assert_eq!(model.layout().init_position, ["init r"]);
    let mut run = Simulation::of(&model, Geodesic).project(Projection::to(1e-12)).adaptive(1e-10).expect("a start");
    run.advance_to(2.0).expect("steps");
    let x = run.state();
    near(x.q.r()[0], 0.2 + 0.5 * 2.0 + 0.5 * 0.75 * 4.0, 1e-9);
    near(x.q.r()[1], 1.0, 1e-12);
    near(x.lambda.fix_r_y(), 2.0 * 9.81, 1e-9);
    let y = model.outputs(x.at(&corner::U::default()), x.rates());
    assert_eq!(y.support()[0], 0.0);
    assert_eq!(y.lift(), y.support()[1]);
    assert_eq!(y.lift(), x.lambda.fix_r_y());
}

#[test]
fn a_driven_end_moves_as_prescribed() {
    let model = Row::default();
    assert_eq!(model.layout().constraints, ["fix x[0]", "fix x[2]"]);
    let mut run = Simulation::of(&model, Geodesic).project(Projection::to(1e-12)).adaptive(1e-11).expect("a start");
    // m ẍ₁ = −2 k x₁ + k a sin w t from rest
    let (k, m, a, w) = (40.0_f64, 0.5, 0.05, 6.0);
    let own = (2.0 * k / m).sqrt();
    let share = k * a / m / (own * own - w * w);
    let end: f64 = 1.2;
    run.advance_to(end).expect("steps");
    let x = run.state();
    let middle = share * ((w * end).sin() - w / own * (own * end).sin());
    near(x.q.array()[1], middle, 1e-8);
    let led = a * (w * end).sin();
    near(x.q.array()[2], led, 1e-10);
    let pull = model.outputs(x.at(&row::U::default()), x.rates()).pull();
    near(pull[0], -k * middle, 1e-6);
    assert_eq!(pull[1], 0.0);
    near(pull[2], -m * w * w * led + k * (led - middle), 1e-6);
}

#[test]
fn a_direction_is_held_and_the_rest_slides() {
    let model = Slope::default();
    assert_eq!(model.layout().constraints, ["fix r along n"]);
    let x = Start::default().solve(&model, &Nominal).expect("consistent");
    assert_eq!(x.q.r(), [1.0, 2.0]);
    // g sin α down the line of direction (−0.8, −0.6)
    near(x.a.r()[0], -0.8 * 0.6 * 9.81, 1e-12);
    near(x.a.r()[1], -0.6 * 0.6 * 9.81, 1e-12);
    let normal = model.outputs(x.at(&slope::U::default()), x.rates()).normal();
    close(normal[0], -0.6 * 0.8 * 1.5 * 9.81);
    close(normal[1], 0.8 * 0.8 * 1.5 * 9.81);
}

#[test]
fn a_led_pivot_is_the_rheonomic_pendulum() {
    let (led, exact) = (Led::default(), Rheonomic::default());
    let mut a = Simulation::of(&led, Geodesic).project(Projection::to(1e-12)).adaptive(1e-11).expect("a start");
    let mut b = Simulation::of(&exact, Geodesic).adaptive(1e-11).expect("a start");
    a.advance_to(1.5).expect("steps");
    b.advance_to(1.5).expect("steps");
    near(a.state().q.th(), b.state().q.th(), 1e-8);
    near(a.state().v.th(), b.state().v.th(), 1e-7);
    // the pivot carries the bob: m (p̈ + g)
    let y = led.outputs(a.state().at(&led::U::default()), a.state().rates());
    near(y.force()[0], 0.7 * y.accel()[0], 1e-9);
    near(y.force()[1], 0.7 * (y.accel()[1] + 9.81), 1e-9);
    let method = GeneralizedAlpha::with_spectral_radius(0.8);
    let mut c = Simulation::of(&led, method).fixed(1e-3).expect("a start");
    c.advance_to(1.5).expect("steps");
    near(c.state().q.th(), b.state().q.th(), 1e-4);
    let mut d = Simulation::of(&led, BackwardEuler::default()).fixed(1e-4).expect("a start");
    d.advance_to(0.5).expect("steps");
    near(d.state().q.pivot()[0], 0.1 * (5.0f64 * 0.5).sin(), 1e-9);
}
