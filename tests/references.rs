//! Values other programs and closed forms give, reached through `model!` blocks. Each has its source.

#![allow(clippy::excessive_precision, reason = "digits as the source prints them")]

use ode_model::linalg::SMatrix;
use ode_model::prelude::*;
use ode_model::{Method, Rates, Solvable};

model! {
    /// Cartesian pendulum whose constraint is (x² + y² − l²)/2.
    pub struct Pendulum<T> {
        param m: Real [kg] = 1.0;
        param l: Real [m] = 1.0;
        param g: Real [m/s^2] = 9.81;
        coord (r, v): Vec2 [m];
        kinetic = 0.5 * m * v.dot(v);
        potential = m * g * r.y;
        constraint rod: 0.5 * r.dot(r) == 0.5 * sq(l);
        init r = vec2(l, 0.0);
        init v = vec2(0.0, 0.0);
    }
}

model! {
    /// Two bars by their absolute angles from the horizontal: M = [2.25, ½cos(q2 − q1); ·, 1.25], V = 15 sin q1 + 5 sin
    /// q2.
    pub struct DoublePendulum {
        param m: Real [kg] = 1.0;
        param l: Real [m] = 1.0;
        param j: Real [kg*m^2] = 1.0;
        param g: Real [m/s^2] = 10.0;
        coord q1, q2: Angle;
        let hinge = l * vec2(cos(q1), sin(q1));
        body first on frame2(0.5 * hinge, q1) { mass: m, inertia: j }
        body second on frame2(hinge + 0.5 * l * vec2(cos(q2), sin(q2)), q2) { mass: m, inertia: j }
        gravity = vec2(0.0, -g);
    }
}

model! {
    /// m a = −k x − c v + w: mass, spring, damper and weight.
    pub struct Oscillator<T> {
        param m: Real = 1.0;
        param k: Real = 0.0;
        param c: Real = 0.0;
        param w: Real = 0.0;
        param x0: Real = 0.0;
        param v0: Real = 0.0;
        coord (x, v): Real;
        kinetic = 0.5 * m * sq(v);
        potential = 0.5 * k * sq(x) - w * x;
        dissipation = 0.5 * c * sq(v);
        init x = x0;
        init v = v0;
    }
}

model! {
    /// a = x (v·v): a force of positions and velocities.
    pub struct Quadratic {
        coord (x, v): Vec3;
        kinetic = 0.5 * v.dot(v);
        force field on x = v.dot(v) * x;
        init x = vec3(1.4, 3.535, 5.67);
        init v = vec3(-0.4, -0.35, -0.3);
    }
}

model! {
    /// Two points joined by a damped spring.
    pub struct Link<T> {
        param k: Real [N/m] = 0.34;
        param d: Real [N*s/m] = 0.45;
        param rest: Real [m] = 1.23;
        param m: Real [kg] = 1.0;
        coord (x0, v0), (x1, v1): Vec3 [m];
        kinetic = 0.5 * m * (v0.dot(v0) + v1.dot(v1));
        spring s on (x0, x1) { k: k, rest: rest, damping: d }
        init x0 = vec3(0.0, 0.0, 0.0);
        init x1 = vec3(2.3, 4.1, 1.2);
        init v0 = vec3(0.1, 0.2, 0.5);
        init v1 = vec3(-0.3, -0.14, 0.0);
    }
}

model! {
    /// A slider-crank of bodies with coordinates of their own, whose joints are conditions on velocities: of index 2.
    pub struct SliderCrank {
        param: Real [kg] { m1 = 0.2; m2 = 0.4; m3 = 0.3; }
        param: Real [m] { l1 = 0.15; l2 = 0.35; }
        param j3: Real [kg*m^2] = 1.0e-3;
        param g: Real [m/s^2] = 9.81;
        coord r1, r2, r3: Vec2 [m];
        coord a1, a2, a3: Angle;
        body crank on frame2(r1, a1) { mass: m1, inertia: m1 * sq(l1) / 12.0 }
        body rod on frame2(r2, a2) { mass: m2, inertia: m2 * sq(l2) / 12.0 }
        body slider on frame2(r3, a3) { mass: m3, inertia: j3 }
        gravity = vec2(0.0, -g);
        let turn1 = 0.5 * l1 * der(a1) * vec2(-sin(a1), cos(a1));
        let turn2 = 0.5 * l2 * der(a2) * vec2(-sin(a2), cos(a2));
        #[allow(holonomic)]
        constraint pivot: der(r1) == turn1;
        #[allow(holonomic)]
        constraint pin: der(r1) + turn1 == der(r2) - turn2;
        #[allow(holonomic)]
        constraint wrist: der(r2) + turn2 == der(r3);
        #[allow(holonomic)]
        constraint rail: der(r3.y) == 0.0;
        #[allow(holonomic)]
        constraint level: der(a3) == 0.0;
        let half1 = 0.5 * l1 * vec2(cos(0.5), sin(0.5));
        let lean = -asin(l1 * sin(0.5) / l2);
        let half2 = 0.5 * l2 * vec2(cos(lean), sin(lean));
        init a1 = 0.5;
        init a2 = lean;
        init a3 = 0.0;
        init r1 = half1;
        init r2 = 2.0 * half1 + half2;
        init r3 = 2.0 * half1 + 2.0 * half2;
        init der(a1) = 20.0;
    }
}

fn fixed<S: Solvable<Real = f64>, M: Method<S>>(system: &S, method: M, h: f64, end: f64) -> State<S> {
    let mut run = Simulation::of(system, method).fixed(h).expect("a start");
    run.advance_to(end).expect("steps");
    run.state().clone()
}

#[track_caller]
fn close(got: f64, want: f64, relative: f64) {
    assert!((got - want).abs() <= relative * want.abs(), "{got:?} is not {want:?}, off by {:e}", (got - want) / want);
}

#[track_caller]
fn all_close(got: &[f64], want: &[f64], relative: f64) {
    assert_eq!(got.len(), want.len());
    for (got, want) in got.iter().zip(want) {
        close(*got, *want, relative);
    }
}

/// The pendulum at t = 1, g = 9.81, from rest at (1, 0): long-double integration of (x, y, ẋ, ẏ), and λ = 3 g y.
const PENDULUM: [f64; 4] = [-0.986_291_751_131_9, -0.165_010_853_125_5, -0.296_905_515_916_2, 1.774_643_641_112_7];
const PENDULUM_LAMBDA: f64 = -4.856_269_407_483;

#[test]
fn a_cartesian_pendulum_after_one_second() {
    let pendulum = Pendulum::<f64>::default();
    let mut run = Simulation::of(&pendulum, Geodesic).project(Projection::to(1e-13)).adaptive(1e-14).expect("a start");
    run.advance_to(1.0).expect("steps");
    let x = run.state();
    all_close(x.q.as_array(), &PENDULUM[..2], 1e-11);
    all_close(x.v.as_array(), &PENDULUM[2..], 1e-11);
    close(x.lambda.rod(), PENDULUM_LAMBDA, 1e-11);
}

#[test]
fn index_3_methods_err_as_much_as_those_of_project_chrono() {
    // Run of Project Chrono: position errors at t = 1 for h = 0.02, 0.01, 0.005, 0.0025, printed with four digits.
    let pendulum = Pendulum::<f64>::default();
    let trapezoidal = [2.347e-3, 5.859e-4, 1.464e-4, 3.660e-5];
    let euler = [2.670e-1, 1.477e-1, 7.810e-2, 4.022e-2];
    let error = |x: &State<Pendulum<f64>>| (x.q.r()[0] - PENDULUM[0]).hypot(x.q.r()[1] - PENDULUM[1]);
    for (i, h) in [0.02, 0.01, 0.005, 0.0025].into_iter().enumerate() {
        close(error(&fixed(&pendulum, GeneralizedAlpha::with_spectral_radius(1.0), h, 1.0)), trapezoidal[i], 6e-4);
        close(error(&fixed(&pendulum, BackwardEuler::default(), h, 1.0)), euler[i], 6e-4);
    }
    // Order 2 in v and λ as well, where Chrono's own λ oscillates.
    let [coarse, fine] = [0.005, 0.0025].map(|h| fixed(&pendulum, GeneralizedAlpha::with_spectral_radius(1.0), h, 1.0));
    let order = |coarse: f64, fine: f64, exact: f64| ((coarse - exact) / (fine - exact)).abs().log2();
    assert!((order(coarse.v.v()[0], fine.v.v()[0], PENDULUM[2]) - 2.0).abs() < 0.05);
    assert!((order(coarse.v.v()[1], fine.v.v()[1], PENDULUM[3]) - 2.0).abs() < 0.05);
    assert!((order(coarse.lambda.rod(), fine.lambda.rod(), PENDULUM_LAMBDA) - 2.0).abs() < 0.1);
}

#[test]
fn the_trapezoidal_rule_on_index_2_errs_as_that_of_exudyn() {
    // Exudyn's implicit trapezoidal rule, index 2: the largest error of a coordinate at t = 1 over max(1, |its value|).
    // The solution: 128-bit extrapolation; centres of mass, then angles.
    let end = [
        [9.771_349_284_425_171e-3, 7.436_074_726_064_662e-2, 20.289_696_169_820_996],
        [0.177_958_225_796_575_83, 7.436_074_726_064_662e-2, -0.438_871_913_114_014_7],
        [0.336_373_753_024_301_3, 0.0, 0.0],
    ];
    let crank = SliderCrank::default();
    for (h, theirs, digits) in [(5e-3, 8.7e-4, 5e-6), (1e-3, 3.4e-5, 5e-7), (2e-4, 1.4e-6, 5e-8), (5e-5, 8.8e-8, 5e-9)]
    {
        let x = fixed(&crank, GeneralizedAlpha::newmark(0.5, 0.25), h, 1.0);
        let got = [(x.q.r1(), x.q.a1()), (x.q.r2(), x.q.a2()), (x.q.r3(), x.q.a3())];
        let off = got
            .iter()
            .zip(end)
            .flat_map(|((r, a), end)| [r[0] - end[0], r[1] - end[1], (a - end[2]) / end[2].abs().max(1.0)]);
        let error = off.fold(0.0_f64, |worst, off| worst.max(off.abs()));
        assert!((error - theirs).abs() < digits, "h = {h:e}: {error:e}");
    }
}

#[test]
fn a_damper_acts_once() {
    // m = c = v₀ = 1: backward Euler gives (1 + h)⁻¹⁰⁰⁰; a damper counted twice would give 0.1353. Trapezoidal: run of
    // Project Chrono.
    let damper = Oscillator::builder().c(1.0).v0(1.0).build().expect("a model");
    close(fixed(&damper, BackwardEuler::linearized(), 1e-3, 1.0).v.v(), 0.368_063_304_289, 1e-11);
    close(fixed(&damper, BackwardEuler::default(), 1e-3, 1.0).v.v(), 0.368_063_304_289, 1e-11);
    close(fixed(&damper, GeneralizedAlpha::with_spectral_radius(1.0), 1e-3, 1.0).v.v(), 0.367_879_410_515, 2e-12);
}

#[test]
fn a_double_pendulum_of_bodies_in_minimal_coordinates() {
    // Long-double integration; a(0) = (−260/41, −60/41) by hand.
    let pendulum = DoublePendulum::default();
    let mut run = Simulation::of(&pendulum, Geodesic).adaptive(1e-13).expect("a start");
    all_close(run.state().a.as_array(), &[-6.341_463_414_634_15, -1.463_414_634_146_34], 1e-14);
    run.advance_to(1.0).expect("steps");
    all_close(run.state().q.as_array(), &[-2.227_202_839_965_53, -1.489_687_701_107_5], 1e-11);
    all_close(run.state().v.as_array(), &[-1.949_597_460_876_21, -3.948_042_709_793_94], 1e-11);
    // Run of Project Chrono: its EulerImplicit, h = 1e-3.
    let x = fixed(&pendulum, BackwardEuler::default(), 1e-3, 1.0);
    all_close(x.q.as_array(), &[-2.225_166_743_197_3, -1.491_711_261_291_2], 1e-11);
}

#[test]
fn semi_explicit_euler_in_its_three_forms() {
    let pendulum = DoublePendulum::default();
    let u = double_pendulum::U::default();
    let energy = |x: &State<DoublePendulum>| {
        let energy = pendulum.energy(x.at(&u));
        energy.kinetic + energy.potential
    };
    // Implicit in v: long-double integration.
    let x = fixed(&pendulum, SemiExplicitEuler::implicit_velocity(), 0.01, 1.0);
    all_close(x.q.as_array(), &[-2.233_971_789_381, -1.510_724_989_639], 1e-12);
    all_close(x.v.as_array(), &[-1.942_504_840_555, -3.938_144_700_203], 1e-12);
    assert!((energy(&x) + 6.09e-3).abs() < 5e-6);
    let x = fixed(&pendulum, SemiExplicitEuler::implicit_velocity(), 1e-3, 1.0);
    all_close(x.q.as_array(), &[-2.227_884_363_591, -1.491_797_587_76], 1e-12);
    assert!((energy(&fixed(&pendulum, SemiExplicitEuler::implicit_velocity(), 0.01, 50.0)) + 0.0051).abs() < 5e-5);
    // Implicit in q: the same source, nine digits.
    let x = fixed(&pendulum, SemiExplicitEuler::implicit_position(), 0.01, 1.0);
    all_close(x.q.as_array(), &[-2.220_329_92, -1.468_512_85], 3e-9);
    // Explicit: the energy it gains, the same source.
    assert!((energy(&fixed(&pendulum, SemiExplicitEuler::explicit(), 0.01, 1.0)) - 2.26e-1).abs() < 5e-4);
    assert!((energy(&fixed(&pendulum, SemiExplicitEuler::explicit(), 0.01, 50.0)) - 0.654).abs() < 5e-4);

    // m = 1, k = 100, c = 1000, x₀ = 1: the recursion in long double; the explicit form explodes.
    let stiff = Oscillator::builder().k(100.0).c(1000.0).x0(1.0).build().expect("a model");
    let x = fixed(&stiff, SemiExplicitEuler::implicit_velocity(), 0.01, 1.0);
    close(x.q.x(), 0.904_873_766_095_599, 1e-12);
    close(x.v.v(), -0.090_587_032_321_660_3, 1e-12);
    assert!(fixed(&stiff, SemiExplicitEuler::explicit(), 0.01, 0.2).q.x().abs() > 1e16);
}

#[test]
fn geodesic_takes_the_steps_of_simbody() {
    // Run of Simbody's GeodesicIntegrator on its PendulumSystem, t = 20, projecting to a tenth of the tolerance.
    // (accuracy, tolerance) → taken, attempted, error failures, derivatives, first step.
    let runs = [
        ((1e-3, 1e-4), (274, 335, 61, 1615), 0.1),
        ((1e-6, 1e-10), (1462, 1568, 106, 7735), 0.020_162_2),
        ((1e-9, 1e-10), (8222, 8360, 138, 4 * 8360 + 8222 + 1), 0.004_999_23),
    ];
    let pendulum = Pendulum::builder().g(13.750_371_637_329_454_4).build().expect("a model");
    for ((accuracy, tolerance), (taken, attempted, failures, derivatives), first) in runs {
        let setup = Simulation::of(&pendulum, Geodesic).project(Projection::to(tolerance));
        let mut run = setup.adaptive_from(accuracy, 0.1).expect("a start");
        run.advance_to(20.0).expect("steps");
        let s = *run.statistics();
        assert_eq!((s.taken, s.attempted, s.error_failures), (taken, attempted, failures), "accuracy {accuracy}");
        assert_eq!(s.work.evaluations, derivatives, "accuracy {accuracy}");
        assert_eq!((s.projection_failures, s.attempt_failures), (0, 0));
        close(s.first_step, first, 5e-6);
        let x = run.state();
        if accuracy == 1e-6 {
            let want = [1.000_000_000_001_28, -2.017_762_01e-6, -1.0e-10, -4.947_463e-5];
            for (got, want) in x.q.array().iter().chain(x.v.as_array()).zip(want) {
                assert!((got - want).abs() < 5e-12, "{got:e} is not {want:e}");
            }
        }
        if accuracy == 1e-9 {
            let energy = pendulum.energy(x.at(&pendulum::U::default()));
            let gained = energy.kinetic + energy.potential;
            assert!((gained + 2.3e-8).abs() < 1e-9, "E − E₀ = {gained:e}");
        }
    }
}

#[test]
fn backward_euler_with_a_force_of_velocities() {
    // OpenSurgSim's Newton–Raphson test, solved to convergence.
    let model = Quadratic::default();
    let x = fixed(&model, BackwardEuler::default(), 1e-3, 1e-3);
    all_close(x.q.as_array(), &[1.399_600_517_738_146_8, 3.534_651_307_532_967, 5.669_702_097_327_787], 1e-14);
    all_close(x.v.as_array(), &[-0.399_482_261_853_188_2, -0.348_692_467_032_989_1, -0.297_902_672_212_790_1], 1e-13);
    let x = fixed(&model, BackwardEuler::default(), 1e-3, 2e-3);
    all_close(x.q.as_array(), &[1.399_201_549_497_782_8, 3.534_303_913_455_12, 5.669_406_277_412_457], 1e-14);
    all_close(x.v.as_array(), &[-0.398_968_240_363_905_44, -0.347_394_077_846_796_3, -0.295_819_915_329_687_3], 1e-13);
}

/// |v − v₀ − h f| after each of Newton's iterations for a step of backward Euler begun at (x(t), v(t)), with K
/// multiplied by `signs[0]` and D by `signs[1]`.
fn newton_residuals(h: f64, signs: [f64; 2]) -> Vec<f64> {
    let (model, u) = (Quadratic::default(), quadratic::U::default());
    let mut x = State::neutral(&model);
    model.guess(&mut x.q, &mut x.v, &mut x.z);
    let vector = |entries: &[f64; 3]| SMatrix::<f64, 3, 1>::from_column_slice(entries);
    let (x0, v0) = (vector(x.q.as_array()), vector(x.v.as_array()));
    let mut history = Vec::new();
    for _ in 0..5 {
        let (q, v) = (vector(x.q.as_array()), vector(x.v.as_array()));
        x.a = <[f64; 3]>::from((v - v0) / h).into();
        let k = signs[0] * model.stiffness(x.at(&u), x.rates());
        let d = signs[1] * model.damping(x.at(&u), x.rates());
        let m = model.mass(x.at(&u));
        let r = m * vector(x.a.as_array()) - vector(model.force(x.at(&u)).as_array());
        let rhs = -r - k * (x0 + h * v - q);
        let dv = (m / h + d + h * k).lu().solve(&rhs).expect("regular");
        x.v = <[f64; 3]>::from(v + dv).into();
        x.q = <[f64; 3]>::from(x0 + h * (v + dv)).into();
        let f = vector(model.force(x.at(&u)).as_array());
        history.push((v + dv - v0 - h * f).norm());
    }
    history
}

#[test]
fn newton_converges_quadratically_and_with_a_wrong_sign_does_not() {
    // Recomputed from OpenSurgSim's test.
    let sequences: [(f64, &[f64]); 2] = [(1e-2, &[4.0e-5, 9.4e-11]), (1e-1, &[1.6e-2, 7.2e-5, 1.6e-9])];
    let passes = |h: f64, want: &[f64], signs: [f64; 2]| {
        let history = newton_residuals(h, signs);
        let matches = history.iter().zip(want).all(|(got, want)| (got - want).abs() < 0.03 * want);
        matches && history[want.len()] < 1e-15
    };
    for (h, want) in sequences {
        assert!(passes(h, want, [1.0, 1.0]), "h = {h}: {:?}", newton_residuals(h, [1.0, 1.0]));
        for signs in [[-1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]] {
            assert!(!passes(h, want, signs), "h = {h}: signs {signs:?} of K and D go unnoticed");
        }
    }
    let wrong = newton_residuals(1e-2, [-1.0, -1.0]);
    for (got, want) in wrong.iter().zip([3.8e-3, 5.4e-4, 7.8e-5]) {
        assert!((got - want).abs() < 0.1 * want, "{wrong:?}");
    }
}

#[test]
fn force_stiffness_and_damping_of_a_damped_spring() {
    // OpenSurgSim's linear spring test: k = 0.34, d = 0.45, rest length 1.23.
    let force = [0.455_630_161_775_779_25, 0.812_210_288_382_910_76, 0.237_720_084_404_754_39];
    let stiffness = [
        [0.224_919_570_941_728_960, 0.064_210_544_149_390_564, 0.001_184_796_517_935_064_7],
        [0.047_808_674_990_512_064, 0.312_562_344_690_556_770, 0.002_112_028_575_449_460_8],
        [0.013_992_782_924_052_311, 0.033_501_153_469_247_251, 0.198_718_225_042_304_960_0],
    ];
    let damping = [
        [0.101_125_743_415_463_040, 0.180_267_629_566_694_950, 0.052_761_257_434_154_628],
        [0.180_267_629_566_694_950, 0.321_346_644_010_195_360, 0.094_052_676_295_666_937],
        [0.052_761_257_434_154_628, 0.094_052_676_295_666_937, 0.027_527_612_574_341_543],
    ];
    let (link, u) = (Link::<f64>::default(), link::U::default());
    let mut x = State::neutral(&link);
    link.guess(&mut x.q, &mut x.v, &mut x.z);
    let f = link.force(x.at(&u));
    all_close(&f.v0(), &force, 1e-14);
    all_close(&f.v1(), &force.map(|f| -f), 1e-14);
    let (k, d) = (link.stiffness(x.at(&u), x.rates()), link.damping(x.at(&u), x.rates()));
    for r in 0..3 {
        for c in 0..3 {
            for (i, j, sign) in [(0, 0, 1.0), (3, 0, -1.0), (0, 3, -1.0), (3, 3, 1.0)] {
                close(k[(i + r, j + c)], sign * stiffness[r][c], 2e-14);
                close(d[(i + r, j + c)], sign * damping[r][c], 2e-14);
            }
        }
    }
    // K is not symmetric, by an eighth: whoever symmetrises it loses Newton's convergence.
    let skew = (k - k.transpose()).norm() / k.norm();
    assert!(skew > 0.05, "K is symmetric to {skew:e}");
    assert_eq!(link.force_by_position(x.at(&u)), -k);
    assert_eq!(link.force_by_velocity(x.at(&u)), -d);
    let mut run = Simulation::of(&link, BackwardEuler::default()).fixed(0.1).expect("a start");
    run.advance_to(1.0).expect("steps");
    assert!(run.statistics().work.iterations <= 4 * 10, "{:?}", run.statistics());
}

#[test]
fn order_of_backward_euler_and_newmark_on_an_oscillator() {
    // k = 100, m = 10, x₀ = 1, t = 1, n = 50, 100, 200 steps: errors against the closed form, recomputed from SOFA's
    // and OpenSurgSim's methods; with c = 5 the velocity-dependent force must count once.
    let euler = [9.489e-2, 4.872e-2, 2.468e-2];
    let newmark = [2.123e-5, 5.415e-6, 1.360e-6];
    let damped = [1.380e-4, 3.461e-5];
    let rule = GeneralizedAlpha::with_spectral_radius(1.0);
    let free = Oscillator::builder().m(10.0).k(100.0).x0(1.0).build().expect("a model");
    let lossy = Oscillator { c: 5.0, ..free.clone() };
    let exact = 10f64.sqrt().cos();
    let error = |x: State<Oscillator<f64>>, exact: f64| (x.q.x() - exact).abs();
    for (i, n) in [50.0, 100.0, 200.0].into_iter().enumerate() {
        close(error(fixed(&free, BackwardEuler::default(), 1.0 / n, 1.0), exact), euler[i], 6e-4);
        close(error(fixed(&free, BackwardEuler::linearized(), 1.0 / n, 1.0), exact), euler[i], 6e-4);
        close(error(fixed(&free, rule, 1.0 / n, 1.0), exact), newmark[i], 6e-4);
    }
    let errors = [50.0, 100.0, 200.0].map(|n| error(fixed(&lossy, rule, 1.0 / n, 1.0), -0.779_421_718_144));
    all_close(&errors[..2], &damped, 6e-4);
    assert!(((errors[1] / errors[2]).log2() - 2.0).abs() < 0.005, "{errors:?}");
}

#[test]
fn energy_of_the_euler_methods() {
    // m = 0.05, k = 1, x₀ = 1, h = 1e-3, 2001 steps, E₀ = 0.5: OpenSurgSim.
    let free = Oscillator::builder().m(0.05).k(1.0).x0(1.0).build().expect("a model");
    let u = oscillator::U::default();
    let energy = |x: &State<Oscillator<f64>>| {
        let energy = free.energy(x.at(&u));
        energy.kinetic + energy.potential
    };
    let (mut last, mut run) = (0.5, Simulation::of(&free, BackwardEuler::default()).fixed(1e-3).expect("a start"));
    for _ in 0..2001 {
        run.step_towards(10.0).expect("a step");
        assert!(energy(run.state()) < last);
        last = energy(run.state());
    }
    close(last, 0.480_385_304_025_446_1, 1e-12);

    let (mut last, mut run) = (0.5, Simulation::of(&free, ForwardEuler).fixed(1e-3).expect("a start"));
    for _ in 0..2001 {
        run.step_towards(10.0).expect("a step");
        assert!(energy(run.state()) > last);
        last = energy(run.state());
    }
    close(last, 0.520_415_587_040_433_34, 1e-12);

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
    close((x.q.x() - 1.0).abs(), 3.783e-9, 2e-4);
}

#[test]
fn a_falling_mass_point() {
    // m = 0.456, c = 0.1, g = −9.81, y₀ = 1.15, v₀ = 0.05, h = 1e-3, two steps: OpenSurgSim's MassPoint.
    let point = Oscillator::builder().m(0.456).c(0.1).w(-9.81 * 0.456).x0(1.15).v0(0.05).build().expect("a model");
    let x = fixed(&point, BackwardEuler::default(), 1e-3, 2e-3);
    close(x.v.v(), 0.030_364_529_447_854_428, 1e-13);
    close(x.q.x(), 1.150_070_545_717_783_8, 1e-15);
    let x = fixed(&point, SemiExplicitEuler::explicit(), 1e-3, 2e-3);
    close(x.v.v(), 0.030_360_223_895_814_08, 1e-13);
    close(x.q.x(), 1.150_070_539_258_983_4, 1e-15);
}

#[test]
fn rates_at_rest_are_those_of_the_state() {
    // The residual at the accelerations and multipliers of a consistent start is zero.
    let pendulum = Pendulum::<f64>::default();
    let x = Start::default().solve(&pendulum, &ode_model::Nominal).expect("consistent");
    let u = pendulum::U::default();
    let mut out = ode_model::Residual::zeros(&pendulum.layout());
    pendulum.residual(x.at(&u), Rates { a: &x.a, zdot: &x.zdot, lambda: &x.lambda }, &mut out);
    assert!(out.r.array().iter().chain(out.phi.as_array()).all(|r| r.abs() < 1e-14));
}
