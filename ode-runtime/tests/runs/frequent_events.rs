//! Events that are only frequent, up to what time resolves.

use crate::common::ending::run_to;
use crate::common::{Plant, on};
use crate::dense_system;
use ode_runtime::integrators::Geodesic;
use ode_runtime::{Cause, Crossing, Event, Outcome, Scalar, Simulation, Start, StepError};

const fn event(name: &'static str, crossing: Crossing) -> Event<'static> {
    Event { name, crossing, stops: false }
}

/// A clock, `tick when t > first + n * period`: the period becomes `ratio` times as long with each tick.
#[derive(Clone, Copy, Debug)]
struct Clock {
    first: f64,
    period: f64,
    ratio: f64,
}

impl Clock {
    fn every(period: f64) -> Self {
        Self { first: period, period, ratio: 1.0 }
    }
    fn from(self, begin: f64) -> Self {
        Self { first: begin + self.first, ..self }
    }
}

impl Plant<1, 0, 0, 0> for Clock {
    const MODES: &'static [&'static str] = &["n", "mark", "period"];
    const EVENTS: &'static [Event<'static>] = &[event("tick", Crossing::Rising)];
    fn initial_modes(&self) -> Vec<f64> {
        vec![0.0, self.first, self.period]
    }
    fn mass<T: Scalar>(&self, _q: &[T; 1]) -> [[T; 1]; 1] {
        [[T::ONE]]
    }
    fn force<T: Scalar>(&self, _t: T, _q: &[T; 1], _v: &[T; 1], _z: &[T; 0], _u: &[T; 0]) -> [T; 1] {
        [T::ZERO]
    }
    fn guess(&self) -> ([f64; 1], [f64; 1], [f64; 0]) {
        ([0.0], [0.0], [])
    }
    fn guards<T: Scalar>(&self, t: T, _x: (&[T; 1], &[T; 1], &[T; 0]), _u: &[T; 0], modes: &[T], out: &mut [T]) {
        // A sum of equal periods would be off by what it rounds.
        let regular = T::from_f64(self.first) + modes[0] * T::from_f64(self.period);
        out[0] = t - if self.ratio == 1.0 { regular } else { modes[1] };
    }
    fn reset<T: Scalar>(
        &self,
        _event: usize,
        _t: T,
        _x: (&[T; 1], &[T; 1], &[T; 0]),
        modes: &[T],
        out: (&mut [T; 1], &mut [T; 1], &mut [T; 0], &mut [T]),
    ) {
        out.3[0] = modes[0] + T::ONE;
        out.3[1] = modes[1] + modes[2];
        out.3[2] = modes[2] * T::from_f64(self.ratio);
    }
}
dense_system!(Clock, q 1 ["x"], z 0 [], c 0 [], u 0 [], mass 1, jacobian 0, n 1, tangent 1, saddle 1, assembly 1,
    init [], []);

/// Runs a clock from `begin` over so many periods; how it ended and how often it ticked.
fn ticks(clock: Clock, begin: f64, step: f64, periods: f64) -> (Result<Outcome, StepError>, f64) {
    let clock_on = on(clock);
    let mut run = Simulation::of(&clock_on, Geodesic).start(Start::at(begin)).fixed(step).expect("a start");
    // Half a period behind the last tick.
    let outcome = run_to(&mut run, clock.first + (periods - 0.5) * clock.period);
    (outcome, run.state().modes[0])
}

#[test]
fn regular_events_are_never_zeno_however_late_and_frequent() {
    for (begin, period) in [
        (0.0, 1e-4),
        (0.0, 1e-12),
        (164.0, 1e-4),
        (1000.0, 2.5e-4),
        (1000.0, 1e-9),
        (1e6, 1e-6),
        (-1e6, 1e-6),
        (1e300, 1e288),
    ] {
        for step in [3.3 * period, 1e3 * period, 0.3 * period] {
            let (outcome, n) = ticks(Clock::every(period).from(begin), begin, step, 250.0);
            assert_eq!((outcome, n), (Ok(Outcome::Reached), 250.0), "from {begin} every {period}, steps of {step}");
        }
    }
}

#[test]
fn frequent_events_after_a_long_wait_are_not_lost() {
    // The guard was as large as 1e4: against that its way between two ticks is small.
    let clock = Clock { first: 1e4, period: 1e-5, ratio: 1.0 };
    let (outcome, n) = ticks(clock, 0.0, 10.0, 300.0);
    assert_eq!((outcome, n), (Ok(Outcome::Reached), 300.0));
    let (outcome, n) = ticks(Clock { first: 1.0, period: 1e-12, ratio: 1.0 }, 0.0, 0.25, 300.0);
    assert_eq!((outcome, n), (Ok(Outcome::Reached), 300.0));
}

#[test]
fn a_period_that_time_cannot_resolve_is_an_error_with_the_events_name() {
    for (begin, period) in [
        (0.0, 1e-20),
        (0.0, 1e-15),
        (1.0, 5e-16),
        (1000.0, 1e-12),
        (1e6, 1e-9),
        (-1e6, 1e-9),
        (1e300, 1e285),
        (0.0, 1e-28),
    ] {
        for wait in [0.0, 1.0] {
            let wait = if period > 1.0 { 1e290 * wait } else { wait };
            let clock = Clock { first: begin + wait + period, period, ratio: 1.0 };
            let system = on(clock);
            let step = if period > 1.0 { 1e289 } else { 0.1 };
            let mut run = Simulation::of(&system, Geodesic).start(Start::at(begin)).fixed(step).expect("a start");
            let outcome = run_to(&mut run, begin + 20.0 * step);
            // A period that numbers lose beside the time is none: the guard stays where it is.
            if begin + wait + period == begin + wait {
                assert!(outcome.is_ok(), "{begin} {period} {wait}: {outcome:?}");
                continue;
            }
            let Err(error) = outcome else { panic!("{begin} {period} {wait}: {outcome:?} {run:?}") };
            let Cause::Unresolved { event, period: found, resolution } = error.cause else { panic!("{error:?}") };
            assert_eq!(event.as_str(), "tick");
            assert!((found / period - 1.0).abs() < 0.1, "{begin} {period} {wait}: {found}");
            assert!(found < resolution);
            assert!(error.to_string().contains("event `tick`"), "{error}");
            // The state is that before the step, and the error stays.
            let state = run.state().clone();
            assert_eq!(run.step_towards(begin + 20.0 * step).expect_err("still").cause, error.cause);
            assert_eq!(run.state(), &state);
        }
    }
}

#[test]
fn periods_that_shrink_to_nothing_are_zeno() {
    for ratio in [0.1, 0.5, 0.9, 0.99] {
        let clock = Clock { first: 0.5, period: 0.25 * (1.0 - ratio), ratio };
        let system = on(clock);
        let mut run = Simulation::of(&system, Geodesic).fixed(0.01).expect("a start");
        let outcome = run_to(&mut run, 10.0);
        let Ok(Outcome::Zeno { event, time }) = outcome else { panic!("{ratio}: {outcome:?}") };
        assert_eq!(event.as_str(), "tick");
        assert!((time - 0.75).abs() < 1e-11, "{ratio}: {time}");
    }
}

/// A wave of height `height` that rises at speed 1 and falls at `fall`, switched by its own extremes.
#[derive(Clone, Copy, Debug)]
struct Wave {
    begin: f64,
    height: f64,
    fall: f64,
}

impl Plant<1, 0, 0, 0> for Wave {
    const MODES: &'static [&'static str] = &["speed", "since", "from", "n"];
    const EVENTS: &'static [Event<'static>] = &[event("top", Crossing::Rising), event("bottom", Crossing::Falling)];
    fn initial_modes(&self) -> Vec<f64> {
        vec![1.0, self.begin, 0.5 * self.height, 0.0]
    }
    fn mass<T: Scalar>(&self, _q: &[T; 1]) -> [[T; 1]; 1] {
        [[T::ONE]]
    }
    fn force<T: Scalar>(&self, _t: T, _q: &[T; 1], _v: &[T; 1], _z: &[T; 0], _u: &[T; 0]) -> [T; 1] {
        [T::ZERO]
    }
    fn guess(&self) -> ([f64; 1], [f64; 1], [f64; 0]) {
        ([0.0], [0.0], [])
    }
    fn guards<T: Scalar>(&self, t: T, _x: (&[T; 1], &[T; 1], &[T; 0]), _u: &[T; 0], modes: &[T], out: &mut [T]) {
        let wave = modes[2] + modes[0] * (t - modes[1]);
        (out[0], out[1]) = (wave - T::from_f64(self.height), wave);
    }
    fn reset<T: Scalar>(
        &self,
        event: usize,
        t: T,
        _x: (&[T; 1], &[T; 1], &[T; 0]),
        modes: &[T],
        out: (&mut [T; 1], &mut [T; 1], &mut [T; 0], &mut [T]),
    ) {
        let here = modes[2] + modes[0] * (t - modes[1]);
        let speed = if event == 0 { T::from_f64(-self.fall) } else { T::ONE };
        (out.3[0], out.3[1], out.3[2], out.3[3]) = (speed, t, here, modes[3] + T::ONE);
    }
}
dense_system!(Wave, q 1 ["x"], z 0 [], c 0 [], u 0 [], mass 1, jacobian 0, n 1, tangent 1, saddle 1, assembly 1,
    init [], []);

#[test]
fn guards_that_turn_at_their_events_may_do_so_for_ever() {
    for (begin, height) in [(0.0, 1e-12), (1e3, 1e-9), (-1e6, 1e-6), (10.0, 0.25)] {
        for fall in [1.0, 0.999, 3.0] {
            let system = on(Wave { begin, height, fall });
            let step = 0.7 * height;
            let mut run = Simulation::of(&system, Geodesic).start(Start::at(begin)).fixed(step).expect("a start");
            // Each is found up to a fiftieth of the shortest period late.
            let end = begin + 150.0 * height * (1.0 + 1.0 / fall);
            assert_eq!(run_to(&mut run, end), Ok(Outcome::Reached), "{begin} {height} {fall}");
            assert!((run.state().modes[3] - 300.0).abs() <= 6.0, "{begin} {height} {fall}: {}", run.state().modes[3]);
        }
    }
}

/// An oscillator that counts how often it comes up through zero.
#[derive(Clone, Copy, Debug)]
struct Swing {
    period: f64,
}

impl Plant<1, 0, 0, 0> for Swing {
    const MODES: &'static [&'static str] = &["n"];
    const EVENTS: &'static [Event<'static>] = &[event("up", Crossing::Rising)];
    fn initial_modes(&self) -> Vec<f64> {
        vec![0.0]
    }
    fn mass<T: Scalar>(&self, _q: &[T; 1]) -> [[T; 1]; 1] {
        [[T::ONE]]
    }
    fn force<T: Scalar>(&self, _t: T, q: &[T; 1], _v: &[T; 1], _z: &[T; 0], _u: &[T; 0]) -> [T; 1] {
        [T::from_f64(-(core::f64::consts::TAU / self.period).powi(2)) * q[0]]
    }
    fn guess(&self) -> ([f64; 1], [f64; 1], [f64; 0]) {
        ([0.0], [1.0], [])
    }
    fn guards<T: Scalar>(&self, _t: T, x: (&[T; 1], &[T; 1], &[T; 0]), _u: &[T; 0], _modes: &[T], out: &mut [T]) {
        out[0] = x.0[0];
    }
    fn reset<T: Scalar>(
        &self,
        _event: usize,
        _t: T,
        _x: (&[T; 1], &[T; 1], &[T; 0]),
        modes: &[T],
        out: (&mut [T; 1], &mut [T; 1], &mut [T; 0], &mut [T]),
    ) {
        out.3[0] = modes[0] + T::ONE;
    }
}
dense_system!(Swing, q 1 ["x"], z 0 [], c 0 [], u 0 [], mass 1, jacobian 0, n 1, tangent 1, saddle 1, assembly 1,
    init [], []);

#[test]
fn what_goes_on_has_one_event_where_a_step_ends_just_before_it() {
    // Steps end near each crossing, on either side of it, and time is coarse.
    for (begin, period) in [(1e5, 1e-5), (1e6, 1e-5), (1e9, 1e-2)] {
        for parts in [10.0, 100.0] {
            let system = on(Swing { period });
            let setup = Simulation::of(&system, Geodesic).start(Start::at(begin));
            let mut run = setup.fixed(period / parts).expect("a start");
            assert_eq!(run_to(&mut run, begin + 200.5 * period), Ok(Outcome::Reached), "{begin} {period}");
            assert_eq!(run.state().modes[0], 200.0, "{begin} {period} {parts}");
        }
    }
}
