//! Andrews' squeezing mechanism as its example writes it, against the published solution: every method, in q, q̇ and λ.
#![allow(clippy::excessive_precision, reason = "reference values keep the digits they were published with")]

#[allow(
    dead_code,
    unreachable_pub,
    clippy::print_stdout,
    reason = "the model is that of the example; its main is not run"
)]
#[path = "../examples/squeezer.rs"]
mod example;

use example::{AndrewsSqueezer, andrews_squeezer};
use ode_model::integrators::{BackwardEuler, GeneralizedAlpha, Geodesic, SemiExplicitEuler};
use ode_model::linalg::{DenseKkt, Kkt};
use ode_model::solve::Projection;
use ode_model::{Linearize, Method, Nominal, Residual, Simulation, Solvable, Start, State, System, Weights};

type Squeezer = AndrewsSqueezer<f64>;

const END: f64 = 0.03;

/// The solution at t = 0.03: Mazzia & Magherini, Test Set for IVP Solvers, II-9, in 20 digits by extrapolation in
/// quadruple precision (the published digits agree to 9e-11 in q). In the order of the model's coordinates, which is
/// not the source's.
const END_Q: [f64; 7] = [
    15.810_771_195_153_707,    // beta
    0.040_822_240_119_645_805, // gamma
    0.524_409_965_879_954_07,  // delta
    1.048_080_741_041_937_9,   // eps
    -15.756_371_058_411_84,    // theta
    -0.534_730_116_342_079_6,  // phi
    0.534_730_116_342_079_6,   // omega
];
const END_V: [f64; 7] = [
    1_139.920_302_259_106,    // beta
    11.032_911_910_618_594,   // gamma
    0.573_569_914_829_502_5,  // delta
    0.323_179_149_249_130_87, // eps
    -1_424.379_295_177_540_1, // theta
    19.293_374_105_032_041,   // phi
    -19.293_374_105_032_041,  // omega
];
/// λ of the source, which writes M a + Gᵀλ = f: ours is the negative.
const END_LAMBDA: [f64; 6] = [
    199.175_348_104_538_63,
    -29.755_309_974_971_763,
    23.066_543_611_622_151,
    31.452_725_275_771_137,
    22.642_494_786_394_379,
    11.617_392_352_611_256,
];

/// Runs to the end; fails if |Φ| exceeds 1e-9 anywhere on the way.
fn run<M: Method<Squeezer>>(mut run: Simulation<'_, Squeezer, M>) -> State<Squeezer> {
    let u = andrews_squeezer::U::default();
    let system = run.system();
    while run.state().t < END {
        run.step_towards(END).expect("a step");
        let phi = system.constraint_values(run.state().at(&u));
        let worst = phi.array().iter().fold(0.0_f64, |worst, phi| worst.max(phi.abs()));
        assert!(worst < 1e-9, "|Phi| = {worst:e} at t = {}", run.state().t);
    }
    run.state().clone()
}

/// Largest relative error of q, q̇ and λ.
fn errors(State { q, v, lambda, .. }: &State<Squeezer>) -> [f64; 3] {
    let worst = |got: &[f64], want: &[f64], sign: f64| {
        got.iter().zip(want).map(|(got, want)| (sign * got - want).abs() / want.abs()).fold(0.0, f64::max)
    };
    [worst(q.as_array(), &END_Q, 1.0), worst(v.as_array(), &END_V, 1.0), worst(lambda.as_array(), &END_LAMBDA, -1.0)]
}

#[test]
fn accelerations_and_multipliers_of_the_start_are_those_published() {
    // Test Set for IVP Solvers, II-9: q(0), a(0), λ(0); what is not listed is zero. The signs of λ are the model's.
    let squeezer = Squeezer::default();
    let x = Start::default().solve(&squeezer, &Nominal).expect("consistent");
    let close = |got: f64, want: f64| assert!((got - want).abs() <= 1e-9 * want.abs(), "{got} is not {want}");
    close(x.q.beta(), -0.061_713_890_014_276_45);
    close(x.q.gamma(), 0.455_279_819_163_070_4);
    close(x.q.delta(), 0.487_364_979_543_842_55);
    close(x.q.eps(), 1.230_547_444_549_821_2);
    assert!(x.q.theta().abs() < 1e-15, "init theta = 0.0 is exact");
    close(x.q.phi(), 0.222_668_390_165_885_88);
    close(x.q.omega(), -0.222_668_390_165_885_88);
    close(x.a.beta(), 14_222.443_919_954_1);
    close(x.a.theta(), -10_666.832_939_965_6);
    close(x.lambda.loop3()[0], -98.566_870_396_241_1);
    close(x.lambda.loop3()[1], 6.122_688_344_255_67);
    let rest = [x.a.gamma(), x.a.delta(), x.a.eps(), x.a.phi(), x.a.omega()];
    let none = x.lambda.loop4().into_iter().chain(x.lambda.loop6());
    for small in rest.into_iter().map(|a| a / 14_222.0).chain(none.map(|l| l / 98.0)) {
        assert!(small.abs() < 1e-9, "{small:e} should be zero");
    }
}

#[test]
fn geodesic_reaches_nine_digits() {
    let squeezer = Squeezer::default();
    let geodesic = Simulation::of(&squeezer, Geodesic).project(Projection::to(1e-12)).adaptive(1e-9).expect("a start");
    let [q, v, lambda] = errors(&run(geodesic));
    assert!(q < 1e-9, "error of q: {q:e}");
    assert!(v < 1e-7, "error of v: {v:e}");
    assert!(lambda < 1e-6, "error of λ: {lambda:e}");
}

#[test]
fn generalized_alpha_is_of_order_2_in_q_v_and_lambda() {
    let squeezer = Squeezer::default();
    let method = GeneralizedAlpha::with_spectral_radius(0.8);
    let at = |h: f64| errors(&run(Simulation::of(&squeezer, method).fixed(h).expect("a start")));
    let (coarse, fine) = (at(4e-5), at(1e-5));
    for (name, i, slack) in [("q", 0, 0.1), ("v", 1, 0.1), ("λ", 2, 0.3)] {
        let order = (coarse[i] / fine[i]).log(4.0);
        assert!((order - 2.0).abs() < slack, "{name} converges with order {order}: {coarse:?}, {fine:?}");
    }
    assert!(fine[0] < 5e-5, "error of q at h = 1e-5: {:e}", fine[0]);
}

#[test]
fn backward_euler_is_of_order_1() {
    let squeezer = Squeezer::default();
    let at = |h: f64| run(Simulation::of(&squeezer, BackwardEuler::default()).fixed(h).expect("a start"));
    let (coarse, fine) = (at(1e-6), at(5e-7));
    let [q, ..] = errors(&coarse);
    assert!(q < 1e-2, "error of q at h = 1e-6: {q:e}");
    // By component: the errors of γ, φ and ω and those of all rates change sign near these steps.
    let order = |coarse: f64, fine: f64, exact: f64| ((coarse - exact) / (fine - exact)).log2();
    for (name, order) in [
        ("beta", order(coarse.q.beta(), fine.q.beta(), END_Q[0])),
        ("theta", order(coarse.q.theta(), fine.q.theta(), END_Q[4])),
    ] {
        assert!((order - 1.0).abs() < 0.02, "{name} converges with order {order}");
    }
}

#[test]
fn errors_in_steps_are_those_of_project_chrono() {
    // Its largest relative errors of q, with the digits given.
    let squeezer = Squeezer::default();
    for (h, theirs, digits) in
        [(1e-4, 1.42e-3, 5e-6), (3e-5, 1.39e-4, 5e-7), (1e-5, 1.55e-5, 5e-8), (3e-6, 1.40e-6, 5e-9)]
    {
        let newmark = Simulation::of(&squeezer, GeneralizedAlpha::newmark(0.5, 0.25)).fixed(h).expect("a start");
        let [error, ..] = errors(&run(newmark));
        assert!((error - theirs).abs() < digits, "Newmark, h = {h:e}: {error:e}");
    }
    for (h, theirs, digits) in [(1e-4, 9.0, 0.05), (3e-5, 4.9, 0.05), (1e-5, 0.78, 5e-3), (3e-6, 0.047, 5e-4)] {
        let implicit = Simulation::of(&squeezer, BackwardEuler::default()).fixed(h).expect("a start");
        let [error, ..] = errors(&run(implicit));
        assert!((error - theirs).abs() < digits, "EulerImplicit, h = {h:e}: {error:e}");
    }
}

#[test]
fn projection_holds_an_explicit_method_to_the_loops() {
    let squeezer = Squeezer::default();
    let method = SemiExplicitEuler::explicit();
    let projected = Simulation::of(&squeezer, method).project(Projection::to(1e-10)).fixed(1e-5).expect("a start");
    run(projected);
    let mut free = Simulation::of(&squeezer, method).fixed(1e-5).expect("a start");
    free.advance_to(1e-2).expect("steps");
    assert!(free.drift().expect("finite").0 > 1e-6, "without projection the loops open");
}

#[test]
fn the_generated_elimination_of_the_tangent_agrees_with_pivoting() {
    let model = Squeezer::default();
    let layout = model.layout();
    let x = Start::default().solve(&model, &Nominal).expect("consistent");
    let mut u = andrews_squeezer::U::default();
    model.nominal(&mut u);
    let mut residual = Residual::<Squeezer>::zeros(&layout);
    let (mut generated, mut pivoted) = (<Squeezer as Solvable>::Kkt::new(&layout), DenseKkt::<f64, 13>::new(&layout));
    // Steps from far too long to the finest, and at last statics, where nothing of inertia is on the diagonal.
    let steps = [1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7];
    let dynamic = steps.map(|h| Weights { rates: 1.0, velocity: 0.5 * h, position: 0.25 * h * h, state: 1.0 });
    let rest = Weights { rates: 0.0, velocity: 0.0, position: 1.0, state: 1.0 };
    for weights in dynamic.into_iter().chain([rest]) {
        let mut values = [0.0; andrews_squeezer::TANGENT.nnz()];
        model.tangent(x.at(&u), x.rates(), weights, &andrews_squeezer::V::default(), &mut residual, &mut values);
        // the right-hand side of a solution that is known
        let want: [f64; 13] = std::array::from_fn(|i| 1.0 + i as f64);
        let mut b = [0.0; 13];
        layout.tangent.visit(&values, |r, c, value| b[r] += value * want[c]);
        let solved = |kkt: &dyn Fn(&mut [f64], &mut [f64])| {
            let mut x = b;
            let (v, l) = x.split_at_mut(7);
            kkt(v, l);
            x.iter().zip(&want).map(|(x, want)| ((x - want) / want).abs()).fold(0.0, f64::max)
        };
        let factorize = if weights == rest { Kkt::factorize_by_exchange } else { Kkt::factorize };
        factorize(&mut generated, &layout, &values).expect("regular");
        pivoted.factorize(&layout, &values).expect("regular");
        let ours = solved(&|v, l| _ = generated.solve(v, &mut [], l).expect("a solution"));
        let theirs = solved(&|v, l| _ = pivoted.solve(v, &mut [], l).expect("a solution"));
        assert!(ours < 1e-8 + 100.0 * theirs, "{weights:?}: {ours:e}, with pivoting {theirs:e}");
    }
}
