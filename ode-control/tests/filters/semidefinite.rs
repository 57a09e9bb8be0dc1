//! Covariances without variance in some directions: those of constrained states, and of what is measured exactly.

use ode_control::{Ekf, Filter, Transform, Ukf};
use ode_model::integrators::{RungeKutta4, Vary};
use ode_model::linalg::SMatrix;
use ode_model::variation::Columns;
use ode_model::{State, StepMap, model, variation::Fixed};

model! {
    /// A coin that rolls on a plane.
    pub struct Coin {
        param r: Real = 0.2;
        coord p: Vec2;
        coord roll, yaw: Angle;
        input u: Real = 0.5;
        kinetic = 0.25 * der(p).dot(der(p)) + 0.01 * sq(der(roll)) + 0.005 * sq(der(yaw));
        dissipation = 0.003 * (sq(der(roll)) + sq(der(yaw)));
        potential = 0.2 * sq(p.x);
        force steer on yaw = u;
        constraint no_slip: der(p) == r * der(roll) * vec2(cos(yaw), sin(yaw));
    }
}

model! {
    /// A mass on a spring.
    pub struct Oscillator {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        potential = 2.0 * sq(x);
        output place = x;
    }
}

/// A state that rolls, and the directions in which it may differ: of p, roll, yaw and the two rates.
fn rolling(model: &Coin, seed: f64) -> (State<Coin>, SMatrix<f64, 8, 6>) {
    let [x, y, roll, yaw, om, turn] = std::array::from_fn(|k| 3.0 * (7.3 * seed + 2.1 * k as f64).sin());
    let (c, s) = (0.2 * yaw.cos(), 0.2 * yaw.sin());
    let mut at = State::neutral(model);
    at.q.as_mut().copy_from_slice(&[x, y, roll, yaw]);
    at.v.as_mut().copy_from_slice(&[c * om, s * om, om, turn]);
    let mut shape = SMatrix::<f64, 8, 6>::zeros();
    shape.fixed_view_mut::<4, 4>(0, 0).fill_with_identity();
    (shape[(4, 3)], shape[(5, 3)]) = (-s * om, c * om);
    (shape[(4, 4)], shape[(5, 4)], shape[(6, 4)], shape[(7, 5)]) = (c, s, 1.0, 1.0);
    (at, shape)
}

#[test]
fn constrained_states_keep_their_filters() {
    let (model, size) = (Coin::default(), 1e-8);
    for seed in 0..40 {
        let (x, shape) = rolling(&model, f64::from(seed));
        let p = shape * shape.transpose() * size;
        let mut ekf = Ekf::new(&model, RungeKutta4, &x, p).expect("a filter");
        let mut ukf = Ukf::new(&model, RungeKutta4, &x, p).expect("a filter");
        // an error of w deviations has |w|²
        let w = SMatrix::<f64, 6, 1>::from_fn(|i, _| f64::from(seed + 3 * i as i32).cos());
        let error = shape * w * size.sqrt();
        let mut truth = x.clone();
        truth.q.as_mut().iter_mut().chain(truth.v.as_mut()).zip(error.iter()).for_each(|(x, d)| *x += d);
        for nees in [ekf.nees(&truth), ukf.nees(&truth)].map(|nees| nees.expect("a number")) {
            assert!((nees - w.norm_squared()).abs() < 1e-6 * w.norm_squared(), "{seed}: {nees} {w}");
        }
        for step in 0..10 {
            ekf.predict([0.5], 0.02, &SMatrix::zeros()).unwrap_or_else(|e| panic!("{seed}, {step}: {e}"));
            ukf.predict([0.5], 0.02, &SMatrix::zeros()).unwrap_or_else(|e| panic!("{seed}, {step}: {e}"));
        }
        let (a, b) = (ekf.covariance(), ukf.covariance());
        assert!((a - b).amax() < 1e-5 * a.amax(), "{seed}: {a} {b}");
    }
}

const H: f64 = 0.1;

/// That of a step.
fn transition() -> SMatrix<f64, 2, 2> {
    let f = SMatrix::<f64, 2, 2>::new(0.0, H, -4.0 * H, 0.0);
    let one = SMatrix::identity();
    one + f * (one + f / 2.0 * (one + f / 3.0 * (one + f / 4.0)))
}

/// Measures a place exactly; the variance of the velocity is P₂₂ − P₁₂²/P₁₁, here without differences.
fn measured_exactly<M, K, F>(mut filter: Filter<'_, Oscillator, M, K, F, 2>)
where
    M: Vary<Oscillator>,
    K: Columns,
    F: Transform<Oscillator, 2>,
{
    let place = filter.sensor(["place"]).expect("a sensor");
    let (a, [noise, push]) = (transition(), [1e-6, 1e-4]);
    let q = SMatrix::from_diagonal(&[noise, push].into());
    let mut still: Option<f64> = None;
    for k in 0..50 {
        filter.predict([], H, &q).unwrap_or_else(|e| panic!("{k}: {e}"));
        let z = (0.2 * f64::from(k)).cos();
        filter.update(&place, [z], &SMatrix::zeros()).unwrap_or_else(|e| panic!("{k}: {e}"));
        let p = filter.covariance();
        let found: f64 = p[(1, 1)];
        if let Some(s) = still {
            let (near, far) = (a[(0, 1)].powi(2) * s, a[(1, 1)].powi(2) * s);
            let wanted = (far * noise + near * push + noise * push) / (near + noise);
            assert!((found - wanted).abs() < 1e-9 * wanted, "{k}: {found:e} {wanted:e}");
        }
        assert!((filter.state().q.as_ref()[0] - z).abs() < 1e-12 && p[(0, 0)].abs() < 1e-18, "{k}: {p}");
        still = Some(found);
    }
}

#[test]
fn a_place_that_is_measured_exactly_has_no_variance() {
    let model = Oscillator {};
    let (x, p) = (State::neutral(&model), SMatrix::identity());
    measured_exactly(Ekf::new(&model, RungeKutta4, &x, p).expect("a filter"));
    measured_exactly(Ukf::new(&model, RungeKutta4, &x, p).expect("a filter"));
}

/// Measures the truth from a start that is nearly unknown, without process noise.
fn finds<M, K, F>(model: &Oscillator, mut filter: Filter<'_, Oscillator, M, K, F, 2>, variance: f64)
where
    M: Vary<Oscillator>,
    K: Columns,
    F: Transform<Oscillator, 2>,
{
    let place = filter.sensor(["place"]).expect("a sensor");
    let mut map = StepMap::<_, _, Fixed<0>>::sized(model, RungeKutta4, &[]).expect("a map");
    let mut truth = State::neutral(model);
    truth.q.as_mut()[0] = 1.0;
    for k in 0..30 {
        truth = map.step(&truth, [], H).expect("a step").end.clone();
        filter.predict([], H, &SMatrix::zeros()).unwrap_or_else(|e| panic!("{variance:e}, {k}: {e}"));
        let r = SMatrix::<f64, 1, 1>::new(variance);
        let z = truth.q.as_ref()[0];
        filter.update(&place, [z], &r).unwrap_or_else(|e| panic!("{variance:e}, {k}: {e}"));
        assert!((0..2).all(|i| filter.covariance()[(i, i)] >= 0.0), "{variance:e}, {k}: {}", filter.covariance());
    }
    let x = filter.state();
    let off = (x.q.as_ref()[0] - truth.q.as_ref()[0]).abs().max((x.v.as_ref()[0] - truth.v.as_ref()[0]).abs());
    assert!(off < 1e-6, "{variance:e}: {off:e}");
}

#[test]
fn measurements_far_better_than_the_start_are_no_end() {
    let model = Oscillator {};
    let x = State::neutral(&model);
    let beyond = [(1e8, 1e-12), (3e8, 1e-12), (1e8, 1e-14), (1e4, 1e-18), (1.0, 1e-22), (0.7, 1e-25), (1.0, 1e-30)];
    for (start, variance) in beyond {
        let p = SMatrix::<f64, 2, 2>::new(start, 0.3 * start, 0.3 * start, start);
        finds(&model, Ekf::new(&model, RungeKutta4, &x, p).expect("a filter"), variance);
        finds(&model, Ukf::new(&model, RungeKutta4, &x, p).expect("a filter"), variance);
    }
}
