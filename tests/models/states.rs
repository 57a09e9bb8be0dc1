//! First-order states: alone, beside coordinates, in arrays, with constraints.

use ode_model::linalg::SMatrix;
use ode_model::prelude::*;

use crate::erased::{Erased, Shared};
use crate::{begin, close, near};

model! {
    /// A capacitor charged through a resistor by a voltage that rises with time.
    pub struct Circuit {
        param r: Real [ohm] = 2.0;
        param c: Real [A*s/V] = 0.25;
        param ramp: Real [V/s] = 3.0;
        state u_c: Real [V];
        let current = (ramp * t - u_c) / r;
        der(u_c) = current / c;
        init u_c = 1.0;
        guess u_c = 7.0;
        output i: Real [A] = current;
        output slope: Real [V/s] = der(u_c);
    }
}
model! {
    /// A pendulum driven by a DC motor.
    pub struct Driven<T> {
        param m: Real [kg] = 0.2;
        param len: Real [m] = 0.3;
        param g: Real [m/s^2] = 9.81;
        param r: Real [ohm] = 2.0;
        param l: Real [H] = 0.05;
        param k: Real [N*m/A] = 0.4;
        param c: Real [N*m*s] = 0.01;
        param rad: Real [ohm] = 1.0;
        input u: Real [V] in -24.0..=24.0;
        coord th: Angle;
        state i: Real [A];
        kinetic = 0.5 * m * sq(len * der(th));
        potential = -m * g * len * cos(th);
        dissipation = 0.5 * c * sq(der(th));
        force drive on th = k * i;
        der(i) = (u - r * i - k * der(th)) / l;
        init th = 1.5;
        init i = 0.5;
        output heat: Real [W] = r * sq(i);
        output back: Real [V] = l * der(i);
        output spin: Real [N*m] = m * sq(len) * der2(th) - k * der(i) * (l / r);
        limit fuse: i in -10.0..=10.0;
        limit surge: sq(i) * der(th) + u * i / rad * 1.0Hz;
        cost loss = r * sq(i) + th * i * rad * 1.0A;
    }
}
model! {
    /// Four rotors that lag behind their commands lift a mass on a rail.
    pub struct Lift<T> {
        param m: Real [kg] = 1.5;
        param tau: Real [s] = 0.05;
        param share: [Real; 4] = [1.0, 0.9, 1.1, 1.0];
        coord r: Vec2 [m];
        state f: [Real; 4] [N];
        state wind: Vec2 [m/s];
        /// the angle a vane has turned to
        state vane: Angle;
        input cmd: [Real; 4] [N] in 0.0..=8.0;
        kinetic = 0.5 * m * der(r).dot(der(r));
        constraint rail: r.x + 0.1 * r.y == 0.0;
        for i in 0..4 {
            der(f[i]) = (share[i] * cmd[i] - f[i]) / tau;
            force thrust on r = vec2(0.0, f[i] * cos(vane));
        }
        force drag on r = 0.3 * (wind - der(r)) * 1.0kg / 1.0s;
        der(wind) = vec2(-wind.y, wind.x) / (1.0 + sq(vane)) * 1.0Hz - 0.2 * der(r) * 1.0Hz;
        der(vane) = sin(wind.x * 1.0s / 1.0m) * 1.0Hz - r.y * 1.0Hz / 1.0m;
        init f = [1.0, 2.0, 3.0, 4.0];
        init wind.x = 2.0;
        guess wind.y = -1.0;
        output tension: Real [N] = rail.lambda;
        output gust: Vec2 [m/s^2] = der(wind);
    }
}
model! {
    /// States and nothing else, without units or parameters; one that stands still.
    pub struct Lorenz {
        state x, y, z: Real;
        state idle: Real;
        der(x) = 10.0 * (y - x);
        der(y) = x * (28.0 - z) - y;
        der(z) = x * y - 8.0 / 3.0 * z;
        der(idle) = 0.0;
        init x = 1.0;
        init y = 1.0;
        init z = 1.0;
    }
}

#[test]
fn a_model_without_coordinates_has_rates_and_their_derivatives() {
    let model = Circuit::default();
    let mut x = begin(&model);
    assert_eq!((circuit::NQ, circuit::NV, circuit::NZ), (0, 0, 1));
    assert_eq!((circuit::LAYOUT.z, circuit::LAYOUT.tangent.nnz()), (&["u_c"][..], 1));
    assert_eq!(x.z.u_c(), 1.0, "what is exact outlives a guess");
    x.t = 2.0;
    let u = circuit::U::default();
    close(model.state_rates(x.at(&u)).u_c(), (6.0 - 1.0) / 2.0 / 0.25);
    close(model.rate_by_state(x.at(&u))[(0, 0)], -2.0);
    x.zdot.set_u_c(4.0);
    let y = model.outputs(x.at(&u), x.rates());
    close(y.i(), 2.5);
    assert_eq!(y.slope(), 4.0, "the rate that the state has");
    let by_rate: SMatrix<f64, 2, 1> = model.output_by_rate(x.at(&u), x.rates());
    assert_eq!(by_rate[(1, 0)], 1.0);
    close(model.output_by_state(x.at(&u), x.rates())[(0, 0)], -0.5);
    assert!(Circuit::EQUATIONS.contains("der(u_c) = ") && Circuit::EQUATIONS.starts_with("Circuit: der(z) = g\n"));
    // ∂(ż − g)/∂p: g = (ramp t − u)/(r c)
    let p = model.residual_by_parameter(x.at(&u), x.rates());
    close(p[(0, 0)], 5.0 / (4.0 * 0.25));
    close(p[(0, 2)], -2.0 / 0.5);
}

/// du/dt = (ramp t − u)/T, T = r c: u = ramp (t − T) + (u₀ + ramp T) e^(−t/T).
fn charged(t: f64) -> f64 {
    3.0 * (t - 0.5) + (1.0 + 1.5) * (-t / 0.5).exp()
}

/// Error of the capacitor's voltage at t = 1.
fn off(method: &dyn Erased<Circuit>, h: f64) -> f64 {
    let model = Circuit::default();
    let mut run = Simulation::of(&model, Shared(method)).fixed(h).expect("a start");
    run.advance_to(1.0).expect("steps");
    // ż belongs to z at the end of the step
    let x = run.state();
    near(x.zdot.u_c(), (3.0 - x.z.u_c()) / 0.5, 6.0 * h);
    (x.z.u_c() - charged(1.0)).abs()
}

#[track_caller]
fn order(claimed: f64, off: impl Fn(f64) -> f64) {
    let (coarse, fine) = (off(0.02), off(0.005));
    let order = (coarse / fine).log(4.0);
    assert!((order - claimed).abs() < 0.1, "order {order}, not {claimed}: errors {coarse:e} {fine:e}");
}

#[test]
fn every_method_has_its_order_on_a_circuit() {
    order(1.0, |h| off(&SemiExplicitEuler::explicit(), h));
    order(1.0, |h| off(&SemiExplicitEuler::implicit_position(), h));
    order(1.0, |h| off(&SemiExplicitEuler::implicit_velocity(), h));
    order(1.0, |h| off(&BackwardEuler::default(), h));
    order(1.0, |h| off(&BackwardEuler::linearized(), h));
    order(2.0, |h| off(&GeneralizedAlpha::with_spectral_radius(0.8), h));
    order(4.0, |h| off(&Geodesic, h));
    let model = Circuit::default();
    let mut run = Simulation::of(&model, Geodesic).adaptive(1e-11).expect("a start");
    run.run(2.0, 0.1, |x| near(x.z.u_c(), charged(x.t), 1e-9)).expect("steps");
}

/// θ, θ̇ and i of the driven pendulum by the classical Runge–Kutta method on equations written by hand.
fn by_hand(end: f64) -> [f64; 3] {
    let f = |t: f64, [th, w, i]: [f64; 3]| {
        let u = 6.0 * (5.0 * t).sin();
        let inertia = 0.2 * 0.3 * 0.3;
        [w, (0.4 * i - 0.01 * w - 0.2 * 9.81 * 0.3 * th.sin()) / inertia, (u - 2.0 * i - 0.4 * w) / 0.05]
    };
    let along = |x: [f64; 3], h: f64, k: [f64; 3]| [x[0] + h * k[0], x[1] + h * k[1], x[2] + h * k[2]];
    let (steps, mut x) = (20_000, [1.5, 0.0, 0.5]);
    let h = end / f64::from(steps);
    for n in 0..steps {
        let t = f64::from(n) * h;
        let a = f(t, x);
        let b = f(t + 0.5 * h, along(x, 0.5 * h, a));
        let c = f(t + 0.5 * h, along(x, 0.5 * h, b));
        let d = f(t + h, along(x, h, c));
        x = std::array::from_fn(|j| x[j] + h / 6.0 * (a[j] + 2.0 * b[j] + 2.0 * c[j] + d[j]));
    }
    x
}

fn driven(method: &dyn Erased<Driven<f64>>, h: f64, reference: [f64; 3]) -> f64 {
    let model = Driven::default();
    let sweep = input_fn(|at: Moment<'_, Driven<f64>>, u: &mut driven::U| u.set_u(6.0 * (5.0 * at.t).sin()));
    let mut run = Simulation::of(&model, Shared(method)).inputs(sweep).fixed(h).expect("a start");
    run.advance_to(1.0).expect("steps");
    let x = run.state();
    let got = [x.q.th(), x.v.th(), x.z.i()];
    got.iter().zip(reference).fold(0.0, |m, (a, b)| f64::max(m, (a - b).abs()))
}

#[test]
fn every_method_has_its_order_on_a_motor_with_a_pendulum() {
    let exact = by_hand(1.0);
    let check = |claimed: f64, coarse: f64, fine: f64| {
        let order = (coarse / fine).log(4.0);
        assert!((order - claimed).abs() < 0.25, "order {order}, not {claimed}: errors {coarse:e} {fine:e}");
    };
    let at = |h: f64| driven(&SemiExplicitEuler::explicit(), h, exact);
    check(1.0, at(4e-3), at(1e-3));
    let at = |h: f64| driven(&SemiExplicitEuler::implicit_position(), h, exact);
    check(1.0, at(4e-3), at(1e-3));
    let at = |h: f64| driven(&SemiExplicitEuler::implicit_velocity(), h, exact);
    check(1.0, at(4e-3), at(1e-3));
    let at = |h: f64| driven(&BackwardEuler::default(), h, exact);
    check(1.0, at(4e-3), at(1e-3));
    let at = |h: f64| driven(&GeneralizedAlpha::with_spectral_radius(0.7), h, exact);
    check(2.0, at(4e-3), at(1e-3));
    // Merson's method is of order 5 where the equations are linear, as the motor's are: the slope lies between
    let (coarse, fine) = (driven(&Geodesic, 4e-3, exact), driven(&Geodesic, 1e-3, exact));
    let order = (coarse / fine).log(4.0);
    assert!(order > 3.75 && order < 5.25, "order {order}: errors {coarse:e} {fine:e}");
}

#[test]
fn forces_limits_and_costs_know_their_slopes_by_the_state() {
    let model = Driven::default();
    let mut x = begin(&model);
    x.v.set_th(2.0);
    let u = driven::U::from([3.0]);
    let at = x.at(&u);
    assert_eq!(model.force_by_state(at)[(0, 0)], 0.4);
    close(model.rate_by_velocity(at)[(0, 0)], -0.4 / 0.05);
    assert_eq!(model.rate_by_position(at)[(0, 0)], 0.0);
    close(model.rate_by_state(at)[(0, 0)], -2.0 / 0.05);
    let b = model.force_by_input(at, x.rates());
    assert_eq!((b[(0, 0)], model.rate_by_input(at, x.rates())[(0, 0)]), (0.0, 20.0));
    // columns in the order (q, v, z, u)
    let h = model.limit_jacobian(at);
    assert_eq!((h[(0, 2)], h[(1, 1)], h[(1, 2)], h[(1, 3)]), (1.0, 0.25, 2.0 * 0.5 * 2.0 + 3.0, 0.5));
    let gradient = model.cost_gradient(at);
    close(gradient[(0, 0)], 0.5);
    close(gradient[(0, 2)], 2.0 * 2.0 * 0.5 + 1.5);
}

#[test]
fn arrays_of_states_have_names() {
    let model = Lift::default();
    let x = begin(&model);
    assert_eq!(lift::LAYOUT.z, ["f[0]", "f[1]", "f[2]", "f[3]", "wind.x", "wind.y", "vane"]);
    assert_eq!(x.z.f(), [1.0, 2.0, 3.0, 4.0]);
    assert_eq!((x.z[lift::Z::F_2], x.z.wind(), x.z.vane()), (3.0, [2.0, -1.0], 0.0));
    let u = lift::U::from([4.0; 4]);
    close(model.state_rates(x.at(&u)).f()[1], (0.9 * 4.0 - 2.0) / 0.05);
    close(model.force(x.at(&u)).r()[1], 10.0 - 0.3);
    // the rail takes what acts across it: λ = −(a · n) m/|n|², n = (1, 0.1)
    let mut run = Simulation::of(&model, Geodesic).inputs(Constant(u)).adaptive(1e-9).expect("a start");
    run.advance_to(0.3).expect("steps");
    let x = run.state();
    let f = model.force(x.at(&u)).r();
    close(x.lambda.rail(), -(f[0] + 0.1 * f[1]) / 1.01);
    near(x.z.f()[0], 4.0 - 3.0 * (-6.0f64).exp(), 1e-7);
}

#[test]
fn states_alone_run_and_one_may_stand_still() {
    let model = Lorenz::default();
    let mut run = Simulation::of(&model, Geodesic).adaptive(1e-12).expect("a start");
    run.advance_to(1.0).expect("steps");
    let fine = run.state().z;
    let mut run = Simulation::of(&model, GeneralizedAlpha::with_spectral_radius(0.9)).fixed(1e-4).expect("a start");
    run.advance_to(1.0).expect("steps");
    for (a, b) in run.state().z.array().iter().zip(fine.as_array()) {
        near(*a, *b, 1e-4);
    }
    assert_eq!(run.state().z.idle(), 0.0);
    assert!(Lorenz::EQUATIONS.contains("der(idle) = 0"), "{}", Lorenz::EQUATIONS);
}
