//! Covariances without variance in some directions: those of constrained states.

use ode_control::{Ekf, Ukf};
use ode_model::integrators::RungeKutta4;
use ode_model::linalg::SMatrix;
use ode_model::{State, model};

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
