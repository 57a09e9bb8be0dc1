//! Consistent starts.

use crate::common::on;
use crate::common::plants::{Driven, Pendulum, Sleeve};
use ode_runtime::integrators::{BackwardEuler, GeneralizedAlpha, Geodesic};
use ode_runtime::{Cause, Constraint, Level, Nominal, Simulation, Start, State, System};

#[test]
fn the_smallest_change_of_the_guess_is_taken() {
    let system = on(Sleeve { mass: [1.0, 1.0] });
    for (guess, want) in [([3.0, 4.0], [0.6, 0.8]), ([0.003, 0.004], [0.6, 0.8]), ([-1e4, 0.0], [-1.0, 0.0])] {
        let mut x = State::neutral(&system);
        (x.q, x.v) = (guess, [1.0, 2.0]);
        let x = Start::default().solve_from(&system, &Nominal, x).expect("consistent");
        // The foot of the perpendicular.
        assert!((x.q[0] - want[0]).abs() < 1e-14 && (x.q[1] - want[1]).abs() < 1e-14, "{guess:?} to {:?}", x.q);
        // The tangential part of the velocity.
        let along = want[0] * 2.0 - want[1] * 1.0;
        assert!((x.v[0] + along * want[1]).abs() < 1e-13 && (x.v[1] - along * want[0]).abs() < 1e-13, "{:?}", x.v);
        let mut c = Constraint::zeros(&system.layout());
        system.constraint(x.at(&[]), &mut c);
        assert!(c.phi[0].abs() < 1e-15 && c.rate[0].abs() < 1e-15);
        // M a = f + Gᵀ λ with Φ = x² + y² − 1.
        assert!((x.a[0] - 2.0 * x.q[0] * x.lambda[0]).abs() < 1e-13);
        assert!((x.a[1] - 2.0 * x.q[1] * x.lambda[0] + 9.81).abs() < 1e-13);
    }
}

#[test]
fn a_hanging_pendulum_pulls_its_rod_with_its_weight() {
    // −2 l λ is the tension for Φ = x² + y² − l², here with the factor ½: −l λ = m g.
    let hanging = on(Pendulum { m: 3.0, start: [0.0, -1.0], ..Pendulum::standard() });
    let x = Start::default().solve(&hanging, &Nominal).expect("consistent");
    assert!((-x.lambda[0] - 3.0 * 9.81).abs() < 1e-13);
}

#[test]
fn constraints_that_move_are_met_at_the_time_of_the_start() {
    let t: f64 = 0.7;
    let x = Start::at(t).solve(&on(Driven), &Nominal).expect("consistent");
    let (p, v, a) = ((2.0 * t).sin(), 2.0 * (2.0 * t).cos(), -4.0 * (2.0 * t).sin());
    let want = [p, p * t + 0.5, v, v * t + p, a, a * t + 2.0 * v];
    for (got, want) in [x.q[0], x.q[1], x.v[0], x.v[1], x.a[0], x.a[1]].iter().zip(want) {
        assert!((got - want).abs() < 1e-14, "{got} is not {want}");
    }
    // Free of constraints: the guess stays, the condition v₃ = v₂ is exact, the force gives 3/2.
    assert_eq!(x.q[2], 0.25);
    assert!((x.v[2] - x.v[1]).abs() < 1e-15 && (x.a[2] - 1.5).abs() < 1e-15);
}

#[test]
fn a_start_leaves_the_guess_alone_where_nothing_is_asked() {
    let system = on(Sleeve { mass: [1.0, 1.0] });
    let mut x = State::neutral(&system);
    (x.q, x.v) = ([0.0, -1.0], [0.5, 0.0]);
    let started = Start::default().solve_from(&system, &Nominal, x.clone()).expect("consistent");
    assert_eq!((started.q, started.v), (x.q, x.v));
}

#[test]
fn an_impossible_velocity_is_named() {
    let system = on(crate::common::plants::Rigid);
    match Start::default().solve(&system, &Nominal).expect_err("contradiction").cause {
        Cause::Contradiction { level: Level::Velocity, rows, residual } => {
            assert!(rows.contains("belt") && rows.contains("at rest"), "{rows}");
            // The least squares are in the middle.
            assert!((residual.abs() - 0.25).abs() < 1e-6, "{residual}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn rheonomic_motion_is_followed_by_every_kind_of_method() {
    let system = on(Driven);
    let end = 1.0_f64;
    let want = (2.0 * end).sin();
    let mut run = Simulation::of(&system, GeneralizedAlpha::with_spectral_radius(0.7)).fixed(0.01).expect("a start");
    run.advance_to(end).expect("steps");
    assert!((run.state().q[0] - want).abs() < 1e-12);
    assert!((run.state().a[0] + 4.0 * want).abs() < 2e-3);
    for method in [BackwardEuler::default(), BackwardEuler::linearized()] {
        let mut run = Simulation::of(&system, method).fixed(0.01).expect("a start");
        run.advance_to(end).expect("steps");
        assert!((run.state().q[0] - want).abs() < 1e-12);
    }
    let mut run = Simulation::of(&system, Geodesic).adaptive(1e-10).expect("a start");
    run.advance_to(end).expect("steps");
    assert!((run.state().q[0] - want).abs() < 1e-8);
}

#[test]
fn a_state_given_by_hand_gets_its_rates_and_keeps_the_order() {
    let pendulum = on(Pendulum::standard());
    let mut given = State::neutral(&pendulum);
    (given.q, given.v) = ([1.0, 0.0], [0.0, 0.5]);
    let method = GeneralizedAlpha::with_spectral_radius(0.8);
    let mut exact = Simulation::of(&pendulum, Geodesic).given(given.clone()).adaptive(1e-12).expect("a start");
    exact.advance_to(0.5).expect("steps");
    let error = |h: f64| {
        let mut run = Simulation::of(&pendulum, method).given(given.clone()).fixed(h).expect("a start");
        // The rod turns at v = ½: G a + γ = 0 gives −v², gravity the rest.
        assert!((run.state().a[0] + 0.25).abs() < 1e-14 && (run.state().a[1] + 9.81).abs() < 1e-14);
        assert!(run.state().lambda[0] != 0.0);
        run.advance_to(0.5).expect("steps");
        (run.state().q[0] - exact.state().q[0]).hypot(run.state().q[1] - exact.state().q[1])
    };
    let ratio = error(0.01) / error(0.005);
    assert!((3.7..4.3).contains(&ratio), "{ratio}");

    // Rates of one's own stay.
    given.a = [7.0, 8.0];
    let run = Simulation::of(&pendulum, method).given_with_rates(given.clone()).fixed(0.01).expect("a start");
    assert_eq!(run.state(), &given);
    // At the centre the circle has no normal.
    given.q = [0.0, 0.0];
    let error = Simulation::of(&pendulum, method).given(given).fixed(0.01).map(|_| ()).expect_err("singular");
    assert!(matches!(error.cause, Cause::Dependent { rank: 0, of: 1, rows } if rows.as_str() == "`circle`"));
}
