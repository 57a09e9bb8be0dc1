//! Input that cannot be simulated: every kind has its error with the model's names; none panics or changes the state.

use crate::common::methods::{Candidate, Each, every_method};
use crate::common::plants::{Broken, Oscillator, Particle, Pendulum, Sleeve};
use crate::common::{On, on};
use ode_runtime::integrators::{
    BackwardEuler, Composition, GeneralizedAlpha, Geodesic, ImplicitMidpoint, Leapfrog, SemiExplicitEuler,
    StormerVerlet,
};
use ode_runtime::solve::{Newton, Projection};
use ode_runtime::{
    Cause, Constant, Level, Method, Moment, Nominal, Quantity, Sampled, Simulation, Solvable, Start, State, input_fn,
};

fn cause<S: Solvable<Real = f64>>(system: &S) -> Cause {
    Start::default().solve(system, &Nominal).expect_err("no consistent start").cause
}

const SOUND: Broken = Broken { mass: [1.0, 1.0], force: -9.81, factor: 1.0, offset: 0.0 };
const FREE: Oscillator = Oscillator { m: 1.0, k: 1.0, c: 0.1, w: 0.0, x: 1.0, v: 0.0 };

#[test]
fn parameters_that_are_not_finite_are_named_where_they_show() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert!(matches!(cause(&on(Oscillator { m: bad, ..FREE })), Cause::NonFinite {
                quantity: Quantity::Mass, name } if name.as_str() == "x"));
        assert!(matches!(cause(&on(Oscillator { k: bad, ..FREE })), Cause::NonFinite {
                quantity: Quantity::Force, name } if name.as_str() == "x"));
        assert!(matches!(cause(&on(Oscillator { x: bad, ..FREE })), Cause::NonFinite {
                quantity: Quantity::Coordinate, name } if name.as_str() == "x"));
        assert!(matches!(cause(&on(Oscillator { v: bad, ..FREE })), Cause::NonFinite {
                quantity: Quantity::Velocity, name } if name.as_str() == "der(x)"));
        let circle = Pendulum { scale: bad, ..Pendulum::standard() };
        assert!(matches!(cause(&on(circle)), Cause::NonFinite {
                quantity: Quantity::Constraint, name } if name.as_str() == "circle"));
    }
}

#[test]
fn a_row_that_vanishes_is_named_alone() {
    let pendulum = on(Pendulum::standard());
    let centre = Simulation::of(&pendulum, Geodesic).given(State::neutral(&pendulum)).fixed(0.1).map(drop);
    let said = "constraint `circle` vanishes here: it restricts no motion, so its multiplier is undetermined";
    assert_eq!(centre.expect_err("no direction").cause.to_string(), said);
}

#[test]
fn coordinates_without_inertia_are_named() {
    let massless = |name: &str, cause: Cause| match cause {
        Cause::Singular { unknown: Quantity::Acceleration, name: got } => assert_eq!(got.as_str(), name),
        other => panic!("{other:?}"),
    };
    massless("x", cause(&on(Particle { mass: [0.0, 1.0] })));
    massless("y", cause(&on(Particle { mass: [1.0, 0.0] })));
    let text = Start::default().solve(&on(Particle { mass: [1.0, 0.0] }), &Nominal).expect_err("singular").to_string();
    assert_eq!(text, "start at t = 0: acceleration of `y` is undetermined: the matrix is singular");
}

#[test]
fn negative_inertia_is_named() {
    let error = Start::default().solve(&on(Particle { mass: [1.0, -2.0] }), &Nominal).expect_err("negative");
    assert_eq!(
        error.to_string(),
        "start at t = 0: inertia of `y` is negative when the other coordinates are free to move: -2"
    );
}

#[test]
fn a_massless_coordinate_held_by_a_constraint_is_no_error() {
    // The eliminations without pivoting cannot start there; the fallback can. At (1, 0) the circle fixes ẍ = 0.
    let massless = on(Sleeve { mass: [0.0, 2.0] });
    let x = Start::default().solve(&massless, &Nominal).expect("consistent");
    assert!(x.a[0].abs() < 1e-14 && (x.a[1] + 9.81).abs() < 1e-13, "{x:?}");
}

#[test]
fn redundant_constraints_are_named_and_contradictory_ones_too() {
    // Φ₂ = 2 Φ₁: positions agree, multipliers are undetermined.
    match cause(&on(Broken { factor: 2.0, ..SOUND })) {
        Cause::Dependent { rank: 1, of: 2, rows } => assert_eq!(rows.as_str(), "`circle`, `again`"),
        other => panic!("{other:?}"),
    }
    // Φ₂ = Φ₁ + ½: no positions at all.
    match cause(&on(Broken { offset: 0.5, ..SOUND })) {
        Cause::Contradiction { level: Level::Position, rows, residual } => {
            assert_eq!(rows.as_str(), "`circle`, `again`");
            assert!((residual.abs() - 0.25).abs() < 1e-3, "{residual}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn conditions_that_repeat_the_constraints_are_fine_and_those_that_contradict_are_named() {
    let repeated = on(Pendulum::standard());
    let x = Start::default().solve(&repeated, &Nominal).expect("consistent");
    assert_eq!(x.q, [1.0, 0.0]);
    // `init r = (1.2, 0)` on a circle of radius 1.
    let off = Pendulum { start: [1.2, 0.0], ..Pendulum::standard() };
    let cause = cause(&on(off));
    assert!(
        matches!(cause, Cause::Contradiction { level: Level::Position, rows, .. } if rows.contains("circle")),
        "{cause}"
    );
}

#[test]
fn settings_are_refused_where_they_enter() {
    let system = on(FREE);
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let invalid = |error: ode_runtime::StartError| assert!(matches!(error.cause, Cause::Invalid { .. }), "{error}");
        invalid(Simulation::of(&system, Geodesic).fixed(bad).map(|_| ()).expect_err("step"));
        invalid(Simulation::of(&system, Geodesic).adaptive(bad).map(|_| ()).expect_err("accuracy"));
        invalid(Simulation::of(&system, Geodesic).adaptive_from(1e-3, bad).map(|_| ()).expect_err("first step"));
        invalid(
            Simulation::of(&system, Geodesic)
                .project(Projection::to(bad))
                .fixed(0.1)
                .map(|_| ())
                .expect_err("projection"),
        );
        let sampled = Sampled::new(bad, |_: &State<On<Oscillator>>, _: &mut [f64; 1]| {});
        invalid(Simulation::of(&system, Geodesic).inputs(sampled).fixed(0.1).map(|_| ()).expect_err("period"));
        let mut method = BackwardEuler {
            solve: ode_runtime::integrators::Implicit::Newton(Newton { tolerance: bad, ..Newton::default() }),
            ..BackwardEuler::default()
        };
        invalid(Simulation::of(&system, method).fixed(0.1).map(|_| ()).expect_err("tolerance"));
        method = BackwardEuler {
            solve: ode_runtime::integrators::Implicit::Newton(Newton { iterations: 0, ..Newton::default() }),
            ..BackwardEuler::default()
        };
        invalid(Simulation::of(&system, method).fixed(0.1).map(|_| ()).expect_err("iterations"));
    }
    for rho in [f64::NAN, f64::INFINITY, -1.0, -0.2, 1.2] {
        let method = GeneralizedAlpha::with_spectral_radius(rho);
        assert!(Simulation::of(&system, method).fixed(0.1).is_err(), "ρ = {rho}");
    }
    for time in [f64::NAN, f64::INFINITY] {
        assert!(Start::at(time).solve(&system, &Nominal).is_err());
    }
    let mut given = State::neutral(&system);
    given.v = [f64::NAN];
    let error = Simulation::of(&system, Geodesic).given(given).fixed(0.1).map(|_| ()).expect_err("state");
    assert_eq!(error.to_string(), "start at t = 0: velocity `der(x)` is not finite");

    let mut run = Simulation::of(&system, Geodesic).fixed(0.1).expect("a start");
    for time in [f64::NAN, f64::INFINITY, -1.0] {
        let refused = run.advance_to(time).expect_err("time").cause;
        assert!(matches!(refused, Cause::Invalid { .. } | Cause::Past { .. }), "{time}: {refused}");
        assert!(matches!(
            run.run(1.0, if time < 0.0 { 0.0 } else { time }, |_| {}).expect_err("interval").cause,
            Cause::Invalid { .. }
        ));
    }
}

#[test]
fn inputs_that_are_not_finite_are_named() {
    let system = on(FREE);
    let error =
        Simulation::of(&system, Geodesic).inputs(Constant([f64::NAN])).fixed(0.1).map(|_| ()).expect_err("input");
    assert!(matches!(error.cause, Cause::NonFinite { quantity: Quantity::Input, name } if name.as_str() == "push"));
}

/// Runs until the step fails; the state must be that before it, bit for bit, also after another try.
fn fails_cleanly<M: Method<On<Oscillator>>>(method: M) -> Cause {
    let system = on(FREE);
    let late =
        input_fn(|at: Moment<'_, On<Oscillator>>, u: &mut [f64; 1]| u[0] = if at.t > 0.55 { f64::NAN } else { at.t });
    let mut run = Simulation::of(&system, method).inputs(late).fixed(0.1).expect("a start");
    while run.state().t < 0.45 {
        run.step_towards(1.0).expect("inputs are finite");
    }
    let before = run.state().clone();
    let error = loop {
        let state = run.state().clone();
        match run.step_towards(1.0) {
            Ok(_) => assert!(run.state().t < 0.65),
            Err(error) => {
                assert_eq!(&state, run.state());
                break error;
            }
        }
    };
    let bits = |x: &State<On<Oscillator>>| (x.t.to_bits(), x.q[0].to_bits(), x.v[0].to_bits(), x.a[0].to_bits());
    let kept = bits(run.state());
    assert_eq!(run.step_towards(1.0).expect_err("still"), error);
    assert_eq!(bits(run.state()), kept);
    assert!(before.t <= run.state().t);
    assert_eq!(error.time, run.state().t);
    error.cause
}

/// An input that is not finite, whatever the method.
struct FailsCleanly;

impl Each for FailsCleanly {
    fn method<M: Candidate>(&mut self, name: &'static str, method: M) {
        let cause = fails_cleanly(method);
        assert!(matches!(cause, Cause::NonFinite { quantity: Quantity::Input, .. }), "{name}: {cause:?}");
    }
}

#[test]
fn a_failed_step_changes_nothing() {
    every_method(&mut FailsCleanly);
    FailsCleanly.method("Leapfrog::once", Leapfrog::once());
}

struct IsCalled;

impl Each for IsCalled {
    fn method<M: Candidate>(&mut self, name: &'static str, method: M) {
        // "Composition::suzuki of StormerVerlet" is written with what it is composed of in brackets.
        let composed = name.split_once(" of ").map(|(constructor, of)| format!("{constructor}({of})"));
        let written = composed.as_deref().unwrap_or(name.split(',').next().unwrap_or(name));
        let system = on(FREE);
        let mut saved = Simulation::of(&system, method).fixed(0.1).expect("a start").save();
        let called = core::mem::replace(&mut saved.method, "Other".into());
        let constructor = |rest: &str| rest.is_empty() || rest.starts_with("::");
        assert!(written.strip_prefix(&called).is_some_and(constructor), "`{called}` is written `{written}`");
        let error = Simulation::of(&system, method).resume_saved(saved).fixed(0.1).map(drop).expect_err("another");
        let said = format!("the checkpoint is of another run: its method is `Other`, not `{called}`");
        assert_eq!(error.cause.to_string(), said);
    }
}

#[test]
fn messages_call_a_method_what_the_user_wrote() {
    every_method(&mut IsCalled);
}

#[test]
fn newton_says_when_it_does_not_converge() {
    let pendulum = on(Pendulum::standard());
    let mut method = GeneralizedAlpha::with_spectral_radius(0.8);
    method.newton = Newton { iterations: 1, tolerance: 1e-15, constraint: 1e-15, ..Newton::default() };
    let mut run = Simulation::of(&pendulum, method).fixed(0.1).expect("a start");
    let before = run.state().clone();
    match run.advance_to(1.0).expect_err("one iteration is not enough").cause {
        Cause::Newton { iterations: 1, name, correction } => {
            assert!(["x", "y"].contains(&name.as_str()));
            assert!(correction > 1.0);
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(run.state(), &before);
}

#[test]
fn symplectic_steps_say_when_they_do_not_converge() {
    // h c/m = 20: the tangent has the damping, so that both contract, but not in one correction
    let damped = on(Oscillator { c: 200.0, ..FREE });
    let verlet = StormerVerlet::default();
    Simulation::of(&damped, verlet).fixed(0.1).expect("a start").advance_to(1.0).expect("it is linear");
    let once = StormerVerlet { newton: Newton { iterations: 1, ..verlet.newton } };
    let mut run = Simulation::of(&damped, once).fixed(0.1).expect("a start");
    let before = run.state().clone();
    match run.advance_to(1.0).expect_err("one is not enough").cause {
        Cause::Newton { iterations, name, correction } => {
            assert_eq!((iterations, name.as_str()), (1, "x"));
            assert!(correction > 1.0);
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(run.state(), &before);
    let mut run = Simulation::of(&damped, ImplicitMidpoint::default()).fixed(0.1).expect("a start");
    run.advance_to(1.0).expect("it is A-stable");

    let halves = Composition { method: StormerVerlet::default(), shares: &[0.5, 0.4] };
    let error = Simulation::of(&damped, halves).fixed(0.1).map(|_| ()).expect_err("not a whole step");
    assert_eq!(error.to_string(), "start at t = 0: sum of the shares of a composition cannot be 0.9");
}

#[test]
fn values_that_blow_up_are_caught() {
    // x → 0 gives an infinite force; a huge step overflows.
    let particle = on(Particle { mass: [1.0, 1.0] });
    let mut start = State::neutral(&particle);
    (start.q, start.v) = ([0.0, 1.0], [0.0, 0.0]);
    let error = Simulation::of(&particle, Geodesic).given(start).fixed(0.1).map(|_| ()).expect_err("1/0");
    assert!(matches!(error.cause, Cause::NonFinite { quantity: Quantity::Force, name } if name.as_str() == "x"));

    let stiff = on(Oscillator { k: 1e300, ..FREE });
    let mut run = Simulation::of(&stiff, SemiExplicitEuler::explicit()).fixed(1.0).expect("a start");
    assert!(matches!(run.advance_to(10.0).expect_err("overflow").cause, Cause::NonFinite { .. }));
}

#[test]
fn projection_names_the_constraint_it_cannot_satisfy() {
    let pendulum = on(Pendulum { m: 1.0, g: 9.81, scale: 0.5, start: [1.0, 0.0] });
    let mut how = Projection::to(1e-12);
    how.iterations = 1;
    let mut start = State::neutral(&pendulum);
    start.q = [2.0, 0.0];
    let mut run = Simulation::of(&pendulum, Geodesic).project(how).given(start).fixed(0.01).expect("a start");
    match run.advance_to(1.0).expect_err("one iteration is not enough").cause {
        Cause::Projection { level: Level::Position, constraint, .. } => assert_eq!(constraint.as_str(), "circle"),
        other => panic!("{other:?}"),
    }
    // At the centre the circle has no normal.
    let mut start = State::neutral(&pendulum);
    start.v = [1.0, 0.0];
    let error = Simulation::of(&pendulum, Geodesic).given(start).fixed(0.01).map(|_| ()).expect_err("singular");
    assert!(matches!(error.cause, Cause::Dependent { rank: 0, of: 1, .. }));
}

#[test]
fn steps_below_the_resolution_of_time_are_refused() {
    let system = on(FREE);
    let mut run = Simulation::of(&system, Geodesic).start(Start::at(1e6)).fixed(1e-12).expect("a start");
    assert!(matches!(run.advance_to(2e6).expect_err("no progress").cause, Cause::StepTooSmall { .. }));
    for h in [1e-300, 1e-15] {
        let mut run = Simulation::of(&system, Geodesic).fixed(h).expect("a start");
        let error = run.advance_to(1.0).expect_err("no end");
        assert!(matches!(error.cause, Cause::StepTooSmall { limit: None, .. }), "{error}");
        run.advance_to(h).expect("a last step may be small");
    }
    let often = Sampled::new(1e-300, |_: &State<On<Oscillator>>, _: &mut [f64; 1]| {});
    let mut run = Simulation::of(&system, Geodesic).inputs(often).fixed(0.1).expect("a start");
    assert!(matches!(run.advance_to(1.0).expect_err("no end").cause, Cause::StepTooSmall { .. }));
    let mut run = Simulation::of(&system, Geodesic).adaptive(1e-300).expect("a start");
    assert!(matches!(run.advance_to(1.0).expect_err("accuracy").cause, Cause::StepTooSmall { limit: Some(_), .. }));
}
