//! What a run counts.

mod common;

use common::on;
use common::plants::{Actuated, Pendulum};
use ode_runtime::integrators::{GeneralizedAlpha, Geodesic};
use ode_runtime::solve::{Newton, Projection};
use ode_runtime::{Halving, Sampled, Simulation, State};

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
