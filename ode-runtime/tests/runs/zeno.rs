//! Which events accumulate, and where.

use crate::common::ending::run_to;
use crate::common::{Plant, on};
use crate::dense_system;
use ode_runtime::integrators::{BackwardEuler, GeneralizedAlpha, Geodesic};
use ode_runtime::{Crossing, Event, Events, Method, Outcome, Scalar, Simulation, Start};

const G: f64 = 9.81;

const fn event(name: &'static str, crossing: Crossing) -> Event<'static> {
    Event { name, crossing, stops: false }
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
fn accumulation<M: Method<crate::common::On<Balls>>>(balls: Balls, method: M, h: f64) -> (String, f64) {
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

/// A point that is sent down at `fast` above zero, and up at `slow` below: it goes to and fro along zero without end.
#[derive(Clone, Copy, Debug)]
struct Relay {
    slow: f64,
    fast: f64,
    /// from zero to where it is turned round
    width: f64,
}

impl Plant<1, 0, 0, 0> for Relay {
    const MODES: &'static [&'static str] = &["n"];
    const EVENTS: &'static [Event<'static>] = &[event("up", Crossing::Rising), event("down", Crossing::Falling)];
    fn mass<T: Scalar>(&self, _q: &[T; 1]) -> [[T; 1]; 1] {
        [[T::ONE]]
    }
    fn force<T: Scalar>(&self, _t: T, _q: &[T; 1], _v: &[T; 1], _z: &[T; 0], _u: &[T; 0]) -> [T; 1] {
        [T::ZERO]
    }
    fn guess(&self) -> ([f64; 1], [f64; 1], [f64; 0]) {
        ([-0.1], [self.slow], [])
    }
    fn guards<T: Scalar>(&self, _t: T, x: (&[T; 1], &[T; 1], &[T; 0]), _u: &[T; 0], _modes: &[T], out: &mut [T]) {
        (out[0], out[1]) = (x.0[0] - T::from_f64(self.width), x.0[0] + T::from_f64(self.width));
    }
    fn reset<T: Scalar>(
        &self,
        event: usize,
        _t: T,
        _x: (&[T; 1], &[T; 1], &[T; 0]),
        modes: &[T],
        out: (&mut [T; 1], &mut [T; 1], &mut [T; 0], &mut [T]),
    ) {
        out.1[0] = T::from_f64(if event == 0 { -self.fast } else { self.slow });
        out.3[0] = modes[0] + T::ONE;
    }
}
dense_system!(Relay, q 1 ["x"], z 0 [], c 0 [], u 0 [], mass 1, jacobian 0, n 1, tangent 1, saddle 1, assembly 1,
    init [], []);

#[test]
fn a_relay_that_switches_to_and_fro_ends_the_run_however_its_speeds_differ() {
    for (slow, fast) in [(1.0, 1.0), (0.7, 1.3), (1.0, 5.0), (0.01, 10.0), (1.3, 0.7), (10.0, 0.01)] {
        let system = on(Relay { slow, fast, width: 0.0 });
        let mut run = Simulation::of(&system, Geodesic).fixed(0.01 / slow).expect("a start");
        let outcome = run_to(&mut run, 1.0 / slow).expect("events");
        let Outcome::Zeno { time, .. } = outcome else { panic!("{outcome:?} at speeds of {slow} and {fast}") };
        assert!((time - 0.1 / slow).abs() < 1e-7 / slow, "{time} at speeds of {slow} and {fast}");
    }
}

/// With a width that time resolves it goes on as often as it is asked to.
#[test]
fn a_relay_with_a_width_goes_on() {
    for (slow, fast) in [(1.0, 1.0), (0.7, 1.3), (1.0, 5.0)] {
        let width = 1e-10;
        let system = on(Relay { slow, fast, width });
        let mut run = Simulation::of(&system, Geodesic).fixed(0.01).expect("a start");
        let period = 2.0 * width / slow + 2.0 * width / fast;
        let outcome = run_to(&mut run, (0.1 + width) / slow + 500.5 * period);
        assert_eq!(outcome, Ok(Outcome::Reached), "speeds of {slow} and {fast}");
        assert!((run.state().modes[0] - 1001.5).abs() <= 1.5, "{} events", run.state().modes[0]);
    }
}
