//! Events: where they are found, on which side, in which order, and how a run ends with them.

use crate::common::{Plant, on};
use crate::dense_system;
use ode_runtime::integrators::{BackwardEuler, GeneralizedAlpha, Geodesic, SemiExplicitEuler};
use ode_runtime::solve::Projection;
use ode_runtime::{
    Cause, Crossing, Event, Events, Method, Nominal, Outcome, Quantity, Scalar, Simulation, Solvable, Table,
};

const G: f64 = 9.81;

const fn event(name: &'static str, crossing: Crossing) -> Event<'static> {
    Event { name, crossing, stops: false }
}

/// A ball that falls from `height` onto a table at `table` and keeps the fraction `e` of its speed.
#[derive(Clone, Copy, Debug)]
struct Ball {
    height: f64,
    table: f64,
    e: f64,
}

const BALL: Ball = Ball { height: 0.5, table: 0.0, e: 0.8 };

impl Ball {
    /// Time of the n-th impact, from 0: t₀ + 2 t₀ (e + … + eⁿ).
    fn impact(&self, n: i32) -> f64 {
        let first = (2.0 * (self.height - self.table) / G).sqrt();
        first + (1..=n).map(|k| 2.0 * first * self.e.powi(k)).sum::<f64>()
    }

    /// Where the impacts accumulate: t₀ (1 + e) / (1 − e).
    fn end(&self) -> f64 {
        (2.0 * (self.height - self.table) / G).sqrt() * (1.0 + self.e) / (1.0 - self.e)
    }
}

impl Plant<1, 0, 0, 0> for Ball {
    const MODES: &'static [&'static str] = &["bounces"];
    const EVENTS: &'static [Event<'static>] = &[event("impact", Crossing::Falling)];
    fn mass<T: Scalar>(&self, _q: &[T; 1]) -> [[T; 1]; 1] {
        [[T::ONE]]
    }
    fn force<T: Scalar>(&self, _t: T, _q: &[T; 1], _v: &[T; 1], _z: &[T; 0], _u: &[T; 0]) -> [T; 1] {
        [T::from_f64(-G)]
    }
    fn guess(&self) -> ([f64; 1], [f64; 1], [f64; 0]) {
        ([self.height], [0.0], [])
    }
    fn guards<T: Scalar>(&self, _t: T, x: (&[T; 1], &[T; 1], &[T; 0]), _u: &[T; 0], _modes: &[T], out: &mut [T]) {
        out[0] = x.0[0] - T::from_f64(self.table);
    }
    fn reset<T: Scalar>(
        &self,
        _event: usize,
        _t: T,
        x: (&[T; 1], &[T; 1], &[T; 0]),
        modes: &[T],
        out: (&mut [T; 1], &mut [T; 1], &mut [T; 0], &mut [T]),
    ) {
        out.1[0] = -(T::from_f64(self.e) * x.1[0]);
        out.3[0] = modes[0] + T::ONE;
    }
}
dense_system!(Ball, q 1 ["y"], z 0 [], c 0 [], u 0 [], mass 1, jacobian 0, n 1, tangent 1, saddle 1, assembly 1,
    init [], []);

/// Steps to `end`; the times of all events.
fn times<S: Solvable<Real = f64>, M: Method<S>>(
    run: &mut Simulation<'_, S, M, Nominal>,
    end: f64,
) -> (Vec<f64>, Outcome) {
    let mut found = Vec::new();
    while run.state().t < end {
        match run.step_towards(end).expect("a step") {
            Outcome::Reached => {}
            Outcome::Event { time, .. } => {
                assert_eq!(time, run.state().t);
                found.push(time);
            }
            outcome => return (found, outcome),
        }
    }
    (found, Outcome::Reached)
}

#[test]
fn impacts_are_where_the_closed_form_has_them() {
    // Parabolas are exact for the method, whatever the step: what is left is the search.
    let ball = on(BALL);
    for h in [1e-3, 0.01, 0.1, 0.3] {
        let mut run = Simulation::of(&ball, Geodesic).fixed(h).expect("a start");
        let (found, outcome) = times(&mut run, 2.5);
        assert_eq!(outcome, Outcome::Reached);
        assert!(found.len() >= 9, "{} impacts", found.len());
        for (n, t) in found.iter().enumerate() {
            assert!((t - BALL.impact(n as i32)).abs() < 1e-12, "impact {n} at {t}, h = {h}");
        }
        assert_eq!(run.state().modes[0], found.len() as f64);
        assert_eq!(run.statistics().events, found.len() as u64);
    }
    let mut run = Simulation::of(&ball, Geodesic).adaptive(1e-9).expect("a start");
    let (found, _) = times(&mut run, 2.5);
    for (n, t) in found.iter().enumerate() {
        assert!((t - BALL.impact(n as i32)).abs() < 1e-12, "impact {n} at {t}");
    }
}

#[test]
fn bounces_without_end_end_the_run_where_they_accumulate() {
    let ball = on(BALL);
    let mut run = Simulation::of(&ball, Geodesic).fixed(0.01).expect("a start");
    let outcome = Outcome::of(run.advance_to(10.0)).expect("steps");
    let Outcome::Zeno { event, time } = outcome else { panic!("{outcome:?}") };
    assert_eq!((event.as_str(), time), ("impact", run.state().t));
    assert!((time - BALL.end()).abs() < 1e-11, "{time} instead of {}", BALL.end());
    assert!(run.state().q[0].abs() < 1e-20 && run.state().v[0].abs() < 1e-10);
    // An ended run stays where it is.
    let state = run.state().clone();
    assert_eq!(Outcome::of(run.advance_to(20.0)).expect("no step"), outcome);
    assert!(matches!(run.step_towards(20.0).expect_err("no step").cause, Cause::Zeno { .. }));
    assert_eq!(run.state(), &state);
}

#[test]
fn a_table_far_from_zero_hides_short_bounces_and_the_run_ends_all_the_same() {
    for table in [5.0, -300.0] {
        let ball = Ball { height: table + 0.5, table, e: 0.8 };
        let system = on(ball);
        let mut run = Simulation::of(&system, Geodesic).fixed(0.01).expect("a start");
        let outcome = Outcome::of(run.advance_to(10.0)).expect("steps");
        assert!(matches!(outcome, Outcome::Zeno { .. }), "{outcome:?} {run:?}");
        assert!((run.state().t - ball.end()).abs() < 1e-3, "{} {}", run.state().t, ball.end());
        assert!((run.state().q[0] - table).abs() < 1e-10);
    }
}

#[test]
fn a_body_at_rest_after_a_reset_ends_the_run_and_does_not_fall_through() {
    let ball = on(Ball { e: 0.0, ..BALL });
    let mut run = Simulation::of(&ball, Geodesic).fixed(0.01).expect("a start");
    let outcome = Outcome::of(run.advance_to(1.0)).expect("steps");
    assert!(matches!(outcome, Outcome::Zeno { .. }), "{outcome:?}");
    assert!((run.state().t - BALL.impact(0)).abs() < 1e-10 && run.state().q[0].abs() < 1e-12);
}

/// The worst error of the first four impacts of a ball in a field of springs, against halved steps.
fn order<M>(method: impl Fn() -> M) -> f64
where
    M: Method<crate::common::On<Ball>>,
{
    let ball = on(BALL);
    let worst = |h: f64| {
        let mut run = Simulation::of(&ball, method()).fixed(h).expect("a start");
        let (found, _) = times(&mut run, 2.0);
        assert!(found.len() >= 4);
        (0..4).map(|n| (found[n as usize] - BALL.impact(n)).abs()).fold(0.0, f64::max)
    };
    (worst(4e-3) / worst(2e-3)).log2()
}

#[test]
fn methods_of_order_one_keep_it_over_impacts() {
    for order in [
        order(SemiExplicitEuler::explicit),
        order(SemiExplicitEuler::implicit_position),
        order(SemiExplicitEuler::implicit_velocity),
        order(BackwardEuler::default),
        order(BackwardEuler::linearized),
    ] {
        assert!((0.8..1.25).contains(&order), "order {order}");
    }
}

#[test]
fn generalized_alpha_is_exact_on_parabolas_over_impacts_too() {
    let ball = on(BALL);
    let mut run = Simulation::of(&ball, GeneralizedAlpha::with_spectral_radius(0.8)).fixed(0.01).expect("a start");
    let (found, _) = times(&mut run, 2.0);
    for (n, t) in found.iter().enumerate() {
        assert!((t - BALL.impact(n as i32)).abs() < 1e-10, "impact {n} at {t}");
    }
}

/// x = sin t, with events of every direction at x = level; counters only.
#[derive(Clone, Copy, Debug)]
struct Swing {
    level: f64,
}

impl Plant<1, 0, 0, 0> for Swing {
    const MODES: &'static [&'static str] = &["falls", "rises", "either", "order"];
    const EVENTS: &'static [Event<'static>] =
        &[event("falls", Crossing::Falling), event("rises", Crossing::Rising), event("either", Crossing::Either)];
    fn mass<T: Scalar>(&self, _q: &[T; 1]) -> [[T; 1]; 1] {
        [[T::ONE]]
    }
    fn force<T: Scalar>(&self, _t: T, q: &[T; 1], _v: &[T; 1], _z: &[T; 0], _u: &[T; 0]) -> [T; 1] {
        [-q[0]]
    }
    fn guess(&self) -> ([f64; 1], [f64; 1], [f64; 0]) {
        ([0.0], [1.0], [])
    }
    fn guards<T: Scalar>(&self, _t: T, x: (&[T; 1], &[T; 1], &[T; 0]), _u: &[T; 0], _modes: &[T], out: &mut [T]) {
        out.fill(x.0[0] - T::from_f64(self.level));
    }
    fn reset<T: Scalar>(
        &self,
        event: usize,
        _t: T,
        _x: (&[T; 1], &[T; 1], &[T; 0]),
        modes: &[T],
        out: (&mut [T; 1], &mut [T; 1], &mut [T; 0], &mut [T]),
    ) {
        out.3[event] = modes[event] + T::ONE;
        // The events of one time in the order of the text: digits of what happened.
        out.3[3] = modes[3] * T::from_f64(10.0) + T::from_f64(event as f64 + 1.0);
    }
}
dense_system!(Swing, q 1 ["x"], z 0 [], c 0 [], u 0 [], mass 1, jacobian 0, n 1, tangent 1, saddle 1, assembly 1,
    init [], []);

#[test]
fn directions_are_respected_and_events_of_one_time_come_in_the_order_of_the_text() {
    use std::f64::consts::PI;
    // x passes 0.5 at π/6 rising and at 5π/6 falling, and so on each turn.
    let swing = on(Swing { level: 0.5 });
    let mut run = Simulation::of(&swing, Geodesic).fixed(0.02).expect("a start");
    let (found, _) = times(&mut run, 4.0 * PI);
    let expected = [PI / 6.0, 5.0 * PI / 6.0, 13.0 * PI / 6.0, 17.0 * PI / 6.0];
    assert_eq!(found.len(), 4);
    for (t, expected) in found.iter().zip(expected) {
        assert!((t - expected).abs() < 1e-7, "{t}");
    }
    // Rising with either, falling with either, twice.
    assert_eq!(run.state().modes, [2.0, 2.0, 4.0, 23_132_313.0]);
    assert_eq!(run.statistics().events, 8);
}

#[test]
fn events_of_the_methods_solution_converge_with_its_order() {
    // Impacts of an interpolant would be of order 4 at best and depend on the step they fall into.
    let swing = on(Swing { level: 0.5 });
    let error = |h: f64| {
        let mut run = Simulation::of(&swing, Geodesic).fixed(h).expect("a start");
        let (found, _) = times(&mut run, 2.7);
        (found[1] - 5.0 * std::f64::consts::PI / 6.0).abs()
    };
    let order = (error(0.1) / error(0.05)).log2();
    assert!(order > 3.7, "order {order}");
}

#[test]
fn touching_zero_is_no_event_and_nor_is_leaving_it() {
    // sin t touches 1 at π/2; steps of π/64 land there.
    let swing = on(Swing { level: 1.0 + 1e-12 });
    let mut run = Simulation::of(&swing, Geodesic).fixed(std::f64::consts::PI / 64.0).expect("a start");
    assert!(times(&mut run, 6.0).0.is_empty());

    // It begins at the level, rising: it happens on the way back only, and then for the guards that fall.
    let swing = on(Swing { level: 0.0 });
    let mut run = Simulation::of(&swing, Geodesic).fixed(0.01).expect("a start");
    let (found, _) = times(&mut run, 5.0);
    assert_eq!(found.len(), 1);
    assert!((found[0] - std::f64::consts::PI).abs() < 1e-8);
    assert_eq!(run.state().modes[..3], [1.0, 0.0, 1.0]);
}

#[test]
fn an_event_at_the_time_of_a_report_happens_there_and_is_shown_once() {
    // At rest from 4.905 the ball lands at t = 1, to the last digit or nearly so.
    let ball = on(Ball { height: 0.5 * G, ..BALL });
    let mut run = Simulation::of(&ball, Geodesic).fixed(0.125).expect("a start");
    let mut seen = Vec::new();
    run.run(1.5, 0.5, |x| seen.push((x.t, x.v[0], x.modes[0]))).expect("steps");
    assert_eq!(seen.len(), 5, "{seen:?}");
    let at = |i: usize| seen[i];
    assert!((at(2).0 - 1.0).abs() < 1e-13 && at(2).0 == at(3).0);
    assert!((at(2).1 + G).abs() < 1e-12 && (at(3).1 - 0.8 * G).abs() < 1e-12);
    assert_eq!((at(2).2, at(3).2, at(4).2), (0.0, 1.0, 1.0));
    assert_eq!(at(4).0, 1.5);
}

#[test]
fn both_sides_of_an_event_are_recorded_with_the_modes() {
    let ball = on(BALL);
    let mut table = Table::new(&ode_runtime::System::layout(&ball));
    assert_eq!(table.names().collect::<Vec<_>>(), ["t", "y", "der(y)", "der(der(y))", "bounces"]);
    let mut run = Simulation::of(&ball, Geodesic).adaptive(1e-9).expect("a start");
    run.run_through(1.0, 0.1, |x| table.push(x)).expect("steps");
    let rows: Vec<&[f64]> = table.rows().collect();
    let jumps: Vec<usize> = (1..rows.len()).filter(|&i| rows[i][0] == rows[i - 1][0]).collect();
    assert_eq!(jumps.len(), 2);
    for (n, &i) in jumps.iter().enumerate() {
        assert!((rows[i][0] - BALL.impact(n as i32)).abs() < 1e-12);
        assert_eq!(rows[i][2], -0.8 * rows[i - 1][2]);
        assert_eq!((rows[i - 1][4], rows[i][4]), (n as f64, n as f64 + 1.0));
    }
    // 0, 0.1, …, 1 and two events of two rows each.
    assert_eq!(rows.len(), 15);
    assert!(rows.windows(2).all(|pair| pair[0][0] <= pair[1][0]));
    assert_eq!(run.before_event().v[0] * -0.8, rows[jumps[1]][2]);
}

/// A mass point in a corner: walls at x = 1 and y = 1, met at the same time; a later event ends the run, or has no
/// value, or assigns none.
#[derive(Clone, Copy, Debug)]
struct Corner {
    kind: u8,
}

impl Plant<2, 0, 0, 0> for Corner {
    const EVENTS: &'static [Event<'static>] = &[
        event("right", Crossing::Rising),
        event("top", Crossing::Rising),
        Event { name: "end", crossing: Crossing::Rising, stops: true },
    ];
    fn mass<T: Scalar>(&self, _q: &[T; 2]) -> [[T; 2]; 2] {
        [[T::ONE, T::ZERO], [T::ZERO, T::ONE]]
    }
    fn force<T: Scalar>(&self, _t: T, _q: &[T; 2], _v: &[T; 2], _z: &[T; 0], _u: &[T; 0]) -> [T; 2] {
        [T::ZERO; 2]
    }
    fn guess(&self) -> ([f64; 2], [f64; 2], [f64; 0]) {
        ([0.0, 0.1], [2.0, 1.8], [])
    }
    fn guards<T: Scalar>(&self, t: T, x: (&[T; 2], &[T; 2], &[T; 0]), _u: &[T; 0], _modes: &[T], out: &mut [T]) {
        out[0] = x.0[0] - T::ONE;
        out[1] = x.0[1] - T::ONE;
        out[2] = match self.kind {
            0 => T::from_f64(-1.0),
            1 | 3 => t - T::from_f64(0.75),
            _ => (T::from_f64(0.75) - t).sqrt() - T::from_f64(2.0),
        };
    }
    fn reset<T: Scalar>(
        &self,
        event: usize,
        _t: T,
        x: (&[T; 2], &[T; 2], &[T; 0]),
        _modes: &[T],
        out: (&mut [T; 2], &mut [T; 2], &mut [T; 0], &mut [T]),
    ) {
        if event < 2 {
            out.1[event] = -x.1[event];
        } else {
            *out.1 = [if self.kind == 3 { T::from_f64(f64::NAN) } else { T::ZERO }; 2];
        }
    }
}
dense_system!(Corner, q 2 ["x", "y"], z 0 [], c 0 [], u 0 [], mass 3, jacobian 0, n 2, tangent 4, saddle 2, assembly 2,
    init [], []);

#[test]
fn events_of_the_same_time_all_happen() {
    let corner = on(Corner { kind: 0 });
    let mut run = Simulation::of(&corner, Geodesic).fixed(0.03).expect("a start");
    let (found, _) = times(&mut run, 1.2);
    assert_eq!(found.len(), 1);
    assert!((found[0] - 0.5).abs() < 1e-13);
    assert_eq!(run.statistics().events, 2);
    let [x, y] = run.state().q;
    assert!((x - (1.0 - 2.0 * 0.7)).abs() < 1e-12 && (y - (1.0 - 1.8 * 0.7)).abs() < 1e-12);
}

#[test]
fn stop_ends_the_run_at_its_event() {
    let corner = on(Corner { kind: 1 });
    let mut run = Simulation::of(&corner, Geodesic).fixed(0.03).expect("a start");
    let mut last = 0.0;
    let outcome = Outcome::of(run.run(2.0, 0.5, |x| last = x.t)).expect("steps");
    let Outcome::Stopped { event, time } = outcome else { panic!("{outcome:?}") };
    assert_eq!((event.as_str(), time), ("end", run.state().t));
    assert!((time - 0.75).abs() < 1e-13 && last == time);
    // Its assignments count.
    assert_eq!(run.state().v, [0.0; 2]);
    assert_eq!(Outcome::of(run.run(2.0, 0.5, |_| {})).expect("no step"), outcome);
}

#[test]
fn a_guard_without_a_value_is_an_error_with_the_events_name() {
    let corner = on(Corner { kind: 2 });
    let mut run = Simulation::of(&corner, Geodesic).fixed(0.03).expect("a start");
    let error = run.advance_to(1.0).expect_err("the root of a negative number");
    match error.cause {
        Cause::NonFinite { quantity: Quantity::Guard, name } => assert_eq!(name.as_str(), "end"),
        cause => panic!("{cause:?}"),
    }
    assert!(error.to_string().contains("guard of event `end` is not finite"), "{error}");
    let state = run.state().clone();
    assert!(state.t > 0.7 && state.t <= 0.75);
    assert_eq!(run.advance_to(1.0).expect_err("still"), error);
    assert_eq!(run.state(), &state);
}

#[test]
fn an_event_that_fails_leaves_the_one_before_it() {
    let corner = on(Corner { kind: 3 });
    let mut run = Simulation::of(&corner, Geodesic).fixed(0.03).expect("a start");
    run.advance_to(0.7).expect("the walls");
    let before = run.before_event().clone();
    assert!((before.t - 0.5).abs() < 1e-13);
    let error = run.advance_to(1.0).expect_err("a velocity that is none");
    assert!(error.to_string().contains("velocity `der(x)` is not finite"), "{error}");
    assert_eq!(run.before_event(), &before);
}

#[test]
fn settings_out_of_range_are_refused() {
    let ball = on(BALL);
    let fine = Events::default();
    for events in [
        Events { tolerance: 0.0, ..fine },
        Events { tolerance: f64::NAN, ..fine },
        Events { samples: 0, ..fine },
        Events { most: 0, ..fine },
    ] {
        let error = Simulation::of(&ball, Geodesic).events(events).fixed(0.01).expect_err("refused");
        assert!(matches!(error.cause, Cause::Invalid { .. }), "{error}");
    }
}

/// A pendulum on a rod of length 1, Cartesian, with a wall at x = 0.3: restitution 0.9 of the whole velocity, or of its
/// x alone.
#[derive(Clone, Copy, Debug)]
struct Wall {
    whole: bool,
}

impl Plant<2, 0, 1, 0> for Wall {
    const EVENTS: &'static [Event<'static>] = &[event("wall", Crossing::Rising)];
    fn mass<T: Scalar>(&self, _q: &[T; 2]) -> [[T; 2]; 2] {
        [[T::ONE, T::ZERO], [T::ZERO, T::ONE]]
    }
    fn force<T: Scalar>(&self, _t: T, _q: &[T; 2], _v: &[T; 2], _z: &[T; 0], _u: &[T; 0]) -> [T; 2] {
        [T::ZERO, T::from_f64(-G)]
    }
    fn phi<T: Scalar>(&self, _t: T, q: &[T; 2]) -> [T; 1] {
        [q[0] * q[0] + q[1] * q[1] - T::ONE]
    }
    fn guess(&self) -> ([f64; 2], [f64; 2], [f64; 0]) {
        ([-1.0, 0.0], [0.0; 2], [])
    }
    fn guards<T: Scalar>(&self, _t: T, x: (&[T; 2], &[T; 2], &[T; 0]), _u: &[T; 0], _modes: &[T], out: &mut [T]) {
        out[0] = x.0[0] - T::from_f64(0.3);
    }
    fn reset<T: Scalar>(
        &self,
        _event: usize,
        _t: T,
        x: (&[T; 2], &[T; 2], &[T; 0]),
        _modes: &[T],
        out: (&mut [T; 2], &mut [T; 2], &mut [T; 0], &mut [T]),
    ) {
        out.1[0] = T::from_f64(-0.9) * x.1[0];
        if self.whole {
            out.1[1] = T::from_f64(-0.9) * x.1[1];
        }
    }
}
dense_system!(Wall, q 2 ["x", "y"], z 0 [], c 1 ["rod"], u 0 [], mass 3, jacobian 2, n 3, tangent 9, saddle 3,
    assembly 4, init [], []);

fn wall<M: Method<crate::common::On<Wall>>>(whole: bool, method: M, project: bool, [consistent, energy]: [f64; 2]) {
    let pendulum = on(Wall { whole });
    let mut setup = Simulation::of(&pendulum, method);
    if project {
        setup = setup.project(Projection::to(1e-12));
    }
    let mut run = setup.fixed(2e-3).expect("a start");
    let mut count = 0;
    while count < 3 {
        let outcome = run.step_towards(10.0).expect("a step");
        if outcome == Outcome::Reached {
            continue;
        }
        count += 1;
        assert!((run.state().q[0] - 0.3).abs() < 1e-12);
        assert!(run.before_event().v[0] > 0.0 && run.state().v[0] < 0.0);
        let (phi, rate) = run.drift().expect("finite");
        assert!(phi < 1e-12 && rate < 1e-14, "{phi:e} {rate:e}");
        // On the rod, where methods of index 3 do not quite leave it, v is (y, −x) ω, and its projection is the part
        // along that.
        let ([x, y], [vx, vy]) = (run.before_event().q, run.before_event().v);
        let along = |vx: f64, vy: f64| y * vx - x * vy;
        let (before, after) = (along(vx, vy), along(run.state().v[0], run.state().v[1]));
        let factor = if whole { -0.9 } else { -0.9 * y * y + x * x };
        assert!((after / before - factor).abs() < consistent, "{} {factor}", after / before);
        // Before the first impact no energy is lost: v² = 2 g (0 − y).
        if count == 1 {
            assert!((0.5 * (vx * vx + vy * vy) + G * y).abs() < energy, "{}", 0.5 * (vx * vx + vy * vy) + G * y);
        }
    }
}

#[test]
fn impacts_of_a_constrained_body_end_on_the_constraint() {
    for whole in [true, false] {
        wall(whole, Geodesic, true, [1e-11, 1e-9]);
        wall(whole, GeneralizedAlpha::with_spectral_radius(0.9), false, [1e-5, 1e-3]);
        wall(whole, BackwardEuler::default(), false, [1e-2, 0.4]);
    }
}
