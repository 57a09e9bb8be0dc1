//! The claims of the methods' docs: order in q, v, λ, drift of the constraints, and order with first-order states.

mod common;

use common::plants::{Actuated, DoublePendulum, Pendulum};
use common::{On, on};
use ode_runtime::integrators::{BackwardEuler, GeneralizedAlpha, Geodesic, SemiExplicitEuler};
use ode_runtime::solve::Projection;
use ode_runtime::{Method, Simulation, Solvable, State};

/// One method on one problem.
struct Row {
    name: &'static str,
    /// with steps of this size from t = 0 to 1
    run: fn(f64) -> Outcome,
    order: f64,
    /// order of λ, if it is claimed
    lambda: Option<f64>,
    /// bound of |Φ| at every step, in any step size
    drift: f64,
}

/// q, v, z, λ, and the largest |Φ| on the way.
type Outcome = ([f64; 2], [f64; 2], Vec<f64>, Vec<f64>, f64);

fn run<S, M>(system: &S, method: M, h: f64, projection: Option<f64>) -> Outcome
where
    S: Solvable<Real = f64, Q = [f64; 2], V = [f64; 2]>,
    M: Method<S>,
{
    let mut setup = Simulation::of(system, method);
    if let Some(tolerance) = projection {
        setup = setup.project(Projection::to(tolerance));
    }
    let mut run = setup.fixed(h).expect("a start");
    let mut drift = 0.0_f64;
    while run.state().t < 1.0 {
        run.step_towards(1.0).expect("a step");
        drift = drift.max(run.drift().expect("finite").0);
    }
    let x = run.state();
    (x.q, x.v, x.z.as_ref().to_vec(), x.lambda.as_ref().to_vec(), drift)
}

fn check(row: &Row, reference: &Outcome, coarse: f64) {
    let error = |h: f64| {
        let (q, v, z, lambda, drift) = (row.run)(h);
        assert!(drift <= row.drift, "{} at h = {h}: |Φ| = {drift:e}", row.name);
        let states = q.iter().chain(&v).chain(&z).zip(reference.0.iter().chain(&reference.1).chain(&reference.2));
        let state = states.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        let force = lambda.iter().zip(&reference.3).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        (state, force)
    };
    let (one, two) = (error(coarse), error(coarse / 4.0));
    let order = (one.0 / two.0).log(4.0);
    assert!((order - row.order).abs() < 0.25, "{}: order {order} in the state, errors {one:?} {two:?}", row.name);
    if let Some(claimed) = row.lambda {
        let order = (one.1 / two.1).log(4.0);
        assert!((order - claimed).abs() < 0.3, "{}: order {order} in λ, errors {one:?} {two:?}", row.name);
    }
}

fn accurate<S: Solvable<Real = f64, Q = [f64; 2], V = [f64; 2]>>(system: &S) -> Outcome {
    let mut run = Simulation::of(system, Geodesic).project(Projection::to(1e-12)).adaptive(1e-13).expect("a start");
    run.advance_to(1.0).expect("steps");
    let x: &State<S> = run.state();
    (x.q, x.v, x.z.as_ref().to_vec(), x.lambda.as_ref().to_vec(), 0.0)
}

const NEVER: f64 = f64::INFINITY;

#[test]
fn constrained_pendulum() {
    fn p() -> On<Pendulum> {
        on(Pendulum::standard())
    }
    let rows = [
        Row {
            name: "explicit Euler form",
            run: |h| run(&p(), SemiExplicitEuler::explicit(), h, None),
            order: 1.0,
            lambda: Some(1.0),
            drift: NEVER,
        },
        Row {
            name: "the same, projected",
            run: |h| run(&p(), SemiExplicitEuler::explicit(), h, Some(1e-9)),
            order: 1.0,
            lambda: Some(1.0),
            drift: 1e-9,
        },
        Row {
            name: "Euler implicit in q",
            run: |h| run(&p(), SemiExplicitEuler::implicit_position(), h, None),
            order: 1.0,
            lambda: Some(1.0),
            drift: NEVER,
        },
        Row {
            name: "Euler implicit in v",
            run: |h| run(&p(), SemiExplicitEuler::implicit_velocity(), h, None),
            order: 1.0,
            lambda: Some(1.0),
            drift: NEVER,
        },
        Row {
            name: "the same, projected",
            run: |h| run(&p(), SemiExplicitEuler::implicit_velocity(), h, Some(1e-9)),
            order: 1.0,
            lambda: Some(1.0),
            drift: 1e-9,
        },
        Row {
            name: "backward Euler",
            run: |h| run(&p(), BackwardEuler::default(), h, None),
            order: 1.0,
            lambda: Some(1.0),
            drift: 1e-9,
        },
        Row {
            name: "backward Euler, linearised",
            run: |h| run(&p(), BackwardEuler::linearized(), h, None),
            order: 1.0,
            lambda: Some(1.0),
            drift: NEVER,
        },
        Row {
            name: "generalised-α, ρ = 0.8",
            run: |h| run(&p(), GeneralizedAlpha::with_spectral_radius(0.8), h, None),
            order: 2.0,
            lambda: Some(2.0),
            drift: 1e-9,
        },
        Row {
            name: "generalised-α, ρ = 0",
            run: |h| run(&p(), GeneralizedAlpha::with_spectral_radius(0.0), h, None),
            order: 2.0,
            lambda: Some(2.0),
            drift: 1e-9,
        },
        Row {
            name: "generalised-α, ρ = 1",
            run: |h| run(&p(), GeneralizedAlpha::with_spectral_radius(1.0), h, None),
            order: 2.0,
            lambda: Some(2.0),
            drift: 1e-9,
        },
        Row {
            name: "trapezoidal",
            run: |h| run(&p(), GeneralizedAlpha::trapezoidal(), h, None),
            order: 2.0,
            lambda: Some(2.0),
            drift: 1e-9,
        },
        Row {
            name: "HHT(-0.2)",
            run: |h| run(&p(), GeneralizedAlpha::hht(-0.2), h, None),
            order: 2.0,
            lambda: Some(2.0),
            drift: 1e-9,
        },
        Row {
            name: "Geodesic, fixed step",
            run: |h| run(&p(), Geodesic, 8.0 * h, None),
            order: 4.0,
            lambda: Some(4.0),
            drift: NEVER,
        },
        Row {
            name: "Geodesic, projected",
            run: |h| run(&p(), Geodesic, 8.0 * h, Some(1e-12)),
            order: 4.0,
            lambda: Some(4.0),
            drift: 1e-12,
        },
    ];
    let reference = accurate(&p());
    for row in &rows {
        check(row, &reference, 1.0 / 400.0);
    }
}

#[test]
fn varying_mass_matrix() {
    fn p() -> On<DoublePendulum> {
        on(DoublePendulum)
    }
    let rows = [
        Row {
            name: "explicit Euler form",
            run: |h| run(&p(), SemiExplicitEuler::explicit(), h, None),
            order: 1.0,
            lambda: None,
            drift: 0.0,
        },
        Row {
            name: "Euler implicit in q",
            run: |h| run(&p(), SemiExplicitEuler::implicit_position(), h, None),
            order: 1.0,
            lambda: None,
            drift: 0.0,
        },
        Row {
            name: "Euler implicit in v",
            run: |h| run(&p(), SemiExplicitEuler::implicit_velocity(), h, None),
            order: 1.0,
            lambda: None,
            drift: 0.0,
        },
        Row {
            name: "backward Euler",
            run: |h| run(&p(), BackwardEuler::default(), h, None),
            order: 1.0,
            lambda: None,
            drift: 0.0,
        },
        Row {
            name: "backward Euler, linearised",
            run: |h| run(&p(), BackwardEuler::linearized(), h, None),
            order: 1.0,
            lambda: None,
            drift: 0.0,
        },
        Row {
            name: "generalised-α, ρ = 0.8",
            run: |h| run(&p(), GeneralizedAlpha::with_spectral_radius(0.8), h, None),
            order: 2.0,
            lambda: None,
            drift: 0.0,
        },
        Row {
            name: "HHT(-0.2)",
            run: |h| run(&p(), GeneralizedAlpha::hht(-0.2), h, None),
            order: 2.0,
            lambda: None,
            drift: 0.0,
        },
        Row { name: "Geodesic", run: |h| run(&p(), Geodesic, 8.0 * h, None), order: 4.0, lambda: None, drift: 0.0 },
    ];
    let reference = accurate(&p());
    for row in &rows {
        check(row, &reference, 1.0 / 800.0);
    }
}

#[test]
fn first_order_states_and_time_dependence() {
    fn p() -> On<Actuated> {
        on(Actuated { lag: 0.05 })
    }
    let rows = [
        Row {
            name: "explicit Euler form",
            run: |h| run(&p(), SemiExplicitEuler::explicit(), h, None),
            order: 1.0,
            lambda: None,
            drift: NEVER,
        },
        Row {
            name: "Euler implicit in q",
            run: |h| run(&p(), SemiExplicitEuler::implicit_position(), h, None),
            order: 1.0,
            lambda: None,
            drift: NEVER,
        },
        Row {
            name: "Euler implicit in v",
            run: |h| run(&p(), SemiExplicitEuler::implicit_velocity(), h, None),
            order: 1.0,
            lambda: None,
            drift: NEVER,
        },
        Row {
            name: "backward Euler",
            run: |h| run(&p(), BackwardEuler::default(), h, None),
            order: 1.0,
            lambda: Some(1.0),
            drift: 1e-9,
        },
        Row {
            name: "backward Euler, linearised",
            run: |h| run(&p(), BackwardEuler::linearized(), h, None),
            order: 1.0,
            lambda: None,
            drift: NEVER,
        },
        Row {
            name: "generalised-α, ρ = 0.8",
            run: |h| run(&p(), GeneralizedAlpha::with_spectral_radius(0.8), h, None),
            order: 2.0,
            lambda: Some(2.0),
            drift: 1e-9,
        },
        Row {
            name: "Geodesic",
            run: |h| run(&p(), Geodesic, 4.0 * h, Some(1e-12)),
            order: 4.0,
            lambda: Some(4.0),
            drift: 1e-12,
        },
    ];
    let reference = accurate(&p());
    for row in &rows {
        check(row, &reference, 1.0 / 400.0);
    }
}
