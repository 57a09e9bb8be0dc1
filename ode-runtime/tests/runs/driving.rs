//! Driving a run: grids, reports, inputs, recording, precision.

use crate::common::plants::{Actuated, DoublePendulum, Oscillator, Pendulum};
use crate::common::{On, on};
use ode_runtime::integrators::{BackwardEuler, GeneralizedAlpha, Geodesic, SemiExplicitEuler};
use ode_runtime::{Constant, Moment, Sampled, Simulation, State, Table, input_fn};

const FREE: Oscillator = Oscillator { m: 2.0, k: 0.0, c: 0.0, w: 0.0, x: 0.0, v: 0.0 };

#[test]
fn fixed_steps_stay_on_their_grid_and_land_on_reports() {
    let system = on(Oscillator { k: 1.0, x: 1.0, ..FREE });
    let mut run = Simulation::of(&system, SemiExplicitEuler::explicit()).fixed(0.1).expect("a start");
    run.advance_to(100.0).expect("steps");
    assert_eq!((run.statistics().taken, run.state().t), (1000, 100.0));
    // Off the grid: the last step is shorter, the next ones count from there.
    run.advance_to(100.25).expect("steps");
    assert_eq!((run.statistics().taken, run.state().t), (1003, 100.25));
    run.advance_to(100.45).expect("steps");
    assert_eq!((run.statistics().taken, run.state().t), (1005, 100.45));
    // There already: nothing to do.
    run.advance_to(100.45).expect("steps");
    assert_eq!(run.statistics().taken, 1005);

    let mut times = Vec::new();
    run.run(101.0, 0.2, |x| times.push(x.t)).expect("steps");
    assert_eq!(times.len(), 4);
    assert_eq!((times[0], times[3]), (100.45, 101.0));
}

#[test]
fn inputs_as_constants_and_functions() {
    // ẍ = u/2: x(1) = u/4 for constant u, and 1/12 · … for u = t: x = t³/12.
    let system = on(FREE);
    let mut run = Simulation::of(&system, Geodesic).inputs(Constant([3.0])).fixed(0.25).expect("a start");
    run.advance_to(1.0).expect("steps");
    assert!((run.state().q[0] - 0.75).abs() < 1e-14);

    let ramp = input_fn(|at: Moment<'_, On<Oscillator>>, u: &mut [f64; 1]| u[0] = at.t);
    let mut run = Simulation::of(&system, Geodesic).inputs(ramp).fixed(0.25).expect("a start");
    run.advance_to(1.0).expect("steps");
    // A polynomial of degree 3 is exact for a method of order 4.
    assert!((run.state().q[0] - 1.0 / 12.0).abs() < 1e-15);
    assert_eq!(run.state().a[0], 0.5);

    // A feedback law is an implicit dependence on the state: u = −v decays as exp(−t/2).
    let brake = input_fn(|at: Moment<'_, On<Oscillator>>, u: &mut [f64; 1]| u[0] = -at.v[0]);
    let moving = on(Oscillator { v: 1.0, ..FREE });
    let mut run = Simulation::of(&moving, BackwardEuler::default()).inputs(brake).fixed(1e-2).expect("a start");
    run.advance_to(1.0).expect("steps");
    assert!((run.state().v[0] - (1.0 + 0.005_f64).powi(-100)).abs() < 1e-7);
}

#[test]
fn sampled_controllers_hold_their_output_and_steps_land_on_their_instants() {
    // u = k at the k-th sample, period 0.3: v = Σ k · 0.3 / 2.
    let system = on(FREE);
    let mut seen = Vec::new();
    let mut count = 0.0;
    let controller = Sampled::new(0.3, |x: &State<On<Oscillator>>, u: &mut [f64; 1]| {
        seen.push(x.t);
        u[0] = count;
        count += 1.0;
    });
    let mut run = Simulation::of(&system, GeneralizedAlpha::with_spectral_radius(0.5))
        .inputs(controller)
        .fixed(0.07)
        .expect("a start");
    run.advance_to(0.9).expect("steps");
    assert!((run.state().v[0] - (0.0 + 1.0 + 2.0) * 0.15).abs() < 1e-14);
    // The acceleration is that after the instant.
    assert!((run.state().a[0] - 1.5).abs() < 1e-15);
    assert_eq!(seen.len(), 4);
    for (k, t) in seen.iter().enumerate() {
        assert!((t - 0.3 * k as f64).abs() < 1e-15);
    }
}

#[test]
fn sample_instants_within_round_off_of_reports_are_met_once() {
    // 15 · 0.02 is not 3 · 0.1 to the last digit.
    let pendulum = on(Actuated { lag: 0.1 });
    let controller = Sampled::new(0.1, |_: &State<On<Actuated>>, u: &mut [f64; 1]| u[0] = 0.0);
    let method = GeneralizedAlpha::with_spectral_radius(0.8);
    let mut run = Simulation::of(&pendulum, method).inputs(controller).fixed(0.01).expect("a start");
    run.run(1.0, 0.02, |_| {}).expect("steps");
    assert_eq!((run.statistics().taken, run.statistics().restarts), (100, 10));
}

#[test]
fn a_run_is_recorded_to_named_columns() {
    let pendulum = on(Pendulum::standard());
    let mut table = Table::new(&ode_runtime::System::layout(&pendulum));
    let mut run = Simulation::of(&pendulum, GeneralizedAlpha::with_spectral_radius(0.8)).fixed(0.01).expect("a start");
    run.run(0.05, 0.02, |x| table.push(x)).expect("steps");
    let names = ["t", "x", "y", "der(x)", "der(y)", "der(der(x))", "der(der(y))", "circle.lambda"];
    assert_eq!(table.names().collect::<Vec<_>>(), names);
    assert_eq!(table.len(), 4);
    assert_eq!(table.column("t").expect("a column").collect::<Vec<_>>(), [0.0, 0.02, 0.04, 0.05]);
    assert_eq!(table.column("x").expect("a column").next(), Some(1.0));
    // a column does not keep the name it was asked by
    let mut asked = table.column(&String::from("x")).expect("a column");
    assert_eq!(asked.next(), Some(1.0));
    let unknown = |name| table.column(name).map(drop).expect_err("no such column").to_string();
    assert_eq!(
        unknown("nothing"),
        "there is no column `nothing`; there are `t`, `x`, `y`, `der(x)`, `der(y)` and 3 more"
    );
    assert_eq!(unknown("circle"), "there is no column `circle`; did you mean `circle.lambda`?");
    assert_eq!(unknown("der(t)"), "there is no column `der(t)`; did you mean `der(x)`?");

    let mut csv = Vec::new();
    table.write_csv(&mut csv).expect("a vector takes it");
    let text = String::from_utf8(csv).expect("text");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some(names.join(",").as_str()));
    for (line, row) in lines.zip(table.rows()) {
        let read: Vec<f64> = line.split(',').map(|field| field.parse().expect("a number")).collect();
        assert_eq!(read, row);
    }
}

#[test]
fn single_precision_runs_too() {
    let pendulum: On<DoublePendulum, f32> = On(DoublePendulum, std::marker::PhantomData);
    let mut run = Simulation::of(&pendulum, Geodesic).adaptive(1e-5_f32).expect("a start");
    run.advance_to(1.0).expect("steps");
    assert!((run.state().q[0] + 2.227_203).abs() < 1e-3);
    let pendulum: On<Pendulum, f32> = On(Pendulum::standard(), std::marker::PhantomData);
    let mut run =
        Simulation::of(&pendulum, GeneralizedAlpha::with_spectral_radius(0.8_f32)).fixed(0.01).expect("a start");
    run.advance_to(1.0).expect("steps");
    assert!((run.state().q[0] + 0.986).abs() < 1e-2);
}

#[test]
fn reports_between_steps_are_interpolated_and_leave_the_steps_alone() {
    let system = on(Oscillator { m: 1.0, k: 1.0, x: 1.0, ..FREE });
    let mut undisturbed = Simulation::of(&system, Geodesic).adaptive(1e-6).expect("a start");
    undisturbed.advance_to(2.0).expect("steps");
    let mut run = Simulation::of(&system, Geodesic).adaptive(1e-6).expect("a start");
    let mut seen = Vec::new();
    run.run_through(2.0, 0.03, |x| seen.push((x.t, x.q[0], x.v[0]))).expect("steps");
    assert_eq!(run.statistics().taken, undisturbed.statistics().taken);
    assert_eq!(run.state(), undisturbed.state());
    // 0, 0.03, …, 1.98, and the end.
    assert_eq!(seen.len(), 68);
    for (i, (t, x, v)) in seen.iter().enumerate() {
        assert!((t - (0.03 * i as f64).min(2.0)).abs() < 1e-14);
        assert!((x - t.cos()).abs() < 2e-5 && (v + t.sin()).abs() < 2e-5, "{t}: {x} {v}");
    }
}

#[test]
fn steps_may_be_taken_towards_the_end_of_time() {
    let pendulum = on(Pendulum::standard());
    let mut run = Simulation::of(&pendulum, Geodesic).fixed(0.125).expect("a start");
    for step in 1..=4 {
        run.step_towards(f64::INFINITY).expect("a step");
        assert_eq!(run.state().t, 0.125 * f64::from(step));
    }
}
