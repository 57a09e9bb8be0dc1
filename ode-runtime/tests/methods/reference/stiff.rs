//! Stiff problems of first order of the IVP test set, as first-order states without coordinates.

#![allow(clippy::reversed_empty_ranges, reason = "models without coordinates")]

use ode_runtime::integrators::{BackwardEuler, GeneralizedAlpha};
use ode_runtime::{Method, Scalar, Simulation, State};

use crate::common::{On, Plant, on};
use crate::dense_system;

/// "High irradiance response": eight concentrations.
#[derive(Clone, Copy, Debug)]
struct Hires;

impl Plant<0, 8, 0, 0> for Hires {
    fn mass<T: Scalar>(&self, _q: &[T; 0]) -> [[T; 0]; 0] {
        []
    }
    fn force<T: Scalar>(&self, _t: T, _q: &[T; 0], _v: &[T; 0], _z: &[T; 8], _u: &[T; 0]) -> [T; 0] {
        []
    }
    fn rates<T: Scalar>(&self, _t: T, _q: &[T; 0], _v: &[T; 0], z: &[T; 8], _u: &[T; 0]) -> [T; 8] {
        let k = T::from_f64;
        let [a, b, c, d, e, f, g, _] = *z;
        let meeting = k(280.0) * f * z[7];
        [
            k(-1.71) * a + k(0.43) * b + k(8.32) * c + k(0.0007),
            k(1.71) * a - k(8.75) * b,
            k(-10.03) * c + k(0.43) * d + k(0.035) * e,
            k(8.32) * b + k(1.71) * c - k(1.12) * d,
            k(-1.745) * e + k(0.43) * f + k(0.43) * g,
            k(0.69) * d + k(1.71) * e - k(0.43) * f + k(0.69) * g - meeting,
            meeting - k(1.81) * g,
            k(1.81) * g - meeting,
        ]
    }
    fn guess(&self) -> ([f64; 0], [f64; 0], [f64; 8]) {
        ([], [], [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0057])
    }
}
dense_system!(Hires, q 0 [], z 8 ["a", "b", "c", "d", "e", "f", "g", "h"], c 0 [], u 0 [], mass 0, jacobian 0, n 8,
    tangent 64, saddle 0, assembly 0, init [], []);

/// Robertson's reactions.
#[derive(Clone, Copy, Debug)]
struct Rober;

impl Plant<0, 3, 0, 0> for Rober {
    fn mass<T: Scalar>(&self, _q: &[T; 0]) -> [[T; 0]; 0] {
        []
    }
    fn force<T: Scalar>(&self, _t: T, _q: &[T; 0], _v: &[T; 0], _z: &[T; 3], _u: &[T; 0]) -> [T; 0] {
        []
    }
    fn rates<T: Scalar>(&self, _t: T, _q: &[T; 0], _v: &[T; 0], z: &[T; 3], _u: &[T; 0]) -> [T; 3] {
        let k = T::from_f64;
        let (slow, back, fast) = (k(0.04) * z[0], k(1e4) * z[1] * z[2], k(3e7) * z[1] * z[1]);
        [back - slow, slow - back - fast, fast]
    }
    fn guess(&self) -> ([f64; 0], [f64; 0], [f64; 3]) {
        ([], [], [1.0, 0.0, 0.0])
    }
}
dense_system!(Rober, q 0 [], z 3 ["a", "b", "c"], c 0 [], u 0 [], mass 0, jacobian 0, n 3, tangent 9, saddle 0,
    assembly 0, init [], []);

/// Largest relative error.
fn off(got: &[f64], want: &[f64]) -> f64 {
    got.iter().zip(want).map(|(got, want)| (got - want).abs() / want.abs()).fold(0.0, f64::max)
}

#[test]
fn hires_is_of_order_2() {
    let want = [
        0.737_131_257_332_566_8e-3,
        0.144_248_572_631_618_5e-3,
        0.588_872_974_096_757_5e-4,
        0.117_565_134_328_314_9e-2,
        0.238_635_619_883_133_1e-2,
        0.623_896_825_274_279_6e-2,
        0.284_999_839_518_576_9e-2,
        0.285_000_160_481_423_1e-2,
    ];
    let error = |steps: f64| {
        let hires = on(Hires);
        let method = GeneralizedAlpha::with_spectral_radius(0.8);
        let mut run = Simulation::of(&hires, method).fixed(321.8122 / steps).expect("a start");
        run.advance_to(321.8122).expect("steps");
        off(&run.state().z, &want)
    };
    let (coarse, fine) = (error(4000.0), error(8000.0));
    assert!(fine < 1e-5, "{fine:e}");
    assert!(((coarse / fine).log2() - 2.0).abs() < 0.2, "{coarse:e}, {fine:e}");
}

/// From 0 to 10¹¹, `n` steps for each doubling of t from 1e-5 on.
fn over_sixteen_decades(method: impl Method<On<Rober>> + Copy, n: f64) -> State<On<Rober>> {
    let rober = on(Rober);
    let mut end = 1e-5;
    let mut run = Simulation::of(&rober, method).fixed(end / n).expect("a start");
    run.advance_to(end).expect("steps");
    let mut state = run.state().clone();
    while end < 1e11 {
        let next = (2.0 * end).min(1e11);
        let mut run = Simulation::of(&rober, method).given(state).fixed((next - end) / n).expect("a start");
        run.advance_to(next).expect("steps");
        (state, end) = (run.state().clone(), next);
    }
    state
}

#[test]
fn robertsons_reactions_over_sixteen_decades() {
    let want = [0.208_334_014_970_125_5e-7, 0.833_336_077_033_471_3e-13, 0.999_999_979_166_505_0];
    let [coarse, fine] = [20.0, 40.0].map(|n| over_sixteen_decades(BackwardEuler::default(), n).z);
    let order = (off(&coarse, &want) / off(&fine, &want)).log2();
    assert!((order - 1.0).abs() < 0.05, "order {order}");
    assert!(off(&fine, &want) < 1.7e-2, "{fine:?}");
    let extrapolated: [f64; 3] = std::array::from_fn(|i| 2.0 * fine[i] - coarse[i]);
    assert!(off(&extrapolated, &want) < 1e-3, "{extrapolated:?}");
}

#[test]
fn restarts_on_a_stiff_motion_leave_generalised_alpha_its_order() {
    // Each doubling is a run of its own, whose first step is far longer than the fastest reaction.
    let want = [0.208_334_014_970_125_5e-7, 0.833_336_077_033_471_3e-13, 0.999_999_979_166_505_0];
    for (rho, bound) in [(0.0, 3e-4), (0.5, 7e-5), (0.8, 5e-5)] {
        let method = GeneralizedAlpha::with_spectral_radius(rho);
        let [coarse, fine] = [40.0, 80.0].map(|n| off(&over_sixteen_decades(method, n).z, &want));
        assert!(fine < bound, "ρ = {rho}: {fine:e}");
        assert!(((coarse / fine).log2() - 2.0).abs() < 0.25, "ρ = {rho}: {coarse:e}, {fine:e}");
    }
}
