//! Values other programs and closed forms give, each with its source.

#![allow(clippy::excessive_precision, reason = "digits as the source prints them")]

mod common;

use common::plants::{DoublePendulum, Oscillator, Pendulum, Quadratic};
use common::squeezer::{END_LAMBDA, END_Q, END_V, START, Squeezer};
use common::{On, on};
use ode_runtime::integrators::{BackwardEuler, First, GeneralizedAlpha, Geodesic, Multipliers, SemiExplicitEuler};
use ode_runtime::linalg::Kkt;
use ode_runtime::solve::Projection;
use ode_runtime::{Linearize, Method, Nominal, Rates, Residual, Simulation, Solvable, Start, State, System, Weights};

fn fixed<S: Solvable<Real = f64>, M: Method<S>>(system: &S, method: M, h: f64, end: f64) -> State<S> {
    let mut run = Simulation::of(system, method).fixed(h).expect("a start");
    run.advance_to(end).expect("steps");
    run.state().clone()
}

#[track_caller]
fn close(got: f64, want: f64, relative: f64) {
    assert!((got - want).abs() <= relative * want.abs(), "{got:?} is not {want:?}, off by {:e}", (got - want) / want);
}

/// Cartesian pendulum, m = L = 1, g = 9.81: closed form by elliptic functions, C = (x² + y² − 1)/2.
const PENDULUM: [f64; 4] = [-0.986_291_751_131_9, -0.165_010_853_125_5, -0.296_905_515_916_2, 1.774_643_641_112_7];
const PENDULUM_LAMBDA: f64 = -4.856_269_407_483;

#[test]
fn pendulum_by_error_control() {
    let pendulum = on(Pendulum::standard());
    let mut run = Simulation::of(&pendulum, Geodesic).project(Projection::to(1e-13)).adaptive(1e-14).expect("a start");
    run.advance_to(1.0).expect("steps");
    let x = run.state();
    for (got, want) in x.q.iter().chain(&x.v).zip(PENDULUM) {
        close(*got, want, 1e-11);
    }
    close(x.lambda[0], PENDULUM_LAMBDA, 1e-11);
}

/// Errors of the position at t = 1 against the closed form, h = 0.02, 0.01, 0.005, 0.0025.
#[track_caller]
fn position_errors<M: Method<On<Pendulum>> + Copy>(method: M, errors: [f64; 4]) {
    for (h, want) in [0.02, 0.01, 0.005, 0.0025].into_iter().zip(errors) {
        let x = fixed(&on(Pendulum::standard()), method, h, 1.0);
        let error = (x.q[0] - PENDULUM[0]).hypot(x.q[1] - PENDULUM[1]);
        assert!((error - want).abs() < 6e-4 * want, "h = {h}: error {error:e} is not {want:e}");
    }
}

#[test]
fn errors_of_index_3_methods_are_those_of_project_chrono() {
    // Printed with four digits.
    let newmark = [2.347e-3, 5.859e-4, 1.464e-4, 3.660e-5];
    position_errors(GeneralizedAlpha::newmark(0.5, 0.25), newmark);
    position_errors(GeneralizedAlpha::with_spectral_radius(1.0), newmark);
    position_errors(GeneralizedAlpha::hht(-0.2), [3.505e-3, 8.538e-4, 2.107e-4, 5.232e-5]);
    // Of the third row its source prints the first and the last.
    let pendulum = |h| fixed(&on(Pendulum::standard()), GeneralizedAlpha::hht(-0.3), h, 1.0);
    for (h, want) in [(0.02, 3.706e-3), (0.0025, 5.512e-5)] {
        let x = pendulum(h);
        close((x.q[0] - PENDULUM[0]).hypot(x.q[1] - PENDULUM[1]), want, 6e-4);
    }
    position_errors(GeneralizedAlpha::newmark(0.6, 0.3), [3.622e-2, 1.781e-2, 8.827e-3, 4.393e-3]);
    position_errors(BackwardEuler::default(), [2.670e-1, 1.477e-1, 7.810e-2, 4.022e-2]);
}

/// q, v and λ of the pendulum at t = 1 in steps of 0.01 as Project Chrono starts: its a₀ and λ₀ are zero, the forces of the first step's
/// average are those at t = 0 without λ.
fn started_like_project_chrono(method: GeneralizedAlpha<f64>) -> State<On<Pendulum>> {
    let pendulum = on(Pendulum::standard());
    let mut start = State::zeros(&pendulum);
    (start.q, start.a) = ([1.0, 0.0], [0.0, -9.81]);
    let mut method = GeneralizedAlpha { first: First::Zero, multipliers: Multipliers::OfScheme, ..method };
    // Nothing may damp round-off: converge further than usual.
    method.newton.tolerance = 1e-14;
    let mut run = Simulation::of(&pendulum, method).given_with_rates(start).fixed(0.01).expect("a start");
    run.advance_to(1.0).expect("steps");
    run.state().clone()
}

#[test]
fn a_start_given_by_hand_makes_the_steps_of_project_chrono() {
    // Project Chrono, Newton's tolerance 1e-12, 100 steps.
    for rule in [GeneralizedAlpha::newmark(0.5, 0.25), GeneralizedAlpha::trapezoidal(), GeneralizedAlpha::hht(0.0)] {
        let x = started_like_project_chrono(rule);
        let want = [-0.984_631_040_206_06, -0.174_647_400_961_86, -0.322_806_098_492_41, 1.822_009_489_047_9];
        for (got, want) in x.q.iter().chain(&x.v).zip(want) {
            close(*got, want, 1e-11);
        }
        // It oscillates, and so does round-off.
        close(x.lambda[0], -4.050_562_186_459_2, 1e-7);
    }
    let x = started_like_project_chrono(GeneralizedAlpha::newmark(0.6, 0.3));
    let want = [-0.981_852_982_511_24, -0.189_643_667_792_48, -0.342_630_584_952_35, 1.776_180_250_503_7];
    for (got, want) in x.q.iter().chain(&x.v).zip(want) {
        close(*got, want, 1e-11);
    }
    close(x.lambda[0], -5.173_407_466_371_9, 1e-9);
    let x = started_like_project_chrono(GeneralizedAlpha::hht(-0.2));
    let want = [-0.985_221_664_296_11, -0.171_284_185_497_66, -0.313_344_293_374_85, 1.805_243_939_573_3];
    for (got, want) in x.q.iter().chain(&x.v).zip(want) {
        close(*got, want, 2e-11);
    }
    close(x.lambda[0], -5.031_289_693_492_5, 1e-9);
    let x = started_like_project_chrono(GeneralizedAlpha::hht(-0.3));
    close(x.q[0], -0.985_525_981_105_44, 1e-11);
    close(x.q[1], -0.169_524_454_183_32, 1e-11);
    close(x.lambda[0], -4.979_296_901_059_9, 1e-9);
}

#[test]
fn backward_euler_makes_the_steps_of_project_chrono() {
    // h = 0.01, 100 steps; it does not read the accelerations of its start.
    let pendulum = on(Pendulum::standard());
    let method = BackwardEuler { multipliers: Multipliers::OfScheme, ..BackwardEuler::default() };
    let x = fixed(&pendulum, method, 0.01, 1.0);
    let want = [-0.951_218_363_122_14, -0.308_518_436_498_11, -0.485_289_683_211_47, 1.457_969_753_188_5];
    for (got, want) in x.q.iter().chain(&x.v).zip(want) {
        close(*got, want, 1e-11);
    }
    close(x.lambda[0], -5.679_848_316_302, 1e-11);
}

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
fn double_pendulum_in_minimal_coordinates() {
    // Long-double integration; a(0) by hand.
    let pendulum = on(DoublePendulum);
    let start = Start::default().solve(&pendulum, &Nominal).expect("consistent");
    close(start.a[0], -6.341_463_414_634_15, 1e-14);
    close(start.a[1], -1.463_414_634_146_34, 1e-14);
    let mut run = Simulation::of(&pendulum, Geodesic).adaptive(1e-13).expect("a start");
    run.advance_to(1.0).expect("steps");
    let want = [-2.227_202_839_965_53, -1.489_687_701_107_5, -1.949_597_460_876_21, -3.948_042_709_793_94];
    for (got, want) in run.state().q.iter().chain(&run.state().v).zip(want) {
        close(*got, want, 1e-11);
    }
    // Project Chrono's EulerImplicit, h = 1e-3, stops its iterations at 1e-10.
    let x = fixed(&pendulum, BackwardEuler::default(), 1e-3, 1.0);
    close(x.q[0], -2.225_166_743_197_3, 1e-11);
    close(x.q[1], -1.491_711_261_291_2, 1e-11);
}

#[test]
fn semi_explicit_euler_in_its_three_forms() {
    let pendulum = on(DoublePendulum);
    let energy = |x: &State<On<DoublePendulum>>| DoublePendulum::energy(&x.q, &x.v);
    // Implicit in v: long-double integration.
    let x = fixed(&pendulum, SemiExplicitEuler::implicit_velocity(), 0.01, 1.0);
    let want = [-2.233_971_789_381, -1.510_724_989_639, -1.942_504_840_555, -3.938_144_700_203];
    for (got, want) in x.q.iter().chain(&x.v).zip(want) {
        close(*got, want, 1e-12);
    }
    assert!((energy(&x) + 6.09e-3).abs() < 5e-6);
    let x = fixed(&pendulum, SemiExplicitEuler::implicit_velocity(), 1e-3, 1.0);
    close(x.q[0], -2.227_884_363_591, 1e-12);
    close(x.q[1], -1.491_797_587_76, 1e-12);
    // Implicit in q: the same source, printed with nine digits.
    let x = fixed(&pendulum, SemiExplicitEuler::implicit_position(), 0.01, 1.0);
    close(x.q[0], -2.220_329_92, 3e-9);
    close(x.q[1], -1.468_512_85, 3e-9);
    // Explicit: the energy it gains, at t = 1 and t = 50.
    let x = fixed(&pendulum, SemiExplicitEuler::explicit(), 0.01, 1.0);
    assert!((energy(&x) - 2.26e-1).abs() < 5e-4);
    assert!((energy(&fixed(&pendulum, SemiExplicitEuler::explicit(), 0.01, 50.0)) - 0.654).abs() < 5e-4);
    assert!((energy(&fixed(&pendulum, SemiExplicitEuler::implicit_velocity(), 0.01, 50.0)) + 0.0051).abs() < 5e-5);
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
fn geodesic_takes_the_steps_of_simbody() {
    // Simbody's GeodesicIntegrator on its PendulumSystem, t = 20, projection to a tenth of the tolerance.
    let g = 13.750_371_637_329_454_4;
    // (accuracy, tolerance) → taken, attempted, error failures, derivatives, first step.
    let runs = [
        ((1e-3, 1e-4), (274, 335, 61, 1615), 0.1),
        ((1e-6, 1e-10), (1462, 1568, 106, 7735), 0.020_162_2),
        ((1e-9, 1e-10), (8222, 8360, 138, 4 * 8360 + 8222 + 1), 0.004_999_23),
    ];
    let pendulum = on(Pendulum { m: 1.0, g, scale: 0.5, start: [1.0, 0.0] });
    for ((accuracy, tolerance), (taken, attempted, failures, derivatives), first) in runs {
        let setup = Simulation::of(&pendulum, Geodesic).project(Projection::to(tolerance));
        let mut run = setup.adaptive(accuracy).expect("a start");
        run.advance_to(20.0).expect("steps");
        let s = run.statistics();
        assert_eq!((s.taken, s.attempted, s.error_failures), (taken, attempted, failures), "accuracy {accuracy}");
        assert_eq!(s.work.evaluations, derivatives, "accuracy {accuracy}");
        close(s.first_step, first, 5e-6);
        assert_eq!(s.projection_failures, 0);
        let x = run.state();
        if accuracy == 1e-6 {
            let want = [1.000_000_000_001_28, -2.017_762_01e-6, -1.0e-10, -4.947_463e-5];
            for (got, want) in x.q.iter().chain(&x.v).zip(want) {
                assert!((got - want).abs() < 1e-10, "{got:e} is not {want:e}");
            }
        }
        if accuracy == 1e-9 {
            let energy = 0.5 * (x.v[0] * x.v[0] + x.v[1] * x.v[1]) + g * x.q[1];
            assert!((energy + 2.3e-8).abs() < 1e-9, "E − E₀ = {energy:e}");
        }
    }
}

#[test]
fn backward_euler_with_a_force_of_velocities() {
    // OpenSurgSim's Newton–Raphson test, solved to convergence.
    let x = fixed(&on(Quadratic), BackwardEuler::default(), 1e-3, 1e-3);
    let want = [1.399_600_517_738_146_8, 3.534_651_307_532_967, 5.669_702_097_327_787];
    for (got, want) in x.q.iter().zip(want) {
        close(*got, want, 1e-14);
    }
    let want = [-0.399_482_261_853_188_2, -0.348_692_467_032_989_1, -0.297_902_672_212_790_1];
    for (got, want) in x.v.iter().zip(want) {
        close(*got, want, 1e-13);
    }
    let x = fixed(&on(Quadratic), BackwardEuler::default(), 1e-3, 2e-3);
    let want = [1.399_201_549_497_782_8, 3.534_303_913_455_12, 5.669_406_277_412_457];
    for (got, want) in x.q.iter().zip(want) {
        close(*got, want, 1e-14);
    }
    let want = [-0.398_968_240_363_905_44, -0.347_394_077_846_796_3, -0.295_819_915_329_687_3];
    for (got, want) in x.v.iter().zip(want) {
        close(*got, want, 1e-13);
    }
}

/// Residuals |v − v₀ − h f| of Newton's iterates from (x(t), v(t)), with K and D multiplied by `sign`.
fn newton_residuals(h: f64, sign: f64) -> Vec<f64> {
    let system = on(Quadratic);
    let layout = system.layout();
    let (x0, mut v0) = ([0.0; 3], [0.0; 3]);
    let (mut x0, mut none) = (x0, []);
    system.guess(&mut x0, &mut v0, &mut none);
    let mut x = State::zeros(&system);
    (x.q, x.v) = (x0, v0);
    let mut kkt = <On<Quadratic> as Solvable>::Kkt::new(&layout);
    let (mut residual, mut k, mut s) = (Residual::zeros(&layout), [0.0; 9], [0.0; 9]);
    let weights = |rates, velocity, position| Weights { rates, velocity, position, state: 0.0 };
    let norm = |v: &[f64; 3]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
    let mut history = Vec::new();
    for _ in 0..5 {
        x.a = std::array::from_fn(|i| (x.v[i] - v0[i]) / h);
        let rates = Rates { a: &x.a, zdot: &[], lambda: &[] };
        system.tangent(x.at(&[]), rates, weights(0.0, 0.0, h), &[0.0; 3], &mut residual, &mut k);
        system.tangent(x.at(&[]), rates, weights(1.0 / h, 1.0, h), &[0.0; 3], &mut residual, &mut s);
        let mut rhs = residual.r.map(|r| -r);
        for c in 0..3 {
            let gap = (x0[c] + h * x.v[c] - x.q[c]) / h;
            for r in 0..3 {
                let mass = if r == c { 1.0 / h } else { 0.0 };
                s[3 * c + r] = mass + sign * (s[3 * c + r] - mass);
                rhs[r] -= sign * k[3 * c + r] * gap;
            }
        }
        kkt.factorize(&layout, &s).expect("regular");
        kkt.solve(&mut rhs, &mut [], &mut []);
        x.v = std::array::from_fn(|i| x.v[i] + rhs[i]);
        x.q = std::array::from_fn(|i| x0[i] + h * x.v[i]);
        let square: f64 = x.v.iter().map(|v| v * v).sum();
        history.push(norm(&std::array::from_fn(|i| x.v[i] - v0[i] - h * x.q[i] * square)));
    }
    history
}

#[test]
fn newton_converges_quadratically_and_a_wrong_sign_does_not() {
    // Recomputed from OpenSurgSim's test.
    for (h, want) in [(1e-2, &[4.0e-5, 9.4e-11][..]), (1e-1, &[1.6e-2, 7.2e-5, 1.6e-9])] {
        let history = newton_residuals(h, 1.0);
        for (got, want) in history.iter().zip(want) {
            assert!((got - want).abs() < 0.03 * want, "{history:?}");
        }
        assert!(history[want.len()] < 1e-15, "{history:?}");
    }
    let wrong = newton_residuals(1e-2, -1.0);
    for (got, want) in wrong.iter().zip([3.8e-3, 5.4e-4, 7.8e-5]) {
        assert!((got - want).abs() < 0.1 * want, "{wrong:?}");
    }
}

#[test]
fn order_of_backward_euler_and_newmark_on_an_oscillator() {
    // k = 100, m = 10, x₀ = 1: closed form; SOFA's and OpenSurgSim's methods recomputed.
    let euler = [9.489e-2, 4.872e-2, 2.468e-2];
    let newmark = [2.123e-5, 5.415e-6, 1.360e-6];
    let damped = [1.380e-4, 3.461e-5, 8.658e-6];
    for (i, n) in [50.0, 100.0, 200.0].into_iter().enumerate() {
        let free = on(Oscillator { m: 10.0, k: 100.0, c: 0.0, w: 0.0, x: 1.0, v: 0.0 });
        let exact = 10f64.sqrt().cos();
        let error = |x: State<On<Oscillator>>, exact: f64| (x.q[0] - exact).abs();
        let rule = GeneralizedAlpha::newmark(0.5, 0.25);
        close(error(fixed(&free, BackwardEuler::default(), 1.0 / n, 1.0), exact), euler[i], 6e-4);
        close(error(fixed(&free, BackwardEuler::linearized(), 1.0 / n, 1.0), exact), euler[i], 6e-4);
        close(error(fixed(&free, rule, 1.0 / n, 1.0), exact), newmark[i], 6e-4);
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

/// Largest relative error of q, v and λ of the squeezer at t = 0.03; ours is −λ of the source.
fn squeezer_errors<M: Method<On<Squeezer>>>(method: M, h: f64) -> [f64; 3] {
    let squeezer = on(Squeezer);
    let mut run = Simulation::of(&squeezer, method).fixed(h).expect("a start");
    run.advance_to(0.03).expect("steps");
    let worst = |got: &[f64], want: &[f64], sign: f64| {
        got.iter().zip(want).map(|(got, want)| (sign * got - want).abs() / want.abs()).fold(0.0, f64::max)
    };
    assert!(run.drift().expect("finite").0 < 1e-9);
    let x = run.state();
    [worst(&x.q, &END_Q, 1.0), worst(&x.v, &END_V, 1.0), worst(&x.lambda, &END_LAMBDA, -1.0)]
}

#[test]
fn squeezer_starts_consistently_from_one_exact_condition() {
    // IVP test set: a(0) and λ(0) (here with the other sign of λ), all other entries zero.
    let x = Start::default().solve(&on(Squeezer), &Nominal).expect("consistent");
    for (got, want) in x.q.iter().zip(START) {
        assert!((got - want).abs() < 2e-15);
    }
    close(x.a[0], 14_222.443_919_954_1, 1e-12);
    close(x.a[1], -10_666.832_939_965_6, 1e-12);
    close(x.lambda[0], -98.566_870_396_241_1, 1e-12);
    close(x.lambda[1], 6.122_688_344_255_67, 1e-12);
    assert!(x.a[2..].iter().chain(&x.lambda[2..]).all(|rest| rest.abs() < 1e-9));
}

#[test]
fn squeezer_by_generalized_alpha_is_of_order_2_in_q_v_and_lambda() {
    let method = GeneralizedAlpha::with_spectral_radius(0.8);
    let (coarse, fine) = (squeezer_errors(method, 4e-5), squeezer_errors(method, 1e-5));
    let order = |i: usize| (coarse[i] / fine[i]).log(4.0);
    assert!((order(0) - 2.0).abs() < 0.1, "q: {}", order(0));
    assert!((order(1) - 2.0).abs() < 0.1, "v: {}", order(1));
    assert!((order(2) - 2.0).abs() < 0.3, "λ: {}", order(2));
    assert!(fine[0] < 5e-5, "error in q: {:e}", fine[0]);
}
