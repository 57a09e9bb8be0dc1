//! What a run counts.

use std::f64::consts::PI;

use crate::common::plants::{Actuated, Oscillator, Pendulum};
use crate::common::{On, Plant, on};
use crate::dense_system;
use ode_runtime::integrators::{BackwardEuler, Bdf2, GeneralizedAlpha, Geodesic, Leapfrog, SemiExplicitEuler};
use ode_runtime::solve::{Newton, Projection};
use ode_runtime::{
    Crossing, Estimates, Event, Halving, LargestError, Method, Quantity, Sampled, Scalar, Simulation, State,
};

#[test]
fn attempts_are_steps_and_failures() {
    let pendulum = on(Pendulum::standard());
    let mut run =
        Simulation::of(&pendulum, Geodesic).project(Projection::to(1e-9)).adaptive_from(1e-7, 0.1).expect("a start");
    run.advance_to(3.0).expect("steps");
    let s = *run.statistics();
    assert_eq!(s.attempted, s.taken + s.error_failures + s.attempt_failures + s.projection_failures);
    assert!(s.error_failures > 0 && s.attempt_failures == 0);
    // Four stages an attempt, and one evaluation where each step ends, and the start.
    assert_eq!(s.work.evaluations, 4 * s.attempted + s.taken + 1);
    assert!(s.projections <= s.position_projections + s.velocity_projections);
    assert!(s.position_projections <= s.projections && s.velocity_projections <= s.projections);
    assert!(s.projections > 0 && s.projections <= s.taken);
    assert!(s.first_step > 0.0 && s.first_step < 0.1);
    assert!(run.last_step() > 0.0 && run.next_step() >= run.last_step() || run.state().t == 3.0);
}

#[test]
fn failures_are_counted_by_kind() {
    let pendulum = on(Pendulum { g: 400.0, ..Pendulum::standard() });
    let newton = Newton { iterations: 4, ..Newton::default() };
    let method = GeneralizedAlpha { newton, ..GeneralizedAlpha::with_spectral_radius(0.8) };
    let mut run = Simulation::of(&pendulum, method).halving(Halving::of(0.04)).expect("a start");
    run.advance_to(1.0).expect("steps");
    let s = *run.statistics();
    assert!(s.convergence_failures > 0 && s.realization_failures == 0);
    assert_eq!(s.attempted, s.taken + s.convergence_failures);

    // A projection that may not iterate fails at the positions.
    let mut start = State::neutral(&pendulum);
    start.q = [2.0, 0.0];
    let mut how = Projection::to(1e-12);
    how.iterations = 1;
    let mut run = Simulation::of(&pendulum, Geodesic).project(how).given(start).fixed(0.01).expect("a start");
    run.step_towards(1.0).expect_err("too far");
    let s = *run.statistics();
    assert_eq!((s.projection_failures, s.velocity_projection_failures, s.attempted, s.taken), (1, 0, 1, 0));
}

#[test]
fn discontinuities_are_counted() {
    let plant = on(Actuated { lag: 0.1 });
    let hold = Sampled::new(0.1, |_: &State<_>, u: &mut [f64; 1]| u[0] = 0.0);
    let mut run = Simulation::of(&plant, Geodesic).inputs(hold).fixed(0.02).expect("a start");
    run.advance_to(0.5).expect("steps");
    run.change(|x| x.z[0] = 0.0).expect("finite");
    assert_eq!((run.statistics().restarts, run.statistics().taken, run.statistics().events), (6, 25, 0));
}

/// The largest error of a second of cos(2π t) by steps of `h`.
fn largest<M: Method<On<Oscillator>>>(method: M, h: f64) -> Option<LargestError> {
    let wave = on(Oscillator { m: 1.0, k: 4.0 * PI * PI, c: 0.0, w: 0.0, x: 1.0, v: 0.0 });
    let mut run = Simulation::of(&wave, method).fixed(h).expect("a start");
    run.advance_to(if h > 1.0 { 10.0 * h } else { 1.0 }).expect("steps");
    run.statistics().largest_error
}

fn estimates<M: Method<On<Oscillator>> + Estimates + Copy>(name: &str, method: M, order: f64) {
    // Ten periods a step is not what the method is for, and it says so.
    let coarse = largest(method, 10.0).expect("an estimate");
    assert!(coarse.relative > 0.1, "{name}: {coarse:?}");
    assert!(coarse.step == 10.0 && coarse.time >= 10.0 && coarse.time <= 100.0, "{name}: {coarse:?}");
    let [fine, finer] = [1.0 / 512.0, 1.0 / 1024.0].map(|h| largest(method, h).expect("an estimate"));
    assert!(fine.relative < 1e-2 && fine.time <= 1.0 && fine.step == 1.0 / 512.0, "{name}: {fine:?}");
    let found = (fine.relative / finer.relative).log2();
    assert!((found - order).abs() < 0.1, "{name}: {found} instead of {order}");
}

#[test]
fn fixed_steps_far_too_long_show_a_large_error_and_short_ones_a_small_one() {
    // Where forces are linear, Merson's estimate is of order 5. The first step of BDF2 is one of backward Euler.
    estimates("Geodesic", Geodesic, 5.0);
    estimates("Bdf2", Bdf2::default(), 2.0);
    estimates("BackwardEuler", BackwardEuler::default(), 2.0);
    estimates("GeneralizedAlpha", GeneralizedAlpha::with_spectral_radius(0.9), 3.0);
    estimates("Leapfrog", Leapfrog::default(), 3.0);
    // None without an estimate, nor where errors are tested.
    assert_eq!(largest(SemiExplicitEuler::explicit(), 0.01), None);
    let wave = on(Oscillator { m: 1.0, k: 1.0, c: 0.0, w: 0.0, x: 1.0, v: 0.0 });
    let mut run = Simulation::of(&wave, Geodesic).adaptive(1e-6).expect("a start");
    run.advance_to(1.0).expect("steps");
    assert_eq!(run.statistics().largest_error, None);
}

#[test]
fn the_largest_error_is_of_one_entry_at_one_time_against_its_value() {
    // Against every step's own estimate, which the run shows.
    let pendulum = on(Pendulum::standard());
    let mut run = Simulation::of(&pendulum, Geodesic).fixed(0.03).expect("a start");
    let mut expected: (f64, f64, usize) = (0.0, 0.0, 0);
    while run.state().t < 2.9 {
        let x = run.state().clone();
        run.step_towards(3.0).expect("a step");
        let t = run.state().t;
        let error = run.error().expect("an estimate");
        let entries = error.q.iter().zip(&x.q).chain(error.v.iter().zip(&x.v));
        for (i, (error, value)) in entries.enumerate() {
            let relative = error.abs() / (1.0 + value.abs());
            if relative > expected.0 {
                expected = (relative, t, i);
            }
        }
    }
    let found = run.statistics().largest_error.expect("an estimate");
    let (quantity, name) = [
        (Quantity::Coordinate, "x"),
        (Quantity::Coordinate, "y"),
        (Quantity::Velocity, "der(x)"),
        (Quantity::Velocity, "der(y)"),
    ][expected.2];
    assert_eq!((found.relative, found.time), (expected.0, expected.1));
    assert_eq!((found.quantity, found.name.as_str()), (quantity, name));
    // It is part of what is saved.
    let resumed = Simulation::of(&pendulum, Geodesic).resume_saved(run.save()).fixed(0.03).expect("the same");
    assert_eq!(resumed.statistics(), run.statistics());
}

/// What falls under a force that changes late, and whose landing has no value.
#[derive(Clone, Copy, Debug)]
struct Landing;

impl Plant<1, 0, 0, 0> for Landing {
    fn mass<T: Scalar>(&self, _q: &[T; 1]) -> [[T; 1]; 1] {
        [[T::ONE]]
    }
    fn force<T: Scalar>(&self, t: T, _q: &[T; 1], _v: &[T; 1], _z: &[T; 0], _u: &[T; 0]) -> [T; 1] {
        let [four, eight] = [t * t * t * t, t * t * t * t * t * t * t * t];
        [T::from_f64(4.0) * four * eight * eight - T::from_f64(2.0)]
    }
    fn guess(&self) -> ([f64; 1], [f64; 1], [f64; 0]) {
        ([1.0], [0.0], [])
    }
    const EVENTS: &'static [Event<'static>] = &[Event { name: "ground", crossing: Crossing::Falling, stops: false }];
    fn guards<T: Scalar>(&self, _t: T, x: (&[T; 1], &[T; 1], &[T; 0]), _u: &[T; 0], _modes: &[T], out: &mut [T]) {
        out[0] = x.0[0];
    }
    fn reset<T: Scalar>(
        &self,
        _event: usize,
        _t: T,
        x: (&[T; 1], &[T; 1], &[T; 0]),
        _modes: &[T],
        out: (&mut [T; 1], &mut [T; 1], &mut [T; 0], &mut [T]),
    ) {
        out.1[0] = x.0[0] / T::ZERO;
    }
}
dense_system!(Landing, q 1 ["y"], z 0 [], c 0 [], u 0 [], mass 1, jacobian 0, n 1, tangent 1, saddle 1, assembly 1,
    init [], []);

#[test]
fn a_step_whose_event_fails_leaves_no_error_behind() {
    let fall = on(Landing);
    // The ground comes just before the end of a step, whose error is larger than that of all before it.
    let mut run = Simulation::of(&fall, Geodesic).fixed(0.2015).expect("a start");
    let mut before = *run.statistics();
    let error = loop {
        match run.step_towards(2.015) {
            Ok(_) => before = *run.statistics(),
            Err(error) => break error,
        }
    };
    let (largest, after) = (before.largest_error.expect("an estimate"), *run.statistics());
    assert!(error.time > 0.8 && largest.time <= error.time, "{error} {largest:?}");
    assert_eq!((after.largest_error, after.taken, after.events), (before.largest_error, before.taken, 0));
}
