//! A pendulum whose angle an encoder measures.
//!
//! `data/pendulum.csv`: 200 samples of an encoder, and the estimates and covariances of an extended Kalman filter on
//! them by NumPy, which filterpy 1.4.5 agrees with to 6e-17. `data/unscented.csv`: those of filterpy 2.0.0's
//! `UnscentedKalmanFilter` with `MerweScaledSigmaPoints(2, 0.5, 2, 0)` on the same samples. Both predict by a step of
//! the classical Runge–Kutta method of 0.02 s.

use ode_control::{Ekf, Filter, RealOf, Transform, Ukf};
use ode_model::integrators::{RungeKutta4, Vary};
use ode_model::linalg::SMatrix;
use ode_model::variation::Columns;
use ode_model::{Real, Scalar, Sensitive, Solvable, State, StepMap, linalg::Field};

use crate::models::Pendulum;
use crate::tables::{off, off_by, rows};

pub const H: f64 = 0.02;
/// The variance of the encoder.
pub const NOISE: f64 = 0.0025000000000000005;

/// z, and θ, ω, P₁₁, P₁₂, P₂₂ after it.
pub fn samples() -> Vec<[f64; 6]> {
    rows(include_str!("data/pendulum.csv"))
}

/// A diagonal matrix of the model's numbers.
pub fn diagonal<S: Solvable, const N: usize>(entries: [f64; N]) -> SMatrix<RealOf<S>, N, N> {
    SMatrix::from_fn(|r, c| S::Real::from_f64(if r == c { entries[r] } else { 0.0 }).entry())
}

/// θ, ω, P₁₁, P₁₂, P₂₂ and NIS after each sample.
pub fn run<S, M, K, F>(mut filter: Filter<'_, S, M, K, F, 2>) -> Vec<[f64; 6]>
where
    S: Solvable<U: Default> + Sensitive,
    M: Vary<S>,
    K: Columns,
    F: Transform<S, 2>,
{
    let (encoder, number) = (filter.sensor(["encoder"]).expect("a sensor"), |x| S::Real::from_entry(x).to_f64());
    let (q, r) = (diagonal::<S, 2>([1e-6, 1e-4]), diagonal::<S, 1>([NOISE]));
    let mut found = Vec::new();
    for [z, ..] in samples() {
        filter.predict(S::U::default(), S::Real::from_f64(H), &q).expect("a step");
        let innovation = filter.update(&encoder, [S::Real::from_f64(z)], &r).expect("a correction");
        let (x, p) = (filter.state(), filter.covariance());
        let state = [x.q.as_ref()[0], x.v.as_ref()[0]].map(Real::to_f64);
        let [th, om] = state;
        found.push([th, om, number(p[(0, 0)]), number(p[(0, 1)]), number(p[(1, 1)]), number(innovation.nis)]);
    }
    found
}

/// The start of the reference.
pub fn start<S: Solvable>(model: &S) -> State<S> {
    let mut x = State::neutral(model);
    x.q.as_mut()[0] = S::Real::from_f64(0.6);
    x
}

#[test]
fn the_extended_filter_is_the_reference() {
    let model = Pendulum::<f64>::default();
    let ekf = Ekf::new(&model, RungeKutta4, &start(&model), diagonal::<Pendulum<f64>, 2>([0.1, 0.5]));
    let found = run(ekf.expect("a filter"));
    for (k, (found, wanted)) in found.iter().zip(samples()).enumerate() {
        assert!(off(&found[..5], &wanted[1..]) < 1e-12, "{k}: {found:?} {wanted:?}");
    }
    let mean = found[50..].iter().map(|row| row[5]).sum::<f64>() / 150.0;
    assert!((mean - 1.0935522870865657).abs() < 1e-10, "{mean}");
}

#[test]
fn a_map_of_any_number_of_columns_makes_the_same_filter() {
    let model = Pendulum::<f64>::default();
    let (x, p) = (start(&model), diagonal::<Pendulum<f64>, 2>([0.1, 0.5]));
    let map = || StepMap::of(&model, RungeKutta4, &["l"]).expect("a map");
    let (ekf, ukf) = (Ekf::of(map(), &x, p).expect("a filter"), Ukf::of(map(), &x, p).expect("a filter"));
    // derivatives by the state alone come from the model's own function, those by a parameter beside them do not
    let own = run(Ekf::new(&model, RungeKutta4, &x, p).expect("a filter"));
    let several = StepMap::of(&model, RungeKutta4, &[]).expect("a map");
    assert_eq!(run(Ekf::of(several, &x, p).expect("a filter")), own);
    for (k, (found, wanted)) in run(ekf).iter().zip(&own).enumerate() {
        assert!(off(found, wanted) < 1e-12, "{k}: {found:?} {wanted:?}");
    }
    assert_eq!(run(ukf), run(Ukf::new(&model, RungeKutta4, &x, p).expect("a filter")));
}

#[test]
fn the_unscented_filter_is_that_of_filterpy() {
    let model = Pendulum::<f64>::default();
    let ukf = Ukf::new(&model, RungeKutta4, &start(&model), diagonal::<Pendulum<f64>, 2>([0.1, 0.5]));
    let found = run(ukf.expect("a filter"));
    for (k, (found, wanted)) in found.iter().zip(rows::<5>(include_str!("data/unscented.csv"))).enumerate() {
        assert!(off(&found[..5], &wanted) < 1e-12, "{k}: {found:?} {wanted:?}");
    }
}

#[test]
fn both_filters_run_in_single_precision() {
    let (double, single) = (Pendulum::<f64>::default(), Pendulum::<f32>::default());
    let (p, p_single) = (diagonal::<Pendulum<f64>, 2>([0.1, 0.5]), diagonal::<Pendulum<f32>, 2>([0.1, 0.5]));
    let ekf = run(Ekf::new(&double, RungeKutta4, &start(&double), p).expect("a filter"));
    let ekf_single = run(Ekf::new(&single, RungeKutta4, &start(&single), p_single).expect("a filter"));
    let ukf = run(Ukf::new(&double, RungeKutta4, &start(&double), p).expect("a filter"));
    let ukf_single = run(Ukf::new(&single, RungeKutta4, &start(&single), p_single).expect("a filter"));
    for (double, single) in [(ekf, ekf_single), (ukf, ukf_single)] {
        for (k, (double, single)) in double.iter().zip(&single).enumerate() {
            let deviations = [double[2].sqrt(), double[4].sqrt()];
            assert!(off_by(&double[..2], &single[..2], &deviations) < 1e-3, "{k}: {double:?} {single:?}");
            let variances = [double[2], deviations[0] * deviations[1], double[4]];
            assert!(off_by(&double[2..5], &single[2..5], &variances) < 1e-3, "{k}: {double:?} {single:?}");
        }
    }
}

/// A bearing of 3.1 before half a turn and one of −3.1 behind it are a twelfth of a radian apart.
fn goes_around<K: Columns, F: Transform<Pendulum<f64>, 2>>(
    mut filter: Filter<'_, Pendulum<f64>, RungeKutta4, K, F, 2>,
) -> [f64; 2] {
    let bearing = filter.sensor(["rate", "bearing"]).expect("a sensor").angles(["bearing"]).expect("an angle");
    let r = diagonal::<Pendulum<f64>, 2>([0.1, 0.01]);
    let innovation = filter.update(&bearing, [None, Some(-3.1)], &r).expect("a correction");
    let error = bearing.angles(["baering"]).expect_err("misspelt");
    assert_eq!(error.to_string(), "there is no measured output `baering`; did you mean `bearing`?");
    [innovation.value[1], filter.state().q.as_ref()[0]]
}

#[test]
fn whole_turns_of_an_angle_do_not_count() {
    let model = Pendulum::<f64>::default();
    let mut x = start(&model);
    // sigma points are on both sides of half a turn
    x.q.as_mut()[0] = 3.1;
    let p = diagonal::<Pendulum<f64>, 2>([0.04, 0.5]);
    let ekf = goes_around(Ekf::new(&model, RungeKutta4, &x, p).expect("a filter"));
    let ukf = goes_around(Ukf::new(&model, RungeKutta4, &x, p).expect("a filter"));
    let apart = std::f64::consts::TAU - 6.2;
    for found in [ekf, ukf] {
        assert!(off(&found, &[apart, 3.1 + 0.8 * apart]) < 1e-12, "{found:?}");
    }
}
