//! What is said of the stability of equilibria, against closed forms.

use crate::common::equilibria::{Arch, Lagged, Planar, Strut, Ziegler};
use crate::common::mechanisms::{Bars, Governor, SliderCrank, Solenoid};
use crate::common::plants::{Broken, Oscillator, Pendulum, Sleeve};
use crate::common::rigid::{Chart, Top};
use crate::common::{numbers, on};
use ode_runtime::analysis::{
    Assembly, Begin, Criterion, Equilibrium, Held, Levels, Loading, Stability, Statics, Unjudged,
};
use ode_runtime::{Constant, Linearize, Nominal, Solvable, State, System};

fn found<S: Solvable<Real = f64> + Linearize>(system: &S) -> Equilibrium<f64> {
    let mut x = State::neutral(system);
    system.guess(&mut x.q, &mut x.v, &mut x.z);
    Statics::default().solve(system, &Nominal, x).expect("an equilibrium").1
}

/// The judgement of an equilibrium at `q`.
fn at<S: Solvable<Real = f64> + Linearize>(system: &S, q: S::Q) -> Equilibrium<f64> {
    let x = State { q, ..State::neutral(system) };
    let statics = Statics { residual: 1e-9, ..Statics::default() };
    let (_, found) = statics.solve(system, &Nominal, x).expect("an equilibrium");
    assert_eq!(found.iterations, 0, "{found:?}");
    found
}

fn least(found: &Equilibrium<f64>) -> (Criterion, f64, String) {
    let evidence = found.evidence.expect("judged");
    (evidence.by, evidence.least, evidence.moves.as_str().to_owned())
}

#[test]
fn a_slider_crank_says_which_of_its_equilibria_is_stable() {
    // V″ of the closed loop at the two, by differences.
    let system = on(SliderCrank);
    for (start, angle, stability) in [(0.5, 0.430_19, Stability::Unstable), (0.58, 0.576_20, Stability::Stable)] {
        let x = State { q: SliderCrank::closed(start), ..State::neutral(&system) };
        let (x, found) = Statics::default().solve(&system, &Nominal, x).expect("an equilibrium");
        assert!((x.q[0] - angle).abs() < 1e-5, "{:?}", x.q);
        assert_eq!(found.stability, stability, "{found:?}");
        let (v, h) = (SliderCrank::potential, 1e-3);
        let curvature = (v(x.q[0] + h) - 2.0 * v(x.q[0]) + v(x.q[0] - h)) / (h * h);
        assert_eq!(curvature > 0.0, stability == Stability::Stable);
        // uᵀK u along the unit displacement: V″ over 1 + φ′² + x′²
        let ([th, ph, _], (by, least, moves)) = (x.q, least(&found));
        let rod = -th.cos() / (2.0 * ph.cos());
        let slide = -th.sin() - 2.0 * ph.sin() * rod;
        let want = curvature / (1.0 + rod * rod + slide * slide);
        assert!((least - want).abs() < 1e-4 * want.abs(), "{least} is not {want}");
        assert_eq!((by, moves.as_str()), (Criterion::Stiffness, "theta"));
    }
}

#[test]
fn a_bob_on_a_rod_hangs_and_does_not_stand() {
    // All of the stiffness is the tension's: ±m g/l.
    let system = on(Pendulum::standard());
    for (y, stability) in [(-1.0, Stability::Stable), (1.0, Stability::Unstable)] {
        let found = at(&system, [0.0, y]);
        assert_eq!(found.stability, stability, "{found:?}");
        let (by, least, moves) = least(&found);
        assert_eq!((by, moves.as_str()), (Criterion::Stiffness, "x"));
        assert!((least + y * 9.81).abs() < 1e-12, "{least}");
    }
    // where a coordinate has no inertia, too
    for (y, stability) in [(-1.0, Stability::Stable), (1.0, Stability::Unstable)] {
        let sleeve = on(Sleeve { mass: [0.0, 1.0] });
        let x = State { q: [0.0, y], lambda: [y * 4.905], ..State::neutral(&sleeve) };
        let found = Statics::default().solve(&sleeve, &Nominal, x).expect("an equilibrium").1;
        assert_eq!(found.stability, stability, "{found:?}");
    }
}

#[test]
fn a_ball_in_a_bowl_on_a_saddle_and_on_a_plane() {
    for (x, y, stability) in [
        (2.0, 3.0, Stability::Stable),
        (2.0, -3.0, Stability::Unstable),
        (0.0, -3.0, Stability::Unstable),
        (2.0, 0.0, Stability::Indifferent),
        (0.0, 0.0, Stability::Indifferent),
        // units do not matter
        (1e-9, 1e12, Stability::Stable),
        (-1e-9, 1e12, Stability::Unstable),
    ] {
        let found = found(&on(Planar::springs(x, y)));
        assert_eq!(found.stability, stability, "{x} {y} {found:?}");
        let evidence = found.evidence.expect("judged");
        let count = |of: fn(f64) -> bool| [x, y].into_iter().filter(|&k| of(k)).count();
        let want = (count(|k| k > 0.0), count(|k| k < 0.0), count(|k| k == 0.0));
        assert_eq!((evidence.positive, evidence.negative, evidence.zero), want);
    }
}

#[test]
fn a_column_loses_its_stability_at_eulers_load() {
    let critical = Strut::critical();
    for (share, stability) in [(1.0 - 1e-6, Stability::Stable), (1.0 + 1e-6, Stability::Unstable)] {
        let found = found(&on(Strut::straight(share * critical)));
        assert_eq!(found.stability, stability, "{found:?}");
        let (by, least, moves) = least(&found);
        assert_eq!((by, moves.as_str()), (Criterion::Stiffness, "top"));
        assert!((least - critical * (1.0 - share)).abs() < 1e-9, "{least}");
    }
    // On the way to one and a half of it the straight column passes the bifurcation.
    let column = on(Strut::straight(0.0));
    let load = |share: f64| (on(Strut::straight(1.5 * critical * share)), Nominal);
    let (x, found) = Loading::default().solve(State::neutral(&column), load).expect("straight");
    assert_eq!((x.q, found.stability), ([0.0; 3], Stability::Unstable));
    let turn = found.turn.expect("seen");
    assert!((1.0 / 1.5..=1.0).contains(&turn), "{turn}");
    let load = |share: f64| (on(Strut::straight(0.9 * critical * share)), Nominal);
    assert_eq!(Loading::default().solve(State::neutral(&column), load).expect("straight").1.turn, None);
}

#[test]
fn an_arch_that_snaps_through_says_so() {
    let start = State { q: [-1.0], ..State::neutral(&on(Arch)) };
    let limit = 2.0 / 27f64.sqrt();
    let push = |most: f64| move |share: f64| (on(Arch), Constant([share * most]));
    // A search that accepts every step crosses the limit; one that requires steps to help ends there.
    let bold =
        Loading { statics: Statics { halvings: 0, iterations: 1000, ..Statics::default() }, ..Loading::default() };
    let (x, found) = bold.solve(start.clone(), push(1.0)).expect("beyond");
    assert!((x.q[0].powi(3) - x.q[0] - 1.0).abs() < 1e-10 && x.q[0] > 1.0, "{:?}", x.q);
    let jump = found.jump.expect("seen");
    assert!((jump - limit).abs() < 2e-4, "{jump} {found:?}");
    let error = Loading::default().solve(start.clone(), push(1.0)).expect_err("a limit");
    let reached = error.load.expect("some");
    assert!((limit - 2e-4..=limit).contains(&reached), "{error:?}");
    // short of the limit it bends only
    let (x, found) = Loading::default().solve(start, push(0.999 * limit)).expect("before");
    assert!(x.q[0] < -1.0 / 3f64.sqrt() && found.jump.is_none() && found.turn.is_none(), "{found:?}");
    assert_eq!(found.stability, Stability::Stable);
}

#[test]
fn a_load_that_follows_its_column_makes_it_flutter() {
    let undamped = 3.5 - 2f64.sqrt();
    let judge = |load, damping| found(&on(Ziegler { load, damping }));
    for (share, stability) in [(1.0 - 1e-6, Stability::Marginal), (1.0 + 1e-6, Stability::Unstable)] {
        let found = judge(share * undamped, 0.0);
        assert_eq!(found.stability, stability, "{found:?}");
        assert_eq!(found.evidence.expect("judged").by, Criterion::Motion);
    }
    // damping lowers it
    for (load, stability) in [(1.46, Stability::Stable), (1.468, Stability::Unstable)] {
        assert_eq!(judge(load, 1e-3).stability, stability, "{load}");
    }
    // without the load K is symmetric
    assert_eq!(judge(0.0, 0.0).evidence.expect("judged").by, Criterion::Stiffness);
}

#[test]
fn what_feeds_a_motion_makes_it_grow() {
    let fed = found(&on(Oscillator { m: 2.0, k: 50.0, c: -1.0, w: 0.0, x: 0.0, v: 0.0 }));
    assert_eq!(fed.stability, Stability::Unstable);
    // 2 λ² − λ + 50 = 0
    let (by, least, _) = least(&fed);
    assert!(by == Criterion::Motion && (least + 0.25).abs() < 1e-12, "{least}");
}

#[test]
fn a_gyroscopic_force_holds_what_stiffness_does_not() {
    // x″ = x + Ω y′, y″ = y − Ω x′: oscillations for Ω > 2; any damping ends that.
    let plant =
        |rate: f64, damping: f64| Planar { d: [[damping, -rate], [rate, damping]], ..Planar::springs(-1.0, -1.0) };
    for (rate, damping, stability) in
        [(1.9, 0.0, Stability::Unstable), (2.1, 0.0, Stability::Marginal), (2.1, 1e-3, Stability::Unstable)]
    {
        assert_eq!(found(&on(plant(rate, damping))).stability, stability, "{rate} {damping}");
    }
    // where stiffness holds all of it, such a force changes nothing
    let held = Planar { d: [[0.0, -3.0], [3.0, 0.0]], ..Planar::springs(1.0, 2.0) };
    assert_eq!(found(&on(held)).stability, Stability::Stable);
}

#[test]
fn states_that_act_on_the_motion_decide_with_it() {
    assert_eq!(found(&on(Solenoid)).stability, Stability::Stable);
    // λ³ + 10 λ² + 19 λ + 20 is stable, λ³ + 10 λ² − λ + 20 is not; K alone is negative, K with z at its rest positive.
    let held = Lagged { stiffness: 1.0, pull: 1.0, rate: 2.0, leak: 1.0 };
    assert_eq!(found(&on(held)).stability, Stability::Stable);
    assert_eq!(found(&on(Lagged { rate: 0.0, ..held })).stability, Stability::Unstable);
    // one that only watches does not disturb the judgement of the motion, but has its own
    let watched = Lagged { stiffness: -1.0, pull: 0.0, rate: 0.0, leak: 1.0 };
    assert_eq!(found(&on(watched)).stability, Stability::Stable);
    assert_eq!(found(&on(Lagged { leak: 0.0, ..watched })).stability, Stability::Indifferent);
    assert_eq!(found(&on(Lagged { leak: -1.0, ..watched })).stability, Stability::Unstable);
}

#[test]
fn a_top_at_rest_hangs_indifferent_to_turning() {
    let top =
        |attitude| on(Top { inertia: [1.0, 1.0, 0.5], weight: 3.0, chart: Chart::Body, attitude, rate: [0.0; 3] });
    let (up, down) = ([1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]);
    let found = at(&top(down), down);
    let evidence = found.evidence.expect("judged");
    assert_eq!((found.stability, evidence.positive, evidence.zero), (Stability::Indifferent, 2, 1));
    assert_eq!(evidence.moves.as_str(), "w.z");
    let found = at(&top(up), up);
    assert_eq!((found.stability, found.evidence.expect("judged").negative), (Stability::Unstable, 2));
    let held = Held::new(top(down), &["w.z"]).expect("a name");
    assert_eq!(at(&held, down).stability, Stability::Stable);
}

#[test]
fn what_is_held_is_not_judged() {
    let half = std::f64::consts::FRAC_PI_2;
    let held = Held::new(on(Bars), &["q1"]).expect("a name");
    for (q2, stability) in [(-half, Stability::Stable), (half, Stability::Unstable)] {
        let found = at(&held, [0.4, q2]);
        let evidence = found.evidence.expect("judged");
        assert_eq!((found.stability, evidence.positive + evidence.negative), (stability, 1));
        assert_eq!(evidence.moves.as_str(), "q2");
    }
}

#[test]
fn rows_that_repeat_others_hold_no_more() {
    // The same circle twice: however the rows share the tension, the bob hangs, and does not stand.
    let system = on(Broken { mass: [1.0; 2], force: -9.81, factor: 2.0, offset: 0.0 });
    for (y, stability) in [(-1.0, Stability::Stable), (1.0, Stability::Unstable)] {
        for lambda in [[y * 4.905, 0.0], [0.0, y * 2.4525], [y * 1.905, y * 1.5]] {
            let x = State { q: [0.0, y], lambda, ..State::neutral(&system) };
            let statics = Statics { multipliers: Begin::Given, residual: 1e-9, ..Statics::default() };
            let found = statics.solve(&system, &Nominal, x).expect("an equilibrium").1;
            let evidence = found.evidence.expect("judged");
            assert_eq!((found.stability, evidence.positive + evidence.negative), (stability, 1));
            assert!((evidence.least + y * 9.81).abs() < 1e-12, "{evidence:?}");
        }
    }
}

#[test]
fn what_nothing_can_move_is_stable() {
    let system = on(crate::common::mechanisms::ShortRod);
    let start = State { t: 0.3, q: [0.3, -0.63, 1.36], ..State::neutral(&system) };
    let x = Assembly::of(Levels::POSITION).solve(&system, &Nominal, start).expect("assembled").0;
    let found = Statics::default().solve(&system, &Nominal, x).expect("held").1;
    assert_eq!((found.stability, found.evidence.expect("judged").least), (Stability::Stable, f64::INFINITY));
}

#[test]
fn what_is_not_judged_says_why() {
    let governor = on(Governor { rate: 5.0, start: [0.8, 0.0, -0.6] });
    let mut x = State::neutral(&governor);
    governor.guess(&mut x.q, &mut x.v, &mut x.z);
    let found = Statics::default().steady(&governor, &Nominal, x).expect("a steady motion").1;
    assert_eq!((found.stability, found.evidence), (Stability::Unjudged(Unjudged::Steady), None));
    let plane = on(Planar::springs(1.0, 1.0));
    let fast = Statics { judge: false, ..Statics::default() };
    let found = fast.solve(&plane, &Nominal, State::neutral(&plane)).expect("there").1;
    assert_eq!((found.stability, found.evidence), (Stability::Unjudged(Unjudged::Unasked), None));
}

#[test]
fn multipliers_of_the_start_are_taken() {
    // Above its hook the rod is pressed, and the bob is led up; told that it is drawn, the search goes down.
    let system = on(Pendulum::standard());
    let start = State { q: [0.8, 0.2], lambda: [-9.81], ..State::neutral(&system) };
    for (multipliers, y) in [(Begin::LeastForces, 1.0), (Begin::Given, -1.0)] {
        let statics = Statics { multipliers, halvings: 0, ..Statics::default() };
        let (x, _) = statics.solve(&system, &Nominal, start.clone()).expect("an equilibrium");
        assert!(x.q[0].abs() < 1e-10 && (x.q[1] - y).abs() < 1e-10, "{multipliers:?} {:?}", x.q);
        // begun again at its end there is nothing to do
        let again = Statics { residual: 1e-9, ..statics };
        assert_eq!(again.solve(&system, &Nominal, x).expect("there").1.iterations, 0);
    }
}

#[test]
fn linear_statics_with_and_without_what_multipliers_add() {
    // A bob hangs on its rod and is pushed aside by 1 N: m g/l holds it; without that nothing does.
    let system = on(crate::common::equilibria::Hanging { spring: 0.0 });
    let x = State { q: [0.0, -1.0], ..State::neutral(&system) };
    let aside = Statics::linear(&system, &Nominal, x.clone()).expect("held by the tension");
    assert!((aside.q[0] - 1.0 / 9.81).abs() < 1e-15, "{:?}", aside.q);
    assert!(Statics::linear_elastic(&system, &Nominal, x.clone()).is_err());
    // with a spring across, k + m g/l and k
    let system = on(crate::common::equilibria::Hanging { spring: 20.0 });
    let aside = Statics::linear(&system, &Nominal, x.clone()).expect("held");
    assert!((aside.q[0] - 1.0 / 29.81).abs() < 1e-15, "{:?}", aside.q);
    let aside = Statics::linear_elastic(&system, &Nominal, x).expect("held");
    assert!((aside.q[0] - 0.05).abs() < 1e-15 && (aside.lambda[0] + 9.81).abs() < 1e-12, "{aside:?}");
}

/// By Hurwitz' determinants of det(λ² M + λ D + K); none near their zeros.
fn hurwitz(Planar { k, d, mass: [m, n], .. }: &Planar) -> Option<Stability> {
    let det = |a: &[[f64; 2]; 2]| a[0][0] * a[1][1] - a[0][1] * a[1][0];
    let mixed = d[0][0] * k[1][1] + d[1][1] * k[0][0] - d[0][1] * k[1][0] - d[1][0] * k[0][1];
    let a = [det(k), mixed, det(d) + m * k[1][1] + n * k[0][0], m * d[1][1] + n * d[0][0], m * n];
    let second = a[3] * a[2] - a[4] * a[1];
    let tests = [a[0], a[1], a[2], a[3], second, a[1] * second - a[3] * a[3] * a[0]];
    if tests.iter().any(|x| x.abs() < 1e-6) {
        return None;
    }
    Some(if tests.iter().all(|&x| x > 0.0) { Stability::Stable } else { Stability::Unstable })
}

#[test]
fn any_two_coordinates_agree_with_hurwitz() {
    let mut next = numbers(1);
    let (mut stable, mut unstable) = (0, 0);
    for i in 0..2000 {
        let mut plant = Planar {
            k: [[1.0 + next(), next()], [next(), 1.0 + next()]],
            d: [[1.0 + next(), next()], [next(), 1.0 + next()]],
            mass: [1.1 + next(), 1.1 + next()],
            start: [0.0; 2],
        };
        if i % 2 == 0 {
            (plant.k[1][0], plant.d[1][0]) = (plant.k[0][1], plant.d[0][1]);
        }
        let Some(want) = hurwitz(&plant) else { continue };
        assert_eq!(found(&on(plant)).stability, want, "{plant:?}");
        if want == Stability::Stable { stable += 1 } else { unstable += 1 }
    }
    assert!(stable > 300 && unstable > 300, "{stable} {unstable}");
}

#[test]
fn units_of_time_and_mass_do_not_matter() {
    let mut next = numbers(2);
    for _ in 0..500 {
        let plant = Planar {
            k: [[1.0 + next(), next()], [next(), 1.0 + next()]],
            d: [[1.0 + next(), next()], [next(), 1.0 + next()]],
            mass: [1.1 + next(), 1.1 + next()],
            start: [0.0; 2],
        };
        let Some(want) = hurwitz(&plant) else { continue };
        // q₂ in units of 1e5, time in those of 1e-4, masses in those of 1e3
        let size = |i: usize| if i == 0 { 1.0 } else { 1e5 };
        let scale = |a: [[f64; 2]; 2], by: f64| {
            std::array::from_fn(|i| std::array::from_fn(|j| a[i][j] * by * size(i) * size(j)))
        };
        let other = Planar {
            k: scale(plant.k, 1e3 * 1e8),
            d: scale(plant.d, 1e3 * 1e4),
            mass: std::array::from_fn(|i| plant.mass[i] * 1e3 * size(i) * size(i)),
            ..plant
        };
        assert_eq!(found(&on(other)).stability, want, "{plant:?}");
    }
}
