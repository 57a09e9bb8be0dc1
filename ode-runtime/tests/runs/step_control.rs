//! Error control: tolerances of each entry, norms, laws, bounds of steps, first steps, and halving where there is no
//! estimate.

use crate::common::plants::{Actuated, DoublePendulum, Oscillator, Pendulum};
use crate::common::rigid::Rod;
use crate::common::{On, on};
use ode_runtime::integrators::{BackwardEuler, GeneralizedAlpha, Geodesic, Tableau};
use ode_runtime::solve::{Acceleration, Newton, Projection};
use ode_runtime::{
    Adaptive, Bound, Cause, Context, Entries, Estimates, Halving, Inputs, Law, Method, MethodName, Moment, Norm,
    Proposal, Quantity, Simulation, Solvable, Start, State, Steps, Tolerance, input_fn,
};

const LAWS: [(&str, Law); 7] = [
    ("elementary", Law::ELEMENTARY),
    ("PI", Law::PI),
    ("PI4020", Law::PI4020),
    ("H211PI", Law::H211PI),
    ("H211b", Law::H211B),
    ("H312PID", Law::H312PID),
    ("H312b", Law::H312B),
];

/// Coefficients of the polynomial with these real roots, the leading one first.
fn product(roots: &[f64]) -> Vec<f64> {
    roots.iter().fold(vec![1.0], |p, root| {
        let mut next = p.clone();
        next.push(0.0);
        for (i, c) in p.iter().enumerate() {
            next[i + 1] -= root * c;
        }
        next
    })
}

/// The characteristic polynomial of log h where log error = log h + …, for an order of 1.
fn characteristic(law: &Law) -> [f64; 4] {
    let ([b1, b2, b3], [a2, a3]) = (law.errors, law.steps);
    [1.0, -(1.0 - b1 - a2), -(a2 - b2 - a3), -(a3 - b3)]
}

#[test]
fn coefficients_of_the_filters_are_those_of_their_poles_and_zeros() {
    // Söderlind 2003, tables I and II: poles of the closed loop, and how often errors of alternating sign are removed:
    // zeros at −1.
    let poles: [(Law, &[f64]); 4] = [
        (Law::ELEMENTARY, &[0.0, 0.0, 0.0]),
        (Law::H211PI, &[0.5, 1.0 / 3.0, 0.0]),
        (Law::H211B, &[0.5, 0.0, 0.0]),
        (Law::H312B, &[0.5, 0.0, 0.0]),
    ];
    for (law, roots) in poles {
        for (got, want) in characteristic(&law).iter().zip(product(roots)) {
            assert!((got - want).abs() < 1e-15, "{law:?}: {:?}", characteristic(&law));
        }
    }
    let zeros = |law: Law| {
        let [b1, b2, b3] = law.errors;
        let value = b1 - b2 + b3;
        let slope = -2.0 * b1 + b2;
        (value.abs() < 1e-15, slope.abs() < 1e-15)
    };
    assert_eq!(zeros(Law::PI), (false, false));
    for law in [Law::H211PI, Law::H211B] {
        assert!(law.errors[0] == law.errors[1], "{law:?}");
    }
    for law in [Law::H312PID, Law::H312B] {
        assert_eq!(zeros(law), (true, true));
    }
    // All of them are stable, and forget: a pole at 1 would be a step that drifts.
    for (name, law) in LAWS {
        let [_, c1, c2, c3] = characteristic(&law);
        let (mut x, mut largest) = ([1.0, 0.3, -0.7], 0.0_f64);
        for n in 0..400 {
            let next = -(c1 * x[0] + c2 * x[1] + c3 * x[2]);
            x = [next, x[0], x[1]];
            if n > 390 {
                largest = largest.max(next.abs());
            }
        }
        assert!(largest < 1e-12, "{name}: {largest}");
    }
}

fn control<S: Solvable<Real = f64>>(tolerance: Tolerance<S>, law: Law) -> Adaptive<S> {
    Adaptive { law, ..Adaptive::within(tolerance) }
}

#[test]
fn every_law_follows_the_tolerance() {
    let pendulum = on(DoublePendulum);
    let end = |law, accuracy| {
        let tolerance = Tolerance::new(Bound::absolute(accuracy));
        let mut run = Simulation::of(&pendulum, Geodesic).controlled(control(tolerance, law)).expect("a start");
        run.advance_to(1.0).expect("steps");
        let error = (run.state().q[0] + 2.227_202_839_965_53).abs();
        (error, *run.statistics())
    };
    for (name, law) in LAWS {
        let (coarse, fine) = (end(law, 1e-6), end(law, 1e-10));
        assert!(coarse.0 < 1e-4 && fine.0 < 1e-8, "{name}: {:e} {:e}", coarse.0, fine.0);
        // The estimate goes as h⁴: 10⁴ times the accuracy takes 10 times the steps.
        let more = fine.1.taken as f64 / coarse.1.taken as f64;
        assert!((6.0..14.0).contains(&more), "{name}: {} {}", fine.1.taken, coarse.1.taken);
        assert!(fine.1.error_failures * 8 < fine.1.taken, "{name}: {:?}", fine.1);
    }
}

#[test]
fn filters_take_smoother_steps() {
    // The variation of log h over a run of a motion without events.
    let pendulum = on(DoublePendulum);
    let roughness = |law| {
        let tolerance = Tolerance::new(Bound::absolute(1e-9));
        let mut run = Simulation::of(&pendulum, Geodesic).controlled(control(tolerance, law)).expect("a start");
        let (mut sizes, mut sum) = (Vec::new(), 0.0_f64);
        while run.state().t < 5.0 {
            run.step_towards(1e3).expect("a step");
            sizes.push(run.last_step().ln());
        }
        for three in sizes.windows(3) {
            sum += (three[0] - 2.0 * three[1] + three[2]).powi(2);
        }
        (sum / sizes.len() as f64).sqrt()
    };
    let (elementary, smooth, smoothest) = (roughness(Law::ELEMENTARY), roughness(Law::H211B), roughness(Law::H312B));
    assert!(smooth < 0.5 * elementary && smoothest < 0.5 * elementary, "{elementary} {smooth} {smoothest}");
}

#[test]
fn tolerances_of_single_entries_count() {
    let plant = on(Actuated { lag: 0.1 });
    let loose = Tolerance::new(Bound::absolute(1e-3));
    let taken = |tolerance: Tolerance<On<Actuated>>| {
        let mut run = Simulation::of(&plant, Geodesic)
            .project(Projection::to(1e-8))
            .controlled(Adaptive::within(tolerance))
            .expect("a start");
        run.advance_to(1.0).expect("steps");
        (run.statistics().taken, run.limit().expect("an estimate"))
    };
    let (few, _) = taken(loose.clone());
    for (name, quantity) in [("x", Quantity::Coordinate), ("der(y)", Quantity::Velocity), ("memory", Quantity::State)] {
        let fine = loose.clone().entry(&plant, name, Bound::absolute(1e-10)).expect("its name");
        let (many, limit) = taken(fine);
        assert!(many > 10 * few, "{name}: {many} {few}");
        assert_eq!((limit.quantity, limit.name.as_str()), (quantity, name));
        assert!(limit.error > 0.0 && limit.error <= 1.0);
    }
    let states = loose.clone().block(&plant, Entries::States, Bound::absolute(1e-10));
    assert!(taken(states).0 > 10 * few);
    let unknown = loose.entry(&plant, "memry", Bound::absolute(1.0)).map(drop).expect_err("no such name");
    assert_eq!(unknown.to_string(), "there is no coordinate, velocity or state `memry`; did you mean `memory`?");
}

#[test]
fn relative_errors_go_with_their_values() {
    // x = 10⁶ cos t: 1e-9 relative is as far as 1e-3 absolute where x is large, and finer where it is not.
    let wide = on(Oscillator { m: 1.0, k: 1.0, c: 0.0, w: 0.0, x: 1e6, v: 0.0 });
    let unit = on(Oscillator { m: 1.0, k: 1.0, c: 0.0, w: 0.0, x: 1.0, v: 0.0 });
    let taken = |system: &On<Oscillator>, relative, absolute| {
        let tolerance = Tolerance::new(Bound { relative, absolute });
        let mut run = Simulation::of(system, Geodesic).controlled(Adaptive::within(tolerance)).expect("a start");
        run.advance_to(1.0).expect("steps");
        run.statistics().taken
    };
    assert_eq!(taken(&wide, 1e-9, 1e-3), taken(&unit, 1e-9, 1e-9));
    assert!(taken(&wide, 0.0, 1e-9) > 5 * taken(&wide, 1e-9, 1e-9));
}

#[test]
fn a_rotation_has_its_own_tolerance() {
    let rod = on(Rod);
    let tolerance = Tolerance::new(Bound { relative: 1e-6, absolute: 1e-6 });
    let mut run = Simulation::of(&rod, Geodesic).controlled(Adaptive::within(tolerance)).expect("a start");
    run.advance_to(0.2).expect("steps");
    let error = run.error().expect("an estimate").clone();
    assert_eq!((error.q.len(), error.v.len()), (6, 6));
    let limit = run.limit().expect("an estimate");
    assert!(!limit.name.as_str().is_empty() && limit.error <= 1.0, "{limit:?}");
}

#[test]
fn the_mean_is_below_the_largest() {
    let plant = on(Actuated { lag: 0.1 });
    let taken = |norm| {
        let tolerance = Tolerance::new(Bound::absolute(1e-8)).norm(norm);
        let mut run = Simulation::of(&plant, Geodesic).controlled(Adaptive::within(tolerance)).expect("a start");
        run.advance_to(1.0).expect("steps");
        run.statistics().taken
    };
    let (largest, mean) = (taken(Norm::Max), taken(Norm::Rms));
    // Six entries: at most √6 apart, to the fourth root of that in steps.
    assert!(mean <= largest && largest < 2 * mean, "{largest} {mean}");
}

#[test]
fn steps_stay_within_their_bounds() {
    let oscillator = on(Oscillator { m: 1.0, k: 1.0, c: 0.0, w: 0.0, x: 1.0, v: 0.0 });
    let mut control = Adaptive::to(1e-3);
    control.steps = Steps { first: Some(1e-4), least: 1e-5, most: 0.01 };
    let mut run = Simulation::of(&oscillator, Geodesic).controlled(control.clone()).expect("a start");
    while run.state().t < 1.0 {
        run.step_towards(1.0).expect("a step");
        assert!(run.last_step() <= 0.01 + 1e-12);
    }
    // What does not pass with the least step is an error that says so.
    control.tolerance = Tolerance::new(Bound::absolute(1e-13));
    control.steps = Steps { first: Some(0.1), least: 0.05, most: 0.2 };
    let mut run = Simulation::of(&oscillator, Geodesic).controlled(control).expect("a start");
    let before = run.state().clone();
    match run.advance_to(1.0).expect_err("too coarse").cause {
        Cause::StepTooSmall { smallest, limit: Some(limit) } => {
            assert!(smallest == 0.05 && limit.error > 1.0);
            assert_eq!((limit.quantity, limit.name.as_str()), (Quantity::Velocity, "der(x)"));
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(run.state(), &before);
}

#[test]
fn the_first_step_suits_the_motion() {
    // ω = 10ⁿ: the step goes with the period, and passes at once.
    for n in -3..4 {
        let omega = 10_f64.powi(n);
        let oscillator = on(Oscillator { m: 1.0, k: omega * omega, c: 0.0, w: 0.0, x: 1.0, v: 0.0 });
        for accuracy in [1e-3, 1e-6, 1e-9] {
            let tolerance = Tolerance::new(Bound { relative: accuracy, absolute: accuracy });
            let mut run =
                Simulation::of(&oscillator, Geodesic).controlled(Adaptive::within(tolerance)).expect("a start");
            let planned = run.next_step();
            run.step_towards(1e9).expect("a step");
            let statistics = *run.statistics();
            assert_eq!((statistics.attempted, statistics.first_step), (1, planned), "ω = {omega}, {accuracy:e}");
            // Not timid either: within a few steps control would take it no more than a hundred times as long.
            for _ in 0..10 {
                run.step_towards(1e9).expect("a step");
            }
            let ratio = run.last_step() / planned;
            assert!(ratio < 3e3 || omega < 0.1, "ω = {omega}, {accuracy:e}: {ratio}");
        }
    }
    // A start that cannot be left far: the second slope is not finite beyond t = 1e-7.
    let oscillator = on(Oscillator { m: 1.0, k: 1.0, c: 0.0, w: 0.0, x: 1.0, v: 0.0 });
    let short = input_fn(|at: Moment<'_, On<Oscillator>>, u: &mut [f64; 1]| u[0] = (1e-7 - at.t).sqrt());
    let run = Simulation::of(&oscillator, Geodesic).inputs(short).adaptive(1e-6).expect("a start");
    assert!(run.next_step() > 0.0 && run.next_step() <= 1e-5, "{}", run.next_step());
}

#[test]
fn a_step_that_does_not_converge_is_halved_and_lands_on_its_grid() {
    // Few iterations: long steps of a fast pendulum fail.
    let pendulum = on(Pendulum { g: 400.0, ..Pendulum::standard() });
    let newton = Newton { iterations: 4, ..Newton::default() };
    let method = GeneralizedAlpha { newton, ..GeneralizedAlpha::with_spectral_radius(0.8) };
    let error = {
        let mut run = Simulation::of(&pendulum, method).fixed(0.04).expect("a start");
        run.advance_to(1.0).expect_err("too long a step")
    };
    assert!(matches!(error.cause, Cause::Newton { .. }));

    let mut run = Simulation::of(&pendulum, method).halving(Halving::of(0.04)).expect("a start");
    let (mut on_grid, mut sizes) = (0, Vec::new());
    while run.state().t < 1.0 {
        run.step_towards(1.0).expect("a step");
        let cells = run.state().t / 0.04;
        on_grid += u32::from((cells - cells.round()).abs() < 1e-9);
        // Every size is the grid's, halved a whole number of times.
        let halvings = (0.04 / run.last_step()).log2();
        assert!((halvings - halvings.round()).abs() < 1e-9 && halvings > -1e-9, "{}", run.last_step());
        sizes.push(halvings.round() as i32);
    }
    assert_eq!(on_grid, 25);
    assert!(run.statistics().convergence_failures > 0);
    // Halved, and doubled again.
    assert!(sizes.windows(2).any(|two| two[1] > two[0]) && sizes.windows(2).any(|two| two[1] < two[0]), "{sizes:?}");
    assert_eq!(run.statistics().attempt_failures, run.statistics().convergence_failures);

    // Below the least step the cause is told.
    let halving = Halving { h: 0.04, least: 0.03, successes: 5 };
    let mut run = Simulation::of(&pendulum, method).halving(halving).expect("a start");
    let failed = run.advance_to(1.0).expect_err("not short enough");
    assert_eq!((failed.time, failed.step), (error.time, error.step));
    // And a step that never fails is that of the grid.
    let calm = on(Pendulum::standard());
    let mut halving = Simulation::of(&calm, BackwardEuler::default()).halving(Halving::of(0.01)).expect("a start");
    let mut fixed = Simulation::of(&calm, BackwardEuler::default()).fixed(0.01).expect("a start");
    halving.advance_to(1.0).expect("steps");
    fixed.advance_to(1.0).expect("steps");
    assert_eq!(halving.state(), fixed.state());
}

#[test]
fn a_failure_that_says_nothing_of_the_error_is_retreated_from() {
    // The input is not finite on the far side of t = 0.5: steps shrink towards it, and the error names it.
    let oscillator = on(Oscillator { m: 1.0, k: 1.0, c: 0.0, w: 0.0, x: 1.0, v: 0.0 });
    let wall =
        input_fn(|at: Moment<'_, On<Oscillator>>, u: &mut [f64; 1]| u[0] = if at.t > 0.5 { f64::NAN } else { 0.0 });
    let mut run = Simulation::of(&oscillator, Geodesic).inputs(wall).adaptive(1e-6).expect("a start");
    let error = run.advance_to(1.0).expect_err("not beyond");
    assert!(matches!(error.cause, Cause::NonFinite { quantity: Quantity::Input, .. }));
    assert!((run.state().t - 0.5).abs() < 1e-12, "{}", run.state().t);
    assert!(run.statistics().realization_failures > 5);
}

#[test]
fn attempts_are_bounded() {
    let oscillator = on(Oscillator { m: 1.0, k: 1.0, c: 0.0, w: 0.0, x: 1.0, v: 0.0 });
    let mut run = Simulation::of(&oscillator, Geodesic).attempts(50).fixed(1e-3).expect("a start");
    let error = run.advance_to(1.0).expect_err("a thousand steps");
    assert_eq!(error.cause, Cause::TooMuchWork { attempts: 51 });
    run.advance_to(run.state().t + 0.04).expect("forty steps");
    // Without landing on reports, too.
    let mut run = Simulation::of(&oscillator, Geodesic).attempts(50).fixed(1e-3).expect("a start");
    let error = run.run_through(1.0, 0.5, |_| {}).expect_err("five hundred steps");
    assert_eq!(error.cause, Cause::TooMuchWork { attempts: 51 });
    let mut run = Simulation::of(&oscillator, Geodesic).attempts(50).fixed(1e-3).expect("a start");
    run.run_through(1.0, 0.04, |_| {}).expect("forty steps");
    // Within one step: a retreat that hardly shrinks it.
    let wall =
        input_fn(|at: Moment<'_, On<Oscillator>>, u: &mut [f64; 1]| u[0] = if at.t > 0.0 { f64::NAN } else { 0.0 });
    let mut control = Adaptive::to(1e-6);
    (control.law.retreat, control.steps.first) = (1.0 - 1e-9, Some(0.1));
    let setup = Simulation::of(&oscillator, Geodesic).inputs(wall).attempts(50);
    let error = setup.controlled(control).expect("a start").step_towards(1.0).expect_err("nothing beyond");
    assert_eq!(error.cause, Cause::TooMuchWork { attempts: 51 });
}

#[test]
fn the_least_step_is_tried_once_where_time_rounds_it_up() {
    // From t = −0.2 on, a step of 1.1e-6 ends at a time that is a little more than that away.
    let oscillator = on(Oscillator { m: 1.0, k: 1.0, c: 0.0, w: 0.0, x: 1.0, v: 0.0 });
    let wall =
        input_fn(|at: Moment<'_, On<Oscillator>>, u: &mut [f64; 1]| u[0] = if at.t > -0.2 { f64::NAN } else { 0.0 });
    for least in [1.1e-6, 1.2e-6, 1.3e-6, 1.4e-6, 1.5e-6] {
        let mut control = Adaptive::to(1e-6);
        control.steps = Steps { first: Some(1e-4), least, most: 1.0 };
        let setup = Simulation::of(&oscillator, Geodesic).inputs(wall).start(Start::at(-0.2)).attempts(100);
        let error = setup.controlled(control).expect("a start").step_towards(1.0).expect_err("nothing beyond");
        assert!(matches!(error.cause, Cause::NonFinite { quantity: Quantity::Input, .. }), "{least}: {error}");
    }
}

/// A method that cannot say how large its error is.
#[derive(Clone, Copy)]
struct Blind;

impl Estimates for Blind {
    const ERROR_ORDER: u32 = 4;
}

impl<S: Solvable<Real = f64>> Method<S> for Blind {
    type Memory = <Geodesic as Method<S>>::Memory;
    type Scratch = <Geodesic as Method<S>>::Scratch;

    fn name(&self) -> MethodName {
        MethodName::new("blind")
    }
    fn scratch(&self, system: &S) -> Self::Scratch {
        Method::<S>::scratch(&Geodesic, system)
    }
    fn restart<U: Inputs<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        x: &mut State<S>,
        h: f64,
        w: &mut Self::Scratch,
        acceleration: &mut Acceleration<S>,
    ) -> Result<Self::Memory, Cause> {
        Geodesic.restart(cx, x, h, w, acceleration)
    }
    fn attempt<U: Inputs<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        x: &State<S>,
        m: &Self::Memory,
        h: f64,
        w: &mut Self::Scratch,
        next: &mut Proposal<S>,
    ) -> Result<(), Cause> {
        Geodesic.attempt(cx, x, m, h, w, next)?;
        next.error.v.as_mut().fill(f64::NAN);
        Ok(())
    }
    fn estimates(&self) -> bool {
        true
    }
}

/// Says an order of its error, and has no weights to estimate it.
#[derive(Clone, Copy, Debug)]
struct Unweighted;

impl Tableau for Unweighted {
    type Stages<X> = [X; 1];
    const NAME: &'static str = "Unweighted";
    const A: &'static [&'static [f64]] = &[&[]];
    const B: &'static [f64] = &[1.0];
    const C: &'static [f64] = &[0.0];
    const ORDER: u32 = 1;
}

impl Estimates for Unweighted {
    const ERROR_ORDER: u32 = 2;
}

#[test]
fn a_method_without_an_estimate_chooses_no_steps() {
    let bars = on(DoublePendulum);
    let error = Simulation::of(&bars, Unweighted).adaptive(1e-6).expect_err("no estimate");
    let setting = "the error order of a method without an error estimate";
    assert_eq!(error.cause, Cause::Invalid { setting, value: 2.0 });
}

#[test]
fn an_error_that_is_no_number_never_passes() {
    let bars = on(DoublePendulum);
    for norm in [Norm::Max, Norm::Rms] {
        for relative in [0.0, 1e-3] {
            let tolerance = Tolerance::new(Bound { relative, absolute: 1e-3 }).norm(norm);
            let control =
                Adaptive { steps: Steps { first: Some(0.01), ..Steps::default() }, ..Adaptive::within(tolerance) };
            let mut run = Simulation::of(&bars, Blind).controlled(control).expect("a start");
            let error = run.step_towards(1.0).expect_err("no step");
            assert!(matches!(error.cause, Cause::StepTooSmall { .. }), "{norm:?}: {error}");
            assert_eq!((run.state().t, run.statistics().taken), (0.0, 0));
        }
    }
}
