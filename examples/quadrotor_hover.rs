//! A quadrotor that is let go with a tilt returns to hover: an LQR, and a Kalman filter on its rotations that sees a
//! biased gyroscope, an accelerometer, a magnetometer and, now and then, where it is.

use ode_control::{Ekf, Feedback, Linearizer, Lqr, OperatingPoint, Trim};
use ode_model::prelude::*;
use ode_model::{StepMap, integrators::RungeKutta4, linalg::Labelled, linalg::SMatrix, so3, variation::Fixed};
use ode_view::{Film, Plot};

mod gallery;

model! {
    /// A rigid body with four rotors and an inertial measurement unit.
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
        /// direction of the earth's field
        param field: Vec3 = vec3(0.43, 0.0, -0.9);
        /// how slowly the bias of the gyroscope changes
        param slow: Real [s] = 500.0;
        coord r: Vec3 [m];
        coord (q, w): SO3;
        state bias: Vec3 [rad/s];
        /// thrusts
        input f: [Real; 4] [N] in 0.0..=8.0;
        let b = frame(r, q);
        body hull on b { mass: m, inertia: j }
        gravity = vec3(0.0, 0.0, -g);
        for i in 0..4 {
            force thrust on b.at(hub[i]) = b.vec(vec3(0.0, 0.0, f[i]));
            torque react on b = b.vec(vec3(0.0, 0.0, spin[i] * kappa * f[i]));
        }
        force wind on r = -drag * der(r);
        der(bias) = -bias / slow;
        output gyro: Vec3 [rad/s] = w + bias;
        output accel: Vec3 [m/s^2] = b.inv().vec(der2(r) + vec3(0.0, 0.0, g));
        output mag: Vec3 = b.inv().vec(field);
        output place: Vec3 [m] = r;
        show arms = line(b.at(hub[0]), b.at(hub[2]));
        show beam = line(b.at(hub[1]), b.at(hub[3]));
        for i in 0..4 {
            show rotor = circle(b * frame(hub[i], rot_z(0.0)), 0.1m) with { color: silver };
            show thrust = arrow(b.at(hub[i]), b.vec(vec3(0.0, 0.0, 0.05m * f[i] / 1.0N))) with { color: crimson };
        }
    }
}

/// 50 Hz; the position is seen at 10 Hz.
const H: f64 = 0.02;

/// Standard deviations: of a thrust, of what gyroscope, accelerometer, magnetometer and position show, and of what is
/// not known of the start: position, rotation, velocity, rate and bias.
const THRUST: f64 = 0.02;
const SHOWN: [f64; 4] = [0.01, 0.2, 0.02, 0.02];
const START: [f64; 5] = [0.2, 0.15, 0.2, 0.2, 0.05];

/// How it is let go, as far as the filter knows: a rotation by 0.8 rad, 42° of it a tilt.
const TURNED: [f64; 3] = [0.6, -0.4, 0.3];

/// How many flights there are, and between what the mean of their normalised squared errors is with a probability of
/// 99.9 %: χ² of 6 · 15 degrees of freedom.
const FLIGHTS: u64 = 6;
const NEES: [f64; 2] = [52.276 / 6.0, 140.782 / 6.0];

/// Numbers of a normal distribution, each the sum of twelve uniform ones.
fn normal<const N: usize>(seed: &mut u64, deviation: f64) -> [f64; N] {
    let mut uniform = || {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 11) as f64 / (1u64 << 53) as f64
    };
    std::array::from_fn(|_| deviation * ((0..12).map(|_| uniform()).sum::<f64>() - 6.0))
}

/// The covariance of vectors with these deviations, three numbers each.
fn covariance<const N: usize>(deviations: &[f64]) -> SMatrix<f64, N, N> {
    SMatrix::from_fn(|r, c| if r == c { deviations[r / 3].powi(2) } else { 0.0 })
}

/// The angle between the axis of the rotors and the vertical, in degrees.
fn tilt(x: &State<Quadrotor>) -> f64 {
    let [_, _, up] = so3::rotate(&x.q.q(), &[0.0, 0.0, 1.0]);
    up.clamp(-1.0, 1.0).acos().to_degrees()
}

type Error = Box<dyn std::error::Error>;

/// A flight: the normalised square of the estimate's error at each sample, and the bias at the end, beside its estimate
/// and the deviation of that.
struct Flight {
    nees: Vec<f64>,
    end: State<Quadrotor>,
    bias: [[f64; 3]; 3],
    tilts: Table,
    film: Film,
}

/// Four seconds from a start near the one that the filter believes.
fn fly(
    model: &Quadrotor,
    hover: &OperatingPoint<Quadrotor>,
    gain: &Labelled<f64>,
    mut seed: u64,
) -> Result<Flight, Error> {
    let mut guess = hover.state.clone();
    guess.q.set_q(so3::exp(&TURNED));
    let (mut start, [r, q, v, w, bias]) = (guess.clone(), START.map(|deviation| normal::<3>(&mut seed, deviation)));
    start.q.set_r(std::array::from_fn(|i| guess.q.r()[i] + r[i]));
    start.q.set_q(so3::retract(&guess.q.q(), &q));
    start.v.set_r(v);
    start.v.set_w(w);
    start.z.set_bias(bias);

    let feedback = Feedback::of(model, &hover.state, hover.inputs, gain)?;
    let map = StepMap::<_, _, Fixed<19>>::sized(model, RungeKutta4, &[])?;
    let mut ekf = Ekf::of(map, &guess, covariance::<15>(&START))?;
    let unit =
        ekf.sensor(["gyro.x", "gyro.y", "gyro.z", "accel.x", "accel.y", "accel.z", "mag.x", "mag.y", "mag.z"])?;
    let place = ekf.sensor(["place.x", "place.y", "place.z"])?;
    let (of_unit, of_place) = (covariance::<9>(&SHOWN[..3]), covariance::<3>(&SHOWN[3..]));
    let (process, thrust) = (SMatrix::zeros(), SMatrix::<f64, 4, 4>::identity() * THRUST.powi(2));

    let (mut nees, mut sample) = (Vec::new(), 0);
    let mut tilts = Table::with_units([("t", "s"), ("true", "deg"), ("estimated", "deg")]);
    let setup = Simulation::of(model, DormandPrince8).given(start).sampled(H, |now, u| {
        let y = model.outputs(now.at(u), now.rates());
        // before the first step no force has acted
        if sample > 0 {
            let shown = [y.gyro(), y.accel(), y.mag()];
            let noise = [0, 1, 2].map(|i| normal::<3>(&mut seed, SHOWN[i]));
            let z: [f64; 9] = std::array::from_fn(|i| shown[i / 3][i % 3] + noise[i / 3][i % 3]);
            ekf.update(&unit, z, &of_unit).expect("finite measurements");
        }
        if sample % 5 == 0 {
            let noise = normal::<3>(&mut seed, SHOWN[3]);
            let z: [f64; 3] = std::array::from_fn(|axis| y.place()[axis] + noise[axis]);
            ekf.update(&place, z, &of_place).expect("finite measurements");
        }
        sample += 1;
        nees.push(ekf.nees(now).expect("a finite state"));
        tilts.push_row([now.t, tilt(now), tilt(ekf.state())]);
        feedback.apply(ekf.state(), u);
        ekf.predict_driven(*u, H, &process, &thrust).expect("a finite step");
        // the rotors do not obey exactly
        let noise = normal::<4>(&mut seed, THRUST);
        u.set_f(std::array::from_fn(|i| u.f()[i] + noise[i]));
    });
    let (mut run, mut film) = (setup.adaptive(1e-8)?, Film::of(model));
    run.run(4.0, 0.05, |seen| film.record(seen))?;
    let end = run.state().clone();
    let (estimate, p) = (ekf.state().z.bias(), ekf.covariance());
    let bias = [end.z.bias(), estimate, [12, 13, 14].map(|i| p[(i, i)].sqrt())];
    Ok(Flight { nees, end, bias, tilts, film })
}

pub(crate) fn main() -> Result<(), Error> {
    // where it is to stay, the steps of 20 ms about that point, and the gain
    let model = Quadrotor::default();
    let place = Trim::of(&model).hold("r.x", 0.0)?.hold("r.y", 0.0)?.hold("r.z", 2.0)?.keep("q.step.z")?;
    let hover = place.free_inputs().solve()?;
    assert!(hover.inputs.f().iter().all(|f| (f - model.m * model.g / 4.0).abs() < 1e-12));
    let mut map = StepMap::of(&model, RungeKutta4, &[])?;
    let steps = Linearizer::of(&model).step(&mut map, &hover.state, hover.inputs, H)?.system;
    let mut lqr = Lqr::of(&steps);
    for (axis, turn) in [("r.x", "q.step.x"), ("r.y", "q.step.y"), ("r.z", "q.step.z")] {
        lqr = lqr.state(axis, 4.0)?.state(turn, 10.0)?;
    }
    for rotor in steps.inputs() {
        lqr = lqr.input(rotor, 1.0)?;
    }
    let gain = lqr.solve()?.gain;

    let flights = (1..=FLIGHTS).map(|seed| fly(&model, &hover, &gain, seed)).collect::<Result<Vec<_>, _>>()?;
    for Flight { end, bias: [bias, estimate, deviation], .. } in &flights {
        let height = end.q.r()[2];
        println!("{:.1}° at {height:.2} m; bias {bias:.4?}, estimate {estimate:.4?} ± {deviation:.4?}", tilt(end));
        assert!(tilt(end) < 5.0 && (height - 2.0).abs() < 0.2);
        // it began with a deviation of 0.05 rad/s
        assert!((0..3).all(|i| deviation[i] < 0.01 && (bias[i] - estimate[i]).abs() < 4.0 * deviation[i]));
    }
    let at = |k: usize| flights.iter().map(|flight| flight.nees[k]).sum::<f64>() / FLIGHTS as f64;
    let nees: Vec<(f64, f64)> = (0..flights[0].nees.len()).map(|k| (k as f64 * H, at(k))).collect();
    for &(t, mean) in nees.iter().step_by(50) {
        println!("normalised squared error {mean:.1} at {t:.0} s, expected 15");
        assert!(mean > NEES[0] && mean < NEES[1]);
    }

    let bound = |height: f64| [(0.0, height), (4.0, height)];
    Plot::new()
        .across("t [s]")
        .upward("mean of the normalised squared errors")
        .curve("six flights", nees)
        .curve("0.05 %", bound(NEES[0]))
        .curve("99.95 %", bound(NEES[1]))
        .write(gallery::file("quadrotor_hover_nees.svg"))?;
    let tilts = Plot::over_time(&flights[0].tilts, &["true", "estimated"])?.upward("tilt [deg]");
    tilts.write(gallery::file("quadrotor_hover_tilt.svg"))?;
    flights[0].film.svg().speed(0.5).width(480.0).write(gallery::file("quadrotor_hover.svg"))?;
    Ok(())
}
