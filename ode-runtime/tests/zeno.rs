//! Which events accumulate, and which are only frequent.

mod common;

use common::{Plant, on};
use ode_runtime::integrators::{BackwardEuler, GeneralizedAlpha, Geodesic};
use ode_runtime::{
    Cause, Crossing, Event, Events, Method, Nominal, Outcome, Scalar, Simulation, Solvable, Start, StepError,
};

const G: f64 = 9.81;

const fn event(name: &'static str, crossing: Crossing) -> Event<'static> {
    Event { name, crossing, stops: false }
}

/// Steps to `end`, or to the end of the run.
fn run_to<S: Solvable<Real = f64>, M: Method<S>>(
    run: &mut Simulation<'_, S, M, Nominal>,
    end: f64,
) -> Result<Outcome, StepError> {
    while run.state().t < end {
        let outcome = run.step_towards(end)?;
        assert!(run.statistics().events < 40_000, "no end of events: {run:?}");
        if let Outcome::Stopped { .. } | Outcome::Zeno { .. } = outcome {
            return Ok(outcome);
        }
    }
    Ok(Outcome::Reached)
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
            let (outcome, n) = ticks(Clock::every(period).from(begin), begin, step, 500.0);
            assert_eq!((outcome, n), (Ok(Outcome::Reached), 500.0), "from {begin} every {period}, steps of {step}");
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
fn periods_that_shrink_to_nothing_are_zeno_and_those_that_shrink_slowly_are_not() {
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
        for fall in [1.0, 0.999, 0.5, 3.0] {
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

/// A ball over a table at `table` + `speed` · t, and over that table all the same a second one; and a clock.
#[derive(Clone, Copy, Debug)]
struct Balls {
    heights: [f64; 2],
    e: [f64; 2],
    table: f64,
    speed: f64,
    begin: f64,
    period: f64,
    /// whether impacts put balls onto the table
    placed: bool,
}

const BALLS: Balls =
    Balls { heights: [0.5, 1e300], e: [0.8, 1.0], table: 0.0, speed: 0.0, begin: 0.0, period: 1e300, placed: false };

impl Balls {
    fn ball(e: f64) -> Self {
        Self { e: [e, 1.0], ..BALLS }
    }
    /// Where the impacts of ball `i` accumulate.
    fn end(&self, i: usize) -> f64 {
        self.begin + (2.0 * self.heights[i] / G).sqrt() * (1.0 + self.e[i]) / (1.0 - self.e[i])
    }
    fn top<T: Scalar>(&self, t: T) -> T {
        T::from_f64(self.table) + T::from_f64(self.speed) * (t - T::from_f64(self.begin))
    }
}

impl Plant<2, 0, 0, 0> for Balls {
    const MODES: &'static [&'static str] = &["n"];
    const EVENTS: &'static [Event<'static>] =
        &[event("one", Crossing::Falling), event("two", Crossing::Falling), event("tick", Crossing::Rising)];
    fn mass<T: Scalar>(&self, _q: &[T; 2]) -> [[T; 2]; 2] {
        [[T::ONE, T::ZERO], [T::ZERO, T::ONE]]
    }
    fn force<T: Scalar>(&self, _t: T, _q: &[T; 2], _v: &[T; 2], _z: &[T; 0], _u: &[T; 0]) -> [T; 2] {
        [T::from_f64(-G); 2]
    }
    fn guess(&self) -> ([f64; 2], [f64; 2], [f64; 0]) {
        (self.heights.map(|height| self.table + height), [self.speed; 2], [])
    }
    fn guards<T: Scalar>(&self, t: T, x: (&[T; 2], &[T; 2], &[T; 0]), _u: &[T; 0], modes: &[T], out: &mut [T]) {
        let top = self.top(t);
        (out[0], out[1]) = (x.0[0] - top, x.0[1] - top);
        out[2] = t - T::from_f64(self.begin) - (modes[0] + T::ONE) * T::from_f64(self.period);
    }
    fn reset<T: Scalar>(
        &self,
        event: usize,
        t: T,
        x: (&[T; 2], &[T; 2], &[T; 0]),
        modes: &[T],
        out: (&mut [T; 2], &mut [T; 2], &mut [T; 0], &mut [T]),
    ) {
        if event == 2 {
            out.3[0] = modes[0] + T::ONE;
            return;
        }
        let speed = T::from_f64(self.speed);
        out.1[event] = speed - T::from_f64(self.e[event]) * (x.1[event] - speed);
        if self.placed {
            out.0[event] = self.top(t);
        }
    }
}
dense_system!(Balls, q 2 ["a", "b"], z 0 [], c 0 [], u 0 [], mass 3, jacobian 0, n 2, tangent 4, saddle 2, assembly 2,
    init [], []);

/// The event with which a run ends by accumulation, and its time.
fn accumulation<M: Method<common::On<Balls>>>(balls: Balls, method: M, h: f64) -> (String, f64) {
    let system = on(balls);
    let mut run = Simulation::of(&system, method).start(Start::at(balls.begin)).fixed(h).expect("a start");
    match run_to(&mut run, balls.begin + 2000.0) {
        Ok(Outcome::Zeno { event, time }) => (event.as_str().to_owned(), time),
        outcome => panic!("{balls:?}: {outcome:?} after {} events at {}", run.statistics().events, run.state().t),
    }
}

#[test]
fn bounces_of_every_restitution_accumulate_where_they_should() {
    for e in [0.0, 0.1, 0.8, 0.97] {
        for placed in [false, true] {
            let balls = Balls { placed, ..Balls::ball(e) };
            let (event, time) = accumulation(balls, Geodesic, 0.05);
            assert_eq!(event, "one");
            // So far the landings of `most` events may move what the last flights add up to.
            let allowed = 2e-14 * balls.end(0).max(1.0) * 300.0 * (2.0 + 4.0 * e / (1.0 - e));
            assert!((time - balls.end(0)).abs() < allowed, "e = {e}: {time} instead of {}", balls.end(0));
        }
    }
}

#[test]
fn bounces_accumulate_from_every_time_and_in_moving_frames() {
    for begin in [0.0, 1e3, -1e6] {
        for (table, speed) in [(0.0, 0.0), (5.0, 0.0), (-300.0, 0.0), (0.0, 7.0), (0.0, -1e3)] {
            for e in if begin == 0.0 { [0.1, 0.9] } else { [0.1, 0.5] } {
                let balls = Balls { begin, table, speed, ..Balls::ball(e) };
                let (_, time) = accumulation(balls, Geodesic, 0.05);
                // What the guard's round-off hides is missing.
                let hidden = (1e-15_f64 * (table.abs() + 3.0 * speed.abs())).sqrt() / (1.0 - e);
                let allowed = 2e-12 * balls.end(0).abs().max(1.0) * (2.0 + 4.0 * e / (1.0 - e)) + 100.0 * hidden;
                let off = (time - balls.end(0)).abs();
                assert!(off < allowed, "{balls:?}: off by {off:e} of {allowed:e}");
            }
        }
    }
}

#[test]
fn the_methods_of_low_order_find_them_too() {
    for e in [0.0, 0.5, 0.8] {
        let balls = Balls::ball(e);
        let (_, time) = accumulation(balls, GeneralizedAlpha::with_spectral_radius(0.8), 0.01);
        assert!((time - balls.end(0)).abs() < 1e-9, "{time} instead of {}", balls.end(0));
        let (_, time) = accumulation(balls, BackwardEuler::default(), 1e-3);
        assert!((time - balls.end(0)).abs() < 0.2, "{time} instead of {}", balls.end(0));
    }
}

#[test]
fn other_events_between_do_not_hide_an_accumulation_and_do_not_feign_one() {
    // Two balls whose impacts alternate, the second much longer.
    let two = Balls { heights: [0.5, 0.45], e: [0.8, 0.95], ..BALLS };
    let (event, time) = accumulation(two, Geodesic, 0.05);
    assert!(event == "one" && (time - two.end(0)).abs() < 2e-11, "{event} {time}");
    // Both at once.
    let twins = Balls { heights: [0.5; 2], e: [0.8; 2], ..BALLS };
    let (_, time) = accumulation(twins, Geodesic, 0.05);
    assert!((time - twins.end(0)).abs() < 2e-11, "{time}");
    // One that goes on for ever, and a clock.
    let clock = Balls { heights: [0.5, 0.3], e: [0.8, 1.0], period: 1e-3, ..BALLS };
    let (event, time) = accumulation(clock, Geodesic, 0.05);
    assert!(event == "one" && (time - clock.end(0)).abs() < 2e-11, "{event} {time}");
    let forever = on(Balls { heights: [0.5, 1e-6], e: [1.0, 1.0], period: 1e-3, ..BALLS });
    let mut run = Simulation::of(&forever, Geodesic).fixed(0.05).expect("a start");
    assert_eq!(run_to(&mut run, 1.0), Ok(Outcome::Reached));
    assert!(run.statistics().events > 2000);
}

/// Each second `begin` switches on, `off` switches off at once, and `again` switches on, so many times.
#[derive(Clone, Copy, Debug)]
struct Toggle {
    times: f64,
}

impl Plant<1, 0, 0, 0> for Toggle {
    const MODES: &'static [&'static str] = &["on", "left", "seconds"];
    const EVENTS: &'static [Event<'static>] =
        &[event("begin", Crossing::Rising), event("off", Crossing::Rising), event("again", Crossing::Falling)];
    fn mass<T: Scalar>(&self, _q: &[T; 1]) -> [[T; 1]; 1] {
        [[T::ONE]]
    }
    fn force<T: Scalar>(&self, _t: T, _q: &[T; 1], _v: &[T; 1], _z: &[T; 0], _u: &[T; 0]) -> [T; 1] {
        [T::ZERO]
    }
    fn guess(&self) -> ([f64; 1], [f64; 1], [f64; 0]) {
        ([0.0], [1.0], [])
    }
    fn guards<T: Scalar>(&self, t: T, _x: (&[T; 1], &[T; 1], &[T; 0]), _u: &[T; 0], modes: &[T], out: &mut [T]) {
        out[0] = t - modes[2] - T::ONE;
        out[1] = modes[0] - T::from_f64(0.5);
        out[2] = T::from_f64(1e9) * modes[0] + T::from_f64(0.5) - modes[1];
    }
    fn reset<T: Scalar>(
        &self,
        event: usize,
        _t: T,
        _x: (&[T; 1], &[T; 1], &[T; 0]),
        modes: &[T],
        out: (&mut [T; 1], &mut [T; 1], &mut [T; 0], &mut [T]),
    ) {
        match event {
            0 => (out.3[0], out.3[1], out.3[2]) = (T::ONE, T::from_f64(self.times), modes[2] + T::ONE),
            1 => (out.3[0], out.3[1]) = (T::ZERO, modes[1] - T::ONE),
            _ => out.3[0] = T::ONE,
        }
    }
}
dense_system!(Toggle, q 1 ["x"], z 0 [], c 0 [], u 0 [], mass 1, jacobian 0, n 1, tangent 1, saddle 1, assembly 1,
    init [], []);

#[test]
fn chains_of_one_instant_end_and_short_ones_are_regular() {
    let forever = on(Toggle { times: 1e8 });
    let mut run = Simulation::of(&forever, Geodesic).fixed(0.3).expect("a start");
    let outcome = run_to(&mut run, 10.0);
    let Ok(Outcome::Zeno { event, time }) = outcome else { panic!("{outcome:?}") };
    assert!((event.as_str() == "off" || event.as_str() == "again") && (time - 1.0).abs() < 1e-12);
    assert!(run.statistics().events < 250);

    // Up to `most` at one instant, second after second.
    let short = on(Toggle { times: 60.0 });
    let mut run = Simulation::of(&short, Geodesic).fixed(0.3).expect("a start");
    assert_eq!(run_to(&mut run, 20.5), Ok(Outcome::Reached));
    assert_eq!(run.statistics().events, 20 * (1 + 60 + 59));
    let mut run =
        Simulation::of(&short, Geodesic).events(Events { most: 40, ..Events::default() }).fixed(0.3).expect("a start");
    assert!(matches!(run_to(&mut run, 20.5), Ok(Outcome::Zeno { .. })));
}

#[test]
fn what_is_known_of_intervals_is_part_of_a_checkpoint() {
    for balls in [Balls { table: 5.0, period: 0.25, ..Balls::ball(0.8) }, Balls::ball(0.0)] {
        let system = on(balls);
        let mut through = Simulation::of(&system, Geodesic).fixed(0.05).expect("a start");
        let outcome = run_to(&mut through, 10.0).expect("steps");
        let mut parts = Simulation::of(&system, Geodesic).fixed(0.05).expect("a start");
        while !matches!(parts.step_towards(10.0).expect("a step"), Outcome::Zeno { .. }) {
            let point = parts.save();
            parts = Simulation::of(&system, Geodesic).resume_saved(point).fixed(0.05).expect("the same");
        }
        assert_eq!(parts.save(), through.save());
        assert!(matches!(outcome, Outcome::Zeno { .. }));
    }
}
