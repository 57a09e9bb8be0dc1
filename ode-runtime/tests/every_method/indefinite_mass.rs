//! Mass matrices that are negative along a motion: refused with the coordinate's name by every method and service. If
//! constraints forbid the motion, they are no error.

use crate::common::methods::{Candidate, Each, every_method};
use crate::common::plants::{Coupled, HalfHeld};
use crate::common::{On, on};
use ode_runtime::analysis::{Assembly, Eigenmodes, LinearError, least_forces};
use ode_runtime::solve::Projection;
use ode_runtime::{Cause, Linearize, Nominal, Quantity, Simulation, Solvable, Start, State};

/// Its diagonal is positive; y is left −0.5 where x gives way.
const INDEFINITE: Coupled = Coupled { mass: [1.0, 1.0, 0.5], slope: 0.0, speed: 0.0, push: 1.0 };

/// What is left to which coordinate.
fn negative(cause: Cause) -> (String, f64) {
    match cause {
        Cause::Inertia { name, value } => (name.as_str().to_owned(), value),
        other => panic!("{other:?}"),
    }
}

struct Refused;

impl Each for Refused {
    fn method<M: Candidate>(&mut self, name: &'static str, method: M) {
        let plant = on(INDEFINITE);
        let error = Simulation::of(&plant, method).fixed(1e-3).expect_err(name);
        assert_eq!(negative(error.cause), ("y".to_owned(), -0.5), "{name}");
        // a state that brings its accelerations along
        let error =
            Simulation::of(&plant, method).given_with_rates(State::neutral(&plant)).fixed(1e-3).expect_err(name);
        assert_eq!(negative(error.cause), ("y".to_owned(), -0.5), "{name}");
        let held = on(HalfHeld(Coupled { mass: [1.0, 0.0, -2.0], ..INDEFINITE }));
        let error = Simulation::of(&held, method).fixed(1e-3).expect_err(name);
        assert_eq!(negative(error.cause), ("y".to_owned(), -2.0), "{name}");
    }
}

#[test]
fn every_method_refuses_it_at_the_start() {
    every_method(&mut Refused);
}

struct Held;

impl Each for Held {
    fn method<M: Candidate>(&mut self, name: &'static str, method: M) {
        // det M < 0, but x does not move: ÿ = 1/c.
        for mass in [[-1.0, 0.3, 2.0], [0.0, 1.0, 2.0], [1.0, 2.0, 2.0]] {
            let plant = on(HalfHeld(Coupled { mass, ..INDEFINITE }));
            let mut run = Simulation::of(&plant, method).fixed(1e-3).expect(name);
            for _ in 0..10 {
                run.step_towards(1.0).unwrap_or_else(|error| panic!("{name}, {mass:?}: {error}"));
            }
            let State { t, q, v, .. } = run.state();
            assert!((v[1] - 0.5 * t).abs() < 1e-9 && v[0].abs() < 1e-9 && q[0].abs() < 1e-9, "{name}: {v:?} at {t}");
        }
    }
}

#[test]
fn what_constraints_hold_may_have_any_inertia() {
    every_method(&mut Held);
}

struct Turning(Vec<&'static str>);

impl Each for Turning {
    fn method<M: Candidate>(&mut self, name: &'static str, method: M) {
        // M = [1 x; x 0.5] is indefinite from x = 0.71 on
        let plant = on(Coupled { mass: [1.0, 0.0, 0.5], slope: 1.0, speed: 1.0, push: 0.0 });
        let mut run = Simulation::of(&plant, method).fixed(1e-2).expect(name);
        match run.advance_to(2.0) {
            Err(error) => {
                assert!(matches!(error.cause, Cause::Inertia { .. } | Cause::Newton { .. }), "{name}: {error}");
                assert!(run.state().q[0] < 0.75, "{name}: {:?}", run.state());
            }
            Ok(_) => self.0.push(name),
        }
    }
}

#[test]
fn a_mass_that_becomes_indefinite_ends_the_run() {
    let mut silent = Turning(Vec::new());
    every_method(&mut silent);
    assert!(silent.0.is_empty(), "{:?}", silent.0);
}

fn least<S: Solvable<Real = f64> + Linearize>(plant: &S) -> Cause {
    least_forces(plant, &Nominal, &mut State::neutral(plant)).expect_err("indefinite")
}

#[test]
fn starts_projections_and_analyses_name_it_alike() {
    let plant = on(INDEFINITE);
    let want = ("y".to_owned(), -0.5);
    let error = Start::default().solve(&plant, &Nominal).expect_err("indefinite");
    assert_eq!(
        error.to_string(),
        "start at t = 0: inertia of `y` is negative when the other coordinates are free to move: -0.5"
    );
    assert_eq!(negative(least(&plant)), want);
    let LinearError::Evaluation(cause) =
        Eigenmodes::of(&plant, &Nominal, &State::neutral(&plant), 10.0).expect_err("indefinite")
    else {
        panic!("another error")
    };
    assert_eq!(negative(cause), want);

    let held = on(HalfHeld(Coupled { mass: [1.0, 0.0, -2.0], ..INDEFINITE }));
    let mut off = State::neutral(&held);
    off.q[0] = 0.1;
    let error = Assembly::default().solve(&held, &Nominal, off.clone()).expect_err("indefinite");
    assert_eq!(negative(error.cause), ("y".to_owned(), -2.0));
    assert_eq!(negative(least(&held)), ("y".to_owned(), -2.0));
    projected(&held, off);
}

#[test]
fn a_motion_without_inertia_is_named_and_not_the_row_beside_it() {
    // x is held, and y has no inertia but what couples it to x.
    for coupling in [0.0, 1.0, -0.3] {
        let plant = on(HalfHeld(Coupled { mass: [1.0, coupling, 0.0], ..INDEFINITE }));
        let error = Start::default().solve(&plant, &Nominal).expect_err("singular");
        let Cause::Singular { unknown: Quantity::Acceleration, name } = error.cause else { panic!("{error}") };
        assert_eq!(name.as_str(), "y", "{coupling}");
    }
}

fn projected(held: &On<HalfHeld>, mut off: State<On<HalfHeld>>) {
    let mut work = ode_runtime::Work::default();
    let mut cx = ode_runtime::Context { system: held, inputs: &Nominal, work: &mut work };
    let mut projector = ode_runtime::solve::Projector::new(held);
    let error = projector.project(&mut cx, &Projection::to(1e-9), &mut off).expect_err("indefinite");
    assert_eq!(negative(error), ("y".to_owned(), -2.0));
}

#[test]
fn signs_are_told_from_round_off_at_any_scale() {
    // The eigenvalue of least magnitude of [1 b; b 1], b = 1 ± δ, is ∓δ; units of x and y are far apart.
    for (x, y) in [(1.0, 1.0), (1e-8, 1e8), (1e12, 1.0), (1e-50, 1e-50)] {
        for delta in [1e-3, 1e-8, 1e-12] {
            let of = |b: f64| Coupled { mass: [x * x, x * y * b, y * y], ..INDEFINITE };
            let cause = Start::default().solve(&on(of(1.0 + delta)), &Nominal).expect_err("indefinite").cause;
            assert!(negative(cause).1 < 0.0);
            Start::default().solve(&on(of(1.0 - delta)), &Nominal).expect("definite");
        }
        // singular as exactly as numbers can say
        let singular = Coupled { mass: [x * x, x * y, y * y], ..INDEFINITE };
        let cause = Start::default().solve(&on(singular), &Nominal).expect_err("singular").cause;
        assert!(matches!(cause, Cause::Singular { .. } | Cause::Inertia { .. }), "{cause:?}");
    }
    // nothing on the diagonal
    let cause =
        Start::default().solve(&on(Coupled { mass: [0.0, 3.0, 0.0], ..INDEFINITE }), &Nominal).expect_err("none").cause;
    assert_eq!(negative(cause).1, -3.0);
}
