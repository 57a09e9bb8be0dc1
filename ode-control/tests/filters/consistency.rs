//! Errors and innovations are as large as covariances say, over many seeds.

use ode_control::{Ekf, Filter, Transform, Ukf};
use ode_model::integrators::{RungeKutta4, Vary};
use ode_model::linalg::SMatrix;
use ode_model::variation::{Columns, Fixed};
use ode_model::{State, StepMap, so3};

use crate::attitude::{METHOD, SEEN};
use crate::models::{Attitude, Pendulum};
use crate::pendulum::{H, NOISE, diagonal, start};

/// Normal numbers: splitmix64, then Box and Muller.
struct Normal(u64);

impl Normal {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn one(&mut self) -> f64 {
        let (u, v) = (1.0 - self.uniform(), self.uniform());
        (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
    }

    fn three(&mut self, deviation: f64) -> [f64; 3] {
        std::array::from_fn(|_| deviation * self.one())
    }
}

type Model = Attitude<f64>;

const RUNS: u64 = 20;
const DT: f64 = 0.01;
/// of the gyroscope, in rad/√s; of its bias, in rad/s/√s; of a direction; of the start
const GYRO: f64 = 0.02;
const BIAS: f64 = 0.005;
const SEES: f64 = 0.03;
const START: [f64; 2] = [0.2, 0.05];

/// Sums of NEES at the end and of NIS, over the runs, and how many updates there were, of filters that `make` makes at
/// a state.
fn run<'a, M, K, F>(
    model: &'a Model,
    make: impl Fn(&State<Model>, SMatrix<f64, 6, 6>) -> Filter<'a, Model, M, K, F, 6>,
) -> (f64, f64, u32)
where
    M: Vary<Model>,
    K: Columns,
    F: Transform<Model, 6>,
{
    let (mut nees, mut nis, mut updates) = (0.0, 0.0, 0);
    for seed in 0..RUNS {
        let mut normal = Normal(seed);
        let mut truth = State::neutral(model);
        let mut at = truth.clone();
        at.q.as_mut().copy_from_slice(&so3::exp(&normal.three(0.5)));
        truth
            .q
            .as_mut()
            .copy_from_slice(&so3::retract(&core::array::from_fn(|i| at.q.as_ref()[i]), &normal.three(START[0])));
        truth.z.as_mut().copy_from_slice(&normal.three(START[1]));
        let [a, b] = START.map(|x| x * x);
        let mut filter = make(&at, SMatrix::from_diagonal(&[a, a, a, b, b, b].into()));
        let sensor = filter.sensor(SEEN).expect("a sensor");
        let bias = BIAS * BIAS * DT;
        let q = SMatrix::from_diagonal(&[0.0, 0.0, 0.0, bias, bias, bias].into());
        let (q_u, r) = (SMatrix::<f64, 3, 3>::identity() * (GYRO * GYRO / DT), SMatrix::identity() * (SEES * SEES));
        for k in 0..120 {
            let t = f64::from(k) * DT;
            let rate = [(1.3 * t).sin(), 0.8 * (0.9 * t).cos(), 0.5 + 0.3 * (2.0 * t).sin()];
            let noise = normal.three(GYRO / DT.sqrt());
            let gyro = std::array::from_fn(|i| rate[i] + truth.z.as_ref()[i] + noise[i]);
            let turned = so3::retract(&core::array::from_fn(|i| truth.q.as_ref()[i]), &rate.map(|x| x * DT));
            truth.q.as_mut().copy_from_slice(&turned);
            truth.z.as_mut().iter_mut().zip(normal.three(BIAS * DT.sqrt())).for_each(|(b, by)| *b += by);
            filter.predict_driven(gyro, DT, &q, &q_u).expect("a step");
            if k % 10 == 9 {
                let y = model.outputs(truth.at(&[0.0; 3].into()), truth.rates());
                let z: [f64; 6] = std::array::from_fn(|i| y.as_ref()[i] + SEES * normal.one());
                let innovation = filter.update(&sensor, z, &r).expect("a correction");
                // at first an error of a fifth of a radian is not small
                if k > 50 {
                    (nis, updates) = (nis + innovation.nis, updates + 1);
                }
            }
        }
        nees += filter.nees(&truth).expect("a number");
    }
    (nees, nis, updates)
}

/// Both sums are χ² with six degrees of freedom each: within 3.3 of their deviations.
fn check((nees, nis, updates): (f64, f64, u32)) {
    for (sum, of, count) in [(nees, "NEES", RUNS as f64), (nis, "NIS", f64::from(updates))] {
        let free = 6.0 * count;
        assert!((sum - free).abs() < 3.3 * (2.0 * free).sqrt(), "{of}: {sum} of {free}");
    }
}

#[test]
fn the_extended_filter_is_consistent() {
    let model = Model::default();
    check(run(&model, |x, p| {
        let map = StepMap::<_, _, Fixed<9>>::sized(&model, METHOD, &[]).expect("a map");
        Ekf::of(map, x, p).expect("a filter")
    }));
}

#[test]
fn the_unscented_filter_is_consistent() {
    let model = Model::default();
    check(run(&model, |x, p| Ukf::new(&model, METHOD, x, p).expect("a filter")));
}

/// Runs of the pendulum, so many that an error of a third in a covariance is four times what chance allows.
const PENDULA: u64 = 600;

/// Sums of NEES at the end and of NIS over all updates, and how many these are; filters get covariances `wrong` times
/// those of the noise.
fn swings<'a, M, K, F>(
    model: &'a Pendulum<f64>,
    wrong: f64,
    make: impl Fn(&State<Pendulum<f64>>, SMatrix<f64, 2, 2>) -> Filter<'a, Pendulum<f64>, M, K, F, 2>,
) -> (f64, f64, u32)
where
    M: Vary<Pendulum<f64>>,
    K: Columns,
    F: Transform<Pendulum<f64>, 2>,
{
    let (mut nees, mut nis, mut updates) = (0.0, 0.0, 0);
    let (wide, process) = ([0.0025, 0.01], [1e-6_f64, 1e-4]);
    let covariance = |variances| diagonal::<Pendulum<f64>, 2>(variances) * wrong;
    let (q, r) = (covariance(process), diagonal::<Pendulum<f64>, 1>([NOISE]) * wrong);
    let mut map = StepMap::<_, _, Fixed<0>>::sized(model, RungeKutta4, &[]).expect("a map");
    for seed in 0..PENDULA {
        let mut normal = Normal(seed);
        let mut shake = |x: &mut State<Pendulum<f64>>, variances: [f64; 2]| {
            x.q.as_mut()[0] += variances[0].sqrt() * normal.one();
            x.v.as_mut()[0] += variances[1].sqrt() * normal.one();
            NOISE.sqrt() * normal.one()
        };
        let mut truth = start(model);
        let mut filter = make(&truth, covariance(wide));
        let encoder = filter.sensor(["encoder"]).expect("a sensor");
        shake(&mut truth, wide);
        for _ in 0..15 {
            truth = map.step(&truth, [], H).expect("a step").end.clone();
            let noise = shake(&mut truth, process);
            filter.predict([], H, &q).expect("a step");
            let innovation = filter.update(&encoder, [truth.q.as_ref()[0] + noise], &r).expect("a correction");
            (nis, updates) = (nis + innovation.nis, updates + 1);
        }
        nees += filter.nees(&truth).expect("a number");
    }
    (nees, nis, updates)
}

/// How many deviations of χ² the sums are off, with two degrees of freedom a NEES and one a NIS.
fn deviations((nees, nis, updates): (f64, f64, u32)) -> [f64; 2] {
    [(nees, 2.0 * PENDULA as f64), (nis, f64::from(updates))].map(|(sum, free)| (sum - free) / (2.0 * free).sqrt())
}

#[test]
fn an_error_of_a_third_is_noticed() {
    let model = Pendulum::default();
    for (wrong, range) in [(1.0, -3.3..3.3), (4.0 / 3.0, -1e3..-5.0), (0.75, 5.0..1e3)] {
        let ekf = swings(&model, wrong, |x, p| Ekf::new(&model, RungeKutta4, x, p).expect("a filter"));
        let ukf = swings(&model, wrong, |x, p| Ukf::new(&model, RungeKutta4, x, p).expect("a filter"));
        for found in [ekf, ukf].map(deviations) {
            assert!(found.iter().all(|off| range.contains(off)), "{wrong}: {found:?}");
        }
    }
}
