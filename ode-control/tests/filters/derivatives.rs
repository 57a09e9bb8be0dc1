//! The extended filter's derivatives, against sigma points of covariances so small that they are central differences.

use ode_control::{Ekf, RealOf, Ukf};
use ode_model::integrators::{GeneralizedAlpha, Geodesic, RungeKutta4, Vary};
use ode_model::linalg::SMatrix;
use ode_model::solve::Projection;
use ode_model::variation::Fixed;
use ode_model::{Nominal, Sensitive, Solvable, Start, State, StepMap};

use crate::attitude::METHOD;
use crate::models::{Attitude, Bob, Carts, Tumbler};

/// A covariance with correlations.
pub fn spread<const N: usize>(size: f64) -> SMatrix<f64, N, N> {
    let half = SMatrix::<f64, N, N>::from_fn(|r, c| if r == c { 1.0 } else { 0.3 * ((r * N + c) as f64).sin() });
    half * half.transpose() * size
}

fn near<const R: usize, const C: usize>(a: &SMatrix<f64, R, C>, b: &SMatrix<f64, R, C>, what: &str) {
    let off = (a - b).amax() / b.amax();
    assert!(off < 2e-6, "{what}: {off:e}\n{a}\n{b}");
}

/// A prediction with noise of inputs, and a correction by each output.
fn agree<S, M, const N: usize, const C: usize, const U: usize, const R: usize>(
    (model, x): (&S, &State<S>),
    method: M,
    outputs: [&str; R],
    how: Option<Projection<f64>>,
) where
    S: Solvable<Real = f64> + Sensitive,
    S::U: From<[f64; U]>,
    M: Vary<S> + Copy,
{
    let (q, r) = (spread::<N>(1e-12), SMatrix::<f64, R, R>::identity() * 1e-10);
    let q_u = SMatrix::<RealOf<S>, U, U>::identity() * 1e-10;
    let map = StepMap::<_, _, Fixed<C>>::sized(model, method, &[]).expect("a map");
    // no reset, which is the same for both
    let mut ekf = Ekf::of(map, x, spread::<N>(1e-10)).expect("a filter").without_reset();
    let mut ukf = Ukf::new(model, method, x, spread::<N>(1e-10)).expect("a filter").without_reset();
    if let Some(how) = how {
        (ekf, ukf) = (ekf.project(how).expect("a projection"), ukf.project(how).expect("a projection"));
    }
    ekf.predict_driven([0.25; U], 0.05, &q, &q_u).expect("a step");
    ukf.predict_driven([0.25; U], 0.05, &q, &q_u).expect("a step");
    near(ekf.covariance(), ukf.covariance(), "prediction");
    let (all, own) = (ekf.sensor(outputs).expect("a sensor"), ukf.sensor(outputs).expect("a sensor"));
    ekf.hold([0.4; U]).expect("inputs");
    ukf.initialize(ekf.state(), *ekf.covariance()).expect("an estimate");
    ukf.hold([0.4; U]).expect("inputs");
    let z = ukf.update_if(&own, [0.0; R], &r, |_| false).expect("a look").value;
    let z = std::array::from_fn::<f64, R, _>(|i| -z[i] + 1e-6);
    let (a, b) = (ekf.update(&all, z, &r).expect("a correction"), ukf.update(&own, z, &r).expect("one"));
    near(&a.covariance, &b.covariance, "innovation");
    near(ekf.covariance(), ukf.covariance(), "correction");
}

#[test]
fn of_rotations_and_the_sphere() {
    let model = Tumbler::default();
    let mut x = State::neutral(&model);
    x.v.as_mut().copy_from_slice(&[0.4, -0.8, 0.5, 0.7, 0.2, -0.6, 0.9, -0.5, 0.3]);
    (x.t, x.z.as_mut()[0]) = (0.3, 0.6);
    let outputs = ["s.x", "s.y", "s.z", "m.x", "m.y", "m.z", "speed.x", "speed.y", "speed.z", "acceleration", "rate"];
    agree::<_, _, 19, 20, 1, 11>((&model, &x), RungeKutta4, outputs, None);
    agree::<_, _, 19, 20, 1, 11>((&model, &x), GeneralizedAlpha::with_spectral_radius(0.8), outputs, None);
}

#[test]
fn of_multipliers_accelerations_and_algebraic_variables() {
    let model = Bob::default();
    let x = Start::default().solve(&model, &Nominal).expect("a start");
    let outputs = ["angle", "tension", "acceleration.x", "acceleration.y", "current"];
    agree::<_, _, 4, 5, 1, 5>((&model, &x), Geodesic, outputs, None);
    agree::<_, _, 4, 5, 1, 5>((&model, &x), Geodesic, outputs, Some(Projection::to(1e-12)));
    for output in outputs {
        agree::<_, _, 4, 5, 1, 1>((&model, &x), Geodesic, [output], None);
    }
}

#[test]
fn of_velocities_that_follow_from_the_rest() {
    let model = Attitude::<f64>::default();
    let mut x = State::neutral(&model);
    x.z.as_mut().copy_from_slice(&[0.3, -0.2, 0.5]);
    agree::<_, _, 6, 9, 3, 4>((&model, &x), METHOD, ["s1.x", "s2.y", "turn.x", "turn.z"], None);
}

#[test]
fn a_linear_model_has_the_same_filters_of_both_kinds_and_on_paper() {
    let model = Carts::default();
    let x = State::neutral(&model);
    let (mut p, mut mean) = (spread::<5>(0.5), SMatrix::<f64, 5, 1>::zeros());
    let mut ekf = Ekf::new(&model, RungeKutta4, &x, p).expect("a filter");
    let mut ukf = Ukf::new(&model, RungeKutta4, &x, p).expect("a filter");
    let mut map = StepMap::of(&model, RungeKutta4, &[]).expect("a map");
    let (h, q, r) = (0.1, spread::<5>(0.01), SMatrix::<f64, 2, 2>::new(0.02, 0.005, 0.005, 0.03));
    let step = map.step(&x, [0.0], h).expect("a step");
    let (a, b) = (step.a().fixed::<5, 5>().expect("A"), step.b().fixed::<5, 1>().expect("B"));
    // (x, y, ẋ, ẏ, w)
    let c = SMatrix::<f64, 2, 5>::from_row_slice(&[1.0, 0.0, 0.0, 0.0, 0.0, -3.0, 3.0, 0.0, -0.1, 0.0]);
    let (one, other) = (["place", "pull"], ekf.sensor(["place", "pull"]).expect("a sensor"));
    let own = ukf.sensor(one).expect("a sensor");
    for k in 0..40 {
        let (t, u) = (h * f64::from(k), 0.3 * f64::from(k).cos());
        ekf.predict([u], h, &q).expect("a step");
        ukf.predict([u], h, &q).expect("a step");
        (mean, p) = (a * mean + b * u, a * p * a.transpose() + q);
        // now and then one of the sensors is silent
        let z = [(k % 3 != 0).then(|| t.sin()), (k % 4 != 1).then_some(0.2 * t)];
        let (first, second) = (ekf.update(&other, z, &r).expect("one"), ukf.update(&own, z, &r).expect("one"));
        let rows: Vec<usize> = (0..2).filter(|&i| z[i].is_some()).collect();
        let h = ode_model::linalg::DMatrix::from_fn(rows.len(), 5, |i, j| c[(rows[i], j)]);
        let noise = ode_model::linalg::DMatrix::from_fn(rows.len(), rows.len(), |i, j| r[(rows[i], rows[j])]);
        let e = ode_model::linalg::DVector::from_fn(rows.len(), |i, _| {
            z[rows[i]].expect("a number") - (c * mean)[rows[i]] - [0.0, u][rows[i]]
        });
        let s = &h * p * h.transpose() + noise;
        let inverse = s.try_inverse().expect("definite");
        let gain = p * h.transpose() * &inverse;
        let nis = (e.transpose() * inverse * &e)[(0, 0)];
        mean += &gain * e;
        p -= &gain * h * p;
        for (filter, innovation) in
            [((ekf.state(), ekf.covariance()), first), ((ukf.state(), ukf.covariance()), second)]
        {
            let (x, covariance) = filter;
            let state = [x.q.as_ref(), x.v.as_ref(), x.z.as_ref()].concat();
            assert!((SMatrix::<f64, 5, 1>::from_column_slice(&state) - mean).amax() < 1e-12, "{k}: {state:?} {mean}");
            assert!((covariance - p).amax() < 1e-12, "{k}: {covariance} {p}");
            assert!((innovation.nis - nis).abs() < 1e-11 && innovation.degrees() == rows.len(), "{k}");
        }
    }
}
