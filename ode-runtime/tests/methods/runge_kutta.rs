//! Explicit Runge–Kutta methods at work: orders on constraints and rotations, polynomials, interpolation, known values.

use crate::common::erased::{Controlled, Erased, Shared};
use crate::common::plants::{Actuated, Duffing, Oscillator, Pendulum};
use crate::common::rigid::{Chart, Rod, Top};
use crate::common::{On, on};
use ode_runtime::integrators::{
    BogackiShampine, Chebyshev, DormandPrince, DormandPrince8, ExplicitMidpoint, Fehlberg, ForwardEuler, Geodesic,
    Heun, RungeKutta4, Tableau, Verner9,
};
use ode_runtime::solve::Projection;
use ode_runtime::{Cause, Estimates, Method, Moment, Nominal, Setup, Simulation, Solvable, State, input_fn};

fn apart(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |m, (a, b)| m.max((a - b).abs()))
}

/// The states at these times, as a run comes to them.
fn states<S: Solvable<Real = f64>, M: Method<S>>(mut run: Simulation<'_, S, M>, times: &[f64]) -> Vec<State<S>> {
    let at = |t: &f64| {
        run.advance_to(*t).expect("steps");
        run.state().clone()
    };
    times.iter().map(at).collect()
}

fn setup<S: Solvable<Real = f64>, M: Method<S>>(system: &S, method: M, to: Option<f64>) -> Setup<'_, S, M, Nominal> {
    let setup = Simulation::of(system, method);
    if let Some(tolerance) = to { setup.project(Projection::to(tolerance)) } else { setup }
}

fn fixed<S: Solvable<Real = f64>, M: Method<S>>(system: &S, method: M, h: f64, t: f64, to: Option<f64>) -> State<S> {
    states(setup(system, method, to).fixed(h).expect("a start"), &[t]).remove(0)
}

/// Where errors are looked at.
const TIMES: [f64; 4] = [0.25, 0.5, 0.75, 1.0];

/// A system, and its states at these times to round-off.
struct Case<'a, S: Solvable<Real = f64>> {
    system: &'a S,
    projection: Option<f64>,
    exact: Vec<State<S>>,
}

impl<'a, S: Solvable<Real = f64>> Case<'a, S> {
    fn of(system: &'a S, projection: Option<f64>) -> Self {
        let run = setup(system, DormandPrince, projection.map(|_| 1e-13)).adaptive_from(1e-14, 1e-3);
        Self { system, projection, exact: states(run.expect("a start"), &TIMES) }
    }
}

/// Observed orders of the largest errors of q, v, z and λ at four times, between h and h/2.
#[track_caller]
fn orders<S: Solvable<Real = f64> + 'static, T: Tableau + 'static>(case: &Case<'_, S>, method: T, h: f64) {
    order(case, &method, T::ORDER, h);
}

#[track_caller]
fn order<S: Solvable<Real = f64>>(case: &Case<'_, S>, method: &dyn Erased<S>, claimed: u32, h: f64) {
    let (method, claimed) = (Shared(method), f64::from(claimed));
    let Case { system, projection, exact } = case;
    let errors = |h: f64| {
        let mut largest = [0.0_f64; 4];
        for (x, y) in states(setup(*system, method, *projection).fixed(h).expect("a start"), &TIMES).iter().zip(exact) {
            let pairs = [
                (x.q.as_ref(), y.q.as_ref()),
                (x.v.as_ref(), y.v.as_ref()),
                (x.z.as_ref(), y.z.as_ref()),
                (x.lambda.as_ref(), y.lambda.as_ref()),
            ];
            largest = std::array::from_fn(|i| largest[i].max(apart(pairs[i].0, pairs[i].1)));
        }
        largest
    };
    let (coarse, fine) = (errors(h), errors(0.5 * h));
    for (what, (one, two)) in ["q", "v", "z", "λ"].iter().zip(coarse.iter().zip(fine)) {
        if *one > 0.0 {
            let order = (one / two).log2();
            // High orders end in round-off before their slopes are straight.
            let near = if claimed < 6.0 { claimed - 0.3..claimed + 0.6 } else { claimed - 1.0..claimed + 1.0 };
            assert!(near.contains(&order), "{}: order {order} of {what}, {one:e} {two:e}", method.name());
        }
    }
}

/// As above for every method, in steps that are as far from round-off as from the asymptotic range.
fn every_order<S: Solvable<Real = f64> + 'static>(case: &Case<'_, S>, h: f64) {
    orders(case, ForwardEuler, h / 16.0);
    orders(case, Heun, h / 8.0);
    orders(case, ExplicitMidpoint, h / 8.0);
    orders(case, BogackiShampine, h / 4.0);
    orders(case, RungeKutta4, h / 2.0);
    orders(case, Geodesic, h / 2.0);
    orders(case, Fehlberg, h / 2.0);
    orders(case, DormandPrince, h / 2.0);
    orders(case, Chebyshev::<6>, h / 8.0);
}

#[test]
fn orders_hold_on_a_constraint_with_and_without_projection() {
    every_order(&Case::of(&on(Pendulum::standard()), None), 0.03125);
    every_order(&Case::of(&on(Pendulum::standard()), Some(1e-13)), 0.03125);
}

#[test]
fn orders_hold_with_first_order_states_and_time() {
    every_order(&Case::of(&on(Actuated { lag: 0.2 }), Some(1e-13)), 0.03125);
}

#[test]
fn orders_hold_on_rotations() {
    for chart in [Chart::Body, Chart::Space, Chart::Cayley] {
        let top = on(Top { chart, ..Top::free() });
        let case = Case::of(&top, None);
        every_order(&case, 0.03125);
        orders(&case, DormandPrince8, 0.25);
    }
    every_order(&Case::of(&on(Rod), Some(1e-13)), 0.015625);
}

/// The pendulum at t = 1 from rest: long-double integration.
const PENDULUM: [f64; 4] = [-0.986_291_751_131_9, -0.165_010_853_125_5, -0.296_905_515_916_2, 1.774_643_641_112_7];

#[test]
fn runge_kutta_4_keeps_order_4_down_to_1e_10_where_chrono_stays_at_1e_6() {
    let pendulum = on(Pendulum::standard());
    let error = |h: f64| {
        let x = fixed(&pendulum, RungeKutta4, h, 1.0, None);
        (x.q[0] - PENDULUM[0]).hypot(x.q[1] - PENDULUM[1])
    };
    let errors = [0.02, 0.01, 0.005, 0.0025].map(error);
    for pair in errors.windows(2) {
        let order = (pair[0] / pair[1]).log2();
        assert!((order - 4.0).abs() < 0.15, "order {order} of {errors:?}");
    }
    assert!(errors[3] < 3e-9, "{errors:?}");
    // As far as the reference has digits.
    let (coarse, fine) = (error(0.00125), error(0.000_625));
    assert!(fine < 2e-11 && (coarse / fine).log2() > 3.85, "{coarse:e} {fine:e}");
}

/// Errors of q and v at t = 1 in q̈ = t^power, after five steps.
fn power<T: Tableau>(method: T, power: i32) -> [f64; 2] {
    let system = on(Oscillator { m: 1.0, k: 0.0, c: 0.0, w: 0.0, x: 0.0, v: 0.0 });
    let force = input_fn(move |at: Moment<'_, On<Oscillator>>, u: &mut [f64; 1]| u[0] = at.t.powi(power));
    let mut run = Simulation::of(&system, method).inputs(force).fixed(0.2).expect("a start");
    run.advance_to(1.0).expect("steps");
    let n = f64::from(power);
    [run.state().q[0] - 1.0 / ((n + 1.0) * (n + 2.0)), run.state().v[0] - 1.0 / (n + 1.0)]
}

fn polynomials<T: Tableau>(method: T) {
    let order = T::ORDER as i32;
    for k in 0..order {
        let [q, v] = power(method, k);
        assert!(v.abs() < 1e-14, "{}: v of degree {} is off by {v:e}", T::NAME, k + 1);
        assert!(k + 2 > order || q.abs() < 1e-14, "{}: q of degree {} is off by {q:e}", T::NAME, k + 2);
    }
    let [_, v] = power(method, order);
    let least = if order < 6 { 1e-8 } else { 1e-11 };
    assert!(v.abs() > least, "{}: v of degree {} is off by {v:e} only", T::NAME, order + 1);
}

#[test]
fn polynomials_of_the_degree_of_the_order_are_exact() {
    polynomials(ForwardEuler);
    polynomials(Heun);
    polynomials(ExplicitMidpoint);
    polynomials(BogackiShampine);
    polynomials(RungeKutta4);
    polynomials(Geodesic);
    polynomials(Fehlberg);
    polynomials(DormandPrince);
    polynomials(DormandPrince8);
}

/// Order of the largest error of q, v and z inside the first step, between h and h/2.
#[track_caller]
fn interpolates<S: Solvable<Real = f64>, T: Tableau>(system: &S, method: T, h: f64) {
    let claimed = if T::DENSE.is_empty() { f64::from(T::ORDER + 1).min(4.0) } else { 5.0 };
    let error = |h: f64| {
        let mut largest = [0.0_f64; 3];
        let mut exact = Simulation::of(system, Fehlberg).adaptive_from(1e-14, 1e-3).expect("a start");
        let mut run = Simulation::of(system, method).fixed(h).expect("a start");
        run.run_through(h, 0.125 * h, |x| {
            exact.advance_to(x.t).expect("steps");
            let y = exact.state();
            let mut step = y.v.clone();
            system.local(&y.q, &x.q, &mut step);
            let now = [
                step.as_ref().iter().fold(0.0, |m: f64, x| m.max(x.abs())),
                apart(x.v.as_ref(), y.v.as_ref()),
                apart(x.z.as_ref(), y.z.as_ref()),
            ];
            largest = std::array::from_fn(|i| largest[i].max(now[i]));
        })
        .expect("a step");
        largest
    };
    let (coarse, fine) = (error(h), error(0.5 * h));
    for (what, (one, two)) in ["q", "v", "z"].iter().zip(coarse.iter().zip(fine)) {
        let order = (one / two).log2();
        // One of the derivatives that make the error may vanish at the start.
        assert!(*one == 0.0 || order > claimed - 0.3, "{}: order {order} of {what}, {one:e} {two:e}", T::NAME);
    }
    let order = (coarse.iter().sum::<f64>() / fine.iter().sum::<f64>()).log2();
    assert!(order < claimed + 0.7, "{}: order {order}", T::NAME);
}

fn every_interpolant<S: Solvable<Real = f64>>(system: &S, h: f64) {
    interpolates(system, ForwardEuler, h);
    interpolates(system, Heun, h);
    interpolates(system, ExplicitMidpoint, h);
    interpolates(system, BogackiShampine, h);
    interpolates(system, RungeKutta4, h);
    interpolates(system, Geodesic, h);
    interpolates(system, Fehlberg, h);
    interpolates(system, DormandPrince, h);
    interpolates(system, DormandPrince8, h);
    interpolates(system, Verner9, h);
}

#[test]
fn the_error_inside_a_step_is_of_the_order_claimed() {
    every_interpolant(&on(Actuated { lag: 0.2 }), 0.02);
    for chart in [Chart::Body, Chart::Space, Chart::Cayley] {
        let attitude = ode_runtime::so3::exp(&[0.3, 0.1, 0.0]);
        let top = Top { inertia: [1.0, 1.3, 0.5], weight: 1.0, chart, attitude, rate: [0.3, 0.2, 2.0] };
        every_interpolant(&on(top), 0.1);
    }
}

#[test]
fn the_last_stage_is_evaluated_once() {
    fn evaluations<T: Tableau>(method: T, projection: Option<f64>) -> u64 {
        let pendulum = on(Pendulum::standard());
        let mut setup = Simulation::of(&pendulum, method);
        if let Some(tolerance) = projection {
            setup = setup.project(Projection::to(tolerance));
        }
        let mut run = setup.fixed(0.01).expect("a start");
        run.advance_to(1.0).expect("steps");
        run.statistics().work.evaluations - 1
    }
    assert_eq!(evaluations(BogackiShampine, None), 300);
    assert_eq!(evaluations(DormandPrince, None), 600);
    assert_eq!(evaluations(Geodesic, None), 500);
    assert_eq!(evaluations(Chebyshev::<6>, None), 500);
    assert_eq!(evaluations(ForwardEuler, None), 100);
    // A projection moves the end, and where it is then is evaluated.
    assert_eq!(evaluations(BogackiShampine, Some(1e-13)), 400);
    assert_eq!(evaluations(DormandPrince, Some(1e-8)), 600);
}

#[test]
fn a_strong_damper_costs_the_root_of_its_evaluations() {
    // −c/m = −10⁴ beside a slow motion, x = exp(−t)
    fn evaluations<T: Tableau + Estimates>(method: T) -> f64 {
        let damped = on(Oscillator { m: 1.0, k: 1e4, c: 1e4, w: 0.0, x: 1.0, v: -1.0 });
        let mut run = Simulation::of(&damped, method).adaptive(1e-5).expect("a start");
        run.advance_to(1.0).expect("steps");
        let off = (run.state().q[0] - (-1.0_f64).exp()).abs();
        assert!(off < 1e-3, "{}: {off:e}", T::NAME);
        run.statistics().work.evaluations as f64
    }
    let [five, fifteen, thirty_one] =
        [evaluations(Chebyshev::<6>), evaluations(Chebyshev::<16>), evaluations(Chebyshev::<32>)];
    let pair = evaluations(DormandPrince);
    assert!(
        pair > 4.0 * fifteen && five > 2.0 * fifteen && fifteen > 1.5 * thirty_one,
        "{pair} {five} {fifteen} {thirty_one}"
    );
}

#[test]
fn accelerations_and_reactions_are_those_of_the_state() {
    fn settled<T: Tableau>(method: T, projection: Option<f64>) {
        let rod = on(Rod);
        let x = fixed(&rod, method, 0.01, 0.1, projection);
        let mut again = Simulation::of(&rod, method).given(x.clone()).fixed(0.01).expect("a start");
        assert_eq!((x.a, x.lambda), (again.state().a, again.state().lambda), "{}", T::NAME);
        again.advance_to(0.2).expect("steps");
    }
    for projection in [None, Some(1e-12), Some(1e-6)] {
        settled(BogackiShampine, projection);
        settled(DormandPrince, projection);
        settled(DormandPrince8, projection);
        settled(Geodesic, projection);
        settled(Heun, projection);
    }
}

#[test]
fn a_stiff_oscillator_that_explodes_is_an_error_and_no_nan() {
    fn explodes<T: Tableau + 'static>(method: T) {
        let system = on(Duffing);
        let method = Shared::<dyn Erased<On<Duffing>>>(&method);
        let mut run = Simulation::of(&system, method).fixed(0.01).expect("a start");
        let error = run.advance_to(0.5).expect_err("beyond the largest number");
        assert!(matches!(error.cause, Cause::NonFinite { .. }), "{error}");
        let x = run.state();
        assert!(x.q[0].is_finite() && x.v[0].is_finite() && x.a[0].is_finite() && error.time == x.t, "{x:?}");
    }
    explodes(ForwardEuler);
    explodes(Heun);
    explodes(ExplicitMidpoint);
    // Long-double integration.
    fn holds<T: Tableau + Estimates + 'static>(method: T) {
        let system = on(Duffing);
        let method = Shared::<dyn Controlled<On<Duffing>>>(&method);
        let mut run = Simulation::of(&system, method).adaptive(1e-10).expect("a start");
        run.advance_to(0.5).expect("steps");
        let (x, v) = (run.state().q[0] + 0.041_092_099_622_985, run.state().v[0] - 5.763_334_579_097_23);
        assert!(x.abs() < 1e-8 && v.abs() < 1e-6, "{}: {x:e} {v:e}", T::NAME);
    }
    holds(BogackiShampine);
    holds(Geodesic);
    holds(Fehlberg);
    holds(DormandPrince);
    holds(DormandPrince8);
    holds(Verner9);
}

#[test]
fn forward_euler_leaves_the_circle_as_that_of_project_chrono() {
    // Run of Project Chrono: EULER_EXPLICIT, h = 0.01, 100 steps, its γ by differences.
    let x = fixed(&on(Pendulum::standard()), ForwardEuler, 0.01, 1.0, None);
    let off = 0.5 * (x.q[0] * x.q[0] + x.q[1] * x.q[1] - 1.0);
    assert!((off - 1.070e-1).abs() < 5e-5, "{off}");
}

#[test]
fn energy_grows_with_forward_euler_and_hardly_changes_with_runge_kutta_4() {
    // m = 0.05, k = 1, x₀ = 1, h = 1e-3, 2001 steps of a computation in double precision.
    let system = on(Oscillator { m: 0.05, k: 1.0, c: 0.0, w: 0.0, x: 1.0, v: 0.0 });
    let energy = |x: &State<On<Oscillator>>| 0.5 * (0.05 * x.v[0] * x.v[0] + x.q[0] * x.q[0]);
    let end = |h: f64| 2001.0 * h;
    let euler = energy(&fixed(&system, ForwardEuler, 1e-3, end(1e-3), None));
    assert!((euler - 0.520_415_587_040_433_3).abs() < 1e-13, "{euler}");
    // Closed form: each step multiplies it by 1 + h² k/m.
    assert!((euler - 0.5 * (1.0 + 1e-6 / 0.05_f64).powi(2001)).abs() < 1e-12);
    let classical = energy(&fixed(&system, RungeKutta4, 1e-3, end(1e-3), None)) - 0.5;
    assert!(classical.abs() < 2e-13 && classical != 0.0, "{classical:e}");
}

#[test]
fn a_falling_point_with_drag_moves_as_that_of_opensurgsim() {
    // m = 0.456, drag 0.1, g = −9.81, from (1.15, 0.05), two steps of 1e-3: run of OpenSurgSim.
    let system = on(Oscillator { m: 0.456, k: 0.0, c: 0.1, w: -9.81 * 0.456, x: 1.15, v: 0.05 });
    let x = fixed(&system, ForwardEuler, 1e-3, 2e-3, None);
    assert!((x.q[0] - 1.150_090_179_035_087_7).abs() < 1e-15, "{:?}", x.q);
    let x = fixed(&system, RungeKutta4, 1e-3, 2e-3, None);
    assert!((x.q[0] - 1.150_080_360_941_487_8).abs() < 1e-15, "{:?}", x.q);
    assert!((x.v[0] - 0.030_362_376_986_515_824).abs() < 1e-15, "{:?}", x.v);
}

#[test]
fn error_control_is_as_good_as_that_of_simbody() {
    // The 90° swing with the period 2 at t = 2, accuracy 1e-6, tolerance 1e-7. Runs of Simbody's RungeKuttaMerson,
    // RungeKuttaFeldberg and RungeKutta3: the error of y, and the steps taken.
    fn error<T: Tableau + Estimates>(method: T) -> (f64, u64) {
        let pendulum = on(Pendulum { m: 1.0, g: 13.750_371_637_329_454, scale: 0.5, start: [1.0, 0.0] });
        let setup = Simulation::of(&pendulum, method).project(Projection::to(1e-7));
        let mut run = setup.adaptive(1e-6).expect("a start");
        run.advance_to(2.0).expect("steps");
        (run.state().q[1].abs(), run.statistics().taken)
    }
    // Here the steps are about as many and the errors smaller: Simbody took 101 with −1.2e-7, 44 with 5.2e-5 and 586
    // with −3.4e-6.
    let merson = error(Geodesic);
    let fehlberg = error(Fehlberg);
    let third = error(BogackiShampine);
    let fifth = error(DormandPrince);
    assert!(merson.0 < 5e-7 && merson.1 < 152, "{merson:?}");
    assert!(fehlberg.0 < 5.2e-5 && fehlberg.1 < 66, "{fehlberg:?}");
    assert!(third.0 < 3.4e-6 && third.1 < 660, "{third:?}");
    assert!(fifth.0 < 1.2e-6 && fifth.1 < 66, "{fifth:?}");
    let eighth = error(DormandPrince8);
    assert!(eighth.0 < 1e-7 && eighth.1 < 40, "{eighth:?}");
}
