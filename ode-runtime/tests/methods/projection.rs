//! Projections: in which metric, of what, and what they leave of order and drift.

use crate::common::linkages::FourBar;
use crate::common::on;
use crate::common::plants::{Actuated, Pendulum, Sleeve};
use ode_runtime::integrators::{GeneralizedAlpha, Geodesic, RungeKutta4};
use ode_runtime::solve::{Metric, Projection, Projector};
use ode_runtime::{Cause, Context, Nominal, Simulation, Start, State, Work};

/// The change of (1, 0) … of a velocity off the circle at 45°, by masses 1 and 9 or by weights.
fn correction(metric: Metric, weights: Option<[f64; 2]>) -> [f64; 2] {
    let sleeve = on(Sleeve { mass: [1.0, 9.0] });
    let mut projector = Projector::new(&sleeve);
    if let Some(weights) = weights {
        projector.weigh(&sleeve, weights).expect("positive");
    }
    let mut work = Work::default();
    let mut cx = Context { system: &sleeve, inputs: &Nominal, work: &mut work };
    let mut x = State::neutral(&sleeve);
    let half = 0.5_f64.sqrt();
    (x.q, x.v) = ([half, half], [1.0, 1.0]);
    let how = Projection { metric, ..Projection::to(1e-12) };
    let done = projector.project(&mut cx, &how, &mut x).expect("near");
    assert!(done.velocities && !done.positions);
    [x.v[0] - 1.0, x.v[1] - 1.0]
}

#[test]
fn corrections_are_the_smallest_in_their_metric() {
    // W δ = Gᵀ μ with G = (1, 1) there, G (v + δ) = 0: δ = −2 W⁻¹ (1, 1)/(w₁⁻¹ + w₂⁻¹).
    for (got, weights) in [
        (correction(Metric::Mass, None), [1.0, 9.0]),
        (correction(Metric::Weights, Some([1.0, 1.0])), [1.0, 1.0]),
        (correction(Metric::Weights, Some([4.0, 1.0])), [4.0, 1.0]),
    ] {
        let sum = 1.0 / weights[0] + 1.0 / weights[1];
        for (got, weight) in got.iter().zip(weights) {
            assert!((got + 2.0 / (weight * sum)).abs() < 1e-14, "{got} {weights:?}");
        }
    }
}

#[test]
fn weights_are_those_of_the_run() {
    let sleeve = on(Sleeve { mass: [1.0, 9.0] });
    let mut start = State::neutral(&sleeve);
    start.q = [0.8, 0.9];
    // After one short step the constraint holds, where the weights took it.
    let end = |weights: Option<[f64; 2]>| {
        let metric = if weights.is_some() { Metric::Weights } else { Metric::Mass };
        let mut setup = Simulation::of(&sleeve, Geodesic).project(Projection { metric, ..Projection::to(1e-10) });
        if let Some(weights) = weights {
            setup = setup.weights(weights);
        }
        let mut run = setup.given(start.clone()).fixed(1e-6).expect("a start");
        run.step_towards(1.0).expect("a step");
        assert!(run.drift().expect("finite").0 < 1e-10);
        run.state().q
    };
    let (mass, even, odd) = (end(None), end(Some([1.0, 1.0])), end(Some([1.0, 9.0])));
    assert!((mass[0] - odd[0]).abs() < 1e-9 && (mass[1] - odd[1]).abs() < 1e-9);
    assert!((mass[0] - even[0]).abs() > 1e-2, "{mass:?} {even:?}");
    for bad in [[0.0, 1.0], [1.0, -1.0], [f64::NAN, 1.0], [1.0, f64::INFINITY]] {
        let how = Projection { metric: Metric::Weights, ..Projection::to(1e-10) };
        let setup = Simulation::of(&sleeve, Geodesic).project(how).weights(bad);
        assert!(matches!(setup.fixed(0.1).map(drop).expect_err("weights").cause, Cause::Invalid { .. }));
    }
}

#[test]
fn errors_across_the_constraints_need_not_count() {
    let pendulum = on(Pendulum::standard());
    let run = |estimate| {
        let how = Projection { estimate, ..Projection::to(1e-9) };
        let mut run = Simulation::of(&pendulum, Geodesic).project(how).adaptive(1e-8).expect("a start");
        run.advance_to(1.0).expect("steps");
        let (x, error) = (run.state().clone(), run.error().expect("an estimate").clone());
        let across = |e: &[f64; 2]| (x.q[0] * e[0] + x.q[1] * e[1]).abs() / e[0].hypot(e[1]);
        (across(&error.q), across(&error.v), run.statistics().taken, (x.q[0] + 0.986_291_751_131_9).abs())
    };
    let (plain, tangent) = (run(false), run(true));
    assert!(plain.0 > 1e-3 || plain.1 > 1e-3, "{plain:?}");
    assert!(tangent.0 < 1e-8 && tangent.1 < 1e-8, "{tangent:?}");
    assert!(tangent.2 <= plain.2 && tangent.3 < 1e-6, "{tangent:?} {plain:?}");
}

#[test]
fn generalized_alpha_projected_keeps_its_order_and_both_levels() {
    // Velocities, which the method leaves off by O(h²), brought back each step, in the place of a formulation with two
    // multipliers.
    let pendulum = on(Pendulum::standard());
    let exact = [-0.986_291_751_131_9, -0.165_010_853_125_5, -0.296_905_515_916_2, 1.774_643_641_112_7];
    let errors = |h: f64| {
        let how = Projection { margin: 1e-3, ..Projection::to(1e-9) };
        let method = GeneralizedAlpha::with_spectral_radius(0.8);
        let mut run = Simulation::of(&pendulum, method).project(how).fixed(h).expect("a start");
        run.advance_to(1.0).expect("steps");
        let x = run.state();
        let q = (x.q[0] - exact[0]).hypot(x.q[1] - exact[1]);
        let v = (x.v[0] - exact[2]).hypot(x.v[1] - exact[3]);
        [q, v, (x.lambda[0] + 4.856_269_407_483).abs()]
    };
    let (coarse, fine) = (errors(1.0 / 200.0), errors(1.0 / 800.0));
    for i in 0..3 {
        let order = (coarse[i] / fine[i]).log(4.0);
        assert!((order - 2.0).abs() < 0.25, "{i}: {order}, {coarse:?} {fine:?}");
    }
    // Long: both levels at the tolerance, and no multiplier that swings.
    let how = Projection { margin: 1e-2, ..Projection::to(1e-10) };
    let mut run = Simulation::of(&pendulum, GeneralizedAlpha::with_spectral_radius(0.8))
        .project(how)
        .fixed(0.005)
        .expect("a start");
    // Whoever only looks may ask: of a shared run, as often as it likes.
    let (shared, work) = (&run, run.statistics().work);
    assert_eq!((shared.drift(), shared.drift()), (Ok((0.0, 0.0)), Ok((0.0, 0.0))));
    assert_eq!(run.statistics().work, work);
    while run.state().t < 20.0 {
        run.step_towards(20.0).expect("a step");
        let (phi, rate) = run.drift().expect("finite");
        assert!(phi < 1e-10 && rate < 1e-10, "{phi:e} {rate:e}");
        let x = run.state();
        // λ = −(v² − g y) on the circle of radius 1: that of the state, up to the order of the step.
        let own = -(x.v[0] * x.v[0] + x.v[1] * x.v[1] - 9.81 * x.q[1]);
        assert!((x.lambda[0] - own).abs() < 2e-2, "t = {}: {} {own}", x.t, x.lambda[0]);
    }
}

#[test]
fn reports_between_steps_are_on_the_constraints_with_multipliers_of_their_own() {
    let plant = on(Actuated { lag: 0.1 });
    let setup = || Simulation::of(&plant, Geodesic).project(Projection::to(1e-10));
    let mut run = setup().adaptive(1e-6).expect("a start");
    let mut undisturbed = setup().adaptive(1e-6).expect("a start");
    undisturbed.advance_to(1.0).expect("steps");
    let mut seen = 0;
    run.run_through(1.0, 0.011, |x| {
        let own = setup().given(x.state().clone()).fixed(0.1).expect("a state");
        let off = (x.q[0] * x.q[0] + x.q[1] * x.q[1] - 1.0).abs();
        let rate = (x.q[0] * x.v[0] + x.q[1] * x.v[1]).abs();
        assert!(off < 1e-10 && rate < 1e-10, "t = {}: {off:e} {rate:e}", x.t);
        assert_eq!((own.state().a, own.state().lambda), (x.a, x.lambda));
        seen += 1;
    })
    .expect("steps");
    assert_eq!(seen, 92);
    assert_eq!(run.state(), undisturbed.state());
    assert_eq!(run.statistics(), undisturbed.statistics());
}

/// Four rows of rank three, at a position that is off by less than what is asked for, and at 200 rad/s.
#[test]
fn rows_that_repeat_others_are_met_by_fast_velocities() {
    let (th, w) = (0.8_f64, 200.0);
    let linkage = on(FourBar { th, w });
    let mut projector = Projector::new(&linkage);
    let mut work = Work::default();
    let mut cx = Context { system: &linkage, inputs: &Nominal, work: &mut work };
    for (entry, off) in (0..4).flat_map(|entry| [(entry, 4e-11), (entry, -4e-11)]) {
        let mut x = State::neutral(&linkage);
        let (s, c) = th.sin_cos();
        x.q = [c, s, 1.0 + c, s];
        x.v = [-w * s, w * c, -w * s, w * c + 1e-6];
        x.q[entry] += off;
        projector.project(&mut cx, &Projection::to(1e-9), &mut x).expect("near");
        let (phi, rate) = projector.drift(&cx, &x).expect("finite");
        assert!(phi < 1e-9 && rate < 1e-9, "{entry} {off}: {phi} {rate}");
    }
}

/// A run that does not hold its rows drifts off them; there, rows that repeat others allow for no velocity that
/// satisfies all.
#[test]
fn what_has_drifted_off_redundant_rows_takes_a_change_of_velocities() {
    let linkage = on(FourBar { th: 0.8, w: 2.0 });
    let begin = Start::default().solve(&linkage, &Nominal).expect("consistent");
    for (entry, off) in (0..4).flat_map(|entry| [1e-8, 1e-5, 1e-3, 1e-2].map(|off| (entry, off))) {
        let mut x = begin.clone();
        x.q[entry] += off;
        let mut run = Simulation::of(&linkage, RungeKutta4).given(x).fixed(1e-3).expect("a start");
        run.change(|x| x.v = x.v.map(|v| -0.5 * v)).expect("an impulse");
        assert!(run.drift().expect("finite").1 <= 2.0 * off, "{entry} {off}: {:?}", run.drift());
        assert!((run.state().v[0] - 0.8_f64.sin()).abs() < 10.0 * off);
    }
}
