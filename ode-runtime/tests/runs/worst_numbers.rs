//! Every number that may enter, replaced by the worst ones: errors that name it, never a panic, and never a state that
//! is not finite.

use crate::common::erased::{Erased, Shared};
use crate::common::plants::{Actuated, Broken, DoublePendulum, Oscillator, Pendulum};
use crate::common::rigid::{Chart, Top};
use crate::common::{On, on};
use ode_runtime::analysis::{Loading, Statics, Unsettled};
use ode_runtime::integrators::{
    BackwardEuler, Bdf2, Composition, GeneralizedAlpha, Geodesic, Implicit, SemiExplicitEuler, StormerVerlet,
};
use ode_runtime::solve::{Metric, Newton, Projection, Reuse};
use ode_runtime::{
    Adaptive, Bound, Cause, Entries, Estimates, Events, Every, Halving, Law, Method, Name, Nominal, Quantity, Rayleigh,
    Sampled, Simulation, Solvable, Start, StartError, State, StepError, Steps, Tolerance,
};

const WORST: [f64; 16] = [
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    0.0,
    -0.0,
    5e-324,
    1e-310,
    -1e-200,
    1e-16,
    0.5,
    1.0,
    -1.0,
    3.0,
    1e16,
    -1e200,
    f64::MAX,
];

/// Xorshift: the same sequence each time.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// One of the worst numbers in one throw of `rarity`, else one of size 1.
    fn number(&mut self, rarity: u64) -> f64 {
        if self.next().is_multiple_of(rarity) {
            WORST[(self.next() % 16) as usize]
        } else {
            (self.next() >> 11) as f64 / (1_u64 << 53) as f64 + 0.5
        }
    }
}

fn few_steps<S: Solvable<Real = f64>>(system: &S, method: &dyn Erased<S>, dice: &mut Dice) -> bool {
    let mut setup = Simulation::of(system, Shared(method));
    match dice.next() % 3 {
        0 => {}
        1 => setup = setup.start(Start { time: dice.number(8), tolerance: dice.number(8), iterations: 20 }),
        _ => {
            let mut x = State::neutral(system);
            x.t = dice.number(8);
            let State { q, v, z, a, lambda, .. } = &mut x;
            for block in [q.as_mut(), v.as_mut(), z.as_mut(), a.as_mut(), lambda.as_mut()] {
                block.fill_with(|| dice.number(8));
            }
            // what is no rotation goes no further
            for &(first, count) in system.rotations().iter().filter(|_| !dice.next().is_multiple_of(4)) {
                q.as_mut()[first..first + count].fill((count as f64).sqrt().recip());
            }
            setup = if dice.next().is_multiple_of(2) { setup.given(x) } else { setup.given_with_rates(x) };
        }
    }
    if dice.next().is_multiple_of(2) {
        setup = setup.project(Projection::to(dice.number(4) * 1e-6));
    }
    let Ok(mut run) = setup.fixed(dice.number(4) * 1e-2) else { return false };
    stays_sound(system, &mut run, dice)
}

fn few_adaptive_steps<S: Solvable<Real = f64>, M: Method<S> + Estimates>(
    system: &S,
    method: M,
    dice: &mut Dice,
) -> bool {
    let setup = Simulation::of(system, method);
    let Ok(mut run) = setup.adaptive_from(dice.number(4) * 1e-6, dice.number(4)) else { return false };
    stays_sound(system, &mut run, dice)
}

fn stays_sound<S: Solvable<Real = f64>, M: Method<S>>(
    system: &S,
    run: &mut Simulation<'_, S, M>,
    dice: &mut Dice,
) -> bool {
    for _ in 0..5 {
        let before = run.state().clone();
        let towards = before.t + dice.number(6);
        match run.step_towards(towards) {
            Ok(_) => assert!(run.state().check(&system.layout()).is_ok()),
            Err(_) => {
                assert_eq!(run.state(), &before);
                return false;
            }
        }
    }
    true
}

fn every_method<S: ode_runtime::Linearize + Solvable<Real = f64> + 'static>(system: &S, dice: &mut Dice) -> u32 {
    let mut alpha = GeneralizedAlpha::with_spectral_radius(dice.number(4).min(1.0));
    alpha.newton.tolerance = dice.number(4) * 1e-9;
    [
        few_steps(system, &SemiExplicitEuler::explicit(), dice),
        few_steps(system, &SemiExplicitEuler::implicit_position(), dice),
        few_steps(system, &SemiExplicitEuler::implicit_velocity(), dice),
        few_steps(system, &BackwardEuler::default(), dice),
        few_steps(system, &BackwardEuler::linearized(), dice),
        few_steps(system, &alpha, dice),
        few_steps(system, &Geodesic, dice),
        few_adaptive_steps(system, Geodesic, dice),
    ]
    .into_iter()
    .map(u32::from)
    .sum()
}

#[test]
fn no_number_makes_it_panic() {
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let mut finished = 0;
    for _ in 0..300 {
        let d = &mut dice;
        let oscillator = Oscillator {
            m: d.number(6),
            k: d.number(6),
            c: d.number(6),
            w: d.number(6),
            x: d.number(6),
            v: d.number(6),
        };
        finished += every_method(&on(oscillator), d);
        let pendulum =
            Pendulum { m: d.number(6), g: d.number(6), scale: d.number(6), start: [1.0, d.number(6) * 1e-3] };
        finished += every_method(&on(pendulum), d);
        let broken = Broken { mass: [d.number(6), d.number(6)], force: d.number(6), factor: d.number(6), offset: 0.0 };
        finished += every_method(&on(broken), d);
        finished += every_method(&on(Actuated { lag: d.number(6) }), d);
        finished += every_method(&on(DoublePendulum), d);
        let top = Top {
            inertia: [d.number(6), d.number(6), d.number(6)],
            weight: d.number(6),
            chart: [Chart::Body, Chart::Space, Chart::Cayley][(d.next() % 3) as usize],
            attitude: [0.8, 0.0, 0.6, d.number(6) * 1e-3],
            rate: [d.number(6), d.number(6), d.number(6)],
        };
        finished += every_method(&on(top), d);
    }
    // Most of the numbers were fine: the test sees steps, not only refusals.
    assert!(finished > 1000, "{finished}");
}

const OSCILLATOR: Oscillator = Oscillator { m: 1.0, k: 1.0, c: 0.1, w: 0.0, x: 1.0, v: 0.0 };

/// A setting, the values it cannot have, and what a run with such a value says.
type Row<'a> = (&'static str, &'a [f64], &'a dyn Fn(f64) -> Option<Cause>);

fn refused(row: &Row<'_>) {
    let &(name, values, says) = row;
    for &bad in values {
        match says(bad) {
            Some(Cause::Invalid { setting, value } | Cause::OutOfRange { setting, value, .. }) => {
                assert_eq!(setting, name, "{bad}");
                assert!(
                    value.to_bits() == bad.to_bits() || value.is_nan() && bad.is_nan(),
                    "{name}: {value} for {bad}"
                );
            }
            other => panic!("{name} = {bad}: {other:?}"),
        }
    }
}

/// The cause of a refused start, at the time it was to begin.
fn at_start<T>(outcome: Result<T, StartError>) -> Option<Cause> {
    let error = outcome.err()?;
    assert_eq!(error.time, 0.0);
    Some(error.cause)
}

const NAN: f64 = f64::NAN;
const INF: f64 = f64::INFINITY;
/// What is not a positive number.
const POSITIVE: &[f64] = &[0.0, -1.0, NAN, INF, -INF];
/// What is no number from 0 on.
const SIZE: &[f64] = &[-1.0, NAN, INF, -INF];
/// What is not between 0 and 1.
const FRACTION: &[f64] = &[0.0, 1.0, 1.5, -1.0, NAN, INF, -INF];

#[test]
fn settings_of_a_run_are_refused_by_name() {
    let system = on(OSCILLATOR);
    let of = || Simulation::of(&system, Geodesic);
    let project = |how: Projection<f64>| at_start(of().project(how).fixed(0.1));
    let events = |events: Events<f64>| at_start(of().events(events).fixed(0.1));
    let weigh = |x: f64| {
        let how = Projection { metric: Metric::Weights, ..Projection::to(1e-9) };
        at_start(of().project(how).weights([x]).fixed(0.1))
    };
    let sampled = |x: f64| {
        let controller = Sampled::new(x, |_: &State<On<Oscillator>>, _: &mut [f64; 1]| {});
        at_start(of().inputs(controller).fixed(0.1))
    };
    let rows: [Row<'_>; 13] = [
        ("step size", POSITIVE, &|x| at_start(of().fixed(x))),
        ("step size", POSITIVE, &|h| at_start(of().halving(Halving { h, least: 1e-3, successes: 1 }))),
        ("least step", POSITIVE, &|least| at_start(of().halving(Halving { h: 0.1, least, successes: 1 }))),
        ("least step", &[0.2], &|least| at_start(of().halving(Halving { h: 0.1, least, successes: 1 }))),
        ("sampling period", POSITIVE, &sampled),
        ("projection tolerance", POSITIVE, &|x| project(Projection::to(x))),
        ("projection margin", &[0.0, -1.0, 1.5, NAN, INF], &|margin| {
            project(Projection { margin, ..Projection::to(1e-9) })
        }),
        ("projection iterations", &[0.0], &|_| project(Projection { iterations: 0, ..Projection::to(1e-9) })),
        ("weight of the projection", POSITIVE, &weigh),
        ("event tolerance", &[0.0, 1e-17, -1.0, NAN, INF], &|tolerance| {
            events(Events { tolerance, ..Events::default() })
        }),
        ("samples of guards", &[0.0], &|_| events(Events { samples: 0, ..Events::default() })),
        ("close events in a row", &[0.0], &|_| events(Events { most: 0, ..Events::default() })),
        ("start tolerance", POSITIVE, &|tolerance| {
            at_start(of().start(Start { tolerance, ..Start::default() }).fixed(0.1))
        }),
    ];
    rows.iter().for_each(refused);
    // A time that is none is where the error says the start was to be.
    for bad in [NAN, INF, -INF] {
        let error = of().start(Start::at(bad)).fixed(0.1).map(drop).expect_err("no time");
        assert!(matches!(error.cause, Cause::Invalid { setting: "time", .. }), "{error}");
    }
}

#[test]
fn settings_of_error_control_are_refused_by_name() {
    let system = on(OSCILLATOR);
    let run = |control: Adaptive<_>| at_start(Simulation::of(&system, Geodesic).controlled(control));
    let bound = |relative: f64, absolute: f64| run(Adaptive::within(Tolerance::new(Bound { relative, absolute })));
    let one = |absolute: f64| {
        let tolerance = Tolerance::new(Bound::absolute(1e-6));
        run(Adaptive::within(tolerance.block(&system, Entries::Velocities, Bound::absolute(absolute))))
    };
    let steps = |steps: Steps<f64>| run(Adaptive { steps, ..Adaptive::to(1e-6) });
    let law = |law: Law| run(Adaptive { law, ..Adaptive::to(1e-6) });
    // A method that bounds the growth of its steps lets no other value through.
    let two_steps = |grow: f64| {
        let control = Adaptive { law: Law { grow, ..Law::PI }, ..Adaptive::to(1e-6) };
        at_start(Simulation::of(&system, Bdf2::default()).controlled(control))
    };
    let rows: [Row<'_>; 18] = [
        ("accuracy", POSITIVE, &|x| bound(0.0, x)),
        ("accuracy", POSITIVE, &one),
        ("relative accuracy", SIZE, &|x| bound(x, 1e-6)),
        ("initial step", POSITIVE, &|x| steps(Steps { first: Some(x), ..Steps::default() })),
        ("least step", SIZE, &|least| steps(Steps { least, ..Steps::default() })),
        ("largest step", &[0.0, -1.0, NAN, 1e-4], &|most| steps(Steps { least: 1e-3, most, first: None })),
        ("safety of the step law", &[0.0, 1.5, -1.0, NAN, INF], &|safety| law(Law { safety, ..Law::PI })),
        ("growth of steps", &[1.0, 0.5, -1.0, NAN, INF], &|grow| law(Law { grow, ..Law::PI })),
        ("growth of steps", &[1.0, 0.5, -1.0, NAN, INF], &two_steps),
        ("shrinking of steps", FRACTION, &|shrink| law(Law { shrink, ..Law::PI })),
        ("dead zone of steps", &[1.5, -1.0, NAN, INF], &|x| law(Law { hold: [x, 1.2], ..Law::PI })),
        ("dead zone of steps", &[0.5, -1.0, NAN, INF], &|x| law(Law { hold: [0.9, x], ..Law::PI })),
        ("factor of rejected steps", FRACTION, &|reject| law(Law { reject, ..Law::PI })),
        ("factor of rejected steps", &[0.1], &|reject| law(Law { reject, shrink: 0.2, ..Law::PI })),
        ("factor of failed steps", FRACTION, &|retreat| law(Law { retreat, ..Law::PI })),
        ("coefficient of the step law", &[NAN, INF, -INF], &|x| law(Law { errors: [0.7, x, 0.0], ..Law::PI })),
        ("coefficient of the step law", &[NAN, INF, -INF], &|x| law(Law { steps: [0.0, x], ..Law::PI })),
        ("accuracy", POSITIVE, &|x| at_start(Simulation::of(&system, Geodesic).adaptive(x))),
    ];
    rows.iter().for_each(refused);
}

#[test]
fn settings_of_methods_are_refused_by_name() {
    let system = on(OSCILLATOR);
    let newton = |newton: Newton<f64>| at_start(Simulation::of(&system, Bdf2 { newton, ..Bdf2::default() }).fixed(0.1));
    let alpha = |method: GeneralizedAlpha<f64>| at_start(Simulation::of(&system, method).fixed(0.1));
    let base = GeneralizedAlpha::with_spectral_radius(0.8);
    let recover = |recovery: f64| {
        let method = BackwardEuler { solve: Implicit::Linearized { recovery }, ..BackwardEuler::default() };
        at_start(Simulation::of(&system, method).fixed(0.1))
    };
    let shares = |x: f64| {
        let shares: &'static [f64] = if x.is_nan() { &[NAN, 1.0] } else { &[0.5, 0.25] };
        at_start(Simulation::of(&system, Composition { method: StormerVerlet::default(), shares }).fixed(0.1))
    };
    let slowest = |slowest: f64| newton(Newton { reuse: Reuse::Automatic { slowest }, ..Newton::default() });
    let rows: [Row<'_>; 12] = [
        ("Newton iterations", &[0.0], &|_| newton(Newton { iterations: 0, ..Newton::default() })),
        ("Newton tolerance", POSITIVE, &|tolerance| newton(Newton { tolerance, ..Newton::default() })),
        ("constraint tolerance", POSITIVE, &|constraint| newton(Newton { constraint, ..Newton::default() })),
        ("slowest convergence", FRACTION, &slowest),
        ("β", POSITIVE, &|beta| alpha(GeneralizedAlpha { beta, ..base })),
        ("γ", POSITIVE, &|gamma| alpha(GeneralizedAlpha { gamma, ..base })),
        ("β", &[0.0, -1.0, NAN], &|beta| alpha(GeneralizedAlpha::newmark(0.5, beta))),
        ("αf", &[0.6, -0.1, NAN, INF], &|alpha_f| alpha(GeneralizedAlpha { alpha_f, alpha_m: -0.2, ..base })),
        ("αm", &[NAN, INF, 0.9], &|alpha_m| alpha(GeneralizedAlpha { alpha_m, ..base })),
        ("spectral radius of HHT", &[0.0, 0.4, 1.5, NAN, INF], &|rho| {
            GeneralizedAlpha::hht_with_spectral_radius(rho).err()
        }),
        ("recovery speed", &[0.0, -1.0, NAN, -INF], &recover),
        ("sum of the shares of a composition", &[0.75, NAN], &shares),
    ];
    rows.iter().for_each(refused);
}

#[test]
fn arguments_of_constructors_are_refused_as_they_were_typed() {
    let system = on(OSCILLATOR);
    let said = |method: GeneralizedAlpha<f64>| match Simulation::of(&system, method).fixed(0.1) {
        Ok(_) => panic!("{method:?} runs"),
        Err(error) => error.cause.to_string(),
    };
    for rho in [2.0, 1.1, -0.25, -3.0, 80.0] {
        let expected = format!("spectral radius at infinity is {rho}, but must be between 0 and 1");
        assert_eq!(said(GeneralizedAlpha::with_spectral_radius(rho)), expected);
    }
    let expected = "α of HHT is 0.3, but must be between -0.3333333333333333 and 0";
    assert_eq!(said(GeneralizedAlpha::hht(0.3)), expected);
    // by their own names where no constructor makes them
    let base = GeneralizedAlpha::with_spectral_radius(0.8);
    assert_eq!(said(GeneralizedAlpha { gamma: -1.0, ..base }), "γ cannot be -1");
}

#[test]
fn settings_of_analyses_are_refused_by_name() {
    let system = on(OSCILLATOR);
    let zero = || State::neutral(&system);
    let cause = |unsettled: Option<Unsettled>| match unsettled {
        Some(Unsettled::Evaluation(cause)) => Some(cause),
        other => panic!("{other:?}"),
    };
    let settle = |statics: Statics<f64>| cause(statics.solve(&system, &Nominal, zero()).err().map(|error| error.cause));
    let load =
        |loading: Loading<f64>| cause(loading.solve(zero(), |_| (&system, Nominal)).err().map(|error| error.cause));
    let rows: [Row<'_>; 5] = [
        ("static iterations", &[0.0], &|_| settle(Statics { iterations: 0, ..Statics::default() })),
        ("static tolerance", POSITIVE, &|tolerance| settle(Statics { tolerance, ..Statics::default() })),
        ("static residual", SIZE, &|residual| settle(Statics { residual, ..Statics::default() })),
        ("first load factor", &[0.0, 1.5, -1.0, NAN, INF], &|first| load(Loading { first, ..Loading::default() })),
        ("smallest step of the load factor", POSITIVE, &|smallest| load(Loading { smallest, ..Loading::default() })),
    ];
    rows.iter().for_each(refused);
}

type Run<'a> = Simulation<'a, On<Oscillator>, Geodesic>;

#[test]
fn times_of_a_run_are_refused_by_name_and_leave_it() {
    let system = on(OSCILLATOR);
    // Where the run has come to, once for each value.
    let after = |act: &dyn Fn(&mut Run<'_>) -> Result<(), StepError>| {
        let mut run = Simulation::of(&system, Geodesic).fixed(0.1).expect("a start");
        run.advance_to(0.35).expect("steps");
        let before = run.save();
        let error = act(&mut run).err()?;
        assert_eq!((error.time, run.save()), (0.35, before));
        Some(error.cause)
    };
    let every = |from, period| after(&|run| run.advance_every(Every { from, period }, 2.0, |_| {}));
    let rows: [Row<'_>; 7] = [
        ("time to advance to", &[NAN, INF, -INF], &|t| after(&|run| run.advance_to(t))),
        ("time to step towards", &[NAN, -INF], &|t| after(&|run| run.step_towards(t).map(drop))),
        ("time to advance to", &[NAN, INF], &|end| after(&|run| run.run(end, 0.1, |_| {}))),
        ("report interval", &[0.0, -1.0, 1e-300, NAN, INF], &|dt| after(&|run| run.run(1.0, dt, |_| {}))),
        ("report interval", &[0.0, 1e-300, NAN], &|dt| after(&|run| run.run_through(1.0, dt, |_| {}))),
        ("period", &[0.0, -1.0, 1e-300, NAN, INF], &|period| every(0.0, period)),
        ("first instant", &[NAN, INF, -INF, -1e200], &|from| every(from, 0.1)),
    ];
    rows.iter().for_each(refused);
    for asked in [0.2, -1.0] {
        let past = Some(Cause::Past { asked, now: 0.35 });
        assert_eq!(after(&|run| run.advance_to(asked)), past);
        assert_eq!(after(&|run| run.step_towards(asked).map(drop)), past);
        assert_eq!(after(&|run| run.run(asked, 0.1, |_| {})), past);
        assert_eq!(after(&|run| run.run_through(asked, 0.1, |_| {})), past);
        assert_eq!(after(&|run| run.advance_every(Every { from: 0.0, period: 0.1 }, asked, |_| {})), past);
    }
    let start = || Simulation::of(&system, Geodesic);
    for run in [start().fixed(0.1), start().halving(Halving::of(0.1)), start().adaptive(1e-6)] {
        let mut run = run.expect("a start");
        let error = run.step_towards(-1.0).map(drop).expect_err("in the past");
        assert_eq!(error.to_string(), "cannot go back to t = -1: the run is already at t = 0");
        assert_eq!(run.advance_to(-1.0), Err(error));
    }
    let error = StepError { time: 0.35, step: 0.0, cause: Cause::Past { asked: 0.2, now: 0.35 } };
    let text = "cannot go back to t = 0.2: the run is already at t = 0.35";
    assert_eq!(error.to_string(), text);
    for bad in [NAN, INF, -INF] {
        let cause = after(&|run| run.change(|x| x.v[0] = bad));
        assert_eq!(cause, Some(Cause::NonFinite { quantity: Quantity::Velocity, name: Name::new("der(x)") }));
        let damped = Rayleigh::new(on(OSCILLATOR), 0.0, bad).expect("of second order");
        let cause = at_start(Simulation::of(&damped, Geodesic).fixed(0.1));
        assert_eq!(cause, Some(Cause::NonFinite { quantity: Quantity::Force, name: Name::new("x") }));
    }
}
