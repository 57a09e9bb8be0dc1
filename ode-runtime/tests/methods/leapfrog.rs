//! Leapfrog and the semi-explicit pair: orders, invariants, stability, and error control.

use crate::common::plants::{Actuated, Oscillator, Pendulum};
use crate::common::rigid::{Chart, Rod, Top};
use crate::common::{On, Plant, on};
use crate::dense_system;
use ode_runtime::integrators::{DormandPrince, Heun, Leapfrog, SemiExplicitPair};
use ode_runtime::solve::Projection;
use ode_runtime::{Cause, Estimates, Method, Moment, Scalar, Simulation, Solvable, State, input_fn};

fn apart(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |m, (a, b)| m.max((a - b).abs()))
}

/// Observed orders of q, v, z and λ at t = 1 between h and h/2.
#[track_caller]
fn orders<S: Solvable<Real = f64>, M: Method<S> + Copy>(system: &S, method: M, claimed: f64, h: f64, to: Option<f64>) {
    let setup = |to: f64| Projection::to(to);
    let mut accurate = Simulation::of(system, DormandPrince);
    if to.is_some() {
        accurate = accurate.project(setup(1e-13));
    }
    let mut exact = accurate.adaptive_from(1e-14, 1e-3).expect("a start");
    exact.advance_to(1.0).expect("steps");
    let y = exact.state();
    let errors = |h: f64| {
        let mut run = Simulation::of(system, method);
        if let Some(to) = to {
            run = run.project(setup(to));
        }
        let mut run = run.fixed(h).expect("a start");
        run.advance_to(1.0).expect("steps");
        let x = run.state();
        [
            apart(x.q.as_ref(), y.q.as_ref()),
            apart(x.v.as_ref(), y.v.as_ref()),
            apart(x.z.as_ref(), y.z.as_ref()),
            apart(x.lambda.as_ref(), y.lambda.as_ref()),
        ]
    };
    let (coarse, fine) = (errors(h), errors(0.5 * h));
    for (what, (one, two)) in ["q", "v", "z", "λ"].iter().zip(coarse.iter().zip(fine)) {
        let order = (one / two).log2();
        assert!(*one == 0.0 || (order - claimed).abs() < 0.25, "order {order} of {what}, {one:e} {two:e}");
    }
}

const FORMS: [Leapfrog; 2] = [Leapfrog { settle: true }, Leapfrog { settle: false }];

#[test]
fn leapfrog_is_of_order_2_on_constraints_rotations_and_first_order_states() {
    for method in FORMS {
        orders(&on(Pendulum::standard()), method, 2.0, 1.0 / 512.0, None);
        orders(&on(Pendulum::standard()), method, 2.0, 1.0 / 512.0, Some(1e-13));
        orders(&on(Actuated { lag: 0.2 }), method, 2.0, 1.0 / 512.0, Some(1e-13));
        orders(&on(Rod), method, 2.0, 1.0 / 512.0, Some(1e-13));
        for chart in [Chart::Body, Chart::Space, Chart::Cayley] {
            orders(&on(Top { chart, ..Top::free() }), method, 2.0, 1.0 / 128.0, None);
        }
    }
}

#[test]
fn leapfrog_keeps_order_2_with_forces_of_velocity_and_time_where_chronos_has_1() {
    // ẍ = −x − 0.4 ẋ + cos 3t, in closed form by undetermined coefficients.
    let system = on(Oscillator { m: 1.0, k: 1.0, c: 0.4, w: 0.0, x: 0.0, v: 0.0 });
    let force = || input_fn(|at: Moment<'_, On<Oscillator>>, u: &mut [f64; 1]| u[0] = (3.0 * at.t).cos());
    let (lost, rest) = (-8.0 / 65.44, 1.2 / 65.44);
    let (decay, own) = (0.2, 0.96_f64.sqrt());
    let (a, b) = (-lost, (-3.0 * rest - decay * lost) / own);
    let exact = |t: f64| {
        (-decay * t).exp() * (a * (own * t).cos() + b * (own * t).sin())
            + lost * (3.0 * t).cos()
            + rest * (3.0 * t).sin()
    };
    for method in FORMS {
        let error = |h: f64| {
            let mut run = Simulation::of(&system, method).inputs(force()).fixed(h).expect("a start");
            run.advance_to(2.0).expect("steps");
            (run.state().q[0] - exact(2.0)).abs()
        };
        let (coarse, fine) = (error(0.02), error(0.005));
        let order = (coarse / fine).log(4.0);
        assert!((order - 2.0).abs() < 0.1, "{method:?}: order {order}, {coarse:e} {fine:e}");
    }
}

/// ẍ = −x − x³: forces of positions only.
#[derive(Clone, Copy, Debug)]
struct Spring;

impl Plant<1, 0, 0, 0> for Spring {
    fn mass<T: Scalar>(&self, _q: &[T; 1]) -> [[T; 1]; 1] {
        [[T::ONE]]
    }
    fn force<T: Scalar>(&self, _t: T, q: &[T; 1], _v: &[T; 1], _z: &[T; 0], _u: &[T; 0]) -> [T; 1] {
        [-q[0] - q[0] * q[0] * q[0]]
    }
    fn guess(&self) -> ([f64; 1], [f64; 1], [f64; 0]) {
        ([0.8], [0.3], [])
    }
}
dense_system!(Spring, q 1 ["x"], z 0 [], c 0 [], u 0 [], mass 1, jacobian 0, n 1, tangent 1, saddle 1,
    assembly 1, init [], []);

/// (x, v) after some steps of 0.3 from (x, v).
fn map<M: Method<On<Spring>>>(method: M, x: f64, v: f64, steps: u32) -> [f64; 2] {
    let system = on(Spring);
    let mut start = State::neutral(&system);
    (start.q, start.v) = ([x], [v]);
    let mut run = Simulation::of(&system, method).given(start).fixed(0.3).expect("a start");
    run.advance_to(0.3 * f64::from(steps)).expect("steps");
    [run.state().q[0], run.state().v[0]]
}

/// Determinant of the derivative of three steps, by central differences: JᵀSJ = det J · S in the plane.
fn area<M: Method<On<Spring>> + Copy>(method: M) -> f64 {
    let e = 1e-4;
    let slope = |dx: f64, dv: f64| {
        let (plus, minus) = (map(method, 0.8 + dx, 0.3 + dv, 3), map(method, 0.8 - dx, 0.3 - dv, 3));
        [0, 1].map(|i| (plus[i] - minus[i]) / (2.0 * e))
    };
    let (x, v) = (slope(e, 0.0), slope(0.0, e));
    x[0] * v[1] - x[1] * v[0]
}

#[test]
fn areas_are_kept_by_symplectic_steps_only() {
    for method in FORMS {
        assert!((area(method) - 1.0).abs() < 1e-7, "{method:?}: {}", area(method));
    }
    assert!((area(SemiExplicitPair) - 1.0).abs() < 1e-7, "{}", area(SemiExplicitPair));
    assert!((area(Heun) - 1.0).abs() > 1e-3, "{}", area(Heun));
}

#[test]
fn leapfrog_goes_back_the_way_it_came() {
    for method in FORMS {
        let [x, v] = map(method, 0.8, 0.3, 50);
        let [x, v] = map(method, x, -v, 50);
        assert!((x - 0.8).abs() < 1e-13 && (v + 0.3).abs() < 1e-13, "{method:?}: {x} {v}");
    }
    let [x, v] = map(SemiExplicitPair, 0.8, 0.3, 50);
    let [x, _] = map(SemiExplicitPair, x, -v, 50);
    assert!((x - 0.8).abs() > 1e-4, "{x}");
}

/// Largest departure of the energy of `Spring` in the first and in the last tenth of many steps.
fn energies<M: Method<On<Spring>>>(method: M) -> [f64; 2] {
    let system = on(Spring);
    let mut run = Simulation::of(&system, method).fixed(0.05).expect("a start");
    let energy = |x: &State<On<Spring>>| {
        let square = x.q[0] * x.q[0];
        0.5 * x.v[0] * x.v[0] + 0.5 * square + 0.25 * square * square
    };
    let (first, mut largest) = (energy(run.state()), [0.0_f64; 2]);
    for k in 0..10_000 {
        run.step_towards(1e6).expect("a step");
        let off = (energy(run.state()) - first).abs();
        if k < 1000 {
            largest[0] = largest[0].max(off);
        } else if k >= 9000 {
            largest[1] = largest[1].max(off);
        }
    }
    largest
}

#[test]
fn energy_stays_within_its_bound_in_steps_of_one_size() {
    for method in FORMS {
        let [early, late] = energies(method);
        assert!(late < 1.01 * early && early < 1e-3, "{method:?}: {early:e} {late:e}");
    }
    let [early, late] = energies(SemiExplicitPair);
    assert!(late < 1.01 * early && early < 2e-2, "{early:e} {late:e}");
    let [early, late] = energies(Heun);
    assert!(late > 3.0 * early, "{early:e} {late:e}");
}

/// Whether an oscillation or a damped motion stays below ten times its start for 3000 steps of 1.
fn bounded<M: Method<On<Oscillator>>>(method: M, k: f64, c: f64) -> bool {
    let system = on(Oscillator { m: 1.0, k, c, w: 0.0, x: 1.0, v: 0.3 });
    let mut run = Simulation::of(&system, method).fixed(1.0).expect("a start");
    // Unbounded ones may end with an error.
    run.advance_to(3000.0).is_ok() && run.state().v[0].abs() < 100.0
}

#[test]
fn stability_ends_where_the_docs_say() {
    for method in FORMS {
        assert!(bounded(method, 1.99_f64.powi(2), 0.0) && !bounded(method, 2.01_f64.powi(2), 0.0), "{method:?}");
    }
    assert!(bounded(Leapfrog::default(), 0.0, 1.99) && !bounded(Leapfrog::default(), 0.0, 2.01));
    assert!(bounded(Leapfrog::once(), 0.0, 0.99) && !bounded(Leapfrog::once(), 0.0, 1.01));
    assert!(bounded(SemiExplicitPair, 3.99_f64.powi(2), 0.0) && !bounded(SemiExplicitPair, 4.01_f64.powi(2), 0.0));
    assert!(bounded(SemiExplicitPair, 0.0, 3.99) && !bounded(SemiExplicitPair, 0.0, 4.01));
}

#[test]
fn extrapolation_of_the_pair_would_lose_energy_and_half_of_its_stability() {
    // (x, h v) of ẍ = −ω² x by semi-explicit Euler with s = h² ω²: v⁺ = v − s x, x⁺ = x + v⁺; and by a step of h/2.
    let whole = |s: f64| [[1.0 - s, 1.0], [-s, 1.0]];
    let half = |s: f64| [[1.0 - 0.25 * s, 0.5], [-0.5 * s, 1.0]];
    let square = |a: [[f64; 2]; 2]| [0, 1].map(|i| [0, 1].map(|j| a[i][0] * a[0][j] + a[i][1] * a[1][j]));
    let det = |a: [[f64; 2]; 2]| a[0][0] * a[1][1] - a[0][1] * a[1][0];
    // |λ| ≤ 1 of both eigenvalues
    let stable = |a: [[f64; 2]; 2]| (a[0][0] + a[1][1]).abs() <= 1.0 + det(a) && det(a) <= 1.0 + 1e-14;
    let extrapolated = |s: f64| [0, 1].map(|i| [0, 1].map(|j| 2.0 * square(half(s))[i][j] - whole(s)[i][j]));
    for angle in [0.1_f64, 0.5, 1.0, 1.99] {
        let s = angle * angle;
        assert!((det(square(half(s))) - 1.0).abs() < 1e-14 && stable(square(half(s))));
        assert!((det(extrapolated(s)) - (1.0 - s * s / 8.0)).abs() < 1e-14 && stable(extrapolated(s)));
    }
    for angle in [2.01_f64, 3.0, 3.99] {
        let s = angle * angle;
        assert!(stable(square(half(s))) && !stable(extrapolated(s)), "h ω = {angle}");
    }
    // v̇ = −c v with x = h c.
    let damped = |x: f64| [(1.0 - 0.5 * x).powi(2), 2.0 * (1.0 - 0.5 * x).powi(2) - (1.0 - x)];
    assert!(damped(1.99).iter().all(|gain| gain.abs() < 1.0));
    assert!(damped(2.01)[1] > 1.0 && damped(3.99)[0] < 1.0 && damped(4.01)[0] > 1.0);
}

#[test]
fn the_pair_holds_a_stiff_oscillation_under_error_control() {
    // ω = 100: steps that the whole one would not survive are found out by its error, and the halves keep what they
    // should.
    let system = on(Oscillator { m: 1.0, k: 1e4, c: 0.0, w: 0.0, x: 1e-2, v: 0.0 });
    let energy = |accuracy: f64| {
        let mut run = Simulation::of(&system, SemiExplicitPair).adaptive_from(accuracy, 1.0).expect("a start");
        run.advance_to(1.0).expect("steps");
        assert!(run.statistics().error_failures > 0);
        let x = run.state();
        0.5 * (x.v[0] * x.v[0] + 1e4 * x.q[0] * x.q[0])
    };
    // The sizes follow the phase, so that the energy drifts as the accuracy allows; it does not grow.
    let (coarse, fine) = (energy(1e-4), energy(1e-6));
    assert!(
        coarse < 0.5 && (fine - 0.5).abs() < 0.05 && (fine - 0.5).abs() < 0.2 * (coarse - 0.5).abs(),
        "{coarse} {fine}"
    );
}

#[test]
fn the_pair_is_of_order_1() {
    orders(&on(Pendulum::standard()), SemiExplicitPair, 1.0, 1.0 / 2048.0, None);
    orders(&on(Actuated { lag: 0.2 }), SemiExplicitPair, 1.0, 1.0 / 2048.0, Some(1e-13));
    for chart in [Chart::Body, Chart::Space, Chart::Cayley] {
        orders(&on(Top { chart, ..Top::free() }), SemiExplicitPair, 1.0, 1.0 / 512.0, None);
    }
}

#[test]
fn evaluations_are_those_of_the_docs() {
    fn count<M: Method<On<Pendulum>>>(method: M) -> u64 {
        let pendulum = on(Pendulum::standard());
        let mut run = Simulation::of(&pendulum, method).project(Projection::to(1e-9)).fixed(0.01).expect("a start");
        run.advance_to(1.0).expect("steps");
        run.statistics().work.evaluations - 1
    }
    assert_eq!(count(Leapfrog::default()), 200);
    assert_eq!(count(Leapfrog::once()), 100);
    assert_eq!(count(SemiExplicitPair), 200);
}

/// Largest error of q and v at a second, and steps, under error control.
fn controlled<S: Solvable<Real = f64>, M: Method<S> + Estimates>(system: &S, method: M, accuracy: f64) -> (f64, f64) {
    let mut exact = Simulation::of(system, DormandPrince).adaptive_from(1e-13, 1e-3).expect("a start");
    exact.advance_to(1.0).expect("steps");
    let mut run = Simulation::of(system, method).adaptive(accuracy).expect("a start");
    run.advance_to(1.0).expect("steps");
    let (x, y) = (run.state(), exact.state());
    let error = apart(x.q.as_ref(), y.q.as_ref()).max(apart(x.v.as_ref(), y.v.as_ref()));
    (error, run.statistics().taken as f64)
}

#[test]
fn steps_follow_the_accuracy_asked_for() {
    fn check<S: Solvable<Real = f64>, M: Method<S> + Estimates + Copy>(system: &S, method: M) {
        let ((coarse, few), (fine, many)) = (controlled(system, method, 1e-6), controlled(system, method, 1e-8));
        // n ~ accuracy^(−1/p), and the error of n steps ~ n · accuracy.
        let power = 1.0 / f64::from(M::ERROR_ORDER);
        let grown = (many / few).log(100.0);
        assert!((grown - power).abs() < 0.05, "{few} {many}: {grown} for {power}");
        let fallen = (coarse / fine).log(100.0);
        assert!((fallen - (1.0 - power)).abs() < 0.15, "{coarse:e} {fine:e}: {fallen}");
        assert!(coarse < 10.0 * few * 1e-6, "{coarse:e} after {few} steps");
    }
    for method in FORMS {
        check(&on(Oscillator { m: 1.0, k: 30.0, c: 0.0, w: 0.0, x: 1.0, v: 0.0 }), method);
        check(&on(Top::free()), method);
    }
    check(&on(Oscillator { m: 1.0, k: 30.0, c: 8.0, w: 0.0, x: 1.0, v: 0.0 }), Leapfrog::default());
    check(&on(Oscillator { m: 1.0, k: 30.0, c: 8.0, w: 0.0, x: 1.0, v: 0.0 }), SemiExplicitPair);
    check(&on(Top::free()), SemiExplicitPair);
}

#[test]
fn verlet_and_the_pair_err_less_than_those_of_simbody() {
    // The 90° swing with the period 2 at t = 2, accuracy 1e-6, tolerance 1e-7. Runs of Simbody: Verlet −7.7e-5 in 519
    // steps, SemiExplicitEuler2 2.1e-3 in 7515.
    fn error<M: Method<On<Pendulum>> + Estimates>(method: M) -> (f64, u64) {
        let pendulum = on(Pendulum { m: 1.0, g: 13.750_371_637_329_454, scale: 0.5, start: [1.0, 0.0] });
        let mut run = Simulation::of(&pendulum, method).project(Projection::to(1e-7)).adaptive(1e-6).expect("a start");
        run.advance_to(2.0).expect("steps");
        (run.state().q[1].abs(), run.statistics().taken)
    }
    for method in FORMS {
        assert!(error(method).0 < 3e-5 && error(method).1 < 1300, "{method:?}: {:?}", error(method));
    }
    assert!(error(SemiExplicitPair).0 < 2.1e-3 && error(SemiExplicitPair).1 < 12_000, "{:?}", error(SemiExplicitPair));
}

#[test]
fn what_explodes_is_an_error_and_no_nan() {
    fn explodes<M: Method<On<Spring>>>(method: M) {
        let system = on(Spring);
        let mut start = State::neutral(&system);
        start.q = [100.0];
        let mut run = Simulation::of(&system, method).given(start).fixed(0.1).expect("a start");
        let error = run.advance_to(100.0).expect_err("beyond the largest number");
        assert!(matches!(error.cause, Cause::NonFinite { .. }), "{error}");
        let x = run.state();
        assert!(x.q[0].is_finite() && x.v[0].is_finite() && x.a[0].is_finite() && error.time == x.t, "{x:?}");
    }
    explodes(Leapfrog::default());
    explodes(Leapfrog::once());
    explodes(SemiExplicitPair);
}
