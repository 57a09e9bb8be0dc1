//! The state changed by hand, and what begins anew with it.

use crate::common::plants::{Oscillator, Pendulum};
use crate::common::{On, Plant, on};
use crate::dense_system;
use ode_runtime::integrators::{BackwardEuler, GeneralizedAlpha, Geodesic, SemiExplicitEuler};
use ode_runtime::{
    Cause, Crossing, Event, Every, Linearize, Method, Outcome, Quantity, Scalar, Simulation, Solvable, State,
};

const FREE: Oscillator = Oscillator { m: 2.0, k: 0.0, c: 0.0, w: 0.0, x: 0.0, v: 0.0 };

/// A kick of a body at rest, half way: what moves it is exact for every method.
fn kicked<M: Method<On<Oscillator>>>(method: M) {
    let body = on(FREE);
    let mut run = Simulation::of(&body, method).fixed(0.03).expect("a start");
    run.advance_to(0.5).expect("steps");
    assert_eq!(run.change(|x| x.v[0] += 2.0), Ok(()));
    assert_eq!((run.state().t, run.state().v[0], run.statistics().restarts), (0.5, 2.0, 1));
    run.advance_to(1.0).expect("steps");
    assert!((run.state().q[0] - 1.0).abs() < 1e-14 && (run.state().v[0] - 2.0).abs() < 1e-14, "{:?}", run.state());
}

#[test]
fn a_kick_moves_what_rests() {
    kicked(SemiExplicitEuler::explicit());
    kicked(SemiExplicitEuler::implicit_position());
    kicked(SemiExplicitEuler::implicit_velocity());
    kicked(BackwardEuler::default());
    kicked(BackwardEuler::linearized());
    kicked(GeneralizedAlpha::with_spectral_radius(0.8));
    kicked(Geodesic);
}

/// What follows a change is what a run given that state would do.
fn begins_anew<S: Linearize + Solvable<Real = f64, V = [f64; 2]>, M: Method<S> + Copy>(system: &S, method: M) {
    let mut run = Simulation::of(system, method).fixed(0.01).expect("a start");
    run.advance_to(0.3).expect("steps");
    run.change(|x| x.v = [0.4, -0.9]).expect("finite");
    let mut other = Simulation::of(system, method).given(run.state().clone()).fixed(0.01).expect("a start");
    assert_eq!(other.state(), run.state());
    run.advance_to(0.6).expect("steps");
    other.advance_to(0.6).expect("steps");
    assert_eq!(run.state(), other.state());
}

#[test]
fn a_change_begins_anew_with_velocities_accelerations_and_multipliers_that_belong_together() {
    let pendulum = on(Pendulum::standard());
    begins_anew(&pendulum, SemiExplicitEuler::explicit());
    begins_anew(&pendulum, BackwardEuler::default());
    begins_anew(&pendulum, GeneralizedAlpha::with_spectral_radius(0.8));
    begins_anew(&pendulum, Geodesic);

    // At (1, 0) the circle lets only v.y be: the rest of a kick goes into the rod; then λ = v².
    let mut run = Simulation::of(&pendulum, Geodesic).fixed(0.01).expect("a start");
    run.change(|x| x.v = [5.0, 3.0]).expect("finite");
    let x = run.state();
    assert!(x.v[0].abs() < 1e-15 && (x.v[1] - 3.0).abs() < 1e-15, "{x:?}");
    assert!((x.lambda[0] + 9.0).abs() < 1e-13 && (x.a[1] + 9.81).abs() < 1e-13, "{x:?}");
    // What moves off the circle is brought back.
    run.change(|x| x.q = [0.0, -1.2]).expect("finite");
    assert!(run.drift().expect("finite").0 < 1e-12);
    assert!((run.state().q[1] + 1.0).abs() < 1e-12);
}

#[test]
fn what_cannot_be_is_refused_and_changes_nothing() {
    let pendulum = on(Pendulum::standard());
    let mut run = Simulation::of(&pendulum, Geodesic).fixed(0.01).expect("a start");
    run.advance_to(0.1).expect("steps");
    let before = run.save();
    let error = run.change(|x| x.v[1] = f64::NAN).expect_err("not finite");
    assert!(
        matches!(error.cause, Cause::NonFinite { quantity: Quantity::Velocity, name } if name.as_str() == "der(y)")
    );
    assert_eq!(error.time, 0.1);
    let error = run.change(|x| x.q = [0.0, 0.0]).expect_err("no circle there");
    assert!(matches!(error.cause, Cause::Dependent { rank: 0, of: 1, .. }), "{error}");
    run.change(|x| x.modes.push(1.0)).expect_err("a longer state");
    let after = run.save();
    assert_eq!((after.model, after.entries), (before.model, before.entries));
    assert_eq!(after.numbers, before.numbers);
    run.advance_to(0.2).expect("steps");
    // Time is not the user's to change.
    for (time, said) in [(7.0, "7"), (0.1, "0.1"), (f64::NAN, "NaN")] {
        let error = run.change(|x| (x.t, x.v[1]) = (time, 1.0)).expect_err("another time");
        assert_eq!(error.to_string(), format!("at t = 0.2: time of a changed state cannot be {said}"));
    }
    let late = Every { from: 0.3, period: 1.0 };
    let error = run.advance_every(late, 0.4, |x| x.t += 1.0).expect_err("another time");
    assert_eq!(error.to_string(), "at t = 0.3: time of a changed state cannot be 1.3");
    assert_eq!((run.state().t, run.statistics().restarts), (0.3, 0));
}

/// A body that ends the run where it falls below zero.
#[derive(Clone, Copy, Debug)]
struct Ledge;

impl Plant<1, 0, 0, 0> for Ledge {
    fn mass<T: Scalar>(&self, _q: &[T; 1]) -> [[T; 1]; 1] {
        [[T::ONE]]
    }
    fn force<T: Scalar>(&self, _t: T, _q: &[T; 1], _v: &[T; 1], _z: &[T; 0], _u: &[T; 0]) -> [T; 1] {
        [T::ZERO]
    }
    fn guess(&self) -> ([f64; 1], [f64; 1], [f64; 0]) {
        ([1.0], [0.0], [])
    }
    const EVENTS: &'static [Event<'static>] = &[Event { name: "fall", crossing: Crossing::Falling, stops: true }];
    fn guards<T: Scalar>(&self, _t: T, x: (&[T; 1], &[T; 1], &[T; 0]), _u: &[T; 0], _modes: &[T], out: &mut [T]) {
        out[0] = x.0[0];
    }
}
dense_system!(Ledge, q 1 ["y"], z 0 [], c 0 [], u 0 [], mass 1, jacobian 0, n 1, tangent 1, saddle 1, assembly 1,
    init [], []);

#[test]
fn a_guard_that_a_change_takes_across_zero_has_its_event() {
    let ledge = on(Ledge);
    let mut run = Simulation::of(&ledge, Geodesic).fixed(0.1).expect("a start");
    run.advance_to(0.5).expect("steps");
    run.change(|x| x.q[0] = -1.0).expect("finite");
    let outcome = run.ended().expect("an end");
    assert!(matches!(outcome, Outcome::Stopped { event, time } if event.as_str() == "fall" && time == 0.5));
    // Ended: there is nothing left to change.
    let state = run.state().clone();
    assert_eq!(Outcome::of(run.change(|x| x.q[0] = 3.0)), Ok(outcome));
    assert_eq!((Outcome::of(run.advance_to(1.0)), run.state()), (Ok(outcome), &state));
}

#[test]
fn changes_come_every_period() {
    // v grows by 1 at 0.3, 0.6, …, and at the end, 3.0: 15 − 1 of them act over 0.3 each in x … x(3) = 0.3 Σ k, k = 1
    // … 9.
    let body = on(FREE);
    let mut times = Vec::new();
    let mut run = Simulation::of(&body, GeneralizedAlpha::with_spectral_radius(0.5)).fixed(0.07).expect("a start");
    let kick = |x: &mut State<On<Oscillator>>| x.v[0] += 1.0;
    let arrived = run.advance_every(Every::period(0.3), 3.0, |x| {
        times.push(x.t);
        kick(x);
    });
    assert_eq!(arrived, Ok(()));
    assert_eq!(times.len(), 10);
    for (k, t) in times.iter().enumerate() {
        assert!((t - 0.3 * (k + 1) as f64).abs() < 1e-14);
    }
    assert!((run.state().q[0] - 0.3 * 45.0).abs() < 1e-12 && run.state().v[0] == 10.0, "{:?}", run.state());

    // Stopped on the way, and between instants, it is the same run; so is one resumed.
    let mut parts = Simulation::of(&body, Geodesic).fixed(0.05).expect("a start");
    let mut whole = Simulation::of(&body, Geodesic).fixed(0.05).expect("a start");
    for end in [0.25, 0.6, 1.0, 2.0] {
        parts.advance_every(Every::period(0.3), end, kick).expect("steps");
        let point = parts.checkpoint();
        parts = Simulation::of(&body, Geodesic).resume(point).fixed(0.05).expect("the same");
        // The other lands on the same times, without being stopped.
        whole.advance_every(Every::period(0.3), end, kick).expect("steps");
        assert_eq!(parts.save(), whole.save());
    }
    assert_eq!(whole.state().v[0], 6.0);

    // Events of the model end it.
    let ledge = on(Ledge);
    let mut run = Simulation::of(&ledge, Geodesic).fixed(0.1).expect("a start");
    let arrived = run.advance_every(Every { from: 0.2, period: 1.0 }, 9.0, |x| x.v[0] = -4.0);
    let outcome = Outcome::of(arrived).expect("steps");
    assert!(matches!(outcome, Outcome::Stopped { time, .. } if (time - 0.45).abs() < 1e-12));

    for (from, period) in [(0.0, 0.0), (0.0, -1.0), (0.0, f64::NAN), (f64::INFINITY, 1.0), (0.0, 1e-300)] {
        let error = whole.advance_every(Every { from, period }, 9.0, kick).expect_err("no instants");
        assert!(matches!(error.cause, Cause::Invalid { .. }), "{error}");
    }

    // Instants apart where the run begins, but not where they begin.
    let mut far = Simulation::of(&body, Geodesic).fixed(1e16).expect("a start");
    let error = far.advance_every(Every { from: 1e17, period: 1e-10 }, 2e17, kick).expect_err("too close");
    assert_eq!((error.time, error.cause), (1e17, Cause::Invalid { setting: "period", value: 1e-10 }));
}
