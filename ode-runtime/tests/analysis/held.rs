//! Held degrees of freedom, the matrix of a step, and what an impulse does in it.

use crate::common::mechanisms::{Bar, Bars, OnLine, SliderCrank};
use crate::common::plants::{Oscillator, Pendulum};
use crate::common::rigid::Hung;
use crate::common::{On, on};
use ode_runtime::analysis::{Held, HoldError, SystemMatrix};
use ode_runtime::integrators::{
    BackwardEuler, First, GeneralizedAlpha, Geodesic, ImplicitMidpoint, Multipliers, SemiExplicitEuler, StormerVerlet,
    SymplecticEuler,
};
use ode_runtime::linalg::DMatrix;
use ode_runtime::{
    Cause, Constant, Factors, Method, Name, Nominal, Order, Scheme, Simulation, Solvable, Start, State, Weights,
};

fn end<S: Solvable<Real = f64>, M: Method<S>>(system: &S, method: M, start: State<S>, h: f64) -> State<S> {
    let mut run = Simulation::of(system, method).given(start).fixed(h).expect("a start");
    run.advance_to(100.0 * h).expect("steps");
    run.state().clone()
}

/// A step of every method with the first bar held, compared with the model without it.
fn as_if_eliminated<M: Method<Held<On<Bars>>> + Method<On<Bar>> + Copy>(method: M) {
    let (held, alone) = (Held::new(on(Bars), &["q1"]).expect("a name"), on(Bar));
    let (mut x, mut y) = (State::neutral(&held), State::neutral(&alone));
    (x.q, x.v) = ([0.4, -0.3], [0.0, -2.0]);
    (y.q, y.v) = ([-0.3], [-2.0]);
    let (x, y) = (end(&held, method, x, 0.01), end(&alone, method, y, 0.01));
    assert_eq!((x.q[0], x.v[0], x.a[0]), (0.4, 0.0, 0.0));
    for (got, want) in [(x.q[1], y.q[0]), (x.v[1], y.v[0]), (x.a[1], y.a[0])] {
        assert!((got - want).abs() < 1e-14 * (1.0 + want.abs()), "{got} is not {want}");
    }
}

#[test]
fn a_held_coordinate_is_as_good_as_none() {
    as_if_eliminated(GeneralizedAlpha::with_spectral_radius(0.8));
    as_if_eliminated(BackwardEuler::default());
    as_if_eliminated(SemiExplicitEuler::explicit());
    as_if_eliminated(SemiExplicitEuler::implicit_position());
    as_if_eliminated(SemiExplicitEuler::implicit_velocity());
    as_if_eliminated(Geodesic);
    as_if_eliminated(StormerVerlet::default());
    as_if_eliminated(ImplicitMidpoint::default());
}

#[test]
fn rows_and_columns_of_what_is_held_are_those_of_the_identity() {
    // OpenSurgSim's rules for fixed degrees of freedom.
    let held = Held::new(on(Bars), &["q1"]).expect("a name");
    let x = Start::default().solve(&held, &Nominal).expect("a start");
    let weights = GeneralizedAlpha::newmark(0.5, 0.25).weights(Order::Second, 0.1);
    let mut matrix = SystemMatrix::assemble(&held, &Nominal, weights, &x).expect("finite");
    let s = matrix.dense(&held);
    assert_eq!((s[(0, 0)], s[(0, 1)], s[(1, 0)]), (1.0, 0.0, 0.0));
    assert_eq!(matrix.right_hand_side().r[0], 0.0);

    // the same solution as that of the equation that remains
    let mut right = matrix.right_hand_side().clone();
    right.r[1] = 3.0;
    let alone = right.r[1] / s[(1, 1)];
    matrix.solve(&held, &mut right).expect("regular");
    assert_eq!(right.r[0], 0.0);
    assert!((right.r[1] - alone).abs() < 1e-14 * alone.abs());

    let c = held.compliance(&matrix.compliance(&held).expect("regular"));
    assert_eq!((c[(0, 0)], c[(0, 1)], c[(1, 0)]), (0.0, 0.0, 0.0));
    assert!((c[(1, 1)] * s[(1, 1)] - 1.0).abs() < 1e-14);
}

#[test]
fn a_mechanism_stands_still_where_its_crank_is_held() {
    let held = Held::new(on(SliderCrank), &["theta"]).expect("a name");
    let start = Start::default().solve(&held, &Nominal).expect("a start");
    let x = end(&held, GeneralizedAlpha::with_spectral_radius(0.5), start.clone(), 0.01);
    for (got, want) in x.q.iter().zip(start.q) {
        assert!((got - want).abs() < 1e-12);
    }
    // The closure holds the rod: its two multipliers are the statics of the rod and the slider.
    let [_, ph, slider] = start.q;
    let along = 20.0 * (slider - 2.5);
    assert!((x.lambda[0] + along).abs() < 1e-9, "{:?}", x.lambda);
    let across = (9.81 * ph.cos() + 2.0 * x.lambda[0] * ph.sin()) / (2.0 * ph.cos());
    assert!((x.lambda[1] - across).abs() < 1e-9, "{:?}", x.lambda);
}

#[test]
fn a_constraint_on_held_coordinates_alone_is_named() {
    let held = Held::new(on(Pendulum::standard()), &["x", "y"]).expect("names");
    let cause = Start::default().solve(&held, &Nominal).expect_err("no multiplier").cause;
    assert!(matches!(cause, Cause::Dependent { rank: 0, of: 1, rows } if rows.as_str() == "`circle`"), "{cause}");
}

#[test]
fn a_held_velocity_keeps_its_value() {
    let held = Held::new(on(Bars), &["q1"]).expect("a name");
    let mut x = State::neutral(&held);
    x.v = [0.25, 0.0];
    let x = end(&held, Geodesic, x, 0.01);
    assert_eq!(x.v[0], 0.25);
    assert!((x.q[0] - 0.25).abs() < 1e-14);
}

#[test]
fn methods_of_momenta_refuse_a_held_speed_that_couples() {
    fn start<M: Method<Held<On<Bars>>>>(method: M, speed: f64) -> Result<(), Cause> {
        let held = Held::new(on(Bars), &["q1"]).expect("a name");
        let mut x = State::neutral(&held);
        x.v = [speed, -2.0];
        Simulation::of(&held, method).given(x).fixed(0.01).map(drop).map_err(|error| error.cause)
    }
    let refused = Err(Cause::HeldMomentum { name: Name::new("q1") });
    for (speed, want) in [(0.25, refused), (0.0, Ok(()))] {
        assert_eq!(start(StormerVerlet::default(), speed), want);
        assert_eq!(start(ImplicitMidpoint::default(), speed), want);
        assert_eq!(start(SymplecticEuler::momenta_first(), speed), want);
        assert_eq!(start(GeneralizedAlpha::trapezoidal(), speed), Ok(()));
    }
}

#[test]
fn names_are_those_of_velocities_of_coordinates_and_of_wholes() {
    let held = Held::new(on(Hung), &["v", "w.y"]).expect("names");
    let which: Vec<bool> = (0..6).map(|i| held.holds(i)).collect();
    assert_eq!(which, [true, true, true, false, true, false]);
    let error = Held::new(on(SliderCrank), &["theat"]).expect_err("a typing error");
    assert!(matches!(error, HoldError::Unknown(_)));
    assert_eq!(error.to_string(), "there is no velocity or coordinate `theat`; did you mean `theta`?");
}

/// Change of (q, v, a) at the end of one step by a unit force on `index` during it, and the state there without force.
fn response<M: Method<On<Bars>> + Copy>(
    system: &On<Bars>,
    method: M,
    h: f64,
    index: usize,
) -> ([[f64; 2]; 3], State<On<Bars>>) {
    let start = Start::default().solve(system, &Nominal).expect("a start");
    let step = |push: f64| {
        let mut u = [0.0; 2];
        u[index] = push;
        let setup = Simulation::of(system, method).inputs(Constant(u)).given_with_rates(start.clone());
        let mut run = setup.fixed(h).expect("a start");
        run.step_towards(1.0).expect("a step");
        run.state().clone()
    };
    let (low, high) = (step(-1e-3), step(1e-3));
    let slope = |a: [f64; 2], b: [f64; 2]| [0, 1].map(|i| (b[i] - a[i]) / 2e-3);
    ([slope(low.q, high.q), slope(low.v, high.v), slope(low.a, high.a)], step(0.0))
}

/// The factors of a method give the effect of a force, or an impulse: S δξ = p, δ(q, v, a) = (π, ν, ρ) δξ.
fn factors_are_the_derivative<M: Method<On<Bars>> + Scheme<f64> + Copy>(method: M, at_start: bool, rates: bool) {
    let (system, h) = (on(Bars), 0.02);
    let Factors { position, velocity, acceleration } = method.factors(Order::Second, h);
    for index in 0..2 {
        let (got, end) = response(&system, method, h, index);
        // where the method solves: at the end, or with M of the start
        let x = if at_start { Start::default().solve(&system, &Nominal).expect("a start") } else { end };
        let weights = method.weights(Order::Second, h);
        let compliance = SystemMatrix::assemble(&system, &Nominal, weights, &x)
            .expect("finite")
            .compliance(&system)
            .expect("regular");
        for (level, factor) in [position, velocity, acceleration].into_iter().enumerate() {
            if level == 2 && !rates {
                continue;
            }
            for row in 0..2 {
                let want = factor * compliance[(row, index)];
                let scale = factor * compliance[(index, index)];
                assert!(
                    (got[level][row] - want).abs() <= 1e-6 * scale + 1e-12,
                    "{level}: {} is not {want}",
                    got[level][row]
                );
            }
        }
    }
}

#[test]
fn integration_factors_are_those_of_the_step() {
    factors_are_the_derivative(BackwardEuler::default(), false, true);
    factors_are_the_derivative(GeneralizedAlpha::newmark(0.5, 0.25), false, true);
    // a shifted start would see the force in its two evaluations
    let average = GeneralizedAlpha { first: First::Same, ..GeneralizedAlpha::with_spectral_radius(0.6) };
    factors_are_the_derivative(average, false, true);
    factors_are_the_derivative(GeneralizedAlpha::hht(-0.2), false, true);
    // explicit forms have the accelerations of the next step in their state
    factors_are_the_derivative(SemiExplicitEuler::explicit(), true, false);
    factors_are_the_derivative(SemiExplicitEuler::implicit_position(), false, true);
}

#[test]
fn the_form_implicit_in_v_moves_q_by_h_v() {
    // M and D of the old position, which a system matrix at (q, v⁺) has: here a constant M, where that is the end as
    // well.
    let system = on(Oscillator { m: 2.0, k: 30.0, c: 5.0, w: 0.0, x: 0.3, v: 0.1 });
    let (method, h) = (SemiExplicitEuler::implicit_velocity(), 0.02);
    let step = |push: f64| {
        let setup = Simulation::of(&system, method).inputs(Constant([push]));
        let mut run = setup.fixed(h).expect("a start");
        run.step_towards(1.0).expect("a step");
        (run.state().q[0], run.state().v[0])
    };
    let Factors { position, velocity, .. } = method.factors(Order::Second, h);
    let ((q0, v0), (q1, v1)) = (step(0.0), step(1.0));
    let compliance = 1.0 / (2.0 / h + 5.0);
    assert!((q1 - q0 - position * compliance).abs() < 1e-12);
    assert!((v1 - v0 - velocity * compliance).abs() < 1e-12);
}

#[test]
fn integration_factors_are_the_known_ones() {
    let (h, order) = (0.1, Order::Second);
    let all = |f: Factors<f64>| [f.position, f.velocity, f.acceleration];
    let close =
        |got: [f64; 3], want: [f64; 3]| got.iter().zip(want).all(|(g, w)| (g - w).abs() < 1e-15 * w.abs().max(1.0));
    assert!(close(all(BackwardEuler::default().factors(order, h)), [h, 1.0, 1.0 / h]));
    assert!(close(all(GeneralizedAlpha::newmark(0.6, 0.3).factors(order, h)), [0.3 * h * h, 0.6 * h, 1.0]));
    assert!(close(all(SemiExplicitEuler::explicit().factors(order, h)), [h * h, h, 1.0]));
}

#[test]
fn multipliers_are_forces_whatever_the_unknown_is() {
    // A unit mass off a wall by 1e-3, brought back in one step of 1e-3.
    let (system, h) = (on(OnLine { start: [1e-3, 0.0] }), 1e-3);
    let mut off = State::neutral(&system);
    off.q = [1e-3, 0.0];
    let weights = BackwardEuler::default().weights(Order::Second, h);
    let mut matrix = SystemMatrix::assemble(&system, &Nominal, weights, &off).expect("finite");
    let mut step = matrix.right_hand_side().clone();
    matrix.solve(&system, &mut step).expect("regular");
    let force = step.phi[0];
    assert!((step.r[0] + 1.0).abs() < 1e-12, "δv = −1 m/s");
    assert!((h * step.r[0] + 1e-3).abs() < 1e-15, "δx = −1e-3 m");
    // SOFA reports the impulse h λ, −1 N s with W = h; OpenSurgSim λ/h, −1e6 with A = h² C.
    assert!((force + 1e3).abs() < 1e-9, "λ = −1000 N");
    assert!((h * force + 1.0).abs() < 1e-12);
    assert!((force / h + 1e6).abs() < 1e-6);
    let c = matrix.compliance(&system).expect("regular");
    assert!((c[(0, 0)] - 1e-3).abs() < 1e-15 && (h * h * c[(0, 0)] - 1e-9).abs() < 1e-21);
    // and the step itself says the same
    let euler = BackwardEuler { multipliers: Multipliers::OfScheme, ..BackwardEuler::default() };
    let setup = Simulation::of(&system, euler).given(off);
    let mut run = setup.fixed(h).expect("a start");
    run.step_towards(h).expect("a step");
    assert!((run.state().lambda[0] + 1e3).abs() < 1e-9 && (run.state().v[0] + 1.0).abs() < 1e-12);
}

#[test]
fn the_constrained_compliance_moves_along_the_constraints() {
    let system = on(SliderCrank);
    let x = Start::default().solve(&system, &Nominal).expect("a start");
    let weights = Weights { rates: 1.0, velocity: 0.05, position: 0.0025, state: 0.05 };
    let matrix = SystemMatrix::assemble(&system, &Nominal, weights, &x).expect("finite");
    let (s, c) = (matrix.dense(&system), matrix.constrained_compliance(&system).expect("regular"));
    assert!((&s * &c - DMatrix::<f64>::identity(5, 5)).amax() < 1e-12);
    // G C = 0: no force moves what is constrained.
    assert!((s.view((3, 0), (2, 3)) * c.view((0, 0), (3, 3))).amax() < 1e-14);
}
