//! A quadrotor flies a figure of eight: nonlinear model predictive control, which sees no more than what an extended
//! Kalman filter makes of a noisy gyroscope and of cameras that see where the quadrotor is and how it is turned.

use ode_control::{Along, Ekf, MpcKnot, NonlinearMpc};
use ode_model::prelude::*;
use ode_model::{StepMap, integrators::RungeKutta4, linalg::SMatrix, linalg::SVector, so3, variation::Fixed};
use ode_view::{Film, Plot};

mod gallery;

model! {
    /// A rigid body with four rotors, a gyroscope, and cameras around it.
    pub struct Quadrotor {
        param m: Real [kg] = 1.0;
        param j: SymMat3 [kg*m^2] = diag(0.01, 0.01, 0.02);
        param g: Real [m/s^2] = 9.81;
        /// rotor hubs in the body frame, their senses of rotation, and drag torque per thrust
        param hub: [Vec3; 4] [m] = [
            vec3(0.2, 0.0, 0.0), vec3(0.0, 0.2, 0.0), vec3(-0.2, 0.0, 0.0), vec3(0.0, -0.2, 0.0),
        ];
        param spin: [Real; 4] = [1.0, -1.0, 1.0, -1.0];
        param kappa: Real [m] = 0.016;
        param drag: Real [N*s/m] = 0.1;
        /// time of a round of the eight
        param round: Real [s] = 5.0;
        coord r: Vec3 [m];
        coord (q, w): SO3;
        /// thrusts
        input f: [Real; 4] [N] in 0.5..=4.5;
        let b = frame(r, q);
        body hull on b { mass: m, inertia: j }
        gravity = vec3(0.0, 0.0, -g);
        for i in 0..4 {
            force thrust on b.at(hub[i]) = b.vec(vec3(0.0, 0.0, f[i]));
            torque react on b = b.vec(vec3(0.0, 0.0, spin[i] * kappa * f[i]));
        }
        force wind on r = -drag * der(r);
        output gyro: Vec3 [rad/s] = w;
        /// as a rotation vector: it never comes near half a turn
        output turn: Vec3 [rad] = log_so3(q);
        output place: Vec3 [m] = r;
        // the eight, which leans, and how fast it is flown
        let s = sin(2.0 * PI * t / round);
        let eight = vec3(2.0m * s, 1.0m * sin(4.0 * PI * t / round), 1.5m + 0.3m * s);
        output way: Vec3 [m] = eight;
        output pace: Vec3 [m/s] = der(eight);
        show goal = sphere(eight, 0.05m) with { color: gray };
        show arms = line(b.at(hub[0]), b.at(hub[2]));
        show beam = line(b.at(hub[1]), b.at(hub[3]));
        for i in 0..4 {
            show rotor = circle(b * frame(hub[i], rot_z(0.0)), 0.1m) with { color: silver };
        }
        show hull = point(r) with { color: crimson };
    }
}

/// 25 Hz, and a horizon of 0.8 s.
const H: f64 = 0.04;
const STAGES: usize = 20;

/// Standard deviations: of the rate, the rotation and the place that gyroscope and cameras show, of a thrust, and of
/// what is not known of place and rotation at the start.
const SHOWN: [f64; 3] = [0.02, 0.03, 0.02];
const THRUST: f64 = 0.02;
const START: f64 = 0.1;

/// Numbers of a normal distribution, each the sum of twelve uniform ones.
fn normal<const N: usize>(seed: &mut u64, deviation: f64) -> [f64; N] {
    let mut uniform = || {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 11) as f64 / (1u64 << 53) as f64
    };
    std::array::from_fn(|_| deviation * ((0..12).map(|_| uniform()).sum::<f64>() - 6.0))
}

/// A diagonal matrix for vectors one after the other: each entry three times.
fn diagonal<const N: usize>(entries: &[f64]) -> SMatrix<f64, N, N> {
    SMatrix::from_fn(|r, c| if r == c { entries[r / 3] } else { 0.0 })
}

/// Where it is to be at a time, and how fast. It is wanted level, but with little weight: the plan finds how it tilts.
fn wanted(model: &Quadrotor, t: f64) -> State<Quadrotor> {
    let mut x = State { t, ..State::neutral(model) };
    let y = model.outputs(x.at(&quadrotor::U::default()), x.rates());
    let (way, pace) = (y.way(), y.pace());
    x.q.set_r(way);
    x.v.set_r(pace);
    x
}

/// The angle between two attitudes, in degrees.
fn angle(a: &[f64; 4], b: &[f64; 4]) -> f64 {
    SVector::from(so3::local(a, b)).norm().to_degrees()
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (model, mut seed) = (Quadrotor::default(), 1);
    // it hovers near where the eight begins; where exactly, and how it is turned, the filter does not know
    let mut guess = wanted(&model, 0.0);
    guess.v.set_r([0.0; 3]);
    let (mut truth, aside) = (guess.clone(), normal::<3>(&mut seed, START));
    truth.q.set_r(std::array::from_fn(|i| guess.q.r()[i] + aside[i]));
    truth.q.set_q(so3::exp(&normal(&mut seed, START)));

    // twelve directions of the state, four thrusts, no limits, and sixteen columns of A and B
    let hover = [model.m * model.g / 4.0; 4];
    let along = |k| Along { wanted: wanted(&model, H * k as f64), ..Along::at(&guess, hover) };
    let storage = (vec![MpcKnot::none(); STAGES], (0..=STAGES).map(along).collect::<Vec<_>>());
    let mut mpc = NonlinearMpc::<_, _, 12, 4, 0, 16, _, _>::of(&model, RungeKutta4, H, storage)?;
    // of place, rotation, velocity and rate; the end has more weight, for what comes after the horizon
    let weight = diagonal::<12>(&[100.0, 0.1, 4.0, 0.5]);
    mpc.weights(&weight, &(SMatrix::identity() * 0.1), &(weight * 10.0));

    // steps with columns for the thrusts: that rotors do not obey exactly is all of the process noise
    let map = StepMap::<_, _, Fixed<16>>::sized(&model, RungeKutta4, &[])?;
    let mut ekf = Ekf::of(map, &guess, diagonal::<12>(&[START * START, START * START, 1e-4, 1e-4]))?;
    let names = ["gyro.x", "gyro.y", "gyro.z", "turn.x", "turn.y", "turn.z", "place.x", "place.y", "place.z"];
    let (sensor, noise) = (ekf.sensor(names)?, diagonal::<9>(&SHOWN.map(|deviation| deviation * deviation)));
    let (process, thrust) = (SMatrix::zeros(), SMatrix::<f64, 4, 4>::identity() * THRUST.powi(2));

    let mut table = Table::with_units([("t", "s"), ("miss", "m"), ("estimated", "deg"), ("measured", "deg")]);
    let (mut flown, mut ordered) = (Vec::new(), Vec::new());
    let setup = Simulation::of(&model, DormandPrince8).given(truth).sampled(H, |now, u| {
        // measure: filter and controller see no more of the truth than this
        let y = model.outputs(now.at(u), now.rates());
        let (shown, wrong) =
            ([y.gyro(), y.turn(), y.place()], SHOWN.map(|deviation| normal::<3>(&mut seed, deviation)));
        let z: [f64; 9] = std::array::from_fn(|i| shown[i / 3][i % 3] + wrong[i / 3][i % 3]);
        ekf.update(&sensor, z, &noise).expect("finite measurements");
        // plan from the estimate; the rotors do not obey exactly
        let input = mpc.control(ekf.state()).expect("a plan");
        let slip = normal::<4>(&mut seed, THRUST);
        u.set_f(std::array::from_fn(|i| input.f()[i] + slip[i]));

        let miss = (SVector::from(now.q.r()) - SVector::from(y.way())).norm();
        let [estimated, measured] = [ekf.state().q.q(), so3::exp(&[z[3], z[4], z[5]])].map(|q| angle(&now.q.q(), &q));
        table.push_row([now.t, miss, estimated, measured]);
        flown.push(now.q.r());
        ordered.extend(input.f());

        // after the thrusts are given there is time: estimate, eight and plan move on to the next sample
        ekf.predict_driven(input, H, &process, &thrust).expect("a finite step");
        for (k, stage) in mpc.plan_mut().iter_mut().enumerate() {
            stage.wanted = wanted(&model, now.t + H * (k + 1) as f64);
        }
        mpc.advance().expect("finite steps");
    });
    let (mut run, mut film) = (setup.adaptive(1e-8)?, Film::of(&model));
    run.run(2.0 * model.round, 0.05, |seen| film.record(seen))?;

    let low = ordered.iter().copied().fold(f64::INFINITY, f64::min);
    let high = ordered.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    println!("thrusts from {low:.2} to {high:.2} N");
    // the plan uses all that the rotors have, and asks for no more
    assert!((low - 0.5).abs() < 1e-9 && (high - 4.5).abs() < 1e-9);
    // errors after the first round, by when it is on its way
    let second: Vec<&[f64]> = table.rows().filter(|row| row[0] > model.round).collect();
    let farthest = second.iter().map(|row| row[1]).fold(0.0, f64::max);
    let [estimated, measured] =
        [2, 3].map(|i| (second.iter().map(|row| row[i] * row[i]).sum::<f64>() / second.len() as f64).sqrt());
    println!("second round: at most {:.1} cm off its way", 100.0 * farthest);
    println!("attitude: {measured:.2}° off as measured, {estimated:.2}° as estimated");
    assert!(farthest < 0.08 && estimated < measured / 5.0);

    film.svg().speed(0.5).width(480.0).trace("goal")?.trace("hull")?.write(gallery::file("figure_of_eight.svg"))?;
    let above = |places: Vec<[f64; 3]>| places.into_iter().map(|[x, y, _]| (x, y));
    let rounds = table.rows().map(|row| wanted(&model, row[0]).q.r()).collect();
    Plot::new()
        .equal_aspect()
        .across("r.x [m]")
        .upward("r.y [m]")
        .curve("wanted", above(rounds))
        .curve("flown", above(flown))
        .write(gallery::file("figure_of_eight_path.svg"))?;
    let errors = Plot::over_time(&table, &["measured", "estimated"])?.upward("error of the attitude [deg]");
    errors.write(gallery::file("figure_of_eight_attitude.svg"))?;
    Ok(())
}
