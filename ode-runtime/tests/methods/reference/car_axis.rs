//! The car axis of the IVP test set: rheonomic, index 3.

use ode_runtime::Simulation;
use ode_runtime::integrators::{DormandPrince, GeneralizedAlpha};
use ode_runtime::solve::Projection;
use ode_runtime::{Nominal, Scalar, Start};

use super::{all_close, fixed};
use crate::common::{Plant, on};
use crate::dense_system;

/// Left and right end of a bar of length 1 on springs; the right wheel follows (√(1 − y_b²), y_b), y_b = 0.1 sin 10 t.
#[derive(Clone, Copy, Debug)]
struct CarAxis;

/// ε² M/2 with ε = 0.01, M = 10
const K: f64 = 5e-4;
const REST: f64 = 0.5;

fn wheel<T: Scalar>(t: T) -> [T; 2] {
    let y = T::from_f64(0.1) * (T::from_f64(10.0) * t).sin();
    [(T::ONE - y * y).sqrt(), y]
}

/// Force of a spring of stiffness 1 along `arm`.
fn pull<T: Scalar>(arm: [T; 2]) -> [T; 2] {
    let length = (arm[0] * arm[0] + arm[1] * arm[1]).sqrt();
    arm.map(|x| (T::from_f64(REST) - length) * x / length)
}

impl Plant<4, 0, 2, 0> for CarAxis {
    fn mass<T: Scalar>(&self, _q: &[T; 4]) -> [[T; 4]; 4] {
        std::array::from_fn(|i| std::array::from_fn(|j| if i == j { T::from_f64(K) } else { T::ZERO }))
    }
    fn force<T: Scalar>(&self, t: T, q: &[T; 4], _v: &[T; 4], _z: &[T; 0], _u: &[T; 0]) -> [T; 4] {
        let ([x, y], weight) = (wheel(t), T::from_f64(K));
        let (left, right) = (pull([q[0], q[1]]), pull([q[2] - x, q[3] - y]));
        [left[0], left[1] - weight, right[0], right[1] - weight]
    }
    fn phi<T: Scalar>(&self, t: T, q: &[T; 4]) -> [T; 2] {
        let ([x, y], [dx, dy]) = (wheel(t), [q[0] - q[2], q[1] - q[3]]);
        [q[0] * x + q[1] * y, dx * dx + dy * dy - T::ONE]
    }
    fn guess(&self) -> ([f64; 4], [f64; 4], [f64; 0]) {
        ([0.0, 0.5, 1.0, 0.5], [-0.5, 0.0, -0.5, 0.0], [])
    }
}
dense_system!(CarAxis, q 4 ["xl", "yl", "xr", "yr"], z 0 [], c 2 ["ground", "bar"], u 0 [], mass 10, jacobian 8, n 6,
    tangent 36, saddle 6, assembly 6, init [], []);

/// At t = 3: 128-bit extrapolation, which agrees with the digits of the test set, 1.6e-13. λ is that of the test set,
/// as here.
const Q: [f64; 4] =
    [4.934_557_842_752_409e-2, 0.496_989_460_230_008_1, 1.041_742_524_885_426_1, 0.373_911_027_265_365_8];
const V: [f64; 4] =
    [-7.705_836_840_359_208e-2, 7.446_866_592_068_417e-3, 1.755_681_575_354_173_7e-2, 0.770_341_043_779_601_1];
const A: [f64; 4] = [-4.930_286_874_841_928, 0.520_265_802_739_328, 0.522_011_199_915_513, 49.284_321_166_943_57];
const LAMBDA: [f64; 2] = [-4.736_886_590_853_326_5e-3, -1.104_680_331_259_565_8e-3];

#[test]
fn car_axis_by_error_control() {
    let axis = on(CarAxis);
    let x = Start::default().solve(&axis, &Nominal).expect("consistent");
    assert!(x.lambda.iter().all(|l| l.abs() < 1e-14), "the start of the test set has λ = 0: {:?}", x.lambda);
    let mut run = Simulation::of(&axis, DormandPrince).project(Projection::to(1e-13)).adaptive(1e-12).expect("a start");
    run.advance_to(3.0).expect("steps");
    let x = run.state();
    all_close(&x.q, &Q, 1e-11);
    all_close(&x.v, &V, 1e-10);
    all_close(&x.a, &A, 1e-10);
    all_close(&x.lambda, &LAMBDA, 1e-10);
}

#[test]
fn car_axis_by_generalized_alpha_is_of_order_2_in_q_v_and_lambda() {
    let errors = |h: f64| {
        let x = fixed(&on(CarAxis), GeneralizedAlpha::with_spectral_radius(0.8), h, 3.0);
        let off = |got: &[f64], want: &[f64]| got.iter().zip(want).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        [off(&x.q, &Q), off(&x.v, &V), off(&x.lambda, &LAMBDA)]
    };
    let (coarse, fine) = (errors(2e-3), errors(1e-3));
    for (i, (coarse, fine)) in coarse.iter().zip(fine).enumerate() {
        assert!(((coarse / fine).log2() - 2.0).abs() < 0.1, "entry {i}: {coarse:e}, {fine:e}");
    }
}
