//! A run that an event ends early does not look like one that has arrived to a caller who writes only `?`.

use crate::common::{Plant, on};
use crate::dense_system;
use ode_runtime::integrators::Geodesic;
use ode_runtime::{Cause, Crossing, Event, Every, Outcome, Scalar, Simulation, StepError, System, Table};

/// A body at speed 1 that keeps the fraction `e` of its speed when it meets a wall at x = 1, and is stopped at t =
/// `last`.
#[derive(Clone, Copy, Debug)]
struct Walk {
    e: f64,
    last: f64,
}

/// Stopped at 0.75, and at rest at 1.
const STOPPED: Walk = Walk { e: 1.0, last: 0.75 };
const AT_REST: Walk = Walk { e: 0.0, last: 1e9 };

impl Plant<1, 0, 0, 0> for Walk {
    const EVENTS: &'static [Event<'static>] = &[
        Event { name: "wall", crossing: Crossing::Rising, stops: false },
        Event { name: "last", crossing: Crossing::Rising, stops: true },
    ];
    fn mass<T: Scalar>(&self, _q: &[T; 1]) -> [[T; 1]; 1] {
        [[T::ONE]]
    }
    fn force<T: Scalar>(&self, _t: T, _q: &[T; 1], _v: &[T; 1], _z: &[T; 0], _u: &[T; 0]) -> [T; 1] {
        // Against the wall, so that it does not leave it.
        [if self.e == 0.0 { T::from_f64(0.1) } else { T::ZERO }]
    }
    fn guess(&self) -> ([f64; 1], [f64; 1], [f64; 0]) {
        ([0.0], [1.0], [])
    }
    fn guards<T: Scalar>(&self, t: T, x: (&[T; 1], &[T; 1], &[T; 0]), _u: &[T; 0], _modes: &[T], out: &mut [T]) {
        (out[0], out[1]) = (x.0[0] - T::ONE, t - T::from_f64(self.last));
    }
    fn reset<T: Scalar>(
        &self,
        event: usize,
        _t: T,
        x: (&[T; 1], &[T; 1], &[T; 0]),
        _modes: &[T],
        out: (&mut [T; 1], &mut [T; 1], &mut [T; 0], &mut [T]),
    ) {
        if event == 0 {
            out.1[0] = T::from_f64(-self.e) * x.1[0];
        }
    }
}
dense_system!(Walk, q 1 ["x"], z 0 [], c 0 [], u 0 [], mass 1, jacobian 0, n 1, tangent 1, saddle 1, assembly 1,
    init [], []);

type Run<'a> = Simulation<'a, crate::common::On<Walk>, Geodesic>;

type Way = fn(&mut Run<'_>, f64) -> Result<(), StepError>;

/// All that goes on to a time, with its name.
fn ways() -> [(&'static str, Way); 4] {
    [
        ("advance_to", |run, end| run.advance_to(end)),
        ("advance_every", |run, end| run.advance_every(Every::period(0.2), end, |_| {})),
        ("run", |run, end| run.run(end, 0.2, |_| {})),
        ("run_through", |run, end| run.run_through(end, 0.2, |_| {})),
    ]
}

#[test]
fn an_end_before_the_time_is_an_error_with_event_and_time() {
    for (name, go) in ways() {
        let system = on(STOPPED);
        let mut run = Simulation::of(&system, Geodesic).fixed(0.07).expect("a start");
        let error = go(&mut run, 3.0).expect_err(name);
        let Cause::Stopped { event, time } = error.cause else { panic!("{name}: {error:?}") };
        assert!(event.as_str() == "last" && (time - 0.75).abs() < 1e-13 && time == run.state().t, "{name}");
        assert_eq!(error.to_string(), format!("event `last` stopped the run at t = {time}"));
        assert_eq!(Outcome::of(Err(error)), Ok(Outcome::Stopped { event, time }));
        // Whoever goes on is told again, by everything that would.
        for (name, go) in ways() {
            assert_eq!(go(&mut run, 3.0).expect_err(name).cause, error.cause);
        }
        assert_eq!(run.step_towards(3.0).expect_err("no step").cause, error.cause);
        assert_eq!(run.change(|x| x.v[0] = 0.0).expect_err("no change").cause, error.cause);
        assert_eq!((run.state().t, run.state().v), (time, [1.0]));

        let system = on(AT_REST);
        let mut run = Simulation::of(&system, Geodesic).fixed(0.07).expect("a start");
        let error = go(&mut run, 3.0).expect_err(name);
        assert!(matches!(error.cause, Cause::Zeno { event, .. } if event.as_str() == "wall"), "{name}: {error:?}");
        assert!(error.to_string().contains("`wall` follow each other without end"), "{error}");
    }
}

#[test]
fn an_end_at_the_time_itself_is_an_arrival() {
    for (name, go) in ways() {
        let system = on(STOPPED);
        let mut run = Simulation::of(&system, Geodesic).fixed(0.07).expect("a start");
        assert_eq!(run.ended(), None);
        assert_eq!(go(&mut run, 0.75), Ok(()), "{name}");
        assert!(run.state().t == 0.75 && matches!(run.ended(), Some(Outcome::Stopped { time: 0.75, .. })), "{name}");
        assert_eq!(go(&mut run, 0.75), Ok(()), "{name}");
        assert!(matches!(go(&mut run, 0.76).expect_err(name).cause, Cause::Stopped { .. }), "{name}");
    }
}

#[test]
fn a_loop_of_steps_that_looks_at_errors_only_comes_to_an_end() {
    let system = on(STOPPED);
    let mut run = Simulation::of(&system, Geodesic).fixed(0.07).expect("a start");
    let steps = || -> Result<(), StepError> {
        while run.state().t < 3.0 {
            run.step_towards(3.0)?;
        }
        Ok(())
    };
    assert!(matches!({ steps }().expect_err("an end").cause, Cause::Stopped { .. }));
}

#[test]
fn the_table_of_a_run_that_ends_is_whole_and_says_so() {
    let system = on(STOPPED);
    let mut table = Table::new(&system.layout());
    let mut run = Simulation::of(&system, Geodesic).fixed(0.07).expect("a start");
    let outcome = Outcome::of(run.run_through(3.0, 0.3, |x| table.push(x)));
    assert!(matches!(outcome, Ok(Outcome::Stopped { .. })));
    let times: Vec<f64> = table.column("t").expect("a column").collect();
    // Before the event and after it.
    assert_eq!(times, [0.0, 0.3, 0.6, run.state().t, run.state().t]);
    // Other failures are no outcomes.
    let past = run.advance_to(0.1);
    assert!(matches!(Outcome::of(past).expect_err("in the past").cause, Cause::Past { .. }));
    assert_eq!(Outcome::of(Ok(())), Ok(Outcome::Reached));
}
