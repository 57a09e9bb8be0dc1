//! One mass and what pulls at it: springs, dampers, weight.

use ode_runtime::integrators::{
    BackwardEuler, Bdf2, DormandPrince, First, GeneralizedAlpha, ImplicitMidpoint, RungeKutta4, SemiExplicitEuler,
};
use ode_runtime::{Scalar, Simulation, State};

use super::{all_close, close, fixed};
use crate::common::plants::{Duffing, Oscillator};
use crate::common::{On, Plant, on};
use crate::dense_system;

#[test]
fn a_damper_acts_once() {
    // m = c = v₀ = 1. (1 + h)⁻¹⁰⁰⁰; the other values from Project Chrono with a₀ = −1.
    let damper = on(Oscillator { m: 1.0, k: 0.0, c: 1.0, w: 0.0, x: 0.0, v: 1.0 });
    close(fixed(&damper, BackwardEuler::linearized(), 1e-3, 1.0).v[0], 0.368_063_304_289, 1e-11);
    close(fixed(&damper, BackwardEuler::default(), 1e-3, 1.0).v[0], 0.368_063_304_289, 1e-11);
    close(fixed(&damper, GeneralizedAlpha::hht(-0.2), 1e-3, 1.0).v[0], 0.367_879_410_526, 2e-12);
    close(fixed(&damper, GeneralizedAlpha::newmark(0.5, 0.25), 1e-3, 1.0).v[0], 0.367_879_410_515, 2e-12);
    close(fixed(&damper, GeneralizedAlpha::newmark(0.6, 0.3), 1e-3, 1.0).v[0], 0.367_916_196_626, 2e-12);
}

#[test]
fn a_stiff_damper_needs_the_form_implicit_in_v() {
    // m = 1, k = 100, c = 1000, h = 0.01: closed form of the recursion in long double.
    let stiff = on(Oscillator { m: 1.0, k: 100.0, c: 1000.0, w: 0.0, x: 1.0, v: 0.0 });
    let x = fixed(&stiff, SemiExplicitEuler::implicit_velocity(), 0.01, 1.0);
    close(x.q[0], 0.904_873_766_095_599, 1e-12);
    close(x.v[0], -0.090_587_032_321_660_3, 1e-12);
    let x = fixed(&stiff, SemiExplicitEuler::explicit(), 0.01, 0.2);
    assert!(x.q[0] > 1e16, "the explicit form should have exploded: {}", x.q[0]);
}

#[test]
fn order_of_backward_euler_bdf_2_and_newmark_on_an_oscillator() {
    // k = 100, m = 10, x₀ = 1: closed form; SOFA's and OpenSurgSim's methods recomputed.
    let euler = [9.489e-2, 4.872e-2, 2.468e-2];
    let newmark = [2.123e-5, 5.415e-6, 1.360e-6];
    let bdf = [3.094e-3, 7.522e-4, 1.851e-4];
    let damped = [1.380e-4, 3.461e-5, 8.658e-6];
    for (i, n) in [50.0, 100.0, 200.0].into_iter().enumerate() {
        let free = on(Oscillator { m: 10.0, k: 100.0, c: 0.0, w: 0.0, x: 1.0, v: 0.0 });
        let exact = 10f64.sqrt().cos();
        let error = |x: State<On<Oscillator>>, exact: f64| (x.q[0] - exact).abs();
        let rule = GeneralizedAlpha::newmark(0.5, 0.25);
        close(error(fixed(&free, BackwardEuler::default(), 1.0 / n, 1.0), exact), euler[i], 6e-4);
        close(error(fixed(&free, BackwardEuler::linearized(), 1.0 / n, 1.0), exact), euler[i], 6e-4);
        close(error(fixed(&free, rule, 1.0 / n, 1.0), exact), newmark[i], 6e-4);
        close(error(fixed(&free, Bdf2::default(), 1.0 / n, 1.0), exact), bdf[i], 6e-4);
        let lossy = on(Oscillator { c: 5.0, ..free.0 });
        close(error(fixed(&lossy, rule, 1.0 / n, 1.0), -0.779_421_718_144), damped[i], 6e-4);
    }
}

#[test]
fn energy_of_the_euler_methods() {
    // m = 0.05, k = 1, x₀ = 1, h = 1e-3, 2001 steps: OpenSurgSim, E₀ = 0.5.
    let free = on(Oscillator { m: 0.05, k: 1.0, c: 0.0, w: 0.0, x: 1.0, v: 0.0 });
    let energy = |x: &State<On<Oscillator>>| 0.5 * 0.05 * x.v[0] * x.v[0] + 0.5 * x.q[0] * x.q[0];
    let (mut last, mut run) = (0.5, Simulation::of(&free, BackwardEuler::default()).fixed(1e-3).expect("a start"));
    for _ in 0..2001 {
        run.step_towards(10.0).expect("a step");
        assert!(energy(run.state()) < last);
        last = energy(run.state());
    }
    close(last, 0.480_385_304_025_446_1, 1e-12);

    let (mut low, mut high) = (f64::INFINITY, 0.0_f64);
    let mut run = Simulation::of(&free, SemiExplicitEuler::explicit()).fixed(1e-3).expect("a start");
    for _ in 0..2001 {
        run.step_towards(10.0).expect("a step");
        low = low.min(energy(run.state()));
        high = high.max(energy(run.state()));
    }
    close(low, 0.498_884_461_424_957_68, 1e-12);
    close(high, 0.501_120_539_216_590_4, 1e-12);

    let period = 1.404_962_946_208_145_2;
    let x = fixed(&free, SemiExplicitEuler::explicit(), period / 2048.0, period);
    close((x.q[0] - 1.0).abs(), 3.783e-9, 2e-4);
}

#[test]
fn a_falling_mass_point() {
    // m = 0.456, c = 0.1, g = −9.81, y₀ = 1.15, v₀ = 0.05, h = 1e-3, two steps: OpenSurgSim.
    let point = on(Oscillator { m: 0.456, k: 0.0, c: 0.1, w: -9.81 * 0.456, x: 1.15, v: 0.05 });
    let x = fixed(&point, BackwardEuler::default(), 1e-3, 2e-3);
    close(x.v[0], 0.030_364_529_447_854_428, 1e-13);
    close(x.q[0], 1.150_070_545_717_783_8, 1e-15);
    let x = fixed(&point, SemiExplicitEuler::explicit(), 1e-3, 2e-3);
    close(x.v[0], 0.030_360_223_895_814_08, 1e-13);
    close(x.q[0], 1.150_070_539_258_983_4, 1e-15);
}

#[test]
fn stiff_duffing() {
    // Long-double integration at t = 0.5 and 5.
    let duffing = on(Duffing);
    let mut run = Simulation::of(&duffing, DormandPrince).fixed(5e-5).expect("a start");
    run.advance_to(0.5).expect("steps");
    close(run.state().q[0], -0.041_092_099_622_985, 1e-11);
    close(run.state().v[0], 5.763_334_579_097_23, 1e-11);
    run.advance_to(5.0).expect("steps");
    close(run.state().q[0], 0.003_818_930_467_189_96, 1e-11);
    close(run.state().v[0], 0.087_617_760_333_802_5, 1e-11);

    // Project Chrono, h = 0.01, 50 steps, from a = 0.
    let x = fixed(&duffing, BackwardEuler::default(), 0.01, 0.5);
    close(x.q[0], -0.004_388_420_223_990_5, 1e-11);
    close(x.v[0], 0.046_024_601_458_03, 1e-11);
    let without_start = |method: GeneralizedAlpha<f64>| {
        let mut start = State::neutral(&duffing);
        (start.q, start.a) = ([0.1], [50.0 - 1e3 - 1e3]);
        let method = GeneralizedAlpha { first: First::Zero, ..method };
        let mut run = Simulation::of(&duffing, method).given_with_rates(start).fixed(0.01).expect("a start");
        run.advance_to(0.5).expect("steps");
        run.state().q[0]
    };
    close(without_start(GeneralizedAlpha::newmark(0.6, 0.3)), -0.010_026_168_665_26, 1e-11);
    close(without_start(GeneralizedAlpha::hht(-0.2)), 0.021_042_478_682_434, 1e-11);
}

#[test]
fn stiff_damper() {
    // x″ + 1000 x′ + 100 x = 0 from (1, 0), where the eigenvalues are −0.10001 and −999.9: closed form.
    let damper = on(Oscillator { m: 1.0, k: 100.0, c: 1000.0, w: 0.0, x: 1.0, v: 0.0 });
    let mut run = Simulation::of(&damper, DormandPrince).adaptive(1e-14).expect("a start");
    run.advance_to(1.0).expect("steps");
    close(run.state().q[0], 0.904_918_877_887_603_83, 1e-12);
    close(run.state().v[0], -0.090_500_938_787_829_61, 1e-12);
}

/// x″ = μ (1 − x²) x′ − x.
#[derive(Clone, Copy, Debug)]
struct VanDerPol {
    mu: f64,
}

impl Plant<1, 0, 0, 0> for VanDerPol {
    fn mass<T: Scalar>(&self, _q: &[T; 1]) -> [[T; 1]; 1] {
        [[T::ONE]]
    }
    fn force<T: Scalar>(&self, _t: T, q: &[T; 1], v: &[T; 1], _z: &[T; 0], _u: &[T; 0]) -> [T; 1] {
        [T::from_f64(self.mu) * (T::ONE - q[0] * q[0]) * v[0] - q[0]]
    }
    fn guess(&self) -> ([f64; 1], [f64; 1], [f64; 0]) {
        ([2.0], [0.0], [])
    }
}
dense_system!(VanDerPol, q 1 ["x"], z 0 [], c 0 [], u 0 [], mass 1, jacobian 0, n 1, tangent 1, saddle 1, assembly 1,
    init [], []);

#[test]
fn van_der_pol() {
    // μ = 10, t = 20: SciPy's DOP853 at 1e-13, and Project Chrono's RK4 with h = 1e-3 and EulerImplicit with h = 0.01.
    let slow = on(VanDerPol { mu: 10.0 });
    let mut run = Simulation::of(&slow, DormandPrince).adaptive(1e-12).expect("a start");
    run.advance_to(20.0).expect("steps");
    close(run.state().q[0], 1.939_358_532_782_65, 1e-11);
    close(fixed(&slow, RungeKutta4, 1e-3, 20.0).q[0], 1.939_358_533_35, 5e-12);
    close(fixed(&slow, BackwardEuler::default(), 0.01, 20.0).q[0], 1.807_178_647_77, 1e-10);
}

#[test]
fn stiff_van_der_pol() {
    // IVP test set, μ = 1000 at t = 2000: a jump at t = 807 and one at 1614 between slow motions.
    let stiff = on(VanDerPol { mu: 1000.0 });
    let method = GeneralizedAlpha::with_spectral_radius(0.5);
    // Errors of the slow motions move the jumps.
    for (accuracy, digits, most) in [(1e-5, 4e-4, 5000), (1e-8, 1e-5, 100_000)] {
        let mut run = Simulation::of(&stiff, method).adaptive(accuracy).expect("a start");
        run.advance_to(2000.0).expect("steps");
        close(run.state().q[0], 1.706_167_732_170_469, digits);
        close(run.state().v[0], -8.928_097_010_248_125e-4, 2.5 * digits);
        assert!(run.statistics().taken < most, "{:?}", run.statistics());
    }
}

#[test]
fn springs_of_sofa_by_backward_euler() {
    // SOFA's spring test: y″ = −k/m (y − 1) − g + Rayleigh damping, g = 10, from y = 1 at rest; y after n steps of h.
    // Rayleigh's factors of M and K are a damper of rM m + rK k.
    // h, k, m and Rayleigh's factors of M and K, then n and y
    let rows = [
        ([0.1, 100.0, 10.0, 0.0, 0.0], 1.0, 0.909_090_909_090_909_06),
        ([0.1, 100.0, 10.0, 0.0, 0.0], 5.0, 0.031_046_066_152_957_685),
        ([0.1, 100.0, 10.0, 0.0, 0.0], 10.0, -0.618_993_606_612_007_53),
        ([0.1, 100.0, 10.0, 0.0, 0.0], 20.0, 0.380_762_880_623_549_74),
        ([0.1, 100.0, 10.0, 0.1, 0.1], 1.0, 0.917_355_371_900_826_5),
        ([0.1, 100.0, 10.0, 0.1, 0.1], 10.0, -0.353_182_820_002_781_34),
        ([0.1, 100.0, 10.0, 0.1, 0.1], 20.0, 0.113_725_237_987_700_33),
        ([0.01, 10.0, 10.0, 0.0, 0.1], 200.0, -12.290_648_883_379_752),
        ([0.001, 10.0, 100.0, 0.1, 0.0], 2000.0, -17.129_449_035_318_821),
    ];
    for ([h, k, m, by_mass, by_stiffness], n, want) in rows {
        let spring = on(Oscillator { m, k, c: by_mass * m + by_stiffness * k, w: k - 10.0 * m, x: 1.0, v: 0.0 });
        all_close(&fixed(&spring, BackwardEuler::default(), h, n * h).q, &[want], 1e-12);
        all_close(&fixed(&spring, BackwardEuler::linearized(), h, n * h).q, &[want], 1e-12);
    }
}

#[test]
fn the_midpoint_makes_the_steps_of_sofas_variational_solver() {
    // SOFA's test of its VariationalSymplecticSolver without damping: k = 100, m = 1, h = 0.01, a weight of 10 on a
    // spring at rest length, 200 steps by its recursion, to 9e-15, and a constant energy. (With Rayleigh damping the
    // solver is no midpoint rule: the velocity of the middle has seen the damping of a whole step.)
    let (h, k, m, weight) = (0.01, 100.0, 1.0, 10.0);
    let spring = on(Oscillator { m, k, c: 0.0, w: k - weight, x: 1.0, v: 0.0 });
    let mut run = Simulation::of(&spring, ImplicitMidpoint::default()).fixed(h).expect("a start");
    let (mut x, mut momentum) = (1.0_f64, 0.0);
    for step in 1..=200 {
        let middle = 2.0 * (-h * weight - h * k * (x - 1.0) + 2.0 * momentum) / (4.0 * m + h * h * k);
        momentum = m * middle + 0.5 * h * (-k * (x - 1.0 + 0.5 * h * middle) - weight);
        x += h * middle;
        run.step_towards(h * f64::from(step)).expect("a step");
        let state = run.state();
        assert!((state.q[0] - x).abs() < 9e-15, "step {step}: {:?} is not {x:?}", state.q[0]);
        let stretch = state.q[0] - 1.0;
        let energy = 0.5 * m * state.v[0] * state.v[0] + 0.5 * k * stretch * stretch + weight * state.q[0];
        assert!((energy - weight).abs() < 8e-15, "step {step}: {:e}", energy - weight);
    }
}
