//! Equilibria against closed forms, and how fast they are found.

use crate::common::mechanisms::{Bars, Funicular, Governor, Lever, Root, SliderCrank, Solenoid};
use crate::common::on;
use crate::common::plants::Oscillator;
use crate::common::rigid::Hung;
use ode_runtime::analysis::{Assembly, Converged, Held, Levels, Loading, StaticError, Statics, Unsettled};
use ode_runtime::{Cause, Constant, Linearize, Name, Nominal, Quantity, Solvable, State, so3};

fn guess<S: Solvable<Real = f64>>(system: &S) -> State<S> {
    let mut x = State::neutral(system);
    system.guess(&mut x.q, &mut x.v, &mut x.z);
    x
}

fn solve<S: Solvable<Real = f64> + Linearize>(system: &S) -> State<S> {
    Statics::default().solve(system, &Nominal, guess(system)).expect("an equilibrium").0
}

/// Iterates of q without a line search.
fn iterates(start: f64) -> Vec<f64> {
    let (system, mut history) = (on(Root { start, square: 612.0 }), Vec::new());
    let plain = Statics { halvings: 0, ..Statics::default() };
    plain.watched(&system, &Nominal, guess(&system), |x| history.push(x.q[0])).expect("a root");
    history
}

#[test]
fn newton_finds_the_root_of_612() {
    // SOFA's test of its NewtonRaphsonSolver.
    let want = [
        306.5,
        154.248_368_678_6,
        79.107_997_864_4,
        43.422_128_682_2,
        28.758_162_428_8,
        25.019_538_536_9,
        24.740_210_671_2,
        24.738_633_804_0,
        24.738_633_753_7,
    ];
    let got = iterates(1.0);
    for (got, want) in got[1..].iter().zip(want) {
        assert!((got - want).abs() < 1e-10, "{got} is not {want}");
    }
    assert!((iterates(10.0).last().expect("some") - 612f64.sqrt()).abs() < 1e-10);
    assert!((iterates(-20.0).last().expect("some") + 612f64.sqrt()).abs() < 1e-10);
}

#[test]
fn a_slider_crank_settles_in_few_solves() {
    // Project Chrono needs 31 solves without ∂(Gᵀλ)/∂q and 7 with it.
    let system = on(SliderCrank);
    let (x, found) = Statics::default().solve(&system, &Nominal, guess(&system)).expect("an equilibrium");
    assert!(found.iterations <= 7, "{found:?}");
    assert!(found.residual < 1e-9 && found.loads == 1);
    // V on the closed loop is stationary there: its derivative changes sign within 1e-6.
    let slope = |th: f64| (SliderCrank::potential(th + 1e-5) - SliderCrank::potential(th - 1e-5)) / 2e-5;
    let (low, high) = (slope(x.q[0] - 1e-6), slope(x.q[0] + 1e-6));
    assert!(low * high < 0.0, "{low} {high} at {:?}", x.q);
    assert!(x.v == [0.0; 3] && x.a == [0.0; 3]);
}

#[test]
fn convergence_is_quadratic() {
    // SOFA's static test loses a factor of 7 to 9 a step; the exact tangent squares the error.
    let system = on(SliderCrank);
    let mut history = Vec::new();
    let (end, _) =
        Statics::default().watched(&system, &Nominal, guess(&system), |x| history.push(x.q)).expect("an equilibrium");
    let errors: Vec<f64> = history.iter().map(|q| (q[0] - end.q[0]).abs()).collect();
    let last: Vec<_> = errors.windows(2).filter(|e| e[0] < 0.01 && e[1] > 1e-14).collect();
    assert!(last.len() >= 2, "{errors:?}");
    for pair in last {
        assert!(pair[1] < 10.0 * pair[0] * pair[0], "{errors:?}");
    }
}

#[test]
fn a_chain_of_links_hangs_as_the_funicular_polygon() {
    for tension in [0.5, 1.0, 4.0] {
        let plant = Funicular { tension };
        let system = on(plant);
        let (taut, _) = Assembly::of(Levels::POSITION).solve(&system, &Nominal, guess(&system)).expect("assembled");
        let x = Statics::default().solve(&system, &Nominal, taut).expect("an equilibrium").0;
        for (got, want) in x.q.iter().zip(plant.joints()) {
            assert!((got - want).abs() < 1e-10, "{tension}: {:?}", x.q);
        }
        // the tension of each link, −λ along it
        for (lambda, slope) in x.lambda.iter().zip(plant.slopes()) {
            let want = tension * (1.0 + slope * slope).sqrt();
            assert!((lambda + want).abs() < 1e-9, "{lambda} is not −{want}");
        }
    }
}

#[test]
fn one_linear_solve_is_exact_where_forces_are_linear() {
    let spring = on(Oscillator { m: 2.0, k: 50.0, c: 1.0, w: -19.62, x: 0.7, v: 3.0 });
    let x = Statics::linear(&spring, &Nominal, guess(&spring)).expect("held by the spring");
    assert!((x.q[0] + 19.62 / 50.0).abs() < 1e-15 && x.v == [0.0]);
}

#[test]
fn first_order_states_come_to_rest_with_the_rest() {
    let x = solve(&on(Solenoid));
    assert!((x.z[0] - 4.0).abs() < 1e-12 && (x.q[0] - 2.0).abs() < 1e-12);
    assert_eq!(x.zdot, [0.0]);
}

#[test]
fn what_is_held_stays_where_it_is() {
    let held = Held::new(on(Bars), &["q1"]).expect("a name");
    let x = Statics::default().solve(&held, &Nominal, State { q: [0.4, -1.2], ..guess(&held) }).expect("an angle").0;
    assert_eq!(x.q[0], 0.4);
    assert!((x.q[1] + std::f64::consts::FRAC_PI_2).abs() < 1e-11, "{:?}", x.q);
}

#[test]
fn a_body_in_space_hangs_from_its_hook() {
    // Turning about the vertical changes nothing; with one component of the rotation held the rest is determined.
    let free = Statics::default().solve(&on(Hung), &Nominal, guess(&on(Hung)));
    assert!(free.is_err());
    let held = Held::new(on(Hung), &["w.z"]).expect("a name");
    let x = solve(&held);
    let (hook, q) = ([0.3, -0.1, 0.2], [x.q[3], x.q[4], x.q[5], x.q[6]]);
    let arm = so3::rotate(&q, &hook);
    let length = (0.3f64 * 0.3 + 0.1 * 0.1 + 0.2 * 0.2).sqrt();
    for (got, want) in [(x.q[0] + arm[0], 0.0), (x.q[1] + arm[1], 0.0), (x.q[2] + arm[2], -2.0 * 9.81 / 40.0)] {
        assert!((got - want).abs() < 1e-10, "{:?}", x.q);
    }
    assert!((arm[2].abs() - length).abs() < 1e-10, "{arm:?}");
}

#[test]
fn a_governor_opens_to_the_angle_of_its_speed() {
    // Steady motion: cos θ = g/(Ω² l), and the rod carries m g / cos θ.
    let rate: f64 = 5.0;
    let system = on(Governor { rate, start: [0.8, 0.0, -0.6] });
    let (x, found) = Statics::default().steady(&system, &Nominal, guess(&system)).expect("a steady motion");
    let cosine = 9.81 / (rate * rate);
    assert!((x.q[2] + cosine).abs() < 1e-10, "{:?} {found:?}", x.q);
    let radius = (1.0 - cosine * cosine).sqrt();
    assert!((x.q[0] - radius).abs() < 1e-10);
    assert!((x.v[1] - rate * radius).abs() < 1e-9 && (x.a[0] + rate * rate * radius).abs() < 1e-8);
    assert!((x.lambda[0] * 2.0 + 2.0 * 9.81 / cosine).abs() < 1e-8, "{:?}", x.lambda);
    assert!(found.residual < 1e-8);
}

#[test]
fn loads_grow_as_far_as_there_is_an_equilibrium() {
    let lever = on(Lever);
    let load = |torque: f64| move |s: f64| (on(Lever), Constant([s * torque]));
    let (x, found) = Loading::default().solve(guess(&lever), load(0.99)).expect("sin θ = 0.99");
    assert!((x.q[0] - 0.99f64.asin()).abs() < 1e-10 && found.loads >= 3, "{found:?}");
    // sin θ = 1.25 s has none beyond s = 0.8
    let error = Loading::default().solve(guess(&lever), load(1.25)).expect_err("none");
    let reached = error.load.expect("some");
    assert!((0.8 - 2e-4..=0.8).contains(&reached), "{error:?}");
}

#[test]
fn failures_name_what_failed() {
    // q² = −1
    let none = on(Root { start: 3.0, square: -1.0 });
    let error = Statics::default().solve(&none, &Nominal, guess(&none)).expect_err("no root");
    match error.cause {
        Unsettled::LineSearch { row, residual } => assert!(row.as_str() == "root" && residual >= 1.0),
        Unsettled::Iterations { name, .. } => assert_eq!(name, Name::new("root")),
        other => panic!("{other:?}"),
    }
    let few = Statics { iterations: 2, ..Statics::default() };
    let system = on(SliderCrank);
    let error = few.solve(&system, &Nominal, guess(&system)).expect_err("too few");
    assert!(matches!(error, StaticError { iterations: 2, cause: Unsettled::Iterations {
            correction, .. }, .. } if correction > 1.0));
    // nothing holds the mass
    let free = on(Oscillator { m: 1.0, k: 0.0, c: 0.0, w: 1.0, x: 0.0, v: 0.0 });
    let error = Statics::default().solve(&free, &Nominal, guess(&free)).expect_err("free");
    let singular = Cause::Singular { unknown: Quantity::Coordinate, name: Name::new("x") };
    assert_eq!(error.cause, Unsettled::Evaluation(singular));
    let mut x = guess(&system);
    x.q[1] = f64::NAN;
    let error = Statics::default().solve(&system, &Nominal, x).expect_err("not a number");
    let bad = Cause::NonFinite { quantity: Quantity::Coordinate, name: Name::new("phi") };
    assert_eq!(error.cause, Unsettled::Evaluation(bad));
}

#[test]
fn an_equilibrium_is_recognised_by_its_residual() {
    let spring = on(Oscillator { m: 2.0, k: 50.0, c: 1.0, w: 0.0, x: 0.0, v: 0.0 });
    let (_, found) = Statics::default().solve(&spring, &Nominal, guess(&spring)).expect("there already");
    assert_eq!((found.converged, found.iterations), (Converged::Residual, 0));
    let (_, found) = Statics::default().solve(&on(Lever), &Constant([0.5]), guess(&on(Lever))).expect("an angle");
    assert_eq!(found.converged, Converged::Estimate);
    let loose = Statics { residual: 1e-3, ..Statics::default() };
    let (x, found) = loose.solve(&on(Lever), &Constant([0.5]), guess(&on(Lever))).expect("an angle");
    assert_eq!(found.converged, Converged::Residual);
    assert!((x.q[0].sin() - 0.5).abs() <= 1e-3);
}

#[test]
fn loading_ends_however_small_its_steps() {
    let lever = on(Lever);
    let load = |s: f64| (on(Lever), Constant([1.25 * s]));
    let tiny = Loading { smallest: 1e-20, ..Loading::default() };
    let error = tiny.solve(guess(&lever), load).expect_err("never seen");
    assert!(matches!(error.cause, Unsettled::Evaluation(Cause::Invalid { .. })), "{error:?}");
    let fine = Loading { smallest: f64::EPSILON, ..Loading::default() };
    let reached = fine.solve(guess(&lever), load).expect_err("none beyond").load.expect("some");
    assert!((0.8 - 1e-9..=0.8 + 1e-9).contains(&reached), "{reached}");
}
