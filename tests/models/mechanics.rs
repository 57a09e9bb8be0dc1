//! Energies, masses, forces and constraints of unusual form.

use ode_model::Method;
use ode_model::prelude::*;

model! {
    /// Inertias so different that a comparison of the whole would miss the small ones.
    pub struct Scales {
        coord x: Real;
        coord th, ph: Angle;
        kinetic planet = 0.5 * 5.97e24 * sq(der(x));
        kinetic toy = 0.5 * sq(der(th)) + 0.5 * sq(sin(th) * der(ph));
    }
}

#[test]
fn a_heavy_coordinate_does_not_hide_a_light_one() {
    let model = Scales::default();
    let mut state = begin(&model);
    let (th, rate, spin) = (1.0f64, 0.3, 2.0);
    state.q = [0.0, th, 0.0].into();
    state.v = [0.0, rate, spin].into();
    let u = scales::U::default();
    let f = model.force(state.at(&u));
    // sin θ φ̇ is the rate of nothing: f_θ = sin θ cos θ φ̇², f_φ = −2 sin θ cos θ θ̇ φ̇
    close(f.th(), th.sin() * th.cos() * spin * spin);
    close(f.ph(), -2.0 * th.sin() * th.cos() * rate * spin);
}

use crate::{begin, close, near};

model! {
    /// No parameter, no potential, and not even a unit.
    pub struct Bare { coord x: Real; kinetic = 0.5 * sq(der(x)); force back on x = -x; init x = 1.0; }
}
model! {
    /// The same over any scalar.
    pub struct BareGeneric<T> { coord x: Real; kinetic = 0.5 * sq(der(x)); force back on x = -x; init x = 1.0; }
}
model! {
    /// Nothing but mass and force.
    pub struct OnlyMass<T> {
        param m: Real [kg] = 2.0;
        param f0: Real [N] = 6.0;
        coord x: Real [m];
        coord r: Vec2 [m];
        mass x = m;
        mass r = m;
        force push on x = f0;
        force slope on x - r.y = 0.5 * f0;
    }
}
model! {
    /// A mass matrix over two coordinates of different units, which varies.
    pub struct MatrixMass {
        param m: Real [kg] = 2.0;
        param l: Real [m] = 0.5;
        param g: Real [m/s^2] = 10.0;
        coord x: Real [m];
        coord th: Angle;
        mass (x, th) = [[m, m * l * cos(th)], [m * l * cos(th), m * sq(l)]];
        mass x = 1.0kg;
        // what a kinetic energy would have given beside M a
        force centrifugal on x = m * l * sin(th) * sq(der(th));
        force weight on th = -m * g * l * sin(th);
        init th = 1.0;
        init der(th) = 2.0;
        guess x = 0.0;
    }
}
model! {
    /// The same from energies.
    pub struct EnergyMass {
        param m: Real [kg] = 2.0;
        param l: Real [m] = 0.5;
        param g: Real [m/s^2] = 10.0;
        coord x: Real [m];
        coord th: Angle;
        let bob = vec2(x + l * sin(th), -l * cos(th));
        kinetic = 0.5 * sq(der(x)) * 1.0kg + 0.5 * m * der(bob).dot(der(bob));
        potential = m * g * bob.y;
        init th = 1.0;
        init der(th) = 2.0;
        guess x = 0.0;
    }
}
model! {
    /// Special relativity: a kinetic function that is not quadratic. Momentum is γ m v.
    pub struct Rocket<T> {
        param m: Real [kg] = 1.5;
        param c: Real [m/s] = 3.0;
        param f: Real [N] = 2.0;
        coord (x, v): Real [m];
        kinetic = -m * sq(c) * sqrt(1.0 - sq(v) / sq(c));
        force thrust on x = f;
        init v = 0.0;
    }
}
model! {
    /// A cart that fills: T depends on time, and momentum is conserved.
    pub struct Filling {
        param m0: Real [kg] = 1.0;
        param rate: Real [kg/s] = 0.5;
        coord x: Real [m];
        kinetic = 0.5 * (m0 + rate * t) * sq(der(x));
        init der(x) = 3.0;
    }
}
model! {
    /// A pendulum whose pivot shakes: T depends on time through positions.
    pub struct Shaken<T> {
        param m, l: Real = 0.7;
        param g: Real = 9.81;
        param a: Real = 0.1;
        param w: Real = 5.0;
        coord th: Angle;
        let bob = vec2(l * sin(th), a * cos(w * t) - l * cos(th));
        kinetic = 0.5 * m * der(bob).dot(der(bob));
        potential = m * g * bob.y;
        init th = 0.4;
        init der(th) = 1.1;
    }
}
model! {
    /// A bead on a rod that turns as time says.
    pub struct TurningRod<T> {
        param m: Real [kg] = 2.0;
        param w: Real [rad/s] = 3.0;
        coord (r, v): Vec2 [m];
        kinetic = 0.5 * m * v.dot(v);
        constraint rod: r.dot(vec2(-sin(w * t), cos(w * t))) == 0.0;
        init r.x = 0.5;
        guess v = vec2(0.1, 0.0);
        init v.x = 0.0;
        output across: Real [N] = rod.lambda;
        output a: Vec2 [m/s^2] = der2(r);
        output jerk_free: Real [m^2/s^2] = der2(r.dot(r)) - 2.0 * v.dot(v) - 2.0 * r.dot(der2(r));
        guess r.y = 0.0;
    }
}
model! {
    /// A compound pendulum of one planar body, and a second one carried along.
    pub struct Compound {
        param m: Real [kg] = 2.0;
        param j: Real [kg*m^2] = 0.3;
        param d: Real [m] = 0.4;
        param g: Real [m/s^2] = 9.81;
        coord th: Angle;
        let plate = frame2(d * vec2(sin(th), -cos(th)), th);
        body main on plate { mass: m, inertia: j }
        // a point of the plate, and a frame seen from it
        let tip = plate.at(vec2(0.0, -d));
        body bob on frame2(tip, plate.angle) { mass: 0.5 * m, inertia: 0.0 }
        gravity = vec2(0.0, -g);
        torque brake on plate = -0.1N * d * der(th) * 1.0s;
        init th = 0.3;
        output tip_x: Real [m] = plate.inv().at(tip).y;
    }
}
model! {
    /// Two bobs, a spring with damping between them, another to the wall.
    pub struct Springs<T> {
        param m: [Real; 2] [kg] = [1.0, 2.0];
        param k: Real [N/m] = 50.0;
        param c: Real [N*s/m] = 3.0;
        param l: Real [m] = 0.3;
        coord p: [Vec2; 2] [m];
        kinetic = 0.5 * m[0] * der(p[0]).dot(der(p[0])) + 0.5 * m[1] * der(p[1]).dot(der(p[1]));
        spring wall on (vec2(0.0, 0.0), p[0]) { k: k }
        spring between on (p[0], p[1]) { k: 2.0 * k, rest: l, damping: c }
        init p[0] = vec2(0.1, 0.2);
        init p[1] = vec2(0.4, 0.6);
        init der(p[1]) = vec2(1.0, -1.0);
    }
}
model! {
    /// A belt: one force that acts on a difference of an angle and a length.
    pub struct Belt {
        param r: Real [m] = 0.1;
        param k: Real [N/m] = 100.0;
        param j: Real [kg*m^2] = 0.02;
        param m: Real [kg] = 3.0;
        coord th: Angle;
        coord s: Real [m];
        kinetic = 0.5 * j * sq(der(th)) + 0.5 * m * sq(der(s));
        let stretch = s - r * th;
        force belt on stretch = -k * stretch;
        init s = 0.2;
        guess th = 0.0;
    }
}

model! {
    /// A pendulum on a winch.
    pub struct Winch<T> {
        param m: Real [kg] = 0.8;
        param c: Real [N*s/m] = 0.2;
        param drum: Real [kg] = 0.3;
        coord l: Real [m];
        coord th: Angle;
        let p = l * vec2(sin(th), -cos(th));
        kinetic = 0.5 * m * der(p).dot(der(p)) + 0.5 * drum * sq(der(l));
        force drag on p = -c * der(p);
        init l = 0.4;
        init th = 0.3;
    }
}

model! {
    /// A disc with a hole that is not in its middle: its inertia changes by round-off alone.
    #[model(emit(hessian))]
    pub struct Flywheel {
        param m: Real [kg] = 0.7;
        param j: Real [kg*m^2] = 0.01;
        coord (hub, om): SO2;
        let p = hub.rotate(vec2(0.02m, 0.01m));
        kinetic = 0.5 * m * der(p).dot(der(p)) + 0.5 * j * sq(om);
    }
}

model! {
    /// A heavy symmetric top: what its spin changes of M cancels.
    pub struct HeavyTop {
        param m: Real [kg] = 1.5;
        param j: SymMat3 [kg*m^2] = diag(0.2, 0.2, 0.4);
        coord (q, w): SO3;
        gravity = vec3(0.0, 0.0, -9.81);
        body top on frame(q.rotate(vec3(0.0, 0.0, 0.2m)), q) { mass: m, inertia: j }
    }
}

#[test]
fn a_model_of_one_line_oscillates() {
    let mut run = Simulation::of(&Bare {}, Geodesic).adaptive(1e-12).expect("a start");
    run.advance_to(3.0).expect("steps");
    near(run.state().q.x(), 3f64.cos(), 1e-9);
    let generic = BareGeneric::<f64>::default();
    let mut run = Simulation::of(&generic, Geodesic).adaptive(1e-12).expect("a start");
    run.advance_to(3.0).expect("steps");
    near(run.state().v.x(), -3f64.sin(), 1e-9);
    assert_eq!((bare::NP, bare::NU, bare::NC, bare::NY), (0, 0, 0, 0));
}

#[test]
fn masses_and_forces_without_energies() {
    let model = OnlyMass::<f64>::default();
    let state = Start::default().solve(&model, &ode_model::Nominal).expect("consistent");
    // the second force acts on x and, against it, on r.y
    assert_eq!(state.a.array(), [4.5, 0.0, -1.5]);
    assert_eq!(model.power(state.at(&only_mass::U::default())), [0.0, 0.0]);
}

#[test]
fn a_mass_matrix_means_what_the_energy_means() {
    let (by_matrix, by_energy) = (MatrixMass::default(), EnergyMass::default());
    let a = Start::default().solve(&by_matrix, &ode_model::Nominal).expect("consistent").a;
    let b = Start::default().solve(&by_energy, &ode_model::Nominal).expect("consistent").a;
    for (a, b) in a.array().iter().zip(b.as_array()) {
        close(*a, *b);
    }
    let x = begin(&by_matrix);
    let mass = by_matrix.mass(x.at(&matrix_mass::U::default()));
    close(mass[(0, 0)], 3.0);
    close(mass[(0, 1)], 2.0 * 0.5 * 1f64.cos());
    assert_eq!(mass[(1, 0)], mass[(0, 1)]);
    close(mass[(1, 1)], 0.5);
}

#[test]
fn relativistic_motion_under_a_constant_force() {
    // γ m v = F t
    let rocket = Rocket::<f64>::default();
    let mut run = Simulation::of(&rocket, Geodesic).adaptive(1e-12).expect("a start");
    run.advance_to(4.0).expect("steps");
    let p = 2.0 * 4.0 / 1.5_f64;
    near(run.state().v.v(), p / (1.0 + (p / 3.0).powi(2)).sqrt(), 1e-9);
    let v = run.state().v.v();
    let gamma = (1.0 - v * v / 9.0).sqrt().recip();
    close(rocket.mass(run.state().at(&rocket::U::default()))[(0, 0)], 1.5 * gamma.powi(3));
}

#[test]
fn momenta_of_inertia_that_depends_on_time_are_kept() {
    fn end<M: Method<Filling>>(method: M) -> f64 {
        let filling = Filling::default();
        let mut run = Simulation::of(&filling, method).fixed(0.05).expect("a start");
        run.advance_to(2.0).expect("steps");
        run.state().v.x()
    }
    // (m0 + rate t) v = 3
    near(end(SymplecticEuler::momenta_first()), 1.5, 1e-13);
    near(end(SymplecticEuler::positions_first()), 1.5, 1e-13);
    near(end(StormerVerlet::default()), 1.5, 1e-13);
    near(end(ImplicitMidpoint::default()), 1.5, 1e-13);
}

#[test]
fn momenta_of_inertia_that_depends_on_velocities_are_refused() {
    let rocket = Rocket::<f64>::default();
    let error = Simulation::of(&rocket, StormerVerlet::default()).fixed(0.1).map(|_| ()).expect_err("no M v");
    let text = "start at t = 0: inertia of `x` depends on velocities, but this method needs momenta p = M v";
    assert_eq!(error.to_string(), text);
    assert!(Simulation::of(&rocket, ImplicitMidpoint::default()).fixed(0.1).is_err());
}

/// Whatever the state: calls that multiply the factors of M in another order differ by round-off.
#[test]
fn inertia_of_positions_alone_has_momenta() {
    let winch = Winch::<f64>::default();
    for k in 0..400 {
        let mut x = State::neutral(&winch);
        let number = |n: u32| (f64::from(7 * k + n) * 0.618_033_988_749_895).fract();
        x.q.as_mut().copy_from_slice(&[0.2 + number(1), 6.0 * number(2) - 3.0]);
        x.v.as_mut().copy_from_slice(&[2.0 * number(3) - 1.0, 6.0 * number(4) - 3.0]);
        let start = Simulation::of(&winch, StormerVerlet::default()).given(x).fixed(1e-3);
        assert_eq!(start.map(|_| ()).map_err(|error| error.to_string()), Ok(()), "state {k}");
    }
}

#[test]
fn momentum_is_conserved_where_mass_grows() {
    let filling = Filling::default();
    let mut run = Simulation::of(&filling, Geodesic).adaptive(1e-12).expect("a start");
    run.advance_to(4.0).expect("steps");
    near(run.state().v.x(), 3.0 / 3.0, 1e-10);
    // x = m₀ v₀ / rate · ln(1 + rate t / m₀)
    near(run.state().q.x(), 6.0 * 3f64.ln(), 1e-9);
}

#[test]
fn a_shaken_pivot_changes_the_weight() {
    // l θ̈ = −(g − a w² cos w t) sin θ
    let model = Shaken::<f64>::default();
    let u = shaken::U::default();
    let mut x = begin(&model);
    x.t = 0.3;
    let weight = 9.81 - 0.1 * 25.0 * (5.0 * 0.3f64).cos();
    close(model.force(x.at(&u)).th(), -0.7 * weight * 0.7 * 0.4f64.sin());
    close(model.mass(x.at(&u))[(0, 0)], 0.7 * 0.49);
}

#[test]
fn a_bead_on_a_turning_rod() {
    // r̈ = w² r along the rod: r = r₀ cosh w t; across it the rod pushes with 2 m w ṙ.
    let model = TurningRod::<f64>::default();
    let mut run = Simulation::of(&model, Geodesic).project(Projection::to(1e-12)).adaptive(1e-11).expect("a start");
    close(run.state().v.array()[1], 1.5);
    run.advance_to(0.8).expect("steps");
    let state = run.state().clone();
    let [x, y] = state.q.r();
    let along = 0.5 * (3.0 * 0.8f64).cosh();
    near(x.hypot(y), along, 1e-8);
    let u = turning_rod::U::default();
    let out = model.outputs(state.at(&u), state.rates());
    near(out.across(), 2.0 * 2.0 * 3.0 * 3.0 * 0.5 * (3.0 * 0.8f64).sinh(), 1e-6);
    assert_eq!(out.a(), state.a.array());
    near(out.jerk_free(), 0.0, 1e-10);
    // Φₜ and γ by hand: n = (−sin, cos), Φ = r·n
    let (s, c) = (2.4f64.sin(), 2.4f64.cos());
    close(model.constraint_by_time(state.at(&u)).rod(), -3.0 * (x * c + y * s));
    let [vx, vy] = state.v.v();
    close(model.constraint_bias(state.at(&u)).rod(), -6.0 * (vx * c + vy * s) - 9.0 * (y * c - x * s));
    let layout = model.layout();
    assert!(layout.rheonomic && layout.constant_mass);
}

#[test]
fn planar_bodies_add_up() {
    let model = Compound::default();
    let u = compound::U::default();
    let mut x = begin(&model);
    x.v.set_th(2.0);
    // J + m d² + (m/2)(2d)²
    let inertia = 0.3 + 2.0 * 0.16 + 0.64;
    close(model.mass(x.at(&u))[(0, 0)], inertia);
    close(model.force(x.at(&u)).th(), -9.81 * 0.3f64.sin() * (2.0 * 0.4 + 0.8) - 0.1 * 0.4 * 2.0);
    assert_eq!(model.power(x.at(&u)).map(|p| (p * 1e9).round()), [-0.16e9]);
    close(model.outputs(x.at(&u), x.rates()).tip_x(), -0.4);
}

#[test]
fn damped_springs_pull_along_their_line() {
    let model = Springs::<f64>::default();
    let u = springs::U::default();
    let x = begin(&model);
    // p₁ − p₀ = (0.3, 0.4), stretched by 0.2; its rate is (0.3 − 0.4)/0.5
    let pull = 100.0 * 0.2 + 3.0 * (0.3 - 0.4) / 0.5;
    let [at0, at1] = model.force(x.at(&u)).p();
    close(at0[0], -50.0 * 0.1 + pull * 0.6);
    close(at0[1], -50.0 * 0.2 + pull * 0.8);
    close(at1[0], -pull * 0.6);
    close(at1[1], -pull * 0.8);
    let energy = model.energy(x.at(&u));
    close(energy.potential, 25.0 * 0.05 + 50.0 * 0.04);
    close(energy.dissipation, 3.0 * 0.04);
}

#[test]
fn a_force_acts_on_all_an_expression_depends_on() {
    let model = Belt::default();
    let x = begin(&model);
    let f = model.force(x.at(&belt::U::default()));
    close(f.s(), -20.0);
    close(f.th(), 2.0);
}
