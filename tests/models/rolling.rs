//! Constraints on velocities: what is written, and what every method makes of it.

use ode_model::integrators::{
    BackwardEuler, Composition, GeneralizedAlpha, Geodesic, ImplicitMidpoint, SemiExplicitEuler, StormerVerlet,
    SymplecticEuler,
};
use ode_model::prelude::*;
use ode_model::solve::Projection;
use ode_model::{Nominal, RowKind, Simulation, Start, System};

use crate::erased::{Erased, Shared};
use crate::{begin, close, near};

model! {
    /// Rolling coin on a plane, upright.
    pub struct Coin<T> {
        param m: Real [kg] = 0.1;
        param r: Real [m] = 0.02;
        param: Real [kg*m^2] { ja = 2.0e-5; jt = 1.0e-5; }
        coord p: Vec2 [m];
        coord roll, yaw: Angle;
        kinetic = 0.5 * m * der(p).dot(der(p)) + 0.5 * ja * sq(der(roll)) + 0.5 * jt * sq(der(yaw));
        /// velocity-level equation, linear in the velocities: detected as nonholonomic
        constraint no_slip: der(p) == r * der(roll) * vec2(cos(yaw), sin(yaw));
        init p = vec2(0.3, -0.1);
        init roll = 0.0;
        init yaw = 0.4;
        init der(roll) = 25.0;
        init der(yaw) = 2.0;
        output grip: Vec2 [N] = no_slip.lambda;
    }
}
model! {
    /// Chaplygin's sleigh: a knife edge at p, the centre of mass ahead of it.
    pub struct Sleigh {
        param m: Real [kg] = 2.0;
        param j: Real [kg*m^2] = 0.6;
        param a: Real [m] = 0.4;
        coord p: Vec2 [m];
        coord th: Angle;
        let heading = vec2(cos(th), sin(th));
        body hull on frame2(p + a * heading, th) { mass: m, inertia: j }
        constraint edge: der(p).dot(vec2(-sin(th), cos(th))) == 0.0;
        init p = vec2(0.0, 0.0);
        init th = 0.0;
        init der(th) = 1.5;
        init der(p.x) = 0.0;
        output speed: Real [m/s] = der(p).dot(heading);
    }
}
model! {
    /// A ball on a turntable: A v + b with b of positions. A homogeneous ball has no preferred axes, so that angles of
    /// any kind do.
    pub struct Turntable<T> {
        param m: Real [kg] = 0.3;
        param r: Real [m] = 0.05;
        param omega: Real [rad/s] = 7.0;
        coord (p, v): Vec2 [m];
        coord (spin, w): Vec2 [rad];
        kinetic = 0.5 * m * v.dot(v) + 0.2 * m * sq(r) * w.dot(w);
        constraint contact: v == r * vec2(w.y, -w.x) + omega * vec2(-p.y, p.x);
        init p = vec2(0.2, 0.0);
        init v = vec2(0.3, 0.5);
        guess spin = vec2(0.0, 0.0);
    }
}
model! {
    /// Rows of both kinds, those of velocities written first; slopes by time, positions and parameters in A and b.
    pub struct Mixed<T> {
        param m: Real [kg] = 1.2;
        param l: Real [m] = 0.9;
        param w: Real [rad/s] = 0.8;
        param s: Real [m/s] = 0.05;
        coord (r, v): Vec3 [m];
        coord tilt: Angle;
        kinetic = 0.5 * m * v.dot(v) + 0.5 * m * sq(l) * sq(der(tilt)) * (1.0 + sq(sin(tilt)));
        potential = 2.0N * r.z + 0.4J * cos(tilt);
        #[allow(holonomic)]
        constraint slide: cos(w * t) * v.x + sin(r.y / l) * v.y == s * t / 1.0s + l * sin(tilt) * der(tilt);
        constraint sphere: r.dot(r) == sq(l);
        constraint cone: sin(tilt) * v.z == r.x * der(tilt);
        guess r = vec3(0.5, 0.2, -0.6);
        guess der(tilt) = 0.3;
        output pull: Real [N] = slide.lambda;
        output hold: Real [N/m] = sphere.lambda;
        output twist: Real = cone.lambda / 1.0N;
        guess tilt = 0.0;
    }
}

#[test]
fn rows_of_velocities_follow_those_of_positions() {
    let model = Mixed::<f64>::default();
    let layout = model.layout();
    assert_eq!(layout.constraints, ["sphere", "slide", "cone"]);
    assert_eq!(layout.kinds, [RowKind::Holonomic, RowKind::Nonholonomic, RowKind::Nonholonomic]);
    let mut x = begin(&model);
    x.lambda = [1.0, 20.0, 300.0].into();
    let y = model.outputs(x.at(&mixed::U::default()), x.rates());
    assert_eq!((y.hold(), y.pull(), y.twist()), (1.0, 20.0, 300.0));
    assert_eq!((x.lambda.sphere(), x.lambda.slide(), x.lambda.cone()), (1.0, 20.0, 300.0));
}

#[test]
fn a_row_of_velocities_is_a_v_plus_b() {
    let model = Turntable::<f64>::default();
    let u = turntable::U::default();
    let mut x = begin(&model);
    x.q = [0.2, 0.1, 0.0, 0.0].into();
    x.v = [1.0, 2.0, 30.0, 40.0].into();
    // v − r (w.y, −w.x) − Ω (−p.y, p.x)
    let [first, second] = model.constraint_rates(x.at(&u)).contact();
    close(first, 1.0 - 0.05 * 40.0 + 7.0 * 0.1);
    close(second, 2.0 + 0.05 * 30.0 - 7.0 * 0.2);
    assert_eq!(model.constraint_values(x.at(&u)).contact(), [0.0; 2]);
    let a = model.constraint_jacobian(x.at(&u));
    assert_eq!([0, 1, 2, 3].map(|c| a[(0, c)]), [1.0, 0.0, 0.0, -0.05]);
    assert_eq!([0, 1, 2, 3].map(|c| a[(1, c)]), [0.0, 1.0, 0.05, 0.0]);
    let b = model.constraint_by_time(x.at(&u)).contact();
    close(b[0], 0.7);
    close(b[1], -1.4);
    // ψ̇ without acceleration is Ω (v.y, −v.x)
    let gamma = model.constraint_bias(x.at(&u)).contact();
    close(gamma[0], 14.0);
    close(gamma[1], -7.0);
}

#[test]
fn a_start_is_free_in_positions_and_held_in_velocities() {
    // four exact positions and two exact velocities beside two rows: every one of them holds
    let coin = Coin::<f64>::default();
    let x = Start::default().solve(&coin, &Nominal).expect("consistent");
    assert_eq!(x.q.array(), [0.3, -0.1, 0.0, 0.4]);
    let [vx, vy] = x.v.p();
    near(vx, 0.5 * 0.4f64.cos(), 1e-12);
    near(vy, 0.5 * 0.4f64.sin(), 1e-12);
    // no torque about the axle: φ̈ = 0, and the ground gives the centripetal force
    near(x.a.roll(), 0.0, 1e-10);
    let grip = coin.outputs(x.at(&coin::U::default()), x.rates()).grip();
    near(grip[0], -0.1 * 0.5 * 2.0 * 0.4f64.sin(), 1e-12);
    near(grip[1], 0.1 * 0.5 * 2.0 * 0.4f64.cos(), 1e-12);
    assert_eq!(grip, x.lambda.no_slip());
}

#[test]
fn a_ball_on_a_turntable_circles_at_two_sevenths_of_its_rate() {
    let model = Turntable::<f64>::default();
    let mut run = Simulation::of(&model, Geodesic).project(Projection::to(1e-11)).adaptive(1e-11).expect("a start");
    run.advance_to(3.0).expect("steps");
    let turn = 2.0 / 7.0 * 7.0 * 3.0_f64;
    let (s, c) = turn.sin_cos();
    let [vx, vy] = run.state().v.v();
    near(vx, 0.3 * c - 0.5 * s, 1e-8);
    near(vy, 0.3 * s + 0.5 * c, 1e-8);
}

/// Position, heading, speed along it, turning rate and lateral force of [`Sleigh`] at t, from rest with a spin.
///
/// With J = j + m a²: v̇ = a ω², ω̇ = −(m a/J) v ω, so that v = c tanh τ, ω = c √(m/J) sech τ, τ = a m c t/J (S. A.
/// Chaplygin 1911; see Yu. I. Neimark, N. A. Fufaev, Dynamics of Nonholonomic Systems, ch. III §3).
fn sleigh(t: f64) -> (f64, f64, f64, f64) {
    let (m, j, a, spin) = (2.0_f64, 0.6, 0.4, 1.5);
    let whole = j + m * a * a;
    let c = spin * (whole / m).sqrt();
    let tau = a * m * c * t / whole;
    let (v, w) = (c * tau.tanh(), spin / tau.cosh());
    let angle = 2.0 * (whole / m).sqrt() / a * (0.5 * tau).tanh().atan();
    // m (v ω + a ω̇)
    (angle, v, w, m * v * w * j / whole)
}

struct Outcome {
    angle: f64,
    speed: f64,
    rate: f64,
    force: f64,
    /// largest |A v| at a step
    slip: f64,
}

fn run(method: &dyn Erased<Sleigh>, h: f64, projection: Option<f64>) -> Outcome {
    let model = Sleigh::default();
    let mut setup = Simulation::of(&model, Shared(method));
    if let Some(tolerance) = projection {
        setup = setup.project(Projection::to(tolerance));
    }
    let mut run = setup.fixed(h).expect("a start");
    let mut slip = 0.0_f64;
    while run.state().t < 1.0 {
        run.step_towards(1.0).expect("a step");
        slip = slip.max(run.drift().expect("finite").1);
    }
    let x = run.state();
    let speed = model.outputs(x.at(&sleigh::U::default()), x.rates()).speed();
    Outcome { angle: x.q.th(), speed, rate: x.v.th(), force: x.lambda.edge(), slip }
}

/// Order in the state and in λ, and the largest |A v|.
fn check(name: &str, run: fn(f64) -> Outcome, order: f64, slip: f64) {
    let exact = sleigh(1.0);
    let errors = |h: f64| {
        let found = run(h);
        assert!(found.slip <= slip, "{name} at h = {h}: |A v| = {:e}", found.slip);
        let state = [found.angle - exact.0, found.speed - exact.1, found.rate - exact.2];
        (state.iter().fold(0.0_f64, |m, x| m.max(x.abs())), (found.force - exact.3).abs())
    };
    let (one, two) = (errors(1.0 / 200.0), errors(1.0 / 800.0));
    for (what, one, two) in [("the state", one.0, two.0), ("λ", one.1, two.1)] {
        let found = (one / two).log(4.0);
        assert!((found - order).abs() < 0.3, "{name}: order {found} in {what}, errors {one:e} {two:e}");
    }
}

#[test]
fn every_method_holds_the_edge() {
    const ROUND_OFF: f64 = 1e-12;
    const DRIFTS: f64 = 0.1;
    check("explicit Euler form", |h| run(&SemiExplicitEuler::explicit(), h, None), 1.0, DRIFTS);
    check("the same, projected", |h| run(&SemiExplicitEuler::explicit(), h, Some(1e-12)), 1.0, ROUND_OFF);
    check("Euler implicit in q", |h| run(&SemiExplicitEuler::implicit_position(), h, None), 1.0, DRIFTS);
    check("the same, projected", |h| run(&SemiExplicitEuler::implicit_position(), h, Some(1e-12)), 1.0, ROUND_OFF);
    check("Euler implicit in v", |h| run(&SemiExplicitEuler::implicit_velocity(), h, None), 1.0, DRIFTS);
    check("the same, projected", |h| run(&SemiExplicitEuler::implicit_velocity(), h, Some(1e-12)), 1.0, ROUND_OFF);
    // A v⁺ + b = 0 is one of the equations of the step
    check("backward Euler", |h| run(&BackwardEuler::default(), h, None), 1.0, 1e-9);
    check("backward Euler, linearised", |h| run(&BackwardEuler::linearized(), h, None), 1.0, 1e-3);
    check("generalised-α, ρ = 0.8", |h| run(&GeneralizedAlpha::with_spectral_radius(0.8), h, None), 2.0, 1e-9);
    check("generalised-α, ρ = 0", |h| run(&GeneralizedAlpha::with_spectral_radius(0.0), h, None), 2.0, 1e-9);
    check("HHT(-0.2)", |h| run(&GeneralizedAlpha::hht(-0.2), h, None), 2.0, 1e-9);
    check("symplectic Euler, p first", |h| run(&SymplecticEuler::momenta_first(), h, None), 1.0, ROUND_OFF);
    check("symplectic Euler, q first", |h| run(&SymplecticEuler::positions_first(), h, None), 1.0, ROUND_OFF);
    check("Störmer–Verlet", |h| run(&StormerVerlet::default(), h, None), 2.0, ROUND_OFF);
    check("implicit midpoint", |h| run(&ImplicitMidpoint::default(), h, None), 2.0, ROUND_OFF);
    check("Suzuki's", |h| run(&Composition::suzuki(StormerVerlet::default()), 8.0 * h, None), 4.0, ROUND_OFF);
    check("Geodesic", |h| run(&Geodesic, 8.0 * h, None), 4.0, 1e-4);
    check("the same, projected", |h| run(&Geodesic, 8.0 * h, Some(1e-12)), 4.0, ROUND_OFF);
}

#[test]
fn rows_of_both_kinds_hold_together() {
    let model = Mixed::<f64>::default();
    let mut reference =
        Simulation::of(&model, Geodesic).project(Projection::to(1e-12)).adaptive(1e-12).expect("a start");
    reference.advance_to(0.5).expect("steps");
    let (phi, rate) = reference.drift().expect("finite");
    assert!(phi <= 1e-12 && rate <= 1e-12, "{phi:e} {rate:e}");
    let mut errors = [0.0; 2];
    for (error, h) in errors.iter_mut().zip([0.01, 0.0025]) {
        let mut run = Simulation::of(&model, GeneralizedAlpha::with_spectral_radius(0.7)).fixed(h).expect("a start");
        run.advance_to(0.5).expect("steps");
        let (x, exact) = (run.state(), reference.state());
        let pairs =
            x.q.as_array()
                .iter()
                .zip(exact.q.as_array())
                .chain(x.lambda.as_array().iter().zip(exact.lambda.as_array()));
        *error = pairs.fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
    }
    let order = (errors[0] / errors[1]).log(4.0);
    assert!((order - 2.0).abs() < 0.3, "order {order}, errors {errors:?}");
}
