//! Attitude and gyroscope bias from two directions that are seen.
//!
//! `data/gyro.csv`: 500 samples of a gyroscope, ω + b with noise, each 0.01 s. `data/vectors.csv`: after every tenth,
//! two known directions as the body sees them, and the quaternion, bias and diagonal of P of an error-state filter in
//! NumPy after it. A second one there, with matrices and differences for Jacobians, agrees to 5e-11.

use ode_control::{Ekf, Filter, Transform, Ukf};
use ode_model::integrators::{Explicit, SemiExplicitEuler, Vary};
use ode_model::linalg::SMatrix;
use ode_model::variation::{Columns, Fixed};
use ode_model::{Real, State, StepMap, so3};

use crate::models::Attitude;
use crate::pendulum::diagonal;
use crate::tables::{off, off_by, rows};

const DT: f64 = 0.01;
pub const SEEN: [&str; 6] = ["s1.x", "s1.y", "s1.z", "s2.x", "s2.y", "s2.z"];
pub const METHOD: SemiExplicitEuler<Explicit> = SemiExplicitEuler::explicit();

fn gyro() -> Vec<[f64; 3]> {
    rows(include_str!("data/gyro.csv"))
}

/// Two directions, quaternion, bias and diagonal of P.
fn seen() -> Vec<[f64; 19]> {
    rows(include_str!("data/vectors.csv"))
}

/// Quaternion and bias, the diagonal of P, and NIS after each of the fifty measurements; and P at the end.
fn run<T, M, K, F>(mut filter: Filter<'_, Attitude<T>, M, K, F, 6>) -> (Vec<[f64; 14]>, SMatrix<f64, 6, 6>)
where
    T: Real,
    Attitude<T>: ode_model::Solvable<Real = T> + ode_model::Sensitive,
    M: Vary<Attitude<T>>,
    K: Columns,
    F: Transform<Attitude<T>, 6>,
    <Attitude<T> as ode_model::System>::U: From<[T; 3]>,
{
    let sensor = filter.sensor(SEEN).expect("a sensor");
    let (g, b) = (0.02_f64.powi(2) * DT, 0.005_f64.powi(2) * DT);
    let q = diagonal::<Attitude<T>, 6>([g, g, g, b, b, b]);
    let r = diagonal::<Attitude<T>, 6>([0.03_f64.powi(2); 6]);
    let (mut found, mut seen) = (Vec::new(), seen().into_iter());
    for (k, w) in gyro().into_iter().enumerate() {
        filter.predict(w.map(T::from_f64), T::from_f64(DT), &q).expect("a step");
        if k % 10 < 9 {
            continue;
        }
        let row = seen.next().expect("fifty");
        let z: [T; 6] = std::array::from_fn(|i| T::from_f64(row[i]));
        let innovation = filter.update(&sensor, z, &r).expect("a correction");
        let (x, p) = (filter.state(), filter.covariance());
        let numbers = x.q.as_ref().iter().chain(x.z.as_ref()).copied();
        let diagonal = (0..6).map(|i| T::from_entry(p[(i, i)])).chain([T::from_entry(innovation.nis)]);
        let row: Vec<f64> = numbers.chain(diagonal).map(Real::to_f64).collect();
        found.push(row.try_into().expect("fourteen"));
    }
    (found, filter.covariance().map(|p| T::from_entry(p).to_f64()))
}

fn start() -> SMatrix<f64, 6, 6> {
    diagonal::<Attitude<f64>, 6>([0.5, 0.5, 0.5, 0.01, 0.01, 0.01])
}

/// The same rotation with the sign of the other quaternion.
fn signed(q: &[f64], like: &[f64]) -> Vec<f64> {
    let sign = q.iter().zip(like).map(|(a, b)| a * b).sum::<f64>().signum();
    q.iter().map(|q| sign * q).collect()
}

#[test]
fn a_step_is_that_of_the_reference() {
    let model = Attitude::<f64>::default();
    let mut x = State::neutral(&model);
    x.q.as_mut().copy_from_slice(&so3::exp(&[0.4, -0.3, 0.8]));
    x.z.as_mut().copy_from_slice(&[0.03, -0.02, 0.05]);
    let (u, h) = ([3.0, -2.0, 5.0], 0.1);
    let mut map = StepMap::<_, _, Fixed<6>>::sized(&model, METHOD, &[]).expect("a map");
    let step = map.step(&x, u, h).expect("a step");
    let phi: [f64; 3] = std::array::from_fn(|i| (u[i] - x.z.as_ref()[i]) * h);
    let end = so3::product(&so3::exp(&[0.4, -0.3, 0.8]), &so3::exp(&phi));
    assert!(off(step.end.q.as_ref(), &end) < 1e-15);
    let a = step.a().fixed::<6, 6>().expect("six by six");
    let unit = |i| std::array::from_fn(|k| if k == i { 1.0 } else { 0.0 });
    for i in 0..3 {
        let turned = so3::rotate(&so3::exp(&phi.map(|x| -x)), &unit(i));
        let by_bias = so3::tangent(&phi, &unit(i)).map(|x| -h * x);
        assert!(off(&std::array::from_fn::<_, 3, _>(|r| a[(r, i)]), &turned) < 1e-15);
        assert!(off(&std::array::from_fn::<_, 3, _>(|r| a[(r, 3 + i)]), &by_bias) < 1e-15);
        assert_eq!(std::array::from_fn(|r| a[(3 + r, i)]), [0.0; 3]);
        assert_eq!(std::array::from_fn(|r| a[(3 + r, 3 + i)]), unit(i));
    }
}

#[test]
fn the_extended_filter_is_the_reference() {
    let model = Attitude::<f64>::default();
    let ekf = Ekf::new(&model, METHOD, &State::neutral(&model), start()).expect("a filter");
    let (found, end) = run(ekf);
    for (k, (found, wanted)) in found.iter().zip(seen()).enumerate() {
        let q = signed(&found[..4], &wanted[6..10]);
        let far = off(&q, &wanted[6..10]).max(off(&found[4..13], &wanted[10..]));
        assert!(far < 1e-12, "{k}: {far} {found:?} {wanted:?}");
    }
    let wanted = [
        [5.841976236250588e-4, 7.74471361768081e-5, -1.9938616721709213e-4],
        [-1.3037797152213706e-4, -8.424802645362245e-5, 2.851004394261451e-5],
    ];
    assert!(off(&[0, 1, 2, 3, 4, 5].map(|c| end[(0, c)]), wanted.as_flattened()) < 1e-12);
    let nis = found[5..].iter().map(|row| row[13]).sum::<f64>() / 45.0 / 6.0;
    assert!((nis - 1.0677946096948425).abs() < 1e-10, "{nis}");
}

#[test]
fn without_the_reset_it_is_the_reference_without() {
    let model = Attitude::<f64>::default();
    let ekf = Ekf::new(&model, METHOD, &State::neutral(&model), start()).expect("a filter").without_reset();
    let found = run(ekf).0[49];
    let q = [0.361742655462746, 0.5183599607136536, -0.6720323225490928, 0.38576904981733917];
    let rest = [
        [0.007163399241913477, -0.03381860930960483, 0.056333309644361416],
        [5.843540338139768e-4, 1.4638020865226578e-4, 2.0982294498492984e-4],
        [1.6503445804335373e-4, 1.6297794274970946e-4, 1.516729552459581e-4],
    ];
    assert!(off(&signed(&found[..4], &q), &q) < 1e-10 && off(&found[4..13], rest.as_flattened()) < 1e-10, "{found:?}");
}

#[test]
fn both_filters_run_in_single_precision() {
    let (double, single) = (Attitude::<f64>::default(), Attitude::<f32>::default());
    let (x, x_single) = (State::neutral(&double), State::neutral(&single));
    let p_single = start().map(|p| p as f32);
    let ekf = run(Ekf::new(&double, METHOD, &x, start()).expect("a filter")).0;
    let ekf_single = run(Ekf::new(&single, METHOD, &x_single, p_single).expect("a filter")).0;
    let ukf = run(Ukf::new(&double, METHOD, &x, start()).expect("a filter")).0;
    let ukf_single = run(Ukf::new(&single, METHOD, &x_single, p_single).expect("a filter")).0;
    for (double, single) in [(&ekf, ekf_single), (&ukf, ukf_single)] {
        for (k, (double, single)) in double.iter().zip(&single).enumerate() {
            // quaternions are of unit size, a bias is measured by its deviation
            let (variances, wide) = (&double[7..13], [10, 11, 12].map(|i| double[i].sqrt()));
            assert!(off(&double[..4], &single[..4]) < 1e-3, "{k}: {double:?} {single:?}");
            assert!(off_by(&double[4..7], &single[4..7], &wide) < 1e-3, "{k}: {double:?} {single:?}");
            assert!(off_by(variances, &single[7..13], variances) < 1e-3, "{k}: {double:?} {single:?}");
        }
    }
    // two approximations of the same
    assert!(off(&ekf[49][..7], &ukf[49][..7]) < 0.02, "{:?} {:?}", ekf[49], ukf[49]);
}
